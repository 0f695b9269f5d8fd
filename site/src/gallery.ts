// The canvas of the gallery: a scene of the demo, with a camera that drags turn.
import type { GalleryOptions } from './galleryScene';
import { type OpenScene, openOffscreen, optionsOf, type PointerCopy } from './offscreen';

/** A posted event has no methods, and only fields that can be cloned. */
function copyOf(event: PointerEvent | WheelEvent): PointerCopy {
  const { type, button, buttons, clientX, clientY, pageX, pageY, ctrlKey, metaKey, shiftKey } = event;
  const { pointerId = 0, pointerType = 'mouse' } = event as Partial<PointerEvent>;
  const { deltaX = 0, deltaY = 0, deltaMode = 0 } = event as Partial<WheelEvent>;
  return {
    ...{ type, button, buttons, clientX, clientY, pageX, pageY, ctrlKey, metaKey, shiftKey },
    ...{ pointerId, pointerType, deltaX, deltaY, deltaMode },
  };
}

function forwardPointers(canvas: HTMLCanvasElement, { post }: OpenScene): void {
  const forward = (event: PointerEvent | WheelEvent) => post({ kind: 'pointer', event: copyOf(event) });
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId); // a drag may leave the canvas
    forward(event);
  });
  for (const type of ['pointermove', 'pointerup', 'pointercancel'] as const)
    canvas.addEventListener(type, forward);
  // The wheel alone scrolls the page; a pinch on a trackpad comes as a wheel with Ctrl.
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      forward(event);
    },
    { passive: false },
  );
}

/**
 * @param scene  id of a scene of the demo
 * @param tell   gets a line about the world, a few times a second
 */
export async function openGallery(
  canvas: HTMLCanvasElement,
  scene: string,
  base: string,
  tell: (line: string) => void,
) {
  const options: GalleryOptions = { ...optionsOf(canvas, base), scene };
  const opened = await openOffscreen(
    canvas,
    options,
    {
      worker: () => new Worker(new URL('./gallery.worker.ts', import.meta.url), { type: 'module' }),
      async page() {
        const { GalleryScene } = await import('./galleryScene');
        return (canvas, tell) => GalleryScene.open(canvas, options, tell);
      },
    },
    tell,
  );
  forwardPointers(canvas, opened);
  return opened;
}
