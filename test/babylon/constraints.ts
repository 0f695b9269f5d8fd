// Constraints on Havok's plugin and ours: where bodies come to rest, how fast motors turn, what the getters say.
import { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import {
  BallAndSocketConstraint,
  DistanceConstraint,
  HingeConstraint,
  LockConstraint,
  Physics6DoFConstraint,
  type PhysicsConstraint,
  PrismaticConstraint,
  SliderConstraint,
  SpringConstraint,
} from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import { describe, expect, test } from 'vitest';
import { ANIMATED, DYNAMIC, near, PLUGINS, STATIC, type Stage, stagesOf, V } from './support';

const NONE = 0;
const VELOCITY = 1;
const POSITION = 2;
const locked = (axes: number[]) => axes.map((axis) => ({ axis, minLimit: 0, maxLimit: 0 }));

describe.each(PLUGINS)('%s', (name, create) => {
  const ours = name === 'ricochet';
  const stage = stagesOf(create);
  const pair = (s: Stage, at = V(0, 0, 0), mass = 10): [PhysicsBody, PhysicsBody] => {
    const child = s.body(DYNAMIC, at, s.box());
    child.setMassProperties({ mass });
    return [s.body(STATIC, V(0, 0, 0), s.box()), child];
  };
  const angle = (body: PhysicsBody, axis: 'x' | 'y' | 'z') => {
    const q = body.transformNode.rotationQuaternion!;
    return 2 * Math.atan2(q[axis], q.w);
  };

  test('what each type holds and lets go', () => {
    const z = V(0, 0, 1);
    const x = V(1, 0, 0);
    const origin = V(0, 0, 0);
    const out = V(-2, 0, 0);
    const types: [string, (s: Stage) => PhysicsConstraint, (b: PhysicsBody) => void][] = [
      [
        'lock',
        (s) => new LockConstraint(origin, out, x, x, s.scene),
        (b) => expect(b.transformNode.position.subtract(V(2, 0, 0)).length()).toBeLessThan(0.05),
      ],
      [
        'hinge',
        (s) => new HingeConstraint(origin, out, z, z, s.scene),
        (b) => {
          near(b.transformNode.position.length(), 2, 0.05);
          near(b.transformNode.position.z, 0, 0.02);
          expect(b.transformNode.position.y).toBeLessThan(-0.5);
        },
      ],
      [
        'ball and socket',
        (s) => new BallAndSocketConstraint(origin, out, x, x, s.scene),
        (b) => {
          near(b.transformNode.position.length(), 2, 0.05);
          expect(b.transformNode.position.y).toBeLessThan(-0.5);
        },
      ],
      [
        'distance',
        (s) => new DistanceConstraint(2, s.scene),
        (b) => {
          near(b.transformNode.position.length(), 2, 0.05);
          expect(b.transformNode.position.y).toBeLessThan(-0.5);
        },
      ],
      [
        'prismatic',
        (s) => new PrismaticConstraint(origin, V(-2, 0, 0), V(0, 1, 0), V(0, 1, 0), s.scene),
        (b) => {
          near(b.transformNode.position.x, 2, 0.02);
          near(b.transformNode.position.y, -5 * 0.5 * 0.5, 0.05);
          near(angle(b, 'y'), 0, 0.01);
        },
      ],
      [
        'slider',
        (s) => new SliderConstraint(origin, V(0, 0, 0), V(0, 1, 0), V(0, 1, 0), s.scene),
        (b) => {
          near(b.transformNode.position.y, -5 * 0.5 * 0.5, 0.05);
          expect(Math.abs(angle(b, 'y'))).toBeGreaterThan(0.4);
        },
      ],
    ];
    for (const [type, make, check] of types) {
      const s = stage();
      const [parent, child] = pair(s, type === 'slider' ? V(0, 0, 0) : V(2, 0, 0));
      parent.addConstraint(child, make(s));
      if (type === 'prismatic' || type === 'slider') child.setAngularVelocity(V(0, 1, 0));
      s.step(30);
      check(child);
    }
  });

  test('six axes: modes, limits, signs of angles', () => {
    const s = stage();
    const [parent, child] = pair(s, V(1, 0, 0));
    const limits = [...locked([0, 1, 2, 4, 5]), { axis: 3, minLimit: -0.5, maxLimit: 0.25 }];
    const constraint = new Physics6DoFConstraint(
      {
        pivotB: V(-1, 0, 0),
        axisA: V(0, 0, 1),
        axisB: V(0, 0, 1),
        perpAxisA: V(1, 0, 0),
        perpAxisB: V(1, 0, 0),
      },
      limits,
      s.scene,
    );
    parent.addConstraint(child, constraint);
    s.step(120);
    near(angle(child, 'z'), -0.5, 0.02);
    expect([0, 3, 4].map((axis) => constraint.getAxisMode(axis))).toEqual([2, 1, 2]);
    near(constraint.getAxisMinLimit(3)!, -0.5, 1e-6);
    near(constraint.getAxisMaxLimit(3)!, 0.25, 1e-6);
    constraint.setAxisMinLimit(3, -0.2);
    s.step(120);
    near(angle(child, 'z'), -0.2, 0.02);
    s.calls.setGravity(V(0, 10, 0));
    constraint.setAxisMaxLimit(3, 0.4);
    s.step(120);
    near(angle(child, 'z'), 0.4, 0.02);
    constraint.setAxisMode(3, 2);
    s.step(120);
    near(angle(child, 'z'), 0, 0.02);
    constraint.setAxisMode(3, 0);
    expect(constraint.getAxisMode(3)).toBe(0);
    s.step(30);
    expect(Math.abs(angle(child, 'z'))).toBeGreaterThan(0.5);
  });

  test('a linear limit, and the distance as the seventh axis', () => {
    const s = stage();
    const [parent, child] = pair(s);
    const upright = { perpAxisA: V(0, 1, 0), perpAxisB: V(0, 1, 0) };
    parent.addConstraint(
      child,
      new Physics6DoFConstraint(
        upright,
        [...locked([0, 2, 3, 4, 5]), { axis: 1, minLimit: -1.5, maxLimit: 1 }],
        s.scene,
      ),
    );
    s.step(120);
    near(child.transformNode.position.y, -1.5, 0.03);
    child.dispose();
    const [anchor, rope] = pair(s, V(0, -1, 0));
    anchor.addConstraint(
      rope,
      new Physics6DoFConstraint({}, [{ axis: 6, minLimit: 0, maxLimit: 3 }], s.scene),
    );
    s.step(30);
    expect(rope.transformNode.position.y).toBeGreaterThan(-2.4);
    s.step(120);
    near(rope.transformNode.position.y, -3, 0.05);
  });

  test('motors by velocity and by place, with a most force; friction', () => {
    const s = stage(V(0, 0, 0));
    const [parent, child] = pair(s, V(2, 0, 0));
    const constraint = new Physics6DoFConstraint({}, locked([1, 2, 3, 4, 5]), s.scene);
    parent.addConstraint(child, constraint);
    expect([constraint.getAxisMotorType(0), constraint.getAxisMotorMaxForce(0)]).toEqual([NONE, 0]);
    constraint.setAxisMotorType(0, VELOCITY);
    constraint.setAxisMotorTarget(0, 2);
    s.step(10);
    near(child.getLinearVelocity().x, 0, 1e-3); // without a force it does nothing
    constraint.setAxisMotorMaxForce(0, 60);
    expect([constraint.getAxisMotorType(0), constraint.getAxisMotorMaxForce(0)]).toEqual([VELOCITY, 60]);
    s.step(10);
    near(child.getLinearVelocity().x, 1, 0.1);
    s.step(60);
    near(child.getLinearVelocity().x, 2, 0.02);
    constraint.setAxisMotorMaxForce(0, 1e6);
    constraint.setAxisMotorType(0, POSITION);
    constraint.setAxisMotorTarget(0, 1);
    s.step(150);
    near(child.transformNode.position.x, 1, 0.02);
    constraint.setAxisMotorType(0, NONE);
    child.setLinearVelocity(V(3, 0, 0));
    constraint.setAxisFriction(0, 20);
    near(constraint.getAxisFriction(0)!, 20, 1e-5);
    s.step(30);
    // Havok's friction does nothing on an axis that moves.
    near(child.getLinearVelocity().x, ours ? 2 : 3, 0.1);
    const [wall, wheel] = pair(s, V(0, 50, 0));
    const hinge = new Physics6DoFConstraint(
      {
        pivotA: V(0, 50, 0),
        axisA: V(0, 1, 0),
        axisB: V(0, 1, 0),
        perpAxisA: V(1, 0, 0),
        perpAxisB: V(1, 0, 0),
      },
      locked([0, 1, 2, 4, 5]),
      s.scene,
    );
    wall.addConstraint(wheel, hinge);
    hinge.setAxisMotorType(3, VELOCITY);
    hinge.setAxisMotorTarget(3, 1.5);
    hinge.setAxisMotorMaxForce(3, 1e5);
    s.step(30);
    near(wheel.getAngularVelocity().y, 1.5, 0.02);
    hinge.setAxisMotorType(3, POSITION);
    hinge.setAxisMotorTarget(3, -0.5);
    s.step(120);
    near(angle(wheel, 'y'), -0.5, 0.02);
  });

  test('springs: stiffness in N/m', () => {
    const s = stage();
    const [parent, child] = pair(s, V(0, -2, 0));
    const o = V(0, 0, 0);
    parent.addConstraint(
      child,
      new SpringConstraint(o, o.clone(), V(1, 0, 0), V(1, 0, 0), 2, 2, 200, 40, s.scene),
    );
    s.step(400);
    near(child.transformNode.position.y, -2.5, 0.05);
  });

  test('switched off, collisions, who is bound, disposal', () => {
    const s = stage(V(0, 0, 0));
    const [parent, child] = pair(s, V(0.5, 0, 0));
    const constraint = new Physics6DoFConstraint({ pivotA: V(0.5, 0, 0) }, locked([0, 1, 2]), s.scene);
    parent.addConstraint(child, constraint);
    s.step(10);
    near(child.transformNode.position.x, 0.5, 1e-3);
    expect([!!constraint.isEnabled, !!constraint.isCollisionsEnabled]).toEqual([true, false]);
    const [bound] = constraint.getBodiesUsingConstraint();
    expect([bound!.parentBody, bound!.childBody]).toEqual([parent, child]);
    constraint.isCollisionsEnabled = true;
    expect(!!constraint.isCollisionsEnabled).toBe(true);
    constraint.isEnabled = false;
    expect(!!constraint.isEnabled).toBe(false);
    s.step(60);
    expect(child.transformNode.position.length()).toBeGreaterThan(0.9);
    constraint.dispose();
    expect(constraint.getBodiesUsingConstraint()).toEqual([]);
  });

  test('a chain of animated, dynamic and turned bodies', () => {
    const s = stage();
    let last = s.body(ANIMATED, V(0, 0, 0), s.box(0.2));
    for (let i = 1; i <= 5; i++) {
      const link = s.body(DYNAMIC, V(i, 0, 0), s.box(0.2));
      link.setMassProperties({ mass: 1 });
      last.addConstraint(
        link,
        new BallAndSocketConstraint(V(0.5, 0, 0), V(-0.5, 0, 0), V(1, 0, 0), V(1, 0, 0), s.scene),
      );
      last = link;
    }
    last.setAngularDamping(5);
    s.step(600);
    expect(last.transformNode.position.length()).toBeLessThan(5.1);
    expect(last.transformNode.position.y).toBeLessThan(-2.5);
    expect(Quaternion.Dot(last.transformNode.rotationQuaternion!, Quaternion.Identity())).toBeLessThan(1);
  });
});
