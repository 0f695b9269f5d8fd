// A browser's Worker in Node, for engines whose threads start nowhere else. Jolt's loader knows Node, but reads
// `import(…).workerData` off a promise there, so that its threads never begin; as a browser it works. In: the address of a
// module. Out: a thread in which that module runs as in a dedicated worker. The thread ends with the process.
import { Worker as NodeWorker } from 'node:worker_threads';

/** Runs in the thread, as CommonJS. */
const BOOT = `
const { parentPort, workerData } = require('node:worker_threads');
const early = [];
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
globalThis.name = workerData.name;
globalThis.postMessage = (data) => parentPort.postMessage(data);
parentPort.on('message', (data) => globalThis.onmessage ? globalThis.onmessage({ data }) : early.push(data));
Object.defineProperty(globalThis, 'process', { value: undefined });
import(workerData.url).then(() => early.splice(0).forEach((data) => globalThis.onmessage?.({ data })));
`;

export class BrowserWorker {
  onmessage: ((event: { data: unknown }) => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  private readonly thread: NodeWorker;

  constructor(url: URL | string, { name = '' }: { name?: string } = {}) {
    this.thread = new NodeWorker(BOOT, { eval: true, workerData: { url: String(url), name } });
    this.thread.on('message', (data) => this.onmessage?.({ data }));
    this.thread.on('error', (error) => this.onerror?.(error as Error));
    this.thread.unref();
  }

  postMessage(data: unknown): void {
    this.thread.postMessage(data);
  }

  terminate(): void {
    void this.thread.terminate();
  }
}
