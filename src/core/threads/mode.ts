// Whether this core shares its work between threads. The build compiles the core twice, and replaces this file for the
// threaded one (scripts/build-core.mjs). Code behind a constant that is false is not compiled: the plain core has none
// of it.
export const THREADED: bool = false;
