// A canvas of the site whose scene is computed and drawn in a worker, so that the page itself never waits; in a browser
// without OffscreenCanvas the page draws. In: the canvas, how to open the scene in both places. Out: the scene's lines of
// text, and a handle to end it.
import { onShoot } from '../../demo/clicks';

export interface SceneSize {
  /** pixels of the page */
  width: number;
  height: number;
  pixelRatio: number;
}

export interface SceneOptions extends SceneSize {
  /** Path of the site on its host. */
  base: string;
}

/** What OrbitControls reads of a pointer or wheel event. */
export interface PointerCopy {
  type: string;
  pointerId: number;
  pointerType: string;
  button: number;
  buttons: number;
  clientX: number;
  clientY: number;
  pageX: number;
  pageY: number;
  deltaX: number;
  deltaY: number;
  deltaMode: number;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

export type SceneMessage =
  | ({ kind: 'size' } & SceneSize)
  | { kind: 'shoot'; x: number; y: number }
  | { kind: 'sight'; visible: boolean }
  | { kind: 'pointer'; event: PointerCopy };

/** A scene that can run in the page or in a worker. */
export interface DrawnScene {
  take(message: SceneMessage): void;
  dispose(): void;
}

export interface Places {
  worker(): Worker;
  /** Where there is no OffscreenCanvas. */
  page(): Promise<(canvas: HTMLCanvasElement, tell: (line: string) => void) => Promise<DrawnScene>>;
}

export interface OpenScene {
  post(message: SceneMessage): void;
  dispose(): void;
}

const sizeOf = (canvas: HTMLCanvasElement): SceneSize => ({
  width: Math.max(1, canvas.clientWidth),
  height: Math.max(1, canvas.clientHeight),
  pixelRatio: devicePixelRatio,
});

export const optionsOf = (canvas: HTMLCanvasElement, base: string): SceneOptions => ({
  ...sizeOf(canvas),
  base,
});

/**
 * @param options  what the scene is opened with; cloned into the worker
 * @param tell     gets a line about the world, a few times a second
 */
export async function openOffscreen(
  canvas: HTMLCanvasElement,
  options: SceneOptions,
  places: Places,
  tell: (line: string) => void,
): Promise<OpenScene> {
  const opened =
    'transferControlToOffscreen' in canvas
      ? inWorker(canvas, options, places.worker(), tell)
      : await inPage(canvas, places, tell);
  onShoot(canvas, (x, y) => opened.post({ kind: 'shoot', x, y }));
  canvas.style.touchAction = 'pan-y'; // the page scrolls
  const sizes = new ResizeObserver(() => opened.post({ kind: 'size', ...sizeOf(canvas) }));
  sizes.observe(canvas);
  // Out of sight nothing is drawn.
  const sight = new IntersectionObserver(([entry]) =>
    opened.post({ kind: 'sight', visible: entry!.isIntersecting }),
  );
  sight.observe(canvas);
  return {
    post: opened.post,
    dispose() {
      sizes.disconnect();
      sight.disconnect();
      opened.dispose();
    },
  };
}

function inWorker(
  canvas: HTMLCanvasElement,
  options: SceneOptions,
  worker: Worker,
  tell: (line: string) => void,
): OpenScene {
  worker.onmessage = ({ data }) => tell(data);
  worker.onerror = ({ message }) => tell(`The scene could not start here: ${message}`);
  const offscreen = canvas.transferControlToOffscreen();
  worker.postMessage({ canvas: offscreen, options }, [offscreen]);
  return { post: (message) => worker.postMessage(message), dispose: () => worker.terminate() };
}

async function inPage(
  canvas: HTMLCanvasElement,
  places: Places,
  tell: (line: string) => void,
): Promise<OpenScene> {
  const scene = await (await places.page())(canvas, tell);
  return { post: (message) => scene.take(message), dispose: () => scene.dispose() };
}
