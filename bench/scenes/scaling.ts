// The same three kinds of scene at any number of bodies, for the curves of cost over size.
import { between, createRandom, rotation } from '../../demo/scenes/random';
import type { BenchScene, Vec3 } from '../scene';
import { GRAVITY, STANDS } from './settings';

export const SCALING_KINDS = ['stack', 'pile', 'sparse'] as const;
export const SCALING_COUNTS = [1000, 2000, 5000, 10000, 20000];

/** Towers of 10 boxes on a square grid. */
function stack(count: number): BenchScene {
  return {
    id: `stack@${count}`,
    title: `${count / 10} towers of 10`,
    ...STANDS,
    build(target) {
      target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
      const side = Math.ceil(Math.sqrt(count / 10));
      for (let i = 0; i < count; i++) {
        const tower = Math.floor(i / 10);
        target.createBody({
          mass: 1,
          position: [
            ((tower % side) - side / 2) * 3,
            (i % 10) + 0.5,
            (Math.floor(tower / side) - side / 2) * 3,
          ],
          shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
        });
      }
    },
  };
}

/** Boxes, spheres and capsules in a pit whose floor grows with their number, so the depth stays. */
function pile(count: number): BenchScene {
  return {
    id: `pile@${count}`,
    title: `pile of ${count}`,
    gravity: GRAVITY,
    needs: ['capsule'],
    warmup: 120,
    steps: 60,
    build(target) {
      target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
      const side = Math.round(Math.sqrt(count / 10));
      const half = side * 0.6;
      const reach = half + 0.5;
      for (const [x, z, halfX, halfZ] of [
        [reach, 0, 0.5, half + 1],
        [-reach, 0, 0.5, half + 1],
        [0, reach, half, 0.5],
        [0, -reach, half, 0.5],
      ])
        target.createBody({
          type: 'static',
          position: [x, 4, z],
          shape: { type: 'box', halfExtents: [halfX, 4, halfZ] },
        });
      const random = createRandom(count);
      for (let i = 0; i < count; i++) {
        const position: Vec3 = [
          ((i % side) - (side - 1) / 2) * 1.1 + between(random, -0.05, 0.05),
          1 + Math.floor(i / (side * side)) * 1.3,
          ((Math.floor(i / side) % side) - (side - 1) / 2) * 1.1 + between(random, -0.05, 0.05),
        ];
        const size = between(random, 0.18, 0.28);
        const common = { position, rotation: rotation(random) };
        if (i % 3 === 0)
          target.createBody({ ...common, shape: { type: 'box', halfExtents: [size, size, size * 1.2] } });
        else if (i % 3 === 1) target.createBody({ ...common, shape: { type: 'sphere', radius: size * 1.2 } });
        else
          target.createBody({
            ...common,
            shape: { type: 'capsule', radius: size * 0.75, halfHeight: size * 0.8 },
          });
      }
    },
  };
}

/** Spheres adrift, one to a cell of 5.5 m: hardly a contact at any size. */
function sparse(count: number): BenchScene {
  return {
    id: `sparse@${count}`,
    title: `${count} spheres adrift`,
    gravity: [0, 0, 0],
    needs: [],
    warmup: 30,
    steps: 60,
    build(target) {
      const side = Math.ceil(Math.cbrt(count));
      const random = createRandom(count);
      const along = (cell: number) => (cell - side / 2) * 5.5 + between(random, -2, 2);
      for (let i = 0; i < count; i++)
        target.createBody({
          mass: 1,
          position: [
            along(i % side),
            along(Math.floor(i / (side * side))),
            along(Math.floor(i / side) % side),
          ],
          linearVelocity: [between(random, -3, 3), between(random, -3, 3), between(random, -3, 3)],
          shape: { type: 'sphere', radius: 0.5, restitution: 0.5 },
        });
    },
  };
}

export function scalingScene(id: string): BenchScene | undefined {
  const [kind, count] = id.split('@');
  const build = { stack, pile, sparse }[kind];
  return build && count ? build(Number(count)) : undefined;
}
