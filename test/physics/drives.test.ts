// Servos, motors, limits and springs that bear loads: with force enough, an arm holds still, however long it is and
// however heavy what hangs at its end. Sleeping off.
import { createRandom } from '../../demo/scenes/random';
import type { Joint, JointOptions, RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { length, sub, type Vec3 } from './support/vector';
import { createWorld, G, position, velocity } from './support/world';

type Kind = 'servo' | 'motor' | 'limit';
interface Arm {
  end: RigidBody;
  joints: Joint[];
  start: Vec3;
}
interface ArmOptions {
  count: number;
  kind: Kind;
  /** Times the torque or force that the load needs. */
  force: number;
  load: number;
  link?: number;
  /** m */
  size?: number;
  types?: readonly ('hinge' | 'slider' | 'generic')[];
  bends?: readonly number[];
  at?: Vec3;
}

/** Links along x that may be bent about z at each joint, a ball fixed to the last one. */
function createArm(world: World, options: ArmOptions): Arm {
  const {
    count,
    kind,
    force,
    load,
    link = 5,
    size = 1,
    types = ['hinge'],
    bends = [],
    at = [0, 0, 0],
  } = options;
  const weight = (load + count * link) * G;
  const joints: Joint[] = [];
  let previous: RigidBody | undefined;
  let place = at;
  let angle = 0;
  for (let i = 0; i < count; i++) {
    angle += bends[i] ?? 0;
    const way: Vec3 = [Math.cos(angle) * size, Math.sin(angle) * size, 0];
    const body = world.createBody({
      mass: link,
      position: [place[0] + way[0] / 2, place[1] + way[1] / 2, place[2]],
      rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      mask: 0,
      shape: { type: 'capsule', axis: 'x', radius: 0.1 * size, halfHeight: 0.4 * size },
    });
    const type = types[i % types.length]!;
    const most = force * weight * (type === 'slider' ? 1 : (count - i + 0.2) * size);
    const drive =
      kind === 'servo'
        ? { servo: { target: 0, maxVelocity: 2, maxForce: most } }
        : kind === 'motor'
          ? { motor: { velocity: 0, maxForce: most } }
          : { low: -0.05, high: 0.05 };
    const link0 = { bodyA: previous, bodyB: body, anchor: place };
    const locked = { low: 0, high: 0 };
    const made: JointOptions<RigidBody> =
      type === 'hinge'
        ? { ...link0, type, axis: [0, 0, 1], angle: drive }
        : type === 'slider'
          ? { ...link0, type, axis: [0, 1, 0], position: drive }
          : { ...link0, type, axis: [1, 0, 0], angleX: locked, angleY: locked, angleZ: drive };
    joints.push(world.createJoint(made));
    place = [place[0] + way[0], place[1] + way[1], place[2]];
    previous = body;
  }
  const end = world.createBody({
    mass: load,
    position: place,
    mask: 0,
    shape: { type: 'sphere', radius: 0.2 * size },
  });
  world.createJoint({ type: 'fixed', bodyA: previous, bodyB: end, anchor: place });
  return { end, joints, start: place };
}

/** m/s: the fastest end over the last half of the time. */
function hold(world: World, arms: readonly Arm[], seconds: number, dt: number): number {
  const steps = Math.round(seconds / dt);
  let fastest = 0;
  for (let i = 0; i < steps; i++) {
    world.step(dt);
    if (2 * i > steps) for (const { end } of arms) fastest = Math.max(fastest, length(velocity(end)));
  }
  return fastest;
}

const sag = ({ end, start }: Arm) => length(sub(position(end), start));

row('arms of 3 to 8 hinges with servos hold 80 kg for 60 s, whatever their force', (m) => {
  for (const force of [1.5, 30, 1000]) {
    const world = createWorld();
    const arms = [3, 4, 6, 8].map((count, i) =>
      createArm(world, { count, kind: 'servo', force, load: 80, at: [0, 0, 3 * i] }),
    );
    m.atMost(`speed of the ends, ${force} times the need`, hold(world, arms, 60, 1 / 60), 0.01, 'm/s');
    m.atMost(`sag, ${force} times the need`, Math.max(...arms.map(sag)) * 1000, 5, 'mm');
  }
});

row('arms of hinges between limits of ±0.05 rad hold 100 kg for 60 s', (m) => {
  for (const count of [3, 6, 8]) {
    const world = createWorld();
    const arm = createArm(world, { count, kind: 'limit', force: 1, load: 100 });
    m.atMost(`speed of the end, ${count} hinges`, hold(world, [arm], 60, 1 / 60), 0.01, 'm/s');
    for (const joint of arm.joints) m.near('angle', joint.getPosition('angle'), -0.05, 0.001, 'rad');
  }
});

row('30 arms of random joints, lengths, bends, loads, frame rates hold still (seeds 1 to 30)', (m) => {
  let fastest = 0;
  let deepest = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed);
    const between = (a: number, b: number) => a + (b - a) * random();
    const world = createWorld();
    const dt = 1 / [30, 60, 90, 144][Math.floor(random() * 4)]!;
    const count = 3 + Math.floor(random() * 6);
    const size = between(0.3, 1.2);
    const arm = createArm(world, {
      count,
      kind: random() < 0.7 ? 'servo' : 'motor',
      force: 1.5 * (1000 / 1.5) ** random(),
      load: between(5, 150),
      link: between(2, 10),
      size,
      types: random() < 0.5 ? ['hinge'] : random() < 0.5 ? ['hinge', 'slider'] : ['generic', 'hinge'],
      bends: Array.from({ length: count }, () => between(-0.5, 0.5)),
    });
    fastest = Math.max(fastest, hold(world, [arm], 6, dt));
    deepest = Math.max(deepest, sag(arm));
  }
  m.atMost('speed of the ends', fastest, 0.01, 'm/s');
  m.atMost('sag', deepest * 1000, 5, 'mm');
});

row('a motor that is too weak gives its force, no more, and limits stop what it drives', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const body = world.createBody({
    mass: 3,
    position: [0, 0, 0],
    mask: 0,
    shape: { type: 'sphere', radius: 0.2 },
  });
  const load = world.createBody({
    mass: 7,
    position: [0, 0, 1],
    mask: 0,
    shape: { type: 'sphere', radius: 0.2 },
  });
  world.createJoint({ type: 'fixed', bodyA: body, bodyB: load, anchor: [0, 0, 0.5] });
  const joint = world.createJoint({
    type: 'slider',
    bodyB: body,
    anchor: [0, 0, 0],
    axis: [1, 0, 0],
    position: { low: -1, high: 1, motor: { velocity: 10, maxForce: 5 } },
  });
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  m.near('speed after 1 s', velocity(load)[0], 0.5, 0.001, 'm/s');
  for (let i = 0; i < 240; i++) world.step(1 / 60);
  m.near('place at the limit', joint.getPosition('position'), 1, 1e-4, 'm');
  m.near('speed there', velocity(load)[0], 0, 1e-3, 'm/s');
});

row(
  'a spring of 1e5 and 1e6 N/m under 1 kg with 1,000 kg fixed to it keeps its frequency and its swing',
  (m) => {
    for (const [stiffness, light, heavy, rate] of [
      [1e5, 1, 1000, 60],
      [1e6, 1, 1000, 60],
      [1e6, 2, 500, 144],
      [2e4, 10, 10, 30],
    ] as const) {
      const world = createWorld({ gravity: [0, 0, 0] });
      const carriage = world.createBody({ mass: light, mask: 0, shape: { type: 'sphere', radius: 0.2 } });
      const load = world.createBody({
        mass: heavy,
        position: [0, 1, 0],
        mask: 0,
        shape: { type: 'sphere', radius: 0.3 },
      });
      world.createJoint({
        type: 'slider',
        bodyB: carriage,
        anchor: [0, 0, 0],
        axis: [0, 1, 0],
        position: { spring: { stiffness, damping: 0 } },
      });
      world.createJoint({ type: 'fixed', bodyA: carriage, bodyB: load, anchor: [0, 0.5, 0] });
      const omega = Math.sqrt(stiffness / (light + heavy));
      for (const body of [carriage, load]) body.setLinearVelocity([0, 0.5, 0]);
      const crossings: number[] = [];
      let before = 0;
      let swing = 0;
      const steps = Math.round(((40 * 2 * Math.PI) / omega) * rate);
      for (let i = 1; i <= steps; i++) {
        world.step(1 / rate);
        const y = position(load)[1] - 1;
        if (before < 0 && y >= 0) crossings.push((i - y / (y - before)) / rate);
        before = y;
        if (i > 0.75 * steps) swing = Math.max(swing, Math.abs(y));
      }
      const period = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1);
      const name = `${stiffness} N/m, ${light} and ${heavy} kg, ${rate} Hz`;
      m.near(`frequency of what it is, ${name}`, (2 * Math.PI) / omega / period, 1, 0.005);
      m.near(`swing after 30 periods of what it was, ${name}`, swing / (0.5 / omega), 1, 0.03);
    }
  },
);
