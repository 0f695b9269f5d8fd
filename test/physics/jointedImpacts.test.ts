// Bodies on joints that collide. Joints that lock are part of no impact (impactSolver.ts), so bodies on them collide one pair
// after the other (simultaneousImpacts.ts): a ball that another one follows into a wall returns with its speed, whatever the
// speed, unless something else holds it.
import { row } from './support/measure';
import { random } from './support/vector';
import { createWorld, DT, G, velocity } from './support/world';

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
    // Locks the axis along which nothing moves.
    world.createJoint({
      type: 'generic',
      bodyB: body,
      anchor: [0, 0, 0],
      x: {},
      y: {},
      z: { low: 0, high: 0 },
    });
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

/** Rises of the balls of Newton's cradle, in m, and the share of its energy after 10 s. Ball 0 starts 0.122 m up. */
function cradle(gap: number, dt: number): { share: number; rises: number[] } {
  const world = createWorld();
  const balls = Array.from({ length: 5 }, (_, i) => {
    const x = i * (2 * RADIUS + gap);
    const angle = i === 0 ? 0.5 : 0;
    const ball = world.createBody({
      mass: 1,
      position: [x - Math.sin(angle), -Math.cos(angle), 0],
      shape: { type: 'sphere', radius: RADIUS, friction: 0, restitution: 1 },
      linearDamping: 0,
      angularDamping: 0,
    });
    world.createJoint({
      type: 'distance',
      bodyB: ball,
      frameA: { position: [x, 0, 0] },
      distance: { low: 0, high: 1 },
    });
    return ball;
  });
  const energy = () =>
    balls.reduce((sum, ball) => {
      const [x, y, z] = velocity(ball);
      return sum + 0.5 * (x * x + y * y + z * z) + G * (ball.getPosition()[1] + 1);
    }, 0);
  const before = energy();
  const rises = balls.map(() => 0);
  for (let i = 0; i < 10 / dt; i++) {
    world.step(dt);
    balls.forEach((ball, k) => {
      rises[k] = Math.max(rises[k]!, ball.getPosition()[1] + 1);
    });
  }
  const share = energy() / before;
  world.dispose();
  return { share, rises };
}

for (const gap of [0, 1e-4])
  row(`Newton's cradle on strings swings as one does, ${gap} m apart, at 30 and 60 Hz`, (m) => {
    for (const dt of [1 / 30, DT]) {
      const { share, rises } = cradle(gap, dt);
      const name = `${Math.round(1 / dt)} Hz`;
      m.near(`energy after 10 s, share, ${name}`, share, 1, 0.02);
      m.near(`rise of the last ball, m, ${name}`, rises[4]!, 0.122, 0.01);
      m.atMost(`rise of the balls between, m, ${name}`, Math.max(...rises.slice(1, 4)), 0.002);
    }
  });

/** Two elastic balls with a rope of a few centimetres between them, one of which flies off. Their largest energy, as a share of that at the start. */
function tether(seed: number): number {
  const next = random(seed);
  const radii = [0.05 + 0.45 * next(), 0.05 + 0.45 * next()];
  const touching = radii[0]! + radii[1]!;
  const slack = 0.01 + 0.04 * next();
  const dt = [1 / 30, DT, 1 / 120][seed % 3]!;
  const world = createWorld({ gravity: [0, 0, 0] });
  const balls = radii.map((radius, i) =>
    world.createBody({
      mass: 1,
      position: [0, i * (touching + 0.5 * slack), 0],
      linearVelocity: i === 0 ? [60 * next() - 30, 60 * next() - 30, 60 * next() - 30] : [0, 0, 0],
      shape: { type: 'sphere', radius, friction: 0, restitution: 1 },
    }),
  );
  const [bodyA, bodyB] = balls as [(typeof balls)[0], (typeof balls)[0]];
  const middle = { position: [0, 0, 0] as [number, number, number] };
  const distance = { low: 0, high: touching + slack };
  world.createJoint({
    type: 'distance',
    bodyA,
    bodyB,
    frameA: middle,
    frameB: middle,
    distance,
    collideConnected: true,
  });
  const energy = () =>
    balls.reduce((sum, ball) => sum + 0.5 * velocity(ball).reduce((square, v) => square + v * v, 0), 0);
  const start = energy();
  let most = 0;
  for (let i = 0; i < 30; i++) {
    world.step(dt);
    most = Math.max(most, energy());
  }
  world.dispose();
  return most / start;
}

// Impacts reflected what the rope's warm start gave, and the rope took twice as much in the next substep: 40 of 100 such pairs gained
// energy, some a thousandfold.
row('elastic balls on a short rope between them never gain energy', (m) => {
  const shares = Array.from({ length: 60 }, (_, seed) => tether(seed));
  m.atMost('largest energy / start', Math.max(...shares), 1.001);
});

row('a puck that a mallet at the pointer hits from the side does not tilt', (m) => {
  const world = createWorld();
  world.createBody({ type: 'static', shape: { type: 'plane', friction: 0 } });
  const disc = (mass: number, x: number, radius: number, halfHeight: number) =>
    world.createBody({
      mass,
      position: [x, halfHeight, 0.02],
      shape: { type: 'cylinder', radius, halfHeight, friction: 0, restitution: 0.9 },
    });
  let most = 0;
  for (let k = 0; k < 12; k++) {
    const puck = disc(0.05, 0.013 * k, 0.04, 0.01);
    const mallet = disc(0.3, -0.6, 0.05, 0.03);
    mallet.setAngularFactor([0, 0, 0]);
    const target: [number, number, number] = [-0.6, 0.03, 0];
    const hand = world.createJoint({
      type: 'mouse',
      bodyB: mallet,
      frameB: { position: [0, 0, 0] },
      target,
      maxForce: 100,
    });
    for (let i = 0; i < 20; i++) {
      target[0] += 0.1;
      hand.setTarget(target);
      world.step(DT);
      const [x, , z] = puck.getAngularVelocity();
      most = Math.max(most, Math.hypot(x, z));
    }
    puck.remove();
    mallet.remove();
  }
  m.atMost('fastest rotation about a level axis, rad/s', most, 0.5);
  world.dispose();
});
