// Opens a world where this is imported: in the worker, or in the page itself when it asked for that.
// In: two ports and perhaps a memory. Out: a host that answers on them.
import { expose } from 'comlink';
import type { OpenMessage } from './connect';
import { HostControls } from './control';
import { PhysicsHost } from './host';

export async function openWorld({ control, data, board, lock, announce }: OpenMessage): Promise<void> {
  // Held until the thread ends: that is how the page learns of it.
  if (lock !== '')
    await new Promise<void>((held) => {
      void navigator.locks.request(lock, () => {
        held();
        return new Promise(() => {});
      });
    });
  const host = new PhysicsHost(data, board, announce);
  expose(new HostControls(host, control).control, control);
}
