// The demo page: puts stage, session, heads-up display and settings together and runs the frames.
// Query: `scene=` picks a scene, `render=0` simulates without drawing (to measure the main thread where
// WebGL is software), `paused=1` waits, `bare=1` hides everything but the picture; `profile=` and the names of settings set
// them. After `#clip=` there may be a whole recording.
import { Scene as ThreeScene } from 'three';
import { onShoot } from './clicks';
import { element } from './element';
import { Grab } from './grab';
import { Hud, showError } from './hud';
import { Panels } from './panels';
import { PassageCard } from './passage';
import { roomScene } from './roomScene';
import { runPage } from './run';
import { findScene, opening, pageGroups, type Scene, unknownScene } from './scenes';
import { Session } from './session';
import { Settings } from './settings';
import { ballThrough } from './shooting';
import { Stage } from './stage';
import { Timeline } from './timeline';

const query = new URLSearchParams(location.search);
const bare = query.get('bare') === '1';
/** Of real time. */
const PACES = [1, 1 / 4, 1 / 16];
const canvas = document.querySelector('#view') as HTMLCanvasElement;

function openStage(): Stage {
  try {
    return new Stage(canvas);
  } catch (cause) {
    throw new Error('The demo draws with WebGL 2, which this browser does not offer here.', { cause });
  }
}

class Demo {
  session: Session | null = null;
  /** Frames since the page was opened. */
  frames = 0;
  readonly settings: Settings;
  readonly stage = query.get('render') === '0' ? null : openStage();
  readonly timeline: Timeline;
  private readonly hud: Hud;
  private readonly panels = new Panels(element('stats'));
  readonly passage = new PassageCard(element('cards'), this.stage?.scene ?? null);
  /** Whether a press takes hold of bodies instead of shooting. */
  grabbing = false;
  readonly grab = new Grab(canvas, this);
  private pace = 1;
  private paused = query.get('paused') === '1';
  /** Counts requests to open a scene: only the latest one is to be shown. */
  private request = 0;

  constructor() {
    this.hud = new Hud(pageGroups, {
      choose: (scene) => this.open(scene),
      togglePause: () => this.setPaused(!this.paused),
      step: () => this.step(),
      reset: () => this.session && this.open(this.session.scene),
      slower: () => this.setPace(PACES[(PACES.indexOf(this.pace) + 1) % PACES.length]!),
      toggleGrab: () => {
        this.grabbing = !this.grabbing;
        this.hud.showGrab(this.grabbing);
      },
    });
    this.settings = new Settings(
      element('gui'),
      {
        changed: (changes) => this.session?.physics.updateSettings(changes),
        gravityChanged: (gravity) => this.session?.physics.setGravity(gravity),
        viewChanged: () => this.session?.setView(this.settings.view),
      },
      query,
    );
    this.timeline = new Timeline(this);
    this.hud.showPlayback(this.paused);
    onShoot(canvas, (x, y) => {
      if (!this.grabbing && !this.grab.holds) this.shoot(x, y);
    });
    if (bare) document.body.classList.add('bare');
  }

  /** Replaces the session. The old one stays on the screen until the new one is there. */
  async open(scene: Scene): Promise<void> {
    const request = ++this.request;
    try {
      const { continuous } = this.passage;
      const options = {
        ...this.settings.worldOptions(scene.world),
        ...(scene.passage === undefined ? {} : { continuous }),
      };
      const session = await Session.open(scene, options, this.stage?.scene ?? new ThreeScene());
      if (request !== this.request) {
        session.dispose();
        return;
      }
      const same = this.session?.scene === scene;
      this.session?.dispose();
      this.session = session;
      this.timeline.reset();
      this.passage.show(session);
      this.hud.clearError();
      session.physics.onError((error) => showError(error));
      session.physics.onRestart(() => this.hud.clearError());
      this.settings.view.joints = scene.shows?.joints === true;
      session.setView(this.settings.view);
      if (!same) this.stage?.frame(scene); // a reset keeps the user's view
      this.hud.showScene(scene);
      session.physics.timeScale = this.pace;
      // Not where nobody could rewind it.
      if (!this.paused && this.stage !== null && !bare) await this.timeline.watch(session);
      if (!this.paused) await session.physics.start();
    } catch (error) {
      if (request === this.request) showError(error);
    }
  }

  /** For the timeline: a scene by its name, standing still. */
  async openScene(id: string): Promise<void> {
    const scene = findScene(id) ?? roomScene(id);
    if (scene === undefined) throw new Error(`the recording is of a scene that is not here: ${id}`);
    this.setPaused(true);
    await this.open(scene);
  }

  /** For the timeline: what was dropped on the page. */
  async showScene(scene: Scene): Promise<void> {
    this.setPaused(false);
    await this.open(scene);
  }

  fail(error: unknown): void {
    showError(error);
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.hud.showPlayback(paused);
    const physics = this.session?.physics;
    if (paused) physics?.pause();
    else physics?.start();
  }

  private setPace(pace: number): void {
    this.pace = pace;
    this.hud.showPace(pace);
    if (this.session !== null) this.session.physics.timeScale = pace;
  }

  step(): void {
    if (!this.paused) this.setPaused(true);
    this.session?.physics.step();
  }

  /** A ball through a point of the picture, in normalised device coordinates. */
  shoot(x: number, y: number): void {
    if (this.session === null || this.stage === null) return;
    const { ball } = this.settings;
    this.session.shoot(ballThrough(this.stage.camera, x, y, ball), ball.radius);
    if (this.paused) this.setPaused(false);
  }

  frame(now: number): void {
    const { session } = this;
    if (session !== null) {
      session.update();
      this.passage.update();
      this.timeline.update(now);
      const { stepMs, steps, bodies, awake, contacts } = session.physics.stats;
      this.panels.update(now, stepMs, awake, bodies);
      this.hud.showFigures(now, {
        bodies,
        awake,
        contacts,
        physicsMs: stepMs,
        seconds: steps * session.physics.fixedTimeStep,
      });
    }
    this.stage?.render();
    this.frames++;
  }
}

declare global {
  interface Window {
    /** For the browser tests. */
    ricochetDemo: Demo;
  }
}

await runPage(async () => {
  const demo = new Demo();
  window.ricochetDemo = demo;
  const wanted = query.get('scene');
  const clip = /^#clip=(.+)/.exec(location.hash)?.[1];
  if (clip === undefined || !(await demo.timeline.openClip(clip)))
    await demo.open(findScene(wanted ?? '') ?? opening);
  if (wanted !== null && findScene(wanted) === undefined) showError(unknownScene(wanted));
  return demo;
});
