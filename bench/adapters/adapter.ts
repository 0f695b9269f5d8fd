// What every engine does for the benchmark. An adapter only translates resolved bodies into calls of the
// engine's public API; settings stay the engine's defaults unless `engine` says otherwise.
// Friction meets friction by the geometric mean wherever an engine lets one choose (or gets it by
// arithmetic), so that 0.5 on 0.5 is 0.5 in all of them.
import type { BenchJoint, BodySpec, Feature, Quat, SceneSpec, Vec3 } from '../scene';

export interface Engine {
  features: readonly Feature[];
  /** More would take minutes: its cost grows with the square. */
  maxBodies?: number;
  /** `threads`: how many are to work on it; without it, or in an engine without threads, the page's own. */
  createWorld(spec: SceneSpec, threads?: number): EngineWorld | Promise<EngineWorld>;
}

export interface EngineWorld {
  createBody(body: BodySpec): void;
  createJoint?(joint: BenchJoint): void;
  /** Removes a body and makes it again, in the same place of the order: what `respawn` scenes do in every step. */
  replaceBody?(index: number, body: BodySpec): void;
  /** Called once after the last body and joint. */
  finish?(): void;
  step(dt: number): void;
  /** Position and quaternion of every body, 7 numbers each, in the order of creation. */
  readPoses(out: Float32Array): void;
  /** Linear and angular velocity of every body, 6 numbers each; zeros for static ones. */
  readVelocities(out: Float32Array): void;
  /** Rays of 6 numbers (from, to); writes fractions, Infinity for a miss. One call per ray where the API has no batch. */
  castRays(rays: Float64Array, fractions: Float64Array): void;
  /** The same by one call a ray, where `castRays` is a batch. */
  castRaysOneByOne?(rays: Float64Array, fractions: Float64Array): void;
  moveKinematic?(body: number, position: Vec3, rotation: Quat, dt: number): void;
  countAwake?(): number;
  /** Bytes of the engine's own heap. */
  memoryBytes?(): number;
  /** Threads that work on it, and shares of the last steps' time: of loops that they do together, of waiting in them. */
  threads?(wallMs: number): { count: number; shared: number; waited: number };
  /** Milliseconds per step by stage over some more steps, where the engine tells. */
  profile?(steps: number, step: () => void): Record<string, number>;
}

/** A shape whose own frame is not the body's. */
export function isMoved(shape: { position: Vec3; rotation: Quat }): boolean {
  return shape.position.some((x) => x !== 0) || shape.rotation[3] !== 1;
}

interface Xyz {
  x: number;
  y: number;
  z: number;
}

/** For readPoses: position and quaternion of a body from `at` on. */
export function writePose(out: Float32Array, at: number, p: Xyz, q: Xyz & { w: number }): void {
  out[at] = p.x;
  out[at + 1] = p.y;
  out[at + 2] = p.z;
  out[at + 3] = q.x;
  out[at + 4] = q.y;
  out[at + 5] = q.z;
  out[at + 6] = q.w;
}
