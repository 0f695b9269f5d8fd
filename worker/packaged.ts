// What the package has and its sources have not. In: nothing. Out: addresses and texts of files that the build writes:
// scripts/build.mjs puts other code in the place of this. Sources need neither: a worker finds its tools beside itself.
import type { ScriptName } from './scripts';

/** Of the workers' files. */
export const EXTENSION = 'ts';

export const toolsAddress = (): string => '';

/**
 * The scripts as text, for pages whose bundler leaves `new URL('./file', import.meta.url)` as it is and ships no such
 * file: esbuild, Rollup, the dependency cache of `vite dev` before Vite 8. Loaded on request.
 */
export const scriptTexts: Record<ScriptName, () => Promise<{ text: string }>> | null = null;
