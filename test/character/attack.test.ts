// Characters of the core where it gets rough: random courts, other sizes and shapes, rates, planets of triangles, bad
// options and inputs, bodies that vanish or change. Seeds are in the names.
import { Character, createCharacter } from 'ricochet/character';
import { expect, test } from 'vitest';
import { between, createRandom } from '../../demo/scenes/random';
import { deterministic, mesh, type PhysicsError, type ShapeOptions, World } from '../../src/index';
import { caught } from '../support/caught';
import { startPhysics, TRANSPORTS } from '../worker/support';
import { addCourt, box, CAPSULE, COURT_HALF, DT, hero, march, STANDING, sheet, sized } from './support';

const SEEDS = process.env['SOAK'] ? 200 : 8;
const plane = { type: 'static', shape: { type: 'plane' } } as const;

test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))('random court, seed %i', async (seed) => {
  const random = createRandom(seed);
  const world = new World();
  const height = addCourt(world, random, seed);
  const rate = [30, 60, 144][seed % 3]!;
  const who = await hero(world, { position: [0, 4, 0], jumpSpeed: 3, yields: seed % 2 === 0 });
  let [grounded, deepest] = [0, 0];
  for (let step = 0; step < 10 * rate; step++) {
    if (step % Math.round(0.7 * rate) === 0) {
      const angle = between(random, 0, 6.28);
      const speed = between(random, 0, 12);
      who.setInput({ move: [speed * deterministic.cos(angle), 0, speed * deterministic.sin(angle)] });
    }
    if (step % (2 * rate) === rate) who.setInput({ jump: true });
    world.step(1 / rate);
    const position = who.getPosition();
    grounded += Number(who.onGround) / rate;
    expect(position.every(Number.isFinite)).toBe(true);
    expect(Math.abs(position[0]), `step ${step}`).toBeLessThan(COURT_HALF - 0.28);
    expect(Math.abs(position[2]), `step ${step}`).toBeLessThan(COURT_HALF - 0.28);
    if (seed % 3 === 2) expect(position[1], `step ${step}`).toBeGreaterThan(STANDING - 0.05);
    else expect(position[1], `step ${step}`).toBeGreaterThan(height(position[0], position[2]) + 0.5);
    if (step % 4 !== 0 || step < rate) continue;
    const near = world.nearestTest(
      { shape: CAPSULE, position },
      { skip: who.body.id, maxDistance: 0.1, mask: -1 },
    );
    if (near !== null && near.body.type !== 'dynamic') deepest = Math.min(deepest, near.distance);
  }
  expect(grounded).toBeGreaterThan(3);
  expect(deepest).toBeGreaterThan(-0.015);
  expect(world.findFault()).toBe(0);
});

test.each([0.1, 0.4, 3])(
  '%f times as large: walks, climbs a step, jumps, does not fall through',
  async (size) => {
    const world = new World();
    world.createBody({ type: 'static', shape: sheet(40, undefined, size) });
    box(world, [3 * size, 0.1 * size, 0], [size, 0.1 * size, 5 * size]);
    const who = await hero(world, sized(size, Math.max(0.001, 0.02 * size)));
    march(world, who, [0, 0, 0], 0.3);
    march(world, who, [2 * size, 0, 0], 1.5);
    expect(who.onGround).toBe(true);
    expect(who.getPosition()[0]).toBeCloseTo(3 * size, 1);
    expect(who.getPosition()[1] / size).toBeCloseTo(0.2 + 0.9 + Math.max(0.001 / size, 0.02), 2);
    const [, before] = who.getPosition();
    who.setInput({ jump: 3 });
    let top = 0;
    march(world, who, [0, 0, 0], 1.5, () => void (top = Math.max(top, who.getPosition()[1] - before)));
    expect(top).toBeCloseTo(9 / 2 / 9.81, 2);
  },
);

test('a box, a hull and a compound walk in any direction of up, on a slope of compounds', async () => {
  const shapes: (ShapeOptions | ShapeOptions[])[] = [
    { type: 'box', halfExtents: [0.3, 0.3, 0.9] },
    { type: 'hull', points: [-0.3, -0.3, -0.9, 0.3, -0.3, -0.9, 0, 0.4, -0.9, 0, 0, 0.9] },
    [
      { type: 'sphere', radius: 0.3, position: [0, 0, -0.6] },
      { type: 'sphere', radius: 0.4, position: [0, 0, 0.3] },
    ],
  ];
  const world = new World({ gravity: [0, 0, -9.81] });
  world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [20, 20, 0.5] } });
  box(world, [3, 0, 0.6], [1, 8, 0.2]);
  for (const [i, shape] of shapes.entries()) {
    const who = await hero(world, { shape, up: [0, 0, 1], position: [0, 3 * i - 3, 1.42] });
    march(world, who, [2, 0, 0], 1.5);
    expect(who.getPosition()[0]).toBeGreaterThan(2.9);
    expect(who.getPosition()[2]).toBeCloseTo(0.8 + 0.92, 2);
    expect(who.onGround).toBe(true);
  }
});

/** A ball of triangles: an octahedron, divided. */
function ballMesh(radius: number, divisions: number): ShapeOptions {
  const vertices: number[] = [];
  const indices: number[] = [];
  const corners = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (const sx of [1, -1])
    for (const sy of [1, -1])
      for (const sz of [1, -1]) {
        const [a, b, c] = corners.map(([x, y, z]) => [x! * sx, y! * sy, z! * sz]) as [
          number[],
          number[],
          number[],
        ];
        const first = vertices.length / 3;
        const at = (i: number, j: number) => first + (i * (i + 1)) / 2 + j;
        for (let i = 0; i <= divisions; i++)
          for (let j = 0; j <= i; j++) {
            const p = [0, 1, 2].map((k) => (divisions - i) * a[k]! + (i - j) * b[k]! + j * c[k]!);
            const size = Math.hypot(...p);
            vertices.push(...p.map((value) => (radius * value) / size));
          }
        const flip = sx * sy * sz < 0;
        const add = (p: number, q: number, r: number) => indices.push(p, flip ? r : q, flip ? q : r);
        for (let i = 0; i < divisions; i++)
          for (let j = 0; j <= i; j++) {
            add(at(i, j), at(i + 1, j), at(i + 1, j + 1));
            if (j < i) add(at(i, j), at(i + 1, j + 1), at(i, j + 1));
          }
      }
  return mesh({ vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) });
}

test('around a planet of triangles, with turns and jumps, at 30, 60 and 144 Hz', async () => {
  for (const rate of [30, 60, 144]) {
    const world = new World({ gravity: [0, 0, 0] });
    world.createBody({ type: 'static', shape: ballMesh(20, 16) });
    const area = { attraction: { strength: 5, distance: 20 } };
    world.createBody({ type: 'static', shape: { type: 'sphere', radius: 60, sensor: true, area } });
    const who = await hero(world, { position: [0, 22, 0], gravity: 'world' });
    who.setInput({ local: true, turn: 0.3 });
    let lost = 0;
    let [least, most] = [100, 0];
    march(
      world,
      who,
      [4, 0, 1],
      30,
      (i) => {
        const r = Math.hypot(...who.getPosition());
        [least, most] = [Math.min(least, r), Math.max(most, r)];
        if (i > rate && i < 15 * rate && !who.onGround) lost++;
        if (i > 15 * rate && i % rate === 0) who.setInput({ jump: true });
      },
      1 / rate,
    );
    expect(lost).toBe(0);
    expect(least).toBeGreaterThan(20.7); // the middles of triangles are lower
    expect(most).toBeLessThan(24);
    expect(world.findFault()).toBe(0);
  }
});

test.each([20, 60, 240])(
  'in a gorge of two slopes that do not carry it, it stands and jumps, at %i Hz',
  async (rate) => {
    const tilt = (degrees: number) =>
      deterministic.quatFromAxisAngle([0, 0, 1], deterministic.degreesToRadians(degrees));
    for (const [left, right] of [
      [60, 60],
      [50, 70],
      [60, 90],
      [85, 89],
    ] as const)
      for (const shape of [CAPSULE, { type: 'box', halfExtents: [0.3, 0.9, 0.3] }] as const) {
        const world = new World();
        world.createBody({ ...plane, rotation: tilt(left) });
        world.createBody({ ...plane, rotation: tilt(-right) });
        const who = await hero(world, { position: [0.1, 4, 0], shape });
        const name = `${shape.type} between ${left}° and ${right}°`;
        march(world, who, [0, 0, 0], 3, undefined, 1 / rate);
        const [, low] = who.getPosition();
        march(world, who, [0, 0, 0], 1, () => expect(who.onGround, name).toBe(true), 1 / rate);
        expect(Math.abs(who.getPosition()[1] - low), name).toBeLessThan(1e-3);
        who.setInput({ jump: 4 });
        let top = 0;
        const rise = () => void (top = Math.max(top, who.getPosition()[1] - low));
        march(world, who, [0, 0, 0], 1, rise, 1 / rate);
        expect(Math.abs(top - 16 / 2 / 9.81), name).toBeLessThan(0.01);
        march(world, who, [0, 0, 2], 1, undefined, 1 / rate);
        expect(who.getPosition()[2], name).toBeCloseTo(2, 1);
      }
  },
);

test('over an edge it stands or falls, wherever it came down, and does neither by turns', async () => {
  for (const slideSlope of [0.8, 1.4])
    for (const drop of [0.001, 0.1, 1])
      for (let over = 0.25; over < 0.33; over += 0.004) {
        const world = new World();
        world.createBody(plane);
        box(world, [-5, 1.5, 0], [5, 1.5, 5]);
        const who = await hero(world, { position: [over, 3 + STANDING + drop, 0], slideSlope });
        march(world, who, [0, 0, 0], 2);
        const name = `${over.toFixed(3)} m over the edge, from ${drop} m`;
        march(world, who, [0, 0, 0], 0.2, () => expect(who.onGround, name).toBe(true));
      }
});

test('gravity that turns over, and none', async () => {
  const world = new World({ gravity: [0, -9.81, 0] });
  box(world, [0, -1, 0], [10, 1, 10]);
  box(world, [0, 6, 0], [10, 1, 10]);
  const who = await hero(world, { gravity: 'world' });
  march(world, who, [0, 0, 0], 0.5);
  expect(who.onGround).toBe(true);
  world.setGravity([0, 9.81, 0]);
  march(world, who, [1, 0, 0], 2);
  expect(who.onGround).toBe(true);
  expect(who.getPosition()[1]).toBeCloseTo(5 - STANDING, 2);
  expect(who.up[1]).toBeCloseTo(-1, 5);
  world.setGravity([0, 0, 0]);
  march(world, who, [0, -1, 0], 1);
  expect(who.onGround).toBe(false);
  expect(who.getPosition()[1]).toBeCloseTo(4 - STANDING, 1);
});

test('what is wrong is named, and nothing has been made', async () => {
  const world = new World();
  const crate = world.createBody({ position: [9, 9, 9], shape: CAPSULE });
  const wrong: [object, string, string][] = [
    [{ offset: -1 }, 'offset', 'invalid-argument'],
    [{ maxSlope: Number.NaN }, 'maxSlope', 'invalid-argument'],
    [{ slideSlope: 0.3 }, 'slideSlope', 'invalid-argument'],
    [{ up: [0, 0, 0] }, 'up', 'invalid-argument'],
    [{ yields: 1 }, 'yields', 'invalid-argument'],
    [{ airJumps: 0.5 }, 'airJumps', 'invalid-argument'],
    [{ ladders: 'all' }, 'ladders', 'invalid-argument'],
    [{ gravity: 'moon' }, 'gravity', 'invalid-argument'],
    [{ filter: () => true }, 'filter', 'unknown-option'],
    [{ shape: { type: 'plane' } }, 'shape.type', 'invalid-argument'],
    [{ crouchShape: [] }, 'crouchShape', 'invalid-argument'],
    [{ shape: undefined }, 'shape', 'invalid-argument'],
    [{ shape: undefined, body: crate }, 'body', 'invalid-argument'],
    [{ shape: undefined, body: 77 }, 'body', 'stale-id'],
    [{ body: crate }, 'shape', 'invalid-argument'],
    [{ standing: 1 }, 'standing', 'invalid-argument'],
    [{ position: [0, Number.POSITIVE_INFINITY, 0] }, 'position.y', 'invalid-argument'],
  ];
  for (const [setup, argument, code] of wrong) {
    const error = (await createCharacter(world, { shape: CAPSULE, ...setup } as never).catch(
      (thrown: unknown) => thrown,
    )) as PhysicsError;
    expect([error.name, error.code, error.argument], JSON.stringify(setup)).toEqual([
      'PhysicsError',
      code,
      code === 'unknown-option' ? error.argument : argument,
    ]);
    expect(world.bodyCount).toBe(1);
  }
  await expect(createCharacter({} as never, { shape: CAPSULE })).rejects.toThrow(/world/);
  const who = await hero(world);
  world.step(DT);
  const before = world.stateHash();
  for (const call of [
    () => who.setInput({ move: [0, Number.NaN, 0] }),
    () => who.setInput({ jump: -1 }),
    () => who.setInput({ mode: 'swin' as never }),
    () => who.setInput({ crouch: 1 as never }),
    () => who.setInput({ turn: 1e9 }),
    () => who.setInput({ walk: 1 } as never),
    () => who.setInput(null as never),
    () => who.setOptions({ gravity: -1 }),
    () => who.setOptions({ shape: CAPSULE } as never),
  ]) {
    expect((caught(call) as PhysicsError).name).toBe('PhysicsError');
    expect(world.stateHash()).toBe(before);
  }
  who.remove();
  expect(who.isRemoved).toBe(true);
  expect((caught(() => who.setInput({})) as PhysicsError).code).toBe('stale-id');
  expect(world.bodyCount).toBe(1);
});

test('its body is removed, changed or moved by others: the world goes on', async () => {
  const world = new World();
  world.createBody(plane);
  const lift = box(world, [5, 0.5, 0], [1, 0.5, 1]);
  const who = await hero(world, { position: [5, 1 + STANDING, 0] });
  march(world, who, [0, 0, 0], 0.5);
  expect(who.groundBody?.id).toBe(lift.id);
  lift.remove();
  march(world, who, [0, 0, 0], 0.2);
  expect(who.onGround).toBe(false);
  march(world, who, [0, 0, 0], 1);
  expect(who.getPosition()[1]).toBeCloseTo(STANDING, 3);
  who.body.setPosition([-3, 2, 1]);
  march(world, who, [0, 0, 0], 1);
  expect(who.getPosition()[0]).toBeCloseTo(-3, 4);
  expect(who.onGround).toBe(true);
  who.body.setType('dynamic', { mass: 70 });
  march(world, who, [1, 0, 0], 0.5);
  who.body.setType('kinematic');
  who.body.setRotation([0, 0, 0, 1]);
  march(world, who, [1, 0, 0], 0.5);
  expect(world.findFault()).toBe(0);
  who.body.removeShape(who.body.shapes[0]!);
  march(world, who, [1, 0, 0], 0.5); // without a shape it falls
  who.body.addShape(CAPSULE);
  march(world, who, [1, 0, 0], 0.2);
  who.body.remove();
  world.step(DT);
  expect(world.findFault()).toBe(0);
  expect((caught(() => who.velocity) as PhysicsError).code).toBe('stale-id');
});

test('a restored world has its characters, and a new handle of one', async () => {
  const world = new World();
  world.createBody(plane);
  const who = await hero(world);
  who.setInput({ move: [2, 0, 1] });
  world.advance(40);
  const bytes = world.snapshot();
  world.advance(60);
  const other = World.restore(bytes);
  other.advance(60);
  expect(other.stateHash()).toBe(world.stateHash());
  const again = await createCharacter(other, { body: who.body.id });
  expect(again).toBeInstanceOf(Character);
  expect(again.getPosition()).toEqual(who.getPosition());
  expect(again.onGround).toBe(true);
  again.remove(true);
  expect(again.isRemoved).toBe(true);
  expect(other.getBody(who.body.id)).toBeDefined();
});

test('removed twice: nothing happens; in a world that was disposed of: refused, removed or not', async () => {
  const world = new World();
  const made = [await hero(world), await hero(world, { position: [3, 1, 0] }), await hero(world)];
  made[0]!.remove();
  made[1]!.remove(true);
  for (const who of [made[0]!, made[1]!]) who.remove();
  expect([...world.bodies()]).toHaveLength(2);
  // One that a restore took away, and whose place another body has since.
  const bytes = world.snapshot();
  made.push(await hero(world));
  world.restore(bytes);
  world.createBody({ shape: { type: 'sphere', radius: 1 } });
  made[3]!.remove();
  expect([...world.bodies()]).toHaveLength(3);
  world.dispose();
  for (const who of made) expect((caught(() => who.remove()) as PhysicsError).code).toBe('disposed');
});

test.each(TRANSPORTS)(
  '%s: what can be read in a worker is what can be read in the page',
  async (transport) => {
    const physics = await startPhysics({ transport, clock: 'manual' });
    const world = new World();
    const made: Character[] = [];
    for (const target of [world, physics]) {
      target.createBody(plane);
      target.createBody({
        type: 'static',
        position: [2, 0.15, 0],
        shape: { type: 'box', halfExtents: [1, 0.15, 3] },
      });
      const ball = { type: 'sphere', radius: 0.3 } as const;
      target.createBody({ position: [2, 0.7, 0.3], mass: 20, shape: ball });
      made.push(await hero(target), await hero(target, { position: [2, 2, 2] }));
      made.at(-2)!.setInput({ move: [3, 0, 0] });
    }
    for (const steps of [10, 25, 1]) {
      world.advance(steps);
      await physics.advance(steps);
      physics.update();
      for (const i of [0, 1]) {
        const [here, there] = [made[i]!, made[i + 2]!];
        expect(there.onGround).toBe(here.onGround);
        expect(there.velocity).toEqual(here.velocity);
        expect(there.groundNormal).toEqual(here.groundNormal);
        expect(there.groundPoint).toEqual(here.groundPoint);
        expect(there.groundBody?.id).toBe(here.groundBody?.id);
        expect(there.lift).toBe(here.lift);
        expect(there.touched.map(({ shape }) => shape)).toEqual(here.touched.map(({ shape }) => shape));
        expect(there.getPosition()).toEqual(here.getPosition());
      }
    }
    expect(await physics.stateHash()).toBe(world.stateHash());
    made[2]!.remove();
    made[0]!.remove();
    await physics.advance(2);
    world.advance(2);
    expect(await physics.stateHash()).toBe(world.stateHash());
  },
);
