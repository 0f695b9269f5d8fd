// Nothing of a world is left out of a snapshot by oversight. A new table of the core needs a line in snapshotHead.ts:
// its address and its room are each world's own. A new field of a pair or a manifold is written, or in derived.ts; those
// of other records are written unless snapshot.ts leaves them out.
import { expect, test } from 'vitest';
import { codeOf, read } from '../sources';
import { MADE_ANEW } from './derived';

/** Names and types of the fields of a record. */
function fieldsOf(record: string, file: string): [name: string, type: string][] {
  const [, body] = read(`src/core/memory/records/${file}.ts`).match(
    new RegExp(`export class ${record} \\{([\\s\\S]*?)\\n\\}`),
  ) as RegExpMatchArray;
  return [...(body as string).matchAll(/^ {2}(\w+): (\w+);/gm)].map(([, name, type]) => [name!, type!]);
}

test.each([
  ['World', 'world'],
  ['Tree', 'trees'],
])('every address and capacity of %s stays out of snapshots', (record, file) => {
  const fields = fieldsOf(record, file)
    .filter(([name, type]) => type === 'u32' || /Capacity$/.test(name))
    .map(([name]) => name);
  expect(fields.length).toBeGreaterThan(3);
  const head = read('src/core/state/snapshotHead.ts');
  // Sorted tables go by their number (shapes/traits.ts): address, capacity, count.
  const traits = read('src/core/shapes/traits.ts');
  const count = Number(/TRAIT_TABLES = (\d+)/.exec(traits)?.[1]);
  const names = fieldsOf(record, file).map(([name]) => name);
  const first = names.indexOf('surfaces');
  const sorted = record === 'World' ? names.slice(first, first + 3 * count) : [];
  for (let i = 0; i < sorted.length; i += 3) expect(sorted[i + 1], sorted[i]).toMatch(/Capacity$/);
  expect(
    fields.filter((name) => !head.includes(`offsetof<${record}>('${name}')`) && !sorted.includes(name)),
  ).toEqual([]);
});

/** Rows that go by the name of the first of them. */
const TOGETHER: Record<string, string> = {
  normalY: 'normalX',
  normalZ: 'normalX',
  tangentY: 'tangentX',
  tangentZ: 'tangentX',
  centerAY: 'centerAX',
  centerAZ: 'centerAX',
  centerBX: 'centerAX',
  centerBY: 'centerAX',
  centerBZ: 'centerAX',
  frictionImpulse2: 'frictionImpulse1',
  features1: 'features0',
  features2: 'features0',
  features3: 'features0',
  cachedRotationAY: 'cachedRotationAX',
  cachedRotationAZ: 'cachedRotationAX',
  cachedRotationAW: 'cachedRotationAX',
  cachedRotationBX: 'cachedRotationAX',
  cachedRotationBY: 'cachedRotationAX',
  cachedRotationBZ: 'cachedRotationAX',
  cachedRotationBW: 'cachedRotationAX',
  cachedCenterY: 'cachedCenterX',
  cachedCenterZ: 'cachedCenterX',
  // The first rows of a block and of points, reached by their address.
  maxPoints: 'blockSummary',
  special: 'blockSummary',
  isNew: 'blockSummary',
  points: 'POINT_METAS_OFFSET',
  baseSeparation: 'pointMetaOf',
};

test.each(Object.keys(MADE_ANEW))(
  'every field of %s is in a snapshot, or known to be made again',
  (record) => {
    const pairs = record === 'Pair' || record === 'WaitingPair';
    const file = `src/core/state/${pairs ? 'snapshotPairs' : 'snapshotManifolds'}.ts`;
    const source = pairs ? codeOf(file) : read(file);
    const made = MADE_ANEW[record]!;
    const names = fieldsOf(record, 'contacts').map(([name]) => name);
    const isWritten = (name: string) => {
      const known = TOGETHER[name] ?? name;
      if (source.includes(`offsetof<${record}>('${known}')`)) return true;
      if (!pairs) return known !== name && source.includes(known);
      // In writePairs or what it calls.
      const out = source.slice(source.indexOf('// --- out') + 1, source.indexOf('export function readPairs'));
      return (
        new RegExp(`(pair|waitingAt\\(pair\\.index\\))\\.${name}\\b`).test(out) || FIRST_ROW.includes(name)
      );
    };
    expect(names.filter((name) => !(name in made) && !isWritten(name))).toEqual([]);
    expect(Object.keys(made).filter((name) => !names.includes(name))).toEqual([]);
  },
);

/** Written as one row of four words. */
const FIRST_ROW = ['shapeA', 'shapeB', 'nextA', 'nextB'];
