// The four bodies of a lane group. In: four slots. Out: their records, whose fields @wide functions read as rows.

import { Body, BodyVelocity } from './records';
import { bodyAt, velocityAt } from './tables';

/** Records of four bodies. `velocities.linear` gives four rows. @lanes */
export class Velocities {
  r0: BodyVelocity;
  r1: BodyVelocity;
  r2: BodyVelocity;
  r3: BodyVelocity;
}

/** @lanes */
export class Bodies {
  r0: Body;
  r1: Body;
  r2: Body;
  r3: Body;
}

/** @wide */
export function velocitiesAt(slots: v128): Velocities {
  return new Velocities(
    velocityAt(i32x4.extract_lane(slots, 0)),
    velocityAt(i32x4.extract_lane(slots, 1)),
    velocityAt(i32x4.extract_lane(slots, 2)),
    velocityAt(i32x4.extract_lane(slots, 3)),
  );
}

/** @wide */
export function bodiesAt(slots: v128): Bodies {
  return new Bodies(
    bodyAt(i32x4.extract_lane(slots, 0)),
    bodyAt(i32x4.extract_lane(slots, 1)),
    bodyAt(i32x4.extract_lane(slots, 2)),
    bodyAt(i32x4.extract_lane(slots, 3)),
  );
}
