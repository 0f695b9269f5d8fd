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

/** Chunks per thread: enough that none waits long for the last one. With eight threads their number fits eight bits. */
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

/**
 * Likewise for passes of the solver. They pay only while blocks are sorted: otherwise all threads write to all bodies, and
 * wait for each other's caches longer than they compute. A heap of 5,000 bodies that still falls took 1.2 times as long.
 */
export function solvesTogether(count: i32, least: i32): bool {
  if (!forks(count, least)) return false;
  return load<i32>(C.ORDERLY) != 0 || (load<i32>(C.TEST_MODE) & C.TEST_EAGER) != 0;
}

/** @inline */
function jobWord(i: i32): i32 {
  return load<i32>(C.JOB + (i << 2));
}

/** Whether there are chunks that nobody has taken. @inline */
function isOpen(ticket: u64): bool {
  const t = <u32>ticket;
  return t >>> 16 > ((t >>> 8) & 255) + (t & 255);
}

/**
 * Index of a chunk of fork `number` that nobody else does, -1 if there is none. The world's thread takes them from the
 * front and helpers from the back, so that a thread gets about the same items in each pass, and has them in its cache.
 */
function take(number: u64, one: u64): i32 {
  let ticket = atomic.load<u64>(C.TICKET);
  while (ticket >> 32 == number && isOpen(ticket)) {
    const seen = atomic.cmpxchg<u64>(C.TICKET, ticket, ticket + one);
    if (seen == ticket)
      return one == FROM_FRONT
        ? <i32>(ticket >> 8) & 255
        : <i32>((ticket >> 16) & 255) - 1 - <i32>(ticket & 255);
    ticket = seen;
  }
  return -1;
}

const FROM_FRONT: u64 = 256;
const FROM_BACK: u64 = 1;

/** The job is stored before the ticket that lets anybody take a chunk, and stays until all chunks are done. */
function doChunk(chunk: i32): void {
  const size = jobWord(4);
  const from = chunk * size;
  call_indirect<void>(<u32>jobWord(0), from, min(from + size, jobWord(3)), jobWord(1), jobWord(2));
}

/** Does `count` items on all threads that are awake in time; returns when all are done. */
export function fork(part: Part, a: i32, b: i32, count: i32): void {
  const most = CHUNKS * (load<i32>(C.HELPERS) + 1);
  const least = load<i32>(C.TEST_MODE) & C.TEST_EAGER ? 1 : LEAST_CHUNK;
  const size = max(least, (count + most - 1) / most);
  const chunks = (count + size - 1) / size;
  store<i32>(C.JOB, part.index);
  store<i32>(C.JOB, a, 4);
  store<i32>(C.JOB, b, 8);
  store<i32>(C.JOB, count, 12);
  store<i32>(C.JOB, size, 16);
  store<i32>(C.JOB, chunks, 20);
  atomic.store<i32>(C.DONE, 0);
  const number = <u64>(<u32>(load<i32>(C.FORKS) + 1));
  store<i32>(C.FORKS, <i32>number);
  atomic.store<u64>(C.TICKET, (number << 32) | ((<u64>(<u32>chunks)) << 16));
  if (atomic.load<i32>(C.SLEEPERS) > 0) {
    atomic.add<i32>(C.WAKE, 1);
    atomic.notify(C.WAKE, chunks);
  }
  if (!(load<i32>(C.TEST_MODE) & C.TEST_HELPERS_ONLY))
    for (let chunk = take(number, FROM_FRONT); chunk >= 0; chunk = take(number, FROM_FRONT)) {
      doChunk(chunk);
      atomic.add<i32>(C.DONE, 1);
    }
  if (atomic.load<i32>(C.DONE) != chunks) join(chunks);
}

function join(chunks: i32): void {
  const measures = world().profileEnabled != 0;
  const began = measures ? now() : 0;
  let looks = 0;
  let naps: i64 = 0;
  while (true) {
    const done = atomic.load<i32>(C.DONE);
    if (done == chunks) break;
    if (++looks < LOOKS) continue;
    atomic.store<i32>(C.WAITS, 1);
    // 2: no helper has finished the fork meanwhile.
    if (atomic.wait<i32>(C.DONE, done, NAP) == 2) naps++;
    if (naps * (NAP / 1_000_000) > <i64>load<i32>(C.PATIENCE)) atomic.store<i32>(C.LOST, 1);
    // Part of its chunk is done and cannot be done again: the host goes back to before the step.
    if (atomic.load<i32>(C.LOST)) unreachable();
  }
  atomic.store<i32>(C.WAITS, 0);
  if (measures) store<f64>(C.WAITED, load<f64>(C.WAITED) + (now() - began));
}

/** A helper's life. `region` is the address of its private memory. Returns when the host ends it. */
export function help(region: i32): void {
  let looks = 0;
  while (true) {
    const ticket = atomic.load<u64>(C.TICKET);
    if (isOpen(ticket)) {
      const chunk = take(ticket >> 32, FROM_BACK);
      if (chunk >= 0) helpWith(chunk, <usize>region);
      looks = 0;
      continue;
    }
    if (atomic.load<i32>(C.END)) return;
    if (++looks < LOOKS) continue;
    looks = 0;
    const wake = atomic.load<i32>(C.WAKE);
    atomic.add<i32>(C.SLEEPERS, 1);
    // The world's thread stores the ticket first and then looks for sleepers: one of the two sees the other.
    if (!isOpen(atomic.load<u64>(C.TICKET)) && !atomic.load<i32>(C.END)) atomic.wait<i32>(C.WAKE, wake, -1);
    atomic.sub<i32>(C.SLEEPERS, 1);
  }
}

function helpWith(chunk: i32, region: usize): void {
  if (load<i32>(C.TEST_MODE) & C.TEST_POISON)
    memory.copy(region, <usize>load<u32>(C.IMAGE), <usize>load<u32>(C.IMAGE_BYTES));
  if (atomic.add<i32>(C.HELPED, 1) + 1 == load<i32>(C.STOP_AT)) stopInside(chunk);
  const chunks = jobWord(5);
  doChunk(chunk);
  // From here on the job may be another one.
  if (atomic.add<i32>(C.DONE, 1) + 1 == chunks && atomic.load<i32>(C.WAITS)) atomic.notify(C.DONE, 1);
}

/** For tests: does half of a chunk and no more, as a thread that is ended. */
function stopInside(chunk: i32): void {
  const size = jobWord(4);
  const from = chunk * size;
  const end = min(from + size, jobWord(3));
  call_indirect<void>(<u32>jobWord(0), from, (from + end) >> 1, jobWord(1), jobWord(2));
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
