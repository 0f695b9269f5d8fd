// The public .bullet files of bullet3, and Bullet's own importer on what is written here. Neither is kept here:
//   npm run bullet-files -- --from DIRECTORY --fetch
// clones bullet3 to DIRECTORY, builds the importer with g++, and runs this.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from 'ricochet';
import { readBulletFile, writeBulletFile } from 'ricochet/bullet-file';
import { afterAll, describe, expect, test } from 'vitest';
import { everything, load } from './worlds';

const root = process.env['BULLET3'] ?? '';
const program = process.env['BULLET_IMPORT'] ?? '';
if (root === '' || program === '')
  console.log(
    'skipped: BULLET3 names no clone of bullet3, or BULLET_IMPORT no importer (npm run bullet-files)',
  );

/** Bodies, joints, and whether children of compounds, whose places are in single precision, are in it. */
const FILES: Record<string, { bodies: number; joints: number; compounds?: true }> = {
  'multibody.bullet': { bodies: 1, joints: 0 },
  'r2d2_multibody.bullet': { bodies: 17, joints: 0, compounds: true },
  'slope.bullet': { bodies: 126, joints: 0 },
  'spider.bullet': { bodies: 27, joints: 24 },
  'testFileFracture.bullet': { bodies: 102, joints: 438 },
};

interface Imported {
  gravity: number[];
  bodies: { inverseMass: number; friction: number; position: number[]; rotation: number[]; box: number[] }[];
  constraints: { type: number }[];
  after: Imported['bodies'];
}

const folder = mkdtempSync(join(tmpdir(), 'bullet-'));
afterAll(() => rmSync(folder, { recursive: true }));

function imported(path: string, steps: number): Imported {
  const text = execFileSync(program, [path, String(steps)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(text.slice(text.indexOf('{"gravity"')).replace(/\b(inf|nan)\b/g, '1e38')) as Imported;
}

function importedWorld(world: World, precision: 'double' | 'single', steps = 0): Imported {
  const path = join(folder, 'written.bullet');
  writeFileSync(path, writeBulletFile(world, { precision }).bytes);
  return imported(path, steps);
}

const apart = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
  Math.max(...a.flatMap((v, i) => v.map((part, k) => Math.abs(part - b[i]![k]!))));

describe.skipIf(root === '' || program === '')('public files', () => {
  test('all files of bullet3 are known here', () => {
    const found = readdirSync(join(root, 'data')).filter((name) => name.endsWith('.bullet'));
    expect(found.sort()).toEqual(Object.keys(FILES));
  });

  test.each(Object.entries(FILES))('%s', (name, { bodies, joints, compounds }) => {
    const path = join(root, 'data', name);
    const file = readBulletFile(readFileSync(path));
    expect(file.bodies.length).toBe(bodies);
    expect(file.joints.length).toBe(joints);
    const world = load(readFileSync(path));
    const { bytes } = writeBulletFile(world);
    const second = load(bytes);
    const again = writeBulletFile(second).bytes;
    if (compounds === undefined) {
      expect(second.stateHash()).toBe(world.stateHash());
      expect(Buffer.compare(again, bytes)).toBe(0);
    } else {
      const [first, other] = [world, second].map((one) =>
        [...one.bodies()].flatMap((body) => body.shapes.map((id) => [...body.getShape(id).position])),
      );
      const most = apart(first!, other!);
      console.log(`${name}: children of compounds move by ${most.toExponential(1)} m; target 1e-6`);
      expect(most).toBeLessThan(1e-6);
    }
    const theirs = imported(path, 10);
    for (const precision of ['double', 'single'] as const) {
      const ours = importedWorld(load(readFileSync(path)), precision, 10);
      expect(ours.bodies.length).toBe(bodies);
      expect(ours.constraints.length).toBe(joints);
      expect(ours.gravity).toEqual(theirs.gravity);
      expect(ours.bodies.map(({ inverseMass }) => inverseMass)).toEqual(
        theirs.bodies.map(({ inverseMass }) => inverseMass),
      );
      const places = (list: Imported['bodies']) => list.map(({ position }) => position);
      const boxes = apart(
        ours.bodies.map(({ box }) => box),
        theirs.bodies.map(({ box }) => box),
      );
      const after = apart(places(ours.after), places(theirs.after));
      console.log(
        `${name}, ${precision}: in Bullet, beside the original: places ${apart(places(ours.bodies), places(theirs.bodies)).toExponential(1)}, bounds ${boxes.toExponential(1)}, places after 10 steps ${after.toExponential(1)} m`,
      );
      expect(apart(places(ours.bodies), places(theirs.bodies))).toBeLessThan(1e-6);
      expect(boxes).toBeLessThan(1e-3);
    }
    world.advance(10);
    const [mine, bullets] = [[...world.bodies()].map((body) => body.getPosition()), theirs.after];
    console.log(
      `${name}: after 10 steps here and in Bullet ${apart(
        mine,
        bullets.map(({ position }) => position),
      ).toExponential(1)} m apart`,
    );
  });

  test.each(['double', 'single'] as const)(
    "Bullet's importer reads everything that is written, %s",
    (precision) => {
      const world = everything();
      const { bodies, constraints, gravity } = importedWorld(world, precision, 60);
      // One more: what joints to the world hang on.
      expect(bodies.length).toBe(world.bodyCount + 1);
      expect(gravity).toEqual([0, -9.5, 0.25]);
      expect(constraints.map(({ type }) => type)).toEqual([3, 4, 7, 5, 12, 10, 12, 4, 3]);
      for (const [i, body] of [...world.bodies()].entries()) {
        const [x, y, z] = body.getPosition();
        const [p, q] = [body.getRotation(), bodies[i]!.rotation];
        expect(bodies[i]!.position[0]).toBeCloseTo(x, 5);
        expect(bodies[i]!.position[1]).toBeCloseTo(y, 5);
        expect(bodies[i]!.position[2]).toBeCloseTo(z, 5);
        expect(Math.abs(p.reduce((sum, part, k) => sum + part * q[k]!, 0))).toBeCloseTo(1, 5);
        expect(bodies[i]!.inverseMass).toBeCloseTo(body.type === 'dynamic' ? 1 / body.mass : 0, 5);
      }
    },
  );
});
