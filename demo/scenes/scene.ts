// What a scene is: a title, a view and a function that creates bodies through the public vocabulary.
// Scenes know nothing of rendering, so the demo, the tests and the benchmark run the same files.
import type { BodyOptions, JointOptions, Query, WorldOptions } from 'ricochet';

/** The part of the API that a scene needs; World and the worker client both have it. */
export interface SceneTarget {
  createBody(options: BodyOptions): unknown;
  /** Bodies are what createBody returned. */
  createJoint(options: JointOptions<never>): unknown;
}

/** A word in the air, at a place in metres. */
export interface Label {
  text: string;
  position: [number, number, number];
}

export interface Scene {
  /** Used in addresses, test names and file names. */
  id: string;
  title: string;
  description: string;
  /** Where to look from and at, in metres. */
  camera: { position: [number, number, number]; target: [number, number, number] };
  /** Options of the world the scene is meant for. Default: `{}`. */
  world?: WorldOptions;
  /** For scenes about continuous collision: the demo counts the bodies that have ever been where none should get. */
  passage?: Passage;
  /** Creates every body, always in the same order. */
  build(target: SceneTarget): void;
  /** Shown from the start. */
  shows?: {
    joints?: boolean;
    /** What stands still. Default: boxes are drawn as glass, all else solid. */
    statics?: 'solid' | 'glass';
  };
  /** Height of the floor that is drawn, in metres. Default: 0. */
  floor?: number;
  labels?: readonly Label[];
  /** Questions that the demo asks in every frame and draws; `time` in s, simulated. They change nothing. */
  ask?(time: number): Query<never>[];
}

export interface Passage {
  /** Bodies from this one on, in the order of creation, are watched. */
  first: number;
  /** Whether a body whose centre is there has passed through something. */
  passed(x: number, y: number, z: number): boolean;
  /** Whether one whose centre is there has gone another way, and is not watched any more. */
  left?(x: number, y: number, z: number): boolean;
  /** Motion threshold of the bodies that are watched, m: goes and comes with the switch. */
  threshold?: number;
}

/** The floor of most scenes: the half-space below y = 0. */
export function createGround(target: Pick<SceneTarget, 'createBody'>): void {
  target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
}
