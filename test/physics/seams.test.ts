// Seams between bodies: where neighbours are level, their common surface is one, and what slides or rolls over it
// feels nothing. Truth: a frictionless body goes on at its speed and height. A step, a wall, a gap are still there.
import { heightfield, mesh, type ShapeOptions, type World } from '../../src';
import { row } from './support/measure';
import { axisAngle, type Quat, random, type Vec3 } from './support/vector';
import { createWorld, G, position, velocity } from './support/world';

const UP: Vec3 = [0, 1, 0];

function boxPoints([x, y, z]: Vec3, taper = 1): Vec3[] {
  return [-1, 1].flatMap((j) =>
    [-1, 1].flatMap((i) =>
      [-1, 1].map((k): Vec3 => [i * x * (j > 0 ? taper : 1), j * y, k * z * (j > 0 ? taper : 1)]),
    ),
  );
}

/** Two triangles, level with the top of a tile of that size. */
function sheet(x: number, z: number): ShapeOptions {
  return mesh({
    vertices: [-x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z],
    indices: [0, 1, 2, 0, 2, 3],
  });
}

type TileKind = 'box' | 'hull' | 'mesh' | 'compound' | 'kinematic' | 'locked';

/** How tiles lie: sizes of one, how many on either side of the middle, where the middle is. */
interface Tiling {
  half: Vec3;
  count: [number, number];
  shift: [number, number];
  yaw: number;
}

/** Tiles side by side with their tops at y = 0. */
function lay(world: World, kinds: TileKind[], { half, count, shift, yaw }: Tiling, friction = 1): void {
  const rotation = axisAngle(UP, yaw);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const children: (ShapeOptions & { position: Vec3 })[] = [];
  let n = 0;
  for (let i = -count[0]; i <= count[0]; i++)
    for (let j = -count[1]; j <= count[1]; j++) {
      const kind = kinds[n++ % kinds.length] as TileKind;
      const [x, z] = [2 * half[0] * (i + shift[0]), 2 * half[2] * (j + shift[1])];
      const place: Vec3 = [x * c + z * s, -half[1], z * c - x * s];
      const box: ShapeOptions = { type: 'box', halfExtents: half, friction };
      if (kind === 'compound') children.push({ ...box, position: [x, -half[1], z] });
      else if (kind === 'mesh')
        world.createBody({
          type: 'static',
          position: [place[0], 0, place[2]],
          rotation,
          shape: { ...sheet(half[0], half[2]), friction } as ShapeOptions,
        });
      else
        world.createBody({
          type: kind === 'kinematic' ? 'kinematic' : kind === 'locked' ? 'dynamic' : 'static',
          ...(kind === 'locked' ? { mass: 50, linearFactor: [0, 0, 0], angularFactor: [0, 0, 0] } : {}),
          position: place,
          rotation,
          shape: kind === 'hull' ? { type: 'hull', points: boxPoints(half), friction } : box,
        });
    }
  if (children.length > 0) world.createBody({ type: 'static', rotation, shape: children });
}

interface Slider {
  shape: ShapeOptions;
  low: number;
}

/** Of about the size of the three numbers. */
const SLIDERS: Record<string, (a: number, b: number, c: number) => Slider> = {
  box: (a, b, c) => ({ shape: { type: 'box', halfExtents: [a, b, c] }, low: b }),
  sphere: (a) => ({ shape: { type: 'sphere', radius: a }, low: a }),
  capsule: (a, b) => ({ shape: { type: 'capsule', radius: a, halfHeight: b, axis: 'x' }, low: a }),
  cylinder: (a, b) => ({ shape: { type: 'cylinder', radius: a, halfHeight: b }, low: b }),
  'lying cylinder': (a, b) => ({
    shape: { type: 'cylinder', radius: a, halfHeight: b, axis: 'z' },
    low: a,
  }),
  cone: (a, b) => ({ shape: { type: 'cone', radius: a, halfHeight: 0.8 * b }, low: 0.8 * b }),
  hull: (a, b, c) => ({ shape: { type: 'hull', points: boxPoints([a, b, c], 0.7) }, low: b }),
};

interface Run {
  slider: Slider;
  start: [number, number];
  heading: number;
  speed: number;
  seconds: number;
  hertz?: number;
  friction?: number;
  turn?: number;
}

/** Builds a floor; returns the height of its top where that is not 0. */
type Floor = (world: World) => unknown;

/** Largest rise or fall and change of velocity of what slides over a floor. */
function slide(build: Floor, run: Run): { bump: number; change: number } {
  const { slider, start, heading, speed, seconds, hertz = 60, friction = 0, turn = 0 } = run;
  const world = createWorld();
  const top = build(world);
  const rest = slider.low + (typeof top === 'number' ? top : 0);
  const [vx, vz] = [speed * Math.cos(heading), speed * Math.sin(heading)];
  const body = world.createBody({
    mass: 1,
    shape: { ...slider.shape, friction } as ShapeOptions,
    position: [start[0], rest, start[1]],
    rotation: axisAngle(UP, turn) as Quat,
    linearVelocity: [vx, 0, vz],
  });
  let [bump, change] = [0, 0];
  for (let i = 0; i < Math.round(seconds * hertz); i++) {
    world.step(1 / hertz);
    const v = velocity(body);
    bump = Math.max(bump, Math.abs(position(body)[1] - rest));
    change = Math.max(change, Math.hypot(v[0] - vx, v[2] - vz));
  }
  world.dispose();
  return { bump, change };
}

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

row(
  'no seams: 30 random floors, bodies, speeds and frame rates, without friction',
  (m) => {
    const worst = { bump: 0, change: 0 };
    for (let seed = 1; seed <= 30; seed++) {
      const { bump, change } = anyRun(seed, 0);
      worst.bump = Math.max(worst.bump, bump);
      worst.change = Math.max(worst.change, change);
    }
    m.atMost('bump', worst.bump, 1e-4, 'm');
    m.atMost('Δv', worst.change, 2e-3, 'm/s');
  },
  { behind: { bump: 1.1e-4, Δv: 0.011 } },
);

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
