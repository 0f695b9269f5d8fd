// The page of the character course: the world, the character and the step system that moves the platforms are in a worker. In:
// keys, touch, a gamepad. Out: a picture.
import type { Character } from 'ricochet/character';
import { bind } from 'ricochet/three';
import { createPhysics, type Physics, type PhysicsBody } from 'ricochet/worker';
import { BoxGeometry, Color, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { Controls } from './controls';
import { buildCourse, POOL, START } from './course';
import courseSystem from './course.system.ts?worker&url';
import { courtyard, HALF_HEIGHT, RADIUS } from './courtyard';
import { element } from './element';
import { FollowCamera } from './follow';
import { showError } from './hud';
import { isolate } from './isolate';
import { pigment } from './palette';
import { type DrawnBody, Population } from './population';
import { runPage } from './run';
import { capsuleSolid, SolidMesh } from './solids';
import { Scenery } from './stage';

const WALK = 3; // m/s
const RUN = 6;
const RISE = 2; // m/s, in water
/** rad/s by the right stick of a gamepad. */
const LOOK = 2.4;
/** m */
const SHADOWS = 13;
const FEET = HALF_HEIGHT + RADIUS;
const CROUCHED = RADIUS + 0.15;

class Walk {
  hero!: Character;
  private readonly controls = new Controls({
    jump: { keys: ['Space'], button: 'leap', pad: 0 },
    crouch: { keys: ['KeyC', 'ControlLeft'], button: 'duck', pad: 1 },
    run: { keys: ['ShiftLeft', 'ShiftRight'], pad: 7 },
    restart: { keys: ['KeyR'], button: 'restart', pad: 8 },
  });
  private readonly camera: FollowCamera;
  private readonly mesh = new SolidMesh('round', 1);
  private readonly at = new Vector3();
  private readonly up = new Vector3();
  private readonly turned = new Quaternion();
  private time: number | null = null;
  private sent = '';

  constructor(
    readonly physics: Physics,
    private readonly stage: Scenery,
    canvas: HTMLCanvasElement,
  ) {
    this.camera = new FollowCamera(stage.camera, canvas, [-0.5, 0, -1]);
    const adjust = () =>
      stage.resize(Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight), devicePixelRatio);
    new ResizeObserver(adjust).observe(canvas);
    adjust();
    // Light and fog for all of the course.
    stage.frame({ ...courtyard, camera: { position: [20, 26, 24], target: [0, 1, -4] } });
  }

  async build(): Promise<void> {
    const { physics, stage } = this;
    const population = new Population<DrawnBody & PhysicsBody>('solid');
    const course = await buildCourse(physics, (body, options) =>
      population.note(body as DrawnBody & PhysicsBody, options),
    );
    for (const { mesh, bodies } of population.build()) {
      bind(physics, mesh, bodies);
      stage.scene.add(mesh);
    }
    population.recolor('plain');
    this.hero = course.hero;
    this.mesh.addSolid(capsuleSolid(RADIUS, HALF_HEIGHT), new Color(pigment(0)));
    stage.scene.add(this.mesh);
    const { at, half, level } = POOL;
    const water = new MeshStandardMaterial({
      color: '#3f8fa8',
      transparent: true,
      opacity: 0.5,
      roughness: 0.1,
      depthWrite: false,
    });
    const pool = new Mesh(new BoxGeometry(2 * half[0] - 0.3, level, 2 * half[1] - 0.3), water);
    pool.position.set(at[0], level / 2, at[2]);
    stage.scene.add(pool);
    await physics.addSystem(new URL(courseSystem, import.meta.url), {
      name: 'platforms',
      options: course.platforms,
    });
    await physics.start();
  }

  private steer(seconds: number): void {
    const { controls, camera, hero } = this;
    const [x, y] = controls.stick(1);
    camera.look(-LOOK * seconds * x, -LOOK * seconds * y);
    const [right, ahead] = controls.direction;
    const move = camera.velocity(right, ahead, controls.isHeld('run') ? RUN : WALK);
    if (hero.isInWater) {
      const rise = Number(controls.isHeld('jump')) - Number(controls.isHeld('crouch'));
      for (const k of [0, 1, 2] as const) move[k] += RISE * rise * this.up.getComponent(k);
    }
    const input = { move, crouch: controls.isHeld('crouch') };
    const text = JSON.stringify(input);
    const jump = controls.began('jump');
    // What it wants stays until it is set again.
    if (text !== this.sent || jump) hero.setInput({ ...input, jump });
    this.sent = text;
    if (controls.began('restart')) hero.body.setPosition(START);
  }

  frame(now: number): void {
    const { physics, hero, stage, mesh } = this;
    const seconds = this.time === null ? 0 : Math.min(0.1, (now - this.time) / 1000);
    this.time = now;
    this.steer(seconds);
    physics.update(now);
    this.up.fromArray(hero.up);
    this.at.fromArray(hero.getPosition()).addScaledVector(this.up, hero.lift);
    this.turned.fromArray(hero.body.getRotation());
    this.camera.update(this.at, this.up, seconds);
    stage.target.copy(this.at);
    stage.light(SHADOWS);
    const crouches = hero.isCrouching;
    mesh.position.copy(this.at);
    mesh.quaternion.copy(this.turned);
    mesh.scale.y = crouches ? CROUCHED / FEET : 1;
    if (crouches) mesh.position.addScaledVector(this.up, CROUCHED - FEET);
    element('speed').textContent = Math.hypot(...hero.velocity).toFixed(1);
    element('cost').textContent = physics.stats.stepMs.toFixed(2);
    const ground = hero.groundBody?.type ?? 'nothing';
    element('ground').textContent = hero.isOnLadder ? 'a ladder' : hero.isInWater ? 'water' : ground;
    stage.render();
  }
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetWalk: Walk;
  }
}

await runPage(async () => {
  await isolate();
  const physics = await createPhysics();
  physics.onError(showError);
  const canvas = element<HTMLCanvasElement>('view');
  const walk = new Walk(physics, new Scenery(canvas), canvas);
  await walk.build();
  window.ricochetWalk = walk;
  return walk;
});
