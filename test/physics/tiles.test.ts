// Floors of tiles as games have them: of any form, sloping, at any frame rate, for bodies of any size; and what is no
// seam: a millimetre's step, a ridge, a valley. Truth: what a floor of one piece does; energy where it slopes.
import { expect, test } from 'vitest';
import { type ShapeOptions, World } from '../../src';
import { type Measurement, row } from './support/measure';
import { type Floor, lay, type Run, SLIDERS, slide, UP } from './support/tiles';
import { axisAngle, type Vec3 } from './support/vector';
import { createWorld, DT, G, position, velocity } from './support/world';

const cubes: Floor = (world) =>
  lay(world, ['box'], { half: [0.25, 0.25, 0.25], count: [20, 12], shift: [0.3, 0.2], yaw: 0 });
const turnedHulls: Floor = (world) =>
  lay(world, ['hull'], { half: [0.5, 0.3, 0.5], count: [9, 6], shift: [0.21, 0.4], yaw: 0.646 });

const hexagons: Floor = (world) => {
  const r = 0.5;
  const points = Array.from({ length: 12 }, (_, i): Vec3 => {
    const angle = ((i % 6) * Math.PI) / 3;
    return [r * Math.cos(angle), i < 6 ? -0.2 : 0.2, r * Math.sin(angle)];
  });
  for (let i = -7; i <= 7; i++)
    for (let j = -5; j <= 5; j++)
      world.createBody({
        type: 'static',
        position: [1.5 * r * i, -0.2, Math.sqrt(3) * r * (j + (i & 1 ? 0.5 : 0))],
        shape: { type: 'hull', points },
      });
};

function worst(m: Measurement, floor: Floor, runs: Run[]): void {
  const most = { bump: 0, change: 0 };
  for (const run of runs) {
    const { bump, change } = slide(floor, run);
    most.bump = Math.max(most.bump, bump);
    most.change = Math.max(most.change, change);
  }
  m.atMost('bump', most.bump, 1e-4, 'm');
  m.atMost('Δv', most.change, 2e-3, 'm/s');
}

const ways = (size: number, speed: number, hertz = 60): Run[] =>
  Object.values(SLIDERS).flatMap((make) =>
    [0, 0.37].map((heading) => ({
      slider: make(size, 0.9 * size, 0.7 * size),
      start: [-3.987, -1.5 * Math.sin(heading) + 0.007] as [number, number],
      heading,
      speed,
      seconds: Math.min(2, 7 / speed),
      hertz,
    })),
  );

for (const [name, floor] of Object.entries({ cubes, turnedHulls, hexagons })) {
  for (const hertz of [30, 60, 144])
    row(`no seams: ${name}, ${hertz} Hz, 1 and 8 m/s`, (m) => {
      worst(m, floor, [...ways(0.4, 1, hertz), ...ways(0.4, 8, hertz)]);
    });
  row(`no seams: ${name}, bodies of 10 cm and of 3 m`, (m) => {
    worst(m, floor, [...ways(0.05, 3), ...ways(1.5, 3)]);
  });
}

row('no seams: bodies of 20 m over cubes of 50 cm', (m) => {
  const field: Floor = (world) =>
    lay(world, ['box'], { half: [0.25, 0.25, 0.25], count: [32, 6], shift: [0.3, 0.2], yaw: 0 });
  const { slider } = ways(10, 3)[0] as Run;
  worst(m, field, [{ slider, start: [-3, 0.1], heading: 0.1, speed: 3, seconds: 1 }]);
});

row('a ball and a roller keep rolling over cubes', (m) => {
  for (const [what, shape, radius] of [
    ['ball', { type: 'sphere', radius: 0.1, friction: 1 }, 0.1],
    ['roller', { type: 'cylinder', radius: 0.3, halfHeight: 0.2, axis: 'z', friction: 1 }, 0.3],
  ] as [string, ShapeOptions, number][]) {
    const world = createWorld();
    cubes(world);
    const body = world.createBody({
      mass: 1,
      shape,
      position: [-4, radius, 0.13],
      linearVelocity: [2, 0, 0],
      angularVelocity: [0, 0, -2 / radius],
    });
    for (let i = 0; i < 180; i++) world.step(DT);
    m.near(`${what}: speed`, velocity(body)[0], 2, 0.002, 'm/s');
    m.near(`${what}: sideways`, velocity(body)[2], 0, 0.002, 'm/s');
  }
});

row('what bounces slides over cubes all the same', (m) => {
  for (const [kind, make] of Object.entries(SLIDERS)) {
    const world = createWorld();
    cubes(world);
    const { shape, low } = make(0.3, 0.3, 0.3);
    const body = world.createBody({
      mass: 1,
      shape: { ...shape, friction: 0, restitution: 1 } as ShapeOptions,
      position: [-4, low, 0],
      linearVelocity: [3, 0, 0.4],
    });
    let bump = 0;
    for (let i = 0; i < 120; i++) {
      world.step(DT);
      bump = Math.max(bump, Math.abs(position(body)[1] - low));
    }
    m.atMost(`${kind}: bump`, bump, 1e-4, 'm');
    m.near(`${kind}: speed`, velocity(body)[0], 3, 2e-3, 'm/s');
  }
});

row('every shape slides down a ramp of tiles at g sin 20°', (m) => {
  const tilt = axisAngle([0, 0, 1], -0.349066);
  const [c, s] = [Math.cos(-0.349066), Math.sin(-0.349066)];
  for (const [kind, make] of Object.entries(SLIDERS)) {
    const world = createWorld();
    for (let i = -12; i <= 12; i++)
      world.createBody({
        type: 'static',
        rotation: tilt,
        position: [0.6 * i * c + 0.3 * s, 0.6 * i * s - 0.3 * c, 0],
        shape: { type: 'box', halfExtents: [0.3, 0.3, 4] },
      });
    const { shape, low } = make(0.3, 0.3, 0.3);
    const body = world.createBody({
      mass: 1,
      rotation: tilt,
      shape: { ...shape, friction: 0 } as ShapeOptions,
      position: [-5 * c - low * s, -5 * s + low * c, 0.1],
    });
    for (let i = 0; i < 90; i++) world.step(DT);
    const [vx, vy] = velocity(body);
    m.near(`${kind}: speed`, Math.hypot(vx, vy), -1.5 * G * s, 0.005, 'm/s');
  }
});

row('a ridge and a valley of tiles: what slides keeps its energy, or loses what is across the slope', (m) => {
  for (const degrees of [0.1, 1, 5])
    for (const sign of [-1, 1])
      for (const [kind, make] of Object.entries(SLIDERS)) {
        const angle = (sign * degrees * Math.PI) / 180;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const world = createWorld();
        for (let i = 0; i < 6; i++)
          world.createBody({
            type: 'static',
            position: [-0.5 - i, -0.25, 0],
            shape: { type: 'box', halfExtents: [0.5, 0.25, 4] },
          });
        for (let i = 0; i < 8; i++)
          world.createBody({
            type: 'static',
            rotation: axisAngle([0, 0, 1], angle),
            position: [(0.5 + i) * c + 0.25 * s, (0.5 + i) * s - 0.25 * c, 0],
            shape: { type: 'box', halfExtents: [0.5, 0.25, 4] },
          });
        const { shape, low } = make(0.3, 0.3, 0.3);
        const body = world.createBody({
          mass: 1,
          shape: { ...shape, friction: 0 } as ShapeOptions,
          position: [-2.01, low, 0.1],
          linearVelocity: [3, 0, 0],
        });
        for (let i = 0; i < 90; i++) world.step(DT);
        const start = sign > 0 ? 3 * c : 3;
        const rise = position(body)[1] - low;
        const truth = Math.sqrt(start * start - 2 * G * rise);
        const [vx, vy] = velocity(body);
        // What is long tips over a ridge and lands on the slope, which takes a little of it.
        m.near(`${kind}, ${sign * degrees}°`, Math.hypot(vx, vy), truth, 0.002 + 0.015 * degrees, 'm/s');
      }
});

row('a step of half a millimetre is a step', (m) => {
  const world = createWorld();
  for (const [x, y] of [
    [-5, -0.5],
    [5, -0.4995],
  ] as const)
    world.createBody({
      type: 'static',
      position: [x, y, 0],
      shape: { type: 'box', halfExtents: [5, 0.5, 5] },
    });
  const box = world.createBody({
    mass: 1,
    position: [-2, 0.3, 0.1],
    shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3], friction: 0 },
    linearVelocity: [2, 0, 0],
  });
  for (let i = 0; i < 60; i++) world.step(DT);
  m.atMost('speed', velocity(box)[0], 1.9, 'm/s');
});

row('a stack on a corner of four tiles stays where it is', (m) => {
  const world = createWorld();
  lay(world, ['box'], { half: [0.5, 0.25, 0.5], count: [3, 3], shift: [0.5, 0.5], yaw: 0 });
  const boxes = Array.from({ length: 5 }, (_, i) =>
    world.createBody({
      mass: 1,
      position: [0.03, 0.2 + 0.4 * i, 0.02],
      shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
    }),
  );
  for (let i = 0; i < 600; i++) world.step(DT);
  const [x, , z] = position(boxes[4]!);
  m.near('x', x, 0.03, 1e-4, 'm');
  m.near('z', z, 0.02, 1e-4, 'm');
});

row("Bullet's profiles keep Bullet's own edges", (m) => {
  const world = new World({ profile: 'bullet282', sleeping: false });
  cubes(world);
  const box = world.createBody({
    mass: 1,
    position: [-4, 0.3, 0.1],
    shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3], friction: 0 },
    linearVelocity: [3, 0, 0],
  });
  let most = 0;
  for (let i = 0; i < 120; i++) {
    world.step(DT);
    most = Math.max(most, Math.abs(velocity(box)[0] - 3));
  }
  world.dispose();
  m.atLeast('Δv', most, 0.1, 'm/s');
});

test('what slides over seams goes on the same after a snapshot', () => {
  const world = new World({ sleeping: false });
  hexagons(world);
  for (const [i, make] of Object.values(SLIDERS).entries()) {
    const { shape, low } = make(0.2, 0.2, 0.2);
    world.createBody({
      mass: 1,
      shape: { ...shape, friction: 0 } as ShapeOptions,
      rotation: axisAngle(UP, 0.3 * i),
      position: [-3, low, 0.6 * i - 2],
      linearVelocity: [3, 0, 0.1],
    });
  }
  const other = new World();
  for (let i = 0; i < 60; i++) {
    world.step(DT);
    if (i % 7 > 0) continue;
    other.restore(world.snapshot());
    const before = world.snapshot();
    for (const w of [world, other]) for (let k = 0; k < 5; k++) w.step(DT);
    expect(other.stateHash()).toBe(world.stateHash());
    world.restore(before);
  }
  world.dispose();
  other.dispose();
});
