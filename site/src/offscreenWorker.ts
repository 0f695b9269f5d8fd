// The worker's side of offscreen.ts. In: first { canvas, options }, then SceneMessages. Out: lines of text.
import type { DrawnScene, SceneOptions } from './offscreen';

export function serveScene<Options extends SceneOptions>(
  open: (canvas: OffscreenCanvas, options: Options, tell: (line: string) => void) => Promise<DrawnScene>,
): void {
  let scene: Promise<DrawnScene> | null = null;
  self.onmessage = ({ data }) => {
    if (scene !== null) {
      void scene.then((opened) => opened.take(data));
      return;
    }
    Object.assign(globalThis, { __BASE__: data.options.base }); // where this copy of the site lies, for the files of the worker
    scene = open(data.canvas, data.options, (line) => postMessage(line));
    scene.catch((error) => postMessage(`The scene could not start here: ${error.message}`));
  };
}
