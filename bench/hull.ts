// Convex hull of a few points by brute force in f64: faces, edge directions, volume and inertia.
// In: up to some 40 points, none of them inside by design of the scenes. Out: what the separating-axis
// test and the mass need. A plane through three points is a face when no point lies beyond it; O(n⁴),
// which is nothing for 32 points and cannot go wrong as a clever builder can.
import type { Vec3 } from './scene';

export interface HullGeometry {
  normals: Vec3[];
  /** Unit directions of the edges, each line once. */
  edges: Vec3[];
  volume: number;
  centre: Vec3;
  /** Of 1 kg about the centre: xx, yy, zz, xy, xz, yz. */
  inertia: number[];
}

const PLANAR = 1e-9;
const known = new WeakMap<readonly Vec3[], HullGeometry>();

export function hullGeometry(points: readonly Vec3[]): HullGeometry {
  let geometry = known.get(points);
  if (!geometry) {
    geometry = build(points);
    known.set(points, geometry);
  }
  return geometry;
}

function build(points: readonly Vec3[]): HullGeometry {
  const normals: Vec3[] = [];
  const edges: Vec3[] = [];
  const moment = [0, 0, 0, 0, 0, 0]; // ∫ xx, yy, zz, xy, xz, yz
  const first: Vec3 = [0, 0, 0];
  let volume = 0;
  for (const face of faces(points)) {
    normals.push(face.normal);
    for (let i = 0; i < face.ring.length; i++)
      addLine(edges, unit(subtract(points[face.ring[(i + 1) % face.ring.length]], points[face.ring[i]])));
    for (let i = 1; i + 1 < face.ring.length; i++) {
      const a = points[face.ring[0]];
      const b = points[face.ring[i]];
      const c = points[face.ring[i + 1]];
      const six = dot(a, cross(b, c)); // 6 × the signed volume of the tetrahedron with the origin
      volume += six / 6;
      for (let k = 0; k < 3; k++) first[k] += (six / 24) * (a[k] + b[k] + c[k]);
      const product = (j: number, k: number) => {
        const sumJ = a[j] + b[j] + c[j];
        const sumK = a[k] + b[k] + c[k];
        return (six / 120) * (a[j] * a[k] + b[j] * b[k] + c[j] * c[k] + sumJ * sumK);
      };
      moment[0] += product(0, 0);
      moment[1] += product(1, 1);
      moment[2] += product(2, 2);
      moment[3] += product(0, 1);
      moment[4] += product(0, 2);
      moment[5] += product(1, 2);
    }
  }
  const centre: Vec3 = [first[0] / volume, first[1] / volume, first[2] / volume];
  const [x, y, z] = centre;
  const second = [
    moment[0] / volume - x * x,
    moment[1] / volume - y * y,
    moment[2] / volume - z * z,
    moment[3] / volume - x * y,
    moment[4] / volume - x * z,
    moment[5] / volume - y * z,
  ];
  const inertia = [
    second[1] + second[2],
    second[0] + second[2],
    second[0] + second[1],
    -second[3],
    -second[4],
    -second[5],
  ];
  return { normals, edges, volume, centre, inertia };
}

/** Faces with their corners in counter-clockwise order seen from outside. */
export function faces(points: readonly Vec3[]): { normal: Vec3; ring: number[] }[] {
  const found: { normal: Vec3; ring: number[] }[] = [];
  const seen = new Set<string>();
  const n = points.length;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      for (let k = j + 1; k < n; k++) {
        const raw = cross(subtract(points[j], points[i]), subtract(points[k], points[i]));
        if (Math.hypot(...raw) < 1e-12) continue;
        let normal = unit(raw);
        const offset = dot(normal, points[i]);
        let above = 0;
        let below = 0;
        const ring: number[] = [];
        for (let m = 0; m < n; m++) {
          const height = dot(normal, points[m]) - offset;
          if (height > PLANAR) above++;
          else if (height < -PLANAR) below++;
          else ring.push(m);
        }
        if (above > 0 && below > 0) continue;
        if (above > 0) normal = [-normal[0], -normal[1], -normal[2]];
        const key = ring.join();
        if (seen.has(key)) continue;
        seen.add(key);
        found.push({ normal, ring: orderRing(points, ring, normal) });
      }
  return found;
}

function orderRing(points: readonly Vec3[], ring: number[], normal: Vec3): number[] {
  const centre: Vec3 = [0, 0, 0];
  for (const index of ring) for (let k = 0; k < 3; k++) centre[k] += points[index][k] / ring.length;
  const u = unit(subtract(points[ring[0]], centre));
  const v = cross(normal, u);
  const angle = (index: number) => {
    const relative = subtract(points[index], centre);
    return Math.atan2(dot(relative, v), dot(relative, u));
  };
  return [...ring].sort((a, b) => angle(a) - angle(b));
}

function addLine(lines: Vec3[], direction: Vec3): void {
  for (const line of lines) if (Math.abs(dot(line, direction)) > 1 - 1e-10) return;
  lines.push(direction);
}

export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function unit(v: Vec3): Vec3 {
  const length = Math.hypot(v[0], v[1], v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}
