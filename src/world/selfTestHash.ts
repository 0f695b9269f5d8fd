// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = 'f17fd44a6ab025792a0a2873';
