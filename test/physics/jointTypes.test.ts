// Every type of joint as Bullet documents it: a cube at rest stays, free axes move as without the joint, locked
// ones do not, limits hold on both sides, motors turn the way that their sign says, angles read as they are.

import { quatFromAxisAngle, quatMultiply } from '../../src/base/math';
import type { Joint, JointAxisName, JointOptions, RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { totalsOf } from './support/totals';
import { dot, length, random, rotate, type Vec3 } from './support/vector';
import { createWorld, DT, G, position, rotation, run, spin, velocity } from './support/world';

const CUBE = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
const MOMENT = 1 / 6; // kg·m² of a cube of 1 kg and 1 m
const DEGREE = Math.PI / 180;
const X: Vec3 = [1, 0, 0];
const AXES = ['x', 'y', 'z'] as const;

/** A limited axis: its name, whether it is along (0…2) or about (3…5) an axis of the world, and its limits. */
type Limited = [name: JointAxisName, direction: number, low: number, high: number];
interface Kind {
  options: JointOptions<never>;
  /** Directions that must not move: 0…2 along, 3…5 about x, y, z of the world. */
  locked: number[];
  /** Those that must move as if there were no joint. */
  free: number[];
  limited?: { options: JointOptions<never>; axes: Limited[] };
}
const limit = (low: number, high: number) => ({ low, high });
const BOUNCING = { low: -0.6, high: 0.4, stop: { bounce: 0.5 } };
const at = { anchor: [0, 0, 0] as Vec3 };
const about = { ...at, axis: X };

const KINDS: Record<string, Kind> = {
  point: { options: { type: 'point', ...at }, locked: [0, 1, 2], free: [3, 4, 5] },
  hinge: {
    options: { type: 'hinge', ...about },
    locked: [0, 1, 2, 4, 5],
    free: [3],
    limited: {
      options: { type: 'hinge', ...about, angle: limit(-0.4, 0.9) },
      axes: [['angle', 3, -0.4, 0.9]],
    },
  },
  fixed: { options: { type: 'fixed', ...at }, locked: [0, 1, 2, 3, 4, 5], free: [] },
  'distance, rod': {
    options: { type: 'distance', frameA: { position: [-2, 0, 0] }, distance: limit(2, 2) },
    locked: [0],
    free: [3, 4, 5],
    limited: {
      options: { type: 'distance', frameA: { position: [-2, 0, 0] }, distance: limit(1.5, 2.2) },
      axes: [['distance', 0, 1.5, 2.2]],
    },
  },
  slider: {
    options: { type: 'slider', ...about },
    locked: [1, 2, 3, 4, 5],
    free: [0],
    limited: {
      options: { type: 'slider', ...about, position: limit(-0.3, 0.7) },
      axes: [['position', 0, -0.3, 0.7]],
    },
  },
  'slider with an angle': {
    options: { type: 'slider', ...about, angle: {} },
    locked: [1, 2, 4, 5],
    free: [0, 3],
    limited: {
      options: { type: 'slider', ...about, angle: limit(-0.5, 0.8) },
      axes: [['angle', 3, -0.5, 0.8]],
    },
  },
  coneTwist: {
    options: { type: 'coneTwist', ...about },
    locked: [0, 1, 2],
    free: [3, 4, 5],
    limited: {
      options: { type: 'coneTwist', ...about, twist: limit(-0.3, 0.6), swingY: 0.5, swingZ: 0.8 },
      axes: [
        ['twist', 3, -0.3, 0.6],
        ['swingY', 4, -0.5, 0.5],
        ['swingZ', 5, -0.8, 0.8],
      ],
    },
  },
  generic: {
    options: { type: 'generic', ...at },
    locked: [0, 1, 2],
    free: [3, 4, 5],
    limited: {
      options: {
        type: 'generic',
        ...at,
        x: limit(-0.2, 0.3),
        y: limit(-0.4, 0.5),
        z: limit(-0.6, 0.7),
        angleX: limit(-0.3, 0.4),
        angleY: limit(-0.5, 0.6),
        angleZ: limit(-0.7, 0.8),
      },
      axes: [
        ['x', 0, -0.2, 0.3],
        ['y', 1, -0.4, 0.5],
        ['z', 2, -0.6, 0.7],
        ['angleX', 3, -0.3, 0.4],
        ['angleY', 4, -0.5, 0.6],
        ['angleZ', 5, -0.7, 0.8],
      ],
    },
  },
  'generic, all free': {
    options: { type: 'generic', ...at, x: {}, y: {}, z: {} },
    locked: [],
    free: [0, 1, 2, 3, 4, 5],
  },
  'generic, one of each locked': {
    options: { type: 'generic', ...at, x: {}, y: {}, angleY: limit(0, 0), order: 'zyx' },
    locked: [2, 4],
    free: [0, 1, 3, 5],
  },
  universal: {
    options: { type: 'universal', ...about, axis2: [0, 1, 0] },
    locked: [0, 1, 2, 5],
    free: [3, 4],
    limited: {
      options: {
        type: 'universal',
        ...about,
        axis2: [0, 1, 0],
        angle1: limit(-1, 0.5),
        angle2: limit(-0.4, 0.7),
      },
      axes: [
        ['angle1', 3, -1, 0.5],
        ['angle2', 4, -0.4, 0.7],
      ],
    },
  },
  hinge2: {
    options: { type: 'hinge2', ...about, axis2: [0, 0, 1], position: {}, steering: {} },
    locked: [1, 2, 4],
    free: [0, 3, 5],
    limited: {
      options: { type: 'hinge2', ...about, axis2: [0, 0, 1], position: limit(-0.1, 0.2) },
      axes: [
        ['position', 0, -0.1, 0.2],
        ['steering', 3, -Math.PI / 4, Math.PI / 4],
      ],
    },
  },
};

function linked(options: JointOptions<never>): { world: World; cube: RigidBody; joint: Joint } {
  const world = createWorld({ gravity: [0, 0, 0] });
  const cube = world.createBody({ mass: 1, shape: CUBE });
  return { world, cube, joint: world.createJoint({ ...options, bodyB: cube } as JointOptions<RigidBody>) };
}

/** Pushes along (0…2, N) or about (3…5, N·m) an axis of the world in every step. */
function push(world: World, cube: RigidBody, direction: number, strength: number, seconds: number): void {
  const v: Vec3 = [0, 0, 0];
  v[direction % 3] = strength;
  for (let i = 0; i < seconds * 60; i++) {
    if (direction < 3) cube.applyCentralForce(v);
    else cube.applyTorque(v);
    world.step(DT);
  }
}

const turnOf = (cube: RigidBody) => {
  const [x, y, z, w] = cube.getRotation();
  return 2 * Math.atan2(length([x, y, z]), Math.abs(w));
};
const called = (direction: number) => `${direction < 3 ? 'along' : 'about'} ${AXES[direction % 3]}`;

for (const [name, kind] of Object.entries(KINDS))
  row(`joint: ${name}`, (m) => {
    const rest = linked(kind.options);
    run(rest.world, 1);
    m.atMost('moves at rest', length(position(rest.cube)) + turnOf(rest.cube), 1e-6);
    for (const direction of kind.locked) {
      const { world, cube } = linked(kind.options);
      push(world, cube, direction, direction < 3 ? 10 : 10 * MOMENT, 1);
      if (direction < 3) m.atMost(`locked ${called(direction)}`, length(position(cube)) * 1000, 0.1, 'mm');
      else m.atMost(`locked ${called(direction)}`, turnOf(cube) / DEGREE, 0.01, '°');
    }
    for (const direction of kind.free) {
      const { world, cube } = linked(kind.options);
      push(world, cube, direction, direction < 3 ? 1 : MOMENT, 0.5);
      const speed = (direction < 3 ? velocity(cube) : spin(cube))[direction % 3]!;
      m.near(`free ${called(direction)}: speed after 0.5 s`, speed, 0.5, 0.005);
    }
    for (const [axis, direction, low, high] of kind.limited?.axes ?? [])
      for (const end of [low, high]) {
        const { world, cube, joint } = linked(kind.limited!.options);
        const strength = (end < (low + high) / 2 ? -1 : 1) * (direction < 3 ? 20 : 20 * MOMENT);
        push(world, cube, direction, strength, 4);
        const reached =
          direction < 3 ? position(cube)[direction]! : strength > 0 ? turnOf(cube) : -turnOf(cube);
        const truth = axis === 'distance' ? end - 2 : end;
        if (direction < 3) m.near(`${axis} stops at ${end}`, reached * 1000, truth * 1000, 1, 'mm');
        else m.near(`${axis} stops at ${end.toFixed(2)}`, reached / DEGREE, truth / DEGREE, 0.1, '°');
        if (axis === 'swingY' || axis === 'swingZ') continue;
        m.near(`${axis} reads ${end.toFixed(2)}`, joint.getPosition(axis), end, 0.002);
        m.holds(`${axis} says so`, joint.getLimitState(axis) === (strength < 0 ? 'low' : 'high'));
      }
  });

row('joint: signs of positions, angles and motors are those of B against A', (m) => {
  const motor = { motor: { velocity: 1, maxForce: 100 } };
  const driven: [JointOptions<never>, JointAxisName, number][] = [
    [{ type: 'hinge', ...about, angle: motor }, 'angle', 3],
    [{ type: 'slider', ...about, position: motor }, 'position', 0],
    [{ type: 'slider', ...about, angle: motor }, 'angle', 3],
    [{ type: 'coneTwist', ...about, twist: motor }, 'twist', 3],
    [{ type: 'generic', ...at, y: motor }, 'y', 1],
    [{ type: 'generic', ...at, angleX: motor }, 'angleX', 3],
    [{ type: 'generic', ...at, angleY: motor }, 'angleY', 4],
    [{ type: 'generic', ...at, angleZ: motor, order: 'yxz' }, 'angleZ', 5],
    [{ type: 'universal', ...about, angle1: motor }, 'angle1', 3],
    [{ type: 'universal', ...about, angle2: motor }, 'angle2', 4],
    [{ type: 'hinge2', ...about, steering: motor }, 'steering', 3],
    [{ type: 'hinge2', ...about, spin: motor }, 'spin', 5],
  ];
  for (const [options, axis, direction] of driven) {
    const { world, cube, joint } = linked(options);
    run(world, 0.5);
    const speed = (direction < 3 ? velocity(cube) : spin(cube))[direction % 3]!;
    m.near(`${options.type}: B moves ${called(direction)}`, speed, 1, 0.01);
    m.near(`${options.type}: ${axis} grows`, joint.getPosition(axis), 0.5, 0.02);
    const turned = createWorld({ gravity: [0, 0, 0] });
    const a = turned.createBody({ mass: 1, shape: CUBE });
    const other = turned.createJoint({ ...options, bodyA: a } as JointOptions<RigidBody>);
    run(turned, 0.5);
    const back = (direction < 3 ? velocity(a) : spin(a))[direction % 3]!;
    m.near(`${options.type}: A moves the other way`, back, -1, 0.01);
    m.near(`${options.type}: ${axis} grows for A alone`, other.getPosition(axis), 0.5, 0.02);
  }
});

row('joint: Euler angles of a generic joint in all six orders', (m) => {
  const angles = { x: 0.5, y: -0.7, z: 1.1 };
  for (const order of ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx'] as const) {
    const world = createWorld({ gravity: [0, 0, 0] });
    let rotation: [number, number, number, number] = [0, 0, 0, 1];
    for (const axis of order) {
      const v: Vec3 = [axis === 'x' ? 1 : 0, axis === 'y' ? 1 : 0, axis === 'z' ? 1 : 0];
      rotation = quatMultiply(rotation, quatFromAxisAngle(v, angles[axis as 'x']));
    }
    const cube = world.createBody({ mass: 1, rotation, shape: CUBE });
    const joint = world.createJoint({
      type: 'generic',
      bodyB: cube,
      order,
      frameA: { rotation: [0, 0, 0, 1] },
      frameB: { rotation: [0, 0, 0, 1] },
    });
    run(world, DT);
    const error = AXES.map((axis) =>
      Math.abs(joint.getPosition(`angle${axis.toUpperCase()}` as JointAxisName) - angles[axis]),
    );
    m.atMost(`error of the angles, ${order}`, Math.max(...error), 1e-5, 'rad');
    // A motor about the middle axis changes that angle alone.
    const middle = order[1]!.toUpperCase();
    joint.setMotor(`angle${middle}` as JointAxisName, { velocity: 0.5, maxForce: 100 });
    for (const axis of AXES)
      if (axis !== order[1])
        joint.setLimits(`angle${axis.toUpperCase()}` as JointAxisName, angles[axis], angles[axis]);
    run(world, 0.5);
    for (const axis of AXES) {
      const truth = angles[axis] + (axis === order[1] ? 0.25 : 0);
      m.near(
        `${order}: angle ${axis}`,
        joint.getPosition(`angle${axis.toUpperCase()}` as JointAxisName),
        truth,
        0.01,
      );
    }
  }
});

row('joint: mouse and motor pull with their force and no more', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const cube = world.createBody({ mass: 1, shape: CUBE });
  const mouse = world.createJoint({ type: 'mouse', bodyB: cube, target: [0, 0, 0], maxForce: 5 });
  mouse.setTarget([10, 0, 0]);
  run(world, 1);
  m.near('mouse: speed after 1 s at 5 N', velocity(cube)[0], 5, 0.05, 'm/s');
  mouse.setTarget([2, 1, 0]);
  mouse.setSoftness(5, 1, 500);
  run(world, 3);
  m.atMost(
    'mouse: distance to the target',
    length([position(cube)[0] - 2, position(cube)[1] - 1, 0]),
    0.001,
    'm',
  );
  mouse.remove();
  const rotation = quatFromAxisAngle([0, 0, 1], 1);
  world.createJoint({
    type: 'motor',
    bodyB: cube,
    frameA: { position: [0, 3, 1], rotation },
    maxForce: 50,
    maxTorque: 10,
  });
  run(world, 5);
  const p = position(cube);
  m.atMost('motor: distance to its pose', length([p[0], p[1] - 3, p[2] - 1]), 0.001, 'm');
  m.near('motor: angle', turnOf(cube), 1, 0.001, 'rad');
});

row('joint: gears turn by their ratio and lose no tooth', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const wheel = (x: number) => {
    const body = world.createBody({
      mass: 1,
      position: [x, 0, 0],
      shape: { type: 'cylinder', radius: 0.5, halfHeight: 0.1, axis: 'z' },
    });
    return [
      body,
      world.createJoint({ type: 'hinge', bodyB: body, anchor: [x, 0, 0], axis: [0, 0, 1] }),
    ] as const;
  };
  const [first, second, third] = [wheel(0), wheel(2), wheel(4)];
  const frame = { frameA: { axis: [0, 0, 1] as Vec3 }, frameB: { axis: [0, 0, 1] as Vec3 } };
  world.createJoint({ type: 'gear', bodyA: first[0], bodyB: second[0], ratio: 2, ...frame });
  const last = world.createJoint({ type: 'gear', bodyA: second[0], bodyB: third[0], ratio: -0.5, ...frame });
  first[1].setMotor('angle', { velocity: 3, maxForce: 50 });
  run(world, 20);
  const angle = first[1].getPosition('angle');
  m.near('the first has turned', angle, 60, 0.5, 'rad');
  m.near('the second, against it', second[1].getPosition('angle'), -angle / 2, 0.01, 'rad');
  m.near('the third, with the second', third[1].getPosition('angle'), -angle, 0.01, 'rad');
  last.setRatio(1);
  run(world, 1);
  m.near('with another ratio', spin(third[0])[2], -spin(second[0])[2], 0.01, 'rad/s');
});

row("joint: limits yield by Bullet's erp and cfm, and bounce", (m) => {
  const held = (stop: { erp?: number; cfm?: number; bounce?: number }, locked: boolean) => {
    const world = createWorld();
    const cube = world.createBody({ mass: 2, shape: CUBE });
    const position = { low: 0, high: locked ? 0 : 5, stop };
    world.createJoint({ type: 'slider', bodyB: cube, anchor: [0, 0, 0], axis: [0, 1, 0], position });
    run(world, 10);
    return cube;
  };
  for (const locked of [false, true]) {
    const truth = (0.05 * G * DT * DT) / 0.2; // whatever the mass: cfm is a share of its inverse
    m.near(
      `sag, locked ${locked}`,
      -position(held({ erp: 0.2, cfm: 0.05 }, locked))[1],
      truth,
      0.01 * truth,
      'm',
    );
    m.near(`stiff, locked ${locked}`, position(held({ erp: 0.5 }, locked))[1], 0, 1e-4, 'm');
  }
  const world = createWorld();
  const cube = world.createBody({ mass: 2, position: [0, 2, 0], shape: CUBE });
  const frameA = { position: [0, 0, 0] as Vec3, axis: [0, 1, 0] as Vec3 };
  const stop = { bounce: 0.6 };
  world.createJoint({
    type: 'slider',
    bodyB: cube,
    frameA,
    frameB: frameA,
    position: { low: 0, high: 5, stop },
  });
  let top = 0;
  let fell = false;
  run(world, 1.4, () => {
    if (position(cube)[1] < 0.1) fell = true;
    if (fell) top = Math.max(top, position(cube)[1]);
  });
  m.near('height after a bounce', top / 2, 0.36, 0.36 * 0.03);
});

row("joint: locks of joints without axes yield by Bullet's erp and cfm", (m) => {
  // Truth: x = cfm g dt²/erp for any mass, which ammo.js shows as 6.965 mm where this says 6.944.
  for (const [type, mass, erp, cfm] of [
    ['point', 2, 0.2, 0.5],
    ['point', 8, 0.2, 0.5],
    ['point', 2, 0.8, 0.1],
    ['fixed', 2, 0.2, 0.5],
  ] as const) {
    const world = createWorld({ gravity: [0, -10, 0] });
    const cube = world.createBody({ mass, shape: CUBE });
    const joint = world.createJoint({ type, bodyB: cube, anchor: [0, 0, 0], erp, cfm });
    run(world, 10);
    const truth = (cfm * 10) / 3600 / erp;
    m.near(`sag, ${type}, ${mass} kg`, -position(cube)[1], truth, 0.01 * truth, 'm');
    m.near(`force, ${type}, ${mass} kg`, joint.getAppliedImpulse()[1] * 60, 10 * mass, 0.01 * mass, 'N');
  }
  // A body set off its anchor: each step takes away the share erp of the rest.
  const world = createWorld({ gravity: [0, 0, 0] });
  const cube = world.createBody({ mass: 2, shape: CUBE });
  const joint = world.createJoint({ type: 'point', bodyB: cube, anchor: [0, 0, 0] });
  joint.setErp(0.2);
  cube.setPosition([0.1, 0, 0]);
  world.step(DT);
  m.near('left after a step', position(cube)[0] / 0.1, 0.8, 0.04);
  joint.setSoftness(0);
  run(world, 1);
  m.near('stiff again', position(cube)[0], 0, 1e-4, 'm');
});

// 1 m at 10 m/s: six steps of 1/60 s end exactly at the limit.
row('joint: a limit that is reached at the end of a step bounces as any other', (m) => {
  for (const hz of [30, 60, 240])
    for (const speed of [1, 10, 100])
      for (const type of ['slider', 'hinge'] as const) {
        const world = createWorld({ gravity: [0, 0, 0] });
        const slides = type === 'slider';
        const cube = world.createBody({
          mass: 2,
          [slides ? 'linearVelocity' : 'angularVelocity']: [speed, 0, 0],
          shape: CUBE,
        });
        const stop = { low: -1, high: 1, stop: { bounce: 1 } };
        world.createJoint({
          type,
          bodyB: cube,
          ...about,
          [slides ? 'position' : 'angle']: stop,
        } as JointOptions<RigidBody>);
        const steps = Math.ceil((1.5 * hz) / speed) + 2;
        for (let i = 0; i < steps; i++) world.step(1 / hz);
        const after = slides ? velocity(cube) : spin(cube);
        m.near(`speed after it, ${type}, ${hz} Hz, ${speed}`, length(after), speed, 0.002 * speed);
        world.dispose();
      }
});

row('joint: what bounces at the limit of an angle never gains energy', (m) => {
  for (const [name, options] of [
    ['universal', { type: 'universal', axis: [0, 1, 0], axis2: [0, 0, 1], angle2: BOUNCING }],
    ['generic', { type: 'generic', angleZ: BOUNCING }],
  ] as [string, JointOptions<never>][]) {
    const world = createWorld();
    const arm = world.createBody({
      mass: 2,
      position: [0.5, 0, 0],
      shape: { type: 'box', halfExtents: [0.4, 0.2, 0.3] },
    });
    world.createJoint({ ...options, anchor: [0, 0, 0], bodyB: arm } as never);
    let most = 0;
    let impacts = 0;
    let before = 0;
    run(world, 6, () => {
      const v = velocity(arm)[1];
      if (v > 0 && before < -0.3) impacts++;
      before = v;
      most = Math.max(most, 0.5 * 2 * length(velocity(arm)) ** 2 + 2 * G * position(arm)[1]);
    });
    m.atLeast(`${name}: impacts`, impacts, 2);
    m.atMost(`${name}: energy above the start`, most, 0.05, 'J');
  }
});

/** Largest rise of the energy of two capsules on a joint that fall on a floor, as a share of that at the start. */
function fallOf(type: 'hinge' | 'slider', seed: number, bounce: number): number {
  const next = random(seed);
  const world = createWorld();
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0], friction: 1 } });
  const height = 3 + 3 * next();
  const masses = [1, [1, 3, 10][seed % 3]!];
  const bodies = masses.map((mass, i) =>
    world.createBody({
      mass,
      position: [0, height + 0.3 * i, 0],
      rotation: quatFromAxisAngle([next() - 0.5, next() - 0.5, next() - 0.5], 6 * next()),
      shape: { type: 'capsule', radius: 0.06, halfHeight: 0.05, friction: 0.5 },
    }),
  );
  const [bodyA, bodyB] = bodies as [RigidBody, RigidBody];
  const anchor: Vec3 = [0, height + 0.15, 0];
  const stop = { bounce };
  if (type === 'hinge')
    world.createJoint({ type, bodyA, bodyB, anchor, axis: [0, 0, 1], angle: { low: -0.3, high: 0.3, stop } });
  else
    world.createJoint({
      type,
      bodyA,
      bodyB,
      anchor,
      axis: [0, 1, 0],
      position: { low: -0.1, high: 0.1, stop },
    });
  const totals = totalsOf(bodies);
  const energy = () =>
    totals.energy() + bodies.reduce((sum, body, i) => sum + masses[i]! * G * position(body)[1], 0);
  const start = energy();
  let least = start;
  let rise = 0;
  run(world, 2, () => {
    const now = energy();
    rise = Math.max(rise, now - least);
    least = Math.min(least, now);
  });
  world.dispose();
  return rise / start;
}

// Two impacts at once, at the floor and at the limit: the limit reflected speeds of its pass that were gone at its end.
// Of pairs on a slider whose limits lose no speed, some left with thousands of times their energy.
row('joint: what has limits that bounce gains hardly more in a fall than what has none', (m) => {
  const mean = (type: 'hinge' | 'slider', bounce: number) =>
    Array.from({ length: 100 }, (_, seed) => fallOf(type, seed, bounce)).reduce(
      (sum, rise) => sum + rise,
      0,
    ) / 100;
  m.atMost('hinge: mean rise of 100 falls, share of the energy', mean('hinge', 0.7), 0.014);
  m.atMost('hinge: the same without bounce', mean('hinge', 0), 0.011);
  m.atMost('slider: mean rise of 100 falls, share of the energy', mean('slider', 1), 0.02);
  m.atMost('slider: the same without bounce', mean('slider', 0), 0.02);
});

// As Euler angles the locks were singular at a right angle of the middle one: what turned at 2 rad/s turned at 84 rad/s behind it.
row('joint: a generic joint with one free angle turns about it without end, as a hinge does', (m) => {
  for (const order of ['xyz', 'zyx', 'yxz'] as const)
    for (const [i, name] of (['angleX', 'angleY', 'angleZ'] as const).entries())
      for (const soft of [{}, { hertz: 20 }])
        for (const speed of [2, 10]) {
          const world = createWorld({ gravity: [0, 0, 0] });
          const bar = world.createBody({
            mass: 1,
            angularVelocity: [0, 1, 2].map((k) => (k === i ? speed : 0)) as Vec3,
            shape: { type: 'box', halfExtents: [0.5, 0.2, 0.3] },
          });
          const lock = { low: 0, high: 0 };
          const locks = { angleX: lock, angleY: lock, angleZ: lock, [name]: {} };
          world.createJoint({ type: 'generic', bodyB: bar, ...at, order, ...soft, ...locks });
          let furthest = 0;
          run(world, 4, () => {
            furthest = Math.max(
              furthest,
              length(spin(bar).map((w, k) => w - (k === i ? speed : 0)) as unknown as Vec3),
            );
          });
          m.atMost(`change of the spin, ${name}, ${order}, ${speed}`, furthest, 0.01 * speed, 'rad/s');
          world.dispose();
        }
});

// Truth: an ideal joint does no work, and the angle about axis2 has no end.
row('joint: a universal joint turns past a right angle, and gains no energy', (m) => {
  for (const soft of [{}, { erp: 0.2 }]) {
    let gained = 0;
    let slack = 0;
    let furthest = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const next = random(seed);
      const some = (size: number): Vec3 => [
        size * (next() - 0.5),
        size * (next() - 0.5),
        size * (next() - 0.5),
      ];
      const world = createWorld();
      const arm = world.createBody({
        mass: 2,
        position: [0.5, 0, 0],
        angularVelocity: some(4),
        shape: { type: 'box', halfExtents: [0.4, 0.2, 0.3] },
      });
      const tilt = quatFromAxisAngle([0.6, 0, 0.8], 6 * next());
      const frame = { position: [0, 0, 0] as Vec3, rotation: tilt };
      const joint = world.createJoint({
        type: 'universal',
        bodyB: arm,
        frameA: frame,
        frameB: { ...frame, position: [-0.5, 0, 0] },
        ...soft,
      });
      const { energy } = totalsOf([arm]);
      const total = () => energy() + 2 * G * position(arm)[1];
      let before = Infinity;
      run(world, 10, () => {
        if (before === Infinity) before = total(); // the first step makes the speed at the anchor 0
        gained = Math.max(gained, total() - before);
        const a = rotate(tilt, [1, 0, 0]);
        const b = rotate(rotation(arm), rotate(tilt, [0, 1, 0]));
        slack = Math.max(slack, Math.abs(dot(a, b)));
        furthest = Math.max(furthest, Math.abs(joint.getPosition('angle2')));
      });
      world.dispose();
    }
    const name = 'erp' in soft ? ', erp 0.2' : '';
    m.atLeast(`angle about axis2${name}`, furthest, Math.PI / 2, 'rad');
    m.atMost(`axes from square${name}`, slack, 'erp' in soft ? 0.05 : 0.002, 'rad');
    m.atMost(`energy above the start${name}`, gained, 0.1, 'J');
  }
});

// A hinge that yields turns, stops and is driven as a stiff one; only its anchors may move.
row('joint: motor, servo and limit of a hinge with soft locks', (m) => {
  const softness = {
    '5 Hz': { hertz: 5 },
    '20 Hz': { hertz: 20 },
    '60 Hz, damping 0.2': { hertz: 60, dampingRatio: 0.2 },
    'erp 0.2': { erp: 0.2 },
  };
  const strong = { maxForce: 1000 };
  for (const [name, soft] of Object.entries(softness)) {
    const make = (angle: object, gravity: Vec3) => {
      const world = createWorld({ gravity });
      const arm = world.createBody({
        mass: 2,
        position: [0.5, 0, 0],
        shape: { type: 'box', halfExtents: [0.4, 0.1, 0.1] },
      });
      const place = { anchor: [0, 0, 0], axis: [0, 0, 1] } as const;
      const joint = world.createJoint({ type: 'hinge', bodyB: arm, ...place, ...soft, angle });
      run(world, 2);
      return { arm, joint };
    };
    const driven = make({ motor: { velocity: 3, ...strong } }, [0, 0, 0]);
    m.near(`speed of a motor, ${name}`, spin(driven.arm)[2], 3, 0.01, 'rad/s');
    m.near(`turned by it, ${name}`, driven.joint.getPosition('angle'), 6, 0.1, 'rad');
    const aimed = make({ servo: { target: 1, maxVelocity: 3, ...strong } }, [0, 0, 0]);
    m.near(`angle of a servo, ${name}`, aimed.joint.getPosition('angle'), 1, 0.005, 'rad');
    const stopped = make(limit(-0.5, 0.5), [0, -G, 0]);
    m.near(`at its limit, ${name}`, stopped.joint.getPosition('angle'), -0.5, 0.01, 'rad');
    m.atMost(`speed at its limit, ${name}`, length(spin(stopped.arm)), 0.01, 'rad/s');
  }
});
