// A World in the page: `<Physics worker={false}>`. In: frames. Out: fixed steps (or one per frame), callbacks around each.
import type { RigidBody, World, WorldBody } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import type { Quaternion, Vector3 } from 'three';
import { LONGEST_FRAME, Runtime } from './runtime';

const pose = new Float32Array(7);
const matrix = new Float32Array(16);

export class LocalRuntime extends Runtime {
  /** s, or 'vary' for the time of the frame. */
  timeStep: number | 'vary' = 1 / 60;
  interpolate = true;
  private paused = false;
  /** s, of the last step. */
  private length = 1 / 60;
  private steps = 0;
  private readonly local: World;

  constructor(world: World) {
    super(world, false);
    this.local = world;
    world.setInternalTickCallback((dt) => this.before(dt), true);
    world.setInternalTickCallback(() => this.callAfter());
  }

  get stepLength(): number {
    return this.length;
  }

  get isAwake(): boolean {
    return this.local.awakeCount > 0;
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
  }

  frame(dt: number): void {
    if (this.paused) this.endFrame();
    else this.step(dt);
  }

  step(dt: number): void {
    if (!(dt >= 0)) throw new PhysicsError('invalid-argument', 'must be ≥ 0', 'dt', dt);
    this.events.prepare();
    for (const api of this.pushed) api.push();
    const elapsed = Math.min(dt, LONGEST_FRAME);
    if (this.timeStep !== 'vary')
      this.local.stepSimulation(elapsed, Math.ceil(LONGEST_FRAME / this.timeStep) + 1, this.timeStep);
    else if (elapsed > 0) this.local.stepSimulation(elapsed, 0);
    if (!this.isDisposed) this.endFrame();
  }

  private before(dt: number): void {
    this.length = dt;
    this.callFixed(dt, this.steps++);
    for (const callback of this.beforeStep) callback.current(this.world);
  }

  readPose(body: WorldBody, position: Vector3, rotation: Quaternion): void {
    this.read(body as RigidBody);
    position.set(pose[0]!, pose[1]!, pose[2]!);
    rotation.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
  }

  private read(body: RigidBody): void {
    if (this.isInterpolated) body.getInterpolatedPose(pose);
    else body.getPose(pose);
  }

  private get isInterpolated(): boolean {
    return this.interpolate && !this.paused;
  }

  writeMatrices(ids: Int32Array, out: Float32Array, scales: Float32Array | null): void {
    for (let i = 0, at = 0; i < ids.length; i++, at += 16) {
      if (ids[i] === 0) continue;
      const body = this.local.getBody(ids[i]!)!;
      if (this.isInterpolated) body.getInterpolatedTransform(matrix);
      else body.getTransform(matrix);
      if (scales !== null)
        for (let column = 0; column < 3; column++) {
          const scale = scales[3 * i + column]!;
          for (let row = 0; row < 3; row++) matrix[4 * column + row]! *= scale;
        }
      out.set(matrix, at);
    }
  }

  updateHooks(): void {
    const asked = this.contactHooks.size + this.intersectionHooks.size > 0;
    this.local.setPairFilter(
      asked ? (a, b, shapeA, shapeB) => this.askHooks(shapeA, shapeB, a.id, b.id) : null,
    );
  }
}
