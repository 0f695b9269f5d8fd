// Codes shared by the core and the TypeScript around it. The file is compiled by both compilers, so it has untyped
// integer constants only.

// Body types (Bullet: dynamic 0, CF_STATIC_OBJECT, CF_KINEMATIC_OBJECT).
export const BODY_STATIC = 0;
export const BODY_KINEMATIC = 1;
export const BODY_DYNAMIC = 2;

// Activation states, Bullet's numbers (btCollisionObject.h:22-27).
export const ACTIVE_TAG = 1;
export const ISLAND_SLEEPING = 2;
export const WANTS_DEACTIVATION = 3;
export const DISABLE_DEACTIVATION = 4;
export const DISABLE_SIMULATION = 5;

// Shape types. Convex first, so that `type < SHAPE_PLANE` means convex.
export const SHAPE_SPHERE = 0; // param0 radius
export const SHAPE_CAPSULE = 1; // param0 radius, param1 half height of the segment, along local Y
export const SHAPE_BOX = 2; // param0..2 half extents
export const SHAPE_HULL = 3; // Shape.geometry
export const SHAPE_CYLINDER = 4; // param0 radius, param1 half height, along local Y
export const SHAPE_CONE = 5; // param0 radius, param1 half height, apex at local +Y; origin at half height
export const SHAPE_TRIANGLE = 6; // Shape.geometry: PointGeometry of 3 points, two-sided, without thickness
export const SHAPE_MULTISPHERE = 7; // Shape.geometry: PointGeometry, convex hull of up to 32 spheres
export const SHAPE_PLANE = 8; // local +Y is the normal, the surface passes through the local origin
export const SHAPE_MESH = 9; // Shape.geometry: MeshGeometry; param0..2 scale, negative values mirror
export const SHAPE_HEIGHTFIELD = 10; // Shape.geometry: HeightfieldGeometry; param0..2 scale, as for a mesh
export const SHAPE_TYPE_COUNT = 11;

// MeshGeometry.flags and HeightfieldGeometry.flags.
export const CONCAVE_ONE_SIDED = 1; // only the front collides (counter-clockwise; of a heightfield the upper side)

// Bits of a mesh triangle's fourth word.
export const TRIANGLE_ACTIVE = 1; // << edge (ab, bc, ca): convex edge or border, at which contact normals may tilt
export const TRIANGLE_BORDER = 8; // << edge: no adjacent triangle
export const TRIANGLE_MATERIAL_SHIFT = 8; // 8 bits

// Bits of a heightfield cell. Corners: 00, 01 (next column), 10 (next row), 11. The diagonal runs from 01 to 10; in a
// flipped cell from 00 to 11. The triangle with corner 00 (in a flipped cell with 10) is the first.
export const CELL_HOLE = 1;
export const CELL_FLIPPED = 2;
export const CELL_MATERIAL_SHIFT = 2; // 6 bits
/** Cells along each side of a tile. A tile stores its lowest and highest height. */
export const TILE_CELLS = 8;

// Combine rules for friction and restitution (Bullet: product).
export const COMBINE_MULTIPLY = 0;
export const COMBINE_AVERAGE = 1;
export const COMBINE_MINIMUM = 2;
export const COMBINE_MAXIMUM = 3;
export const COMBINE_GEOMETRIC_MEAN = 4;

// World.rollingFrictionCombine.
export const ROLLING_CROSS_FRICTION = 0; // Bullet 3: rolling friction of each times friction of the other, summed
export const ROLLING_FIRST_RULE = 1; // from this value on: COMBINE_* plus 1

// Body flags.
export const BODY_USED = 1; // the slot holds a body
export const BODY_ISOTROPIC = 2; // all three principal moments equal: no gyroscopic term, world inertia constant
export const BODY_NO_RESPONSE = 4; // Bullet's CF_NO_CONTACT_RESPONSE: contacts are reported, not solved
export const BODY_MOVED = 8; // kinematic target set for the next step
export const BODY_TELEPORTED = 16; // pose was set; renderers must not interpolate across it
export const BODY_TURNED = 32; // its rotation was already integrated in the substeps (gyroscopic)
export const BODY_FAST = 64; // may move farther than Body.fastMotion in this step
export const BODY_LOST = 128; // was stopped in this step: its velocity or pose was NaN, infinite or far too large
export const BODY_RATTLE_SHIFT = 8;
export const BODY_RATTLE = 31 << BODY_RATTLE_SHIFT; // a level: how persistently the body vibrates at rest (bodies/rattling.ts)
export const BODY_HIT = 8192; // while restitution is solved (solver/simultaneousImpacts.ts): an impact acts on the body
export const BODY_HIT_TWICE = 16384; // likewise: several impacts act on it
export const BODY_HELD = 32768; // likewise: another constraint acts on it
export const BODY_SEAM = 65536; // during contact detection: a contact may be with an internal edge (contacts/seams.ts)
export const BODY_ACTED = 131072; // while areas are gathered: an area acts on the body (areas/areas.ts)
export const BODY_BEARS = 262144; // while the solver works: its contacts bear many times its weight, for what is joined to it
export const BODY_BEARER_SHIFT = 13; // while bearers are listed, in the higher bits: index in the list + 1 (solver/massRatio.ts)

// Shape flags.
export const SHAPE_USED = 1;
export const SHAPE_NO_RESPONSE = 2; // sensor: contacts are reported, not solved
export const SHAPE_SENSES_STATIC = 4; // a sensor on a static body that also reports other static bodies
export const SHAPE_BARE_TO_BALLS = 8; // a mesh or heightfield whose margin does not act on spheres
export const SHAPE_OWN_FILTER = 16; // group and mask are the shape's own, not copies of the body's
export const SHAPE_CARRIES = 32; // has a row in World.surfaces with a surface velocity
export const SHAPE_ONE_WAY = 64; // has a row in World.surfaces with a one-way direction
export const SHAPE_AREA = 128; // a sensor with a row in World.areas, which acts on the bodies inside
// Higher bits: the shape's own combine rules, each COMBINE_* plus 1 (0 none), and the priority of both, signed.
export const SHAPE_FRICTION_RULE_SHIFT = 8; // 3 bits
export const SHAPE_RESTITUTION_RULE_SHIFT = 11; // 3 bits
export const SHAPE_PRIORITY_SHIFT = 24; // 8 bits

// Area flags.
export const AREA_ACTS = 1; // 0: the shape is no area
export const AREA_REPLACES = 2; // its gravity replaces that of the world
export const AREA_HAS_LEVEL = 4; // Area.level is used

// Pair flags.
export const PAIR_TOUCHING = 1; // has contact points, and so a lane in a contact block (or is parked)
export const PAIR_SENSOR = 2; // never solved
export const PAIR_ASLEEP = 4; // neither body is awake: the pair is not processed
export const PAIR_PARKED = 8; // touching and asleep: its manifold is in the parked table
export const PAIR_BEGUN = 16; // its begin event was due; an end event follows when it separates
export const PAIR_CONCAVE = 32; // with a mesh or heightfield: its manifolds are child pairs
export const PAIR_CHILD = 64; // one manifold of a concave pair; not in the pair set, nor in the lists of bodies
export const PAIR_STALE = 128; // a concave pair whose manifolds must be computed again
export const PAIR_STRUCK = 256; // had an impact in the CCD stage of the last step and does not touch yet
export const PAIR_BEGAN = 512; // its contact began in this step; never set between steps

// List that holds a pair (Pair.list).
export const LIST_NONE = 0;
export const LIST_WAITING = 1; // awake, not touching: index into the waiting list
export const LIST_SOLVED = 2; // lane in a contact block: colour, block, lane
export const LIST_SENSOR = 3; // awake, touching, without contact response
export const LIST_CONCAVE = 4; // awake, touching: its child pairs have lanes

// Event types.
export const EVENT_CONTACT_BEGIN = 1;
export const EVENT_CONTACT_END = 2;
export const EVENT_CONTACT_STAY = 3;
export const EVENT_SLEEP = 4;
export const EVENT_WAKE = 5;

export const EVENT_JOINT_BROKEN = 6;
export const EVENT_JOINT_REMOVED = 7; // removed together with a body; removal by its own command is not reported

// World.eventMask bits: bit n stands for event type n.

// Ray and overlap query modes.
export const QUERY_CLOSEST = 0;
export const QUERY_ANY = 1;
export const QUERY_ALL = 2;

// Kind of a ShapeQuery.
export const ASK_OVERLAP = 0;
export const ASK_DISTANCE = 1;
export const ASK_CONTACT = 2;
export const ASK_SWEEP = 3;
export const ASK_RAY = 4; // not a ShapeQuery: see queries/rays.ts
export const ASK_BOX = 5; // not a ShapeQuery: see queries/overlaps.ts

// ShapeQuery.flags.
export const ASK_NO_SENSORS = 1; // ignores shapes and bodies without contact response
export const ASK_FRONT_ONLY = 2; // rays ignore back faces of triangles

// Profile slots, in the order of step.ts. World.profile holds one f32 of milliseconds each.
export const PROFILE_UPDATE_AABBS = 0;
export const PROFILE_FIND_PAIRS = 1;
export const PROFILE_COLLIDE = 2;
export const PROFILE_UPDATE_TOUCHING = 3;
export const PROFILE_PREPARE = 4;
export const PROFILE_SOLVE = 5;
export const PROFILE_FINALIZE = 6;
export const PROFILE_CONTINUOUS = 7;
export const PROFILE_ACTIVATION = 8;
export const PROFILE_EVENTS = 9;
export const PROFILE_STEP = 10;
export const PROFILE_COUNT = 11;

// Joint types. The main axis of every joint is the x axis of its frames.
export const JOINT_POINT = 0; // Bullet's point-to-point
export const JOINT_HINGE = 1; // axis 3: angle about x
export const JOINT_FIXED = 2;
export const JOINT_DISTANCE = 3; // axis 0: distance of the two anchors
export const JOINT_SLIDER = 4; // axis 0: translation along x, axis 3: rotation about x
export const JOINT_CONE_TWIST = 5; // axis 3: twist about x, axes 4 and 5: half angles of the cone about y and z
export const JOINT_GENERIC = 6; // axes 0 to 2 translations, 3 to 5 Euler angles x, y, z, both in A's frame
export const JOINT_MOUSE = 7; // a soft point joint between a body and the world
export const JOINT_MOTOR = 8; // a soft fixed joint
export const JOINT_UNIVERSAL = 9; // a generic joint whose angles 3 and 4 are free
export const JOINT_HINGE2 = 10; // a generic joint: axis 0 along x, 3 steers about x, 5 spins about z
export const JOINT_GEAR = 11; // axis 3, locked at 0: angle of A about its axis + ratio × angle of B about its own
export const JOINT_TYPE_COUNT = 12;
export const JOINT_AXIS_COUNT = 6;

// Joint flags.
export const JOINT_USED = 1;
export const JOINT_ENABLED = 2;
export const JOINT_BROKEN = 4;
export const JOINT_COLLIDE = 8; // the two bodies may collide
export const JOINT_WORLD_FRAMES = 16; // in CREATE_JOINT: frame A is in world axes and is used for both bodies

export const JOINT_ORDER_SHIFT = 5; // of a generic joint: order of its Euler angles, 0 to 5 for xyz, xzy, yxz, yzx, zxy, zyx
export const JOINT_ORDER_MASK = 7;

// More flags of CREATE_JOINT: parts of the frames that the core computes from the poses of the bodies.
export const JOINT_AT_MIDDLE = 256; // both anchors are at B's centre of mass, or at A's if B is the world
export const JOINT_PLACE_BY_A = 512; // B's anchor is placed at A's anchor
export const JOINT_PLACE_BY_B = 1024; // A's anchor is placed at B's anchor
export const JOINT_TURN_BY_A = 2048; // B's frame gets the orientation of A's frame
export const JOINT_TURN_BY_B = 4096; // A's frame gets the orientation of B's frame
export const JOINT_PLACING = 0x1f10; // all of these flags, and JOINT_WORLD_FRAMES

// Flags of one axis of a joint.
export const AXIS_MOTOR = 1; // drives to a velocity
export const AXIS_SERVO = 2; // drives to a position, at most at the motor's velocity
export const AXIS_SPRING = 4; // spring given by frequency and damping ratio
export const AXIS_STIFFNESS = 8; // the spring is given by stiffness (N/m, N·m/rad) and damping (N·s/m, N·m·s/rad) instead

export const AXIS_STOP = 16; // limits and locks are soft as given by stopErp and stopCfm, or have restitution

/** Words of the HullGeometry header, before its tables. */
export const GEOMETRY_HEADER_WORDS = 8;

// ContactBlock.special bits.
export const SPECIAL_IMPACT = 1; // restitution, or bodies that approach fast
export const SPECIAL_ROLLING = 2;
export const SPECIAL_KINEMATIC = 4;

// Solver colours (graph colouring). The last colour is the overflow, with one lane per block. Contacts with static
// bodies use the highest of the other colours, so that they are solved last and take precedence.
export const COLOR_COUNT = 32;
export const OVERFLOW_COLOR = 31;
export const DYNAMIC_COLOR_COUNT = 28;

// 1/m. Distances of waiting pairs are multiples of 0.06 mm, of which a snapshot stores most in two bytes.
export const GAP_UNITS = 16384.0;
/** 4 km. Pairs with a larger distance are tested again after their bodies moved by this. */
export const MOST_GAP_UNITS = 0x4000000;

// Impact.state.
export const IMPACT_NONE = 0; // no contact up to the largest fraction
export const IMPACT_HIT = 1;
export const IMPACT_TOUCHING = 2; // the distance is at or below the target already at fraction 0
export const IMPACT_OVERLAP = 3; // overlap at fraction 0: the normal is an estimate
export const IMPACT_LIMIT = 4; // out of iterations: free up to the fraction returned, unknown beyond

// CcdBody.flags.
export const CCD_HIT = 1; // its path was changed in this step: the body's pose must be set again
export const CCD_SENSES = 2; // there are sensors near its path
export const CCD_CORE = 8; // its next impact is that of a sphere inside it, not of its surface
export const CCD_LIMIT = 16; // its next time is no impact: the path is known to be free only up to there
export const CCD_STOPPED = 4; // it had too many impacts
export const CCD_IN_THE_WAY = 32; // swept only because a kinematic body could hit it
export const CCD_HELD = 64; // contacts act on it: its contact offset is computed when needed
export const CCD_CARRIED = 128; // it had too many impacts, and goes on with its carrier

/** Bytes into the hit of a ray: its point and its normal, f32 each (queries/rays.ts). */
export const RAY_HIT_POINT = 12;
export const RAY_HIT_NORMAL = 24;
/** Bytes of a hit; the slot of its shape comes first. */
export const RAY_HIT_SIZE = 40;

// Vehicle.kind.
export const VEHICLE_WHEELED = 0;
export const VEHICLE_TRACKED = 1; // the wheels of a side turn together, and steering makes one side faster
export const VEHICLE_MOTORCYCLE = 2; // keeps its balance, and leans into turns

// Wheel.cast: how the ground is looked for.
export const WHEEL_RAY = 0;
export const WHEEL_SPHERE = 1;
export const WHEEL_CYLINDER = 2;

/** Bits of Wheel.key for the number of the wheel. */
export const WHEEL_BITS = 5;
/** Vehicle.gearInput: the gearbox chooses; below reverse, −1. */
export const GEAR_AUTOMATIC = -2;
// Parts of an input that a command gives; the others stay as they are.
export const VEHICLE_GIVES_THROTTLE = 1;
export const VEHICLE_GIVES_BRAKE = 2;
export const VEHICLE_GIVES_STEER = 4;
export const VEHICLE_GIVES_HANDBRAKE = 8;
export const VEHICLE_GIVES_GEAR = 16;

// Character.options.
export const CHARACTER_STEPS_ON_DYNAMIC = 1;
export const CHARACTER_FOLLOWS_GRAVITY = 2; // `up` and gravity are those of the world and its areas
export const CHARACTER_YIELDS = 4; // dynamic bodies push it
export const CHARACTER_WAITS = 8; // it moves by the command moveCharacter, not in steps

// Character.mode.
export const CHARACTER_WALKS = 0;
export const CHARACTER_SWIMS = 1; // in liquids; elsewhere it walks
export const CHARACTER_FLIES = 2;

// Character.asks.
export const CHARACTER_ASKS_CROUCH = 1;
export const CHARACTER_ASKS_LOCAL = 2; // its wanted velocity is in the frame of its body
// Parts of an input that a command gives; the others stay as they are.
export const CHARACTER_GIVES_MODE = 1;
export const CHARACTER_GIVES_CROUCH = 2;
export const CHARACTER_GIVES_LOCAL = 4;
export const CHARACTER_GIVES_MOVE = 8;
export const CHARACTER_GIVES_TURN = 16;

// Character.flags.
export const CHARACTER_IS_CROUCHING = 1; // its shapes are those for crouching
export const CHARACTER_IS_ON_LADDER = 2; // in the last update
export const CHARACTER_IS_IN_WATER = 4; // in the last update: its origin was below the surface of a liquid
export const CHARACTER_IS_STRUCK = 8; // its body has a velocity, with which it yields to dynamic bodies in the next step
export const CHARACTER_IS_PLACED = 16; // its position is that of an update

/** Entries of the list at Character.touched0. */
export const CHARACTER_TOUCHES = 8;
/** Added to the slot of the body in PublishedCharacter.key. */
export const PUBLISHED_CHARACTER = 0x1000000;

/** Version of the state format. Raise it when the meaning of the bytes changes and no record does. */
export const STATE_VERSION = 7;

// ContactBlock.highRatioLanes: bits of the lanes with a high mass ratio, and of those that may belong to a tower.
export const TALL_SHIFT = 4;
/** New contacts, of whose loads nothing is known. */
export const TALL_NEW_SHIFT = 8;
/** Lanes that may do if their contact has several manifolds. */
export const TALL_TOGETHER_SHIFT = 12;
