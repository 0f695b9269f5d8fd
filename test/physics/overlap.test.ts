// Bodies that overlap are pushed apart without being shot away, and settled piles hardly overlap.

import { pileMixed } from '../../demo/scenes/pile-mixed';
import { cookHull } from '../../src/cooking/hull';
import { World } from '../../src/index';
import type { ShapeOptions } from '../../src/types';
import { randomRotation, unitVector } from '../core/support/narrowphase';
import { Convex64, faceOverlap, leastOverlap } from '../reference/convex64';
import { allPenetrations, solidOf } from '../reference/penetration';
import { row } from './support/measure';
import { dot, length, random } from './support/vector';
import {
  buildScene,
  createFloor,
  createWorld,
  G,
  isDynamic,
  type Placed,
  position,
  rotation,
  run,
  velocity,
} from './support/world';

/** Overlap depths of all pairs, by the f64 oracle on the shapes as they were given. */
function depths(placed: Placed[]): number[] {
  const solids = placed.map(({ body, options }) =>
    solidOf({ shape: options.shape as ShapeOptions, position: position(body), rotation: rotation(body) }),
  );
  return allPenetrations(solids).sort((a, b) => a - b);
}

row('a half-overlapping pyramid of 4: ejects ≤ 3 m/s, apart within 2 s', (m) => {
  // Rows of 4, 3, 2 and 1 unit boxes, each overlapping its neighbours by half, beside and above.
  // Truth: they separate. Ejection is speed sideways or upwards: gravity gives none of either.
  const world = createWorld();
  const placed = buildScene(world, {
    build(target) {
      target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
      for (let level = 0; level < 4; level++)
        for (let i = 0; i < 4 - level; i++)
          target.createBody({
            mass: 1,
            position: [(i - (3 - level) / 2) * 0.5, 0.5 + level * 0.5, 0],
            shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          });
    },
  });
  const boxes = placed.filter(isDynamic);
  m.near('overlap at the start', Math.max(...depths(boxes)), 0.5, 1e-6, 'm');
  let fastest = 0;
  let apart = Number.POSITIVE_INFINITY;
  run(world, 2, (step) => {
    for (const { body } of boxes) {
      const [x, y, z] = velocity(body);
      fastest = Math.max(fastest, Math.hypot(x, Math.max(0, y), z));
    }
    // Apart: no deeper than bodies that rest on each other may be (the settled pile's limit).
    const worst = Math.max(0, ...depths(placed));
    if (worst <= 0.01) apart = Math.min(apart, step / 60);
    else apart = Number.POSITIVE_INFINITY;
  });
  m.atMost('fastest ejection', fastest, 3, 'm/s');
  m.atMost('apart after', apart, 2, 's');
  m.note('overlap after 2 s', Math.max(0, ...depths(placed)), 'm');
});

row('a settled pile of 1,000 mixed shapes: overlap ≤ 10 mm, 95 % ≤ 3 mm, energy never grows', (m) => {
  const world = createWorld();
  const placed = buildScene(world, pileMixed);
  const bodies = placed.filter(isDynamic);
  run(world, 12);
  const sorted = depths(placed);
  m.atLeast('overlapping pairs', sorted.length, 1000);
  m.atMost('worst overlap', sorted[sorted.length - 1], 0.01, 'm');
  m.atMost('95th percentile', sorted[Math.floor(sorted.length * 0.95)], 0.003, 'm');
  m.note('median', sorted[Math.floor(sorted.length / 2)], 'm');
  const lowest = Math.min(...bodies.map(({ body }) => position(body)[1]));
  m.atLeast('lowest centre (no body is thinner than 0.3 m)', lowest, 0.13, 'm');

  // Truth: contacts only take energy. Per unit of weight the energy is a height: mean height plus mean
  // v²/2g; 0.1 mm of it is what the softness of contacts may store and give back.
  const masses = bodies.map(({ body }) => body.mass);
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const energy = () =>
    bodies.reduce((sum, { body }, i) => {
      const v = velocity(body);
      return sum + masses[i] * (position(body)[1] + dot(v, v) / (2 * G));
    }, 0) / total;
  let least = energy();
  let rise = 0;
  run(world, 5, () => {
    const now = energy();
    least = Math.min(least, now);
    rise = Math.max(rise, now - least);
  });
  m.atMost('largest rise of the energy over 5 s', rise, 1e-4, 'm');
  m.note('fastest body at the end', Math.max(...bodies.map(({ body }) => length(velocity(body)))), 'm/s');
  const after = depths(placed);
  m.atMost('worst overlap 5 s later', after[after.length - 1], 0.01, 'm');
});

row('a settled pile of 500 hulls: overlap ≤ 10 mm, 95 % ≤ 3 mm', (m) => {
  const world = createWorld();
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  for (const [x, z, halfX, halfZ] of [
    [3.7, 0, 0.5, 4.2],
    [-3.7, 0, 0.5, 4.2],
    [0, 3.7, 3.2, 0.5],
    [0, -3.7, 3.2, 0.5],
  ] as const)
    world.createBody({
      type: 'static',
      position: [x, 5, z],
      shape: { type: 'box', halfExtents: [halfX, 5, halfZ] },
    });
  const next = random(500);
  const rocks = Array.from({ length: 500 }, (_, i) => {
    const axes = [0.3 + 0.12 * next(), 0.3 + 0.12 * next(), 0.3 + 0.12 * next()];
    const hull = cookHull(
      Array.from({ length: 12 + (i % 21) }, () => unitVector(next).map((c, k) => c * axes[k]!)),
    );
    const body = world.createBody({
      position: [((i % 6) - 2.5) * 1, 0.8 + Math.floor(i / 36) * 0.95, ((Math.floor(i / 6) % 6) - 2.5) * 1],
      rotation: randomRotation(next),
      shape: { type: 'hull', points: hull.vertices },
    });
    return { hull, body };
  });
  run(world, 12);
  const solids = rocks.map(({ hull, body }) => {
    const place = position(body);
    return {
      place,
      radius: hull.radius,
      solid: new Convex64({ kind: 'hull', params: [], hull, position: place, rotation: rotation(body) }),
    };
  });
  const sorted: number[] = [];
  solids.forEach((a, i) => {
    const below = a.solid.reach(0, -1, 0);
    if (below > 0) sorted.push(below);
    for (const b of solids.slice(i + 1)) {
      const apart = length([a.place[0] - b.place[0], a.place[1] - b.place[1], a.place[2] - b.place[2]]);
      if (apart > a.radius + b.radius || faceOverlap(a.solid, b.solid) < 0) continue;
      const depth = leastOverlap(a.solid, b.solid);
      if (depth > 0) sorted.push(depth);
    }
  });
  sorted.sort((a, b) => a - b);
  m.atLeast('overlapping pairs', sorted.length, 500);
  m.atMost('worst overlap', sorted[sorted.length - 1], 0.01, 'm');
  m.atMost('95th percentile', sorted[Math.floor(sorted.length * 0.95)], 0.003, 'm');
  m.note('median', sorted[Math.floor(sorted.length / 2)], 'm');
  m.atLeast('lowest centre', Math.min(...rocks.map(({ body }) => position(body)[1])), 0.1, 'm');
});

row('the pile of 1,000 mixed shapes falls asleep and stays in its pit', (m) => {
  // Sleeping on, as in the demo. Truth: no energy comes in, so everything comes to rest. The bodies fill
  // the pit of 9 × 9 m, 4 m high, so none is pushed out or through the floor.
  const world = new World();
  const bodies = buildScene(world, pileMixed).filter(isDynamic);
  let asleep = Number.POSITIVE_INFINITY;
  for (let second = 1; second <= 30 && asleep > 30; second++) {
    run(world, 1);
    if (bodies.every(({ body }) => body.getActivationState() === 'sleeping')) asleep = second;
  }
  m.atMost('all asleep after', asleep, 30, 's');
  const places = bodies.map(({ body }) => position(body));
  m.atLeast('lowest centre', Math.min(...places.map((p) => p[1])), 0.13, 'm');
  m.atMost(
    'farthest from the middle',
    Math.max(...places.map((p) => Math.max(Math.abs(p[0]), Math.abs(p[2])))),
    4.5,
    'm',
  );
});

row('two balls created at the same place separate', (m) => {
  // The degenerate case: no direction is better than another, but one must be chosen, and no NaN come of it.
  const world = createWorld({ gravity: [0, 0, 0] });
  const shape = { type: 'sphere', radius: 0.5 } as const;
  const a = world.createBody({ mass: 1, position: [1, 2, 3], shape });
  const b = world.createBody({ mass: 1, position: [1, 2, 3], shape });
  run(world, 2);
  const [p, q] = [position(a), position(b)];
  m.atLeast('distance', Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]), 0.99, 'm');
});

row('a ball inside a box on a floor comes out at a bounded speed', (m) => {
  const world = createWorld();
  createFloor(world, 0.5, 0);
  const box = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
  const ball = world.createBody({ mass: 1, position: [0, 0.75, 0], shape: { type: 'sphere', radius: 0.25 } });
  let fastest = 0;
  run(world, 2, () => {
    for (const body of [box, ball]) {
      const [x, y, z] = velocity(body);
      fastest = Math.max(fastest, Math.hypot(x, Math.max(0, y), z));
    }
  });
  m.atMost('fastest ejection', fastest, 3, 'm/s');
  m.atLeast('ball rests on the box or beside it: height', position(ball)[1], 0.24, 'm');
});
