// Cones of joints: how far a rod sags that is fixed at its end.

import type { RigidBody } from '../../src/index';
import { row } from './support/measure';
import { length, type Quat, random, rotate, type Vec3 } from './support/vector';
import { createWorld, DT, G, position, rotation, spin, velocity } from './support/world';

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

/**
 * Angle, rad, between a direction about y and z and the ellipse of half angles Y and Z, 0 inside.
 * Truth: the nearest of 1,000 points of the ellipse.
 */
function outside(aboutY: number, aboutZ: number, spanY: number, spanZ: number): number {
  if ((aboutY / spanY) ** 2 + (aboutZ / spanZ) ** 2 <= 1) return 0;
  let least = Infinity;
  for (let k = 0; k < 1000; k++) {
    const turn = (2 * Math.PI * k) / 1000;
    least = Math.min(least, Math.hypot(aboutY - spanY * Math.cos(turn), aboutZ - spanZ * Math.sin(turn)));
  }
  return least;
}

/** With the largest angle outside: a limb may turn through a narrow cone, or past the tip of a flat one, within a substep. */
const CONES: [swingY: number, swingZ: number, outside: number][] = [
  [0.5, 0.5, 0.05],
  [0.3, 0.1, 0.15],
  [0.1, 0.8, 0.35],
  [0.3, 0.9, 0.1],
  [0, 0.8, 0.35],
  [0.8, 0, 0.35],
  [0.02, 0.02, 0.15],
];

row('four limbs on cones, round to flat, stay in them and gain no energy', (m) => {
  for (const [swingY, swingZ, furthest] of CONES) {
    const world = createWorld();
    const limbs: RigidBody[] = [];
    // The cones open obliquely to the limbs, so that these swing round in them.
    const oblique: Quat = [0.1, 0.5, -0.4, Math.sqrt(1 - 0.42)];
    for (let i = 0; i < 4; i++) {
      const limb = world.createBody({
        mass: 1 + (i % 2),
        position: [0.5 * i + 0.25, 0, 0],
        mask: 0,
        shape: { type: 'capsule', radius: 0.06, halfHeight: 0.18, axis: 'x' },
      });
      world.createJoint({
        type: 'coneTwist',
        bodyA: limbs[i - 1],
        bodyB: limb,
        frameA: { position: [i ? 0.25 : 0, 0, 0], rotation: oblique },
        frameB: { position: [-0.25, 0, 0], rotation: oblique },
        swingY,
        swingZ,
        twist: { low: -0.3, high: 0.3 },
      });
      limbs.push(limb);
    }
    let most = 0;
    let energy = 0;
    for (let step = 0; step < 1200; step++) {
      world.step(DT);
      let sum = 0;
      for (const [i, limb] of limbs.entries()) {
        sum += (1 + (i % 2)) * (0.5 * length(velocity(limb)) ** 2 + G * position(limb)[1]);
        const main = rotate(oblique, [1, 0, 0]);
        const a = i ? rotation(limbs[i - 1]!) : ([0, 0, 0, 1] satisfies Quat);
        const back = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w];
        const [x, y, z] = rotate(back(oblique), rotate(back(a), rotate(rotation(limb), main)));
        const sine = Math.hypot(y, z);
        const angle = Math.atan2(sine, x) / Math.max(sine, 1e-9);
        most = Math.max(most, outside(-z * angle, y * angle, Math.max(swingY, 0.01), Math.max(swingZ, 0.01)));
      }
      energy = Math.max(energy, sum / (6 * G));
    }
    m.atMost(`outside a cone of ${swingY} and ${swingZ}`, most, furthest, 'rad');
    m.atMost(`height of the energy, ${swingY} and ${swingZ}`, energy, 0.001, 'm');
    world.dispose();
  }
});

row('limbs with a limited or locked twist that swing round to the back are not thrown', (m) => {
  for (const twist of [
    { low: -0.2, high: 0.3 },
    { low: 0, high: 0 },
  ]) {
    let fastest = 0;
    let pointsBack = 1;
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const some = (size: number): Vec3 => [
        size * (next() - 0.5),
        size * (next() - 0.5),
        size * (next() - 0.5),
      ];
      const world = createWorld({ gravity: [0, 0, 0] });
      const limb = world.createBody({
        mass: 1,
        position: [0.25, 0, 0],
        angularVelocity: some(6),
        shape: { type: 'box', halfExtents: [0.2, 0.1, 0.15] },
      });
      world.createJoint({ type: 'coneTwist', bodyB: limb, anchor: [0, 0, 0], twist });
      for (let step = 0; step < 900; step++) {
        world.step(DT);
        fastest = Math.max(fastest, length(spin(limb)));
        pointsBack = Math.min(pointsBack, rotate(rotation(limb), [1, 0, 0])[0]);
      }
      world.dispose();
    }
    const name = twist.low ? 'limited' : 'locked';
    m.atMost(`cosine of the swing, ${name}`, pointsBack, -0.999);
    m.atMost(`speed, ${name}`, fastest, 15, 'rad/s');
  }
});
