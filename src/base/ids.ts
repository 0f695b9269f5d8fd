// Ids of bodies, shapes and joints: slot and generation in 30 bits, assigned by the caller's side. Replicas that make
// the same calls in the same order get the same ids. An id of a removed body is recognised as stale until its slot was
// reused 4,095 times.
import { PhysicsError } from './errors';

/** Bits 0–17 slot (1 … 262,143), bits 18–29 generation (1 … 4,095). 0 is no body. */
export type BodyId = number;
/** As BodyId, in its own slot space. 0 is no shape. */
export type ShapeId = number;
/** As BodyId, in its own slot space. 0 is no joint. */
export type JointId = number;

const SLOT_BITS = 18;
/** Largest slot, and so the largest number of bodies, and of shapes, in one world. */
export const MAX_SLOT = (1 << SLOT_BITS) - 1;
/** Generations run from 1 to this and start again. */
export const MAX_GENERATION = 4095;
const MAX_ID = MAX_SLOT | (MAX_GENERATION << SLOT_BITS);

export function slotOf(id: BodyId | ShapeId): number {
  return id & MAX_SLOT;
}

export function generationOf(id: BodyId | ShapeId): number {
  return id >>> SLOT_BITS;
}

export function makeId(slot: number, generation: number): number {
  return slot | (generation << SLOT_BITS);
}

/**
 * Hands out ids. A freed slot is the next to be reused (so tables stay dense and warm); otherwise the
 * lowest slot that was never used. Nothing here depends on anything but the sequence of calls.
 */
export class IdAllocator {
  /** Word for error messages: 'body', 'shape' or 'joint'. */
  readonly kind: string;
  private limit: number;
  /** Generation by slot, of the id that is alive, or else of the one handed out next. */
  private generations: Uint16Array;
  private live: Uint8Array;
  /** Freed slots, the last one freed at the end. */
  private readonly free: number[] = [];
  /** Slots 1 … end − 1 have been used at least once. */
  private end = 1;
  private liveCount = 0;

  constructor(kind: string, limit = MAX_SLOT) {
    this.kind = kind;
    this.limit = limit;
    this.generations = new Uint16Array(64);
    this.live = new Uint8Array(64);
  }

  /** Ids in use. */
  get count(): number {
    return this.liveCount;
  }

  /** One more than the highest slot ever used: loop over slots 1 … slotEnd − 1. */
  get slotEnd(): number {
    return this.end;
  }

  /** Throws when `count` more ids would exceed the limit; changes nothing. */
  checkRoom(count: number): void {
    if (this.liveCount + count > this.limit)
      throw new PhysicsError(
        'limit-exceeded',
        `a world holds at most ${this.limit} ${this.kind === 'body' ? 'bodies' : `${this.kind}s`}, ` +
          `has ${this.liveCount}, cannot add ${count}`,
      );
  }

  /** The id that `allocate` would return. */
  peek(): number {
    const slot = this.free.length > 0 ? this.free[this.free.length - 1]! : this.end;
    return makeId(slot, (slot < this.end ? this.generations[slot] : 0) || 1);
  }

  allocate(): number {
    this.checkRoom(1);
    const id = this.peek();
    const slot = slotOf(id);
    if (this.free.length > 0) this.free.pop();
    else this.end++;
    if (slot >= this.generations.length) this.grow(slot);
    this.generations[slot] = generationOf(id);
    this.live[slot] = 1;
    this.liveCount++;
    return id;
  }

  /** Frees a live id; the next id in its slot has the next generation. */
  release(id: number): void {
    const slot = slotOf(id);
    this.live[slot] = 0;
    const generation = this.generations[slot]!;
    this.generations[slot] = generation === MAX_GENERATION ? 1 : generation + 1;
    this.free.push(slot);
    this.liveCount--;
  }

  /** Takes back the latest `allocate`, which returned `id`. */
  undoAllocate(id: number, wasReused: boolean): void {
    const slot = slotOf(id);
    this.live[slot] = 0;
    this.liveCount--;
    if (wasReused) this.free.push(slot);
    else this.end--;
  }

  /** Takes back the latest `release`, which freed `id`. */
  undoRelease(id: number): void {
    const slot = slotOf(id);
    this.free.pop();
    this.generations[slot] = generationOf(id);
    this.live[slot] = 1;
    this.liveCount++;
  }

  /** True when the next `allocate` reuses a slot. */
  get willReuse(): boolean {
    return this.free.length > 0;
  }

  /** Of anything at all: what is no number is not live. */
  isLive(id: number): boolean {
    if (!Number.isInteger(id)) return false;
    const slot = id & MAX_SLOT;
    return (
      id > 0 &&
      id <= MAX_ID &&
      slot > 0 &&
      slot < this.end &&
      this.live[slot] === 1 &&
      this.generations[slot] === generationOf(id)
    );
  }

  /** The live id in a slot, or 0. */
  idAt(slot: number): number {
    return slot > 0 && slot < this.end && this.live[slot] === 1 ? makeId(slot, this.generations[slot]!) : 0;
  }

  /** Throws a typed error unless `id` is alive. Returns its slot. */
  check(id: unknown, argument: string): number {
    if (typeof id === 'number' && this.isLive(id)) return slotOf(id);
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id > MAX_ID)
      throw new PhysicsError('invalid-argument', `must be the id of a ${this.kind}`, argument, id);
    if (id === 0)
      throw new PhysicsError('stale-id', `must be the id of a ${this.kind}, 0 is none`, argument, id);
    const slot = slotOf(id);
    if (slot === 0 || slot >= this.end || generationOf(id) === 0)
      throw new PhysicsError('stale-id', `was never given by this world to a ${this.kind}`, argument, id);
    throw new PhysicsError('stale-id', `is a ${this.kind} that was removed`, argument, id);
  }

  private grow(slot: number): void {
    let capacity = this.generations.length;
    while (capacity <= slot) capacity *= 2;
    const generations = new Uint16Array(capacity);
    generations.set(this.generations);
    this.generations = generations;
    const live = new Uint8Array(capacity);
    live.set(this.live);
    this.live = live;
  }

  /** Appends the state to `words`: end, free count, free slots with their generations in order of freeing. */
  save(words: number[]): void {
    words.push(this.end, this.free.length);
    for (const slot of this.free) words.push(makeId(slot, this.generations[slot]!));
  }

  /**
   * A fresh allocator from saved words and the ids that are alive.
   * Throws 'damaged-snapshot' unless live and free ids together are exactly the slots 1 … end − 1, 'limit-exceeded' if too many
   * are alive.
   */
  static load(
    kind: string,
    limit: number,
    end: number,
    freeIds: ArrayLike<number>,
    liveIds: Iterable<number>,
  ) {
    const allocator = new IdAllocator(kind, limit);
    const bad = (what: string) => new PhysicsError('damaged-snapshot', `${kind} table: ${what}`);
    if (!(end >= 1 && end <= MAX_SLOT + 1)) throw bad('slot count out of range');
    allocator.grow(end);
    allocator.end = end;
    const seen = new Uint8Array(end);
    const claim = (id: number) => {
      const slot = slotOf(id);
      if (slot === 0 || slot >= end || seen[slot] === 1 || generationOf(id) === 0 || id > MAX_ID || id <= 0)
        throw bad('an id is out of range or appears twice');
      seen[slot] = 1;
      allocator.generations[slot] = generationOf(id);
      return slot;
    };
    for (let i = 0; i < freeIds.length; i++) allocator.free.push(claim(freeIds[i]!));
    for (const id of liveIds) {
      allocator.live[claim(id)] = 1;
      allocator.liveCount++;
    }
    if (allocator.liveCount + freeIds.length !== end - 1) throw bad('slots are missing');
    const count = allocator.liveCount; // only bodies have a limit that is set
    if (count > limit)
      throw new PhysicsError(
        'limit-exceeded',
        `must be ${count} at least for this snapshot`,
        'maxBodies',
        limit,
      );
    return allocator;
  }
}
