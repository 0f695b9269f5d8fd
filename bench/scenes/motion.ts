// Scenes that never rest: what a frame's budget is decided by. Nothing in them lies long enough to be recycled.
import { between, createRandom, rotation } from '../../demo/scenes/random';
import { type BenchBody, type BenchScene, type BenchTarget, type Quat, rotate, type Vec3 } from '../scene';
import { hull, pit } from './hulls';
import { ragdoll } from './joints';
import { GRAVITY } from './settings';

/** rad about x: slopes that things slide and tumble down. */
const SLOPE = 0.35;

const about = (axis: 0 | 1 | 2, angle: number): Quat => {
  const rotation: Quat = [0, 0, 0, Math.cos(angle / 2)];
  rotation[axis] = Math.sin(angle / 2);
  return rotation;
};

const RAIN = 2000;
const FALL_PER_STEP = 20;

/** 2,000 small bodies of three kinds over a floor; every step the 20 oldest go, and as many fall anew. */
export const rain: BenchScene = {
  id: 'rain',
  title: '2,000 boxes, spheres, capsules; 20 removed and 20 made per step',
  gravity: GRAVITY,
  needs: ['capsule', 'respawn'],
  build(target) {
    pit(target, 6, 3);
    const random = createRandom(2000);
    for (let i = 0; i < RAIN; i++) {
      const size = between(random, 0.12, 0.25);
      const shape: BenchBody['shape'] =
        i % 3 === 0
          ? { type: 'box', halfExtents: [size, size * 0.8, size * 1.2] }
          : i % 3 === 1
            ? { type: 'sphere', radius: size }
            : { type: 'capsule', radius: size * 0.7, halfHeight: size };
      target.createBody({
        position: [between(random, -5, 5), between(random, 0.5, 12), between(random, -5, 5)],
        rotation: rotation(random),
        shape: { ...shape, density: 1000 },
      });
    }
  },
  respawn(step, replace) {
    // Places from the number of the step alone: an engine sees the same ones, whatever was measured before.
    const random = createRandom(step);
    for (let i = 0; i < FALL_PER_STEP; i++) {
      const body = PIT_BODIES + ((step * FALL_PER_STEP + i) % RAIN);
      replace(body, [between(random, -5, 5), between(random, 9, 12), between(random, -5, 5)]);
    }
  },
};
/** The floor and four walls. */
const PIT_BODIES = 5;

/** Ragdolls come down stairs of 40 steps. */
export const crowd: BenchScene = {
  id: 'crowd',
  title: '200 ragdolls fall down stairs',
  gravity: GRAVITY,
  needs: ['capsule', 'joints'],
  floor: -40,
  build(target) {
    for (let i = 0; i < 40; i++)
      target.createBody({
        type: 'static',
        position: [0, -0.25 - 0.3 * i, 0.5 * i],
        shape: { type: 'box', halfExtents: [14, 0.25, 0.6] },
      });
    // Beside the stairs and what they lead to: who rolls over the edge would fall for ever.
    for (const side of [-1, 1])
      target.createBody({
        type: 'static',
        position: [side * 14.5, -2, 29],
        shape: { type: 'box', halfExtents: [0.5, 12, 32] },
      });
    target.createBody({
      type: 'static',
      position: [0, -13, 40],
      shape: { type: 'box', halfExtents: [40, 0.5, 21] },
    });
    const random = createRandom(200);
    for (let i = 0; i < 200; i++) {
      const [column, row] = [i % 10, Math.floor(i / 10)];
      ragdoll(target, [(column - 4.5) * 2.4, 1.6 - 0.3 * row * 1.5, 0.5 * row * 1.5], rotation(random));
    }
  },
};

const MIXER = 7; // inner radius, m
const PADDLES = 4;

/** Paddles turn in a pit full of hulls. */
export const mixer: BenchScene = {
  id: 'mixer',
  title: '1,500 hulls stirred by 4 paddles',
  gravity: GRAVITY,
  needs: ['hull', 'kinematic'],
  build(target) {
    const shape: BenchBody['shape'] = Array.from({ length: PADDLES }, (_, i) => ({
      type: 'box' as const,
      halfExtents: [MIXER / 2 - 0.5, 0.8, 0.15] as Vec3,
      position: [
        Math.cos((2 * Math.PI * i) / PADDLES) * (MIXER / 2),
        0.9,
        -Math.sin((2 * Math.PI * i) / PADDLES) * (MIXER / 2),
      ] as Vec3,
      rotation: about(1, (2 * Math.PI * i) / PADDLES),
    }));
    target.createBody({ type: 'kinematic', shape });
    pit(target, MIXER, 6);
    const random = createRandom(1500);
    const kinds: Vec3[][] = [];
    for (let i = 0; i < 21; i++) kinds.push(hull(random, 12 + (i % 13), 0.4));
    for (let i = 0; i < 1500; i++)
      target.createBody({
        position: [
          ((i % 13) - 6) * 0.95 + between(random, -0.05, 0.05),
          2.4 + Math.floor(i / 169) * 0.95,
          ((Math.floor(i / 13) % 13) - 6) * 0.95 + between(random, -0.05, 0.05),
        ],
        rotation: rotation(random),
        shape: { type: 'hull', points: kinds[i % kinds.length], density: 1000 },
      });
  },
  move(time, place) {
    place(0, [0, 0, 0], about(1, 1.2 * time));
  },
};

const LONG = 240; // cells along the slope
const BROAD = 48;
const CELL = 0.5; // m

/** A slope of 48 × 240 cells, rough by so many metres, with a rim on both sides. */
function slope(tilt = SLOPE, rough = 0.15): { vertices: Vec3[]; triangles: Vec3[] } {
  const random = createRandom(3000);
  const vertices: Vec3[] = [];
  const triangles: Vec3[] = [];
  for (let row = 0; row <= LONG; row++)
    for (let column = 0; column <= BROAD; column++) {
      const x = (column - BROAD / 2) * CELL;
      const z = row * CELL;
      const rim = column === 0 || column === BROAD ? 3 : 0;
      vertices.push([x, -Math.tan(tilt) * z + between(random, 0, rough) + rim, z]);
    }
  for (let row = 0; row < LONG; row++)
    for (let column = 0; column < BROAD; column++) {
      const corner = row * (BROAD + 1) + column;
      triangles.push([corner, corner + BROAD + 1, corner + 1]);
      triangles.push([corner + 1, corner + BROAD + 1, corner + BROAD + 2]);
    }
  return { vertices, triangles };
}

/** 3,000 hulls roll and slide down a slope of 23,040 triangles. */
export const avalanche: BenchScene = {
  id: 'avalanche',
  title: '3,000 hulls down a slope of triangles',
  gravity: GRAVITY,
  needs: ['hull', 'mesh'],
  floor: -80,
  build(target) {
    const { vertices, triangles } = slope();
    target.createBody({ type: 'static', shape: { type: 'mesh', vertices, triangles } });
    const random = createRandom(3001);
    const kinds: Vec3[][] = [];
    for (let i = 0; i < 21; i++) kinds.push(hull(random, 12 + (i % 9), 0.35));
    for (let i = 0; i < 3000; i++) {
      const [column, row, layer] = [i % 20, Math.floor(i / 20) % 50, Math.floor(i / 1000)];
      const z = 3 + row * 0.9;
      target.createBody({
        position: [(column - 9.5) * 0.95, -Math.tan(SLOPE) * z + 1 + layer * 0.9, z],
        rotation: rotation(random),
        linearVelocity: [0, -2, 4],
        shape: { type: 'hull', points: kinds[i % kinds.length], density: 1000 },
      });
    }
  },
};

/** rad/s and N·m of each wheel's motor: 6 m/s, from rest in about a second. */
const DRIVE: [speed: number, torque: number] = [15, 400];
const WHEEL = 0.4; // m

/** A chassis and four wheels, balls on hinges that drive them along +z. */
function car(target: BenchTarget, place: Vec3, rotation: Quat): void {
  const at = (p: Vec3): Vec3 => {
    const turned = rotate(rotation, p);
    return [place[0] + turned[0], place[1] + turned[1], place[2] + turned[2]];
  };
  const chassis = target.createBody({
    mass: 800,
    position: at([0, 0, 0]),
    rotation,
    shape: { type: 'box', halfExtents: [0.6, 0.25, 1.6] },
  });
  for (const [x, z] of [
    [-1.05, -1.2],
    [1.05, -1.2],
    [-1.05, 1.2],
    [1.05, 1.2],
  ]) {
    const anchor = at([x, -0.2, z]);
    const wheel = target.createBody({
      mass: 30,
      position: anchor,
      rotation,
      shape: { type: 'sphere', radius: WHEEL },
    });
    const axis = rotate(rotation, [1, 0, 0]);
    target.createJoint({ type: 'hinge', bodyA: chassis, bodyB: wheel, anchor, axis, motor: DRIVE });
  }
}

/** rad and m: a gentle slope for cars, and less rough than that of the avalanche. */
const ROAD = 0.05;
const RUTS = 0.08;

/** 40 cars drive down a gentle slope, five abreast. */
export const vehicles: BenchScene = {
  id: 'vehicles',
  title: '40 cars, wheels on motor hinges, down a slope of triangles',
  gravity: GRAVITY,
  needs: ['mesh', 'joints', 'motors'],
  floor: -80,
  build(target) {
    const { vertices, triangles } = slope(ROAD, RUTS);
    target.createBody({ type: 'static', shape: { type: 'mesh', vertices, triangles } });
    for (let i = 0; i < 40; i++) {
      const z = 4 + Math.floor(i / 5) * 5;
      car(target, [((i % 5) - 2) * 4.2, -Math.tan(ROAD) * z + 0.8, z], about(0, ROAD));
    }
  },
};

/** A wall of 2,000 bricks is hit by a ball of ten tonnes at 20 m/s. */
export const breakout: BenchScene = {
  id: 'breakout',
  title: 'wall of 2,000 bricks, hit by a ball of 10 t',
  gravity: GRAVITY,
  needs: [],
  warmup: 10,
  build(target) {
    target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
    bricks(target, 50, 20, 0);
    bricks(target, 50, 20, 1.2);
    target.createBody({
      mass: 10_000,
      position: [0, 4, -12],
      linearVelocity: [0, 3, 20],
      shape: { type: 'sphere', radius: 1.2 },
    });
  },
};

function bricks(target: BenchTarget, columns: number, rows: number, z: number): void {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      target.createBody({
        mass: 5,
        position: [(column - columns / 2 + (row % 2) / 2) * 0.6, 0.15 + row * 0.3, z],
        shape: { type: 'box', halfExtents: [0.3, 0.15, 0.3] },
      });
}

const DRUM = 3; // inner half width, m

/** 400 pieces of 20 cm in a drum that turns: small and a few m/s, near a kinematic surface. */
export const drum: BenchScene = {
  id: 'drum',
  title: '400 pieces of 0.2 m in a turning drum',
  gravity: GRAVITY,
  needs: ['kinematic'],
  floor: -2 * DRUM,
  build(target) {
    const wall = (position: Vec3, halfExtents: Vec3) => ({ type: 'box' as const, position, halfExtents });
    const reach = DRUM + 0.25;
    const long = DRUM + 0.5;
    target.createBody({
      type: 'kinematic',
      shape: [
        wall([reach, 0, 0], [0.25, long, long]),
        wall([-reach, 0, 0], [0.25, long, long]),
        wall([0, reach, 0], [long, 0.25, long]),
        wall([0, -reach, 0], [long, 0.25, long]),
        wall([0, 0, reach], [long, long, 0.25]),
        wall([0, 0, -reach], [long, long, 0.25]),
      ],
    });
    const random = createRandom(400);
    for (let i = 0; i < 400; i++)
      target.createBody({
        position: [
          ((i % 8) - 3.5) * 0.5 + between(random, -0.1, 0.1),
          (Math.floor(i / 64) - 3) * 0.5,
          ((Math.floor(i / 8) % 8) - 3.5) * 0.5 + between(random, -0.1, 0.1),
        ],
        rotation: rotation(random),
        shape:
          i % 2 === 0
            ? { type: 'box', halfExtents: [0.1, 0.1, 0.1], density: 1000 }
            : { type: 'sphere', radius: 0.1, density: 1000 },
      });
  },
  move(time, place) {
    place(0, [0, 0, 0], about(2, 1 * time));
  },
};
