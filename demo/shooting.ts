// Click to shoot: a ball leaves the camera through the point that was clicked. A drag is no click.

import type { BodyOptions } from 'ricochet';
import { type PerspectiveCamera, Raycaster, Vector2 } from 'three';

export interface Ball {
  /** m/s */
  speed: number;
  /** kg */
  mass: number;
  /** m */
  radius: number;
}

/** Pixels that a pointer may move and still have clicked. */
const SLACK = 5;

/** A ball that starts a metre before the camera, towards a point in normalised device coordinates. */
export function ballThrough(camera: PerspectiveCamera, x: number, y: number, ball: Ball): BodyOptions {
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2(x, y), camera);
  const { origin, direction } = caster.ray;
  return {
    mass: ball.mass,
    position: origin.clone().addScaledVector(direction, 1),
    linearVelocity: direction.clone().multiplyScalar(ball.speed),
    shape: { type: 'sphere', radius: ball.radius, friction: 0.6, restitution: 0.2 },
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
    shoot((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
  });
}
