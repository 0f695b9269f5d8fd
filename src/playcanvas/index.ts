// Entry of `ricochet/playcanvas`: ricochet as the physics world of a PlayCanvas application.
export { RicochetBody } from './body';
export { type JointAxis, RicochetJoint } from './joint';
export type { ShapeDescription } from './shapes';
export { type PlayCanvasOptions, RicochetPhysicsWorld, type ShapeCastOptions } from './world';
