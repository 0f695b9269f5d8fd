// The whole state of a room on its way to a client. In: chunks, in any order. Out: its bytes once all are there, until
// then the chunks to ask for again.
import { CHUNK_BYTES, type SnapshotChunk } from './messages';

/** A state that arrives in parts. */
export class Loading {
  readonly epoch: number;
  readonly id: number;
  readonly player: number;
  readonly bytes: Uint8Array;
  private readonly there: Uint8Array;
  private left: number;
  private highest = -1;
  private heardAt = 0;

  constructor({ epoch, id, player, bytes }: SnapshotChunk) {
    this.epoch = epoch;
    this.id = id;
    this.player = player;
    this.bytes = new Uint8Array(bytes);
    this.left = Math.ceil(bytes / CHUNK_BYTES);
    this.there = new Uint8Array(this.left);
  }

  /** Whether the chunk is a part of this state. */
  isOf(chunk: SnapshotChunk): boolean {
    return this.id === chunk.id && this.epoch === chunk.epoch && this.bytes.length === chunk.bytes;
  }

  /** Takes a part; true with the last one that was missing. */
  take({ index, content }: SnapshotChunk, now: number): boolean {
    this.heardAt = now;
    this.highest = Math.max(this.highest, index);
    if (this.there[index] === 1) return false;
    this.there[index] = 1;
    this.bytes.set(content, index * CHUNK_BYTES);
    return --this.left === 0;
  }

  /**
   * Runs of missing chunks: first one and number. What is behind the newest may be under way still, unless nothing has come for
   * longer than `patience`, ms.
   */
  missing(now: number, patience: number): [number, number][] {
    const runs: [number, number][] = [];
    const end = now - this.heardAt > patience ? this.there.length : this.highest;
    for (let i = 0; i < end; i++) {
      if (this.there[i] === 1) continue;
      const last = runs[runs.length - 1];
      if (last !== undefined && last[0] + last[1] === i) last[1]++;
      else runs.push([i, 1]);
    }
    return runs;
  }
}
