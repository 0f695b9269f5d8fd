// Carts on light wheels: the load reaches the wheels through joints, and the ground through contacts of the wheels.
import { row } from './support/measure';
import { createFloor, createWorld, position } from './support/world';

/** m. How far a cart of 1 t on four wheels of 20 kg, at `speed` m/s, leaves its height after its first second. */
function hop(hz: number, speed: number): number {
  const world = createWorld({ sleeping: false });
  createFloor(world);
  const cart = world.createBody({
    mass: 1000,
    position: [0, 0.5, 0],
    linearVelocity: [speed, 0, 0],
    shape: { type: 'box', halfExtents: [2, 0.2, 0.8] },
  });
  for (const x of [-1.3, 1.3])
    for (const z of [-0.9, 0.9]) {
      const wheel = world.createBody({
        mass: 20,
        position: [x, 0.35, z],
        linearVelocity: [speed, 0, 0],
        angularVelocity: [0, 0, -speed / 0.35],
        shape: { type: 'cylinder', axis: 'z', radius: 0.35, halfHeight: 0.1, friction: 1 },
      });
      world.createJoint({
        type: 'hinge',
        bodyA: cart,
        bodyB: wheel,
        anchor: [x, 0.35, z],
        axis: [0, 0, 1],
        angle: {},
      });
    }
  for (let i = 0; i < hz; i++) world.step(1 / hz);
  const height = position(cart)[1];
  let most = 0;
  for (let i = 0; i < 8 * hz; i++) {
    world.step(1 / hz);
    most = Math.max(most, Math.abs(position(cart)[1] - height));
  }
  world.dispose();
  return most;
}

row('a cart of 1 t on wheels of 20 kg rolls and stands without hopping', (m) => {
  for (const speed of [0, 8, 20]) m.atMost(`60 Hz, ${speed} m/s`, hop(60, speed), 0.001, 'm');
});
