// Every scene, by group, in the order of the demo's chooser.

import { blades } from './blades';
import { bulletWall } from './bullet-wall';
import { dominoes } from './dominoes';
import { gltfPhysics } from './gltf-physics';
import { hullPile } from './hull-pile';
import { jointZoo } from './joint-zoo';
import { cradle, gearTrain, heavyChain, jointNet, ropeBridge } from './jointed';
import { marbleRun } from './marble-run';
import { pileMixed } from './pile-mixed';
import { pinball } from './pinball';
import { pyramid } from './pyramid';
import { queryPlayground } from './query-playground';
import { ragdollStairs } from './ragdolls';
import type { Scene } from './scene';
import { shower } from './shower';
import { spheres5000 } from './spheres5000';
import { stackgrid } from './stackgrid';
import { stairs } from './stairs';
import { terrain } from './terrain';
import { walker } from './walker';
import { wall } from './wall';
import { wreckingBall } from './wrecking-ball';

export type { Label, Scene, SceneTarget } from './scene';

export interface SceneGroup {
  title: string;
  scenes: readonly Scene[];
}

export const sceneGroups: readonly SceneGroup[] = [
  { title: 'Stacks and heaps', scenes: [pyramid, stackgrid, wall, pileMixed, spheres5000] },
  { title: 'Shapes', scenes: [hullPile, terrain, stairs, marbleRun, gltfPhysics] },
  { title: 'Queries', scenes: [queryPlayground] },
  {
    title: 'Joints',
    scenes: [
      jointZoo,
      ragdollStairs,
      walker,
      wreckingBall,
      ropeBridge,
      heavyChain,
      cradle,
      gearTrain,
      jointNet,
    ],
  },
  { title: 'Fast and thin', scenes: [bulletWall, blades, pinball, shower] },
];

/** What tests and scripts step. */
export const scenes: readonly Scene[] = sceneGroups.flatMap((group) => group.scenes);

/** What the page opens with. */
export const opening: Scene = dominoes;

/** What the page offers. */
export const pageGroups: readonly SceneGroup[] = [
  ...sceneGroups,
  { title: 'To begin with', scenes: [opening] },
];

export function findScene(id: string): Scene | undefined {
  return [...scenes, opening].find((scene) => scene.id === id);
}

/** For whoever asks for a scene that is not there, as in an address. */
export function unknownScene(id: string): string {
  const begins = (name: string) => name.slice(0, 3) === id.toLowerCase().slice(0, 3);
  const near = scenes.find((scene) => begins(scene.id));
  const hint = near === undefined ? '' : ` Did you mean '${near.id}'?`;
  return `There is no scene '${id}'.${hint} There are ${scenes.map((scene) => scene.id).join(', ')}.`;
}
