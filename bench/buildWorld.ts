// A scene in an engine, in Node: some loaders want a browser's window, or fetch for files.
import { readFile } from 'node:fs/promises';
import type { EngineEntry } from './adapters';
import type { EngineWorld } from './adapters/adapter';
import { BrowserWorker } from './browserWorker';
import type { SceneSpec } from './scene';

/** Node's fetch knows no files, which is how some engines ask for their wasm. */
export function teachFetchFiles(): void {
  const fetchWeb = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    if (!address.startsWith('file:')) return fetchWeb(input, init);
    return new Response(await readFile(new URL(address)), {
      headers: { 'content-type': 'application/wasm' },
    });
  };
}

/**
 * Stands in for the workers that a build with threads makes in advance and that we never give work:
 * answers the message that would load the code (1) as a real one does when it is ready (3).
 */
class IdleWorker {
  onmessage: ((event: { data: unknown }) => void) | undefined;
  postMessage(message: Record<string, unknown>): void {
    const command = Object.keys(message).find((key) => message[key] === 1);
    if (command) queueMicrotask(() => this.onmessage?.({ data: { [command]: 3 } }));
  }
  terminate(): void {}
}

/** Makes Node look like a browser's window while a loader runs that wants one; with workers that work, or idle ones. */
async function asBrowser<T>(threads: number, load: () => Promise<T> | T): Promise<T> {
  const scope = globalThis as Record<string, unknown>;
  const { process: node } = globalThis;
  scope.window = globalThis;
  scope.Worker = threads > 1 ? BrowserWorker : IdleWorker;
  const awake = setInterval(() => {}, 1000); // workers that start keep no process alive
  scope.navigator ??= { hardwareConcurrency: 1, language: 'en', userAgent: '' };
  Object.defineProperty(scope, 'process', { value: undefined, configurable: true, writable: true });
  try {
    return await load();
  } finally {
    Object.defineProperty(scope, 'process', { value: node, configurable: true, writable: true });
    delete scope.window;
    clearInterval(awake);
  }
}

/** A world of the engine with the scene's bodies and joints; `threads`: see Engine.createWorld. */
export async function buildWorld(
  spec: SceneSpec,
  { load, wantsBrowser }: EngineEntry,
  threads?: number,
): Promise<EngineWorld> {
  const { engine } = await load();
  const create = () => engine.createWorld(spec, threads);
  const world = await (wantsBrowser ? asBrowser(threads ?? 1, create) : create());
  for (const body of spec.bodies) world.createBody(body);
  for (const joint of spec.joints) world.createJoint?.(joint);
  world.finish?.();
  return world;
}
