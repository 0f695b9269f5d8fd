// A client that plays without a world: it keeps to the protocol and sends inputs in time, so that what is measured is
// the server.
import type { Game } from '../../src/net';
import type { Frame } from '../../src/net/game';
import {
  decodeChunk,
  decodeFrames,
  decodeRoom,
  encodeHello,
  encodeInput,
  FRAMES,
  open,
  SNAPSHOT,
  STATE,
} from '../../src/net/messages';
import { PoseReceiver } from '../../src/net/poses';

export class BareClient {
  bytesIn = 0;
  states = 0;
  private seq = 0;
  private snapshot = 0;
  private rate = 60;
  private epoch = 0;
  private confirmed = -1;
  private parts = new Map<number, Uint8Array>();
  private frames = new Map<number, Frame>();
  private readonly receiver = new PoseReceiver();

  constructor(
    private readonly game: Game,
    private readonly core: string,
    private readonly send: (packet: Uint8Array<ArrayBuffer>) => void,
    private readonly input: (tick: number) => Uint8Array,
    private readonly version = 0,
  ) {}

  /** Ticks of which the server has told. */
  get tick(): number {
    return this.confirmed;
  }

  get isJoined(): boolean {
    return this.confirmed >= 0;
  }

  receive(packet: Uint8Array): void {
    const { type, reader } = open(packet);
    if (type === SNAPSHOT) {
      if (this.isJoined) return;
      const chunk = decodeChunk(reader);
      this.parts.set(chunk.index, chunk.content.slice());
      if (this.parts.size < Math.ceil(chunk.bytes / 1024)) return;
      const bytes = new Uint8Array(chunk.bytes);
      for (const [index, part] of this.parts) bytes.set(part, index * 1024);
      const room = decodeRoom(bytes);
      this.rate = room.rate;
      this.snapshot = chunk.id;
      this.epoch = chunk.epoch;
      this.confirmed = room.tick;
      this.frames.set(room.tick - 1, room.last);
      return;
    }
    this.bytesIn += packet.length;
    if (type === FRAMES) {
      const frames = decodeFrames(this.game, reader, (tick) => this.frames.get(tick), this.epoch);
      if (frames === null || frames === 'another room') return;
      for (const [i, frame] of frames.frames.entries()) {
        if (frames.first + i !== this.confirmed || this.confirmed >= frames.tick) continue;
        this.frames.set(this.confirmed, frame);
        this.frames.delete(this.confirmed - 200);
        this.confirmed++;
      }
    } else if (type === STATE) {
      reader.u32();
      const seq = reader.u16();
      const tick = reader.varint();
      this.states += this.receiver.read({ seq, tick, rate: this.rate }, reader)?.length ?? 0;
    }
  }

  /** Sends the inputs of the ticks that a real client would have made by now. */
  update(serverTick: number): void {
    this.seq = (this.seq + 1) & 0xffff;
    if (!this.isJoined) {
      this.send(
        encodeHello({ seq: this.seq, version: this.version, core: this.core, snapshot: 0, missing: [] }),
      );
      return;
    }
    const inputs: Uint8Array[] = [];
    for (let tick = this.confirmed; tick < serverTick + 12 && inputs.length < 64; tick++)
      inputs.push(this.input(tick));
    const { seq, snapshot, confirmed, receiver } = this;
    this.send(
      encodeInput(this.game, {
        seq,
        snapshot,
        ack: confirmed,
        first: confirmed,
        inputs,
        poses: receiver.acks,
      }),
    );
  }
}
