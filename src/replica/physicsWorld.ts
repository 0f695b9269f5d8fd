// What a world in the page and the client of a world in a worker have in common: World and Physics implement it, so a
// game written against it runs with either. Only types.

import type { BodyId, JointId } from '../base/ids';
import type { EventFilter } from '../events/eventFilter';
import type { Contact, EventOf } from '../events/events';
import type { LimitState } from '../lines/jointPlaces';
import type {
  ContactOptions,
  DistanceOptions,
  QueryOptions,
  QueryTarget,
  RayBatchOptions,
  RayOptions,
} from '../queries/asks';
import type { ContactHit, DistanceHit, OverlapHit, RayBatch, RayHit, SweepHit } from '../queries/queries';
import type {
  BodyOptions,
  EventType,
  JointAxisName,
  JointOptions,
  QuatOut,
  Vec3Like,
  Vec3Out,
  WorldSettings,
} from '../types';
import type { Profile as StepProfile } from '../world/profile';
import type { BodyHandle } from './bodyHandle';
import type { BodyPlaces } from './bulk';
import type { JointHandle } from './jointHandle';
import type { WorldSlot } from './snapshot';

/** `World` answers at once, the client of a worker with a promise: `await` takes either. */
export type Answer<T> = T | Promise<T>;

/** Events: of the last step or frame with `for … of`, from now on with `for await … of`; see EventStream. */
export interface WorldEvents<Event> extends Iterable<Event>, AsyncIterable<Event> {
  /** Events that were lost because the loop was too slow. */
  readonly dropped: number;
  end(): void;
}

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];

/** A body of either world: everything of BodyHandle, and what is read. In a page poses are those to draw, the rest is of the last frame. */
export interface WorldBody extends BodyHandle {
  getPosition(): Vec3;
  getPosition<T extends Vec3Out>(out: T): T;
  getRotation(): Quat;
  getRotation<T extends QuatOut>(out: T): T;
  getCenterOfMassPosition(): Vec3;
  getCenterOfMassPosition<T extends Vec3Out>(out: T): T;
  /** Of the centre of mass, m/s. */
  getLinearVelocity(): Vec3;
  getLinearVelocity<T extends Vec3Out>(out: T): T;
  /** rad/s about the world's axes. */
  getAngularVelocity(): Vec3;
  getAngularVelocity<T extends Vec3Out>(out: T): T;
  /** m/s of the body's matter at a point of the world. */
  getVelocityAtPoint<T extends Vec3Out = Vec3>(worldPoint: Vec3Like, out?: T): T;
  /** Awake and part of the simulation; false for static bodies. */
  isAwake(): boolean;
  /** Dynamic, and asleep. */
  isSleeping(): boolean;
  getContacts(): Answer<Contact<WorldBody>[]>;
  /** The bodies that touch this one now, in the order of their ids. */
  getOverlappingBodies(): Answer<WorldBody[]>;
}

/** A joint of either world: everything of JointHandle, and what is read of the last step. */
export interface WorldJoint extends JointHandle {
  /** null: the world. */
  readonly bodyA: WorldBody | null;
  readonly bodyB: WorldBody | null;
  readonly isBroken: boolean;
  /** In a worker readings come with the frames once a joint is watched; in the page they are there anyway. */
  watch(on?: boolean): void;
  /** m or rad. */
  getPosition(name: JointAxisName): number;
  getLimitState(name: JointAxisName): LimitState;
  /** N·s or N·m·s. */
  getAxisImpulse(name: JointAxisName): number;
  /** N·s on B. */
  getAppliedImpulse(): Vec3;
  getAppliedImpulse<T extends Vec3Out>(out: T): T;
  /** N·m·s on B. */
  getAppliedAngularImpulse(): Vec3;
  getAppliedAngularImpulse<T extends Vec3Out>(out: T): T;
}

type Target = QueryTarget<WorldBody>;
type Options = QueryOptions<WorldBody>;
type All = { mode: 'all' };
type One = { mode?: 'closest' | 'any' };

/**
 * Bodies, joints, settings, steps, events, questions, state: the same names with the same meaning, whoever computes.
 * Questions differ by their answers alone: World's are there, a worker's are promises (`Answer`).
 *
 * Functions that the step would have to call (`World.setPairFilter`, `World.setInternalTickCallback`) are World's alone:
 * no function of a page can be called from within a worker's step. In their place stand data: groups and masks
 * (`setFilter`), `collideConnected` of joints, forces and targets per frame, events.
 */
export interface PhysicsWorld {
  // bodies
  createBody(options: BodyOptions): WorldBody;
  createBodies(list: readonly BodyOptions[]): WorldBody[];
  createBodies(template: BodyOptions, places: BodyPlaces): Int32Array;
  removeBody(body: WorldBody | BodyId): void;
  getBody(id: BodyId): WorldBody | undefined;
  /** In the order of their slots. */
  bodies(): Iterable<WorldBody>;
  readonly bodyCount: number;
  readonly shapeCount: number;

  // joints
  createJoint(options: JointOptions<WorldBody | BodyId>): WorldJoint;
  removeJoint(joint: WorldJoint | JointId): void;
  getJoint(id: JointId): WorldJoint | undefined;
  joints(): Iterable<WorldJoint>;
  readonly jointCount: number;

  // settings
  getGravity<T extends Vec3Out = Vec3>(out?: T): T;
  setGravity(gravity: Vec3Like): void;
  readonly settings: WorldSettings;
  updateSettings(changes: Partial<WorldSettings>): void;
  profiling: boolean;

  // steps and events
  /** So many fixed steps of `dt` s (a worker's: its `fixedTimeStep`), then their events. */
  advance(n?: number, dt?: number): Answer<void>;
  on<Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type, WorldBody>) => void,
    filter?: EventFilter<WorldBody>,
  ): () => void;
  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, WorldBody>) => void): void;
  /** `for … of`: the events of the last call of advance, or frame; `for await … of`: those that come. */
  events<Type extends EventType = EventType>(
    type?: Type,
    filter?: EventFilter<WorldBody>,
  ): WorldEvents<EventOf<Type, WorldBody>>;

  // questions
  rayTest(from: Vec3Like, to: Vec3Like, options: RayOptions<WorldBody> & All): Answer<RayHit<WorldBody>[]>;
  rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options?: RayOptions<WorldBody> & One,
  ): Answer<RayHit<WorldBody> | null>;
  rayTestBatch(rays: ArrayLike<number>, options?: RayBatchOptions<WorldBody>): Answer<RayBatch>;
  convexSweepTest(target: Target, delta: Vec3Like, options: Options & All): Answer<SweepHit<WorldBody>[]>;
  convexSweepTest(
    target: Target,
    delta: Vec3Like,
    options?: Options & One,
  ): Answer<SweepHit<WorldBody> | null>;
  overlapShapeTest(target: Target, options?: Options): Answer<OverlapHit<WorldBody>[]>;
  pointTest(point: Vec3Like, options?: Options): Answer<OverlapHit<WorldBody>[]>;
  overlapTest(min: Vec3Like, max: Vec3Like, options?: Options): Answer<OverlapHit<WorldBody>[]>;
  nearestTest(target: Target, options: DistanceOptions<WorldBody> & All): Answer<DistanceHit<WorldBody>[]>;
  nearestTest(
    target: Target,
    options?: DistanceOptions<WorldBody> & One,
  ): Answer<DistanceHit<WorldBody> | null>;
  closestPoints(
    a: Target,
    b: Target,
    options?: { maxDistance?: number },
  ): Answer<Omit<DistanceHit, 'body'> | null>;
  contactTest(target: Target, options?: ContactOptions<WorldBody>): Answer<ContactHit<WorldBody>[]>;
  contactPairTest(
    a: Target,
    b: Target,
    options?: { maxDistance?: number },
  ): Answer<Omit<ContactHit, 'body'>[]>;
  getContacts(body?: WorldBody | BodyId): Answer<Contact<WorldBody>[]>;
  getProfile(): Answer<StepProfile>;

  // state
  stateHash(): Answer<string>;
  snapshot(): Answer<Uint8Array>;
  /** The state into a slot of this world, for `restore`; give it again to use its memory again. */
  save(slot?: WorldSlot): Answer<WorldSlot>;
  restore(snapshot: Uint8Array | WorldSlot): Answer<void>;

  dispose(): void;
  readonly isDisposed: boolean;
}
