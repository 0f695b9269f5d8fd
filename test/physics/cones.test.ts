// Cones of joints: how far a rod sags that is fixed at its end.
import { row } from './support/measure';
import { createWorld, DT, position } from './support/world';

/** rad below the horizontal after 5 s. */
function sag(swing: number): number {
  const world = createWorld();
  const bodyB = world.createBody({
    mass: 1,
    position: [0.5, 0, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.05, 0.05] },
  });
  world.createJoint({ type: 'coneTwist', bodyB, anchor: [0, 0, 0], swingY: swing, swingZ: swing });
  for (let i = 0; i < 300; i++) world.step(DT);
  const [x, y] = position(bodyB);
  world.dispose();
  return Math.atan2(-y, x);
}

row('a rod sags by the half angle of its cone, and by 0.01 rad at least', (m) => {
  for (const swing of [0, 0.005, 0.02, 0.1, 0.5])
    m.near(`sag, cone of ${swing} rad`, sag(swing), Math.max(0.01, swing), 0.001, 'rad');
});
