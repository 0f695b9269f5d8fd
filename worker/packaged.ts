// Addresses and texts of files that exist only in the built package; scripts/build.mjs replaces this file. In: nothing.
// Out: these addresses and texts. When running from sources neither is needed: a worker finds its tools beside itself.
import type { ScriptName } from './scripts';

/** File extension of the workers. */
export const EXTENSION = 'ts';

export const toolsAddress = (): string => '';

/**
 * The scripts as text, for pages whose bundler leaves `new URL('./file', import.meta.url)` unchanged and does not ship
 * that file: esbuild, Rollup, the dependency cache of `vite dev` before Vite 8. Loaded on request.
 */
export const scriptTexts: Record<ScriptName, () => Promise<{ text: string }>> | null = null;
