// The 64-bit state hash: equal worlds, equal hash, on every machine. In: bodies, shapes, settings,
// clock. Out: u64. Addresses, free lists and caches are left out; what they cause shows in the bodies.
import { BODY_USED, JOINT_USED, SHAPE_USED } from '../memory/constants';
import { Body, BodyVelocity, HullGeometry, Joint, Shape, World } from '../memory/records';
import { bodyAt, JOINT_SIZE, jointAt, shapeAt, velocityAt, world } from '../memory/tables';

// Odd constants with well mixed bits: 2⁶⁴/φ, and one of SplitMix64's multipliers.
const GOLDEN: u64 = 0x9e3779b97f4a7c15;
const MIX: u64 = 0xbf58476d1ce4e5b9;

/** @inline */
function mix(h: u64, word: u64): u64 {
  const m = (h ^ word) * MIX;
  return (m ^ (m >> 29)) + GOLDEN;
}

/** Four strands side by side, for a chain waits for each of its multiplications. */
function hashRange(h: u64, from: usize, bytes: usize): u64 {
  const end = from + bytes;
  let h1 = GOLDEN;
  let h2 = MIX;
  let h3: u64 = 0;
  for (; from + 32 <= end; from += 32) {
    h = mix(h, load<u64>(from));
    h1 = mix(h1, load<u64>(from, 8));
    h2 = mix(h2, load<u64>(from, 16));
    h3 = mix(h3, load<u64>(from, 24));
  }
  for (; from < end; from += 8) h = mix(h, load<u64>(from));
  return mix(mix(mix(h, h1), h2), h3);
}

export function stateHash(): u64 {
  const g = world();
  let h = hashRange(GOLDEN, changetype<usize>(g), offsetof<World>('eventMask') & ~7);
  h = mix(h, ((<u64>g.stepCount) << 32) | <u64>g.continuous);
  h = mix(h, ((<u64>g.bodyCount) << 32) | <u64>g.contactCount);
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    h = mix(h, <u64>slot);
    h = hashRange(h, changetype<usize>(b), offsetof<Body>('firstShape') & ~7);
    h = hashRange(h, changetype<usize>(velocityAt(slot)), offsetof<BodyVelocity>('deltaPosition'));
  }
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (!(s.flags & SHAPE_USED)) continue;
    h = mix(h, ((<u64>slot) << 32) | <u64>s.generation);
    h = mix(h, ((<u64>s.body) << 32) | <u64>s.type);
    h = hashRange(h, changetype<usize>(s), offsetof<Shape>('position'));
    const params = offsetof<Shape>('param0');
    h = hashRange(h, changetype<usize>(s) + params, (offsetof<Shape>('flags') - params) & ~7);
    if (s.geometry != 0) h = mix(h, load<u64>(<usize>s.geometry, offsetof<HullGeometry>('hashLow')));
  }
  for (let slot = 1; slot < g.jointEnd; slot++) {
    const j = jointAt(slot);
    if (!(j.flags & JOINT_USED)) continue;
    h = hashRange(h, changetype<usize>(j), offsetof<Joint>('nextA') & ~7);
    h = hashRange(h, changetype<usize>(j) + offsetof<Joint>('axes'), JOINT_SIZE - offsetof<Joint>('axes'));
  }
  return h;
}
