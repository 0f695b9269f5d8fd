// A Babylon scene in Node, with Havok's plugin or with ours: whatever is asked of one is asked of the other.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import '@babylonjs/core/Physics/joinedPhysicsEngineComponent.js';
import '@babylonjs/core/Physics/v2/physicsEngineComponent.js';
import { PhysicsMotionType } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { HavokPlugin } from '@babylonjs/core/Physics/v2/Plugins/havokPlugin.js';
import { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import type { PhysicsEngine } from '@babylonjs/core/Physics/v2/physicsEngine.js';
import {
  type PhysicsShape,
  PhysicsShapeBox,
  PhysicsShapeSphere,
} from '@babylonjs/core/Physics/v2/physicsShape.js';
import { Scene } from '@babylonjs/core/scene.js';
import HavokPhysics from '@babylonjs/havok';
import { RicochetPlugin } from 'ricochet/babylon';
import { afterEach, expect } from 'vitest';

Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel;

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve('@babylonjs/havok/lib/esm/HavokPhysics.wasm'));
const havok = await HavokPhysics({
  wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
} as never);

export type Plugin = HavokPlugin | RicochetPlugin;
export const PLUGINS: readonly (readonly [name: string, create: () => Plugin])[] = [
  ['havok', () => new HavokPlugin(true, havok)],
  ['ricochet', () => new RicochetPlugin()],
];

export const V = (x: number, y: number, z: number) => new Vector3(x, y, z);
export { PhysicsMotionType };
export const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;

/** Names of the plugin's methods that were called, by plugin. */
export const CALLED: Record<string, Set<string>> = {};

/** The plugin, which notes what is called of it. */
function watched(plugin: Plugin): Plugin {
  const called = (CALLED[plugin.name] ??= new Set());
  return new Proxy(plugin, {
    get(target, key) {
      const value = Reflect.get(target, key, target);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      return (...args: unknown[]) => {
        called.add(key);
        return value.apply(target, args);
      };
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}

export class Stage {
  readonly engine = new NullEngine();
  readonly scene = new Scene(this.engine);
  readonly plugin: Plugin;

  constructor(create: () => Plugin, gravity = V(0, -10, 0)) {
    const plugin = create();
    this.plugin = plugin;
    this.scene.enablePhysics(gravity, watched(plugin));
  }

  get physics(): PhysicsEngine {
    return this.scene.getPhysicsEngine() as PhysicsEngine;
  }

  /** The plugin as Babylon calls it. */
  get calls(): Plugin {
    return this.physics.getPhysicsPlugin() as unknown as Plugin;
  }

  step(n = 1, dt = 1 / 60): void {
    for (let i = 0; i < n; i++) this.physics._step(dt);
  }

  node(name: string, position = V(0, 0, 0)): TransformNode {
    const node = new TransformNode(name, this.scene);
    node.position.copyFrom(position);
    node.rotationQuaternion = Quaternion.Identity();
    return node;
  }

  body(type: PhysicsMotionType, position: Vector3, shape?: PhysicsShape, name = 'body'): PhysicsBody {
    const body = new PhysicsBody(this.node(name, position), type, false, this.scene);
    if (shape) body.shape = shape;
    return body;
  }

  box(x = 1, y = x, z = x): PhysicsShapeBox {
    return new PhysicsShapeBox(V(0, 0, 0), Quaternion.Identity(), V(x, y, z), this.scene);
  }

  ball(radius = 0.5): PhysicsShapeSphere {
    return new PhysicsShapeSphere(V(0, 0, 0), radius, this.scene);
  }

  /** A floor whose top is at y = 0. */
  floor(): PhysicsBody {
    return this.body(STATIC, V(0, -0.5, 0), this.box(100, 1, 100), 'floor');
  }

  end(): void {
    this.scene.dispose();
    this.engine.dispose();
  }
}

export const near = (value: number, expected: number, tolerance: number) =>
  expect(Math.abs(value - expected), `${value} for ${expected}`).toBeLessThanOrEqual(tolerance);
export const nearVector = (value: Vector3, expected: [number, number, number], tolerance: number) =>
  expect(value.subtract(Vector3.FromArray(expected)).length(), `${value.asArray()}`).toBeLessThanOrEqual(
    tolerance,
  );

/** Makes stages for the tests of a suite; each ends with its test. */
export function stagesOf(create: () => Plugin): (gravity?: Vector3) => Stage {
  const stages: Stage[] = [];
  afterEach(() => {
    for (const each of stages.splice(0)) each.end();
  });
  return (gravity) => {
    const made = new Stage(create, gravity);
    stages.push(made);
    return made;
  };
}
