// Opens a world in the thread that imports this file: in the worker, or in the page for `transport: 'page'`. In: two
// ports and, optionally, shared memory. Out: a host that answers on them.
import { expose } from 'comlink';
import { useCore } from '../src/wasm/core-module';
import type { OpenMessage } from './connect';
import { HostControls } from './control';
import { PhysicsHost } from './host';
import { loadTools } from './toolbox';

export async function openWorld(message: OpenMessage): Promise<void> {
  const { control, data, board, lock, core, tools, announce } = message;
  if (core !== null) await useCore(core);
  const host = new PhysicsHost(data, board, announce);
  expose(new HostControls(host, control, hold(lock), () => loadTools(tools)).control, control);
}

/** Holds a lock until the thread ends, by which the page notices its end. Resolves when the lock is held. */
function hold(lock: string): Promise<void> {
  if (lock === '') return Promise.resolve();
  return new Promise<void>((held) => {
    void navigator.locks.request(lock, () => {
      held();
      return new Promise(() => {});
    });
  });
}
