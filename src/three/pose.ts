// Poses of objects apart from their scales. In: objects with parents. Out: where a body stands for them, and how an object
// below a parent has to be turned to show its body.
import { Matrix4, type Object3D, type Quaternion, type Vector3 } from 'three';

const matrix = new Matrix4();

/** Per axis −1 where a scale mirrors, else 1. */
function signsOf({ x, y, z }: Vector3, out: Vector3): Vector3 {
  return out.set(x < 0 ? -1 : 1, y < 0 ? -1 : 1, z < 0 ? -1 : 1);
}

/**
 * Takes the matrix of an object apart, with the signs of its own scale: an object keeps its scale while it follows a body. Without
 * them two negative scales would be half a turn, and a mirror always one along x, and the object would jump by that turn.
 */
export function poseOf(object: Object3D, position: Vector3, rotation: Quaternion, scale: Vector3): void {
  // Who writes the matrix by hand may have left the rest as it was, from which the matrix is made when a body moves the object.
  if (!object.matrixAutoUpdate) object.matrix.decompose(object.position, object.quaternion, object.scale);
  const signs = signsOf(object.scale, scale.clone());
  matrix.copy(object.matrixWorld).scale(signs).decompose(position, rotation, scale);
  scale.multiply(signs);
}

/** Makes a rotation in the world one below a parent. What mirrors above is one along x, as in `decompose`. */
export function turnBelow(parent: Object3D, rotation: Quaternion, parentRotation: Quaternion): void {
  rotation.premultiply(parent.getWorldQuaternion(parentRotation).invert());
  // Seen in a mirror, turns about the other two axes go the other way.
  if (parent.matrixWorld.determinant() < 0) {
    rotation.y *= -1;
    rotation.z *= -1;
  }
}
