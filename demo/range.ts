// The driving range: what stands on it, without the renderer. In: a world, in the page or a worker. Out: bodies, with what
// they look like. x to the left of the start, z ahead, in metres.
import { type BodyOptions, deterministic, mesh, type PhysicsWorld, type WorldBody } from 'ricochet';
import type { VehicleOptions, WheelOptions } from 'ricochet/vehicle';

const { sin, cos, quatFromAxisAngle } = deterministic;

type Vec3 = [number, number, number];
export type Tint = 'stone' | 'kerb' | 'mud' | 'ramp' | 'crate' | 'cone' | 'plank' | 'road';

/** A body, and how it is drawn. */
export interface Piece {
  body: WorldBody;
  tint: Tint;
  /** A box, a cone, or triangles. */
  form:
    | { halfExtents: Vec3 }
    | { radius: number; height: number }
    | { vertices: readonly number[]; indices: readonly number[] };
}

/** A thing to drive. */
export interface Model {
  name: string;
  mass: number;
  halfExtents: Vec3;
  /** m, of its centre when it stands. */
  height: number;
  options: Omit<VehicleOptions, 'chassis'>;
}

const pairs = (along: readonly number[], aside: number, wheel: Omit<WheelOptions, 'position'>, y = -0.3) =>
  along.flatMap((z) => [aside, -aside].map((x) => ({ ...wheel, position: [x, y, z] as Vec3 })));

export const MODELS: readonly Model[] = [
  {
    name: 'car',
    mass: 1200,
    halfExtents: [0.85, 0.25, 2],
    height: 0.65,
    options: { drive: 'all', wheels: pairs([1.3, -1.3], 0.8, {}), downforce: 0.6 },
  },
  {
    name: 'motorcycle',
    mass: 240,
    halfExtents: [0.15, 0.3, 0.65],
    height: 0.62,
    options: {
      kind: 'motorcycle',
      wheels: [
        { position: [0, -0.3, 0.75], radius: 0.32, width: 0.12 },
        { position: [0, -0.3, -0.7], radius: 0.32, width: 0.16 },
      ],
    },
  },
  {
    name: 'tank',
    mass: 9000,
    halfExtents: [1, 0.4, 2.2],
    height: 0.9,
    options: {
      kind: 'tracked',
      wheels: pairs([1.8, 0.9, 0, -0.9, -1.8], 1.05, { radius: 0.42, width: 0.4 }, -0.48),
      steering: { turnRate: 1.4 },
      gearbox: { ratios: [6, 4, 2.8, 2] },
    },
  },
  {
    name: 'lorry',
    mass: 7000,
    halfExtents: [1.15, 0.8, 3.2],
    height: 1.45,
    options: {
      drive: 'all',
      wheels: pairs([2.2, -1.1, -2.2], 1, { radius: 0.5 }, -0.95),
      gearbox: { ratios: [5, 3.4, 2.4, 1.7, 1.25, 1] },
      suspension: { frequency: 1.6, antiRoll: 0.6 },
    },
  },
];

/**
 * Where it begins, its radius, half its width, and how far beside itself it ends, m. Whoever comes in by `heading`, rad, stays
 * on it without steering: a straight way that is rolled up.
 */
export const LOOP = { at: [0, 0.02, 60] as Vec3, radius: 7, half: 2.4, aside: -5.2, heading: -0.1177 };

/** Triangles of a strip: `rows` lines across, each from its left to its right end. */
function strip(rows: number, line: (row: number) => [Vec3, Vec3]): { vertices: number[]; indices: number[] } {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (const point of line(row)) vertices.push(...point);
    const a = 2 * row;
    if (row + 1 < rows) indices.push(a, a + 2, a + 1, a + 1, a + 2, a + 3);
  }
  return { vertices, indices };
}

/** A road that goes up, over and down again, and leaves beside where it came in. */
function loop(at: Vec3, radius: number, half: number, aside: number) {
  const rows = 97;
  return strip(rows, (row) => {
    const angle = (2 * Math.PI * row) / (rows - 1);
    const x = at[0] + (aside * row) / (rows - 1);
    const [y, z] = [at[1] + radius * (1 - cos(angle)), at[2] + radius * sin(angle)];
    return [
      [x + half, y, z],
      [x - half, y, z],
    ];
  });
}

/** Bumps to drive over, flat at their border. */
function bumps(at: Vec3, side: number, cells: number, rise: number) {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= cells; i++)
    for (let k = 0; k <= cells; k++) {
      const [x, z] = [(side * k) / cells - side / 2, (side * i) / cells - side / 2];
      const inside = Math.min(1, 0.35 * Math.min(side / 2 - Math.abs(x), side / 2 - Math.abs(z)));
      const y = rise * inside * (0.6 + sin(0.9 * x + 1) * cos(0.7 * z) + 0.3 * sin(1.9 * z + 0.5 * x));
      vertices.push(at[0] + x, at[1] + y, at[2] + z);
    }
  for (let i = 0; i < cells; i++)
    for (let k = 0; k < cells; k++) {
      const a = i * (cells + 1) + k;
      indices.push(a, a + cells + 1, a + 1, a + 1, a + cells + 1, a + cells + 2);
    }
  return { vertices, indices };
}

/** Builds everything but what is driven. */
export function furnishRange(world: PhysicsWorld): Piece[] {
  const pieces: Piece[] = [];
  const add = (tint: Tint, form: Piece['form'], options: BodyOptions) =>
    pieces.push({ tint, form, body: world.createBody(options) });
  const box = (
    tint: Tint,
    position: Vec3,
    halfExtents: Vec3,
    { mass = 0, pitch = 0, friction = 0.6 }: { mass?: number; pitch?: number; friction?: number } = {},
  ) =>
    add(tint, { halfExtents }, {
      ...(mass > 0 ? { mass } : { type: 'static' as const }),
      position,
      rotation: quatFromAxisAngle([1, 0, 0], pitch),
      shape: { type: 'box', halfExtents, friction },
    } as BodyOptions);
  const surface = (tint: Tint, form: { vertices: number[]; indices: number[] }) =>
    add(tint, form, { type: 'static', shape: mesh({ ...form, friction: 0.8 }) });

  world.createBody({ type: 'static', shape: { type: 'plane', friction: 0.8 } });
  // Kerbs of 15 cm: straight across, and slanting.
  for (let i = 0; i < 4; i++) box('kerb', [-12, 0.075, 14 + 7 * i], [4, 0.075, 0.9]);
  for (let i = 0; i < 3; i++)
    add(
      'kerb',
      { halfExtents: [4, 0.075, 0.4] },
      {
        type: 'static',
        position: [-12, 0.075, 46 + 7 * i],
        rotation: quatFromAxisAngle([0, 1, 0], 0.5 - 0.5 * i),
        shape: { type: 'box', halfExtents: [4, 0.075, 0.4] },
      },
    );
  // Jumps: a ramp, a gap, a landing.
  for (const [z, pitch] of [
    [28, 0.16],
    [78, 0.3],
  ] as const) {
    box('ramp', [12, 3.2 * sin(pitch), z], [3, 0.1, 4], { pitch: -pitch });
    box('ramp', [12, 5 * sin(pitch / 2), z + 18], [3, 0.1, 5], { pitch: pitch / 2 });
  }
  // The loop, with a straight way to it.
  surface('road', loop(LOOP.at, LOOP.radius, LOOP.half, LOOP.aside));
  const turned = quatFromAxisAngle([0, 1, 0], LOOP.heading);
  const form = { halfExtents: [LOOP.half, 0.01, 27] as Vec3 };
  for (const [x, side] of [
    [0, -28],
    [LOOP.aside, 28],
  ] as const) {
    const position: Vec3 = [x + side * sin(LOOP.heading), 0.005, LOOP.at[2] + side * cos(LOOP.heading)];
    add('road', form, { type: 'static', position, rotation: turned, shape: { type: 'box', ...form } });
  }
  // Mud: little grip, and it holds back what is in it.
  box('mud', [-34, 0.01, 30], [9, 0.02, 20], { friction: 0.14 });
  world.createBody({
    type: 'static',
    position: [-34, 0.5, 30],
    shape: { type: 'box', halfExtents: [9, 0.5, 20], sensor: true, area: { linearDrag: 0.9 } },
  } as BodyOptions);
  surface('stone', bumps([-34, 0.01, 70], 26, 52, 0.28));
  // Slalom, a wall of crates, a seesaw on a log.
  for (let i = 0; i < 7; i++)
    add('cone', { radius: 0.28, height: 0.7 }, {
      mass: 3,
      position: [30, 0.35, 8 + 9 * i],
      shape: { type: 'cone', radius: 0.28, halfHeight: 0.35 },
    } as BodyOptions);
  for (let i = 0; i < 21; i++)
    box('crate', [26 + 1.3 * (i % 7), 0.5 + Math.floor(i / 7) * 1.01, 90], [0.6, 0.5, 0.5], { mass: 12 });
  box('stone', [22, 0.3, 60], [1.8, 0.3, 0.15]);
  box('plank', [22, 0.71, 60], [1.7, 0.08, 5], { mass: 350, pitch: 0.1, friction: 0.8 });
  return pieces;
}
