// Neighbours of triangles at their edges, and whether an edge is a ridge. In: triangles over shared vertices, of any
// topology. Out: a neighbour and flags for each edge of each triangle.
//
// Relative to a triangle, every other triangle at an edge deviates from its plane by an angle: above 0 if it falls away
// from the front (a convex ridge), below 0 if it rises. An edge is active in front, so that contacts may take normals
// between the faces there, if all of them fall away by more than the given angle; it is active at the back if all rise.
// Borders are active. This requires neither a manifold mesh nor consistent winding.

export interface Adjacency {
  /** Per edge ab, bc, ca of each triangle: the triangle that continues the surface best, or −1. */
  neighbours: Int32Array;
  /** Per triangle: bits 0–2 edges active in front, bits 3–5 border edges, bits 16–18 edges active at the back. */
  flags: Int32Array;
  /** Edges with one triangle. */
  borderEdges: number;
  /** Edges with three triangles or more. */
  nonManifoldEdges: number;
  /** Edges whose two triangles are wound against each other. */
  inconsistentEdges: number;
}

const BORDER = 8;
const BACK = 1 << 16;

/**
 * @param corners  three vertices of each triangle
 * @param cosine   of the angle beyond which a ridge is one
 * @param oneSided triangles that are wound against each other are no neighbours then: only fronts count
 */
export function findAdjacency(
  corners: Int32Array,
  points: Float64Array,
  cosine: number,
  oneSided: boolean,
): Adjacency {
  const edges = corners.length;
  const triangles = edges / 3;
  const neighbours = new Int32Array(edges).fill(-1);
  const flags = new Int32Array(triangles);
  const normals = triangleNormals(corners, points);

  // Edges in chains by their ends. Cooking numbers near vertices alike: near edges get near slots.
  let size = 16;
  while (size < 2 * edges) size *= 2;
  const heads = new Int32Array(size).fill(-1);
  const next = new Int32Array(edges);
  for (let e = edges - 1; e >= 0; e--) {
    const slot = slotOf(corners[e]!, corners[endOf(e)]!) & (size - 1);
    next[e] = heads[slot]!;
    heads[slot] = e;
  }

  let borderEdges = 0;
  let nonManifoldEdges = 0;
  let inconsistentEdges = 0;
  for (let e = 0; e < edges; e++) {
    const t = Math.floor(e / 3);
    const a = corners[e]!;
    const b = corners[endOf(e)]!;
    const nx = normals[3 * t]!;
    const ny = normals[3 * t + 1]!;
    const nz = normals[3 * t + 2]!;
    const px = points[3 * a]!;
    const py = points[3 * a + 1]!;
    const pz = points[3 * a + 2]!;
    let ux = points[3 * b]! - px;
    let uy = points[3 * b + 1]! - py;
    let uz = points[3 * b + 2]! - pz;
    const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
    ux /= length;
    uy /= length;
    uz /= length;
    // From the edge into the triangle.
    const wx = ny * uz - nz * uy;
    const wy = nz * ux - nx * uz;
    const wz = nx * uy - ny * ux;

    let others = 0;
    let lowest = e; // the edge is counted once, at its first triangle
    let opposed = false;
    let front = true;
    let back = true;
    let flattest = -2;
    for (let f = heads[slotOf(a, b) & (size - 1)]!; f >= 0; f = next[f]!) {
      if (f === e) continue;
      const from = corners[f]!;
      if (from !== a && from !== b) continue;
      const same = from === a;
      if (corners[endOf(f)] !== (same ? b : a)) continue;
      others++;
      if (f < lowest) lowest = f;
      if (same) {
        opposed = true;
        if (oneSided) continue;
      }
      const d = corners[oppositeOf(f)]!;
      let dx = points[3 * d]! - px;
      let dy = points[3 * d + 1]! - py;
      let dz = points[3 * d + 2]! - pz;
      const along = dx * ux + dy * uy + dz * uz;
      dx -= along * ux;
      dy -= along * uy;
      dz -= along * uz;
      const reach = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const c = -(dx * wx + dy * wy + dz * wz) / reach;
      const s = -(dx * nx + dy * ny + dz * nz) / reach;
      if (c > flattest) {
        flattest = c;
        neighbours[e] = Math.floor(f / 3);
      }
      // Folded back onto itself it is a fin: sharp from both sides.
      if (c < -0.99999) continue;
      if (!(s > 0 && c < cosine)) front = false;
      if (!(s < 0 && c < cosine)) back = false;
    }
    const k = e - 3 * t;
    if (front) flags[t]! |= 1 << k;
    if (back) flags[t]! |= BACK << k;
    if (others === 0) flags[t]! |= BORDER << k;
    if (lowest < e) continue;
    if (others === 0) borderEdges++;
    else if (others > 1) nonManifoldEdges++;
    else if (opposed) inconsistentEdges++;
  }
  return { neighbours, flags, borderEdges, nonManifoldEdges, inconsistentEdges };
}

/** The same for both directions of an edge. */
function slotOf(a: number, b: number): number {
  return a < b ? 5 * a + b : 5 * b + a;
}

/** The next corner of the same triangle. */
function endOf(edge: number): number {
  return edge % 3 === 2 ? edge - 2 : edge + 1;
}

function oppositeOf(edge: number): number {
  return edge % 3 === 0 ? edge + 2 : edge - 1;
}

function triangleNormals(corners: Int32Array, points: Float64Array): Float64Array {
  const normals = new Float64Array(corners.length);
  for (let at = 0; at < corners.length; at += 3) {
    const a = 3 * corners[at]!;
    const b = 3 * corners[at + 1]!;
    const c = 3 * corners[at + 2]!;
    const ux = points[b]! - points[a]!;
    const uy = points[b + 1]! - points[a + 1]!;
    const uz = points[b + 2]! - points[a + 2]!;
    const vx = points[c]! - points[a]!;
    const vy = points[c + 1]! - points[a + 1]!;
    const vz = points[c + 2]! - points[a + 2]!;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const length = Math.sqrt(x * x + y * y + z * z);
    normals[at] = x / length;
    normals[at + 1] = y / length;
    normals[at + 2] = z / length;
  }
  return normals;
}
