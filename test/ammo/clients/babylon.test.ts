// Babylon.js with its AmmoJSPlugin on the NullEngine.

import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { MeshBuilder } from '@babylonjs/core/Meshes/meshBuilder.js';
import { AmmoJSPlugin } from '@babylonjs/core/Physics/v1/Plugins/ammoJSPlugin.js';
import { PhysicsImpostor } from '@babylonjs/core/Physics/v1/physicsImpostor.js';
import { HingeJoint, PhysicsJoint } from '@babylonjs/core/Physics/v1/physicsJoint.js';
import '@babylonjs/core/Physics/joinedPhysicsEngineComponent.js';
import '@babylonjs/core/Physics/v1/physicsEngineComponent.js';
import { Scene } from '@babylonjs/core/scene.js';
import { expect, test } from 'vitest';
import type { Ammo } from '../engines';
import { compare } from './compare';

function run(module: Ammo) {
  const engine = new NullEngine();
  const scene = new Scene(engine);
  new FreeCamera('camera', new Vector3(0, 5, -10), scene);
  const plugin = new AmmoJSPlugin(false, module);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const physics = scene.getPhysicsEngine()!;
  const events: string[] = [];
  const put = (mesh: Mesh, x: number, y: number, z = 0) => {
    mesh.position.set(x, y, z);
    return mesh;
  };
  const impostor = (mesh: Mesh, type: number, mass: number, restitution = 0) =>
    new PhysicsImpostor(mesh, type, { mass, restitution, friction: 0.5 }, scene);

  const ground = put(MeshBuilder.CreateBox('ground', { width: 60, height: 1, depth: 20 }, scene), 0, -0.5);
  const floor = impostor(ground, PhysicsImpostor.BoxImpostor, 0);

  const box = put(MeshBuilder.CreateBox('box', { size: 1 }, scene), 0, 0.6);
  const upper = put(MeshBuilder.CreateBox('upper', { size: 1 }, scene), 0, 1.65);
  const ball = put(MeshBuilder.CreateSphere('ball', { diameter: 1 }, scene), 4, 2);
  const hull = put(MeshBuilder.CreateBox('hull', { size: 1 }, scene), 8, 0.7);
  const capsule = put(MeshBuilder.CreateCapsule('capsule', { radius: 0.3, height: 1.5 }, scene), -4, 0.8);
  const spinner = put(MeshBuilder.CreateBox('spinner', { width: 2, height: 0.2, depth: 0.2 }, scene), 14, 3);
  const post = put(MeshBuilder.CreateBox('post', { size: 0.2 }, scene), 14, 3.5);
  const bob = put(MeshBuilder.CreateSphere('bob', { diameter: 0.5 }, scene), -8, 2);
  const nail = put(MeshBuilder.CreateBox('nail', { size: 0.2 }, scene), -8, 4);
  const ramp = put(MeshBuilder.CreateGround('ramp', { width: 4, height: 4, subdivisions: 4 }, scene), -14, 1);
  const rider = put(MeshBuilder.CreateBox('rider', { size: 0.5 }, scene), -14, 1.4);

  const bodies = {
    box: impostor(box, PhysicsImpostor.BoxImpostor, 1),
    upper: impostor(upper, PhysicsImpostor.BoxImpostor, 1),
    ball: impostor(ball, PhysicsImpostor.SphereImpostor, 1),
    hull: impostor(hull, PhysicsImpostor.ConvexHullImpostor, 1),
    capsule: impostor(capsule, PhysicsImpostor.CapsuleImpostor, 0),
    rider: impostor(rider, PhysicsImpostor.BoxImpostor, 1),
  };
  impostor(ramp, PhysicsImpostor.MeshImpostor, 0);
  const [turning, fixed] = [
    impostor(spinner, PhysicsImpostor.BoxImpostor, 1),
    impostor(post, PhysicsImpostor.BoxImpostor, 0),
  ];
  const joint = new HingeJoint({
    mainPivot: new Vector3(0, -0.5, 0),
    connectedPivot: Vector3.Zero(),
    mainAxis: new Vector3(0, 1, 0),
    connectedAxis: new Vector3(0, 1, 0),
    collision: false,
  });
  fixed.addJoint(turning, joint);
  joint.setMotor(2, 100);
  const [hanging, held] = [
    impostor(bob, PhysicsImpostor.SphereImpostor, 1),
    impostor(nail, PhysicsImpostor.BoxImpostor, 0),
  ];
  held.addJoint(
    hanging,
    new PhysicsJoint(PhysicsJoint.BallAndSocketJoint, {
      mainPivot: Vector3.Zero(),
      connectedPivot: new Vector3(0, 2, 0),
    }),
  );
  bodies.ball.registerOnPhysicsCollide([bodies.box, bodies.rider, floor], (_, other) => {
    events.push(`ball meets ${(other.object as Mesh).name}`);
  });
  for (let i = 0; i < 300; i++) {
    if (i === 100) bodies.hull.applyImpulse(new Vector3(0, 2, 0), hull.getAbsolutePosition());
    (physics as unknown as { _step(dt: number): void })._step(1 / 60);
  }
  const hit = physics.raycast(new Vector3(0, 10, 0), new Vector3(0, -10, 0));
  const spin = turning.getAngularVelocity()!;
  const meshes: Mesh[] = [box, upper, ball, hull, capsule, bob, rider];
  const rest = Object.fromEntries(meshes.map(({ name, position: { x, y, z } }) => [name, [x, y, z]]));
  const outcome = {
    rest,
    events,
    rays: {
      down: hit.hasHit
        ? { hit: hit.body ? 'a body' : 'nothing', point: hit.hitPointWorld.asArray() as number[] }
        : null,
    },
    numbers: { spin: spin.y },
  };
  bodies.upper.dispose();
  scene.dispose();
  engine.dispose();
  return outcome;
}

test('Babylon.js AmmoJSPlugin: impostors of all kinds, joints with a motor, collisions, impulses, rays', async () => {
  const { rest, events, numbers } = await compare(run, {}, ['hull']);
  expect(rest['upper']![1]).toBeCloseTo(1.5, 2);
  expect(events).toContain('ball meets ground');
  expect(Math.abs(numbers!['spin']!)).toBeCloseTo(2, 1);
});
