// A bar whose centre is locked spins, and strikes a pin. The impulse acts at a lever arm a, and only rotation responds:
// with 1/m' = a²/I + 1/(100 m) along the normal, so that impulses stay bounded where a is short, and restitution 1, the spin
// becomes 1 − 2 (a²/I) m' of itself.
import type { Joint, RigidBody } from '../../src';
import { row } from './support/measure';
import { length, sub } from './support/vector';
import { createFloor, createWorld, DT, G, position, rotation, run, spin, velocity } from './support/world';

const SPEED = 60; // rad/s
const LONG = 1;
const THIN = 0.02;

function spinLeft(arm: number): number {
  const world = createWorld({ gravity: [0, 0, 0] });
  const bar = world.createBody({
    mass: 1,
    rotation: [0, 0, Math.sin(-0.2), Math.cos(-0.2)],
    angularVelocity: [0, 0, SPEED],
    linearFactor: [0, 0, 0],
    shape: { type: 'box', halfExtents: [LONG, THIN, 0.2], friction: 0, restitution: 1 },
  });
  world.createBody({
    type: 'static',
    position: [arm, THIN + 0.01, 0],
    shape: { type: 'sphere', radius: 0.005, restitution: 1 },
  });
  world.step(DT);
  const share = spin(bar)[2] / SPEED;
  world.dispose();
  return share;
}

row('a bar that is held at its centre rebounds with less of its spin, the shorter the lever arm', (m) => {
  for (const arm of [0.1, 0.15, 0.3, 0.9]) {
    const turning = (3 * arm ** 2) / (LONG ** 2 + THIN ** 2);
    m.near(`share of the spin, arm of ${arm} m`, spinLeft(arm), 1 - (2 * turning) / (turning + 0.01), 0.03);
  }
});

const FLAT = { linearFactor: [1, 1, 0], angularFactor: [0, 0, 1] } as const;

row('rolling friction acts in flat games as in space, whatever the mass', (m) => {
  // a = lever · g / (1.4 r) of a ball.
  for (const mass of [1e-6, 1, 1e6, 1e12])
    for (const [what, factors] of [
      ['in space', {}],
      ['flat', FLAT],
    ] as const) {
      const world = createWorld();
      createFloor(world);
      const ball = world.createBody({
        mass,
        ...factors,
        position: [0, 0.5, 0],
        linearVelocity: [3, 0, 0],
        angularVelocity: [0, 0, -6],
        shape: { type: 'sphere', radius: 0.5, friction: 1, rollingFriction: 0.1 },
      });
      run(world, 1);
      m.near(`${what}, ${mass} kg`, velocity(ball)[0], 3 - (0.1 * G) / 0.7, 0.02, 'm/s');
      world.dispose();
    }
});

row('a box that hits the ground fast bounces and spins in a flat game as in space', (m) => {
  const [space, flat] = [{}, FLAT].map((factors) => {
    const world = createWorld();
    world.createBody({
      type: 'static',
      position: [0, -0.5, 0],
      shape: { type: 'box', halfExtents: [30, 0.5, 30], restitution: 1 },
    });
    const box = world.createBody({
      mass: 1,
      ...factors,
      position: [0, 10, 0],
      rotation: [0, 0, Math.sin(0.1), Math.cos(0.1)],
      linearVelocity: [20, -80, 0],
      shape: { type: 'box', halfExtents: [0.1, 0.2, 0.1], restitution: 0.5 },
    });
    run(world, 0.3);
    const end = { speed: velocity(box), spin: spin(box)[2], x: position(box)[0] };
    world.dispose();
    return end;
  });
  m.near('speed along the ground', flat!.speed[0], space!.speed[0], 0.05, 'm/s');
  m.near('speed upwards', flat!.speed[1], space!.speed[1], 0.05, 'm/s');
  m.near('spin', flat!.spin, space!.spin, 0.5, 'rad/s');
  m.near('way', flat!.x, space!.x, 0.01, 'm');
});

row('a factor acts once, on forces as on impulses, on torques as on forces', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const [pushed, hit] = [0, 5].map((z) =>
    world.createBody({
      mass: 2,
      inertia: [1, 2, 3],
      position: [0, 0, z],
      linearFactor: [0.5, 1, 1],
      angularFactor: [0.5, 1, 1],
      shape: { type: 'sphere', radius: 0.5 },
    }),
  );
  pushed!.applyCentralForce([2 / DT, 0, 0]);
  pushed!.applyTorque([1 / DT, 0, 0]);
  hit!.applyCentralImpulse([2, 0, 0]);
  hit!.applyTorqueImpulse([1, 0, 0]);
  world.step(DT);
  for (const [what, body] of [
    ['force', pushed!],
    ['impulse', hit!],
  ] as const) {
    m.near(`speed by a ${what}`, velocity(body)[0], 0.5, 1e-5, 'm/s');
    m.near(`spin by a ${what}`, spin(body)[0], 0.5, 1e-5, 'rad/s');
  }
  world.dispose();
});

row('a hinge swings in a flat game as in space', (m) => {
  for (const [what, factors] of [
    ['flat', FLAT],
    ['that can turn about the hinge only', { angularFactor: [0, 0, 1] }],
  ] as const) {
    const [space, held] = [{}, factors].map((locks) => {
      const world = createWorld();
      const rod = (x: number) =>
        world.createBody({
          mass: 1,
          ...locks,
          position: [x, 0, 0],
          shape: { type: 'box', halfExtents: [0.45, 0.1, 0.1] },
        });
      const [first, second] = [rod(0.5), rod(1.5)];
      world.createJoint({ type: 'hinge', bodyB: first, anchor: [0, 0, 0], axis: [0, 0, 1] });
      world.createJoint({ type: 'hinge', bodyA: first, bodyB: second, anchor: [1, 0, 0], axis: [0, 0, 1] });
      run(world, 0.8);
      const end = { place: position(second), spin: spin(second)[2] };
      world.dispose();
      return end;
    });
    m.near(`${what}: x`, held!.place[0], space!.place[0], 0.01, 'm');
    m.near(`${what}: y`, held!.place[1], space!.place[1], 0.01, 'm');
    m.near(`${what}: spin`, held!.spin, space!.spin, 0.05, 'rad/s');
  }
});

row('chains of hinges bear a weight in a flat game: no link turns out of the plane, no joint opens', (m) => {
  for (const mass of [10, 100, 1000]) {
    const world = createWorld();
    const links: RigidBody[] = [];
    const hinges: Joint[] = [];
    for (let i = 0; i < 10; i++) {
      const link = world.createBody({
        mass: i < 9 ? 1 : mass,
        ...FLAT,
        position: [0.2 * i + 0.1, 0, 0],
        shape: { type: 'box', halfExtents: [0.1, 0.02, 0.02] },
      });
      const anchor = [0.2 * i, 0, 0] as const;
      hinges.push(
        world.createJoint({ type: 'hinge', bodyA: links[i - 1], bodyB: link, anchor, axis: [0, 0, 1] }),
      );
      links.push(link);
    }
    let tilt = 0;
    let gap = 0;
    run(world, 10, () => {
      for (const link of links)
        tilt = Math.max(tilt, Math.abs(rotation(link)[0]), Math.abs(rotation(link)[1]));
      for (const hinge of hinges) {
        const { a, b } = hinge.getAnchors();
        gap = Math.max(gap, length(sub(b, a)));
      }
    });
    m.equal(`${mass} kg: tilt`, tilt, 0);
    m.atMost(`${mass} kg: gap`, gap, 0.003, 'm');
    world.dispose();
  }
});
