// Arguments as trees that can be printed: what a random call is made of is the text of that call, so that a failure can
// be pasted into a test. In: plain values, lists, objects, and pieces of text (Raw). Out: an expression of JavaScript.

/** 'good': as documented. 'bad': must be refused wherever it stands. 'odd': may be taken or refused. 'acts': calls the world. */
export type Quality = 'good' | 'odd' | 'bad' | 'acts';

/** An expression, and what is known of it. */
export class Raw {
  constructor(
    readonly text: string,
    readonly quality: Quality = 'good',
  ) {}
}

export type Tree =
  | number
  | string
  | boolean
  | undefined
  | null
  | Raw
  | readonly Tree[]
  | { [name: string]: Tree };

export function print(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (typeof tree === 'number') return Object.is(tree, -0) ? '-0' : String(tree);
  if (typeof tree === 'string') return JSON.stringify(tree);
  if (typeof tree !== 'object' || tree === null) return String(tree);
  if (Array.isArray(tree)) return `[${tree.map(print).join(', ')}]`;
  const fields = Object.entries(tree).map(([name, value]) => `${name}: ${print(value)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const RANKS: readonly Quality[] = ['good', 'odd', 'bad', 'acts'];

/** The worst of what is in a tree. */
export function qualityOf(tree: Tree): Quality {
  if (tree instanceof Raw) return tree.quality;
  if (typeof tree !== 'object' || tree === null) return 'good';
  let worst = 0;
  for (const part of Object.values(tree)) worst = Math.max(worst, RANKS.indexOf(qualityOf(part)));
  return RANKS[worst]!;
}

/** Every place of a tree, the tree itself included, as names from the outside in. */
export function placesOf(tree: Tree, path: readonly string[] = []): (readonly string[])[] {
  if (typeof tree !== 'object' || tree === null || tree instanceof Raw) return [path];
  return [path, ...Object.entries(tree).flatMap(([name, part]) => placesOf(part, [...path, name]))];
}

export function at(tree: Tree, path: readonly string[]): Tree {
  let part = tree;
  for (const name of path) part = (part as Record<string, Tree>)[name];
  return part;
}

/** The tree with another part at a place. */
export function replaced(tree: Tree, path: readonly string[], part: Tree): Tree {
  if (path.length === 0) return part;
  const [name, ...rest] = path as [string, ...string[]];
  const copy = (Array.isArray(tree) ? [...tree] : { ...(tree as object) }) as Record<string, Tree>;
  copy[name] = replaced(copy[name], rest, part);
  return copy as Tree;
}
