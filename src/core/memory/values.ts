// What belongs together, passed as one parameter: see scripts/value-classes.mjs. None of these is an object in memory.

import { Body, Motion, Shape } from './records';

/** An axis-aligned box. @value */
export class Box {
  min: v128;
  max: v128;
}

/** A box, each bound in all four lanes: for tests of four boxes at once. @value */
export class BoxLanes {
  minX: v128;
  minY: v128;
  minZ: v128;
  maxX: v128;
  maxY: v128;
  maxZ: v128;
}

/** Coordinates as JavaScript gives them. @value */
export class Point {
  x: f32;
  y: f32;
  z: f32;
}

/** A segment as JavaScript gives it. @value */
export class Ends {
  from: Point;
  to: Point;
}

/** A place and the path from there. @value */
export class Path {
  from: v128;
  delta: v128;
}

/** Corners of a triangle, counter-clockwise. @value */
export class Corners {
  a: v128;
  b: v128;
  c: v128;
}

/** Which shapes a query sees: ASK_NO_SENSORS and so on in `flags`. @value */
export class Filter {
  group: i32;
  mask: i32;
  skip: i32; // slot of a body
  flags: i32;
}

/** Two shapes, A first. @value */
export class Shapes {
  a: Shape;
  b: Shape;
}

/**
 * How far apart two shapes can be that get contact points in this step, in m: along their normal `still`, or as far as they
 * come nearer along it if that is more. `turning`: how far rotation moves their points; `way`: displacement of B relative to A,
 * world; `most`: of a single point. @value
 */
export class Reach {
  most: f32;
  still: f32;
  turning: f32;
  way: v128;
}

/** Two bodies, A first. @value */
export class Bodies {
  a: Body;
  b: Body;
}

/** Two shapes, and how they move. @value */
export class MovingShapes {
  a: Shape;
  b: Shape;
  motionA: Motion;
  motionB: Motion;
}

/** A vector in double precision. @value */
export class Vector64 {
  x: f64;
  y: f64;
  z: f64;
}

/** @value */
export class Cell {
  row: i32;
  column: i32;
}

/** Columns of a matrix, or three vectors that belong together. @value */
export class Columns {
  c0: v128;
  c1: v128;
  c2: v128;
}

/** Offsets in bytes of the components along an axis, and along the two that follow it. @value */
export class Axes {
  a: usize;
  b: usize;
  c: usize;
}
