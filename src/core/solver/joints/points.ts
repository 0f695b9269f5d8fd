// Passes over ball joints, four of a colour: the bulk of a net, of which nothing else is solved. In: a bundle
// of single point joints with frames and factors. Out: impulses, and velocities of its bodies. The general
// sweeps of direct.ts say the same row by row.
import { BundleBody, BundleJoint, JointBundle } from '../../memory/records';
import { bundleBodyAt, bundleJointAt, bundleRowAt, workAt, world } from '../../memory/tables';
import { splat } from '../../math/vector';
import { gatherVelocities, scatterVelocities } from './bundleLanes';
import { asked } from './bundleRows';

const POINT_LOCKS = 7;

/** One joint per lane, solved in passes, that locks its anchors and nothing else. */
// @ts-ignore: decorator
@inline export function isPointPass(u: JointBundle): bool {
  return u.direct == 0 && u.locks == POINT_LOCKS;
}

/** Impulse (x, y, z) on B at its anchor, its opposite on A. */
// @ts-ignore: decorator
@inline @wide
function push(j: BundleJoint, a: BundleBody, b: BundleBody, x: v128, y: v128, z: v128): void {
  a.vX = a.vX - a.invMassX * x;
  a.vY = a.vY - a.invMassY * y;
  a.vZ = a.vZ - a.invMassZ * z;
  b.vX = b.vX + b.invMassX * x;
  b.vY = b.vY + b.invMassY * y;
  b.vZ = b.vZ + b.invMassZ * z;
  let lx = j.rAY * z - j.rAZ * y;
  let ly = j.rAZ * x - j.rAX * z;
  let lz = j.rAX * y - j.rAY * x;
  a.wX = a.wX - (a.inertiaXX * lx + a.inertiaXY * ly + a.inertiaXZ * lz);
  a.wY = a.wY - (a.inertiaXY * lx + a.inertiaYY * ly + a.inertiaYZ * lz);
  a.wZ = a.wZ - (a.inertiaXZ * lx + a.inertiaYZ * ly + a.inertiaZZ * lz);
  lx = j.rBY * z - j.rBZ * y;
  ly = j.rBZ * x - j.rBX * z;
  lz = j.rBX * y - j.rBY * x;
  b.wX = b.wX + (b.inertiaXX * lx + b.inertiaXY * ly + b.inertiaXZ * lz);
  b.wY = b.wY + (b.inertiaXY * lx + b.inertiaYY * ly + b.inertiaYZ * lz);
  b.wZ = b.wZ + (b.inertiaXZ * lx + b.inertiaYZ * ly + b.inertiaZZ * lz);
}

export function warmStartPoints(u: JointBundle): void {
  const j = bundleJointAt(u, 0);
  gatherVelocities(u);
  const z = bundleRowAt(u, 2).impulse;
  push(
    j,
    bundleBodyAt(u, j.a),
    bundleBodyAt(u, j.b),
    bundleRowAt(u, 0).impulse,
    bundleRowAt(u, 1).impulse,
    z,
  );
  scatterVelocities(u);
}

// @ts-ignore: decorator
@inline function entry(table: i32, offset: usize): v128 {
  return v128.load(<usize>world().bundleData + <usize>table + offset);
}

@wide
export function sweepPoints(u: JointBundle, withBias: bool): void {
  const j = bundleJointAt(u, 0);
  const a = bundleBodyAt(u, j.a);
  const b = bundleBodyAt(u, j.b);
  gatherVelocities(u);
  let x = b.vX - a.vX + (b.wY * j.rBZ - b.wZ * j.rBY) - (a.wY * j.rAZ - a.wZ * j.rAY);
  let y = b.vY - a.vY + (b.wZ * j.rBX - b.wX * j.rBZ) - (a.wZ * j.rAX - a.wX * j.rAZ);
  let z = b.vZ - a.vZ + (b.wX * j.rBY - b.wY * j.rBX) - (a.wX * j.rAY - a.wY * j.rAX);
  const r0 = bundleRowAt(u, 0);
  const r1 = bundleRowAt(u, 1);
  const r2 = bundleRowAt(u, 2);
  const w = workAt(load<i32>(changetype<usize>(j)));
  if (withBias) {
    const rate = w.biasRate;
    x += asked(r0.error, rate);
    y += asked(r1.error, rate);
    z += asked(r2.error, rate);
  }
  // L D Lᵀ of three rows, whose envelopes lie one behind the other.
  const l10 = entry(u.matrix, 16);
  const l20 = entry(u.matrix, 48);
  const l21 = entry(u.matrix, 64);
  y -= l10 * x;
  z -= l20 * x + l21 * y;
  z = -(z * entry(u.pivots, 32));
  y = -(y * entry(u.pivots, 16)) - l21 * z;
  x = -(x * entry(u.pivots, 0)) - l10 * y - l20 * z;
  if (withBias) {
    const massScale = splat(w.massScale);
    const impulseScale = splat(w.impulseScale);
    x = x * massScale - r0.impulse * impulseScale;
    y = y * massScale - r1.impulse * impulseScale;
    z = z * massScale - r2.impulse * impulseScale;
  }
  r0.impulse = r0.impulse + x;
  r1.impulse = r1.impulse + y;
  r2.impulse = r2.impulse + z;
  push(j, a, b, x, y, z);
  scatterVelocities(u);
}
