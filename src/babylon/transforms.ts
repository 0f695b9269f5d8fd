// Poses between Babylon's nodes and bodies. In: nodes with parents and scaling, matrices of thin instances. Out: bodies
// placed, nodes and matrices that follow them.
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { BodyData } from './bodies';

type Vec3 = [number, number, number];

/** What Babylon keeps of thin instances. */
interface InstanceData {
  _thinInstanceDataStorage?: { matrixData: Float32Array | null; instancesCount: number };
}

/** The matrices of a mesh's thin instances, and how many there are. */
export function instancesOf(mesh: Mesh): { matrices: Float32Array; count: number } | null {
  const storage = (mesh as unknown as InstanceData)._thinInstanceDataStorage;
  if (!storage?.matrixData) return null;
  return { matrices: storage.matrixData, count: storage.instancesCount };
}

const matrix = new Matrix();
const inverse = new Matrix();
const local = new Matrix();
const position = new Vector3();
const scaling = new Vector3();
const rotation = new Quaternion();

/** The pose in a matrix, and its scale: valid until the next call. */
export function poseIn(
  matrices: ArrayLike<number>,
  index: number,
): { position: Vector3; rotation: Quaternion; scale: Vec3 } {
  Matrix.FromArrayToRef(matrices as Float32Array, 16 * index, matrix);
  matrix.decompose(scaling, rotation, position);
  return { position, rotation, scale: [scaling.x, scaling.y, scaling.z] };
}

const isMirrored = ({ scaling: { x, y, z } }: TransformNode) => x < 0 || y < 0 || z < 0;

/**
 * The pose of a node in the world, as Babylon takes its matrix apart, which may turn what is mirrored by half a turn: shapes have
 * the scaling that goes with it. Valid until the next call.
 */
export function poseOf(node: TransformNode): { position: Vector3; rotation: Quaternion } {
  if (node.parent || isMirrored(node)) {
    node.computeWorldMatrix(true);
    return { position: node.absolutePosition, rotation: node.absoluteRotationQuaternion };
  }
  if (node.rotationQuaternion) return { position: node.position, rotation: node.rotationQuaternion };
  Quaternion.FromEulerAnglesToRef(node.rotation.x, node.rotation.y, node.rotation.z, rotation);
  return { position: node.position, rotation };
}

/** Puts a node where a body is; its scaling stays. */
export function followBody(node: TransformNode, { rigid }: BodyData): void {
  const { parent } = node;
  const mirrored = isMirrored(node);
  if (!mirrored && (!parent || parent.getWorldMatrix().isIdentity())) {
    rigid.getPosition(position);
    node.position.copyFrom(position);
    rigid.getRotation(rotation);
    if (node.rotationQuaternion) node.rotationQuaternion.copyFrom(rotation);
    else rotation.toEulerAnglesToRef(node.rotation);
    return;
  }
  rigid.getPosition(position);
  rigid.getRotation(rotation).normalize();
  Matrix.ComposeToRef(node.absoluteScaling, rotation, position, local);
  if (parent) {
    parent.computeWorldMatrix(true).invertToRef(inverse);
    local.multiplyToRef(inverse, matrix);
    local.copyFrom(matrix);
  }
  if (mirrored) {
    // Its own mirrors are not part of its rotation.
    const { x, y, z } = node.scaling;
    Matrix.ScalingToRef(Math.sign(x) || 1, Math.sign(y) || 1, Math.sign(z) || 1, inverse);
    inverse.multiplyToRef(local, matrix);
    local.copyFrom(matrix);
  }
  // A parent that is scaled unevenly shears what is turned in it: the node keeps the scaling that it has.
  local.decompose(undefined, rotation, position);
  node.position.copyFrom(position);
  rotation.normalize();
  if (node.rotationQuaternion) node.rotationQuaternion.copyFrom(rotation);
  else rotation.toEulerAnglesToRef(node.rotation);
}

/** Puts the thin instances of a mesh where their bodies are; their scales stay. */
export function followInstances(mesh: Mesh, instances: readonly BodyData[]): void {
  const found = instancesOf(mesh);
  if (found === null) return;
  const count = Math.min(instances.length, found.matrices.length / 16);
  for (let i = 0; i < count; i++) {
    const { rigid, scale } = instances[i]!;
    rigid.getPosition(position);
    rigid.getRotation(rotation);
    Matrix.ComposeToRef(scaling.set(scale[0], scale[1], scale[2]), rotation, position, matrix);
    matrix.copyToArray(found.matrices, 16 * i);
  }
  mesh.thinInstanceBufferUpdated('matrix');
}
