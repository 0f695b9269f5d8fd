// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = '707292478ac8a6122a0a2873';
