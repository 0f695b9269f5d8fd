// The scripts of the package's own workers. In: which script. Out: a worker that runs it, and the error message if its
// script does not load. The package keeps this file separate, as shared-scripts.js, so that it can detect whether it
// was bundled.
import { PhysicsError } from '../src/base/errors';
import { EXTENSION, scriptTexts, toolsAddress } from './packaged';
import { type WorkerLike, workerThreads } from './workerLike';

export type ScriptName = 'physics.worker' | 'cooking.worker';

/** Loads a script as text. */
export type ScriptText = () => Promise<{ text: string }>;

export interface StartedWorker {
  worker: WorkerLike;
  /** Where the script was searched, and what to do if it is not there. */
  whereabouts: string;
}

/** Some bundlers replace `import.meta.url`, others keep it; in a classic script it is undefined. */
const here: string | undefined = import.meta.url;

/** Written in a form that bundlers do not recognise; otherwise they would ship the files twice. */
const addressOf = (name: string): URL => new URL(['.', name].join('/'), here);

/** Whether this file is at its place in the package. */
const isApart = (): boolean => here !== undefined && /\/shared-scripts\.js([?#].*)?$/.test(here);

/**
 * Whether the workers' files are where the `new URL` calls below point: this file was not bundled, or the bundler
 * follows such calls. That bundler has changed the address of the tools, too.
 */
function areFilesBeside(): boolean {
  if (scriptTexts === null || isApart()) return true;
  return here !== undefined && toolsAddress() !== addressOf('physics.tools.js').href;
}

/** Address of physics.tools.js. For a script that is hosted elsewhere, the file beside it. */
export function addressOfTools(workerUrl: string | URL | undefined): string {
  if (areFilesBeside()) return toolsAddress();
  if (workerUrl === undefined) return ''; // the text of the script has them inside
  return new URL('physics.tools.js', absolute(workerUrl)).href;
}

/** Resolves an address like a worker's constructor. */
function absolute(address: string | URL): URL {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(address, location?.href);
}

/** Starts a worker with a script of the package: its file, or a text where the file is not there. */
export async function startWorker(
  script: ScriptName,
  text = scriptTexts?.[script] as ScriptText,
): Promise<StartedWorker> {
  const beside = areFilesBeside();
  const file = `${script}.${EXTENSION}`;
  if (typeof Worker === 'undefined') {
    const address = beside
      ? addressOf(file)
      : `data:text/javascript,${encodeURIComponent(await textOf(text))}`;
    return startThread(typeof address === 'string' ? new URL(address) : address);
  }
  if (beside) {
    try {
      const worker = bundledWorker(script);
      return {
        worker,
        whereabouts: isApart() ? hosting(script, `at ${addressOf(file).href}`) : hosting(script),
      };
    } catch (error) {
      // The files have another origin than the page, for example a content delivery network.
      if (scriptTexts === null || (error as { name?: unknown }).name !== 'SecurityError') throw error;
    }
  }
  const name = script === 'physics.worker' ? 'ricochet' : 'ricochet-cooking';
  // As a classic script, which the text is, too: a page in a sandbox has no origin, and starts no module from a blob.
  const worker = new Worker(await blobOf(text), { name });
  const where = "as a blob, which a content security policy has to allow with 'worker-src blob:'";
  return { worker, whereabouts: hosting(script, where) };
}

/** Starts a worker with a script that is hosted elsewhere. */
export function startWorkerAt(script: ScriptName, address: string | URL): StartedWorker {
  if (typeof Worker === 'undefined') return startThread(address);
  const name = script === 'physics.worker' ? 'ricochet' : 'ricochet-cooking';
  const worker = new Worker(address, { type: 'module', name });
  return { worker, whereabouts: hosting(script, `at ${absolute(address).href}`) };
}

function startThread(address: string | URL): StartedWorker {
  return { worker: new (workerThreads().Worker)(address), whereabouts: '' }; // Node's errors say where
}

/** The meaning of a browser's error event without a message. */
export function notLoaded(whereabouts: string): string {
  return `its script could not be loaded or failed${whereabouts && `: ${whereabouts}`}`;
}

/** Bundlers recognise exactly this form. */
function bundledWorker(script: ScriptName): Worker {
  if (script === 'physics.worker')
    return new Worker(new URL('./physics.worker.ts', import.meta.url), { type: 'module', name: 'ricochet' });
  return new Worker(new URL('./cooking.worker.ts', import.meta.url), {
    type: 'module',
    name: 'ricochet-cooking',
  });
}

async function textOf(text: ScriptText): Promise<string> {
  try {
    return (await text()).text;
  } catch (error) {
    // The browser's own error says which address it was.
    throw new PhysicsError('worker-lost', notLoaded(String(error)));
  }
}

/** One address per text and page, because workers are replaced. */
const blobs = new Map<ScriptText, Promise<string>>();

function blobOf(script: ScriptText): Promise<string> {
  let blob = blobs.get(script);
  if (blob === undefined) {
    blob = textOf(script).then((text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    blobs.set(script, blob);
    blob.catch(() => blobs.delete(script));
  }
  return blob;
}

function hosting(script: ScriptName, where = 'where the bundler put it'): string {
  const line =
    script === 'physics.worker'
      ? "workerUrl: '/physics.worker.js'"
      : "cookingWorker: () => new Worker('/cooking.worker.js', { type: 'module' })";
  const files = script === 'physics.worker' ? 'physics.worker.js and physics.tools.js' : 'cooking.worker.js';
  return `it was looked for ${where}; else host ${files} of the package and set ${line}`;
}
