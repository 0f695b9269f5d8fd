// Answers { scene, steps } with the state hashes computed in this worker.
import { sceneHashes } from './hashes';

addEventListener('message', (event: MessageEvent<{ scene: string; steps: number }>) => {
  postMessage(sceneHashes(event.data.scene, event.data.steps));
});
