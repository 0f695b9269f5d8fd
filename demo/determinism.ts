// The page that the browser tests ask for state hashes: `ricochetHashes(scene, steps, place)`.
// Opened by a person with ?scene=wall, it compares both lists and prints their last entries.
import { element } from './element';
import { sceneHashes } from './hashes';
import { findScene, scenes, unknownScene } from './scenes';

function inWorker(scene: string, steps: number): Promise<string[]> {
  const worker = new Worker(new URL('./determinism.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string[]>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<string[]>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ scene, steps });
  }).finally(() => worker.terminate());
}

async function hashes(scene: string, steps: number, place: 'page' | 'worker'): Promise<string[]> {
  return place === 'page' ? sceneHashes(scene, steps) : inWorker(scene, steps);
}

Object.assign(window, { ricochetHashes: hashes });

for (const { id, title } of scenes) {
  const link = document.createElement('a');
  link.href = `?scene=${id}`;
  link.textContent = title;
  element('scenes').append(link, ' ');
}

const scene = new URLSearchParams(location.search).get('scene');
if (scene !== null && findScene(scene) === undefined) {
  element('out').textContent = unknownScene(scene);
} else if (scene !== null) {
  element('out').textContent = `${scene}, 300 steps …`;
  await new Promise((resolve) => setTimeout(resolve, 50)); // the page is drawn before it is busy
  const [page, worker] = await Promise.all([hashes(scene, 300, 'page'), hashes(scene, 300, 'worker')]);
  const same = page.every((hash, i) => hash === worker[i]);
  element('out').textContent =
    `${scene}, 300 steps\npage    ${page.at(-1)}\nworker  ${worker.at(-1)}\n${same ? 'all equal' : 'DIFFERENT'}`;
}
