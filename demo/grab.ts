// Bodies held with the pointer: what is pressed on is pulled to where the pointer goes, in the plane through the point
// that parallels the screen. In: the canvas, what is shown. On the page a joint of type 'mouse'.
import type { PhysicsBody, PhysicsJoint } from 'ricochet/worker';
import { Plane, Quaternion, Raycaster, Vector2, Vector3 } from 'three';
import type { Session } from './session';
import type { Stage } from './stage';

export interface GrabHost {
  readonly session: Session | null;
  readonly stage: Stage | null;
  /** Whether a press takes hold; if not, only one with the shift key does. */
  readonly grabbing: boolean;
  fail(error: unknown): void;
}

/** m */
const REACH = 1000;
/** Times the weight of a body of its mass on earth. */
const STRENGTH = 60;

interface Held {
  session: Session;
  body: PhysicsBody;
  joint: PhysicsJoint;
}

export class Grab {
  private held: Held | null = null;
  /** The pointer that pressed, until it is let go. */
  private pointer: number | null = null;
  private readonly caster = new Raycaster();
  private readonly plane = new Plane();
  private readonly point = new Vector3();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly host: GrabHost,
  ) {
    canvas.addEventListener('pointerdown', (event) => {
      const wanted = event.isPrimary && event.button === 0 && (host.grabbing || event.shiftKey);
      if (!wanted || this.pointer !== null) return;
      this.pointer = event.pointerId;
      this.take(event).catch((error) => host.fail(error));
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerId === this.pointer) this.pull(event);
    });
    for (const type of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(type, (event) => {
        if (event.pointerId === this.pointer) this.release();
      });
  }

  /** Whether a pointer is down to hold something. */
  get holds(): boolean {
    return this.held !== null;
  }

  private aim({ clientX, clientY }: PointerEvent): void {
    const { camera } = this.host.stage!;
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (clientY - box.top)) / box.height;
    this.caster.setFromCamera(new Vector2(x, y), camera);
  }

  private async take(event: PointerEvent): Promise<void> {
    const { session, stage } = this.host;
    if (session === null || stage === null) return;
    this.aim(event);
    const { origin, direction } = this.caster.ray;
    const to = origin.clone().addScaledVector(direction, REACH);
    const hit = await session.physics.rayTest(origin.clone(), to);
    // The answer comes a moment later: the finger may be up again, the scene another.
    if (this.pointer === null || session !== this.host.session) return;
    if (hit === null || hit.body.isRemoved || hit.body.type !== 'dynamic') return;
    const { body, point } = hit;
    stage.controls.enabled = false; // the camera stays where it is
    const at = Array.from(point) as [number, number, number];
    this.plane.setFromNormalAndCoplanarPoint(
      stage.camera.getWorldDirection(new Vector3()),
      new Vector3(...at),
    );
    const turned = new Quaternion().fromArray(Array.from(body.getRotation())).invert();
    const position = new Vector3(...at)
      .sub(new Vector3().fromArray(body.getPosition()))
      .applyQuaternion(turned);
    body.setActivationState('disableDeactivation');
    const joint = session.physics.createJoint({
      type: 'mouse',
      bodyB: body,
      frameB: { position },
      target: at,
      maxForce: STRENGTH * 9.81 * body.mass,
    });
    this.held = { session, body, joint };
  }

  private pull(event: PointerEvent): void {
    const { held } = this;
    if (held === null || held.session !== this.host.session || held.joint.isRemoved) return;
    this.aim(event);
    if (this.caster.ray.intersectPlane(this.plane, this.point) !== null) held.joint.setTarget(this.point);
  }

  /** Lets go of what is held. */
  release(): void {
    const { held } = this;
    this.pointer = null;
    this.held = null;
    if (this.host.stage !== null) this.host.stage.controls.enabled = true;
    if (held === null || held.session !== this.host.session) return;
    if (!held.joint.isRemoved) held.joint.remove();
    if (!held.body.isRemoved) held.body.forceActivationState('active');
  }
}
