// Entry of the builds for require() and for a script tag: the factory and nothing else, as ammo.js has it.
export { default } from './index';
