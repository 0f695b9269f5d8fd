// Events of the world → handlers of components. In: bodies that have handlers. Out: subscriptions of only the needed
// events, and calls after each frame, when the objects are at the poses of the events.
import type {
  ContactEndEvent,
  ContactEvent,
  EventType,
  PhysicsEvent,
  ShapeId,
  SleepEvent,
  WorldBody,
} from 'ricochet';
import type { BodyEntry } from './bodyEntry';
import type { ColliderEntry } from './colliderEntry';
import { Manifold, vectorOf } from './manifold';
import { ActiveCollisionTypes } from './math';
import type { Runtime } from './runtime';
import type { CollisionPayload, CollisionTarget, ContactHandlers } from './types';

/** Topics of handlers, and the events that each needs. */
const TOPICS = {
  contact: ['contactBegin', 'contactEnd'],
  force: ['contactBegin', 'contactStay'],
  sleep: ['sleep', 'wake'],
} as const satisfies Record<string, readonly EventType[]>;
type Topic = keyof typeof TOPICS;
const TOPIC_NAMES = Object.keys(TOPICS) as Topic[];

/** Up to this many bodies have their own subscriptions; with more, all events are received and filtered. */
const FEW = 16;

const KINDS: Record<string, number> = {
  'dynamic dynamic': ActiveCollisionTypes.DYNAMIC_DYNAMIC,
  'dynamic kinematic': ActiveCollisionTypes.DYNAMIC_KINEMATIC,
  'dynamic static': ActiveCollisionTypes.DYNAMIC_FIXED,
  'kinematic kinematic': ActiveCollisionTypes.KINEMATIC_KINEMATIC,
  'kinematic static': ActiveCollisionTypes.KINEMATIC_FIXED,
  'static static': ActiveCollisionTypes.FIXED_FIXED,
};

type Event = PhysicsEvent<WorldBody>;
type Touch = ContactEvent<WorldBody> | ContactEndEvent<WorldBody>;

interface Heard {
  topic: Topic;
  entry: BodyEntry;
  event: Event;
}

const wantsContact = (h: ContactHandlers) =>
  (h.onCollisionEnter ?? h.onCollisionExit ?? h.onIntersectionEnter ?? h.onIntersectionExit) !== undefined;

function topicsOf(entry: BodyEntry): Record<Topic, boolean> {
  const { handlers } = entry;
  const all: ContactHandlers[] = [handlers];
  for (const collider of entry.colliders) all.push(collider.handlers);
  return {
    contact: all.some(wantsContact),
    force: all.some(({ onContactForce }) => onContactForce !== undefined),
    sleep: (handlers.onSleep ?? handlers.onWake) !== undefined,
  };
}

export class EventRouter {
  private readonly watching: Record<Topic, Set<BodyEntry>> = {
    contact: new Set(),
    force: new Set(),
    sleep: new Set(),
  };
  private readonly changed = new Set<Topic>();
  private readonly ends: Record<Topic, (() => void)[]> = { contact: [], force: [], sleep: [] };
  private heard: Heard[] = [];
  /** Of bodies: how many pairs of shapes touch, by pairs of colliders of which one has several shapes. */
  private touching = new WeakMap<BodyEntry, Map<string, number>>();

  constructor(private readonly runtime: Runtime) {}

  /** Number of subscriptions. */
  get subscriptions(): number {
    return TOPIC_NAMES.reduce((sum, topic) => sum + this.ends[topic].length, 0);
  }

  /** The body, or its handlers, are new. */
  watch(entry: BodyEntry): void {
    const topics = topicsOf(entry);
    for (const topic of TOPIC_NAMES) {
      const watching = this.watching[topic];
      if (topics[topic] === watching.has(entry)) continue;
      if (topics[topic]) watching.add(entry);
      else watching.delete(entry);
      this.changed.add(topic);
    }
  }

  unwatch(entry: BodyEntry): void {
    for (const topic of TOPIC_NAMES) if (this.watching[topic].delete(entry)) this.changed.add(topic);
  }

  /** Before steps: subscribes to the events that are needed now. */
  prepare(): void {
    if (this.changed.size === 0) return;
    for (const topic of this.changed) this.subscribe(topic);
    this.changed.clear();
  }

  private subscribe(topic: Topic): void {
    const { world } = this.runtime;
    const before = this.ends[topic];
    const ends: (() => void)[] = [];
    const watching = [...this.watching[topic]].filter(({ isLive }) => isLive);
    for (const type of TOPICS[topic])
      if (watching.length <= FEW)
        for (const entry of watching)
          ends.push(
            world.on(type, (event: Event) => this.hear(topic, entry, event), { body: entry.body!.id }),
          );
      else ends.push(world.on(type, (event: Event) => this.hearAny(topic, event)));
    this.ends[topic] = ends;
    // Unsubscribe last, so that the world keeps sending events that are still needed.
    for (const end of before) end();
  }

  private hear(topic: Topic, entry: BodyEntry, event: Event): void {
    this.heard.push({ topic, entry, event });
  }

  private hearAny(topic: Topic, event: Event): void {
    const watching = this.watching[topic];
    const bodies = 'body' in event ? [event.body] : [event.bodyA, event.bodyB];
    for (const body of bodies) {
      const entry = body === null ? undefined : this.runtime.bodies.get(body.id);
      if (entry !== undefined && watching.has(entry)) this.hear(topic, entry, event);
    }
  }

  /** After a frame: calls the handlers. An error of one handler does not prevent the others from being called. */
  flush(): void {
    if (this.heard.length === 0) return;
    const heard = this.heard;
    this.heard = [];
    let failure: { error: unknown } | null = null;
    for (const { topic, entry, event } of heard)
      try {
        if (this.runtime.isDisposed) return;
        if (topic === 'sleep') tellSleep(entry, event as SleepEvent<WorldBody>);
        else if (entry.isLive) this.tellTouch(topic, entry, event as Touch);
      } catch (error) {
        failure ??= { error };
      }
    if (failure !== null) throw failure.error;
  }

  private tellTouch(topic: 'contact' | 'force', entry: BodyEntry, event: Touch): void {
    const isB = event.bodyB.id === entry.body!.id;
    const [own, other] = isB ? [event.shapeB, event.shapeA] : [event.shapeA, event.shapeB];
    const otherBody = isB ? event.bodyA : event.bodyB;
    const { shapes } = this.runtime;
    const colliders = [shapes.get(own), shapes.get(other)] as const;
    if (!isActive(entry.body!, otherBody, colliders)) return;
    if (topic === 'contact' && !this.isFirstOrLast(entry, event, otherBody, colliders)) return;
    const payload = this.payload(entry, own, otherBody, other);
    const isSensor = colliders.some((collider) => collider?.merged.sensor === true);
    for (const handlers of [entry.handlers, colliders[0]?.handlers]) {
      if (handlers === undefined) continue;
      if (topic === 'force') tellForce(handlers, payload, event, this.runtime.stepLength);
      else if (event.type === 'contactEnd')
        (isSensor ? handlers.onIntersectionExit : handlers.onCollisionExit)?.(payload);
      else if (isSensor) handlers.onIntersectionEnter?.(payload);
      else
        handlers.onCollisionEnter?.({
          ...payload,
          manifold: new Manifold(event),
          flipped: isB,
          contact: event,
        });
    }
  }

  /** Colliders of several shapes touch from the first pair of shapes that does, until the last. */
  private isFirstOrLast(
    entry: BodyEntry,
    { type }: Touch,
    otherBody: WorldBody,
    colliders: readonly (ColliderEntry | undefined)[],
  ): boolean {
    if (colliders.every((collider) => (collider?.shapeCount ?? 1) === 1)) return true;
    let counts = this.touching.get(entry);
    if (counts === undefined) this.touching.set(entry, (counts = new Map()));
    const key = `${otherBody.id} ${colliders.map((collider) => collider?.serial).join(' ')}`;
    const count = (counts.get(key) ?? 0) + (type === 'contactEnd' ? -1 : 1);
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
    return type === 'contactEnd' ? count <= 0 : count === 1;
  }

  /** After a restore: what touches then is told anew. */
  forgetTouching(): void {
    this.touching = new WeakMap();
  }

  private payload(entry: BodyEntry, own: ShapeId, otherBody: WorldBody, other: ShapeId): CollisionPayload {
    const { bodies, shapes } = this.runtime;
    const target = targetOf(entry, shapes.get(own));
    const there = targetOf(bodies.get(otherBody.id), shapes.get(other));
    return { target, other: there, ...there };
  }

  dispose(): void {
    for (const topic of TOPIC_NAMES) {
      for (const end of this.ends[topic]) end();
      this.ends[topic] = [];
      this.watching[topic].clear();
    }
    this.changed.clear();
    this.heard = [];
  }
}

function targetOf(entry: BodyEntry | undefined, collider: ColliderEntry | undefined): CollisionTarget {
  const body = entry?.standsAlone === true ? undefined : entry;
  return {
    rigidBody: body?.api,
    collider: collider?.api,
    rigidBodyObject: body?.object,
    colliderObject: collider?.object,
  };
}

function isActive(a: WorldBody, b: WorldBody, colliders: readonly (ColliderEntry | undefined)[]): boolean {
  if (b.isRemoved) return true;
  const kind = KINDS[[a.type, b.type].sort().join(' ')]!;
  const active = colliders.reduce(
    (bits, collider) => bits | (collider?.merged.activeCollisionTypes ?? ActiveCollisionTypes.DEFAULT),
    0,
  );
  return (active & kind) !== 0;
}

function tellSleep({ handlers, isLive }: BodyEntry, { type }: SleepEvent<WorldBody>): void {
  if (!isLive) return;
  if (type === 'sleep') handlers.onSleep?.();
  else handlers.onWake?.();
}

function tellForce(handlers: ContactHandlers, payload: CollisionPayload, event: Touch, dt: number): void {
  if (handlers.onContactForce === undefined || !('points' in event)) return;
  let total = 0;
  let most = 0;
  for (const { impulse } of event.points) {
    total += impulse / dt;
    most = Math.max(most, impulse / dt);
  }
  if (!(total > 0)) return;
  const [x, y, z] = event.normal;
  handlers.onContactForce({
    ...payload,
    totalForce: { x: x * total, y: y * total, z: z * total },
    totalForceMagnitude: total,
    maxForceDirection: vectorOf(event.normal),
    maxForceMagnitude: most,
    contact: event,
  });
}
