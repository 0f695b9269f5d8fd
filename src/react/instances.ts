// The bodies of an instanced mesh. In: a list of instances, colliders that all of them have. Out: bodies, created by
// one command if only their poses and velocities differ; matrices, written from the poses directly to the mesh.
import type { BodyOptions, ShapeId, ShapeOptions, WorldBody } from 'ricochet';
import { scaled } from 'ricochet/cooking';
import {
  DynamicDrawUsage,
  Euler,
  type InstancedMesh,
  Matrix4,
  type Object3D,
  Quaternion,
  Sphere,
  Vector3,
} from 'three';
import { BodyEntry, massOptions, motionOptions } from './bodyEntry';
import type { ColliderEntry } from './colliderEntry';
import { blame, refuse } from './errors';
import { instanceFrame, type Place } from './place';
import { HANDLER_PROPS, MATERIAL_PROPS } from './props';
import type { RigidBodyApi } from './rigidBodyApi';
import type { Runtime } from './runtime';
import type { RigidBodyOptions } from './types';

export type Instance = RigidBodyOptions & { key: string | number };

/** Props of an instance that need no separate body options. */
const PLACED = new Set<string>([
  'key',
  'position',
  'rotation',
  'quaternion',
  'linearVelocity',
  'angularVelocity',
  'name',
  'userData',
  ...HANDLER_PROPS,
]);

const COMPONENT = 'InstancedRigidBodies';

type Triple = readonly [number, number, number];

/** A vector in the forms that props allow: three numbers, one number for all, or an object. */
function tripleOf(given: unknown, fallback: number): Triple {
  if (given === undefined || given === null) return [fallback, fallback, fallback];
  if (typeof given === 'number') return [given, given, given];
  if (Array.isArray(given)) return given as unknown as Triple;
  const { x, y, z } = given as Vector3;
  return [x, y, z];
}

function rotationOf({ rotation, quaternion }: RigidBodyOptions, out: Quaternion): Quaternion {
  if (quaternion !== undefined)
    return Array.isArray(quaternion) ? out.fromArray(quaternion) : out.copy(quaternion as Quaternion);
  if (rotation === undefined) return out.identity();
  const euler = Array.isArray(rotation)
    ? new Euler(...(rotation as [number, number, number]))
    : (rotation as Euler);
  return out.setFromEuler(euler);
}

const local = new Matrix4();
const turn = new Quaternion();
const from = new Vector3();
const size = new Vector3();

/** One instance. It has the common colliders. */
class InstanceEntry extends BodyEntry {
  constructor(
    runtime: Runtime,
    props: RigidBodyOptions,
    private readonly all: InstancedBodies,
    readonly key: string | number,
  ) {
    super(runtime, props, all.wrapper, COMPONENT);
  }

  override adopt(body: WorldBody): void {
    this.body = body;
    this.claim(body.shapes);
    this.runtime.add(this);
  }

  /** Notes whose shapes they are; a collider itself knows those of the first instance. */
  private claim(shapes: readonly ShapeId[]): void {
    let i = 0;
    for (const collider of this.colliders) {
      const ids = shapes.slice(i, (i += collider.shapeCount));
      for (const id of ids) this.runtime.shapes.set(id, collider);
      if (collider.shapeIds.length === 0) collider.shapeIds = ids;
    }
  }

  override shapesIn(frame: Matrix4): ShapeOptions[] {
    return [...this.colliders].flatMap((collider) =>
      collider.optionsFor(this, frame, this.solidityFor(collider)),
    );
  }

  /** Other shapes, after its size or surface changed. */
  protected override refreshColliders(): void {
    const body = this.body!;
    const shapes = this.all.shapesOf(this);
    const before = [...body.shapes];
    for (const collider of this.colliders)
      if (collider.shapeIds.some((id) => before.includes(id))) collider.shapeIds = [];
    for (const id of before) {
      this.runtime.forgetShape(id);
      body.removeShape(id);
    }
    this.claim(blame(this.tag, () => shapes.map((shape) => body.addShape(shape))));
    this.updateMass();
  }

  override create(): WorldBody {
    const [body] = this.all.make([this]);
    return body!;
  }

  override placeNow(): Place {
    return this.all.placeOf(this.props);
  }

  /** No effect: what its colliders know are the shapes of the first instance. */
  override refreshCollider(): void {}

  /** No effect: the matrices of all instances are written at once. */
  override draw(): void {}
}

export const isInstanced = (object: Object3D | undefined): object is InstancedMesh =>
  (object as InstancedMesh | undefined)?.isInstancedMesh === true;

export class InstancedBodies {
  /** By key, in the order of the instances. */
  private entries = new Map<string | number, InstanceEntry>();
  private ids = new Int32Array(0);
  private scales: Float32Array | null = null;
  private readonly parentMatrix = new Matrix4();
  private readonly shapes: ShapeOptions[];

  readonly runtime: Runtime;
  readonly wrapper: Object3D;
  private readonly colliders: ReadonlySet<ColliderEntry>;
  private shared: RigidBodyOptions;

  /**
   * @param template  a body that is never made: it has the colliders of all, and stands where their parent is
   * @param holder  the parent of the mesh
   */
  constructor(
    template: BodyEntry,
    private readonly holder: Object3D,
    private mesh: InstancedMesh,
  ) {
    this.runtime = template.runtime;
    this.wrapper = template.object;
    this.colliders = template.colliders;
    this.shared = template.props;
    this.prepareMesh();
    this.shapes = template.shapesIn(instanceFrame(this.wrapper));
    this.runtime.drawn.add(this);
  }

  private prepareMesh(): void {
    const { mesh, parentMatrix } = this;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    parentMatrix.elements.fill(Number.NaN);
  }

  /** Another number in the `args` of `<instancedMesh>` makes another mesh, which takes the place of the first. */
  private findMesh(): void {
    const { mesh: before, holder } = this;
    const [mesh] = holder.children;
    if (mesh === before || !isInstanced(mesh)) return;
    this.mesh = mesh;
    for (const collider of this.colliders) if (collider.object === before) collider.object = mesh;
    this.prepareMesh();
    // Until the list of instances follows, it shows as many as it can hold.
    mesh.count = Math.min(this.ids.length, mesh.instanceMatrix.count);
  }

  get apis(): RigidBodyApi[] {
    return Array.from(this.entries.values(), ({ api }) => api);
  }

  /** Pose of an instance in the world according to its props. */
  placeOf(props: RigidBodyOptions): Place {
    const place = { position: new Vector3(), rotation: new Quaternion(), scale: new Vector3() };
    from.set(...(tripleOf(props.position, 0) as [number, number, number]));
    size.set(...(tripleOf(props.scale, 1) as [number, number, number]));
    local.compose(from, rotationOf(props, turn), size).premultiply(this.wrapper.matrixWorld);
    local.decompose(place.position, place.rotation, place.scale);
    return place;
  }

  /** Creates new instances, changes existing ones, and removes the others; matched by keys. */
  update(instances: readonly Instance[], shared: RigidBodyOptions): void {
    if (this.runtime.isDisposed) return; // another world follows
    this.shared = shared;
    this.findMesh();
    this.wrapper.updateWorldMatrix(true, false);
    if (instances.length > this.mesh.instanceMatrix.count)
      throw refuse(
        `<${COMPONENT}>`,
        `${instances.length} instances, but its InstancedMesh has room for ${this.mesh.instanceMatrix.count}`,
      );
    const next = new Map<string | number, InstanceEntry>();
    const fresh: InstanceEntry[] = [];
    for (const instance of instances) {
      const props = { ...shared, ...instance };
      let entry = this.entries.get(instance.key);
      if (next.has(instance.key))
        throw refuse(`<${COMPONENT}>`, `two instances have the key ${String(instance.key)}`);
      if (entry === undefined) {
        entry = new InstanceEntry(this.runtime, props, this, instance.key);
        for (const collider of this.colliders) entry.colliders.add(collider);
        entry.api.userData = props.userData;
        fresh.push(entry);
      } else entry.update(props);
      next.set(instance.key, entry);
    }
    for (const [key, entry] of this.entries) if (!next.has(key)) entry.remove();
    this.entries = next;
    if (fresh.length > 0) this.make(fresh);
    this.arrange();
  }

  /** Creates bodies: from one template if only poses and velocities differ. */
  make(entries: readonly InstanceEntry[]): WorldBody[] {
    const { world } = this.runtime;
    const places = entries.map(({ props }) => this.placeOf(props));
    const even = this.wrapper.getWorldScale(size).toArray();
    const plain =
      entries.every(({ props }) => this.isPlain(props)) &&
      places.every(({ scale }) => even.every((c, k) => Math.abs(scale.getComponent(k) - c) < 1e-6));
    const bodies = blame(`<${COMPONENT}>`, () => {
      if (!plain) return world.createBodies(entries.map((entry, i) => this.optionsOf(entry, places[i]!)));
      const { linearVelocity: _, angularVelocity: __, ...shared } = this.shared;
      const ids = world.createBodies(this.template(shared, this.shapes), this.arraysOf(entries, places));
      return Array.from(ids, (id) => world.getBody(id)!);
    });
    for (const [i, entry] of entries.entries()) entry.adopt(bodies[i]!);
    return bodies;
  }

  private isPlain(props: RigidBodyOptions): boolean {
    for (const name in props)
      if (
        !PLACED.has(name) &&
        !Object.is(props[name as keyof RigidBodyOptions], this.shared[name as keyof RigidBodyOptions])
      )
        return false;
    return true;
  }

  private template(props: RigidBodyOptions, shape: ShapeOptions[]): BodyOptions {
    const options = motionOptions(props, `<${COMPONENT}>`);
    return { ...options, ...massOptions(options.type!, props, this.colliders, shape.length), shape };
  }

  private arraysOf(entries: readonly InstanceEntry[], places: readonly Place[]) {
    const count = entries.length;
    const positions = new Float64Array(3 * count);
    const rotations = new Float64Array(4 * count);
    const linearVelocities = new Float64Array(3 * count);
    const angularVelocities = new Float64Array(3 * count);
    entries.forEach(({ props }, i) => {
      places[i]!.position.toArray(positions, 3 * i);
      places[i]!.rotation.toArray(rotations, 4 * i);
      linearVelocities.set(tripleOf(props.linearVelocity, 0), 3 * i);
      angularVelocities.set(tripleOf(props.angularVelocity, 0), 3 * i);
    });
    if (this.shared.type === 'fixed') return { positions, rotations };
    return { positions, rotations, linearVelocities, angularVelocities };
  }

  /** The shapes of an instance: those of all, at its size, and with its surface where it has one of its own. */
  shapesOf(entry: InstanceEntry): ShapeOptions[] {
    const { props } = entry;
    const even = this.wrapper.getWorldScale(size).toArray();
    const { scale } = this.placeOf(props);
    const factors = scale.toArray().map((c, k) => c / even[k]!) as [number, number, number];
    const isOwn = MATERIAL_PROPS.some((name) => !Object.is(props[name], this.shared[name]));
    const shapes = isOwn ? entry.shapesIn(instanceFrame(this.wrapper)) : this.shapes;
    return factors.every((c) => Math.abs(c - 1) < 1e-6) ? shapes : scaled(shapes, factors);
  }

  private optionsOf(entry: InstanceEntry, { position, rotation }: Place): BodyOptions {
    return {
      ...this.template(entry.props, this.shapesOf(entry)),
      position: position.toArray(),
      rotation: rotation.toArray(),
    };
  }

  /** Assigns bodies to instances of the mesh, with their scales. */
  private arrange(): void {
    const { mesh } = this;
    const count = this.entries.size;
    this.ids = new Int32Array(count);
    const scales = new Float32Array(3 * count);
    let i = 0;
    for (const entry of this.entries.values()) {
      this.ids[i] = entry.body!.id;
      this.placeOf(entry.props).scale.toArray(scales, 3 * i++);
    }
    this.scales = scales.every((c) => Math.abs(c - 1) < 1e-6) ? null : scales;
    mesh.count = count;
    this.parentMatrix.elements.fill(Number.NaN);
    this.draw();
  }

  draw(): void {
    this.findMesh();
    this.standAtOrigin();
    const { mesh } = this;
    if (mesh.count === 0) return;
    const ids = this.liveIds().subarray(0, mesh.count);
    this.runtime.writeMatrices(ids, mesh.instanceMatrix.array as Float32Array, this.scales);
    mesh.instanceMatrix.needsUpdate = true;
    // Bounds that three.js has found, also for the rays of a pointer, are of where instances were.
    mesh.boundingSphere ??= new Sphere();
    mesh.boundingSphere.radius = Infinity;
    mesh.boundingBox = null;
  }

  /** Ids of the bodies, 0 for bodies that were removed by calls, which are not drawn. */
  private liveIds(): Int32Array {
    const { ids } = this;
    let i = 0;
    for (const { body } of this.entries.values()) {
      const id = body === null || body.isRemoved ? 0 : body.id;
      if (id === 0 && ids[i] !== 0)
        (this.mesh.instanceMatrix.array as Float32Array).fill(0, 16 * i, 16 * i + 16);
      ids[i++] = id;
    }
    return ids;
  }

  /** Poses are in world coordinates, so the transforms of the mesh's parents must be undone. */
  private standAtOrigin(): void {
    const { mesh, parentMatrix } = this;
    const { parent } = mesh;
    if (parent === null || parentMatrix.equals(parent.matrixWorld)) return;
    parent.updateWorldMatrix(true, false);
    parentMatrix.copy(parent.matrixWorld);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(parentMatrix).invert();
    mesh.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.runtime.drawn.delete(this);
    for (const entry of this.entries.values()) entry.remove();
    this.entries.clear();
    for (const collider of this.colliders) collider.shapeIds = [];
  }
}
