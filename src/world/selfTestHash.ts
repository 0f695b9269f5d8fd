// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = 'e0f06c6cadd5d39e2a0a2873';
