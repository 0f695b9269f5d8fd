// The simple solids and faces that the functions of this folder take, as records of plain numbers. Boxes are placed
// as shapes of the engine are: a centre, a unit quaternion x, y, z, w, half extents along the axes it turns.
import { set, type VectorOut } from './vector';

/** All points with normal · p = offset. The normal has unit length; the solid side is the one it points away from. */
export interface Plane {
  /** Unit. */
  normal: VectorOut;
  /** m */
  offset: number;
}

/** An oriented box. */
export interface Obb {
  /** Centre. */
  center: VectorOut;
  /** m, ≥ 0 */
  halfExtents: VectorOut;
  /** Unit quaternion x, y, z, w. */
  rotation: VectorOut;
}

/** A flat rectangle: an oriented box of two half extents, in the x–y plane of its own frame. */
export interface Rectangle {
  /** Centre. */
  center: VectorOut;
  /** m, ≥ 0: along x and y of its frame */
  halfExtents: VectorOut;
  /** Unit quaternion x, y, z, w. */
  rotation: VectorOut;
}

/** All points no farther than `radius` (m) from the segment a b: a sphere-swept segment. */
export interface Capsule {
  /** One end of the segment. */
  a: VectorOut;
  /** The other end. */
  b: VectorOut;
  /** m, ≥ 0. */
  radius: number;
}

/** All points no farther than `radius` (m) from a rectangle: a sphere-swept rectangle. */
export interface Lozenge extends Rectangle {
  /** m, ≥ 0, around the rectangle. */
  radius: number;
}

/** A convex polyhedron: corners, faces and the planes of the faces. */
export interface Polyhedron {
  /** x, y, z of each corner, m */
  vertices: VectorOut;
  /** Unit normal x, y, z, pointing out, and offset of each face. */
  planes: VectorOut;
  /** Corners of each face, counter-clockwise from outside. */
  faces: readonly (readonly number[])[];
}

/** A new plane: y = 0, upwards. */
export function createPlane(): Plane {
  return { normal: [0, 1, 0], offset: 0 };
}

/** A new box of size 0 at the origin. */
export function createObb(): Obb {
  return { center: [0, 0, 0], halfExtents: [0, 0, 0], rotation: [0, 0, 0, 1] };
}

/** A new rectangle of size 0 at the origin. */
export function createRectangle(): Rectangle {
  return { center: [0, 0, 0], halfExtents: [0, 0], rotation: [0, 0, 0, 1] };
}

/** A new capsule of size 0 at the origin. */
export function createCapsule(): Capsule {
  return { a: [0, 0, 0], b: [0, 0, 0], radius: 0 };
}

/** A new lozenge of size 0 at the origin. */
export function createLozenge(): Lozenge {
  return { ...createRectangle(), radius: 0 };
}

/** The corners of a rectangle in order, written to four vectors. */
export function cornersOfRectangle(rectangle: Rectangle, axes: VectorOut, corners: VectorOut[]): void {
  const { center } = rectangle;
  const u = rectangle.halfExtents[0];
  const v = rectangle.halfExtents[1];
  for (let i = 0; i < 4; i++) {
    const s = i === 0 || i === 3 ? -u : u;
    const t = i < 2 ? -v : v;
    set(
      corners[i],
      center[0] + s * axes[0] + t * axes[3],
      center[1] + s * axes[1] + t * axes[4],
      center[2] + s * axes[2] + t * axes[5],
    );
  }
}
