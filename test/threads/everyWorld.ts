// With TEST_THREADS=n every World of a test that does not ask for threads itself runs on n, each loop shared: the tests of
// replays, rollback and networking then hold for threads, too. In Node alone: a world waits there until its helpers run.
import { afterAll } from 'vitest';
import { threadedMaker } from '../../src/threads/threadedCore';
import type { CoreExports, CoreMaker } from '../../src/wasm/instance';
import { registerMakers } from '../../src/wasm/threading';
import { EAGER } from './support';

const threads = Number(process.env['TEST_THREADS']);
const pause = new Int32Array(new SharedArrayBuffer(4));
/** ms that helpers may take to start. */
const PATIENCE = 60_000;

let worlds = 0;
let forks = 0;
let helped = 0;

function counted(core: CoreExports, dt: number): void {
  const before = core.threadReport!();
  core.step(dt);
  const after = core.threadReport!();
  forks += after.forks - before.forks;
  helped += after.helped - before.helped;
}

// A file that shows zeros here has proven nothing about threads.
afterAll(() => {
  if (worlds > 0)
    console.log(`${worlds} worlds on ${threads} threads: ${forks} shared loops, ${helped} chunks by helpers`);
});

registerMakers((asked) => {
  const maker = threadedMaker(asked, { mode: EAGER });
  if (typeof maker === 'string') throw new Error(maker);
  const staffed: CoreMaker = (...given) => {
    const core = maker(...given);
    for (let waited = 0; core.threadReport!().count < threads; waited++) {
      if (waited > PATIENCE) throw new Error(`helpers do not come: ${core.threadReport!().reason}`);
      Atomics.wait(pause, 0, 0, 1);
    }
    worlds++;
    return { ...core, step: (dt) => counted(core, dt) };
  };
  return staffed;
}, threads);
