// Jobs of a page that have nothing to do with us, each of the kind of work that a target limits. In: a page. Out: ms.
import type { Page } from 'playwright-core';
import type { Reference } from '../../bestOf';

/** Mixing 10,000 matrices ten times: what a main thread computes. */
export const computing = (page: Page): Reference => ({
  quiet: 2,
  measure: () =>
    page.evaluate(() => {
      const matrices = new Float32Array(160_000);
      const times: number[] = [];
      for (let k = 0; k < 15; k++) {
        const began = performance.now();
        for (let round = 0; round < 10; round++)
          for (let i = 0; i < matrices.length; i += 16) {
            const angle = 1e-3 * i + k;
            const [c, s] = [1 / (1 + angle * angle), angle / (1 + angle * angle)];
            for (let j = 0; j < 16; j++) matrices[i + j] = c * (matrices[i + j] as number) + s * (i + j);
          }
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[7] as number;
    }),
});

/** An empty worker: started, answered, ended, and known to have ended because a lock that it held is free again. */
async function emptyWorker(page: Page): Promise<{ started: number; ended: number }> {
  return page.evaluate(async () => {
    if (!isSecureContext) throw new Error('a page without locks cannot tell when a worker has ended');
    const lock = `reference-${Math.random()}`;
    const script = `navigator.locks.request('${lock}', () => { postMessage(0); return new Promise(() => {}); });`;
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const began = performance.now();
    const worker = new Worker(url, { type: 'module' });
    await new Promise((resolve, reject) => {
      worker.addEventListener('message', resolve);
      worker.addEventListener('error', () => reject(new Error('the empty worker failed')));
    });
    const started = performance.now() - began;
    const free = navigator.locks.request(lock, () => performance.now());
    await new Promise((resolve) => setTimeout(resolve, 10));
    const killed = performance.now();
    worker.terminate();
    return { started, ended: (await free) - killed };
  });
}

export const starting = (page: Page): Reference => ({
  quiet: 15,
  measure: async () => (await emptyWorker(page)).started,
});

export const replacing = (page: Page): Reference => ({
  quiet: 20,
  measure: async () => {
    const { started, ended } = await emptyWorker(page);
    return started + ended;
  },
});
