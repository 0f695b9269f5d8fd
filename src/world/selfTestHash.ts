// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = 'a751c9016a6ced222a0a2873';
