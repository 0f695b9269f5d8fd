// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = '1bda3c7bf1dc7d082a0a2873';
