// A shape query and its results, as they pass between the core and its caller.

/**
 * A shape query, as the caller writes it: this header; for each side a list of its shapes, each either a shape slot or
 * minus the byte offset of a Shape record in the query; those records; and the geometry they use. @unmanaged
 */
export class ShapeQuery {
  delta: v128; // m, displacement of A in a sweep
  kind: i32; // ASK_*
  mode: i32; // QUERY_*
  group: i32;
  mask: i32;
  skip: i32; // slot of a body to ignore, 0 none
  flags: i32; // ASK_SENSORS, ...
  maxHits: i32; // 0: all
  maxDistance: f32; // m
  piecesA: i32;
  piecesB: i32; // 0: test against all shapes of the world
  reserved0: i32;
  reserved1: i32;
}

/** One result of a ShapeQuery. @unmanaged */
export class ShapeHit {
  shape: i32; // slot of the shape that was hit
  body: i32; // slot of its body
  value: f32; // fraction of the sweep, or distance, or separation of a contact point
  pointX: f32; // on the shape that was hit; for a contact: midway
  pointY: f32;
  pointZ: f32;
  normalX: f32; // unit; for a sweep: surface normal of the shape that was hit; otherwise from A to B
  normalY: f32;
  normalZ: f32;
  triangle: i32; // of the shape that was hit, -1 none
  piece: i32; // index of the shape of A
  pointAX: f32; // on A
  pointAY: f32;
  pointAZ: f32;
  triangleA: i32;
  cluster: i32; // number of the contact manifold to which the point belongs
}
