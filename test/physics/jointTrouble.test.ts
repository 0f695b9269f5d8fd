// What joints do with what cannot be: bodies set far away, joints that contradict each other, levers against a stop.
// Nothing may gain energy that was not put in, and nothing may be thrown. Sleeping off.
import type { Joint, RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { length, sub, type Vec3 } from './support/vector';
import { createWorld, DT, position, run, spin, velocity } from './support/world';

const box = { type: 'box', halfExtents: [0.3, 0.4, 0.5] } as const;

const gap = (joint: Joint) => {
  const { a, b } = joint.getAnchors();
  return length(sub(a, b));
};

/** m/s: the way of a step by its time, whatever the velocity says. */
function pace(world: World, body: RigidBody, seconds: number, then?: (time: number) => void): number {
  let before = position(body);
  let fastest = 0;
  run(world, seconds, (step) => {
    const now = position(body);
    fastest = Math.max(fastest, length(sub(now, before)) / DT, length(velocity(body)));
    before = now;
    then?.(step * DT);
  });
  return fastest;
}

row('a body set far from its anchor comes back at a bounded speed', (m) => {
  for (const type of ['point', 'hinge', 'fixed'] as const) {
    const world = createWorld();
    const body = world.createBody({ mass: 1, position: [0, 3, 0], shape: box });
    const joint = world.createJoint({ type, bodyB: body, anchor: [0.3, 3.4, 0] });
    run(world, 0.5);
    let fastest = 0;
    let fastestSpin = 0;
    for (const place of [
      [6, 3, 0],
      [-5, 4, 3],
      [40, 3, 0],
    ] as Vec3[]) {
      body.setPosition(place);
      if (place[0] < 0) body.setRotation([1, 0, 0, 0]);
      fastest = Math.max(
        fastest,
        pace(world, body, 8, () => {
          fastestSpin = Math.max(fastestSpin, length(spin(body)));
        }),
      );
    }
    m.atMost(`speed, ${type}`, fastest, 30, 'm/s');
    m.atMost(`spin, ${type}`, fastestSpin, 40, 'rad/s');
    m.atMost(`gap in the end, ${type}`, gap(joint) * 1000, 1, 'mm');
  }
});

row('joints that contradict each other gather no impulse, and let go quietly', (m) => {
  for (const type of ['point', 'fixed'] as const) {
    for (const change of ['remove', 'mass', 'teleport'] as const) {
      const world = createWorld();
      const body = world.createBody({ mass: 2, position: [0, 3, 0], shape: box });
      world.createJoint({ type, bodyB: body, anchor: [0, 3, 0] });
      run(world, 0.1);
      body.setPosition([1, 3, 0]);
      const second = world.createJoint({ type, bodyB: body, anchor: [1, 3.3, 0] });
      const held = pace(world, body, 2);
      const impulse = length(second.getAppliedImpulse() as Vec3);
      if (change === 'remove') second.remove();
      else if (change === 'mass') body.setMass(0.02);
      else body.setTransform([0, 5, 2], [0, 0, 1, 0]);
      const thrown = pace(world, body, 2);
      m.atMost(`speed while both hold, ${type}, ${change}`, held, 15, 'm/s');
      m.atMost(`impulse of a step by mass, ${type}, ${change}`, impulse / 2, 1, 'm/s');
      m.atMost(`speed after that, ${type}, ${change}`, thrown, 15, 'm/s');
    }
  }
});

row('a limited axis far from the centre of mass stops a body as one through it does', (m) => {
  const way = { low: -0.3, high: 0.8 };
  const locked = { low: 0, high: 0 };
  const kinds = {
    generic: { type: 'generic', y: way, angleX: locked, angleY: locked, angleZ: locked },
    slider: { type: 'slider', axis: [0, 1, 0], position: way, angle: locked },
    'generic, angles free': { type: 'generic', y: way },
    'slider, angle free': { type: 'slider', axis: [0, 1, 0], position: way },
  } as const;
  for (const [name, options] of Object.entries(kinds)) {
    for (const pair of [false, true]) {
      const world = createWorld({ gravity: [0, 0, 0] });
      const body = world.createBody({ mass: 1, position: [2, 0, 0], shape: box });
      const other = pair ? world.createBody({ mass: 3, position: [0, 0, 0], shape: box }) : undefined;
      world.createJoint({
        ...options,
        bodyA: other,
        bodyB: body,
        anchor: [0, 0, 0],
      });
      const energy = (b: RigidBody, mass: number) => {
        const [x, y, z] = spin(b);
        const [a, c, d] = [0.16 + 0.25, 0.09 + 0.25, 0.09 + 0.16].map((s) => (mass * s) / 3) as [
          number,
          number,
          number,
        ];
        return 0.5 * mass * length(velocity(b)) ** 2 + 0.5 * Math.min(a, c, d) * (x * x + y * y + z * z);
      };
      let gained = 0;
      for (let i = 0; i < 600; i++) {
        body.applyForce([0, 5, 0]);
        other?.applyForce([0, -5, 0]);
        world.step(DT);
        const work = 5 * (position(body)[1] - (other ? position(other)[1] : 0));
        const now = energy(body, 1) + (other ? energy(other, 3) : 0);
        gained = Math.max(gained, now - work);
      }
      const what = `${name}, ${pair ? 'two bodies' : 'on the world'}`;
      m.atMost(`energy beyond the work done, ${what}`, gained, 0.15, 'J');
      if (pair || name.includes('free')) continue;
      m.atMost(`off the stop, ${what}`, Math.abs(position(body)[1] - 0.8) * 1000, 1, 'mm');
      m.atMost(`speed at the stop, ${what}`, length(velocity(body)) * 1000, 1, 'mm/s');
    }
  }
});

/** 24 planks of 20 kg between two posts, each on one joint to the next, or on two. */
function bridge(kind: 'hinge' | 'point' | 'two points' | 'fixed'): {
  world: World;
  planks: RigidBody[];
  joints: Joint[];
} {
  const world = createWorld();
  const [count, size] = [24, 0.6];
  const end = (count * size) / 2;
  const height = (x: number) => (x / end) ** 2;
  const planks: RigidBody[] = [];
  const joints: Joint[] = [];
  for (let i = 0; i <= count; i++) {
    const x = -end + i * size;
    const half = Math.atan2(height(x + size) - height(x), size) / 2;
    const plank = {
      mass: 20,
      position: [x + size / 2, (height(x) + height(x + size)) / 2, 0] as Vec3,
      rotation: [0, 0, Math.sin(half), Math.cos(half)] as const,
      shape: { type: 'box', halfExtents: [0.27, 0.06, 1.2] } as const,
    };
    const link = { bodyA: planks[i - 1], bodyB: i < count ? world.createBody(plank) : undefined };
    const axis: Vec3 = [0, 0, 1];
    if (kind === 'hinge')
      joints.push(world.createJoint({ ...link, type: kind, anchor: [x, height(x), 0], axis }));
    else
      for (const z of kind === 'two points' ? [-1.1, 1.1] : [0])
        joints.push(
          world.createJoint({
            ...link,
            type: kind === 'fixed' ? kind : 'point',
            anchor: [x, height(x), z],
          }),
        );
    if (link.bodyB !== undefined) planks.push(link.bodyB);
  }
  run(world, 0.5);
  return { world, planks, joints };
}

/** J, kinetic and potential. */
function energyOf(planks: RigidBody[]): number {
  let sum = 0;
  for (const plank of planks) {
    const v = velocity(plank);
    const [x, y, z, w] = plank.getRotation();
    const [ox, oy, oz] = spin(plank);
    // ω in the plank's own axes: q* ω q.
    const tx = 2 * (z * oy - y * oz);
    const ty = 2 * (x * oz - z * ox);
    const tz = 2 * (y * ox - x * oy);
    const own = [
      ox + w * tx - (y * tz - z * ty),
      oy + w * ty - (z * tx - x * tz),
      oz + w * tz - (x * ty - y * tx),
    ] as const;
    const [a, b, c] = [0.27 ** 2, 0.06 ** 2, 1.2 ** 2];
    const turning = (b + c) * own[0] ** 2 + (a + c) * own[1] ** 2 + (a + b) * own[2] ** 2;
    sum += 10 * length(v) ** 2 + (10 / 3) * turning + 20 * 9.81 * position(plank)[1];
  }
  return sum;
}

row(
  'one plank of a bridge at 250 and 1,000 m/s: no more energy than was put in, and the bridge closes again',
  (m) => {
    for (const [kind, speed, direction, limit] of [
      ['hinge', 250, [0.5, 0.7, 0.5], 1],
      ['hinge', 250, [1, 0, 0], 1],
      ['hinge', 250, [0, -1, 0], 1],
      ['hinge', 1000, [0, -1, 0], 1],
      ['point', 250, [0.5, 0.7, 0.5], 1],
      ['point', 250, [0, 0, 1], 1],
      ['two points', 250, [0, -1, 0], 10],
      ['fixed', 250, [0.5, 0.7, 0.5], 10],
      ['fixed', 1000, [0, -1, 0], 10],
    ] as const) {
      const { world, planks, joints } = bridge(kind);
      const before = energyOf(planks);
      planks[12]!.setLinearVelocity(direction.map((d) => d * speed) as Vec3);
      const given = energyOf(planks) - before;
      let most = 0;
      run(world, 5, () => {
        most = Math.max(most, (energyOf(planks) - before) / given);
      });
      const what = `${kind}, ${speed} m/s along ${direction.join(', ')}`;
      m.atMost(`energy of what was given, ${what}`, most, 1);
      m.atMost(`gap after 5 s, ${what}`, Math.max(...joints.map(gap)) * 1000, limit, 'mm');
    }
  },
  {
    behind: {
      'gap after 5 s, hinge, 250 m/s along 0, -1, 0': 500,
    },
  },
);

// Joints with Bullet's erp, and those that lock no direction, are solved one after the other: what a pass leaves open, the next one finds.
row('bars in a row on joints with erp, limits, soft locks or servos alone gain no energy', (m) => {
  const span = (low: number, high: number) => ({ low, high });
  const six = (axis: object) =>
    Object.fromEntries(['x', 'y', 'z', 'angleX', 'angleY', 'angleZ'].map((name) => [name, axis]));
  const kinds = {
    'fixed, erp 0.2': { type: 'fixed', erp: 0.2 },
    'fixed, erp 0.8': { type: 'fixed', erp: 0.8 },
    'hinge, erp 0.2, limit': { type: 'hinge', erp: 0.2, angle: span(-0.1, 0.1) },
    'slider, erp 0.2, limit': { type: 'slider', erp: 0.2, position: span(-0.1, 0.1) },
    'generic, limits of 1 mm and 1 mrad': { type: 'generic', ...six(span(-1e-3, 1e-3)) },
    'generic, limits of 50 mm and 50 mrad': { type: 'generic', ...six(span(-0.05, 0.05)) },
    'generic, locks with erp 0.2': { type: 'generic', ...six({ low: 0, high: 0, stop: { erp: 0.2 } }) },
    'generic, servos': { type: 'generic', ...six({ servo: { target: 0, maxVelocity: 5, maxForce: 1e4 } }) },
  } as const;
  for (const [name, options] of Object.entries(kinds)) {
    for (const count of [2, 4]) {
      const world = createWorld();
      const bars: RigidBody[] = [];
      for (let i = 0; i < count; i++) {
        const bar = world.createBody({
          mass: 1,
          position: [i + 0.5, 0, 0],
          shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] },
        });
        const place = { anchor: [i, 0, 0], axis: [0.8, 0.5, -0.3] } as const;
        world.createJoint({ ...options, ...place, bodyA: bars[i - 1], bodyB: bar });
        bars.push(bar);
      }
      let most = 0;
      run(world, 20, () => {
        let energy = 0;
        for (const bar of bars) energy += 0.5 * length(velocity(bar)) ** 2 + 9.81 * position(bar)[1];
        most = Math.max(most, energy / (9.81 * count));
      });
      // Half a bar: servos and stretched joints may lift, but they do not throw.
      m.atMost(`height of the energy, ${count} bars, ${name}`, most, 0.5, 'm');
      world.dispose();
    }
  }
});

// A body that turns but cannot move along an axis: its anchors and its locked angles hold the same.
row('bars on joints that are held in one or all directions, and turn, gain no energy', (m) => {
  const bar = { type: 'box', halfExtents: [0.4, 0.1, 0.15] } as const;
  const held = {
    'in a plane, hinge': {
      linearFactor: [1, 1, 0],
      type: 'hinge',
      axis: [0, 0, 1],
      angle: { low: -0.3, high: 0.3 },
    },
    'on a line, fixed': { linearFactor: [0, 1, 0], angularFactor: [0, 0, 1], type: 'fixed' },
    'at a point, hinge': { linearFactor: [0, 0, 0], type: 'hinge', axis: [0, 0, 1] },
    'at a point, fixed': { linearFactor: [0, 0, 0], type: 'fixed' },
  } as const;
  for (const [name, options] of Object.entries(held)) {
    const { linearFactor, angularFactor, ...joint } = { angularFactor: [1, 1, 1], ...options } as const;
    const world = createWorld();
    const first = world.createBody({ mass: 1, position: [0.5, 0, 0], mask: 0, shape: bar });
    first.setLinearFactor(linearFactor);
    first.setAngularFactor(angularFactor);
    const second = world.createBody({ mass: 2, position: [1.5, 0, 0], mask: 0, shape: bar });
    if (name.startsWith('in a plane')) second.setLinearFactor(linearFactor);
    world.createJoint({ ...joint, bodyB: first, anchor: [0, 0, 0] });
    world.createJoint({ ...joint, bodyA: first, bodyB: second, anchor: [1, 0, 0] });
    let most = 0;
    let apart = 0;
    run(world, 10, () => {
      const energy = (b: RigidBody) => b.mass * (0.5 * length(velocity(b)) ** 2 + 9.81 * position(b)[1]);
      most = Math.max(most, energy(first) + energy(second));
      for (const j of world.joints()) apart = Math.max(apart, gap(j));
    });
    m.atMost(`energy above the start, ${name}`, most, 0.1, 'J');
    m.atMost(`gap, ${name}`, apart * 1000, 50, 'mm');
    world.dispose();
  }
});

// The first bar cannot move at all: it turns about its centre only, and a joint holds its end. The second swings on it.
row('a pendulum on a bar that only turns keeps its energy, and its joints read its weight', (m) => {
  const shape = { type: 'box', halfExtents: [0.4, 0.1, 0.15] } as const;
  for (const type of ['hinge', 'point'] as const) {
    const world = createWorld();
    const place = [0.5, 0, 0] as const;
    const held = world.createBody({ mass: 1, position: place, linearFactor: [0, 0, 0], mask: 0, shape });
    const bar = world.createBody({ mass: 2, position: [1.5, 0, 0], mask: 0, shape });
    const axis = [0, 0, 1] as const;
    const joints = [
      world.createJoint({ type, bodyB: held, anchor: [0, 0, 0], axis }),
      world.createJoint({ type, bodyA: held, bodyB: bar, anchor: [1, 0, 0], axis }),
    ];
    let worst = 0;
    let force = 0;
    run(world, 10, () => {
      const turning = ((0.4 ** 2 + 0.1 ** 2) / 3) * spin(bar)[2] ** 2;
      worst = Math.max(worst, Math.abs(length(velocity(bar)) ** 2 + turning + 2 * 9.81 * position(bar)[1]));
      for (const joint of joints) force = Math.max(force, length(joint.getAppliedImpulse()) / DT);
    });
    m.atMost(`energy gained or lost, ${type}`, worst, 0.2, 'J');
    // Three weights at the lowest point at most, twice that at the end of the lever.
    m.atMost(`largest force, ${type}`, force, 6 * 2 * 9.81, 'N');
    world.dispose();
  }
});
