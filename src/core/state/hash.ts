// The 64-bit state hash: equal exactly if all data on which later steps depend are equal, on any machine. In: settings,
// clock, bodies, shapes, joints, contacts. Out: u64. It covers the content of a snapshot: two worlds with equal hashes
// continue equally under equal commands (test/determinism/state.test.ts). Addresses, unused capacity and scratch are
// not included. Neither is the form of the trees: the pairs that they find are sorted, and ties between hits go by
// slot.
import { BODY_USED, JOINT_USED, SHAPE_USED } from '../memory/constants';
import { WORLD_ADDRESS } from '../memory/map';
import { BodyVelocity, HullGeometry, Shape, World } from '../memory/records';
import { BODY_SIZE, bodyAt, JOINT_SIZE, jointAt, shapeAt, velocityAt, world } from '../memory/tables';
import { sizeOfTrait, TRAIT_TABLES, traitCount, traitField, traitRows } from '../shapes/traits';
import { hashContacts } from './hashContacts';
import { GOLDEN, hashRange, mix } from './mixing';

export function stateHash(): u64 {
  const g = world();
  let h = hashRange(GOLDEN, changetype<usize>(g), offsetof<World>('eventMask') & ~7);
  h = mix(h, ((<u64>g.stepCount) << 32) | <u64>g.continuous);
  h = mix(h, ((<u64>g.bodyCount) << 32) | <u64>g.contactCount);
  h = mix(h, <u64>reinterpret<u32>(g.substepLength));
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    // A hash of its own for each body: bodies that waited for each other's would take twice as long.
    let own = hashRange(<u64>slot, changetype<usize>(b), BODY_SIZE);
    const v = changetype<usize>(velocityAt(slot));
    own = hashRange(own, v, offsetof<BodyVelocity>('deltaPosition'));
    h = mix(h, hashRange(own, v + offsetof<BodyVelocity>('forceLinear'), 32));
  }
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (!(s.flags & SHAPE_USED)) continue;
    h = hashRange(h, changetype<usize>(s), offsetof<Shape>('tree'));
    h = mix(mix(h, <u64>s.tree), <u64>s.movedIndex);
    h = mix(mix(mix(h, <u64>s.group), <u64>s.mask), <u64>s.userIndex);
    if (s.geometry != 0) h = mix(h, load<u64>(<usize>s.geometry, offsetof<HullGeometry>('hashLow')));
  }
  for (let i = 0; i < TRAIT_TABLES; i++) {
    const field = traitField(i);
    const rows = <usize>traitCount(WORLD_ADDRESS, field);
    if (rows > 0) h = hashRange(h, <usize>traitRows(WORLD_ADDRESS, field), rows * sizeOfTrait(i));
  }
  for (let slot = 1; slot < g.jointEnd; slot++) {
    const j = jointAt(slot);
    if (j.flags & JOINT_USED) h = hashRange(h, changetype<usize>(j), JOINT_SIZE);
  }
  return hashContacts(h);
}
