// Signed separation of two solids in f64, slowly and obviously: distance where apart, minus the depth
// where they overlap. In: solids of penetration.ts. Boxes apart: the least over all pairs of features
// (8 + 8 corners against the other box, 12 × 12 pairs of edges).

import { add, dot, length, scale, sub, type Vec3 } from '../physics/support/vector';
import { penetration, type Solid } from './penetration';

type BoxSolid = Extract<Solid, { kind: 'box' }>;

const SIGNS = [-1, 1];

export function separation(a: Solid, b: Solid): number {
  const depth = penetration(a, b);
  if (a.kind === 'box' && b.kind === 'box' && depth < 0) return boxDistance(a, b);
  return -depth;
}

/** How far `a` reaches into `b` along the direction n, from a to b; negative where the two are apart. */
export function overlapAlong(a: Solid, b: Solid, n: Vec3): number {
  return support(a, n) + support(b, scale(n, -1));
}

/** The largest coordinate of a solid along n. A half-space has one along its normal only. */
function support(solid: Solid, n: Vec3): number {
  if (solid.kind === 'plane') return dot(solid.normal, n) > 0.999 ? solid.offset : Number.POSITIVE_INFINITY;
  if (solid.kind === 'rounded')
    return Math.max(dot(solid.from, n), dot(solid.to, n)) + solid.radius * length(n);
  return (
    dot(solid.center, n) +
    solid.axes.reduce((sum, axis, i) => sum + solid.half[i]! * Math.abs(dot(axis, n)), 0)
  );
}

/** The solid moved by v. */
export function moved<S extends Solid>(solid: S, v: Vec3): S {
  if (solid.kind === 'plane') return { ...solid, offset: solid.offset + dot(solid.normal, v) };
  if (solid.kind === 'rounded') return { ...solid, from: add(solid.from, v), to: add(solid.to, v) };
  return { ...solid, center: add(solid.center, v) };
}

/** Distance of a point from the solid, 0 inside. */
export function pointDistance(p: Vec3, solid: Solid): number {
  if (solid.kind === 'plane') return Math.max(0, dot(solid.normal, p) - solid.offset);
  if (solid.kind === 'box') return pointBox(p, solid);
  const along = sub(solid.to, solid.from);
  const size2 = dot(along, along);
  const t = size2 === 0 ? 0 : Math.min(1, Math.max(0, dot(sub(p, solid.from), along) / size2));
  return Math.max(0, length(sub(p, add(solid.from, scale(along, t)))) - solid.radius);
}

function pointBox(p: Vec3, { center, axes, half }: BoxSolid): number {
  const d = sub(p, center);
  return Math.hypot(...axes.map((axis, i) => Math.max(0, Math.abs(dot(d, axis)) - half[i]!)));
}

export function corners({ center, axes, half }: BoxSolid): Vec3[] {
  const list: Vec3[] = [];
  for (const i of SIGNS)
    for (const j of SIGNS)
      for (const k of SIGNS)
        list.push(
          add(
            add(center, scale(axes[0], i * half[0])),
            add(scale(axes[1], j * half[1]), scale(axes[2], k * half[2])),
          ),
        );
  return list;
}

/** Pairs of corners that differ in one sign. */
function edges(box: BoxSolid): [Vec3, Vec3][] {
  const points = corners(box);
  const list: [Vec3, Vec3][] = [];
  for (let i = 0; i < 8; i++)
    for (const bit of [1, 2, 4]) if (!(i & bit)) list.push([points[i]!, points[i | bit]!]);
  return list;
}

function boxDistance(a: BoxSolid, b: BoxSolid): number {
  let least = Number.POSITIVE_INFINITY;
  for (const p of corners(a)) least = Math.min(least, pointBox(p, b));
  for (const p of corners(b)) least = Math.min(least, pointBox(p, a));
  const edgesB = edges(b);
  for (const [p, q] of edges(a)) for (const [r, s] of edgesB) least = Math.min(least, segmentGap(p, q, r, s));
  return least;
}

/** Distance of two segments where both nearest points are inner ones, else infinity (corners cover it). */
function segmentGap(p: Vec3, q: Vec3, r: Vec3, s: Vec3): number {
  const [ux, uy, uz] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const [vx, vy, vz] = [s[0] - r[0], s[1] - r[1], s[2] - r[2]];
  const [wx, wy, wz] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const n2 = nx * nx + ny * ny + nz * nz;
  if (n2 < 1e-24 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))
    return Number.POSITIVE_INFINITY;
  const t = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / n2;
  const k = ((wy * uz - wz * uy) * nx + (wz * ux - wx * uz) * ny + (wx * uy - wy * ux) * nz) / n2;
  if (t < 0 || t > 1 || k < 0 || k > 1) return Number.POSITIVE_INFINITY;
  return Math.abs(wx * nx + wy * ny + wz * nz) / Math.sqrt(n2);
}
