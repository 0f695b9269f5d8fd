// Ragdolls that fall, and a net of ball joints that hangs.
import { createRandom, rotation as randomRotation } from '../../demo/scenes/random';
import { type BenchJoint, type BenchScene, type BenchTarget, type Quat, rotate, type Vec3 } from '../scene';
import { GRAVITY } from './settings';

type Part = [axis: 'x' | 'y', x: number, y: number, radius: number, halfHeight: number];
/** 11 capsules, metres, standing with the arms held out; feet near y = 0. */
const PARTS: Part[] = [
  ['x', 0, 1, 0.13, 0.1], // 0 pelvis
  ['y', 0, 1.35, 0.15, 0.12], // 1 chest
  ['y', 0, 1.75, 0.11, 0.05], // 2 head
  ['y', 0.14, 0.72, 0.08, 0.15], // 3, 4 thighs
  ['y', -0.14, 0.72, 0.08, 0.15],
  ['y', 0.14, 0.3, 0.06, 0.16], // 5, 6 shins
  ['y', -0.14, 0.3, 0.06, 0.16],
  ['x', 0.4, 1.5, 0.06, 0.11], // 7, 8 upper arms
  ['x', -0.4, 1.5, 0.06, 0.11],
  ['x', 0.72, 1.5, 0.05, 0.11], // 9, 10 forearms
  ['x', -0.72, 1.5, 0.05, 0.11],
];
type Link = [
  type: BenchJoint['type'],
  a: number,
  b: number,
  x: number,
  y: number,
  axis?: Vec3,
  limit?: number,
];
/** Limits are symmetric so that no engine's sign of the angle matters; balls have none, as not all peers' have. */
const LINKS: Link[] = [
  ['hinge', 0, 1, 0, 1.13, [1, 0, 0], 0.5],
  ['ball', 1, 2, 0, 1.61],
  ['ball', 0, 3, 0.14, 0.94],
  ['ball', 0, 4, -0.14, 0.94],
  ['hinge', 3, 5, 0.14, 0.51, [1, 0, 0], 1],
  ['hinge', 4, 6, -0.14, 0.51, [1, 0, 0], 1],
  ['ball', 1, 7, 0.23, 1.5],
  ['ball', 1, 8, -0.23, 1.5],
  ['hinge', 7, 9, 0.56, 1.5, [0, 1, 0], 1],
  ['hinge', 8, 10, -0.56, 1.5, [0, 1, 0], 1],
];

/** rad: half of the opening and the twist either way, of the ball joints in their order, where ragdolls have limits. */
const CONES: [swing: number, twist: number][] = [
  [0.5, 0.4], // neck
  [0.8, 0.4], // hips
  [0.8, 0.4],
  [1, 0.4], // shoulders
  [1, 0.4],
];
/** Of the hinges' limits, where balls have limits, too: nearer, so that most are in use. */
const NARROW = 0.5;

export function ragdoll(target: BenchTarget, place: Vec3, rotation: Quat, limited = false): void {
  const at = (x: number, y: number): Vec3 => {
    const turned = rotate(rotation, [x, y - 1, 0]);
    return [place[0] + turned[0], place[1] + turned[1], place[2] + turned[2]];
  };
  const bodies = PARTS.map(([axis, x, y, radius, halfHeight]) =>
    target.createBody({
      position: at(x, y),
      rotation,
      shape: { type: 'capsule', axis, radius, halfHeight, density: 1000 },
    }),
  );
  let ball = 0;
  for (const [type, a, b, x, y, axis, limit] of LINKS) {
    if (limited && type === 'ball') {
      // Along the limb, which is where its cone opens to.
      const along: Vec3 =
        PARTS[b][0] === 'x' ? [Math.sign(PARTS[b][1]), 0, 0] : [0, Math.sign(PARTS[b][2] - y), 0];
      target.createJoint({
        type: 'cone',
        bodyA: bodies[a],
        bodyB: bodies[b],
        anchor: at(x, y),
        axis: rotate(rotation, along),
        cone: CONES[ball++],
      });
      continue;
    }
    const most = limit === undefined ? undefined : limited ? NARROW * limit : limit;
    target.createJoint({
      type,
      bodyA: bodies[a],
      bodyB: bodies[b],
      anchor: at(x, y),
      axis: axis && rotate(rotation, axis),
      limits: most === undefined ? undefined : [-most, most],
    });
  }
}

/** Three layers of twenty, turned at random. */
function layers(target: BenchTarget, limited: boolean): void {
  target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const random = createRandom(60);
  for (let i = 0; i < 60; i++) {
    const place: Vec3 = [
      ((i % 4) - 1.5) * 2.2,
      2 + Math.floor(i / 20) * 2.4,
      ((Math.floor(i / 4) % 5) - 2) * 2.2,
    ];
    ragdoll(target, place, randomRotation(random), limited);
  }
}

export const ragdolls: BenchScene = {
  id: 'ragdolls',
  title: '60 ragdolls × 11 capsules, 10 joints',
  gravity: GRAVITY,
  needs: ['capsule', 'joints'],
  build: (target) => layers(target, false),
};

export const ragdollsLimited: BenchScene = {
  id: 'ragdolls-limited',
  title: '60 ragdolls × 11 capsules, 5 cones with twist, 5 hinges with limits',
  gravity: GRAVITY,
  needs: ['capsule', 'joints', 'cones'],
  build: (target) => layers(target, true),
};

const SIDE = 30;

/** 900 spheres a metre apart, 1,740 ball joints, the top row fixed; nothing collides. */
export const jointGrid: BenchScene = {
  id: 'joint-grid',
  title: 'net of 900 spheres, 1,740 ball joints',
  gravity: GRAVITY,
  needs: ['joints'],
  floor: -1000,
  build(target) {
    for (let row = 0; row < SIDE; row++)
      for (let column = 0; column < SIDE; column++) {
        // Level at the start, held along one edge: it swings down like a cloth.
        const position: Vec3 = [column - SIDE / 2, 0, row];
        const body = target.createBody({
          type: row === 0 ? 'static' : 'dynamic',
          mass: row === 0 ? undefined : 1,
          position,
          group: 1,
          mask: 0,
          shape: { type: 'sphere', radius: 0.4 },
        });
        if (column > 0 && row > 0)
          target.createJoint({
            type: 'ball',
            bodyA: body - 1,
            bodyB: body,
            anchor: [position[0] - 0.5, 0, row],
          });
        if (row > 0)
          target.createJoint({
            type: 'ball',
            bodyA: body - SIDE,
            bodyB: body,
            anchor: [position[0], 0, row - 0.5],
          });
      }
  },
};
