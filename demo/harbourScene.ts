// The harbour: a basin with water and wind, a quay with belts that load crates into a barge, a slipway whose belt takes crates
// out of the water, a crane, a tug, sailing boats. In: a world in the page or in a worker. Out: its bodies.
import {
  type BodyOptions,
  deterministic,
  type PhysicsWorld,
  type ShapeId,
  type ShapeOptions,
  type WorldBody,
} from 'ricochet';
import { Crane } from './crane';

type Place = [number, number, number];
export type Note = (body: WorldBody, options: BodyOptions) => void;

/** kg/m³ */
export const WATER = 1000;
const WOOD = 350;
/** m: half sizes of a crate and of the pontoon of the barge. */
export const CRATE = 0.4;
export const BARGE: Readonly<Place> = [3.2, 0.45, 1.7];
const BARGE_AT: Place = [2.6, -0.15, 0];
/** m: the basin, and the top of the quay. */
export const BASIN = { from: [-4, -15], to: [22, 15], depth: 6 } as const;
const QUAY = 1;
/** The foot of the crane on the quay; rad: where its jib points. */
const CRANE_AT: Place = [-5.5, QUAY, -5];
const CRANE_HEADING = 0.35;
/** m/s */
const BELT = 1.5;
export const MOST_CRATES = 24;

export interface Harbour {
  tug: WorldBody;
  barge: WorldBody;
  crane: Crane;
  wind: { body: WorldBody; shape: ShapeId };
  /** Puts a new crate on the first belt. */
  addCrate(): WorldBody;
  crates: WorldBody[];
}

/** A boat's hull; x is ahead. */
function hull(length: number, beam: number, height: number, density: number): ShapeOptions {
  const [l, b, h] = [0.5 * length, 0.5 * beam, 0.5 * height];
  const ring = (y: number, share: number, bow: number) =>
    [
      [-l * share, y, -b * share],
      [-l * share, y, b * share],
      [0.45 * l, y, b * share],
      [0.45 * l, y, -b * share],
      [bow, y, 0],
    ].flat();
  return {
    type: 'hull',
    points: [...ring(h, 1, 1.15 * l), ...ring(-h, 0.7, 0.75 * l)],
    density,
    friction: 0.3,
  };
}

function basin(make: (options: BodyOptions) => WorldBody): void {
  const block = (from: Place, to: Place) =>
    make({
      type: 'static',
      position: from.map((low, i) => 0.5 * (low + to[i]!)) as Place,
      shape: { type: 'box', halfExtents: from.map((low, i) => 0.5 * (to[i]! - low)) as Place },
    });
  const { from, to, depth } = BASIN;
  block([from[0] - 12, -depth, from[1] - 2], [from[0], QUAY, to[1] + 2]);
  block([from[0], -depth, from[1] - 2], [to[0] + 2, 0.8, from[1]]);
  block([from[0], -depth, to[1]], [to[0] + 2, 0.8, to[1] + 2]);
  block([to[0], -depth, from[1]], [to[0] + 2, 0.8, to[1]]);
  // Piles that hold the barge in its place.
  const [x, , z] = BARGE_AT;
  for (const [dx, dz] of [
    [BARGE[0] + 0.45, -1],
    [BARGE[0] + 0.45, 1],
    [-2, BARGE[2] + 0.45],
    [2, BARGE[2] + 0.45],
    [-2, -BARGE[2] - 0.45],
    [2, -BARGE[2] - 0.45],
    [-BARGE[0] - 0.45, -1.4],
    [-BARGE[0] - 0.45, 1.4],
  ] as const)
    make({
      type: 'static',
      position: [x + dx, -2.2, z + dz],
      shape: { type: 'cylinder', radius: 0.22, halfHeight: 3.8, friction: 0.1 },
    });
}

/** A belt: a box with a surface that runs. */
function belts(make: (options: BodyOptions) => WorldBody): void {
  const belt = (position: Place, halfExtents: Place, linear: Place, tilt = 0, userIndex = 4) =>
    make({
      type: 'static',
      position,
      rotation: deterministic.quatFromAxisAngle([0, 0, 1], tilt),
      userIndex,
      shape: { type: 'box', halfExtents, friction: 1, surfaceVelocity: { linear } },
    });
  const top = QUAY + 0.15;
  belt([-6.7, top, 0], [5.8, 0.15, 0.75], [BELT, 0, 0]);
  belt([-11.75, top, 4.86], [0.75, 0.15, 4.09], [0, 0, -BELT]);
  belt([-8, top, 8.2], [3, 0.15, 0.75], [-BELT, 0, 0]);
  // The slipway: from 1 m below the water to the belts.
  belt([-2.35, QUAY - 0.6, 8.2], [3.1, 0.15, 0.9], [-BELT, 0, 0], deterministic.degreesToRadians(-24), 5);
  const guard = (position: Place, halfExtents: Place) =>
    make({ type: 'static', position, shape: { type: 'box', halfExtents, friction: 0.05 } });
  const high = QUAY + 0.5;
  guard([-12.6, high, 4.1], [0.08, 0.5, 5]);
  guard([-6.9, high, -0.85], [5.75, 0.5, 0.08]);
  guard([-6.1, high, 0.85], [4.75, 0.5, 0.08]);
  guard([-10.8, high, 4], [0.08, 0.5, 3.1]);
  guard([-9, high, 9.1], [3.6, 0.5, 0.08]);
  guard([-7.6, high, 7.3], [3.2, 0.5, 0.08]);
}

function boats(make: (options: BodyOptions) => WorldBody): { tug: WorldBody; barge: WorldBody } {
  const [l, h, w] = BARGE;
  const wall = (position: Place, halfExtents: Place): ShapeOptions => ({
    type: 'box',
    position,
    halfExtents,
    density: 60,
    friction: 0.1,
  });
  const barge = make({
    position: BARGE_AT,
    userIndex: 2,
    shape: [
      { type: 'box', halfExtents: [l, h, w], density: 300, friction: 0.12 },
      wall([l - 0.06, h + 0.3, 0], [0.06, 0.3, w]),
      wall([0, h + 0.3, w - 0.06], [l - 0.12, 0.3, 0.06]),
      wall([0, h + 0.3, 0.06 - w], [l - 0.12, 0.3, 0.06]),
    ],
  });
  const tug = make({
    position: [11, 0.1, 6],
    rotation: deterministic.quatFromAxisAngle([0, 1, 0], 2.4),
    userIndex: 0,
    shape: [
      hull(5, 2, 1.4, 380),
      { type: 'box', halfExtents: [1.2, 0.12, 0.3], position: [-0.2, -0.5, 0], density: 3000 },
      { type: 'box', halfExtents: [0.7, 0.5, 0.6], position: [-0.8, 1.2, 0], density: 60 },
      { type: 'cylinder', radius: 0.16, halfHeight: 0.4, position: [-1, 2, 0], density: 40 },
    ],
  });
  for (const [i, [x, z]] of (
    [
      [14, -8],
      [18, -3],
      [9, -11],
    ] as const
  ).entries())
    make({
      position: [x, 0.2, z],
      rotation: deterministic.quatFromAxisAngle([0, 1, 0], 1.3 * i),
      userIndex: 1 + i,
      shape: [
        hull(2.6, 1.1, 0.7, 220),
        { type: 'box', halfExtents: [0.7, 0.06, 0.1], position: [0, -0.45, 0], density: 7000 },
        { type: 'cylinder', radius: 0.04, halfHeight: 1.4, position: [0.2, 1.7, 0], density: 60 },
        { type: 'box', halfExtents: [0.6, 0.7, 0.02], position: [-0.42, 1.5, 0], density: 20 },
      ],
    });
  return { tug, barge };
}

/** Water and wind are areas: they are not drawn as bodies. */
function areas(world: PhysicsWorld): Harbour['wind'] {
  const { from, to, depth } = BASIN;
  const [x, z] = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
  const [l, w] = [0.5 * (to[0] - from[0]), 0.5 * (to[1] - from[1])];
  world.createBody({ type: 'static', shape: { type: 'plane', offset: -depth } });
  world.createBody({
    type: 'static',
    position: [x, -0.5 * depth, z],
    shape: {
      type: 'box',
      halfExtents: [l, 0.5 * depth, w],
      sensor: true,
      area: { density: WATER, linearDrag: 0.9, quadraticDrag: 0.1, angularDrag: 1.5 },
    },
  });
  const body = world.createBody({
    type: 'static',
    position: [x, 2.6, z],
    shape: { type: 'box', halfExtents: [l, 2.4, w], sensor: true, area: windOf(4) },
  });
  return { body, shape: body.shapes[0]! };
}

/** The option of an area with a wind along z, in m/s. */
export const windOf = (speed: number) => ({ velocity: [0, 0, speed] as Place, quadraticDrag: 0.012 });

/** Builds it. `note` hears of what is to be drawn; of crates, too, when they come. */
export function buildHarbour(world: PhysicsWorld, note: Note): Harbour {
  const make = (options: BodyOptions) => {
    const body = world.createBody(options);
    note(body, options);
    return body;
  };
  basin(make);
  belts(make);
  const { tug, barge } = boats(make);
  const crates: WorldBody[] = [];
  const crate = (position: Place) => {
    const body = make({
      position,
      userIndex: crates.length,
      shape: { type: 'box', halfExtents: [CRATE, CRATE, CRATE], density: WOOD, friction: 0.5 },
    });
    crates.push(body);
    return body;
  };
  for (let i = 0; i < 4; i++) crate([6 + 2 * i, 0.3, 9 + (i % 3)]);
  // For the crane, on the quay.
  for (let i = 0; i < 2; i++) crate([-5 - 1.1 * i, QUAY + CRATE, -9.2 - 0.6 * i]);
  return {
    tug,
    barge,
    crane: new Crane(world, make, CRANE_AT, CRANE_HEADING),
    wind: areas(world),
    crates,
    addCrate: () => crate([-11.75, 2, 5 + 0.6 * (crates.length % 3)]),
  };
}
