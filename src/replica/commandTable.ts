// The declaration of all commands: code, fields in the order of their words, meaning. This is the only place where a
// command is declared. scripts/commands.mjs generates from it: the codes and word offsets that the core reads
// (src/core/memory/commandWords.ts); the same and the rows for the encoder and the validation of foreign buffers
// (src/wasm/core-commands.ts); and docs/commands.md. CONTRIBUTING.md has the recipe for adding one.
//
// A command is a word `code | total words << 8` and its fields, 32-bit little-endian words. Codes and the order of
// fields are the format of recordings: existing ones must not change, and new commands get new codes (at most 255).

import type { FieldKindName } from './commandFields';

/** Name, kind of the field (a key of FIELD_KINDS in commandFields.ts), and a note if these two are not sufficient. */
export type FieldDeclaration = readonly [name: string, kind: FieldKindName, note?: string];

export interface CommandDeclaration {
  /** 1 to 255. Codes from 40 to 59 belong to joints: their first field is the joint. */
  readonly code: number;
  /** One or two sentences for docs/commands.md. */
  readonly about: string;
  readonly fields: readonly FieldDeclaration[];
  /**
   * True if a replica stores data of this command: follow.ts has a function of this name. Otherwise it only checks the
   * first field.
   */
  readonly remembered?: true;
  /** True if it only moves bodies: readers of bodies, shapes and joints need not read them again. */
  readonly motion?: true;
  /** Set if a module that is loaded on request reads it: its rows are in a file of their own (src/wasm/actor-commands.ts). */
  readonly module?: 'actors';
  /** True if the words of a geometry follow the fields. */
  readonly variableLength?: true;
}

/**
 * Groups of fields that occur in several commands. The core reads them by the offset of the first one and these names.
 */
const MassProps = [
  ['mass', 'mass', '0 for static and kinematic bodies.'],
  ['inertia', 'inertia', 'Principal moments; 0 means infinite.'],
  ['centerOfMass', 'coordinate', "In the body's frame."],
  ['principalRotation', 'rotation', "Turns the principal axes to the body's."],
] as const;
const Frames = [
  ['positionA', 'coordinate', 'Anchor in the frame of A.'],
  ['rotationA', 'rotation', "The joint's axes in the frame of A."],
  ['positionB', 'coordinate', 'Anchor in the frame of B.'],
  ['rotationB', 'rotation', "The joint's axes in the frame of B."],
] as const;
const Breaking = [
  ['breakingImpulse', 'impulse', 'Impulse per step above which the joint breaks; 0 means never.'],
  ['breakingAngularImpulse', 'angularImpulse', 'The same for the angular part.'],
] as const;
const Softness = [
  ['hertz', 'softness', '0 means rigid. Below 0: minus the erp, with `dampingRatio` as cfm.'],
  ['dampingRatio', 'setting'],
  ['maxForce', 'forceLimit', '0 means no limit.'],
  ['maxTorque', 'torqueLimit', '0 means no limit.'],
] as const;
const Material = [
  ['friction', 'coefficient'],
  ['restitution', 'share'],
  ['rollingFriction', 'coefficient'],
  ['spinningFriction', 'coefficient'],
] as const;
const BODY = ['body', 'slot'] as const;
const SHAPE = ['shape', 'slot'] as const;
const JOINT = ['joint', 'slot'] as const;

export const FIELD_GROUPS = { MassProps, Frames, Breaking, Softness, Material } as const;

export const COMMAND_TABLE = {
  createBody: {
    code: 1,
    about: 'Makes a body without shapes. Its slot and generation must be the next free ones.',
    remembered: true,
    fields: [
      BODY,
      ['generation', 'generation'],
      ['type', 'bodyType'],
      ['flags', 'bodyFlags'],
      ['position', 'coordinate', "Of the body's own origin."],
      ['rotation', 'rotation'],
      ['linearVelocity', 'velocity', 'Of the centre of mass.'],
      ['angularVelocity', 'angularVelocity'],
      ...MassProps,
      ['linearDamping', 'share', 'Part of the velocity that is lost in a second.'],
      ['angularDamping', 'share', 'Part of the angular velocity that is lost in a second.'],
      ['gravityScale', 'scale'],
      ['linearFactor', 'factor', 'Per world axis; 0 locks it.'],
      ['angularFactor', 'factor', 'Per world axis; 0 locks it.'],
      ['linearSleepingThreshold', 'speed'],
      ['angularSleepingThreshold', 'angularSpeed'],
      ['group', 'anyWord', 'Bits of the collision filter.'],
      ['mask', 'anyWord', 'Bits of the groups to collide with.'],
      ['userIndex', 'anyWord'],
      ['activationState', 'activation'],
      [
        'ccdMotionThreshold',
        'length',
        'Motion per step above which the body is swept; 0: the engine decides.',
      ],
      ['ccdSweptSphereRadius', 'length'],
    ],
  },
  addShape: {
    code: 2,
    about: 'Adds a shape to a body. Mass properties stay as they are.',
    remembered: true,
    fields: [
      BODY,
      SHAPE,
      ['generation', 'generation'],
      ['type', 'shapeType'],
      ['localPosition', 'coordinate', "In the body's frame."],
      ['localRotation', 'rotation', "In the body's frame."],
      [
        'params',
        'params',
        'Radius, half height, half extents, or the scale of a surface; unused ones are 0.',
      ],
      ...Material,
      ['margin', 'length'],
      ['flags', 'shapeFlags'],
      ['userIndex', 'anyWord'],
      ['geometry', 'slotOrNone', 'Slot of the geometry; 0 for types that have none.'],
    ],
  },
  addGeometry: {
    code: 29,
    about:
      'Stores the content of a hull, mesh or other geometry, which shapes then share. The content follows.',
    remembered: true,
    variableLength: true,
    fields: [
      ['geometry', 'slot'],
      ['kind', 'geometryKind'],
    ],
  },
  removeGeometry: {
    code: 30,
    about: 'Frees a geometry that no shape uses any more.',
    remembered: true,
    fields: [['geometry', 'slot']],
  },
  removeBody: {
    code: 3,
    about: 'Removes a body with its shapes and joints.',
    remembered: true,
    fields: [BODY],
  },
  removeShape: {
    code: 27,
    about: 'Removes a shape from its body. Mass properties stay as they are.',
    remembered: true,
    fields: [SHAPE],
  },
  setTransform: {
    code: 4,
    about: "Places a body's own origin: a teleport. Velocities stay.",
    motion: true,
    fields: [BODY, ['position', 'coordinate'], ['rotation', 'rotation']],
  },
  setPosition: {
    code: 36,
    about: "Places a body's own origin; its rotation and its velocities stay.",
    motion: true,
    fields: [BODY, ['position', 'coordinate']],
  },
  setRotation: {
    code: 37,
    about: 'Rotates a body about its own origin, at once; its velocities stay.',
    motion: true,
    fields: [BODY, ['rotation', 'rotation']],
  },
  setLinearVelocity: {
    code: 5,
    about: 'Sets the velocity of the centre of mass, and wakes the body unless it is 0.',
    motion: true,
    fields: [BODY, ['velocity', 'velocity']],
  },
  setAngularVelocity: {
    code: 6,
    about: 'Sets the angular velocity, in world axes, and wakes the body unless it is 0.',
    motion: true,
    fields: [BODY, ['velocity', 'angularVelocity']],
  },
  applyForce: {
    code: 7,
    about: 'Adds a force, which acts until forces are cleared.',
    motion: true,
    remembered: true,
    fields: [BODY, ['force', 'force'], ['relativePosition', 'coordinate', 'From the centre of mass.']],
  },
  applyTorque: {
    code: 8,
    about: 'Adds a torque, in world axes, which acts until forces are cleared.',
    motion: true,
    remembered: true,
    fields: [BODY, ['torque', 'torque']],
  },
  applyImpulse: {
    code: 9,
    about: 'Changes the velocities at once.',
    motion: true,
    fields: [BODY, ['impulse', 'impulse3'], ['relativePosition', 'coordinate', 'From the centre of mass.']],
  },
  applyTorqueImpulse: {
    code: 10,
    about: 'Changes the angular velocity at once.',
    motion: true,
    fields: [BODY, ['impulse', 'angularImpulse3']],
  },
  clearForces: {
    code: 11,
    about: 'Sets forces and torques of all bodies to 0.',
    motion: true,
    remembered: true,
    fields: [],
  },
  setMassProps: {
    code: 12,
    about: 'Sets mass, moments of inertia and centre of mass.',
    remembered: true,
    fields: [BODY, ...MassProps],
  },
  setDamping: {
    code: 13,
    about: 'Sets the parts of the velocities that are lost in a second.',
    remembered: true,
    fields: [BODY, ['linear', 'share'], ['angular', 'share']],
  },
  setGravityScale: {
    code: 14,
    about: 'Sets the factor on gravity.',
    remembered: true,
    fields: [BODY, ['scale', 'scale']],
  },
  setFactors: {
    code: 15,
    about: 'Sets the factors on motion along and about each world axis; 0 locks an axis.',
    remembered: true,
    fields: [BODY, ['linear', 'factor'], ['angular', 'factor']],
  },
  setSleepingThresholds: {
    code: 16,
    about: 'Sets the speeds below which a body may fall asleep.',
    remembered: true,
    fields: [BODY, ['linear', 'speed'], ['angular', 'angularSpeed']],
  },
  setActivationState: {
    code: 17,
    about: "Sets Bullet's activation state.",
    motion: true,
    remembered: true,
    fields: [
      BODY,
      ['state', 'activation'],
      ['force', 'flag', '1: also out of states 4 and 5, which otherwise stay.'],
    ],
  },
  activate: {
    code: 18,
    about: 'Wakes a body and all of its island.',
    motion: true,
    fields: [BODY, ['force', 'flag', 'Kept for recordings; the core does not read it.']],
  },
  setFilter: {
    code: 19,
    about: "Sets the bits of the collision filter; the body's pairs are found anew.",
    remembered: true,
    fields: [BODY, ['group', 'anyWord'], ['mask', 'anyWord']],
  },
  setMaterial: {
    code: 20,
    about: 'Sets the material of one shape.',
    remembered: true,
    fields: [SHAPE, ...Material],
  },
  setBodyType: {
    code: 21,
    about: 'Makes a body static, kinematic or dynamic, with the mass properties given.',
    remembered: true,
    fields: [BODY, ['type', 'bodyType'], ...MassProps],
  },
  setShapeFilter: {
    code: 31,
    about:
      "Gives a shape a collision filter of its own, or its body's again; the body's pairs are found anew.",
    remembered: true,
    fields: [SHAPE, ['own', 'flag'], ['group', 'anyWord'], ['mask', 'anyWord']],
  },
  setCombineRules: {
    code: 32,
    about: "Gives a shape rules of its own for friction and restitution, or the world's again.",
    remembered: true,
    fields: [
      SHAPE,
      ['friction', 'ownRule', "-1: the world's."],
      ['restitution', 'ownRule', "-1: the world's."],
      ['priority', 'priority'],
    ],
  },
  setSurface: {
    code: 33,
    about:
      'Sets the velocity of the surface of a shape relative to its body, and the direction in which bodies may pass through the shape.',
    remembered: true,
    fields: [
      SHAPE,
      ['linear', 'velocity', "In the body's frame."],
      ['angular', 'angularVelocity', "About the body's origin, in its frame."],
      ['oneWay', 'direction', "Unit vector in the body's frame; 0: the shape is solid from all sides."],
    ],
  },
  setArea: {
    code: 34,
    about: 'Sets what a sensor does to the bodies in it.',
    remembered: true,
    fields: [
      SHAPE,
      ['flags', 'areaFlags', '0: nothing.'],
      ['priority', 'priority'],
      ['gravity', 'gravity', "In the body's frame."],
      ['attraction', 'acceleration', 'Towards the origin of the shape, at `distance`.'],
      ['distance', 'length', 'Distance from the origin at which the attraction has this value.'],
      ['falloff', 'falloff', 'The attraction beyond `distance` is divided by this power of the distance.'],
      ['velocity', 'velocity', "Of wind or water, in the body's frame."],
      ['linearDrag', 'setting', '1/s.'],
      ['quadraticDrag', 'setting', '1/m.'],
      ['angularDrag', 'setting', '1/s.'],
      ['density', 'density', '0: no water.'],
      ['level', 'place', "Of the water's surface, along the body's y axis."],
    ],
  },
  explode: {
    code: 35,
    about: 'Pushes dynamic bodies away from a point.',
    motion: true,
    fields: [
      ['position', 'coordinate'],
      ['radius', 'length'],
      ['impulse', 'signedImpulse', 'On a body at distance 0.'],
      ['falloff', 'falloff', 'Power of 1 − distance / radius.'],
      ['occlusion', 'flag', '1: bodies behind others get less.'],
      ['group', 'anyWord'],
      ['mask', 'anyWord'],
    ],
  },
  setKinematicTarget: {
    code: 22,
    about: 'Sets where a kinematic body is to be at the end of the next step.',
    motion: true,
    remembered: true,
    fields: [BODY, ['position', 'coordinate'], ['rotation', 'rotation']],
  },
  setKinematicPosition: {
    code: 38,
    about:
      'Sets where a kinematic body is to be at the end of the next step, with the rotation that it has now.',
    motion: true,
    remembered: true,
    fields: [BODY, ['position', 'coordinate']],
  },
  setKinematicRotation: {
    code: 39,
    about:
      'Sets how a kinematic body is to be turned at the end of the next step, at the place that it has now.',
    motion: true,
    remembered: true,
    fields: [BODY, ['rotation', 'rotation']],
  },
  setGravity: {
    code: 23,
    about: 'Sets the acceleration of all dynamic bodies and wakes them.',
    remembered: true,
    fields: [['gravity', 'gravity']],
  },
  setSettings: {
    code: 24,
    about: "Sets all settings of the world (docs/step.md), in the order of the core's World record.",
    remembered: true,
    fields: [
      ['substeps', 'substeps'],
      ['iterations', 'iterations'],
      ['relaxIterations', 'iterations'],
      ['frictionWithBias', 'flag'],
      ['contactErpMode', 'flag'],
      ['contactHertz', 'setting', 'Hz.'],
      ['contactDampingRatio', 'setting'],
      ['staticStiffness', 'setting'],
      ['contactErp', 'share'],
      ['contactCfm', 'setting'],
      ['contactPushSpeed', 'setting', 'm/s.'],
      ['contactSlop', 'setting', 'm.'],
      ['warmstartingFactor', 'share'],
      ['restitutionThreshold', 'setting', 'm/s.'],
      ['contactBreakingThreshold', 'setting', 'm.'],
      ['recycleDistance', 'setting', 'm.'],
      ['recycleAngleCosine', 'share', 'Squared cosine of half of the setting recycleAngle.'],
      ['aabbMargin', 'setting', 'm.'],
      ['sleeping', 'flag'],
      ['deactivationTime', 'setting', 's.'],
      ['sleepDistance', 'setting', 'm; 0: only the speeds decide whether a body rests.'],
      ['frictionCombine', 'combineRule'],
      ['restitutionCombine', 'combineRule'],
      ['gyroscopic', 'flag'],
      ['parabolicFlight', 'flag'],
      ['rollingFrictionCombine', 'rollingRule'],
      ['continuous', 'flag'],
      ['eventMask', 'anyWord', 'Bit n: events of type n are recorded.'],
      ['profiling', 'flag'],
      ['pairFilter', 'flag'],
    ],
  },
  setBodyUserIndex: {
    code: 25,
    about: "Sets the user's number of a body, which the core stores and does not use.",
    remembered: true,
    fields: [BODY, ['userIndex', 'anyWord']],
  },
  setCcd: {
    code: 26,
    about:
      'Sets the motion per step above which a body is swept, and the radius of the sphere that stands for it in a sweep.',
    remembered: true,
    fields: [BODY, ['motionThreshold', 'length'], ['sweptSphereRadius', 'length']],
  },
  createJoint: {
    code: 40,
    about: 'Makes a joint whose axes are free. Its slot and generation must be the next free ones.',
    remembered: true,
    fields: [
      JOINT,
      ['generation', 'generation'],
      ['type', 'jointType'],
      ['flags', 'jointFlags'],
      ['bodyA', 'slotOrNone', '0 is the world.'],
      ['bodyB', 'slotOrNone', '0 is the world.'],
      ...Frames,
      ...Breaking,
      ...Softness,
      ['userIndex', 'anyWord'],
      ['ratio', 'place', 'Of a gear; 0 for other types.'],
    ],
  },
  removeJoint: {
    code: 41,
    about: 'Removes a joint and wakes its bodies.',
    remembered: true,
    fields: [JOINT],
  },
  setJointAxis: {
    code: 42,
    about: 'Sets limits, motor, servo and spring of one axis; m and N along an axis, rad and N·m about it.',
    remembered: true,
    fields: [
      JOINT,
      ['axis', 'jointAxis'],
      ['flags', 'axisFlags'],
      ['low', 'place', 'If above `high`, the axis is free.'],
      ['high', 'place'],
      ['motorVelocity', 'axisSpeed'],
      ['maxMotorForce', 'most', '0 means no motor.'],
      ['servoTarget', 'place'],
      ['springRate', 'most', 'Hz; with the flag AXIS_STIFFNESS N/m or N·m/rad.'],
      ['springDamping', 'most', 'Damping ratio; with the flag AXIS_STIFFNESS N·s/m or N·m·s/rad.'],
      ['springTarget', 'place'],
      ['maxSpringForce', 'most', '0 means no limit.'],
      ['stopErp', 'share'],
      ['stopCfm', 'most'],
      ['bounce', 'share'],
    ],
  },
  setJointEnabled: {
    code: 43,
    about: 'Switches a joint on or off.',
    fields: [JOINT, ['enabled', 'flag']],
  },
  setJointFrames: {
    code: 44,
    about: 'Sets the two frames of a joint, or the target of a mouse joint.',
    fields: [JOINT, ...Frames],
  },
  setJointBreaking: {
    code: 45,
    about: 'Sets the impulses at which a joint breaks.',
    fields: [JOINT, ...Breaking],
  },
  setJointCollide: {
    code: 46,
    about: 'Sets whether the two bodies of a joint may collide.',
    remembered: true,
    fields: [JOINT, ['collide', 'flag']],
  },
  setJointSoftness: {
    code: 47,
    about: 'Sets the stiffness of a joint, and its largest force and torque.',
    fields: [JOINT, ...Softness],
  },
  setJointRatio: {
    code: 48,
    about: 'Sets the ratio of a gear.',
    fields: [JOINT, ['ratio', 'place']],
  },
  setServoTargets: {
    code: 49,
    about: 'Sets the target angles of the servos about x, y and z of a joint.',
    remembered: true,
    fields: [JOINT, ['x', 'place'], ['y', 'place'], ['z', 'place']],
  },
  setVehicle: {
    code: 60,
    about: 'Gives a body, the chassis, a vehicle, or changes the settings of its vehicle.',
    module: 'actors',
    fields: [
      BODY,
      ['kind', 'vehicleKind'],
      ['automatic', 'flag', '1: shifts by itself.'],
      ['frame', 'rotation', "The vehicle's axes (x left, y up, z forward) in the body's frame."],
      ['torque', 'most', 'N·m, the largest of the engine.'],
      ['curve', 'torqueCurve', 'Shares of `torque` at 0, 1/7, … 1 of `mostSpeed`.'],
      ['idleSpeed', 'angularSpeed'],
      ['mostSpeed', 'angularSpeed'],
      ['engineInertia', 'most', 'kg·m².'],
      ['engineBraking', 'most', 'N·m at `mostSpeed`.'],
      ['ratios', 'gearRatios', 'Engine to wheels, final drive included; 0: no such gear.'],
      ['reverseRatio', 'setting'],
      ['shiftTime', 'setting', 's.'],
      ['shiftUp', 'angularSpeed'],
      ['shiftDown', 'angularSpeed'],
      ['clutch', 'most', 'N·m that it can carry.'],
      ['centreLock', 'most', 'N·m that the centre differential can move between axles.'],
      ['drag', 'setting', 'N/(m/s)².'],
      ['downforce', 'setting', 'N/(m/s)².'],
      ['steerRate', 'setting', '1/s; 0: at once.'],
      ['steerSpeed', 'speed', 'Where the steering angle is halved; 0: never.'],
      ['ackermann', 'share', '0: wheels stay parallel; 1: all turn about one point.'],
      ['steerOrigin', 'place', 'Along z, of the line on which that point lies.'],
      ['turnRate', 'angularSpeed', 'Of a tracked vehicle at full lock, if its tracks do not slip.'],
      ['turnForce', 'most', 'N that its steering can move from one track to the other.'],
      ['leanMost', 'leanAngle', 'Of a motorcycle.'],
      ['leanStiffness', 'most', '1/s², of its balance.'],
      ['leanDamping', 'most', '1/s.'],
      ['leanTorque', 'most', 'N·m, largest.'],
      ['antilock', 'flag', '1: brakes do not lock the wheels.'],
      ['traction', 'flag', '1: the engine does not spin them.'],
    ],
  },
  setWheel: {
    code: 61,
    about:
      'Gives a vehicle a wheel, or changes the settings of the wheel. Ignored for bodies without a vehicle.',
    module: 'actors',
    fields: [
      BODY,
      ['wheel', 'wheelNumber'],
      ['position', 'coordinate', "Of its centre as designed, in the body's frame."],
      ['radius', 'wheelSize'],
      ['width', 'length'],
      ['inertia', 'wheelInertia', 'About its axle.'],
      ['cast', 'wheelCast'],
      ['group', 'anyWord', 'Of its query.'],
      ['mask', 'anyWord', 'Of its query.'],
      ['preload', 'most', 'N of the spring as designed.'],
      ['stiffness', 'most', 'N/m.'],
      ['bumpDamping', 'most', 'N·s/m.'],
      ['reboundDamping', 'most', 'N·s/m.'],
      ['bump', 'length', 'Travel upwards from its designed place.'],
      ['droop', 'length', 'Travel downwards.'],
      ['mostForce', 'most', 'N of spring and damper.'],
      ['antiRoll', 'most', 'N/m against its partner.'],
      ['partner', 'wheelNumberOrNone', 'At the other end of the axle.'],
      ['steer', 'steeringAngle', 'At full lock.'],
      ['drive', 'share', "Of the engine's torque."],
      ['brakeTorque', 'most', 'N·m.'],
      ['handbrakeTorque', 'most', 'N·m.'],
      ['lock', 'most', 'N·m that the differential can move to the partner.'],
      ['friction', 'coefficient', 'Largest longitudinal force / load.'],
      ['sideFriction', 'coefficient', 'Largest lateral force / load.'],
      ['peakSlip', 'tyreNumber', 'Longitudinal slip with the largest force.'],
      ['peakAngle', 'tyreNumber', 'Tangent of the slip angle with the largest force.'],
      ['shape', 'tyreShape', 'C of the Magic Formula.'],
      ['stiffening', 'tyreNumber', 'B of the Magic Formula, for slips in units of that at the peak.'],
      ['relaxation', 'wheelSize', 'Relaxation length: the tyre has taken up a new slip after this distance.'],
      ['rolling', 'coefficient', 'Rolling resistance / load.'],
      ['loadSensitivity', 'share', 'Of the friction lost when the load doubles.'],
      ['nominalLoad', 'most', 'N.'],
    ],
  },
  setVehicleInput: {
    code: 62,
    about:
      'Sets some or all inputs of a vehicle, until the next such command. Ignored for bodies without a vehicle.',
    module: 'actors',
    motion: true,
    fields: [
      BODY,
      ['throttle', 'pedal', 'Below 0: brakes, and drives backwards once it stands.'],
      ['brake', 'share'],
      ['steer', 'pedal', '1: left.'],
      ['handbrake', 'share'],
      ['gear', 'gear', '-2: chosen by the gearbox.'],
      ['given', 'vehicleParts', 'The other parts stay as they are.'],
    ],
  },
  removeVehicle: {
    code: 63,
    about: 'Removes the vehicle of a body, which stays.',
    module: 'actors',
    fields: [BODY],
  },
  setCharacter: {
    code: 64,
    about: 'Gives a kinematic body a character, or changes the settings of its character.',
    module: 'actors',
    fields: [
      BODY,
      ['options', 'characterOptions'],
      ['up', 'direction', 'Away from the ground.'],
      ['offset', 'characterOffset', 'Gap that it keeps.'],
      ['climbCosine', 'share', 'Cosine of the steepest slope that it climbs.'],
      ['standCosine', 'share', 'Cosine of the steepest slope on which it stands.'],
      ['stepHeight', 'length'],
      ['stepWidth', 'length'],
      ['snapDistance', 'length', 'How far it follows the ground down in one step.'],
      ['gravity', 'strength', 'Unless it follows that of the world.'],
      ['fallSpeed', 'speed', 'Largest.'],
      ['jumpSpeed', 'speed'],
      ['airJumps', 'jumps', 'Jumps in the air until it lands.'],
      ['mass', 'most', 'kg.'],
      ['pushForce', 'forceLimit', 'Largest on a body in its way.'],
      ['swimDrag', 'setting', '1/s, where it swims or flies.'],
      ['buoyancy', 'setting', 'Share of its weight that a liquid carries.'],
      ['group', 'anyWord', 'Of its queries.'],
      ['mask', 'anyWord', 'Of its queries.'],
      ['ladders', 'anyWord', 'Groups of bodies that are ladders.'],
      [
        'standing',
        'pieces',
        'Number of shapes of the body while it does not crouch; the others are for crouching.',
      ],
    ],
  },
  setCharacterInput: {
    code: 65,
    about:
      'Sets some or all inputs of a character, until the next such command. A jump and a launch happen once, in the next step. Ignored for bodies without a character.',
    module: 'actors',
    motion: true,
    fields: [
      BODY,
      ['mode', 'characterMode'],
      ['asks', 'characterAsks'],
      ['move', 'velocity'],
      ['turn', 'axisSpeed', 'About `up`.'],
      ['jump', 'jump', 'Speed; 0: no jump; −1: `jumpSpeed`.'],
      ['launch', 'velocity', 'Added to its velocity.'],
      ['given', 'characterParts', 'Of mode, asks, move and turn; the other parts stay as they are.'],
    ],
  },
  removeCharacter: {
    code: 66,
    about: 'Removes the character of a body, which stays.',
    module: 'actors',
    fields: [BODY],
  },
  setCharacterState: {
    code: 67,
    about: 'Sets how a character moves and on what it stands. Ignored for bodies without a character.',
    module: 'actors',
    motion: true,
    fields: [
      BODY,
      ['ground', 'slotOrNone', 'Body on which it stands.'],
      ['groundShape', 'slotOrNone', 'Shape of that body.'],
      ['jump', 'jump', 'Speed of the jump that is due; 0: none, −1: the setting.'],
      ['position', 'coordinate', 'After its last update.'],
      ['velocity', 'velocity', 'In its last update.'],
      ['air', 'velocity', 'Its own, without what it wants.'],
      ['carried', 'velocity', 'Of the ground.'],
      ['groundNormal', 'direction'],
      ['groundPoint', 'coordinate'],
      [
        'groundPosition',
        'coordinate',
        'Centre of mass of the body on which it stands, after its last update.',
      ],
      ['groundRotation', 'rotationOrZero', 'Of that body then.'],
      ['anchor', 'coordinate', 'Its position in the frame of that body.'],
    ],
  },
  ignoreShape: {
    code: 68,
    about: 'The next `moveCharacter` does not see this shape. At most 256 before each.',
    module: 'actors',
    motion: true,
    fields: [BODY, ['shape', 'slot']],
  },
  moveCharacter: {
    code: 69,
    about:
      'Moves a character with the option CHARACTER_WAITS at once; steps do not. Ignored for other bodies and characters.',
    module: 'actors',
    motion: true,
    fields: [BODY, ['move', 'velocity', 'What it wants.'], ['dt', 'timeStep']],
  },
  step: {
    code: 28,
    about:
      'Makes one fixed step. It occurs in recordings and in the stream to a worker; the core does not read it.',
    motion: true,
    fields: [['dt', 'timeStep']],
  },
} as const satisfies Record<string, CommandDeclaration>;
