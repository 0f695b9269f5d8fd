// In: buffers to hand to the other side. Out: the same buffers when the other side gives them back.
// The seam for other transports: whoever can acquire room, post it and get it back can carry frames.
// Buffers are transferred, never copied; the number outstanding is bounded, so a blocked page costs no memory.

/** What host and client need of a MessagePort; browsers and Node have it alike. */
export interface DataPort {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message' | 'messageerror', listener: (event: MessageEvent) => void): void;
  start(): void;
  close(): void;
}

/** Frames that the host may have outside: the two the page draws from and two on their way. */
export const FRAMES_OUTSTANDING = 4;

/** Bytes; buffers are made in this granularity, so that a slowly growing world does not replace them each frame. */
const GRAIN = 16384;
/** Free buffers beyond this are left to the garbage collector. */
const FREE_LIMIT = 4;

/** One direction of the data plane: buffers that go out full and come back empty. */
export class BufferLoop {
  /** Posted and not yet given back. */
  outstanding = 0;
  private readonly free: ArrayBuffer[] = [];
  private readonly transfer: ArrayBuffer[] = [];

  constructor(
    private readonly port: DataPort,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  /** False while the other side holds all the buffers it may hold. */
  get available(): boolean {
    return this.outstanding < this.limit;
  }

  /** A buffer of at least `bytes` with undefined content, or null while none is available. */
  acquire(bytes: number): ArrayBuffer | null {
    if (!this.available) return null;
    while (this.free.length > 0) {
      const buffer = this.free.pop() as ArrayBuffer;
      if (buffer.byteLength >= bytes) return buffer;
    }
    return new ArrayBuffer(Math.ceil((bytes * 1.25) / GRAIN) * GRAIN);
  }

  post(buffer: ArrayBuffer): void {
    this.outstanding++;
    this.transfer[0] = buffer;
    this.port.postMessage(buffer, this.transfer);
  }

  /** The other side is done with it. */
  takeBack(buffer: ArrayBuffer): void {
    this.outstanding--;
    if (this.free.length < FREE_LIMIT) this.free.push(buffer);
  }
}
