// A world while its <Physics> is mounted: its bodies, the callbacks around its steps, and the objects that follow it.
// In: frames of the renderer. Out: steps, moved objects, events. LocalRuntime steps a World in the page, and
// WorkerRuntime drives one in a worker; components use neither directly.
import type { Answer, BodyId, PhysicsWorld, ShapeId, WorldBody } from 'ricochet';
import type { Quaternion, Vector3 } from 'three';
import type { BodyEntry } from './bodyEntry';
import type { ColliderEntry } from './colliderEntry';
import { EventRouter } from './eventRouter';
import type { RigidBodyApi } from './rigidBodyApi';

/** Called before or after each frame's steps. */
export type StepCallback = (world: PhysicsWorld) => void;
/** Called before or after each fixed step; dt in s. */
export type FixedStepCallback = (world: PhysicsWorld, dt: number, step: number) => void;
/** Asked of every new pair of shapes: false lets them pass through each other. */
export type PairHook = (shapeA: ShapeId, shapeB: ShapeId, bodyA: BodyId, bodyB: BodyId) => boolean | null;

/** Something that is updated in each frame. */
export interface Drawn {
  draw(): void;
}

/** s. Limit of the time of a frame. */
export const LONGEST_FRAME = 0.5;
/** Flushes of events after which removed bodies are forgotten. */
const REMEMBERED = 120;

type Slot<Callback> = Set<{ current: Callback }>;

export abstract class Runtime {
  /** Bodies of components; also recently removed ones, to which events may refer. */
  readonly bodies = new Map<BodyId, BodyEntry>();
  readonly shapes = new Map<ShapeId, ColliderEntry>();
  /** Bodies with forces that act until they are reset. */
  readonly pushed = new Set<RigidBodyApi>();
  readonly drawn = new Set<Drawn>();
  readonly beforeStep: Slot<StepCallback> = new Set();
  readonly afterStep: Slot<StepCallback> = new Set();
  readonly fixedStep: Slot<FixedStepCallback> = new Set();
  readonly contactHooks: Slot<PairHook> = new Set();
  readonly intersectionHooks: Slot<PairHook> = new Set();
  /** Called after a restore. */
  readonly restored = new Set<() => void>();
  readonly events: EventRouter;
  /** Frames so far. */
  frames = 0;
  isDisposed = false;
  private readonly leaving: { frame: number; forget: () => void }[] = [];

  constructor(
    readonly world: PhysicsWorld,
    readonly isWorker: boolean,
  ) {
    this.events = new EventRouter(this);
  }

  /** s. Length of one step. */
  abstract get stepLength(): number;

  /** Whether something moves, so that the renderer must draw again. */
  abstract get isAwake(): boolean;

  /** One frame of the renderer, `dt` s after the last one. */
  abstract frame(dt: number): void;

  /** Makes the steps that are due after `dt` s; a promise in a worker. */
  abstract step(dt: number): Answer<void>;

  abstract setPaused(paused: boolean): void;

  /** The pose to draw. */
  abstract readPose(body: WorldBody, position: Vector3, rotation: Quaternion): void;

  /** Writes the matrices for drawing; see Physics.writeMatrices. */
  abstract writeMatrices(ids: Int32Array, out: Float32Array, scales: Float32Array | null): void;

  // --- bodies and shapes ---

  add(entry: BodyEntry): void {
    const id = entry.body!.id;
    this.bodies.set(id, entry);
    if (entry.body!.type !== 'static' || !entry.standsAlone) this.drawn.add(entry);
    this.events.watch(entry);
  }

  /** Removes an entry; its ids stay known for a while, because events may still refer to them. */
  remove(entry: BodyEntry): void {
    this.drawn.delete(entry);
    this.pushed.delete(entry.api);
    this.events.unwatch(entry);
    const id = entry.body?.id ?? 0;
    this.later(() => {
      if (this.bodies.get(id)?.isLive !== true) this.bodies.delete(id);
    });
    if (entry.isLive) for (const shape of entry.body!.shapes) this.forgetShape(shape);
  }

  forgetShape(id: ShapeId): void {
    const collider = this.shapes.get(id);
    this.later(() => {
      // After a restore another shape may have the id.
      if (this.shapes.get(id) === collider && collider?.shapeIds.includes(id) !== true)
        this.shapes.delete(id);
    });
  }

  private later(forget: () => void): void {
    this.leaving.push({ frame: this.frames, forget });
  }

  /** Runs at the end of each frame, and after steps by call. */
  protected endFrame(): void {
    this.frames++;
    for (const one of this.drawn) one.draw();
    this.events.flush();
    const { leaving } = this;
    while (leaving.length > 0 && leaving[0]!.frame + REMEMBERED < this.frames) leaving.shift()!.forget();
  }

  protected callBefore(): void {
    for (const api of this.pushed) api.push();
    for (const callback of this.beforeStep) callback.current(this.world);
  }

  protected callAfter(): void {
    for (const callback of this.afterStep) callback.current(this.world);
  }

  protected callFixed(dt: number, step: number): void {
    for (const callback of this.fixedStep) callback.current(this.world, dt, step);
  }

  // --- state ---

  snapshot(): Answer<Uint8Array> {
    return this.world.snapshot();
  }

  /** Bodies of components that the snapshot lacks are created again; its bodies without a component are removed. */
  restore(snapshot: Uint8Array): Answer<void> {
    const owned = new Set(this.bodies.keys());
    const settle = () => {
      if (this.isDisposed) return;
      this.events.forgetTouching();
      for (const id of owned) {
        const entry = this.bodies.get(id);
        const body = this.world.getBody(id);
        if (entry !== undefined && entry.body === null && body !== undefined) body.remove();
        else if (entry !== undefined && entry.body?.id === id && entry.body.isRemoved) entry.create();
      }
      for (const listener of this.restored) listener();
      for (const one of this.drawn) one.draw();
    };
    const done = this.world.restore(snapshot);
    if (done === undefined) return settle();
    return done.then(settle);
  }

  /** Called before two shapes collide; only with a World. */
  askHooks(a: ShapeId, b: ShapeId, bodyA: BodyId, bodyB: BodyId): boolean {
    const isSensor = [a, b].some((id) => this.shapes.get(id)?.merged.sensor === true);
    for (const hook of isSensor ? this.intersectionHooks : this.contactHooks) {
      const answer = hook.current(a, b, bodyA, bodyB);
      if (answer === false) return false;
      if (answer === true && !isSensor) return true;
    }
    return true;
  }

  /** Called when the number of hooks has changed. */
  abstract updateHooks(): void;

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.events.dispose();
    for (const set of [this.drawn, this.pushed, this.beforeStep, this.afterStep, this.fixedStep]) set.clear();
    this.bodies.clear();
    this.shapes.clear();
    this.restored.clear();
    this.leaving.length = 0;
    this.world.dispose();
  }
}
