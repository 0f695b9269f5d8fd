// Restitution: a sphere of radius ½ m dropped from 2 m (its lowest point) onto a plane.
// Newton: the normal speed after the impact is e times that before, so apex / drop = e².
// Nothing in a fall gains energy. An impact falls somewhere inside a step, so every e is tried with
// eight drops that differ by fractions of a step; the worst one counts.

import { row } from './support/measure';
import { createFloor, createWorld, G, position, run, velocity } from './support/world';

const RADIUS = 0.5;

function bounce(restitution: number, drop: number) {
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, drop + RADIUS, 0],
    shape: { type: 'sphere', radius: RADIUS, restitution },
  });
  const heights: number[] = [];
  let energy = 0;
  let rising = false;
  let landed = false;
  let apex = 0;
  let after = 0;
  let before = 0;
  run(world, 3, () => {
    const y = position(body)[1] - RADIUS;
    const v = velocity(body)[1];
    energy = Math.max(energy, G * y + (v * v) / 2);
    heights.push(y);
    // Free fall gains g dt = 0.16 m/s in a step; a step that gained less has met the floor.
    landed ||= v > before - 0.1;
    before = v;
    if (landed) after = Math.max(after, y);
    rising ||= landed && v > 0;
    if (rising && v <= 0 && apex === 0) apex = vertex(heights.slice(-3));
  });
  return { ratio: (apex || after) / drop, energy: energy / (G * drop) };
}

/** The top of the parabola through three samples: between steps the flight is one. */
function vertex([a, b, c]: number[]): number {
  const curve = a - 2 * b + c;
  return curve === 0 ? b : b - (c - a) ** 2 / (8 * curve);
}

const phases = Array.from({ length: 8 }, (_, i) => 2 + i * 0.0131); // 6.3 m/s: one step is 0.105 m

for (const e of [0.3, 0.5, 0.8, 0.9, 1]) {
  row(`a sphere dropped from 2 m with e = ${e} rises to e² of the drop ± 1 %`, (m) => {
    const bounces = phases.map((drop) => bounce(e, drop));
    const ratios = bounces.map(({ ratio }) => ratio);
    m.near('from 2 m exactly', ratios[0], e * e, 0.01 * e * e);
    m.near('lowest of 8 phases', Math.min(...ratios), e * e, 0.01 * e * e);
    m.near('highest of 8 phases', Math.max(...ratios), e * e, 0.01 * e * e);
    // "Never gains": 1e-5 is the rounding of f32 (6e-8 per operation) summed over 700 substeps.
    m.atMost('largest energy / start', Math.max(...bounces.map(({ energy }) => energy)), 1 + 1e-5);
  });
}

row('a sphere dropped from 2 m with e = 0 does not rebound: < 1e-3 of the drop', (m) => {
  const ratios = phases.map((drop) => bounce(0, drop).ratio);
  m.atMost('highest of 8 phases', Math.max(...ratios), 1e-3);
});

row('an elastic sphere bounces for 20 s and never gains energy', (m) => {
  // The other half of "never gains": many bounces, where a small gain per impact would add up.
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 2 + RADIUS, 0],
    shape: { type: 'sphere', radius: RADIUS, restitution: 1 },
  });
  let most = 0;
  let last = 0;
  run(world, 20, () => {
    last = (G * (position(body)[1] - RADIUS) + velocity(body)[1] ** 2 / 2) / (2 * G);
    most = Math.max(most, last);
  });
  m.atMost('largest energy / start', most, 1 + 1e-4);
  m.note('energy left after 16 bounces', last);
});
