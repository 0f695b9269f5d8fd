// Clicks on the picture. A drag is no click. Without three.js: the site's landing page draws in a worker.

/** Pixels that a pointer may move and still have clicked. */
const SLACK = 5;

/** Calls `shoot` with normalised device coordinates of every click of the main button. */
export function onShoot(canvas: HTMLCanvasElement, shoot: (x: number, y: number) => void): void {
  let downAt: { x: number; y: number } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    downAt = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener('pointerup', (event) => {
    if (downAt === null || !event.isPrimary) return;
    const moved = Math.hypot(event.clientX - downAt.x, event.clientY - downAt.y);
    downAt = null;
    if (moved > SLACK) return;
    const box = canvas.getBoundingClientRect();
    shoot((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
  });
}
