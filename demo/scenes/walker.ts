// Theo Jansen's walker: eight legs of six parts on one chassis and one axle of cranks, and one motor. The lengths are those that he published
// (T. Jansen, "The Great Pretender", 010 Publishers, 2007). Where a loop closes, hinges around it hold the plane already: there
// a joint of two directions is enough, and costs less.
import { createGround, type Scene, type SceneTarget } from './scene';

type Point = readonly [number, number];
type Box = {
  halfExtents: [number, number, number];
  position: [number, number, number];
  rotation: [number, number, number, number];
};

/** m: of the axle above the floor, half of a bar's width, and between the planes of two legs of one side. */
const HEIGHT = 1.12;
const HALF_WIDTH = 0.02;
const BETWEEN = 0.15;

/** Groups: loose bodies, what stands still, and the walker, whose parts pass each other. */
const [LOOSE, STATIC, WALKER] = [1, 2, 4];

/** A point at two distances from two others: to the left of the way from p to q. */
function meeting(p: Point, toP: number, q: Point, toQ: number): Point {
  const [x, y] = [q[0] - p[0], q[1] - p[1]];
  const apart = Math.sqrt(x * x + y * y);
  const along = (toP * toP - toQ * toQ + apart * apart) / (2 * apart);
  const across = Math.sqrt(toP * toP - along * along);
  return [p[0] + (along * x - across * y) / apart, p[1] + (along * y + across * x) / apart];
}

/** The hinges of a leg to the left of the axle and its foot, with the crank in a direction, m. */
export function legAt([cos, sin]: Point) {
  const still: Point = [-0.38, -0.078];
  const pin: Point = [0.15 * cos, 0.15 * sin];
  const knee = meeting(still, 0.415, pin, 0.5);
  const low = meeting(pin, 0.619, still, 0.393);
  const back = meeting(still, 0.401, knee, 0.558);
  const ankle = meeting(low, 0.367, back, 0.394);
  const foot = meeting(low, 0.49, ankle, 0.657);
  return { still, pin, knee, low, back, ankle, foot };
}

/** A bar from p to q, about a centre. */
function bar(p: Point, q: Point, centre: Point): Box {
  const [x, y] = [q[0] - p[0], q[1] - p[1]];
  const length = Math.sqrt(x * x + y * y);
  // A rotation by less than a right angle: either end may point to the right.
  const sign = x < 0 ? -1 : 1;
  const cos = Math.sqrt((1 + Math.abs(x) / length) / 2);
  return {
    halfExtents: [length / 2 + HALF_WIDTH, HALF_WIDTH, HALF_WIDTH],
    position: [(p[0] + q[0]) / 2 - centre[0], (p[1] + q[1]) / 2 - centre[1], 0],
    rotation: [0, 0, (sign * y) / length / 2 / cos, cos],
  };
}

const DIRECTIONS: readonly Point[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

function createWalker(target: SceneTarget, x: number): void {
  const at = (p: Point, z: number): [number, number, number] => [p[0] + x, p[1] + HEIGHT, z];
  /** One bar between two points, a frame of three between three. Only what has friction, feet, touches anything. */
  const link = (z: number, points: readonly Point[], friction?: number) => {
    const sum = points.reduce<Point>((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
    const centre: Point = [sum[0] / points.length, sum[1] / points.length];
    const sides = points.length === 2 ? 1 : points.length;
    return target.createBody({
      position: at(centre, z),
      group: WALKER,
      mask: friction === undefined ? 0 : LOOSE | STATIC,
      shape: Array.from({ length: sides }, (_, i) => {
        const side = bar(points[i]!, points[(i + 1) % points.length]!, centre);
        return { type: 'box' as const, ...side, density: 500, friction };
      }),
    });
  };
  const hinge = (p: Point, z: number, bodyA: unknown, bodyB: unknown, velocity?: number) =>
    target.createJoint({
      type: 'hinge',
      bodyA: bodyA as never,
      bodyB: bodyB as never,
      anchor: at(p, z),
      axis: [0, 0, 1],
      angle: velocity === undefined ? {} : { motor: { velocity, maxForce: 2000 } },
    });
  /** Where a hinge of another bar holds both in the plane of the leg already. */
  const pivot = (p: Point, z: number, bodyA: unknown, bodyB: unknown) =>
    target.createJoint({
      type: 'generic',
      bodyA: bodyA as never,
      bodyB: bodyB as never,
      anchor: at(p, z),
      z: {},
    });
  const frame = (halfExtents: [number, number, number], density: number) =>
    target.createBody({
      position: at([0, 0], 0),
      group: WALKER,
      mask: LOOSE | STATIC,
      shape: { type: 'box', halfExtents, density },
    });
  const chassis = frame([0.4, 0.1, 0.5], 200);
  const axle = frame([0.05, 0.05, 0.6], 500);
  hinge([0, 0], 0, chassis, axle, 3);
  for (let i = 0; i < 8; i++) {
    const side = i & 2 ? 1 : -1;
    const z = side * (0.3 + BETWEEN * (i >> 2));
    const [cos, sin] = DIRECTIONS[2 * (i >> 2) + (side > 0 ? 1 : 0)]!;
    const mirror = i & 1 ? -1 : 1;
    const leg = legAt([mirror * cos, sin]);
    const point = (name: keyof typeof leg): Point => [mirror * leg[name][0], leg[name][1]];
    const [still, pin, knee, low] = [point('still'), point('pin'), point('knee'), point('low')];
    const [back, ankle, foot] = [point('back'), point('ankle'), point('foot')];
    const upper = link(z, [pin, knee]);
    const lower = link(z, [pin, low]);
    const rocker = link(z, [still, low]);
    const rod = link(z, [back, ankle]);
    const thigh = link(z, [still, knee, back]);
    const shank = link(z, [low, ankle, foot], 1.5);
    hinge(still, z, chassis, thigh);
    hinge(knee, z, thigh, upper);
    hinge(back, z, thigh, rod);
    hinge(ankle, z, rod, shank);
    hinge(low, z, shank, rocker);
    hinge(low, z, rocker, lower);
    pivot(still, z, chassis, rocker);
    pivot(pin, z, axle, upper);
    pivot(pin, z, axle, lower);
  }
}

export const walker: Scene = {
  id: 'walker',
  title: 'Walker',
  description: "Theo Jansen's linkage: eight legs, 73 joints in closed loops, one motor.",
  camera: { position: [1, 3.4, 10], target: [0.3, 0.4, 0] },
  world: { sleeping: false },
  build(target) {
    createGround(target);
    createWalker(target, 5.5);
    for (let row = 0; row < 5; row++)
      for (let i = 0; i < 8 - (row & 1); i++)
        target.createBody({
          mass: 1.5,
          position: [2.5, 0.13 + 0.26 * row, (i - 3.5 + (row & 1) / 2) * 0.42],
          shape: { type: 'box', halfExtents: [0.13, 0.13, 0.2] },
        });
  },
};
