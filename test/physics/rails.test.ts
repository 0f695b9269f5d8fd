// What rolls down two rails that are round, too, such as tubes. The contact moves along the rail without turning its
// normal: only across a rail is it a ball. Truth: rolling without slip at the distance of the contacts from the axis.
import type { ShapeOptions } from '../../src';
import { row } from './support/measure';
import { axisAngle, length, sub, type Vec3 } from './support/vector';
import { createWorld, G, position, spin, velocity } from './support/world';

const SLOPE = 0.1;
const RATES = [30, 60, 120];
// Points do not resist spin about their normal, which would brake wheels on normals that lean.
const SURFACE = { friction: 1, spinningFriction: 1e-9 } as const;
const RAILS: ShapeOptions[] = [
  { type: 'capsule', axis: 'x', radius: 0.05, halfHeight: 10 },
  { type: 'cylinder', axis: 'x', radius: 0.05, halfHeight: 10 },
];

const cone = (side: 1 | -1): ShapeOptions => ({
  ...SURFACE,
  type: 'cone',
  radius: 0.2,
  halfHeight: 0.5,
  position: [0, 0, 0.5 * side],
  rotation: axisAngle([1, 0, 0], (side * Math.PI) / 2),
});

/** How far the way of 2.5 s is from the truth, as a share of it. */
function wayError(rail: ShapeOptions, gauge: number, shape: ShapeOptions[], rate: number): number {
  const world = createWorld();
  world.createBody({
    type: 'static',
    rotation: axisAngle([0, 0, 1], -SLOPE),
    shape: [-1, 1].map((side) => ({ ...rail, ...SURFACE, position: [0, -0.05, (side * gauge) / 2] })),
  });
  const start: Vec3 = [-8 * Math.cos(SLOPE), 8 * Math.sin(SLOPE) + 0.21, 0];
  const wheel = world.createBody({ position: start, shape });
  const run = (seconds: number) => {
    for (let i = 0; i < seconds * rate; i++) world.step(1 / rate);
  };
  run(0.5);
  const [from, speed] = [position(wheel), length(velocity(wheel))];
  run(2.5);
  const radius = length(velocity(wheel)) / length(spin(wheel));
  const moment = wheel.getLocalInertia()[2] / wheel.mass;
  const truth = speed * 2.5 + (3.125 * G * Math.sin(SLOPE)) / (1 + moment / radius ** 2);
  return length(sub(position(wheel), from)) / truth - 1;
}

row('balls, cylinders, capsules and cones roll down round rails as far as they should, ± 0.5 %', (m) => {
  const wheels: [string, number, ShapeOptions[]][] = [
    ['ball', 0.24, [{ ...SURFACE, type: 'sphere', radius: 0.2 }]],
    ['cylinder', 0.6, [{ ...SURFACE, type: 'cylinder', axis: 'z', radius: 0.2, halfHeight: 0.4 }]],
    ['capsule', 0.6, [{ ...SURFACE, type: 'capsule', axis: 'z', radius: 0.2, halfHeight: 0.4 }]],
    ['cones', 0.6, [cone(1), cone(-1)]],
  ];
  for (const [name, gauge, shape] of wheels) {
    const errors = RAILS.flatMap((rail) => RATES.map((rate) => wayError(rail, gauge, shape, rate)));
    m.atMost(name, 100 * Math.max(...errors.map(Math.abs)), 0.5, '%');
  }
});

/** m, by which a capsule that rocks across a log rises in 15 s. */
function rockingGain(rate: number): number {
  const world = createWorld();
  world.createBody({
    type: 'static',
    shape: { type: 'cylinder', axis: 'z', radius: 0.4, halfHeight: 1, ...SURFACE },
  });
  const capsule = world.createBody({
    position: [0, 0.45, 0],
    shape: { type: 'capsule', axis: 'x', radius: 0.05, halfHeight: 0.6, ...SURFACE },
    angularVelocity: [0, 0, 0.6],
  });
  const highest = (seconds: number) => {
    let most = 0;
    for (let i = 0; i < seconds * rate; i++) {
      world.step(1 / rate);
      most = Math.max(most, position(capsule)[1]);
    }
    return most;
  };
  const first = highest(3);
  highest(9);
  return highest(3) - first;
}

row('a capsule that rocks slowly across a log does not rise by more than 0.2 mm in 15 s', (m) => {
  for (const rate of [30, 60, 120, 480]) m.atMost(`${rate} Hz`, 1e3 * rockingGain(rate), 0.2, 'mm');
});

/** How far a ball on two rails that turn about the vertical has come out when these have turned by 2 rad, as a share of r₀ cosh(ω t / √(1 + I / m a²)). */
function turningError(rail: ShapeOptions, rate: number, speed: number): number {
  const [radius, gauge] = [0.2, 0.24];
  const lever = radius * Math.sqrt(1 - (gauge / 2 / 0.25) ** 2);
  const world = createWorld();
  world.createBody({
    type: 'kinematic',
    angularVelocity: [0, speed, 0],
    shape: [-1, 1].map((side) => ({ ...rail, ...SURFACE, position: [0, 0, (side * gauge) / 2] })),
  });
  const height = Math.sqrt(0.25 ** 2 - (gauge / 2) ** 2);
  const ball = world.createBody({
    position: [0.5, height, 0],
    linearVelocity: [0, 0, -0.5 * speed],
    angularVelocity: [0, speed, 0],
    shape: { type: 'sphere', radius, ...SURFACE },
  });
  const seconds = 2 / speed;
  for (let i = 0; i < seconds * rate; i++) world.step(1 / rate);
  const [x, , z] = position(ball);
  const truth = 0.5 * Math.cosh(2 / Math.sqrt(1 + 0.4 * (radius / lever) ** 2));
  return Math.hypot(x, z) / truth - 1;
}

row('a ball on rails that turn slowly rolls outwards as far as it should, ± 1 %', (m) => {
  for (const rail of RAILS)
    for (const rate of [30, 60, 120])
      for (const speed of [0.05, 0.1, 0.3])
        m.atMost(
          `${rail.type}, ${rate} Hz, ${speed} rad/s`,
          100 * Math.abs(turningError(rail, rate, speed)),
          1,
          '%',
        );
});

interface Rails {
  /** m, from rail to rail; 0: a single one. */
  gauge: number;
  /** m, between the pieces of a rail. */
  gap: number;
  /** Each piece is a body, which stands still. */
  bodies?: 'static' | 'kinematic';
  friction?: number;
}

/** m, by which a ball rises while it comes down rails on a slope of 0.2 for 3 s. They are made of pieces of 0.5 m, 2 cm thick. */
function hop(type: 'capsule' | 'cylinder' | 'box', radius: number, rate: number, rails: Rails): number {
  const { gauge, gap, bodies, friction = 1 } = rails;
  const world = createWorld({ gravity: [G * Math.sin(0.2), -G * Math.cos(0.2), 0] });
  const half = 0.25 - gap / 2;
  const surface = { friction, spinningFriction: 1e-9 };
  const piece: ShapeOptions =
    type === 'box'
      ? { ...surface, type, halfExtents: [half, 0.01, 0.01] }
      : { ...surface, type, axis: 'x', radius: 0.01, halfHeight: half };
  const places: Vec3[] = [];
  for (let i = 0; i < 20; i++)
    for (const side of gauge > 0 ? [-1, 1] : [0]) places.push([0.5 * i, 0, (side * gauge) / 2]);
  if (bodies) for (const place of places) world.createBody({ type: bodies, position: place, shape: piece });
  else world.createBody({ type: 'static', shape: places.map((place) => ({ ...piece, position: place })) });
  // On the inner edges of boxes, on the sides of tubes.
  const aside = Math.max(0, gauge / 2 - (type === 'box' ? 0.01 : 0));
  const height =
    type === 'box'
      ? 0.01 + Math.sqrt(radius ** 2 - aside ** 2)
      : Math.sqrt((radius + 0.01) ** 2 - aside ** 2);
  const ball = world.createBody({
    position: [0, height, 0],
    shape: { ...surface, type: 'sphere', radius },
  });
  let most = 0;
  for (let i = 0; i < 3 * rate; i++) {
    world.step(1 / rate);
    most = Math.max(most, position(ball)[1] - height);
  }
  return most;
}

// A piece hides the end of the next one, as a tile hides the side of the next tile (contacts/seams.ts): its line goes on.
for (const type of ['capsule', 'cylinder', 'box'] as const)
  row(`balls do not hop where rails of several pieces, each a ${type}, are joined`, (m) => {
    const rails: [string, number, Rails][] = [
      ['one rail', 0.05, { gauge: 0, gap: 0 }],
      ['two', 0.05, { gauge: 0.06, gap: 0 }],
      ['two, ball of 1 m', 0.5, { gauge: 0.06, gap: 0 }],
      ['two, gaps of 0.5 mm', 0.05, { gauge: 0.06, gap: 5e-4 }],
      ['two of many bodies', 0.05, { gauge: 0.06, gap: 0, bodies: 'static' }],
      ['two of kinematic bodies', 0.1, { gauge: 0.06, gap: 0, bodies: 'kinematic' }],
      ['two, without friction', 0.05, { gauge: 0.06, gap: 0, friction: 0 }],
    ];
    for (const [name, radius, options] of rails)
      for (const rate of [30, 60, 144])
        m.atMost(`${name}, ${rate} Hz`, 1e3 * hop(type, radius, rate, options), 0.2, 'mm');
  });
