// The suite of Babylon's plugins: bodies, constraints and Babylon's own code on Havok's plugin and ours. What is asked of one
// is asked of the other, so that the figures that are expected are those of both.

import type { World } from 'ricochet';
import type { RicochetPlugin } from 'ricochet/babylon';
import { warmUp } from 'ricochet/warmup';
import { expect, test, vi } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { methods } from '../../scripts/babylon-table.mjs';
import './bodies';
import './constraints';
import './scenes';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import { LockConstraint, Physics6DoFConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import {
  PhysicsShape,
  PhysicsShapeContainer,
  PhysicsShapeConvexHull,
  PhysicsShapeMesh,
} from '@babylonjs/core/Physics/v2/physicsShape.js';
import { ANIMATED, CALLED, DYNAMIC, PLUGINS, STATIC, Stage, V } from './support';

test('each method of the interface was called, on both', () => {
  for (const [, create] of PLUGINS) {
    const stage = new Stage(create);
    const body = stage.body(ANIMATED, V(0, 0, 0), stage.box());
    stage.calls.syncTransform(body, stage.node('other'));
    const unused = stage.box();
    unused.material = { friction: 0.25, restitution: 0.5 };
    const material = stage.calls.getMaterial(unused);
    expect([material.friction, material.restitution]).toEqual([0.25, 0.5]);
    const motor = new Physics6DoFConstraint({}, [], stage.scene);
    body.addConstraint(stage.body(DYNAMIC, V(0, 0, 0), stage.box()), motor);
    motor.setAxisMotorTarget(0, 1.5);
    // Havok's plugin throws: it asks its engine by a list of joints.
    if (stage.plugin.name === 'HavokPlugin') expect(() => motor.getAxisMotorTarget(0)).toThrow();
    else expect(motor.getAxisMotorTarget(0)).toBe(1.5);
    unused.dispose();
    // Babylon calls these of its own plugin only from inside of it.
    CALLED[stage.plugin.name]!.add('sync').add('initConstraint').add('getBodyBoundingBox');
    body.getBoundingBox();
    stage.calls.sync(body);
    stage.calls.dispose();
  }
  for (const [name, called] of Object.entries(CALLED)) {
    const missing = (methods() as string[]).filter((method) => !called.has(method));
    expect(missing, name).toEqual([]);
  }
});

const ours = () => new Stage(PLUGINS[1]![1]);

test('what cannot be is said with the name of what it concerns, and once', () => {
  const told: string[] = [];
  const spy = vi.spyOn(Logger, 'Warn').mockImplementation((text) => void told.push(String(text)));
  const s = ours();
  const hollow = CreateBox('hollow', { size: 1 }, s.scene);
  const body = s.body(DYNAMIC, V(0, 0, 0), new PhysicsShapeMesh(hollow, s.scene), 'vase');
  s.body(DYNAMIC, V(0, 0, 0), body.shape!, 'vase');
  expect(told.filter((text) => /"vase".*hull of.*"hollow".*PhysicsShapeContainer/.test(text))).toHaveLength(
    1,
  );
  const crate = s.box();
  crate.material = { friction: 0.4, staticFriction: 0.9 };
  expect(told.at(-1)).toMatch(/staticFriction 0.9 is not used/);
  const [a, b] = [s.body(STATIC, V(0, 0, 0), s.box(), 'left'), s.body(STATIC, V(2, 0, 0), s.box(), 'right')];
  const lock = new LockConstraint(V(2, 0, 0), V(0, 0, 0), V(1, 0, 0), V(1, 0, 0), s.scene);
  a.addConstraint(b, lock);
  // Until the next step one of them may become so.
  s.step(1);
  expect(told.at(-1)).toMatch(/"left".*"right".*not dynamic/);
  // It holds from when one of them is.
  b.setMotionType(DYNAMIC);
  s.step(30);
  expect(b.transformNode.position.subtract(V(2, 0, 0)).length()).toBeLessThan(0.02);
  expect(() => a.addConstraint(a, lock)).toThrow(/"left".*one body twice/);
  const container = new PhysicsShapeContainer(s.scene);
  expect(() => container.addChild(container)).toThrow(/child of itself/);
  expect(() => new PhysicsShape({ type: 6, parameters: {} }, s.scene)).toThrow(
    /PhysicsShape MESH: no mesh was given/,
  );
  expect(() => new PhysicsShape({ type: 7, parameters: {} }, s.scene)).toThrow(/HEIGHTFIELD: needs/);
  spy.mockRestore();
  s.end();
});

test('mirrored nodes stay as they are drawn, with their shapes, and turn with their bodies', () => {
  // Babylon's own plugin turns those by half a turn whose own scaling mirrors.
  const signs = [1, -1].flatMap((x) => [1, -1].flatMap((y) => [1, -1].map((z) => V(x, 2 * y, 1.5 * z))));
  const turn = Quaternion.FromEulerAngles(0.4, 1.1, -0.3);
  // The second parent is that of a glTF file in a left-handed scene.
  const parents = [undefined, [V(1, 1, -1), new Quaternion(0, 1, 0, 0)], [V(-2, 2, 2), turn]] as const;
  for (const above of parents)
    for (const scaling of signs) {
      const s = new Stage(PLUGINS[1]![1], V(0, 0, 0));
      const mesh = CreateBox('brick', { width: 1, height: 2, depth: 0.5 }, s.scene);
      mesh.bakeTransformIntoVertices(Matrix.Translation(2, 0, 0));
      mesh.scaling = scaling;
      mesh.rotationQuaternion = Quaternion.FromEulerAngles(0.3, -0.7, 1.1);
      mesh.position.set(0.5, 0.25, -1);
      if (above !== undefined) {
        const parent = s.node('parent', V(1, 2, 3));
        [parent.scaling, parent.rotationQuaternion] = [above[0], above[1].clone()];
        mesh.parent = parent;
      }
      const corners = () => {
        mesh.computeWorldMatrix(true);
        return [V(0, 0, 0), V(2, 0, 0), V(0, 1, 0), V(0, 0, 1)].map((corner) =>
          Vector3.TransformCoordinates(corner, mesh.getWorldMatrix()),
        );
      };
      const before = corners();
      const apart = (wanted: Vector3[]) =>
        Math.max(...corners().map((corner, i) => corner.subtract(wanted[i]!).length()));
      const body = new PhysicsBody(mesh, ANIMATED, false, s.scene);
      body.shape = new PhysicsShapeConvexHull(mesh, s.scene);
      s.step(2);
      expect(apart(before)).toBeLessThan(1e-4);
      const hit = new PhysicsRaycastResult();
      s.physics.raycastToRef(before[1]!.add(V(0, 20, 0)), before[1]!, hit);
      expect(hit.body).toBe(body);
      body.disablePreStep = false;
      s.step(2);
      expect(apart(before)).toBeLessThan(1e-4);
      body.disablePreStep = true;
      body.setTargetTransform(
        mesh.absolutePosition.clone(),
        turn.multiply(mesh.absoluteRotationQuaternion.clone()),
      );
      s.step(1);
      const turned = before.map((corner) => {
        const way = corner.subtract(before[0]!);
        return way.applyRotationQuaternion(turn).add(before[0]!);
      });
      expect(apart(turned)).toBeLessThan(0.01);
      s.end();
    }
});

test('nothing is left behind: bodies, joints, shapes, observers', () => {
  const s = ours();
  const plugin = s.plugin as RicochetPlugin;
  const world: World = plugin.world;
  for (let round = 0; round < 3; round++) {
    const bodies = Array.from({ length: 20 }, (_, i) => s.body(DYNAMIC, V(0, i, 0), s.box()));
    bodies.slice(1).forEach((body, i) => {
      bodies[i]!.addConstraint(
        body,
        new LockConstraint(V(0, 1, 0), V(0, 0, 0), V(1, 0, 0), V(1, 0, 0), s.scene),
      );
      body.setCollisionCallbackEnabled(true);
      body.getCollisionObservable().add(() => {});
      body.setLinearDamping(40);
    });
    s.step(5);
    for (const body of bodies) body.dispose();
    s.step(2);
    expect([
      world.bodyCount,
      [...world.joints()].length,
      plugin.leaves.size,
      plugin.damped.size,
      plugin.numBodies,
    ]).toEqual([0, 0, 0, 0, 0]);
  }
  s.end();
  expect(() => world.step(1 / 60)).toThrow();
});

test('the same calls give the same hash, and a change of a shared shape reaches all that have it', () => {
  const run = () => {
    const s = ours();
    s.floor();
    const shape = s.box();
    const bodies = Array.from({ length: 30 }, (_, i) =>
      s.body(DYNAMIC, V(0.1 * (i % 3), 1 + 1.1 * i, 0), shape),
    );
    s.step(60);
    shape.filterCollideMask = 0;
    s.step(60);
    expect(bodies.every((body) => body.transformNode.position.y < bodies.length)).toBe(true);
    expect(bodies[0]!.transformNode.position.y).toBeLessThan(-1);
    const hash = (s.plugin as RicochetPlugin).world.stateHash();
    s.end();
    return hash;
  };
  expect(run()).toBe(run());
});

test('a world that was warmed up goes on as one that was not, and tells of nothing that it did meanwhile', async () => {
  const run = async (milliseconds: number) => {
    const s = ours();
    const { world } = s.plugin as RicochetPlugin;
    const told = vi.fn();
    s.plugin.onCollisionObservable.add(told);
    await warmUp(world, { milliseconds });
    expect(told).not.toHaveBeenCalled();
    expect([s.plugin.numBodies, s.plugin.getGravity().y]).toEqual([0, -10]);
    s.floor();
    const body = s.body(DYNAMIC, V(0, 1, 0), s.box());
    body.setCollisionCallbackEnabled(true);
    s.step(60);
    expect(told).toHaveBeenCalled();
    const hash = world.stateHash();
    s.end();
    return hash;
  };
  expect(await run(100)).toBe(await run(0));
});
