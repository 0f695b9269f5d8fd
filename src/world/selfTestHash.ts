// Written by scripts/update-golden.mjs: what selfTest has to come to with this core.
export const SELF_TEST_HASH = '641a43931e3430602a0a2873';
