// Continuous collision: a CCD body, the motion of a shape, and its impact with another.

/** A CCD body: the unresolved part of its path in this step. @unmanaged */
export class CcdBody {
  position: v128; // centre of mass at the start of this part
  rotation: v128;
  delta: v128; // from there to the end of the step
  turn: v128; // rotation vector
  linear: v128; // velocity at its start
  angular: v128;
  acceleration: v128; // change of the linear velocity over a whole step
  contactOffset: v128; // contact offset: displacement away from its support (contactOffset.ts)
  slides: v128; // normal of the surface it slides along, after too many impacts
  normal: v128; // of the next impact, from this body's shape to the other
  point: v128;
  time: f32; // fraction of the step at which this part starts
  next: f32; // fraction of its next impact, above 1: none
  slot: i32;
  shape: i32; // its shape that hits ...
  other: i32; // ... this one
  impacts: i32;
  flags: i32; // CCD_*
  triangle: i32; // of a mesh or heightfield at the next impact
}

/**
 * The motion of a shape over a time from 0 to 1: constant linear and angular velocity.
 * @unmanaged
 */
export class Motion {
  position: v128; // of the shape's origin at the start
  rotation: v128; // of the shape at the start
  arm: v128; // from the centre of turning to the shape's origin at the start
  delta: v128; // path of the centre of turning
  turn: v128; // rotation vector about that centre; may be longer than a whole turn
}

/** Result of timeOfImpact. @unmanaged */
export class Impact {
  normal: v128; // unit, from A to B, at the fraction returned
  point: v128; // midway between the nearest points then
  separation: f32; // then
  state: i32; // IMPACT_*
  iterations: i32; // distances computed
  evaluations: i32; // separations along an axis computed
}
