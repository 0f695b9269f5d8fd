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
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { LockConstraint, Physics6DoFConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import {
  PhysicsShape,
  PhysicsShapeContainer,
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
