// btKinematicCharacterController: Bullet's names and values over ricochet's own character controller, a character of the core
// that has the shape of the ghost. In: a ghost, a convex shape, a displacement per step or a velocity for some time. Out, in each step: the ghost's position. Bullet's
// own controller sinks 4 cm into the ground, creeps down slopes, hangs in the air without input and climbs steps only
// when it is fast.
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
/** rad. Steeper slopes all count as walls. */
const STEEPEST = 1.55;
/** m. Gap to obstacles; Bullet keeps 2 cm to walls and none to the ground. */
const OFFSET = 0.01;

export class btKinematicCharacterController extends btActionInterface {
  private readonly _ghost: btPairCachingGhostObject;
  private readonly _shape: btConvexShape;
  private readonly _stepHeight: number;
  /** Created when its ghost is in a world, and again when that or the shape has changed. */
  private _native: CharacterController | null = null;
  private _shapeVersion = 0;
  private _up: [number, number, number] = [0, 1, 0];
  private _walk: [number, number, number] = [0, 0, 0];
  /** s for which the velocity still acts; null: a displacement per step. */
  private _interval: number | null = null;
  private _jumping = false;
  /** Whether the fall already includes Bullet's extra half step of gravity. */
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

  // --- input ---

  /** 0, 1 or 2; other values are clamped, as in Bullet. */
  setUpAxis(axis: number): void {
    const k = Math.min(2, Math.max(0, integer(axis, `${NAME}.setUpAxis`, 'axis')));
    this._up = [0, 1, 2].map((i) => (i === k ? 1 : 0)) as [number, number, number];
    this._native?.setOptions({ up: this._up });
  }

  /** m per step; ends the effect of setVelocityForTimeInterval. */
  setWalkDirection(walkDirection: btVector3): void {
    this._walk = triple(
      finiteVector(walkDirection, `${NAME}.setWalkDirection`, 'walkDirection'),
    ) as typeof this._walk;
    this._interval = null;
  }

  /** m/s for a time in s, which is added to the remaining time; then the character stops. */
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

  /** No effect, as in Bullet. */
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

  /** Stored without effect: there is one kind of sweep. */
  setUseGhostSweepTest(useGhostObjectSweepTest: boolean): void {
    flag(useGhostObjectSweepTest);
  }

  /** Stored without effect: steps are always climbed completely. */
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

  /** Nothing to do: playerStep starts at the ghost's position. */
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
    // Bullet adds gravity before it moves, half a step ahead of the parabola: jumping and falling do the same here.
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

  /** The character controller of the ghost, or null if it is in no world. */
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
    return this._native;
  }
}
