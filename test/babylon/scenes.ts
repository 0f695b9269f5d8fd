// Babylon's own code on Havok's plugin and ours: thin instances, aggregates, the physics viewer,
// the physics helper, the ragdoll, shape queries, the character controller.
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import { CreateSphere } from '@babylonjs/core/Meshes/Builders/sphereBuilder.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { PhysicsHelper } from '@babylonjs/core/Physics/physicsHelper.js';
import { PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import { ProximityCastResult } from '@babylonjs/core/Physics/proximityCastResult.js';
import { ShapeCastResult } from '@babylonjs/core/Physics/shapeCastResult.js';
import {
  CharacterSupportedState,
  PhysicsCharacterController,
} from '@babylonjs/core/Physics/v2/characterController.js';
import {
  PhysicsActivationControl,
  PhysicsConstraintType,
  PhysicsShapeType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { PhysicsAggregate } from '@babylonjs/core/Physics/v2/physicsAggregate.js';
import { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import { LockConstraint, Physics6DoFConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import { PhysicsShapeContainer, PhysicsShapeMesh } from '@babylonjs/core/Physics/v2/physicsShape.js';
import { Ragdoll } from '@babylonjs/core/Physics/v2/ragdoll.js';
import '@babylonjs/core/Rendering/edgesRenderer.js';
import { PhysicsViewer } from '@babylonjs/core/Debug/physicsViewer.js';
import { describe, expect, test, vi } from 'vitest';
import { DYNAMIC, near, nearVector, PLUGINS, STATIC, type Stage, stagesOf, V } from './support';

/** Where the character ended, by plugin. */
const WALKED: Record<string, Vector3[]> = {};

describe.each(PLUGINS)('%s', (name, create) => {
  const stage = stagesOf(create);

  function instances(s: Stage, count: number): Mesh {
    const mesh = CreateBox('crates', { size: 1 }, s.scene);
    const matrices = new Float32Array(16 * count);
    for (let i = 0; i < count; i++) Matrix.Translation(2 * i, 3, 0).copyToArray(matrices, 16 * i);
    mesh.thinInstanceSetBuffer('matrix', matrices, 16, false);
    return mesh;
  }
  const placeOf = (mesh: Mesh, i: number) => {
    const { matrixData } = (mesh as unknown as { _thinInstanceDataStorage: { matrixData: Float32Array } })
      ._thinInstanceDataStorage;
    return V(matrixData[16 * i + 12]!, matrixData[16 * i + 13]!, matrixData[16 * i + 14]!);
  };

  test('thin instances: a body each, one at a time or all', () => {
    const s = stage();
    s.floor();
    const mesh = instances(s, 5);
    const body = new PhysicsBody(mesh, DYNAMIC, false, s.scene);
    body.shape = s.box();
    body.setMassProperties({ mass: 2 });
    expect(body.numInstances).toBe(5);
    body.setLinearVelocity(V(0, 3, 0), 2);
    body.setGravityFactor(0, 4);
    near(body.getGravityFactor(4), 0, 0);
    near(body.getGravityFactor(3), 1, 0);
    near(body.getMassProperties(3).mass!, 2, 1e-6);
    s.step(6);
    expect(placeOf(mesh, 2).y).toBeGreaterThan(placeOf(mesh, 1).y + 0.2);
    near(placeOf(mesh, 4).y, 3, 1e-4);
    const hit = new PhysicsRaycastResult();
    s.physics.raycastToRef(V(2, 10, 0), V(2, -10, 0), hit);
    expect([hit.body, hit.bodyIndex]).toEqual([body, 1]);
    s.step(120);
    near(placeOf(mesh, 0).y, 0.5, 0.02);
    const more = new Float32Array(16 * 7);
    for (let i = 0; i < 7; i++) Matrix.Translation(2 * i, 6, 0).copyToArray(more, 16 * i);
    mesh.thinInstanceSetBuffer('matrix', more, 16, false);
    body.updateBodyInstances();
    expect(body.numInstances).toBe(7);
    near(body.getMassProperties(6).mass!, 2, 1e-6);
    s.step(10);
    expect(placeOf(mesh, 6).y).toBeLessThan(6);
    mesh.thinInstanceCount = 3;
    body.updateBodyInstances();
    expect(body.numInstances).toBe(3);
    s.step(2);
    const fixed = s.body(STATIC, V(0, 9, 0), s.box(0.1));
    fixed.addConstraint(
      body,
      new LockConstraint(V(0, 0, 0), V(0, 0, 0), V(1, 0, 0), V(1, 0, 0), s.scene),
      undefined,
      1,
    );
    s.step(60);
    nearVector(placeOf(mesh, 1), [0, 9, 0], 0.05);
    body.disablePreStep = false;
    Matrix.Translation(0, 20, 0).copyToArray(
      (mesh as unknown as { _thinInstanceDataStorage: { matrixData: Float32Array } })._thinInstanceDataStorage
        .matrixData,
      0,
    );
    s.step(1);
    near(placeOf(mesh, 0).y, 20, 0.1);
    body.dispose();
    mesh.dispose();
    s.step(2);
  });

  test('aggregates, with a ground of no thickness and a mesh that moves', () => {
    const s = stage();
    new PhysicsAggregate(
      CreateGround('ground', { width: 20, height: 20 }, s.scene),
      PhysicsShapeType.BOX,
      { mass: 0 },
      s.scene,
    );
    const types: [Mesh, PhysicsShapeType, number][] = [
      [CreateBox('box', { size: 1 }, s.scene), PhysicsShapeType.BOX, 0.5],
      [CreateSphere('ball', { diameter: 1 }, s.scene), PhysicsShapeType.SPHERE, 0.5],
      [CreateSphere('capsule', { diameter: 1, diameterY: 2 }, s.scene), PhysicsShapeType.CAPSULE, 1],
      [CreateBox('cylinder', { size: 1 }, s.scene), PhysicsShapeType.CYLINDER, 0.5],
      [CreateBox('hull', { size: 1 }, s.scene), PhysicsShapeType.CONVEX_HULL, 0.5],
      [CreateBox('mesh', { size: 1 }, s.scene), PhysicsShapeType.MESH, 0.5],
    ];
    const made = types.map(([mesh, type, height], i) => {
      mesh.position.set(2.5 * i - 6, height + 1, 0);
      return new PhysicsAggregate(mesh, type, { mass: 3, friction: 0.7 }, s.scene);
    });
    s.step(150);
    made.forEach(({ transformNode, body }, i) => {
      near(transformNode.position.y, types[i]![2], 0.03);
      near(body.getMassProperties().mass!, 3, 1e-5);
    });
    const scaled = CreateBox('scaled', { size: 1 }, s.scene);
    scaled.scaling.set(2, 4, 2);
    scaled.position.set(0, 5, 6);
    new PhysicsAggregate(scaled, PhysicsShapeType.BOX, { mass: 1 }, s.scene);
    s.step(150);
    near(scaled.position.y, 2, 0.03);
    expect(scaled.scaling.asArray()).toEqual([2, 4, 2]);
    for (const aggregate of made) aggregate.dispose();
    s.step(2);
  });

  test('containers: children with places, turns and scales; shared shapes', () => {
    const s = stage();
    s.floor();
    const container = new PhysicsShapeContainer(s.scene);
    const box = s.box();
    container.addChild(box, V(2, 0, 0), Quaternion.RotationAxis(V(0, 0, 1), Math.PI / 4));
    container.addChild(box, V(-2, 0, 0), Quaternion.Identity(), V(1, 2, 1));
    expect(container.getNumChildren()).toBe(2);
    const body = s.body(STATIC, V(0, 10, 0), container);
    const hit = new PhysicsRaycastResult();
    const top = (x: number) => {
      s.physics.raycastToRef(V(x, 20, 0), V(x, 5, 0), hit);
      return hit.hasHit ? hit.hitPointWorld.y - 10 : Number.NaN;
    };
    near(top(2), Math.SQRT1_2, 1e-3);
    near(top(-2), 1, 1e-3);
    container.removeChild(0);
    expect(container.getNumChildren()).toBe(1);
    body.shape = container;
    expect(top(2)).toBeNaN();
    expect(s.calls.getShape(body)).not.toBeNull();
    expect(s.calls.getShapeType(box)).toBe(PhysicsShapeType.BOX);
  });

  test('shape casts, proximity of shapes and points', () => {
    const s = stage(V(0, 0, 0));
    const body = s.body(DYNAMIC, V(0, 0, 0), s.box());
    s.step(1);
    const ball = s.ball();
    const rotation = Quaternion.RotationAxis(V(0, 0, 1), Math.PI / 2);
    const [own, other] = [new ShapeCastResult(), new ShapeCastResult()];
    const sweep = {
      shape: ball,
      rotation,
      startPosition: V(0, 5, 0),
      endPosition: V(0, -5, 0),
      shouldHitTriggers: false,
    };
    s.calls.shapeCast(sweep, own, other);
    near(other.hitFraction, 0.4, 1e-3);
    near(own.hitFraction, 0.4, 1e-3);
    nearVector(other.hitPoint, [0, 0.5, 0], 1e-3);
    nearVector(other.hitNormal, [0, 1, 0], 1e-3);
    expect(other.body).toBe(body);
    nearVector(own.hitPoint, [-0.5, 0, 0], 1e-3);
    s.calls.shapeCast({ ...sweep, ignoreBody: body }, own, other);
    expect(other.hasHit).toBe(false);
    const [near1, near2] = [new ProximityCastResult(), new ProximityCastResult()];
    for (const [y, distance] of [
      [2, 1],
      [0.8, -0.2],
    ] as const) {
      const query = {
        shape: ball,
        rotation: Quaternion.Identity(),
        position: V(0, y, 0),
        maxDistance: 5,
        shouldHitTriggers: false,
      };
      s.calls.shapeProximity(query, near1, near2);
      near(near2.hitDistance, distance, 1e-3);
      nearVector(near2.hitPoint, [0, 0.5, 0], 1e-3);
      nearVector(near2.hitNormal, [0, 1, 0], 1e-3);
      nearVector(near1.hitPoint, [0, -0.5, 0], 1e-3);
      nearVector(near1.hitNormal, [0, -1, 0], 1e-3);
    }
    const collisionFilter = { membership: -1, collideWith: -1 };
    for (const [position, distance, point] of [
      [V(0, 2, 0), 1.5, [0, 0.5, 0]],
      [V(0.1, 0, 0), -0.4, [0.5, 0, 0]],
    ] as const) {
      s.calls.pointProximity({ position, maxDistance: 5, collisionFilter, shouldHitTriggers: false }, near1);
      near(near1.hitDistance, distance, 1e-3);
      nearVector(near1.hitPoint, [...point], 1e-3);
      expect(near1.body).toBe(body);
    }
    s.calls.pointProximity(
      { position: V(0, 9, 0), maxDistance: 5, collisionFilter, shouldHitTriggers: false },
      near1,
    );
    expect(near1.hasHit).toBe(false);
  });

  test('limits of velocity, time steps, activation, asleep from the start', () => {
    const s = stage();
    s.calls.setVelocityLimits(5, 3);
    const fast = s.body(DYNAMIC, V(0, 50, 0), s.box());
    fast.setLinearVelocity(V(20, 0, 0));
    fast.setAngularVelocity(V(0, 9, 0));
    s.step(2);
    expect(fast.getLinearVelocity().length()).toBeLessThanOrEqual(5.2);
    expect(fast.getAngularVelocity().length()).toBeLessThanOrEqual(3.1);
    s.physics.setTimeStep(1 / 120);
    near(s.calls.getTimeStep(), 1 / 120, 1e-9);
    expect(s.calls.getPluginVersion()).toBe(2);
    s.calls.setActivationControl(fast, PhysicsActivationControl.ALWAYS_ACTIVE);
    s.calls.setActivationControl(fast, PhysicsActivationControl.SIMULATION_CONTROLLED);
    const node = s.node('asleep', V(9, 50, 0));
    const asleep = new PhysicsBody(node, DYNAMIC, true, s.scene);
    asleep.shape = s.box();
    s.calls.getMaxLinearVelocity();
    s.calls.getMaxAngularVelocity();
    expect(s.calls.numBodies).toBe(2);
    fast.dispose();
    expect(s.calls.numBodies).toBe(1);
  });

  test("Babylon's viewer and helper on it", () => {
    const s = stage();
    s.floor();
    const body = s.body(DYNAMIC, V(0, 2, 0), s.box());
    const child = s.body(DYNAMIC, V(0, 4, 0), s.box());
    const constraint = new Physics6DoFConstraint(
      { pivotA: V(0, 1, 0), pivotB: V(0, -1, 0) },
      [{ axis: 0, minLimit: 0, maxLimit: 0 }],
      s.scene,
    );
    body.addConstraint(child, constraint);
    const viewer = new PhysicsViewer(s.scene);
    expect(viewer.showBody(body)).not.toBeNull();
    viewer.showInertia(body);
    viewer.showConstraint(constraint);
    s.step(2);
    s.scene.onBeforeRenderObservable.notifyObservers(s.scene);
    viewer.hideBody(body);
    viewer.hideConstraint(constraint);
    viewer.dispose();
    constraint.dispose();
    s.step(60);
    new PhysicsHelper(s.scene).applyRadialExplosionImpulse(V(0, 0, 0.2), 8, 3000, 0);
    s.step(1);
    expect(body.getLinearVelocity().y).toBeGreaterThan(0.1);
  });

  test("Babylon's ragdoll falls, holds together, keeps its limits and moves its skeleton", () => {
    const said = vi.spyOn(Logger, 'Warn').mockImplementation(() => {});
    const s = stage();
    s.floor();
    const skeleton = new Skeleton('man', 'man', s.scene);
    const root = s.node('man', V(0, 2.2, 0));
    /** Bone, parent, its place from there, half the length of its box, its sizes across; mirrored ones have two. */
    const parts = [
      ['pelvis', '', [0, 0, 0], 0, [0.35, 0.2]],
      ['chest', 'pelvis', [0, 0.15, 0], 0.25, [0.4, 0.45]],
      ['head', 'chest', [0, 0.55, 0], 0.15, [0.22, 0.25]],
      ['armL', 'chest', [0.25, 0.45, 0], -0.16, [0.1, 0.28]],
      ['armR', 'chest', [-0.25, 0.45, 0], -0.16, [0.1, 0.28]],
      ['handL', 'armL', [0, -0.34, 0], -0.16, [0.09, 0.28]],
      ['handR', 'armR', [0, -0.34, 0], -0.16, [0.09, 0.28]],
      ['thighL', 'pelvis', [0.12, -0.12, 0], -0.22, [0.14, 0.4]],
      ['thighR', 'pelvis', [-0.12, -0.12, 0], -0.22, [0.14, 0.4]],
      ['shinL', 'thighL', [0, -0.46, 0], -0.22, [0.11, 0.4]],
      ['shinR', 'thighR', [0, -0.46, 0], -0.22, [0.11, 0.4]],
    ] as const;
    const bones = new Map<string, Bone>();
    for (const [name, parent, [x, y, z]] of parts)
      bones.set(name, new Bone(name, skeleton, bones.get(parent) ?? null, Matrix.Translation(x, y, z)));
    const config = parts.map(([bone, , , boxOffset, [width, height]]) => ({
      bone,
      boxOffset,
      width,
      depth: width,
      height,
      ...(bone.startsWith('shin') && { joint: PhysicsConstraintType.HINGE, min: 0, max: 1.6 }),
    }));
    const ragdoll = new Ragdoll(skeleton, root, config);
    s.step(10);
    ragdoll.ragdoll();
    const chest = ragdoll.getAggregate(1)!.body;
    chest.applyImpulse(V(6, 0, 4), chest.transformNode.position);
    const lengths: number[] = [];
    for (let i = 0; i < 360; i++) {
      s.step(1);
      s.scene.onBeforeRenderObservable.notifyObservers(s.scene);
    }
    for (const [i, [name, parent]] of parts.entries()) {
      const { transformNode: node, shape } = ragdoll.getAggregate(i)!.body;
      expect(shape, name).toBeDefined();
      expect(node.position.y, name).toBeGreaterThan(0.02);
      expect(node.position.y, name).toBeLessThan(1);
      if (parent === '') continue;
      const other = ragdoll.getAggregate(parts.findIndex(([each]) => each === parent))!.body.transformNode;
      lengths.push(Vector3.Distance(node.position, other.position));
    }
    // No two boxes that are jointed are farther apart than stretched out.
    expect(Math.max(...lengths)).toBeLessThan(0.62);
    const head = bones.get('head')!.getAbsolutePosition(root);
    expect(Vector3.Distance(head, ragdoll.getAggregate(2)!.body.transformNode.position)).toBeLessThan(0.35);
    ragdoll.dispose();
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });

  test("Babylon's character controller walks, climbs, is stopped and pushes", () => {
    const s = stage();
    const gravity = V(0, -10, 0);
    s.floor();
    s.body(STATIC, V(0, 1, 6), s.box(8, 2, 1), 'wall');
    // A ramp of 20 degrees in a mesh.
    const ramp = CreateBox('ramp', { width: 6, height: 1, depth: 10 }, s.scene);
    const turn = Quaternion.RotationAxis(V(1, 0, 0), -Math.PI / 9);
    ramp.rotationQuaternion = turn;
    ramp.position.set(20, 0, 5);
    const slope = new PhysicsBody(ramp, STATIC, false, s.scene);
    slope.shape = new PhysicsShapeMesh(ramp, s.scene);
    const walk = (from: Vector3, velocity: Vector3, steps: number) => {
      const character = new PhysicsCharacterController(
        from,
        { capsuleHeight: 1.8, capsuleRadius: 0.4 },
        s.scene,
      );
      const down = V(0, -1, 0);
      let standing = 0;
      for (let i = 0; i < steps; i++) {
        const dt = 1 / 60;
        const support = character.checkSupport(dt, down);
        const isStanding = support.supportedState === CharacterSupportedState.SUPPORTED;
        if (isStanding) standing++;
        const next = isStanding ? velocity.clone() : character.getVelocity().add(gravity.scale(dt));
        if (isStanding) {
          const normal = support.averageSurfaceNormal;
          // Along the surface.
          next.subtractInPlace(normal.scale(Vector3.Dot(next, normal)));
        }
        character.setVelocity(next);
        character.integrate(dt, support, gravity);
        s.step(1);
      }
      const at = character.getPosition().clone();
      character.dispose();
      return { at, standing };
    };
    const still = walk(V(-10, 1.2, 0), V(0, 0, 0), 60);
    near(still.at.y, 1, 0.1);
    expect(still.standing).toBeGreaterThan(40);
    const straight = walk(V(-10, 1, 0), V(2, 0, 0), 120);
    near(straight.at.x, -6, 0.4);
    const stopped = walk(V(0, 1, 3), V(0, 0, 3), 120);
    near(stopped.at.z, 6 - 0.5 - 0.4, 0.12);
    const climbed = walk(V(20, 1, -1), V(0, 0, 3), 100);
    expect(climbed.at.y).toBeGreaterThan(1.1);
    const crate = s.body(DYNAMIC, V(-20, 0.5, 0), s.box());
    crate.setMassProperties({ mass: 5 });
    walk(V(-22, 1, 0), V(2, 0, 0), 120);
    expect(crate.transformNode.position.x).toBeGreaterThan(-19.7);
    WALKED[name] = [still.at, straight.at, stopped.at, climbed.at, crate.transformNode.position.clone()];
  });
});

test('the character came to the same places on both, within 2 cm', () => {
  const [havok, ours] = [WALKED['havok']!, WALKED['ricochet']!];
  const apart = havok.map((at, i) => at.subtract(ours[i]!).length());
  console.log('character on both plugins: m apart', apart.map((distance) => distance.toFixed(4)).join(' '));
  // The crate that is pushed slides by each engine's own friction.
  expect(Math.max(...apart.slice(0, 4))).toBeLessThan(0.02);
  expect(apart[4]).toBeLessThan(0.3);
});
