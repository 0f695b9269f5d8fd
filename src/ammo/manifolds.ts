// Contacts in Bullet's form: manifolds by index in the dispatcher, points with impulses, and the three contact
// callbacks. In: the engine's contacts after a step, read when first needed. Out: wrappers that stay the same as long
// as two shapes touch. Points are matched by their position on body A.
import type { ContactBatch, ContactEvent, RigidBody } from '../index';
import {
  type btCollisionObject,
  btCollisionObjectWrapper,
  CF_CUSTOM_MATERIAL_CALLBACK,
} from './collisionObject';
import { index } from './errors';
import { attributes, pointerOf, WrapperObject } from './object';
import type { btTransform } from './transform';
import { btVector3, square, vector } from './vector';
import type { btCollisionWorld } from './world';

const fround = Math.fround;
/** m. Points that moved less on body A are the same (Bullet's gContactBreakingThreshold). */
const SAME_POINT = 0.02;

export class btManifoldPoint extends WrapperObject {
  /** @internal */
  readonly _onA = new btVector3(0, 0, 0);
  /** @internal */
  readonly _onB = new btVector3(0, 0, 0);
  /** @internal */
  readonly _normal = new btVector3(0, 0, 0);
  /** @internal */
  readonly _localA = new btVector3(0, 0, 0);
  /** @internal */
  readonly _localB = new btVector3(0, 0, 0);
  /** @internal */
  _distance = 0;
  /** @internal */
  _impulse = 0;
  /** @internal */
  _userData: unknown = 0;

  /** On the surface of A. */
  getPositionWorldOnA(): btVector3 {
    return this._onA;
  }

  getPositionWorldOnB(): btVector3 {
    return this._onB;
  }

  getAppliedImpulse(): number {
    return this._impulse;
  }

  getDistance(): number {
    return this._distance;
  }

  /** @internal `x, y, z` midway; the normal points from A to B here, from B to A in Bullet. */
  _fill(
    x: number,
    y: number,
    z: number,
    separation: number,
    impulse: number,
    nx: number,
    ny: number,
    nz: number,
  ): void {
    const half = separation / 2;
    this._onA._set(fround(x - nx * half), fround(y - ny * half), fround(z - nz * half), 0);
    this._onB._set(fround(x + nx * half), fround(y + ny * half), fround(z + nz * half), 0);
    this._normal._set(-nx, -ny, -nz, 0);
    this._distance = separation;
    this._impulse = impulse;
  }

  /** @internal */
  _localise(a: btTransform, b: btTransform): void {
    toLocal(a, this._onA, this._localA);
    toLocal(b, this._onB, this._localB);
  }
}

function toLocal(t: btTransform, point: btVector3, out: btVector3): void {
  const m = t._fresh()._basis._matrix();
  const { _origin: o } = t;
  const [x, y, z] = [point._x - o._x, point._y - o._y, point._z - o._z];
  out._set(
    fround(m[0]! * x + m[3]! * y + m[6]! * z),
    fround(m[1]! * x + m[4]! * y + m[7]! * z),
    fround(m[2]! * x + m[5]! * y + m[8]! * z),
    0,
  );
}

const vectorOf = (key: '_onA' | '_onB' | '_normal' | '_localA' | '_localB') => ({
  get(this: btManifoldPoint) {
    return this[key];
  },
  set(this: btManifoldPoint, value: btVector3) {
    this[key]._copy(vector(value, 'btManifoldPoint', 'value'));
  },
});
attributes(btManifoldPoint, {
  m_localPointA: vectorOf('_localA'),
  m_localPointB: vectorOf('_localB'),
  m_positionWorldOnA: vectorOf('_onA'),
  m_positionWorldOnB: vectorOf('_onB'),
  m_normalWorldOnB: vectorOf('_normal'),
  m_userPersistentData: {
    get(this: btManifoldPoint) {
      return this._userData;
    },
    set(this: btManifoldPoint, value: unknown) {
      this._userData = value;
    },
  },
});

export class btPersistentManifold extends WrapperObject {
  /** @internal */
  _body0: btCollisionObject | null = null;
  /** @internal */
  _body1: btCollisionObject | null = null;
  /** @internal The engine's shapes, to recognise a reused slot. */
  _shapes: readonly [number, number] = [0, 0];
  /** @internal */
  _points: btManifoldPoint[] = [];
  /** @internal Number of the last reading that contained it. */
  _seen = 0;

  getBody0(): btCollisionObject {
    return this._body0 as btCollisionObject;
  }

  getBody1(): btCollisionObject {
    return this._body1 as btCollisionObject;
  }

  getNumContacts(): number {
    return this._points.length;
  }

  getContactPoint(i: number): btManifoldPoint {
    return this._points[index(i, this._points.length, 'btPersistentManifold.getContactPoint')]!;
  }
}

/** Called with pointers, like compiled functions. */
export interface ContactCallbacks {
  added: ((...pointers: number[]) => unknown) | null;
  processed: ((...pointers: number[]) => unknown) | null;
  destroyed: ((data: unknown) => unknown) | null;
}

interface Sensed {
  position: readonly number[];
  separation: number;
  normal: readonly number[];
}

const SLOTS = 1 << 18;

/** The manifolds of a world. */
export class Contacts {
  readonly callbacks: ContactCallbacks = { added: null, processed: null, destroyed: null };
  private readonly world: btCollisionWorld;
  private manifolds: btPersistentManifold[] = [];
  private readonly known = new Map<number, btPersistentManifold>();
  private batch: ContactBatch | undefined;
  private readAt = -1;
  private reading = 0;
  private listens = false;
  /** Contacts that began in the last call of stepSimulation. */
  private readonly impacts: ContactEvent<RigidBody>[] = [];

  constructor(world: btCollisionWorld) {
    this.world = world;
  }

  /** Manifolds of the last step. */
  list(): readonly btPersistentManifold[] {
    if (this.readAt !== this.world._poseCount) this.read();
    return this.manifolds;
  }

  private read(): void {
    const { world } = this;
    this.readAt = world._poseCount;
    this.reading++;
    const batch = (this.batch = world._engine.readContacts(this.batch));
    const list: btPersistentManifold[] = [];
    for (let i = 0; i < batch.count; i++) list.push(this.touching(batch, i));
    this.addImpacts(list);
    for (const [key, manifold] of this.known) {
      if (manifold._seen === this.reading) continue;
      // The engine does not report sleeping contacts, but they still exist.
      if (this.rests(manifold._body0!) && this.rests(manifold._body1!)) list.push(manifold);
      else this.drop(key, manifold);
    }
    this.manifolds = list;
  }

  private rests(body: btCollisionObject): boolean {
    return body._world === this.world && (body._type !== 'dynamic' || !body.isActive());
  }

  /** The manifold of two shapes, marked as seen in this reading. */
  private manifold(
    a: number,
    b: number,
    bodyA: btCollisionObject,
    bodyB: btCollisionObject,
  ): btPersistentManifold {
    const key = (a % SLOTS) * SLOTS + (b % SLOTS);
    let manifold = this.known.get(key);
    if (manifold !== undefined && (manifold._shapes[0] !== a || manifold._shapes[1] !== b)) {
      this.drop(key, manifold);
      manifold = undefined;
    }
    if (manifold === undefined) {
      manifold = new btPersistentManifold();
      manifold._shapes = [a, b];
      manifold._body0 = bodyA;
      manifold._body1 = bodyB;
      this.known.set(key, manifold);
    }
    manifold._seen = this.reading;
    return manifold;
  }

  private touching(batch: ContactBatch, i: number): btPersistentManifold {
    const [a, b] = [this.world._objectOf(batch.bodiesA[i]!), this.world._objectOf(batch.bodiesB[i]!)];
    const manifold = this.manifold(batch.shapesA[i]!, batch.shapesB[i]!, a, b);
    const { points, normals, firstPoints } = batch;
    const normal = normals.subarray(3 * i, 3 * i + 3);
    this.fill(manifold, points.subarray(5 * firstPoints[i]!, 5 * firstPoints[i + 1]!), normal);
    return manifold;
  }

  /** Before a step: its impacts take the place of those of the last one. */
  forgetImpacts(): void {
    if (this.impacts.length > 0) this.impacts.length = 0;
  }

  /**
   * The impulse of an impact that continuous collision found within the step is in no contact of the solver, but programs look
   * for it there. The first reading begins to listen for such impacts.
   */
  private addImpacts(list: btPersistentManifold[]): void {
    if (!this.listens) {
      this.listens = true;
      this.world._engine.on('contactBegin', (event) => void this.impacts.push(event));
    }
    for (const { bodyA, bodyB, shapeA, shapeB, points, normal } of this.impacts) {
      if (!points.some(({ impulse }) => impulse > 0)) continue;
      const [a, b] = [bodyA?.userData, bodyB?.userData] as (btCollisionObject | null | undefined)[];
      if (a?._world !== this.world || b?._world !== this.world) continue;
      const known = this.known.get((shapeA % SLOTS) * SLOTS + (shapeB % SLOTS));
      const isListed = known !== undefined && known._seen === this.reading;
      if (isListed && known._points.some((point) => point._impulse > 0)) continue;
      const manifold = this.manifold(shapeA, shapeB, a, b);
      const flat = points.flatMap(({ position, separation, impulse }) => [...position, separation, impulse]);
      this.fill(manifold, flat, normal);
      if (!isListed) list.push(manifold);
    }
  }

  /**
   * Sensors have no impulses, so the step finds no points for them. Bullet has points there, and programs count them;
   * they are computed when a program asks.
   */
  private sensed(manifold: btPersistentManifold): Sensed[] {
    const [a, b] = [manifold._body0!._engine, manifold._body1!._engine];
    if (a === null || b === null) return [];
    const pieceA = a.shapes.indexOf(manifold._shapes[0]);
    const found = this.world._engine.contactPairTest(a, b);
    const own = found.find(({ piece, shape }) => piece === pieceA && shape === manifold._shapes[1]);
    return (own ?? found[0])?.points.map((point) => ({ ...point, normal: (own ?? found[0])!.normal })) ?? [];
  }

  /** Points of the last reading keep their wrappers, and so the properties that users set on them. */
  private fill(manifold: btPersistentManifold, points: ArrayLike<number>, normal: ArrayLike<number>): void {
    const old = manifold._points;
    const poses = [manifold._body0!._pose, manifold._body1!._pose] as const;
    const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
    const fresh: btManifoldPoint[] = [];
    const put = (
      x: number,
      y: number,
      z: number,
      separation: number,
      impulse: number,
      nx: number,
      ny: number,
      nz: number,
    ) => {
      if (impulse > 0 && separation > 0) {
        // A point with an impulse counts as touching. Bullet, which tests only at the start of a step, shows a fast
        // impact one step later.
        // The point is put on the body that does not move, otherwise midway.
        const still = (body: btCollisionObject) => Number(body._type !== 'dynamic');
        const shift = (separation / 2) * (still(manifold._body1!) - still(manifold._body0!));
        x += nx * shift;
        y += ny * shift;
        z += nz * shift;
        separation = 0;
      }
      scratch._fill(x, y, z, separation, impulse, nx, ny, nz);
      scratch._localise(...poses);
      const known = takeNearest(old, scratch._localA);
      const point = known ?? new btManifoldPoint();
      point._fill(x, y, z, separation, impulse, nx, ny, nz);
      point._localA._copy(scratch._localA);
      point._localB._copy(scratch._localB);
      fresh.push(point);
      if (known === undefined) this.added(manifold, point);
    };
    const isSensor = nx === 0 && ny === 0 && nz === 0;
    if (isSensor)
      for (const { position: p, separation, normal: n } of this.sensed(manifold))
        put(p[0]!, p[1]!, p[2]!, separation, 0, n[0]!, n[1]!, n[2]!);
    else
      for (let at = 0; at < points.length; at += 5)
        put(points[at]!, points[at + 1]!, points[at + 2]!, points[at + 3]!, points[at + 4]!, nx, ny, nz);
    for (const point of old) this.ended(point);
    manifold._points = fresh;
  }

  private added(manifold: btPersistentManifold, point: btManifoldPoint): void {
    const { added } = this.callbacks;
    if (added === null) return;
    const [a, b] = [manifold._body0!, manifold._body1!];
    if (((a._flags | b._flags) & CF_CUSTOM_MATERIAL_CALLBACK) === 0) return;
    const [sideA, sideB] = [new btCollisionObjectWrapper(a), new btCollisionObjectWrapper(b)];
    this.world._guard(() => void added(pointerOf(point), pointerOf(sideA), -1, -1, pointerOf(sideB), -1, -1));
  }

  private ended(point: btManifoldPoint): void {
    const { destroyed } = this.callbacks;
    const data = point._userData;
    if (destroyed === null || data === 0 || data === null || data === undefined) return;
    this.world._guard(() => void destroyed(data));
  }

  private drop(key: number, manifold: btPersistentManifold): void {
    this.known.delete(key);
    for (const point of manifold._points) this.ended(point);
    manifold._points = [];
  }

  get wanted(): boolean {
    const { added, processed, destroyed } = this.callbacks;
    return added !== null || processed !== null || destroyed !== null;
  }

  /** After a step: calls added and destroyed while reading, then processed for each point. */
  report(): void {
    const { processed } = this.callbacks;
    const manifolds = this.list();
    if (processed === null) return;
    for (const manifold of manifolds)
      for (const point of manifold._points)
        this.world._guard(
          () => void processed(pointerOf(point), pointerOf(manifold._body0), pointerOf(manifold._body1)),
        );
  }
}

const scratch = new btManifoldPoint();

/** Removes the point closest to a position on A from the list and returns it. */
function takeNearest(list: btManifoldPoint[], local: btVector3): btManifoldPoint | undefined {
  let best = -1;
  let least = SAME_POINT * SAME_POINT;
  for (let i = 0; i < list.length; i++) {
    const p = list[i]!._localA;
    const far = square(p._x - local._x) + square(p._y - local._y) + square(p._z - local._z);
    if (far >= least) continue;
    least = far;
    best = i;
  }
  return best < 0 ? undefined : list.splice(best, 1)[0];
}
