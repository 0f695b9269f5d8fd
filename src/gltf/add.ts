// Physics of a file that GLTFLoader loaded: bodies and joints in a world, in process or in a worker, and the objects of the scene
// bound to them. Nothing of three.js is imported before it is needed.
import type { BodyOptions, JointOptions } from 'ricochet';
import type { BindableBody, BindableWorld, Binding } from 'ricochet/three';
import type { Object3D } from 'three';
import { type GltfPhysics, type ReadOptions, readPhysics } from './read';
import {
  affineOf,
  apply,
  inverseOf,
  type Pose,
  partsOf,
  type Quat,
  quatMultiply,
  type Vec3,
} from './transforms';

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
  /**
   * Makes the kinematic bodies follow their objects, in place of the other way round: for what plays the file's animations, or moves
   * the objects itself. Call it in every frame after that and before the step. The first call places the bodies; each later one is a
   * kinematic target, so that they carry and push what they meet.
   */
  lead(): void;
  /** Removes bodies and joints; objects stay where they are. */
  remove(): void;
}

/** What a kinematic body has that is led. */
interface LedBody {
  readonly type?: string;
  setTransform?(position: readonly number[], rotation: readonly number[]): void;
  setKinematicTarget?(position: readonly number[], rotation: readonly number[]): void;
}

/** A kinematic body and its object. */
interface Leading<Body> {
  body: Body;
  object: Object3D;
  binding: Binding;
  /** Of the body, seen from the object without its scales. */
  place: Vec3;
  turn: Quat;
}

/** Place and turn of an object in the world, without its scales. */
function poseOf(object: Object3D): Pose {
  object.updateWorldMatrix(true, false);
  return partsOf(object.matrixWorld.elements.filter((_, i) => i % 4 !== 3));
}

/** Where a body is, seen from its object, when both are where the file has them. */
function placeFrom(object: Object3D, { position, rotation }: Pose): { place: Vec3; turn: Quat } {
  const start = poseOf(object);
  const [x, y, z, w] = start.rotation;
  return { place: apply(inverseOf(start), position), turn: quatMultiply([-x, -y, -z, w], rotation) };
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
  const led: Leading<Body>[] = [];
  let leads = false;
  const lead = () => {
    for (const { body, object, binding, place, turn } of led) {
      const { type, setTransform, setKinematicTarget } = body as LedBody;
      if (body.isRemoved || type !== 'kinematic') continue;
      const { position, rotation } = poseOf(object);
      const at = apply(affineOf(position, rotation, [1, 1, 1]), place);
      if (!leads) binding.unbind();
      (leads ? setKinematicTarget : setTransform)?.call(body, at, quatMultiply(rotation, turn));
    }
    leads = true;
  };
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
  physics.bodies.forEach(({ node, options: { type, position, rotation }, frame }, i) => {
    byNode.set(node, bodies[i]!);
    const object = objects.get(node);
    if (object === undefined) {
      if (type !== 'static') physics.warnings.push(`nodes[${node}]: no object of the scene shows it`);
    } else if (type !== 'static') {
      const pose = { position: position ?? [0, 0, 0], rotation: rotation ?? [0, 0, 0, 1] } as Pose;
      const seen = placeFrom(object, pose); // before the binding moves it
      const binding = bind(world, object, frame[3] === 1 ? bodies[i]! : turned(bodies[i]!, frame));
      bindings.push(binding);
      if (type === 'kinematic') led.push({ body: bodies[i]!, object, binding, ...seen });
    }
  });
  return { bodies: byNode, joints, physics, warnings: physics.warnings, lead, remove };
}
