// What a client asks once and is answered once, by comlink. In: calls with a place in the stream of command
// buffers. Out: answers. Errors travel as values; large buffers are given away, not copied.
import { transfer } from 'comlink';
import type { Ask } from '../src/asks';
import type { Contact } from '../src/events';
import { packSnapshot } from '../src/snapshot';
import type { PhysicsHost } from './host';
import { type Answer, FRAME_SNAP, type HostControl, type Named, plainError, type Reply } from './protocol';

export class HostControls {
  constructor(
    private readonly host: PhysicsHost,
    private readonly port: MessagePort,
  ) {}

  private get world() {
    return this.host.world;
  }

  /** Exposed by comlink. */
  readonly control: HostControl = {
    open: (options) =>
      answer(() => {
        this.host.open(options);
      }),
    recover: (recovery) =>
      answer(() => {
        this.host.recover(recovery);
        this.host.drain();
      }),
    checkpoint: () =>
      answer(() => {
        const { sequence, stepsAlone, world } = this.host;
        const snapshot = world.snapshot();
        return giveAway({ snapshot, sequence, stepsAlone, steps: world.stepCount }, [snapshot.buffer]);
      }),
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
    setDebug: (sequence, options) => this.inTurn(sequence, () => this.host.setDebug(options)),
    ask: (sequence, groups) => this.after(sequence, () => groups.map((asks) => this.reply(asks))),
    rayTestBatch: (sequence, rays, filter) =>
      this.after(sequence, () => {
        const batch = this.world.askRays(rays, filter);
        const { bodies, shapes, fractions, points, normals, triangles } = batch;
        return giveAway(
          batch,
          [bodies, shapes, fractions, points, normals, triangles].map(({ buffer }) => buffer),
        );
      }),
    getContacts: (sequence, body) =>
      this.after(sequence, () => {
        const contacts = this.world.getContacts(body === 0 ? undefined : body);
        return contacts.map((contact: Contact<{ id: number }>) => ({
          ...contact,
          bodyA: contact.bodyA.id,
          bodyB: contact.bodyB.id,
        }));
      }),
    getProfile: (sequence) => this.after(sequence, () => this.world.getProfile()),
    stateHash: (sequence) => this.after(sequence, () => this.world.stateHash()),
    snapshot: (sequence, replica) =>
      this.after(sequence, () => {
        const bytes = packSnapshot({ ...this.world.snapshotParts(), replica });
        return giveAway(bytes, [bytes.buffer]);
      }),
    restore: (sequence, snapshot) => {
      // A host that recovered has begun with it.
      if (sequence <= this.host.sequence) return answer(() => {});
      return this.inTurn(sequence, () => {
        this.world.restore(snapshot);
        this.host.stepsAlone = 0;
        this.host.publish(FRAME_SNAP);
      });
    },
  };

  private reply(asks: Ask[]): Reply {
    const { world } = this;
    try {
      return { step: world.stepCount, answers: asks.map((ask) => world.ask(ask) as Named[]) };
    } catch (error) {
      return { error: plainError(error) };
    }
  }

  private async after<T>(sequence: number, run: () => T): Promise<Answer<T>> {
    await this.host.reached(sequence);
    return answer(run);
  }

  /** Takes the place `sequence` in the stream: after what comes before it, before what comes after. */
  private async inTurn<T>(sequence: number, run: () => T): Promise<Answer<T>> {
    const { host } = this;
    await host.reached(sequence - 1);
    if (sequence > host.sequence) host.sequence = sequence;
    const result = await answer(run);
    host.drain();
    return result;
  }
}

/** Buffers that the answer gives away instead of copying, by its value. */
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
