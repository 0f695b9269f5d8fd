// Characters: see actors/character.

/** A character. Its key is the slot of the kinematic body that it moves. Vectors are in world axes. @unmanaged */
export class Character {
  body: i32;
  // Settings, as in the command setCharacter.
  options: i32; // CHARACTER_*
  upX: f32; // unit, away from the ground
  upY: f32;
  upZ: f32;
  offset: f32; // m, gap that it keeps
  climbCosine: f32; // of the steepest slope that it climbs
  standCosine: f32; // of the steepest slope on which it stands
  stepHeight: f32; // m
  stepWidth: f32; // m
  snapDistance: f32; // m
  gravity: f32; // m/s²
  fallSpeed: f32; // m/s
  jumpSpeed: f32; // m/s
  airJumps: i32;
  mass: f32; // kg
  pushForce: f32; // N
  swimDrag: f32; // 1/s
  buoyancy: f32; // share of its weight that a liquid carries
  group: i32;
  mask: i32;
  ladders: i32; // groups of bodies that are ladders
  standing: i32; // number of the body's shapes that it has when it does not crouch; the others are for crouching
  // Inputs, as in the command setCharacterInput.
  mode: i32; // CHARACTER_WALKS, ...
  asks: i32; // CHARACTER_ASKS_*
  moveX: f32; // m/s, wanted velocity
  moveY: f32;
  moveZ: f32;
  turn: f32; // rad/s about `up`
  jump: f32; // m/s, speed of the jump that is asked for; 0 none, −1: jumpSpeed
  launchX: f32; // m/s, added to its velocity in the next update
  launchY: f32;
  launchZ: f32;
  // State.
  flags: i32; // CHARACTER_IS_*
  ground: i32; // slot of the body on which it stands, 0 none
  groundGeneration: i32;
  groundShape: i32; // slot
  jumpsLeft: i32; // in the air
  lift: f32; // m along `up`, from its position to where it is drawn
  liftSpeed: f32; // m/s
  stairs: f32; // s during which the drawn height is smoothed
  pull: f32; // m/s², gravity in the last update
  touched: i32; // number of shapes in the list
  touched0: i32; // slots of shapes that it touched in the last update
  touched1: i32;
  touched2: i32;
  touched3: i32;
  touched4: i32;
  touched5: i32;
  touched6: i32;
  touched7: i32;
  up: v128; // unit
  localUp: v128; // unit, in the body's frame: what points along `up`
  position: v128; // m, of the body's origin after the last update
  velocity: v128; // m/s in the last update, including that of the ground
  air: v128; // m/s, its own, from falling, jumping and being hit; the wanted velocity is added to it
  carried: v128; // m/s, of the ground at its feet
  shoved: v128; // m/s, what dynamic bodies gave it while it stands
  groundNormal: v128; // unit, at its feet
  groundPoint: v128; // m
  groundPosition: v128; // m, centre of mass of the ground's body after the last update
  groundRotation: v128; // rotation of that body then
  anchor: v128; // m, its position in that body's frame
}

/** What frames carry about a character. @unmanaged */
export class PublishedCharacter {
  key: i32; // slot of its body, plus PUBLISHED_CHARACTER
  words: i32; // of this record
  flags: i32; // CHARACTER_IS_*
  ground: i32; // slot of the body on which it stands, 0 none
  groundGeneration: i32;
  groundShape: i32; // slot
  lift: f32; // m
  velocityX: f32; // m/s
  velocityY: f32;
  velocityZ: f32;
  carriedX: f32; // m/s
  carriedY: f32;
  carriedZ: f32;
  normalX: f32;
  normalY: f32;
  normalZ: f32;
  pointX: f32; // m
  pointY: f32;
  pointZ: f32;
  upX: f32;
  upY: f32;
  upZ: f32;
  touched: i32; // number of shapes in the list
  touched0: i32; // slots
  touched1: i32;
  touched2: i32;
  touched3: i32;
  touched4: i32;
  touched5: i32;
  touched6: i32;
  touched7: i32;
}
