// What a golden scene is: a world that is built, then something to do before each step. The same code drives a World,
// in Node or a page, and a Physics whose world is in a worker: a question is `yield`ed, and what comes back is the
// answer, at once or after a while. All that a frame does follows from its number and the world, so that frames can be
// rolled back and played again.
import type {
  BodyHandle,
  BodyOptions,
  ExplosionOptions,
  JointHandle,
  JointOptions,
  QueryTarget,
  RayBatch,
  RayHit,
  StepSystemModule,
  Vec3Like,
  WorldOptions,
  WorldSettings,
} from 'ricochet';
import type { ActorLink } from '../../../src/replica/actorLink';

/** A body, as World and Physics give it. */
export type Thing = BodyHandle & { remove(): void };

/** What World and Physics share of what the scenes use. Answers may be promises: yield them. */
export interface Target {
  createBody(options: BodyOptions): Thing;
  createJoint(options: JointOptions): JointHandle;
  getBody(id: number): Thing | undefined;
  getJoint(id: number): JointHandle | undefined;
  setGravity(gravity: Vec3Like): void;
  updateSettings(changes: Partial<WorldSettings>): void;
  explode(at: Vec3Like, radius: number, impulse: number, options?: ExplosionOptions): void;
  rayTest(from: Vec3Like, to: Vec3Like): unknown;
  rayTestBatch(rays: ArrayLike<number>): unknown;
  convexSweepTest(target: QueryTarget<never>, delta: Vec3Like): unknown;
  overlapTest(min: Vec3Like, max: Vec3Like): unknown;
  overlapShapeTest(target: QueryTarget<never>): unknown;
}

/** What happens before step number `step`, from 1. */
export type Frame = (step: number) => Generator<unknown, void, never> | void;

export interface GoldenScene {
  /** Name in golden.json. */
  id: string;
  world?: WorldOptions;
  /** True: it has actors, which a worker loads first. */
  actors?: true;
  /** Step systems that are added before anything else. Each module uses nothing outside of itself: a worker gets its text. */
  systems?: readonly { module: StepSystemModule; name: string; options: unknown }[];
  /** Creates what there is at first. `link`: of a scene with actors, see src/replica/actorLink.ts. */
  start(target: Target, link: ActorLink): Frame;
}

/** Answers in the words of the scenes: bodies by id. */
export type Hit = Pick<RayHit<{ id: number }>, 'body' | 'point' | 'normal'> | null;
export type Batch = Pick<RayBatch, 'bodies' | 'fractions' | 'points' | 'normals'>;

/** A half-space below y = 0, or lower. */
export function ground(target: Target, offset = 0): void {
  target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0], offset } });
}

/** Walls of a square pit, `half` m from its middle. */
export function pit(target: Target, half: number, height: number): void {
  for (const [x, z] of [
    [half, 0],
    [-half, 0],
    [0, half],
    [0, -half],
  ] as const)
    target.createBody({
      type: 'static',
      position: [x, height / 2, z],
      shape: { type: 'box', halfExtents: [x === 0 ? half : 0.2, height / 2, z === 0 ? half : 0.2] },
    });
}
