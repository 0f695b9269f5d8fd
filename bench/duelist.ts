// One side of a duel (duel.mjs): worlds of one engine, step by step.
import { engines } from './adapters';
import { buildWorld, teachFetchFiles } from './buildWorld';
import { resolveScene } from './scene';
import { findScene } from './scenes';
import { createStepper } from './stepper';

export interface Duelist {
  /** Of the scene's run, its warm-up included. */
  steps: number;
  step(): void;
}

/** A new world with the scene; undefined if the engine cannot run it. */
export async function createDuelist(engineName: string, sceneName: string): Promise<Duelist | undefined> {
  const scene = findScene(sceneName);
  if (!scene) throw new Error(`no scene ${sceneName}`);
  const entry = engines[engineName];
  if (!entry) throw new Error(`no engine ${engineName}`);
  const { engine } = await entry.load();
  if (!scene.needs.every((need) => engine.features.includes(need))) return undefined;
  const spec = resolveScene(scene);
  return {
    steps: (scene.warmup ?? 60) + (scene.steps ?? 300),
    step: createStepper(spec, await buildWorld(spec, entry)),
  };
}

teachFetchFiles();
