// One suite for Havok's plugin and ours: the same scenes, the same figures. Where ours differs on purpose the test says so.
import { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import { PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import { PhysicsMaterialCombineMode } from '@babylonjs/core/Physics/v2/physicsMaterial.js';
import {
  PhysicsShape,
  PhysicsShapeCapsule,
  PhysicsShapeContainer,
  PhysicsShapeConvexHull,
  PhysicsShapeCylinder,
  PhysicsShapeMesh,
} from '@babylonjs/core/Physics/v2/physicsShape.js';
import { describe, expect, test } from 'vitest';
import { ANIMATED, DYNAMIC, near, nearVector, PLUGINS, STATIC, stagesOf, V } from './support';

describe.each(PLUGINS)('%s', (name, create) => {
  const stage = stagesOf(create);
  void name;

  test('falls, rests, is synced', () => {
    const s = stage();
    s.floor();
    const shapes: [PhysicsShape, number][] = [
      [s.box(), 0.5],
      [s.ball(), 0.5],
      [new PhysicsShapeCapsule(V(0, -0.5, 0), V(0, 0.5, 0), 0.5, s.scene), 1],
      [new PhysicsShapeCylinder(V(0, -0.5, 0), V(0, 0.5, 0), 0.5, s.scene), 0.5],
      [new PhysicsShapeConvexHull(CreateBox('hull', { size: 1 }, s.scene), s.scene), 0.5],
    ];
    const bodies = shapes.map(([shape, height], i) => s.body(DYNAMIC, V(3 * i, height + 1, 0), shape));
    s.step(10);
    near(bodies[0]!.transformNode.position.y, 1.5 - 0.5 * 10 * (10 / 60) ** 2, 0.02);
    s.step(110);
    shapes.forEach(([, height], i) => {
      near(bodies[i]!.transformNode.position.y, height, 0.02);
    });
  });

  test('masses of shapes; inertia is per kg', () => {
    const s = stage();
    const masses = (shape: PhysicsShape) => s.body(DYNAMIC, V(0, 0, 0), shape).getMassProperties();
    const none = s.body(DYNAMIC, V(0, 0, 0)).getMassProperties();
    expect([none.mass, ...none.inertia!.asArray()]).toEqual([1, 1, 1, 1]);
    const box = masses(s.box(2, 1, 1));
    near(box.mass!, 2000, 1e-3);
    nearVector(box.inertia!, [1 / 6, 5 / 12, 5 / 12], 1e-5);
    const ball = masses(s.ball(1));
    near(ball.mass!, (4000 / 3) * Math.PI, 0.1);
    nearVector(ball.inertia!, [0.4, 0.4, 0.4], 1e-5);
    const cylinder = masses(new PhysicsShapeCylinder(V(0, -1, 0), V(0, 1, 0), 0.5, s.scene));
    near(cylinder.mass!, 500 * Math.PI, 0.1);
    nearVector(cylinder.inertia!, [19 / 48, 1 / 8, 19 / 48], 1e-5);
    // Havok's capsules have 2 % less moment than a capsule's closed form.
    const capsule = masses(new PhysicsShapeCapsule(V(0, -1, 0), V(0, 1, 0), 0.5, s.scene));
    near(capsule.mass! / ((2000 / 3) * Math.PI), 1, 1e-4);
    nearVector(capsule.inertia!, [0.666, 0.119, 0.666], 0.03);
    const hull = masses(new PhysicsShapeConvexHull(CreateBox('hull', { size: 2 }, s.scene), s.scene));
    near(hull.mass!, 8000, 2);
    const container = new PhysicsShapeContainer(s.scene);
    container.addChild(s.box(), V(-1, 0, 0));
    container.addChild(s.box(), V(3, 0, 0));
    const body = s.body(DYNAMIC, V(0, 0, 0), container);
    near(body.getMassProperties().mass!, 2000, 1e-3);
    nearVector(body.getMassProperties().centerOfMass!, [1, 0, 0], 1e-5);
    body.setMassProperties({ mass: 5 });
    near(body.getMassProperties().mass!, 5, 0);
    near(body.computeMassProperties().mass!, 2000, 1e-3);
    const light = s.box();
    light.density = 2;
    near(light.density, 2, 0);
    near(masses(light).mass!, 2, 1e-5);
  });

  test('locked axes, a rotated principal frame, infinite mass', () => {
    const s = stage(V(0, 0, 0));
    const spun = (props: object, impulse = V(1, 1, 1)) => {
      const body = s.body(DYNAMIC, V(0, 0, 0), s.box());
      body.setMassProperties(props);
      body.applyAngularImpulse(impulse);
      return body.getAngularVelocity();
    };
    nearVector(spun({ mass: 2, inertia: V(0, 1, 0) }), [0, 0.5, 0], 1e-5);
    nearVector(spun({ mass: 2, inertia: V(1, 2, 3) }), [0.5, 0.25, 1 / 6], 1e-3);
    const inertiaOrientation = Quaternion.RotationAxis(V(0, 0, 1), Math.PI / 4);
    nearVector(
      spun({ mass: 2, inertia: V(1, 2, 3), inertiaOrientation }, V(1, 0, 0)),
      [0.375, 0.125, 0],
      1e-4,
    );
    const heavy = s.body(DYNAMIC, V(0, 0, 0), s.box());
    heavy.setMassProperties({ mass: 0 });
    heavy.applyImpulse(V(100, 0, 0), V(0, 0, 0));
    s.step(5);
    nearVector(heavy.getLinearVelocity(), [0, 0, 0], 0);
  });

  test('velocities, impulses, forces, dampings, gravity factors', () => {
    const s = stage();
    const make = () => {
      const body = s.body(DYNAMIC, V(0, 100, 0), s.box());
      body.setMassProperties({ mass: 2, inertia: V(1, 1, 1) });
      body.setGravityFactor(0);
      body.setAngularDamping(0);
      return body;
    };
    const pushed = make();
    pushed.applyImpulse(V(4, 0, 0), V(0, 101, 0));
    nearVector(pushed.getLinearVelocity(), [2, 0, 0], 1e-5);
    nearVector(pushed.getAngularVelocity(), [0, 0, -2], 1e-5);
    pushed.dispose();
    const forced = make();
    forced.applyForce(V(120, 0, 0), V(0, 100, 0));
    forced.applyTorque(V(0, 120, 0));
    s.step(1);
    nearVector(forced.getLinearVelocity(), [1, 0, 0], 1e-4);
    nearVector(forced.getAngularVelocity(), [0, 1, 0], 1e-4);
    forced.dispose();
    for (const damping of [0, 0.5, 5, 30, 100]) {
      const body = make();
      body.setLinearDamping(damping);
      body.setAngularDamping(damping);
      expect([body.getLinearDamping(), body.getAngularDamping()]).toEqual([damping, damping]);
      body.setLinearVelocity(V(1, 0, 0));
      body.setAngularVelocity(V(0, 1, 0));
      s.step(1);
      near(body.getLinearVelocity().x, Math.max(0, 1 - damping / 60), 1e-4);
      near(body.getAngularVelocity().y, Math.max(0, 1 - damping / 60), 1e-4);
      body.dispose();
    }
    near(s.body(DYNAMIC, V(0, 0, 0), s.box()).getAngularDamping(), 0.1, 1e-6);
    const light = make();
    light.setGravityFactor(-0.5);
    near(light.getGravityFactor(), -0.5, 0);
    s.step(6);
    near(light.getLinearVelocity().y, 0.5, 0.01);
  });

  test('motion types, targets, pre-steps, parents', () => {
    const s = stage(V(0, 0, 0));
    const body = s.body(STATIC, V(0, 0, 0), s.box());
    for (const type of [STATIC, ANIMATED, DYNAMIC, STATIC]) {
      body.setMotionType(type);
      expect(body.getMotionType()).toBe(type);
    }
    for (const type of [ANIMATED, DYNAMIC]) {
      const moved = s.body(type, V(0, 5, 0), s.box());
      moved.setTargetTransform(V(0, 5.1, 0), Quaternion.RotationAxis(V(0, 1, 0), 0.1));
      s.step(1);
      nearVector(moved.transformNode.position, [0, 5.1, 0], 1e-4);
      near(moved.transformNode.rotationQuaternion!.y, Math.sin(0.05), 2e-4);
      moved.dispose();
    }
    const teleported = s.body(ANIMATED, V(0, 0, 0), s.box());
    teleported.disablePreStep = false;
    teleported.transformNode.position.set(3, 4, 5);
    s.step(1);
    nearVector(teleported.transformNode.position, [3, 4, 5], 1e-6);
    const result = new PhysicsRaycastResult();
    s.physics.raycastToRef(V(3, 9, 5), V(3, 0, 5), result);
    expect(result.body).toBe(teleported);
    teleported.disablePreStep = true;
    teleported.transformNode.position.set(0, 0, 0);
    s.step(1);
    nearVector(teleported.transformNode.position, [3, 4, 5], 1e-6);
    teleported.setPrestepType(2);
    teleported.transformNode.position.set(3, 4, 6);
    teleported.transformNode.computeWorldMatrix(true);
    s.step(1);
    nearVector(teleported.getLinearVelocity(), [0, 0, 60], 0.1);
    // Below a parent that is moved, turned and scaled.
    const parent = s.node('parent', V(10, 0, 0));
    parent.rotationQuaternion = Quaternion.RotationAxis(V(0, 1, 0), Math.PI / 2);
    parent.scaling.set(2, 2, 2);
    const child = s.node('child', V(0, 1, 1));
    child.parent = parent;
    child.scaling.set(3, 3, 3);
    parent.computeWorldMatrix(true);
    child.computeWorldMatrix(true);
    const { PhysicsBody } = { PhysicsBody: body.constructor as new (...args: unknown[]) => typeof body };
    const inside = new PhysicsBody(child, DYNAMIC, false, s.scene);
    inside.shape = s.box();
    inside.setLinearVelocity(V(0, 60, 0));
    s.step(1);
    nearVector(child.position, [0, 1.5, 1], 1e-3);
    nearVector(child.scaling, [3, 3, 3], 1e-4);
    child.computeWorldMatrix(true);
    nearVector(child.absolutePosition, [12, 3, 0], 2e-3);
  });

  test('filters, materials and combine modes, triggers do not stop', () => {
    const s = stage();
    const floor = s.floor();
    floor.shape!.filterMembershipMask = 2;
    const box = s.box();
    expect([box.filterMembershipMask, box.filterCollideMask]).toEqual([-1, -1]);
    box.filterCollideMask = ~2;
    const through = s.body(DYNAMIC, V(0, 1, 0), box);
    s.step(60);
    expect(through.transformNode.position.y).toBeLessThan(-2);
    // Later modes decide; friction as it comes out of a slide.
    const friction = (ground: object, crate: object) => {
      const slide = stage();
      slide.floor().shape!.material = ground;
      const shape = slide.box();
      shape.material = crate;
      const body = slide.body(DYNAMIC, V(0, 0.5, 0), shape);
      body.setLinearVelocity(V(8, 0, 0));
      slide.step(30);
      return (8 - body.getLinearVelocity().x) / 5;
    };
    const { MULTIPLY, MAXIMUM, MINIMUM, ARITHMETIC_MEAN, GEOMETRIC_MEAN } = PhysicsMaterialCombineMode;
    const expected = {
      [MULTIPLY]: 0.04,
      [MAXIMUM]: 0.4,
      [MINIMUM]: 0.1,
      [ARITHMETIC_MEAN]: 0.25,
      [GEOMETRIC_MEAN]: 0.2,
    };
    for (const [a, b] of [
      [GEOMETRIC_MEAN, GEOMETRIC_MEAN],
      [MINIMUM, GEOMETRIC_MEAN],
      [MINIMUM, MAXIMUM],
      [ARITHMETIC_MEAN, MAXIMUM],
      [ARITHMETIC_MEAN, MULTIPLY],
    ] as const) {
      const measured = friction({ friction: 0.1, frictionCombine: a }, { friction: 0.4, frictionCombine: b });
      near(measured, expected[Math.max(a, b) as PhysicsMaterialCombineMode], 0.02);
    }
    const material = s.box();
    material.material = { friction: 0.3, restitution: 0.25 };
    expect(material.material.frictionCombine ?? MINIMUM).toBe(MINIMUM);
    const bounced = stage();
    bounced.floor().shape!.material = { friction: 0.5, restitution: 0.8 };
    const ball = bounced.body(DYNAMIC, V(0, 2.5, 0), bounced.ball());
    let speed = 0;
    for (let i = 0; i < 60; i++) {
      bounced.step(1);
      speed = Math.max(speed, ball.getLinearVelocity().y);
    }
    near(speed / Math.sqrt(2 * 10 * 2), 0.8, 0.05);
  });

  test('collision events and their masks', () => {
    const s = stage();
    const floor = s.floor();
    const box = s.body(DYNAMIC, V(0, 0.52, 0), s.box());
    const log: string[] = [];
    const who = (body: unknown) => (body === box ? 'box' : body === floor ? 'floor' : '?');
    box.setCollisionCallbackEnabled(true);
    s.calls.onCollisionObservable.add((event) => {
      log.push(`${event.type} ${who(event.collider)} ${event.normal!.y.toFixed(1)}`);
      if (event.type === 'COLLISION_STARTED') near(event.point!.y, 0, 0.05);
      expect(event.impulse).toBeGreaterThanOrEqual(0);
    });
    box
      .getCollisionObservable()
      .add((event) => void log.push(`own ${who(event.collider)} ${event.normal!.y.toFixed(1)}`));
    floor
      .getCollisionObservable()
      .add((event) => void log.push(`other ${who(event.collider)} ${event.normal!.y.toFixed(1)}`));
    s.calls.onCollisionEndedObservable.add(
      (event) => void log.push(`${event.type} ${who(event.collidedAgainst)}`),
    );
    box.getCollisionEndedObservable().add((event) => void log.push(`own ${event.type}`));
    s.step(20);
    const kinds = new Set(log.splice(0));
    expect([...kinds].sort()).toEqual(
      [
        'COLLISION_CONTINUED box -1.0',
        'COLLISION_STARTED box -1.0',
        'other floor 1.0',
        'own box -1.0',
      ].sort(),
    );
    box.setLinearVelocity(V(0, 6, 0));
    s.step(10);
    expect(new Set(log.splice(0).filter((line) => line.includes('FINISHED')))).toEqual(
      new Set(['COLLISION_FINISHED floor', 'own COLLISION_FINISHED']),
    );
    box.setCollisionCallbackEnabled(false);
    expect(box.getEventMask()).toBe(0);
    s.step(90);
    expect(log).toEqual([]);
    box.setCollisionEndedCallbackEnabled(true);
    expect(box.getEventMask()).toBe(4);
    box.setEventMask(1);
    expect(box.getEventMask()).toBe(1);
    box.setLinearVelocity(V(0, 3, 0));
    s.step(60);
    expect(new Set(log.filter((line) => line.startsWith('COLL')))).toEqual(
      new Set(['COLLISION_STARTED box -1.0']),
    );
  });

  test('triggers tell who comes and goes; a body may be disposed in an event', () => {
    const s = stage();
    const zone = s.box(2);
    zone.isTrigger = true;
    const trigger = s.body(STATIC, V(0, 0, 0), zone, 'zone');
    const ball = s.body(DYNAMIC, V(0, 3, 0), s.ball());
    const log: string[] = [];
    s.calls.onTriggerCollisionObservable.add((event) => {
      log.push(event.type);
      expect([event.collider, event.collidedAgainst]).toEqual([ball, trigger]);
    });
    s.step(90);
    expect(log).toEqual(['TRIGGER_ENTERED', 'TRIGGER_EXITED']);
    expect(ball.transformNode.position.y).toBeLessThan(-3);
    const second = s.body(DYNAMIC, V(0, 1.2, 0), s.box());
    s.floor();
    second.setCollisionCallbackEnabled(true);
    s.calls.onTriggerCollisionObservable.clear();
    s.calls.onTriggerCollisionObservable.add(() => second.dispose());
    s.step(60);
    expect(second.isDisposed).toBe(true);
  });

  test('meshes, heightfields, hulls and what the viewer draws', () => {
    const s = stage();
    const ground = CreateGround('ground', { width: 10, height: 10, subdivisions: 4 }, s.scene);
    const mesh = s.body(STATIC, V(0, 0, 0), new PhysicsShapeMesh(ground, s.scene));
    const heights = Float32Array.from({ length: 9 }, (_, i) => i);
    const field = new PhysicsShape(
      {
        type: 7,
        parameters: {
          heightFieldSizeX: 2,
          heightFieldSizeZ: 2,
          numHeightFieldSamplesX: 3,
          numHeightFieldSamplesZ: 3,
          heightFieldData: heights,
        },
      },
      s.scene,
    );
    s.body(STATIC, V(50, 0, 0), field);
    const result = new PhysicsRaycastResult();
    const down = (x: number, z: number) => {
      s.physics.raycastToRef(V(x, 50, z), V(x, -50, z), result);
      return result.hasHit ? result.hitPointWorld.y : Number.NaN;
    };
    near(down(2, 3), 0, 1e-4);
    expect(result.triangleIndex).toBeGreaterThanOrEqual(0);
    // Row 0 is at +z.
    for (const [x, z, height] of [
      [-0.999, 0.999, 0],
      [0.999, 0.999, 2],
      [0, 0, 4],
      [-0.999, -0.999, 6],
      [0.999, -0.999, 8],
    ] as const)
      near(down(50 + x, z), height, 0.02);
    const bounds = s.calls.getBoundingBox(field);
    nearVector(bounds.minimum, [-1, 0, -1], 1e-4);
    nearVector(bounds.maximum, [1, 8, 1], 1e-4);
    const ball = s.body(DYNAMIC, V(1, 2, 1), s.ball());
    s.step(120);
    near(ball.transformNode.position.y, 0.5, 0.02);
    for (const body of [mesh, ball]) {
      const { positions, indices } = s.calls.getBodyGeometry(body) as {
        positions: Float32Array;
        indices: Uint32Array;
      };
      expect(positions.length % 3).toBe(0);
      expect(indices.length % 3).toBe(0);
      expect(indices.length).toBeGreaterThan(0);
      expect(Math.max(...indices)).toBeLessThan(positions.length / 3);
    }
    const geometry = s.calls.getBodyGeometry(ball) as { positions: Float32Array };
    near(Math.max(...geometry.positions), 0.5, 0.02);
    ball.transformNode.computeWorldMatrix(true);
    near(ball.getBoundingBox().maximumWorld.y, 1, 0.03);
  });

  test('rays: nearest, all, filters, triggers, ignored bodies', () => {
    const s = stage(V(0, 0, 0));
    const shape = s.box();
    const upper = s.body(DYNAMIC, V(0, 3, 0), shape);
    const lower = s.body(DYNAMIC, V(0, 0, 0), s.box());
    s.step(1);
    const result = new PhysicsRaycastResult();
    const cast = (query?: object) => {
      s.calls.raycast(V(0, 10, 0), V(0, -10, 0), result, query);
      return result;
    };
    expect(cast().body).toBe(upper);
    near(result.hitDistance, 6.5, 1e-4);
    nearVector(result.hitNormalWorld, [0, 1, 0], 1e-5);
    expect(cast({ ignoreBody: upper }).body).toBe(lower);
    shape.filterMembershipMask = 4;
    shape.filterCollideMask = 8;
    expect(cast({ collideWith: ~4 }).body).toBe(lower);
    expect(cast({ membership: 16 }).body).toBe(lower);
    expect(cast({ membership: 8, collideWith: 4 }).body).toBe(upper);
    shape.filterMembershipMask = shape.filterCollideMask = -1;
    shape.isTrigger = true;
    expect(cast().body).toBe(lower);
    expect(cast({ shouldHitTriggers: true }).body).toBe(upper);
    shape.isTrigger = false;
    s.calls.raycast(V(0, 3, 0), V(0, -10, 0), result);
    expect(result.body, 'not what it begins in').toBe(lower);
    s.calls.raycast(V(5, 3, 0), V(5, -10, 0), result);
    expect(result.hasHit).toBe(false);
    if ('setMaxQueryCollectorHits' in s.calls) s.calls.setMaxQueryCollectorHits(9);
    const all: PhysicsRaycastResult[] = [];
    s.calls.raycast(V(0, 10, 0), V(0, -10, 0), all);
    expect(all.map(({ body }) => body)).toEqual([upper, lower]);
  });
});
