// The public members of a class as its sources say. In: the prototype of an object, files in which its classes are. Out:
// names without those that are private, protected or marked @internal. A member that is new is in here by itself, and
// the test that compares these names with the recipes (calls.ts) names it until it has one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources';

const HIDDEN =
  /^ {2}(?:private|protected)\s+(?:static\s+|abstract\s+|override\s+|readonly\s+|async\s+|get\s+|set\s+|\*)*([\w]+)/gm;
const INTERNAL =
  /@internal(?:(?!\*\/)[\s\S])*\*\/\s*\n\s*(?:static\s+|abstract\s+|override\s+|readonly\s+|declare\s+|async\s+|get\s+|set\s+|\*)*([\w]+)/g;
const FIELD =
  /^ {2}(?:abstract\s+|override\s+|declare\s+)*(?:readonly\s+)?([a-z]\w*)(?:\?|!)?(?:: [^(\n]+)?(?: =|;)/gm;

/** `object`: of the class; `files`: of it and of those that it extends. */
export function publicMembers(object: object, files: readonly string[]): string[] {
  const hidden = new Set(['constructor']);
  const names = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const pattern of [HIDDEN, INTERNAL])
      for (const [, name] of text.matchAll(pattern)) hidden.add(name!);
    const body = text.slice(text.search(/^export (?:abstract )?class /m)); // interfaces stand before it
    for (const [, name] of body.matchAll(FIELD)) names.add(name!);
  }
  for (let each = object; each !== Object.prototype; each = Object.getPrototypeOf(each))
    for (const name of Object.getOwnPropertyNames(each)) names.add(name);
  return [...names].filter((name) => !hidden.has(name)).sort();
}
