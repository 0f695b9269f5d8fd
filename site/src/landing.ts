// The canvas of the landing page.
import type { LandingOptions } from './landingScene';
import { openOffscreen, optionsOf } from './offscreen';

/** @param tell  gets a line about the world, a few times a second */
export async function openLanding(canvas: HTMLCanvasElement, base: string, tell: (line: string) => void) {
  const options: LandingOptions = {
    ...optionsOf(canvas, base),
    calm: matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
  return openOffscreen(
    canvas,
    options,
    {
      worker: () => new Worker(new URL('./landing.worker.ts', import.meta.url), { type: 'module' }),
      async page() {
        const { LandingScene } = await import('./landingScene');
        return (canvas, tell) => LandingScene.open(canvas, options, tell);
      },
    },
    tell,
  );
}
