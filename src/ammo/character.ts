// btKinematicCharacterController: Bullet's names and numbers over ricochet's own character. In: a ghost, a convex
// shape, a way per step or a velocity for some time. Out, in every step: the ghost's place. Bullet's sinks 4 cm into
// the ground, creeps down slopes, hangs in the air while it is told nothing and climbs steps only when it is fast.
import { CharacterController } from 'ricochet/character';
import { deterministic } from '../index';
import { engineCall } from './collisionObject';
import { integer, number } from './errors';
import { btPairCachingGhostObject } from './ghosts';
import { ref } from './object';
import { type btCollisionShape, btConvexShape, HERE } from './shapes';
import { btTransform } from './transform';
import { type btVector3, finiteVector, triple } from './vector';
import { flag } from './wheels';
import { btActionInterface, btCollisionWorld } from './world';

const NAME = 'btKinematicCharacterController';
/** Bullet's 45°. */
const MAX_SLOPE = deterministic.degreesToRadians(45);
/** rad: beyond it all is a wall. */
const STEEPEST = 1.55;
/** m: the gap to what is near; Bullet keeps 2 cm to walls and none to the ground. */
const OFFSET = 0.01;

export class btKinematicCharacterController extends btActionInterface {
  private readonly _ghost: btPairCachingGhostObject;
  private readonly _shape: btConvexShape;
  private readonly _stepHeight: number;
  /** Made when its ghost is in a world, and again when that or the shape has changed. */
  private _native: CharacterController | null = null;
  private _shapeVersion = 0;
  private _up: [number, number, number] = [0, 1, 0];
  private _walk: [number, number, number] = [0, 0, 0];
  /** s that the velocity lasts; null: a way per step. */
  private _interval: number | null = null;
  private _jumping = false;
  /** Fallen with Bullet's half step of gravity ahead already. */
  private _falling = false;
  private _gravity = Math.fround(9.8 * 3);
  private _fallSpeed = 55;
  private _jumpSpeed = 10;
  private _maxSlope = Math.fround(MAX_SLOPE);

  constructor(
    ghostObject: btPairCachingGhostObject,
    convexShape: btConvexShape,
    stepHeight: number,
    upAxis = 1,
  ) {
    super();
    this._ghost = ref(ghostObject, btPairCachingGhostObject, NAME, 'ghostObject');
    this._shape = ref(convexShape as btCollisionShape, btConvexShape, NAME, 'convexShape');
    this._stepHeight = Math.max(0, number(stepHeight, NAME, 'stepHeight'));
    this.setUpAxis(upAxis);
  }

  // --- what it is told ---

  /** 0, 1 or 2; what is beyond counts as the nearest, as in Bullet. */
  setUpAxis(axis: number): void {
    const k = Math.min(2, Math.max(0, integer(axis, `${NAME}.setUpAxis`, 'axis')));
    this._up = [0, 1, 2].map((i) => (i === k ? 1 : 0)) as [number, number, number];
    this._native?.setOptions({ up: this._up });
  }

  /** m in each step; ends what setVelocityForTimeInterval began. */
  setWalkDirection(walkDirection: btVector3): void {
    this._walk = triple(
      finiteVector(walkDirection, `${NAME}.setWalkDirection`, 'walkDirection'),
    ) as typeof this._walk;
    this._interval = null;
  }

  /** m/s for a time in s, which is added to what is left; then it stands. */
  setVelocityForTimeInterval(velocity: btVector3, timeInterval: number): void {
    const where = `${NAME}.setVelocityForTimeInterval`;
    const time = number(timeInterval, where, 'timeInterval');
    this._walk = triple(finiteVector(velocity, where, 'velocity')) as typeof this._walk;
    this._interval = (this._interval ?? 0) + time;
  }

  /** Places the ghost, upright. */
  warp(origin: btVector3): void {
    const at = new btTransform();
    at.setIdentity();
    at.setOrigin(finiteVector(origin, `${NAME}.warp`, 'origin'));
    this._ghost.setWorldTransform(at);
  }

  setFallSpeed(fallSpeed: number): void {
    this._fallSpeed = Math.max(1e-6, Math.abs(number(fallSpeed, `${NAME}.setFallSpeed`, 'fallSpeed')));
    this._native?.setOptions({ fallSpeed: this._fallSpeed });
  }

  setJumpSpeed(jumpSpeed: number): void {
    this._jumpSpeed = number(jumpSpeed, `${NAME}.setJumpSpeed`, 'jumpSpeed');
  }

  /** Without effect, as in Bullet. */
  setMaxJumpHeight(maxJumpHeight: number): void {
    number(maxJumpHeight, `${NAME}.setMaxJumpHeight`, 'maxJumpHeight');
  }

  canJump(): boolean {
    return this.onGround();
  }

  jump(): void {
    if (this.canJump()) this._jumping = true;
  }

  /** m/s², against up. */
  setGravity(gravity: number): void {
    this._gravity = Math.max(0, number(gravity, `${NAME}.setGravity`, 'gravity'));
    this._native?.setOptions({ gravity: this._gravity });
  }

  getGravity(): number {
    return this._gravity;
  }

  setMaxSlope(slopeRadians: number): void {
    this._maxSlope = number(slopeRadians, `${NAME}.setMaxSlope`, 'slopeRadians');
    if (this._native !== null) this._native.setOptions(this._slopes());
  }

  getMaxSlope(): number {
    return this._maxSlope;
  }

  private _slopes() {
    const maxSlope = Math.min(STEEPEST, Math.max(0, this._maxSlope));
    return { maxSlope, slideSlope: maxSlope };
  }

  getGhostObject(): btPairCachingGhostObject {
    return this._ghost;
  }

  /** Taken note of: there is one way to ask. */
  setUseGhostSweepTest(useGhostObjectSweepTest: boolean): void {
    flag(useGhostObjectSweepTest);
  }

  /** Taken note of: steps are always climbed as far as they go. */
  setUpInterpolate(value: boolean): void {
    flag(value);
  }

  /** True before the first step, as in Bullet. */
  onGround(): boolean {
    return !this._jumping && (this._native === null || this._native.isGrounded);
  }

  // --- a step ---

  override updateAction(collisionWorld: btCollisionWorld, deltaTime: number): void {
    this.preStep(collisionWorld);
    this.playerStep(collisionWorld, deltaTime);
  }

  /** Nothing to do: playerStep begins where the ghost is. */
  preStep(collisionWorld: btCollisionWorld): void {
    ref(collisionWorld, btCollisionWorld, `${NAME}.preStep`, 'collisionWorld');
  }

  playerStep(collisionWorld: btCollisionWorld, dt: number): void {
    const where = `${NAME}.playerStep`;
    ref(collisionWorld, btCollisionWorld, where, 'collisionWorld');
    const step = number(dt, where, 'dt');
    if (!(step >= 1e-6)) return;
    const native = engineCall(where, () => this._ready());
    if (native === null) return;
    let share = 1 / step;
    if (this._interval !== null) {
      share = Math.max(0, Math.min(step, this._interval)) / step;
      this._interval = Math.max(0, this._interval - step);
    }
    // Bullet adds gravity before it moves: half a step ahead of the parabola, at which it jumps and falls.
    const ahead = 0.5 * this._gravity * step;
    if (this._jumping) native.jump(Math.max(1e-6, this._jumpSpeed - ahead));
    else if (!native.isGrounded && !this._falling)
      native.addVelocity(this._up.map((value) => -ahead * value));
    this._jumping = false;
    engineCall(where, () =>
      native.update(
        this._walk.map((value) => value * share),
        Math.min(1, step),
      ),
    );
    this._falling = !native.isGrounded;
    this._ghost._poseSeen = -1;
  }

  /** The character of the ghost as it is now, or null out of a world. */
  private _ready(): CharacterController | null {
    const { _ghost: ghost, _shape: shape } = this;
    const [world, body] = [ghost._world, ghost._engine];
    if (world === null || body === null) return null;
    world._refresh();
    const native = this._native;
    const filter = { group: ghost._group, mask: ghost._mask };
    if (native?.body === body && this._shapeVersion === shape._version) {
      const { group, mask } = native.options;
      if (group !== filter.group || mask !== filter.mask) native.setOptions(filter);
      return native;
    }
    this._shapeVersion = shape._version;
    this._native = new CharacterController(world._engine, {
      shape: shape._parts(HERE, world._use),
      body,
      up: this._up,
      offset: OFFSET,
      stepHeight: this._stepHeight,
      snapDistance: this._stepHeight,
      gravity: this._gravity,
      fallSpeed: this._fallSpeed,
      mass: 0,
      ...this._slopes(),
      ...filter,
    });
    if (native?.body === body) this._native.restore(native.save());
    return this._native;
  }
}
