// Binds objects to bodies. In: bodies and the objects that show them. Out: the objects at the poses of their bodies,
// every frame. A world in a worker moves bound objects at the end of its `update`; for a `World`, call `updateBindings`
// after stepping. An instanced mesh is written in one call, without allocation.
import type { QuatOut, Vec3Out } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import { DynamicDrawUsage, InstancedMesh, Matrix4, type Object3D, Quaternion, Sphere } from 'three';
import { turnBelow } from './pose';

/** A body that can be bound: RigidBody or PhysicsBody. */
export interface BindableBody {
  /** Slot and generation. */
  readonly id: number;
  /** True after the body was removed. */
  readonly isRemoved: boolean;
  /** Of its origin in the world, m, into `out`. */
  getPosition<T extends Vec3Out>(out: T): T;
  /** A unit quaternion, into `out`. */
  getRotation<T extends QuatOut>(out: T): T;
  /** In process: where to draw after stepSimulation. */
  getInterpolatedPosition?<T extends Vec3Out>(out: T): T;
  /** In process: how to draw it after stepSimulation. */
  getInterpolatedRotation?<T extends QuatOut>(out: T): T;
}

/** A world whose bodies can be bound. A World has no `update` and needs `updateBindings`; Physics needs nothing else. */
export interface BindableWorld {
  /** Bodies of all types. */
  readonly bodyCount: number;
  /** In a worker: calls the listener when new poses are there. Returns a function that ends this. */
  onUpdate?(listener: () => void): () => void;
  /** The body with this id; undefined if it was removed. */
  getBody?(id: number): BindableBody | undefined;
  /** In a worker: column-major 4 × 4 matrices of many bodies at once, with a scale for each. */
  writeMatrices?(ids: ArrayLike<number>, out: Float32Array, scales: ArrayLike<number> | null): void;
}

/** The binding of an object to its body. */
export interface Binding {
  /** Moves the object to its body now. */
  update(): void;
  /** Ends the binding; the object stays where it is. */
  unbind(): void;
}

interface OwnBinding extends Binding {
  readonly bindings: Bindings;
  /** None of an instanced mesh that is bound to a list. */
  readonly body?: BindableBody;
}

/** The binding of an object, in any world: it has one. Who drops the object drops this, too. */
const bindingOf = new WeakMap<Object3D, OwnBinding>();

/** While all are updated: a parent that was found at the origin, which most objects have. */
let parentAtOrigin: Object3D | null = null;
let isUpdatingAll = false;

/** What is bound in one world. */
class Bindings {
  readonly active = new Set<OwnBinding>();
  /** Objects whose bodies are gone; a restore may bring a body back. */
  private resting: WeakRef<Object3D>[] = [];

  rest(object: Object3D, binding: OwnBinding): void {
    if (this.active.delete(binding)) this.resting.push(new WeakRef(object));
  }

  update(): void {
    isUpdatingAll = true;
    try {
      for (const binding of this.active) binding.update();
      if (this.resting.length > 0) this.wake();
    } finally {
      isUpdatingAll = false;
      parentAtOrigin = null;
    }
  }

  private wake(): void {
    this.resting = this.resting.filter((ref) => {
      const object = ref.deref();
      const binding = object && bindingOf.get(object);
      // It may have been unbound, or bound again, since.
      if (binding?.body === undefined || binding.bindings !== this || this.active.has(binding)) return false;
      if (binding.body.isRemoved) return true;
      this.active.add(binding);
      binding.update();
      return false;
    });
  }
}

const bindingsOf = new WeakMap<object, Bindings>();

/**
 * Makes an object follow a body, or each instance of an instanced mesh its own body. If the object has
 * parents, its world pose becomes that of the body (parents must not have shear). So do the poses of instances, wherever
 * their mesh stands. The scales of its instances are kept. Frustum culling is switched off for it, because its
 * bounds would have to be recomputed in every frame; rays of three.js meet instances where they are.
 *
 * The object of a removed body stays where it is, an instance disappears; a `restore` that brings the body back brings
 * its object back, too. An object that is bound again follows only its new body.
 *
 * @throws PhysicsError 'invalid-argument' if `body` is not a body, for a list of bodies with an object that is not an
 *   InstancedMesh, and for more bodies than instances; 'stale-id' for an id without a body
 * @param body  with an instanced mesh, a list of bodies or ids, as createBodies gives: bodies[i] is instance i; null or 0
 *   leaves an instance unbound
 */
export function bind(world: BindableWorld, object: Object3D, body: BindableBody): Binding;
export function bind(world: BindableWorld, mesh: InstancedMesh, bodies: BodyList): Binding;
export function bind(world: BindableWorld, object: Object3D, body: BindableBody | BodyList): Binding {
  const isList = Array.isArray(body) || ArrayBuffer.isView(body);
  let binding: OwnBinding;
  if (!isList) {
    checkBody(body as BindableBody, 'body');
    binding = bindObject(world, object, body as BindableBody);
  } else if (object instanceof InstancedMesh) {
    binding = bindInstances(world, object, bodiesOf(world, body as BodyList));
  } else throw new PhysicsError('invalid-argument', 'must be an InstancedMesh', 'mesh', object?.type);
  bindingOf.get(object)?.unbind();
  bindingOf.set(object, binding);
  binding.bindings.active.add(binding);
  binding.update();
  return binding;
}

type BodyList = ArrayLike<BindableBody | number | null>;

function bodiesOf(world: BindableWorld, list: BodyList): (BindableBody | null)[] {
  return Array.from(list, (given, i) => {
    if (given === null || given === undefined || given === 0) return null;
    const body = typeof given === 'number' ? world.getBody?.(given) : given;
    if (body === undefined)
      throw new PhysicsError('stale-id', 'must be the id of a body', `bodies[${i}]`, given);
    checkBody(body, `bodies[${i}]`);
    return body;
  });
}

function checkBody(body: BindableBody, argument: string): void {
  if (typeof body?.getPosition !== 'function')
    throw new PhysicsError('invalid-argument', 'must be a body that createBody returned', argument, body);
}

/** Moves all objects that are bound to bodies of a world. A world in a worker does so in its `update`. */
export function updateBindings(world: BindableWorld): void {
  bindingsOf.get(world)?.update();
}

function bindingsTo(world: BindableWorld): Bindings {
  let bindings = bindingsOf.get(world);
  if (bindings === undefined) {
    bindingsOf.set(world, (bindings = new Bindings()));
    world.onUpdate?.(() => updateBindings(world));
  }
  return bindings;
}

const parentInverse = new Matrix4();
const parentRotation = new Quaternion();

/** Most objects lie directly in a scene that stands at the origin. */
const isAtOrigin = ({ parent, matrixAutoUpdate, position, quaternion, scale }: Object3D): boolean =>
  parent === null &&
  matrixAutoUpdate &&
  position.x === 0 &&
  position.y === 0 &&
  position.z === 0 &&
  quaternion.w === 1 &&
  scale.x === 1 &&
  scale.y === 1 &&
  scale.z === 1;

/** Moves the nearest object above that follows a body, which does the same: an object is placed below where its parent is now. */
function updateAbove(object: Object3D): void {
  for (let at = object.parent; at !== null; at = at.parent) {
    const binding = bindingOf.get(at);
    if (binding?.body?.isRemoved !== false) continue;
    binding.update();
    return;
  }
}

function ended(object: Object3D, binding: OwnBinding): void {
  binding.bindings.active.delete(binding);
  if (bindingOf.get(object) === binding) bindingOf.delete(object);
}

function bindObject(world: BindableWorld, object: Object3D, body: BindableBody): OwnBinding {
  const bindings = bindingsTo(world);
  const update = () => {
    if (body.isRemoved) {
      bindings.rest(object, binding);
      return;
    }
    const { position, quaternion, parent } = object;
    if (body.getInterpolatedPosition !== undefined) body.getInterpolatedPosition(position);
    else body.getPosition(position);
    if (body.getInterpolatedRotation !== undefined) body.getInterpolatedRotation(quaternion);
    else body.getRotation(quaternion);
    if (parent !== null && parent !== parentAtOrigin) {
      if (!isAtOrigin(parent)) {
        updateAbove(object);
        parent.updateWorldMatrix(true, false);
        position.applyMatrix4(parentInverse.copy(parent.matrixWorld).invert());
        turnBelow(parent, quaternion, parentRotation);
      } else if (isUpdatingAll && !bindingOf.has(parent)) parentAtOrigin = parent;
    }
    if (!object.matrixAutoUpdate) object.updateMatrix();
  };
  const binding = { bindings, body, update, unbind: () => ended(object, binding) };
  return binding;
}

function bindInstances(
  world: BindableWorld,
  mesh: InstancedMesh,
  bodies: readonly (BindableBody | null)[],
): OwnBinding {
  if (bodies.length > mesh.count)
    throw new PhysicsError(
      'invalid-argument',
      `must be at most ${mesh.count}, the mesh's instances`,
      'bodies.length',
      bodies.length,
    );
  const { instanceMatrix } = mesh;
  const matrices = instanceMatrix.array as Float32Array;
  mesh.updateWorldMatrix(true, false);
  const scales = scalesOf(matrices, mesh.matrixWorld, bodies.length);
  const ids = Int32Array.from(bodies, (body) => body?.id ?? 0);
  instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;

  const update = () => {
    for (let i = 0; i < ids.length; i++) {
      const body = bodies[i];
      if (body === null || body === undefined) continue;
      if (!body.isRemoved) ids[i] = body.id;
      else if (ids[i] !== 0) {
        ids[i] = 0;
        matrices.fill(0, 16 * i, 16 * i + 16);
      }
    }
    if (world.writeMatrices !== undefined) world.writeMatrices(ids, matrices, scales);
    else writeOneByOne(bodies, ids, matrices, scales);
    placeBelow(mesh, ids, matrices);
    instanceMatrix.needsUpdate = true;
    widen(mesh);
  };
  const unbind = () => {
    ended(mesh, binding);
    // three.js finds them anew when it needs them.
    mesh.boundingSphere = null;
    mesh.boundingBox = null;
  };
  const binding = { bindings: bindingsTo(world), update, unbind };
  return binding;
}

/** Bounds that hold wherever instances go: those that three.js has found, also for rays, are of where they were. */
function widen(mesh: InstancedMesh): void {
  mesh.boundingSphere ??= new Sphere();
  mesh.boundingSphere.radius = Infinity;
  mesh.boundingBox = null;
}

/** The scales in the world that the instances have now, three per instance, a mirror as one along x; null where all are 1. */
function scalesOf(matrices: Float32Array, above: Matrix4, count: number): Float32Array | null {
  const scales = new Float32Array(3 * count);
  let plain = true;
  for (let i = 0; i < count; i++) {
    const { elements } = matrix.fromArray(matrices, 16 * i).premultiply(above);
    for (let k = 0; k < 3; k++) {
      const scale = Math.hypot(elements[4 * k]!, elements[4 * k + 1]!, elements[4 * k + 2]!);
      scales[3 * i + k] = scale > 0 ? scale : 1;
    }
    // As Matrix4.decompose has it, by which an instance's body was placed.
    if (matrix.determinant() < 0) scales[3 * i]! *= -1;
    for (let k = 0; k < 3; k++) if (Math.abs(scales[3 * i + k]! - 1) > 1e-6) plain = false;
  }
  return plain ? null : scales;
}

const ORIGIN = new Matrix4();

/** Makes matrices in the world, of all with an id, matrices below their mesh. */
function placeBelow(mesh: InstancedMesh, ids: Int32Array, matrices: Float32Array): void {
  updateAbove(mesh);
  mesh.updateWorldMatrix(true, false);
  if (mesh.matrixWorld.equals(ORIGIN)) return;
  parentInverse.copy(mesh.matrixWorld).invert();
  for (let i = 0; i < ids.length; i++)
    if (ids[i] !== 0)
      matrix
        .fromArray(matrices, 16 * i)
        .premultiply(parentInverse)
        .toArray(matrices, 16 * i);
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
