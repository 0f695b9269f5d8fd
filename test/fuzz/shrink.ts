// The fewest calls that still fail. In: a list of calls, ms of processor time, a test of lists. Out: a list of which every call is needed: delta
// debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).

export async function shrink<T>(
  calls: readonly T[],
  time: number,
  fails: (calls: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  const { user: from } = process.cpuUsage();
  const isLate = () => (process.cpuUsage().user - from) / 1000 > time;
  let kept = calls;
  for (let size = Math.ceil(kept.length / 2); size >= 1 && !isLate(); ) {
    let isSmaller = false;
    for (let at = 0; at < kept.length && !isLate(); ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (rest.length < kept.length && (await fails(rest))) {
        kept = rest;
        isSmaller = true;
      } else at += size;
    }
    if (size === 1 && !isSmaller) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return kept;
}
