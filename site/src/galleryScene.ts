// A scene of the demo as the gallery shows it: its physics, its picture, a camera that drags turn, a ball for every click.
// Knows nothing of the page: it runs in a worker, too.
import { EventDispatcher } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { findScene, unknownScene } from '../../demo/scenes';
import { Session } from '../../demo/session';
import { ballThrough, USUAL_BALL } from '../../demo/shooting';
import { orbitControls, Scenery } from '../../demo/stage';
import { Trails, trailPlaces } from '../../demo/trails';
import type { DrawnScene, PointerCopy, SceneMessage, SceneOptions, SceneSize } from './offscreen';
import { Pixels } from './pixels';

export interface GalleryOptions extends SceneOptions {
  /** Id of a scene of the demo. */
  scene: string;
}

/** ms between two lines about the world. */
const TELL = 400;

/** What OrbitControls needs of an element, in a worker: events, a size, and nothing that shows. */
class ElementStandIn extends EventDispatcher<Record<string, PointerCopy & { preventDefault(): void }>> {
  readonly style = {};
  readonly ownerDocument = this;
  clientWidth = 1;
  clientHeight = 1;
  setPointerCapture(): void {}
  releasePointerCapture(): void {}
  getRootNode(): this {
    return this;
  }
  getBoundingClientRect(): DOMRect {
    const { clientWidth: width, clientHeight: height } = this;
    return { left: 0, top: 0, x: 0, y: 0, right: width, bottom: height, width, height } as DOMRect;
  }
  resize({ width, height }: SceneSize): void {
    this.clientWidth = width;
    this.clientHeight = height;
  }
  take(event: PointerCopy): void {
    this.dispatchEvent({ ...event, preventDefault() {} });
  }
}

export class GalleryScene implements DrawnScene {
  private readonly pixels: Pixels;
  private readonly element = new ElementStandIn();
  private readonly controls: OrbitControls;
  private readonly trails: Trails | null;
  private visible = true;
  private told = 0;
  private frame = 0;

  private constructor(
    private readonly scenery: Scenery,
    private readonly session: Session,
    size: SceneSize,
    private readonly tell: (line: string) => void,
  ) {
    this.pixels = new Pixels(scenery, size);
    this.element.resize(size);
    const { scene } = session;
    scenery.frame(scene);
    this.controls = orbitControls(scenery, this.element as unknown as HTMLElement);
    this.controls.update();
    session.setView({
      states: true,
      contacts: false,
      aabbs: false,
      joints: scene.shows?.joints === true,
      islands: false,
      wireframe: false,
    });
    this.trails = scene.passage === undefined ? null : new Trails();
    if (this.trails !== null) scenery.scene.add(this.trails.lines);
    this.frame = requestAnimationFrame(this.onFrame);
  }

  static async open(
    this: void,
    canvas: HTMLCanvasElement | OffscreenCanvas,
    options: GalleryOptions,
    tell: (line: string) => void,
  ): Promise<GalleryScene> {
    const scene = findScene(options.scene);
    if (scene === undefined) throw new Error(unknownScene(options.scene));
    const scenery = new Scenery(canvas);
    const session = await Session.open(scene, scene.world ?? {}, scenery.scene);
    const shown = new GalleryScene(scenery, session, options, tell);
    session.physics.onError((error) => tell(error.message));
    await session.physics.start();
    return shown;
  }

  take(message: SceneMessage): void {
    switch (message.kind) {
      case 'shoot':
        this.session.shoot(
          ballThrough(this.scenery.camera, message.x, message.y, USUAL_BALL),
          USUAL_BALL.radius,
        );
        break;
      case 'sight':
        this.visible = message.visible;
        break;
      case 'size':
        this.element.resize(message);
        this.pixels.resize(message);
        break;
      case 'pointer':
        this.element.take(message.event);
        break;
    }
  }

  private readonly onFrame = (now: number): void => {
    this.frame = requestAnimationFrame(this.onFrame);
    const { session, scenery } = this;
    if (!this.visible) {
      session.physics.update();
      this.pixels.pause();
      return;
    }
    session.update();
    this.trails?.add(trailPlaces(session));
    this.controls.update();
    scenery.render();
    this.pixels.judge(now);
    const { bodies, contacts, stepMs, steps } = session.physics.stats;
    if (bodies === 0 || now - this.told < TELL) return; // the first frame of the worker is on its way
    this.told = now;
    const seconds = (steps * session.physics.fixedTimeStep).toFixed(1);
    this.tell(`${bodies} bodies · ${contacts} contacts · ${stepMs.toFixed(2)} ms per step · ${seconds} s`);
  };

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.controls.dispose();
    this.trails?.dispose();
    this.session.dispose();
    this.scenery.renderer.dispose();
  }
}
