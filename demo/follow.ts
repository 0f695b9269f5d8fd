// A camera behind a character whose head may point anywhere. In: where it is, which way is up there, turns by the user. Out:
// the place of the camera, and directions to walk in.
import { type PerspectiveCamera, Quaternion, Vector3 } from 'three';

/** rad: lowest and highest look down. */
const [LOW, HIGH] = [-0.35, 1.35];
/** m */
const [NEAR, FAR] = [3, 30];
/** 1/s: how fast it follows `up`, and the height. */
const [UPRIGHT, FOLLOW] = [5, 7];

export class FollowCamera {
  readonly up = new Vector3(0, 1, 0);
  /** Unit, across `up`: where it looks. */
  readonly ahead: Vector3;
  readonly target = new Vector3();
  distance = 8;
  private pitch = 0.42;
  private isPlaced = false;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private readonly turn = new Quaternion();
  private readonly scratch = new Vector3();

  constructor(
    private readonly camera: PerspectiveCamera,
    canvas: HTMLElement,
    ahead: readonly [number, number, number] = [0, 0, -1],
  ) {
    this.ahead = new Vector3(...ahead).normalize();
    canvas.addEventListener('pointerdown', ({ pointerId, clientX, clientY }) => {
      canvas.setPointerCapture(pointerId);
      this.pointers.set(pointerId, { x: clientX, y: clientY });
    });
    canvas.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
      const last = this.pointers.get(pointerId);
      if (last === undefined) return;
      if (this.pointers.size === 1) this.look(-0.006 * (clientX - last.x), 0.006 * (clientY - last.y));
      else this.pinch(pointerId, last, { x: clientX, y: clientY });
      Object.assign(last, { x: clientX, y: clientY });
    });
    for (const end of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(end, ({ pointerId }) => this.pointers.delete(pointerId));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(0.001 * event.deltaY));
    });
  }

  private pinch(id: number, last: { x: number; y: number }, now: { x: number; y: number }): void {
    for (const [other, at] of this.pointers) {
      if (other === id) continue;
      const before = Math.hypot(last.x - at.x, last.y - at.y);
      this.zoom(before / Math.max(1, Math.hypot(now.x - at.x, now.y - at.y)));
      return;
    }
  }

  private zoom(factor: number): void {
    this.distance = Math.min(FAR, Math.max(NEAR, this.distance * factor));
  }

  /** Turns by angles in rad. */
  look(yaw: number, pitch: number): void {
    this.ahead.applyAxisAngle(this.up, yaw);
    this.pitch = Math.min(HIGH, Math.max(LOW, this.pitch + pitch));
  }

  /** The velocity of a lean to the right and ahead, as it sees them, m/s. */
  velocity(right: number, ahead: number, speed: number): [number, number, number] {
    const aside = this.scratch.crossVectors(this.ahead, this.up);
    return [0, 1, 2].map(
      (k) => speed * (ahead * this.ahead.getComponent(k) + right * aside.getComponent(k)),
    ) as [number, number, number];
  }

  /** @param seconds  since the last frame */
  update(at: Vector3, up: Vector3, seconds: number): void {
    const share = 1 - Math.exp(-UPRIGHT * seconds);
    const before = this.scratch.copy(this.up).clone();
    if (this.up.dot(up) < -0.99) this.up.addScaledVector(this.ahead, 0.05);
    this.up.lerp(up, share).normalize();
    // What is ahead stays so on the shortest turn from one `up` to the other.
    this.ahead.applyQuaternion(this.turn.setFromUnitVectors(before, this.up));
    this.ahead.addScaledVector(this.up, -this.ahead.dot(this.up)).normalize();
    if (!this.isPlaced || this.target.distanceTo(at) > 6) this.target.copy(at);
    this.isPlaced = true;
    const rise = this.scratch.copy(at).sub(this.target);
    const height = rise.dot(this.up);
    this.target.copy(at).addScaledVector(this.up, height * (Math.exp(-FOLLOW * seconds) - 1));
    this.camera.up.copy(this.up);
    this.camera.position
      .copy(this.target)
      .addScaledVector(this.ahead, -this.distance * Math.cos(this.pitch))
      .addScaledVector(this.up, this.distance * Math.sin(this.pitch) + 0.5);
    this.camera.lookAt(this.scratch.copy(this.target).addScaledVector(this.up, 0.5));
  }
}
