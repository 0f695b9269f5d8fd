// btVector3, btVector4, btQuaternion. In: numbers, stored as f32. Out: the same objects, changed in place; values that
// ammo.js returns by copy are returned in one object per method, which the next call overwrites. A vector with a link
// is a view: reading pulls from a body or from the heap, writing pushes back.
import { deterministic } from '../index';
import { number } from './errors';
import { heap } from './heap';
import { ref, slot, WrapperObject } from './object';

const { sin, cos, acos } = deterministic;
const fround = Math.fround;

/** Source of the numbers of a linked view. */
export interface Link {
  /** Fills the window. */
  pull(): void;
  /** Stores what was written into the view. */
  push(): void;
  /** Whether the numbers belong to another object and not to the heap. */
  readonly isPart?: boolean;
}

/** Four numbers, optionally with a link. */
export class btQuadWord extends WrapperObject {
  /** @internal */
  _x = 0;
  /** @internal */
  _y = 0;
  /** @internal */
  _z = 0;
  /** @internal */
  _w = 0;
  /** @internal */
  _link: Link | null = null;

  override get _isPart(): boolean {
    return this._link?.isPart === true;
  }

  x(): number {
    if (this._link !== null) this._link.pull();
    return this._x;
  }

  y(): number {
    if (this._link !== null) this._link.pull();
    return this._y;
  }

  z(): number {
    if (this._link !== null) this._link.pull();
    return this._z;
  }

  w(): number {
    if (this._link !== null) this._link.pull();
    return this._w;
  }

  setX(x: number): void {
    this._put('_x', number(x, this._name('setX'), 'x'));
  }

  setY(y: number): void {
    this._put('_y', number(y, this._name('setY'), 'y'));
  }

  setZ(z: number): void {
    this._put('_z', number(z, this._name('setZ'), 'z'));
  }

  setW(w: number): void {
    this._put('_w', number(w, this._name('setW'), 'w'));
  }

  private _put(part: '_x' | '_y' | '_z' | '_w', value: number): void {
    this._fresh(); // so that the other numbers are current
    this[part] = value;
    this._changed();
  }

  /** @internal */
  _name(method: string): string {
    return `${this.constructor.name}.${method}`;
  }

  /** @internal */
  _changed(): void {
    if (this._link !== null) this._link.push();
  }

  /** @internal For use in the facade: exact f32 values, no checks. */
  _set(x: number, y: number, z: number, w: number): this {
    this._x = x;
    this._y = y;
    this._z = z;
    this._w = w;
    return this;
  }

  /** @internal Checks four arguments before any of them is stored. */
  protected _take(where: string, x: number, y: number, z: number, w: number): void {
    this._set(number(x, where, 'x'), number(y, where, 'y'), number(z, where, 'z'), number(w, where, 'w'));
    this._changed();
  }

  /** @internal Scales the three numbers by s, and the fourth by its own factor. */
  protected _scale(s: number, fourth = s): this {
    return this._set(fround(this._x * s), fround(this._y * s), fround(this._z * s), fround(this._w * fourth));
  }

  /** @internal Adds s times b; the fourth with its own factor. */
  protected _plus(b: btQuadWord, s: number, fourth = s): this {
    this._fresh();
    this._set(
      fround(this._x + s * b._x),
      fround(this._y + s * b._y),
      fround(this._z + s * b._z),
      fround(this._w + fourth * b._w),
    );
    this._changed();
    return this;
  }

  /** @internal */
  _copy(from: btQuadWord): this {
    if (from._link !== null) from._link.pull();
    this._x = from._x;
    this._y = from._y;
    this._z = from._z;
    this._w = from._w;
    return this;
  }

  /** @internal Assignment by a program: also writes through the link. */
  _assign(from: btQuadWord): this {
    this._copy(from);
    this._changed();
    return this;
  }

  /** @internal Pulls current numbers. */
  _fresh(): this {
    if (this._link !== null) this._link.pull();
    return this;
  }

  override _bytes(): number {
    return this._link === null || this._link instanceof HeapLink ? 16 : 0;
  }

  override _moveTo(address: number): void {
    if (this._link !== null) return;
    this._link = new HeapLink(this, address);
    this._link.push();
  }
}

/** Numbers that programs read and write through HEAPF32. */
class HeapLink implements Link {
  private readonly word: btQuadWord;
  private readonly at: number;

  constructor(word: btQuadWord, address: number) {
    this.word = word;
    this.at = address >> 2;
  }

  pull(): void {
    const { floats } = heap;
    this.word._set(floats[this.at]!, floats[this.at + 1]!, floats[this.at + 2]!, floats[this.at + 3]!);
  }

  push(): void {
    const { floats } = heap;
    floats[this.at] = this.word._x;
    floats[this.at + 1] = this.word._y;
    floats[this.at + 2] = this.word._z;
    floats[this.at + 3] = this.word._w;
  }
}

function inHeap<T extends btQuadWord>(word: T, address: number): T {
  word._link = new HeapLink(word, address);
  return word;
}

export class btVector3 extends btQuadWord {
  constructor(x?: number, y?: number, z?: number) {
    super();
    if (x !== undefined) this._take('btVector3', x, y!, z!, 0);
  }

  setValue(x: number, y: number, z: number): void {
    this._take('btVector3.setValue', x, y, z, 0);
  }

  length(): number {
    this._fresh();
    return fround(Math.sqrt(this._x * this._x + this._y * this._y + this._z * this._z));
  }

  /** A vector of length 0 is not changed. */
  normalize(): void {
    const length = this.length();
    if (length === 0) return;
    this._set(fround(this._x / length), fround(this._y / length), fround(this._z / length), this._w);
    this._changed();
  }

  dot(v: btVector3): number {
    const b = vector(v, 'btVector3.dot', 'v');
    this._fresh();
    return fround(this._x * b._x + this._y * b._y + this._z * b._z);
  }

  rotate(wAxis: btVector3, angle: number): btVector3 {
    const n = vector(wAxis, 'btVector3.rotate', 'wAxis');
    const a = number(angle, 'btVector3.rotate', 'angle');
    this._fresh();
    const [c, s] = [cos(a), sin(a)];
    const along = (n._x * this._x + n._y * this._y + n._z * this._z) * (1 - c);
    return slots.rotate._set(
      fround(n._x * along + this._x * c + (n._y * this._z - n._z * this._y) * s),
      fround(n._y * along + this._y * c + (n._z * this._x - n._x * this._z) * s),
      fround(n._z * along + this._z * c + (n._x * this._y - n._y * this._x) * s),
      0,
    );
  }

  op_mul(x: number): this {
    const factor = number(x, 'btVector3.op_mul', 'x');
    this._fresh()._scale(factor, 1)._changed();
    return this;
  }

  op_add(v: btVector3): this {
    return this._plus(vector(v, 'btVector3.op_add', 'v'), 1, 0);
  }

  op_sub(v: btVector3): this {
    return this._plus(vector(v, 'btVector3.op_sub', 'v'), -1, 0);
  }

  static override _at(address: number): btVector3 {
    return inHeap(new btVector3(), address)._fresh();
  }
}

export class btVector4 extends btVector3 {
  constructor(x?: number, y?: number, z?: number, w?: number) {
    super();
    if (x !== undefined) this.setValue(x, y!, z!, w!);
  }

  override setValue(x: number, y: number, z: number, w = 0): void {
    this._take('btVector4.setValue', x, y, z, w);
  }
}

export class btQuaternion extends btQuadWord {
  constructor(x?: number, y?: number, z?: number, w?: number) {
    super();
    if (x !== undefined) this._take('btQuaternion', x, y!, z!, w!);
  }

  setValue(x: number, y: number, z: number, w: number): void {
    this._take('btQuaternion.setValue', x, y, z, w);
  }

  /** Rotates about z, then y, then x (each about the axis as rotated by those before). */
  setEulerZYX(z: number, y: number, x: number): void {
    const where = 'btQuaternion.setEulerZYX';
    setEuler(this, number(z, where, 'z'), number(y, where, 'y'), number(x, where, 'x'));
    this._changed();
  }

  setRotation(axis: btVector3, angle: number): void {
    const n = vector(axis, 'btQuaternion.setRotation', 'axis');
    const a = number(angle, 'btQuaternion.setRotation', 'angle');
    const length = Math.sqrt(n._x * n._x + n._y * n._y + n._z * n._z);
    const s = length === 0 ? 0 : sin(a / 2) / length;
    this._set(fround(n._x * s), fround(n._y * s), fround(n._z * s), fround(cos(a / 2)));
    this._changed();
  }

  length2(): number {
    this._fresh();
    return fround(this._x * this._x + this._y * this._y + this._z * this._z + this._w * this._w);
  }

  length(): number {
    return fround(Math.sqrt(this.length2()));
  }

  normalize(): void {
    this._scale(1 / (this.length() || 1));
    this._changed();
  }

  dot(q: btQuaternion): number {
    const b = quaternion(q, 'btQuaternion.dot', 'q');
    this._fresh();
    return fround(this._x * b._x + this._y * b._y + this._z * b._z + this._w * b._w);
  }

  normalized(): btQuaternion {
    const length = this.length() || 1;
    return slots.normalized._copy(this)._scale(1 / length);
  }

  getAxis(): btVector3 {
    this._fresh();
    const square = 1 - this._w * this._w;
    if (square < 1e-14) return slots.axis._set(1, 0, 0, 0);
    const s = 1 / Math.sqrt(square);
    return slots.axis._set(fround(this._x * s), fround(this._y * s), fround(this._z * s), 0);
  }

  inverse(): btQuaternion {
    this._fresh();
    return slots.inverse._set(-this._x, -this._y, -this._z, this._w);
  }

  getAngle(): number {
    this._fresh();
    return fround(2 * acos(clamp(this._w)));
  }

  getAngleShortestPath(): number {
    this._fresh();
    return fround(2 * acos(clamp(Math.abs(this._w))));
  }

  /** Half the angle between the two, as in Bullet. */
  angle(q: btQuaternion): number {
    return fround(acos(clamp(this._cosine(quaternion(q, 'btQuaternion.angle', 'q')))));
  }

  angleShortestPath(q: btQuaternion): number {
    const c = this._cosine(quaternion(q, 'btQuaternion.angleShortestPath', 'q'));
    return fround(2 * acos(clamp(Math.abs(c))));
  }

  private _cosine(b: btQuaternion): number {
    const lengths = Math.sqrt(this.length2() * b.length2());
    return lengths === 0 ? 1 : this.dot(b) / lengths;
  }

  op_add(q: btQuaternion): this {
    return this._plus(quaternion(q, 'btQuaternion.op_add', 'q'), 1);
  }

  op_sub(q: btQuaternion): this {
    return this._plus(quaternion(q, 'btQuaternion.op_sub', 'q'), -1);
  }

  op_mul(s: number): this {
    const factor = number(s, 'btQuaternion.op_mul', 's');
    this._fresh()._scale(factor)._changed();
    return this;
  }

  op_div(s: number): this {
    const divisor = number(s, 'btQuaternion.op_div', 's');
    this._fresh()
      ._scale(1 / divisor)
      ._changed();
    return this;
  }

  op_mulq(q: btQuaternion): this {
    const b = quaternion(q, 'btQuaternion.op_mulq', 'q');
    multiply(this._fresh(), b, this);
    this._changed();
    return this;
  }

  static override _at(address: number): btQuaternion {
    return inHeap(new btQuaternion(), address)._fresh();
  }
}

const clamp = (x: number) => Math.min(1, Math.max(-1, x));

/** out = a · b; `out` may be one of them. */
export function multiply(a: btQuadWord, b: btQuadWord, out: btQuadWord): void {
  const { _x: ax, _y: ay, _z: az, _w: aw } = a;
  const { _x: bx, _y: by, _z: bz, _w: bw } = b;
  out._set(
    fround(aw * bx + ax * bw + ay * bz - az * by),
    fround(aw * by + ay * bw + az * bx - ax * bz),
    fround(aw * bz + az * bw + ax * by - ay * bx),
    fround(aw * bw - ax * bx - ay * by - az * bz),
  );
}

function setEuler(out: btQuadWord, z: number, y: number, x: number): void {
  const [cz, sz, cy, sy, cx, sx] = [cos(z / 2), sin(z / 2), cos(y / 2), sin(y / 2), cos(x / 2), sin(x / 2)];
  out._set(
    fround(sx * cy * cz - cx * sy * sz),
    fround(cx * sy * cz + sx * cy * sz),
    fround(cx * cy * sz - sx * sy * cz),
    fround(cx * cy * cz + sx * sy * sz),
  );
}

/** Created on demand, because the classes do not exist yet when this file starts. */
const slots = {
  rotate: slot(new btVector3()),
  axis: slot(new btVector3()),
  normalized: slot(new btQuaternion()),
  inverse: slot(new btQuaternion()),
};

/** A vector argument with current numbers. */
export function vector(value: unknown, where: string, argument: string): btVector3 {
  // A view of another class has no link; `ref` reports the error.
  const isOwn = value instanceof btVector3 && value._link !== undefined;
  const v = isOwn ? value : ref(value, btVector3, where, argument);
  if (v._link !== null) v._link.pull();
  return v;
}

/** A quaternion argument; a btVector4 is accepted, too, as in ammo.js. */
export function quaternion(value: unknown, where: string, argument: string): btQuaternion {
  const isOwn = value instanceof btQuadWord && value._link !== undefined;
  if (isOwn && value instanceof btVector4) return value._fresh() as btQuadWord as btQuaternion;
  const q = isOwn && value instanceof btQuaternion ? value : ref(value, btQuaternion, where, argument);
  if (q._link !== null) q._link.pull();
  return q;
}

/** A vector argument with finite numbers: for everything that reaches a world. */
export function finiteVector(value: unknown, where: string, argument: string): btVector3 {
  const v = vector(value, where, argument);
  if (!Number.isFinite(v._x + v._y + v._z)) number(Number.NaN, where, argument);
  return v;
}

/** A copy as plain numbers. */
export const triple = (v: btQuadWord): [number, number, number] => {
  v._fresh();
  return [v._x, v._y, v._z];
};

/** Not the power operator, whose result can differ between JavaScript engines. */
export function square(x: number): number {
  return x * x;
}
