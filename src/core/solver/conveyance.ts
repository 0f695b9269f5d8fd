// Surface velocity of conveyor belts, escalators, turntables and tracks: the surface moves and its body does not. In:
// contact blocks with such shapes. Out: the surface velocity in the contact frame, added to the velocity of kinematic
// bodies (prepare.ts).
import { get3 } from '../contacts/manifold';
import { add, addScaled, cross, dot, rotate, sub, vec3 } from '../math/vector';
import { SHAPE_CARRIES } from '../memory/constants';
import { BlockMeta, ContactBlock, Pair, Surface } from '../memory/records';
import { bodyAt, pairAt, SURFACE_SIZE, shapeAt, velocityAt } from '../memory/tables';
import { SURFACES, traitOf } from '../shapes/traits';
import { context } from './context';
import { laneWord } from './lanes';

/** Result of findMotion: velocity and angular velocity of the surface. */
const MOTION: usize = memory.data(32, 16);

export function addConveyance(c: ContactBlock, meta: BlockMeta): void {
  for (let lane = 0; lane < 4; lane++) {
    const index = laneWord(changetype<usize>(meta) + offsetof<BlockMeta>('pair'), lane);
    if (index < 0) continue;
    const pair = pairAt(index);
    if (!((shapeAt(pair.shapeA).flags | shapeAt(pair.shapeB).flags) & SHAPE_CARRIES)) continue;
    addOf(
      pair,
      0,
      changetype<usize>(c) + ((<usize>lane) << 2),
      changetype<usize>(meta) + ((<usize>lane) << 2),
    );
    addOf(
      pair,
      1,
      changetype<usize>(c) + ((<usize>lane) << 2),
      changetype<usize>(meta) + ((<usize>lane) << 2),
    );
  }
}

/** Adds the surface velocity of the shape of one side. `block`, `meta`: addresses of the lane. */
function addOf(pair: Pair, side: i32, block: usize, meta: usize): void {
  if (!(shapeAt(side ? pair.shapeB : pair.shapeA).flags & SHAPE_CARRIES)) return;
  findMotion(
    pair,
    side,
    get3(block + (side ? offsetof<ContactBlock>('centerBX') : offsetof<ContactBlock>('centerAX'))),
  );
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  const t1 = get3(block + offsetof<ContactBlock>('tangentX'));
  const sign: f32 = side ? 1 : -1;
  const v = v128.load(MOTION);
  addTo(meta + offsetof<BlockMeta>('surfaceVelocity1'), sign * dot(v, t1));
  addTo(meta + offsetof<BlockMeta>('surfaceVelocity2'), sign * dot(v, cross(n, t1)));
  addTo(meta + offsetof<BlockMeta>('surfaceSpin'), sign * dot(v128.load(MOTION, 16), n));
}

/** @inline */
function addTo(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}

/** At `arm` from the centre of mass, and at the place below the other body in the current substep. */
function findMotion(pair: Pair, side: i32, arm: v128): void {
  const own = side ? pair.bodyB : pair.bodyA;
  const b = bodyAt(own);
  const s = changetype<Surface>(traitOf(SURFACES, SURFACE_SIZE, side ? pair.shapeB : pair.shapeA));
  const way = sub(velocityAt(side ? pair.bodyA : pair.bodyB).startLinear, velocityAt(own).startLinear);
  const fromOrigin = add(arm, rotate(b.rotation, b.centerOfMass));
  const at = addScaled(fromOrigin, way, context().passed * context().dt);
  const spin = rotate(b.rotation, vec3(s.angularX, s.angularY, s.angularZ));
  const linear = rotate(b.rotation, vec3(s.linearX, s.linearY, s.linearZ));
  v128.store(MOTION, add(linear, cross(spin, at)));
  v128.store(MOTION, spin, 16);
}
