// Ragdolls of skinned meshes. In: a model with a skeleton, in any pose, under any parents, and its animation. Out: bodies and
// joints in a world, bones that follow them. The rigid poses of the bodies are laid on the matrices of the bones, so that
// scales, mirrored and sheared hierarchies are drawn as the animation draws them.
import { PhysicsError } from 'ricochet/cooking';
import {
  planRagdoll,
  Ragdoll,
  type RagdollBody,
  type RagdollJoint,
  type RagdollOptions,
  type RagdollPlan,
  type RagdollPlanOptions,
  type RagdollWorld,
  type SkeletonBone,
} from 'ricochet/ragdoll';
import { Matrix4, type Object3D, Quaternion, type SkinnedMesh, Vector3 } from 'three';

/** Options of the plan and of the ragdoll. */
export interface SkinnedRagdollOptions extends RagdollPlanOptions, Omit<RagdollOptions, 'pose'> {}

/** Vertices that are looked at, per mesh. */
const MOST_VERTICES = 20000;
/** Share of its size by which a matrix may differ from position, rotation and scale. */
const SHEAR = 1e-5;

const [x, y, z, at] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
const basis = new Matrix4();

/** Position and rotation of a matrix without its scales and shear: x as it is, y in its plane. */
function rigid(matrix: Matrix4, position: Vector3, rotation: Quaternion): void {
  position.setFromMatrixPosition(matrix);
  matrix.extractBasis(x, y, z);
  x.normalize();
  y.addScaledVector(x, -x.dot(y)).normalize();
  z.crossVectors(x, y);
  rotation.setFromRotationMatrix(basis.makeBasis(x, y, z)).normalize();
}

function meshesOf(root: Object3D): SkinnedMesh[] {
  const meshes: SkinnedMesh[] = [];
  if (typeof root?.traverse !== 'function')
    throw new PhysicsError('invalid-argument', 'must be an object of three.js', 'object', root);
  root.traverse((object) => {
    if ('isSkinnedMesh' in object) meshes.push(object as SkinnedMesh);
  });
  if (meshes.length === 0)
    throw new PhysicsError(
      'invalid-argument',
      'must be a SkinnedMesh, or have one below it',
      'object',
      root.name,
    );
  return meshes;
}

interface Bound {
  bones: Object3D[];
  skeleton: SkeletonBone[];
}

/** Bones of all meshes, parents first, each at rest as its inverse says, and the vertices that follow it. */
function readSkeleton(root: Object3D): Bound {
  const meshes = meshesOf(root);
  const inverses = new Map<Object3D, Matrix4>();
  for (const { skeleton } of meshes)
    for (const [i, bone] of skeleton.bones.entries())
      if (bone !== undefined && !inverses.has(bone)) inverses.set(bone, skeleton.boneInverses[i]!);
  let top: Object3D = root;
  while (top.parent !== null) top = top.parent;
  top.updateMatrixWorld();
  const bones: Object3D[] = [];
  // Bones need not lie below the mesh.
  top.traverse((object) => {
    if (inverses.has(object)) bones.push(object);
  });
  if (bones.length === 0)
    throw new PhysicsError(
      'invalid-argument',
      'must have bones in the scene of its mesh',
      'object',
      root.name,
    );
  // What the ancestors of the skeleton do to it now, they do to its pose at rest.
  const first = bones[0]!;
  const now = first.matrixWorld.clone().multiply(inverses.get(first)!);
  const rest = bones.map((bone) => now.clone().multiply(inverses.get(bone)!.clone().invert()));
  const vertices = bones.map((): number[] => []);
  const poses = rest.map((matrix) => {
    const [position, rotation] = [new Vector3(), new Quaternion()];
    rigid(matrix, position, rotation);
    return { position, rotation };
  });
  const indexOf = new Map(bones.map((bone, i) => [bone, i]));
  for (const mesh of meshes) gather(mesh, { now, indexOf, poses, vertices });
  const skeleton = bones.map((bone, i) => {
    let above = bone.parent;
    while (above !== null && !indexOf.has(above)) above = above.parent;
    const { position, rotation } = poses[i]!;
    return {
      name: nameOf(bone, i, bones),
      parent: above === null ? -1 : indexOf.get(above)!,
      position: position.toArray(),
      rotation: rotation.toArray() as [number, number, number, number],
      vertices: vertices[i]!,
    };
  });
  return { bones, skeleton };
}

/** Names may be missing, or given twice. */
const nameOf = (bone: Object3D, i: number, bones: readonly Object3D[]) =>
  bone.name === '' || bones.findIndex(({ name }) => name === bone.name) !== i
    ? `${bone.name}#${i}`
    : bone.name;

interface Gathered {
  now: Matrix4;
  indexOf: ReadonlyMap<Object3D, number>;
  poses: readonly { position: Vector3; rotation: Quaternion }[];
  vertices: readonly number[][];
}

/** Each vertex goes to the bone that moves it most, in its rigid frame. */
function gather(mesh: SkinnedMesh, { now, indexOf, poses, vertices }: Gathered): void {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  if (position === undefined || skinIndex === undefined || skinWeight === undefined) return;
  const stride = Math.ceil(position.count / MOST_VERTICES);
  const back = new Quaternion();
  for (let i = 0; i < position.count; i += stride) {
    let [most, which] = [0, -1];
    for (let k = 0; k < 4; k++) {
      const weight = skinWeight.getComponent(i, k);
      if (weight > most) [most, which] = [weight, skinIndex.getComponent(i, k)];
    }
    const bone = indexOf.get(mesh.skeleton.bones[which]!);
    if (bone === undefined) continue;
    at.fromBufferAttribute(position, i).applyMatrix4(mesh.bindMatrix).applyMatrix4(now);
    at.sub(poses[bone]!.position).applyQuaternion(back.copy(poses[bone]!.rotation).invert());
    vertices[bone]!.push(at.x, at.y, at.z);
  }
}

/** A bone with a body: what the animation says of it, and what was written to it. */
class Follower {
  readonly matrix = new Matrix4();
  private readonly own = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
  private readonly written = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
  private isWritten = false;
  private isSheared = false;

  constructor(readonly bone: Object3D) {}

  /** A mixer writes only what changes: what is still as it was drawn goes back to the animation. */
  restore(): void {
    if (!this.isWritten) return;
    const { bone, own, written } = this;
    if (bone.position.equals(written.position)) bone.position.copy(own.position);
    if (bone.quaternion.equals(written.quaternion)) bone.quaternion.copy(own.quaternion);
    if (bone.scale.equals(written.scale)) bone.scale.copy(own.scale);
    if (this.isSheared) bone.matrixAutoUpdate = true;
    this.isSheared = false;
    this.isWritten = false;
  }

  /** Makes `target` its matrix in the world. */
  write(target: Matrix4): void {
    const { bone, own, written } = this;
    if (!this.isWritten) {
      own.position.copy(bone.position);
      own.quaternion.copy(bone.quaternion);
      own.scale.copy(bone.scale);
    }
    if (bone.parent !== null) {
      bone.parent.updateWorldMatrix(true, false);
      target.premultiply(basis.copy(bone.parent.matrixWorld).invert());
    }
    target.decompose(bone.position, bone.quaternion, bone.scale);
    written.position.copy(bone.position);
    written.quaternion.copy(bone.quaternion);
    written.scale.copy(bone.scale);
    this.isWritten = true;
    bone.updateMatrix();
    const size = target.getMaxScaleOnAxis();
    const shears = target.elements.some(
      (e, k) => k < 12 && Math.abs(e - bone.matrix.elements[k]!) > SHEAR * size,
    );
    // Position, rotation and scale do not say all of it.
    if (shears) bone.matrix.copy(target);
    if (shears || this.isSheared) bone.matrixAutoUpdate = !shears;
    this.isSheared = shears;
    bone.updateWorldMatrix(false, false);
  }
}

/** A ragdoll of a skinned model: its bones follow the bodies. */
export class SkinnedRagdoll<Body extends RagdollBody, Joint extends RagdollJoint> {
  /** Its bodies, joints, modes, motors. */
  readonly ragdoll: Ragdoll<Body, Joint>;
  private readonly followers: Follower[];
  private readonly pose: Float64Array;
  private readonly drawn: Float64Array;
  private readonly tops: Object3D[];
  private readonly culled: SkinnedMesh[];

  /**
   * Adds it to a world, at the pose that the model has now. Frustum culling of its meshes is switched off, because three.js
   * does not compute their bounds anew.
   *
   * @param object  a SkinnedMesh, or an object with SkinnedMeshes below it, which form one character
   * @throws PhysicsError 'invalid-argument' if there is no skinned mesh, and as planRagdoll and Ragdoll
   */
  constructor(
    world: RagdollWorld<Body, Joint>,
    /** The model. */
    readonly object: Object3D,
    options: SkinnedRagdollOptions = {},
  ) {
    const { bones, skeleton } = readSkeleton(object);
    const { roles, kind, mass, shapes, ...rest } = options;
    const given = { roles, kind, mass, shapes };
    for (const key of Object.keys(given) as (keyof typeof given)[])
      if (given[key] === undefined) delete given[key];
    const plan = planRagdoll(skeleton, given as RagdollPlanOptions);
    this.followers = plan.parts.map(({ bone }) => new Follower(bones[bone]!));
    this.pose = new Float64Array(7 * bones.length);
    this.drawn = new Float64Array(7 * plan.parts.length);
    this.tops = bones.filter((_, i) => skeleton[i]!.parent < 0);
    this.read(plan);
    this.ragdoll = new Ragdoll(world, plan, { ...rest, pose: this.pose });
    this.culled = meshesOf(object).filter(({ frustumCulled }) => frustumCulled);
    for (const mesh of this.culled) mesh.frustumCulled = false;
  }

  /** Of the bones as they are now. */
  private read({ parts }: RagdollPlan): void {
    for (const top of this.tops) top.updateWorldMatrix(true, true);
    const [position, rotation] = [new Vector3(), new Quaternion()];
    parts.forEach(({ bone }, i) => {
      const follower = this.followers[i]!;
      follower.matrix.copy(follower.bone.matrixWorld);
      rigid(follower.matrix, position, rotation);
      position.toArray(this.pose, 7 * bone);
      rotation.toArray(this.pose, 7 * bone + 3);
    });
  }

  /**
   * After the mixer, before the world's step or `update`: takes the pose of the animation.
   *
   * @param dt  s since the last call; 0 after the model was put elsewhere
   */
  drive(dt: number): void {
    if (this.ragdoll.isRemoved) return;
    for (const follower of this.followers) follower.restore();
    this.read(this.ragdoll.plan);
    this.ragdoll.drive(this.pose, dt);
  }

  /** After the step or `update`: writes poses to the bones. */
  draw(): void {
    const { ragdoll, drawn, pose } = this;
    if (ragdoll.isRemoved || ragdoll.isPlain) return;
    ragdoll.draw(drawn);
    ragdoll.plan.parts.forEach(({ bone }, i) => {
      const follower = this.followers[i]!;
      follower.write(moved(follower.matrix, pose, 7 * bone, drawn, 7 * i));
    });
    for (const top of this.tops) top.updateWorldMatrix(false, true);
  }

  /** Removes it from the world; the bones have the animation's pose again. */
  remove(): void {
    for (const follower of this.followers) follower.restore();
    for (const mesh of this.culled) mesh.frustumCulled = true;
    this.culled.length = 0;
    this.ragdoll.remove();
  }
}

const [placed, turned] = [new Vector3(), new Quaternion()];
const target = new Matrix4();
const one = new Vector3(1, 1, 1);

/** The matrix of a bone whose rigid pose changes from `from` to `to`. */
function moved(matrix: Matrix4, ...[from, i, to, k]: [Float64Array, number, Float64Array, number]): Matrix4 {
  basis.compose(placed.fromArray(from, i), turned.fromArray(from, i + 3), one).invert();
  target.compose(placed.fromArray(to, k), turned.fromArray(to, k + 3), one);
  return target.multiply(basis).multiply(matrix);
}
