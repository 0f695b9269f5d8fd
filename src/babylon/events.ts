// Contacts as Babylon's events. In: contact events of a step. Out: after the nodes have their new poses, what Babylon's
// observables are told: the plugin's once, those of the two bodies each from its own side.
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Observable } from '@babylonjs/core/Misc/observable.js';
import {
  type IBasePhysicsCollisionEvent,
  type IPhysicsCollisionEvent,
  PhysicsEventType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { ContactEndEvent, ContactEvent, RigidBody } from 'ricochet';
import type { BodyData, Host } from './bodies';

type Event = ContactEvent<RigidBody> | ContactEndEvent<RigidBody>;
type Types = 'contactBegin' | 'contactStay' | 'contactEnd';

/** Bits of a body's event mask. */
export const STARTED = 1;
export const CONTINUED = 2;
export const FINISHED = 4;
const BITS = { contactBegin: STARTED, contactStay: CONTINUED, contactEnd: FINISHED };
const COLLISIONS = {
  contactBegin: PhysicsEventType.COLLISION_STARTED,
  contactStay: PhysicsEventType.COLLISION_CONTINUED,
  contactEnd: PhysicsEventType.COLLISION_FINISHED,
};

export class Events {
  readonly onCollision = new Observable<IPhysicsCollisionEvent>();
  readonly onCollisionEnded = new Observable<IBasePhysicsCollisionEvent>();
  readonly onTrigger = new Observable<IBasePhysicsCollisionEvent>();
  /** By the engine's id of a body. */
  readonly collisionsOf = new Map<number, Observable<IPhysicsCollisionEvent>>();
  readonly endsOf = new Map<number, Observable<IBasePhysicsCollisionEvent>>();
  private readonly queue: Event[] = [];
  private readonly subscriptions = new Map<Types, () => void>();

  constructor(private readonly host: Host) {}

  /** What the next step is to record: nothing that nobody hears. */
  prepare(): void {
    let mask = 0;
    let triggers = false;
    for (const { body, index } of this.host._bodies.values()) mask |= dataAt(body, index)?.eventMask ?? 0;
    for (const leaf of this.host.leaves.values()) triggers ||= leaf.trigger;
    this.subscribe('contactBegin', triggers || (mask & STARTED) !== 0);
    this.subscribe('contactStay', (mask & CONTINUED) !== 0);
    this.subscribe('contactEnd', triggers || (mask & FINISHED) !== 0);
  }

  private subscribe(type: Types, wanted: boolean): void {
    const end = this.subscriptions.get(type);
    if (!wanted) {
      end?.();
      this.subscriptions.delete(type);
    } else if (end === undefined)
      this.subscriptions.set(
        type,
        this.host.world.on(type, (event) => void this.queue.push(event as Event)),
      );
  }

  /** Tells what the step brought: collisions, then triggers. Observers may remove bodies: the rest of those is left out. */
  tell(): void {
    const events = this.queue.splice(0);
    const { leaves } = this.host;
    const isTrigger = (event: Event) =>
      (leaves.get(event.shapeA)?.trigger ?? false) || (leaves.get(event.shapeB)?.trigger ?? false);
    const triggers = events.filter(isTrigger);
    for (const event of events) if (!triggers.includes(event)) this.tellCollision(event);
    for (const event of triggers) if (event.type !== 'contactStay') this.tellTrigger(event);
  }

  /** The two sides, the one that hears of collisions first. */
  private sidesOf({ bodyA, bodyB }: Event, swap: boolean) {
    const [a, b] = swap ? [bodyB, bodyA] : [bodyA, bodyB];
    const [first, second] = [this.host._bodies.get(a.id), this.host._bodies.get(b.id)];
    return first && second && { a, b, first, second };
  }

  private tellCollision(event: Event): void {
    const maskA = (event.bodyA.userData as BodyData | undefined)?.eventMask ?? 0;
    const maskB = (event.bodyB.userData as BodyData | undefined)?.eventMask ?? 0;
    const bit = BITS[event.type];
    if (((maskA | maskB) & bit) === 0) return;
    const swap = (maskA & bit) === 0;
    const sides = this.sidesOf(event, swap);
    if (sides === undefined) return;
    const { a, b, first, second } = sides;
    const type = COLLISIONS[event.type];
    const base = (turned: boolean): IBasePhysicsCollisionEvent => ({
      collider: (turned ? second : first).body,
      colliderIndex: (turned ? second : first).index,
      collidedAgainst: (turned ? first : second).body,
      collidedAgainstIndex: (turned ? first : second).index,
      type,
    });
    if (event.type === 'contactEnd') {
      const ended = base(false);
      this.onCollisionEnded.notifyObservers(ended);
      this.endsOf.get(a.id)?.notifyObservers(ended);
      if (!b.isRemoved) this.endsOf.get(b.id)?.notifyObservers(base(true));
      return;
    }
    const { points, normal } = event;
    const deepest = points.reduce(
      (best, each) => (each.separation < best.separation ? each : best),
      points[0]!,
    );
    const impulse = points.reduce((sum, each) => sum + each.impulse, 0);
    const full = (turned: boolean): IPhysicsCollisionEvent => {
      const sign = swap !== turned ? -1 : 1;
      return {
        ...base(turned),
        point: deepest ? Vector3.FromArray(deepest.position) : null,
        normal: new Vector3(sign * normal[0], sign * normal[1], sign * normal[2]),
        distance: deepest?.separation ?? 0,
        impulse,
      };
    };
    const told = full(false);
    this.onCollision.notifyObservers(told);
    this.collisionsOf.get(a.id)?.notifyObservers(told);
    if (!b.isRemoved) this.collisionsOf.get(b.id)?.notifyObservers(full(true));
  }

  private tellTrigger(event: Event): void {
    // What comes into a trigger is the collider; of two triggers, the first.
    const swap = this.host.leaves.get(event.shapeA)?.trigger === true;
    const both = swap && this.host.leaves.get(event.shapeB)?.trigger === true;
    const sides = this.sidesOf(event, swap && !both);
    if (sides === undefined) return;
    this.onTrigger.notifyObservers({
      collider: sides.first.body,
      colliderIndex: sides.first.index,
      collidedAgainst: sides.second.body,
      collidedAgainstIndex: sides.second.index,
      type:
        event.type === 'contactBegin' ? PhysicsEventType.TRIGGER_ENTERED : PhysicsEventType.TRIGGER_EXITED,
    });
  }

  observableOf<T>(list: Map<number, Observable<T>>, data: BodyData): Observable<T> {
    let observable = list.get(data.rigid.id);
    if (observable === undefined) list.set(data.rigid.id, (observable = new Observable<T>()));
    return observable;
  }

  forget(data: BodyData): void {
    this.collisionsOf.delete(data.rigid.id);
    this.endsOf.delete(data.rigid.id);
  }

  clear(): void {
    this.queue.length = 0;
    this.collisionsOf.clear();
    this.endsOf.clear();
    for (const each of [this.onCollision, this.onCollisionEnded, this.onTrigger]) each.clear();
  }
}

type Sides = { _pluginData: unknown; _pluginDataInstances: unknown[] };

/** The plugin's side of a body or of one of its thin instances. */
export function dataAt({ _pluginData, _pluginDataInstances }: Sides, index: number): BodyData | undefined {
  return (_pluginDataInstances?.length ? _pluginDataInstances[index] : _pluginData) as BodyData | undefined;
}

/** The plugin's side of a body: one, or one per thin instance. */
export function dataOf(body: Sides): BodyData[] {
  if (body._pluginDataInstances?.length) return body._pluginDataInstances as BodyData[];
  return body._pluginData ? [body._pluginData as BodyData] : [];
}
