// A core on several threads, in the place of the plain one. In: calls of a world. Out: the same results. Its world's thread
// calls the core; helpers join it inside of steps (core/threads/fork.ts). If a helper fails in the middle of a step, the
// memory is given up: an image of an earlier memory, and all that was done since, bring the world in a new memory to the
// same state, and the step is made there.

import { WORLD_ADDRESS } from '../core/memory/map';
import * as C from '../core/threads/control';
import { World as WorldRecord } from '../wasm/core-layout';
import { bytesOf } from '../wasm/core-module';
import type { Inspector } from '../wasm/inspector';
import type { Actors, CoreExports, CoreImports, CoreMaker } from '../wasm/instance';
import type { ThreadReport, ThreadTest } from '../wasm/threading';
import {
  STATIC_BASE,
  STATIC_END,
  THREADS_ACTORS,
  THREADS_INSPECTOR,
  THREADS_PLACES,
  THREADS_WASM,
} from '../wasm/threads-wasm';
import { type Fate, Helpers, processors, whyAlone } from './helpers';
import { moved, unpackPlaces } from './relocate';

/** Most threads of a world: so many times static memory stays below what an address of three bytes reaches. */
export const MOST_THREADS = 8;
/** More threads gain little: see docs/threads.md. */
const MOST_AUTO = 4;
/** Bytes from the static memory of one thread to that of the next: whole cache lines. */
const STRIDE = (STATIC_END - STATIC_BASE + 63) & ~63;
/** Pages of 64 KiB: at the start, and to which the memory may grow; less where a host refuses to reserve so much. */
const INITIAL_PAGES = 32;
const MOST_PAGES = [65536, 32768, 16384, 8192];
/** ms after which a helper that does not finish its chunk counts as lost. Chunks take hundredths of a millisecond. */
const PATIENCE = 2000;
/** Looks for work within a step, about a millisecond together. */
const PATIENT_LOOKS = 200_000;
/** An image is made again when repeating the steps since would take this many ms and this many times its duration. */
const REPLAY_MS = 1000;
const REPLAY_PER_IMAGE = 50;
/** Words of commands after which an image is made again. */
const REPLAY_WORDS = 1 << 19;
/** After so many lost helpers the world goes on alone: something is wrong with this host. */
const MOST_LOST = 3;

interface Modules {
  core: WebAssembly.Module;
  inspector: WebAssembly.Module;
  actors(): WebAssembly.Module;
  /** Bytes for helper i: the core with its static memory moved. */
  helper(i: number): Uint8Array;
}

let made: Modules | undefined;

function modules(): Modules {
  if (made === undefined) {
    const bytes = bytesOf(THREADS_WASM);
    const places = unpackPlaces(bytesOf(THREADS_PLACES));
    const helpers: Uint8Array[] = [];
    let actors: WebAssembly.Module | undefined;
    made = {
      core: new WebAssembly.Module(bytes),
      inspector: new WebAssembly.Module(bytesOf(THREADS_INSPECTOR)),
      actors: () => (actors ??= new WebAssembly.Module(bytesOf(THREADS_ACTORS))),
      helper: (i) => (helpers[i] ??= moved(bytes, places, (i + 1) * STRIDE)),
    };
  }
  return made;
}

/** What changed the world since the image. */
type Act =
  | { kind: 'step'; dt: number; filtered: boolean; answers: number[] }
  | { kind: 'commands'; words: Int32Array }
  | { kind: 'snapshot'; words: Int32Array }
  | { kind: 'geometry'; slot: number; words: Int32Array | null };

const HOST_WORDS = [WorldRecord.eventMask, WorldRecord.profileEnabled, WorldRecord.pairFilterEnabled].map(
  (offset) => (WORLD_ADDRESS + offset) >> 2,
);
const EVENT_WORDS = (WORLD_ADDRESS + WorldRecord.eventWords) >> 2;
const FILTER = (WORLD_ADDRESS + WorldRecord.pairFilterEnabled) >> 2;
const HEAP_TOP = (WORLD_ADDRESS + WorldRecord.heapTop) >> 2;

function makeMemory(initial: number): WebAssembly.Memory {
  let refusal: unknown;
  for (const maximum of MOST_PAGES)
    try {
      return new WebAssembly.Memory({ initial, maximum, shared: true });
    } catch (error) {
      refusal = error;
    }
  throw refusal;
}

/** Its helpers, apart from it: they are ended when nobody has the world any more. */
interface Staff {
  helpers: Helpers;
}

class ThreadedCore {
  private memory!: WebAssembly.Memory;
  private core!: CoreExports;
  private inspector!: Inspector;
  private actors: Actors | undefined;
  private words!: Int32Array;
  readonly staff = {} as Staff;
  private image = new Uint8Array(0);
  private imageBytes = 0;
  private imageMs = 0;
  private acts: Act[] = [];
  private actWords = 0;
  private actMs = 0;
  /** Of the step that goes on: what the pair filter answered; and what it answered when the step was made before. */
  private answers: number[] = [];
  private known: number[] = [];
  private lost = 0;
  private readonly fate: Fate = { reason: '' };

  constructor(
    private readonly imports: CoreImports,
    private readonly adopt: (memory: WebAssembly.Memory) => void,
    private readonly count: number,
    private test: ThreadTest,
  ) {
    this.begin(INITIAL_PAGES, () => this.core.initialize());
    this.adopt(this.memory);
  }

  /** A memory with its core, `fill`ed before helpers come. */
  private begin(pages: number, fill: () => void): void {
    const { core, inspector, helper } = modules();
    this.actors = undefined;
    const memory = makeMemory(pages);
    const pairFilter = (a: number, b: number) => this.filter(a, b);
    const actors = (what: number, at: number, dt: number) => this.actorModule().actors(what, at, dt);
    const env = { ...this.imports, memory, pairFilter, actors };
    this.core = new WebAssembly.Instance(core, { env }).exports as unknown as CoreExports;
    this.inspector = new WebAssembly.Instance(inspector, { env }).exports as unknown as Inspector;
    this.memory = memory;
    this.words = new Int32Array(memory.buffer, 0, C.CONTROL_END >> 2);
    this.prepareControl();
    fill();
    this.prepareControl();
    const helpers = this.lost < MOST_LOST ? this.count - 1 : 0;
    const places = Array.from({ length: helpers }, (_, i) => i);
    this.staff.helpers = new Helpers(
      this.words,
      memory,
      places.map(helper),
      places.map((i) => STATIC_BASE + (i + 1) * STRIDE),
      this.fate,
    );
  }

  /** The module of actors on the present memory. */
  private actorModule(): Actors {
    if (this.actors === undefined) {
      const { memory, core, imports } = this;
      const made = new WebAssembly.Instance(modules().actors(), {
        env: { ...imports, memory },
        core: { ...core },
      });
      this.actors = made.exports as unknown as Actors;
    }
    return this.actors;
  }

  private prepareControl(): void {
    const { words, test } = this;
    words.fill(0, C.CONTROL >> 2, C.OUTCOMES >> 2);
    words.fill(0, C.RANGES >> 2, C.CONTROL_END >> 2);
    const end = STATIC_BASE + this.count * STRIDE;
    words[C.COUNT >> 2] = this.count;
    words[C.HEAP_START >> 2] = test.image === undefined ? end : end + STRIDE;
    if (test.image !== undefined) {
      new Uint8Array(this.memory.buffer).set(test.image, end);
      words[C.IMAGE >> 2] = end;
      words[C.IMAGE_BYTES >> 2] = test.image.length;
    }
    this.testWith(test);
  }

  private filter(a: number, b: number): number {
    const answer = this.known.shift() ?? this.imports.pairFilter(a, b);
    this.answers.push(answer);
    return answer;
  }

  // --- the state before, for steps in which a helper fails ---

  /** Without helpers nothing can fail, and nothing is kept. */
  private get keeps(): boolean {
    return this.words[C.HELPERS >> 2] !== 0;
  }

  private keep(act: () => Act, words: number): void {
    if (!this.keeps) return;
    this.acts.push(act());
    this.actWords += words;
  }

  private makeImage(): void {
    const began = performance.now();
    const bytes = this.words[HEAP_TOP]! >>> 0;
    if (this.image.length < bytes) this.image = new Uint8Array(bytes + (bytes >> 2));
    this.image.set(new Uint8Array(this.memory.buffer, 0, bytes));
    this.imageBytes = bytes;
    this.acts = [];
    this.actWords = this.actMs = 0;
    this.imageMs = performance.now() - began;
  }

  /** Before a step: helpers that have come, and a new image if there is much to repeat. */
  private meet(): void {
    const { words } = this;
    const { ready } = this.staff.helpers;
    const joined = ready !== words[C.HELPERS >> 2];
    const mostMs = Math.max(REPLAY_MS, REPLAY_PER_IMAGE * this.imageMs);
    if (joined || (this.keeps && (this.actMs > mostMs || this.actWords > REPLAY_WORDS))) this.makeImage();
    words[C.HELPERS >> 2] = ready;
  }

  /** Back to the image in a new memory, and on to where the world was before the step. */
  private recover(): void {
    this.lost++;
    this.staff.helpers.end();
    const host = HOST_WORDS.map((at) => this.words[at]!);
    this.begin(Math.max(INITIAL_PAGES, ((this.imageBytes + 0xffff) >>> 16) + 1), () =>
      new Uint8Array(this.memory.buffer).set(this.image.subarray(0, this.imageBytes)),
    );
    const { words } = this;
    for (const [i, at] of HOST_WORDS.entries()) words[at] = host[i]!;
    for (const act of this.acts.splice(0)) this.repeat(act);
    words[FILTER] = host[2]!;
    words[EVENT_WORDS] = 0;
  }

  private repeat(act: Act): void {
    const { core } = this;
    if (act.kind === 'step') {
      this.words[FILTER] = act.filtered ? 1 : 0;
      this.words[EVENT_WORDS] = 0;
      this.known = act.answers;
      core.step(act.dt);
    } else if (act.kind === 'commands') core.applyCommands(this.place(act.words), act.words.length);
    else if (act.kind === 'geometry') {
      if (act.words === null) core.removeGeometry(act.slot);
      else core.addGeometry(act.slot, this.place(act.words), 4 * act.words.length);
    } else {
      const bytes = 4 * act.words.length;
      const address = core.reserveSnapshot(bytes, 0) >>> 0;
      new Int32Array(this.memory.buffer).set(act.words, address >>> 2);
      this.inspector.readSnapshot(address, bytes);
    }
  }

  /** Copies words into the command area. */
  private place(words: Int32Array): number {
    const address = this.core.reserveCommands(words.length) >>> 0;
    new Int32Array(this.memory.buffer).set(words, address >>> 2);
    return address;
  }

  private copyOf(address: number, words: number): Int32Array {
    return new Int32Array(this.memory.buffer, address, words).slice();
  }

  // --- calls ---

  private step(dt: number): void {
    this.meet();
    this.armTest();
    const filtered = this.words[FILTER] !== 0;
    const began = performance.now();
    this.answers = [];
    try {
      this.core.step(dt);
    } catch (error) {
      if (!this.keeps || Atomics.load(this.words, C.LOST >> 2) === 0) throw error;
      const { answers } = this;
      this.recover();
      this.adopt(this.memory);
      this.known = answers; // nobody is asked twice about the same step
      this.answers = [];
      this.core.step(dt); // alone: helpers join in the next step
    }
    this.actMs += performance.now() - began;
    this.keep(() => ({ kind: 'step', dt, filtered, answers: this.answers }), 8);
  }

  private armTest(): void {
    const { stopAt } = this.test;
    if (stopAt === undefined) return;
    this.test.stopAt = undefined;
    this.words[C.STOP_AT >> 2] = stopAt;
  }

  /** Everything that a world calls; each call goes to the core of the present memory. */
  exports(): CoreExports {
    const actors: Actors = {
      actors: (what, at, dt) => this.actorModule().actors(what, at, dt),
      publish: () => this.actorModule().publish(),
      publishCharacter: (body) => this.actorModule().publishCharacter(body),
    };
    const own: Partial<CoreExports & Inspector> = {
      step: (dt) => this.step(dt),
      applyCommands: (address, words) => {
        this.keep(() => ({ kind: 'commands', words: this.copyOf(address, words) }), words);
        this.core.applyCommands(address, words);
      },
      addGeometry: (slot, address, bytes) => {
        this.keep(() => ({ kind: 'geometry', slot, words: this.copyOf(address, bytes >> 2) }), bytes >> 2);
        this.core.addGeometry(slot, address, bytes);
      },
      removeGeometry: (slot) => {
        this.keep(() => ({ kind: 'geometry', slot, words: null }), 1);
        this.core.removeGeometry(slot);
      },
      readSnapshot: (address, bytes) => {
        this.keep(() => ({ kind: 'snapshot', words: this.copyOf(address, bytes >> 2) }), bytes >> 2);
        return this.inspector.readSnapshot(address, bytes);
      },
      actorModule: () => actors,
      threadReport: () => this.report(),
      testThreads: (test) => this.testWith(test),
      endThreads: () => this.staff.helpers.end(),
    };
    const calls: Record<string, unknown> = { ...own };
    type Calls = Record<string, (...args: number[]) => unknown>;
    for (const name of Object.keys(this.core))
      calls[name] ??= (...args: number[]) => (this.core as unknown as Calls)[name]!(...args);
    for (const name of Object.keys(this.inspector))
      calls[name] ??= (...args: number[]) => (this.inspector as unknown as Calls)[name]!(...args);
    return calls as unknown as CoreExports;
  }

  private report(): ThreadReport {
    const { words, lost, fate } = this;
    const { ready } = this.staff.helpers;
    const [waited, shared] = new Float64Array(this.memory.buffer, C.WAITED, 2) as unknown as [number, number];
    const [forks, helped] = [words[C.TICKET >> 2]!, words[C.HELPED >> 2]!];
    const reason = ready < this.count - 1 ? fate.reason || STARTING : '';
    return { count: 1 + ready, reason, waited, shared, lost, forks, helped };
  }

  private testWith(test: ThreadTest): void {
    this.test = { ...test, image: this.test.image };
    this.words[C.PATIENCE >> 2] = test.patience ?? PATIENCE;
    this.words[C.TEST_MODE >> 2] = test.mode ?? 0;
    // On a processor of its own a thread may wait awake; otherwise it would keep others from working.
    this.words[C.PATIENT_LOOKS >> 2] = processors() >= this.count ? PATIENT_LOOKS : 0;
  }
}

const STARTING = 'helper threads are starting';

/** Ends the helpers of worlds that nobody has any more and that were not disposed of. */
const forgotten = new FinalizationRegistry<Staff>(({ helpers }) => helpers.end());

/** Number of threads that an option asks for. */
const threadsFor = (threads: number | 'auto'): number =>
  Math.min(MOST_THREADS, threads === 'auto' ? Math.min(MOST_AUTO, processors()) : threads);

/** Makes cores for so many threads; undefined where the plain core is what there is to be had. */
export function threadedMaker(threads: number | 'auto', test: ThreadTest = {}): CoreMaker | string {
  const count = threadsFor(threads);
  if (count === 1) return 'this machine has one processor';
  const reason = whyAlone();
  if (reason !== '') return reason;
  return (imports, adopt) => {
    const core = new ThreadedCore(imports, adopt, count, test);
    const calls = core.exports();
    forgotten.register(calls, core.staff);
    return calls;
  };
}
