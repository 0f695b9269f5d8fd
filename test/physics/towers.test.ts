// Towers: bodies on each other, far higher than passes over contacts can hold. They start exactly touching with sleeping
// off, so the truth is that nothing moves, or that they fall where statics says so. Before towers were solved at once, 40
// boxes sank 192 mm and 100 fell after five seconds. SOAK=1 runs the full counts.

import type { RigidBody, World } from '../../src/index';
import type { ShapeOptions } from '../../src/types';
import { row } from './support/measure';
import { random, type Vec3 } from './support/vector';
import { createFloor, createWorld, G, isAsleep, position, UNIT_BOX } from './support/world';

const SOAK = process.env['SOAK'] !== undefined;
const RATES = [30, 60, 144];
const SEED = Number(process.env['SEED'] ?? 1);

interface Tower {
  world: World;
  bodies: RigidBody[];
  starts: Vec3[];
}

interface Block {
  shape: ShapeOptions | ShapeOptions[];
  half: number;
  mass?: number;
  x?: number;
  z?: number;
}

const BOX: Block = { shape: { type: 'box', halfExtents: UNIT_BOX }, half: 0.5 };

function towerOf(blocks: Block[], world = createWorld(), bottom = 0): Tower {
  if (world.bodyCount === 0) createFloor(world);
  const bodies: RigidBody[] = [];
  let y = bottom;
  for (const { shape, half, mass = 1, x = 0, z = 0 } of blocks) {
    bodies.push(world.createBody({ mass, position: [x, y + half, z], shape }));
    y += 2 * half;
  }
  return { world, bodies, starts: bodies.map(position) };
}

/** Largest distance of any body from its start, at any time. */
function moved({ world, bodies, starts }: Tower, seconds: number, rate = 60, each?: (step: number) => void) {
  let most = 0;
  for (let i = 1; i <= Math.round(seconds * rate); i++) {
    each?.(i);
    world.step(1 / rate);
    for (const [k, body] of bodies.entries()) {
      const [x, y, z] = position(body);
      const [x0, y0, z0] = starts[k]!;
      most = Math.max(most, Math.hypot(x - x0, y - y0, z - z0));
    }
  }
  return most;
}

const copies = (count: number, block = BOX) => Array<Block>(count).fill(block);

for (const [count, size] of [
  [40, 1],
  [70, 1],
  [100, 1],
  [40, 0.05],
  [100, 0.05],
] as const)
  row(`${count} boxes of ${size} m stand 60 s`, (m) => {
    const half = size / 2;
    const tower = towerOf(copies(count, { shape: { type: 'box', halfExtents: [half, half, half] }, half }));
    m.atMost('any box moves', moved(tower, SOAK || count === 100 ? 60 : 10), 1e-4 * size, 'm');
    tower.world.dispose();
  });

row('10 boxes at 98 m/s² do not sink', (m) => {
  const tower = towerOf(copies(10), createWorld({ gravity: [0, -98, 0] }));
  m.atMost('any box moves', moved(tower, 10), 1e-4, 'm');
});

/** Sizes vary by a tenth, places by a share of a box. */
row('towers of a flat game, and of bodies that do not tip, stand, and fall where statics says', (m) => {
  for (const rate of RATES) {
    for (const flat of [true, false]) {
      const hold = ({ bodies }: Tower) => {
        for (const body of bodies) {
          body.setLinearFactor(flat ? [1, 1, 0] : [1, 1, 1]);
          body.setAngularFactor(flat ? [0, 0, 1] : [0, 1, 0]);
        }
      };
      const tower = towerOf(Array.from({ length: 40 }, (_, i) => ({ ...BOX, x: 0.03 * Math.sin(2.3 * i) })));
      hold(tower);
      const name = flat ? 'in a plane' : 'upright';
      m.atMost(`40 boxes ${name}, ${rate} Hz: moved in 20 s`, moved(tower, 20, rate), 1e-3, 'm');
      tower.world.dispose();
      if (!flat) continue;
      // As above: 12 shifts are half a box.
      for (const shift of [0.04, 0.0435]) {
        const leaning = towerOf(Array.from({ length: 24 }, (_, i) => ({ ...BOX, x: shift * i })));
        hold(leaning);
        const far = moved(leaning, 10, rate);
        if (shift < 0.041) m.atMost(`24 boxes, shift ${shift}, ${rate} Hz: any box moves`, far, 1e-3, 'm');
        else m.atLeast(`24 boxes, shift ${shift}, ${rate} Hz: falls by`, far, 1, 'm');
        leaning.world.dispose();
      }
    }
  }
});

function uneven(count: number, offset: number, next: () => number): Block[] {
  return Array.from({ length: count }, () => {
    const half: Vec3 = [0, 0, 0].map(() => 0.5 * (0.9 + 0.2 * next())) as Vec3;
    const [x, z] = [offset * (2 * next() - 1), offset * (2 * next() - 1)];
    return {
      shape: { type: 'box', halfExtents: half },
      half: half[1],
      mass: 8 * half[0] * half[1] * half[2],
      x,
      z,
    };
  });
}

for (const rate of RATES)
  row(`30 uneven towers of 40 at random, and some of 100, stand at ${rate} Hz (seed ${SEED})`, (m) => {
    let worst = 0;
    for (let i = 0; i < 30; i++) {
      const high = i % 10 === 0;
      const tower = towerOf(uneven(high ? 100 : 40, high ? 0.01 : 0.02, random(SEED + i)));
      worst = Math.max(worst, moved(tower, SOAK ? 60 : 3, rate));
      tower.world.dispose();
    }
    m.atMost('any box moves', worst, 1e-3, 'm');
  });

row('towers of other bodies stand', (m) => {
  const cylinder: Block = { shape: { type: 'cylinder', halfHeight: 0.5, radius: 0.5 }, half: 0.5 };
  const points = Array.from({ length: 14 }, (_, i): Vec3 => {
    const angle = (2 * Math.PI * (i >> 1)) / 7;
    return [0.5 * Math.cos(angle), i & 1 ? 0.5 : -0.5, 0.5 * Math.sin(angle)];
  });
  const hull: Block = { shape: { type: 'hull', points: points.flat() }, half: 0.5 };
  const flat: Block = { shape: { type: 'box', halfExtents: [0.5, 0.1, 0.4] }, half: 0.1, mass: 0.3 };
  for (const [name, blocks] of [
    ['cylinders', copies(40, cylinder)],
    ['hulls', copies(40, hull)],
    ['mixed', Array.from({ length: 60 }, (_, i) => [BOX, cylinder, flat][i % 3]!)],
    [
      'of masses from 0.1 to 10 kg',
      Array.from({ length: 40 }, (_, i) => ({ ...BOX, mass: [1, 10, 0.1][i % 3]! })),
    ],
    ['under 1,000 kg', [...copies(10), { ...BOX, mass: 1000 }]],
  ] as const) {
    const tower = towerOf([...blocks]);
    m.atMost(`${name}: any moves`, moved(tower, 10), 1e-4, 'm');
    tower.world.dispose();
  }
});

row('a leaning tower of 24 falls where statics says: from shifts of 0.0417 m on', (m) => {
  // The centre of the 23 upper boxes is 12 shifts beside that of the lowest one, which reaches 0.5 m.
  for (const shift of [0.03, 0.041, 0.0425]) {
    const tower = towerOf(Array.from({ length: 24 }, (_, i) => ({ ...BOX, x: shift * i })));
    const far = moved(tower, 8);
    if (12 * shift < 0.5) m.atMost(`shift ${shift}: any box moves`, far, 1e-4, 'm');
    else m.atLeast(`shift ${shift}: falls by`, far, 5, 'm');
    tower.world.dispose();
  }
});

// Contacts of several manifolds: floors of several bodies or shapes, and bodies of several shapes.

const box = (x: number, y: number, z: number, position: Vec3 = [0, 0, 0]): ShapeOptions => ({
  type: 'box',
  halfExtents: [x, y, z],
  position,
});
const twice = <T>(of: (sign: number) => T[]): T[] => [...of(-1), ...of(1)];
const HALVES: Block = { shape: twice((s) => [box(0.25, 0.5, 0.5, [0.25 * s, 0, 0])]), half: 0.5 };
const LEGS = twice((x) => twice((z) => [box(0.1, 0.4, 0.1, [0.4 * x, -0.1, 0.4 * z])]));
const TABLE: Block = { shape: [box(0.5, 0.1, 0.5, [0, 0.4, 0]), ...LEGS], half: 0.5 };

/** Bodies at y = −0.5, whose tops are the ground. */
type Ground = { name: string; shapes: ShapeOptions[][]; type?: 'kinematic' };
const GROUNDS: Ground[] = [
  { name: 'one slab', shapes: [[box(9, 0.5, 9)]] },
  { name: 'two slabs', shapes: twice((s) => [[box(2, 0.5, 4, [2 * s, 0, 0])]]) },
  { name: 'four slabs', shapes: twice((x) => twice((z) => [[box(2, 0.5, 2, [2 * x, 0, 2 * z])]])) },
  { name: 'one body of two slabs', shapes: [twice((s) => [box(2, 0.5, 4, [2 * s, 0, 0])])] },
  {
    name: 'tiles of 0.3 m',
    shapes: Array.from({ length: 121 }, (_, i) => [
      box(0.15, 0.5, 0.15, [0.3 * ((i % 11) - 5), 0, 0.3 * (Math.floor(i / 11) - 5)]),
    ]),
  },
  {
    name: 'planks with gaps of 1 cm',
    shapes: Array.from({ length: 21 }, (_, i) => [box(0.1, 0.5, 2, [0.21 * (i - 10), 0, 0])]),
  },
  {
    name: 'two kinematic slabs',
    type: 'kinematic',
    shapes: twice((s) => [[box(2, 0.5, 4, [2 * s, 0, 0])]]),
  },
];

function createGround({ shapes, type }: Ground): World {
  const world = createWorld();
  for (const shape of shapes) world.createBody({ type: type ?? 'static', position: [0, -0.5, 0], shape });
  return world;
}

for (const rate of RATES)
  row(`40 uneven bodies of one or several shapes stand on grounds of one or several at ${rate} Hz`, (m) => {
    for (const [i, ground] of GROUNDS.entries())
      for (const [k, [name, block]] of Object.entries({
        boxes: BOX,
        halves: HALVES,
        tables: TABLE,
      }).entries()) {
        const next = random(SEED + 10 * i + k);
        const offset = () => 0.05 * (next() - 0.5);
        const blocks = Array.from({ length: 40 }, () => ({ ...block, x: offset(), z: offset() }));
        const tower = towerOf(blocks, createGround(ground));
        m.atMost(`${name} on ${ground.name}: any moves`, moved(tower, SOAK ? 60 : 2, rate), 1e-3, 'm');
        tower.world.dispose();
      }
  });

row('40 leaning bodies of several shapes fall where statics says: from shifts of 0.025 m on', (m) => {
  for (const ground of GROUNDS.slice(0, 2))
    for (const [name, block] of Object.entries({ boxes: BOX, halves: HALVES, tables: TABLE }))
      for (const shift of [0.012, 0.024, 0.026]) {
        const blocks = Array.from({ length: 40 }, (_, i) => ({ ...block, x: shift * i }));
        const tower = towerOf(blocks, createGround(ground));
        const far = moved(tower, 8);
        const what = `${name} on ${ground.name}, shift ${shift}`;
        if (shift < 0.025) m.atMost(`${what}: any moves`, far, 1e-4, 'm');
        else m.atLeast(`${what}: falls by`, far, 5, 'm');
        tower.world.dispose();
      }
});

row('a tower stands on what moves', (m) => {
  for (const [name, block, centers] of [
    ['boxes on a lift', BOX, [0]],
    ['boxes on a lift of two slabs', BOX, [-3, 3]],
    ['tables on a lift', TABLE, [0]],
  ] as const) {
    const lift = createWorld();
    const carriers = centers.map((x) =>
      lift.createBody({ type: 'kinematic', position: [x, -0.5, 0], shape: box(3, 0.5, 3) }),
    );
    const tower = towerOf(copies(30, block), lift);
    let worst = 0;
    for (let i = 1; i <= 600; i++) {
      const height = 0.5 * Math.sin(i / 60);
      for (const [k, carrier] of carriers.entries())
        carrier.setKinematicTarget([centers[k]!, height - 0.5, 0], [0, 0, 0, 1]);
      lift.step(1 / 60);
      for (const [k, body] of tower.bodies.entries())
        worst = Math.max(worst, Math.abs(position(body)[1] - k - 0.5 - height));
    }
    m.atMost(`${name}: any is off`, worst, 1e-3, 'm');
  }
});

row('boxes with gaps between them become a tower, and stay one where the last but one is removed', (m) => {
  const world = createWorld();
  createFloor(world);
  const bodies = Array.from({ length: 40 }, (_, i) =>
    world.createBody({ mass: 1, position: [0, 0.501 + 1.001 * i, 0], shape: BOX.shape }),
  );
  for (let i = 0; i < 600; i++) world.step(1 / 60);
  m.near('height of the highest', position(bodies[39]!)[1], 39.5, 1e-3, 'm');
  m.atMost('it drifts', Math.hypot(position(bodies[39]!)[0], position(bodies[39]!)[2]), 0.02, 'm');
  bodies[38]!.remove();
  for (let i = 0; i < 300; i++) world.step(1 / 60);
  m.near('height of the one below the gap', position(bodies[37]!)[1], 37.5, 1e-3, 'm');
  m.near('height of the highest, which falls on it', position(bodies[39]!)[1], 38.5, 1e-3, 'm');
});

row('a tower struck by a ball keeps no energy that it had not, and costs no more than others', (m) => {
  for (const [mass, speed] of [
    [0.1, 3],
    [20, 3],
    [20, 15],
  ] as const) {
    const tower = towerOf(copies(60));
    const { world, bodies } = tower;
    const ball = world.createBody({
      mass,
      position: [-3, 40, 0],
      shape: { type: 'sphere', radius: 0.4 },
      linearVelocity: [speed, 0, 0],
    });
    const energy = () =>
      [...bodies, ball].reduce((sum, body) => {
        const v = body.getLinearVelocity();
        const w = body.getAngularVelocity();
        const weight = body === ball ? mass : 1;
        const inertia = body === ball ? 0.4 * mass * 0.16 : 1 / 6;
        const twice =
          weight * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + inertia * (w[0] ** 2 + w[1] ** 2 + w[2] ** 2);
        return sum + twice / 2 + weight * G * position(body)[1];
      }, 0);
    const start = energy();
    let gained = 0;
    moved(tower, 4, 60, () => {
      gained = Math.max(gained, energy() / start - 1);
    });
    m.atMost(`${mass} kg at ${speed} m/s: share of energy gained`, gained, 1e-3);
    world.dispose();
  }
});

// Which towers gain how much is chance: a box that the ball presses between two others flies off. Of 3,000 with other seeds 15
// gained more than 4 %, the worst 13 to 22 %.
row(`towers of 60 that a heavy ball breaks at random gain next to no energy (seed ${SEED})`, (m) => {
  const rises: number[] = [];
  for (let i = 0; i < (SOAK ? 1000 : 60); i++) {
    const next = random(100 * SEED + 100 + i);
    const tower = towerOf(copies(60));
    const { world, bodies } = tower;
    const mass = 5 + 35 * next();
    const ball = world.createBody({
      mass,
      position: [-3, 25 + 20 * next(), 0],
      shape: { type: 'sphere', radius: 0.4 },
      linearVelocity: [2 + 13 * next(), 0, 0],
    });
    const energyOf = (body: RigidBody, weight: number, inertia: number) => {
      const v = body.getLinearVelocity();
      const w = body.getAngularVelocity();
      const speed2 = v[0] ** 2 + v[1] ** 2 + v[2] ** 2;
      const spin2 = w[0] ** 2 + w[1] ** 2 + w[2] ** 2;
      return (weight * speed2 + inertia * spin2) / 2 + weight * G * position(body)[1];
    };
    const energy = () =>
      bodies.reduce((sum, body) => sum + energyOf(body, 1, 1 / 6), energyOf(ball, mass, 0.064 * mass));
    const start = energy();
    let least = start;
    let most = 0;
    moved(tower, 4, 60, () => {
      const now = energy();
      most = Math.max(most, (now - least) / start);
      least = Math.min(least, now);
    });
    rises.push(most);
    world.dispose();
  }
  rises.sort((x, y) => x - y);
  const at = (share: number) => rises[Math.floor(share * rises.length)]!;
  m.atMost('rise of the energy, of that at the start: median', at(0.5), 0.008);
  m.atMost('of one in ten', at(0.9), 0.02);
  m.atMost('of one in twenty', at(0.95), 0.04);
});

row('a tower falls asleep as fast as one box', (m) => {
  for (const count of [1, 24, 100]) {
    const tower = towerOf(copies(count), createWorld({ sleeping: true }));
    let steps = 0;
    while (steps < 600 && !tower.bodies.every(isAsleep)) {
      tower.world.step(1 / 60);
      steps++;
    }
    m.atMost(`${count} boxes asleep after`, steps / 60, 2.1, 's');
    tower.world.dispose();
  }
});

row('two towers under a plank, and a plank with two boxes on a tower, stand', (m) => {
  const world = createWorld();
  const left = towerOf(copies(30, { ...BOX, x: -2 }), world);
  const right = towerOf(copies(30, { ...BOX, x: 2 }), world);
  const plank = world.createBody({
    mass: 1,
    position: [0, 30.1, 0],
    shape: { type: 'box', halfExtents: [3, 0.1, 0.5] },
  });
  m.atMost(
    'a plank on two: any box moves',
    Math.max(moved(left, 10), moved(right, 0), 30.1 - position(plank)[1]),
    1e-3,
    'm',
  );
  const one = towerOf([...copies(30), { shape: { type: 'box', halfExtents: [3, 0.1, 0.5] }, half: 0.1 }]);
  for (const x of [-2, 2]) {
    one.bodies.push(one.world.createBody({ mass: 1, position: [x, 30.7, 0], shape: BOX.shape }));
    one.starts.push([x, 30.7, 0]);
  }
  m.atMost('a plank on one, with two boxes: any moves', moved(one, 10), 1e-3, 'm');
});

// Bodies thinner than the breaking threshold of contacts have contacts with the body below the next one, too.
row('30 plates, books or coins do not sink into each other, nor do 8 dice of 1 cm', (m) => {
  const cube = (half: number): ShapeOptions => ({ type: 'box', halfExtents: [half, half, half] });
  const flat = (half: number, thick: number): ShapeOptions => ({
    type: 'box',
    halfExtents: [half, thick / 2, half],
  });
  const coin = (radius: number, thick: number): ShapeOptions => ({
    type: 'cylinder',
    radius,
    halfHeight: thick / 2,
  });
  for (const rate of [30, 60, 144])
    for (const [name, count, half, shape] of [
      ['plates of 1 m × 1 cm', 30, 0.005, flat(0.5, 0.01)],
      ['books of 30 × 2 cm', 30, 0.01, flat(0.15, 0.02)],
      ['coins of 2 cm × 2 mm', 30, 0.001, coin(0.01, 0.002)],
      ['coins of 10 cm × 2 mm', 30, 0.001, coin(0.05, 0.002)],
      ['dice of 1 cm', 8, 0.005, cube(0.005)],
    ] as const) {
      const tower = towerOf(copies(count, { shape, half }));
      for (let i = 0; i < 5 * rate; i++) tower.world.step(1 / rate);
      const top = tower.starts.at(-1)![1] - position(tower.bodies.at(-1)!)[1];
      m.atMost(`${name} at ${rate} Hz: the highest sinks by`, top / (2 * half), 0.1, 'thicknesses');
      tower.world.dispose();
    }
});
