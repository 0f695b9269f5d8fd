// Deactivation: a body slower than both of its thresholds (0.8 m/s, 1 rad/s) for longer than 2 s wants to sleep, and an
// island falls asleep when all of its bodies do, as in Bullet. The native profile asks besides that it stays where it is:
// slowMotion.test.ts.

import { type RigidBody, World } from '../../src/index';
import type { BodyOptions } from '../../src/types';
import { onSanitizer } from '../sanitize/onSanitizer';
import { type Measurement, row } from './support/measure';
import { dot, type Vec3 } from './support/vector';
import { createFloor, DT, G, isAsleep, position, run, spin, UNIT_BOX, velocity } from './support/world';

const box = { type: 'box', halfExtents: UNIT_BOX } as const;
const ball = { type: 'sphere', radius: 0.5 } as const;
const still: Vec3 = [0, 0, 0];

/** Steps until the body sleeps, or `limit` + 1. */
function stepsToSleep(world: World, body: RigidBody, limit = 600): number {
  for (let step = 1; step <= limit; step++) {
    world.step(DT);
    if (isAsleep(body)) return step;
  }
  return limit + 1;
}

row('a box at rest falls asleep after 2 s', (m) => {
  // Bullet: the timer grows by dt per step below the thresholds and must exceed 2 s: 120 steps make
  // 2 s up to rounding, so sleep comes with step 120 to 122 (ammo.js: 121).
  const world = new World();
  createFloor(world);
  const body = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: box });
  const steps = stepsToSleep(world, body);
  m.atLeast('steps', steps, 120);
  m.atMost('steps', steps, 122);
  m.equal('speed', dot(velocity(body), velocity(body)), 0);
  m.equal('spin', dot(spin(body), spin(body)), 0);
});

row('a push shortly before it would sleep moves a ball on as any other', (m) => {
  // Frictionless, for a second. It is slower than the thresholds of 0.8 m/s and 1 rad/s all the time.
  const smooth = { ...ball, friction: 0, restitution: 1 };
  const pushes: [string, number, (body: RigidBody, world: World) => void][] = [
    ['velocity', 0.3, (body) => body.setLinearVelocity([0.3, 0, 0])],
    ['impulse', 0.1, (body) => body.applyCentralImpulse([0.1, 0, 0])],
    [
      'another ball',
      0.4,
      (_, world) =>
        void world.createBody({
          mass: 1,
          position: [-1.02, 0.5, 0],
          linearVelocity: [0.4, 0, 0],
          shape: smooth,
        }),
    ],
  ];
  for (const [name, speed, push] of pushes)
    for (let rest = 60; rest <= 125; rest += rest < 105 ? 5 : 1) {
      const world = new World();
      createFloor(world, 0);
      const body = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: smooth });
      run(world, rest * DT);
      push(body, world);
      run(world, 1);
      m.near(`${name} after ${rest} steps`, position(body)[0], speed, 0.05 * speed + 0.02, 'm');
      world.dispose();
    }
});

row('Bullet: the thresholds are 0.8 m/s and 1 rad/s, both at once', (m) => {
  const world = new World({ profile: 'bullet3', gravity: still });
  const cases: [string, BodyOptions, boolean][] = [
    ['0.79 m/s', { linearVelocity: [0.79, 0, 0] }, true],
    ['0.81 m/s', { linearVelocity: [0.81, 0, 0] }, false],
    ['0.99 rad/s', { angularVelocity: [0, 0.99, 0] }, true],
    ['1.01 rad/s', { angularVelocity: [0, 1.01, 0] }, false],
    ['0.79 m/s and 1.01 rad/s', { linearVelocity: [0.79, 0, 0], angularVelocity: [0, 1.01, 0] }, false],
    ['0.81 m/s, threshold 1', { linearVelocity: [0.81, 0, 0], linearSleepingThreshold: 1 }, true],
    ['0.1 rad/s, threshold 0.05', { angularVelocity: [0.1, 0, 0], angularSleepingThreshold: 0.05 }, false],
    ['at rest, never deactivated', { activationState: 'disableDeactivation' }, false],
  ];
  const bodies = cases.map(([, options], i) =>
    world.createBody({ mass: 1, position: [0, i * 10, 0], shape: ball, ...options }),
  );
  run(world, 3);
  cases.forEach(([name, , sleeps], i) => {
    m.holds(`${name} ${sleeps ? 'sleeps' : 'stays awake'}`, isAsleep(bodies[i]) === sleeps);
  });
});

row('sleeping: false keeps everything awake', (m) => {
  const world = new World({ sleeping: false });
  createFloor(world);
  const body = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: box });
  run(world, 5);
  m.holds('awake', !isAsleep(body));
});

row('an island sleeps as a whole or not at all', (m) => {
  // A ball spins on top of a box without friction: 2 rad/s never decays, so neither may sleep, while a
  // box beside them, an island of its own, does.
  const world = new World();
  createFloor(world);
  const under = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: { ...box, friction: 0 } });
  const top = world.createBody({
    mass: 1,
    position: [0, 1.5, 0],
    angularVelocity: [0, 2, 0],
    shape: { ...ball, friction: 0 },
  });
  const alone = world.createBody({ mass: 1, position: [5, 0.5, 0], shape: box });
  run(world, 4);
  m.holds('the box below stays awake', !isAsleep(under));
  m.holds('the spinning ball stays awake', !isAsleep(top));
  m.holds('the lone box sleeps', isAsleep(alone));
  top.setAngularVelocity(still);
  run(world, 2.5);
  m.holds('both sleep when the spin has stopped: box', isAsleep(under));
  m.holds('both sleep when the spin has stopped: ball', isAsleep(top));
});

/** Two boxes, one on the other, asleep on a floor. */
function sleepingStack(m: Measurement) {
  const world = new World();
  const floor = createFloor(world, 0.5, 0);
  const lower = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: box });
  const upper = world.createBody({ mass: 1, position: [0, 1.5, 0], shape: box });
  const far = world.createBody({ mass: 1, position: [10, 0.5, 0], shape: box });
  run(world, 3);
  m.holds('all asleep at first', [lower, upper, far].every(isAsleep));
  return { world, floor, lower, upper, far };
}

row('touch wakes the whole island and nobody else', (m) => {
  const { world, lower, upper, far } = sleepingStack(m);
  world.createBody({ mass: 1, position: [0, 3, 0], shape: ball });
  run(world, 0.4); // falls 0.5 m in 0.32 s
  m.holds('struck box awake', !isAsleep(upper));
  m.holds('box below it awake', !isAsleep(lower));
  m.holds('far box asleep', isAsleep(far));
  run(world, 4);
  m.holds('they sleep again', isAsleep(upper) && isAsleep(lower));
});

row('an impulse wakes, and acts in full', (m) => {
  const { world, lower, upper, far } = sleepingStack(m);
  upper.applyImpulse([0, 3, 0]);
  world.step(DT);
  m.holds('awake', !isAsleep(upper));
  m.near('speed', velocity(upper)[1], 3 - G * DT, 0.01, 'm/s');
  m.holds('far box asleep', isAsleep(far));
  run(world, 5);
  m.holds('asleep again', isAsleep(upper) && isAsleep(lower));
  m.near('back on the stack', position(upper)[1], 1.5, 0.002, 'm');
});

row('removal of the support wakes what stood on it', (m) => {
  const { world, lower, upper, far } = sleepingStack(m);
  world.removeBody(lower);
  run(world, 0.5);
  m.holds('awake', !isAsleep(upper));
  m.holds('far box asleep', isAsleep(far));
  run(world, 2);
  m.near('fell to the floor', position(upper)[1], 0.5, 0.002, 'm');
});

row('removal of the static floor wakes what stood on it', (m) => {
  const { world, floor, lower, upper, far } = sleepingStack(m);
  world.removeBody(floor);
  run(world, 1);
  m.holds(
    'awake',
    [lower, upper, far].every((body) => !isAsleep(body)),
  );
  m.near('far box in free fall', position(far)[1], 0.5 - G / 2, 0.1, 'm');
});

row('a moved support wakes what stood on it', (m) => {
  const { world, lower, upper } = sleepingStack(m);
  lower.setTransform([3, 0.5, 0], [0, 0, 0, 1]);
  run(world, 0.5);
  m.holds('awake', !isAsleep(upper));
  run(world, 2);
  m.near('fell to the floor', position(upper)[1], 0.5, 0.002, 'm');
});

row('new gravity and new settings wake everybody', (m) => {
  const { world, lower, upper, far } = sleepingStack(m);
  world.setGravity([0, 5, 0]);
  run(world, 1);
  m.holds(
    'awake under new gravity',
    [lower, upper, far].every((body) => !isAsleep(body)),
  );
  m.near('falling upwards', position(far)[1], 0.5 + 2.5, 0.1, 'm');

  const second = sleepingStack(m);
  second.world.updateSettings({ substeps: 8 });
  second.world.step(DT);
  m.holds('awake after a change of settings', !isAsleep(second.lower));
  run(second.world, 3);
  m.holds('asleep again', isAsleep(second.lower));
});

row('a kinematic body that comes along wakes what it touches', (m) => {
  const { world, lower, upper, far } = sleepingStack(m);
  const pusher = world.createBody({ type: 'kinematic', position: [-2.5, 0.5, 0], shape: box });
  for (let i = 1; i <= 120; i++) {
    pusher.setKinematicTarget([-2.5 + i * DT, 0.5, 0], [0, 0, 0, 1]);
    world.step(DT);
  }
  // At 1 m/s it reaches the stack's side (x = −0.5) after 1.5 s and then pushes it 0.5 m.
  m.holds('awake', !isAsleep(lower) && !isAsleep(upper));
  m.atLeast('pushed', position(lower)[0], 0.45, 'm');
  m.holds('far box asleep', isAsleep(far));
});

row('sleeping bodies do not move at all', (m) => {
  const { world, upper } = sleepingStack(m);
  const before = position(upper);
  run(world, 5);
  const after = position(upper);
  m.equal('x', after[0], before[0]);
  m.equal('y', after[1], before[1]);
  m.equal('z', after[2], before[2]);
});

row('disableSimulation freezes a body until its state is forced', (m) => {
  const world = new World({ gravity: still });
  const body = world.createBody({ mass: 1, linearVelocity: [2, 0, 0], shape: ball });
  body.setActivationState('disableSimulation');
  run(world, 1);
  m.equal('frozen', position(body)[0], 0);
  body.activate(true); // Bullet: setActivationState is ignored in states 4 and 5, `force` is about statics
  body.setActivationState('active');
  run(world, 1);
  m.equal('still frozen after activate(true)', position(body)[0], 0);
  body.forceActivationState('active');
  run(world, 1);
  m.near('moves after forceActivationState', position(body)[0], 2, 1e-4, 'm');
});

row(
  '10,000 sleeping bodies step in less than 0.1 ms',
  (m) => {
    // Sleepers are in no list that a step walks, so a step costs what an empty world's does: microseconds.
    // The limit is that of the target; the median of 500 steps keeps a busy machine out of it.
    const world = new World();
    createFloor(world);
    const bodies = Array.from({ length: 10000 }, (_, i) =>
      world.createBody({
        mass: 1,
        position: [(i % 100) * 1.5, 0.5, Math.floor(i / 100) * 1.5],
        shape: box,
      }),
    );
    run(world, 3);
    m.equal('asleep', bodies.filter(isAsleep).length, 10000);
    if (onSanitizer) return console.log('skipped on the sanitizer core: the time of a step');
    const times = Array.from({ length: 500 }, () => {
      const start = performance.now();
      world.step(DT);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    m.atMost('median step', times[250], 0.1, 'ms');
    m.note('slowest step', times[499], 'ms');
  },
  { seconds: 300 },
);

/** Chains of 11 boxes on the floor, far from each other. */
function createChains(world: World, count: number): RigidBody[] {
  const link = { type: 'box', halfExtents: [0.25, 0.2, 0.25] } as const;
  return Array.from({ length: count * 11 }, (_, i) => {
    const chain = Math.floor(i / 11);
    return world.createBody({
      mass: 1,
      position: [(chain % 40) * 8 + (i % 11) * 0.6, 0.2, Math.floor(chain / 40) * 3],
      shape: link,
    });
  }).map((body, i, bodies) => {
    const at = position(body);
    if (i % 11 > 0)
      world.createJoint({
        type: 'point',
        bodyA: bodies[i - 1],
        bodyB: body,
        anchor: [at[0] - 0.3, at[1], at[2]],
      });
    return body;
  });
}

row(
  'a step looks at no joints that sleep: 10,000 of them beside a ball that flies, in less than 0.04 ms',
  (m) => {
    // While every step walked over all joints, this took 0.2 ms.
    const world = new World();
    createFloor(world);
    const bodies = createChains(world, 1000);
    run(world, 4);
    m.equal('asleep', bodies.filter(isAsleep).length, bodies.length);
    const flying = world.createBody({ mass: 1, position: [-20, 30, 0], shape: ball });
    if (onSanitizer) return console.log('skipped on the sanitizer core: the time of a step');
    const times = Array.from({ length: 500 }, () => {
      flying.setLinearVelocity([0, 1, 0]);
      const start = performance.now();
      world.step(DT);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    m.atMost('median step', times[250], 0.04, 'ms');
    m.equal('still asleep', bodies.filter(isAsleep).length, bodies.length);
  },
  { seconds: 300 },
);

row('what is woken wakes what is joined to it in the same step, whatever the order of the joints', (m) => {
  for (const order of ['up', 'down', 'inside out'] as const) {
    const world = new World();
    createFloor(world);
    const bodies = Array.from({ length: 8 }, (_, i) =>
      world.createBody({ mass: 1, position: [i * 2, 0.5, 0], shape: box }),
    );
    const places = [1, 2, 3, 4, 5, 6, 7];
    if (order === 'down') places.reverse();
    if (order === 'inside out') places.sort((a, b) => Math.abs(a - 4) - Math.abs(b - 4));
    for (const i of places)
      world.createJoint({
        type: 'point',
        bodyA: bodies[i - 1],
        bodyB: bodies[i],
        anchor: [i * 2 - 1, 0.5, 0],
      });
    // Each by itself: no island holds them together.
    for (const body of bodies) body.forceActivationState('sleeping');
    m.equal(`${order}: asleep`, bodies.filter(isAsleep).length, 8);
    bodies[0].activate(true);
    world.step(DT);
    m.equal(`${order}: asleep after a step`, bodies.filter(isAsleep).length, 0);
  }
});

row('what sleeps on a joint to the world keeps its impulses, also while others need more substeps', (m) => {
  const hash = (speed: number) => {
    const world = new World();
    createFloor(world);
    const door = world.createBody({ mass: 3, position: [0.37, 1.3, 0.11], shape: box });
    world.createJoint({
      type: 'hinge',
      bodyA: door,
      anchor: [0, 2, 0],
      axis: [0, 0, 1],
      angle: { low: 0, high: 0 },
    });
    const post = world.createBody({ type: 'static', position: [9, 9, 0] });
    const arm = world.createBody({ mass: 1, position: [9, 8, 0], shape: box });
    world.createJoint({ type: 'point', bodyA: post, bodyB: arm, anchor: [9, 9, 0] });
    for (let i = 0; i < 300; i++) {
      const now = i < 200 ? 1 : speed;
      arm.setAngularVelocity([0, 0, now]);
      arm.setLinearVelocity([now, 0, 0]);
      world.step(DT);
    }
    m.holds(`at ${speed} rad/s: asleep`, isAsleep(door));
    post.remove();
    arm.remove();
    world.step(DT);
    const found = world.stateHash();
    world.dispose();
    return found;
  };
  m.holds('the same state', hash(60) === hash(2));
});
