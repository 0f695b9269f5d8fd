// The card of scenes about continuous collision: how many bodies have passed through something, a switch that turns
// continuous collision off, slow motion, and trails. In: the running session. Out: settings of its physics, lines.
import type { Scene as ThreeScene } from 'three';
import type { Session } from './session';
import { Trails, trailPlaces } from './trails';

/** Of real time. */
const SPEEDS = [1, 0.25, 0.05, 0.01];

export class PassageCard {
  /** Continuous collision, as the next session is to have it. */
  continuous = true;
  /** Bodies that have passed through something since the session began. */
  passed = 0;
  private readonly card = document.createElement('section');
  private readonly count = document.createElement('output');
  private speed = 1;
  private trailing = true;
  private session: Session | null = null;
  private seen = new Uint8Array(0);
  private trails: Trails | null = null;

  /** `stage` draws the trails; without it there are none. */
  constructor(
    parent: HTMLElement,
    private readonly stage: ThreeScene | null,
  ) {
    this.card.id = 'passage';
    this.card.hidden = true;
    this.card.setAttribute('aria-label', 'Continuous collision');
    const figure = document.createElement('p');
    this.count.textContent = '0';
    figure.append(this.count, ' passed through');
    this.card.append(
      figure,
      this.toggle('continuous collision', this.continuous, (on) => this.switchContinuous(on)),
      this.toggle('trails', this.trailing, (on) => this.switchTrails(on)),
      this.speeds(),
    );
    parent.append(this.card);
  }

  private toggle(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
    const row = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = on;
    box.addEventListener('change', () => change(box.checked));
    row.append(box, label);
    return row;
  }

  private speeds(): HTMLElement {
    const row = document.createElement('div');
    row.className = 'speeds';
    row.setAttribute('role', 'group');
    row.setAttribute('aria-label', 'Speed of time');
    for (const speed of SPEEDS) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = speed === 1 ? '1×' : `1/${Math.round(1 / speed)}`;
      button.setAttribute('aria-pressed', String(speed === this.speed));
      button.addEventListener('click', () => {
        this.speed = speed;
        for (const other of row.children) other.setAttribute('aria-pressed', String(other === button));
        if (this.session !== null) this.session.physics.timeScale = speed;
      });
      row.append(button);
    }
    return row;
  }

  private switchContinuous(on: boolean): void {
    this.continuous = on;
    this.session?.physics.updateSettings({ continuous: on });
    this.switchThresholds();
  }

  /** What asks to be swept itself would be without the setting as well. */
  private switchThresholds(): void {
    const { session, continuous } = this;
    const passage = session?.scene.passage;
    if (!session || passage?.threshold === undefined) return;
    const { bodies } = session;
    for (let i = passage.first; i < bodies.length; i++)
      bodies[i]!.setCcd(continuous ? passage.threshold : 0, 0);
  }

  private switchTrails(on: boolean): void {
    this.trailing = on;
    this.trails?.dispose();
    this.trails = null;
    if (!on || this.stage === null || this.session?.scene.passage === undefined) return;
    this.trails = new Trails();
    this.stage.add(this.trails.lines);
  }

  /** A new session takes the place of the last. */
  show(session: Session): void {
    this.session = session;
    this.passed = 0;
    this.count.textContent = '0';
    this.card.hidden = session.scene.passage === undefined;
    this.card.classList.remove('leaks');
    this.seen = new Uint8Array(session.bodies.length);
    session.physics.timeScale = this.card.hidden ? 1 : this.speed;
    if (!this.continuous) this.switchThresholds();
    this.switchTrails(this.trailing);
  }

  /** Once per frame, with the poses of the frame. */
  update(): void {
    const { session, seen } = this;
    const passage = session?.scene.passage;
    if (session === null || passage === undefined) return;
    const { bodies } = session;
    for (let i = passage.first; i < bodies.length; i++) {
      if (seen[i] !== 0) continue;
      const [x, y, z] = bodies[i]!.getPosition();
      const passed = passage.passed(x, y, z);
      if (!passed && !passage.left?.(x, y, z)) continue;
      seen[i] = 1;
      if (passed) this.passed++;
    }
    const text = String(this.passed);
    if (this.count.textContent !== text) {
      this.count.textContent = text;
      this.card.classList.toggle('leaks', this.passed > 0);
    }
    this.trails?.add(trailPlaces(session));
  }
}
