// The memory map: where each region of linear memory begins, in bytes. Both compilers and the build's scripts
// (scripts/memory-map.mjs) read this file, and nothing else has an address in it.
//
// What a function keeps while it works is a buffer of `memory.data(bytes, alignment)`, declared as a constant beside the
// function. The compiler places the buffers of a module one behind the other from the module's static memory on, so that an
// address is written nowhere. A helper thread has a copy of that memory (scripts/relocation.mjs). test/core/memoryMap.test.ts
// places all buffers and proves that no two of them overlap.

/** The world's record, from which every table is reached. */
export const WORLD_ADDRESS = 1024;
/** u32: head of the allocator's list of free regions. */
export const FREE_LIST_ADDRESS = 2048;
/** Static memory of src/core/inspector.ts and of src/core/actors.ts, which work beside a core. */
export const INSPECTOR_STATIC = 2560;
export const ACTORS_STATIC = 5888;
/** Static memory of the core, with the heap behind it. In the threaded core: the block that threads share (threads/control.ts). */
export const CORE_STATIC = 18944;
/** Static memory of the threaded core's first thread, then of each helper, then the heap. */
export const THREADED_STATIC = 20992;
