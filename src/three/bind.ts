// In: bodies and the objects that show them. Out: the objects where the bodies are, every frame.
// A world in a worker moves what is bound at the end of its `update`; for a world in process, call
// `updateBindings` after stepping. An instanced mesh is written in one call, without allocation.
import type { QuatOut, Vec3Out } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import { DynamicDrawUsage, InstancedMesh, Matrix4, type Object3D, Quaternion } from 'three';

/** What is asked of a body: RigidBody and PhysicsBody have it. */
export interface BindableBody {
  readonly id: number;
  readonly isRemoved: boolean;
  getPosition<T extends Vec3Out>(out: T): T;
  getRotation<T extends QuatOut>(out: T): T;
  /** In process: where to draw after stepSimulation. */
  getInterpolatedPosition?<T extends Vec3Out>(out: T): T;
  getInterpolatedRotation?<T extends QuatOut>(out: T): T;
}

/** What is asked of a world. A World has no updates of its own and needs `updateBindings`; Physics has all. */
export interface BindableWorld {
  readonly bodyCount: number;
  onUpdate?(listener: () => void): () => void;
  writeMatrices?(ids: ArrayLike<number>, out: Float32Array, scales: ArrayLike<number> | null): void;
}

export interface Binding {
  /** Moves the object to its body now. */
  update(): void;
  /** Ends the binding; the object stays where it is. */
  unbind(): void;
}

const bindingsOf = new WeakMap<object, Set<Binding>>();

/**
 * Lets an object follow a body, or the instances of an instanced mesh one body each. An object below
 * others is placed so that its place in the world is that of the body (no shear above it, please). An
 * instanced mesh is to stand at the origin; scales of its instances stay, and it is not culled any more,
 * since its bounds would have to be computed every frame.
 *
 * A removed body ends the binding of its object, and makes its instance disappear.
 *
 * @throws PhysicsError 'invalid-argument' for a list of bodies and an object that is no InstancedMesh, and for more bodies
 *   than it has instances
 * @param body  with an instanced mesh, a list: bodies[i] is instance i; null leaves an instance alone
 */
export function bind(world: BindableWorld, object: Object3D, body: BindableBody): Binding;
export function bind(
  world: BindableWorld,
  mesh: InstancedMesh,
  bodies: readonly (BindableBody | null)[],
): Binding;
export function bind(
  world: BindableWorld,
  object: Object3D,
  body: BindableBody | readonly (BindableBody | null)[],
): Binding {
  const all = bindingsTo(world);
  let binding: Binding;
  const unbind = () => void all.delete(binding);
  if (!Array.isArray(body)) binding = bindObject(object, body as BindableBody, unbind);
  else if (object instanceof InstancedMesh) binding = bindInstances(world, object, body, unbind);
  else throw new PhysicsError('invalid-argument', 'must be an InstancedMesh', 'mesh', object?.type);
  all.add(binding);
  binding.update();
  return binding;
}

/** Moves everything that is bound to bodies of a world. A world in a worker does so by itself. */
export function updateBindings(world: BindableWorld): void {
  for (const binding of bindingsOf.get(world) ?? []) binding.update();
}

function bindingsTo(world: BindableWorld): Set<Binding> {
  let bindings = bindingsOf.get(world);
  if (bindings === undefined) {
    bindingsOf.set(world, (bindings = new Set()));
    world.onUpdate?.(() => updateBindings(world));
  }
  return bindings;
}

const parentInverse = new Matrix4();
const parentRotation = new Quaternion();

function bindObject(object: Object3D, body: BindableBody, unbind: () => void): Binding {
  const update = () => {
    if (body.isRemoved) {
      unbind();
      return;
    }
    const { position, quaternion, parent } = object;
    if (body.getInterpolatedPosition !== undefined) body.getInterpolatedPosition(position);
    else body.getPosition(position);
    if (body.getInterpolatedRotation !== undefined) body.getInterpolatedRotation(quaternion);
    else body.getRotation(quaternion);
    // Most objects lie directly in a scene, which stands at the origin.
    if (parent !== null && !('isScene' in parent)) {
      parent.updateWorldMatrix(true, false);
      position.applyMatrix4(parentInverse.copy(parent.matrixWorld).invert());
      quaternion.premultiply(parent.getWorldQuaternion(parentRotation).invert());
    }
    if (!object.matrixAutoUpdate) object.updateMatrix();
  };
  return { update, unbind };
}

function bindInstances(
  world: BindableWorld,
  mesh: InstancedMesh,
  bodies: readonly (BindableBody | null)[],
  unbind: () => void,
): Binding {
  if (bodies.length > mesh.count)
    throw new PhysicsError(
      'invalid-argument',
      `must be at most ${mesh.count}, the mesh's instances`,
      'bodies.length',
      bodies.length,
    );
  const { instanceMatrix } = mesh;
  const matrices = instanceMatrix.array as Float32Array;
  const scales = scalesOf(matrices, bodies.length);
  const ids = Int32Array.from(bodies, (body) => body?.id ?? 0);
  instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;

  const update = () => {
    for (let i = 0; i < ids.length; i++) {
      if (ids[i] === 0 || bodies[i]?.isRemoved === false) continue;
      ids[i] = 0;
      matrices.fill(0, 16 * i, 16 * i + 16);
    }
    if (world.writeMatrices !== undefined) world.writeMatrices(ids, matrices, scales);
    else writeOneByOne(bodies, ids, matrices, scales);
    instanceMatrix.needsUpdate = true;
  };
  return { update, unbind };
}

/** The scales that the instances have now, three per instance; null where all are 1. */
function scalesOf(matrices: Float32Array, count: number): Float32Array | null {
  const scales = new Float32Array(3 * count);
  let plain = true;
  for (let i = 0; i < scales.length; i++) {
    const at = 16 * Math.floor(i / 3) + 4 * (i % 3);
    const scale = Math.hypot(matrices[at]!, matrices[at + 1]!, matrices[at + 2]!);
    scales[i] = scale > 0 ? scale : 1;
    if (Math.abs(scales[i]! - 1) > 1e-6) plain = false;
  }
  return plain ? null : scales;
}

const place = [0, 0, 0];
const turn = [0, 0, 0, 1];
const matrix = new Matrix4();
const rotation = new Quaternion();

function writeOneByOne(
  bodies: readonly (BindableBody | null)[],
  ids: Int32Array,
  matrices: Float32Array,
  scales: Float32Array | null,
): void {
  for (let i = 0; i < ids.length; i++) {
    const body = bodies[i];
    if (ids[i] === 0 || body === null || body === undefined) continue;
    (body.getInterpolatedPosition ?? body.getPosition).call(body, place);
    (body.getInterpolatedRotation ?? body.getRotation).call(body, turn);
    matrix.makeRotationFromQuaternion(rotation.fromArray(turn)).setPosition(place[0]!, place[1]!, place[2]!);
    matrix.toArray(matrices, 16 * i);
    if (scales === null) continue;
    for (let column = 0; column < 3; column++)
      for (let row = 0; row < 3; row++) matrices[16 * i + 4 * column + row]! *= scales[3 * i + column]!;
  }
}
