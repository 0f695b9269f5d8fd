// Worlds on several threads for tests. In: a number of threads. Out: a maker whose helpers all run, share even the
// smallest loops, and start each chunk with private memory full of rubbish, so that nothing can reach them by way of it.
import { World } from 'ricochet';
import { TEST_EAGER, TEST_HELPERS_ONLY, TEST_POISON } from '../../src/core/threads/control';
import { threadedMaker } from '../../src/threads/threadedCore';
import type { WorldOptions } from '../../src/types';
import { bytesOf } from '../../src/wasm/core-module';
import { registerMakers, type ThreadTest } from '../../src/wasm/threading';
import { STATIC_BASE, STATIC_END, THREADS_WASM } from '../../src/wasm/threads-wasm';

export const EAGER = TEST_EAGER;
export const POISONED = TEST_EAGER | TEST_POISON | TEST_HELPERS_ONLY;

/** A signed LEB128 number of a module, and where it ends. */
function number(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0;
  let shift = 0;
  for (let at = from; ; ) {
    const byte = bytes[at++]!;
    value |= (byte & 127) << shift;
    shift += 7;
    if (byte < 128) return [value, at];
  }
}

/** Bytes around constants that stay zero: the compiler leaves out zeros at the ends of constants. */
const AROUND = 64;

/** Private memory as it is when a helper starts, but with rubbish wherever there is no constant. */
export function rubbish(): Uint8Array {
  const image = new Uint8Array(STATIC_END - STATIC_BASE).fill(0xa5);
  const bytes = bytesOf(THREADS_WASM);
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at]!;
    const [size, begin] = number(bytes, at + 1);
    at = begin + size;
    if (id !== 11) continue; // data
    let [count, place] = number(bytes, begin);
    for (; count > 0; count--) {
      if (bytes[place] !== 0 || bytes[place + 1] !== 0x41) throw new Error('not an active segment');
      const [address, end] = number(bytes, place + 2);
      const [length, data] = number(bytes, end + 1);
      const from = address - STATIC_BASE;
      image.fill(0, Math.max(0, from - AROUND), from + length + AROUND);
      place = data + length;
    }
    // Constants after the gaps, which reach into each other.
    [count, place] = number(bytes, begin);
    for (; count > 0; count--) {
      const [address, end] = number(bytes, place + 2);
      const [length, data] = number(bytes, end + 1);
      image.set(bytes.subarray(data, data + length), address - STATIC_BASE);
      place = data + length;
    }
  }
  return image;
}

let image: Uint8Array | undefined; // made when it is needed: the sanitizer core has no threads

/** Worlds with the option `threads` are made with these settings from now on. */
export function testWith(test: ThreadTest): void {
  const memory = (image ??= rubbish());
  registerMakers((threads) => threadedMaker(threads, { image: memory, ...test }));
}

/** Resolves when all helpers of the world run. */
export async function staffed(world: World, threads: number): Promise<World> {
  for (let tries = 0; world.threads.count < threads; tries++) {
    if (tries > 6000) throw new Error(`helpers do not come: ${world.threads.reason}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return world;
}

/** A world whose helpers all run. */
export const worldOn = (threads: number, options: WorldOptions = {}): Promise<World> =>
  staffed(new World({ ...options, threads }), threads);
