// The common interface of World and of the client of a world in a worker: World and Physics implement it, so a game
// written against it runs with either. Types only.

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
  ExplosionOptions,
  JointAxisName,
  JointOptions,
  QuatOut,
  Vec3Like,
  Vec3Out,
  WorldSettings,
} from '../types';
import type { Profile as StepProfile } from '../world/profile';
import type { ActorLink } from './actorLink';
import type { BodyHandle } from './bodyHandle';
import type { BodyPlaces } from './bulk';
import type { JointHandle } from './jointHandle';
import type { WorldSlot } from './snapshot';

/** The answer of a query: a value from `World`, a promise from the client of a worker; `await` works with both. */
export type Answer<T> = T | Promise<T>;

/** Events: of the last step or frame with `for … of`, from now on with `for await … of`; see EventStream. */
export interface WorldEvents<Event> extends Iterable<Event>, AsyncIterable<Event> {
  /** Number of events that were lost because the loop was too slow. */
  readonly dropped: number;
  /** Ends the stream; waiting events can still be read. */
  end(): void;
}

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];

/** A body of either world: BodyHandle, and readings. With a worker, poses are for drawing, and other readings are those of the last frame. */
export interface WorldBody extends BodyHandle {
  /** Of the body's own origin in the world, m; into `out` if given. */
  getPosition(): Vec3;
  getPosition<T extends Vec3Out>(out: T): T;
  /** A unit quaternion x, y, z, w; into `out` if given. */
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
  /** m/s: velocity of the body at a point of the world. */
  getVelocityAtPoint<T extends Vec3Out = Vec3>(worldPoint: Vec3Like, out?: T): T;
  /** Awake and part of the simulation; false for static bodies. */
  isAwake(): boolean;
  /** Dynamic, and asleep. */
  isSleeping(): boolean;
  /** The contacts of this body now. */
  getContacts(): Answer<Contact<WorldBody>[]>;
  /** The bodies that touch this body now, in the order of their ids. */
  getOverlappingBodies(): Answer<WorldBody[]>;
}

/** A joint of either world: JointHandle, and readings of the last step. */
export interface WorldJoint extends JointHandle {
  /** null: the world. */
  readonly bodyA: WorldBody | null;
  /** null: the world. */
  readonly bodyB: WorldBody | null;
  /** True if a load exceeded `breakingImpulse` or `breakingAngularImpulse`. */
  readonly isBroken: boolean;
  /** Makes readings available: with a worker they come with the frames after this call; in the page they always are. */
  watch(on?: boolean): void;
  /** m or rad. */
  getPosition(name: JointAxisName): number;
  /** Whether an axis is at one of its limits. */
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
 * Bodies, joints, settings, steps, events, queries and state, with the same names and meaning in the page and in a worker.
 * Queries differ only in their answers: World returns values, a worker's client promises (`Answer`).
 *
 * Functions that the step would have to call (`World.setPairFilter`, `World.setInternalTickCallback`) exist only in World,
 * because a worker cannot call the page during a step. Use data instead: groups and masks
 * (`setFilter`), `collideConnected` of joints, forces and targets per frame, events; or a step system (`addSystem`),
 * which runs where the world is.
 */
export interface PhysicsWorld {
  // bodies
  /** Makes a body. Throws a PhysicsError that names what is wrong with the options, and then makes nothing. */
  createBody(options: BodyOptions): WorldBody;
  /** Makes many bodies, all or none: each with its own options, or all with the same options at poses from typed arrays. */
  createBodies(list: readonly BodyOptions[]): WorldBody[];
  createBodies(template: BodyOptions, places: BodyPlaces): Int32Array;
  /** Removes a body with its shapes and joints. */
  removeBody(body: WorldBody | BodyId): void;
  /** The body with this id; undefined if it was removed. */
  getBody(id: BodyId): WorldBody | undefined;
  /** In the order of their slots. */
  bodies(): Iterable<WorldBody>;
  /** Number of bodies of all types. */
  readonly bodyCount: number;
  /** Number of shapes of all bodies. */
  readonly shapeCount: number;

  // joints
  /** Makes a joint. Throws a PhysicsError that names what is wrong with the options, and then makes nothing. */
  createJoint(options: JointOptions<WorldBody | BodyId>): WorldJoint;
  /** Removes a joint and wakes its bodies. */
  removeJoint(joint: WorldJoint | JointId): void;
  /** The joint with this id; undefined if it was removed. */
  getJoint(id: JointId): WorldJoint | undefined;
  /** In the order of their slots. */
  joints(): Iterable<WorldJoint>;
  /** Number of joints, including broken ones. */
  readonly jointCount: number;

  // settings
  /** m/s²; into `out` if given. */
  getGravity<T extends Vec3Out = Vec3>(out?: T): T;
  /** m/s². Wakes all bodies. */
  setGravity(gravity: Vec3Like): void;
  /**
   * Pushes every dynamic body within `radius` (m) of a point (m, world) away from it, by one impulse at its nearest point
   * towards its centre of mass: `impulse` (N·s; negative pulls) where it is at the point itself, less farther away and behind others.
   */
  explode(at: Vec3Like, radius: number, impulse: number, options?: ExplosionOptions): void;
  /** A copy of the settings. */
  readonly settings: WorldSettings;
  /** Changes some settings; the others stay. Wakes all bodies if the motion may change. */
  updateSettings(changes: Partial<WorldSettings>): void;
  /** Whether the stages of the step are timed; see getProfile. */
  profiling: boolean;

  // steps and events
  /** Makes this many fixed steps of `dt` s (in a worker: of its `fixedTimeStep`), then reports their events. */
  advance(n?: number, dt?: number): Answer<void>;
  /** Calls `listener` for each event of a type, after the step. Returns a function that unsubscribes. */
  on<Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type, WorldBody>) => void,
    filter?: EventFilter<WorldBody>,
  ): () => void;
  /** Removes a listener. */
  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, WorldBody>) => void): void;
  /** `for … of`: the events of the last call of advance, or of the last frame; `for await … of`: events from now on. */
  events<Type extends EventType = EventType>(
    type?: Type,
    filter?: EventFilter<WorldBody>,
  ): WorldEvents<EventOf<Type, WorldBody>>;

  // questions
  /** Casts a ray from one point to another (m, world): the hit or null; with mode 'all' an array, nearest first. */
  rayTest(from: Vec3Like, to: Vec3Like, options: RayOptions<WorldBody> & All): Answer<RayHit<WorldBody>[]>;
  rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options?: RayOptions<WorldBody> & One,
  ): Answer<RayHit<WorldBody> | null>;
  /** Closest hits of many rays, six numbers each: from x, y, z, to x, y, z. */
  rayTestBatch(rays: ArrayLike<number>, options?: RayBatchOptions<WorldBody>): Answer<RayBatch>;
  /** Sweeps shapes or a body by `delta` (m) without rotation: the hit or null; with mode 'all' an array. */
  convexSweepTest(target: Target, delta: Vec3Like, options: Options & All): Answer<SweepHit<WorldBody>[]>;
  convexSweepTest(
    target: Target,
    delta: Vec3Like,
    options?: Options & One,
  ): Answer<SweepHit<WorldBody> | null>;
  /** Shapes that touch or overlap a shape or body, in the order of their slots. */
  overlapShapeTest(target: Target, options?: Options): Answer<OverlapHit<WorldBody>[]>;
  /** Shapes that contain a point (m, world), in the order of their slots. */
  pointTest(point: Vec3Like, options?: Options): Answer<OverlapHit<WorldBody>[]>;
  /** Shapes whose bounding boxes overlap a box (m, world), in the order of their slots. */
  overlapTest(min: Vec3Like, max: Vec3Like, options?: Options): Answer<OverlapHit<WorldBody>[]>;
  /** The shape nearest to a shape or body, or null; with mode 'all' an array, nearest first. */
  nearestTest(target: Target, options: DistanceOptions<WorldBody> & All): Answer<DistanceHit<WorldBody>[]>;
  nearestTest(
    target: Target,
    options?: DistanceOptions<WorldBody> & One,
  ): Answer<DistanceHit<WorldBody> | null>;
  /** Distance and closest points of two shapes or bodies; null if they are farther apart than `maxDistance`. */
  closestPoints(
    a: Target,
    b: Target,
    options?: { maxDistance?: number },
  ): Answer<Omit<DistanceHit, 'body'> | null>;
  /** Contact points between a shape or body and all shapes that it touches. */
  contactTest(target: Target, options?: ContactOptions<WorldBody>): Answer<ContactHit<WorldBody>[]>;
  /** Contact points of two shapes or bodies, whatever their filters say. */
  contactPairTest(
    a: Target,
    b: Target,
    options?: { maxDistance?: number },
  ): Answer<Omit<ContactHit, 'body'>[]>;
  /** Current contacts: all, or those of one body. */
  getContacts(body?: WorldBody | BodyId): Answer<Contact<WorldBody>[]>;
  /** Times of the last step by stage, and counts. */
  getProfile(): Answer<StepProfile>;

  // state
  /** The state hash, 16 hexadecimal digits: equal for two worlds exactly if everything that later steps depend on is equal. */
  stateHash(): Answer<string>;
  /** The whole state as bytes, for `restore` of any world of the same version. */
  snapshot(): Answer<Uint8Array>;
  /** Saves the state to a slot of this world, for `restore`; pass a slot to reuse its memory. */
  save(slot?: WorldSlot): Answer<WorldSlot>;
  /** Sets the world to a state. Throws a PhysicsError for bytes that are damaged or of another version, and then changes nothing. */
  restore(snapshot: Uint8Array | WorldSlot): Answer<void>;

  /** @internal What the entries of actors (`ricochet/vehicle`) work with; in a worker their module is loaded. */
  actorLink(): Answer<ActorLink>;

  /** Frees the memory. Later calls throw 'disposed'. */
  dispose(): void;
  /** True from `dispose` on. */
  readonly isDisposed: boolean;
}
