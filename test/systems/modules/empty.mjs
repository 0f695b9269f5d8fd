// A module for tests that exports nothing of use.
export const beforeStep = () => {};
