// Queries of a page to its world in a worker: World's methods as promises. In: bodies, shapes and options, checked
// here. Out: hits, with the page's bodies. Queries made in one task travel in one message.

import { PhysicsError } from '../src/base/errors';
import { QUERY_ALL } from '../src/core/memory/constants';
import {
  type Ask,
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
} from '../src/queries/asks';
import type {
  ContactHit,
  DistanceHit,
  OverlapHit,
  QueryAnswer,
  RayBatch,
  RayHit,
  SweepHit,
} from '../src/queries/queries';
import { copied, plain, type QueryMethod } from '../src/replay/queries';
import type { Vec3Like } from '../src/types';
import { PhysicsBody } from './body';
import { ClientCooking } from './clientCooking';
import type { Call, Named, Replies, Reply } from './protocol';

type Target = QueryTarget<PhysicsBody>;
type Options = QueryOptions<PhysicsBody>;
type All = { mode: 'all' };
type One = { mode?: 'closest' | 'any' };

/** Answers that belong to the same moment. */
export interface QueryAnswers {
  /** Steps that the world had made. */
  step: number;
  /** A list of hits per query, in order. */
  answers: QueryAnswer<PhysicsBody>[];
}

interface Pending {
  /** Sequence number in the stream. */
  place: number;
  asks: Ask[];
  call: Call | null;
  resolve(replies: Replies): void;
  reject(error: unknown): void;
}

export abstract class ClientAsks extends ClientCooking {
  /** While true, queries are recorded as they were asked. */
  protected recording = false;
  /** Queries since the last message. */
  private asked: Pending[] = [];

  private readonly known: Known<PhysicsBody> = {
    isBody: (value): value is PhysicsBody => value instanceof PhysicsBody,
    idOf: (body, argument) => this.idOf(body, argument),
    checkShape: (id, argument) => void this.replica.shapes.check(id, argument),
  };

  /** Sends all commands so far, so that the next message follows them. */
  protected abstract sendCommands(): void;

  /** Sends a query that sees exactly the calls made before it. */
  protected ask<T>(question: Parameters<typeof this.link.change<T>>[0]): Promise<T> {
    this.sendCommands();
    return this.link.change(question);
  }

  /** Casts a ray from one point to another, after all calls made before. See World.rayTest. */
  rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options: RayOptions<PhysicsBody> & All,
  ): Promise<RayHit<PhysicsBody>[]>;
  rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options?: RayOptions<PhysicsBody> & One,
  ): Promise<RayHit<PhysicsBody> | null>;
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions<PhysicsBody>) {
    return this.put({ type: 'ray', from, to }, options) as Promise<never>;
  }

  /** The closest hits of many rays, six numbers each: from x, y, z, to x, y, z. */
  async rayTestBatch(rays: ArrayLike<number>, options?: RayBatchOptions<PhysicsBody>): Promise<RayBatch> {
    const given = (this.recording ? copied(options) : options) as typeof options;
    const { numbers, filter } = checkRays(this.known, rays, given);
    const copy = Float32Array.from(numbers);
    const call = this.call('rayTestBatch', [numbers, given], false);
    return this.ask((host, sequence) => host.rayTestBatch(sequence, copy, filter, call));
  }

  /** Sweeps convex shapes along a straight line until they touch something. See World.convexSweepTest. */
  convexSweepTest(target: Target, delta: Vec3Like, options: Options & All): Promise<SweepHit<PhysicsBody>[]>;
  convexSweepTest(
    target: Target,
    delta: Vec3Like,
    options?: Options & One,
  ): Promise<SweepHit<PhysicsBody> | null>;
  convexSweepTest(target: Target, delta: Vec3Like, options?: Options) {
    return this.put({ type: 'sweep', target, delta }, options) as Promise<never>;
  }

  /** Shapes that touch or overlap a shape or body. See World.overlapShapeTest. */
  overlapShapeTest(target: Target, options?: Options): Promise<OverlapHit<PhysicsBody>[]> {
    return this.put({ type: 'overlap', target }, options);
  }

  /** Shapes that contain a point. */
  pointTest(point: Vec3Like, options?: Options): Promise<OverlapHit<PhysicsBody>[]> {
    return this.put({ type: 'point', point }, options);
  }

  /** Shapes whose bounding boxes touch a box. */
  overlapTest(min: Vec3Like, max: Vec3Like, options?: Options): Promise<OverlapHit<PhysicsBody>[]> {
    return this.put({ type: 'box', min, max }, options);
  }

  /** The shape nearest to a shape or body, or all within `maxDistance`. See World.nearestTest. */
  nearestTest(
    target: Target,
    options: DistanceOptions<PhysicsBody> & All,
  ): Promise<DistanceHit<PhysicsBody>[]>;
  nearestTest(
    target: Target,
    options?: DistanceOptions<PhysicsBody> & One,
  ): Promise<DistanceHit<PhysicsBody> | null>;
  nearestTest(target: Target, options?: DistanceOptions<PhysicsBody>) {
    return this.put({ type: 'nearest', target }, options) as Promise<never>;
  }

  /** Distance and closest points of two bodies or shapes. See World.closestPoints. */
  closestPoints(
    a: Target,
    b: Target,
    options?: { maxDistance?: number },
  ): Promise<Omit<DistanceHit, 'body'> | null> {
    return this.put({ type: 'closestPoints', a, b }, options);
  }

  /** All contact points of a shape or body with the world. See World.contactTest. */
  contactTest(target: Target, options?: ContactOptions<PhysicsBody>): Promise<ContactHit<PhysicsBody>[]> {
    return this.put({ type: 'contacts', target }, options);
  }

  /** All contact points of two bodies or shapes. */
  contactPairTest(
    a: Target,
    b: Target,
    options?: { maxDistance?: number },
  ): Promise<Omit<ContactHit, 'body'>[]> {
    return this.put({ type: 'pairContacts', a, b }, options);
  }

  /**
   * Many queries at one moment, with the number of the step. See World.queryBatch.
   *
   * @throws PhysicsError as World.queryBatch, as a rejection
   */
  async queryBatch(queries: readonly Query<PhysicsBody>[]): Promise<QueryAnswers> {
    const { step, answers } = await this.send(checkQueries(this.known, queries));
    return { step, answers: answers.map((hits) => this.named(hits)) as QueryAnswer<PhysicsBody>[] };
  }

  /**
   * Puts a question in the name of a method: `fields` are its arguments. Out: one hit or null, or all, as was asked
   * for; the options are not looked at again when the answer comes, since by then they may be another question's.
   */
  private async put<T>(asked: Parameters<typeof questionOf>[1], given: object | undefined): Promise<T> {
    // The recording must contain exactly what is asked.
    const [fields, options] = (this.recording ? copied([asked, given]) : [asked, given]) as [
      typeof asked,
      typeof given,
    ];
    const ask = questionOf(this.known, fields, options);
    const { type, ...args } = fields;
    const { method, one } = METHODS[type];
    const isOne = one && ask.mode !== QUERY_ALL;
    const { answers } = await this.send([ask], this.call(method, [...Object.values(args), options], isOne));
    const hits = this.named(answers[0] as Named[]);
    return (isOne ? (hits[0] ?? null) : hits) as T;
  }

  private call(method: QueryMethod, args: unknown[], one: boolean): Call | null {
    if (!this.recording) return null;
    if (args.at(-1) === undefined) args.pop(); // no options
    return { method, args: args.map(plain), one };
  }

  private named(hits: readonly Named[]): unknown[] {
    return hits.map((hit) => ({ ...hit, body: hit.body === null ? null : this.resolve(hit.body.id) }));
  }

  /** Takes a sequence number now. Queries of one task are sent together at its end. */
  private send(asks: Ask[], call: Call | null = null): Promise<Replies> {
    return new Promise((resolve, reject) => {
      this.sendCommands();
      const { asked, link } = this;
      const last = asked.at(-1)?.place;
      const place = last === link.sequence ? last : link.reserve();
      asked.push({ place, asks, call, resolve, reject });
      if (asked.length === 1) queueMicrotask(() => this.sendAsked());
    });
  }

  private sendAsked(): void {
    const { asked } = this;
    this.asked = [];
    const places = asked.map(({ place }) => place);
    const groups = asked.map(({ asks }) => asks);
    const calls = this.recording ? asked.map(({ call }) => call) : [];
    this.link
      .ask<Reply[]>((host) => host.ask(places, groups, calls), places)
      .then(
        (replies) =>
          asked.forEach(({ resolve, reject }, i) => {
            const reply = replies[i] as Reply;
            if ('error' in reply) reject(PhysicsError.fromPlain(reply.error));
            else resolve(reply);
          }),
        (error) => {
          for (const { reject } of asked) reject(error);
        },
      );
  }
}

/** Method for each query type, and whether it returns one hit unless all are asked for. */
const METHODS: Record<Query['type'], { method: QueryMethod; one: boolean }> = {
  ray: { method: 'rayTest', one: true },
  sweep: { method: 'convexSweepTest', one: true },
  overlap: { method: 'overlapShapeTest', one: false },
  point: { method: 'pointTest', one: false },
  box: { method: 'overlapTest', one: false },
  nearest: { method: 'nearestTest', one: true },
  closestPoints: { method: 'closestPoints', one: true },
  contacts: { method: 'contactTest', one: false },
  pairContacts: { method: 'contactPairTest', one: false },
};
