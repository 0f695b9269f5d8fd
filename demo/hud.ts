// The card with title and figures, the scene chooser, the playback buttons. Plain DOM.
import type { Scene } from './scenes';

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
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Milliseconds between two changes of the figures; faster could not be read. */
const REFRESH = 200;
/** Share of a new value in the smoothed physics time. */
const SMOOTHING = 0.15;

export class Hud {
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly fields = ['bodies', 'awake', 'contacts', 'physics', 'time'].map(element);
  private shownAt = Number.NEGATIVE_INFINITY;
  private physicsMs = Number.NaN;

  constructor(
    scenes: readonly Scene[],
    private readonly actions: HudActions,
  ) {
    scenes.forEach((scene, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = scene.title;
      button.title = `${scene.description} (${(index + 1) % 10})`;
      button.addEventListener('click', () => actions.choose(scene));
      this.buttons.set(scene.id, button);
      element('scenes').append(button);
    });
    element('pause').addEventListener('click', () => actions.togglePause());
    element('step').addEventListener('click', () => actions.step());
    element('reset').addEventListener('click', () => actions.reset());
    addEventListener('keydown', (event) => this.key(event, scenes));
  }

  private key(event: KeyboardEvent, scenes: readonly Scene[]): void {
    const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    const number = event.key === '0' ? 10 : Number(event.key);
    if (event.key === ' ') this.actions.togglePause();
    else if (event.key === 's' || event.key === 'S') this.actions.step();
    else if (event.key === 'r' || event.key === 'R') this.actions.reset();
    else if (event.key === 'h' || event.key === 'H') document.body.classList.toggle('bare');
    else if (number >= 1 && number <= scenes.length) this.actions.choose(scenes[number - 1]!);
    else return;
    event.preventDefault();
  }

  showScene(scene: Scene): void {
    element('title').textContent = scene.title;
    element('description').textContent = scene.description;
    document.title = `${scene.title} · ricochet`;
    for (const [id, button] of this.buttons) button.setAttribute('aria-pressed', String(id === scene.id));
    this.shownAt = Number.NEGATIVE_INFINITY;
    this.physicsMs = Number.NaN;
  }

  showPlayback(paused: boolean): void {
    const button = element('pause');
    button.innerHTML = paused ? PLAY : PAUSE;
    button.setAttribute('aria-label', paused ? 'Resume' : 'Pause');
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

  /** A failure that the user must know of, instead of an empty page. */
  showError(error: unknown): void {
    const message = element('message');
    message.textContent = error instanceof Error ? error.message : String(error);
    message.hidden = false;
  }

  /** What was wrong is mended. */
  clearError(): void {
    element('message').hidden = true;
  }
}
