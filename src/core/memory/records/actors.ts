// Records of actors: what is updated inside the step by the module src/core/actors.ts. Each row starts with its key;
// the settings follow in the order of the command that sets them, which is copied as a whole, then the state.

/** A vehicle. Its key is the slot of its chassis. @unmanaged */
export class Vehicle {
  body: i32;
  // Settings, as in the command setVehicle. The vehicle's frame: x to the left, y up, z forward.
  kind: i32; // VEHICLE_*
  automatic: i32; // 1: shifts by itself
  frameX: f32; // rotation of the vehicle's frame in the body's frame
  frameY: f32;
  frameZ: f32;
  frameW: f32;
  torque: f32; // N·m, largest of the engine
  curve0: f32; // share of it at 0, 1/7, … 1 of the largest speed
  curve1: f32;
  curve2: f32;
  curve3: f32;
  curve4: f32;
  curve5: f32;
  curve6: f32;
  curve7: f32;
  idleSpeed: f32; // rad/s
  mostSpeed: f32; // rad/s
  engineInertia: f32; // kg·m²
  engineBraking: f32; // N·m at the largest speed, without throttle
  ratio1: f32; // of the gears, engine to wheels, final drive included; 0: no such gear
  ratio2: f32;
  ratio3: f32;
  ratio4: f32;
  ratio5: f32;
  ratio6: f32;
  ratio7: f32;
  ratio8: f32;
  reverseRatio: f32;
  shiftTime: f32; // s without drive
  shiftUp: f32; // rad/s
  shiftDown: f32; // rad/s
  clutch: f32; // N·m that it can carry
  centreLock: f32; // N·m that the centre differential can move from one axle to the other
  drag: f32; // N/(m/s)²
  downforce: f32; // N/(m/s)²
  steerRate: f32; // 1/s: how fast the steering wheel turns; 0: at once
  steerSpeed: f32; // m/s, speed at which the steering angle is halved; 0: never
  ackermann: f32; // 0 parallel to 1: all wheels turn about one point
  steerOrigin: f32; // m along z, of the line on which that point lies
  turnRate: f32; // rad/s of a tracked vehicle at full lock, if its tracks do not slip
  turnForce: f32; // N that its steering can move from one track to the other
  leanMost: f32; // rad, of a motorcycle
  leanStiffness: f32; // 1/s², of its balance
  leanDamping: f32; // 1/s
  leanTorque: f32; // N·m, largest
  antilock: i32; // 1: brakes do not lock the wheels
  traction: i32; // 1: the engine does not spin them
  // Inputs, as in the command setVehicleInput.
  throttle: f32; // −1 to 1
  brake: f32;
  steerInput: f32; // −1 right to 1 left
  handbrake: f32;
  gearInput: i32; // GEAR_AUTOMATIC: as it likes
  // State.
  gear: i32; // −1 reverse, 0 neutral
  shiftLeft: f32; // s until the gear is in
  engineSpeed: f32; // rad/s
  steering: f32; // share of the full angle, −1 to 1
  speed: f32; // m/s forward
  heldX: f32; // m/s², what contacts and joints did to it in the last step
  heldY: f32;
  heldZ: f32;
  heldTurnX: f32; // rad/s²
  heldTurnY: f32;
  heldTurnZ: f32;
  heldStep: i32; // World.stepCount of that step
  // Rows of tables are multiples of 16 bytes: snapshots read them so.
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
}

/** A wheel. Its key is the slot of the chassis, shifted left by WHEEL_BITS, and the number of the wheel. @unmanaged */
export class Wheel {
  key: i32;
  // Settings, as in the command setWheel.
  positionX: f32; // m, of its centre as designed, in the body's frame
  positionY: f32;
  positionZ: f32;
  radius: f32; // m
  width: f32; // m
  inertia: f32; // kg·m² about its axle
  cast: i32; // WHEEL_*
  group: i32;
  mask: i32;
  preload: f32; // N of the spring as designed
  stiffness: f32; // N/m
  bumpDamping: f32; // N·s/m
  reboundDamping: f32; // N·s/m
  bump: f32; // m upwards of the designed place
  droop: f32; // m downwards
  mostForce: f32; // N of spring and damper
  antiRoll: f32; // N/m against its partner
  partner: i32; // wheel at the other end of the axle, −1 none
  steer: f32; // rad at full lock
  drive: f32; // share of the engine's torque
  brakeTorque: f32; // N·m
  handbrakeTorque: f32; // N·m
  lock: f32; // N·m that the differential can move to the partner
  friction: f32; // largest longitudinal force / load
  sideFriction: f32; // largest lateral force / load
  peakSlip: f32; // where it is
  peakAngle: f32; // tangent of the slip angle where it is
  shape: f32; // C of the Magic Formula
  stiffening: f32; // B of the Magic Formula, for slips in units of that at the peak
  relaxation: f32; // m
  rolling: f32; // rolling resistance / load
  loadSensitivity: f32; // share of friction lost when the load doubles
  nominalLoad: f32; // N
  // State.
  spin: f32; // rad/s
  angle: f32; // rad, turned so far, 0 to 2π
  compression: f32; // m from the designed place
  steerAngle: f32; // rad
  slip: f32; // longitudinal, of the tyre's deflection
  sideSlip: f32; // lateral, tangent of an angle
  load: f32; // N
  force: f32; // N, forward
  sideForce: f32; // N, to the left
  ground: i32; // slot of the body under it plus one, 0 in the air
  groundShape: i32; // slot
  pointX: f32; // of the contact, world
  pointY: f32;
  pointZ: f32;
  normalX: f32;
  normalY: f32;
  normalZ: f32;
  reserved0: i32;
}

/** What frames carry about a vehicle. @unmanaged */
export class PublishedVehicle {
  body: i32; // slot
  words: i32; // of this record and its wheels
  wheels: i32;
  gear: i32;
  engineSpeed: f32; // rad/s
  speed: f32; // m/s
  steering: f32;
}

/** What frames carry about a wheel. @unmanaged */
export class PublishedWheel {
  positionX: f32; // as designed, in the body's frame
  positionY: f32;
  positionZ: f32;
  compression: f32; // m
  steerAngle: f32; // rad
  angle: f32; // rad
  spin: f32; // rad/s
  load: f32; // N
  slip: f32;
  sideSlip: f32;
  force: f32; // N
  sideForce: f32;
  ground: i32; // slot of the body under it plus one, 0 in the air
}
