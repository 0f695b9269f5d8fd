// Every scene of the benchmark, in the order of its table: the demo's own files first.
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { pyramid } from '../../demo/scenes/pyramid';
import type { Scene, SceneTarget } from '../../demo/scenes/scene';
import { spheres5000 } from '../../demo/scenes/spheres5000';
import { stackgrid } from '../../demo/scenes/stackgrid';
import { wall } from '../../demo/scenes/wall';
import { type BenchScene, vector } from '../scene';
import { pyramid5000, pyramids10000, sleeping10000, tumbler } from './boxes';
import { bullet1, bullet2 } from './bullet';
import { bulletHeaps } from './bulletHeaps';
import { convexPile, trimesh } from './hulls';
import { jointGrid, ragdolls, ragdollsLimited } from './joints';
import { avalanche, breakout, crowd, drum, mixer, rain, vehicles } from './motion';
import { scalingScene } from './scaling';

/** Rays are cast into the pile of `pile-mixed` once its steps are done, in the same process. */
export const RAYS = 'rays';
export const RAY_SCENE = 'pile-mixed';

function fromDemo(scene: Scene, extra: Partial<BenchScene>): BenchScene {
  return {
    id: scene.id,
    title: scene.title,
    gravity: vector(scene.world?.gravity, [0, -9.81, 0]),
    needs: [],
    // Those taken from the demo are of spheres, boxes, capsules and planes, which a target takes.
    build: (target) => scene.build(target as unknown as SceneTarget),
    ...extra,
  };
}

export const scenes: readonly BenchScene[] = [
  fromDemo(pyramid, { title: '465 boxes, base 30', stands: true }),
  fromDemo(stackgrid, { title: '64 towers of 10 boxes', stands: true }),
  fromDemo(wall, { title: 'wall of 161 bricks', stands: true }),
  fromDemo(pileMixed, { title: '1,000 boxes, spheres, capsules in a pit', needs: ['capsule'] }),
  convexPile,
  ragdolls,
  trimesh,
  fromDemo(spheres5000, { title: '5,000 spheres adrift' }),
  {
    id: RAYS,
    title: '10,000 closest-hit rays into the settled pile (ms per 10,000)',
    gravity: [0, -9.81, 0],
    needs: ['capsule'],
    build() {},
  },
  bullet1,
  bullet2,
  ...bulletHeaps,
  pyramid5000,
  pyramids10000,
  jointGrid,
  tumbler,
  ragdollsLimited,
  rain,
  crowd,
  mixer,
  avalanche,
  vehicles,
  breakout,
  drum,
  sleeping10000,
];

export function findScene(id: string): BenchScene | undefined {
  return scenes.find((scene) => scene.id === id) ?? scalingScene(id);
}
