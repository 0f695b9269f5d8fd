// Physics with the interface of three.js's own add-ons (AmmoPhysics, RapierPhysics, JoltPhysics): the same calls on
// meshes, with a world in a worker. In: meshes with masses. Out: meshes that follow their bodies.
import type { ShapeOptions, Vec3Like } from 'ricochet';
import { heightfield, PhysicsError } from 'ricochet/cooking';
import type { createPhysics, PhysicsBody, PhysicsOptions } from 'ricochet/worker';
import { type Mesh, type Object3D, Quaternion, Vector3 } from 'three';
import { poseOf } from './pose';
import { PhysicsScene } from './scene';
import { shapeFromGeometry } from './shape';

type Client = Awaited<ReturnType<typeof createPhysics>>;

/** Result of `await RicochetPhysics()`: the methods of three.js's RapierPhysics, and `dispose`. */
export interface RicochetPhysics {
  /** The client of the worker, with all functions of a world. */
  readonly world: Client;
  /** Adds every mesh below that has `userData.physics`: `{ mass, restitution }`. */
  addScene(scene: Object3D): void;
  /**
   * Makes a body for a mesh at its pose, or for each instance of an instanced mesh; `userData.physics.body` is the body or
   * the list of bodies.
   *
   * @param mass  kg; 0 for static. A moving mesh that is not convex gets its convex hull
   */
  addMesh(mesh: Mesh, mass?: number, restitution?: number): void;
  /** Removes its bodies; the mesh stays. */
  removeMesh(mesh: Mesh): void;
  /** Moves the mesh and its body to a position, m, world, at rest. */
  setMeshPosition(mesh: Mesh, position: Vec3Like, index?: number): void;
  /** m/s */
  setMeshVelocity(mesh: Mesh, velocity: Vec3Like, index?: number): void;
  /** N·s at the centre of mass. */
  applyImpulse(mesh: Mesh, impulse: Vec3Like, index?: number): void;
  /** Makes a heightfield at the mesh's pose: see heightfieldFromColumns. */
  addHeightfield(
    mesh: Mesh,
    width: number,
    depth: number,
    heights: ArrayLike<number>,
    scale: { x: number; y: number; z: number },
  ): PhysicsBody;
  /** Ends the worker and the loop. three.js's add-ons have no such call. */
  dispose(): void;
}

/**
 * A heightfield as Rapier and three.js's add-on describe it.
 *
 * @param rows  cells along z
 * @param columns  cells along x
 * @param heights  (rows + 1) · (columns + 1) numbers, column by column
 * @param scale  m: the whole size along x and z; the factor on the heights
 * @throws PhysicsError 'invalid-argument' for another number of heights, or as cookHeightfield
 */
export function heightfieldFromColumns(
  rows: number,
  columns: number,
  heights: ArrayLike<number>,
  scale: { readonly x: number; readonly y: number; readonly z: number },
): ShapeOptions {
  const [across, along] = [columns + 1, rows + 1];
  if (heights?.length !== across * along)
    throw new PhysicsError('invalid-argument', `must hold ${across * along} numbers`, 'heights', heights);
  const sorted = new Float32Array(across * along);
  for (let row = 0; row < along; row++)
    for (let column = 0; column < across; column++)
      sorted[row * across + column] = heights[column * along + row]! * scale.y;
  return heightfield({
    rows: along,
    columns: across,
    heights: sorted,
    spacing: [scale.x / columns, scale.z / rows],
  });
}

/** ms between updates where no frames are drawn. */
const PERIOD = 1000 / 60;

/** Calls `update` for every frame that is drawn; returns the way to end it. */
function everyFrame(update: (now?: number) => void): () => void {
  if (typeof requestAnimationFrame !== 'function') {
    const timer = setInterval(update, PERIOD);
    return () => clearInterval(timer);
  }
  let request = 0;
  const frame = (now: number) => {
    request = requestAnimationFrame(frame);
    update(now);
  };
  request = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(request);
}

interface Noted {
  mass?: number;
  restitution?: number;
  body?: PhysicsBody | PhysicsBody[];
}

/** Rapier's rules: a ball of 0.5 on a floor that says nothing bounces by 0.25, and friction is 0.5. */
const RULES = { frictionCombine: 'average', restitutionCombine: 'average' } as const;

/** Options of RicochetPhysics. */
export interface AddOnOptions extends PhysicsOptions {
  /** Compiles the engine first, for 500 ms (true) or so many ms: see warmUp. Default false. */
  warmUp?: boolean | number;
}

/**
 * Starts a world in a worker whose bodies move meshes, as three.js's `RapierPhysics()` does in the page.
 *
 * @param options  of createPhysics; friction and restitution of two bodies are averaged unless it says otherwise. With
 *   `clock: 'manual'` the world is not started: call `world.step`
 * @throws PhysicsError as createPhysics; 'invalid-argument' for `warmUp`; the reason of `signal`
 */
export async function RicochetPhysics(options: AddOnOptions = {}): Promise<RicochetPhysics> {
  const { createPhysics } = await import('ricochet/worker');
  const { warmUp: asked = false, ...rest } = options;
  const world = await createPhysics({ ...RULES, ...rest });
  if (asked !== false) {
    const { warmUpOrDispose } = await import('ricochet/warmup');
    await warmUpOrDispose(world, asked, rest.signal);
  }
  const scene = new PhysicsScene<PhysicsBody>(world);
  const end = everyFrame((now) => {
    if (!world.isDisposed) world.update(now);
  });
  if (rest.clock !== 'manual') void world.start();
  return new AddOn(world, scene, end);
}

let warned = false;

class AddOn implements RicochetPhysics {
  constructor(
    readonly world: Client,
    private readonly meshes: PhysicsScene<PhysicsBody>,
    private readonly end: () => void,
  ) {}

  addScene(scene: Object3D): void {
    scene.traverse((object) => {
      const noted = object.userData['physics'] as Noted | undefined;
      if ('isMesh' in object && noted !== undefined && !this.meshes.has(object))
        this.addMesh(object as Mesh, noted.mass, noted.restitution);
    });
  }

  addMesh(mesh: Mesh, mass = 0, given = 0): void {
    const restitution = Math.min(given, 1);
    if (given > 1 && !warned) {
      warned = true;
      console.warn(
        `ricochet/three: mesh "${mesh.name}": restitution ${given} is more than bodies can give back: 1 is used`,
      );
    }
    const kind = mass > 0 && shapeFromGeometry(mesh.geometry).type === 'mesh' ? 'hull' : 'auto';
    if ('isInstancedMesh' in mesh) {
      const bodies = this.meshes.add(mesh, mass, { kind });
      if (restitution !== 0) for (const body of bodies) body.setMaterial({ restitution });
      this.note(mesh, bodies);
      return;
    }
    // Its own geometry only: meshes below it may have bodies of their own.
    const scale = new Vector3();
    mesh.updateWorldMatrix(true, false);
    poseOf(mesh, new Vector3(), new Quaternion(), scale);
    const shape = shapeFromGeometry(mesh.geometry, { kind, scale: scale.toArray(), restitution });
    this.note(mesh, this.meshes.add(mesh, mass, { shape })[0]!);
  }

  private note(mesh: Mesh, body: PhysicsBody | PhysicsBody[]): void {
    mesh.userData['physics'] = { ...(mesh.userData['physics'] as object | undefined), body };
  }

  removeMesh(mesh: Mesh): void {
    this.meshes.remove(mesh);
    const noted = mesh.userData['physics'] as Noted | undefined;
    if (noted !== undefined) delete noted.body;
  }

  setMeshPosition(mesh: Mesh, position: Vec3Like, index = 0): void {
    this.meshes.setMeshPosition(mesh, position, index);
    const body = this.bodyOf(mesh, index);
    body.setLinearVelocity([0, 0, 0]);
    body.setAngularVelocity([0, 0, 0]);
    body.activate();
  }

  setMeshVelocity(mesh: Mesh, velocity: Vec3Like, index = 0): void {
    const body = this.bodyOf(mesh, index);
    body.setLinearVelocity(velocity);
    body.activate();
  }

  applyImpulse(mesh: Mesh, impulse: Vec3Like, index = 0): void {
    const body = this.bodyOf(mesh, index);
    body.applyCentralImpulse(impulse);
    body.activate();
  }

  private bodyOf(mesh: Mesh, index: number): PhysicsBody {
    const bodies = this.meshes.bodiesOf(mesh);
    const body = bodies[index];
    if (body !== undefined) return body;
    if (bodies.length === 0)
      throw new PhysicsError('invalid-argument', 'must have been added', 'mesh', mesh.name || mesh.type);
    throw new PhysicsError('invalid-argument', `must be 0 … ${bodies.length - 1}`, 'index', index);
  }

  addHeightfield(
    ...[mesh, width, depth, heights, scale]: Parameters<RicochetPhysics['addHeightfield']>
  ): PhysicsBody {
    const shape = heightfieldFromColumns(width, depth, heights, scale);
    const [body] = this.meshes.add(mesh, 0, { shape });
    this.note(mesh, body!);
    return body!;
  }

  dispose(): void {
    this.end();
    this.meshes.dispose();
    this.world.dispose();
  }
}
