// What the benchmark runs: a scene in the vocabulary of the public API, plus the shapes and joints that
// some peers have and ricochet does not yet. Bodies come out resolved (every default filled in, masses
// from densities by closed forms), so that each adapter only translates and none of them decides.
import type { BodyOptions, BodyType, QuatLike, ShapeCommon, ShapeOptions, Vec3Like } from '../src/types';
import { hullGeometry } from './hull';

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export type BenchShape =
  | Extract<ShapeOptions, { type: 'sphere' | 'box' | 'capsule' | 'plane' }>
  | (ShapeCommon & { type: 'hull'; points: readonly Vec3[] })
  | (ShapeCommon & { type: 'mesh'; vertices: readonly Vec3[]; triangles: readonly Vec3[] });

export type BenchBody = Omit<BodyOptions, 'shape'> & { shape?: BenchShape | readonly BenchShape[] };

/** A joint between two bodies by their indices; anchor and axis in world coordinates at the start. */
export interface BenchJoint {
  type: 'ball' | 'hinge' | 'cone';
  bodyA: number;
  bodyB: number;
  anchor: Vec3;
  /** The hinge's or cone's axis, a unit vector. */
  axis?: Vec3;
  /** Radians about the axis, from the pose at the start. None: free. */
  limits?: [low: number, high: number];
  /** Of a cone, radians: half of its opening, and the turn about its axis either way. */
  cone?: [swing: number, twist: number];
  /** Of a hinge: rad/s of B against A, and the greatest torque in N·m. */
  motor?: [speed: number, torque: number];
}

/** What an engine must have for a scene. */
export type Feature =
  | 'capsule'
  | 'hull'
  | 'mesh'
  | 'joints'
  | 'cones'
  | 'motors'
  | 'kinematic'
  | 'sleeping'
  | 'respawn';

export interface BenchTarget {
  createBody(options: BenchBody): number;
  createJoint(joint: BenchJoint): void;
}

export interface BenchScene {
  id: string;
  title: string;
  gravity: Vec3;
  needs: readonly Feature[];
  /** Steps before the measured ones. Default 60. */
  warmup?: number;
  /** Measured steps. Default 300. */
  steps?: number;
  /** Off everywhere unless the scene is about sleep. */
  sleeping?: boolean;
  /** The bodies are meant to stay where they are: count those that do. */
  stands?: boolean;
  /** No body may end below this height. Default −1; none without gravity. */
  floor?: number;
  /** Bullet's own iteration count where its original scene sets one; only ammo reads it. */
  bulletIterations?: number;
  /** Closest-hit rays before every step, in the step's time: `aim` fills from and to, six numbers a ray. */
  rays?: { count: number; aim(time: number, rays: Float64Array): void };
  /** Left out unless it is named: too long for every run, or not to be judged by its sum. */
  optional?: boolean;
  build(target: BenchTarget): void;
  /** Kinematic bodies before each step: body index, pose at the end of the step. */
  move?(time: number, place: (body: number, position: Vec3, rotation: Quat) => void): void;
  /** Before each step, in its time: bodies that are removed and made again, by index, at a new position. */
  respawn?(step: number, replace: (body: number, position: Vec3) => void): void;
}

export interface ShapeSpec {
  type: 'sphere' | 'box' | 'capsule' | 'plane' | 'hull' | 'mesh';
  /** In the body's frame. A capsule lies along its own y, a plane faces its own +y. */
  position: Vec3;
  rotation: Quat;
  radius: number;
  halfHeight: number;
  halfExtents: Vec3;
  points: readonly Vec3[];
  triangles: readonly Vec3[];
  friction: number;
  restitution: number;
}

export interface BodySpec {
  index: number;
  type: BodyType;
  shapes: ShapeSpec[];
  position: Vec3;
  rotation: Quat;
  linearVelocity: Vec3;
  angularVelocity: Vec3;
  /** 0 unless dynamic. */
  mass: number;
  /** Symmetric tensor about the origin of the body, kg·m²: xx, yy, zz, xy, xz, yz. */
  inertia: number[];
  linearDamping: number;
  angularDamping: number;
  group: number;
  mask: number;
}

export interface SceneSpec {
  scene: BenchScene;
  bodies: BodySpec[];
  joints: BenchJoint[];
}

const ALL_BITS = -1;
const STATIC_GROUP = 2;
const DEFAULT_DENSITY = 1000;

export function resolveScene(scene: BenchScene): SceneSpec {
  const bodies: BodySpec[] = [];
  const joints: BenchJoint[] = [];
  scene.build({
    createBody(options) {
      bodies.push(resolveBody(options, bodies.length));
      return bodies.length - 1;
    },
    createJoint(joint) {
      joints.push(joint);
    },
  });
  return { scene, bodies, joints };
}

function resolveBody(options: BenchBody, index: number): BodySpec {
  const given =
    options.shape === undefined ? [] : Array.isArray(options.shape) ? options.shape : [options.shape];
  const shapes = (given as BenchShape[]).map(resolveShape);
  const type = options.type ?? (options.mass === 0 ? 'static' : 'dynamic');
  let mass = 0;
  let inertia = [0, 0, 0, 0, 0, 0];
  if (type === 'dynamic') {
    for (const [i, shape] of shapes.entries()) {
      const unit = unitMass(shape);
      mass += ((given as BenchShape[])[i].density ?? DEFAULT_DENSITY) * unit.volume;
    }
    if (options.mass !== undefined) mass = options.mass;
    // Dynamic bodies of the scenes have one shape at their origin; a compound one would need the parallel axes.
    inertia = shapes.length === 1 ? unitMass(shapes[0]).inertia.map((moment) => moment * mass) : inertia;
  }
  return {
    index,
    type,
    shapes,
    position: vector(options.position, [0, 0, 0]),
    rotation: quaternion(options.rotation),
    linearVelocity: vector(options.linearVelocity, [0, 0, 0]),
    angularVelocity: vector(options.angularVelocity, [0, 0, 0]),
    mass,
    inertia,
    linearDamping: options.linearDamping ?? 0,
    angularDamping: options.angularDamping ?? 0,
    group: options.group ?? (type === 'dynamic' ? 1 : STATIC_GROUP),
    mask: options.mask ?? (type === 'dynamic' ? ALL_BITS : ~STATIC_GROUP),
  };
}

function resolveShape(shape: BenchShape): ShapeSpec {
  const spec: ShapeSpec = {
    type: shape.type,
    position: vector(shape.position, [0, 0, 0]),
    rotation: quaternion(shape.rotation),
    radius: 0,
    halfHeight: 0,
    halfExtents: [0, 0, 0],
    points: [],
    triangles: [],
    friction: shape.friction ?? 0.5,
    restitution: shape.restitution ?? 0,
  };
  switch (shape.type) {
    case 'sphere':
      spec.radius = shape.radius;
      break;
    case 'box':
      spec.halfExtents = vector(shape.halfExtents, [0, 0, 0]);
      break;
    case 'capsule':
      spec.radius = shape.radius;
      spec.halfHeight = shape.halfHeight;
      if (shape.axis === 'x') spec.rotation = multiply(spec.rotation, [0, 0, -Math.SQRT1_2, Math.SQRT1_2]);
      if (shape.axis === 'z') spec.rotation = multiply(spec.rotation, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
      break;
    case 'plane': {
      const normal = vector(shape.normal, [0, 1, 0]);
      const offset = rotate(spec.rotation, scale(normal, shape.offset ?? 0));
      spec.position = [
        spec.position[0] + offset[0],
        spec.position[1] + offset[1],
        spec.position[2] + offset[2],
      ];
      spec.rotation = multiply(spec.rotation, fromUp(normal));
      break;
    }
    case 'hull':
      spec.points = shape.points;
      break;
    case 'mesh':
      spec.points = shape.vertices;
      spec.triangles = shape.triangles;
      break;
  }
  return spec;
}

/** Volume, and the inertia tensor of 1 kg about the centre. */
function unitMass(shape: ShapeSpec): { volume: number; inertia: number[] } {
  const r = shape.radius;
  if (shape.type === 'sphere') {
    const moment = 0.4 * r * r;
    return { volume: (4 / 3) * Math.PI * r ** 3, inertia: [moment, moment, moment, 0, 0, 0] };
  }
  if (shape.type === 'box') {
    const [x, y, z] = shape.halfExtents;
    return {
      volume: 8 * x * y * z,
      inertia: [(y * y + z * z) / 3, (x * x + z * z) / 3, (x * x + y * y) / 3, 0, 0, 0],
    };
  }
  if (shape.type === 'capsule') {
    const h = 2 * shape.halfHeight;
    const cylinder = Math.PI * r * r * h;
    const ball = (4 / 3) * Math.PI * r ** 3;
    const volume = cylinder + ball;
    const along = (cylinder * 0.5 * r * r + ball * 0.4 * r * r) / volume;
    // A half ball's centre lies 3/8 r beyond the end of the segment.
    const across =
      (cylinder * (h * h * (1 / 12) + 0.25 * r * r) + ball * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r)) /
      volume;
    const moments: Vec3 = [across, along, across];
    return { volume, inertia: rotateTensor(moments, shape.rotation) };
  }
  if (shape.type === 'hull') {
    const { volume, inertia } = hullGeometry(shape.points);
    return { volume, inertia };
  }
  return { volume: 0, inertia: [0, 0, 0, 0, 0, 0] };
}

/** R diag(moments) Rᵀ as xx, yy, zz, xy, xz, yz. */
function rotateTensor(moments: Vec3, rotation: Quat): number[] {
  const columns = [rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])];
  const entry = (i: number, j: number) =>
    columns.reduce((sum, column, k) => sum + moments[k] * column[i] * column[j], 0);
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
}

export function vector(value: Vec3Like | undefined, fallback: Vec3): Vec3 {
  if (value === undefined) return [...fallback];
  if ('x' in value) return [value.x, value.y, value.z];
  return [value[0], value[1], value[2]];
}

function quaternion(value: QuatLike | undefined): Quat {
  if (value === undefined) return [0, 0, 0, 1];
  const [x, y, z, w] =
    'x' in value ? [value.x, value.y, value.z, value.w] : [value[0], value[1], value[2], value[3]];
  const length = Math.hypot(x, y, z, w);
  return [x / length, y / length, z / length, w / length];
}

export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export function conjugate(q: Quat): Quat {
  return [-q[0], -q[1], -q[2], q[3]];
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const tx = 2 * (q[1] * v[2] - q[2] * v[1]);
  const ty = 2 * (q[2] * v[0] - q[0] * v[2]);
  const tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  return [
    v[0] + q[3] * tx + q[1] * tz - q[2] * ty,
    v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
    v[2] + q[3] * tz + q[0] * ty - q[1] * tx,
  ];
}

export function scale(v: Vec3, factor: number): Vec3 {
  return [v[0] * factor, v[1] * factor, v[2] * factor];
}

/** The shortest rotation that takes +y to a unit vector. */
export function fromUp(normal: Vec3): Quat {
  const [x, y, z] = normal;
  if (y < -0.999999) return [1, 0, 0, 0];
  const w = Math.sqrt((1 + y) / 2);
  return [z / (2 * w), 0, -x / (2 * w), w];
}

/** A point of the world in the frame of a body at its start. */
export function toLocal(body: BodySpec, point: Vec3): Vec3 {
  const relative: Vec3 = [
    point[0] - body.position[0],
    point[1] - body.position[1],
    point[2] - body.position[2],
  ];
  return rotate(conjugate(body.rotation), relative);
}
