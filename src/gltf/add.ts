// Physics of a file that GLTFLoader loaded: bodies and joints in a world, in process or in a worker, and the objects of the scene
// bound to them. Nothing of three.js is imported before it is needed.
import type { BodyOptions, JointOptions } from 'ricochet';
import type { BindableBody, BindableWorld, Binding } from 'ricochet/three';
import type { Object3D } from 'three';
import { type GltfPhysics, type ReadOptions, readPhysics } from './read';
import { type Quat, quatMultiply } from './transforms';

/** What is asked of a joint. */
interface RemovableJoint {
  readonly id: number;
}

/** What is asked of a world: World has it, and the client of a worker. */
export interface GltfWorld<Body extends BindableBody, Joint extends RemovableJoint> extends BindableWorld {
  /** As of World. */
  createBody(options: BodyOptions): Body;
  /** As of World. */
  removeBody(body: number): void;
  /** As of World. */
  createJoint(options: JointOptions): Joint;
}

/** What is read of the result of GLTFLoader. */
export interface LoadedGltf {
  /** Its parser: the JSON, the buffers, and which node an object is. */
  parser: {
    json: unknown;
    associations: Map<unknown, { nodes?: number }>;
    getDependency(type: string, index: number): Promise<unknown>;
  };
}

/** A file's physics in a world. */
export interface GltfInWorld<Body, Joint> {
  /** By the number of their node. */
  bodies: Map<number, Body>;
  /** In the order of their nodes. */
  joints: Joint[];
  /** What the file said. */
  physics: GltfPhysics;
  /** What was approximated or left out. */
  warnings: string[];
  /** Removes bodies and joints; objects stay where they are. */
  remove(): void;
}

/** A body that shows its node's pose: where principal axes turn the body against its node. */
function turned(body: BindableBody, frame: Quat): BindableBody {
  const back: Quat = [-frame[0], -frame[1], -frame[2], frame[3]];
  const turn = [0, 0, 0, 1];
  const write = (out: unknown, q: readonly number[]) => {
    const target = out as { set?: (...parts: number[]) => unknown } & Record<string, number>;
    if (typeof target.set === 'function' && !ArrayBuffer.isView(target)) target.set(...q);
    else
      for (const [k, c] of q.entries())
        target[Array.isArray(out) || ArrayBuffer.isView(out) ? k : 'xyzw'[k]!] = c;
    return out;
  };
  const shown: BindableBody = {
    get id() {
      return body.id;
    },
    get isRemoved() {
      return body.isRemoved;
    },
    getPosition: (out) => body.getPosition(out),
    getRotation: (out) => write(out, quatMultiply(body.getRotation(turn) as Quat, back)) as typeof out,
  };
  // Drawn between two steps as all others are.
  if (body.getInterpolatedPosition !== undefined && body.getInterpolatedRotation !== undefined) {
    shown.getInterpolatedPosition = (out) => body.getInterpolatedPosition!(out);
    shown.getInterpolatedRotation = (out) =>
      write(out, quatMultiply(body.getInterpolatedRotation!(turn) as Quat, back)) as typeof out;
  }
  return shown;
}

/**
 * Adds the physics of a file to a world, and binds the objects of its scene to the bodies. A world in process needs
 * `updateBindings` of `ricochet/three` after its steps.
 *
 * @param gltf   what GLTFLoader gave
 * @param scene  the objects that are to move: `gltf.scene`, which may be placed, turned and scaled before
 * @throws PhysicsError 'damaged-file' as readPhysics; the world is as it was
 */
export async function addGltfPhysics<Body extends BindableBody, Joint extends RemovableJoint>(
  world: GltfWorld<Body, Joint>,
  gltf: LoadedGltf,
  scene: Object3D,
  options: ReadOptions = {},
): Promise<GltfInWorld<Body, Joint>> {
  const { parser } = gltf;
  const count = ((parser.json as { buffers?: unknown[] }).buffers ?? []).length;
  const buffers = await Promise.all(
    Array.from({ length: count }, (_, i) => parser.getDependency('buffer', i) as Promise<ArrayBuffer>),
  );
  scene.updateWorldMatrix(true, true);
  const physics = readPhysics(parser.json, buffers, { place: scene.matrixWorld.elements, ...options });
  const { bind } = await import('ricochet/three');
  const objects = new Map<number, Object3D>();
  scene.traverse((object) => {
    const node = parser.associations.get(object)?.nodes;
    if (node !== undefined && !objects.has(node)) objects.set(node, object);
  });
  const bodies: Body[] = [];
  const joints: Joint[] = [];
  const bindings: Binding[] = [];
  const remove = () => {
    for (const binding of bindings) binding.unbind();
    for (const body of bodies) if (!body.isRemoved) world.removeBody(body.id);
  };
  try {
    for (const { options: body } of physics.bodies) bodies.push(world.createBody(body));
    for (const { bodyA, bodyB, options: joint } of physics.joints)
      joints.push(
        world.createJoint({
          ...joint,
          ...(bodyA === null ? {} : { bodyA: bodies[bodyA] }),
          ...(bodyB === null ? {} : { bodyB: bodies[bodyB] }),
        } as JointOptions),
      );
  } catch (error) {
    remove();
    throw error;
  }
  const byNode = new Map<number, Body>();
  physics.bodies.forEach(({ node, options: { type }, frame }, i) => {
    byNode.set(node, bodies[i]!);
    const object = objects.get(node);
    if (object === undefined) {
      if (type !== 'static') physics.warnings.push(`nodes[${node}]: no object of the scene shows it`);
    } else if (type !== 'static')
      bindings.push(bind(world, object, frame[3] === 1 ? bodies[i]! : turned(bodies[i]!, frame)));
  });
  return { bodies: byNode, joints, physics, warnings: physics.warnings, remove };
}
