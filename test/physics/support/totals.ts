// What isolated bodies keep: energy of motion and angular momentum, from their published velocities.
import type { RigidBody } from '../../../src/index';
import { angularMomentum, spinEnergy } from '../../reference/freeSpin';
import { add, cross, dot, length, multiply, scale, sub, type Vec3 } from './vector';
import { rotation, spin, velocity } from './world';

export interface Totals {
  /** Kinetic, J. */
  energy(): number;
  /** About the common centre of mass, kg·m²/s. */
  momentum(): Vec3;
  /** Sum of the sizes of all parts of the angular momentum: what its errors are measured against. */
  scale(): number;
}

export function totalsOf(bodies: readonly RigidBody[]): Totals {
  const own = bodies.map((body) => ({ moments: body.getLocalInertia(), axes: body.getInertiaOrientation() }));
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0);
  const axes = (i: number) => multiply(rotation(bodies[i]!), own[i]!.axes);
  const place = (body: RigidBody) => body.getCenterOfMassPosition() as Vec3;
  const parts = () => {
    const sum = bodies.reduce((total, body) => add(total, scale(place(body), body.mass)), [0, 0, 0] as Vec3);
    const middle = scale(sum, 1 / mass);
    return bodies.map((body, i) => ({
      orbit: scale(cross(sub(place(body), middle), velocity(body)), body.mass),
      turning: angularMomentum(own[i]!.moments, axes(i), spin(body)),
    }));
  };
  return {
    energy: () =>
      bodies.reduce((total, body, i) => {
        const v = velocity(body);
        return total + (body.mass * dot(v, v)) / 2 + spinEnergy(own[i]!.moments, axes(i), spin(body));
      }, 0),
    momentum: () =>
      parts().reduce((total, { orbit, turning }) => add(total, add(orbit, turning)), [0, 0, 0] as Vec3),
    scale: () => parts().reduce((total, { orbit, turning }) => total + length(orbit) + length(turning), 0),
  };
}
