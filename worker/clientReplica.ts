// The client's replica. In: the calls of Replica. Out: the same, and the poses that the user sets, so that they can be
// read before a frame contains them. The poses are read once from the arguments, as in the command.

import { type BodyId, MAX_SLOT } from '../src/base/ids';
import { BODY_STATIC } from '../src/core/memory/constants';
import { Replica } from '../src/replica/replica';
import type { QuatLike, Vec3Like } from '../src/types';
import { FrameActs } from './frameActs';
import type { PoseStore } from './poses';

/** A replica that reports the poses that its user sets. */
export class ClientReplica extends Replica {
  /** Position and rotation are in `values` from `at` on. */
  onPlaced: (id: BodyId, values: ArrayLike<number>, at: number) => void = () => {};
  /** The position alone, and the rotation alone, are in `values` from `at` on. */
  onMoved: (id: BodyId, values: ArrayLike<number>, at: number) => void = () => {};
  onTurned: (id: BodyId, values: ArrayLike<number>, at: number) => void = () => {};
  /** Linear at offset 0, angular at 3; in `values` from `at` on. */
  onVelocity: (id: BodyId, offset: 0 | 3, values: ArrayLike<number>, at: number) => void = () => {};
  /** Forces and targets that are held back until the end of the page's frame. */
  readonly frame = new FrameActs(this);

  override placed(id: BodyId, values: ArrayLike<number>, at: number): void {
    this.onPlaced(id, values, at);
    this.onVelocity(id, 0, values, at + 7);
    this.onVelocity(id, 3, values, at + 10);
  }

  override setLinearVelocity(id: BodyId, velocity: Vec3Like): void {
    super.setLinearVelocity(id, velocity);
    if (this.body(id).type !== BODY_STATIC) this.onVelocity(id, 0, this.values, 1);
  }

  override setAngularVelocity(id: BodyId, velocity: Vec3Like): void {
    super.setAngularVelocity(id, velocity);
    if (this.body(id).type !== BODY_STATIC) this.onVelocity(id, 3, this.values, 1);
  }

  override setTransform(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    super.setTransform(id, position, rotation);
    this.frame.forgetTarget(id);
    this.onPlaced(id, this.values, 1);
  }

  override setPosition(id: BodyId, position: Vec3Like): void {
    super.setPosition(id, position);
    this.frame.forgetTarget(id);
    this.onMoved(id, this.values, 1);
  }

  override setRotation(id: BodyId, rotation: QuatLike): void {
    super.setRotation(id, rotation);
    this.frame.forgetTarget(id);
    this.onTurned(id, this.values, 1);
  }

  protected override forceWritten(id: BodyId, at: number): void {
    if (!this.frame.takeForce(id, at)) super.forceWritten(id, at);
  }

  protected override targetWritten(id: BodyId, at: number): void {
    this.frame.takeTarget(id, at);
  }
}

const cross = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  [1, 2, 0].map((j, i) =>
    Math.fround(Math.fround(a[j]! * b[3 - i - j]!) - Math.fround(a[3 - i - j]! * b[j]!)),
  );

/**
 * What the core answers for the place where a body was put: it keeps the place of the centre of mass (setPose and publishPose, with
 * `rotate`, in f32). If the answers differed in the last bit, so would what a program sets from them, in process and in a worker.
 */
export function roundAsCore(place: Float32Array, rotation: Float32Array, center: readonly number[]): void {
  const c = center.map(Math.fround);
  const t = cross(rotation, c).map((v) => v + v);
  const last = cross(rotation, t);
  for (let i = 0; i < 3; i++) {
    const arm = Math.fround(Math.fround(c[i]! + Math.fround(rotation[3]! * t[i]!)) + last[i]!);
    place[i] = Math.fround(place[i]! + arm) - arm;
  }
}

/** Poses that the user sets can be read at once. `sequence`: the one that a frame must show to know of them. */
export function showPlaces(replica: ClientReplica, poses: PoseStore, sequence: () => number): void {
  const pose = new Float32Array(7);
  const [position, rotation] = [pose.subarray(0, 3), pose.subarray(3)];
  const show = (id: BodyId) => {
    roundAsCore(position, rotation, replica.body(id).massProps.centerOfMass);
    poses.setLocal(id & MAX_SLOT, position, rotation, sequence());
  };
  replica.onPlaced = (id, values, at) => {
    for (let i = 0; i < 7; i++) pose[i] = values[at + i]!;
    show(id);
  };
  replica.onMoved = (id, values, at) => {
    poses.readRotation(id & MAX_SLOT, rotation);
    for (let i = 0; i < 3; i++) position[i] = values[at + i]!;
    show(id);
  };
  replica.onTurned = (id, values, at) => {
    poses.readPosition(id & MAX_SLOT, position);
    for (let i = 0; i < 4; i++) rotation[i] = values[at + i]!;
    show(id);
  };
}
