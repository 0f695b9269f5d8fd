// What the tables of docs/babylon.md, docs/playcanvas.md and docs/react.md share. In: the names of the methods or members of a
// peer, and a text for each that is not simply done. Out: how many are in each state, and the rows of the table.
import { readFileSync, writeFileSync } from 'node:fs';

/** `differs` has a text by name; one that begins with `not yet` counts as such. */
export function statesOf(names, differs) {
  const stateOf = (name) =>
    !(name in differs) ? 'done' : differs[name].startsWith('not yet') ? 'not yet' : 'differs';
  const counts = { done: 0, differs: 0, 'not yet': 0 };
  for (const name of names) counts[stateOf(name)]++;
  return {
    counts,
    done: names.filter((name) => stateOf(name) === 'done'),
    rows: names
      .filter((name) => stateOf(name) !== 'done')
      .map((name) => `| \`${name}\` | ${stateOf(name)}: ${differs[name].replace(/^not yet: /, '')} |`),
  };
}

export function headOf({ done, differs, 'not yet': notYet }, what) {
  return `${done} ${what} done, ${differs} differ, ${notYet} not yet.`;
}

/** Writes the table to its page if that changes it, and tells the counts. */
export function writeTable(path, { text, counts }, withTable) {
  const page = readFileSync(path, 'utf8');
  console.log(counts);
  const next = withTable(page, text);
  if (next !== page) writeFileSync(path, next);
}

/** The page with `text` between the marks of its table. */
export function pageWith(page, mark, text) {
  return page.replace(
    new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*?(<!-- /${mark} -->)`),
    (_, before, after) => `${before}\n${text}\n\n${after}`,
  );
}
