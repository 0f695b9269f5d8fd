// The page of the ragdolls: figures stand by motors in a worker, are hit by balls, fall, and get up again. In: clicks, two
// sliders. Out: a picture.
import { bind, SkinnedRagdoll } from 'ricochet/three';
import { createPhysics, type Physics, type PhysicsBody, type PhysicsJoint } from 'ricochet/worker';
import {
  BoxGeometry,
  Color,
  Mesh,
  MeshStandardMaterial,
  Raycaster,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import { element } from './element';
import { Figure } from './figure';
import { BALL, pigment, STATIC } from './palette';
import { runPage } from './run';
import { Stage } from './stage';

type Doll = SkinnedRagdoll<PhysicsBody, PhysicsJoint>;
type State = 'stands' | 'falls' | 'rises';

const COUNT = 7;
/** m: farther from its animation, a head is on its way down. */
const LOST = 0.35;
/** m/s and s: what lies so long, gets up. */
const [REST, PATIENCE] = [0.4, 1.1];
/** s from the floor to the feet. */
const RISE = 1.5;
/** Of what holds the pelvis of one that stands: it cannot step. */
const PIN = 0.25;
const MOST_BALLS = 24;

/** One figure, and what it does. */
class Actor {
  state: State = 'stands';
  readonly doll: Doll;
  /** s in this state, and at rest. */
  private time = 0;
  private still = 0;
  private readonly head = new Vector3();

  constructor(
    physics: Physics,
    readonly figure: Figure,
    private readonly hall: Hall,
    private readonly phase: number,
  ) {
    figure.pose(phase);
    this.doll = new SkinnedRagdoll<PhysicsBody, PhysicsJoint>(physics, figure.object, {
      strength: hall.strength,
    });
    this.doll.ragdoll.setPin(PIN);
  }

  private enter(state: State): void {
    const { ragdoll } = this.doll;
    // The animation goes on where the body is.
    if (this.state === 'falls') {
      const { position, yaw } = ragdoll.lying();
      this.figure.object.position.set(position[0], 0, position[2]);
      this.figure.object.rotation.y = yaw;
    }
    this.state = state;
    this.time = this.still = 0;
    if (state === 'rises') {
      ragdoll.setMode('animated', 0.75);
      return;
    }
    ragdoll.setPin(state === 'stands' ? PIN : 0);
    ragdoll.setStrength(state === 'stands' ? this.hall.strength : this.hall.strength * this.hall.fall);
    ragdoll.setMode('powered', 0.2);
  }

  /** Lets go of all joints. */
  drop(): void {
    if (this.state !== 'falls') this.enter('falls');
    this.doll.ragdoll.setMode('limp');
  }

  /** Takes new strengths. */
  tune(): void {
    const { strength, fall } = this.hall;
    this.doll.ragdoll.setStrength(this.state === 'falls' ? strength * fall : strength);
  }

  drive(dt: number, now: number): void {
    const { doll, figure } = this;
    this.time += dt;
    if (this.state === 'stands') {
      doll.ragdoll.body('head').getPosition(this.head);
      const drawn = figure.object.localToWorld(new Vector3(0, 0.875 * figure.height, 0));
      if (this.hall.strength < 0.05 || this.head.distanceTo(drawn) > LOST) this.enter('falls');
    } else if (this.state === 'falls') {
      const { speed, side } = doll.ragdoll.lying();
      const upright = side === 'upright' && doll.ragdoll.mode === 'powered';
      this.still = upright || (side !== 'upright' && speed < REST) || this.time > 6 ? this.still + dt : 0;
      // What is still on its feet has kept its balance.
      if (this.still > PATIENCE && this.hall.strength >= 0.05) this.enter(upright ? 'stands' : 'rises');
    } else if (this.time > RISE) this.enter('stands');
    const crouch = this.state === 'rises' ? 1 - smooth((this.time - 0.6) / (RISE - 0.7)) : 0;
    figure.pose(now + this.phase, crouch);
    doll.drive(dt);
  }

  /** Largest angle of an arm or leg against the animation, degrees. */
  get error(): number {
    return this.state === 'stands' ? this.doll.ragdoll.trackingError() * (180 / Math.PI) : 0;
  }
}

const smooth = (t: number) => {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
};

class Hall {
  strength = 1;
  fall = 0.1;
  readonly actors: Actor[] = [];
  private readonly balls: { body: PhysicsBody; mesh: Mesh }[] = [];
  private readonly ray = new Raycaster();
  private before: number | null = null;
  private time = 0;

  constructor(
    private readonly stage: Stage,
    private readonly physics: Physics,
  ) {
    this.build();
    for (let i = 0; i < COUNT; i++) {
      const figure = new Figure(1.6 + 0.06 * ((i * 5) % COUNT), pigment(i));
      const angle = ((i - (COUNT - 1) / 2) / COUNT) * 2.6;
      figure.object.position.set(4.2 * Math.sin(angle), 0, 4.2 * Math.cos(angle) - 4);
      figure.object.rotation.y = angle * 0.5;
      stage.scene.add(figure.object);
      this.actors.push(new Actor(physics, figure, this, 1.3 * i));
    }
    this.listen();
  }

  /** A floor, steps to fall down, a low wall. */
  private build(): void {
    const { physics, stage } = this;
    physics.createBody({ type: 'static', shape: { type: 'plane', friction: 0.9 } });
    const material = new MeshStandardMaterial({ color: STATIC, roughness: 0.9 });
    const block = (half: [number, number, number], position: [number, number, number]) => {
      physics.createBody({
        type: 'static',
        position,
        shape: { type: 'box', halfExtents: half, friction: 0.9 },
      });
      const mesh = new Mesh(new BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]), material);
      mesh.position.set(...position);
      mesh.castShadow = mesh.receiveShadow = true;
      stage.scene.add(mesh);
    };
    for (let i = 0; i < 4; i++) block([5, 0.09 * (4 - i), 0.2], [0, 0.09 * (4 - i), -4.4 + 0.4 * i]);
    for (const x of [-6.2, 6.2]) block([0.15, 0.35, 4], [x, 0.35, -1]);
  }

  private listen(): void {
    const view = element('view');
    let from: [number, number] = [0, 0];
    view.addEventListener('pointerdown', ({ clientX, clientY }) => (from = [clientX, clientY]));
    view.addEventListener('pointerup', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - from[0], clientY - from[1]) < 6) this.shoot(clientX, clientY);
    });
    const slider = (id: string, set: (share: number) => void) => {
      const input = element<HTMLInputElement>(id);
      input.addEventListener('input', () => {
        set(Number(input.value) / 100);
        element(`${id}Value`).textContent = `${input.value} %`;
        for (const actor of this.actors) actor.tune();
      });
    };
    slider('strength', (share) => (this.strength = share));
    slider('fall', (share) => (this.fall = share));
    element('blast').addEventListener('click', () => this.blast());
    element('limp').addEventListener('click', () => this.letGo());
    addEventListener('keydown', ({ code, ctrlKey, metaKey }) => {
      if (ctrlKey || metaKey) return;
      if (code === 'KeyB') this.blast();
      if (code === 'KeyL') this.letGo();
    });
  }

  private letGo(): void {
    for (const actor of this.actors) actor.drop();
  }

  private blast(): void {
    this.letGo();
    this.physics.explode([0, 0.3, -2.2], 6, 18);
  }

  /** Throws a ball to a point of the screen. */
  shoot(x: number, y: number): void {
    const { stage, physics } = this;
    const { width, height } = element('view').getBoundingClientRect();
    this.ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), stage.camera);
    const { origin, direction } = this.ray.ray;
    const mesh = new Mesh(
      new SphereGeometry(0.16, 24, 16),
      new MeshStandardMaterial({ color: new Color(BALL) }),
    );
    mesh.castShadow = true;
    stage.scene.add(mesh);
    const body = physics.createBody({
      mass: 7,
      position: origin.clone().addScaledVector(direction, 1).toArray(),
      linearVelocity: direction.clone().multiplyScalar(17).toArray(),
      shape: { type: 'sphere', radius: 0.16, restitution: 0.2 },
    });
    bind(physics, mesh, body);
    this.balls.push({ body, mesh });
    if (this.balls.length <= MOST_BALLS) return;
    const oldest = this.balls.shift()!;
    physics.removeBody(oldest.body);
    stage.scene.remove(oldest.mesh);
  }

  frame(now: number): void {
    const { physics, stage, actors } = this;
    const dt = this.before === null ? 0 : Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    this.time += dt;
    for (const actor of actors) actor.drive(dt, this.time);
    physics.update(now);
    for (const actor of actors) actor.doll.draw();
    const standing = actors.filter(({ state }) => state === 'stands');
    element('standing').textContent = `${standing.length} of ${COUNT}`;
    element('error').textContent = Math.max(0, ...standing.map(({ error }) => error)).toFixed(1);
    element('cost').textContent = physics.stats.stepMs.toFixed(1);
    stage.render();
  }
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetHall: Hall;
  }
}

await runPage(async () => {
  const stage = new Stage(document.querySelector('#view') as HTMLCanvasElement);
  stage.frame({ camera: { position: [0, 2.8, 8.4], target: [0, 0.7, -1.2] } });
  const physics = await createPhysics({ substeps: 8, maxSubSteps: 4 });
  const hall = new Hall(stage, physics);
  window.ricochetHall = hall;
  await physics.start();
  return hall;
});
