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

/**
 * A worker of nobody's: started, computing for a while as ours does to unpack and compile its engine, answering, ended,
 * and known to have ended because a lock that it held is free again.
 */
async function otherWorker(page: Page): Promise<{ started: number; ended: number }> {
  return page.evaluate(async () => {
    if (!isSecureContext) throw new Error('a page without locks cannot tell when a worker has ended');
    const lock = `reference-${Math.random()}`;
    const work = 'let x = 0; for (let i = 0; i < 2e7; i++) x = Math.imul(x ^ i, 0x01000193) ^ (x >>> 7);';
    const script = `${work} navigator.locks.request('${lock}', () => { postMessage(x); return new Promise(() => {}); });`;
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const began = performance.now();
    const worker = new Worker(url, { type: 'module' });
    await new Promise((resolve, reject) => {
      worker.addEventListener('message', resolve);
      worker.addEventListener('error', () => reject(new Error('the worker of the reference failed')));
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
  quiet: 45,
  measure: async () => (await otherWorker(page)).started,
});

export const replacing = (page: Page): Reference => ({
  quiet: 50,
  measure: async () => {
    const { started, ended } = await otherWorker(page);
    return started + ended;
  },
});
