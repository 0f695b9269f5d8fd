// Disjoint sets of the numbers 0 … n − 1 (Tarjan 1975, with path halving). In: pairs that belong together. Out: a name for
// each set, its least number, whatever the order of the pairs was.

/** Parent of each number in its set; the smallest number of a set is its own parent. */
export type DisjointSet = Int32Array;

/** A new structure in which each number is a set of its own. */
export function createDisjointSet(count: number): DisjointSet {
  return resetDisjointSet(new Int32Array(count));
}

/** Makes each number a set of its own again. */
export function resetDisjointSet(set: DisjointSet): DisjointSet {
  for (let i = 0; i < set.length; i++) set[i] = i;
  return set;
}

/** The smallest number of the set that contains `i`. */
export function findSet(set: DisjointSet, i: number): number {
  while (set[i] !== i) {
    set[i] = set[set[i]];
    i = set[i];
  }
  return i;
}

/** Merges two sets. Returns the smallest number of the result. */
export function joinSets(set: DisjointSet, i: number, j: number): number {
  const a = findSet(set, i);
  const b = findSet(set, j);
  const least = Math.min(a, b);
  set[Math.max(a, b)] = least;
  return least;
}
