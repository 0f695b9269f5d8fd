// Joints against school physics: pendulum, chains, springs, motors, limits, breaking. Sleeping off.

import type { Joint, RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { length, rotate, sub, type Vec3 } from './support/vector';
import {
  createFloor,
  createWorld,
  DT,
  G,
  isAsleep,
  position,
  rotation,
  run,
  spin,
  velocity,
} from './support/world';

const ball = (radius: number) => ({ type: 'sphere', radius }) as const;
const RADIANS = Math.PI / 180;

const gap = (joint: Joint) => {
  const { a, b } = joint.getAnchors();
  return length(sub(a, b));
};

row('pendulum of 1 m released at 90°: period, energy, gap', (m) => {
  const world = createWorld();
  const body = world.createBody({ mass: 1, position: [1, 0, 0], shape: ball(0.1) });
  const joint = world.createJoint({ type: 'point', bodyB: body, anchor: [0, 0, 0] });
  const moment = 1 + 0.4 * 0.1 ** 2; // with the ball's own 2/5 m r²
  const energy = () => 0.5 * moment * length(velocity(body)) ** 2 + G * position(body)[1];
  const start = energy();
  // √(L/g)·4·K(sin 45°)
  const period = 2.36784 * Math.sqrt(moment);
  let worst = 0;
  let worstGap = 0;
  const crossings: number[] = [];
  let before = position(body)[0];
  run(world, 100 * period, (step) => {
    worst = Math.max(worst, Math.abs(energy() - start));
    worstGap = Math.max(worstGap, gap(joint));
    const x = position(body)[0];
    if (before > 0 && x <= 0) crossings.push((step - 1 + before / (before - x)) * DT);
    before = x;
  });
  const periods = crossings.length - 1;
  m.near('period', (crossings.at(-1)! - crossings[0]!) / periods, period, 0.002 * period, 's');
  m.atMost('energy error over 100 periods, of m g L', worst / G, 0.01);
  m.atMost('gap of the anchors', worstGap * 1000, 0.1, 'mm');
});

/** A horizontal chain of `count` links of 1 m that falls and swings, with a mass at its end. */
function chain(world: World, count: number, endMass: number): Joint[] {
  const joints: Joint[] = [];
  let previous: RigidBody | undefined;
  for (let i = 0; i <= count; i++) {
    const end = i === count;
    const body = world.createBody({
      mass: end ? endMass : 1,
      position: [i + 0.5, 0, 0],
      mask: 0, // it folds up; what its links do to each other is another test
      shape: end ? ball(0.5) : { type: 'capsule', radius: 0.1, halfHeight: 0.4, axis: 'x' },
    });
    joints.push(world.createJoint({ type: 'point', bodyA: previous, bodyB: body, anchor: [i, 0, 0] }));
    previous = body;
  }
  return joints;
}

row('chain of 10 links swinging from level, end mass 1 and 100', (m) => {
  for (const [mass, limit] of [
    [1, 5],
    [100, 50],
  ] as const) {
    const world = createWorld();
    const joints = chain(world, 10, mass);
    let worst = 0;
    let sum = 0;
    run(world, 10, () => {
      for (const joint of joints) {
        const g = gap(joint);
        worst = Math.max(worst, g);
        sum += g;
      }
    });
    m.atMost(`worst gap, end mass ${mass}`, worst * 1000, limit, 'mm');
    m.atMost(`mean gap, end mass ${mass}`, (sum / 600 / joints.length) * 1000, limit / 5, 'mm');
  }
});

/** Links of 1 kg with a far heavier ball at the end: nothing flies apart, nothing gains energy. */
row('chain of 10 and 20 links swinging from level, end mass 1,000 and 10,000', (m) => {
  for (const count of [10, 20]) {
    for (const mass of [1000, 10000]) {
      const world = createWorld();
      const joints = chain(world, count, mass);
      const bodies = [...world.bodies()];
      const energy = () => {
        let sum = 0;
        for (const [i, body] of bodies.entries())
          sum += (i === count ? mass : 1) * (0.5 * length(velocity(body)) ** 2 + G * position(body)[1]);
        return sum / (mass * G * count);
      };
      let worst = 0;
      let highest = 0;
      run(world, 20, () => {
        for (const joint of joints) worst = Math.max(worst, gap(joint));
        highest = Math.max(highest, energy());
      });
      m.atMost(`worst gap, ${count} links, end mass ${mass}`, worst * 1000, 5, 'mm');
      m.atMost(`energy gained, of m g L, ${count} links, end mass ${mass}`, highest, 0.001);
      m.near(`swings on, ${count} links, end mass ${mass}: energy`, energy(), 0, 0.15);
    }
  }
});

row('a bent arm spinning about its shoulder keeps its speed', (m) => {
  for (const [speed, share] of [
    [20, 0.01],
    [60, 0.06],
  ] as const) {
    const world = createWorld({ gravity: [0, 0, 0] });
    const w: Vec3 = [-0.6 * speed, 0.3 * speed, -0.75 * speed];
    const limb = (x: number, radius: number) =>
      world.createBody({
        position: [x, 0, 0],
        linearVelocity: [0, w[2] * x, -w[1] * x],
        angularVelocity: w,
        shape: { type: 'capsule', radius, halfHeight: 0.11, axis: 'x', density: 1000 },
      });
    const [upper, lower] = [limb(0.17, 0.06), limb(0.49, 0.05)];
    world.createJoint({ type: 'point', bodyB: upper, anchor: [0, 0, 0] });
    const hinge = { type: 'hinge', anchor: [0.33, 0, 0], axis: [0, 1, 0] } as const;
    world.createJoint({ ...hinge, bodyA: upper, bodyB: lower, angle: { low: -1, high: 0 } });
    run(world, 4);
    m.near(`after 4 s, of ${speed} rad/s`, length(spin(upper)) / speed, 1, share);
  }
});

row('two bodies on a joint keep momentum', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const box = { type: 'box', halfExtents: [0.5, 0.2, 0.3] } as const;
  const a = world.createBody({ mass: 1, position: [-0.6, 0, 0], shape: box, angularVelocity: [1, 2, 3] });
  const b = world.createBody({ mass: 3, position: [0.6, 0, 0], shape: box, linearVelocity: [1, -2, 0.5] });
  for (const options of [
    { type: 'point' },
    { type: 'hinge', axis: [0, 1, 0] },
    { type: 'fixed' },
    { type: 'slider', axis: [1, 1, 0] },
    { type: 'coneTwist', axis: [1, 0, 0], swingY: 0.4, swingZ: 0.6, twist: { low: -0.3, high: 0.3 } },
    { type: 'generic', angleX: { low: -0.2, high: 0.2 }, x: { low: -0.1, high: 0.3 } },
  ] as const) {
    const joint = world.createJoint({ ...options, bodyA: a, bodyB: b, anchor: mid(a, b) });
    const momentum = (): Vec3 => {
      const [va, vb] = [velocity(a), velocity(b)];
      return [va[0] + 3 * vb[0], va[1] + 3 * vb[1], va[2] + 3 * vb[2]];
    };
    const start = momentum();
    let worst = 0;
    run(world, 1, () => {
      worst = Math.max(worst, length(sub(momentum(), start)));
    });
    m.atMost(`linear momentum, ${options.type}`, worst / length(start), 1e-5);
    joint.remove();
  }
});

const mid = (a: RigidBody, b: RigidBody): Vec3 => {
  const [p, q] = [position(a), position(b)];
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];
};

row('springs have the frequency and damping asked for', (m) => {
  for (const hertz of [0.5, 2, 6]) {
    for (const ratio of [0, 0.1]) {
      const world = createWorld({ gravity: [0, 0, 0] });
      const body = world.createBody({ mass: 2, position: [1, 0, 0], shape: ball(0.1) });
      world.createJoint({
        type: 'slider',
        bodyB: body,
        frameA: { position: [0, 0, 0] },
        frameB: { position: [0, 0, 0] },
        position: { spring: { hertz, dampingRatio: ratio } },
      });
      const crossings: number[] = [];
      const peaks: number[] = [];
      let before = 1;
      let peak = 0;
      run(world, 10 / hertz, (step) => {
        const x = position(body)[0];
        peak = Math.max(peak, Math.abs(x));
        if (before > 0 && x <= 0) {
          crossings.push((step - 1 + before / (before - x)) * DT);
          peaks.push(peak);
          peak = 0;
        }
        before = x;
      });
      const measured = (crossings.length - 1) / (crossings.at(-1)! - crossings[0]!);
      const truth = hertz * Math.sqrt(1 - ratio * ratio);
      m.near(`frequency asked ${hertz} Hz, ζ ${ratio}`, measured, truth, 0.01 * truth, 'Hz');
      if (ratio === 0) {
        m.near(`amplitude kept at ${hertz} Hz`, peaks.at(-1)!, hertz > 5 ? peaks[1]! : 1, 0.03);
      } else {
        // ln of the ratio of the envelope over the time between crossings: speeds there would be cleaner.
        const decay = Math.log(peaks[1]! / peaks[4]!) / (3 / measured);
        const asked = 2 * Math.PI * hertz * ratio;
        m.near(
          `damping ratio at ${hertz} Hz`,
          (decay / asked) * ratio,
          ratio,
          0.01 * ratio * (hertz > 5 ? 8 : 2),
        );
      }
    }
  }
});

row('a spring sags by m g / k under a weight', (m) => {
  for (const ratio of [0.2, 1]) {
    const world = createWorld();
    const body = world.createBody({ mass: 2, shape: ball(0.1) });
    const joint = world.createJoint({
      type: 'slider',
      bodyB: body,
      frameA: { axis: [0, 1, 0] },
      frameB: { axis: [0, 1, 0] },
      position: { spring: { stiffness: 500, damping: 2 * ratio * Math.sqrt(1000) } },
    });
    run(world, 6);
    m.near(`sag, ζ ${ratio}`, -position(body)[1], (2 * G) / 500, 1e-4, 'm');
    m.near(`force of the joint, ζ ${ratio}`, Math.abs(joint.getAppliedImpulse()[1]) / DT, 2 * G, 0.02, 'N');
  }
});

row('motors reach their speed and stop at their largest torque', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const make = (velocityAsked: number, maxForce: number, z: number) => {
    const body = world.createBody({
      mass: 1,
      inertia: [0.4, 0.4, 0.4],
      position: [0, 0, z],
      shape: ball(0.3),
    });
    const joint = world.createJoint({
      type: 'hinge',
      bodyB: body,
      anchor: [0, 0, z],
      axis: [0, 1, 0],
      angle: { motor: { velocity: velocityAsked, maxForce } },
    });
    return { body, joint };
  };
  const free = make(5, 100, 0);
  const weak = make(50, 2, 5);
  run(world, 1);
  m.near('speed', spin(free.body)[1], 5, 0.05, 'rad/s');
  m.near('speed under the largest torque: τ t / I', spin(weak.body)[1], 2 / 0.4, 0.05, 'rad/s');
  m.near('angle is counted over turns', free.joint.getPosition('angle'), 5, 0.1, 'rad');
  run(world, 5);
  m.near('angle after 6 s', free.joint.getPosition('angle'), 30, 0.15, 'rad');
});

row('a servo goes to its angle and stays', (m) => {
  const world = createWorld();
  const body = world.createBody({ mass: 1, position: [0.5, 0, 0], shape: ball(0.1) });
  const joint = world.createJoint({
    type: 'hinge',
    bodyB: body,
    anchor: [0, 0, 0],
    axis: [0, 0, 1],
    angle: { servo: { target: 1, maxVelocity: 2, maxForce: 50 } },
  });
  run(world, 3);
  m.near('angle', joint.getPosition('angle'), 1, 0.002, 'rad');
});

row('limits hold under load: hinge within 0.1°, slider within 1 mm, distance and cone', (m) => {
  const world = createWorld();
  const arm = world.createBody({
    mass: 5,
    position: [0, 0, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] },
  });
  const hinge = world.createJoint({
    type: 'hinge',
    bodyB: arm,
    anchor: [-0.5, 0, 0],
    axis: [0, 0, 1],
    angle: { low: -30 * RADIANS, high: 30 * RADIANS },
  });
  const block = world.createBody({ mass: 5, position: [3, 0, 0], shape: ball(0.2) });
  const slider = world.createJoint({
    type: 'slider',
    bodyB: block,
    anchor: [3, 0, 0],
    axis: [0, 1, 0],
    position: { low: -0.5, high: 0.25 },
  });
  const weight = world.createBody({ mass: 5, position: [6.3, 0, 0], shape: ball(0.2) });
  const rope = world.createJoint({
    type: 'distance',
    bodyB: weight,
    frameA: { position: [6, 0, 0] },
    distance: { low: 0, high: 1 },
  });
  const limb = world.createBody({
    mass: 5,
    position: [9, 0, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] },
  });
  const cone = world.createJoint({
    type: 'coneTwist',
    bodyB: limb,
    anchor: [8.5, 0, 0],
    axis: [1, 0, 0],
    swingY: 50 * RADIANS,
    swingZ: 40 * RADIANS,
    twist: { low: 0, high: 0 },
  });
  run(world, 6);
  m.near('hinge angle', Math.abs(hinge.getPosition('angle')) / RADIANS, 30, 0.1, '°');
  m.near(
    'slider',
    Math.abs(slider.getPosition('position') * 1000),
    slider.getPosition('position') > 0 ? 250 : 500,
    1,
    'mm',
  );
  m.near('slider fell', position(block)[1], -0.25, 0.3, 'm');
  m.near('rope', rope.getPosition('distance') * 1000, 1000, 1, 'mm');
  const p = sub(position(limb), [8.5, 0, 0]);
  m.near('cone', Math.atan2(-p[1], p[0]) / RADIANS, 40, 0.1, '°');
  m.near('twist', cone.getPosition('twist') / RADIANS, 0, 0.1, '°');
});

row('fixed and generic joints hold a cantilever of four boxes', (m) => {
  for (const type of ['fixed', 'generic'] as const) {
    const world = createWorld();
    let previous: RigidBody | undefined;
    let last!: RigidBody;
    for (let i = 0; i < 4; i++) {
      last = world.createBody({
        mass: 1,
        position: [i + 0.5, 0, 0],
        shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] },
      });
      const locked = { low: 0, high: 0 };
      world.createJoint({
        ...(type === 'fixed' ? { type } : { type, angleX: locked, angleY: locked, angleZ: locked }),
        bodyA: previous,
        bodyB: last,
        anchor: [i, 0, 0],
      });
      previous = last;
    }
    run(world, 5);
    m.near(`sag of the end, ${type}`, position(last)[1] * 1000, 0, 5, 'mm');
  }
});

row('a joint breaks at its impulse within 2 %', (m) => {
  const world = createWorld();
  for (const [share, z] of [
    [0.98, 0],
    [1.02, 5],
  ] as const) {
    const body = world.createBody({ mass: 10, position: [0, 0, z], shape: ball(0.2) });
    const joint = world.createJoint({
      type: 'fixed',
      bodyB: body,
      anchor: [0, 0, z],
      breakingImpulse: 10 * G * DT * share,
    });
    run(world, 1);
    m.near(`broken at ${share} of the weight`, joint.isBroken ? 1 : 0, share < 1 ? 1 : 0, 0);
  }
});

row('a rope that breaks is taut when it does, and bore the whole blow', (m) => {
  // 60 lengths, so that the rope becomes taut at every part of a step; a slider's limit is the same mechanism.
  for (const kind of ['distance', 'slider'] as const)
    for (const speed of [0, 20]) {
      let gap = 0;
      let least = Infinity;
      for (let k = 0; k < 60; k++) {
        const far = 0.5 + k / 40;
        const world = createWorld({ gravity: [0, speed ? 0 : -G, 0], events: true });
        const body = world.createBody({
          mass: 1,
          position: [0, -0.2, 0],
          linearVelocity: [0, -speed, 0],
          shape: ball(0.1),
        });
        const frame = { position: [0, 0, 0] as Vec3, axis: [0, -1, 0] as Vec3 };
        const common = { bodyB: body, frameA: frame, frameB: frame, breakingImpulse: 0.5 };
        const joint =
          kind === 'distance'
            ? world.createJoint({ type: kind, ...common, distance: { low: 0, high: far } })
            : world.createJoint({ type: kind, ...common, position: { low: -0.1, high: far } });
        let before = 0;
        for (let i = 0; i < 90 && !joint.isBroken; i++) {
          before = -velocity(body)[1];
          world.step(DT);
        }
        gap = Math.max(gap, far + position(body)[1]);
        least = Math.min(least, length(joint.getAppliedImpulse()) / before);
      }
      m.atMost(`gap when it breaks, ${kind}, ${speed} m/s`, gap, 1e-4, 'm');
      m.atLeast(`share of the blow, ${kind}, ${speed} m/s`, least, 0.999);
    }
});

row('a body hung on a joint sleeps with its partner and wakes with it', (m) => {
  const world = createWorld({ sleeping: true });
  const a = world.createBody({
    mass: 1,
    position: [0, -1, 0],
    shape: ball(0.2),
    angularDamping: 0.5,
    linearDamping: 0.5,
  });
  const b = world.createBody({
    mass: 1,
    position: [0, -2, 0],
    shape: ball(0.2),
    angularDamping: 0.5,
    linearDamping: 0.5,
  });
  world.createJoint({ type: 'point', bodyB: a, anchor: [0, 0, 0] });
  const link = world.createJoint({ type: 'point', bodyA: a, bodyB: b, anchor: [0, -1, 0] });
  run(world, 5);
  m.near('asleep', (isAsleep(a) ? 1 : 0) + (isAsleep(b) ? 1 : 0), 2, 0);
  b.applyCentralImpulse([0.5, 0, 0]);
  run(world, DT);
  m.near('awake', (isAsleep(a) ? 1 : 0) + (isAsleep(b) ? 1 : 0), 0, 0);
  run(world, 20);
  m.near('asleep again', (isAsleep(a) ? 1 : 0) + (isAsleep(b) ? 1 : 0), 2, 0);
  link.remove();
  run(world, DT);
  m.near('the removal wakes both', (isAsleep(a) ? 1 : 0) + (isAsleep(b) ? 1 : 0), 0, 0);
});

/** A torso with limbs in a tree: 11 capsules, 10 joints, as bench and demo have it. */
function ragdoll(world: World, x: number, y: number): Joint[] {
  const limb = (position: Vec3, halfHeight: number, radius: number, axis: 'x' | 'y') =>
    world.createBody({
      position: [x + position[0], y + position[1], position[2]],
      shape: { type: 'capsule', radius, halfHeight, axis },
    });
  const pelvis = limb([0, 0, 0], 0.1, 0.13, 'x');
  const chest = limb([0, 0.4, 0], 0.12, 0.15, 'y');
  const joints: Joint[] = [];
  const cone = (bodyA: RigidBody, bodyB: RigidBody, anchor: Vec3, axis: Vec3) =>
    joints.push(
      world.createJoint({
        type: 'coneTwist',
        bodyA,
        bodyB,
        anchor: [x + anchor[0], y + anchor[1], anchor[2]],
        axis,
        swingY: 0.7,
        swingZ: 0.7,
        twist: { low: -0.4, high: 0.4 },
      }),
    );
  const hinge = (bodyA: RigidBody, bodyB: RigidBody, anchor: Vec3) =>
    joints.push(
      world.createJoint({
        type: 'hinge',
        bodyA,
        bodyB,
        anchor: [x + anchor[0], y + anchor[1], anchor[2]],
        axis: [0, 0, 1],
        angle: { low: 0, high: 2 },
      }),
    );
  hinge(pelvis, chest, [0, 0.18, 0]);
  cone(chest, limb([0, 0.82, 0], 0.06, 0.1, 'y'), [0, 0.66, 0], [0, 1, 0]);
  for (const side of [-1, 1]) {
    const arm = limb([side * 0.35, 0.55, 0], 0.1, 0.06, 'x');
    cone(chest, arm, [side * 0.2, 0.55, 0], [side, 0, 0]);
    hinge(arm, limb([side * 0.65, 0.55, 0], 0.1, 0.05, 'x'), [side * 0.5, 0.55, 0]);
    const thigh = limb([side * 0.12, -0.32, 0], 0.14, 0.08, 'y');
    cone(pelvis, thigh, [side * 0.12, -0.1, 0], [0, -1, 0]);
    hinge(thigh, limb([side * 0.12, -0.75, 0], 0.15, 0.07, 'y'), [side * 0.12, -0.54, 0]);
  }
  return joints;
}

row('joints of 12 ragdolls that fall on a floor', (m) => {
  const world = createWorld();
  createFloor(world);
  const joints: Joint[] = [];
  for (let i = 0; i < 12; i++) joints.push(...ragdoll(world, (i % 4) * 0.6, 2 + 0.7 * i));
  let worst = 0;
  let sum = 0;
  run(world, 6, () => {
    for (const joint of joints) {
      const g = gap(joint);
      worst = Math.max(worst, g);
      sum += g;
    }
  });
  m.atMost('worst gap', worst * 1000, 3, 'mm');
  m.atMost('mean gap', (sum / 360 / joints.length) * 1000, 0.2, 'mm');
});

/** Joints of a net of spheres a metre apart, held along one edge. */
function net(world: World, side: number): { bodies: RigidBody[]; joints: Joint[] } {
  const bodies: RigidBody[] = [];
  const joints: Joint[] = [];
  for (let z = 0; z < side; z++)
    for (let x = 0; x < side; x++) {
      const body = world.createBody({
        ...(z === 0 ? { type: 'static' } : { mass: 1 }),
        position: [x, 0, z],
        mask: 0,
        shape: ball(0.4),
      });
      bodies.push(body);
      if (z === 0) continue;
      const link = (other: RigidBody, anchor: Vec3) =>
        joints.push(world.createJoint({ type: 'point', bodyA: other, bodyB: body, anchor }));
      if (x > 0) link(bodies.at(-2)!, [x - 0.5, 0, z]);
      link(bodies.at(-1 - side)!, [x, 0, z - 0.5]);
    }
  return { bodies, joints };
}

/** 4,000, which is its target, with SOAK=1. */
const NET_STEPS = process.env['SOAK'] ? 4000 : 400;

row(
  `a net of 32 × 32 swings for ${NET_STEPS} steps and never explodes`,
  (m) => {
    const world = createWorld();
    const { bodies, joints } = net(world, 32);
    let fastest = 0;
    let worst = 0;
    let deepest = 0;
    run(world, NET_STEPS / 60, (step) => {
      if (step % 20 !== 0) return;
      for (const body of bodies) {
        fastest = Math.max(fastest, length(velocity(body)));
        deepest = Math.max(deepest, -position(body)[1]);
      }
      for (const joint of joints) worst = Math.max(worst, gap(joint));
    });
    // Held edge to free edge: 31 m; what falls 31 m has 25 m/s, and the whip's end at most some times that.
    m.atMost('fastest body', fastest, 100, 'm/s');
    m.atMost('deepest place', deepest, 31.5, 'm');
    m.atMost('worst gap', worst * 1000, 50, 'mm');
    let sum = 0;
    for (const joint of joints) sum += gap(joint);
    m.atMost('mean gap at the end', (sum / joints.length) * 1000, 5, 'mm');
  },
  { seconds: 60 },
);

row('a chain of 20 rods hangs as a chain does: within 0.5 % of its span', (m) => {
  const [count, size, span] = [20, 1, 14];
  const world = createWorld();
  const rise = Math.sqrt(size ** 2 - (span / count) ** 2) / 2;
  let previous: RigidBody | undefined;
  const joints: Joint[] = [];
  // A zigzag that spans the supports: it drops into its shape.
  for (let i = 0; i <= count; i++) {
    const anchor: Vec3 = [(i * span) / count, i % 2 === 0 ? 0 : -2 * rise, 0];
    let body: RigidBody | undefined;
    if (i < count)
      body = world.createBody({
        mass: 1,
        position: [((i + 0.5) * span) / count, -rise, 0],
        rotation: [0, 0, Math.sin(Math.asin((2 * rise) / size) / (i % 2 === 0 ? -2 : 2)), 0.8].map(
          (v, k, q) => (k === 3 ? Math.sqrt(1 - q[2]! ** 2) : v),
        ) as [number, number, number, number],
        mask: 0,
        linearDamping: 0.5,
        angularDamping: 0.5,
        shape: { type: 'capsule', radius: 0.02, halfHeight: 0.48, axis: 'x' },
      });
    joints.push(world.createJoint({ type: 'point', bodyA: previous, bodyB: body, anchor }));
    previous = body;
  }
  run(world, 30);
  // Equal rods: the slope of rod i is its distance from the middle, times weight over pull; the pull by bisection.
  const shape = (pull: number) => {
    let x = 0;
    let y = 0;
    const places: Vec3[] = [[0, 0, 0]];
    for (let i = 0; i < count; i++) {
      const slope = (i - (count - 1) / 2) / pull;
      const cosine = 1 / Math.sqrt(1 + slope * slope);
      x += size * cosine;
      y += size * cosine * slope;
      places.push([x, y, 0]);
    }
    return places;
  };
  let [low, high] = [0.01, 1000];
  for (let k = 0; k < 100; k++) {
    const middle = (low + high) / 2;
    if (shape(middle).at(-1)![0] < span) low = middle;
    else high = middle;
  }
  const truth = shape(low);
  let worst = 0;
  for (const [i, joint] of joints.entries())
    worst = Math.max(worst, length(sub(joint.getAnchors().b, truth[i]!)));
  m.note('sag', -truth[count / 2]![1], 'm');
  m.atMost('worst place, of the span', worst / span, 0.005);
});

row('a top on a point joint precesses at m g l / (I ω)', (m) => {
  const [arm, radius, turning] = [0.3, 0.2, 60];
  const world = createWorld();
  const rate = (G * arm) / (0.5 * radius ** 2 * turning);
  const top = world.createBody({
    mass: 1,
    position: [arm, 0, 0],
    // Level, its axis along x: it goes round level when it starts with the speed of precession.
    linearVelocity: [0, 0, -rate * arm],
    angularVelocity: [turning, rate, 0],
    shape: { type: 'cylinder', radius, halfHeight: 0.02, axis: 'x' },
  });
  const joint = world.createJoint({ type: 'point', bodyB: top, anchor: [0, 0, 0] });
  let angle = 0;
  let before = 0;
  let highest = 0;
  run(world, 10, () => {
    const [x, y, z] = position(top);
    const now = Math.atan2(-z, x);
    angle += now - before - 2 * Math.PI * Math.round((now - before) / (2 * Math.PI));
    before = now;
    highest = Math.max(highest, Math.abs(y));
  });
  m.near('rate of precession', angle / 10, rate, 0.02 * rate, 'rad/s');
  m.atMost('nods, of the arm', highest / arm, 0.05);
  m.atMost('gap', gap(joint) * 1000, 0.1, 'mm');
});

/** Planks in a shallow arc between two banks, on hinges or on two rows of ball joints, and a crate that falls on them. */
row('bridges held at both ends bear 250 times a plank', (m) => {
  for (const [kind, load, limit] of [
    ['hinge', 5000, 5],
    ['point', 200, 50],
  ] as const) {
    const world = createWorld();
    const [count, size] = [24, 0.6];
    const end = (count * size) / 2;
    const height = (x: number) => (x / end) ** 2;
    const joints: Joint[] = [];
    let previous: RigidBody | undefined;
    for (let i = 0; i <= count; i++) {
      const x = -end + i * size;
      const turned = Math.atan2(height(x + size) - height(x), size) / 2;
      const body =
        i < count
          ? world.createBody({
              mass: 20,
              position: [x + size / 2, (height(x) + height(x + size)) / 2, 0],
              rotation: [0, 0, Math.sin(turned), Math.cos(turned)],
              shape: { type: 'box', halfExtents: [0.27, 0.06, 1.2] },
            })
          : undefined;
      const link = { bodyA: previous, bodyB: body };
      if (kind === 'hinge')
        joints.push(world.createJoint({ type: kind, ...link, anchor: [x, height(x), 0], axis: [0, 0, 1] }));
      else
        for (const z of [-1.1, 1.1])
          joints.push(world.createJoint({ type: kind, ...link, anchor: [x, height(x), z] }));
      previous = body;
    }
    world.createBody({
      mass: load,
      position: [0, 3, 0],
      shape: { type: 'box', halfExtents: [1.1, 0.7, 0.8] },
    });
    let worst = 0;
    let fastest = 0;
    run(world, 10, () => {
      for (const joint of joints) worst = Math.max(worst, gap(joint));
      for (const body of world.bodies()) fastest = Math.max(fastest, length(velocity(body)));
    });
    m.atMost(`worst gap, ${kind}, ${load} kg`, worst * 1000, limit, 'mm');
    m.atMost(`fastest body, ${kind}, ${load} kg`, fastest, 15, 'm/s');
  }
});

/** A box that tumbles freely, with four ball wheels at its corners that spin; nothing pushes. Worst of 10 s. */
function tumblingCar(spinning: number, chassisFirst: boolean): { gap: number; tilt: number; energy: number } {
  const world = createWorld({ gravity: [0, 0, 0] });
  const chassis = world.createBody({
    mass: 800,
    angularVelocity: [0.5, 2, 0.3],
    shape: { type: 'box', halfExtents: [0.6, 0.25, 1.6] },
  });
  const wheels: RigidBody[] = [];
  const joints: Joint[] = [];
  for (const anchor of [-1, 1].flatMap((x) => [-1, 1].map((z): Vec3 => [1.05 * x, -0.2, 1.2 * z]))) {
    const [x, y, z] = anchor;
    // As the chassis carries them, and their own spin.
    const wheel = world.createBody({
      mass: 30,
      position: anchor,
      linearVelocity: [2 * z - 0.3 * y, 0.3 * x - 0.5 * z, 0.5 * y - 2 * x],
      angularVelocity: [0.5 + spinning, 2, 0.3],
      mask: 0,
      shape: ball(0.4),
    });
    const [bodyA, bodyB] = chassisFirst ? [chassis, wheel] : [wheel, chassis];
    joints.push(world.createJoint({ type: 'hinge', bodyA, bodyB, anchor, axis: [1, 0, 0] }));
    wheels.push(wheel);
  }
  const ball2 = 0.4 * 30 * 0.4 ** 2;
  const energy = () => {
    let sum = 0;
    const q = rotation(chassis);
    const w = rotate([-q[0], -q[1], -q[2], q[3]], spin(chassis));
    const moments = [0.25 ** 2 + 1.6 ** 2, 0.6 ** 2 + 1.6 ** 2, 0.6 ** 2 + 0.25 ** 2];
    for (let k = 0; k < 3; k++) sum += (800 / 3) * moments[k]! * w[k]! ** 2;
    sum += 800 * length(velocity(chassis)) ** 2;
    for (const wheel of wheels) sum += 30 * length(velocity(wheel)) ** 2 + ball2 * length(spin(wheel)) ** 2;
    return sum / 2;
  };
  // The spin is most of the energy: what is passed to and fro is measured against the rest.
  const own = energy() - 2 * ball2 * spinning ** 2;
  const start = energy();
  let worst = 0;
  let tilt = 0;
  run(world, 10, () => {
    for (const joint of joints) worst = Math.max(worst, gap(joint));
    // Where the chassis has the axle, the wheel may not turn across it.
    const q = rotation(chassis);
    const axle = rotate(q, [1, 0, 0]);
    for (const wheel of wheels) {
      const relative = sub(spin(wheel), spin(chassis));
      const along = relative[0] * axle[0] + relative[1] * axle[1] + relative[2] * axle[2];
      tilt = Math.max(tilt, Math.sqrt(Math.max(0, length(relative) ** 2 - along ** 2)));
    }
  });
  return { gap: worst, tilt, energy: Math.abs(energy() - start) / own };
}

row('wheels that spin at 3 to 30 rad/s stay on the axles of a box that tumbles', (m) => {
  for (const spinning of [3, 15, 30])
    for (const chassisFirst of [true, false]) {
      const { gap, tilt, energy } = tumblingCar(spinning, chassisFirst);
      const of = `${spinning} rad/s, chassis ${chassisFirst ? 'first' : 'second'}`;
      m.atMost(`gap, ${of}`, gap * 1000, 0.1, 'mm');
      m.atMost(`spin across the axle, ${of}`, tilt, 0.04, 'rad/s');
      m.atMost(`energy, of that without the wheels' spin, ${of}`, energy, 0.02);
    }
});
