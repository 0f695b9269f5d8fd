// The page of the game: a world in a worker, a stage, sound from contact events. In: taps, keys, a gamepad. Out: a picture,
// sound, stars, which the browser keeps.
import { createPhysics, type Physics } from 'ricochet/worker';
import { Raycaster, Vector2, Vector3 } from 'three';
import { onShoot } from './clicks';
import { element } from './element';
import { showError } from './hud';
import { firstPad } from './inputs';
import { isolate } from './isolate';
import { runPage } from './run';
import { type Body, Siege, type Thing } from './siege/game';
import { LEVELS, type Vec3 } from './siege/levels';
import { Sound } from './siege/sound';
import { View } from './siege/view';
import { Stage } from './stage';

const KEPT = 'ricochet-siege';
/** Time while the last idol falls, as a share of real time. */
const SLOW = 0.3;
/** m: where a ray from the eye ends that meets nothing. */
const FAR = 40;
/** Half widths of the picture per second, for keys and sticks. */
const RETICLE_SPEED = 0.9;

class Page {
  siege!: Siege;
  readonly sound = new Sound();
  private readonly view: View;
  private number = 0;
  private stars: number[];
  /** Of the picture, −1 … 1. */
  private readonly reticle = { x: 0, y: 0 };
  private readonly held = new Set<string>();
  private padPressed = false;
  private time: number | null = null;
  private readonly right = new Vector3();

  constructor(
    readonly physics: Physics,
    private readonly stage: Stage,
  ) {
    this.view = new View(physics, stage.scene);
    this.stars = kept();
    const asked = Number(new URLSearchParams(location.search).get('level') ?? Number.NaN);
    const first = this.stars.indexOf(0);
    this.listen();
    this.open(asked >= 1 && asked <= LEVELS.length ? asked - 1 : Math.max(0, first));
    physics.start();
  }

  /** Begins a level. */
  open(number: number): void {
    this.siege?.clear();
    this.number = (number + LEVELS.length) % LEVELS.length;
    const level = LEVELS[this.number]!;
    this.physics.timeScale = 1;
    this.siege = new Siege(this.physics, level, {
      added: (thing) => this.view.add(thing),
      removed: (thing) => this.view.remove(thing),
      exploded: (at) => {
        this.view.smoke(at);
        this.sound.blast();
      },
    });
    this.stage.frame({
      camera: { position: [3.5, 5.2, 15], target: [0, 2.6, 0] },
    });
    element('title').textContent = `${this.number + 1}. ${level.title}`;
    element('hint').textContent = level.hint;
    element('end').hidden = true;
  }

  /** Shoots through a point of the picture, in normalised device coordinates. */
  private async shoot(x: number, y: number): Promise<void> {
    this.sound.start();
    const { siege, stage } = this;
    if (siege.next === undefined || siege.outcome !== 'playing') return;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(x, y), stage.camera);
    const { origin, direction } = caster.ray;
    const end = origin.clone().addScaledVector(direction, FAR);
    const hit = await this.physics.rayTest(origin.clone(), end);
    if (siege !== this.siege) return; // another level since
    siege.shoot(hit === null ? (end.toArray() as Vec3) : (Array.from(hit.point) as Vec3));
  }

  private listen(): void {
    onShoot(element<HTMLCanvasElement>('view'), (x, y) => void this.shoot(x, y).catch(showError));
    element('again').addEventListener('click', () => this.open(this.number));
    element('previous').addEventListener('click', () => this.open(this.number - 1));
    element('next').addEventListener('click', () => this.open(this.number + 1));
    element('mute').addEventListener('click', () => this.mute());
    element('onwards').addEventListener('click', () =>
      this.open(this.siege.outcome === 'won' ? this.number + 1 : this.number),
    );
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('keyup', ({ code }) => this.held.delete(code));
    addEventListener('blur', () => this.held.clear());
    this.physics.on(
      'contactBegin',
      ({ bodyA, bodyB, points }) => {
        const impulse = points.reduce((sum, point) => sum + point.impulse, 0);
        const at = points[0]?.position;
        if (at !== undefined) this.hear(bodyA as Body, bodyB as Body, impulse, at);
      },
      { minImpulse: 2 },
    );
  }

  private key({ code, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    if (ctrlKey || metaKey || altKey) return;
    if (code === 'Space' && target instanceof HTMLButtonElement) return; // it presses the button
    if (code === 'KeyR') this.open(this.number);
    else if (code === 'KeyN') this.open(this.number + 1);
    else if (code === 'KeyP') this.open(this.number - 1);
    else if (code === 'KeyM') this.mute();
    else if (code === 'Space' || code === 'Enter') this.trigger();
    this.held.add(code);
    if (code.startsWith('Arrow')) element('reticle').hidden = false;
  }

  /** What the main key or button does now. */
  private trigger(): void {
    if (this.siege.outcome !== 'playing') element('onwards').click();
    else if (!element('reticle').hidden) void this.shoot(this.reticle.x, this.reticle.y).catch(showError);
  }

  private mute(): void {
    this.sound.muted = !this.sound.muted;
    element('mute').setAttribute('aria-pressed', String(this.sound.muted));
    element('mute').style.opacity = this.sound.muted ? '0.4' : '1';
  }

  /** Both bodies sound, the smaller one as itself. */
  private hear(a: Body, b: Body, impulse: number, at: ArrayLike<number>): void {
    const { camera } = this.stage;
    const [x, y, z] = [at[0]! - camera.position.x, at[1]! - camera.position.y, at[2]! - camera.position.z];
    const distance = Math.hypot(x, y, z);
    this.right.setFromMatrixColumn(camera.matrixWorld, 0);
    const pan = (x * this.right.x + y * this.right.y + z * this.right.z) / Math.max(1, distance);
    for (const body of [a, b]) {
      const thing = this.siege.thing(body);
      if (thing === undefined) continue;
      const size =
        thing.halfExtents === undefined ? 2 * (thing.radius ?? 1) : 2 * Math.max(...thing.halfExtents);
      this.sound.blow(thing.made, impulse, distance, pan, size);
    }
  }

  /** Where the middle of a thing is in the window, in pixels. */
  screenOf({ body }: Thing): [number, number] {
    const { x, y } = new Vector3().fromArray(body.getPosition()).project(this.stage.camera);
    return [((x + 1) / 2) * innerWidth, ((1 - y) / 2) * innerHeight];
  }

  /** Moves the reticle by keys and by the first gamepad, whose lowest button shoots. */
  private steer(seconds: number): void {
    const { held, reticle } = this;
    const down = (code: string) => (held.has(code) ? 1 : 0);
    let [x, y] = [down('ArrowRight') - down('ArrowLeft'), down('ArrowUp') - down('ArrowDown')];
    const pad = firstPad();
    if (pad !== undefined) {
      const [leanX = 0, leanY = 0] = pad.axes;
      if (Math.hypot(leanX, leanY) > 0.15) {
        x += leanX;
        y -= leanY;
        element('reticle').hidden = false;
      }
      const pressed = pad.buttons[0]?.pressed === true;
      if (pressed && !this.padPressed) this.trigger();
      this.padPressed = pressed;
    }
    reticle.x = Math.max(-1, Math.min(1, reticle.x + RETICLE_SPEED * seconds * x));
    reticle.y = Math.max(-1, Math.min(1, reticle.y + RETICLE_SPEED * seconds * y));
    const { style } = element('reticle');
    style.left = `${50 + 50 * reticle.x}%`;
    style.top = `${50 - 50 * reticle.y}%`;
  }

  frame(now: number): void {
    const seconds = this.time === null ? 0 : Math.min(0.1, (now - this.time) / 1000);
    this.time = now;
    this.steer(seconds);
    const { siege, physics } = this;
    const before = siege.outcome;
    siege.pass(seconds * physics.timeScale);
    physics.update();
    this.view.update(seconds);
    this.sound.flush();
    const standing = siege.standing;
    const falls = standing.length === 1 && siege.fired > 0 && standing[0]!.body.getLinearVelocity()[1] < -1.5;
    const pace = falls ? SLOW : 1;
    if (physics.timeScale !== pace) physics.timeScale = pace;
    element('idols').textContent = `${standing.length} of ${siege.idols.length}`;
    element('shots').textContent = siege.level.shots
      .slice(siege.fired)
      .map((shot) => (shot === 'bomb' ? '◉' : '●'))
      .join('');
    element('physics').textContent = physics.stats.stepMs.toFixed(2);
    if (before === 'playing' && siege.outcome !== 'playing') this.end();
    this.stage.render();
  }

  private end(): void {
    const { outcome, stars, fired, level } = this.siege;
    const won = outcome === 'won';
    element('verdict').textContent = won ? `${level.title} has fallen` : 'Still standing';
    element('stars').textContent = won ? '★'.repeat(stars) + '☆'.repeat(3 - stars) : '☆☆☆';
    element('score').textContent = won
      ? `${fired} of ${level.shots.length} shots; three stars for ${level.par}.`
      : 'All shots are fired, and an idol stands.';
    const last = this.number === LEVELS.length - 1;
    element('onwards').textContent = !won ? 'Again' : last ? 'From the start' : 'Next level';
    element('end').hidden = false;
    element('onwards').focus({ preventScroll: true });
    if (!won) return;
    this.stars[this.number] = Math.max(stars, this.stars[this.number]!);
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.stars));
    } catch {
      // a browser that keeps nothing: the game goes on without
    }
  }
}

/** Stars of each level, as the browser has kept them. */
function kept(): number[] {
  let known: unknown;
  try {
    known = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
  } catch {
    known = [];
  }
  return LEVELS.map((_, i) => {
    const stars = Array.isArray(known) ? Number(known[i]) : 0;
    return stars >= 1 && stars <= 3 ? Math.floor(stars) : 0;
  });
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetSiege: Page;
  }
}

await runPage(async () => {
  await isolate();
  const physics = await createPhysics();
  physics.onError(showError);
  const page = new Page(physics, new Stage(element<HTMLCanvasElement>('view')));
  window.ricochetSiege = page;
  return page;
});
