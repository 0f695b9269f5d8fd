// Ragdolls that fall down a flight of stairs: eleven capsules each, cones at neck, shoulders and hips, hinges at
// spine, elbows and knees.
import { between, createRandom } from './random';
import { createGround, type Scene, type SceneTarget } from './scene';

type Point = [number, number, number];

/** Standing in the air, pelvis at (x, y, z), facing +z. */
function ragdoll(target: SceneTarget, x: number, y: number, z: number): void {
  const place = (p: Point): Point => [x + p[0], y + p[1], z + p[2]];
  const limb = (position: Point, halfHeight: number, radius: number, axis: 'x' | 'y') =>
    target.createBody({
      position: place(position),
      shape: { type: 'capsule', radius, halfHeight, axis, friction: 0.6 },
    }) as never;
  const cone = (bodyA: never, bodyB: never, anchor: Point, axis: Point, swing: number) =>
    target.createJoint({
      type: 'coneTwist',
      bodyA,
      bodyB,
      anchor: place(anchor),
      axis,
      swingY: swing,
      swingZ: swing,
      twist: { low: -0.4, high: 0.4 },
    });
  const hinge = (bodyA: never, bodyB: never, anchor: Point, axis: Point, low: number, high: number) =>
    target.createJoint({ type: 'hinge', bodyA, bodyB, anchor: place(anchor), axis, angle: { low, high } });
  const pelvis = limb([0, 0, 0], 0.1, 0.13, 'x');
  const chest = limb([0, 0.38, 0], 0.12, 0.15, 'y');
  hinge(pelvis, chest, [0, 0.16, 0], [1, 0, 0], -0.4, 0.9);
  cone(chest, limb([0, 0.78, 0], 0.05, 0.11, 'y'), [0, 0.64, 0], [0, 1, 0], 0.5);
  for (const side of [-1, 1]) {
    const arm = limb([side * 0.37, 0.53, 0], 0.11, 0.06, 'x');
    cone(chest, arm, [side * 0.2, 0.53, 0], [side, 0, 0], 1.2);
    hinge(arm, limb([side * 0.69, 0.53, 0], 0.11, 0.05, 'x'), [side * 0.53, 0.53, 0], [0, side, 0], -2, 0);
    const thigh = limb([side * 0.12, -0.3, 0], 0.15, 0.08, 'y');
    cone(pelvis, thigh, [side * 0.12, -0.08, 0], [0, -1, 0], 0.8);
    hinge(thigh, limb([side * 0.12, -0.72, 0], 0.16, 0.06, 'y'), [side * 0.12, -0.51, 0], [1, 0, 0], 0, 2);
  }
}

export const ragdollStairs: Scene = {
  id: 'ragdoll-stairs',
  title: 'Ragdolls',
  description: 'Twelve of them, down a flight of stairs.',
  camera: { position: [9, 6, 9], target: [0, 1.8, 0.5] },
  shows: { statics: 'solid' },
  build(target) {
    createGround(target);
    for (let i = 0; i < 12; i++)
      target.createBody({
        type: 'static',
        position: [0, 0.15 + 0.15 * i, 2.5 - 0.5 * i],
        shape: { type: 'box', halfExtents: [3, 0.15 + 0.15 * i, 0.25] },
      });
    const random = createRandom(11);
    for (let i = 0; i < 12; i++)
      ragdoll(
        target,
        (i % 3) * 1.7 - 1.7 + between(random, -0.2, 0.2),
        5 + 1.1 * i,
        -2.4 + between(random, -0.2, 0.3),
      );
  },
};
