// The public queries of a `World`. In: bodies, shapes and options, checked here. Out: hits. Simulation answers; a
// worker's client has the same queries as promises.

import { type ContactBatch, checkContactBatch, fillContactBatch } from '../events/contactBatch';
import { type DebugLines, type DebugLinesOptions, drawDebugLines } from '../lines/debugLines';
import {
  type ContactOptions,
  checkQueries,
  checkRays,
  type DistanceOptions,
  type Known,
  type Query,
  type QueryOptions,
  type QueryTarget,
  questionOf,
  type RayBatchOptions,
  type RayOptions,
} from '../queries/asks';
import {
  type ContactHit,
  checkRayBatch,
  type DistanceHit,
  type OverlapHit,
  type QueryAnswer,
  type RayBatch,
  type RayHit,
  type SweepHit,
} from '../queries/queries';
import type { Vec3Like } from '../types';
import { RigidBody } from './body';
import { type Profile, readProfile } from './profile';
import { WorldSlots } from './slots';

type All = { mode: 'all' };
type One = { mode?: 'closest' | 'any' };

/** One answer, or all where all were asked for. */
function pick<T>(hits: T[], options: QueryOptions | undefined): T | T[] | null {
  return options?.mode === 'all' ? hits : (hits[0] ?? null);
}

export abstract class WorldQueries extends WorldSlots {
  private readonly known: Known<RigidBody> = {
    isBody: (value): value is RigidBody => value instanceof RigidBody,
    idOf: (body, argument) => this.idOf(body, argument),
    checkShape: (id, argument) => void this.replica.shapes.check(id, argument),
  };

  /** Lines that show shapes, boxes and contacts; see DebugLinesOptions. */
  debugLines(options?: DebugLinesOptions, out?: DebugLines): DebugLines {
    this.sync();
    return drawDebugLines(this, options, out);
  }

  /** As getContacts, of all bodies, as arrays: `out` is filled and returned when it has room, else new ones are made. */
  readContacts(out?: ContactBatch): ContactBatch {
    const arrays = out === undefined ? undefined : checkContactBatch(out);
    const words = this.query((core) => core.collectContacts(0));
    const from = this.instance.table('queryOutput');
    const batch = fillContactBatch(this.instance.words, this.instance.floats, from, from + words, arrays);
    if (out === undefined || batch !== arrays) return batch;
    out.count = batch.count;
    return out;
  }

  /** What the last step cost, by stage, and counts. Times are 0 unless `profiling` is on. */
  getProfile(): Profile {
    this.sync();
    return readProfile(this.instance);
  }

  /** @internal For tests: the pair set, and what it should be by brute force; shape slots, two each, sorted. */
  overlappingPairs(brute = false): Int32Array {
    const inspector = this.inspector();
    const count = this.query(() => (brute ? inspector.allPairsBrute() : inspector.currentPairs()));
    const at = this.instance.table('queryOutput');
    return this.instance.words.slice(at, at + 2 * count);
  }

  /** Puts a question in the name of a method: `fields` are its arguments. */
  private put<T>(fields: Parameters<typeof questionOf>[1], options: object | undefined): T[] {
    return this.ask(questionOf(this.known, fields, options)) as T[];
  }

  /**
   * Shoots a ray from one point to another.
   *
   * @returns the hit, or null; with mode 'all' an array, nearest first
   * @throws PhysicsError 'invalid-argument', also for a ray shorter than 1e-6 m; 'unknown-option', 'stale-id'
   */
  rayTest(from: Vec3Like, to: Vec3Like, options: RayOptions & All): RayHit[];
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions & One): RayHit | null;
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions): RayHit | RayHit[] | null {
    return pick(this.put<RayHit>({ type: 'ray', from, to }, options), options);
  }

  /**
   * The closest hits of many rays, six numbers each: from x, y, z, to x, y, z.
   *
   * @param out  filled and returned when given; must have room
   */
  rayTestBatch(rays: ArrayLike<number>, options?: RayBatchOptions, out?: RayBatch): RayBatch {
    const { numbers, filter } = checkRays(this.known, rays, options);
    if (out === undefined) return this.askRays(numbers, filter);
    const { count } = this.askRays(numbers, filter, checkRayBatch(out, numbers.length / 6));
    out.count = count;
    return out;
  }

  /**
   * Moves convex shapes straight along `delta` (m), without turning them, until they touch something: Bullet's
   * convexSweepTest. What they overlap at the start is hit at fraction 0, unless it only touches and they move away
   * or along it; seams inside a mesh or heightfield are no edges. A body with a mesh may be swept as well.
   *
   * @returns the hit, or null; with mode 'all' an array, the first first
   * @throws PhysicsError as rayTest
   */
  convexSweepTest(target: QueryTarget, delta: Vec3Like, options: QueryOptions & All): SweepHit[];
  convexSweepTest(target: QueryTarget, delta: Vec3Like, options?: QueryOptions & One): SweepHit | null;
  convexSweepTest(
    target: QueryTarget,
    delta: Vec3Like,
    options?: QueryOptions,
  ): SweepHit | SweepHit[] | null {
    return pick(this.put<SweepHit>({ type: 'sweep', target, delta }, options), options);
  }

  /** Shapes that touch or overlap a shape or body, in the order of their slots; with another mode the first only. */
  overlapShapeTest(target: QueryTarget, options?: QueryOptions): OverlapHit[] {
    return this.put({ type: 'overlap', target }, options);
  }

  /** Shapes that a point lies in or on, in the order of their slots. Meshes and heightfields have no inside. */
  pointTest(point: Vec3Like, options?: QueryOptions): OverlapHit[] {
    return this.put({ type: 'point', point }, options);
  }

  /**
   * The shape nearest to a shape or body.
   *
   * @returns the nearest, or null; with mode 'all' an array, nearest first
   */
  nearestTest(target: QueryTarget, options: DistanceOptions & All): DistanceHit[];
  nearestTest(target: QueryTarget, options?: DistanceOptions & One): DistanceHit | null;
  nearestTest(target: QueryTarget, options?: DistanceOptions): DistanceHit | DistanceHit[] | null {
    return pick(this.put<DistanceHit>({ type: 'nearest', target }, options), options);
  }

  /**
   * Distance and nearest points of two bodies or shapes, whatever their filters say. Planes, meshes and heightfields
   * have none among themselves.
   *
   * @returns null when they are farther apart than maxDistance. `shape` is 0 for a shape that is not in the world
   */
  closestPoints(
    a: QueryTarget,
    b: QueryTarget,
    options?: { maxDistance?: number },
  ): Omit<DistanceHit, 'body'> | null {
    return this.put<DistanceHit>({ type: 'closestPoints', a, b }, options)[0] ?? null;
  }

  /**
   * All contact points of a shape or body with the world as it is now, found afresh: Bullet's contactTest. In the
   * order of slots. (getContacts tells what the last step worked with.)
   */
  contactTest(target: QueryTarget, options?: ContactOptions): ContactHit[] {
    return this.put({ type: 'contacts', target }, options);
  }

  /** All contact points of two bodies or shapes, whatever their filters say: Bullet's contactPairTest. */
  contactPairTest(
    a: QueryTarget,
    b: QueryTarget,
    options?: { maxDistance?: number },
  ): Omit<ContactHit, 'body'>[] {
    return this.put({ type: 'pairContacts', a, b }, options);
  }

  /**
   * Many questions at once, of any kinds; see the methods of the same names.
   *
   * @returns a list of hits per question, in order
   * @throws PhysicsError as the methods, naming the question; none has been asked then
   */
  queryBatch(queries: readonly Query[]): QueryAnswer[] {
    return checkQueries(this.known, queries).map((question) => this.ask(question));
  }

  /** Shapes whose bounding boxes touch a box, in the order of their slots. */
  overlapTest(min: Vec3Like, max: Vec3Like, options?: QueryOptions): OverlapHit[] {
    return this.put({ type: 'box', min, max }, options);
  }
}
