// A tree of boxes over triangles, four children to a node. In: triangles. Out: nodes as the core reads them,
// and the triangles' new order, in which every leaf is a range. Splits by the surface area heuristic over
// bins of centroids (Wald 2007), two at a time: the costlier half of a node is split again until it has
// four children. A generator, so that a host can do something else in between; it yields triangles done.

export interface MeshTree {
  /** Nodes as in MeshGeometry: 28 words each, bounds of four children and what they are. */
  words: Int32Array;
  nodeCount: number;
  /** Levels of nodes: 1 where the root has leaves only. */
  depth: number;
  /** The triangle (as given) at each place of the new order. */
  order: Int32Array;
}

export const NODE_WORDS = 28;
const CHILD = 24;
/** Triangles of a leaf; the layout allows 8. Four are one test of four lanes. */
const LEAF = 4;
const BINS = 16;
/** Axes along which centroids spread less than this part of the widest are not tried. */
const WORTH_TRYING = 0.25;
/** Levels after which ranges are halved, so that no input makes a deep tree: traversal needs a bounded stack. */
const CAREFUL_DEPTH = 16;

/** @param bounds  min x, y, z, max x, y, z of each triangle */
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
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  /** Per bin: count, then bounds. */
  private readonly binCount = new Int32Array(BINS);
  private readonly binBounds = new Float64Array(6 * BINS);
  private readonly rightArea = new Float64Array(BINS);
  private readonly box = new Float64Array(6);

  constructor(
    private readonly bounds: Float32Array,
    count: number,
  ) {
    this.order = Int32Array.from({ length: count }, (_, i) => i);
    this.words = new Int32Array(NODE_WORDS * Math.max(16, count >> 2));
    this.floats = new Float32Array(this.words.buffer);
  }

  /** Makes the node of a range, its leaves too; puts nodes below it on `waiting`. Returns triangles in its leaves. */
  addNode(begin: number, end: number, parent: number, level: number, waiting: number[]): number {
    const careful = level > CAREFUL_DEPTH;
    const begins = [begin];
    const ends = [end];
    const boxes = [this.boundsOf(begin, end)];
    while (begins.length < 4) {
      let costliest = -1;
      let most = -1;
      for (let i = 0; i < begins.length; i++) {
        const size = ends[i]! - begins[i]!;
        const cost = careful ? size : size * halfArea(boxes[i]!);
        if (size > LEAF && cost > most) [costliest, most] = [i, cost];
      }
      if (costliest < 0) break;
      const [from, to] = [begins[costliest]!, ends[costliest]!];
      const middle = this.split(from, to, careful);
      // Halves stay side by side, so that children are in the order of their triangles.
      begins.splice(costliest + 1, 0, middle);
      ends.splice(costliest, 0, middle);
      boxes.splice(costliest, 1, this.boundsOf(from, middle), this.boundsOf(middle, to));
    }

    const node = this.nodes++;
    if (this.nodes * NODE_WORDS > this.words.length) this.grow();
    if (parent >= 0) this.words[parent] = node;
    if (level > this.depth) this.depth = level;
    const at = node * NODE_WORDS;
    let inLeaves = 0;
    for (let lane = 0; lane < 4; lane++) {
      const used = lane < begins.length;
      for (let k = 0; k < 6; k++)
        this.floats[at + 4 * k + lane] = used ? boxes[lane]![k]! : k < 3 ? Infinity : -Infinity;
      if (!used) continue;
      const size = ends[lane]! - begins[lane]!;
      if (size > LEAF) continue;
      this.words[at + CHILD + lane] = -(begins[lane]! * 8 + size - 1) - 1;
      inLeaves += size;
    }
    // The last goes on first, so that nodes come depth first in the order of their triangles.
    for (let lane = begins.length - 1; lane >= 0; lane--)
      if (ends[lane]! - begins[lane]! > LEAF)
        waiting.push(begins[lane]!, ends[lane]!, at + CHILD + lane, level + 1);
    return inLeaves;
  }

  private boundsOf(begin: number, end: number): Float64Array {
    const { bounds, order } = this;
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    for (let i = begin; i < end; i++) {
      const b = 6 * order[i]!;
      if (bounds[b]! < x0) x0 = bounds[b]!;
      if (bounds[b + 1]! < y0) y0 = bounds[b + 1]!;
      if (bounds[b + 2]! < z0) z0 = bounds[b + 2]!;
      if (bounds[b + 3]! > x1) x1 = bounds[b + 3]!;
      if (bounds[b + 4]! > y1) y1 = bounds[b + 4]!;
      if (bounds[b + 5]! > z1) z1 = bounds[b + 5]!;
    }
    return Float64Array.of(x0, y0, z0, x1, y1, z1);
  }

  /** Orders a range so that what belongs together lies on one side; returns where the second half begins. */
  private split(begin: number, end: number, halve: boolean): number {
    const { bounds, order, low, high } = this;
    // Twice the centroids: the sum of opposite corners.
    let [x0, y0, z0] = [Infinity, Infinity, Infinity];
    let [x1, y1, z1] = [-Infinity, -Infinity, -Infinity];
    for (let i = begin; i < end; i++) {
      const b = 6 * order[i]!;
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
    if (!(spread > 0)) return (begin + end) >> 1;
    if (halve) return this.halve(begin, end, widest);

    let bestCost = Infinity;
    let bestAxis = -1;
    let bestBin = 0;
    const bins = end - begin < 64 ? BINS / 2 : BINS;
    for (let axis = 0; axis < 3; axis++) {
      const wide = high[axis]! - low[axis]!;
      if (!(wide > WORTH_TRYING * spread) && axis !== widest) continue;
      const found = this.bestBin(begin, end, axis, bins);
      if (found >= 0 && this.cost < bestCost) [bestCost, bestAxis, bestBin] = [this.cost, axis, found];
    }
    if (bestAxis < 0) return this.halve(begin, end, widest);

    // Partition by bin; the arithmetic is that of bestBin, so that no half is empty.
    const start = low[bestAxis]!;
    const perBin = bins / (high[bestAxis]! - start);
    let i = begin;
    let j = end - 1;
    while (i <= j) {
      const t = order[i]!;
      const b = 6 * t + bestAxis;
      const bin = Math.min(bins - 1, Math.floor((bounds[b]! + bounds[b + 3]! - start) * perBin));
      if (bin <= bestBin) i++;
      else {
        order[i] = order[j]!;
        order[j--] = t;
      }
    }
    return i;
  }

  private cost = 0;

  /** The last bin of the better first half along an axis, its cost in `cost`; −1 where all fall into one bin. */
  private bestBin(begin: number, end: number, axis: number, bins: number): number {
    const { bounds, order, binCount, binBounds, rightArea, box } = this;
    binCount.fill(0);
    for (let k = 0; k < 6 * bins; k++) binBounds[k] = k % 6 < 3 ? Infinity : -Infinity;
    const start = this.low[axis]!;
    const perBin = bins / (this.high[axis]! - start);
    if (!(perBin < Infinity)) return -1;
    for (let i = begin; i < end; i++) {
      const b = 6 * order[i]!;
      const bin = Math.min(
        bins - 1,
        Math.floor((bounds[b + axis]! + bounds[b + 3 + axis]! - start) * perBin),
      );
      binCount[bin]!++;
      const at = 6 * bin;
      if (bounds[b]! < binBounds[at]!) binBounds[at] = bounds[b]!;
      if (bounds[b + 1]! < binBounds[at + 1]!) binBounds[at + 1] = bounds[b + 1]!;
      if (bounds[b + 2]! < binBounds[at + 2]!) binBounds[at + 2] = bounds[b + 2]!;
      if (bounds[b + 3]! > binBounds[at + 3]!) binBounds[at + 3] = bounds[b + 3]!;
      if (bounds[b + 4]! > binBounds[at + 4]!) binBounds[at + 4] = bounds[b + 4]!;
      if (bounds[b + 5]! > binBounds[at + 5]!) binBounds[at + 5] = bounds[b + 5]!;
    }
    emptyBox(box);
    for (let bin = bins - 1; bin > 0; bin--) {
      growBox(box, binBounds, 6 * bin);
      rightArea[bin] = halfArea(box);
    }
    emptyBox(box);
    let left = 0;
    let best = -1;
    this.cost = Infinity;
    for (let bin = 0; bin < bins - 1; bin++) {
      growBox(box, binBounds, 6 * bin);
      left += binCount[bin]!;
      const right = end - begin - left;
      if (left === 0 || right === 0) continue;
      const cost = left * halfArea(box) + right * rightArea[bin + 1]!;
      if (cost < this.cost) {
        this.cost = cost;
        best = bin;
      }
    }
    return best;
  }

  private halve(begin: number, end: number, axis: number): number {
    const { bounds, order } = this;
    const key = (t: number) => bounds[6 * t + axis]! + bounds[6 * t + 3 + axis]!;
    order.subarray(begin, end).sort((s, t) => key(s) - key(t) || s - t);
    return (begin + end) >> 1;
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

function emptyBox(box: Float64Array): void {
  box[0] = box[1] = box[2] = Infinity;
  box[3] = box[4] = box[5] = -Infinity;
}

function growBox(box: Float64Array, other: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    if (other[at + k]! < box[k]!) box[k] = other[at + k]!;
    if (other[at + 3 + k]! > box[3 + k]!) box[3 + k] = other[at + 3 + k]!;
  }
}

/** Half the surface of a box; 0 for an empty one. */
function halfArea(box: Float64Array): number {
  const x = box[3]! - box[0]!;
  const y = box[4]! - box[1]!;
  const z = box[5]! - box[2]!;
  return x >= 0 ? x * y + y * z + z * x : 0;
}
