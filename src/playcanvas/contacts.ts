// Contacts for PlayCanvas's listener. In: all contacts after a fixed step, as arrays. Out: one pass of calls, in which two
// bodies that touch with several shapes are one pair with all their points. PlayCanvas takes a pair that is not told for
// one that has ended: pairs that sleep, which the engine has put aside, are told again as they were.
import type { ContactPoint, Entity } from 'playcanvas';
import type { ContactBatch } from 'ricochet';
import type { Host, RicochetBody } from './body';

/** What PlayCanvas's rigid body system listens with. */
export interface ContactListener {
  onContactsBegin(): void;
  onContactPair(pair: ContactPair): void;
  onContactsEnd(): void;
}

/** Numbers of a point in a batch: position, separation, impulse. */
const POINT = 5;
/** Numbers of a point here: the normal from B to A before those. */
const OWN_POINT = 8;

/** Two bodies that touch. One object for all that are awake: valid during the call. */
export class ContactPair {
  entityA!: Entity;
  entityB!: Entity;
  triggerA = false;
  triggerB = false;
  contactCount = 0;
  a!: RicochetBody;
  b!: RicochetBody;
  private readonly points: number[] = [];

  begin(a: RicochetBody, b: RicochetBody): this {
    this.a = a;
    this.b = b;
    this.entityA = a.entity as Entity;
    this.entityB = b.entity as Entity;
    this.triggerA = a.isTrigger;
    this.triggerB = b.isTrigger;
    this.contactCount = 0;
    this.points.length = 0;
    return this;
  }

  /** The points of a contact that push or are no farther apart than `near`. */
  add({ bodiesA, normals, firstPoints, points }: ContactBatch, contact: number, near: number): void {
    const sign = bodiesA[contact] === this.a.nativeBody.id ? -1 : 1;
    for (let p = firstPoints[contact]!; p < firstPoints[contact + 1]!; p++) {
      if (points[POINT * p + 3]! > near && !(points[POINT * p + 4]! > 0)) continue;
      for (let k = 0; k < 3; k++) this.points.push(sign * normals[3 * contact + k]!);
      for (let k = 0; k < POINT; k++) this.points.push(points[POINT * p + k]!);
      this.contactCount++;
    }
  }

  /** A point as A sees it; the normal is from B to A. */
  readContact(index: number, out: ContactPoint): void {
    const at = OWN_POINT * index;
    const [nx, ny, nz, x, y, z, separation, impulse] = this.points.slice(at, at + OWN_POINT);
    if (impulse === undefined) {
      for (const each of [out.point, out.pointOther, out.localPoint, out.localPointOther, out.normal])
        each.set(0, 0, 0);
      out.impulse = 0;
      return;
    }
    const half = separation! / 2;
    out.normal.set(nx!, ny!, nz!);
    out.point.set(x! + nx! * half, y! + ny! * half, z! + nz! * half);
    out.pointOther.set(x! - nx! * half, y! - ny! * half, z! - nz! * half);
    this.a.toLocal(out.point, out.localPoint);
    this.b.toLocal(out.pointOther, out.localPointOther);
    out.impulse = impulse;
  }
}

const isHeard = (body: RicochetBody | undefined): body is RicochetBody =>
  body?.isAdded === true && body.entity !== null;

/** No step moves them, and one of them could move. */
const isAtRest = (a: RicochetBody, b: RicochetBody) => a.rests && b.rests && (a.sleeps || b.sleeps);

export class Contacts {
  private now: ContactBatch | undefined;
  private before: ContactBatch | undefined;
  private readonly pair = new ContactPair();
  /** By ids of the bodies: neither moves, and one of them sleeps. */
  private readonly resting = new Map<string, ContactPair>();

  constructor(private readonly host: Host) {}

  /** One pass. What a listener removes is not told of any more. */
  tell(listener: ContactListener): void {
    const { world } = this.host;
    const near = world.settings.contactBreakingThreshold;
    const spare = this.before;
    this.before = this.now;
    this.now = world.readContacts(spare);
    listener.onContactsBegin();
    const awake = this.pairsOf(this.now);
    for (const [key, contacts] of awake) {
      this.resting.delete(key);
      const [a, b] = this.bodiesOf(this.now, contacts[0]!);
      if (!isHeard(a) || !isHeard(b)) continue;
      this.pair.begin(a, b);
      for (const contact of contacts) this.pair.add(this.now, contact, near);
      if (this.pair.contactCount > 0) listener.onContactPair(this.pair);
    }
    if (this.before !== undefined) this.putAside(this.before, awake, near);
    for (const [key, pair] of this.resting)
      if (isHeard(pair.a) && isHeard(pair.b) && isAtRest(pair.a, pair.b)) listener.onContactPair(pair);
      else this.resting.delete(key);
    for (const trigger of this.host.triggers) this.tellOf(trigger, listener);
    listener.onContactsEnd();
  }

  /** What is in a trigger, awake or not. Of two triggers the first one tells. */
  private tellOf(trigger: RicochetBody, listener: ContactListener): void {
    if (!isHeard(trigger)) return;
    const { bodies, triggers } = this.host;
    for (const { id } of trigger.nativeBody.getOverlappingBodies()) {
      const other = bodies.get(id);
      if (!isHeard(trigger) || !isHeard(other) || (triggers.has(other) && id < trigger.nativeBody.id))
        continue;
      this.pair.begin(trigger, other);
      // No points are found.
      this.pair.contactCount = 1;
      listener.onContactPair(this.pair);
    }
  }

  /** Pairs that have fallen asleep since the last pass, as they were then. */
  private putAside(before: ContactBatch, awake: Map<string, number[]>, near: number): void {
    for (const [key, contacts] of this.pairsOf(before)) {
      const [a, b] = this.bodiesOf(before, contacts[0]!);
      if (awake.has(key) || this.resting.has(key) || !isHeard(a) || !isHeard(b)) continue;
      if (!isAtRest(a, b)) continue;
      const pair = new ContactPair().begin(a, b);
      for (const contact of contacts) pair.add(before, contact, near);
      if (pair.contactCount > 0) this.resting.set(key, pair);
    }
  }

  private bodiesOf({ bodiesA, bodiesB }: ContactBatch, contact: number) {
    const { bodies } = this.host;
    return [bodies.get(bodiesA[contact]!), bodies.get(bodiesB[contact]!)] as const;
  }

  /** The contacts of each pair of solid bodies, by their ids. */
  private pairsOf(batch: ContactBatch): Map<string, number[]> {
    const pairs = new Map<string, number[]>();
    for (let i = 0; i < batch.count; i++) {
      const [a, b] = this.bodiesOf(batch, i);
      if (!isHeard(a) || !isHeard(b) || a.isTrigger || b.isTrigger) continue;
      const [idA, idB] = [batch.bodiesA[i]!, batch.bodiesB[i]!];
      const key = idA < idB ? `${idA} ${idB}` : `${idB} ${idA}`;
      const contacts = pairs.get(key);
      if (contacts === undefined) pairs.set(key, [i]);
      else contacts.push(i);
    }
    return pairs;
  }
}
