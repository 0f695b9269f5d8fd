// A robot in a world, in process or in a worker. In: a description. Out: bodies by link, joints by name, servos that hold what
// they are told.
import type { BodyOptions, JointAxisOptions, JointOptions } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import type { Urdf, UrdfJoint } from './read';

/** What is asked of a body. */
export interface RobotBody {
  /** Slot and generation. */
  readonly id: number;
  /** True after the body was removed. */
  readonly isRemoved: boolean;
}

/** What is asked of a joint. */
export interface RobotJoint {
  /** As of a joint. */
  setServo(name: 'angle' | 'position', servo: JointAxisOptions['servo']): void;
  /** As of a joint. */
  getPosition(name: 'angle' | 'position'): number;
}

/** What is asked of a world: World has it, and the client of a worker. */
export interface RobotWorld<Body extends RobotBody, Joint extends RobotJoint> {
  /** As of World. */
  createBody(options: BodyOptions): Body;
  /** As of World. */
  removeBody(body: number): void;
  /** As of World. */
  createJoint(options: JointOptions): Joint;
}

/** How hard servos work where the file does not say. */
export interface RobotOptions {
  /** N·m or N. Default 1000. */
  maxForce?: number;
  /** rad/s or m/s. Default 10. */
  maxVelocity?: number;
  /** Links of the robot collide with each other, those that a joint joins excepted. Default false. */
  selfCollision?: boolean;
  /** The group of its shapes, one bit. Robots that share one pass through each other, as links do. Default 1 << 10. */
  group?: number;
}

/** A robot in a world. */
export class Robot<Body extends RobotBody, Joint extends RobotJoint> {
  /** By the name of each link; links of one body share it. */
  readonly bodies = new Map<string, Body>();
  /** By name; fixed joints are none. */
  readonly joints = new Map<string, Joint>();
  private readonly described = new Map<string, UrdfJoint>();

  /**
   * Adds it to a world.
   *
   * @throws PhysicsError as createBody and createJoint; the world is as it was
   */
  constructor(
    private readonly world: RobotWorld<Body, Joint>,
    urdf: Urdf,
    private readonly options: RobotOptions = {},
  ) {
    const { selfCollision = false, group = 1 << 10 } = options;
    const made: Body[] = [];
    const filter = { group, mask: selfCollision ? -1 : ~group };
    try {
      for (const { options: body, links } of urdf.bodies) {
        made.push(world.createBody({ ...body, shape: body.shape.map((shape) => ({ ...shape, ...filter })) }));
        for (const link of links) this.bodies.set(link, made.at(-1)!);
      }
      for (const joint of urdf.joints) {
        const ends = { bodyA: made[joint.bodyA], bodyB: made[joint.bodyB] };
        this.joints.set(joint.name, world.createJoint({ ...joint.options, ...ends } as JointOptions));
        this.described.set(joint.name, joint);
      }
    } catch (error) {
      for (const body of made) world.removeBody(body.id);
      throw error;
    }
  }

  /** Names of the joints that may be told where to go: those that follow others are left out. */
  get jointNames(): string[] {
    return [...this.described.values()]
      .filter(({ axis, mimic }) => axis !== null && mimic === null)
      .map(({ name }) => name);
  }

  /**
   * Where joints are to go, rad or m: servos drive them there and hold them, within the limits, effort and velocity of the
   * file. Joints that mimic others go with them.
   *
   * @throws PhysicsError 'invalid-argument' for a name of no such joint, and a target that is no number
   */
  setTargets(targets: Readonly<Record<string, number>>): void {
    for (const [name, target] of Object.entries(targets)) {
      const joint = this.described.get(name);
      if (joint === undefined || joint.axis === null || joint.mimic !== null)
        throw new PhysicsError(
          'invalid-argument',
          `must name one of ${this.jointNames.join(', ')}`,
          'targets',
          name,
        );
      if (typeof target !== 'number' || !Number.isFinite(target))
        throw new PhysicsError('invalid-argument', 'must be a finite number', `targets.${name}`, target);
    }
    for (const [name, target] of Object.entries(targets)) {
      this.drive(this.described.get(name)!, target);
      for (const other of this.described.values())
        if (other.mimic?.joint === name)
          this.drive(other, other.mimic.multiplier * target + other.mimic.offset);
    }
  }

  private drive({ name, axis, lower, upper, effort, velocity }: UrdfJoint, target: number): void {
    if (axis === null) return;
    const { maxForce = 1000, maxVelocity = 10 } = this.options;
    this.joints.get(name)!.setServo(axis, {
      target: Math.min(upper, Math.max(lower, target)),
      maxForce: Number.isFinite(effort) ? effort : maxForce,
      maxVelocity: Number.isFinite(velocity) ? velocity : maxVelocity,
    });
  }

  /** Where each joint is, rad or m. In a worker of the last frame, for joints that are watched (`joint.watch()`). */
  getPositions(): Record<string, number> {
    const out: Record<string, number> = {};
    for (const [name, { axis }] of this.described)
      if (axis !== null) out[name] = this.joints.get(name)!.getPosition(axis);
    return out;
  }

  /** Takes its bodies and joints out of the world, as far as they are still there. */
  remove(): void {
    for (const body of new Set(this.bodies.values())) if (!body.isRemoved) this.world.removeBody(body.id);
  }
}
