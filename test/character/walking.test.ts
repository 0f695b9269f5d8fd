// A character walks, climbs, is stopped, jumps and lands: figures from geometry.
import { expect, test } from 'vitest';
import { deterministic, mesh, World } from '../../src/index';
import { box, CAPSULE, character, field, HALF, RADIUS, STANDING, sheet, walk } from './support';

const radians = deterministic.degreesToRadians;

test.each([
  ['a mesh', () => sheet(40)],
  ['a mesh of 20 cm', () => sheet(150, undefined, 0.2)],
  ['a heightfield', () => field(40, () => 0)],
  ['a plane', () => ({ type: 'plane' }) as const],
])('walks 10 m at 5 m/s over %s: within 1 mm, no bump above 0.1 mm', (_name, shape) => {
  const world = new World();
  world.createBody({ type: 'static', shape: shape() });
  const who = character(world, { position: [-5, STANDING, 0.13] });
  walk(world, who, [0, 0, 0], 0.5);
  let bump = 0;
  walk(world, who, [5, 0, 0], 2, () => {
    bump = Math.max(bump, Math.abs(who.getPosition()[1] - STANDING));
    expect(who.isGrounded).toBe(true);
  });
  const [x, , z] = who.getPosition();
  expect(Math.abs(x - 5)).toBeLessThan(1e-3);
  expect(Math.abs(z - 0.13)).toBeLessThan(1e-3);
  expect(bump).toBeLessThan(1e-4);
});

/** Four steps of a height, 0.4 m deep each, from x = 2 on, then a landing. */
function stairs(world: World, height: number): void {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < 4; i++)
    box(world, [2 + 0.4 * i + 10, 0.5 * height * (i + 1), 0], [10, 0.5 * height * (i + 1), 5]);
}

test('climbs stairs of 0.3 m and comes down again, not those of 0.5 m', () => {
  for (const rate of [30, 60, 144, 240])
    for (const height of [0.1, 0.2, 0.3, 0.34]) {
      const world = new World();
      stairs(world, height);
      const who = character(world);
      walk(world, who, [3, 0, 0], 2, undefined, 1 / rate);
      const [x, y] = who.getPosition();
      expect(y).toBeCloseTo(4 * height + STANDING, 3);
      expect(x).toBeGreaterThan(5.8);
      // Down again without leaving the ground.
      let air = 0;
      walk(world, who, [-3, 0, 0], 2, () => void (air += who.isGrounded ? 0 : 1), 1 / rate);
      expect(who.getPosition()[1], `${rate} Hz`).toBeCloseTo(STANDING, 3);
      expect(air, `${rate} Hz, ${height} m`).toBe(0);
    }
  const world = new World();
  stairs(world, 0.5);
  const who = character(world);
  walk(world, who, [3, 0, 0], 2);
  expect(who.getPosition()[0]).toBeCloseTo(2 - RADIUS - 0.02, 2);
  expect(who.getPosition()[1]).toBeCloseTo(STANDING, 3);
});

/** A slope about z, rising along x from the origin on. */
const slope = (degrees: number) => {
  const rise = deterministic.tan(radians(degrees));
  return sheet(40, (x) => Math.max(0, x) * rise);
};

test('a slope of 50° is not climbed at a limit of 45°, one of 40° is; it stands there without creeping', () => {
  for (const shape of [slope(50), field(40, (x) => Math.max(0, x) * deterministic.tan(radians(50)))]) {
    const world = new World();
    world.createBody({ type: 'static', shape });
    const who = character(world, { position: [-2, STANDING, 0.2] });
    walk(world, who, [3, 0, 0], 3);
    expect(who.getPosition()[1]).toBeLessThan(STANDING + 0.05);
  }
  const world = new World();
  world.createBody({ type: 'static', shape: slope(40) });
  const who = character(world, { position: [-2, STANDING, 0.2] });
  walk(world, who, [3, 0, 0], 3);
  const before = who.getPosition();
  expect(before[0]).toBeCloseTo(7, 2);
  let creep = 0;
  walk(world, who, [0, 0, 0], 10, () => {
    const now = who.getPosition();
    creep = Math.max(creep, ...now.map((value, i) => Math.abs(value - before[i]!)));
  });
  expect(creep).toBeLessThan(1e-3);
});

test('placed on a slope of 60°, it slides down with g sin 60°', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: slope(60) });
  const up = 10 * Math.tan(Math.PI / 3) + RADIUS * 2 + HALF + 0.02 * 2;
  const who = character(world, { position: [10, up + 0.0, 0.2] });
  walk(world, who, [0, 0, 0], 0.5);
  const v0 = Math.hypot(...who.velocity);
  walk(world, who, [0, 0, 0], 0.5);
  const a = (Math.hypot(...who.velocity) - v0) / 0.5;
  expect(who.isGrounded).toBe(false);
  expect(a).toBeCloseTo(9.81 * Math.sin(Math.PI / 3), 1);
  expect(who.velocity[0]).toBeLessThan(0);
});

test('pressed into a corner of 60°, it stands still', () => {
  for (const kind of ['boxes', 'mesh'] as const) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    if (kind === 'boxes')
      for (const side of [1, -1])
        box(world, [0, 1, side * 0], [0.1, 2, 5], {
          position: [-5 * c - 0.1 * s * -1, 1, side * (5 * s + 0.1 * c)],
          rotation: deterministic.quatFromAxisAngle([0, 1, 0], side * (Math.PI / 2 + Math.PI / 6)),
        });
    else {
      const vertices: number[] = [];
      for (const y of [-1, 3]) vertices.push(-10 * c, y, -10 * s, 0, y, 0, -10 * c, y, 10 * s);
      world.createBody({
        type: 'static',
        shape: meshOf(vertices, [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]),
      });
    }
    const who = character(world, { position: [-3, STANDING, 0.1] });
    for (const velocity of [
      [5, 0, 0],
      [5, 0, 1],
      [4, 0, -2],
    ] as [number, number, number][]) {
      walk(world, who, velocity, 2);
      let fastest = 0;
      walk(world, who, velocity, 1, () => void (fastest = Math.max(fastest, Math.hypot(...who.velocity))));
      expect(fastest).toBeLessThan(1e-3);
      expect(who.getPosition()[0]).toBeLessThan(-2 * RADIUS);
    }
  }
});

const meshOf = (vertices: number[], indices: number[]) =>
  mesh({ vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) });

test('slides along a wall with the part of its speed that is along it', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: sheet(40) });
  box(world, [2, 1, 0], [0.5, 2, 20]);
  const who = character(world);
  walk(world, who, [3, 0, 4], 2);
  const [x, y, z] = who.getPosition();
  expect(x).toBeCloseTo(1.5 - RADIUS - 0.02, 3);
  expect(z).toBeCloseTo(8, 2);
  expect(y).toBeCloseTo(STANDING, 3);
});

test('jumps v²/2g high, lands and walks on', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: sheet(20) });
  const who = character(world, { jumpSpeed: 5 });
  walk(world, who, [0, 0, 0], 0.2);
  who.jump();
  let top = 0;
  walk(world, who, [1, 0, 0], 1.5, () => void (top = Math.max(top, who.getPosition()[1] - STANDING)));
  expect(top).toBeCloseTo(25 / 2 / 9.81, 2);
  expect(who.isGrounded).toBe(true);
  expect(who.getPosition()[1]).toBeCloseTo(STANDING, 3);
});

test('who jumps while running up a slope is not thrown by it', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: slope(40) });
  const who = character(world, { position: [1, 3, 0.2] });
  walk(world, who, [0, 0, 0], 1);
  const over = () => who.getPosition()[1] - who.getPosition()[0] * Math.tan((40 * Math.PI) / 180);
  const before = over();
  who.jump(3);
  let highest = 0;
  walk(world, who, [8, 0, 0], 0.8, () => void (highest = Math.max(highest, over() - before)));
  expect(highest).toBeLessThan(0.01); // the slope rises faster than it does
  expect(who.isGrounded).toBe(true);
});

test('starts in overlap with a wall and a floor, and gets out', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: sheet(20) });
  box(world, [0.8, 1, 0], [0.5, 2, 5]);
  const who = character(world, { position: [0.15, STANDING - 0.25, 0] });
  walk(world, who, [0, 0, 0], 1);
  const [x, y] = who.getPosition();
  expect(x).toBeLessThan(0.3 - RADIUS);
  expect(y).toBeCloseTo(STANDING, 2);
  expect(world.overlapShapeTest({ shape: CAPSULE, position: who.getPosition() }, { skip: who.body })).toEqual(
    [],
  );
});
