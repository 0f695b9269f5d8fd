// Codes shared by the core and the TypeScript around it. This file is valid in both languages:
// untyped integer constants only.

/** Address of the world record: the root from which every table is reached. */
export const WORLD_ADDRESS = 1024;

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
export const SHAPE_CONE = 5; // param0 radius, param1 half height, apex at local +Y; the origin is half way up
export const SHAPE_TRIANGLE = 6; // Shape.geometry: PointGeometry of 3 points, two-sided, without thickness
export const SHAPE_MULTISPHERE = 7; // Shape.geometry: PointGeometry, the hull of up to 32 balls
export const SHAPE_PLANE = 8; // local +Y is the normal, the surface passes through the local origin
export const SHAPE_MESH = 9; // Shape.geometry: MeshGeometry; param0..2 scale, negative mirrors
export const SHAPE_HEIGHTFIELD = 10; // Shape.geometry: HeightfieldGeometry; param0..2 scale, as of a mesh
export const SHAPE_TYPE_COUNT = 11;

// MeshGeometry.flags and HeightfieldGeometry.flags.
export const CONCAVE_ONE_SIDED = 1; // only the front collides: counter-clockwise, of a field the upper side

// Bits of a mesh triangle's fourth word.
export const TRIANGLE_ACTIVE = 1; // << edge (ab, bc, ca): a ridge or a border, where contacts may lean
export const TRIANGLE_BORDER = 8; // << edge: no triangle beyond
export const TRIANGLE_MATERIAL_SHIFT = 8; // 8 bits

// Bits of a heightfield cell. Corners 00, 01 (next column), 10 (next row), 11; the diagonal runs from 01
// to 10, of a flipped cell from 00 to 11. The triangle with corner 00 (of a flipped cell with 10) is the first.
export const CELL_HOLE = 1;
export const CELL_FLIPPED = 2;
export const CELL_MATERIAL_SHIFT = 2; // 6 bits
/** Cells along each side of a tile of least and greatest heights. */
export const TILE_CELLS = 8;

// Combine rules for friction and restitution (Bullet: product).
export const COMBINE_MULTIPLY = 0;
export const COMBINE_AVERAGE = 1;
export const COMBINE_MINIMUM = 2;
export const COMBINE_MAXIMUM = 3;
export const COMBINE_GEOMETRIC_MEAN = 4;

// World.rollingFrictionCombine.
export const ROLLING_CROSS_FRICTION = 0; // each one's rolling friction times the other's friction, summed: Bullet 3's rule
export const ROLLING_FIRST_RULE = 1; // from here on the rules above

// Body flags.
export const BODY_USED = 1; // the slot holds a body
export const BODY_ISOTROPIC = 2; // all three principal moments equal: no gyroscopic term, world inertia constant
export const BODY_NO_RESPONSE = 4; // Bullet's CF_NO_CONTACT_RESPONSE: contacts are reported, not solved
export const BODY_MOVED = 8; // kinematic target set for the next step
export const BODY_TELEPORTED = 16; // pose was set; do not interpolate across it
export const BODY_TURNED = 32; // its rotation was already integrated in the substeps (gyroscopic)
export const BODY_FAST = 64; // may move farther than Body.fastMotion in this step
export const BODY_LOST = 128; // stopped in this step: its velocity or pose was NaN, infinite or far too large
export const BODY_HIT = 256; // while bounces are solved (solver/simultaneousImpacts.ts): something hits it,
export const BODY_HIT_TWICE = 512; // several do,
export const BODY_HELD = 1024; // something else acts on it
export const BODY_SEAM = 2048; // while contacts are found: one of them may be with an edge that is none (contacts/seams.ts)
export const BODY_ACTED = 4096; // while areas are gathered: some act on it (areas/areas.ts)
export const BODY_BEARER_SHIFT = 8; // above: place in the list of bearers + 1, while that is made (solver/massRatio.ts)

// Shape flags.
export const SHAPE_USED = 1;
export const SHAPE_NO_RESPONSE = 2; // sensor: contacts are reported, not solved
export const SHAPE_SENSES_STATIC = 4; // a sensor on a static body that also reports other static bodies
export const SHAPE_BARE_TO_BALLS = 8; // a mesh or heightfield whose margin does not act on spheres
export const SHAPE_OWN_FILTER = 16; // group and mask are its own, not copies of its body's
export const SHAPE_CARRIES = 32; // has a row in World.surfaces, whose velocity moves what lies on it
export const SHAPE_ONE_WAY = 64; // has one whose direction lets through
export const SHAPE_AREA = 128; // a sensor with a row in World.areas: acts on what is in it
// Above: combine rules of its own, each COMBINE_* plus 1, 0 none, and the priority of both, signed.
export const SHAPE_FRICTION_RULE_SHIFT = 8; // 3 bits
export const SHAPE_RESTITUTION_RULE_SHIFT = 11; // 3 bits
export const SHAPE_PRIORITY_SHIFT = 24; // 8 bits

// Area flags.
export const AREA_ACTS = 1; // 0: the shape is none
export const AREA_REPLACES = 2; // its gravity acts in place of the world's
export const AREA_HAS_LEVEL = 4; // Area.level counts

// Pair flags.
export const PAIR_TOUCHING = 1; // has contact points, so it has a lane in a contact block (or is parked)
export const PAIR_SENSOR = 2; // never solved
export const PAIR_ASLEEP = 4; // neither body is awake: not processed
export const PAIR_PARKED = 8; // touching and asleep: manifold is in the parked table
export const PAIR_BEGUN = 16; // its contactBegin was due: a contactEnd will be, when it has parted
export const PAIR_CONCAVE = 32; // with a mesh or heightfield: its manifolds are pairs of their own, its children
export const PAIR_CHILD = 64; // one manifold of such a pair; not in the set, nor in the lists of bodies
export const PAIR_STALE = 128; // a concave pair whose manifolds must be recomputed
export const PAIR_STRUCK = 256; // had an impact in the continuous stage of the last step; not touching yet
export const PAIR_BEGAN = 512; // its contact began in this step; never set between steps

// Where a pair is listed (Pair.list).
export const LIST_NONE = 0;
export const LIST_WAITING = 1; // awake, not touching: index into the waiting list
export const LIST_SOLVED = 2; // lane in a contact block: colour, block, lane
export const LIST_SENSOR = 3; // awake, touching, without response
export const LIST_CONCAVE = 4; // awake, touching: its child pairs have the lanes

// Event types.
export const EVENT_CONTACT_BEGIN = 1;
export const EVENT_CONTACT_END = 2;
export const EVENT_CONTACT_STAY = 3;
export const EVENT_SLEEP = 4;
export const EVENT_WAKE = 5;

export const EVENT_JOINT_BROKEN = 6;
export const EVENT_JOINT_REMOVED = 7; // with a body; a joint removed by its own command is not reported

// World.eventMask bits: bit n stands for event type n.

// Ray and overlap query modes.
export const QUERY_CLOSEST = 0;
export const QUERY_ANY = 1;
export const QUERY_ALL = 2;

// What a ShapeQuery asks.
export const ASK_OVERLAP = 0;
export const ASK_DISTANCE = 1;
export const ASK_CONTACT = 2;
export const ASK_SWEEP = 3;
export const ASK_RAY = 4; // no ShapeQuery: see queries/rays.ts
export const ASK_BOX = 5; // likewise: queries/overlaps.ts

// ShapeQuery.flags.
export const ASK_NO_SENSORS = 1; // shapes and bodies without response are not seen
export const ASK_FRONT_ONLY = 2; // rays pass through triangles from behind

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
export const JOINT_SLIDER = 4; // axis 0: along x, axis 3: about x
export const JOINT_CONE_TWIST = 5; // axis 3: twist about x, axes 4 and 5: half angles of the cone about y and z
export const JOINT_GENERIC = 6; // axes 0 to 2 along, 3 to 5 about x, y, z of A's frame (Euler angles x, y, z)
export const JOINT_MOUSE = 7; // a soft point joint with the world
export const JOINT_MOTOR = 8; // a soft fixed joint
export const JOINT_UNIVERSAL = 9; // a generic joint whose angles 3 and 4 are free
export const JOINT_HINGE2 = 10; // a generic joint: axis 0 along x, 3 steers about x, 5 spins about z
export const JOINT_GEAR = 11; // axis 3, locked at 0: turning of A about its axis + ratio × turning of B about its own
export const JOINT_TYPE_COUNT = 12;
export const JOINT_AXIS_COUNT = 6;

// Joint flags.
export const JOINT_USED = 1;
export const JOINT_ENABLED = 2;
export const JOINT_BROKEN = 4;
export const JOINT_COLLIDE = 8; // the two bodies may collide
export const JOINT_WORLD_FRAMES = 16; // in CREATE_JOINT: frame A is in world axes and stands for both bodies

export const JOINT_ORDER_SHIFT = 5; // of a generic joint: its Euler angles, 0 to 5 for xyz, xzy, yxz, yzx, zxy, zyx
export const JOINT_ORDER_MASK = 7;

// More flags of CREATE_JOINT: what of the frames the core takes from where the bodies are.
export const JOINT_AT_MIDDLE = 256; // both anchors are at B's centre of mass, or A's where B is the world
export const JOINT_PLACE_BY_A = 512; // B's anchor is where A's is
export const JOINT_PLACE_BY_B = 1024; // A's anchor is where B's is
export const JOINT_TURN_BY_A = 2048; // B's frame is turned as A's is
export const JOINT_TURN_BY_B = 4096; // A's frame is turned as B's is
export const JOINT_PLACING = 0x1f10; // all of these, and JOINT_WORLD_FRAMES

// Flags of one axis of a joint.
export const AXIS_MOTOR = 1; // drives to a velocity
export const AXIS_SERVO = 2; // drives to a position, no faster than the motor's velocity
export const AXIS_SPRING = 4; // spring given by frequency and damping ratio
export const AXIS_STIFFNESS = 8; // ... by stiffness (N/m, N·m/rad) and damping (N·s/m, N·m·s/rad) instead

export const AXIS_STOP = 16; // limits and locks give way as stopErp and stopCfm say, or bounce

/** Words of HullGeometry before its tables. */
export const GEOMETRY_HEADER_WORDS = 8;

// ContactBlock.special bits.
export const SPECIAL_IMPACT = 1; // restitution, or bodies that close fast
export const SPECIAL_ROLLING = 2;
export const SPECIAL_KINEMATIC = 4;

// Solver colours (graph colouring): the last one is the overflow, one lane per block; contacts with
// static bodies start from the end, so that they are solved last and win.
export const COLOR_COUNT = 32;
export const OVERFLOW_COLOR = 31;
export const DYNAMIC_COLOR_COUNT = 28;

// 1/m. WaitingPair.limit is a whole number of this part of a metre: a snapshot has it in one or two bytes.
export const LIMIT_UNITS = 4096.0;

// Impact.state.
export const IMPACT_NONE = 0; // no contact up to the largest fraction
export const IMPACT_HIT = 1;
export const IMPACT_TOUCHING = 2; // as near as the target at fraction 0 already
export const IMPACT_OVERLAP = 3; // ... and overlapping: the normal is a guess
export const IMPACT_LIMIT = 4; // out of iterations: apart up to the fraction returned, not known beyond

// Swept.flags.
export const CCD_HIT = 1; // its path was changed in this step: the body's pose must be set again
export const CCD_SENSES = 2; // there are sensors near its path
export const CCD_CORE = 8; // its next impact is that of the ball inside
export const CCD_LIMIT = 16; // ... or no impact: as far as its path is known to be free
export const CCD_STOPPED = 4; // it ran out of impacts
export const CCD_IN_THE_WAY = 32; // swept only because something kinematic could meet it
export const CCD_HELD = 64; // contacts act on it: its contact offset is computed when needed

/** Of how a state is written: higher whenever its bytes mean something else without a record having changed. */
export const STATE_VERSION = 5;
