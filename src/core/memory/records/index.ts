// Every record of the core's tables, by area. These files are the only place where offsets come from: the core
// reaches records by changetype, and scripts/build-core.mjs writes the same offsets for TypeScript, in this order,
// to src/wasm/core-layout.ts. Only f32, f64, i32, u32 and v128 fields, in natural alignment.
// A v128 field named like a vector holds (x, y, z, 0); quaternions are (x, y, z, w).

export * from './actors';
export * from './batches';
export * from './bodies';
export * from './characters';
export * from './contacts';
export * from './continuous';
export * from './joints';
export * from './queries';
export * from './shapes';
export * from './trees';
export * from './world';
