// The page's side of a world on several threads, loaded for such worlds only. In: the options of the connection. Out: the
// address of physics.threads.js; or, where workers are started from text, a text that has it inside.
import { besideTools } from './besideTools';
import { type ConnectionOptions, canShare } from './connect';
import { scriptTexts } from './packaged';
import { threadsAddress, threadsText } from './packagedThreads';

/**
 * One text, not two: a worker from a blob could import another blob only where `script-src` allows blobs, too. A constant,
 * so that all workers share one blob.
 */
const workerText = async (): Promise<{ text: string }> => {
  // Without the second the world has one thread, and says why: a bundle may leave it out.
  const more = threadsText!().catch(() => ({ text: '' }));
  const texts = await Promise.all([scriptTexts!['physics.worker'](), more]);
  return { text: texts.map(({ text }) => text).join(';\n') };
};

/** Where a worker finds the core on several threads. What it needs to be started with goes into `options`. */
export function locate(options: ConnectionOptions): string {
  const file = besideTools(options.workerUrl, 'physics.threads.js', threadsAddress);
  // Without shared memory they would be loaded in vain.
  if (file === '' && threadsText !== null && canShare()) options.workerText = workerText;
  return file;
}
