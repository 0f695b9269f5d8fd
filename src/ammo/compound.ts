// btCompoundShape: children with their own transforms, which can be compounds, too. In: shapes. Out: the engine's
// shapes of all leaves. Children can be added, removed and moved while bodies use the compound.
import type { ShapeOptions } from '../index';
import { bad, index } from './errors';
import { ref } from './object';
import { boxInertia, btCollisionShape, type Place, type Triple, type Use } from './shapes';
import { btTransform, compose, finiteTransform } from './transform';
import { btVector3, finiteVector } from './vector';

interface Child {
  shape: btCollisionShape;
  /** In the frame of the compound, with its scale. */
  place: btTransform;
  /** The child's version at the last check. */
  version: number;
}

export class btCompoundShape extends btCollisionShape {
  private readonly _children: Child[] = [];

  constructor(_enableDynamicAabbTree?: boolean) {
    super();
    this._margin = 0;
  }

  addChildShape(localTransform: btTransform, shape: btCollisionShape): void {
    const place = new btTransform()._copy(
      finiteTransform(localTransform, 'btCompoundShape.addChildShape', 'localTransform'),
    );
    const child = ref(shape, btCollisionShape, 'btCompoundShape.addChildShape', 'shape');
    if (child instanceof btCompoundShape && child._holds(this))
      throw bad(
        'btCompoundShape.addChildShape',
        'shape',
        'must not hold the compound itself',
        'btCompoundShape',
      );
    this._children.push({ shape: child, place, version: child._version });
    this._changed();
  }

  /** @internal Whether it is the shape, or contains it. */
  _holds(shape: btCollisionShape): boolean {
    const isHeld = (each: btCollisionShape) => each instanceof btCompoundShape && each._holds(shape);
    return this === shape || this._children.some((child) => isHeld(child.shape));
  }

  removeChildShape(shape: btCollisionShape): void {
    const gone = ref(shape, btCollisionShape, 'btCompoundShape.removeChildShape', 'shape');
    for (let i = this._children.length - 1; i >= 0; i--)
      if (this._children[i]!.shape === gone) this._remove(i);
  }

  removeChildShapeByIndex(childShapeindex: number): void {
    const where = 'btCompoundShape.removeChildShapeByIndex';
    this._remove(index(childShapeindex, this._children.length, where, 'childShapeindex'));
  }

  /** As in Bullet, the last child takes the index of the removed one. */
  private _remove(i: number): void {
    const last = this._children.pop()!;
    if (i < this._children.length) this._children[i] = last;
    this._changed();
  }

  getNumChildShapes(): number {
    return this._children.length;
  }

  getChildShape(i: number): btCollisionShape {
    return this._children[index(i, this._children.length, 'btCompoundShape.getChildShape')]!.shape;
  }

  updateChildTransform(
    childIndex: number,
    newChildTransform: btTransform,
    _shouldRecalculateLocalAabb?: boolean,
  ): void {
    const where = 'btCompoundShape.updateChildTransform';
    const i = index(childIndex, this._children.length, where, 'childIndex');
    this._children[i]!.place._copy(finiteTransform(newChildTransform, where, 'newChildTransform'));
    this._changed();
  }

  /** Scales children and their positions, as Bullet does. */
  override setLocalScaling(scaling: btVector3): void {
    const s = finiteVector(scaling, 'btCompoundShape.setLocalScaling', 'scaling');
    const ratio: Triple = [s._x / this._scaling._x, s._y / this._scaling._y, s._z / this._scaling._z];
    super.setLocalScaling(scaling);
    for (const { shape, place } of this._children) {
      const old = shape.getLocalScaling();
      shape.setLocalScaling(new btVector3(old._x * ratio[0], old._y * ratio[1], old._z * ratio[2]));
      const { _origin: o } = place;
      o._set(Math.fround(o._x * ratio[0]), Math.fround(o._y * ratio[1]), Math.fround(o._z * ratio[2]), 0);
    }
  }

  /** @internal Whether a child, at any depth, has changed since the last call. */
  _childrenChanged(): boolean {
    let changed = false;
    for (const child of this._children) {
      if (child.shape instanceof btCompoundShape) child.shape._childrenChanged();
      if (child.shape._version === child.version) continue;
      child.version = child.shape._version;
      changed = true;
    }
    if (changed) this._version++;
    return changed;
  }

  override _parts(at: Place, use: Use): ShapeOptions[] {
    const outer = new btTransform();
    outer._origin._set(...at.position, 0);
    outer._basis._setQuaternion(...at.rotation);
    return this._children.flatMap(({ shape, place }) => {
      const whole = new btTransform();
      compose(outer, place, whole);
      const { _origin: o } = whole;
      const q = whole._basis._quaternion();
      const there: Place = { position: [o._x, o._y, o._z], rotation: [q._x, q._y, q._z, q._w] };
      return shape._parts(there, use);
    });
  }

  override get _isConcave(): boolean {
    return this._children.some(({ shape }) => shape._isConcave);
  }

  override _bounds(rotation: Float32Array | null) {
    const low: Triple = [Infinity, Infinity, Infinity];
    const high: Triple = [-Infinity, -Infinity, -Infinity];
    const turn = new btTransform();
    if (rotation !== null) {
      turn._basis._rows().set(rotation);
      turn._basis._hasMatrix = true;
      turn._basis._hasQuaternion = false;
    }
    for (const { shape, place } of this._children) {
      const whole = new btTransform();
      compose(turn, place, whole);
      const { center, half } = shape._bounds(whole._basis._matrix());
      const o: Triple = [whole._origin._x, whole._origin._y, whole._origin._z];
      for (let i = 0; i < 3; i++) {
        low[i] = Math.min(low[i]!, o[i]! + center[i]! - half[i]!);
        high[i] = Math.max(high[i]!, o[i]! + center[i]! + half[i]!);
      }
    }
    if (this._children.length === 0) return { center: [0, 0, 0] as Triple, half: [0, 0, 0] as Triple };
    return {
      center: low.map((v, i) => (v + high[i]!) / 2) as Triple,
      half: low.map((v, i) => (high[i]! - v) / 2 + this._margin) as Triple,
    };
  }

  override _inertia(mass: number): Triple {
    return boxInertia(mass, this._bounds(null).half, 0);
  }
}
