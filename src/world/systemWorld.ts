// The world as a step system sees it. In: a running world, a `World` or that of a worker. Out: bodies, joints and
// queries with World's names, answered at once; calls that move bodies. The same in both, bit for bit.

import { PhysicsError } from '../base/errors';
import type { BodyId, JointId } from '../base/ids';
import { fillVec3 } from '../base/out';
import type { Contact } from '../events/events';
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
import { Handles } from '../replica/handles';
import type { ExplosionOptions, Vec3Like, Vec3Out, WorldSettings } from '../types';
import { RigidBody } from './body';
import { Joint } from './joint';
import type { Simulation } from './simulation';
import type { SystemReplica } from './systemReplica';
import type { World } from './world';

type All = { mode: 'all' };
type One = { mode?: 'closest' | 'any' };

/** Something with a body in it, as a worker's own world answers. */
type Named = { body: { readonly id: BodyId } | null };

/** A world for the code of a step system: it reads everything, moves bodies, and changes nothing else. */
export class SystemWorld {
  private readonly bodyViews: Handles<RigidBody>;
  private readonly jointViews: Handles<Joint>;
  private readonly known: Known<RigidBody>;
  /** @internal 0: views show the last step. */
  readonly interpolationTime = 0;

  /** @internal */
  constructor(
    private readonly simulation: Simulation<{ readonly id: BodyId }>,
    /** @internal */
    readonly replica: SystemReplica,
  ) {
    const world = this as unknown as World; // of which views use what is here
    this.bodyViews = new Handles(
      (id) => new RigidBody(world, id),
      (id) => simulation.replica.bodies.isLive(id),
    );
    this.jointViews = new Handles(
      (id) => new Joint(world, id),
      (id) => simulation.replica.joints.isLive(id),
    );
    this.known = {
      isBody: (value): value is RigidBody => value instanceof RigidBody,
      idOf: (body, argument) => this.idOf(body, argument),
      checkShape: (id, argument) => void simulation.replica.shapes.check(id, argument),
    };
  }

  /** @internal */
  get instance() {
    return this.simulation.instance;
  }

  /** @internal */
  sync(): void {
    this.simulation.sync();
  }

  /** @internal */
  checkChangeable(): void {
    this.simulation.checkChangeable();
  }

  /** @internal Another state is in place. */
  restored(): void {
    this.bodyViews.restored();
    this.jointViews.restored();
  }

  /** @internal */
  resolve(id: BodyId): RigidBody {
    return this.bodyViews.of(id);
  }

  private idOf(body: RigidBody | BodyId, argument = 'body'): BodyId {
    const id = typeof body === 'number' ? body : body.id;
    if (typeof body !== 'number' && (body.world as unknown) !== this)
      throw new PhysicsError('foreign-id', 'belongs to another world', argument);
    this.simulation.replica.bodies.check(id, argument);
    return id;
  }

  // --- objects ---

  /** The body of an id, as `body.id` of the page or World tells it; undefined when there is none. */
  getBody(id: BodyId): RigidBody | undefined {
    return this.simulation.replica.bodies.isLive(id) ? this.resolve(id) : undefined;
  }

  /** All bodies in the order of their slots. */
  *bodies(): Generator<RigidBody> {
    const { bodies } = this.simulation.replica;
    for (let slot = 1; slot < bodies.slotEnd; slot++) {
      const id = bodies.idAt(slot);
      if (id !== 0) yield this.resolve(id);
    }
  }

  /** The joint of an id; undefined when there is none. */
  getJoint(id: JointId): Joint | undefined {
    return this.simulation.replica.joints.isLive(id) ? this.jointViews.of(id) : undefined;
  }

  /** All joints in the order of their slots. */
  *joints(): Generator<Joint> {
    const { joints } = this.simulation.replica;
    for (let slot = 1; slot < joints.slotEnd; slot++) {
      const id = joints.idAt(slot);
      if (id !== 0) yield this.jointViews.of(id);
    }
  }

  /** @internal Of views. */
  removeBody(body: RigidBody): void {
    this.replica.removeBody(body.id);
  }

  /** @internal Of views. */
  removeJoint(joint: Joint): void {
    this.replica.removeJoint(joint.id);
  }

  /** Bodies of all types. */
  get bodyCount(): number {
    return this.simulation.bodyCount;
  }

  /** Fixed steps since the world was made; part of snapshots. */
  get stepCount(): number {
    return this.simulation.stepCount;
  }

  /** m/s² */
  getGravity<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const [x, y, z] = this.simulation.replica.gravity.map(Math.fround) as [number, number, number];
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), x, y, z);
  }

  /** A copy of the settings. */
  get settings(): WorldSettings {
    return { ...this.simulation.replica.settings };
  }

  /** Pushes dynamic bodies away from a point, as World.explode. m, m, N·s. */
  explode(at: Vec3Like, radius: number, impulse: number, options?: ExplosionOptions): void {
    this.checkChangeable();
    this.replica.explode(at, radius, impulse, options);
  }

  // --- queries ---

  private put<T>(fields: Parameters<typeof questionOf>[1], options: object | undefined): T[] {
    return this.withBodies(this.simulation.ask(questionOf(this.known, fields, options)) as Named[]) as T[];
  }

  private withBodies(hits: readonly Named[]): unknown[] {
    return hits.map((hit) =>
      hit.body === null || hit.body === undefined ? hit : { ...hit, body: this.resolve(hit.body.id) },
    );
  }

  private one<T>(
    fields: Parameters<typeof questionOf>[1],
    options: QueryOptions | undefined,
  ): T | T[] | null {
    const hits = this.put<T>(fields, options);
    return options?.mode === 'all' ? hits : (hits[0] ?? null);
  }

  /** Shoots a ray from one point to another, m; see World.rayTest. */
  rayTest(from: Vec3Like, to: Vec3Like, options: RayOptions & All): RayHit[];
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions & One): RayHit | null;
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions): RayHit | RayHit[] | null {
    return this.one({ type: 'ray', from, to }, options);
  }

  /** The closest hits of many rays, six numbers each; see World.rayTestBatch. */
  rayTestBatch(rays: ArrayLike<number>, options?: RayBatchOptions, out?: RayBatch): RayBatch {
    const { numbers, filter } = checkRays(this.known, rays, options);
    if (out === undefined) return this.simulation.askRays(numbers, filter);
    const { count } = this.simulation.askRays(numbers, filter, checkRayBatch(out, numbers.length / 6));
    out.count = count;
    return out;
  }

  /** Moves convex shapes straight along `delta` (m); see World.convexSweepTest. */
  convexSweepTest(target: QueryTarget, delta: Vec3Like, options: QueryOptions & All): SweepHit[];
  convexSweepTest(target: QueryTarget, delta: Vec3Like, options?: QueryOptions & One): SweepHit | null;
  convexSweepTest(target: QueryTarget, delta: Vec3Like, options?: QueryOptions) {
    return this.one<SweepHit>({ type: 'sweep', target, delta }, options);
  }

  /** Shapes that touch or overlap a shape or body. */
  overlapShapeTest(target: QueryTarget, options?: QueryOptions): OverlapHit[] {
    return this.put({ type: 'overlap', target }, options);
  }

  /** Shapes that contain a point. */
  pointTest(point: Vec3Like, options?: QueryOptions): OverlapHit[] {
    return this.put({ type: 'point', point }, options);
  }

  /** Shapes whose bounding boxes touch a box. */
  overlapTest(min: Vec3Like, max: Vec3Like, options?: QueryOptions): OverlapHit[] {
    return this.put({ type: 'box', min, max }, options);
  }

  /** The shape nearest to a shape or body; see World.nearestTest. */
  nearestTest(target: QueryTarget, options: DistanceOptions & All): DistanceHit[];
  nearestTest(target: QueryTarget, options?: DistanceOptions & One): DistanceHit | null;
  nearestTest(target: QueryTarget, options?: DistanceOptions) {
    return this.one<DistanceHit>({ type: 'nearest', target }, options);
  }

  /** Distance and nearest points of two bodies or shapes; see World.closestPoints. */
  closestPoints(
    a: QueryTarget,
    b: QueryTarget,
    options?: { maxDistance?: number },
  ): Omit<DistanceHit, 'body'> | null {
    return this.put<DistanceHit>({ type: 'closestPoints', a, b }, options)[0] ?? null;
  }

  /** All contact points of a shape or body with the world; see World.contactTest. */
  contactTest(target: QueryTarget, options?: ContactOptions): ContactHit[] {
    return this.put({ type: 'contacts', target }, options);
  }

  /** All contact points of two bodies or shapes. */
  contactPairTest(
    a: QueryTarget,
    b: QueryTarget,
    options?: { maxDistance?: number },
  ): Omit<ContactHit, 'body'>[] {
    return this.put({ type: 'pairContacts', a, b }, options);
  }

  /** Many questions at once; see World.queryBatch. */
  queryBatch(queries: readonly Query[]): QueryAnswer[] {
    return checkQueries(this.known, queries).map(
      (question) => this.withBodies(this.simulation.ask(question) as Named[]) as QueryAnswer,
    );
  }

  /** What touches or is about to: all contacts, or those of one body. Impulses are those of the last step. */
  getContacts(body?: RigidBody | BodyId): Contact<RigidBody>[] {
    const contacts = this.simulation.getContacts(body === undefined ? undefined : this.idOf(body));
    return contacts.map(({ bodyA, bodyB, ...contact }) => ({
      ...contact,
      bodyA: this.resolve(bodyA.id),
      bodyB: this.resolve(bodyB.id),
    }));
  }
}
