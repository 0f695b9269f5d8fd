// A tree of boxes over triangles, four children per node. In: triangles. Out: nodes as the core reads them, and the new
// order of the triangles, in which every leaf is a range. Splits by the surface area heuristic over bins of centroids
// (Wald 2007), two at a time: the costlier half of a node is split again until it has four children. A generator, so
// that the host can do other work in between; it yields the number of finished triangles.

export interface MeshTree {
  /** Nodes as in MeshGeometry: 28 words each, bounds of four children and what they are. */
  words: Int32Array;
  nodeCount: number;
  /** Levels of nodes: 1 where the root has leaves only. */
  depth: number;
  /** The triangle (as given) at each place of the new order. */
  order: Int32Array;
}

const NODE_WORDS = 28;
const CHILD = 24;
/** Triangles of a leaf; the layout allows 8. Four are one test of four lanes. */
const LEAF = 4;
const BINS = 16;
/** Axes along which centroids spread less than this part of the widest are not tried. */
const WORTH_TRYING = 0.25;
/** Levels after which ranges are halved, so that no input makes a deep tree: traversal needs a bounded stack. */
const CAREFUL_DEPTH = 16;

/** @param bounds  min x, y, z, max x, y, z of each triangle; put in the new order */
export function* buildMeshTree(bounds: Float32Array): Generator<number, MeshTree> {
  const count = bounds.length / 6;
  const builder = new Builder(bounds, count);
  // Nodes that wait: range, place of the child word that is to name them, level.
  const waiting: number[] = [0, count, -1, 1];
  let done = 0;
  let sinceYield = 0;
  while (waiting.length > 0) {
    const level = waiting.pop()!;
    const parent = waiting.pop()!;
    const end = waiting.pop()!;
    const begin = waiting.pop()!;
    const leaves = builder.addNode(begin, end, parent, level, waiting);
    done += leaves;
    sinceYield += end - begin;
    if (sinceYield > 20000) {
      sinceYield = 0;
      yield done;
    }
  }
  return builder.finish();
}

class Builder {
  private readonly order: Int32Array;
  private words: Int32Array;
  private floats: Float32Array;
  private nodes = 0;
  private depth = 0;
  /** Of twice the centroids of a range. */
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  /** Of each axis: counts of the bins, then their bounds. */
  private readonly binCount = new Int32Array(3 * BINS);
  private readonly binBounds = new Float32Array(18 * BINS);
  private readonly rightArea = new Float64Array(BINS);
  /** The parts that a node is split into, in the order of their triangles: where they begin, and their bounds. */
  private readonly begins = new Int32Array(5);
  private readonly boxes = new Float32Array(24);
  private parts = 0;

  /** @param bounds  kept in the new order, so that ranges are read from front to back */
  constructor(
    private readonly bounds: Float32Array,
    count: number,
  ) {
    this.order = new Int32Array(count);
    for (let i = 0; i < count; i++) this.order[i] = i;
    this.words = new Int32Array(NODE_WORDS * Math.max(16, count >> 2));
    this.floats = new Float32Array(this.words.buffer);
  }

  /** Makes the node of a range, its leaves too; puts nodes below it on `waiting`. Returns triangles in its leaves. */
  addNode(begin: number, end: number, parent: number, level: number, waiting: number[]): number {
    const { begins, boxes } = this;
    const careful = level > CAREFUL_DEPTH;
    begins[0] = begin;
    begins[1] = end;
    this.parts = 1;
    this.boundsOf(begin, end, 0);
    while (this.parts < 4) {
      let costliest = -1;
      let most = -1;
      for (let i = 0; i < this.parts; i++) {
        const size = begins[i + 1]! - begins[i]!;
        const cost = careful ? size : size * halfArea(boxes, 6 * i);
        if (size > LEAF && cost > most) {
          costliest = i;
          most = cost;
        }
      }
      if (costliest < 0) break;
      this.splitPart(costliest, careful);
    }

    const { parts } = this;
    const node = this.nodes++;
    if (this.nodes * NODE_WORDS > this.words.length) this.grow();
    const { words, floats } = this;
    if (parent >= 0) words[parent] = node;
    if (level > this.depth) this.depth = level;
    const at = node * NODE_WORDS;
    let inLeaves = 0;
    for (let lane = 0; lane < 4; lane++) {
      const used = lane < parts;
      for (let k = 0; k < 6; k++)
        floats[at + 4 * k + lane] = used ? boxes[6 * lane + k]! : k < 3 ? Infinity : -Infinity;
      if (!used) continue;
      const size = begins[lane + 1]! - begins[lane]!;
      if (size > LEAF) continue;
      words[at + CHILD + lane] = -(begins[lane]! * 8 + size - 1) - 1;
      inLeaves += size;
    }
    // The last goes on first, so that nodes come depth first in the order of their triangles.
    for (let lane = parts - 1; lane >= 0; lane--)
      if (begins[lane + 1]! - begins[lane]! > LEAF)
        waiting.push(begins[lane]!, begins[lane + 1]!, at + CHILD + lane, level + 1);
    return inLeaves;
  }

  /** Replaces a part by its two halves, which stay side by side. */
  private splitPart(part: number, careful: boolean): void {
    const { begins, boxes } = this;
    begins.copyWithin(part + 1, part, this.parts + 1);
    boxes.copyWithin(6 * part + 6, 6 * part, 6 * this.parts);
    this.parts++;
    const begin = begins[part]!;
    const end = begins[part + 2]!;
    const middle = this.split(begin, end, careful, part);
    if (middle >= 0) {
      begins[part + 1] = middle;
      return;
    }
    begins[part + 1] = (begin + end) >> 1;
    this.boundsOf(begin, begins[part + 1]!, part);
    this.boundsOf(begins[part + 1]!, end, part + 1);
  }

  private boundsOf(begin: number, end: number, part: number): void {
    const { bounds, boxes } = this;
    emptyBox(boxes, 6 * part);
    for (let i = begin; i < end; i++) growBox(boxes, 6 * part, bounds, 6 * i);
  }

  /**
   * Orders a range so that what belongs together lies on one side; returns where the second half begins, with the
   * bounds of both in `boxes`, or −1 for halves of the same size, whose bounds are still unknown.
   */
  private split(begin: number, end: number, halve: boolean, part: number): number {
    const { bounds, order, low, high } = this;
    // Twice the centroids: the sum of opposite corners.
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    for (let b = 6 * begin; b < 6 * end; b += 6) {
      const x = bounds[b]! + bounds[b + 3]!;
      const y = bounds[b + 1]! + bounds[b + 4]!;
      const z = bounds[b + 2]! + bounds[b + 5]!;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
      if (z < z0) z0 = z;
      if (z > z1) z1 = z;
    }
    low[0] = x0;
    low[1] = y0;
    low[2] = z0;
    high[0] = x1;
    high[1] = y1;
    high[2] = z1;
    let widest = 0;
    for (let k = 1; k < 3; k++) if (high[k]! - low[k]! > high[widest]! - low[widest]!) widest = k;
    const spread = high[widest]! - low[widest]!;
    if (!(spread > 0)) return -1;
    if (halve) return this.halve(begin, end, widest);

    let bestCost = Infinity;
    let bestAxis = -1;
    let bestBin = 0;
    const bins = end - begin < 64 ? BINS / 2 : BINS;
    for (let axis = 0; axis < 3; axis++) {
      const wide = high[axis]! - low[axis]!;
      if (!(wide > WORTH_TRYING * spread) && axis !== widest) continue;
      const found = this.bestBin(begin, end, axis, bins);
      if (found >= 0 && this.cost < bestCost) {
        bestCost = this.cost;
        bestAxis = axis;
        bestBin = found;
      }
    }
    if (bestAxis < 0) return this.halve(begin, end, widest);

    // The bins know the bounds of the halves.
    const { boxes, binBounds } = this;
    emptyBox(boxes, 6 * part);
    emptyBox(boxes, 6 * part + 6);
    for (let bin = 0; bin < bins; bin++)
      growBox(boxes, 6 * (bin <= bestBin ? part : part + 1), binBounds, 6 * (bestAxis * BINS + bin));

    // Partition by bin; the arithmetic is that of bestBin, so that no half is empty.
    const start = low[bestAxis]!;
    const perBin = bins / (high[bestAxis]! - start);
    let i = begin;
    let j = end - 1;
    while (i <= j) {
      const b = 6 * i + bestAxis;
      const bin = Math.floor((bounds[b]! + bounds[b + 3]! - start) * perBin);
      if (bin <= bestBin) i++;
      else {
        const t = order[i]!;
        order[i] = order[j]!;
        order[j] = t;
        for (let k = 0; k < 6; k++) {
          const bound = bounds[6 * i + k]!;
          bounds[6 * i + k] = bounds[6 * j + k]!;
          bounds[6 * j + k] = bound;
        }
        j--;
      }
    }
    return i;
  }

  private cost = 0;

  /** The last bin of the better first half along an axis, its cost in `cost`; −1 where all fall into one bin. */
  private bestBin(begin: number, end: number, axis: number, bins: number): number {
    const { bounds, binCount, binBounds, rightArea } = this;
    const start = this.low[axis]!;
    const perBin = bins / (this.high[axis]! - start);
    if (!(perBin < Infinity)) return -1;
    const first = axis * BINS;
    for (let bin = first; bin < first + bins; bin++) {
      binCount[bin] = 0;
      emptyBox(binBounds, 6 * bin);
    }
    for (let b = 6 * begin; b < 6 * end; b += 6) {
      const bin = Math.floor((bounds[b + axis]! + bounds[b + 3 + axis]! - start) * perBin);
      const at = first + (bin < bins ? bin : bins - 1);
      binCount[at]!++;
      growBox(binBounds, 6 * at, bounds, b);
    }
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    for (let bin = bins - 1; bin > 0; bin--) {
      const b = 6 * (first + bin);
      if (binBounds[b]! < x0) x0 = binBounds[b]!;
      if (binBounds[b + 1]! < y0) y0 = binBounds[b + 1]!;
      if (binBounds[b + 2]! < z0) z0 = binBounds[b + 2]!;
      if (binBounds[b + 3]! > x1) x1 = binBounds[b + 3]!;
      if (binBounds[b + 4]! > y1) y1 = binBounds[b + 4]!;
      if (binBounds[b + 5]! > z1) z1 = binBounds[b + 5]!;
      rightArea[bin] = x1 >= x0 ? (x1 - x0) * (y1 - y0 + z1 - z0) + (y1 - y0) * (z1 - z0) : 0;
    }
    x0 = y0 = z0 = Infinity;
    x1 = y1 = z1 = -Infinity;
    let left = 0;
    let best = -1;
    let least = Infinity;
    for (let bin = 0; bin < bins - 1; bin++) {
      const b = 6 * (first + bin);
      if (binBounds[b]! < x0) x0 = binBounds[b]!;
      if (binBounds[b + 1]! < y0) y0 = binBounds[b + 1]!;
      if (binBounds[b + 2]! < z0) z0 = binBounds[b + 2]!;
      if (binBounds[b + 3]! > x1) x1 = binBounds[b + 3]!;
      if (binBounds[b + 4]! > y1) y1 = binBounds[b + 4]!;
      if (binBounds[b + 5]! > z1) z1 = binBounds[b + 5]!;
      left += binCount[first + bin]!;
      const right = end - begin - left;
      if (left === 0 || right === 0) continue;
      const area = (x1 - x0) * (y1 - y0 + z1 - z0) + (y1 - y0) * (z1 - z0);
      const cost = left * area + right * rightArea[bin + 1]!;
      if (cost < least) {
        least = cost;
        best = bin;
      }
    }
    this.cost = least;
    return best;
  }

  /** Sorts a range, so that its halves lie on one side each. */
  private halve(begin: number, end: number, axis: number): -1 {
    const { bounds, order } = this;
    const before = bounds.slice(6 * begin, 6 * end);
    const own = order.slice(begin, end);
    const key = (i: number) => before[6 * i + axis]! + before[6 * i + 3 + axis]!;
    const places = new Int32Array(end - begin);
    for (let i = 0; i < places.length; i++) places[i] = i;
    places.sort((s, t) => key(s) - key(t) || own[s]! - own[t]!);
    for (let i = 0; i < places.length; i++) {
      order[begin + i] = own[places[i]!]!;
      for (let k = 0; k < 6; k++) bounds[6 * (begin + i) + k] = before[6 * places[i]! + k]!;
    }
    return -1;
  }

  private grow(): void {
    const words = new Int32Array(2 * this.words.length);
    words.set(this.words);
    this.words = words;
    this.floats = new Float32Array(words.buffer);
  }

  finish(): MeshTree {
    const { nodes, depth, order } = this;
    return { words: this.words.subarray(0, nodes * NODE_WORDS), nodeCount: nodes, depth, order };
  }
}

function emptyBox(boxes: Float32Array, at: number): void {
  boxes[at] = boxes[at + 1] = boxes[at + 2] = Infinity;
  boxes[at + 3] = boxes[at + 4] = boxes[at + 5] = -Infinity;
}

function growBox(boxes: Float32Array, at: number, other: Float32Array, from: number): void {
  if (other[from]! < boxes[at]!) boxes[at] = other[from]!;
  if (other[from + 1]! < boxes[at + 1]!) boxes[at + 1] = other[from + 1]!;
  if (other[from + 2]! < boxes[at + 2]!) boxes[at + 2] = other[from + 2]!;
  if (other[from + 3]! > boxes[at + 3]!) boxes[at + 3] = other[from + 3]!;
  if (other[from + 4]! > boxes[at + 4]!) boxes[at + 4] = other[from + 4]!;
  if (other[from + 5]! > boxes[at + 5]!) boxes[at + 5] = other[from + 5]!;
}

/** Half the surface of a box; 0 for an empty one. */
function halfArea(boxes: Float32Array, at: number): number {
  const x = boxes[at + 3]! - boxes[at]!;
  const y = boxes[at + 4]! - boxes[at + 1]!;
  const z = boxes[at + 5]! - boxes[at + 2]!;
  return x >= 0 ? x * y + y * z + z * x : 0;
}
