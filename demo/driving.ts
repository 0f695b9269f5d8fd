// The page of the driving range: a car, a motorcycle, a tank and a lorry in a worker. In: keys, a thumb stick with pedals, a
// gamepad. Out: a picture, and what the instruments show.
import { bind } from 'ricochet/three';
import { createVehicle, type Vehicle } from 'ricochet/vehicle';
import { createPhysics, type Physics, type PhysicsBody } from 'ricochet/worker';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  Vector3,
} from 'three';
import { element } from './element';
import { firstPad, heldButton, heldKeys, thumbStick } from './inputs';
import { isolate } from './isolate';
import { pigment, STATIC } from './palette';
import { furnishRange, MODELS, type Model, type Piece, type Tint } from './range';
import { runPage } from './run';
import { Stage } from './stage';

type Vec3 = [number, number, number];
const TINTS: Record<Tint, Color> = {
  stone: STATIC,
  road: new Color('#b9bcc0'),
  kerb: new Color('#d9694d'),
  mud: new Color('#6f5844'),
  ramp: pigment(4),
  crate: pigment(1),
  cone: new Color('#e2733c'),
  plank: pigment(2),
};
/** m behind and above what is driven. */
const [BEHIND, ABOVE] = [6.5, 2.4];
const DEAD = 0.12;
const UP = new Vector3(0, 1, 0);

/** Something to drive, with its drawn parts. */
class Ride {
  readonly body: PhysicsBody;
  readonly object = new Group();
  readonly wheels: Mesh[] = [];

  constructor(
    readonly model: Model,
    readonly vehicle: Vehicle,
    readonly home: Vec3,
    color: Color,
  ) {
    this.body = vehicle.chassis as PhysicsBody;
    const paint = new MeshStandardMaterial({ color, roughness: 0.5 });
    const glass = new MeshStandardMaterial({ color: '#2c343c', roughness: 0.2 });
    const part = (half: Vec3, at: Vec3, material: MeshStandardMaterial) => {
      const mesh = new Mesh(new BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]), material);
      mesh.position.set(...at);
      mesh.castShadow = mesh.receiveShadow = true;
      this.object.add(mesh);
    };
    const [x, y, z] = model.halfExtents;
    part([x, y, z], [0, 0, 0], paint);
    if (model.name === 'tank') {
      part([0.6 * x, 0.25, 0.3 * z], [0, y + 0.2, 0], paint);
      part([0.07, 0.07, 0.6 * z], [0, y + 0.22, 0.7 * z], glass);
    } else if (model.name === 'motorcycle') part([0.28, 0.05, 0.05], [0, y, 0.5 * z], glass);
    else if (model.name === 'lorry') part([0.9 * x, 0.5 * y, 0.06], [0, 0.45 * y, z], glass);
    else part([0.85 * x, 0.22, 0.48 * z], [0, y + 0.2, -0.12 * z], glass);
    const tyre = new MeshStandardMaterial({ color: '#2a2d31', roughness: 0.9 });
    const spoke = new MeshStandardMaterial({ color: '#c9cdd2', roughness: 0.5 });
    for (const [i, wheel] of vehicle.wheels.entries()) {
      const width = model.options.wheels[i]!.width ?? 0.6 * wheel.radius;
      const mesh = new Mesh(
        new CylinderGeometry(wheel.radius, wheel.radius, width, 28).rotateZ(Math.PI / 2),
        tyre,
      );
      const hub = new BoxGeometry(width + 0.02, 1.5 * wheel.radius, 0.25 * wheel.radius);
      mesh.add(new Mesh(hub, spoke));
      mesh.castShadow = true;
      this.wheels.push(mesh);
    }
  }

  draw(): void {
    for (const [i, mesh] of this.wheels.entries()) {
      mesh.position.fromArray(this.vehicle.wheels[i]!.getPosition());
      mesh.quaternion.fromArray(this.vehicle.wheels[i]!.getRotation());
    }
  }

  /** Upright again, where it is or where it began. */
  reset(home: boolean): void {
    const { body } = this;
    const [x, , z] = home ? this.home : body.getPosition();
    const [qx, qy, qz, qw] = body.getRotation();
    const heading = home ? 0 : Math.atan2(2 * (qx * qz + qw * qy), 1 - 2 * (qx * qx + qy * qy));
    body.setPosition([x, this.model.height + (home ? 0.05 : 0.6), z]);
    body.setRotation([0, Math.sin(heading / 2), 0, Math.cos(heading / 2)]);
    body.setLinearVelocity([0, 0, 0]);
    body.setAngularVelocity([0, 0, 0]);
  }
}

class Driving {
  readonly rides: Ride[] = [];
  private current = 0;
  private readonly held = heldKeys((code, repeat) => this.press(code, repeat));
  private readonly tilt = thumbStick();
  private readonly gas = heldButton('gas');
  private readonly pedal = heldButton('brake');
  private padButtons = 0;
  private time: number | null = null;
  private readonly eye = new Vector3();
  private readonly look = new Vector3();
  private readonly ahead = new Vector3();

  constructor(
    private readonly stage: Stage,
    readonly physics: Physics,
  ) {
    stage.controls.enabled = false;
    for (const piece of furnishRange(physics)) this.show(piece);
    element('next').addEventListener('click', () => this.next());
    element('again').addEventListener('click', () => this.ride.reset(false));
  }

  /** Makes everything that can be driven, side by side. */
  async park(): Promise<void> {
    for (const [i, model] of MODELS.entries()) {
      const home: Vec3 = [4.5 * i, model.height + 0.05, -6];
      const chassis = this.physics.createBody({
        mass: model.mass,
        position: home,
        shape: { type: 'box', halfExtents: model.halfExtents, friction: 0.4 },
      });
      const vehicle = await createVehicle(this.physics, { ...model.options, chassis });
      const ride = new Ride(model, vehicle, home, pigment([0, 5, 2, 4][i]!));
      bind(this.physics, ride.object, chassis);
      this.stage.scene.add(ride.object, ...ride.wheels);
      this.rides.push(ride);
    }
  }

  get ride(): Ride {
    return this.rides[this.current]!;
  }

  private show({ body, tint, form }: Piece): void {
    let geometry: BufferGeometry;
    if ('halfExtents' in form) {
      const [x, y, z] = form.halfExtents;
      geometry = new BoxGeometry(2 * x, 2 * y, 2 * z);
    } else if ('radius' in form) geometry = new ConeGeometry(form.radius, form.height, 20);
    else {
      geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(form.vertices), 3));
      geometry.setIndex([...form.indices]);
      geometry.computeVertexNormals();
    }
    const material = new MeshStandardMaterial({ color: TINTS[tint], roughness: 0.9, side: DoubleSide });
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = tint !== 'mud' && tint !== 'road';
    mesh.receiveShadow = true;
    this.stage.scene.add(mesh);
    bind(this.physics, mesh, body as PhysicsBody);
  }

  private press(code: string, repeat: boolean): void {
    if (repeat) return;
    if (code === 'KeyV' || code === 'Tab') this.next();
    if (code === 'KeyR') this.ride.reset(false);
    if (code === 'KeyH') this.ride.reset(true);
  }

  private next(): void {
    this.ride.vehicle.setInput({ throttle: 0, steer: 0, brake: 1, handbrake: 0 });
    this.current = (this.current + 1) % this.rides.length;
    this.eye.set(0, 0, 0);
  }

  private drive(): void {
    const { held, tilt } = this;
    const pressed = (...codes: string[]) => (codes.some((code) => held.has(code)) ? 1 : 0);
    let throttle = pressed('KeyW', 'ArrowUp') - pressed('KeyS', 'ArrowDown');
    throttle += (this.gas.isDown ? 1 : 0) - (this.pedal.isDown ? 1 : 0);
    let steer = pressed('KeyA', 'ArrowLeft') - pressed('KeyD', 'ArrowRight') - tilt.x;
    let handbrake = pressed('Space');
    const pad = firstPad();
    if (pad !== undefined) {
      const [lean = 0] = pad.axes;
      const value = (button: number) => pad.buttons[button]?.value ?? 0;
      if (Math.abs(lean) > DEAD) steer -= lean;
      throttle += value(7) - value(6);
      handbrake = Math.max(handbrake, value(0));
      const now = (value(3) > 0.5 ? 1 : 0) | (value(1) > 0.5 ? 2 : 0);
      const went = now & ~this.padButtons;
      this.padButtons = now;
      if (went & 1) this.next();
      if (went & 2) this.ride.reset(false);
    }
    const limit = (value: number) => Math.max(-1, Math.min(1, value));
    this.ride.vehicle.setInput({ throttle: limit(throttle), steer: limit(steer), handbrake, brake: 0 });
  }

  /** Behind what is driven, and slower than it. */
  private follow(seconds: number): void {
    const { camera, controls } = this.stage;
    const { object, model } = this.ride;
    const size = Math.max(1, model.halfExtents[2] / 2);
    this.ahead.set(0, 0, 1).applyQuaternion(object.quaternion);
    this.ahead.y = Math.max(-0.35, Math.min(0.35, this.ahead.y));
    const place = this.look.copy(object.position).addScaledVector(this.ahead, -BEHIND * size);
    place.addScaledVector(UP, ABOVE * size);
    const share = this.eye.lengthSq() === 0 ? 1 : 1 - 0.0005 ** seconds;
    this.eye.lerp(place, share);
    this.eye.y = Math.max(0.6, this.eye.y);
    controls.target.copy(object.position).addScaledVector(UP, 0.6);
    camera.position.copy(this.eye);
  }

  private instruments(): void {
    const { vehicle, model } = this.ride;
    const rpm = Math.max(0, vehicle.rpm);
    element('speed').textContent = Math.abs(3.6 * vehicle.speed).toFixed(0);
    element('rpm').textContent = rpm.toFixed(0);
    element('needle').style.width = `${Math.min(100, rpm / 65).toFixed(1)}%`;
    element('gear').textContent = vehicle.gear < 0 ? 'R' : vehicle.gear === 0 ? 'N' : String(vehicle.gear);
    element('model').textContent = model.name;
    element('cost').textContent = this.physics.stats.stepMs.toFixed(1);
  }

  frame(now: number): void {
    const seconds = this.time === null ? 0 : Math.min(0.5, (now - this.time) / 1000);
    this.time = now;
    this.drive();
    this.physics.update(now);
    for (const ride of this.rides) ride.draw();
    this.follow(seconds);
    this.instruments();
    this.stage.light(36);
    this.stage.render();
  }
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetDriving: Driving;
  }
}

await runPage(async () => {
  await isolate();
  const stage = new Stage(document.querySelector('#view') as HTMLCanvasElement);
  stage.frame({ camera: { position: [0, 4, -20], target: [0, 0.5, 0] } });
  const physics = await createPhysics({ maxSubSteps: 4 });
  const driving = new Driving(stage, physics);
  await driving.park();
  window.ricochetDriving = driving;
  await physics.start();
  return driving;
});
