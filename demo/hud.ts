// The card with title and figures, the playback buttons, the keys. Plain DOM.
import { Chooser } from './chooser';
import { element } from './element';
import type { Scene, SceneGroup } from './scenes';

const PLAY = '<svg aria-hidden="true" viewBox="0 0 16 16"><path d="M4 2.5v11l9.5-5.5z" /></svg>';
const PAUSE = '<svg aria-hidden="true" viewBox="0 0 16 16"><path d="M4 3h3v10H4zM9 3h3v10H9z" /></svg>';

export interface Figures {
  bodies: number;
  awake: number;
  contacts: number;
  physicsMs: number;
  seconds: number;
}

export interface HudActions {
  choose(scene: Scene): unknown;
  togglePause(): void;
  step(): void;
  reset(): unknown;
  /** The next pace: 1, a quarter, a sixteenth. */
  slower(): void;
  toggleGrab(): void;
}

/** Milliseconds between two changes of the figures; faster could not be read. */
const REFRESH = 200;
/** Share of a new value in the smoothed physics time. */
const SMOOTHING = 0.15;

/** A failure that the user must know of, instead of an empty page. */
export function showError(error: unknown): void {
  const message = element('message');
  message.textContent = error instanceof Error ? error.message : String(error);
  message.hidden = false;
}

export class Hud {
  private readonly chooser: Chooser;
  private readonly fields = ['bodies', 'awake', 'contacts', 'physics', 'time'].map(element);
  private shownAt = Number.NEGATIVE_INFINITY;
  private physicsMs = Number.NaN;

  constructor(
    groups: readonly SceneGroup[],
    private readonly actions: HudActions,
  ) {
    this.chooser = new Chooser(groups, (scene) => actions.choose(scene));
    element('pause').addEventListener('click', () => actions.togglePause());
    element('step').addEventListener('click', () => actions.step());
    element('reset').addEventListener('click', () => actions.reset());
    element('slow').addEventListener('click', () => actions.slower());
    element('grab').addEventListener('click', () => actions.toggleGrab());
    element('help').addEventListener('click', () => this.toggleHelp());
    addEventListener('keydown', (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    // Who walks through the buttons by keys presses them by the same.
    if (key === ' ' && target instanceof HTMLElement && target.matches(':is(button, a):focus-visible'))
      return;
    const { actions, chooser } = this;
    if (key === ' ') actions.togglePause();
    else if (key === 's' || key === 'S') actions.step();
    else if (key === 'r' || key === 'R') actions.reset();
    else if (key === 't' || key === 'T') actions.slower();
    else if (key === 'g' || key === 'G') actions.toggleGrab();
    else if (key === '?') this.toggleHelp();
    else if (key === 'h' || key === 'H') document.body.classList.toggle('bare');
    else if (key === 'm' || key === 'M') chooser.toggle();
    else if (key === 'Escape') this.close();
    else if (key === 'ArrowLeft') chooser.move(-1);
    else if (key === 'ArrowRight') chooser.move(1);
    else if (/^\d$/.test(key)) chooser.pick(key === '0' ? 9 : Number(key) - 1);
    else return;
    event.preventDefault();
  }

  private toggleHelp(open = element('helpCard').hidden): void {
    element('helpCard').hidden = !open;
    element('help').setAttribute('aria-expanded', String(open));
  }

  private close(): void {
    this.chooser.close();
    this.toggleHelp(false);
    this.clearError();
  }

  showScene(scene: Scene): void {
    element('title').textContent = scene.title;
    element('description').textContent = scene.description;
    document.title = `${scene.title} · ricochet`;
    this.chooser.show(scene);
    this.shownAt = Number.NEGATIVE_INFINITY;
    this.physicsMs = Number.NaN;
  }

  showPlayback(paused: boolean): void {
    const button = element('pause');
    button.innerHTML = paused ? PLAY : PAUSE;
    button.setAttribute('aria-label', paused ? 'Resume' : 'Pause');
  }

  /** @param timeScale  1: real time */
  showPace(timeScale: number): void {
    element('slow').textContent = timeScale === 1 ? '1×' : `1/${1 / timeScale}×`;
  }

  showGrab(grabbing: boolean): void {
    element('grab').setAttribute('aria-pressed', String(grabbing));
    element('view').style.cursor = grabbing ? 'grab' : '';
  }

  showFigures(now: number, figures: Figures): void {
    const { bodies, awake, contacts, physicsMs, seconds } = figures;
    this.physicsMs = Number.isNaN(this.physicsMs)
      ? physicsMs
      : this.physicsMs + SMOOTHING * (physicsMs - this.physicsMs);
    if (now - this.shownAt < REFRESH) return;
    this.shownAt = now;
    const text = [
      bodies.toLocaleString('en'),
      awake.toLocaleString('en'),
      contacts.toLocaleString('en'),
      this.physicsMs.toFixed(2),
      seconds.toFixed(1),
    ];
    this.fields.forEach((field, i) => {
      field.textContent = text[i]!;
    });
  }

  /** What was wrong is mended. */
  clearError(): void {
    element('message').hidden = true;
  }
}
