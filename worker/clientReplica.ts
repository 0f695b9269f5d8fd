// The client's replica. In: the calls of Replica. Out: also where the user puts bodies, so that their poses can
// be read before any frame has seen them.

import type { BodyId } from '../src/base/ids';
import type { BodyPlaces } from '../src/replica/bulk';
import { Replica } from '../src/replica/replica';
import type { BodyOptions, QuatLike, Vec3Like } from '../src/types';
import { FrameActs } from './frameActs';

const ORIGIN = [0, 0, 0];
const IDENTITY = [0, 0, 0, 1];

/** A replica that tells where its user puts bodies. */
export class ClientReplica extends Replica {
  onPlaced: (id: BodyId, position: Vec3Like, rotation: QuatLike) => void = () => {};
  /** Forces and targets that wait for the end of the page's frame. */
  readonly frame = new FrameActs(this);

  override createBody(options: BodyOptions): BodyId {
    const id = super.createBody(options);
    this.onPlaced(id, options.position ?? ORIGIN, options.rotation ?? IDENTITY);
    return id;
  }

  override createBodies(list: readonly BodyOptions[]): Int32Array {
    const ids = super.createBodies(list);
    for (let i = 0; i < ids.length; i++) {
      const { position, rotation } = list[i] as BodyOptions;
      this.onPlaced(ids[i] as BodyId, position ?? ORIGIN, rotation ?? IDENTITY);
    }
    return ids;
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
    }
    return ids;
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
