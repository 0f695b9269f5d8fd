// The pages of the site as Markdown. In: site/pages, docs/, and the documents beside them. Out: a folder for VitePress, in
// which links lead to pages: a link to a document is one to its page, a link to any other file one to a page that shows it.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Documents outside of docs/, and their pages. */
const ELSEWHERE = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'docs/changelog.md',
  'CONTRIBUTING.md': 'docs/contributing.md',
  'bench/README.md': 'docs/benchmark.md',
  'bench/RESULTS.md': 'docs/results.md',
  'rooms/README.md': 'docs/rooms.md',
};

const LANGUAGES = { '.mjs': 'js', '.ts': 'ts', '.tsx': 'tsx', '.js': 'js', '.html': 'html', '.json': 'json' };

const markdownIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith('.md'))
    .sort();

/** Every document and the page that it becomes, by their paths. */
function documents() {
  const pages = new Map(Object.entries(ELSEWHERE).filter(([source]) => source !== 'README.md'));
  for (const source of markdownIn('docs')) {
    if (!source.startsWith('docs/api/')) pages.set(source, source);
  }
  for (const source of markdownIn('site/pages')) pages.set(source, relative('site/pages', source));
  return pages;
}

/** A page that shows a file of the repository. */
function sourcePage(path) {
  const language = LANGUAGES[extname(path)] ?? 'txt';
  const text = readFileSync(join(root, path), 'utf8').trimEnd();
  return `---\naside: false\nsearch: false\n---\n\n# ${path}\n\n\`\`\`\`${language}\n${text}\n\`\`\`\`\n`;
}

/**
 * What stands in `[text](target)` becomes a link to a page, relative to the page it stands on; a link to a folder, its text.
 * @param shown  files that need a page of their own: added to
 */
function withLinks(text, source, page, pages, shown) {
  const to = (target) => {
    const path = relative(dirname(page), target);
    return path.startsWith('.') ? path : `./${path}`;
  };
  const parts = text.split(/(^(?:```|````)[\s\S]*?^(?:```|````)$)/m); // code is left as it is
  return parts
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, label, target) => {
            if (/^(https?:|mailto:|#)/.test(target)) return whole;
            const [path, anchor] = target.split('#');
            const file = normalize(join(dirname(source), path));
            const mark = anchor === undefined ? '' : `#${anchor}`;
            if (picture !== '') return existsSync(join(root, file)) ? `![${label}](${to(file)})` : whole;
            const known = file === 'README.md' ? 'index.md' : pages.get(file);
            if (known !== undefined) return `[${label}](${to(known)}${mark})`;
            if (source.startsWith('site/pages/')) return whole; // written for the site
            if (!existsSync(join(root, file))) throw new Error(`${source}: ${target} leads nowhere`);
            if (statSync(join(root, file)).isDirectory()) return label;
            // VitePress takes every .md off an address.
            if (file.endsWith('.md'))
              throw new Error(`${source}: ${target} has no page: enter it in ELSEWHERE`);
            shown.add(file);
            return `[${label}](${to(`source/${file}.md`)})`;
          }),
    )
    .join('');
}

/** All pages but those of the API: path → Markdown. */
export function pagesOfSite() {
  const pages = documents();
  const shown = new Set();
  const result = new Map();
  for (const [source, page] of pages) {
    const text = readFileSync(join(root, source), 'utf8').replace(/^<!-- snippet: \S+ -->\n/gm, '');
    result.set(page, withLinks(text, source, page, pages, shown));
  }
  for (const file of [...shown].sort()) result.set(`source/${file}.md`, sourcePage(file));
  return result;
}

/** Links inside of the site that lead to no page. API pages are made by another program, and not looked at. */
export function deadLinks(pages = pagesOfSite()) {
  const dead = [];
  for (const [page, text] of pages)
    for (const [, target] of text
      .replace(/^(```|````)[\s\S]*?^\1$/gm, '')
      .matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^(https?:|mailto:)/.test(target) || /(^|\/)(api|demo)\//.test(target)) continue;
      const path = target.startsWith('/') ? target.slice(1) : normalize(join(dirname(page), target));
      const file = path === '' || path.endsWith('/') ? `${path}index.md` : path;
      const there = [file, `${file}.md`, file.replace(/\.html$/, '.md')].some((name) => pages.has(name));
      if (!there && !existsSync(join(root, path)) && !existsSync(join(root, 'site/public', path)))
        dead.push(`${page}: ${target}`);
    }
  return dead;
}

/** Writes them into a folder, emptied first. */
export function writePages(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const [page, text] of pagesOfSite()) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), text);
  }
  cpSync(join(root, 'docs/screenshots'), join(folder, 'docs/screenshots'), { recursive: true });
  cpSync(join(root, 'docs/scaling.svg'), join(folder, 'docs/scaling.svg'));
  cpSync(join(root, 'site/public'), join(folder, 'public'), { recursive: true });
  cpSync(join(root, 'demo/public/isolation.js'), join(folder, 'public/isolation.js'));
}
