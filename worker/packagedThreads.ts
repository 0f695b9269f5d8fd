// The address of physics.threads.js, which exists only in the built package: scripts/build.mjs replaces this file. A page
// loads it only for worlds on several threads.
export const threadsAddress = (): string => '';

/** The file as text, where a worker is started from text (packaged.ts). Loaded on request. */
export const threadsText: (() => Promise<{ text: string }>) | null = null;
