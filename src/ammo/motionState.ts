// Motion states: how a world reports the pose of a body to a program. In: poses after each call of stepSimulation. Out:
// transforms; for kinematic bodies in the other direction. The default one reads its body when asked, so poses that
// nobody reads cost nothing.

import { bad, derived, forgotten } from './errors';
import { pointerOf, real, WrapperObject } from './object';
import type { btRigidBody } from './rigidBody';
import { btTransform, compose, finiteTransform, transform } from './transform';

/**
 * The object itself, whose class has both methods: `btMotionState.prototype.getWorldTransform.call(state, transform)`.
 */
function own(state: btMotionState): btMotionState {
  if (real(state) instanceof MotionState || real(state) instanceof btDefaultMotionState) return real(state);
  throw bad('btMotionState.getWorldTransform', 'this', 'must be a motion state of this module', state);
}

export abstract class btMotionState extends WrapperObject {
  constructor() {
    super();
    derived(this.constructor === btMotionState ? undefined : this.getWorldTransform, this);
  }

  /** @internal Whether the world must call setWorldTransform. */
  get _isCustom(): boolean {
    return true;
  }

  /** @internal Called by the world. */
  _ask(worldTrans: btTransform): void {
    this.getWorldTransform(worldTrans);
  }

  /** @internal */
  _tell(worldTrans: btTransform): void {
    this.setWorldTransform(worldTrans);
  }

  /** Calls the method of the object's own class, for programs that call it through the base class. */
  getWorldTransform(worldTrans: btTransform): void {
    own(this).getWorldTransform(worldTrans);
  }

  /** Likewise. */
  setWorldTransform(worldTrans: btTransform): void {
    own(this).setWorldTransform(worldTrans);
  }
}

/**
 * For programs that make their own: they put getWorldTransform and setWorldTransform on it. Both are called with
 * pointers, as ammo.js does; Ammo.wrapPointer(pointer, Ammo.btTransform) makes an object of one.
 */
export class MotionState extends btMotionState {
  override _ask(worldTrans: btTransform): void {
    this.getWorldTransform(pointerOf(worldTrans));
  }

  override _tell(worldTrans: btTransform): void {
    this.setWorldTransform(pointerOf(worldTrans));
  }

  // biome-ignore lint/suspicious/noExplicitAny: ammo.js's programs take pointers here, ours may take objects
  override getWorldTransform(_worldTrans: any): void {
    throw forgotten('MotionState::getWorldTransform');
  }

  // biome-ignore lint/suspicious/noExplicitAny: likewise
  override setWorldTransform(_worldTrans: any): void {
    throw forgotten('MotionState::setWorldTransform');
  }
}

export class btDefaultMotionState extends btMotionState {
  /** @internal Read by a body when it is created, or, if kinematic, before each step; written by the last sync. */
  readonly _graphics = new btTransform();
  /** @internal Centre of mass in the frame of the graphics, if they differ. */
  private readonly _offset: btTransform | null;
  /** @internal The body to which it belongs, and the last sync that it has read. */
  _body: btRigidBody | null = null;
  /** @internal */
  _seen = 0;

  constructor(startTrans?: btTransform, centerOfMassOffset?: btTransform) {
    super();
    if (startTrans !== undefined && startTrans !== null)
      this._graphics._copy(finiteTransform(startTrans, 'btDefaultMotionState', 'startTrans'));
    this._offset =
      centerOfMassOffset === undefined || centerOfMassOffset === null
        ? null
        : new btTransform()._copy(
            finiteTransform(centerOfMassOffset, 'btDefaultMotionState', 'centerOfMassOffset'),
          );
  }

  override get _isCustom(): boolean {
    return (
      this._offset !== null || this.setWorldTransform !== btDefaultMotionState.prototype.setWorldTransform
    );
  }

  /** @internal Reads the pose of the last sync if it is newer. */
  private _look(): void {
    const body = this._body;
    if (body === null || body._world === null || body._syncs === this._seen) return;
    this._seen = body._syncs;
    body._readMotion(this._graphics);
  }

  override getWorldTransform(worldTrans: btTransform): void {
    const out =
      worldTrans instanceof btTransform
        ? worldTrans
        : transform(worldTrans, 'btDefaultMotionState.getWorldTransform', 'worldTrans');
    if (this._body !== null) this._look();
    const from = this._graphics;
    out._origin._x = from._origin._x;
    out._origin._y = from._origin._y;
    out._origin._z = from._origin._z;
    out._basis._copy(from._basis);
    if (this._offset !== null) compose(out, this._offset.inverse(), out);
    if (out._link !== null) out._link.push();
  }

  override setWorldTransform(worldTrans: btTransform): void {
    const given = transform(worldTrans, 'btDefaultMotionState.setWorldTransform', 'worldTrans');
    if (this._body !== null) this._seen = this._body._syncs;
    if (this._offset === null) this._graphics._copy(given);
    else compose(given, this._offset, this._graphics);
  }

  get m_graphicsWorldTrans(): btTransform {
    this._look();
    return this._graphics;
  }

  set m_graphicsWorldTrans(value: btTransform) {
    this.set_m_graphicsWorldTrans(value);
  }

  get_m_graphicsWorldTrans(): btTransform {
    return this.m_graphicsWorldTrans;
  }

  set_m_graphicsWorldTrans(value: btTransform): void {
    this._look();
    this._graphics._copy(transform(value, 'btDefaultMotionState.set_m_graphicsWorldTrans', 'value'));
  }
}
