// What threads share beside the world: a block at a fixed address, where the plain core has its static memory; that of the
// threaded core lies behind it. In: nothing. Out: addresses. Static memory is private to a thread (scripts/relocation.mjs), so what one thread
// leaves for another there must have an address here. src/threads reads the same file.

import { CORE_STATIC } from '../memory/map';

/** First byte of the block. Each word that threads contend for has a cache line of its own. */
export const CONTROL = CORE_STATIC;
/** i32: number of the present fork, which is also the number of forks since the world was made. */
export const TICKET = CONTROL;
/** What the fork is about, as i32: function, two arguments, number of items, items in a chunk, threads with a range. */
export const JOB = CONTROL + 4;
/** i32: 1 within a step, when helpers look for work longer; i32: how often, written by the host. */
export const STEPPING = CONTROL + 32;
export const PATIENT_LOOKS = CONTROL + 36;
/** i32: the fork with which the last step began. */
export const BEFORE = CONTROL + 40;
/** i32: chunks of the fork that helpers have finished. */
export const DONE = CONTROL + 64;
/** i32: 1 while the world's thread sleeps until the fork is done. */
export const WAITS = CONTROL + 128;
/** i32: increases whenever sleeping helpers are woken; i32: number of sleepers. */
export const WAKE = CONTROL + 192;
export const SLEEPERS = WAKE + 4;
/** i32: chunks that helpers did since the world was made. */
export const HELPED = CONTROL + 256;
/** i32 each, written by the host: helpers that run, 1 to end them, 1 if one is lost, what to do for tests. */
export const HELPERS = CONTROL + 320;
export const END = HELPERS + 4;
export const LOST = HELPERS + 8;
export const TEST_MODE = HELPERS + 12;
/** i32: milliseconds after which a helper that has not finished its chunk counts as lost. */
export const PATIENCE = HELPERS + 16;
/** u32: first byte of the heap. */
export const HEAP_START = HELPERS + 20;
/** i32: a bit for each helper that has begun to look for work. */
export const READY = HELPERS + 36;
/** i32: threads of the world, helpers that have not started yet among them. */
export const COUNT = HELPERS + 40;
/** For tests. i32: the chunk of helpers, counted down to 0, in which one stops for good; image of private memory, its bytes. */
export const STOP_AT = HELPERS + 24;
export const IMAGE = HELPERS + 28;
export const IMAGE_BYTES = HELPERS + 32;
/** f64: milliseconds for which the world's thread waited for helpers, and which shared loops took, since the host set them to 0. */
export const WAITED = CONTROL + 384;
export const SHARED = WAITED + 8;
/** Address and bytes of a table with a word for each item of a fork. */
export const OUTCOMES = WAITED + 16;
export const OUTCOME_CAPACITY = OUTCOMES + 4;
/** Records that one phase leaves for others, which in the plain core are in static memory. */
export const SHARED_CONTEXT = CONTROL + 512;
export const SHARED_LISTS = CONTROL + 768;
/** Bits of TEST_MODE: helpers do all chunks; they overwrite their private memory with IMAGE before each; few items suffice. */
export const TEST_HELPERS_ONLY = 1;
export const TEST_POISON = 2;
export const TEST_EAGER = 4;

/**
 * u64 for each thread, RANGE_STRIDE bytes apart: number of the fork in the upper half; in the lower one, 16 bits each, the
 * end and the beginning of its chunks that nobody has taken.
 */
export const RANGES = CONTROL + 896;
export const RANGE_STRIDE = 128;

/** End of the block. The static memory of the threaded core begins behind it (scripts/relocation.mjs). */
export const CONTROL_END = RANGES + 8 * RANGE_STRIDE;
