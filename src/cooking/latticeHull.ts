// A convex hull that grows point by point, on a lattice of integers where the sign of every orientation is exact: with
// coordinates up to 2¹⁶ in size all products stay below 2⁵³. In: integer points. Out: faces, vertices, volume.
// The points beneath a new one are found by looking at all faces: hulls here have some hundred.

/** Coordinates are smaller than this in size. */
export const LATTICE = 65536;

export class LatticeHull {
  /** x, y, z and the caller's number of each point that was a vertex once. */
  private readonly px: number[] = [];
  private readonly py: number[] = [];
  private readonly pz: number[] = [];
  private readonly tag: number[] = [];
  /** Of each face: corners, counter-clockwise from outside. */
  private corners: number[] = [];
  /** Of each face: normal, not unit, and offset. */
  private planes: number[] = [];
  /** The first points, until four of them span a volume. */
  private seeds: number[] = [];
  private sixfold = 0;

  /** Whether it has a volume: faces and planes are there. */
  get solid(): boolean {
    return this.corners.length > 0;
  }

  /** In cubes of the lattice. */
  get volume(): number {
    return this.sixfold / 6;
  }

  get faceCount(): number {
    return this.corners.length / 3;
  }

  /** Normal x, y, z and offset of each face: inside is where n · p ≤ offset. */
  get facePlanes(): readonly number[] {
    return this.planes;
  }

  /** Takes a point in; `tag` is what `vertices` calls it. */
  add(x: number, y: number, z: number, tag: number): void {
    if (!this.solid) {
      this.addSeed(x, y, z, tag);
      return;
    }
    const { planes, corners } = this;
    const count = planes.length / 4;
    let first = 0;
    while (
      first < count &&
      planes[4 * first]! * x + planes[4 * first + 1]! * y + planes[4 * first + 2]! * z <=
        planes[4 * first + 3]!
    )
      first++;
    if (first === count) return;
    // Edges of the faces that see the point; those whose twin is not among them are the horizon.
    const from: number[] = [];
    const to: number[] = [];
    let kept = first;
    for (let f = first; f < count; f++) {
      if (planes[4 * f]! * x + planes[4 * f + 1]! * y + planes[4 * f + 2]! * z > planes[4 * f + 3]!) {
        const [a, b, c] = [corners[3 * f]!, corners[3 * f + 1]!, corners[3 * f + 2]!];
        from.push(a, b, c);
        to.push(b, c, a);
        this.sixfold -= this.tetrahedron(a, b, c);
      } else {
        for (let k = 0; k < 3; k++) corners[3 * kept + k] = corners[3 * f + k]!;
        for (let k = 0; k < 4; k++) planes[4 * kept + k] = planes[4 * f + k]!;
        kept++;
      }
    }
    corners.length = 3 * kept;
    planes.length = 4 * kept;
    const point = this.keep(x, y, z, tag);
    for (let e = 0; e < from.length; e++) {
      let inner = false;
      for (let i = 0; i < from.length && !inner; i++) inner = from[i] === to[e] && to[i] === from[e];
      if (!inner) this.addFace(from[e]!, to[e]!, point);
    }
  }

  /** Tags of the vertices, ascending by when they were taken in. */
  vertices(): number[] {
    const used = [...new Set(this.corners)].sort((a, b) => a - b);
    return (this.solid ? used : this.px.map((_, i) => i)).map((i) => this.tag[i]!);
  }

  /** Least and greatest coordinate of its vertices on an axis. */
  range(axis: number): [number, number] {
    const list = [this.px, this.py, this.pz][axis]!;
    let [low, high] = [Infinity, -Infinity];
    for (const i of this.solid ? this.corners : list.keys()) {
      low = Math.min(low, list[i]!);
      high = Math.max(high, list[i]!);
    }
    return [low, high];
  }

  private keep(x: number, y: number, z: number, tag: number): number {
    this.px.push(x);
    this.py.push(y);
    this.pz.push(z);
    return this.tag.push(tag) - 1;
  }

  /** Six times the volume between a triangle and the first point, positive from outside. */
  private tetrahedron(a: number, b: number, c: number): number {
    const { px, py, pz } = this;
    const [x, y, z] = [px[0]!, py[0]!, pz[0]!];
    const [ax, ay, az] = [px[a]! - x, py[a]! - y, pz[a]! - z];
    const [bx, by, bz] = [px[b]! - x, py[b]! - y, pz[b]! - z];
    const [cx, cy, cz] = [px[c]! - x, py[c]! - y, pz[c]! - z];
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }

  private addFace(a: number, b: number, c: number): void {
    const { px, py, pz } = this;
    const [ux, uy, uz] = [px[b]! - px[a]!, py[b]! - py[a]!, pz[b]! - pz[a]!];
    const [vx, vy, vz] = [px[c]! - px[a]!, py[c]! - py[a]!, pz[c]! - pz[a]!];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    this.corners.push(a, b, c);
    this.planes.push(nx, ny, nz, nx * px[a]! + ny * py[a]! + nz * pz[a]!);
    this.sixfold += this.tetrahedron(a, b, c);
  }

  /** Points before there is a volume: all are kept, and taken in again once four of them span one. */
  private addSeed(x: number, y: number, z: number, tag: number): void {
    this.seeds.push(x, y, z, tag);
    const base = this.px.length;
    const differs = (i: number) => this.px[i] !== x || this.py[i] !== y || this.pz[i] !== z;
    let spans = base === 0;
    if (base === 1) spans = differs(0);
    if (base === 2) spans = this.crossOf(x, y, z).some((c) => c !== 0);
    if (base === 3) {
      const n = this.normalOfSeeds();
      const above = n[0] * (x - this.px[0]!) + n[1] * (y - this.py[0]!) + n[2] * (z - this.pz[0]!);
      if (above === 0) return;
      this.keep(x, y, z, tag);
      const [b, c] = above > 0 ? [2, 1] : [1, 2];
      this.addFace(0, b!, c!);
      this.addFace(0, 3, b!);
      this.addFace(b!, 3, c!);
      this.addFace(c!, 3, 0);
      const again = this.seeds;
      this.seeds = [];
      for (let i = 0; i < again.length; i += 4)
        this.add(again[i]!, again[i + 1]!, again[i + 2]!, again[i + 3]!);
      return;
    }
    if (spans) this.keep(x, y, z, tag);
  }

  private crossOf(x: number, y: number, z: number): [number, number, number] {
    const { px, py, pz } = this;
    const [ux, uy, uz] = [px[1]! - px[0]!, py[1]! - py[0]!, pz[1]! - pz[0]!];
    const [vx, vy, vz] = [x - px[0]!, y - py[0]!, z - pz[0]!];
    return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  }

  private normalOfSeeds(): [number, number, number] {
    return this.crossOf(this.px[2]!, this.py[2]!, this.pz[2]!);
  }

  /** Of points in one plane or line: the axis that they extend along least, as seen from their normal. */
  flatAxes(): number[] {
    if (this.px.length < 3) return [0, 1, 2];
    const n = this.normalOfSeeds().map(Math.abs);
    return [n[0]! >= n[1]! && n[0]! >= n[2]! ? 0 : n[1]! >= n[2]! ? 1 : 2];
  }

  /** Tags of all points of a hull without a volume. */
  flatPoints(): number[] {
    return this.seeds.filter((_, i) => i % 4 === 3);
  }
}
