// A step system for tests as a bundler makes it that drops exports: it registers itself.
globalThis[Symbol.for('ricochet.system')] = ({ post }) => ({ beforeStep: () => post('from a script') });
