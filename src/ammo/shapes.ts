// btCollisionShape and its simple convex subclasses. In: sizes in Bullet's form. Out: options of the engine's shapes
// (`_parts`), bounds and inertia as Bullet computes them. A shape counts its changes: worlds compare the count before
// each step and rebuild changed shapes.
import type { ShapeOptions } from '../index';
import { bad, derived, finite, number } from './errors';
import { WrapperObject } from './object';
import type { DynamicMeshes } from './options';
import { btVector3, finiteVector, square, vector } from './vector';

export type Triple = [number, number, number];
/** A rotation and a place: rows of a matrix and a vector. */
export interface Place {
  position: Triple;
  rotation: [number, number, number, number];
}

/** Purpose of the engine's shapes. */
export interface Use {
  /** m. Margin of cones and hulls for which none was set. */
  outerMargin: number;
  /** What a mesh collides as on a body that moves. */
  dynamicMeshes: DynamicMeshes;
  /** For a dynamic body: use convex pieces. */
  moving: boolean;
}

export const HERE: Place = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
/** Bullet's CONVEX_DISTANCE_MARGIN. */
const MARGIN = 0.04;
/** Bullet's setSafeMargin: share of the smallest half extent. */
const SAFE_MARGIN = 0.1;

/** Number of changes of all shapes: worlds check single shapes only if it has changed. */
export const changes = { count: 0 };

export abstract class btCollisionShape extends WrapperObject {
  /** @internal */
  readonly _scaling = new btVector3(1, 1, 1);
  /** @internal */
  _margin = MARGIN;
  /** @internal Whether the program has set the margin. */
  _marginGiven = false;
  /** @internal Increases with each change. */
  _version = 0;

  constructor() {
    super();
    derived(this._parts, this);
  }

  /** @internal The engine's shapes; a compound has several. */
  abstract _parts(at: Place, use: Use): ShapeOptions[];

  /** @internal Centre and half extents of the AABB, margin included, as Bullet's getAabb. */
  abstract _bounds(rotation: Float32Array | null): { center: Triple; half: Triple };

  /** @internal Whether only static bodies can have it. */
  get _isConcave(): boolean {
    return false;
  }

  /** @internal */
  _changed(): void {
    this._version++;
    changes.count++;
  }

  setLocalScaling(scaling: btVector3): void {
    const s = finiteVector(scaling, this._name('setLocalScaling'), 'scaling');
    const { _x, _y, _z } = this._scaling;
    if (s._x === _x && s._y === _y && s._z === _z) return;
    if (s._x === 0 || s._y === 0 || s._z === 0)
      throw bad(this._name('setLocalScaling'), 'scaling', 'must not be 0 along an axis', [s._x, s._y, s._z]);
    this._scaling._set(s._x, s._y, s._z, 0);
    this._changed();
  }

  getLocalScaling(): btVector3 {
    return this._scaling;
  }

  /** Without `inertia` nothing is returned, as in ammo.js; programs call it so. */
  calculateLocalInertia(mass: number, inertia: btVector3): void;
  calculateLocalInertia(mass: number): void;
  calculateLocalInertia(mass: number, inertia?: btVector3): void {
    const where = this._name('calculateLocalInertia');
    const m = finite(mass, where, 'mass');
    if (inertia === undefined || inertia === null) return;
    const out = vector(inertia, where, 'inertia');
    const [x, y, z] = this._inertia(m);
    out._set(Math.fround(x), Math.fround(y), Math.fround(z), 0);
    out._changed();
  }

  /** @internal Bullet's rule for shapes without a better one: that of the bounding box. */
  _inertia(mass: number): Triple {
    return boxInertia(mass, this._bounds(null).half, 0);
  }

  setMargin(margin: number): void {
    const value = finite(margin, this._name('setMargin'), 'margin');
    if (value < 0) throw bad(this._name('setMargin'), 'margin', 'must be ≥ 0', margin);
    if (value === this._margin && this._marginGiven) return;
    this._margin = value;
    this._marginGiven = true;
    this._changed();
  }

  getMargin(): number {
    return this._margin;
  }

  /** @internal */
  _name(method: string): string {
    return `${this.constructor.name}.${method}`;
  }
}

/** Moments of inertia of a box whose half extents are enlarged by `margin`. */
export function boxInertia(mass: number, half: Triple, margin: number): Triple {
  const [x, y, z] = half.map((h) => square(2 * (h + margin))) as Triple;
  return [(mass / 12) * (y + z), (mass / 12) * (x + z), (mass / 12) * (x + y)];
}

/** Bounds of a rotated box. */
export function turnedBox(
  center: Triple,
  half: Triple,
  rotation: Float32Array | null,
): { center: Triple; half: Triple } {
  if (rotation === null) return { center, half };
  const row = (v: Triple, i: number, size: (x: number) => number) =>
    size(rotation[3 * i]!) * v[0] + size(rotation[3 * i + 1]!) * v[1] + size(rotation[3 * i + 2]!) * v[2];
  const same = (x: number) => x;
  return {
    center: [row(center, 0, same), row(center, 1, same), row(center, 2, same)],
    half: [row(half, 0, Math.abs), row(half, 1, Math.abs), row(half, 2, Math.abs)],
  };
}

const AXES = ['x', 'y', 'z'] as const;
/** The axis whose scale applies to the radius: x for shapes along y and z, y for those along x. */
const RADIUS_AXIS = [1, 0, 0] as const;

export abstract class btConvexShape extends btCollisionShape {
  /** @internal m. Hulls: margin when Bullet last computed their bounding box, which contains it besides the current one. */
  _boxMargin = MARGIN;

  override setLocalScaling(scaling: btVector3): void {
    super.setLocalScaling(scaling);
    this._boxMargin = this._margin;
  }

  /** @internal As Bullet's constructors of boxes and cylinders: thin shapes get a margin of a tenth of their smallest half. */
  protected _safeMargin(half: Triple): void {
    this._margin = Math.min(MARGIN, Math.fround(SAFE_MARGIN * Math.min(...half)));
  }

  /** @internal m. Margin of cones and hulls: that of the program if set, otherwise the world's. */
  _outerMargin({ outerMargin }: Use): number {
    return this._marginGiven ? this._margin : outerMargin;
  }

  /** @internal The farthest point along a unit direction for round shapes; otherwise that of the bounding box. */
  _support([x, y, z]: Triple): Triple {
    const { center, half } = this._bounds(null);
    return [
      center[0] + (x < 0 ? -half[0] : half[0]),
      center[1] + (y < 0 ? -half[1] : half[1]),
      center[2] + (z < 0 ? -half[2] : half[2]),
    ];
  }
}

export class btBoxShape extends btConvexShape {
  /** @internal */
  readonly _half: Triple;

  constructor(boxHalfExtents: btVector3) {
    super();
    const v = finiteVector(boxHalfExtents, 'btBoxShape', 'boxHalfExtents');
    this._half = sizes(v, 'btBoxShape', 'boxHalfExtents');
    this._safeMargin(this._half);
  }

  /** @internal */
  _scaled(): Triple {
    const { _x, _y, _z } = this._scaling;
    return [this._half[0] * Math.abs(_x), this._half[1] * Math.abs(_y), this._half[2] * Math.abs(_z)];
  }

  override _parts(at: Place): ShapeOptions[] {
    return [{ type: 'box', halfExtents: this._scaled(), ...at }];
  }

  override _bounds(rotation: Float32Array | null) {
    return turnedBox([0, 0, 0], this._scaled(), rotation);
  }
}

/** m. Smallest size that the engine accepts; Bullet accepts 0. */
const THINNEST = 1e-5;

function size(value: unknown, where: string, argument: string): number {
  const found = finite(value, where, argument);
  if (found < 0) throw bad(where, argument, 'must be ≥ 0', value);
  return Math.max(found, THINNEST);
}

function sizes(v: btVector3, where: string, argument: string): Triple {
  for (const part of [v._x, v._y, v._z])
    if (part < 0) throw bad(where, argument, 'must be ≥ 0', [v._x, v._y, v._z]);
  return [Math.max(v._x, THINNEST), Math.max(v._y, THINNEST), Math.max(v._z, THINNEST)];
}

export class btSphereShape extends btConvexShape {
  /** @internal */
  readonly _radius: number;

  constructor(radius: number) {
    super();
    this._radius = size(radius, 'btSphereShape', 'radius');
  }

  /** @internal */
  _scaled(): number {
    return this._radius * Math.abs(this._scaling._x);
  }

  /** Bullet's value: the radius, whatever was set. */
  override getMargin(): number {
    return Math.fround(this._scaled());
  }

  override _parts(at: Place): ShapeOptions[] {
    return [{ type: 'sphere', radius: this._scaled(), ...at }];
  }

  override _support([x, y, z]: Triple): Triple {
    const r = this._scaled();
    return [x * r, y * r, z * r];
  }

  override _bounds() {
    const r = this._scaled();
    return { center: [0, 0, 0] as Triple, half: [r, r, r] as Triple };
  }

  override _inertia(mass: number): Triple {
    const i = 0.4 * mass * square(this._scaled());
    return [i, i, i];
  }
}

/** Capsules, cylinders and cones: a radius and a length along an axis. */
abstract class Upright extends btConvexShape {
  /** @internal 0, 1, 2: x, y, z. */
  readonly _up: number;
  protected readonly _radius: number;
  protected readonly _halfHeight: number;

  constructor(up: number, radius: number, halfHeight: number) {
    super();
    this._up = up;
    this._radius = radius;
    this._halfHeight = halfHeight;
  }

  /** @internal Scaled radius and half height. */
  _size(): { radius: number; halfHeight: number } {
    const s = [this._scaling._x, this._scaling._y, this._scaling._z].map(Math.abs);
    return { radius: this._radius * s[RADIUS_AXIS[this._up]!]!, halfHeight: this._halfHeight * s[this._up]! };
  }

  protected _extents(radius: number, along: number): Triple {
    const half: Triple = [radius, radius, radius];
    half[this._up] = along;
    return half;
  }

  /** @internal The point of the circle about the axis that is farthest along a direction. */
  protected _rim(direction: Triple, radius: number, along: number): Triple {
    const v: Triple = [...direction];
    v[this._up] = 0;
    const length = Math.sqrt(square(v[0]) + square(v[1]) + square(v[2]));
    const out = v.map((part) => (length > 0 ? (part * radius) / length : 0)) as Triple;
    out[this._up] = along;
    return out;
  }

  getUpAxis(): number {
    return this._up;
  }
}

/** A function, because the class name is needed only for messages. */
const AXIS = (up: number) => AXES[up]!;

export class btCapsuleShape extends Upright {
  constructor(radius: number, height: number, up = 1) {
    const half = Math.max(size(height, 'btCapsuleShape', 'height') / 2, THINNEST);
    super(up === 0 || up === 2 ? up : 1, size(radius, 'btCapsuleShape', 'radius'), half);
  }

  getRadius(): number {
    return Math.fround(this._size().radius);
  }

  getHalfHeight(): number {
    return Math.fround(this._size().halfHeight);
  }

  override _parts(at: Place): ShapeOptions[] {
    return [{ type: 'capsule', axis: AXIS(this._up), ...this._size(), ...at }];
  }

  override _support(direction: Triple): Triple {
    const { radius, halfHeight } = this._size();
    const out = direction.map((part) => part * radius) as Triple;
    out[this._up]! += direction[this._up]! < 0 ? -halfHeight : halfHeight;
    return out;
  }

  override _bounds(rotation: Float32Array | null) {
    const { radius, halfHeight } = this._size();
    return turnedBox([0, 0, 0], this._extents(radius, radius + halfHeight), rotation);
  }

  /** Bullet's rule: that of the bounding box, enlarged by the default margin. */
  override _inertia(mass: number): Triple {
    return boxInertia(mass, this._bounds(null).half, MARGIN);
  }
}

export class btCapsuleShapeX extends btCapsuleShape {
  constructor(radius: number, height: number) {
    super(radius, height, 0);
  }
}

export class btCapsuleShapeZ extends btCapsuleShape {
  constructor(radius: number, height: number) {
    super(radius, height, 2);
  }
}

export class btCylinderShape extends Upright {
  constructor(halfExtents: btVector3, up = 1) {
    const v = finiteVector(halfExtents, 'btCylinderShape', 'halfExtents');
    const half = sizes(v, 'btCylinderShape', 'halfExtents');
    const axis = up === 0 || up === 2 ? up : 1;
    super(axis, half[RADIUS_AXIS[axis]!]!, half[axis]!);
    this._safeMargin(half);
  }

  override _parts(at: Place): ShapeOptions[] {
    return [{ type: 'cylinder', axis: AXIS(this._up), ...this._size(), ...at }];
  }

  override _support(direction: Triple): Triple {
    const { radius, halfHeight } = this._size();
    return this._rim(direction, radius, direction[this._up]! < 0 ? -halfHeight : halfHeight);
  }

  override _bounds(rotation: Float32Array | null) {
    const { radius, halfHeight } = this._size();
    return turnedBox([0, 0, 0], this._extents(radius, halfHeight), rotation);
  }

  override _inertia(mass: number): Triple {
    const { radius, halfHeight } = this._size();
    const across = (mass / 12) * 4 * square(halfHeight) + (mass / 4) * square(radius);
    const moments: Triple = [across, across, across];
    moments[this._up] = (mass / 2) * square(radius);
    return moments;
  }
}

export class btCylinderShapeX extends btCylinderShape {
  constructor(halfExtents: btVector3) {
    super(halfExtents, 0);
  }
}

export class btCylinderShapeZ extends btCylinderShape {
  constructor(halfExtents: btVector3) {
    super(halfExtents, 2);
  }
}

export class btConeShape extends Upright {
  constructor(radius: number, height: number, up = 1) {
    const half = Math.max(size(height, 'btConeShape', 'height') / 2, THINNEST);
    super(up === 0 || up === 2 ? up : 1, size(radius, 'btConeShape', 'radius'), half);
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    const margin = this._outerMargin(use);
    return [{ type: 'cone', axis: AXIS(this._up), ...this._size(), margin, ...at }];
  }

  /** The tip, or the rim of its base. */
  override _support(direction: Triple): Triple {
    const { radius, halfHeight } = this._size();
    const along = direction[this._up]!;
    const sine = radius / Math.sqrt(square(radius) + 4 * square(halfHeight));
    if (along > sine) return this._rim([0, 0, 0], 0, halfHeight);
    return this._rim(direction, radius, -halfHeight);
  }

  override _bounds(rotation: Float32Array | null) {
    const { radius, halfHeight } = this._size();
    return turnedBox([0, 0, 0], this._extents(radius + this._margin, halfHeight + this._margin), rotation);
  }

  /** Bullet's rule: that of the bounding box with three times the margin. */
  override _inertia(mass: number): Triple {
    return boxInertia(mass, this._bounds(null).half, 2 * this._margin);
  }
}

export class btConeShapeX extends btConeShape {
  constructor(radius: number, height: number) {
    super(radius, height, 0);
  }
}

export class btConeShapeZ extends btConeShape {
  constructor(radius: number, height: number) {
    super(radius, height, 2);
  }
}

export abstract class btConcaveShape extends btCollisionShape {
  constructor() {
    super();
    this._margin = 0;
  }

  override get _isConcave(): boolean {
    return true;
  }

  override _inertia(_mass: number): Triple {
    return [0, 0, 0];
  }
}

/** Collides with nothing. */
export class btEmptyShape extends btConcaveShape {
  override _parts(): ShapeOptions[] {
    return [];
  }

  override _bounds() {
    return { center: [0, 0, 0] as Triple, half: [0, 0, 0] as Triple };
  }
}

export class btStaticPlaneShape extends btConcaveShape {
  private readonly _normal: Triple;
  private readonly _constant: number;

  constructor(planeNormal: btVector3, planeConstant: number) {
    super();
    const v = finiteVector(planeNormal, 'btStaticPlaneShape', 'planeNormal');
    if (v._x === 0 && v._y === 0 && v._z === 0)
      throw bad('btStaticPlaneShape', 'planeNormal', 'must not be 0', [0, 0, 0]);
    this._normal = [v._x, v._y, v._z];
    this._constant = finite(
      number(planeConstant, 'btStaticPlaneShape', 'planeConstant'),
      'btStaticPlaneShape',
      'planeConstant',
    );
  }

  override _parts(at: Place): ShapeOptions[] {
    return [{ type: 'plane', normal: this._normal, offset: this._constant, ...at }];
  }

  override _bounds() {
    return { center: [0, 0, 0] as Triple, half: [1e18, 1e18, 1e18] as Triple };
  }
}

/** A transform shifted by a vector in its own frame. */
export function moved({ position, rotation }: Place, [x, y, z]: Triple): Place {
  const [qx, qy, qz, qw] = rotation;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return {
    position: [
      position[0] + x + qw * tx + qy * tz - qz * ty,
      position[1] + y + qw * ty + qz * tx - qx * tz,
      position[2] + z + qw * tz + qx * ty - qy * tx,
    ],
    rotation,
  };
}
