// The page of the harbour: water, wind and belts in a worker, a tug that a step system drives, a crane. In: keys, touch, a
// gamepad, a slider for the wind. Out: a picture, and the draught of the barge beside that of Archimedes.
import type { BodyOptions, StepSystem } from 'ricochet';
import { bind } from 'ricochet/three';
import { createPhysics, type Physics, type PhysicsBody } from 'ricochet/worker';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Vector3,
} from 'three';
import { Controls } from './controls';
import { element } from './element';
import type { Helm } from './harbour.system';
import helmSystem from './harbour.system.ts?worker&url';
import { BARGE, BASIN, buildHarbour, CRATE, type Harbour, MOST_CRATES, WATER, windOf } from './harbourScene';
import { showError } from './hud';
import { isolate } from './isolate';
import { pigment } from './palette';
import { type DrawnBody, Population } from './population';
import { runPage } from './run';
import { boxSolid, SolidMesh } from './solids';
import { Stage } from './stage';

/** s between two crates. */
const EVERY = 3.5;
/** s between two readings. */
const REFRESH = 0.25;

class HarbourPage {
  harbour!: Harbour;
  helm!: StepSystem<Helm>;
  aboard = 0;
  /** m: of the barge, measured and by Archimedes. */
  draught = { is: 0, due: 0 };
  private readonly controls = new Controls({
    follow: { keys: ['KeyF'], button: 'follow', pad: 3 },
    restart: { keys: ['KeyR'], button: 'restart', pad: 8 },
    change: { keys: ['KeyC'], button: 'change', pad: 2 },
    grab: { keys: ['Space'], button: 'grab', pad: 0 },
    raise: { keys: ['KeyE'], button: 'raise', pad: 7 },
    lower: { keys: ['KeyQ'], button: 'lower', pad: 6 },
  });
  /** Whether keys, stick and pad drive the crane instead of the tug. */
  isAtCrane = false;
  private readonly ropes = new BufferAttribute(new Float32Array(12), 3);
  private readonly water: Mesh;
  private time: number | null = null;
  private passed = 0;
  private read = 0;
  private sent = '';
  private follows = false;
  private readonly moved = new Vector3();
  private readonly places = new Map<PhysicsBody, Float32Array>();

  constructor(
    readonly physics: Physics,
    private readonly stage: Stage,
  ) {
    const { from, to, depth } = BASIN;
    stage.frame({
      floor: -depth,
      camera: { position: [20, 15, 22], target: [4, 0, 1.5] },
    });
    const material = new MeshStandardMaterial({
      color: '#2f7f99',
      transparent: true,
      opacity: 0.72,
      roughness: 0.15,
      metalness: 0.1,
      depthWrite: false,
    });
    this.water = new Mesh(new PlaneGeometry(to[0] - from[0], to[1] - from[1]), material);
    this.water.rotation.x = -Math.PI / 2;
    this.water.position.set(0.5 * (from[0] + to[0]), 0, 0.5 * (from[1] + to[1]));
    this.water.receiveShadow = true;
    stage.scene.add(this.water);
    const ropes = new LineSegments(
      new BufferGeometry().setAttribute('position', this.ropes),
      new LineBasicMaterial({ color: '#20262e' }),
    );
    ropes.frustumCulled = false;
    stage.scene.add(ropes);
  }

  async build(): Promise<void> {
    const { physics, stage } = this;
    const population = new Population<DrawnBody & PhysicsBody>('solid');
    let isBuilt = false;
    this.harbour = buildHarbour(physics, (body, options) => {
      if (isBuilt) this.draw(body as PhysicsBody, options);
      else population.note(body as DrawnBody & PhysicsBody, options);
    });
    for (const { mesh, bodies } of population.build()) {
      bind(physics, mesh, bodies);
      stage.scene.add(mesh);
    }
    population.recolor('plain');
    isBuilt = true;
    for (const body of [...this.harbour.crates, this.harbour.tug])
      this.places.set(body as PhysicsBody, Float32Array.from([...body.getPosition(), ...body.getRotation()]));
    this.helm = await physics.addSystem<Helm>(new URL(helmSystem, import.meta.url), {
      name: 'tug',
      options: { tug: this.harbour.tug.id },
    });
    element<HTMLInputElement>('wind').addEventListener('input', () => this.blow());
    this.blow();
    await physics.start();
  }

  /** A crate that came later. */
  private draw(body: PhysicsBody, { userIndex = 0 }: BodyOptions): void {
    const mesh = new SolidMesh('box', 1);
    mesh.addSolid(boxSolid([CRATE, CRATE, CRATE]), new Color(pigment(userIndex)));
    bind(this.physics, mesh, [body]);
    this.stage.scene.add(mesh);
  }

  private blow(): void {
    const speed = Number(element<HTMLInputElement>('wind').value);
    element('speed').textContent = speed.toFixed(0);
    const { body, shape } = this.harbour.wind;
    body.updateShape(shape, { area: windOf(speed) });
  }

  private steer(seconds: number): void {
    const { controls, harbour } = this;
    if (controls.began('change')) this.change();
    const { isAtCrane } = this;
    const [right, ahead] = controls.direction;
    const helm = isAtCrane ? { throttle: 0, rudder: 0 } : { throttle: ahead, rudder: right };
    const text = JSON.stringify(helm);
    // A message holds until the next one.
    if (text !== this.sent) this.helm.post(helm);
    this.sent = text;
    const hoist = Number(controls.isHeld('raise')) - Number(controls.isHeld('lower'));
    const { crane } = harbour;
    crane.drive(
      isAtCrane ? { slew: -right, trolley: ahead, hoist } : { slew: 0, trolley: 0, hoist: 0 },
      seconds,
    );
    if (controls.began('grab') && isAtCrane) this.grab();
    if (controls.began('follow')) this.follows = !this.follows;
    if (controls.began('restart')) this.restart();
  }

  private change(): void {
    this.isAtCrane = !this.isAtCrane;
    document.body.classList.toggle('crane', this.isAtCrane);
    element('change').textContent = this.isAtCrane ? 'tug' : 'crane';
    element('steered').textContent = this.isAtCrane ? 'the crane' : 'the tug';
  }

  /** Lets go of what hangs on the hook, or takes what lies under it. */
  private grab(): void {
    const { crane, crates } = this.harbour;
    if (crane.load !== null) crane.release();
    else crane.grab(crates, CRATE);
  }

  private restart(): void {
    this.harbour.crane.release();
    for (const [body, at] of this.places) {
      body.setTransform(at.subarray(0, 3), at.subarray(3));
      body.setLinearVelocity([0, 0, 0]);
      body.setAngularVelocity([0, 0, 0]);
    }
  }

  /** Crates aboard, and how deep the barge lies. */
  private measure(): void {
    const { barge, crates } = this.harbour;
    const [x, y, z] = barge.getPosition();
    let load = 0;
    this.aboard = 0;
    for (const crate of crates) {
      const [u, v, w] = crate.getPosition();
      if (Math.abs(u - x) > BARGE[0] || Math.abs(w - z) > BARGE[2] || v < y) continue;
      this.aboard++;
      load += crate.mass;
    }
    this.draught = { is: BARGE[1] - y, due: (barge.mass + load) / (WATER * 4 * BARGE[0] * BARGE[2]) };
    element('aboard').textContent = `${this.aboard} of ${crates.length}`;
    element('draught').textContent = this.draught.is.toFixed(2);
    element('due').textContent = this.draught.due.toFixed(2);
    element('knots').textContent = (1.944 * Math.hypot(...this.harbour.tug.getLinearVelocity())).toFixed(1);
    element('load').textContent = this.harbour.crane.load === null ? 'nothing' : 'a crate';
    element('cost').textContent = this.physics.stats.stepMs.toFixed(2);
  }

  frame(now: number): void {
    const { physics, stage, harbour } = this;
    const seconds = this.time === null ? 0 : Math.min(0.1, (now - this.time) / 1000);
    this.time = now;
    this.steer(seconds);
    this.passed += seconds;
    if (this.passed > EVERY && harbour.crates.length < MOST_CRATES) {
      this.passed = 0;
      harbour.addCrate();
    }
    physics.update(now);
    harbour.crane.writeRopes(this.ropes.array as Float32Array);
    this.ropes.needsUpdate = true;
    if (this.follows) {
      const { camera, controls } = stage;
      const { tug, crane } = harbour;
      this.moved
        .fromArray((this.isAtCrane ? crane.hook : tug).getPosition())
        .sub(controls.target)
        .multiplyScalar(0.1);
      camera.position.add(this.moved);
      controls.target.add(this.moved);
    }
    this.read += seconds;
    if (this.read > REFRESH) {
      this.read = 0;
      this.measure();
    }
    stage.render();
  }
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetHarbour: HarbourPage;
  }
}

await runPage(async () => {
  await isolate();
  const physics = await createPhysics();
  physics.onError(showError);
  const page = new HarbourPage(physics, new Stage(element<HTMLCanvasElement>('view')));
  await page.build();
  window.ricochetHarbour = page;
  return page;
});
