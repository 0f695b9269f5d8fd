// Shapes, and the headers of shared geometry: hulls, point sets, meshes, heightfields.

/** @unmanaged */
export class Shape {
  localPosition: v128; // in the body frame (relative to its origin, not to the centre of mass)
  localRotation: v128;
  position: v128; // world, refreshed by updateAabbs
  rotation: v128; // world
  aabbMin: v128; // fat, as stored in the tree
  aabbMax: v128;
  param0: f32;
  param1: f32;
  param2: f32;
  param3: f32;
  radius: f32; // m, of the bounding sphere about the shape's origin
  margin: f32;
  friction: f32;
  restitution: f32;
  rollingFriction: f32;
  spinningFriction: f32;
  type: i32;
  flags: i32;
  slot: i32;
  generation: i32;
  body: i32; // slot
  next: i32; // next shape of the same body, 0 none
  tree: i32; // 0 moving, 1 static and sleeping, -1 in no tree
  leaf: i32; // handle inside the tree
  group: i32; // copies of the body's collision filter, unless SHAPE_OWN_FILTER
  mask: i32;
  userIndex: i32;
  movedIndex: i32; // index into World.moved, -1 none
  geometry: u32; // address of the geometry record for this shape type, 0 none
  geometrySlot: i32; // its slot in World.geometries, 0 none
}

/**
 * A shape's fat box once more, and its size. Pairs compare them in any order, and in their own table few cache lines hold them.
 * @unmanaged
 */
export class FatBox {
  min: v128; // lane 3: minus the size, so that boxes overlap in four lanes if they do in three
  max: v128; // lane 3: m, convexSize; infinite if the shape is not convex
}

/**
 * Surface velocity or one-way direction of a shape. World.surfaces has a row for each such shape, sorted by shape slot,
 * with the words of SET_SURFACE. Vectors are in the frame of the shape's body. @unmanaged
 */
export class Surface {
  shape: i32; // slot
  linearX: f32; // m/s, of the surface relative to its body
  linearY: f32;
  linearZ: f32;
  angularX: f32; // rad/s about the body's origin
  angularY: f32;
  angularZ: f32;
  wayX: f32; // unit; bodies that move along it pass through the shape; 0: no body does
  wayY: f32;
  wayZ: f32;
  reserved0: i32;
  reserved1: i32;
}

/**
 * Effect of a sensor on the bodies inside. World.areas has a row for each such shape, sorted by shape slot, with the
 * words of SET_AREA. Vectors are in the frame of the shape's body. @unmanaged
 */
export class Area {
  shape: i32; // slot
  flags: i32; // AREA_*
  priority: i32;
  gravityX: f32; // m/s²
  gravityY: f32;
  gravityZ: f32;
  attraction: f32; // m/s² towards the shape's origin, at `distance`
  distance: f32; // m
  falloff: i32; // beyond `distance` the attraction falls with this power of the distance: 0, 1, 2
  velocityX: f32; // m/s, of the medium that exerts drag
  velocityY: f32;
  velocityZ: f32;
  linearDrag: f32; // 1/s
  quadraticDrag: f32; // 1/m
  angularDrag: f32; // 1/s
  density: f32; // kg/m³, of the liquid; 0 none
  level: f32; // m along the body's y axis, of the liquid's surface
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
}

/**
 * A cooked hull, shared by shapes and never changed. Tables follow the header: vertices in blocks of four (x, y, z of
 * four each), planes in blocks of four (normal x, y, z and distance of four each), both padded with copies of the last
 * one. Then as i32: the index of the first corner of each face, and one past the last; the corners, vertices
 * counter-clockwise from outside; the edges, one per two corners: vertices from and to (6 bits each), then the faces to
 * the left and right seen from outside (7 bits each). @unmanaged
 */
export class HullGeometry {
  vertexCount: i32;
  faceCount: i32;
  cornerCount: i32;
  radius: f32; // m, of the bounding sphere about the origin
  hashLow: i32; // hash of the content
  hashHigh: i32;
  reserved0: i32;
  reserved1: i32;
}

/**
 * Points with radii, relative to the centre of mass, for triangles (3 points, radius 0) and multi-spheres. One f32x4
 * (x, y, z, radius) per point follows. @unmanaged
 */
export class PointGeometry {
  count: i32;
  least: f32; // m, smallest radius of a point: the rounding radius around the core shape
  reserved1: i32;
  radius: f32; // m, of the bounding sphere about the origin
  hashLow: i32;
  hashHigh: i32;
  reserved2: i32;
  reserved3: i32;
}

/**
 * A cooked triangle mesh. Tables follow the header: MeshNode[nodeCount] (node 0 is the root); vertices f32x4 (x, y, z,
 * 0); triangles i32x4 (corners a, b, c, TRIANGLE_* bits); neighbours i32x4 (triangle beyond ab, bc, ca or −1, and the
 * triangle's number in the user's order); coefficients f32x4 per material (friction, restitution, rolling and spinning
 * friction; negative: that of the shape). Coordinates are unscaled: see Shape.param0. @unmanaged
 */
export class MeshGeometry {
  vertexCount: i32;
  triangleCount: i32;
  nodeCount: i32;
  flags: i32; // CONCAVE_*
  hashLow: i32;
  hashHigh: i32;
  depth: i32; // of the tree
  materialCount: i32;
  boundsMin: v128;
  boundsMax: v128;
  radius: f32; // m, about the origin
  coefficientCount: i32; // number of materials in the last table
  reserved1: i32;
  reserved2: i32;
}

/** Four AABBs side by side. @unmanaged */
export class MeshNode {
  minX: v128;
  minY: v128;
  minZ: v128;
  maxX: v128;
  maxY: v128;
  maxZ: v128;
  child: v128; // i32x4: > 0 node; < 0 leaf: −child − 1 = first triangle × 8 + count − 1; 0 empty (bounds +inf..−inf)
}

/**
 * Heights over a grid that is centred on the origin. Tables follow the header, each at a multiple of 16 bytes: heights
 * f32[rows × columns]; cells u8[(rows − 1) × (columns − 1)], CELL_* bits; lowest and highest height f32[2] of every
 * tile of TILE_CELLS × TILE_CELLS cells, or nothing; coefficients as in a mesh. Columns, height, rows lie along y, x, z
 * (upAxis 0), x, y, z (1) or x, z, y (2). @unmanaged
 */
export class HeightfieldGeometry {
  rows: i32;
  columns: i32;
  flags: i32; // CONCAVE_*
  upAxis: i32;
  hashLow: i32;
  hashHigh: i32;
  minHeight: f32;
  maxHeight: f32;
  spacingX: f32; // m between columns
  spacingZ: f32; // m between rows
  materialCount: i32;
  tileCount: i32;
  radius: f32; // m, about the origin
  coefficientCount: i32; // number of materials in the last table
  reserved1: i32;
  reserved2: i32;
}
