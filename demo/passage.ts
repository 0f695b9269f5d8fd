// The card of scenes about continuous collision: how many bodies have passed through something, a switch that turns
// continuous collision off, slow motion, and trails. In: the running session. Out: settings of its physics, lines.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  type Scene as ThreeScene,
} from 'three';
import type { Session } from './session';

/** Bodies with trails, spread over all that are watched, and parts of each trail. */
const TRAILS = 96;
const PARTS = 48;
const COLOR = [0.79, 0.34, 0.24] as const;
/** Of real time. */
const SPEEDS = [1, 0.25, 0.05, 0.01];

/** The latest parts of the ways of some bodies: two points each, fading with age. */
class Trails {
  private readonly positions = new Float32Array(TRAILS * PARTS * 6);
  private readonly colors = new Float32Array(TRAILS * PARTS * 8);
  private readonly last = new Float32Array(TRAILS * 3).fill(Number.NaN);
  private readonly geometry = new BufferGeometry();
  readonly lines: LineSegments;
  private part = 0;

  constructor() {
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute('color', new BufferAttribute(this.colors, 4).setUsage(DynamicDrawUsage));
    const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    this.lines = new LineSegments(this.geometry, material);
    this.lines.frustumCulled = false;
  }

  /** All ways of this moment: `place` tells where trail i is now, or null. */
  add(place: (i: number) => ArrayLike<number> | null): void {
    const { positions, colors, last, part } = this;
    for (let i = 0; i < colors.length; i += 4) colors[i + 3]! *= 0.95;
    let moved = false;
    for (let i = 0; i < TRAILS; i++) {
      const at = (i * PARTS + part) * 6;
      const now = place(i);
      positions.fill(0, at, at + 6);
      if (now === null) continue;
      for (let k = 0; k < 3; k++) {
        const before = last[3 * i + k]!;
        if (before !== now[k]!) moved = true;
        positions[at + k] = Number.isNaN(before) ? now[k]! : before;
        positions[at + 3 + k] = now[k]!;
        last[3 * i + k] = now[k]!;
      }
      for (let end = 0; end < 2; end++) colors.set([...COLOR, 0.9], (i * PARTS + part) * 8 + 4 * end);
    }
    if (moved) this.part = (part + 1) % PARTS;
    this.geometry.attributes['position']!.needsUpdate = true;
    this.geometry.attributes['color']!.needsUpdate = true;
  }

  dispose(): void {
    this.lines.removeFromParent();
    this.geometry.dispose();
    (this.lines.material as LineBasicMaterial).dispose();
  }
}

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
    const watched = bodies.length - passage.first;
    const stride = Math.max(1, Math.floor(watched / TRAILS));
    this.trails?.add((i) =>
      i * stride < watched ? bodies[passage.first + i * stride]!.getPosition() : null,
    );
  }
}
