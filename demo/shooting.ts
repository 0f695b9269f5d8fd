// Click to shoot: a ball leaves the camera through the point that was clicked. A drag is no click.
import { Raycaster, Vector2, type PerspectiveCamera } from 'three';
import type { BodyOptions } from 'ricochet';

export const BALL_RADIUS = 0.45;
const SPEED = 38; // m/s, a hard throw for a 5 kg ball: enough to go through the wall
const BALL_MASS = 5;
/** Pixels that a pointer may move and still have clicked. */
const SLACK = 5;

export function ballThrough(camera: PerspectiveCamera, x: number, y: number): BodyOptions {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), camera);
  const { origin, direction } = ray.ray;
  return {
    mass: BALL_MASS,
    position: origin.clone().addScaledVector(direction, 1),
    linearVelocity: direction.clone().multiplyScalar(SPEED),
    shape: { type: 'sphere', radius: BALL_RADIUS, friction: 0.6, restitution: 0.2 },
  };
}

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
    shoot(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
  });
}
