// The address of physics.systems.js, which exists only in the built package: scripts/build.mjs replaces this file. It is
// apart from packaged.ts because a page loads it only with the first step system.
export const systemsAddress = (): string => '';
