// 2,000 small bodies fall at 80 m/s into a vessel whose wall is a sheet of triangles, of no thickness at all.
import { mesh } from 'ricochet/cooking';
import { between, createRandom, rotation } from './random';
import { createGround, type Scene } from './scene';

const COUNT = 2000;
const SPEED = 80;
const RADIUS = 4;
/** Height of the wall above the round bottom. */
const WALL = 18;
const CENTRE = RADIUS + 0.3; // m above the ground
const RINGS = 10;
/** A power of two: corners of the circle come from halving, without functions that engines round differently. */
const SEGMENTS = 32;

/** Points of the unit circle, by halving angles. */
function circle(): [number, number][] {
  let points: [number, number][] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  while (points.length < SEGMENTS)
    points = points.flatMap((p, i) => {
      const q = points[(i + 1) % points.length]!;
      const x = p[0] + q[0];
      const y = p[1] + q[1];
      const l = Math.sqrt(x * x + y * y);
      return [p, [x / l, y / l] as [number, number]];
    });
  return points;
}

/** A round bottom and a wall. */
function vessel(): { vertices: number[]; indices: number[] } {
  const around = circle();
  const vertices = [0, CENTRE - RADIUS, 0];
  const indices: number[] = [];
  const rings = [
    ...Array.from({ length: RINGS }, (_, i) => {
      // Even steps of the square root of the height keep the triangles alike.
      const share = (i + 1) / RINGS;
      const height = RADIUS * (1 - share * share);
      return { y: CENTRE - height, r: Math.sqrt(Math.max(0, RADIUS * RADIUS - height * height)) };
    }),
    { y: CENTRE + WALL, r: RADIUS },
  ];
  rings.forEach(({ y, r }, ring) => {
    for (const [x, z] of around) vertices.push(x * r, y, z * r);
    const at = 1 + ring * SEGMENTS;
    for (let i = 0; i < SEGMENTS; i++) {
      const next = (i + 1) % SEGMENTS;
      if (ring === 0) indices.push(0, at + next, at + i);
      else {
        const below = at - SEGMENTS;
        indices.push(below + i, below + next, at + i, below + next, at + next, at + i);
      }
    }
  });
  return { vertices, indices };
}

export const shower: Scene = {
  id: 'shower',
  title: 'Shower',
  description: '2,000 bodies at 80 m/s into a vessel of bare triangles.',
  camera: { position: [15, 16, 18], target: [0, 6.2, 0] },
  shows: { statics: 'glass' },
  world: { deactivationTime: 0.5 },
  passage: {
    first: 2,
    passed: (x, y, z) => {
      const height = Math.min(0, y - CENTRE);
      return y < CENTRE + WALL && x * x + z * z + height * height > (RADIUS + 0.15) * (RADIUS + 0.15);
    },
    // Thrown over the rim by those that came after it.
    left: (x, y, z) => y >= CENTRE + WALL && x * x + z * z > RADIUS * RADIUS,
  },
  build(target) {
    createGround(target);
    target.createBody({ type: 'static', shape: { ...mesh(vessel()), friction: 0.5, restitution: 0 } });
    const random = createRandom(2000);
    for (let i = 0; i < COUNT; i++) {
      // Evenly over a disc of 3 m: the first of the points in its square that lies in it.
      let x = 0;
      let z = 0;
      do {
        x = between(random, -3, 3);
        z = between(random, -3, 3);
      } while (x * x + z * z > 9);
      const size = between(random, 0.05, 0.09);
      target.createBody({
        mass: 1,
        position: [x, CENTRE + WALL - 2 + 0.1 * i, z],
        rotation: rotation(random),
        linearVelocity: [0, -SPEED, 0],
        angularVelocity: [between(random, -9, 9), between(random, -9, 9), between(random, -9, 9)],
        shape:
          i % 2 === 0
            ? { type: 'sphere', radius: size, rollingFriction: 0.02, spinningFriction: 0.01 }
            : { type: 'box', halfExtents: [size, size, size] },
        userIndex: Math.floor(i / 250),
      });
    }
  },
};
