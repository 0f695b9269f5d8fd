// .bullet files: what is written comes back bit for bit, every header is read, and damaged files are refused with their chunk.
import { World } from 'ricochet';
import { addBulletFile, readBulletFile, writeBulletFile } from 'ricochet/bullet-file';
import { describe, expect, test } from 'vitest';
import { random } from '../physics/support/vector';
import { otherHeader } from './headers';
import { mutate } from './mutants';
import { everything, load } from './worlds';

const bytesOf = (world: World, precision?: 'single') =>
  writeBulletFile(world, precision === undefined ? {} : { precision }).bytes;

describe('a round trip', () => {
  test('everything that a file holds comes back word for word, and behaves the same', () => {
    const first = everything();
    const { bytes, warnings } = writeBulletFile(first, { nameOf: (body) => `body ${body.id}` });
    expect(warnings).toEqual([]);
    const file = readBulletFile(bytes);
    expect(file).toMatchObject({ version: 326, isDouble: true, skipped: [], warnings: [] });
    expect(file.bodies.map(({ name }) => name)).toEqual([...first.bodies()].map(({ id }) => `body ${id}`));
    expect(file.joints.map(({ options }) => options.type)).toEqual(
      [...first.joints()].map(({ type }) => type),
    );
    const second = load(bytes);
    const again = bytesOf(second);
    expect(bytesOf(load(again))).toEqual(again);
    expect(load(again).stateHash()).toBe(second.stateHash());
    for (const world of [first, second]) world.advance(60);
    const bodies = [...second.bodies()];
    let most = 0;
    for (const [i, body] of [...first.bodies()].entries())
      for (const [k, part] of body.getPosition().entries())
        most = Math.max(most, Math.abs(part - bodies[i]!.getPosition()[k]!));
    console.log(
      `after 60 steps bodies of both worlds are at most ${most.toExponential(1)} m apart; target 1e-3`,
    );
    expect(most).toBeLessThan(1e-3);
  });

  test('a world of boxes, balls and joints has the same hash', () => {
    const world = new World({ profile: 'bullet3' });
    world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [20, 0.5, 20] } });
    const chance = random(7);
    let last: ReturnType<World['createBody']> | undefined;
    for (let i = 0; i < 60; i++) {
      const body = world.createBody({
        position: [i % 6, 2 + i / 4, i % 5],
        linearVelocity: [chance(), chance(), chance()],
        shape:
          i % 2 === 0 ? { type: 'box', halfExtents: [0.25, 0.5, 0.75] } : { type: 'sphere', radius: 0.375 },
        mass: 1 + chance(),
        inertia: [1 + chance(), 1 + chance(), 1 + chance()],
      });
      if (last !== undefined && i % 5 === 0)
        world.createJoint({
          type: 'point',
          bodyA: last,
          bodyB: body,
          frameA: { position: [0, 1, 0], rotation: [0, 0, 0, 1] },
          frameB: { position: [0, -1, 0], rotation: [0, 0, 0, 1] },
        });
      last = body;
    }
    expect(load(bytesOf(world)).stateHash()).toBe(world.stateHash());
  });

  test('single precision keeps places within 1e-6 of their size', () => {
    const first = everything();
    const second = load(bytesOf(first, 'single'));
    expect(readBulletFile(bytesOf(first, 'single')).isDouble).toBe(false);
    const bodies = [...second.bodies()];
    for (const [i, body] of [...first.bodies()].entries()) {
      const [p, q] = [body.getRotation(), bodies[i]!.getRotation()];
      expect(Math.abs(p.reduce((sum, part, k) => sum + part * q[k]!, 0))).toBeCloseTo(1, 6);
    }
  });

  test('what Bullet does not have is named', () => {
    const world = new World();
    const body = world.createBody({ shape: { type: 'sphere', radius: 1, spinningFriction: 0.1 } });
    world.createJoint({
      type: 'distance',
      bodyB: body,
      frameA: { position: [0, 5, 0] },
      distance: { low: 0, high: 3 },
    });
    expect(writeBulletFile(world).warnings).toEqual([
      "settings of the step that are not Bullet's are left out",
      'spinning friction is left out',
      'joints of type distance are left out: Bullet has no such constraint',
    ]);
  });
});

describe('every header', () => {
  const bytes = bytesOf(everything());
  const single = bytesOf(everything(), 'single');
  const cases = [bytes, single].flatMap((from) =>
    [4, 8].flatMap((pointer) => [true, false].map((little) => ({ from, pointer, little }))),
  );
  test.each(cases)('pointers of $pointer bytes, little endian: $little', ({ from, pointer, little }) => {
    const other = otherHeader(from, pointer as 4 | 8, little);
    const head = String.fromCharCode(...other.subarray(0, 9));
    expect(head).toBe(`BULLET${from === bytes ? 'd' : 'f'}${pointer === 8 ? '-' : '_'}${little ? 'v' : 'V'}`);
    expect(load(other).stateHash()).toBe(load(from).stateHash());
  });
});

describe('files that are wrong', () => {
  const bytes = bytesOf(everything());

  test.each([
    ['nothing', new Uint8Array(0), /byte 0: must be BULLET/],
    ['another file', new TextEncoder().encode('glTF and more'), /byte 0: must be BULLET/],
    ['a header alone', bytes.slice(0, 12), /chunk 0 at byte 12: cut off/],
    ['cut off', bytes.slice(0, 5000), /chunk \d+ at byte \d+: \d+ bytes, and there are \d+/],
  ] as const)('%s', (_, file, message) => {
    expect(() => readBulletFile(file)).toThrow(message);
    expect(() => readBulletFile(file)).toThrow(expect.objectContaining({ code: 'damaged-file' }));
  });

  test('a compound that contains itself is refused', () => {
    const world = new World({ profile: 'bullet3' });
    world.createBody({
      mass: 1,
      inertia: [1, 1, 1],
      centerOfMass: [0, 0, 0],
      shape: [
        { type: 'sphere', radius: 1, position: [0, 1, 0] },
        { type: 'sphere', radius: 1 },
      ],
    });
    const file = bytesOf(world);
    const view = new DataView(file.buffer);
    // The compound's number is that of its chunk; its children's pointers lie 64 bytes into each of them.
    const heads: { at: number; code: string; length: number }[] = [];
    for (let at = 12; at < file.length; at += 24 + heads.at(-1)!.length)
      heads.push({
        at,
        code: String.fromCharCode(...file.subarray(at, at + 4)),
        length: view.getInt32(at + 4, true),
      });
    const compound = heads.filter(({ code }) => code === 'SHAP').at(-1)!;
    const children = heads.find(({ code }) => code === 'ARAY')!;
    for (const half of [0, 4])
      view.setInt32(children.at + 24 + 64 + half, view.getInt32(compound.at + 8, true), true);
    expect(() => readBulletFile(file)).toThrow(/chunk \d+ \(SHAP at byte \d+\): contains itself/);
  });

  test('a body that a world refuses takes nothing with it', () => {
    const world = new World({ profile: 'bullet3' });
    const file = readBulletFile(bytes);
    const bodies = file.bodies.map((body, i) =>
      i < 5 ? body : { ...body, options: { ...body.options, mass: -1 } },
    );
    expect(() => addBulletFile(world, { ...file, bodies })).toThrow(
      /chunk \d+ \(RBDY at byte \d+\): mass must be/,
    );
    expect(world.bodyCount).toBe(0);
    expect(world.shapeCount).toBe(0);
  });

  const COUNT = Number(process.env['BULLET_MUTANTS'] ?? 300);
  const SEED = Number(process.env['BULLET_SEED'] ?? 1);
  test(
    `${COUNT} mutated files from seed ${SEED} are read, or refused with their chunk`,
    () => {
      const files = [bytes, bytesOf(everything(), 'single'), otherHeader(bytes, 4, false)];
      const counts = { read: 0, refused: 0 };
      let slowest = 0;
      let world = new World({ profile: 'bullet3' });
      for (let i = 0; i < COUNT; i++) {
        const mutant = mutate(files[i % files.length]!, SEED + i);
        const began = process.cpuUsage().user;
        try {
          const added = addBulletFile(world, readBulletFile(mutant, { dynamicMeshes: 'hull' }));
          world.step(1 / 60);
          added.remove();
          counts.read++;
        } catch (error) {
          const { code, message } = error as { code?: string; message: string };
          if (code !== 'damaged-file') throw new Error(`seed ${SEED + i}: ${message}`, { cause: error });
          expect(message, `seed ${SEED + i}`).toMatch(/^(chunk \d+|DNA|byte \d+)/);
          counts.refused++;
        }
        expect(world.bodyCount, `seed ${SEED + i}`).toBe(0);
        slowest = Math.max(slowest, (process.cpuUsage().user - began) / 1e3);
        if (i % 500 === 499) {
          world.dispose();
          world = new World({ profile: 'bullet3' });
        }
      }
      console.log(
        `${counts.read} read, ${counts.refused} refused; the slowest took ${slowest.toFixed(0)} ms of CPU`,
      );
      expect(counts.refused).toBeGreaterThan(COUNT / 10);
      expect(slowest).toBeLessThan(10_000);
    },
    Math.max(300_000, 300 * COUNT),
  );
});

test('a body that meets nothing, in no group, meets nothing when it is read again', () => {
  const world = new World({ profile: 'bullet3' });
  const shape = { type: 'box', halfExtents: [1, 1, 1] } as const;
  world.createBody({ type: 'static', shape });
  world.createBody({ position: [0, 3, 0], mass: 1, shape, group: 0, mask: 0 });
  const copy = new World({ profile: 'bullet3' });
  const { bodies } = addBulletFile(copy, readBulletFile(writeBulletFile(world).bytes));
  for (let i = 0; i < 120; i++) copy.step(1 / 60);
  expect(bodies[1]!.mask).toBe(0);
  expect(bodies[1]!.getPosition()[1]).toBeLessThan(-2);
});
