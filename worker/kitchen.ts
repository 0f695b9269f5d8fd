// The page's cooking queue: jobs run in the cooking worker, one after the other. In: jobs with progress listeners and
// abort signals. Out: geometry, with the same bytes as from cooking in the page. Loaded when first used. The worker is
// separate, so that the physics worker keeps stepping; a job is cancelled by terminating the worker.
import { ownError, PhysicsError } from '../src/base/errors';
import { type Decomposition, hullsOfMesh } from '../src/cooking/decomposition';
import { Geometry } from '../src/cooking/geometries';
import { SHAPE_MESH } from '../src/core/memory/constants';
import type { CookAnswer, CookedContent, CookedHulls, CookOrder } from './cook';
import { notLoaded, type StartedWorker, startWorker } from './scripts';
import type { WorkerLike } from './workerLike';

/** Options of cooking in a worker. */
export interface CookControl {
  /** Called now and then with the share that is done, 0…1. */
  onProgress?: ((share: number) => void) | undefined;
  /** Calls it off: the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

interface Order extends CookControl {
  order: CookOrder;
  resolve(cooked: Geometry | Decomposition): void;
  reject(reason: unknown): void;
  forget(): void;
}

/** ms. An idle worker is ended after this time, because it may hold the memory of a large mesh. */
const IDLE = 3000;
/** ms. Time per slice when cooking in the page: what a frame can spare. */
const SLICE = 8;

export class Kitchen {
  private readonly waiting: Order[] = [];
  private current: Order | null = null;
  private worker: WorkerLike | null = null;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  /** @param inPage  there are to be no workers */
  constructor(
    private readonly makeWorker: (() => WorkerLike | Promise<WorkerLike>) | undefined,
    private readonly inPage: boolean,
  ) {}

  cook(order: CookOrder, { onProgress, signal }: CookControl): Promise<Geometry | Decomposition> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw disposed();
      signal?.throwIfAborted();
      const abort = () => this.abort(entry);
      const forget = () => signal?.removeEventListener('abort', abort);
      const entry: Order = { order, onProgress, signal, resolve, reject, forget };
      signal?.addEventListener('abort', abort);
      this.waiting.push(entry);
      this.next();
    });
  }

  private next(): void {
    if (this.current !== null) return;
    clearTimeout(this.idle);
    const entry = this.waiting.shift();
    if (entry === undefined) {
      if (this.worker === null) return;
      this.idle = setTimeout(() => this.endWorker(), IDLE);
      (this.idle as { unref?(): void }).unref?.();
      return;
    }
    this.current = entry;
    const run = this.inPage ? this.cookHere(entry) : this.send(entry);
    run.catch((error) => this.finish(entry, () => entry.reject(ownError(error))));
  }

  private async send(entry: Order): Promise<void> {
    if (this.worker === null) {
      const { makeWorker } = this;
      const started: StartedWorker = makeWorker
        ? { worker: await makeWorker(), whereabouts: '' }
        : await startWorker('cooking.worker');
      const { worker } = started;
      // Cancelled while the worker was created.
      if (this.current !== entry) {
        worker.terminate();
        return;
      }
      this.worker = worker;
      this.listen(started);
    }
    this.worker.postMessage(entry.order, buffersOf(entry.order.content));
  }

  private listen({ worker, whereabouts }: StartedWorker): void {
    const message = (value: unknown) => worker === this.worker && this.receive(value as CookAnswer);
    const lost = (value: unknown) => {
      if (worker !== this.worker) return;
      const { message: text, code } = (value ?? {}) as { message?: unknown; code?: unknown };
      const why = typeof text === 'string' && text !== '' ? text : notLoaded(whereabouts);
      this.endWorker();
      const { current } = this;
      const error = new PhysicsError(
        code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out-of-memory' : 'worker-lost',
        `the cooking worker is lost: ${why}`,
      );
      if (current !== null) this.finish(current, () => current.reject(error));
    };
    if (worker.on !== undefined) {
      worker.on('message', message);
      worker.on('error', lost);
      worker.on('messageerror', lost);
      worker.on('exit', (code) => lost({ message: `it ended with code ${String(code)}` }));
    } else {
      worker.addEventListener?.('message', (event) => message((event as MessageEvent).data));
      worker.addEventListener?.('error', lost);
      worker.addEventListener?.('messageerror', lost);
    }
  }

  private receive(answer: CookAnswer): void {
    const entry = this.current;
    if (entry === null) return;
    if ('share' in answer) entry.onProgress?.(answer.share);
    else if ('cooked' in answer) this.finish(entry, () => entry.resolve(whatCame(answer.cooked)));
    else this.finish(entry, () => entry.reject(PhysicsError.fromPlain(answer.error)));
  }

  /** Cooks in the page, one slice per task. */
  private async cookHere(entry: Order): Promise<void> {
    const { cookSteps } = await import('./page');
    const steps = cookSteps(entry.order);
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      const until = performance.now() + SLICE;
      do {
        if (this.current !== entry) return;
        const { done, value } = steps.next();
        if (done === true) {
          this.finish(entry, () => entry.resolve(whatCame(value)));
          return;
        }
        entry.onProgress?.(value);
      } while (performance.now() < until);
    }
  }

  private finish(entry: Order, settle: () => void): void {
    entry.forget();
    if (this.current === entry) this.current = null;
    settle();
    if (!this.closed) this.next();
  }

  private abort(entry: Order): void {
    const at = this.waiting.indexOf(entry);
    if (at >= 0) this.waiting.splice(at, 1);
    else this.endWorker();
    this.finish(entry, () => entry.reject(entry.signal?.reason));
  }

  private endWorker(): void {
    const { worker } = this;
    this.worker = null;
    worker?.terminate();
  }

  /** Rejects unfinished jobs. */
  close(): void {
    this.closed = true;
    clearTimeout(this.idle);
    this.endWorker();
    const orders = this.current === null ? this.waiting : [this.current, ...this.waiting];
    for (const entry of orders.splice(0)) this.finish(entry, () => entry.reject(disposed()));
  }
}

/** Buffers of the client's copy, which can be transferred. */
function buffersOf(content: unknown): ArrayBuffer[] {
  const views = ArrayBuffer.isView(content) ? [content] : Object.values(content as object);
  return views.filter((value) => ArrayBuffer.isView(value)).map(({ buffer }) => buffer as ArrayBuffer);
}

const disposed = () => new PhysicsError('disposed', 'the world was disposed');

function whatCame(cooked: CookedContent | CookedHulls): Geometry | Decomposition {
  if (!('hulls' in cooked)) return geometryFrom(cooked);
  const { hulls, report } = cooked;
  return Object.freeze({ hulls: Object.freeze(hulls.map(geometryFrom)), report: Object.freeze(report) });
}

function geometryFrom({ kind, words, report, center }: CookedContent): Geometry {
  const toHulls = kind === SHAPE_MESH ? hullsOfMesh : undefined;
  return new Geometry(kind, words, report && Object.freeze(report), center, toHulls);
}
