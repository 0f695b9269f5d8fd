// Slots: the state of a world kept for its own rollback. In: a world. Out: its state in memory that is used again.
// A worker's host has none: its page keeps bytes.

import { PhysicsError } from '../base/errors';
import { invalid } from '../base/validate';
import { geometriesOf, loadReplica, saveReplica } from '../replica/replicaState';
import { WorldSlot } from '../replica/snapshot';
import type { RigidBody } from './body';
import { Simulation } from './simulation';

export abstract class WorldSlots extends Simulation<RigidBody> {
  /**
   * The state into a slot, for restore within this world: what rollback needs, without a copy of what stays.
   * Give the slot again to use its memory again; then nothing is allocated.
   */
  save(slot: WorldSlot = new WorldSlot()): WorldSlot {
    if (!(slot instanceof WorldSlot)) throw invalid('slot', 'must be a WorldSlot', slot);
    slot.systems = this.savedSystems();
    const { from, end } = this.writeCore();
    slot.length = end - from;
    if (slot.core.length < slot.length) slot.core = new Int32Array(slot.length + (slot.length >> 2));
    slot.core.set(this.instance.words.subarray(from, end));
    slot.events = this.waitingEvents();
    if (slot.world !== this || slot.revision !== this.revision) {
      this.replicaWords ??= saveReplica(this.replica);
      slot.replica = this.replicaWords;
      slot.geometries = geometriesOf(this.replica);
      slot.revision = this.revision;
    }
    slot.world = this;
    slot.hasForces = this.replica.hasForces;
    slot.localTime = this.localTime;
    slot.fixedTimeStep = this.fixedTimeStep;
    return slot;
  }

  /**
   * Brings the world to the state of a snapshot. Handles of bodies that exist in it stay valid; listeners,
   * pair filter and userData stay as they are. The events of steps that are made again are reported again,
   * with a slot also those of calls between the last step and `save`.
   *
   * @param snapshot  bytes from `snapshot`, of any world, or a slot from `save`, of this one
   * @throws PhysicsError 'damaged-snapshot', 'incompatible-snapshot', 'limit-exceeded' (maxBodies); the world is as before then
   */
  override restore(snapshot: Uint8Array | WorldSlot): void {
    if (snapshot instanceof WorldSlot) {
      this.begin();
      this.restoreSlot(snapshot);
    } else super.restore(snapshot);
  }

  private restoreSlot(slot: WorldSlot): void {
    if (slot.world !== this) throw new PhysicsError('foreign-id', 'belongs to another world', 'slot');
    const installSystems = this.hooks?.read(slot.systems);
    const known = slot.revision === this.revision;
    const install = known ? null : loadReplica(this.replica, slot.replica, slot.geometries);
    if (!known) this.placeGeometries(geometriesOf(this.replica), slot.geometries);
    this.readCore(slot.core.subarray(0, slot.length));
    if (install !== null) {
      install();
      this.setRevision(slot.revision);
    }
    this.replica.hasForces = slot.hasForces;
    this.localTime = slot.localTime;
    this.fixedTimeStep = slot.fixedTimeStep;
    this.systemState = slot.systems;
    this.afterRestore();
    this.owedEvents = slot.events;
    installSystems?.();
  }
}
