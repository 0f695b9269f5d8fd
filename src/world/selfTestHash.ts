// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = '0e2a19669d3aa0fe2a0a2873';
