// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = '218ca5bf9f36a0bc2a0a2873';
