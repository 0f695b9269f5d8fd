// Fork and join: a loop over items that do not depend on each other is split into chunks, which threads take by an atomic
// counter. In: a phase, its arguments and its number of items. Out: the same as after the loop on one thread, because each
// chunk writes only what belongs to its items, and what items have in common is merged afterwards in their order. Which
// thread does which chunk is left to chance. Only the threaded core has this code (mode.ts).

import { reallocate } from '../memory/allocator';
import { grownCapacity, world } from '../memory/tables';
import * as C from './control';

/** @external env now */
declare function now(): f64;

/** Does the items `from` to `to`; the other two are the arguments of the fork. */
type Part = (from: i32, to: i32, a: i32, b: i32) => void;

/** Chunks per thread: enough that none waits long for the last one. */
const CHUNKS = 16;
/** Fewer items in a chunk take less time than taking it. */
const LEAST_CHUNK = 4;
/** Looks for work or for the end of a fork, some hundredths of a millisecond together, before a thread goes to sleep. */
const LOOKS = 4000;
/** Nanoseconds of a sleep of the world's thread, after which it counts the time that it has waited. */
const NAP: i64 = 10_000_000;

/** Whether so many items are worth it; with fewer than `least` the helpers take longer to come than the work takes. */
export function forks(count: i32, least: i32): bool {
  if (load<i32>(C.HELPERS) == 0) return false;
  return count >= least || (count > 1 && (load<i32>(C.TEST_MODE) & C.TEST_EAGER) != 0);
}

/** Number of this thread; 0 is the world's own. It lies in private memory. */
const THREAD: usize = memory.data(4, 4);

/** @inline */
export function thread(): i32 {
  return load<i32>(THREAD);
}

/** Threads of this world; more than take part in a step, while some are starting. @inline */
export function threads(): i32 {
  return load<i32>(C.COUNT);
}

/** A step begins or ends: within it helpers look for work longer before they sleep, and those that sleep are woken, if the last step had forks. */
export function beginSharing(): void {
  if (load<i32>(C.HELPERS) == 0) return;
  atomic.store<i32>(C.STEPPING, 1);
  if (load<i32>(C.TICKET) != load<i32>(C.BEFORE) && atomic.load<i32>(C.SLEEPERS) > 0) wake();
  store<i32>(C.BEFORE, load<i32>(C.TICKET));
}

export function endSharing(): void {
  if (load<i32>(C.HELPERS) > 0) atomic.store<i32>(C.STEPPING, 0);
}

/** Fields of JOB. */
const PART = C.JOB;
const ARGUMENT_A = C.JOB + 4;
const ARGUMENT_B = C.JOB + 8;
const ITEMS = C.JOB + 12;
const CHUNK = C.JOB + 16;
const SHARERS = C.JOB + 20;

/** @inline */
function rangeAt(thread: i32): usize {
  return <usize>C.RANGES + <usize>thread * <usize>C.RANGE_STRIDE;
}

const FROM_FRONT: u64 = 1;
const FROM_BACK: u64 = 0x10000;

/**
 * Index of a chunk of a fork that nobody else does, -1 if there is none in the range of `owner`. `number` is that of the
 * fork, in the upper half. A thread takes
 * its own from the front, and others' from the back when it has done its own. So it gets about the same items in each
 * pass, and has them and its counter in its cache.
 */
function take(number: u64, owner: i32, step: u64): i32 {
  const range = rangeAt(owner);
  let left = atomic.load<u64>(range);
  while ((left ^ number) >> 32 == 0) {
    const from = <i32>(left & 0xffff);
    const end = <i32>((left >> 16) & 0xffff);
    if (from >= end) return -1;
    const seen = atomic.cmpxchg<u64>(range, left, step == FROM_FRONT ? left + step : left - step);
    if (seen == left) return step == FROM_FRONT ? from : end - 1;
    left = seen;
  }
  return -1;
}

/** The job is stored before the ticket and the ranges that let anybody take a chunk, and stays until all chunks are done. */
function doChunk(chunk: i32): void {
  const size = load<i32>(CHUNK);
  const from = chunk * size;
  const to = min(from + size, load<i32>(ITEMS));
  call_indirect<void>(load<u32>(PART), from, to, load<i32>(ARGUMENT_A), load<i32>(ARGUMENT_B));
}

/** Does what is left of the range of `owner`; returns the number of chunks. */
function doRange(number: u64, owner: i32, step: u64, region: usize): i32 {
  let done = 0;
  for (let chunk = take(number, owner, step); chunk >= 0; chunk = take(number, owner, step)) {
    if (region != 0) beforeChunk(chunk, region);
    doChunk(chunk);
    done++;
  }
  return done;
}

/** Does `count` items on all threads that are awake in time; returns when all are done. */
export function fork(part: Part, a: i32, b: i32, count: i32): void {
  share(new Work(part.index, a, b), count, LEAST_CHUNK);
}

/** The same for items that take long: a chunk may have one. */
export function forkLong(part: Part, a: i32, b: i32, count: i32): void {
  share(new Work(part.index, a, b), count, 1);
}

/** Index of the function that does items, and its arguments. @value */
class Work {
  part: i32;
  a: i32;
  b: i32;
}

function share(work: Work, count: i32, atLeast: i32): void {
  const measures = world().profileEnabled != 0;
  const began = measures ? now() : 0;
  const sharers = load<i32>(C.HELPERS) + 1;
  const least = load<i32>(C.TEST_MODE) & C.TEST_EAGER ? 1 : atLeast;
  const size = max(least, (count + CHUNKS * sharers - 1) / (CHUNKS * sharers));
  const chunks = (count + size - 1) / size;
  const number = load<i32>(C.TICKET) + 1;
  store<i32>(PART, work.part);
  store<i32>(ARGUMENT_A, work.a);
  store<i32>(ARGUMENT_B, work.b);
  store<i32>(ITEMS, count);
  store<i32>(CHUNK, size);
  store<i32>(SHARERS, sharers);
  store<i32>(C.DONE, 0);
  const high = (<u64>(<u32>number)) << 32;
  let from = 0;
  for (let t = 0; t < sharers; t++) {
    const end = (chunks * (t + 1)) / sharers;
    atomic.store<u64>(rangeAt(t), high | ((<u64>end) << 16) | <u64>from);
    from = end;
  }
  atomic.store<i32>(C.TICKET, number);
  if (atomic.load<i32>(C.SLEEPERS) > 0) wake();
  let left = chunks;
  if (!(load<i32>(C.TEST_MODE) & C.TEST_HELPERS_ONLY)) {
    left -= doRange(high, 0, FROM_FRONT, 0);
    for (let t = 1; t < sharers; t++) left -= doRange(high, t, FROM_BACK, 0);
  }
  if (atomic.load<i32>(C.DONE) != left) join(left);
  if (measures) store<f64>(C.SHARED, load<f64>(C.SHARED) + (now() - began));
}

function wake(): void {
  atomic.add<i32>(C.WAKE, 1);
  atomic.notify(C.WAKE, load<i32>(C.HELPERS));
}

/** Returns when helpers have done so many chunks. */
function join(chunks: i32): void {
  const measures = world().profileEnabled != 0;
  const began = measures ? now() : 0;
  const most = max(LOOKS, load<i32>(C.PATIENT_LOOKS));
  let looks = 0;
  let naps: i64 = 0;
  while (true) {
    const done = atomic.load<i32>(C.DONE);
    if (done == chunks) break;
    if (++looks < most) continue;
    atomic.store<i32>(C.WAITS, 1);
    // 2: no helper has finished its chunks meanwhile.
    if (atomic.wait<i32>(C.DONE, done, NAP) == 2) naps++;
    if (naps * (NAP / 1_000_000) > <i64>load<i32>(C.PATIENCE)) atomic.store<i32>(C.LOST, 1);
    // Part of its chunk is done and cannot be done again: the host goes back to before the step.
    if (atomic.load<i32>(C.LOST)) unreachable();
  }
  if (looks >= most) atomic.store<i32>(C.WAITS, 0);
  if (measures) store<f64>(C.WAITED, load<f64>(C.WAITED) + (now() - began));
}

/**
 * A helper's life. `region` is the address of its private memory, `self` its number. Returns when the host ends it.
 */
export function help(region: i32, self: i32): void {
  store<i32>(THREAD, self);
  let looks = 0;
  let last = 0;
  while (true) {
    const ticket = atomic.load<i32>(C.TICKET);
    if (ticket != last) {
      last = ticket;
      helpWith((<u64>(<u32>ticket)) << 32, <usize>region, self);
      looks = 0;
      continue;
    }
    if (++looks < LOOKS) continue;
    if (atomic.load<i32>(C.END)) return;
    if (looks < load<i32>(C.PATIENT_LOOKS) && atomic.load<i32>(C.STEPPING)) continue;
    looks = 0;
    const calls = atomic.load<i32>(C.WAKE);
    atomic.add<i32>(C.SLEEPERS, 1);
    // The world's thread stores the ticket first and then looks for sleepers: one of the two sees the other.
    if (atomic.load<i32>(C.TICKET) == last && !atomic.load<i32>(C.END)) atomic.wait<i32>(C.WAKE, calls, -1);
    atomic.sub<i32>(C.SLEEPERS, 1);
  }
}

/** Does chunks of its own range, then those of others, and counts them. */
function helpWith(number: u64, region: usize, self: i32): void {
  const sharers = load<i32>(SHARERS);
  let done = self < sharers ? doRange(number, self, FROM_FRONT, region) : 0;
  for (let k = 1; k <= sharers; k++) done += doRange(number, (self + k) % sharers, FROM_BACK, region);
  if (done == 0) return;
  atomic.add<i32>(C.HELPED, done);
  // From here on the job may be another one.
  atomic.add<i32>(C.DONE, done);
  if (atomic.load<i32>(C.WAITS)) atomic.notify(C.DONE, 1);
}

/** What tests ask helpers to do. */
function beforeChunk(chunk: i32, region: usize): void {
  if (load<i32>(C.TEST_MODE) & C.TEST_POISON) {
    const self = thread();
    memory.copy(region, <usize>load<u32>(C.IMAGE), <usize>load<u32>(C.IMAGE_BYTES));
    store<i32>(THREAD, self);
  }
  if (load<i32>(C.STOP_AT) > 0 && atomic.sub<i32>(C.STOP_AT, 1) == 1) stopInside(chunk);
}

/** For tests: does half of a chunk and no more, as a thread that is ended. */
function stopInside(chunk: i32): void {
  const size = load<i32>(CHUNK);
  const from = chunk * size;
  const to = (from + min(from + size, load<i32>(ITEMS))) >> 1;
  call_indirect<void>(load<u32>(PART), from, to, load<i32>(ARGUMENT_A), load<i32>(ARGUMENT_B));
  while (!atomic.load<i32>(C.END)) atomic.wait<i32>(C.END, 0, -1);
  unreachable();
}

/** Address of a table with at least `count` words, for what the items of a fork find; one fork uses it at a time. */
export function outcomes(count: i32): usize {
  const capacity = load<i32>(C.OUTCOME_CAPACITY);
  if (capacity < count) {
    const grown = grownCapacity(capacity, count);
    store<u32>(C.OUTCOMES, reallocate(load<u32>(C.OUTCOMES), (<usize>capacity) << 2, (<usize>grown) << 2));
    store<i32>(C.OUTCOME_CAPACITY, grown);
  }
  return <usize>load<u32>(C.OUTCOMES);
}
