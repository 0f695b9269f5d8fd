// A ragdoll in a world, in process or in a worker. In: a plan, poses of an animation. Out: bodies and joints that follow the
// animation, are driven to it by motors, or fall; poses to draw, mixed of both, without a jump when it changes.
//
// Changes are smoothed by inertialization: what is drawn is the new source plus the difference to what was drawn at the
// change, which fades out (D. Bollo, "Inertialization", GDC 2018). A source that lags, as a worker does, is no jump then.
import type {
  BodyOptions,
  JointAxisOptions,
  JointOptions,
  QuatLike,
  QuatOut,
  Vec3Like,
  Vec3Out,
} from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import { type Lying, lyingOf } from './lying';
import {
  add,
  anglesOf,
  compose,
  conjugate,
  IDENTITY,
  length,
  mixed,
  mixedPose,
  multiply,
  type Pose,
  poseAt,
  type Quat,
  relative,
  rotate,
  rotationVector,
  scale,
  sub,
  type Vec3,
} from './math';
import type { BoneRole } from './names';
import type { RagdollPart, RagdollPlan } from './plan';

/** What is asked of a body: RigidBody has it, and PhysicsBody. */
export interface RagdollBody {
  /** Slot and generation. */
  readonly id: number;
  /** True after the body was removed. */
  readonly isRemoved: boolean;
  /** Of its origin, m. */
  getPosition<T extends Vec3Out>(out: T): T;
  /** A unit quaternion. */
  getRotation<T extends QuatOut>(out: T): T;
  /** In process: where to draw it. */
  getInterpolatedPosition?<T extends Vec3Out>(out: T): T;
  /** In process: how to draw it. */
  getInterpolatedRotation?<T extends QuatOut>(out: T): T;
  /** In its own frame, m. */
  getLocalCenterOfMass(): [number, number, number];
  /** m/s */
  getLinearVelocity<T extends Vec3Out>(out: T): T;
  /** As of a body. */
  setType(type: 'dynamic' | 'kinematic', options?: { mass?: number }): void;
  /** As of a body. */
  setTransform(position: Vec3Like, rotation: QuatLike): void;
  /** As of a body. */
  setKinematicTarget(position: Vec3Like, rotation: QuatLike): void;
  /** As of a body. */
  setLinearVelocity(velocity: Vec3Like): void;
  /** As of a body. */
  setAngularVelocity(velocity: Vec3Like): void;
}

/** What is asked of a joint. */
export interface RagdollJoint {
  /** As of a joint. */
  setAxis(name: 'angleX' | 'angleY' | 'angleZ', options: JointAxisOptions): void;
  /** As of a joint. */
  setServoTargets(targets: Vec3Like): void;
  /** As of a joint. */
  setFrames(
    frameA: { position: Vec3Like; rotation: QuatLike },
    frameB: { position: Vec3Like; rotation: QuatLike },
  ): void;
  /** As of a joint. */
  setSoftness(hertz: number, dampingRatio?: number, maxForce?: number, maxTorque?: number): void;
  /** As of a joint. */
  setEnabled(enabled: boolean): void;
}

/** What is asked of a world: World has it, and the client of a worker. */
export interface RagdollWorld<Body extends RagdollBody, Joint extends RagdollJoint> {
  /** As of World. */
  createBody(options: BodyOptions): Body;
  /** As of World. */
  removeBody(body: number): void;
  /** As of World. */
  createJoint(options: JointOptions): Joint;
  /** m/s² */
  getGravity<T extends Vec3Out>(out: T): T;
}

/**
 * 'animated': kinematic bodies follow the animation, and push what is in their way. 'powered': motors drive the joints to
 * the pose of the animation. 'limp': it falls.
 */
export type RagdollMode = 'animated' | 'powered' | 'limp';

/** Of a ragdoll in a world. */
export interface RagdollOptions {
  /** Default 'powered'. */
  mode?: RagdollMode;
  /** Poses of all bones in the world, seven numbers each: position, rotation. Default: the plan's, at rest. */
  pose?: ArrayLike<number>;
  /** Share of the largest torques, 0 … 100: 1 is a strong human. Default 1. */
  strength?: number;
  /** rad/s: how fast motors turn joints at most. Default 15 at 1.75 m, slower for giants. */
  maxVelocity?: number;
  /** Share of the largest torques with which limp joints resist, 0 … 1. Default 0.02. */
  friction?: number;
  /** Of all bodies, bits of the collision filter. Default: as of bodies. */
  group?: number;
  /** Of all bodies, bits of the groups to collide with. Default: as of bodies. */
  mask?: number;
  /** Whether its parts collide with each other where they do not overlap at rest. Default true; false needs a `group`. */
  selfCollision?: boolean;
  /** Options for all bodies: damping, activation, ccd. */
  body?: Partial<BodyOptions>;
  /** Of all shapes. Default 0.7. */
  surfaceFriction?: number;
}

const invalid = (argument: string, what: string, value: unknown) =>
  new PhysicsError('invalid-argument', what, argument, value);

function number(value: unknown, argument: string, low: number, high: number): number {
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw invalid(argument, `must be a number, ${low} … ${high}`, value);
}

const AXES = ['angleX', 'angleY', 'angleZ'] as const;
/** rad: smaller changes of a target are not sent. */
const SMALLEST_CHANGE = 1e-5;
/** Bodies farther than this share of the height from the animation are put to it. */
const LOST = 0.5;
/** s */
const BLEND = 0.2;

const vec = (p: readonly number[]): Vec3 => [p[0]!, p[1]!, p[2]!];
const quat = (q: readonly number[]): Quat => [q[0]!, q[1]!, q[2]!, q[3]!];

/** The angle, plus whole turns, that is nearest to an interval, inside it. */
function inside(angle: number, low: number, high: number): number {
  const turn = 2 * Math.PI;
  const gap = (a: number) => Math.max(low - a, a - high, 0);
  let best = angle;
  for (const other of [angle - turn, angle + turn]) if (gap(other) < gap(best)) best = other;
  return Math.min(high, Math.max(low, best));
}

/** One part in a world. */
class Limb<Body extends RagdollBody, Joint extends RagdollJoint> {
  strength = 1;
  weight = 1;
  /** Of the animation: now. */
  animated: Pose;
  /** What is drawn now, and what was drawn at the frame before. */
  drawn: Pose;
  before: Pose;
  /** Difference of what is drawn to its source at the last change, as seen from the parent. */
  offset: Pose = { p: [0, 0, 0], q: IDENTITY };
  joint: Joint | null = null;
  /** The anchor in the parent, as the joint has it. */
  anchor: Vec3 = [0, 0, 0];
  targets: Vec3 = [Infinity, Infinity, Infinity];
  private readonly p: Vec3 = [0, 0, 0];
  private readonly q: Quat = [0, 0, 0, 1];
  private readonly center: Vec3;

  constructor(
    readonly part: RagdollPart,
    readonly body: Body,
    pose: Pose,
  ) {
    this.animated = this.drawn = this.before = pose;
    this.center = body.getLocalCenterOfMass();
  }

  /** Where the body is drawn. */
  read(): Pose {
    const { body, p, q } = this;
    if (body.getInterpolatedPosition !== undefined) body.getInterpolatedPosition(p);
    else body.getPosition(p);
    if (body.getInterpolatedRotation !== undefined) body.getInterpolatedRotation(q);
    else body.getRotation(q);
    return { p: [...p], q: [...q] };
  }

  /** Gives the body the motion of what is drawn. */
  inherit(dt: number): void {
    const { body, drawn, before, center } = this;
    const place = (pose: Pose) => add(pose.p, rotate(pose.q, center));
    const rate = dt > 0 ? 1 / dt : 0;
    body.setLinearVelocity(scale(sub(place(drawn), place(before)), rate));
    body.setAngularVelocity(scale(rotationVector(multiply(drawn.q, conjugate(before.q))), rate));
  }

  /** Targets of its motors for the pose of the animation. */
  aim(parent: Pose): void {
    const { joint, part, animated, targets } = this;
    const { frameA, frameB, low, high } = part.joint;
    const a = multiply(parent.q, quat(frameA));
    const b = multiply(animated.q, quat(frameB));
    const angles = anglesOf(multiply(conjugate(a), b)).map((angle, k) =>
      inside(angle, low[k]!, high[k]!),
    ) as Vec3;
    if (angles.every((angle, k) => Math.abs(angle - targets[k]!) < SMALLEST_CHANGE)) return;
    this.targets = angles;
    joint!.setServoTargets(angles);
  }
}

/** A ragdoll in a world. */
export class Ragdoll<Body extends RagdollBody, Joint extends RagdollJoint> {
  /** Of the parts of the plan. */
  readonly bodies: readonly Body[];
  /** Of the parts of the plan; null for the first. */
  readonly joints: readonly (Joint | null)[];
  private readonly limbs: Limb<Body, Joint>[] = [];
  private current: RagdollMode = 'powered';
  private power: number;
  private share = 1;
  private pin: Joint | null = null;
  private pinned = 0;
  private dt = 0;
  /** s since the last change, and how long its traces are drawn. */
  private age = 0;
  private fade = 0;
  private readonly maxVelocity: number;

  /**
   * Adds it to a world.
   *
   * @throws PhysicsError 'invalid-argument' for options out of range; as createBody and createJoint. The world is as it was
   */
  constructor(
    private readonly world: RagdollWorld<Body, Joint>,
    /** What it is made of. */
    readonly plan: RagdollPlan,
    private readonly options: RagdollOptions = {},
  ) {
    const { strength = 1, mode = 'powered', friction = 0.02 } = options;
    this.power = number(strength, 'strength', 0, 100);
    const slower = Math.sqrt(1.75 / plan.height);
    this.maxVelocity = number(options.maxVelocity ?? 15 * slower, 'maxVelocity', 0, 1000);
    number(friction, 'friction', 0, 1);
    if (options.selfCollision === false && options.group === undefined)
      throw invalid('selfCollision', 'needs a group of its own, one bit', false);
    this.checkMode(mode);
    this.current = mode;
    const poses =
      options.pose === undefined
        ? plan.parts.map(({ rest }) => ({ p: vec(rest.p), q: quat(rest.q) }))
        : this.posesOf(options.pose);
    try {
      for (const [i, part] of plan.parts.entries()) this.addLimb(part, poses[i]!);
      for (const [a, b] of plan.apart)
        world.createJoint({
          type: 'generic',
          bodyA: this.limbs[a]!.body,
          bodyB: this.limbs[b]!.body,
          enabled: false, // only keeps the two from colliding
        });
    } catch (error) {
      this.remove();
      throw error;
    }
    this.bodies = this.limbs.map(({ body }) => body);
    this.joints = this.limbs.map(({ joint }) => joint);
    if (mode === 'animated') for (const { body } of this.limbs) body.setType('kinematic');
    else this.drive(options.pose ?? this.restPose(), 0);
  }

  private addLimb(part: RagdollPart, pose: Pose): void {
    const { body: common, group, mask, surfaceFriction = 0.7, selfCollision = true } = this.options;
    const filter = {
      ...(group === undefined ? {} : { group }),
      ...(selfCollision ? (mask === undefined ? {} : { mask }) : { mask: (mask ?? -1) & ~group! }),
    };
    const body = this.world.createBody({
      angularDamping: 0.1,
      userIndex: part.bone,
      ...common,
      ...filter,
      type: 'dynamic',
      mass: part.mass,
      position: pose.p,
      rotation: pose.q,
      shape: { friction: surfaceFriction, ...part.shape },
    });
    const limb = new Limb<Body, Joint>(part, body, pose);
    this.limbs.push(limb);
    const parent = this.limbs[part.parent];
    if (parent === undefined) return;
    limb.anchor = relative(parent.animated, pose).p;
    limb.joint = this.world.createJoint({
      type: 'generic',
      order: 'zyx',
      bodyA: parent.body,
      bodyB: body,
      frameA: { position: limb.anchor, rotation: quat(part.joint.frameA) },
      frameB: { position: [0, 0, 0], rotation: quat(part.joint.frameB) },
      angleX: this.axis(limb, 0),
      angleY: this.axis(limb, 1),
      angleZ: this.axis(limb, 2),
    });
  }

  /** Limits and motor of an axis: drives to a target, or resists. */
  private axis({ part, strength, targets }: Limb<Body, Joint>, k: number): JointAxisOptions {
    const { low, high, maxTorque } = part.joint;
    const limits = { low: low[k]!, high: high[k]! };
    const limp = maxTorque * (this.options.friction ?? 0.02);
    const maxForce = maxTorque * strength * this.power;
    if (this.current !== 'powered' || maxForce <= limp)
      return { ...limits, motor: { velocity: 0, maxForce: limp } };
    const target = Number.isFinite(targets[k]!) ? targets[k]! : 0;
    return { ...limits, servo: { target, maxVelocity: this.maxVelocity, maxForce } };
  }

  private setMotors(only?: Limb<Body, Joint>): void {
    for (const limb of only === undefined ? this.limbs : [only])
      if (limb.joint !== null)
        for (const [k, name] of AXES.entries()) limb.joint.setAxis(name, this.axis(limb, k));
  }

  private checkMode(mode: RagdollMode): void {
    if (mode !== 'animated' && mode !== 'powered' && mode !== 'limp')
      throw invalid('mode', "must be 'animated', 'powered' or 'limp'", mode);
  }

  private restPose(): Float64Array {
    const list = new Float64Array(7 * this.plan.names.length);
    for (const { bone, rest } of this.plan.parts) list.set([...rest.p, ...rest.q], 7 * bone);
    return list;
  }

  private posesOf(list: ArrayLike<number>): Pose[] {
    const { names, parts } = this.plan;
    if (list?.length !== 7 * names.length)
      throw invalid('pose', `must hold ${7 * names.length} numbers, seven for each bone`, list?.length);
    return parts.map(({ bone, name }) => {
      const pose = poseAt(list, bone);
      const size =
        pose.q[0] * pose.q[0] + pose.q[1] * pose.q[1] + pose.q[2] * pose.q[2] + pose.q[3] * pose.q[3];
      if (![...pose.p, ...pose.q].every(Number.isFinite) || Math.abs(size - 1) > 0.01)
        throw invalid('pose', `must hold finite positions and unit quaternions: not so for ${name}`, size);
      return pose;
    });
  }

  /** What it does now. */
  get mode(): RagdollMode {
    return this.current;
  }

  /** True while nothing but the animation is drawn. */
  get isPlain(): boolean {
    return this.current === 'animated' && this.age >= this.fade;
  }

  /** True when its bodies are no longer in the world. */
  get isRemoved(): boolean {
    return this.limbs.length === 0 || this.limbs.some(({ body }) => body.isRemoved);
  }

  /**
   * A part by the name of its bone or by its role.
   *
   * @throws PhysicsError 'invalid-argument' for a name of no part
   */
  partIndex(name: string | BoneRole): number {
    const index = this.plan.parts.findIndex((part) => part.name === name || part.role === name);
    if (index < 0)
      throw invalid(
        'name',
        `must be one of ${this.plan.parts.map((part) => part.role ?? part.name).join(', ')}`,
        name,
      );
    return index;
  }

  /** The body of a part, by the name of its bone or by its role; errors as partIndex. */
  body(name: string | BoneRole): Body {
    return this.bodies[this.partIndex(name)]!;
  }

  /**
   * One call per frame, before the world's step or `update`: takes the pose of the animation, and sends targets to kinematic
   * bodies or to motors. The same frame's `draw` follows the step.
   *
   * @param pose  of all bones in the world, seven numbers each: position, m, and unit quaternion
   * @param dt  s since the last call; 0 after a jump of the animation
   * @throws PhysicsError 'invalid-argument' for another number of numbers, or what is no pose
   */
  drive(pose: ArrayLike<number>, dt: number): void {
    if (this.isRemoved) return;
    const poses = this.posesOf(pose);
    this.dt = number(dt, 'dt', 0, 1e6);
    this.age += dt;
    this.limbs.forEach((limb, i) => {
      limb.animated = poses[i]!;
      limb.before = limb.drawn;
    });
    if (this.current === 'animated') {
      this.mix();
      for (const { body, drawn } of this.limbs) body.setKinematicTarget(drawn.p, drawn.q);
      return;
    }
    if (this.current === 'powered')
      for (const limb of this.limbs)
        if (limb.joint !== null) limb.aim(this.limbs[limb.part.parent]!.animated);
    if (this.pinned > 0) this.placePin();
  }

  /**
   * Poses to draw, of all parts: seven numbers each, position and rotation of the bone in the world. Call it after the
   * step, or after the `update` of a worker's client.
   *
   * @param out  of 7 · parts numbers
   */
  draw(out: { [index: number]: number; readonly length: number }): void {
    if (this.isRemoved) return;
    if (out?.length !== 7 * this.limbs.length)
      throw invalid('out', `must have room for ${7 * this.limbs.length} numbers`, out?.length);
    this.mix();
    this.limbs.forEach(({ drawn: { p, q } }, i) => {
      for (let k = 0; k < 3; k++) out[7 * i + k] = p[k]!;
      for (let k = 0; k < 4; k++) out[7 * i + 3 + k] = q[k]!;
    });
  }

  /** Each part as seen from its parent: of the animation, of the bodies, or between them. */
  private source(): Pose[] {
    const { limbs, current } = this;
    const seen = (poses: readonly Pose[], i: number) => {
      const { parent } = limbs[i]!.part;
      return parent < 0 ? poses[i]! : relative(poses[parent]!, poses[i]!);
    };
    const animated = limbs.map((limb) => limb.animated);
    const weights = limbs.map(({ weight }) => (current === 'animated' ? 0 : weight * this.share));
    const real = weights.some((weight) => weight > 0) ? limbs.map((limb) => limb.read()) : animated;
    return weights.map((weight, i) => {
      if (weight <= 0) return seen(animated, i);
      return weight >= 1 ? seen(real, i) : mixedPose(seen(animated, i), seen(real, i), weight);
    });
  }

  /** Computes what is drawn. */
  private mix(): void {
    const t = this.fade > 0 ? Math.min(1, this.age / this.fade) : 1;
    // Without a step in speed or acceleration at its ends.
    const left = 1 - t * t * t * (10 - 15 * t + 6 * t * t);
    this.source().forEach((pose, i) => {
      const { offset, part } = this.limbs[i]!;
      const local =
        left <= 0
          ? pose
          : { p: add(pose.p, scale(offset.p, left)), q: multiply(mixed(IDENTITY, offset.q, left), pose.q) };
      this.limbs[i]!.drawn = part.parent < 0 ? local : compose(this.limbs[part.parent]!.drawn, local);
    });
  }

  /** Keeps what is drawn as it is while its sources change; the difference fades out in `seconds`. */
  private change(what: () => void, seconds: number): void {
    const drawn = this.limbs.map(({ drawn: pose, part }) =>
      part.parent < 0 ? pose : relative(this.limbs[part.parent]!.drawn, pose),
    );
    what();
    this.source().forEach((pose, i) => {
      this.limbs[i]!.offset = {
        p: sub(drawn[i]!.p, pose.p),
        q: multiply(drawn[i]!.q, conjugate(pose.q)),
      };
    });
    this.age = 0;
    this.fade = seconds;
  }

  /**
   * Changes what it does. Nothing that is drawn jumps: bodies go on with the motion that the animation had, and the animation
   * takes over from where the bodies are, over `blend` s.
   *
   * @param blend  s, 0 … 100. Default 0.2; for an animation that stands up, 0.4 and more
   * @throws PhysicsError 'invalid-argument'
   */
  setMode(mode: RagdollMode, blend = BLEND): void {
    this.checkMode(mode);
    number(blend, 'blend', 0, 100);
    if (mode === this.current) return;
    this.change(() => {
      const was = this.current;
      this.current = mode;
      if (mode === 'animated') {
        this.enablePin(false);
        for (const { body } of this.limbs) body.setType('kinematic');
        return;
      }
      if (was === 'animated') this.release();
      for (const limb of this.limbs) {
        if (limb.joint === null) continue;
        limb.targets = [Infinity, Infinity, Infinity];
        if (mode === 'powered') limb.aim(this.limbs[limb.part.parent]!.animated);
      }
      this.setMotors();
      this.enablePin(this.pinned > 0);
    }, blend);
  }

  /** Kinematic bodies become dynamic, where they are, with the motion and the proportions of the animation. */
  private release(): void {
    const lost = this.limbs.some(({ body, drawn }) => {
      const at = body.getPosition([0, 0, 0] as Vec3);
      return length(sub(at, drawn.p)) > LOST * this.plan.height;
    });
    for (const limb of this.limbs) {
      const { body, part, drawn } = limb;
      body.setType('dynamic', { mass: part.mass });
      if (lost) body.setTransform(drawn.p, drawn.q);
      limb.inherit(this.dt);
      if (limb.joint === null) continue;
      const anchor = relative(this.limbs[part.parent]!.drawn, drawn).p;
      if (length(sub(anchor, limb.anchor)) < 1e-5 * this.plan.height) continue;
      limb.anchor = anchor;
      limb.joint.setFrames(
        { position: anchor, rotation: quat(part.joint.frameA) },
        { position: [0, 0, 0], rotation: quat(part.joint.frameB) },
      );
    }
  }

  /**
   * Strength of the motors, as a share of the largest torques of a strong human, 0 … 100: of all, or times that, of one part.
   *
   * @throws PhysicsError 'invalid-argument'
   */
  setStrength(strength: number, name?: string | BoneRole): void {
    number(strength, 'strength', 0, 100);
    if (name === undefined) this.power = strength;
    else this.limbs[this.partIndex(name)]!.strength = strength;
    this.setMotors(name === undefined ? undefined : this.limbs[this.partIndex(name)]!);
  }

  /** Of all motors; see setStrength. */
  get strength(): number {
    return this.power;
  }

  /**
   * How much of the bodies is drawn, 0 … 1, the rest is the animation: of all, or times that, of one part. A change fades in
   * over `blend` s.
   *
   * @throws PhysicsError 'invalid-argument'
   */
  setWeight(weight: number, name?: string | BoneRole, blend = BLEND): void {
    number(weight, 'weight', 0, 1);
    number(blend, 'blend', 0, 100);
    const limb = name === undefined ? undefined : this.limbs[this.partIndex(name)]!;
    this.change(() => {
      if (limb === undefined) this.share = weight;
      else limb.weight = weight;
    }, blend);
  }

  /**
   * Holds the first part to its place in the animation, with a force of up to `share` · 3 times the weight, 0 … 100: for
   * bodies that are to go on walking while they are hit. 0, the default, lets it stand and fall by itself.
   *
   * @throws PhysicsError 'invalid-argument'
   */
  setPin(share: number): void {
    this.pinned = number(share, 'share', 0, 100);
    this.enablePin(share > 0 && this.current !== 'animated');
  }

  private enablePin(on: boolean): void {
    if (!on) {
      this.pin?.setEnabled(false);
      return;
    }
    const { mass, height } = this.plan;
    const force = 3 * 9.81 * mass * this.pinned;
    if (this.pin === null) {
      this.pin = this.world.createJoint({
        type: 'motor',
        bodyB: this.limbs[0]!.body,
        frameA: { position: this.limbs[0]!.animated.p, rotation: this.limbs[0]!.animated.q },
        frameB: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
        hertz: 10,
        maxForce: force,
        maxTorque: force * 0.2 * height,
      });
    } else this.pin.setSoftness(10, 1, force, force * 0.2 * height);
    this.pin.setEnabled(true);
    this.placePin();
  }

  private placePin(): void {
    const { p, q } = this.limbs[0]!.animated;
    this.pin?.setFrames({ position: p, rotation: q }, { position: [0, 0, 0], rotation: [0, 0, 0, 1] });
  }

  /** How it lies: which animation gets it up, from where and in which direction. */
  lying(): Lying {
    const velocity: Vec3 = [0, 0, 0];
    let speed = 0;
    for (const { body } of this.limbs) speed = Math.max(speed, length(body.getLinearVelocity(velocity)));
    const gravity = this.world.getGravity([0, 0, 0] as Vec3);
    return { ...lyingOf(this.limbs[0]!.read(), this.plan.axes, gravity), speed };
  }

  /** Largest angle between a joint and the pose of the animation, rad, as the bodies are drawn. */
  trackingError(): number {
    const real = this.limbs.map((limb) => limb.read());
    let most = 0;
    this.limbs.forEach(({ part, animated }, i) => {
      if (part.parent < 0) return;
      const wanted = multiply(conjugate(this.limbs[part.parent]!.animated.q), animated.q);
      const is = multiply(conjugate(real[part.parent]!.q), real[i]!.q);
      most = Math.max(most, length(rotationVector(multiply(conjugate(wanted), is))));
    });
    return most;
  }

  /** Takes its bodies and joints out of the world. */
  remove(): void {
    for (const { body } of this.limbs) if (!body.isRemoved) this.world.removeBody(body.id);
    this.limbs.length = 0;
  }
}
