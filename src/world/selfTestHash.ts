// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = 'd3fb93f4116096be2a0a2873';
