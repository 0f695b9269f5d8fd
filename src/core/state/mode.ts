// Whether this module reads snapshots. The core only writes them; the inspector reads them, and the build replaces this
// file for it (scripts/asc.mjs). Code behind a constant that is false is not compiled.
export const RESTORES: bool = false;
