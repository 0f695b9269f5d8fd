// In which direction things fly off: balls on balls, pegs, paddles and edges, and all convex shapes that bounce. A step may not
// matter: what counts is the normal where they meet, not where they were at its start.
import { cookHeightfield, cookMesh } from '../../src';
import type { ShapeOptions } from '../../src/types';
import { row } from './support/measure';
import { length, random, sub, type Vec3 } from './support/vector';
import { createWorld, spin, velocity } from './support/world';

const RATES = [20, 30, 60, 120, 144] as const;
const PHASES = 7;
const SPEED = 8;
const slippery = <T extends ShapeOptions>(shape: T, restitution = 1): T => ({
  ...shape,
  friction: 0,
  restitution,
});
const ball = (radius: number, restitution?: number) => slippery({ type: 'sphere', radius }, restitution);

row('balls that meet obliquely part as they should, at any rate and size', (m) => {
  for (const size of [0.05, 1, 10])
    for (const restitution of [1, 0.5])
      for (const offset of [0.3, 0.6, 0.9])
        for (const rate of RATES) {
          // Centres 1 apart when they touch, the normal from A to B. Coefficients multiply.
          const normal: Vec3 = [Math.sqrt(1 - offset * offset), offset, 0];
          const change = ((1 + restitution) * SPEED * normal[0]) / 2;
          const truth: Vec3 = [5 - change * normal[0], -change * normal[1], 0];
          let worst = 0;
          for (let phase = 0; phase < PHASES; phase++) {
            const world = createWorld({ gravity: [0, 0, 0] });
            const shape = ball(0.5 * size, Math.sqrt(restitution));
            const a = world.createBody({
              mass: 1,
              position: [(-2 - (phase * SPEED) / PHASES / rate) * size, 0, 0],
              linearVelocity: [5 * size, 0, 0],
              shape,
            });
            world.createBody({
              mass: 1,
              position: [2 * size, offset * size, 0],
              linearVelocity: [-3 * size, 0, 0],
              shape,
            });
            for (let i = 0; i < rate; i++) world.step(1 / rate);
            const v = velocity(a).map((c) => c / size) as Vec3;
            worst = Math.max(worst, length(sub(v, truth)));
            world.dispose();
          }
          m.atMost(
            `size ${size}, e = ${restitution}, offset ${offset}, ${rate} Hz: error of the velocity`,
            worst / SPEED,
            0.01,
            'of the speed',
          );
        }
});

/** A cube of half size 1. */
function cubeTriangles(): { vertices: number[]; indices: number[] } {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) =>
    [i & 1, (i >> 1) & 1, i >> 2].map((bit) => 2 * bit - 1),
  );
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return { vertices, indices: faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]) };
}
const cube = (): ShapeOptions => ({ type: 'mesh', geometry: cookMesh(cubeTriangles()) });

const ALONG_Z = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
const PEG = 0.2; // m
/** `comes`: m/s, of a kinematic one, against the ball. */
const PEGS: Record<
  string,
  { radius: number; shape: ShapeOptions; at?: Vec3; turned?: boolean; comes?: number }
> = {
  'a ball': { radius: PEG, shape: ball(PEG) },
  'a capsule': {
    radius: PEG,
    shape: slippery({ type: 'capsule', radius: PEG, halfHeight: 1 }),
    turned: true,
  },
  'a cylinder': {
    radius: PEG,
    shape: slippery({ type: 'cylinder', radius: PEG, halfHeight: 1 }),
    turned: true,
  },
  'a kinematic cylinder': {
    radius: PEG,
    shape: slippery({ type: 'cylinder', radius: PEG, halfHeight: 1 }),
    turned: true,
    comes: 0,
  },
  'a paddle': {
    radius: PEG,
    shape: slippery({ type: 'capsule', radius: PEG, halfHeight: 1 }),
    turned: true,
    comes: 4,
  },
  'the edge of a box': {
    radius: 0,
    shape: slippery({ type: 'box', halfExtents: [1, 1, 1] }),
    at: [1, -1, 0],
  },
  'the edge of a mesh': { radius: 0, shape: slippery(cube()), at: [1, -1, 0] },
  'the edge of a kinematic mesh': { radius: 0, shape: slippery(cube()), at: [1, -1, 0], comes: 0 },
  'the edge of a mesh that comes': { radius: 0, shape: slippery(cube()), at: [1, -1, 0], comes: 4 },
};

row('a ball leaves pegs and edges in the right direction', (m) => {
  const radius = 0.5;
  for (const [name, peg] of Object.entries(PEGS))
    for (const share of [0.3, 0.6, 0.85])
      for (const rate of RATES) {
        let worst = 0;
        for (let phase = 0; phase < PHASES; phase++) {
          const world = createWorld({ gravity: [0, 0, 0] });
          world.createBody({
            type: peg.comes === undefined ? 'static' : 'kinematic',
            position: peg.at ?? [0, 0, 0],
            ...(peg.turned && { rotation: ALONG_Z }),
            shape: peg.shape,
            ...(peg.comes && { linearVelocity: [-peg.comes, 0, 0] }),
          });
          const body = world.createBody({
            mass: 1,
            position: [-3 - (phase * SPEED) / PHASES / rate, share * (radius + peg.radius), 0],
            linearVelocity: [SPEED, 0, 0],
            shape: ball(radius),
          });
          for (let i = 0; i < 0.8 * rate; i++) world.step(1 / rate);
          const cosine = -Math.sqrt(1 - share * share);
          const change = 2 * (SPEED + (peg.comes ?? 0)) * cosine;
          const truth: Vec3 = [SPEED - change * cosine, -change * share, 0];
          worst = Math.max(worst, length(sub(velocity(body), truth)));
          world.dispose();
        }
        m.atMost(`${name}, offset ${share}, ${rate} Hz`, worst / SPEED, 0.01, 'of the speed');
      }
});

/** A floor and, in the same mesh, a block with an upright edge at the origin. */
function playfield(): ShapeOptions {
  const { vertices, indices } = cubeTriangles();
  const block = vertices.map((c, i) => c + [1, 0.99, -1][i % 3]!);
  const floor = [-30, 0, -30, -30, 0, 30, 30, 0, 30, 30, 0, -30];
  const geometry = cookMesh({
    vertices: [...floor, ...block],
    indices: [0, 1, 2, 0, 2, 3, ...indices.map((i) => i + 4)],
  });
  return { type: 'mesh', geometry };
}

row(
  'a ball that slides on the floor of a mesh leaves a post of the same mesh in the right direction',
  (m) => {
    const radius = 0.3;
    const speed = 5.4; // m/s
    const level = playfield();
    for (const share of [0.3, 0.6, 0.85])
      for (const rate of [30, 60, 120]) {
        let worst = 0;
        for (let phase = 0; phase < PHASES; phase++) {
          const world = createWorld();
          world.createBody({ type: 'static', shape: slippery(level) });
          const body = world.createBody({
            mass: 1,
            position: [-2 - (phase * speed) / PHASES / rate, radius, share * radius],
            linearVelocity: [speed, 0, 0],
            shape: ball(radius),
          });
          for (let i = 0; i < 0.6 * rate; i++) world.step(1 / rate);
          const cosine = -Math.sqrt(1 - share * share);
          const change = 2 * speed * cosine;
          const truth: Vec3 = [speed - change * cosine, 0, -change * share];
          worst = Math.max(worst, length(sub(velocity(body), truth)));
          world.dispose();
        }
        m.atMost(`offset ${share}, ${rate} Hz`, worst / speed, 0.01, 'of the speed');
      }
  },
);

row('a ball without friction gets no spin from an oblique impact while it falls', (m) => {
  const others: Record<string, ShapeOptions> = {
    box: { type: 'box', halfExtents: [1, 1, 1] },
    ball: { type: 'sphere', radius: 1 },
    mesh: cube(),
  };
  for (const [name, other] of Object.entries(others))
    for (const rate of [30, 60]) {
      let most = 0;
      for (let phase = 0; phase < 20; phase++) {
        const world = createWorld();
        world.createBody({ type: 'static', position: [1, -1, 0], shape: slippery(other) });
        const body = world.createBody({
          mass: 1,
          position: [(name === 'ball' ? 0.48 : -0.12) - 0.01 * phase, 1 + 0.013 * phase, 0],
          linearVelocity: [0.5, 0, 0.3],
          shape: ball(0.3, 0.8),
        });
        for (let i = 0; i < rate; i++) world.step(1 / rate);
        most = Math.max(most, length(spin(body)));
        world.dispose();
      }
      m.atMost(`on a ${name}, ${rate} Hz`, most, 0.001, 'rad/s');
    }
});

const CELLS = 12;

/** Rough ground of cells of 1 m, up to 0.6 m high or deep. */
function ground(kind: string, seed: number): ShapeOptions {
  const next = random(seed);
  const side = CELLS + 1;
  const heights = Array.from({ length: side * side }, () => 1.2 * next() - 0.6);
  if (kind === 'heightfield') {
    const geometry = cookHeightfield({ rows: side, columns: side, heights, spacing: [1, 1] });
    return { type: 'heightfield', geometry };
  }
  const vertices = heights.flatMap((h, i) => [(i % side) - CELLS / 2, h, Math.floor(i / side) - CELLS / 2]);
  const indices: number[] = [];
  for (let i = 0; i < side * CELLS; i++)
    if (i % side < CELLS) indices.push(i, i + side, i + 1, i + 1, i + side, i + side + 1);
  return { type: 'mesh', geometry: cookMesh({ vertices, indices, oneSided: kind === 'one-sided mesh' }) };
}

/** Velocity of a ball after its first impact on rough ground. */
function onGround(kind: string, seed: number, rate: number): Vec3 {
  const next = random(seed + 100);
  const world = createWorld({ gravity: [0, 0, 0] });
  world.createBody({ type: 'static', shape: slippery(ground(kind, seed)) });
  const level: Vec3 = [2 * next() - 1, 0, 2 * next() - 1];
  const aim = [next() - 0.5, 0, next() - 0.5];
  const comes: Vec3 = [level[0] * SPEED, -0.5 * SPEED, level[2] * SPEED];
  const ago = 0.5 + next() / 60; // s
  const body = world.createBody({
    mass: 1,
    position: aim.map((c, i) => c - comes[i]! * ago) as Vec3,
    linearVelocity: comes,
    shape: ball(0.3),
  });
  for (let i = 0; i < rate && length(sub(velocity(body), comes)) < 0.02; i++) world.step(1 / rate);
  const after = velocity(body);
  world.dispose();
  return after;
}

row('a ball leaves rough ground at 30 and 60 Hz as it does at 2,400 Hz, in nine of ten throws', (m) => {
  for (const kind of ['mesh', 'one-sided mesh', 'heightfield'])
    for (const rate of [30, 60]) {
      const errors: number[] = [];
      for (let seed = 1; seed <= 40; seed++)
        errors.push(length(sub(onGround(kind, seed, rate), onGround(kind, seed, 2400))) / SPEED);
      errors.sort((x, y) => x - y);
      m.atMost(`${kind}, ${rate} Hz`, errors[36]!, 0.02, 'of the speed');
    }
});

const SHAPES: Record<string, ShapeOptions> = {
  ball: { type: 'sphere', radius: 0.4 },
  capsule: { type: 'capsule', radius: 0.25, halfHeight: 0.4 },
  box: { type: 'box', halfExtents: [0.4, 0.3, 0.5] },
  cylinder: { type: 'cylinder', radius: 0.35, halfHeight: 0.3 },
};

/** Velocity of a body after its first impact with another one; both fly. */
function firstImpact(names: readonly [string, string], seed: number, rate: number): Vec3 {
  const next = random(seed);
  const world = createWorld({ gravity: [0, 0, 0] });
  const any = (most: number): Vec3 => [0, 0, 0].map(() => (2 * next() - 1) * most) as Vec3;
  const turned = () => [...any(1), next()] as const;
  const a = world.createBody({
    mass: 1,
    position: [-2 - 0.15 * next(), 0.6 * next() - 0.3, 0.6 * next() - 0.3],
    rotation: turned(),
    linearVelocity: [6, 2 * next() - 1, 0],
    angularVelocity: any(1),
    shape: slippery(SHAPES[names[0]]!),
  });
  world.createBody({
    mass: 1,
    rotation: turned(),
    linearVelocity: [-2, next() - 0.5, 0],
    shape: slippery(SHAPES[names[1]]!),
  });
  const before = velocity(a);
  for (let i = 0; i < rate && length(sub(velocity(a), before)) < 0.02; i++) world.step(1 / rate);
  const after = velocity(a);
  world.dispose();
  return after;
}

row('any two shapes bounce off at 60 Hz as they do at 3,000 Hz, in the median of 40 throws', (m) => {
  for (const first of Object.keys(SHAPES))
    for (const second of Object.keys(SHAPES)) {
      const errors: number[] = [];
      for (let seed = 1; seed <= 40; seed++)
        errors.push(
          length(sub(firstImpact([first, second], seed, 60), firstImpact([first, second], seed, 3000))) /
            SPEED,
        );
      errors.sort((x, y) => x - y);
      m.atMost(`${first} on ${second}`, errors[20]!, 0.004, 'of the speed');
    }
});
