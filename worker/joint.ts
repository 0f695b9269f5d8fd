// A joint of a world in a worker, as the page holds it: JointHandle's words.
import type { JointId } from '../src/ids';
import { JointHandle } from '../src/jointHandle';
import type { Replica } from '../src/replica';
import type { Physics } from './client';

export class PhysicsJoint extends JointHandle {
  readonly physics: Physics;

  /** @internal Made by Physics.createJoint. */
  constructor(physics: Physics, id: JointId) {
    super(id);
    this.physics = physics;
  }

  protected get replica(): Replica {
    return this.physics.writable;
  }

  override get isRemoved(): boolean {
    return !this.physics.replica.joints.isLive(this.id);
  }
}
