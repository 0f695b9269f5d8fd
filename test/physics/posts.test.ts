// Slabs on posts, one storey above the other: tables on tables, scaffolds, houses, and the layers of planks of children's
// towers. A slab on four posts has more supports than it needs. What is asked is that nothing happens.
import { row } from './support/measure';
import { length, sub, type Vec3 } from './support/vector';
import { createWorld, position } from './support/world';

interface Part {
  at: Vec3;
  half: Vec3;
}

const POST = 0.5; // m, half of the height
const SLAB = 0.1;
const STOREY = 2 * (POST + SLAB);

const slabOn = (posts: readonly [number, number][], storeys: number, slab: Vec3 = [1.3, SLAB, 1.3]): Part[] =>
  Array.from({ length: storeys }, (_, i) => [
    ...posts.map(
      ([x, z]): Part => ({ at: [x, POST + i * STOREY, z], half: [0.1, POST, slab[2] < 1 ? 0.3 : 0.1] }),
    ),
    { at: [0, 2 * POST + SLAB + i * STOREY, 0] as Vec3, half: slab },
  ]).flat();
const corners: [number, number][] = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];
const middles: [number, number][] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [0, 0],
];
const triangle: [number, number][] = [
  [1, 0],
  [-0.5, 0.866],
  [-0.5, -0.866],
];
const pair: [number, number][] = [
  [-0.8, 0],
  [0.8, 0],
];
/** Layers of planks, every second one crosswise. */
const layers = (count: number, places: readonly number[], long: number, wide: number): Part[] =>
  Array.from({ length: count }, (_, i) =>
    places.map(
      (p): Part =>
        i % 2
          ? { at: [p, 0.15 + 0.3 * i, 0], half: [wide, 0.15, long] }
          : { at: [0, 0.15 + 0.3 * i, p], half: [long, 0.15, wide] },
    ),
  ).flat();

const STRUCTURES: Record<string, (storeys: number) => Part[]> = {
  'slab on 2 posts': (n) => slabOn(pair, n, [1, SLAB, 0.3]),
  'slab on 3 posts': (n) => slabOn(triangle, n),
  'slab on 4 posts': (n) => slabOn(corners, n),
  'slab on 9 posts': (n) => slabOn([...corners, ...middles], n),
  'log cabin': (n) => layers(2 * n, [-1, 1], 1.3, 0.15),
  'three planks a layer': (n) => layers(3 * n, [-0.51, 0, 0.51], 0.75, 0.25),
};

const SECONDS = 30;

/** m, largest way of a part sideways after the first second, and downwards; size: of all lengths; gravity: m/s², to match. */
function wander(parts: readonly Part[], rate: number, size = 1, gravity = 9.81 * size) {
  const world = createWorld({ gravity: [0, -gravity, 0] });
  const grow = (v: Vec3) => v.map((c) => c * size) as Vec3;
  world.createBody({
    type: 'static',
    position: grow([0, -1, 0]),
    shape: { type: 'box', halfExtents: grow([60, 1, 60]), friction: 0.7 },
  });
  const bodies = parts.map(({ at, half }) =>
    world.createBody({
      mass: 10,
      position: grow(at),
      shape: { type: 'box', halfExtents: grow(half), friction: 0.7 },
    }),
  );
  for (let i = 0; i < rate; i++) world.step(1 / rate);
  const start = bodies.map(position);
  for (let i = rate; i < SECONDS * rate; i++) world.step(1 / rate);
  const ways = bodies.map((body, i) => sub(position(body), start[i]!));
  world.dispose();
  return {
    sideways: Math.max(...ways.map(([x, , z]) => Math.hypot(x, z))) / size,
    whole: Math.max(...ways.map(length)) / size,
  };
}

for (const [rate, storeys, most] of [
  [60, 2, 0.002],
  [60, 4, 0.015],
  [144, 4, 0.01],
  [30, 2, 0.01],
  [30, 4, 0.05],
] as const)
  row(`${storeys} storeys at ${rate} Hz stand still for ${SECONDS} s`, (m) => {
    for (const [name, build] of Object.entries(STRUCTURES))
      m.atMost(`${name}, sideways`, wander(build(storeys), rate).sideways, most, 'm');
  });

row('6 storeys at 60 Hz stand', (m) => {
  for (const [name, build] of Object.entries(STRUCTURES))
    m.atMost(name, wander(build(6), 60).whole, 0.06, 'm');
});

// At 1 cm the body below the next one is within the breaking threshold of contacts, too.
row('2 storeys and towers of 8 blocks stand at 1 to 10 cm', (m) => {
  for (const size of [0.01, 0.02, 0.05, 0.1])
    for (const rate of [30, 60]) {
      const blocks = Array.from(
        { length: 8 },
        (_, i): Part => ({ at: [0, 0.5 + i, 0], half: [0.5, 0.5, 0.5] }),
      );
      m.atMost(`8 blocks of ${size} m at ${rate} Hz`, wander(blocks, rate, size, 9.81).whole, 0.02, 'sizes');
      if (rate === 60)
        m.atMost(`tables, 1 = ${size} m`, wander(slabOn(corners, 2), rate, size, 9.81).whole, 0.05, 'sizes');
    }
});

// Lengths and gravity eight times as large: every angle and every ratio of forces is the same.
row('towers of 4 to 16 blocks stand at any size, with gravity to match', (m) => {
  for (const half of [0.1, 0.25, 0.5])
    for (const size of [1, 3, 8])
      for (let n = 4; n <= 16; n += 2) {
        const parts = Array.from(
          { length: n },
          (_, i): Part => ({
            at: [0, half * (2 * i + 1), 0],
            half: [0.5, half, 0.5],
          }),
        );
        m.atMost(
          `${n} of height ${2 * half}, ${size} times as large`,
          wander(parts, 60, size).whole,
          0.02,
          'sizes',
        );
      }
});
