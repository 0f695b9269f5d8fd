// What tests of continuous collision shoot with and at: random shapes, and walls of every kind across the x axis.
// In: a random source. Out: options of bodies; a shot has passed when its centre of mass is beyond the wall's middle.
import { type BodyOptions, heightfield, mesh, type RigidBody, type ShapeOptions, World } from '../../../src';
import { axisAngle, length, type Quat, scale, type Vec3 } from './vector';

export const SEED = Number(process.env['CONTINUOUS_SEED'] ?? 52);
const SOAK = process.env['SOAK'] === '1';
export const many = (soak: number, fast: number) => (SOAK ? soak : fast);

export const unitVector = (r: () => number): Vec3 => {
  for (;;) {
    const v: Vec3 = [2 * r() - 1, 2 * r() - 1, 2 * r() - 1];
    const l = length(v);
    if (l > 0.1 && l <= 1) return scale(v, 1 / l);
  }
};
export const randomTurn = (r: () => number): Quat => axisAngle(unitVector(r), 2 * Math.PI * r());

/** A rotation that takes the y axis to n. */
export function towards(n: Vec3): Quat {
  const axis: Vec3 = [n[2], 0, -n[0]];
  const s = length(axis);
  return s < 1e-6 ? [0, 0, 0, 1] : axisAngle(scale(axis, 1 / s), Math.atan2(s, n[1]));
}

export const KINDS = ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'hull'] as const;
export type Kind = (typeof KINDS)[number];

export function randomShape(kind: Kind, r: () => number): ShapeOptions {
  const size = 0.02 * 15 ** r(); // 2 to 30 cm
  const part = () => size * (0.3 + 0.7 * r());
  const surface = { friction: r(), restitution: r() < 0.3 ? 0 : r() };
  if (kind === 'sphere') return { type: kind, radius: size, ...surface };
  if (kind === 'box') return { type: kind, halfExtents: [part(), part(), part()], ...surface };
  if (kind === 'hull') {
    const points = Array.from({ length: 6 + Math.floor(20 * r()) }, () => scale(unitVector(r), part()));
    return { type: 'hull', points, ...surface };
  }
  return { type: kind, radius: part(), halfHeight: part(), ...surface };
}

/** How far the shape reaches from its origin. */
export function motionBoundOf(shape: ShapeOptions): number {
  if (shape.type === 'box') return length(shape.halfExtents as Vec3);
  if (shape.type === 'hull') return Math.max(...(shape.points as Vec3[]).map(length));
  if (shape.type === 'sphere') return shape.radius;
  return Math.hypot((shape as { radius: number }).radius, (shape as { halfHeight: number }).halfHeight);
}

/** Centre of mass in the world. */
export const centre = (body: RigidBody): Vec3 => body.getCenterOfMassPosition();

interface Wall {
  name: string;
  /** Half thickness, and the wall at the origin across the x axis. */
  make(half: number, r: () => number): BodyOptions;
  /** Shots into one wall: surfaces take a while to enter a world. */
  shots: number;
}
const SURFACE = { friction: 1, restitution: 1 };

/** A closed wall of triangles: two sheets of n × n cells, 60 m wide, and a rim. */
function wallMesh(half: number, n: number): { vertices: number[]; indices: number[] } {
  const vertices: number[] = [];
  const indices: number[] = [];
  const row = n + 1;
  for (const x of [-half, half])
    for (let j = 0; j <= n; j++)
      for (let i = 0; i <= n; i++) vertices.push(x, -30 + (60 * i) / n, -30 + (60 * j) / n);
  const quad = (a: number, b: number, c: number, d: number) => void indices.push(a, b, c, a, c, d);
  const back = row * row;
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const a = j * row + i;
      quad(a, a + row, a + row + 1, a + 1);
      quad(back + a, back + a + 1, back + a + row + 1, back + a + row);
    }
  for (let i = 0; i < n; i++) {
    quad(i, i + 1, back + i + 1, back + i);
    const top = n * row + i;
    quad(top + 1, top, back + top, back + top + 1);
    const left = i * row;
    quad(left + row, left, back + left, back + left + row);
    const right = i * row + n;
    quad(right, right + row, back + right + row, back + right);
  }
  return { vertices, indices };
}

export const WALLS: Wall[] = [
  {
    name: 'box',
    shots: 1,
    make: (half) => ({
      type: 'static',
      shape: { type: 'box', halfExtents: [half, 400, 400], ...SURFACE },
    }),
  },
  {
    name: 'hull',
    shots: 1,
    make: (half) => ({
      type: 'static',
      shape: {
        type: 'hull',
        points: [-1, 1].flatMap((x) =>
          [-30, 30].flatMap((y) => [-30, 30].map((z): Vec3 => [x * half, y, z])),
        ),
        ...SURFACE,
      },
    }),
  },
  {
    name: 'mesh',
    shots: 25,
    make: (half, r) => ({
      type: 'static',
      shape: { ...mesh(wallMesh(half, r() < 0.3 ? 1 : 4 + Math.floor(30 * r()))), ...SURFACE },
    }),
  },
  {
    name: 'sheet of a mesh',
    shots: 25,
    make: (_, r) => {
      const cells = 4 + Math.floor(30 * r());
      const { vertices, indices } = wallMesh(0, cells);
      const corners = (cells + 1) ** 2; // of the one side
      const sheet = indices.filter(
        (_, i) => Math.max(...indices.slice(i - (i % 3), i - (i % 3) + 3)) < corners,
      );
      return { type: 'static', shape: { ...mesh({ vertices, indices: sheet }), ...SURFACE } };
    },
  },
  {
    name: 'heightfield',
    shots: 25,
    make: (_, r) => {
      const cells = 4 + Math.floor(30 * r());
      const heights = new Float32Array((cells + 1) ** 2);
      return {
        type: 'static',
        // Up is −x: the shots come from above.
        rotation: axisAngle([0, 0, 1], Math.PI / 2),
        shape: heightfield({ rows: cells + 1, columns: cells + 1, heights, spacing: 60 / cells, ...SURFACE }),
      };
    },
  },
];

/** Weightless worlds with a wall each: a new one, of a new thickness, after as many shots as it takes. */
export class ShootingRange {
  private world = new World({ gravity: [0, 0, 0], sleeping: false });
  /** m: half the thickness of the wall. */
  half = 0;

  constructor(
    private readonly wall: Wall,
    private readonly r: () => number,
  ) {}

  /** The world of shot i; the shots are in order. */
  worldOf(i: number): World {
    if (i % this.wall.shots === 0) {
      this.world.dispose();
      this.world = new World({ gravity: [0, 0, 0], sleeping: false });
      this.half = 0.0005 * 10 ** this.r();
      this.world.createBody(this.wall.make(this.half, this.r));
    }
    return this.world;
  }

  dispose(): void {
    this.world.dispose();
  }
}
