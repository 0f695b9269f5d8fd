// Every constraint beside Bullet's own: which way motors turn, limits lie, springs rest. In: a body held to another, or
// to the world, and pushed. Out: where it stands after a while, on both engines.
import { describe, expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, ENGINES, load, transformOf, xyz } from './engines';

interface Setup {
  A: Ammo;
  world: Ammo;
  /** Cannot move. */
  base: Ammo;
  /** 1 kg, at (2, 0, 0) from the base; nothing else pulls. */
  body: Ammo;
  at: (x: number, y: number, z: number, rotation?: readonly number[]) => Ammo;
  v: (x: number, y: number, z: number) => Ammo;
}

interface Case {
  name: string;
  make: (s: Setup) => Ammo;
  push?: (s: Setup) => void;
  steps?: number;
  /** m or rad; how near the two must stand. */
  near?: number;
}

const half = Math.SQRT1_2;
/** The world's y or z along the frame's x or z. */
const Y_TO_X = [0, 0, half, half];
const Z_TO_Y = [-half, 0, 0, half];

async function run(engine: 'ricochet' | 'bullet', { make, push, steps = 120 }: Case): Promise<number[]> {
  const A = await load(engine);
  const world = createWorld(A);
  world.setGravity(new A.btVector3(0, 0, 0));
  const base = addBody(A, world, box(A, 0.25), 0);
  const body = addBody(A, world, box(A, 0.25), 1, { position: [2, 0, 0] });
  body.setActivationState(4);
  // No weight, no friction, a little air: what is pushed comes to rest at its limit.
  body.setDamping(0.3, 0.3);
  const v = (x: number, y: number, z: number) => new A.btVector3(x, y, z);
  const at = (x: number, y: number, z: number, rotation: readonly number[] = [0, 0, 0, 1]) =>
    transformOf(A, { position: [x, y, z], rotation });
  const setup = { A, world, base, body, at, v };
  world.addConstraint(make(setup), true);
  for (let i = 0; i < steps; i++) {
    push?.(setup);
    world.stepSimulation(1 / 60, 0);
  }
  const t = body.getWorldTransform();
  const q = t.getRotation();
  const sign = q.w() < 0 ? -1 : 1;
  return [...xyz(t.getOrigin()), sign * q.x(), sign * q.y(), sign * q.z()];
}

const force = (x: number, y: number, z: number) => (s: Setup) => s.body.applyCentralForce(s.v(x, y, z));
const torque = (x: number, y: number, z: number) => (s: Setup) => s.body.applyTorque(s.v(x, y, z));

const hinge = (s: Setup, useA: boolean, axis: [number, number, number] = [0, 0, 1]) =>
  new s.A.btHingeConstraint(s.base, s.body, s.v(0, 0, 0), s.v(-2, 0, 0), s.v(...axis), s.v(...axis), useA);
const slider = (s: Setup, useA: boolean, rotation?: readonly number[]) => {
  const joint = new s.A.btSliderConstraint(
    s.base,
    s.body,
    s.at(2, 0, 0, rotation),
    s.at(0, 0, 0, rotation),
    useA,
  );
  joint.setLowerAngLimit(0);
  joint.setUpperAngLimit(0);
  joint.setLowerLinLimit(-0.4);
  joint.setUpperLinLimit(0.9);
  return joint;
};
const sixDof = (s: Setup, useA: boolean, Type = 'btGeneric6DofConstraint', rotation?: readonly number[]) => {
  const joint = new s.A[Type](s.base, s.body, s.at(2, 0, 0, rotation), s.at(0, 0, 0, rotation), useA);
  joint.setLinearLowerLimit(s.v(0, 0, 0));
  joint.setLinearUpperLimit(s.v(0, 0, 0));
  joint.setAngularLowerLimit(s.v(0, 0, 0));
  joint.setAngularUpperLimit(s.v(0, 0, 0));
  return joint;
};

const cases: Case[] = [];
for (const useA of [false, true])
  for (const side of [1, -1]) {
    const label = `${useA ? 'A' : 'B'} is the reference, ${side > 0 ? '+' : '−'}`;
    cases.push(
      {
        name: `hinge motor, ${label}`,
        make: (s) => {
          const joint = hinge(s, useA);
          joint.enableAngularMotor(true, side, 10); // at speed at once: with less ammo.js's arm bends instead
          return joint;
        },
        steps: 60,
        near: 0.03,
      },
      {
        name: `hinge about y, limits −0.2 … 0.7, pushed, ${label}`,
        make: (s) => {
          const joint = hinge(s, useA, [0, 1, 0]);
          joint.setLimit(-0.2, 0.7, 0.9, 0.3, 1);
          return joint;
        },
        push: torque(0, 2 * side, 0),
        near: 0.05,
      },
      {
        name: `hinge to the world, limits, pushed, ${label}`,
        make: (s) => {
          const joint = new s.A.btHingeConstraint(s.body, s.at(-2, 0, 0), useA);
          joint.setLimit(-0.2, 0.7, 0.9, 0.3, 1);
          return joint;
        },
        push: torque(0, 0, 2 * side),
        near: 0.05,
      },
      {
        name: `slider motor, ${label}`,
        make: (s) => {
          const joint = slider(s, useA);
          joint.setPoweredLinMotor(true);
          joint.setMaxLinMotorForce(50);
          joint.setTargetLinMotorVelocity(0.5 * side);
          return joint;
        },
        steps: 40,
        near: 0.05,
      },
      {
        name: `slider along y, limits −0.4 … 0.9, pushed, ${label}`,
        make: (s) => slider(s, useA, Y_TO_X),
        push: force(0, 5 * side, 0),
        near: 0.03,
      },
      {
        name: `slider to the world, limits, pushed, ${label}`,
        make: (s) => {
          const joint = new s.A.btSliderConstraint(s.body, s.at(0, 0, 0), useA);
          joint.setLowerAngLimit(0);
          joint.setUpperAngLimit(0);
          joint.setLowerLinLimit(-0.4);
          joint.setUpperLinLimit(0.9);
          return joint;
        },
        push: force(5 * side, 0, 0),
        near: 0.03,
      },
      {
        name: `slider to the world, turning −0.2 … 0.6, pushed, ${label}`,
        make: (s) => {
          const joint = new s.A.btSliderConstraint(s.body, s.at(0, 0, 0), useA);
          joint.setLowerAngLimit(-0.2);
          joint.setUpperAngLimit(0.6);
          joint.setLowerLinLimit(0);
          joint.setUpperLinLimit(0);
          return joint;
        },
        push: torque(2 * side, 0, 0),
        near: 0.05,
      },
      {
        name: `slider, turning −0.2 … 0.6, pushed, ${label}`,
        make: (s) => {
          const joint = slider(s, useA);
          joint.setLowerAngLimit(-0.2);
          joint.setUpperAngLimit(0.6);
          return joint;
        },
        push: torque(2 * side, 0, 0),
        near: 0.05,
      },
    );
    for (const [axis, name] of ['x', 'y', 'z'].entries()) {
      const along = (size: number) =>
        [0, 1, 2].map((i) => (i === axis ? size : 0)) as [number, number, number];
      cases.push(
        {
          name: `6DoF, ${name} −0.3 … 0.8, pushed, ${label}`,
          make: (s) => {
            const joint = sixDof(s, useA);
            joint.setLinearLowerLimit(s.v(...along(-0.3)));
            joint.setLinearUpperLimit(s.v(...along(0.8)));
            return joint;
          },
          push: force(...along(5 * side)),
          near: 0.04,
        },
        {
          name: `6DoF, angle ${name} −0.2 … 0.6, pushed, ${label}`,
          make: (s) => {
            const joint = sixDof(s, useA);
            joint.setAngularLowerLimit(s.v(...along(-0.2)));
            joint.setAngularUpperLimit(s.v(...along(0.6)));
            return joint;
          },
          push: torque(...along(2 * side)),
          near: 0.05,
        },
        {
          name: `6DoF in a turned frame, angle ${name} −0.2 … 0.6, pushed, ${label}`,
          make: (s) => {
            const joint = sixDof(s, useA, 'btGeneric6DofConstraint', Z_TO_Y);
            joint.setAngularLowerLimit(s.v(...along(-0.2)));
            joint.setAngularUpperLimit(s.v(...along(0.6)));
            return joint;
          },
          push: torque(
            ...([0, 1, 2].map((i) => (i === [0, 2, 1][axis] ? 2 * side : 0)) as [number, number, number]),
          ),
          near: 0.05,
        },
      );
    }
    cases.push({
      name: `6DoF spring towards 0.5 along x, ${label}`,
      make: (s) => {
        const joint = sixDof(s, useA, 'btGeneric6DofSpringConstraint');
        joint.setLinearLowerLimit(s.v(-2, 0, 0));
        joint.setLinearUpperLimit(s.v(2, 0, 0));
        joint.enableSpring(0, true);
        joint.setStiffness(0, 20);
        joint.setDamping(0, 0.5);
        joint.setEquilibriumPoint(0, 0.5 * side);
        return joint;
      },
      steps: 900,
      near: 0.05,
    });
    cases.push({
      name: `cone-twist, swings of 0.3 and 0.6, pushed, ${label}`,
      make: (s) => {
        const joint = new s.A.btConeTwistConstraint(s.base, s.body, s.at(0, 0, 0), s.at(-2, 0, 0));
        joint.setLimit(3, 0.2);
        joint.setLimit(4, 0.3);
        joint.setLimit(5, 0.6);
        return joint;
      },
      push: useA ? torque(0, 0, 2 * side) : torque(0, 2 * side, 0),
      near: 0.12,
    });
  }
const driven = (s: Setup, impulse: number, aim: (joint: Ammo) => void) => {
  const joint = new s.A.btConeTwistConstraint(s.base, s.body, s.at(0, 0, 0), s.at(-2, 0, 0));
  joint.setLimit(3, 0.8);
  joint.setLimit(4, 0.8);
  joint.setLimit(5, 0.8);
  joint.setMaxMotorImpulse(impulse);
  aim(joint);
  joint.enableMotor(true);
  return joint;
};
const turn = (s: Setup, x: number, y: number, z: number) =>
  new s.A.btQuaternion(x, y, z, Math.sqrt(1 - x * x - y * y - z * z));
cases.push(
  {
    name: 'cone-twist driven to a rotation',
    make: (s) => driven(s, 10, (joint) => joint.setMotorTarget(turn(s, 0.05, 0.1, -0.2))),
    near: 0.02,
  },
  {
    name: 'cone-twist driven in the space of the constraint, against a load',
    make: (s) => driven(s, 10, (joint) => joint.setMotorTargetInConstraintSpace(turn(s, 0, 0, 0.15))),
    push: torque(0, 0, 1),
    near: 0.02,
  },
  {
    name: '6DoF, a soft limit of x at 0.2',
    make: (s) => {
      const joint = sixDof(s, true);
      joint.setLinearLowerLimit(s.v(-0.2, 0, 0));
      joint.setLinearUpperLimit(s.v(0.2, 0, 0));
      joint.setParam(s.A.BT_CONSTRAINT_STOP_CFM ?? 4, 0.5, 0);
      joint.setParam(s.A.BT_CONSTRAINT_STOP_ERP ?? 2, 0.2, 0);
      return joint;
    },
    push: force(200, 0, 0), // 0.14 m further
    steps: 600,
    near: 0.02,
  },
  {
    name: 'point to point, pushed across',
    make: (s) => new s.A.btPoint2PointConstraint(s.base, s.body, s.v(0, 0, 0), s.v(-2, 0, 0)),
    push: force(0, 1, 0),
    steps: 40,
    near: 0.05,
  },
  {
    name: 'point to point with the world, pushed across',
    make: (s) => new s.A.btPoint2PointConstraint(s.body, s.v(-2, 0, 0)),
    push: force(0, 0, 1),
    steps: 40,
    near: 0.05,
  },
  {
    name: 'fixed, pushed and turned',
    make: (s) => new s.A.btFixedConstraint(s.base, s.body, s.at(0, 0, 0), s.at(-2, 0, 0)),
    push: (s) => {
      force(0, 3, 0)(s);
      torque(1, 1, 1)(s);
    },
    near: 0.06,
  },
);

describe('constraints beside Bullet', () => {
  for (const one of cases)
    test(one.name, async () => {
      const [ours, bullets] = await Promise.all(ENGINES.map((engine) => run(engine, one)));
      const worst = Math.max(...ours!.map((part, i) => Math.abs(part - bullets![i]!)));
      const show = (list: number[]) => list.map((part) => part.toFixed(3)).join(' ');
      expect(worst <= one.near!, `ricochet ${show(ours!)}, Bullet ${show(bullets!)}`).toBe(true);
    });
});

test('a cone-twist that is driven with too little strength gives way, with enough it does not', async () => {
  for (const [impulse, holds] of [
    [0.04, false],
    [0.06, true],
  ] as const) {
    const [, y] = await run('ricochet', {
      name: '',
      make: (s) => driven(s, impulse, (joint) => joint.setMotorTarget(turn(s, 0, 0, -0.2))),
      push: torque(0, 0, -3), // 0.05 N·m·s in a step
      steps: 300,
    });
    expect(y! > 0.7, `${impulse} N·m·s in a step, y ${y}`).toBe(holds);
  }
});

test.each([
  [3, 1], // BT_CONSTRAINT_CFM, BT_CONSTRAINT_ERP
  [4, 2], // the STOP_ ones, which are the same of a point
])('a point joint made soft by parameter %i yields as far as Bullet’s', async (cfm, erp) => {
  const hung: number[] = [];
  for (const engine of ENGINES) {
    const A = await load(engine);
    const world = createWorld(A);
    world.setGravity(new A.btVector3(0, -10, 0));
    const body = addBody(A, world, new A.btSphereShape(0.2), 2, { position: [0, 1, 0] });
    body.setActivationState(4);
    body.setDamping(0.3, 0.3);
    const joint = new A.btPoint2PointConstraint(body, new A.btVector3(0, 0, 0));
    world.addConstraint(joint, true);
    joint.setParam(cfm, 0.5, -1);
    expect(joint.getParam(cfm, -1)).toBeCloseTo(0.5, 6);
    joint.setParam(erp, 0.1, -1);

    for (let i = 0; i < 600; i++) world.stepSimulation(1 / 60, 0);
    hung.push(1 - body.getWorldTransform().getOrigin().y());
  }
  expect(hung[0]).toBeGreaterThan(0.01);
  expect(Math.abs(hung[0]! / hung[1]! - 1)).toBeLessThan(0.02);
});

describe.each(ENGINES)('%s: setEquilibriumPoint without values takes the pose of the moment', (engine) => {
  test.each([
    { when: 'before', limits: [1, 1, 1] },
    { when: 'after', limits: [1, 1, 1] },
    { when: 'before', limits: [-1, -2, 1] }, // it turns far about y
  ])('$when the constraint is added, angles from $limits: nothing moves', async ({ when, limits }) => {
    const A = await load(engine);
    const world = createWorld(A);
    world.setGravity(new A.btVector3(0, 0, 0));
    const base = addBody(A, world, box(A, 0.25), 0);
    const place = { position: [1, -0.7, 0.4], rotation: [0.26, -0.31, 0.18, 0.9] };
    const length = Math.hypot(...place.rotation);
    place.rotation = place.rotation.map((part) => part / length);
    const body = addBody(A, world, box(A, 0.25), 1, place);
    body.setActivationState(4);
    const frames = [transformOf(A, { position: [0, 0.2, 0] }), transformOf(A, { position: [0.1, 0, 0] })];
    const joint = new A.btGeneric6DofSpringConstraint(base, body, ...frames, true);
    joint.setLinearLowerLimit(new A.btVector3(1, 1, 1));
    joint.setLinearUpperLimit(new A.btVector3(-1, -1, -1));
    joint.setAngularLowerLimit(new A.btVector3(...limits));
    joint.setAngularUpperLimit(new A.btVector3(...limits.map((part) => -part)));
    for (let i = 0; i < 6; i++) {
      joint.enableSpring(i, true);
      joint.setStiffness(i, 30);
    }
    if (when === 'before') joint.setEquilibriumPoint();
    world.addConstraint(joint, true);
    if (when === 'after') joint.setEquilibriumPoint();
    for (let i = 0; i < 90; i++) world.stepSimulation(1 / 60, 0);
    const { position, rotation } = place;
    const t = body.getWorldTransform();
    const q = t.getRotation();
    const parts = [...xyz(t.getOrigin()), q.x(), q.y(), q.z(), q.w()];
    for (const [i, part] of [...position, ...rotation].entries()) expect(parts[i]).toBeCloseTo(part, 5);
  });
});
