// A world in a worker. In: frames. Out: the time for its clock, poses to draw. The worker makes the steps: callbacks
// run once per frame, before the frame's commands are sent and after new data has arrived.
import type { WorldBody } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import type { createPhysics, PhysicsBody } from 'ricochet/worker';
import type { Quaternion, Vector3 } from 'three';
import { LONGEST_FRAME, Runtime } from './runtime';

type Client = Awaited<ReturnType<typeof createPhysics>>;

/** ms. The time of this frame as the browser gives it to all animation callbacks. Without a page: undefined, the time of the call. */
const frameTime = () =>
  typeof document === 'undefined'
    ? undefined
    : ((document.timeline?.currentTime as number | null) ?? undefined);

export class WorkerRuntime extends Runtime {
  private readonly client: Client;
  /** s. For steps by call: time that is less than a step. */
  private rest = 0;
  private seen = 0;

  constructor(client: Client) {
    super(client, true);
    this.client = client;
  }

  get stepLength(): number {
    return this.client.fixedTimeStep;
  }

  get isAwake(): boolean {
    return this.client.stats.awake > 0 || this.seen !== this.client.stats.steps;
  }

  setPaused(paused: boolean): void {
    const done = paused ? this.client.pause() : this.client.start();
    done.catch((error: unknown) => {
      // A disposed world or lost worker is reported elsewhere.
      const known = ['disposed', 'worker-lost', 'out-of-memory'].includes((error as PhysicsError).code);
      if (!this.isDisposed && !known) throw error;
    });
  }

  frame(): void {
    this.events.prepare();
    if (this.client.isRunning) this.callBefore();
    this.client.update(frameTime());
    if (!this.isDisposed) this.arrived();
  }

  private arrived(): void {
    const { steps } = this.client.stats;
    // After a restart or a restore the step count can be lower.
    const made = Math.max(0, steps - this.seen);
    this.seen = steps;
    for (let i = made; i > 0; i--) this.callFixed(this.stepLength, steps - i);
    if (made > 0) this.callAfter();
    this.endFrame();
  }

  async step(dt: number): Promise<void> {
    if (!(dt >= 0)) throw new PhysicsError('invalid-argument', 'must be ≥ 0', 'dt', dt);
    this.rest += Math.min(dt, LONGEST_FRAME);
    // Allow for the rounding of a sum of steps.
    const due = Math.floor(this.rest / this.stepLength + 1e-6);
    this.rest = Math.max(0, this.rest - due * this.stepLength);
    this.events.prepare();
    if (due > 0) {
      this.callBefore();
      await this.client.step(due);
    }
    if (this.isDisposed) return;
    this.client.update();
    this.arrived();
  }

  readPose(body: WorldBody, position: Vector3, rotation: Quaternion): void {
    (body as PhysicsBody).getPosition(position);
    (body as PhysicsBody).getRotation(rotation);
  }

  writeMatrices(ids: Int32Array, out: Float32Array, scales: Float32Array | null): void {
    this.client.writeMatrices(ids, out, scales);
  }

  updateHooks(): void {
    if (this.contactHooks.size + this.intersectionHooks.size > 0)
      throw new PhysicsError(
        'unsupported',
        'useFilterContactPair and useFilterIntersectionPair: a worker’s step cannot call a page: use collisionGroups, or <Physics worker={false}>',
      );
  }
}
