// Mass properties of shapes and bodies in f64. In: shapes with densities and places in the body's frame.
// Out: mass, centre of mass, principal moments and the rotation of the principal frame.
// Inertia of solids: closed forms; sums by Huygens–Steiner.

import { type Quat, quatMultiply, rotate, type Vec3 } from '../base/math';
import { diagonalize } from '../base/symmetric';
import { type Massive, momentsOf } from '../cooking/geometryMoments';
import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CONE, SHAPE_CYLINDER, SHAPE_SPHERE } from '../core/memory/constants';

export interface MassProperties {
  /** kg */
  mass: number;
  /** m, in the body's frame */
  centerOfMass: Vec3;
  /** kg·m², principal moments about the centre of mass */
  inertia: Vec3;
  /** Rotation of the principal frame in the body's frame. */
  principalRotation: Quat;
}

/** What mass properties depend on; ShapeRecord has it. */
export interface SolidShape {
  type: number;
  params: ArrayLike<number>;
  geometry?: Massive | undefined;
  localPosition: ArrayLike<number>;
  localRotation: ArrayLike<number>;
  density: number;
}

/** m³; 0 for a plane, mesh or heightfield, which have no inside. */
function shapeVolume(shape: Pick<SolidShape, 'type' | 'params' | 'geometry'>): number {
  const [a, b, c] = [shape.params[0]!, shape.params[1]!, shape.params[2]!];
  switch (shape.type) {
    case SHAPE_SPHERE:
      return (4 / 3) * Math.PI * a * a * a;
    case SHAPE_CAPSULE:
      return Math.PI * a * a * (2 * b + (4 / 3) * a);
    case SHAPE_BOX:
      return 8 * a * b * c;
    case SHAPE_CYLINDER:
      return 2 * Math.PI * a * a * b;
    case SHAPE_CONE:
      return (2 / 3) * Math.PI * a * a * b;
    default: // a hull, multi-sphere, triangle; surfaces and planes have none
      return shape.geometry === undefined ? 0 : momentsOf(shape.geometry).volume;
  }
}

/** Centre of mass in the shape's own frame. */
function shapeCenter(shape: SolidShape): Vec3 {
  return shape.type === SHAPE_CONE ? [0, -shape.params[1]! / 2, 0] : [0, 0, 0];
}

/** Centre of mass in the body's frame. */
function placedCenter(shape: SolidShape): Vec3 {
  const [x, y, z] = rotate(shape.localRotation, shapeCenter(shape));
  return [x + shape.localPosition[0]!, y + shape.localPosition[1]!, z + shape.localPosition[2]!];
}

/** Principal moments per unit of mass (m²) about the shape's own centre of mass, in its own frame; not of a hull. */
function unitInertia(shape: Pick<SolidShape, 'type' | 'params'>): Vec3 {
  const [a, b, c] = [shape.params[0]!, shape.params[1]!, shape.params[2]!];
  switch (shape.type) {
    case SHAPE_SPHERE: {
      const i = 0.4 * a * a;
      return [i, i, i];
    }
    case SHAPE_BOX:
      return [(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3];
    case SHAPE_CAPSULE: {
      // A cylinder of radius r and length 2h along y, and two half balls whose own centres of mass lie
      // 3r/8 from their flat sides. Shares by volume: cylinder 2h, the caps together 4r/3.
      const r = a;
      const h = b;
      const cylinder = (2 * h) / (2 * h + (4 / 3) * r);
      const caps = 1 - cylinder;
      const along = cylinder * 0.5 * r * r + caps * 0.4 * r * r;
      const across = cylinder * (0.25 * r * r + (h * h) / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
      return [across, along, across];
    }
    case SHAPE_CYLINDER: {
      const across = (a * a) / 4 + (b * b) / 3;
      return [across, (a * a) / 2, across];
    }
    case SHAPE_CONE: {
      // Of height 2b: 3/20 r² + 3/80 h².
      const across = 0.15 * (a * a + b * b);
      return [across, 0.3 * a * a, across];
    }
    default:
      return [0, 0, 0];
  }
}

/** Symmetric tensor: xx, yy, zz, xy, xz, yz. */
type Symmetric = [xx: number, yy: number, zz: number, xy: number, xz: number, yz: number];

/** R diag(d) Rᵀ for the rotation q, added to `sum` with a factor. */
function addRotatedDiagonal(sum: Symmetric, q: ArrayLike<number>, d: Vec3, factor: number): void {
  const axes = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
  for (let k = 0; k < 3; k++) {
    const [x, y, z] = axes[k]!;
    const w = d[k]! * factor;
    sum[0] += w * x * x;
    sum[1] += w * y * y;
    sum[2] += w * z * z;
    sum[3] += w * x * y;
    sum[4] += w * x * z;
    sum[5] += w * y * z;
  }
}

/** Inertia of a point mass m at offset d, added to `sum`. */
function addPointMass(sum: Symmetric, d: Vec3, m: number): void {
  const [x, y, z] = d;
  sum[0] += m * (y * y + z * z);
  sum[1] += m * (x * x + z * z);
  sum[2] += m * (x * x + y * y);
  sum[3] -= m * x * y;
  sum[4] -= m * x * z;
  sum[5] -= m * y * z;
}

/** Principal moments and axes of a symmetric tensor: xx, yy, zz, xy, xz, yz. */
export function principalAxes(tensor: ArrayLike<number>): { moments: Vec3; rotation: Quat } {
  const trace = Math.abs(tensor[0]!) + Math.abs(tensor[1]!) + Math.abs(tensor[2]!);
  const { moments, rotation } = diagonalize(tensor, 1e-7 * trace); // rotations arrive in f32: anything smaller is their rounding
  const largest = Math.max(moments[0], moments[1], moments[2]);
  // A ball stays a ball whatever the rounding of its rotation: the core leaves out the gyroscopic term.
  if (largest - Math.min(moments[0], moments[1], moments[2]) < 1e-6 * largest)
    return { moments: [largest, largest, largest], rotation: [0, 0, 0, 1] };
  return { moments, rotation };
}

/**
 * Mass properties of a body made of `shapes` (planes count for nothing).
 * `density` scales each shape's mass; a body without volume has mass 0.
 *
 * @param centerOfMass  overrides the computed one; the moments are taken about it
 */
export function massProperties(
  shapes: readonly SolidShape[],
  centerOfMass?: ArrayLike<number>,
): MassProperties {
  let mass = 0;
  const center: Vec3 = [0, 0, 0];
  for (const shape of shapes) {
    const m = shape.density * shapeVolume(shape);
    mass += m;
    const place = placedCenter(shape);
    for (let i = 0; i < 3; i++) center[i]! += m * place[i]!;
  }
  if (mass > 0) for (let i = 0; i < 3; i++) center[i] = center[i]! / mass;
  if (centerOfMass !== undefined) for (let i = 0; i < 3; i++) center[i] = centerOfMass[i]!;
  if (!(mass > 0))
    return { mass: 0, centerOfMass: center, inertia: [0, 0, 0], principalRotation: [0, 0, 0, 1] };

  const tensor: Symmetric = [0, 0, 0, 0, 0, 0];
  for (const shape of shapes) {
    const m = shape.density * shapeVolume(shape);
    if (m === 0) continue;
    const moments = shape.geometry && momentsOf(shape.geometry); // about the shape's origin: where its content has its centre
    if (moments === undefined) {
      addRotatedDiagonal(tensor, shape.localRotation, unitInertia(shape), m);
    } else {
      const own = principalAxes(moments.unitTensor);
      addRotatedDiagonal(tensor, quatMultiply(shape.localRotation, own.rotation), own.moments, m);
    }
    const place = placedCenter(shape);
    addPointMass(tensor, [place[0] - center[0], place[1] - center[1], place[2] - center[2]], m);
  }
  const { moments, rotation } = principalAxes(tensor);
  return { mass, centerOfMass: center, inertia: moments, principalRotation: rotation };
}
