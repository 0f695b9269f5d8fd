// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = '567cd43e1d1fe7ca2a0a2873';
