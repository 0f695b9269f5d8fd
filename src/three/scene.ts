// Physics for a three.js scene, similar to three.js's own add-ons: add a mesh with a mass and it falls. In: meshes,
// whose geometries give their shapes (shape.ts). Out: bodies, bound to them. Scales are read when a mesh is added.
import type { BodyOptions, ShapeOptions, Vec3Like } from 'ricochet';
import { compound, PhysicsError } from 'ricochet/cooking';
import { InstancedMesh, Matrix4, Mesh, type Object3D, Quaternion, Vector3 } from 'three';
import { type BindableBody, type BindableWorld, type Binding, bind } from './bind';
import { poseOf } from './pose';
import { type ShapeKind, shapeFromGeometry } from './shape';

/** A world for a scene: World or Physics. */
export interface PopulatedWorld<Body extends BindableBody> extends BindableWorld {
  /** As of World. */
  createBody(options: BodyOptions): Body;
  /** As of World. */
  removeBody(body: number): void;
  /** As of World. */
  readonly isDisposed?: boolean;
}

/**
 * Options of a body; with `mass` 0 and no `type` it is static. Without `shape`, the shapes are made from the geometries of the object and
 * its descendants, by `kind`: see shapeFromGeometry. Descendants with `userData.physics` are left to their own bodies.
 */
export type MeshOptions = Omit<BodyOptions, 'position' | 'rotation' | 'mass'> & {
  /** Which shape to make of the geometries. Default 'auto'. */
  kind?: ShapeKind;
};

interface Entry<Body> {
  bodies: Body[];
  binding: Binding | null;
}

const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/** Makes bodies for objects of a three.js scene, moves the objects with their bodies, and removes the bodies. */
export class PhysicsScene<Body extends BindableBody> {
  private readonly entries = new Map<Object3D, Entry<Body>>();

  /** A scene over a world, in this thread or in a worker. */
  constructor(
    /** The world that the bodies are in. */
    readonly world: PopulatedWorld<Body>,
  ) {}

  /**
   * Makes a body for a mesh (or a group, or every instance of an instanced mesh) at its current pose.
   *
   * @param mass  kg; 0 for static
   * @throws PhysicsError 'invalid-argument' for an object that was added before, and for a moving mesh that is not
   *   convex: give it `kind: 'hull'`, or a `shape` of convex pieces
   */
  add(object: Object3D, mass = 0, { kind, ...options }: MeshOptions = {}): Body[] {
    if (this.has(object))
      throw new PhysicsError('invalid-argument', 'must have no body yet', 'object', nameOf(object));
    this.remove(object); // its bodies were removed by calls of the world
    object.updateWorldMatrix(true, true);
    const type = options.type ?? (mass > 0 ? 'dynamic' : 'static');
    const bodies: Body[] = [];
    const make = (shape: BodyOptions['shape']) => {
      bodies.push(
        this.world.createBody({
          ...options,
          type,
          ...(mass > 0 ? { mass } : {}),
          shape,
          position: position.toArray(),
          rotation: rotation.toArray(),
        }),
      );
    };
    if (object instanceof InstancedMesh) {
      const instance = new Matrix4();
      for (let i = 0; i < object.count; i++) {
        object.getMatrixAt(i, instance);
        instance.premultiply(object.matrixWorld);
        const shape = options.shape ?? shapeOf(object, instance, kind);
        instance.decompose(position, rotation, scale);
        make(shape);
      }
    } else {
      const shape = options.shape ?? shapesBelow(object, kind);
      poseOf(object, position, rotation, scale);
      make(shape);
    }
    const binding = type === 'static' ? null : this.bind(object, bodies);
    this.entries.set(object, { bodies, binding });
    return bodies;
  }

  private bind(object: Object3D, bodies: readonly Body[]): Binding {
    if (object instanceof InstancedMesh) return bind(this.world, object, bodies);
    return bind(this.world, object, bodies[0] as Body);
  }

  /**
   * Adds every mesh below `scene` that has `userData.physics`: `{ mass, …options }`, as three.js's add-ons do. What was added
   * already stays as it is: call it again for what the scene has got since.
   */
  addScene(scene: Object3D): void {
    scene.traverse((object) => {
      if (this.has(object)) return;
      const { mass = 0, ...options } = (object.userData['physics'] ?? {}) as MeshOptions & { mass?: number };
      if (object.userData['physics'] !== undefined) this.add(object, mass, options);
    });
  }

  /** Whether the object was added, and has a body that lives. */
  has(object: Object3D): boolean {
    return this.bodiesOf(object).some((body) => !body.isRemoved);
  }

  /** The bodies of an object; one per instance of an instanced mesh. */
  bodiesOf(object: Object3D): readonly Body[] {
    return this.entries.get(object)?.bodies ?? [];
  }

  /**
   * Moves a mesh, or one of its instances, and its body to a pose at once (a teleport).
   *
   * @throws PhysicsError 'invalid-argument' for an object that was not added, or has no body of this index
   */
  setMeshPosition(object: Object3D, place: Vec3Like, index = 0): void {
    const entry = this.entries.get(object);
    const body = entry?.bodies[index] as (Body & { setPosition?(p: Vec3Like): void }) | undefined;
    if (body?.setPosition === undefined) {
      const known = this.bodiesOf(object).length;
      if (known === 0)
        throw new PhysicsError('invalid-argument', 'must have been added', 'object', nameOf(object));
      throw new PhysicsError(
        'invalid-argument',
        `must be 0 … ${known - 1}, one of its bodies`,
        'index',
        index,
      );
    }
    body.setPosition(place);
    // What stands still was not bound: now it has moved.
    entry!.binding ??= this.bind(object, entry!.bodies);
  }

  /** Removes the bodies; the object stays. */
  remove(object: Object3D): void {
    const entry = this.entries.get(object);
    if (entry === undefined) return;
    entry.binding?.unbind();
    if (this.world.isDisposed !== true)
      for (const body of entry.bodies) if (!body.isRemoved) this.world.removeBody(body.id);
    this.entries.delete(object);
  }

  /** Removes all bodies. */
  dispose(): void {
    for (const object of [...this.entries.keys()]) this.remove(object);
  }
}

/** For messages: an object itself would be written with its geometry. */
const nameOf = ({ type, name }: Object3D) => (name === '' ? type : `${type} ${name}`);

/** The shapes of all meshes of an object tree, in the frame of its root; meshes below that have physics of their own are theirs. */
function shapesBelow(root: Object3D, kind: ShapeKind | undefined): ShapeOptions[] {
  poseOf(root, position, rotation, scale);
  // The body has place and turn of the root, but no scale: that goes into the shapes.
  const fromWorld = new Matrix4().compose(position, rotation, new Vector3(1, 1, 1)).invert();
  const shapes: ShapeOptions[] = [];
  const instance = new Matrix4();
  const visit = (object: Object3D): void => {
    if (object !== root && object.userData['physics'] !== undefined) return;
    const count = object instanceof InstancedMesh ? object.count : 1;
    for (let i = 0; object instanceof Mesh && i < count; i++) {
      const inBody = matrix.multiplyMatrices(fromWorld, object.matrixWorld);
      if (object instanceof InstancedMesh) {
        object.getMatrixAt(i, instance);
        inBody.multiply(instance);
      }
      const shape = shapeOf(object, inBody, kind);
      shapes.push(...compound([{ shape, position: position.toArray(), rotation: rotation.toArray() }]));
    }
    for (const child of object.children) visit(child);
  };
  visit(root);
  return shapes;
}

/** The shape of a mesh's geometry, scaled as `place` says. */
function shapeOf(mesh: Mesh, place: Matrix4, kind: ShapeKind | undefined): ShapeOptions {
  place.decompose(position, rotation, scale);
  return shapeFromGeometry(mesh.geometry, { kind, scale: scale.toArray() });
}
