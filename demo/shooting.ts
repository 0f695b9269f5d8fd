// A ball leaves the camera through a point of the picture.

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

/** Of the demo, until its settings say otherwise. */
export const USUAL_BALL: Ball = { speed: 38, mass: 5, radius: 0.45 };

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
