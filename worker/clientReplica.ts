// The client's replica. In: the calls of Replica. Out: also where the user puts bodies, so that their poses can
// be read before any frame has seen them.

import type { BodyId } from '../src/base/ids';
import { BODY_STATIC } from '../src/core/memory/constants';
import type { BodyPlaces } from '../src/replica/bulk';
import { Replica } from '../src/replica/replica';
import type { BodyOptions, QuatLike, Vec3Like } from '../src/types';
import { FrameActs } from './frameActs';

const ORIGIN = [0, 0, 0];
const IDENTITY = [0, 0, 0, 1];
const one = [0, 0, 0];

/** A replica that tells where its user puts bodies. */
export class ClientReplica extends Replica {
  onPlaced: (id: BodyId, position: Vec3Like, rotation: QuatLike) => void = () => {};
  /** Linear at offset 0, angular at 3. */
  onVelocity: (id: BodyId, offset: 0 | 3, velocity: Vec3Like) => void = () => {};
  /** Forces and targets that wait for the end of the page's frame. */
  readonly frame = new FrameActs(this);

  override createBody(options: BodyOptions): BodyId {
    const id = super.createBody(options);
    this.placed(id, options);
    return id;
  }

  override createBodies(list: readonly BodyOptions[]): Int32Array {
    const ids = super.createBodies(list);
    for (let i = 0; i < ids.length; i++) this.placed(ids[i] as BodyId, list[i] as BodyOptions);
    return ids;
  }

  private placed(id: BodyId, { position, rotation, linearVelocity, angularVelocity }: BodyOptions): void {
    this.onPlaced(id, position ?? ORIGIN, rotation ?? IDENTITY);
    this.onVelocity(id, 0, linearVelocity ?? ORIGIN);
    this.onVelocity(id, 3, angularVelocity ?? ORIGIN);
  }

  override createBodiesAt(template: BodyOptions, places: BodyPlaces): Int32Array {
    const ids = super.createBodiesAt(template, places);
    const { positions: p, rotations: q } = places;
    const position = [0, 0, 0];
    const rotation = q === undefined ? (template.rotation ?? IDENTITY) : [0, 0, 0, 1];
    for (let i = 0; i < ids.length; i++) {
      for (let k = 0; k < 3; k++) position[k] = p[3 * i + k] as number;
      if (q !== undefined) for (let k = 0; k < 4; k++) (rotation as number[])[k] = q[4 * i + k] as number;
      this.onPlaced(ids[i] as BodyId, position, rotation);
      this.velocityPlaced(ids[i] as BodyId, i, 0, places.linearVelocities, template.linearVelocity);
      this.velocityPlaced(ids[i] as BodyId, i, 3, places.angularVelocities, template.angularVelocity);
    }
    return ids;
  }

  private velocityPlaced(
    id: BodyId,
    i: number,
    offset: 0 | 3,
    all: ArrayLike<number> | undefined,
    each: Vec3Like | undefined,
  ): void {
    if (all === undefined) this.onVelocity(id, offset, each ?? ORIGIN);
    else {
      for (let k = 0; k < 3; k++) one[k] = all[3 * i + k] as number;
      this.onVelocity(id, offset, one);
    }
  }

  override setLinearVelocity(id: BodyId, velocity: Vec3Like): void {
    super.setLinearVelocity(id, velocity);
    if (this.body(id).type !== BODY_STATIC) this.onVelocity(id, 0, velocity);
  }

  override setAngularVelocity(id: BodyId, velocity: Vec3Like): void {
    super.setAngularVelocity(id, velocity);
    if (this.body(id).type !== BODY_STATIC) this.onVelocity(id, 3, velocity);
  }

  override setTransform(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    super.setTransform(id, position, rotation);
    this.frame.forgetTarget(id);
    this.onPlaced(id, position, rotation);
  }

  override applyForce(id: BodyId, force: Vec3Like, relativePosition?: Vec3Like): void {
    const { length } = this.writer;
    const { hasForces } = this;
    super.applyForce(id, force, relativePosition);
    if (this.frame.takeForce(id, length)) this.hasForces = hasForces;
  }

  override applyTorque(id: BodyId, torque: Vec3Like): void {
    const { length } = this.writer;
    const { hasForces } = this;
    super.applyTorque(id, torque);
    if (this.frame.takeForce(id, length)) this.hasForces = hasForces;
  }

  override setKinematicTarget(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    const { length } = this.writer;
    super.setKinematicTarget(id, position, rotation);
    this.frame.takeTarget(id, length);
  }
}
