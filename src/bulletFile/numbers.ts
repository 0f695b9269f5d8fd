// Numbers and letters of the format, as Bullet's headers have them (btBroadphaseProxy.h, btTypedConstraint.h, btCollisionObject.h).

/** BroadphaseNativeTypes. */
export const SHAPE = {
  box: 0,
  hull: 4,
  sphere: 8,
  multiSphere: 9,
  capsule: 10,
  cone: 11,
  cylinder: 13,
  mesh: 21,
  scaledMesh: 22,
  gimpact: 25,
  empty: 27,
  plane: 28,
  compound: 31,
} as const;

/** What cannot be read: its data are not in files, or it is not rigid. */
export const UNREADABLE: Readonly<Record<number, string>> = {
  1: 'triangle',
  2: 'tetrahedron',
  3: 'convex triangle mesh',
  14: 'uniformly scaled shape',
  15: 'Minkowski sum',
  17: 'box of two dimensions',
  24: 'heightfield',
  26: 'mesh of several materials',
  30: 'distance field',
  32: 'soft body',
};

/** btTypedConstraintType. */
export const CONSTRAINT = {
  point: 3,
  hinge: 4,
  coneTwist: 5,
  sixDof: 6,
  slider: 7,
  sixDofSpring: 9,
  gear: 10,
  fixed: 11,
  sixDofSpring2: 12,
} as const;

/** CollisionFlags. */
export const IS_STATIC = 1;
export const IS_KINEMATIC = 2;
export const NO_CONTACT_RESPONSE = 4;
export const HAS_CONTACT_STIFFNESS = 128;

/** Activation states by number; Bullet's 0 is none. */
export const ACTIVATION = [
  undefined,
  'active',
  'sleeping',
  'wantsDeactivation',
  'disableDeactivation',
  'disableSimulation',
] as const;

/** RotateOrder of btGeneric6DofSpring2Constraint. */
export const ORDERS = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx'] as const;

/** What sections are called that are not read. */
export const SECTIONS: Readonly<Record<string, string>> = {
  SBDY: 'soft body',
  SBMT: 'material of a soft body',
  SBND: 'nodes of a soft body',
  MBDY: 'multibody',
  MBLC: 'collider of a multibody',
  CONT: 'contact manifold',
};

/** The static body without shapes that joints to the world hang on in files that are written here. */
export const WORLD_NAME = 'ricochet:world';
