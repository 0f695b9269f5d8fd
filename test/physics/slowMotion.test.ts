// What moves slowly goes on moving, with sleeping on; what stands still sleeps, whatever holds it. Every experiment
// is made 30 times, with speeds, sizes and masses drawn at random.
import { type RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { random, type Vec3 } from './support/vector';
import { createFloor, DT, isAsleep, position, rotation, run } from './support/world';

const SEEDS = 30;
const still: Vec3 = [0, 0, 0];
const ball = (radius: number) => ({ type: 'sphere', radius, friction: 1 }) as const;
const cube = (half: number, friction = 0.5) =>
  ({ type: 'box', halfExtents: [half, half, half], friction }) as const;

/** The largest of what `experiment` gives for each seed; `range(a, b)` draws a number. */
function worst(experiment: (range: (low: number, high: number) => number) => number): number {
  let most = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const next = random(seed);
    most = Math.max(
      most,
      experiment((low, high) => low + (high - low) * next()),
    );
  }
  return most;
}

const error = (value: number, truth: number) => Math.abs(value - truth) / truth;
/** Angle about the main axis of a rotation. */
const angleOf = (body: RigidBody) =>
  2 * Math.atan2(Math.hypot(...rotation(body).slice(0, 3)), rotation(body)[3]);

row('a body adrift at 0.1 to 0.8 m/s drifts on', (m) => {
  const most = worst((range) => {
    const world = new World({ gravity: still });
    const speed = range(0.1, 0.8);
    const body = world.createBody({ linearVelocity: [speed, 0, 0], shape: ball(range(0.1, 2)) });
    run(world, 10);
    return error(position(body)[0], 10 * speed);
  });
  m.atMost('error of the way', most, 0.01);
});

row('a body that turns in free space at 0.2 to 1 rad/s turns on', (m) => {
  const most = worst((range) => {
    const world = new World({ gravity: still });
    const speed = range(0.2, 1);
    const seconds = 3 / speed;
    const body = world.createBody({ angularVelocity: [0, speed, 0], shape: cube(range(0.3, 2)) });
    run(world, seconds);
    return error(angleOf(body), Math.round(seconds / DT) * DT * speed);
  });
  m.atMost('error of the angle', most, 0.01);
});

row('a big ball rolls on at 0.2 to 0.8 m/s', (m) => {
  const most = worst((range) => {
    const world = new World();
    createFloor(world);
    const radius = range(0.5, 3);
    const speed = range(0.2, 0.8);
    const body = world.createBody({
      position: [0, radius, 0],
      linearVelocity: [speed, 0, 0],
      angularVelocity: [0, 0, -speed / radius],
      shape: ball(radius),
    });
    run(world, 10);
    return error(position(body)[0], 10 * speed);
  });
  m.atMost('error of the way', most, 0.01);
});

row('a pendulum of 4° to 12° swings on', (m) => {
  const most = worst((range) => {
    const world = new World();
    const length = range(0.8, 4);
    const tilt = (range(4, 12) * Math.PI) / 180;
    const body = world.createBody({
      mass: 1,
      position: [length * Math.sin(tilt), -length * Math.cos(tilt), 0],
      shape: ball(0.1),
    });
    world.createJoint({ type: 'point', bodyA: body, anchor: still });
    run(world, 20);
    let reached = 0;
    run(world, 5, () => {
      reached = Math.max(reached, Math.abs(position(body)[0]));
    });
    return error(reached, length * Math.sin(tilt));
  });
  m.atMost('error of the amplitude', most, 0.01);
});

row('a crate without friction that 0.1 N push gets faster', (m) => {
  const most = worst((range) => {
    const world = new World();
    createFloor(world, 0);
    const mass = range(1, 200);
    const half = range(0.2, 1);
    const crate = world.createBody({ mass, position: [0, half, 0], shape: cube(half, 0) });
    for (let i = 0; i < 600; i++) {
      crate.applyForce([0.1, 0, 0]);
      world.stepSimulation(DT, 0);
    }
    return error(position(crate)[0], (0.5 * 0.1 * 100) / mass);
  });
  m.atMost('error of the way', most, 0.01);
});

row('a lift goes on, at 1 mm/s too, with its crate', (m) => {
  const most = worst((range) => {
    const world = new World();
    const lift = world.createBody({
      mass: range(20, 200),
      shape: { type: 'box', halfExtents: [1, 0.1, 1] },
    });
    const crate = world.createBody({ mass: range(1, 50), position: [0, 0.6, 0], shape: cube(0.5) });
    const speed = 10 ** range(-3, -0.5);
    const motor = { velocity: speed, maxForce: 1e5 };
    world.createJoint({ type: 'slider', bodyB: lift, anchor: still, axis: [0, 1, 0], position: { motor } });
    run(world, 10);
    return Math.max(error(position(lift)[1], 10 * speed), error(position(crate)[1] - 0.6, 10 * speed));
  });
  m.atMost('error of the way', most, 0.01);
});

row('a door and the hands of a clock turn on', (m) => {
  // f32 has 2.4e-8 for the turn of a step of the hour hand, 1.2e-6.
  m.atMost('error of the angle', worst(turningDoor(-3, -0.5)), 0.01);
  m.atMost('error of the angle of an hour hand', worst(turningDoor(-3.84, -3.83)), 0.02);
});

/** A door turned by a motor, of which the decimal logarithm of the speed is given; its error after 10 s. */
function turningDoor(slowest: number, fastest: number) {
  return (range: (low: number, high: number) => number) => {
    const world = new World();
    const width = range(0.3, 1.5);
    const door = world.createBody({
      position: [width, 0, 0],
      shape: { type: 'box', halfExtents: [width, 1, 0.02], density: 500 },
    });
    const speed = 10 ** range(slowest, fastest);
    const motor = { velocity: speed, maxForce: 1e4 };
    world.createJoint({ type: 'hinge', bodyB: door, anchor: still, axis: [0, 1, 0], angle: { motor } });
    run(world, 10);
    return error(angleOf(door), 10 * speed);
  };
}

row(
  'what holds still sleeps: a motor at its stop, a servo at its target, a crate that is pushed in vain',
  (m) => {
    const most = worst((range) => {
      const world = new World();
      createFloor(world, 1);
      const half = range(0.1, 0.5);
      const arm = (z: number) =>
        world.createBody({ mass: range(0.5, 20), position: [half, 3, z], shape: cube(half) });
      const [stopped, held] = [arm(0), arm(5)];
      const hinge = { type: 'hinge', axis: [0, 0, 1] } as const;
      world.createJoint({
        ...hinge,
        bodyB: stopped,
        anchor: [0, 3, 0],
        angle: { low: -0.5, high: 0.5, motor: { velocity: 0.3, maxForce: 1e4 } },
      });
      world.createJoint({
        ...hinge,
        bodyB: held,
        anchor: [0, 3, 5],
        angle: { servo: { target: 0.4, maxVelocity: 1, maxForce: 1e4 } },
      });
      const crate = world.createBody({ mass: 50, position: [5, half, 0], shape: cube(half) });
      run(world, 6);
      const awake = [stopped, held, crate].filter((body) => !isAsleep(body)).length;
      crate.applyForce([0.1, 0, 0]);
      run(world, 4);
      return awake + (isAsleep(crate) ? 0 : 1);
    });
    m.equal('bodies awake', most, 0);
  },
);

row('a crate on a kinematic platform goes along at 1 mm/s', (m) => {
  const most = worst((range) => {
    const world = new World();
    const speed = 10 ** range(-3, -0.5);
    const platform = world.createBody({
      type: 'kinematic',
      shape: { type: 'box', halfExtents: [2, 0.1, 2], friction: 1 },
    });
    const half = range(0.1, 0.5);
    const crate = world.createBody({ mass: 5, position: [0, 0.1 + half, 0], shape: cube(half) });
    for (let i = 1; i <= 600; i++) {
      platform.setKinematicTarget([speed * i * DT, 0, 0], [0, 0, 0, 1]);
      world.step(DT);
    }
    return error(position(crate)[0], 10 * speed);
  });
  m.atMost('error of the way', most, 0.01);
});
