// Golden scenes of joints: ragdolls on stairs, one of every kind of joint at work, bridges that break.
import type { JointOptions } from 'ricochet';
import { type GoldenScene, ground, type Target, type Thing } from './scene';

/** A torso with head, arms and legs, its feet at height `y`. */
function ragdoll(target: Target, x: number, y: number, z: number): Thing[] {
  const part = (dx: number, dy: number, radius: number, halfHeight: number, axis: 'x' | 'y' = 'y') =>
    target.createBody({
      position: [x + dx, y + dy, z],
      linearDamping: 0.02,
      shape: { type: 'capsule', radius, halfHeight, axis },
    });
  const torso = part(0, 1.1, 0.16, 0.2);
  const head = part(0, 1.62, 0.12, 0.04);
  const parts = [torso, head];
  target.createJoint({
    type: 'coneTwist',
    bodyA: torso,
    bodyB: head,
    anchor: [x, y + 1.45, z],
    axis: [0, 1, 0],
    swingY: 0.5,
    swingZ: 0.5,
    twist: { low: -0.6, high: 0.6 },
  });
  for (const side of [-1, 1]) {
    const upper = part(0.38 * side, 1.3, 0.07, 0.12, 'x');
    const lower = part(0.72 * side, 1.3, 0.06, 0.12, 'x');
    const thigh = part(0.12 * side, 0.62, 0.09, 0.15);
    const shin = part(0.12 * side, 0.2, 0.08, 0.13);
    const shoulder: [number, number, number] = [x + 0.2 * side, y + 1.3, z];
    target.createJoint({
      type: 'coneTwist',
      bodyA: torso,
      bodyB: upper,
      anchor: shoulder,
      axis: [side, 0, 0],
      swingY: 1.2,
      swingZ: 1.2,
    });
    target.createJoint({
      type: 'hinge',
      bodyA: upper,
      bodyB: lower,
      anchor: [x + 0.55 * side, y + 1.3, z],
      axis: [0, 1, 0],
      angle: { low: -1.8, high: 0 },
    });
    target.createJoint({
      type: 'coneTwist',
      bodyA: torso,
      bodyB: thigh,
      anchor: [x + 0.12 * side, y + 0.82, z],
      axis: [0, -1, 0],
      swingY: 0.8,
      swingZ: 0.4,
    });
    target.createJoint({
      type: 'hinge',
      bodyA: thigh,
      bodyB: shin,
      anchor: [x + 0.12 * side, y + 0.42, z],
      axis: [1, 0, 0],
      angle: { low: 0, high: 2 },
    });
    parts.push(upper, lower, thigh, shin);
  }
  return parts;
}

const ragdolls: GoldenScene = {
  id: 'ragdolls',
  start(target) {
    ground(target);
    for (let i = 0; i < 6; i++)
      target.createBody({
        type: 'static',
        position: [0, 0.2 + 0.4 * i, -0.6 * i],
        shape: { type: 'box', halfExtents: [4, 0.2, 0.5] },
      });
    const dolls = [-2, 0, 2].map((x, i) => ragdoll(target, x, 3 + i, -2));
    return (step) => {
      if (step % 200 === 60) for (const doll of dolls) doll[0]!.applyImpulse([0, 250, 60 + step / 10]);
    };
  },
};

/** One of each kind, driven, sprung, limited, switched. */
const joints: GoldenScene = {
  id: 'joints',
  start(target) {
    ground(target);
    let at = 0;
    const crate = (dx = 0, y = 3) =>
      target.createBody({
        mass: 2,
        position: [3 * at + dx, y, 0],
        shape: { type: 'box', halfExtents: [0.4, 0.2, 0.3] },
      });
    // Balls that knock on what hangs there.
    for (let i = 0; i < 12; i++)
      target.createBody({
        mass: 0.5,
        position: [3 * i + 0.4, 5 + 0.5 * (i % 3), 0.1],
        shape: { type: 'sphere', radius: 0.25, restitution: 0.7 },
      });
    const link = (options: JointOptions) => target.createJoint(options);
    const next = () => [3 * ++at, 3, 0] as [number, number, number];
    const pendulum = link({ type: 'point', bodyB: crate(0.8), anchor: [0, 3, 0] });
    const motor = link({
      type: 'hinge',
      anchor: next(),
      axis: [0, 0, 1],
      bodyB: crate(0.4),
      angle: { motor: { velocity: 3, maxForce: 40 } },
    });
    link({
      type: 'hinge',
      anchor: next(),
      axis: [0, 0, 1],
      bodyB: crate(0.4),
      angle: { low: -0.5, high: 0.8, servo: { target: 0.5, maxVelocity: 1, maxForce: 60 } },
    });
    const fixed = link({ type: 'fixed', anchor: next(), bodyA: crate(-0.5), bodyB: crate(0.5) });
    next();
    link({
      type: 'distance',
      bodyA: crate(0, 4),
      frameB: { position: [3 * at, 6, 0] },
      distance: { low: 0, high: 2.5 },
    });
    next();
    link({
      type: 'distance',
      bodyA: crate(0, 3),
      frameB: { position: [3 * at, 6, 0] },
      distance: { low: 1, high: -1, spring: { hertz: 1.5, dampingRatio: 0.1, target: 2 } },
    });
    link({
      type: 'slider',
      anchor: next(),
      axis: [0, 1, 0],
      bodyB: crate(),
      position: { low: -1, high: 1, motor: { velocity: 1, maxForce: 50 } },
    });
    link({
      type: 'coneTwist',
      anchor: next(),
      axis: [1, 0, 0],
      bodyB: crate(0.5),
      swingY: 0.6,
      swingZ: 0.3,
      twist: { low: -0.3, high: 0.3 },
    });
    link({
      type: 'generic',
      anchor: next(),
      bodyB: crate(0.3),
      x: { spring: { stiffness: 200, damping: 2 }, low: 1, high: -1 },
      angleZ: { low: -0.4, high: 0.4 },
    });
    next();
    const hand = crate();
    const mouse = link({ type: 'mouse', bodyB: hand, target: [3 * at, 3, 0] });
    next();
    const carried = link({
      type: 'motor',
      bodyA: crate(0, 5),
      bodyB: crate(0, 3),
      frameA: {},
      frameB: {},
      maxForce: 80,
      maxTorque: 20,
    });
    link({
      type: 'universal',
      anchor: next(),
      axis: [0, 1, 0],
      axis2: [0, 0, 1],
      bodyB: crate(0.5),
      angle1: { motor: { velocity: 2, maxForce: 20 } },
      angle2: { low: -0.6, high: 0.4, stop: { bounce: 0.5 } },
    });
    link({ type: 'hinge2', anchor: next(), axis: [0, 1, 0], axis2: [0, 0, 1], bodyB: crate(0.2) });
    link({
      type: 'generic',
      order: 'zyx',
      anchor: next(),
      bodyB: crate(0.3),
      y: { low: -0.2, high: 0.1, stop: { erp: 0.3, cfm: 0.01 } },
      angleY: { low: -0.5, high: 0.5, stop: { bounce: 0.7 } },
    });
    const wheels = [0, 1, 2].map(() => {
      const wheel = crate();
      const axle = link({ type: 'hinge', bodyB: wheel, anchor: [3 * at, 3, 0], axis: [0, 0, 1] });
      next();
      return [wheel, axle] as const;
    });
    const frame = { axis: [0, 0, 1] } as const;
    const gear = (i: number, ratio: number) =>
      link({
        type: 'gear',
        bodyA: wheels[i]![0],
        bodyB: wheels[i + 1]![0],
        ratio,
        frameA: frame,
        frameB: frame,
      });
    gear(0, 1.5);
    const last = gear(1, -2);
    wheels[0]![1].setMotor('angle', { velocity: 5, maxForce: 30 });
    return (step) => {
      if (step === 350) last.setRatio(1);
      if (step % 2 === 0) mouse.setTarget([30 + (step % 100) / 50, 3 + (step % 60) / 30, 0]);
      if (step === 150) pendulum.setEnabled(false);
      if (step === 200) pendulum.setEnabled(true);
      if (step % 250 === 0) motor.setMotor('angle', { velocity: step % 500 ? -4 : 4, maxForce: 60 });
      if (step === 400) fixed.setSoftness(4, 0.3);
      if (step === 500 && !fixed.isRemoved) fixed.remove();
      if (step === 600) carried.setCollideConnected(true);
      if (step % 90 === 0) hand.setAngularVelocity([0, 3, 5]);
    };
  },
};

/** Bridges of planks: one holds, one breaks under what falls on it. */
const bridges: GoldenScene = {
  id: 'bridges',
  start(target) {
    ground(target, -4);
    for (const [z, breakingImpulse] of [
      [0, 0],
      [4, 14],
    ] as const) {
      let before: Thing | undefined;
      for (let i = 0; i < 12; i++) {
        const plank = target.createBody({
          mass: 3,
          position: [i - 5.5, 2, z],
          shape: { type: 'box', halfExtents: [0.46, 0.08, 0.8] },
        });
        target.createJoint({
          type: 'hinge',
          bodyA: before,
          bodyB: plank,
          anchor: [i - 6, 2, z],
          axis: [0, 0, 1],
          breakingImpulse,
        });
        before = plank;
      }
      target.createJoint({
        type: 'hinge',
        bodyB: before,
        anchor: [6, 2, z],
        axis: [0, 0, 1],
        breakingImpulse,
      });
    }
    return (step) => {
      if (step % 60 !== 30 || step > 700) return;
      for (const z of [0.2, 4.1])
        target.createBody({
          mass: 2 + step / 30,
          position: [(step % 7) - 3, 5, z],
          shape:
            step % 120 === 30
              ? { type: 'sphere', radius: 0.4 }
              : { type: 'box', halfExtents: [0.4, 0.3, 0.3] },
        });
    };
  },
};

export const machines: readonly GoldenScene[] = [ragdolls, joints, bridges];
