// Carts on light wheels: the load reaches the wheels through joints, and the ground through contacts of the wheels.
import type { ShapeOptions } from 'ricochet';
import { row } from './support/measure';
import { createFloor, createWorld, position, velocity } from './support/world';

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

/** The same of a waggon of 12 t whose axles of 0.8 t turn in bogies of 2 t: the load passes through two joints. */
function waggonHop(hz: number, speed: number): number {
  const world = createWorld({ sleeping: false });
  createFloor(world);
  const part = (mass: number, place: [number, number], shape: ShapeOptions) =>
    world.createBody({ mass, position: [0, ...place], linearVelocity: [0, 0, speed], shape });
  const waggon = part(12_000, [2, 0], { type: 'box', halfExtents: [1.3, 1, 3.8] });
  const joined = { type: 'hinge', angle: {} } as const;
  for (const z of [-2.6, 2.6]) {
    const bogie = part(2000, [0.6, z], { type: 'box', halfExtents: [0.6, 0.12, 1] });
    world.createJoint({ ...joined, bodyA: waggon, bodyB: bogie, anchor: [0, 0.85, z], axis: [0, 1, 0] });
    for (const end of [z - 0.8, z + 0.8]) {
      const wheel = (x: number): ShapeOptions => ({
        type: 'cylinder',
        axis: 'x',
        radius: 0.4,
        halfHeight: 0.07,
        position: [x, 0, 0],
      });
      const axle = world.createBody({
        mass: 800,
        position: [0, 0.4, end],
        linearVelocity: [0, 0, speed],
        angularVelocity: [speed / 0.4, 0, 0],
        shape: [wheel(-0.75), wheel(0.75)],
      });
      world.createJoint({ ...joined, bodyA: bogie, bodyB: axle, anchor: [0, 0.4, end], axis: [1, 0, 0] });
    }
  }
  for (let i = 0; i < hz; i++) world.step(1 / hz);
  const height = position(waggon)[1];
  let most = 0;
  for (let i = 0; i < 8 * hz; i++) {
    world.step(1 / hz);
    most = Math.max(most, Math.abs(position(waggon)[1] - height));
  }
  world.dispose();
  return most;
}

row('a waggon on bogies rolls and stands without hopping', (m) => {
  for (const hz of [30, 60])
    for (const speed of [0, 8]) m.atMost(`${hz} Hz, ${speed} m/s`, waggonHop(hz, speed), 0.001, 'm');
});

/** m/s. The fastest rise of 60 kg on a seesaw after a ball of 500 kg has fallen by about 3 m on its other end. */
function thrown(): number {
  const world = createWorld();
  createFloor(world);
  const tilt = 0.226; // the end with the 60 kg is down
  const rotation = [0, 0, -Math.sin(tilt / 2), Math.cos(tilt / 2)] as const;
  const seesaw = { friction: 0.8, type: 'box', halfExtents: [2, 0.05, 0.3] } as const;
  const plank = world.createBody({ mass: 30, position: [0, 0.55, 0], rotation, shape: seesaw });
  world.createJoint({ type: 'hinge', bodyB: plank, anchor: [0, 0.5, 0], axis: [0, 0, 1], angle: {} });
  const [along, above] = [1.7, 0.351];
  const person = world.createBody({
    mass: 60,
    position: [
      along * Math.cos(tilt) + above * Math.sin(tilt),
      0.55 - along * Math.sin(tilt) + above * Math.cos(tilt),
      0,
    ],
    rotation,
    shape: { type: 'box', halfExtents: [0.2, 0.3, 0.2], friction: 0.8 },
  });
  world.createBody({
    mass: 500,
    position: [-along, 4, 0],
    shape: { type: 'sphere', radius: 0.25, friction: 0.8 },
  });
  let most = 0;
  for (let i = 0; i < 120; i++) {
    world.step(1 / 60);
    most = Math.max(most, velocity(person)[1]);
  }
  world.dispose();
  return most;
}

row('a ball of 500 kg on a seesaw throws 60 kg up hardly faster than at 960 Hz, where it is 7.8 m/s', (m) => {
  m.near('60 Hz', thrown(), 7.8, 1.1, 'm/s');
});
