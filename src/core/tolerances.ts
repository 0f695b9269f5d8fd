// All tolerances, thresholds and limits of the engine, in the order of the step. Each says its unit and what it decides. A
// share has no unit; the size of a shape is convexSize (narrowphase/convex.ts). A unit in the last place of f32 is 1.2e-7.
// test/house.test.ts keeps such numbers out of all other files of the core; `npm run mutate` names those that no test
// notices. Those of vehicles and characters are in actors/tolerances.ts, bounds of a valid state in memory/bounds.ts.

// Rounding.
/**
 * Share of a size or of coordinates, sine of an angle. What roundings of f32 leave: eight units in the last place. Smaller
 * differences of separations, heights, directions and pivots are none, and a ray that is marched closer has hit.
 */
export const ROUNDING: f32 = 1e-6;

// Bounds of bodies and the broad phase.
/** Steps of motion for which a new fat AABB has room. */
export const STEPS_AHEAD: f32 = 4;
/**
 * Margins. A box with more slack than this, beyond the predicted motion, is recomputed; a new box has twice
 * the margin.
 */
export const SPARE_MARGINS: f32 = 3;
/**
 * m from the origin of a plane within which a bound on its outer side allows for its tilt, which is less than ROUNDING.
 */
export const PLANE_REACH: f32 = 1e5;
/**
 * m. A shape that reaches beyond this coordinate is put in the unbounded list instead of the tree; each
 * query tests the nodes of that list. Planes reach to 1e30, where areas would overflow f32 and inf − inf
 * would make costs NaN; below 1e12 the sum of all costs stays finite.
 */
export const UNBOUNDED: f32 = 1e12;

// Bodies that need continuous detection, and bodies out of range.
/** Share of the inner radius. A body that moves less per step cannot pass a wall, however thin. */
export const CCD_SAFE_SHARE: f32 = 0.9;
/**
 * m per step. Slower bodies are held by speculative contacts, however thin they are: sheets have no inner
 * radius.
 */
export const CCD_SLOW: f32 = 0.005;
/**
 * Share of the limit of willNeedCcd (bodies/fast.ts). The sweep decides by poses at the end of the step and
 * must not be stricter.
 */
export const CCD_ROUNDED: f32 = 0.9;
/** (m/s)², (rad/s)², and 1e-4 of m² from the origin. Beyond these f32 is too coarse. See docs/step.md. */
export const LOST_SQUARED: f32 = 1e10;

// Distances and depths of convex shapes: GJK, EPA, SAT.
/**
 * Share of the size, for two shapes of the smaller one. At a smaller distance shapes touch: the direction between the closest
 * points is rounding noise. Separations along two faces that differ by less are equal.
 */
export const TOUCHING: f32 = 1e-5;
/**
 * Share of the size. Accuracy of a distance: less than two units in the last place of f32, in which points
 * are given.
 */
export const GJK_EXACT: f64 = 2e-7;
/** Share of the size. Shorter distances count as overlap, and EPA finds the depth. */
export const GJK_OVERLAP: f64 = 1e-6;
/** Cosine of 11°. */
export const NEAR_FACE: f64 = 0.98;
/** Share of the size. The accuracy of depths: a face is expanded no farther than this. */
export const EPA_EXACT: f64 = 1e-6;
/**
 * Share of the size. Accuracy of the separation of a contact: a depth is refined if a smaller one may be hidden by more than
 * this, and that of a face is right if the clipped points attain it within this.
 */
export const SEPARATION_ACCURACY: f32 = 2e-5;
/** Share of the size by which B is moved out beyond the depth, to find the witness points. */
export const OUT_BY: f64 = 2e-4;
/** Cosine of 20°. Two start directions of the refinement are at least this far apart. */
export const STARTS_APART: f64 = 0.94;
/** Share of the smaller size by which a pair of edges must beat a face, because faces give more points. */
export const FACE_BEFORE_EDGE: f32 = 5e-5;
/**
 * Share of the smaller size by which any axis must beat that of the last step, so that contacts do not
 * flicker.
 */
export const HOLD_AXIS: f32 = 5e-3;
/** The same if the last axis was that of two edges, which have one point and are left sooner. */
export const HOLD_EDGE: f32 = HOLD_AXIS * <f32>0.1;
/**
 * Share of two edges. Their closest points may lie this far beyond the ends and still count as between them.
 */
export const BEYOND_EDGE: f32 = 1e-3;

// Contact points of convex shapes.
/** Cosine of 0.8°. If the normal is this close to that of a face, the face is tried. */
export const ALONG_FACE: f32 = 0.9999;
/**
 * Cosine of 5.7°. A face that is this close to the direction of the contact touches with its area: clipped
 * points describe the contact with more than one point.
 */
export const FACING: f32 = 0.995;
/**
 * Share of the smaller size. Up to this depth the last face is kept, or the plane of a triangle used,
 * without a test of other directions.
 */
export const SHALLOW: f32 = 0.1;
/** Sine of 3°. Two segments with a smaller angle touch along a line. */
export const LINE_PARALLEL: f32 = 0.05;
/** Share of the smaller box's largest half extent. SEPARATION_ACCURACY of two boxes. */
export const BOX_CLIP_ACCURACY: f32 = 5e-5;
/** Share of the size of the reference. A corner that is less far outside counts as inside. */
export const CLIP_SLACK: f32 = 2e-5;
/**
 * Share of the smaller of the two. A point that is less far outside a box's face counts as on it, so that
 * rounding does not swap corners for cuts if two faces of equal size coincide. Half of it lets corners of the
 * reference face count as inside the other, so that no point is lost.
 */
export const FACE_SLACK: f32 = 1e-3;
/** Factor on lengths and areas that prefers the points kept in the last step. */
export const KEEP_POINTS: f32 = 1.1;
/**
 * Share of the face. A point replaces a chosen one if it is deeper than all chosen ones by more than this.
 */
export const DEEPER: f32 = 5e-5;
/**
 * Share of the terms that make up the inverse mass of a contact. A smaller sum is their rounding error: the bodies cannot
 * move in that direction. As a number, any limit would take heavy bodies for immovable ones.
 */
export const LEAST_RESPONSE: f32 = 1e-6;
/** Share of the radius. Balls whose extent along the direction differs by less form the feature together. */
export const BALLS_AS_FAR: f32 = 0.02;
/**
 * Tangent of 14°. So do balls that, seen from the farthest one, are no farther back than this: what is about to lie down has
 * its other end in the manifold before it arrives, as the end of a capsule or a face of a hull would be.
 */
export const BALLS_BACK: f32 = 0.25;
/**
 * Share of the sum of radii. Capsules touch along a line if their axes diverge by less over their overlap:
 * the second point is then as good as the first.
 */
export const LINE_CONTACT: f32 = 0.05;
/** Squared sine of the largest angle between the axes of a line contact: 5.7°. */
export const LINE_CONTACT_ANGLE: f32 = 0.01;
/** Share of the size. Points of contact or corners that are closer than this are one, so that features do not flicker. */
export const SAME_POINT: f32 = 1e-3;

// Triangle surfaces.
/** Sine by which a neighbour may rise above the tangent plane of a contact. */
export const RISING: f32 = 1e-4;
/** Share of the size. Corners of a triangle whose extents along a direction differ by less touch together. */
export const LEVEL_CORNERS: f32 = 1e-5;
/** Cosine of 0.25°. Normals that differ by less count as equal. */
export const EQUAL_NORMALS: f32 = 0.99999;
/** Cosine of 3°. Points of a shape with corners share a manifold if their normals differ by less. */
export const CLUSTER: f32 = 0.9986;
/** Cosine of 0.8°. The same for round shapes, which respond to each change of slope. */
export const CLUSTER_ROUND: f32 = 0.9999;
/** Cosine of 8°. The same for shapes that rest and are held by friction. */
export const CLUSTER_RESTING: f32 = 0.99;
/** Cosine of 60°. Normals that are nearer are those of one side. */
export const SAME_SIDE: f32 = 0.5;
/** Share of the size. Points that are farther away than the deepest one by this weigh half in the normal. */
export const NEARBY_POINTS: f32 = 2e-3;
/** Share of the size. Surfaces whose borders are closer than this count as joined. */
export const JOINED_BORDERS: f32 = 0.003;
/**
 * Share of the size. The triangle's plane is preferred to a face of the shape whose separation is larger by
 * no more than this.
 */
export const PLANE_BEFORE_FACE: f32 = 0.01;
/**
 * Share of the size. The shape's centre may be this far behind a triangle's plane although the shape lies on
 * the front.
 */
export const SHEET: f32 = 0.5;

// Rays.
/** Factor on a far distance: three rounding errors, 1 + 2γ₃ (queries/rays.ts). */
export const FAR_SLACK: f32 = 1.0000005;

// Contacts over time.
/**
 * m. At a smaller gap a contact acts, whatever the motion of the bodies, and its points take part in their
 * impact.
 */
export const TOUCH: f32 = 5e-4;
/** m of penetration, from which on the solver separates even shapes that rotate far in a step. */
export const SUNK: f32 = 1e-3;
/**
 * rad per step. If shapes rotate farther, the plane of a speculative contact says little about where they go.
 */
export const FAR_TURN: f32 = 0.2;
/** m. Contacts of rolling shapes that move less relative to their bodies are left in place. */
export const LEAST_WAY: f32 = 1e-5;
/** Share of the smaller radius by which shapes must move to the side within a step for their impact to be foreseen. */
export const LEAST_ASIDE: f32 = 0.01;
/** Times the mass of a body: what is heavier, and joined to it, may be more than its contacts pass on in a pass (carts on wheels). */
export const HEAVY: f32 = 8;
/** m. A ball that is so near to a surface has met it. */
export const MET: f32 = 2e-5;
/** Of the motion of a ball that rolls or slides on a surface: share against a triangle from which on it can meet it, 6°. */
export const LEAST_RISE: f32 = 0.1;
/** m. What was pushed along about its normal by a triangle that is nearer than this rolls or slides on it. */
export const ROLLS: f32 = 2e-3;
/** Share of the size, of the ends of a kinematic body that turns: beyond it impacts are not foreseen. */
export const MOST_ASIDE: f32 = 0.1;
/** Square of the sine of the angle between the axes of two cylinders. Below it they count as parallel. */
export const LEAST_CROSSING: f32 = 4e-3;
/** Share of the radius. A contact that moves farther does not roll. */
export const MOST_WAY: f32 = 0.25;
/** rad per half step. A body that rotates faster does not keep its contact. */
export const MOST_ROLL: f32 = 0.3;
/** Largest cosine of the angle between a cylinder's axis and the normal for a contact of its side. */
export const CYLINDER_SIDE: f32 = 0.1;
/** m. Lever arm of the friction of an edge's or corner's point against rotation about the normal. */
export const FRICTION_PATCH: f32 = 1e-3;
/**
 * The same for a ball, as a share of its radius: 3π/16 of the radius of Hertz's patch, for 1 GPa and 24 cm.
 */
export const BALL_PATCH: f32 = 0.01;
/**
 * Mean distance from the centre of a patch under even pressure, as a share of the distance of its corners:
 * of a line.
 */
export const LINE_LEVER: f32 = 0.5;
/** The same, of an equilateral triangle. */
export const TRIANGLE_LEVER: f32 = 0.46;
/** The same, of a square. */
export const SQUARE_LEVER: f32 = 0.541;
/** The same, of a disc, as a share of its radius: 2/3. */
export const DISC_LEVER: f32 = 0.6667;
/** Share of the radius of a cylinder or cone. Points farther from the axis are on its rim. */
export const ON_RIM: f32 = 0.98;
/**
 * Cosine of 8°. If the normal is nearer to the axis of a cylinder or cone, the contact is with its flat
 * face.
 */
export const FLAT_FACE: f32 = 0.99;
/**
 * Share of the recycling distance. Motion of two bodies relative to each other up to which their manifold is carried along with
 * them (contacts/carry.ts). With all of it, the jaws of a turning gripper yielded more often.
 */
export const CARRIED_SHARE: f32 = 0.5;
/**
 * m per half step of motion against the normal, up to which a manifold is recycled (contacts/manifold.ts).
 */
export const MOST_RECYCLED: f32 = 5e-5;
/**
 * Share of the recycling distance, for manifolds of round shapes with at most two points. Where a contact rolls, arms that lag
 * behind it add energy: a capsule that rocked across a log rose by 2 mm in 15 s when all of the distance was allowed.
 */
export const ROUND_RECYCLED: f32 = 0.02;
/**
 * m/s. New contacts that are slower come from a body being set down, and need their load at once (solve.ts).
 */
export const SET_DOWN: f32 = 0.25;
/** Cosine of 26°. A manifold whose normal rotated by less counts as the same manifold. */
export const SAME_MANIFOLD: f32 = 0.9;
/**
 * Times recycleDistance. A manifold is recycled until a point has moved by recycleDistance, and is
 * recomputed one step later. Points that are farther away than twice that, plus the motion of this step,
 * would be solved in vain.
 */
export const NEARER: f32 = 2;
/**
 * Friction coefficient above which resting contacts on faces that differ by 8° may share a manifold: 1.5 tan
 * 8°.
 */
export const HOLDS_SLOPE: f32 = 0.21;

// Seams between bodies.
/** 1 minus the cosine of 0.06°. A contact whose normal differs by less from that of a box's face may be one with its interior. */
export const LEVEL_NORMALS: f32 = 5e-7;
/** Sine of 0.01°. Normals that differ by less count as equal: what slides for a metre then rises by 0.2 mm. */
export const LEVEL_TILT: f32 = 2e-4;
/** Share of the half extent. Contacts nearer to the edge of a face are at its rim. */
export const RIM: f32 = 0.05;
/** m. The same. */
export const LEAST_RIM: f32 = 2e-3;
/** m/s. A body that moves slower over a dynamic body does not slide on to the next one. */
export const SEAM_STILL: f32 = 5e-3;
/**
 * Share of the speed of the sliding body. A slower dynamic body counts as stationary, so that in a heap none
 * does.
 */
export const SEAM_STANDS: f32 = 0.1;
/**
 * Cosine, slightly beyond a right angle. Normals of hidden contacts do not point farther below the plane
 * that hides them.
 */
export const HIDDEN_BELOW: f32 = -0.05;
/** Share of the size of the smaller shape. A neighbour that rises less above the plane is level with it. */
export const SEAM_LEVEL: f32 = 1e-3;
/**
 * Share of the contact breaking threshold. Neighbours that rise more are a step, whatever the size of the
 * shapes, if none of them is dynamic.
 */
export const SEAM_STEP: f32 = 0.01;
/** The same if a neighbour is dynamic and sinks in under its load. */
export const SEAM_GIVING_STEP: f32 = 0.05;
/** Share of the size of M: error of a plane, whose normal is not exact, at the place where M touches. */
export const SEAM_FAR: f32 = 0.01;
/** Share of the size of M. A body that has sunk in deeper does not stand on the plane. */
export const SEAM_SUNK: f32 = 0.1;
/** Cosine of 25°. A face that slopes up by less continues the surface of the face before it. */
export const SEAM_SLOPE: f32 = 0.906;

// Sleeping.
/** m. A body that a force or motor moves farther within the rest time is not at rest, however slow it is. */
export const DRIVEN_DISTANCE: f32 = 2e-5;
/**
 * Share of the coordinates: motion of a resting body that is the rounding of its position, four units in the
 * last place of f32.
 */
export const REST_ROUNDING: f32 = 5e-7;
/** Share of the deactivation time during which a body must stay near one place. */
export const STAY: f32 = 0.5;

// Step context and integration.
/**
 * m/s. A faster contact is an impact, whose impulse must not warm start the next substep (restitution.ts).
 */
export const IMPACT_SPEED: f32 = 0.5;
/**
 * m/s². With a stronger gravity the setting `contactPushSpeed` grows in proportion, so that a contact yields to the load of as
 * many weights. At this one it is reached at some 60 weights, where HIGH_LOAD makes contacts firm.
 */
export const USUAL_GRAVITY: f32 = 9.81;
/**
 * Least speed at which a body that contacts turn back vibrates at rest, as a share of what forces add to its speed in a step. A
 * slower one moves by less than 0.2 mm per step at 60 Hz.
 */
export const LEAST_RATTLE: f32 = 0.06;
/** The same, largest speed. A faster body has fallen or was hit. */
export const MOST_RATTLE: f32 = 1;
/** Impulse that marks a high mass ratio, in weights of the lighter body. */
export const HIGH_LOAD: f32 = 64;
/** The same without gravity: what makes contacts yield by this share of the breaking threshold, as HIGH_LOAD does on earth. */
export const WEIGHTLESS_SAG: f32 = 0.22;
/** The same of a contact that may belong to a tower, or to a jointed body that bears for others. */
export const TOWER_LOAD: f32 = 4;
/** Manifolds among which the load between bodies of several shapes is expected to be shared. */
export const TOWER_PATCHES: f32 = 4;
/** (rad/s)². At a lower angular speed (0.01 rad/s) the gyroscopic term of one step is below 1e-6 rad/s. */
export const GYROSCOPIC_SPEED_SQUARED: f32 = 1e-4;
/**
 * Least moment about an axis of symmetry, in moments across it. Others are rotated as if all moments were different, since the
 * difference of the two would round away the smaller.
 */
export const SLIMMEST_TOP: f32 = 1e-6;
/** The greatest; of a solid it is at most 2. */
export const FLATTEST_TOP: f32 = 4;
/**
 * (rad/s)². The same for bodies that contacts or joints hold: at 0.1 rad/s it is below 2e-4 rad/s, less than
 * the accuracy of contacts.
 */
export const HELD_GYROSCOPIC_SPEED_SQUARED: f32 = 1e-2;
/**
 * Square of the rotation in a step, rad², times the ratio of the largest to the smallest moment. See
 * outrunsInertia.
 */
export const MOST_OUTRUN: f32 = 0.25;
/**
 * rad² per step, up to 1 rad/s at 60 Hz. The direction of the gyroscopic term is then exact to a hundredth.
 */
export const SLOW_TURN_SQUARED: f32 = 2.8e-4;
/** rad² per substep, up to 6 rad/s at 300 Hz: the same for bodies that contacts or joints hold. */
export const HELD_TURN_SQUARED: f32 = 4e-4;
/**
 * m/s² and rad/s². The motion of a kinematic body counts as smooth below this acceleration, which friction
 * cannot exceed.
 */
export const SMOOTH: f32 = 30;
/** rad. What touches a kinematic body that rotates farther in a step is no longer near its plane at the end: it is not taken along. */
export const MOST_TILT: f32 = 1;
/**
 * rad. How far the rotation vectors of substeps may be from commuting before a jointed body is rotated by
 * substeps.
 */
export const COMMUTING: f32 = 2e-5;

// Substeps.
/**
 * Largest ratio of the lengths of two steps up to which the loads of one are taken for those of the next: 1/60 s and 1/4 s. What a
 * far shorter step leaves is mostly rounding and corrections; scaled by 1,000, it blew pyramids apart.
 */
export const MOST_LENGTHENED: f32 = 16;
/** rad. Largest rotation of an arm per substep, expected of an impact; half of it per round in which joints are closed. */
export const MOST_ARM_TURN: f32 = 0.5;
/**
 * rad. Largest rotation per substep of an arm that swings already. Impulses act along the directions at the start of the
 * substep: at 0.3 rad a folded chain of 40 rods loses half of its energy when it cracks like a whip, at 0.1 rad 2 %. In
 * Bullet's profiles, where a substep is a whole step, of any arm: with more, a falling closed chain of 24 links opens, and
 * one with cone joints jumps about.
 */
export const MOST_SWING: f32 = 0.1;
/**
 * rad. Largest nutation per substep of a top on a point, or of a rotor in a light frame: its free rotation and its constraint
 * are solved one after the other (solver/nutation.ts).
 */
export const MOST_NUTATION: f32 = 0.15;
/**
 * Largest squared substep, as a share of r/g, the squared time in which a body of radius r tips over. Card houses of 3 to 7
 * storeys, of cards of 3 to 88 cm, begin to sway at 10e-4 to 30e-4.
 */
export const LONGEST_SWAY: f32 = 8e-4;
/** Share of the largest moment of inertia by which the other two together may exceed it; 2 thickness² / diagonal². */
export const PLATE: f32 = 0.02;
/** Least product of the shares of its other moments of inertia in the largest one; (length · width / diagonal²)². */
export const PLATE_WIDTH: f32 = 0.07;
/** Cosine of the angle between the normal of a plate and the vertical, below which it stands. */
export const STANDING: f32 = 0.7;
/** Share of sqrt(g r). A faster plate falls. */
export const SWAY_SPEED: f32 = 0.1;
/** Share of the bounding radius. What spins on a hinge whose axis passes its centre closer than this is a rotor. */
export const ON_AXLE: f32 = 0.1;
/** Sine or cosine of the angle between an axis and a direction about which a hinge on it counts as free. */
export const TURNS_FREE: f32 = 0.5;
/** m. Shorter arms cause no position error at their end. */
export const SHORT_ARM: f32 = 1e-4;
/**
 * Share of the inner radius. If a jointed body is pressed deeper into a surface, its contacts have failed
 * against its joints.
 */
export const DEEP: f32 = 0.4;

// Contacts in the solver, impacts, loads.
/** Lever arms follow the bodies until this share of 1/m is added to the response of a contact point. */
export const ARM_RESPONSE: f32 = 0.2;
/** m/s at the lever arm. A patch that rotates slower about its normal is treated as sliding only. */
export const SLOW_SPIN: f32 = 0.01;
/** Share of the fastest approach. Slower points do not count as approaching. */
export const IMPACT_APPROACH: f32 = 1e-3;
/** Share of the fastest approach. Sweeps that change no speed by more have converged. */
export const IMPACT_CONVERGED: f32 = 1e-6;
/** m/s. A slower approach is resting contact. */
export const RESTING_APPROACH: f32 = 1e-4;
/**
 * (m/s)². If other constraints changed a body's velocity by more, it is held: more than two bodies take part
 * in its impacts.
 */
export const HELD_SQUARED: f32 = 1e-6;
/** Squared share of the load. The passes end when one changes less. */
export const LOAD_CONVERGED: f32 = 1e-12;
/** m. Least lever arm with which a drive that turns presses. */
export const LEAST_LEVER: f32 = 0.01;
/**
 * In weights of all bodies in contacts of high mass ratio. A larger impulse comes from squeezing, not from a
 * load.
 */
export const MOST_WEIGHTS: f32 = 6;
/**
 * Share of the penetration that is removed per substep in contacts of high mass ratio and of towers. They are rigid: the
 * usual softness, which helps neighbours that push each other sideways, would yield by centimetres under a
 * thousandfold load.
 */
export const FIRMNESS: f32 = 0.03;

// Towers.
/** Bodies. The rest of a higher tower is left to the passes. */
export const MOST_TOWER: i32 = 512;
/** Bodies. New contacts make a tower of at least as many, as long as nothing is known of their loads. */
export const LEAST_TOWER: i32 = 8;
/** In TOWER_LOAD weights of its own bodies. A tower that bears more carries others. */
export const MOST_FOREIGN: f32 = 2;
/** Cosine of the angle between a normal and the vertical from which on a body rests on another. */
export const REST_SLOPE: f32 = 0.5;
/** In radii of the upper body. Faces farther apart do not touch yet. */
export const FACE_GAP: f32 = 5e-4;
/** In inner radii of the upper body. A face at a larger distance belongs to a body below the next one. */
export const BEYOND: f32 = 0.5;
/** Cosine of the angle up to which the normals of manifolds are those of one face. */
export const SAME_FACE: f32 = 0.9999;

// Joints: rows.
/**
 * m/s and rad/s. Speed at which large errors are removed, such as a limit set beyond the current position.
 */
export const MOST_LIMIT_PUSH: f32 = 10;
/** rad. A limit whose gap is smaller has its row in each substep. */
export const NEAR_LIMIT: f32 = 0.03;
/** Hz. Frequency of rigid locks that are solved in passes. */
export const STIFF_HERTZ: f32 = 60;
/** Their damping ratio. */
export const STIFF_DAMPING: f32 = 2;
/**
 * What a lock with Bullet's erp, and no relax pass, loses of its impulse per substep, as a multiple of the share of its error that
 * it removes. 1 would do for a chain at rest (keptOf in rows.ts), not for one that swings.
 */
export const ERP_LEAK: f32 = 2;
/** 1 + the cosine of the swing of a cone-twist below which it has no twist: 18° from pointing back. */
export const LEAST_OPENING: f32 = 0.05;
/** Sine of the swing of a cone-twist below which its direction is rounding. */
export const LEAST_SWING: f32 = 1e-6;
/** Share of the narrower half angle. So near the axis of a cone, its narrower side counts as the nearest. */
export const MIDDLE_OF_CONE: f32 = 1e-4;
/** rad. By so little the normal of a cone's limit may turn before it is measured again. */
export const KEPT_NORMAL: f32 = 0.06;
/** rad. A cone of 0 is locked within half a degree. */
export const LEAST_SPAN: f32 = 0.01;
/** Cosine of the middle Euler angle: 1.1° from the singularity, where the outer axes are parallel. */
export const SMALLEST_COSINE: f32 = 0.02;

// Joints: structures solved directly.
/** m/s and rad/s. Remaining error of a lock that is accepted: a third of a micrometre per substep. */
export const LOCK_TOLERANCE: f32 = 1e-3;
/** The same with drives: eight locks in a row of metres move the body at their end by ten times as much. */
export const LOCK_FINE: f32 = 3e-4;
/** Share of the position error that is removed per substep. */
export const LOCK_SHARE: f32 = 0.5;
/** Share of the error. If a sweep leaves more, the factors are computed again. */
export const LOCK_SLOW: f32 = 0.1;
/**
 * m/s and rad/s. Error that drives may leave at locks: a body with a thousand times a link's mass that hits
 * a limit needs current factors.
 */
export const LOCK_ROUGH: f32 = 0.05;
/** m/s and rad/s. Error that requires another round before contacts act. */
export const LOCK_STRUCK: f32 = 1;
/** m/s and rad/s. Errors of locks above which the rate of their removal is checked. */
export const LOCK_FAR: f32 = 1;
/**
 * Share of the impulses of a redundant structure that warm starts a substep, so that impulses without effect
 * on the motion decay.
 */
export const LOOP_KEEP: f32 = 0.95;
/** rad per substep. At slower rotation an arm of a metre moves its end by less than 2 µm off its tangent. */
export const SLOW_SWING: f32 = 0.002;
/** Share of the diagonal of a structure's matrix that is added to it. */
export const PIVOT_SOFTENING: f32 = 1e-6;
/**
 * The same for redundant structures (closed loops, chains held at both ends). Their pivots of 1e-6 are
 * rounding errors; the impulses that these gave grew from step to step until a bridge at rest exploded. With 2e-4 a scissor lift of
 * five stages sank under its own weight, and a taut bridge of hinges shook at 0.8 m/s; with 5e-6 one that is hit at 1 km/s stays open.
 */
export const LOOP_SOFTENING: f32 = 2e-5;
/**
 * Share of the largest response that a row of the joint could have, below which its softening does not shrink. An anchor almost along
 * its arm on a body that only turns pressed with 1e18 N.
 */
export const LEAST_LEVERAGE: f32 = 0.01;
/** rad. Rotation of bodies up to which factors of their structure are reused. */
export const FACTORS_TURN: f32 = 0.05;
/** h² tr(I⁻¹K), two directions. The tension may grow eightfold in a substep before links become unstable. */
export const MOST_STIFFENING: f32 = 1;
/** h² tr(I⁻¹K) of the motion across ropes, two directions: h²K/m of a body between two of them is half. Substeps need less than 2. */
export const MOST_SWAY: f32 = 1;
/** How many times the momentum of a rope's lighter end the speeds may have that the rows across it keep, besides those of the whole string. */
export const HEAVIER: f32 = 1;
/** h²K/m across a rope that a jerk brings within a substep, beyond twice what was foreseen, from which on the substep is solved again. */
export const TIGHTENED: f32 = 0.25;
/** h² tr(I⁻¹K). Above it factors of an earlier substep would hold links in place: ωh = 0.15. */
export const TAUT: f32 = 0.05;

// Joints: drives.
/** rad or m. A limit takes part in the solution of drives if its gap is smaller. */
export const NEAR_DRIVEN_LIMIT: f32 = 0.005;
/**
 * m/s and rad/s. A limit that is hit faster has an impact, whose impulse must not warm start the next
 * substep.
 */
export const LIMIT_IMPACT_SPEED: f64 = 0.25;
/**
 * Share of a row's response without locks that is added to its response, against rounding if locks leave it
 * none.
 */
export const DRIVE_SOFTENING: f64 = 1e-6;
/** m/s and rad/s. Drives whose impulses change the speed of their own row by less have converged. */
export const DRIVE_TOLERANCE: f64 = 1e-5;

// Continuous collision: time of impact.
/**
 * Share of the last distance. If the distance is still larger, the shapes approach slowly, and the axis is
 * extrapolated.
 */
export const TOI_SLOW: f32 = 0.3;
/** The axis is extrapolated by at most this many of the last steps, ... */
export const TOI_MOST_AHEAD: f32 = 16;
/** ... and at least by this share of one. */
export const TOI_LEAST_AHEAD: f32 = 0.25;
/** Share of the gap that an extrapolated axis must still show. */
export const TOI_KEPT: f32 = 0.1;
/** m. Distance of the shapes at the time of impact. A larger gap of joints that the impact opened is closed (closeJoints.ts). */
export const IMPACT_DISTANCE: f32 = 2e-4;
/**
 * m. Shapes that stay farther apart have no impact: timeOfImpact stops within half of the target above it.
 */
export const CLEAR: f32 = 1.5 * IMPACT_DISTANCE;
/** m/s. Slower approaches of shapes that already touch are left to contacts. */
export const TOUCHING_APPROACH: f32 = 0.01;
/** Share of the inner radius. Largest penetration from which a sweep can start. */
export const MOST_SINK: f32 = 0.25;
/** m. The same. */
export const MOST_SINK_ABSOLUTE: f32 = 1e-3;
/**
 * Share of the inner radius. A sphere of this size must not pass even through shapes that the body already
 * touches.
 */
export const CCD_CORE_SHARE: f32 = 0.5;
/** m. Offset of a body in contact for its sweep (continuous/sweep.ts). */
export const CONTACT_OFFSET: f32 = 2e-3;
/**
 * Share of the inner radius. Limit of the offset; thin bodies without an inner radius are moved by at most
 * TOUCH.
 */
export const MOST_OFFSET: f32 = 0.1;

// Continuous collision: impacts and joints.
/** Share of the step. Impacts at shorter intervals are rattling, and count three times. */
export const RATTLING: f32 = 0.02;
/**
 * m. Points of the manifold that are up to this much farther than the nearest one take part in the impact.
 */
export const IMPACT_TOGETHER: f32 = 5e-4;
/** m. Distance of the bodies after an impact, so that their next impact can be found. */
export const IMPACT_GAP: f32 = 2 * IMPACT_DISTANCE;
/** m/s. Bodies that separate slower than this after an impact stay in contact. */
export const IMPACT_RESTS: f32 = 0.05;
/** Cosine of 3°. Surfaces that face each other with a smaller angle are hit together. */
export const IMPACT_ALIGNED: f32 = 0.9986;
/** Share of the inverse mass of the heavier body that is at least assumed along n. */
export const LEAST_STRAIGHT: f32 = 0.01;
/** Share of the impulses. Sweeps that change them by less have converged. */
export const TWO_CONVERGED: f32 = 1e-5;
/** Share of the step that stands for the way of a correction, at whose end all others have arrived. */
export const LATE: f32 = 0.99;

// Areas.
/** (ω·dt)² of a floating body above which the step is too long for it. */
export const STIFF_WATER: f32 = 1;
/**
 * Rays of an explosion to a body: one to the middle of its AABB, the others towards the sides of its AABB at
 * this share of its half size.
 */
export const RAYS_ASIDE: f32 = 0.5;
/** Their number. */
export const RAYS: f32 = 7;

// Mathematics.
/** Share of the mean diagonal that is added. */
export const DEFINITE: f64 = 1e-6;
/** Share of the largest r and p. Smaller values count as 0. */
export const TINY_SHARE: f64 = 1e-7;

// Values that stand for none.
/**
 * Any unit. Stands for infinity: a time or distance of what never meets, a bound of what has none. Sums and
 * products of a few of them stay finite in f32.
 */
export const INFINITE: f32 = 1e30;
/** m. A limit of distances that accepts each, but not INFINITE. */
export const ANY_DISTANCE: f32 = 1e29;
/** 1/kg. Softness of rows across ropes that do not pull; a power of 2, so that its reciprocal is exact. */
export const SLACK: f32 = 1125899906842624;
/** Fraction of a path that meets nothing: more than 1. */
export const MISS: f32 = 2;
