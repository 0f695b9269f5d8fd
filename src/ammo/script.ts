// Entry of the builds for require() and for a script tag: exports only the factory, like ammo.js.
export { default } from './index';
