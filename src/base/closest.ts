// Misspelled names. In: the unknown name, the known names. Out: the most similar known name, and the error that says so.
// Apart from the errors: a worker's host, whose page has checked all options, has none of this.

import { PhysicsError } from './errors';

/** What other engines and libraries call it: the first of the names here that is known is meant. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  size: ['halfExtents', 'scale'],
  sizes: ['halfExtents'],
  extents: ['halfExtents'],
  dimensions: ['halfExtents'],
  halfsize: ['halfExtents'],
  height: ['halfHeight'],
  length: ['halfHeight', 'distance'],
  diameter: ['radius'],
  r: ['radius'],
  velocity: ['linearVelocity'],
  vel: ['linearVelocity'],
  spin: ['angularVelocity'],
  pos: ['position'],
  origin: ['position'],
  translation: ['position'],
  center: ['position', 'centerOfMass'],
  quaternion: ['rotation'],
  orientation: ['rotation'],
  angle: ['rotation'],
  bounciness: ['restitution'],
  bounce: ['restitution'],
  elasticity: ['restitution'],
  istrigger: ['sensor'],
  issensor: ['sensor'],
  trigger: ['sensor'],
  collider: ['shape'],
  colliders: ['shape'],
  geometry: ['shape'],
  vertices: ['points', 'geometry'],
  positions: ['points', 'vertices', 'geometry'],
  faces: ['indices', 'geometry'],
  indices: ['geometry'],
  heights: ['geometry'],
  collisionfiltergroup: ['group'],
  collisionfiltermask: ['mask'],
  collisiongroup: ['group'],
  layer: ['group'],
  collisionmask: ['mask'],
  collideswith: ['mask'],
  damping: ['linearDamping'],
  gravityfactor: ['gravityScale'],
  ccd: ['ccdMotionThreshold'],
  bullet: ['ccdMotionThreshold'],
  isstatic: ['type'],
  iskinematic: ['type'],
  bodytype: ['type'],
  a: ['bodyA'],
  b: ['bodyB'],
  body1: ['bodyA'],
  body2: ['bodyB'],
  pivot: ['anchor'],
  anchora: ['frameA'],
  anchorb: ['frameB'],
  pivota: ['frameA'],
  pivotb: ['frameB'],
  min: ['low'],
  max: ['high'],
  lower: ['low'],
  upper: ['high'],
  frequency: ['hertz'],
  timestep: ['fixedTimeStep'],
  maxsubsteps: ['maxSubSteps', 'substeps'],
  solveriterations: ['iterations'],
  cube: ['box'],
  cuboid: ['box'],
  ball: ['sphere'],
  convexhull: ['hull'],
  convex: ['hull'],
  polyhedron: ['hull'],
  trimesh: ['mesh'],
  halfspace: ['plane'],
  ground: ['plane'],
  fixed: ['static'],
  revolute: ['hinge'],
  prismatic: ['slider'],
  spherical: ['point'],
  weld: ['fixed'],
  lock: ['fixed'],
  rope: ['distance'],
  spring: ['distance'],
  collisionstart: ['contactBegin'],
  collisionend: ['contactEnd'],
  collide: ['contactBegin'],
};

/** Letters of names that are compared: of a shorter one nothing is left after a slip, a longer one is none. */
const SHORTEST = 3;
const LONGEST = 40;

/** The known name that is meant, if any comes near. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase();
  const same = known.find((other) => other.toLowerCase() === plain);
  if (same !== undefined) return same;
  const meant = Object.hasOwn(ALIASES, plain)
    ? ALIASES[plain]!.find((other) => known.includes(other))
    : undefined;
  if (meant !== undefined) return meant;
  if (name.length < SHORTEST || name.length > LONGEST) return undefined;
  let best: string | undefined;
  // One slip in three letters is a slip; more is another word.
  let least = Math.floor(name.length / 3) + 0.5;
  for (const other of known) {
    const slips = distance(plain, other.toLowerCase());
    if (slips >= least) continue;
    least = slips;
    best = other;
  }
  return best;
}

/** The error for a key that an option object does not know; it names the one that was meant, where one comes near. */
export function unknownOption(key: string, known: readonly string[], argument = key): PhysicsError {
  const meant = closestName(key, known);
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`;
  const list = known.length === 0 ? 'there are none' : `known are ${known.join(', ')}`;
  return new PhysicsError('unknown-option', `is no option; ${list}${hint}`, argument);
}

/** Letters to put in, leave out, replace or swap with their neighbour to get from one to the other. */
function distance(a: string, b: string): number {
  let twoBack: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let slips = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, twoBack[j - 2]! + 1);
      row.push(slips);
    }
    twoBack = before;
    before = row;
  }
  return before[b.length]!;
}
