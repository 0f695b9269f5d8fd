// Entry of `ricochet/urdf`: robots of URDF files. In: the text of a file, and triangles of its meshes. Out: bodies and joints as
// descriptions; or in a world, driven by servos.
export { type Pose, readUrdf, type Urdf, type UrdfBody, type UrdfJoint, type UrdfOptions } from './read';
export { Robot, type RobotBody, type RobotJoint, type RobotOptions, type RobotWorld } from './robot';
