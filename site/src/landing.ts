// The canvas of the landing page. What is on it is computed and drawn in a worker, so that the page itself never waits; in
// a browser without OffscreenCanvas the page draws.
import { onShoot } from '../../demo/clicks';
import type { LandingMessage, LandingOptions } from './landingScene';

/** @param tell  gets a line about the world, a few times a second */
export async function openLanding(canvas: HTMLCanvasElement, base: string, tell: (line: string) => void) {
  const options: LandingOptions = {
    width: Math.max(1, canvas.clientWidth),
    height: Math.max(1, canvas.clientHeight),
    pixelRatio: devicePixelRatio,
    calm: matchMedia('(prefers-reduced-motion: reduce)').matches,
    base,
  };
  const opened =
    'transferControlToOffscreen' in canvas
      ? inWorker(canvas, options, tell)
      : await inPage(canvas, options, tell);
  onShoot(canvas, (x, y) => opened.post({ kind: 'shoot', x, y }));
  canvas.style.touchAction = 'pan-y'; // the page scrolls
  const sizes = new ResizeObserver(() =>
    opened.post({
      kind: 'size',
      width: Math.max(1, canvas.clientWidth),
      height: Math.max(1, canvas.clientHeight),
      pixelRatio: devicePixelRatio,
    }),
  );
  sizes.observe(canvas);
  // Out of sight nothing is drawn.
  const sight = new IntersectionObserver(([entry]) =>
    opened.post({ kind: 'sight', visible: entry!.isIntersecting }),
  );
  sight.observe(canvas);
  return {
    dispose() {
      sizes.disconnect();
      sight.disconnect();
      opened.dispose();
    },
  };
}

function inWorker(canvas: HTMLCanvasElement, options: LandingOptions, tell: (line: string) => void) {
  const worker = new Worker(new URL('./landing.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => tell(data);
  worker.onerror = ({ message }) => tell(`The scene could not start here: ${message}`);
  const offscreen = canvas.transferControlToOffscreen();
  worker.postMessage({ canvas: offscreen, options }, [offscreen]);
  return {
    post: (message: LandingMessage) => worker.postMessage(message),
    dispose: () => worker.terminate(),
  };
}

async function inPage(canvas: HTMLCanvasElement, options: LandingOptions, tell: (line: string) => void) {
  const { LandingScene } = await import('./landingScene');
  const scene = await LandingScene.open(canvas, options, tell);
  return { post: (message: LandingMessage) => scene.take(message), dispose: () => scene.dispose() };
}
