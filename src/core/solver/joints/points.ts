// Passes over ball joints, four of a colour: the bulk of a net, of which nothing else is solved. In: a bundle
// of single point joints with frames and factors. Out: impulses, and velocities of its bodies. The general
// sweeps of direct.ts say the same row by row.
import { BundleBody, BundleJoint, JointBundle } from '../../memory/records';
import { bundleBodyAt, bundleJointAt, bundleRowAt, workAt, world } from '../../memory/tables';
import { splat } from '../../math/vector';
import { gatherVelocities, scatterVelocities } from './bundleLanes';
import { asked } from './bundleRows';

/** Velocity of a body after the impulse (x, y, z) at r. */
@wide
function hit(b: BundleBody, rx: v128, ry: v128, rz: v128, x: v128, y: v128, z: v128): void {
  b.vX = b.vX + b.invMassX * x;
  b.vY = b.vY + b.invMassY * y;
  b.vZ = b.vZ + b.invMassZ * z;
  const lx = ry * z - rz * y;
  const ly = rz * x - rx * z;
  const lz = rx * y - ry * x;
  b.wX = b.wX + (b.inertiaXX * lx + b.inertiaXY * ly + b.inertiaXZ * lz);
  b.wY = b.wY + (b.inertiaXY * lx + b.inertiaYY * ly + b.inertiaYZ * lz);
  b.wZ = b.wZ + (b.inertiaXZ * lx + b.inertiaYZ * ly + b.inertiaZZ * lz);
}

// @ts-ignore: decorator
@inline @wide
function hitBoth(u: JointBundle, j: BundleJoint, x: v128, y: v128, z: v128): void {
  hit(bundleBodyAt(u, j.b), j.rBX, j.rBY, j.rBZ, x, y, z);
  hit(bundleBodyAt(u, j.a), j.rAX, j.rAY, j.rAZ, -x, -y, -z);
  scatterVelocities(u);
}

export function warmStartPoints(u: JointBundle): void {
  gatherVelocities(u);
  hitBoth(
    u,
    bundleJointAt(u, 0),
    bundleRowAt(u, 0).impulse,
    bundleRowAt(u, 1).impulse,
    bundleRowAt(u, 2).impulse,
  );
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
    const rate = splat(w.biasRate);
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
  hitBoth(u, j, x, y, z);
}
