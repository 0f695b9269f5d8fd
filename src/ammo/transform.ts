// btMatrix3x3 and btTransform. A rotation is stored as matrix, as quaternion, or both: the form that was given; the
// other one is computed when needed. Both can be linked views of a body's pose.
import { deterministic } from '../index';
import { bad, integer, number } from './errors';
import { ref, slot, WrapperObject } from './object';
import { btQuaternion, btVector3, type Link, multiply, quaternion, vector } from './vector';

const { sin, cos } = deterministic;
const fround = Math.fround;

const NO_ROWS = new Float32Array(0);

export class btMatrix3x3 extends WrapperObject {
  /** @internal Rows; allocated when first written, because most transforms never need them. */
  _m: Float32Array = NO_ROWS;
  /** @internal */
  _q = new btQuaternion();
  /** @internal Which of the two is valid. */
  _hasMatrix = false;
  /** @internal */
  _hasQuaternion = true;
  /** @internal */
  _link: Link | null = null;

  constructor() {
    super();
    this._q._w = 1;
  }

  /** Rotates about z by `ez`, then y, then x. */
  setEulerZYX(ex: number, ey: number, ez: number): void {
    const where = 'btMatrix3x3.setEulerZYX';
    const [x, y, z] = [number(ex, where, 'ex'), number(ey, where, 'ey'), number(ez, where, 'ez')];
    const [ci, cj, ch, si, sj, sh] = [cos(x), cos(y), cos(z), sin(x), sin(y), sin(z)];
    const m = this._rows();
    m[0] = cj * ch;
    m[1] = sj * si * ch - ci * sh;
    m[2] = sj * ci * ch + si * sh;
    m[3] = cj * sh;
    m[4] = sj * si * sh + ci * ch;
    m[5] = sj * ci * sh - si * ch;
    m[6] = -sj;
    m[7] = cj * si;
    m[8] = cj * ci;
    this._hasMatrix = true;
    this._hasQuaternion = false;
    if (this._link !== null) this._link.push();
  }

  getRotation(q: btQuaternion): void {
    const out = quaternion(q, 'btMatrix3x3.getRotation', 'q');
    if (this._link !== null) this._link.pull();
    out._assign(this._quaternion());
  }

  getRow(y: number): btVector3 {
    const row = integer(y, 'btMatrix3x3.getRow', 'y');
    if (row < 0 || row > 2) throw bad('btMatrix3x3.getRow', 'y', 'must be 0, 1 or 2', y);
    if (this._link !== null) this._link.pull();
    const m = this._matrix();
    return rowSlot._set(m[3 * row]!, m[3 * row + 1]!, m[3 * row + 2]!, 0);
  }

  override get _isPart(): boolean {
    return this._link?.isPart === true;
  }

  /** @internal Rows to write to. */
  _rows(): Float32Array {
    if (this._m === NO_ROWS) this._m = new Float32Array(9);
    return this._m;
  }

  /** @internal A rotation from a quaternion, normalised here. */
  _setQuaternion(x: number, y: number, z: number, w: number): void {
    const s = x * x + y * y + z * z + w * w;
    if (Math.abs(s - 1) < 1e-6) this._q._set(x, y, z, w);
    else if (s === 0) this._q._set(0, 0, 0, 1);
    else {
      const d = 1 / Math.sqrt(s);
      this._q._set(fround(x * d), fround(y * d), fround(z * d), fround(w * d));
    }
    this._hasQuaternion = true;
    this._hasMatrix = false;
  }

  /** @internal */
  _copy(from: btMatrix3x3): void {
    if (from._hasQuaternion) this._q._copy(from._q);
    if (from._hasMatrix) this._rows().set(from._m);
    this._hasMatrix = from._hasMatrix;
    this._hasQuaternion = from._hasQuaternion;
  }

  /** @internal */
  _matrix(): Float32Array {
    if (this._hasMatrix) return this._m;
    const { _x: x, _y: y, _z: z, _w: w } = this._q;
    const m = this._rows();
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y - z * w);
    m[2] = 2 * (x * z + y * w);
    m[3] = 2 * (x * y + z * w);
    m[4] = 1 - 2 * (x * x + z * z);
    m[5] = 2 * (y * z - x * w);
    m[6] = 2 * (x * z - y * w);
    m[7] = 2 * (y * z + x * w);
    m[8] = 1 - 2 * (x * x + y * y);
    this._hasMatrix = true;
    return m;
  }

  /** @internal Shepperd's method: the largest of the four components first. */
  _quaternion(): btQuaternion {
    if (this._hasQuaternion) return this._q;
    const [m00, m01, m02, m10, m11, m12, m20, m21, m22] = this._m as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const trace = m00 + m11 + m22;
    let x: number;
    let y: number;
    let z: number;
    let w: number;
    if (trace > 0) {
      const s = Math.sqrt(trace + 1);
      w = s / 2;
      [x, y, z] = [(m21 - m12) / (2 * s), (m02 - m20) / (2 * s), (m10 - m01) / (2 * s)];
    } else if (m00 >= m11 && m00 >= m22) {
      const s = Math.sqrt(m00 - m11 - m22 + 1);
      x = s / 2;
      [w, y, z] = [(m21 - m12) / (2 * s), (m10 + m01) / (2 * s), (m20 + m02) / (2 * s)];
    } else if (m11 >= m22) {
      const s = Math.sqrt(m11 - m22 - m00 + 1);
      y = s / 2;
      [w, z, x] = [(m02 - m20) / (2 * s), (m21 + m12) / (2 * s), (m01 + m10) / (2 * s)];
    } else {
      const s = Math.sqrt(m22 - m00 - m11 + 1);
      z = s / 2;
      [w, x, y] = [(m10 - m01) / (2 * s), (m02 + m20) / (2 * s), (m12 + m21) / (2 * s)];
    }
    this._q._set(fround(x), fround(y), fround(z), fround(w));
    this._hasQuaternion = true;
    return this._q;
  }
}

const rowSlot = slot(new btVector3());

export class btTransform extends WrapperObject {
  /** @internal */
  readonly _origin = new btVector3();
  /** @internal */
  readonly _basis = new btMatrix3x3();
  /** @internal */
  _link: Link | null = null;

  constructor(q?: btQuaternion, v?: btVector3) {
    super();
    if (q === undefined) return;
    const rotation = quaternion(q, 'btTransform', 'q');
    const origin = vector(v, 'btTransform', 'v');
    this._basis._setQuaternion(rotation._x, rotation._y, rotation._z, rotation._w);
    this._origin._copy(origin);
  }

  override get _isPart(): boolean {
    return this._link?.isPart === true;
  }

  /** @internal Makes it a linked view. */
  _bind(link: Link): this {
    this._link = this._origin._link = this._basis._link = link;
    return this;
  }

  /** @internal */
  _fresh(): this {
    if (this._link !== null) this._link.pull();
    return this;
  }

  setIdentity(): void {
    this._origin._set(0, 0, 0, 0);
    this._basis._setQuaternion(0, 0, 0, 1);
    if (this._link !== null) this._link.push();
  }

  setOrigin(origin: btVector3): void {
    const v = vector(origin, 'btTransform.setOrigin', 'origin');
    this._fresh();
    const { _origin: o, _link: link } = this;
    if (link !== null && o._x === v._x && o._y === v._y && o._z === v._z) return; // wakes no body
    o._set(v._x, v._y, v._z, 0);
    if (link !== null) link.push();
  }

  setRotation(rotation: btQuaternion): void {
    const q = quaternion(rotation, 'btTransform.setRotation', 'rotation');
    this._fresh();
    const { _basis, _link: link } = this;
    const { _x, _y, _z, _w } = link === null ? q : _basis._quaternion();
    _basis._setQuaternion(q._x, q._y, q._z, q._w);
    const now = _basis._q;
    if (link !== null && (now._x !== _x || now._y !== _y || now._z !== _z || now._w !== _w)) link.push();
  }

  getOrigin(): btVector3 {
    return this._origin;
  }

  getRotation(): btQuaternion {
    if (this._link !== null) this._link.pull();
    const { _basis } = this;
    const q = _basis._hasQuaternion ? _basis._q : _basis._quaternion();
    rotationSlot._x = q._x;
    rotationSlot._y = q._y;
    rotationSlot._z = q._z;
    rotationSlot._w = q._w;
    return rotationSlot;
  }

  getBasis(): btMatrix3x3 {
    return this._basis;
  }

  setFromOpenGLMatrix(m: ArrayLike<number>): void {
    const where = 'btTransform.setFromOpenGLMatrix';
    if (typeof m !== 'object' || m === null || !(m.length >= 16))
      throw bad(where, 'm', 'must hold 16 numbers', m);
    for (let i = 0; i < 16; i++) number(m[i], where, `m[${i}]`);
    const to = this._basis._rows();
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 3; column++) to[3 * row + column] = m[4 * column + row]!;
    this._basis._hasMatrix = true;
    this._basis._hasQuaternion = false;
    this._origin._set(fround(m[12]!), fround(m[13]!), fround(m[14]!), 0);
    if (this._link !== null) this._link.push();
  }

  inverse(): btTransform {
    this._fresh();
    const m = this._basis._matrix();
    const { _x: x, _y: y, _z: z } = this._origin;
    const out = inverseSlot;
    const t = out._basis._rows();
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) t[3 * i + j] = m[3 * j + i]!;
    out._basis._hasMatrix = true;
    out._basis._hasQuaternion = false;
    out._origin._set(
      fround(-(t[0]! * x + t[1]! * y + t[2]! * z)),
      fround(-(t[3]! * x + t[4]! * y + t[5]! * z)),
      fround(-(t[6]! * x + t[7]! * y + t[8]! * z)),
      0,
    );
    return out;
  }

  /** Name of this method in a fork; programs for A-Frame use it. */
  invert(): btTransform {
    return this.inverse();
  }

  op_mul(t: btTransform): this {
    const b = transform(t, 'btTransform.op_mul', 't');
    this._fresh();
    compose(this, b, this);
    if (this._link !== null) this._link.push();
    return this;
  }

  /** @internal */
  _copy(from: btTransform): this {
    from._fresh();
    this._origin._set(from._origin._x, from._origin._y, from._origin._z, 0);
    this._basis._copy(from._basis);
    return this;
  }

  /** @internal Assignment by a program: also writes through the link. */
  _assign(from: btTransform): this {
    this._copy(from);
    if (this._link !== null) this._link.push();
    return this;
  }
}

const rotationSlot = slot(new btQuaternion());
const inverseSlot = slot(new btTransform());

/** A transform argument with current numbers. */
export function transform(value: unknown, where: string, argument: string): btTransform {
  // A view of another class has no link; `ref` reports the error.
  const isOwn = value instanceof btTransform && value._link !== undefined;
  const t = isOwn ? value : ref(value, btTransform, where, argument);
  if (t._link !== null) t._link.pull();
  return t;
}

/** A transform argument with finite numbers: for everything that reaches a world. */
export function finiteTransform(value: unknown, where: string, argument: string): btTransform {
  const t = transform(value, where, argument);
  const q = t._basis._quaternion();
  const sum = t._origin._x + t._origin._y + t._origin._z + q._x + q._y + q._z + q._w;
  if (!Number.isFinite(sum))
    throw bad(where, argument, 'must be finite', [
      t._origin._x,
      t._origin._y,
      t._origin._z,
      q._x,
      q._y,
      q._z,
      q._w,
    ]);
  return t;
}

/** out = a · b; `out` may be one of them. */
export function compose(a: btTransform, b: btTransform, out: btTransform): void {
  const { _x: x, _y: y, _z: z } = b._origin;
  const m = a._basis._matrix();
  const { _x: ox, _y: oy, _z: oz } = a._origin;
  out._origin._set(
    fround(m[0]! * x + m[1]! * y + m[2]! * z + ox),
    fround(m[3]! * x + m[4]! * y + m[5]! * z + oy),
    fround(m[6]! * x + m[7]! * y + m[8]! * z + oz),
    0,
  );
  multiply(a._basis._quaternion(), b._basis._quaternion(), out._basis._q);
  out._basis._hasQuaternion = true;
  out._basis._hasMatrix = false;
}
