// Transforms between objects, and small calculations. In: objects of three.js. Out: positions, rotations, scales.
import { Euler, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { Vector3Object } from './types';

export const cross = (a: Vector3Object, b: Vector3Object): Vector3Object => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});

/** Hz. Step rate for which Rapier's damping is converted. */
const RATE = 60;

/**
 * Converts Rapier's damping in 1/s, a factor 1 / (1 + damping · dt) per step, to the share of the velocity lost per
 * second.
 */
export function shareOf(damping: number): number {
  if (!(damping > 0)) return damping; // the engine rejects invalid values by name
  let left = 1;
  for (let i = 0; i < RATE; i++) left /= 1 + damping / RATE;
  return 1 - left;
}

export interface Place {
  position: Vector3;
  rotation: Quaternion;
  scale: Vector3;
}

const emptyPlace = (): Place => ({
  position: new Vector3(),
  rotation: new Quaternion(),
  scale: new Vector3(),
});

const matrix = new Matrix4();
const ONE = new Vector3(1, 1, 1);

const sign = (factor: number) => (factor < 0 ? -1 : 1);

/**
 * World transform of an object, with the signs of its own scale, which it keeps while it follows a body. Without them two negative
 * scales would be half a turn, and a mirror always one along x.
 */
export function worldPlace(object: Object3D): Place {
  object.updateWorldMatrix(true, false);
  const place = emptyPlace();
  const { x, y, z } = object.scale;
  const signs = new Vector3(sign(x), sign(y), sign(z));
  matrix.copy(object.matrixWorld).scale(signs).decompose(place.position, place.rotation, place.scale);
  place.scale.multiply(signs);
  return place;
}

/**
 * World → frame of a body at the pose of an object. Bodies have no scale, so the scale stays in the transforms of the
 * colliders.
 */
export function bodyFrame(object: Object3D): Matrix4 {
  const { position, rotation } = worldPlace(object);
  return new Matrix4().compose(position, rotation, ONE).invert();
}

/** The same for instances below an object: they are drawn by whole matrices, taken apart without signs. */
export function instanceFrame(object: Object3D): Matrix4 {
  object.updateWorldMatrix(true, false);
  const { position, rotation, scale } = emptyPlace();
  object.matrixWorld.decompose(position, rotation, scale);
  return new Matrix4().compose(position, rotation, ONE).invert();
}

/** Transform of an object in a body's frame. */
export function placeIn(frame: Matrix4, object: Object3D): Place {
  object.updateWorldMatrix(true, false);
  const place = emptyPlace();
  matrix.multiplyMatrices(frame, object.matrixWorld).decompose(place.position, place.rotation, place.scale);
  return place;
}

/** Compares props; arrays, vectors and rotations of three.js are compared by content: a render makes new ones. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Vector3 && b instanceof Vector3) return a.equals(b);
  if (a instanceof Euler && b instanceof Euler) return a.equals(b);
  if (a instanceof Quaternion && b instanceof Quaternion) return a.equals(b);
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((value, i) => Object.is(value, b[i]));
}
