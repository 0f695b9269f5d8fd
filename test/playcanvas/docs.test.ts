// docs/playcanvas.md: its table is that of the installed engine, and each of the members is there.
import { RicochetBody, RicochetJoint, RicochetPhysicsWorld } from 'ricochet/playcanvas';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { DIFFERS, EXTRAS, table, withTable } from '../../scripts/playcanvas-table.mjs';
import { read } from '../sources';

/** Of the instances, not of the classes. */
const FIELDS = ['contactListener', 'nativeWorld', 'entity', 'nativeBody', 'nativeJoint'];

test('the table is up to date (node scripts/playcanvas-table.mjs), with nothing that is not there yet', () => {
  const { text, counts, names } = table();
  console.log(counts);
  expect(names.length).toBeGreaterThan(40);
  expect(withTable(read('docs/playcanvas.md'), text)).toBe(read('docs/playcanvas.md'));
  expect(counts['not yet']).toBe(0);
  expect(Object.keys(DIFFERS).filter((name) => !names.includes(name))).toEqual([]);
  const classes: Record<string, object> = {
    PhysicsWorld: RicochetPhysicsWorld.prototype,
    PhysicsBody: RicochetBody.prototype,
    PhysicsJoint: RicochetJoint.prototype,
    RicochetPhysicsWorld: RicochetPhysicsWorld.prototype,
    RicochetJoint: RicochetJoint.prototype,
  };
  const extras = Object.entries(EXTRAS as Record<string, string[]>).flatMap(([one, list]) =>
    list.map((member) => `${one}.${member}`),
  );
  const missing = [...(names as string[]), ...extras].filter((name) => {
    const [one, member] = name.split('.') as [string, string];
    return !FIELDS.includes(member) && !Object.hasOwn(classes[one]!, member);
  });
  expect(missing).toEqual([]);
});
