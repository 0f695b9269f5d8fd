// Machines whose joints form closed loops, and lock more than their bodies have degrees of freedom: all hinges of a plane
// linkage hold the plane. A leg of Theo Jansen's walker (seven bodies, ten hinges, 50 locked directions), walkers of four
// and eight legs, plates in a grid, a scissor lift, a bridge between two posts.
// Truth: rigid bodies on ideal joints, which do not gape, and a crank that turns as its motor says; the walkers' speeds and
// way at 480 Hz.
import { legAt } from '../../demo/scenes/walker';
import type { BodyOptions, Joint, RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { length, sub, type Vec3 } from './support/vector';
import { createWorld, velocity } from './support/world';

type Point = readonly [number, number];

const RATES = [30, 60, 144];

/** mm. The largest gap of joints that lock their anchors. */
function gapOf(joints: readonly Joint[]): number {
  let most = 0;
  for (const joint of joints) {
    const { a, b } = joint.getAnchors();
    most = Math.max(most, length(sub(a as Vec3, b as Vec3)));
  }
  return 1000 * most;
}

/** A hull of cubes of 2 cm about the points; it touches nothing. */
function plate(world: World, ...corners: Point[]): RigidBody {
  return flat(world, 0, corners);
}

function flat(world: World, z: number, corners: Point[], options: BodyOptions = {}): RigidBody {
  const x = corners.reduce((sum, p) => sum + p[0], 0) / corners.length;
  const y = corners.reduce((sum, p) => sum + p[1], 0) / corners.length;
  const points: Vec3[] = [];
  for (const p of corners)
    for (let i = 0; i < 8; i++)
      points.push([
        p[0] - x + (i & 1 ? 0.01 : -0.01),
        p[1] - y + (i & 2 ? 0.01 : -0.01),
        i & 4 ? 0.01 : -0.01,
      ]);
  return world.createBody({ position: [x, y, z], mask: 0, shape: { type: 'hull', points }, ...options });
}

function hinge(world: World, at: Point, bodyA: RigidBody | undefined, bodyB: RigidBody): Joint {
  return world.createJoint({ type: 'hinge', bodyA, bodyB, anchor: [...at, 0], axis: [0, 0, 1], angle: {} });
}

row("a leg of Jansen's walker turns with its crank, and its joints do not gape", (m) => {
  for (const hertz of RATES)
    for (const torque of [10, 1000]) {
      const world = createWorld();
      const { still, pin, knee, low, back, ankle, foot } = legAt([1, 0]);
      const crank = plate(world, [0, 0], pin);
      const upper = plate(world, pin, knee);
      const lower = plate(world, pin, low);
      const rocker = plate(world, still, low);
      const link = plate(world, back, ankle);
      const thigh = plate(world, still, knee, back);
      const shank = plate(world, low, ankle, foot);
      const drive = hinge(world, [0, 0], undefined, crank);
      const joints = [
        drive,
        hinge(world, pin, crank, upper),
        hinge(world, pin, crank, lower),
        hinge(world, still, undefined, thigh),
        hinge(world, still, undefined, rocker),
        hinge(world, knee, upper, thigh),
        hinge(world, low, lower, rocker),
        hinge(world, low, rocker, shank),
        hinge(world, back, thigh, link),
        hinge(world, ankle, link, shank),
      ];
      drive.setMotor('angle', { velocity: 3, maxForce: torque });
      let most = 0;
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        most = Math.max(most, gapOf(joints));
      }
      m.atMost(`gap, ${torque} N·m, ${hertz} Hz`, most, 0.1, 'mm');
      m.near(`angle after 5 s, ${torque} N·m, ${hertz} Hz`, drive.getPosition('angle'), 15, 0.15, 'rad');
      world.dispose();
    }
});

/**
 * Legs in pairs, side by side on one chassis and one axle of cranks, which a motor turns. With `pivots`, each loop closes in a joint that
 * holds two directions: hinges hold the plane already.
 */
function walkerOf(world: World, legs: number, pivots = false) {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const height = 1.1;
  const box = (halfExtents: Vec3, density: number) =>
    world.createBody({ position: [0, height, 0], mask: 0, shape: { type: 'box', halfExtents, density } });
  const chassis = box([0.4, 0.1, 0.5], 200);
  const axle = box([0.05, 0.05, 0.5], 500);
  const bodies = [chassis, axle];
  const drive = hinge(world, [0, height], chassis, axle);
  drive.setMotor('angle', { velocity: 4, maxForce: 2000 });
  const joints = [drive];
  for (let i = 0; i < legs; i++) {
    const mirror = i & 1 ? -1 : 1;
    const side = i & 2 ? 1 : -1;
    const pair = i >> 2;
    const z = side * (0.3 + 0.15 * pair);
    const angle = (2 * Math.PI * (2 * pair + (side > 0 ? 1 : 0))) / (legs / 2);
    const points = Object.entries(legAt([mirror * Math.cos(angle), Math.sin(angle)]));
    const place = Object.fromEntries(
      points.map(([name, p]) => [name, [mirror * p[0], p[1] + height] as Point]),
    );
    const { still, pin, knee, low, back, ankle, foot } = place as ReturnType<typeof legAt>;
    const upper = flat(world, z, [pin, knee]);
    const lower = flat(world, z, [pin, low]);
    const rocker = flat(world, z, [still, low]);
    const link = flat(world, z, [back, ankle]);
    const thigh = flat(world, z, [still, knee, back]);
    const shank = flat(world, z, [low, ankle, foot], { group: 4, mask: 2 | 1 });
    shank.setMaterial({ friction: 1.5 });
    bodies.push(upper, lower, rocker, link, thigh, shank);
    const turn = (at: Point, bodyA: RigidBody, bodyB: RigidBody) =>
      joints.push(
        world.createJoint({ type: 'hinge', bodyA, bodyB, anchor: [...at, z], axis: [0, 0, 1], angle: {} }),
      );
    const close = (at: Point, bodyA: RigidBody, bodyB: RigidBody) =>
      pivots
        ? joints.push(world.createJoint({ type: 'generic', bodyA, bodyB, anchor: [...at, z], z: {} }))
        : turn(at, bodyA, bodyB);
    close(pin, axle, upper);
    close(pin, axle, lower);
    turn(still, chassis, thigh);
    close(still, chassis, rocker);
    turn(knee, upper, thigh);
    turn(low, lower, rocker);
    turn(low, rocker, shank);
    turn(back, thigh, link);
    turn(ankle, link, shank);
  }
  return { chassis, bodies, joints, drive };
}

/** m/s and mm: what was fastest while the world went on, and the widest gap. */
function watch(
  world: World,
  { bodies, joints }: ReturnType<typeof walkerOf>,
  hertz: number,
  seconds: number,
) {
  let fastest = 0;
  let gap = 0;
  for (let i = 0; i < seconds * hertz; i++) {
    world.step(1 / hertz);
    gap = Math.max(gap, gapOf(joints));
    for (const body of bodies) fastest = Math.max(fastest, length(velocity(body)));
  }
  return { fastest, gap };
}

for (const legs of [4, 8])
  row(`a walker of ${legs} legs turns with its axle, falls over or not, and does not explode`, (m) => {
    for (const hertz of legs === 4 ? [30, 60, 120] : [30]) {
      const world = createWorld();
      const walker = walkerOf(world, legs);
      const { chassis, drive } = walker;
      const { fastest, gap } = watch(world, walker, hertz, 10);
      m.atMost(`speed, ${hertz} Hz`, fastest, 12, 'm/s');
      m.atMost(`gap, ${hertz} Hz`, gap, 10, 'mm');
      m.near(`angle after 10 s, ${hertz} Hz`, drive.getPosition('angle'), 40, 0.8, 'rad');
      const [x, , z] = chassis.getPosition();
      if (legs === 8) m.near(`way, ${hertz} Hz`, Math.hypot(x, z), 8.5, 1.3, 'm');
      world.dispose();
    }
  });

// They lock no more directions than their bodies have degrees of freedom, as nets of ball joints do, and were solved as nets are.
row('a walker whose loops close in joints of two directions does not collapse', (m) => {
  for (const [legs, hertz] of [
    [4, 30],
    [4, 60],
    [8, 60],
    [12, 60],
  ] as const) {
    const world = createWorld();
    const walker = walkerOf(world, legs, true);
    const { fastest, gap } = watch(world, walker, hertz, 3);
    const [x, y, z] = walker.chassis.getPosition();
    m.atMost(`speed, ${legs} legs, ${hertz} Hz`, fastest, 12, 'm/s');
    m.atMost(`gap, ${legs} legs, ${hertz} Hz`, gap, 10, 'mm');
    m.near(`angle, ${legs} legs, ${hertz} Hz`, walker.drive.getPosition('angle'), 12, 0.2, 'rad');
    if (legs > 4) m.near(`height, ${legs} legs, ${hertz} Hz`, y, 0.94, 0.05, 'm');
    if (legs > 4) m.atLeast(`way, ${legs} legs, ${hertz} Hz`, Math.hypot(x, z), 1.5, 'm');
    world.dispose();
  }
});

row('a walker whose axle turns in two further bearings does not explode', (m) => {
  for (const hertz of [30, 60]) {
    const world = createWorld();
    const walker = walkerOf(world, 4);
    const { chassis, bodies, joints, drive } = walker;
    for (const z of [-0.45, 0.45]) {
      const bearing = { bodyA: chassis, bodyB: bodies[1]!, anchor: [0, 1.1, z], axis: [0, 0, 1] } as const;
      joints.push(world.createJoint({ type: 'hinge', ...bearing, angle: {} }));
    }
    const { fastest, gap } = watch(world, walker, hertz, 5);
    m.atMost(`speed, ${hertz} Hz`, fastest, 12, 'm/s');
    m.atMost(`gap, ${hertz} Hz`, gap, 10, 'mm');
    m.near(`angle after 5 s, ${hertz} Hz`, drive.getPosition('angle'), 20, 0.8, 'rad');
    world.dispose();
  }
});

row('plates in a grid of fixed joints or hinges, held at a corner, do not come apart', (m) => {
  for (const hertz of RATES)
    for (const type of ['fixed', 'hinge'] as const) {
      const world = createWorld();
      const joints: Joint[] = [];
      const plates: RigidBody[][] = [];
      const join = (bodyA: RigidBody | undefined, bodyB: RigidBody, x: number, y: number) =>
        joints.push(world.createJoint({ type, bodyA, bodyB, anchor: [x, y, 0], axis: [0, 0, 1] }));
      for (let i = 0; i < 5; i++) {
        plates.push([]);
        for (let k = 0; k < 3; k++) {
          const body = world.createBody({
            mass: 1 + ((i + k) % 3),
            position: [i, k, 0],
            mask: 0,
            shape: { type: 'box', halfExtents: [0.45, 0.45, 0.2] },
          });
          plates[i]!.push(body);
          if (i > 0) join(plates[i - 1]![k], body, i - 0.5, k);
          if (k > 0) join(plates[i]![k - 1], body, i, k - 0.5);
        }
      }
      join(undefined, plates[0]![0]!, -0.5, 0);
      let most = 0;
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        most = Math.max(most, gapOf(joints));
      }
      m.atMost(`gap, ${type}, ${hertz} Hz`, most, 0.2, 'mm');
      world.dispose();
    }
});

row('a scissor lift of five stages stands under its own weight and a load', (m) => {
  for (const hertz of RATES)
    for (const mass of [0, 1]) {
      const world = createWorld();
      const [x, y] = [0.4, 0.3]; // half of a stage
      const joints: Joint[] = [];
      let before: [RigidBody, RigidBody] | undefined;
      for (let stage = 0; stage < 5; stage++) {
        const base = 2 * y * stage;
        const rising = plate(world, [-x, base], [x, base + 2 * y]);
        const falling = plate(world, [x, base], [-x, base + 2 * y]);
        joints.push(hinge(world, [0, base + y], rising, falling));
        joints.push(hinge(world, [-x, base], before?.[1], rising));
        joints.push(hinge(world, [x, base], before?.[0], falling));
        before = [rising, falling];
      }
      const top = before![0];
      const height = top.getPosition()[1];
      if (mass > 0) {
        const sphere = { type: 'sphere', radius: 0.1 } as const;
        const load = world.createBody({ mass, position: [x, 10 * y, 0], mask: 0, shape: sphere });
        joints.push(hinge(world, [x, 10 * y], top, load));
      }
      let most = 0;
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        most = Math.max(most, gapOf(joints));
      }
      m.atMost(`gap, ${mass} kg, ${hertz} Hz`, most, 0.05, 'mm');
      m.near(`sunk by, ${mass} kg, ${hertz} Hz`, (height - top.getPosition()[1]) * 1000, 0, 1, 'mm');
      world.dispose();
    }
});

// 24 planks of 20 kg, 12 m from post to post, hung in a parabola: the horizontal pull of a cable is w l² / (8 f).
row('a bridge of hinges with a sag of 10 cm hangs still, and pulls as a cable does', (m) => {
  for (const hertz of [30, 60]) {
    const world = createWorld();
    const joints: Joint[] = [];
    const planks: RigidBody[] = [];
    const count = 24;
    const height = (i: number) => 0.1 * ((2 * i) / count - 1) ** 2;
    for (let i = 0; i <= count; i++) {
      const half = Math.atan2(height(i + 1) - height(i), 0.5) / 2;
      if (i < count)
        planks.push(
          world.createBody({
            mass: 20,
            position: [(i + 0.5) / 2, (height(i) + height(i + 1)) / 2, 0],
            rotation: [0, 0, Math.sin(half), Math.cos(half)],
            mask: 0,
            shape: { type: 'box', halfExtents: [0.24, 0.05, 0.5] },
          }),
        );
      const place = { anchor: [i / 2, height(i), 0], axis: [0, 0, 1] } as const;
      joints.push(world.createJoint({ type: 'hinge', bodyA: planks[i - 1], bodyB: planks[i], ...place }));
    }
    let fastest = 0;
    let pull = 0;
    for (let i = 0; i < 10 * hertz; i++) {
      world.step(1 / hertz);
      if (i < 8 * hertz) continue;
      for (const plank of planks) fastest = Math.max(fastest, length(velocity(plank)));
      pull += Math.abs(joints[0]!.getAppliedImpulse()[0]) / 2;
    }
    m.atMost(`speed after 8 s, ${hertz} Hz`, fastest, 0.05, 'm/s');
    m.near(`pull, ${hertz} Hz`, pull, (480 * 9.81 * 12) / (8 * 0.1), 2000, 'N');
    world.dispose();
  }
});
