// The page of the character: a courtyard to walk in, by keys or by touch. The world is in the page; a character asks it
// and moves in it after every step. In: keys, a stick. Out: a picture.
import { type BodyOptions, type RigidBody, World } from 'ricochet';
import { CharacterController } from 'ricochet/character';
import { bind, updateBindings } from 'ricochet/three';
import { Color, Vector3 } from 'three';
import { Courtyard, courtyard, FIGURE, HALF_HEIGHT, RADIUS, Walkers } from './courtyard';
import { element } from './element';
import { showError } from './hud';
import { heldKeys, thumbStick } from './inputs';
import { pigment } from './palette';
import { type DrawnBody, Population } from './population';
import { capsuleSolid, SolidMesh } from './solids';
import { Stage } from './stage';

const DT = 1 / 60;
const WALK = 3; // m/s
const RUN = 6;
const START: [number, number, number] = [0, 1, 2.5];
const FEET = HALF_HEIGHT + RADIUS;
/** Half as high; its feet stay where they are. */
const CROUCHED = {
  type: 'capsule',
  radius: RADIUS,
  halfHeight: 0.15,
  position: [0, 0.15 - HALF_HEIGHT, 0],
} as const;

class Walk {
  readonly world = new World();
  readonly hero: CharacterController;
  /** Steps so far. */
  steps = 0;
  private readonly courtyard: Courtyard;
  private readonly walkers: Walkers;
  private readonly held = heldKeys((code, repeat) => this.press(code, repeat));
  private readonly tilt = thumbStick();
  private crouches = false;
  private readonly mesh = new SolidMesh('round', 1);
  private readonly drawn = new Vector3();
  private time: number | null = null;
  private cost = 0;

  constructor(private readonly stage: Stage) {
    const { world } = this;
    const population = new Population<DrawnBody & RigidBody>('solid');
    const note = (body: RigidBody, options: BodyOptions) =>
      population.note(Object.assign(body, { isAwake: () => body.isActive() }), options);
    courtyard.build({
      createBody: (options) => {
        const body = world.createBody(options);
        note(body, options);
        return body;
      },
      createJoint: () => undefined,
    });
    this.courtyard = new Courtyard(world);
    this.walkers = new Walkers(world);
    for (const [i, { body }] of this.walkers.all.entries())
      note(body, { type: 'kinematic', shape: FIGURE, userIndex: 3 * i });
    for (const { mesh, bodies } of population.build()) {
      bind(world, mesh, bodies);
      stage.scene.add(mesh);
    }
    population.recolor('plain');
    this.hero = new CharacterController(world, { shape: FIGURE, position: START, pushForce: 250 });
    this.mesh.addSolid(capsuleSolid(RADIUS, HALF_HEIGHT), new Color(pigment(0)));
    stage.scene.add(this.mesh);
    stage.frame(courtyard);
    world.setInternalTickCallback((dt) => this.tick(dt));
    element('leap').addEventListener('pointerdown', () => this.leap());
  }

  /** After each step of the world. */
  private tick(dt: number): void {
    this.steps++;
    const before = performance.now();
    this.hero.update(this.wanted(), dt);
    this.cost += 0.05 * (1000 * (performance.now() - before) - this.cost);
    this.walkers.update(this.steps);
    this.courtyard.aim(this.steps + 1);
  }

  /** m/s, as seen by the camera. */
  private wanted(): [number, number, number] {
    const { held, tilt } = this;
    const pressed = (...codes: string[]) => (codes.some((code) => held.has(code)) ? 1 : 0);
    const right = pressed('KeyD', 'ArrowRight') - pressed('KeyA', 'ArrowLeft') + tilt.x;
    const ahead = pressed('KeyW', 'ArrowUp') - pressed('KeyS', 'ArrowDown') - tilt.z;
    const { target } = this.stage.controls;
    const [x, z] = [target.x - this.stage.camera.position.x, target.z - this.stage.camera.position.z];
    const size = Math.hypot(right, ahead) * Math.hypot(x, z);
    if (size < 1e-6) return [0, 0, 0];
    const share = Math.min(1, Math.hypot(right, ahead));
    const speed = (share * (held.has('ShiftLeft') || held.has('ShiftRight') ? RUN : WALK)) / size;
    return [speed * (ahead * x - right * z), 0, speed * (ahead * z + right * x)];
  }

  private leap(): void {
    if (this.hero.isGrounded) this.hero.jump();
  }

  private crouch(): void {
    if (this.hero.setShape(this.crouches ? FIGURE : CROUCHED)) this.crouches = !this.crouches;
  }

  private press(code: string, repeat: boolean): void {
    if (repeat) return;
    if (code === 'Space') this.leap();
    if (code === 'KeyC') this.crouch();
    if (code === 'KeyR') this.hero.teleport(START);
  }

  frame(now: number): void {
    const { world, hero, stage } = this;
    const passed = this.time === null ? DT : Math.min(0.1, (now - this.time) / 1000);
    this.time = now;
    if (this.steps === 0) this.courtyard.aim(1);
    world.stepSimulation(passed, 6, DT);
    updateBindings(world);
    const [x, y, z] = hero.getInterpolatedPosition();
    // A camera that follows, and smooths the steps.
    this.drawn.set(x, y, z);
    const { target } = stage.controls;
    const follow = 1 - 0.001 ** passed;
    const [mx, my, mz] = [x - target.x, follow * (y + 0.4 - target.y), z - target.z];
    stage.camera.position.add(this.drawn.set(follow * mx, my, follow * mz));
    target.add(this.drawn);
    this.mesh.position.set(x, y, z);
    this.mesh.scale.y = this.crouches ? (RADIUS + 0.15) / FEET : 1;
    if (this.crouches) this.mesh.position.y -= HALF_HEIGHT - 0.15;
    element('speed').textContent = Math.hypot(...hero.velocity).toFixed(1);
    element('cost').textContent = this.cost.toFixed(0);
    element('ground').textContent = hero.ground === null ? 'nothing' : hero.ground.body.type;
    stage.render();
  }
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetWalk: Walk;
  }
}

try {
  const walk = new Walk(new Stage(document.querySelector('#view') as HTMLCanvasElement));
  window.ricochetWalk = walk;
  const onFrame = (now: number) => {
    walk.frame(now);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
} catch (error) {
  showError(error);
}
