// Control calls of a client, each with one answer, by comlink. In: calls with a sequence number in the stream of
// command buffers. Out: answers. Errors travel as values; large buffers are transferred, not copied.
import { transfer } from 'comlink';
import { PhysicsError, type PlainPhysicsError } from '../src/base/errors';
import type { Contact } from '../src/events/events';
import type { Ask } from '../src/queries/asks';
import type { Recorder } from '../src/replay/recorder';
import { packSnapshot } from '../src/replica/snapshot';
import { CoreInstance } from '../src/wasm/instance';
import type { PhysicsHost } from './host';
import {
  type Answer,
  type Call,
  FRAME_SNAP,
  type HostControl,
  type Named,
  plainError,
  type Reply,
} from './protocol';
import { loadSystems, type Tools } from './toolbox';

export class HostControls {
  constructor(
    private readonly host: PhysicsHost,
    private readonly port: MessagePort,
    /** Resolves when the world is open, with all that the page relies on. */
    private readonly ready: Promise<void>,
    private readonly load: () => Promise<Tools>,
  ) {}

  private recorder: Recorder | null = null;
  /** From the tools, for the recorder. */
  private plain!: Tools['plain'];

  private get world() {
    return this.host.world;
  }

  /** The object that comlink exposes. */
  readonly control: HostControl = {
    open: async (options) => {
      const { deterministic, threads, threadsFile } = options;
      const tools = deterministic ? await this.loaded() : null;
      const make =
        threads === 1 ? '' : await this.load().then((found) => found.coreMaker(threads, threadsFile), String);
      const opened = await answer(() => {
        tools?.().requireSelfTest((hooks) => new CoreInstance(hooks));
        this.host.open(options, make);
      });
      await this.ready;
      return opened;
    },
    recover: async (recovery) => {
      this.host.isHeld = true;
      if (recovery.actors || recovery.snapshot !== null) await this.loadTools();
      if (recovery.systems !== undefined)
        await loadSystems(recovery.systemTools as string).then(
          (tools) => tools.recoverSystems(this.host, recovery),
          () => {},
        );
      this.host.isHeld = false;
      // Do not wait: commands follow. Lines are drawn again when the tools are loaded.
      if (recovery.debug !== null)
        void this.load().then(
          (tools) => this.host.drawWith(tools),
          () => {},
        );
      return answer(() => this.host.recover(recovery));
    },
    loadActors: () => this.loadTools(),
    checkpoint: async () => {
      await this.host.worthCheckpoint();
      return answer(() => {
        if (this.host.refusing) throw new PhysicsError('busy', 'a restore was refused');
        const checkpoint = this.host.checkpoint();
        return giveAway(checkpoint, [checkpoint.snapshot.buffer]);
      });
    },
    close: async () => {
      this.host.close();
      this.port.close();
      return { value: undefined };
    },
    start: (sequence) => this.inTurn(sequence, () => this.host.start()),
    pause: (sequence) =>
      this.inTurn(sequence, () => {
        this.host.stop();
        this.host.publish(FRAME_SNAP);
      }),
    setTimeScale: (sequence, timeScale) => this.inTurn(sequence, () => this.host.setTimeScale(timeScale)),
    setOutputs: (sequence, outputs) => this.inTurn(sequence, () => this.host.setOutputs(outputs)),
    setDebug: async (sequence, options) => {
      const tools = options === null ? null : await this.loaded();
      return this.inTurn(sequence, () => {
        if (tools !== null) this.host.drawWith(tools());
        this.host.setDebug(options);
      });
    },
    setWatched: (sequence, ids) => this.inTurn(sequence, () => this.host.setWatched(ids)),
    ask: async (sequences, groups, calls) => {
      const replies: Reply[] = [];
      for (let from = 0, end = 0; from < groups.length; from = end) {
        while (sequences[end] === sequences[from] && end < groups.length) end++;
        const asked = groups.slice(from, end);
        const answered = await this.answerInTurn(sequences[from] as number, () =>
          asked.map((asks, i) => this.reply(asks, calls[from + i] ?? null)),
        );
        replies.push(...('error' in answered ? asked.map(() => answered) : answered.value));
      }
      return { value: replies };
    },
    rayTestBatch: (sequence, rays, filter, call) =>
      this.answerInTurn(sequence, () => {
        const batch = this.world.askRays(rays, filter);
        this.note(call, batch);
        const { bodies, shapes, fractions, points, normals, triangles } = batch;
        return giveAway(
          batch,
          [bodies, shapes, fractions, points, normals, triangles].map(({ buffer }) => buffer),
        );
      }),
    getContacts: (sequence, body) =>
      this.answerInTurn(sequence, () => {
        const contacts = body === 0 ? this.world.getContacts() : this.world.getContacts(body);
        return contacts.map((contact: Contact<{ id: number }>) => ({
          ...contact,
          bodyA: contact.bodyA.id,
          bodyB: contact.bodyB.id,
        }));
      }),
    getProfile: async (sequence) => {
      const tools = await this.loaded();
      return this.answerInTurn(sequence, () => {
        this.world.sync();
        return tools().readProfile(this.world.instance);
      });
    },
    stateHash: async (sequence) => {
      const tools = await this.loaded();
      return this.answerInTurn(sequence, () => {
        this.world.inspectWith(tools());
        return this.world.stateHash();
      });
    },
    snapshot: (sequence, replica) =>
      this.answerInTurn(sequence, () => {
        const systems = this.world.savedSystems();
        const bytes = packSnapshot({ ...this.world.snapshotParts(), replica, systems });
        return giveAway(bytes, [bytes.buffer]);
      }),
    record: async (sequence, options) => {
      const tools = await this.loaded();
      return this.inTurn(sequence, () => {
        const { plain, Recorder } = tools();
        this.world.inspectWith(tools());
        this.recorder = new Recorder(this.world, options);
        this.plain = plain;
      });
    },
    stopRecording: async (sequence) => {
      let file: Promise<Uint8Array<ArrayBuffer>> | undefined;
      const done = await this.inTurn(sequence, () => {
        if (this.recorder === null)
          throw new PhysicsError('worker-lost', 'the recording was lost with its worker');
        file = this.recorder.finish();
        this.recorder = null;
      });
      if (file === undefined) return done as { error: PlainPhysicsError };
      try {
        const bytes = await file;
        return transfer({ value: bytes }, [bytes.buffer]);
      } catch (error) {
        return { error: plainError(error) };
      }
    },
    restore: async (sequence, snapshot) => {
      // A host that recovered already started with it.
      if (sequence <= this.host.sequence) return answer(() => {});
      const tools = await this.loaded();
      return this.answerInTurn(sequence, () => {
        try {
          this.world.inspectWith(tools());
          this.world.restore(snapshot);
        } catch (error) {
          this.host.refusing = true;
          throw error;
        }
        this.host.restored();
      });
    },
    system: async (sequence, address, act) => {
      const tools = await loadSystems(address);
      return act.kind === 'load'
        ? tools.loadSystem(this.host, act)
        : this.answerInTurn(sequence, () => tools.actOnSystem(this.host, act));
    },
    pass: (sequence) => this.inTurn(sequence, () => {}),
    goOn: (sequence) =>
      this.inTurn(sequence, () => {
        this.host.refusing = false;
        this.host.publish(FRAME_SNAP);
      }),
  };

  /** What actors and the states of others need. */
  private async loadTools(): Promise<Answer<void>> {
    const tools = await this.loaded();
    return answer(() => this.world.inspectWith(tools()));
  }

  private reply(asks: Ask[], call: Call | null): Reply {
    const { world } = this;
    try {
      const answers = asks.map((ask) => world.ask(ask) as Named[]);
      this.note(call, call?.one === true ? (answers[0]?.[0] ?? null) : answers[0]);
      return { step: world.stepCount, answers };
    } catch (error) {
      return { error: plainError(error) };
    }
  }

  private note(call: Call | null, result: unknown): void {
    if (call !== null)
      this.recorder?.note({ method: call.method, args: call.args, result: this.plain(result) });
  }

  /** Loads the tools; errors are thrown when the result is used, at the caller's place in the stream. */
  private loaded(): Promise<() => Tools> {
    return this.load().then(
      (tools) => () => tools,
      (error) => () => {
        throw error;
      },
    );
  }

  /** Like inTurn, for calls that make no sense after a refused restore. */
  private answerInTurn<T>(sequence: number, run: () => T): Promise<Answer<T>> {
    return this.inTurn(sequence, () => {
      if (this.host.refusing) throw new PhysicsError('damaged-snapshot', 'the restore before it was refused');
      return run();
    });
  }

  /** Runs at place `sequence` in the stream: after all earlier messages, before all later ones. */
  private async inTurn<T>(sequence: number, run: () => T): Promise<Answer<T>> {
    const { host } = this;
    await host.reached(sequence - 1);
    if (sequence > host.sequence) host.sequence = sequence;
    const result = await answer(run);
    host.drain();
    return result;
  }
}

/** Buffers that are transferred with an answer instead of copied, by the value of the answer. */
const givenAway = new WeakMap<object, Transferable[]>();

function giveAway<T extends object>(value: T, buffers: ArrayBufferLike[]): T {
  givenAway.set(value, buffers as ArrayBuffer[]);
  return value;
}

async function answer<T>(run: () => T): Promise<Answer<T>> {
  try {
    const value = run();
    const buffers = givenAway.get(value as object);
    return buffers === undefined ? { value } : transfer({ value }, buffers);
  } catch (error) {
    return { error: plainError(error) };
  }
}
