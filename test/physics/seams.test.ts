// Seams between bodies: where neighbours are level, their common surface is one, and what slides or rolls over it
// feels nothing. Truth: a frictionless body goes on at its speed and height. A step, a wall, a gap are still there.
import { heightfield, mesh, type ShapeOptions, type World } from '../../src';
import { row } from './support/measure';
import { type Floor, lay, type Run, SLIDERS, slide, type TileKind, type Tiling, UP } from './support/tiles';
import { random, type Vec3 } from './support/vector';
import { createWorld, G, position, velocity } from './support/world';

const strip = (kinds: TileKind[], half: Vec3): ((world: World) => void) => {
  const tiling: Tiling = { half, count: [Math.ceil(8 / half[0]), 0], shift: [0.21, 0], yaw: 0 };
  return (world) => lay(world, kinds, tiling);
};

/** A half plane at x < 0.3, and boxes from there on. */
const beside = (shape: () => ShapeOptions): ((world: World) => void) => {
  return (world) => {
    world.createBody({ type: 'static', shape: shape() });
    for (let i = 0; i < 10; i++)
      world.createBody({
        type: 'static',
        position: [0.8 + i, -0.5, 0],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 8] },
      });
  };
};

const FLOORS: Record<string, Floor> = {
  'box tiles of 2 × 1 × 16 m': strip(['box'], [1, 0.5, 8]),
  'square box tiles': (world) =>
    lay(world, ['box'], { half: [0.5, 0.5, 0.5], count: [9, 7], shift: [0.3, 0.2], yaw: 0 }),
  'hulls in a row': strip(['hull'], [0.5, 0.5, 8]),
  'a compound': strip(['compound'], [0.5, 0.5, 8]),
  'kinematic tiles': strip(['kinematic'], [0.5, 0.5, 8]),
  'dynamic tiles that cannot move': strip(['locked'], [0.5, 0.5, 8]),
  'a mesh, then boxes': beside(() =>
    mesh({ vertices: [-9, 0, -9, -9, 0, 9, 0.3, 0, 9, 0.3, 0, -9], indices: [0, 1, 2, 0, 2, 3] }),
  ),
  'a heightfield, then boxes': beside(() =>
    heightfield({
      rows: 17,
      columns: 13,
      heights: new Float32Array(17 * 13),
      spacing: 1,
      position: [-5.7, 0, 0],
    }),
  ),
  'a plane with boxes sunk into it': beside(() => ({ type: 'plane', normal: UP })),
};

for (const [floor, build] of Object.entries(FLOORS))
  row(`no seams: every shape slides at 3 m/s over ${floor}, 4 headings`, (m) => {
    const worst = { bump: 0, change: 0 };
    for (const make of Object.values(SLIDERS))
      for (const heading of [0, 0.1, 0.37, 0.785]) {
        const { bump, change } = slide(build, {
          slider: make(0.4, 0.5, 0.3),
          start: [-3.987, -2 * Math.sin(heading) + 0.007],
          heading,
          speed: 3,
          seconds: 2.5,
        });
        worst.bump = Math.max(worst.bump, bump);
        worst.change = Math.max(worst.change, change);
      }
    m.atMost('bump', worst.bump, 1e-4, 'm');
    m.atMost('Δv', worst.change, 2e-3, 'm/s');
  });

/** They give by 0.1 mm under their own weight. */
const planks: Floor = (world) => {
  for (const z of [-2, 2])
    world.createBody({
      type: 'static',
      position: [0, -0.6, z],
      shape: { type: 'box', halfExtents: [12, 0.5, 0.2] },
    });
  const planks = Array.from({ length: 33 }, (_, i) =>
    world.createBody({
      mass: 20,
      position: [0.4 * (i - 16), -0.05, 0],
      shape: { type: 'box', halfExtents: [0.2, 0.05, 6] },
    }),
  );
  for (let i = 0; i < 60; i++) world.step(1 / 60); // they sink by 0.1 mm
  return Math.max(...planks.map((plank) => position(plank)[1])) + 0.05;
};

row('no seams: every shape slides at 3 m/s over planks of 20 kg on two beams, 4 headings', (m) => {
  const worst = { bump: 0, change: 0 };
  for (const make of Object.values(SLIDERS))
    for (const heading of [0, 0.1, 0.37, 0.785]) {
      const start: [number, number] = [-3.987, -2 * Math.sin(heading) + 0.007];
      const { bump, change } = slide(planks, {
        slider: make(0.4, 0.5, 0.3),
        start,
        heading,
        speed: 3,
        seconds: 2.5,
      });
      worst.bump = Math.max(worst.bump, bump);
      worst.change = Math.max(worst.change, change);
    }
  m.atMost('bump', worst.bump, 2e-4, 'm');
  m.atMost('Δv', worst.change, 2e-3, 'm/s');
});

const KINDS: TileKind[][] = [
  ['box'],
  ['hull'],
  ['compound'],
  ['kinematic'],
  ['locked'],
  ['mesh'],
  ['box', 'hull', 'mesh'],
];

/** A floor, a body and a way over it, all by chance: tiles of 0.2 to 3 m, bodies of 5 cm to 80 cm, 0.2 to 5 m/s. */
function anyRun(seed: number, friction: number) {
  const r = random(7919 * seed + 13);
  const half: Vec3 = [0.1 * 15 ** r(), 0.03 + 0.5 * r(), r() < 0.5 ? 0.1 * 15 ** r() : 20];
  const kinds = KINDS[Math.floor(KINDS.length * r())] as TileKind[];
  const names = Object.keys(SLIDERS);
  const make = SLIDERS[names[Math.floor(names.length * r())] as string]!;
  const size = 0.1 * 8 ** r();
  const part = () => size * (0.4 + 0.6 * r());
  const slider = make(part(), part(), part());
  const hertz = [30, 60, 120][Math.floor(3 * r())] as number;
  const speed = 0.2 * 25 ** r();
  const heading = 2 * Math.PI * r();
  const strips = half[2] === 20;
  const tiling: Tiling = {
    half,
    count: [
      Math.min(strips ? 40 : 12, Math.ceil(5 / half[0])),
      strips ? 0 : Math.min(12, Math.ceil(5 / half[2])),
    ],
    shift: [r(), strips ? 0 : r()],
    yaw: 2 * Math.PI * r(),
  };
  const room = 2 * Math.min(half[0] * (tiling.count[0] - 1), strips ? 18 : half[2] * (tiling.count[1] - 1));
  const way = Math.min(3, 0.8 * room);
  const run: Run = {
    slider,
    start: [-way * Math.cos(heading), -way * Math.sin(heading)],
    heading,
    speed,
    seconds: Math.min(3, (2 * way) / speed),
    hertz,
    friction,
    turn: Math.PI * r(),
  };
  return slide((world) => lay(world, kinds, tiling), run);
}

row('no seams: 30 random floors, bodies, speeds and frame rates, without friction', (m) => {
  const worst = { bump: 0, change: 0 };
  for (let seed = 1; seed <= 30; seed++) {
    const { bump, change } = anyRun(seed, 0);
    worst.bump = Math.max(worst.bump, bump);
    worst.change = Math.max(worst.change, change);
  }
  m.atMost('bump', worst.bump, 1e-4, 'm');
  m.atMost('Δv', worst.change, 2e-3, 'm/s');
});

row('a ball that slides over tiles rolls in the end, at 5/7 of its speed', (m) => {
  const world = createWorld();
  lay(world, ['box', 'hull'], { half: [0.3, 0.2, 0.4], count: [40, 4], shift: [0.4, 0.1], yaw: 0.3 });
  const ball = world.createBody({
    mass: 1,
    position: [-8, 0.25, 0.1],
    shape: { type: 'sphere', radius: 0.25, friction: 0.5 },
    linearVelocity: [7 * Math.cos(0.3), 0, -7 * Math.sin(0.3)],
  });
  let bump = 0;
  for (let i = 0; i < 120; i++) {
    world.step(1 / 60);
    bump = Math.max(bump, Math.abs(position(ball)[1] - 0.25));
  }
  const [x, , z] = velocity(ball);
  m.near('speed', Math.hypot(x, z), 5, 0.005, 'm/s');
  m.atMost('bump', bump, 1e-4, 'm');
});

row('a box slides over tiles as far as over one piece', (m) => {
  const world = createWorld();
  lay(world, ['box'], { half: [0.35, 0.2, 20], count: [30, 0], shift: [0.1, 0], yaw: 0.2 });
  const box = world.createBody({
    mass: 1,
    position: [-4, 0.25, 0],
    shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25], friction: 0.5 },
    linearVelocity: [6, 0, 0],
  });
  for (let i = 0; i < 120; i++) world.step(1 / 60);
  m.near('way', position(box)[0] + 4, 36 / (2 * 0.5 * G), 0.02, 'm');
});

// --- what is no seam ---

const STEPPED: Record<string, (world: World) => void> = {
  'a step of 3 cm': (world) => {
    for (const [x, y] of [
      [-5, -0.5],
      [5, -0.47],
    ] as const)
      world.createBody({
        type: 'static',
        position: [x, y, 0],
        shape: { type: 'box', halfExtents: [5, 0.5, 5] },
      });
  },
  'a wall on the next tile': (world) => {
    lay(world, ['box'], { half: [0.5, 0.5, 5], count: [8, 0], shift: [0.5, 0], yaw: 0 });
    world.createBody({
      type: 'static',
      position: [0.2, 0.5, 0],
      shape: { type: 'box', halfExtents: [0.2, 0.5, 5] },
    });
  },
  'a wall beside the tile, as deep as it': (world) => {
    world.createBody({
      type: 'static',
      position: [-5, -0.5, 0],
      shape: { type: 'box', halfExtents: [5, 0.5, 5] },
    });
    world.createBody({
      type: 'static',
      position: [0.2, 0, 0],
      shape: { type: 'box', halfExtents: [0.2, 1, 5] },
    });
  },
};

for (const [name, build] of Object.entries(STEPPED))
  row(`${name} stops a box, and no shape gets into it`, (m) => {
    for (const [kind, make] of Object.entries(SLIDERS)) {
      const world = createWorld();
      build(world);
      const slider = make(0.3, 0.3, 0.3);
      const body = world.createBody({
        mass: 1,
        position: [-2, slider.low, 0.1],
        shape: { ...slider.shape, friction: 0 } as ShapeOptions,
        linearVelocity: [2, 0, 0],
      });
      let [farthest, lowest] = [-Infinity, Infinity];
      for (let i = 0; i < 120; i++) {
        world.step(1 / 60);
        farthest = Math.max(farthest, position(body)[0]);
        lowest = Math.min(lowest, position(body)[1]);
      }
      m.atLeast(`${kind}: lowest`, lowest, slider.low - 2e-3, 'm');
      // A round one may climb a low step.
      if (kind === 'box' || !name.startsWith('a step')) m.atMost(`${kind}: farthest`, farthest, -0.2, 'm');
    }
  });

row('a ball falls into a gap between level tiles, and out of its far edge comes a bump', (m) => {
  const world = createWorld();
  for (const x of [-5, 5.4])
    world.createBody({
      type: 'static',
      position: [x, -0.5, 0],
      shape: { type: 'box', halfExtents: [5, 0.5, 5] },
    });
  const ball = world.createBody({
    mass: 1,
    position: [-2, 0.3, 0],
    shape: { type: 'sphere', radius: 0.3, friction: 0 },
    linearVelocity: [1, 0, 0],
  });
  let lowest = 1;
  for (let i = 0; i < 240; i++) {
    world.step(1 / 60);
    lowest = Math.min(lowest, position(ball)[1]);
  }
  m.atMost('lowest', lowest, 0.27, 'm'); // on both edges it rests at √(0.3² − 0.2²) = 0.224
});
