// A module for tests that does not load.
throw new Error('this module does not load');
