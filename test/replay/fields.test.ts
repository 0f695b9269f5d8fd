// A new table of the core needs a line in snapshotHead.ts: its address and its room are each world's own.
import { expect, test } from 'vitest';
import { read } from '../sources';

test.each([
  ['World', 'world'],
  ['Tree', 'trees'],
])('every address and capacity of %s stays out of snapshots', (record, file) => {
  const [, body] = read(`src/core/memory/records/${file}.ts`).match(
    new RegExp(`export class ${record} \\{([\\s\\S]*?)\\n\\}`),
  ) as RegExpMatchArray;
  const fields = [...(body as string).matchAll(/^ {2}(\w+): (\w+);/gm)]
    .filter(([, name, type]) => type === 'u32' || /Capacity$/.test(name as string))
    .map(([, name]) => name as string);
  expect(fields.length).toBeGreaterThan(3);
  const head = read('src/core/memory/snapshotHead.ts');
  expect(fields.filter((name) => !head.includes(`offsetof<${record}>('${name}')`))).toEqual([]);
});
