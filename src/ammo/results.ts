// Results of rays, sweeps and contact tests. In: hits of the engine. Out: the fields and methods that programs for
// Bullet use; classes from which they derive or whose methods they replace.

import { btCollisionObject, type btCollisionObjectWrapper } from './collisionObject';
import { finite, forgotten, index, integer, number } from './errors';
import { btVector3Array } from './hulls';
import type { btManifoldPoint } from './manifolds';
import { attributes, type Class, optional, ref, WrapperObject } from './object';
import { btVector3, vector } from './vector';

const ALL = -1;

class Filtered extends WrapperObject {
  /** @internal */
  _closest = 1;
  /** @internal */
  _group = 1;
  /** @internal Bullet stores 16 bits of each. */
  _mask = ALL;
  /** @internal */
  _rayFlags = 0;
}

const filters = (name: string) => ({
  m_collisionFilterGroup: {
    get(this: Filtered) {
      return this._group;
    },
    set(this: Filtered, value: unknown) {
      this._group = (integer(value, `${name}.set_m_collisionFilterGroup`, 'value') << 16) >> 16;
    },
  },
  m_collisionFilterMask: {
    get(this: Filtered) {
      return this._mask;
    },
    set(this: Filtered, value: unknown) {
      this._mask = (integer(value, `${name}.set_m_collisionFilterMask`, 'value') << 16) >> 16;
    },
  },
  m_closestHitFraction: {
    get(this: Filtered) {
      return this._closest;
    },
    set(this: Filtered, value: unknown) {
      this._closest = number(value, `${name}.set_m_closestHitFraction`, 'value');
    },
  },
  m_flags: {
    get(this: Filtered) {
      return this._rayFlags;
    },
    set(this: Filtered, value: unknown) {
      this._rayFlags = integer(value, `${name}.set_m_flags`, 'value') >>> 0;
    },
  },
});

/** A hit as the world gives it. */
export interface Hit {
  object: btCollisionObject;
  fraction: number;
  point: readonly number[];
  normal: readonly number[];
}

export class RayResultCallback extends Filtered {
  /** @internal */
  _object: unknown = null;

  hasHit(): boolean {
    return this._object !== null;
  }

  /** @internal Whether all hits are needed. */
  get _all(): boolean {
    return false;
  }

  /** @internal */
  _add(hit: Hit): void {
    this._closest = hit.fraction;
    this._object = hit.object;
  }
}
attributes(RayResultCallback, {
  ...filters('RayResultCallback'),
  m_collisionObject: {
    get(this: RayResultCallback) {
      return this._object;
    },
    set(this: RayResultCallback, value: unknown) {
      this._object = value === null || value === undefined || value === 0 ? null : value;
    },
  },
});

const put = (to: btVector3, v: readonly number[]) => to._set(v[0]!, v[1]!, v[2]!, 0);

/** Defines attributes that are vectors: written by copy. */
function vectors(type: new (...args: never[]) => WrapperObject, keys: Record<string, string>): void {
  for (const [name, key] of Object.entries(keys))
    attributes(type, {
      [name]: {
        get(this: Record<string, btVector3>) {
          return this[key];
        },
        set(this: Record<string, btVector3>, value: unknown) {
          this[key]!._copy(vector(value, `${type.name}.set_${name}`, 'value'));
        },
      },
    });
}

export class ClosestRayResultCallback extends RayResultCallback {
  /** @internal */
  readonly _from = new btVector3(0, 0, 0);
  /** @internal */
  readonly _to = new btVector3(0, 0, 0);
  /** @internal */
  readonly _normal = new btVector3(0, 0, 0);
  /** @internal */
  readonly _point = new btVector3(0, 0, 0);

  constructor(from: btVector3, to: btVector3) {
    super();
    this._from._copy(vector(from, 'ClosestRayResultCallback', 'from'));
    this._to._copy(vector(to, 'ClosestRayResultCallback', 'to'));
  }

  override _add(hit: Hit): void {
    super._add(hit);
    put(this._normal, hit.normal);
    put(this._point, hit.point);
  }
}
vectors(ClosestRayResultCallback, {
  m_rayFromWorld: '_from',
  m_rayToWorld: '_to',
  m_hitNormalWorld: '_normal',
  m_hitPointWorld: '_point',
});

export class btConstCollisionObjectArray extends WrapperObject {
  /** @internal */
  _values: btCollisionObject[] = [];

  size(): number {
    return this._values.length;
  }

  at(n: number): btCollisionObject {
    return this._values[index(n, this._values.length, 'btConstCollisionObjectArray.at', 'n')]!;
  }
}

export class btScalarArray extends WrapperObject {
  /** @internal */
  _values: number[] = [];

  size(): number {
    return this._values.length;
  }

  at(n: number): number {
    return this._values[index(n, this._values.length, 'btScalarArray.at', 'n')]!;
  }
}

export class AllHitsRayResultCallback extends RayResultCallback {
  /** @internal */
  readonly _from = new btVector3(0, 0, 0);
  /** @internal */
  readonly _to = new btVector3(0, 0, 0);
  /** @internal */
  readonly _objects = new btConstCollisionObjectArray();
  /** @internal */
  readonly _normals = new btVector3Array();
  /** @internal */
  readonly _points = new btVector3Array();
  /** @internal */
  readonly _fractions = new btScalarArray();

  constructor(from: btVector3, to: btVector3) {
    super();
    this._from._copy(vector(from, 'AllHitsRayResultCallback', 'from'));
    this._to._copy(vector(to, 'AllHitsRayResultCallback', 'to'));
  }

  override get _all(): boolean {
    return true;
  }

  /** The closest fraction is kept, because all hits are needed. */
  override _add(hit: Hit): void {
    this._object = hit.object;
    this._objects._values.push(hit.object);
    this._fractions._values.push(Math.fround(hit.fraction));
    this._points._values.push(put(new btVector3(), hit.point));
    this._normals._values.push(put(new btVector3(), hit.normal));
  }
}
vectors(AllHitsRayResultCallback, { m_rayFromWorld: '_from', m_rayToWorld: '_to' });
for (const [name, key] of [
  ['m_collisionObjects', '_objects'],
  ['m_hitNormalWorld', '_normals'],
  ['m_hitPointWorld', '_points'],
  ['m_hitFractions', '_fractions'],
] as const)
  attributes(AllHitsRayResultCallback, {
    [name]: {
      get(this: AllHitsRayResultCallback) {
        return this[key];
      },
      set(this: AllHitsRayResultCallback, value: unknown) {
        const to = this[key] as { _values: unknown[] };
        const where = `AllHitsRayResultCallback.set_${name}`;
        to._values = [...(ref(value, to.constructor as Class, where, 'value') as typeof to)._values];
      },
    },
  });

export class LocalShapeInfo extends WrapperObject {
  /** @internal */
  _part = -1;
  /** @internal */
  _triangle = -1;
}
for (const [name, key] of [
  ['m_shapePart', '_part'],
  ['m_triangleIndex', '_triangle'],
] as const)
  attributes(LocalShapeInfo, {
    [name]: {
      get(this: LocalShapeInfo) {
        return this[key];
      },
      set(this: LocalShapeInfo, value: unknown) {
        this[key] = integer(value, `LocalShapeInfo.set_${name}`, 'value');
      },
    },
  });

export class LocalConvexResult extends WrapperObject {
  /** @internal */
  _object: btCollisionObject | null;
  /** @internal */
  _info: LocalShapeInfo | null;
  /** @internal */
  readonly _normal = new btVector3(0, 0, 0);
  /** @internal */
  readonly _point = new btVector3(0, 0, 0);
  /** @internal */
  _fraction: number;

  constructor(
    hitCollisionObject: btCollisionObject,
    localShapeInfo: LocalShapeInfo,
    hitNormalLocal: btVector3,
    hitPointLocal: btVector3,
    hitFraction: number,
  ) {
    super();
    const where = 'LocalConvexResult';
    this._object = optional(hitCollisionObject, btCollisionObject, where, 'hitCollisionObject');
    this._info = optional(localShapeInfo, LocalShapeInfo, where, 'localShapeInfo');
    this._normal._copy(vector(hitNormalLocal, where, 'hitNormalLocal'));
    this._point._copy(vector(hitPointLocal, where, 'hitPointLocal'));
    this._fraction = finite(hitFraction, where, 'hitFraction');
  }
}
vectors(LocalConvexResult as never, { m_hitNormalLocal: '_normal', m_hitPointLocal: '_point' });
attributes(LocalConvexResult, {
  m_hitCollisionObject: {
    get(this: LocalConvexResult) {
      return this._object;
    },
    set(this: LocalConvexResult, value: unknown) {
      this._object = ref(value, btCollisionObject, 'LocalConvexResult.set_m_hitCollisionObject', 'value');
    },
  },
  m_localShapeInfo: {
    get(this: LocalConvexResult) {
      return this._info;
    },
    set(this: LocalConvexResult, value: unknown) {
      this._info = ref(value, LocalShapeInfo, 'LocalConvexResult.set_m_localShapeInfo', 'value');
    },
  },
  m_hitFraction: {
    get(this: LocalConvexResult) {
      return this._fraction;
    },
    set(this: LocalConvexResult, value: unknown) {
      this._fraction = finite(value, 'LocalConvexResult.set_m_hitFraction', 'value');
    },
  },
});

export class ConvexResultCallback extends Filtered {
  hasHit(): boolean {
    return this._closest < 1;
  }

  /** @internal */
  _add(hit: Hit): void {
    this._closest = hit.fraction;
  }
}
attributes(ConvexResultCallback, filters('ConvexResultCallback'));

export class ClosestConvexResultCallback extends ConvexResultCallback {
  /** @internal */
  readonly _from = new btVector3(0, 0, 0);
  /** @internal */
  readonly _to = new btVector3(0, 0, 0);
  /** @internal */
  readonly _normal = new btVector3(0, 0, 0);
  /** @internal */
  readonly _point = new btVector3(0, 0, 0);
  /** @internal */
  _object: btCollisionObject | null = null;

  constructor(convexFromWorld: btVector3, convexToWorld: btVector3) {
    super();
    this._from._copy(vector(convexFromWorld, 'ClosestConvexResultCallback', 'convexFromWorld'));
    this._to._copy(vector(convexToWorld, 'ClosestConvexResultCallback', 'convexToWorld'));
  }

  override _add(hit: Hit): void {
    super._add(hit);
    this._object = hit.object;
    put(this._normal, hit.normal);
    put(this._point, hit.point);
  }
}
vectors(ClosestConvexResultCallback, {
  m_convexFromWorld: '_from',
  m_convexToWorld: '_to',
  m_hitNormalWorld: '_normal',
  m_hitPointWorld: '_point',
});
attributes(ClosestConvexResultCallback, {
  m_hitCollisionObject: {
    get(this: ClosestConvexResultCallback) {
      return this._object;
    },
    set(this: ClosestConvexResultCallback, value: unknown) {
      this._object = optional(
        value,
        btCollisionObject,
        'ClosestConvexResultCallback.set_m_hitCollisionObject',
        'value',
      );
    },
  },
});

/** `addSingleResult` is called with pointers, as in ammo.js; Ammo.wrapPointer converts them to objects. */
export class ContactResultCallback extends WrapperObject {
  addSingleResult(
    _cp: btManifoldPoint,
    _colObj0Wrap: btCollisionObjectWrapper,
    _partId0: number,
    _index0: number,
    _colObj1Wrap: btCollisionObjectWrapper,
    _partId1: number,
    _index1: number,
  ): number {
    throw forgotten('ConcreteContactResultCallback::addSingleResult');
  }
}

/** For programs that assign their own addSingleResult. */
export class ConcreteContactResultCallback extends ContactResultCallback {
  // biome-ignore lint/suspicious/noExplicitAny: pointers here
  declare addSingleResult: (...values: any[]) => number;
}
