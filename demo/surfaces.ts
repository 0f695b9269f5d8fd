// In: the shapes of a body as a scene gives them. Out: their surface in the body's frame, to draw it: flat faces for
// polyhedra, smooth ones for what is round, which gets a lighter band: without a mark nobody sees it roll.
import type { ShapeOptions, SphereOptions } from 'ricochet';
import { cookHull, readTriangles } from 'ricochet/cooking';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { mergeGeometries, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

/** Radians. Terrain bends by less from triangle to triangle; steps by more. */
const CREASE = 0.6;
const DARK = 0.72;

type Numbers = ArrayLike<number>;

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value, value, value];
  if (typeof value === 'object' && value !== null && 'x' in value) {
    const { x, y, z, w } = value as { x: number; y: number; z: number; w?: number };
    return w === undefined ? [x, y, z] : [x, y, z, w];
  }
  return Array.from(value as Numbers);
}

function triangles({ vertices, indices }: { vertices: Float32Array; indices: Uint32Array }): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(vertices, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

/** The points of a hull of balls that are farthest along many directions. */
function multiSphereSurface(spheres: readonly SphereOptions[]): BufferGeometry {
  const geometry = new IcosahedronGeometry(1, 9);
  const position = geometry.getAttribute('position');
  const [direction, place, best] = [new Vector3(), new Vector3(), new Vector3()];
  for (let i = 0; i < position.count; i++) {
    direction.fromBufferAttribute(position, i);
    let most = Number.NEGATIVE_INFINITY;
    for (const sphere of spheres) {
      place.fromArray(numbersOf(sphere.position ?? [0, 0, 0]));
      const reach = place.dot(direction) + sphere.radius;
      if (reach <= most) continue;
      most = reach;
      best.copy(place).addScaledVector(direction, sphere.radius);
    }
    position.setXYZ(i, best.x, best.y, best.z);
    geometry.getAttribute('normal').setXYZ(i, direction.x, direction.y, direction.z);
  }
  return geometry;
}

/** y is to become another axis. */
function upright(geometry: BufferGeometry, axis: 'x' | 'y' | 'z' | undefined): BufferGeometry {
  if (axis === 'x') return geometry.rotateZ(-Math.PI / 2);
  return axis === 'z' ? geometry.rotateX(Math.PI / 2) : geometry;
}

/** In the shape's own frame; null for a plane. */
function ownSurface(shape: ShapeOptions): BufferGeometry | null {
  switch (shape.type) {
    case 'box': {
      const [x, y, z] = numbersOf(shape.halfExtents) as [number, number, number];
      return new BoxGeometry(2 * x, 2 * y, 2 * z);
    }
    case 'sphere':
      return new SphereGeometry(shape.radius, 28, 20);
    case 'capsule':
      return upright(new CapsuleGeometry(shape.radius, 2 * shape.halfHeight, 8, 24), shape.axis);
    case 'cylinder':
      return upright(new CylinderGeometry(shape.radius, shape.radius, 2 * shape.halfHeight, 36), shape.axis);
    case 'cone':
      return upright(new ConeGeometry(shape.radius, 2 * shape.halfHeight, 36), shape.axis);
    case 'hull':
      return triangles(readTriangles(shape.geometry ?? cookHull(shape.points)));
    case 'tetrahedron':
      return triangles(readTriangles(cookHull(shape.points)));
    case 'triangle': {
      const list = Array.from(shape.points as ArrayLike<unknown>);
      const points = typeof list[0] === 'number' ? (list as number[]) : list.flatMap(numbersOf);
      return triangles({ vertices: Float32Array.from(points), indices: Uint32Array.of(0, 1, 2) });
    }
    case 'multiSphere':
      return multiSphereSurface(shape.spheres);
    case 'mesh':
    case 'heightfield': {
      const [x, y, z] = numbersOf(shape.scale ?? 1) as [number, number, number];
      return triangles(readTriangles(shape.geometry)).scale(x, y, z);
    }
    case 'plane':
      return null;
  }
}

const ROUND: readonly ShapeOptions['type'][] = ['sphere', 'capsule', 'cylinder', 'cone', 'multiSphere'];

/** A lighter band about the middle of the widest side; factors on the colour of the body. */
function banded(geometry: BufferGeometry, round: boolean): BufferGeometry {
  const { count } = geometry.getAttribute('position');
  const colors = new Float32Array(3 * count).fill(1);
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  if (!round) return geometry;
  geometry.computeBoundingBox();
  const size = geometry.boundingBox!.getSize(new Vector3());
  const axis = size.z >= size.x ? 'getX' : 'getZ';
  const half = 0.12 * Math.max(size.x, size.z);
  const position = geometry.getAttribute('position');
  for (let t = 0; t < count; t += 3) {
    const middle = (position[axis](t) + position[axis](t + 1) + position[axis](t + 2)) / 3;
    if (Math.abs(middle) > half) colors.fill(DARK, 3 * t, 3 * t + 9);
  }
  return geometry;
}

/** Factors on the colour of a body whose hulls are to be told apart. */
const TINTS = [
  [1, 1, 1],
  [0.62, 0.84, 1],
  [1, 0.78, 0.5],
  [0.72, 1, 0.66],
  [1, 0.66, 0.72],
  [0.8, 0.7, 1],
  [0.6, 1, 0.94],
  [1, 0.94, 0.55],
];

function tinted(geometry: BufferGeometry, number: number): void {
  const color = geometry.getAttribute('color');
  const [r, g, b] = TINTS[number % TINTS.length]! as [number, number, number];
  for (let i = 0; i < color.count; i++) color.setXYZ(i, r, g, b);
}

/** Positions, normals and shades; no index. Null where nothing is to be drawn. */
export function surfaceOf(shapes: readonly ShapeOptions[]): BufferGeometry | null {
  const parts: BufferGeometry[] = [];
  const hulls = shapes.filter(({ type }) => type === 'hull').length;
  for (const shape of shapes) {
    const own = ownSurface(shape);
    if (own === null) continue;
    const surface = shape.type === 'mesh' || shape.type === 'heightfield';
    let geometry = own.index === null ? own : own.toNonIndexed();
    if (surface) geometry = toCreasedNormals(geometry, CREASE);
    else if (!geometry.hasAttribute('normal')) geometry.computeVertexNormals();
    geometry.deleteAttribute('uv');
    banded(geometry, ROUND.includes(shape.type));
    if (hulls > 1 && shape.type === 'hull') tinted(geometry, parts.length);
    const place = new Vector3().fromArray(numbersOf(shape.position ?? [0, 0, 0]));
    const turn = new Quaternion().fromArray(numbersOf(shape.rotation ?? [0, 0, 0, 1]));
    parts.push(geometry.applyMatrix4(new Matrix4().compose(place, turn, new Vector3(1, 1, 1))));
  }
  return parts.length === 0 ? null : mergeGeometries(parts);
}
