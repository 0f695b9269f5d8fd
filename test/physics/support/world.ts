// What every experiment starts from: a world without sleeping, bodies read as f64 arrays, scenes
// built with the options of each body kept beside it.

import type { Scene } from '../../../demo/scenes';
import { type RigidBody, World } from '../../../src/index';
import type { BodyOptions, WorldOptions } from '../../../src/types';
import type { Quat, Vec3 } from './vector';

export const G = 9.81;
export const DT = 1 / 60;

/** Defaults of the engine, but sleeping off: a quality row must not be saved by sleep. */
export function createWorld(options: WorldOptions = {}): World {
  const tuning = (globalThis as { ricochetTuning?: WorldOptions }).ricochetTuning;
  return new World({ sleeping: false, ...options, ...tuning });
}

export interface Placed {
  body: RigidBody;
  options: BodyOptions;
  start: Vec3;
}

/** Builds a scene and keeps what was asked for each body, statics included, in creation order. */
export function buildScene(world: World, scene: Pick<Scene, 'build'>): Placed[] {
  const placed: Placed[] = [];
  scene.build({
    createBody(options) {
      const body = world.createBody(options);
      placed.push({ body, options, start: position(body) });
      return body;
    },
    createJoint: (options) => world.createJoint(options),
  });
  return placed;
}

export const isDynamic = ({ options }: Placed) => (options.type ?? 'dynamic') === 'dynamic';

export function position(body: RigidBody): Vec3 {
  const p = body.getPosition();
  return [p[0], p[1], p[2]];
}

export function rotation(body: RigidBody): Quat {
  const q = body.getRotation();
  return [q[0], q[1], q[2], q[3]];
}

export function velocity(body: RigidBody): Vec3 {
  const v = body.getLinearVelocity();
  return [v[0], v[1], v[2]];
}

export function spin(body: RigidBody): Vec3 {
  const w = body.getAngularVelocity();
  return [w[0], w[1], w[2]];
}

/** Fixed steps of 1/60 s for `seconds`; `each` runs after every step with the number of steps done. */
export function run(world: World, seconds: number, each?: (step: number) => void): void {
  const steps = Math.round(seconds / DT);
  for (let i = 1; i <= steps; i++) {
    world.step(DT);
    each?.(i);
  }
}

/** A horizontal floor at y = 0. Combined coefficients are products, so 1 leaves the choice to the body. */
export function createFloor(world: World, friction = 1, restitution = 1): RigidBody {
  return world.createBody({
    type: 'static',
    shape: { type: 'plane', normal: [0, 1, 0], friction, restitution },
  });
}

export const UNIT_BOX: Vec3 = [0.5, 0.5, 0.5];

export const isAsleep = (body: RigidBody) => body.getActivationState() === 'sleeping';

/** The pairs that the world works on against all pairs of its boxes; both are lists of the core. */
export function comparePairs(world: World): { pairs: number; missing: number; extra: number } {
  const list = (brute: boolean) => {
    const pairs = world.overlappingPairs(brute);
    const keys = new Set<number>();
    for (let i = 0; i < pairs.length; i += 2) keys.add(pairs[i]! * 2 ** 18 + pairs[i + 1]!);
    return keys;
  };
  const [current, all] = [list(false), list(true)];
  const missing = [...all].filter((key) => !current.has(key)).length;
  const extra = [...current].filter((key) => !all.has(key)).length;
  return { pairs: all.size, missing, extra };
}
