// Card houses: plates that stand and lean on each other, with flat ones between. The truth is that they stand. With the
// five substeps of the default, houses of real cards fell within seconds; cards that lean get shorter substeps now.
// SOAK=1 runs a minute of each.

import type { RigidBody, World } from '../../src/index';
import type { WorldOptions } from '../../src/types';
import { row } from './support/measure';
import { random } from './support/vector';
import { createWorld, position } from './support/world';

const SOAK = process.env['SOAK'] !== undefined;
const RATES = [30, 60, 144];
const SEED = Number(process.env['SEED'] ?? 1);

interface House {
  height: number;
  thickness: number;
  storeys: number;
  /** rad from the vertical. */
  lean: number;
  /** Share of the height by which cards are off their places, at random. */
  error?: number;
  next?: () => number;
}

function houseOf({ height, thickness, storeys, lean, error = 0, next = () => 0.5 }: House, world: World) {
  const depth = 0.7 * height;
  const half = thickness / 2;
  const cards: RigidBody[] = [];
  const add = (halfExtents: [number, number, number], x: number, y: number, turn: number) => {
    const off = () => error * height * (2 * next() - 1);
    cards.push(
      world.createBody({
        mass: 700 * height * depth * thickness,
        position: [x + off(), y, off()],
        rotation: [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)],
        shape: { type: 'box', halfExtents, friction: 0.9 },
      }),
    );
  };
  // A leaning card reaches from its lower corner to its upper one.
  const rise = height * Math.cos(lean) + thickness * Math.sin(lean);
  const wide = height * Math.sin(lean) + thickness * Math.cos(lean);
  for (let level = 0; level < storeys; level++) {
    const floor = level * (rise + thickness);
    const tents = storeys - level;
    for (let i = 0; i < tents; i++)
      for (const side of [-1, 1])
        add(
          [half, height / 2, depth / 2],
          (i - (tents - 1) / 2) * height + (side * wide) / 2,
          floor + rise / 2,
          side * lean,
        );
    for (let i = 0; i < tents - 1; i++)
      add([height / 2, half, depth / 2], (i - (tents - 2) / 2) * height, floor + rise + half, 0);
  }
  return cards;
}

function createTable(options: WorldOptions = {}): World {
  const world = createWorld(options);
  world.createBody({
    type: 'static',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [20, 0.5, 20], friction: 0.9 },
  });
  return world;
}

/** Share of its height by which a card sinks at most. */
function sinks(house: House, rate: number, seconds: number): number {
  const world = createTable();
  const cards = houseOf(house, world);
  const starts = cards.map(position);
  let most = 0;
  for (let i = 0; i < seconds * rate && most < house.height; i++) {
    world.step(1 / rate);
    for (const [k, card] of cards.entries()) most = Math.max(most, starts[k]![1] - position(card)[1]);
  }
  world.dispose();
  return most / house.height;
}

for (const rate of RATES)
  row(`card houses of 3, 5 and 7 storeys stand at ${rate} Hz`, (m) => {
    for (const height of [0.03, 0.088, 0.88])
      for (const thickness of [height / 44, height / 88])
        for (const storeys of [3, 5, 7])
          m.atMost(
            `cards of ${height} m × ${(1000 * thickness).toFixed(2)} mm, ${storeys} storeys: sinks, share of the height`,
            sinks({ height, thickness, storeys, lean: 0.3 }, rate, SOAK ? 60 : 5),
            0.03 * storeys,
          );
  });

row(`30 houses of real cards at random stand (seed ${SEED})`, (m) => {
  let worst = 0;
  for (let seed = SEED; seed < SEED + 30; seed++) {
    const next = random(seed);
    const house: House = {
      height: 0.05 + 0.1 * next(),
      thickness: 0.001 + 0.002 * next(),
      storeys: 2 + Math.floor(3 * next()),
      lean: 0.2 + 0.2 * next(),
      error: 0.004,
      next,
    };
    worst = Math.max(worst, sinks(house, RATES[seed % 3]!, SOAK ? 60 : 4));
  }
  m.atMost('sinks, share of the height', worst, 0.15);
});

row('a house that is restored into a new world stands on with the same hashes', (m) => {
  const world = createTable();
  houseOf({ height: 0.088, thickness: 0.002, storeys: 3, lean: 0.3 }, world);
  for (let i = 0; i < 40; i++) world.step(1 / 60);
  const copy = createWorld();
  copy.restore(world.snapshot());
  let equal = 0;
  for (let i = 0; i < 120; i++) {
    world.step(1 / 60);
    copy.step(1 / 60);
    if (world.stateHash() === copy.stateHash()) equal++;
  }
  m.equal('equal hashes', equal, 120);
  world.dispose();
  copy.dispose();
});

row('only cards that balance get shorter substeps', (m) => {
  // A ball that falls by the speed at the end of each of n substeps falls (n + 1)/(2n) g dt² in its first step.
  const substeps = (build: (world: World) => void) => {
    const world = createTable({ parabolicFlight: false });
    build(world);
    for (let i = 0; i < 30; i++) world.step(1 / 60);
    const ball = world.createBody({ mass: 1, position: [5, 50, 0], shape: { type: 'sphere', radius: 0.1 } });
    world.step(1 / 60);
    const share = ((50 - position(ball)[1]) * 3600) / 9.81;
    world.dispose();
    return Math.round(1 / (2 * share - 1));
  };
  const card = (x: number, y: number, turn: number) => ({
    mass: 0.01,
    position: [x, y, 0] as const,
    rotation: [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)] as const,
    shape: { type: 'box' as const, halfExtents: [0.001, 0.044, 0.03] as const },
  });
  m.equal(
    'a house of cards',
    substeps((world) => houseOf({ height: 0.088, thickness: 0.002, storeys: 2, lean: 0.3 }, world)),
    8,
  );
  m.equal(
    'cards that lie on each other',
    substeps((world) => {
      for (let i = 0; i < 5; i++) world.createBody(card(0, 0.001 + 0.002 * i, Math.PI / 2));
    }),
    5,
  );
  m.equal(
    'one card that falls over',
    substeps((world) => world.createBody(card(0, 0.043, 0.3))),
    5,
  );
  m.equal(
    'boxes on each other',
    substeps((world) => {
      for (let i = 0; i < 5; i++)
        world.createBody({
          mass: 1,
          position: [0, 0.05 + 0.1 * i, 0],
          shape: { type: 'box', halfExtents: [0.05, 0.05, 0.05] },
        });
    }),
    5,
  );
});
