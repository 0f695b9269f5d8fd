// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = 'be29a4eb3aef33272a0a2873';
