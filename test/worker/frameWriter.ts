// A thread that publishes frames without a pause: every word of frame n is n. For the torn-read test.
import { FrameWriter } from '../../worker/board';

const WORDS = 8000;

export function writeFrames(send: (memory: ArrayBuffer | SharedArrayBuffer) => void): void {
  const writer = new FrameWriter(true, send);
  let number = 0;
  const burst = () => {
    for (let i = 0; i < 1000; i++) {
      writer.acquire(4 * WORDS).words.fill(++number);
      writer.post();
    }
    setTimeout(burst);
  };
  burst();
}

if (typeof addEventListener === 'function' && 'importScripts' in globalThis) {
  writeFrames((memory) => postMessage(memory));
} else {
  const nodeWorkers = 'node:worker_threads';
  const { parentPort } = await import(/* @vite-ignore */ nodeWorkers);
  writeFrames((memory) => parentPort.postMessage(memory));
}
