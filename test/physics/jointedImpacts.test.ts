// Bodies on joints that collide at the same time. Joints are part of no impact (impactSolver.ts), so these collide one pair
// after the other (simultaneousImpacts.ts): a ball that another one follows into a wall returns with its speed, whatever the
// speed, unless something else holds it.
import { row } from './support/measure';
import { createWorld, DT, velocity } from './support/world';

const RADIUS = 0.05;

/** Share of its speed with which the first of two balls returns from a wall. `weight`: m/s² towards a floor. */
function returns(speed: number, weight = 0): number {
  const world = createWorld({ gravity: [0, -weight, 0], restitutionThreshold: 0 });
  const elastic = { friction: 0, restitution: 1 };
  world.createBody({
    type: 'static',
    position: [-1, 0, 0],
    shape: { type: 'box', halfExtents: [1, 1, 1], ...elastic },
  });
  if (weight > 0)
    world.createBody({
      type: 'static',
      position: [0, -1 - RADIUS, 0],
      shape: { type: 'box', halfExtents: [5, 1, 5], friction: 0, restitution: 0 },
    });
  const gap = 0.02 * speed * DT;
  const balls = [1, 3].map((radii) => {
    const body = world.createBody({
      mass: 1,
      position: [radii * (RADIUS + gap), 0, 0],
      linearVelocity: [-speed, 0, 0],
      shape: { type: 'sphere', radius: RADIUS, ...elastic },
    });
    world.createJoint({ type: 'generic', bodyB: body, anchor: [0, 0, 0], x: {}, y: {}, z: {} }); // all axes are free
    return body;
  });
  for (let i = 0; i < 10; i++) world.step(DT);
  const share = velocity(balls[0]!)[0] / speed;
  world.dispose();
  return share;
}

row('a ball returns from a wall at 10 m/s as at 0.2 mm/s; below 0.1 mm/s it comes to rest', (m) => {
  for (const speed of [10, 1, 0.01, 3e-4, 2e-4]) m.near(`share of ${speed} m/s`, returns(speed), 1, 0.01);
  m.atMost('share of 5e-5 m/s', Math.abs(returns(5e-5)), 0.6);
});

row('a ball is held if floor or joints give it more than 1 mm/s in a substep of 1/300 s', (m) => {
  for (const weight of [0.1, 0.2]) m.near(`share, ${weight} m/s²`, returns(1, weight), 1, 0.01);
  for (const weight of [0.45, 9.81]) m.atMost(`share, ${weight} m/s²`, returns(1, weight), 0.5);
});

/** Poses in all steps of bodies that fall on a floor and fly against a wall; a door elsewhere hangs on these, or on the world. */
function struckWall(type: 'static' | 'kinematic', hangsOnWall: boolean): number[] {
  const world = createWorld();
  const wall = world.createBody({
    type,
    position: [0, -1, 0],
    shape: [
      { type: 'box', halfExtents: [50, 1, 50], restitution: 1 },
      { type: 'box', halfExtents: [50, 10, 0.5], position: [0, 10, -10], restitution: 1 },
    ],
  });
  const door = world.createBody({
    mass: 1,
    position: [40, 5, 0],
    gravityScale: 0,
    shape: { type: 'box', halfExtents: [0.5, 1, 0.05] },
  });
  world.createJoint({
    type: 'hinge',
    bodyA: hangsOnWall ? wall : undefined,
    bodyB: door,
    anchor: [39.5, 5, 0],
    axis: [0, 1, 0],
  });
  const bodies = Array.from({ length: 12 }, (_, i) =>
    world.createBody({
      mass: 2,
      position: [3 * i - 16, 2, 5],
      linearVelocity: i < 3 ? [0, 0, 0] : [0, 0, -12 * i],
      angularVelocity: i < 3 ? [0, 0, 0] : [i, 7 - i, 2 * i],
      shape: { type: 'box', halfExtents: i % 2 ? [0.5, 0.05, 0.05] : [0.5, 0.3, 0.4], restitution: 0.5 },
    }),
  );
  const poses: number[] = [];
  for (let i = 0; i < 120; i++) {
    world.step(DT);
    for (const body of bodies) poses.push(...body.getPosition(), ...body.getRotation());
  }
  world.dispose();
  return poses;
}

for (const type of ['static', 'kinematic'] as const)
  row(`what hits a ${type} wall and floor does not notice that a door hangs on them`, (m) => {
    const alone = struckWall(type, false);
    const hung = struckWall(type, true);
    m.atMost('largest difference, m', Math.max(...alone.map((value, i) => Math.abs(value - hung[i]!))), 0);
  });
