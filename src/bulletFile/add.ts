// A file in a world, in process or in a worker. In: what readBulletFile gave. Out: bodies and joints; all of them, or none.
import type { BodyOptions, JointOptions } from 'ricochet';
import { type BulletFile, placed } from './read';

/** What is asked of a world: World has it, and the client of a worker. */
export interface BulletWorld<Body extends { readonly id: number }, Joint> {
  /** As of World. */
  createBody(options: BodyOptions): Body;
  /** As of World. */
  removeBody(body: number): void;
  /** As of World. */
  createJoint(options: JointOptions): Joint;
}

/** A file's bodies and joints in a world, in the order of the file. */
export interface BulletInWorld<Body, Joint> {
  /** In the order of `file.bodies`. */
  readonly bodies: readonly Body[];
  /** In the order of `file.joints`. */
  readonly joints: readonly Joint[];
  /** Removes them; joints go with their bodies. */
  remove(): void;
}

/**
 * Adds a file to a world. For its settings and gravity make the world of `file.world`.
 *
 * @throws PhysicsError 'damaged-file' that names the chunk; the world is as it was
 */
export function addBulletFile<Body extends { readonly id: number }, Joint>(
  world: BulletWorld<Body, Joint>,
  file: BulletFile,
): BulletInWorld<Body, Joint> {
  const bodies: Body[] = [];
  const joints: Joint[] = [];
  const remove = () => {
    for (const body of bodies.splice(0)) world.removeBody(body.id);
  };
  let place = '';
  try {
    for (const body of file.bodies) {
      place = body.place;
      bodies.push(world.createBody(body.options));
    }
    for (const { bodyA, bodyB, options, place: at } of file.joints) {
      place = at;
      joints.push(
        world.createJoint({
          ...options,
          ...(bodyA !== null && { bodyA: bodies[bodyA] }),
          ...(bodyB !== null && { bodyB: bodies[bodyB] }),
        } as JointOptions),
      );
    }
  } catch (error) {
    remove();
    throw placed(error, place);
  }
  return { bodies, joints, remove };
}
