// One world's WebAssembly instance: its exports, its memory and the typed views of it. A world's whole
// state is in this memory, so worlds cannot share state and dropping the instance frees everything.

import { PhysicsError } from '../base/errors';
import { WORLD_ADDRESS } from '../core/memory/map';
import { World as WorldRecord } from './core-layout';
import { coreModule, instantiate } from './core-module';
import type { ThreadReport, ThreadTest } from './threading';

/** What the core exports; addresses are bytes, sizes as named. */
export interface CoreExports {
  initialize(): void;
  reserveCommands(words: number): number;
  applyCommands(address: number, words: number): void;
  step(dt: number): void;
  /** Room above the heap, and above `top`, the heap of the snapshot to be read; 0: no memory. */
  reserveSnapshot(bytes: number, top: number): number;
  /** Bytes that no snapshot of this world exceeds. */
  snapshotBound(): number;
  /** Writes one to where reserveSnapshot said; returns its bytes. */
  writeSnapshot(address: number): number;
  /** Only of cores that are their own inspectors (inspector.ts): the sanitizer's, and those on several threads. */
  findFault?(): number;
  /** Only of cores on several threads (threading.ts). */
  threadReport?(): ThreadReport;
  testThreads?(test: ThreadTest): void;
  endThreads?(): void;
  actorModule?(): Actors;
  /** Numbers the islands of awake bodies; steps do so only when some body wants to sleep. */
  findIslandsNow(): number;
  collectContacts(bodySlot: number): number;
  rayTest(
    mode: number,
    fromX: number,
    fromY: number,
    fromZ: number,
    toX: number,
    toY: number,
    toZ: number,
    group: number,
    mask: number,
    skip: number,
    flags: number,
    maxHits: number,
  ): number;
  rayTestBatch(
    address: number,
    count: number,
    group: number,
    mask: number,
    skip: number,
    flags: number,
  ): number;
  queryShapes(address: number): number;
  overlapAabb(
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
    group: number,
    mask: number,
    skip: number,
    flags: number,
  ): number;
  addGeometry(slot: number, address: number, bytes: number): void;
  removeGeometry(slot: number): void;
}

/** What the core calls. */
export interface CoreHooks {
  /** Shape slots; only while the pair filter is enabled. */
  pairFilter(shapeA: number, shapeB: number): boolean;
  /** The module of actors of this core; asked for when the core has some. */
  actors?(): Actors;
}

/** What the module of actors exports (core/actors.ts). */
export interface Actors {
  actors(what: number, at: number, dt: number): void;
  /** Writes what frames carry about actors into the query output; returns the number of words. */
  publish(): number;
  /** The same of the character of one body. */
  publishCharacter(body: number): number;
}

/** The functions that a core imports. */
export interface CoreImports {
  now(): number;
  pairFilter(a: number, b: number): number;
  actors(what: number, at: number, dt: number): void;
  abort(): never;
}

/**
 * Makes a core that works on several threads (src/threads), initialized. `moved` takes its memory, and any other that
 * takes the place of that one later.
 */
export type CoreMaker = (imports: CoreImports, moved: (memory: WebAssembly.Memory) => void) => CoreExports;

const WORLD_WORDS = WORLD_ADDRESS >> 2;
/** Pages of 64 KiB at the start, as the core is compiled; memory grows with the world. */
const INITIAL_PAGES = 16;

/** What AssemblyScript calls where a program cannot go on. */
export function abort(): never {
  throw new WebAssembly.RuntimeError('abort');
}

export class CoreInstance {
  readonly core: CoreExports;
  memory!: WebAssembly.Memory;
  /** What it imports; so do the modules that work beside it. */
  readonly imports: WebAssembly.ModuleImports;
  /** Views of the memory; `refresh` after every call that can make it grow. */
  words!: Int32Array;
  floats!: Float32Array;
  /** Empty, or why the plain core works here although several threads were asked for. */
  readonly alone: string;

  constructor(hooks: CoreHooks, make: CoreMaker | string = '') {
    this.alone = typeof make === 'string' ? make : '';
    const imports = {
      // Milliseconds for the profile; shown, never fed into the simulation.
      now: () => performance.now(),
      pairFilter: (a: number, b: number) => (hooks.pairFilter(a, b) ? 1 : 0),
      actors: (what: number, at: number, dt: number) => hooks.actors?.().actors(what, at, dt),
      abort,
    };
    const module = coreModule(); // first: says in words when the host has no WebAssembly
    try {
      if (typeof make !== 'string') {
        this.imports = imports;
        this.core = make(imports, (memory) => {
          this.memory = memory;
          this.refresh();
        });
        return;
      }
      this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
      this.imports = { memory: this.memory, ...imports };
      const instance = instantiate(module, { env: this.imports });
      this.core = instance.exports as unknown as CoreExports;
    } catch (error) {
      if (error instanceof RangeError)
        throw new PhysicsError('out-of-memory', `the host refused memory for a world: ${error.message}`);
      throw error;
    }
    this.core.initialize();
    this.refresh();
  }

  /** Views are detached when the memory grows. */
  refresh(): void {
    if (this.words !== undefined && this.words.buffer === this.memory.buffer) return;
    this.words = new Int32Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer);
  }

  /** A word of the core's World record. */
  get(field: Exclude<keyof typeof WorldRecord, 'SIZE' | 'gravity'>): number {
    return this.words[WORLD_WORDS + (WorldRecord[field] >> 2)]!;
  }

  /** Sets one that only concerns outputs. Everything else changes by commands. */
  set(field: 'eventMask' | 'profileEnabled' | 'pairFilterEnabled' | 'eventWords', value: number): void {
    this.words[WORLD_WORDS + (WorldRecord[field] >> 2)] = value;
  }

  /** Index in `words` of the table whose address is in `field`. */
  table(
    field:
      | 'bodies'
      | 'velocities'
      | 'poses'
      | 'islands'
      | 'shapes'
      | 'joints'
      | 'geometries'
      | 'events'
      | 'queryOutput'
      | 'profile',
  ): number {
    return this.get(field) >>> 2;
  }

  /** Copies words into the command area of the core, which has room for them. Returns its address. */
  write(source: Int32Array): number {
    const address = this.core.reserveCommands(source.length) >>> 0;
    this.refresh();
    this.words.set(source, address >>> 2);
    return address;
  }
}
