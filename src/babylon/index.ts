// Entry of `ricochet/babylon`: ricochet as the physics engine of a Babylon.js scene.
export { type BabylonOptions, RicochetPlugin } from './plugin';
