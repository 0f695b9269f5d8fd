// The scene of the landing page in a worker. In: first { canvas, options }, then LandingMessages. Out: lines of text.
import { LandingScene } from './landingScene';

let scene: Promise<LandingScene> | null = null;
self.onmessage = ({ data }) => {
  if (scene !== null) {
    void scene.then((opened) => opened.take(data));
    return;
  }
  Object.assign(globalThis, { __BASE__: data.options.base }); // where this copy of the site lies, for the files of the worker
  scene = LandingScene.open(data.canvas, data.options, (line) => postMessage(line));
  scene.catch((error) => postMessage(`The scene could not start here: ${error.message}`));
};
