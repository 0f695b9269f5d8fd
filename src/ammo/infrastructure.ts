// The parts from which a Bullet world is built: configuration, dispatcher, broad phase, solver. In: arguments without
// effect, because the engine has its own parts. Out: answers to queries on these parts once they are in a world.

import type { btBroadphaseProxy, btCollisionObject } from './collisionObject';
import { index, integer, internal, number } from './errors';
import type { btPersistentManifold } from './manifolds';
import { attributes, fields, optional, WrapperObject } from './object';
import { type btVector3, finiteVector } from './vector';
import type { btCollisionWorld } from './world';

export class btDefaultCollisionConstructionInfo extends WrapperObject {}
export class btCollisionConfiguration extends WrapperObject {}
export class btDefaultCollisionConfiguration extends btCollisionConfiguration {
  constructor(_info?: btDefaultCollisionConstructionInfo) {
    super();
  }
}
export class btSoftBodyRigidBodyCollisionConfiguration extends btDefaultCollisionConfiguration {}

export class btDispatcher extends WrapperObject {
  /** @internal */
  _world: btCollisionWorld | null = null;

  getNumManifolds(): number {
    return this._world?._contacts.list().length ?? 0;
  }

  getManifoldByIndexInternal(i: number): btPersistentManifold {
    const list = this._world?._contacts.list() ?? [];
    return list[index(i, list.length, 'btDispatcher.getManifoldByIndexInternal')]!;
  }
}
export class btCollisionDispatcher extends btDispatcher {
  constructor(_conf: btCollisionConfiguration) {
    super();
  }
}

export class btOverlappingPairCallback extends WrapperObject {}
export class btGhostPairCallback extends btOverlappingPairCallback {}

export class btOverlappingPairCache extends WrapperObject {
  /** @internal */
  _world: btCollisionWorld | null = null;

  /** No effect: ghosts list overlapping objects without it. */
  setInternalGhostPairCallback(_ghostPairCallback: btOverlappingPairCallback): void {}

  getNumOverlappingPairs(): number {
    return this._world?._engine.pairCount ?? 0;
  }

  /** No effect: pairs of a body are found again after its filter was set. */
  removeOverlappingPairsContainingProxy(_proxy: btBroadphaseProxy, _dispatcher: btDispatcher): void {}
}

export class btBroadphaseInterface extends WrapperObject {
  /** @internal */
  readonly _cache = new btOverlappingPairCache();

  getOverlappingPairCache(): btOverlappingPairCache {
    return this._cache;
  }
}
export class btDbvtBroadphase extends btBroadphaseInterface {}
export class btAxisSweep3 extends btBroadphaseInterface {
  constructor(
    worldAabbMin: btVector3,
    worldAabbMax: btVector3,
    _maxHandles?: number,
    pairCache?: btOverlappingPairCache,
    _disableRaycastAccelerator?: boolean,
  ) {
    super();
    finiteVector(worldAabbMin, 'btAxisSweep3', 'worldAabbMin');
    finiteVector(worldAabbMax, 'btAxisSweep3', 'worldAabbMax');
    optional(pairCache, btOverlappingPairCache, 'btAxisSweep3', 'pairCache');
  }
}

export class btConstraintSolver extends WrapperObject {}
export class btSequentialImpulseConstraintSolver extends btConstraintSolver {}

export class btDispatcherInfo extends WrapperObject {
  constructor() {
    super();
    Object.assign(this, {
      _m_timeStep: 0,
      _m_stepCount: 0,
      _m_dispatchFunc: 1,
      _m_timeOfImpact: 1,
      _m_useContinuous: true,
      _m_enableSatConvex: false,
      _m_enableSPU: true,
      _m_useEpa: true,
      _m_allowedCcdPenetration: Math.fround(0.04),
      _m_useConvexConservativeDistanceUtil: false,
      _m_convexConservativeDistanceThreshold: 0,
    });
  }
}
fields(btDispatcherInfo, number, [
  'm_timeStep',
  'm_timeOfImpact',
  'm_allowedCcdPenetration',
  'm_convexConservativeDistanceThreshold',
]);
fields(btDispatcherInfo, integer, ['m_stepCount', 'm_dispatchFunc']);
fields(btDispatcherInfo, Boolean, [
  'm_useContinuous',
  'm_enableSatConvex',
  'm_enableSPU',
  'm_useEpa',
  'm_useConvexConservativeDistanceUtil',
]);

export class btContactSolverInfo extends WrapperObject {
  /** @internal */
  constructor(readonly _world: btCollisionWorld) {
    super();
    internal(_world instanceof WrapperObject && '_engine' in _world, 'btContactSolverInfo');
  }

  /** @internal The native solver removes penetration without adding velocity in any case. */
  _splitImpulse = true;
  /** @internal Stored for its getter. */
  _threshold = Math.fround(-0.04);
}
attributes(btContactSolverInfo, {
  m_splitImpulse: {
    get(this: btContactSolverInfo) {
      return this._splitImpulse;
    },
    set(this: btContactSolverInfo, value: unknown) {
      this._splitImpulse = Boolean(value);
      if (this._world._isReplica)
        this._world._engine.updateSettings({ relaxIterations: this._splitImpulse ? 1 : 0 });
    },
  },
  m_splitImpulsePenetrationThreshold: {
    get(this: btContactSolverInfo) {
      return this._threshold;
    },
    set(this: btContactSolverInfo, value: unknown) {
      this._threshold = number(value, 'btContactSolverInfo.set_m_splitImpulsePenetrationThreshold', 'value');
    },
  },
  m_numIterations: {
    get(this: btContactSolverInfo) {
      return this._world._iterations;
    },
    set(this: btContactSolverInfo, value: unknown) {
      const count = integer(value, 'btContactSolverInfo.set_m_numIterations', 'value');
      this._world._setIterations(Math.min(1000, Math.max(0, count)));
    },
  },
});

/** Called with both objects of a pair. */
export type OverlapFilter = (a: btCollisionObject, b: btCollisionObject) => boolean;
