// A contact with Rapier's names, as `onCollisionEnter` receives it. In: a contact event. Out: the readings of
// TempContactManifold in world coordinates.
import type { Contact, WorldBody } from 'ricochet';
import type { Vector3Object } from './types';

export const vectorOf = (v: ArrayLike<number>): Vector3Object => ({ x: v[0]!, y: v[1]!, z: v[2]! });

/** Contact points, with the names of Rapier's TempContactManifold. */
export class Manifold {
  /** @internal Events make them. */
  constructor(private readonly contact: Contact<WorldBody>) {}

  /** Unit, world, from the contact's first body to its second; `flipped` says whether that is the target. */
  normal(): Vector3Object {
    return vectorOf(this.contact.normal);
  }

  /** Number of points. */
  numContacts(): number {
    return this.contact.points.length;
  }

  /** Number of points: all are solved. */
  numSolverContacts(): number {
    return this.contact.points.length;
  }

  /** m, world. */
  solverContactPoint(i: number): Vector3Object | null {
    const point = this.contact.points[i];
    return point === undefined ? null : vectorOf(point.position);
  }

  /** m; negative where the shapes overlap. */
  contactDist(i: number): number {
    return this.contact.points[i]?.separation ?? 0;
  }

  /** m, negative where the shapes overlap. */
  solverContactDist(i: number): number {
    return this.contactDist(i);
  }

  /** N·s along the normal, over the step. */
  contactImpulse(i: number): number {
    return this.contact.points[i]?.impulse ?? 0;
  }
}
