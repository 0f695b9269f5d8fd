// Continuous collision detection: a CCD body, the motion of a shape, and its impact with another shape.

/** A CCD body: the part of its path in this step that is not yet resolved. @unmanaged */
export class CcdBody {
  position: v128; // centre of mass at the start of this part
  rotation: v128;
  delta: v128; // displacement from there to the end of the step
  turn: v128; // rotation vector
  linear: v128; // velocity at the start of this part
  angular: v128;
  acceleration: v128; // m/s, change of the linear velocity over a whole step
  contactOffset: v128; // displacement away from its support (contactOffset.ts)
  slides: v128; // normal of the surface along which it slides after too many impacts
  normal: v128; // of the next impact, from this body's shape to the other shape
  point: v128;
  plannedPosition: v128; // where the solver left the body
  plannedRotation: v128;
  time: f32; // fraction of the step at which this part starts
  next: f32; // fraction of the step at its next impact, above 1: none
  slot: i32;
  shape: i32; // its shape that has the impact
  other: i32; // shape that it hits
  impacts: i32;
  flags: i32; // CCD_*
  triangle: i32; // of the mesh or heightfield that it hits next
  carrier: i32; // slot of the kinematic body that it hit last, 0: none
  nextPending: i32; // index plus one of the next entry that may have an impact; −1: the last, 0: not in this list
}

/** Motion of a shape over a time from 0 to 1, with constant linear and angular velocity. @unmanaged */
export class Motion {
  position: v128; // of the shape's origin at the start
  rotation: v128; // of the shape at the start
  arm: v128; // from the centre of rotation to the shape's origin at the start
  delta: v128; // displacement of the centre of rotation
  turn: v128; // rotation vector about that centre; can be longer than 2π
}

/** Result of timeOfImpact. @unmanaged */
export class Impact {
  normal: v128; // unit, from A to B, at the fraction returned
  point: v128; // midway between the closest points at that fraction
  separation: f32; // m, at that fraction
  state: i32; // IMPACT_*
  iterations: i32; // number of distances computed
  evaluations: i32; // number of separations along an axis computed
}
