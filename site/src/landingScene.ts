// The running world of the landing page: a pyramid in a worker, a ball at it now and then, and one for every click. Knows
// nothing of the page: it runs in a worker, too.
import type { BodyOptions } from 'ricochet';
import { bind } from 'ricochet/three';
import { createPhysics, type Physics, type PhysicsBody } from 'ricochet/worker';
import { Color, type Vector3 } from 'three';
import { BALL } from '../../demo/palette';
import { Population } from '../../demo/population';
import { ballThrough } from '../../demo/shooting';
import { SolidMesh, sphereSolid } from '../../demo/solids';
import { Scenery } from '../../demo/stage';
import type { DrawnScene, SceneMessage, SceneOptions } from './offscreen';
import { Pixels } from './pixels';

export interface LandingOptions extends SceneOptions {
  /** Who asked their system for less motion gets a pyramid that stands until it is clicked. */
  calm: boolean;
}

const ROWS = 13;
const BALLS = 12;
const RADIUS = 0.6;
/** m before the camera. */
const START = 8;
/** ms: between two balls that come by themselves, and from the first to the pyramid's return. */
const PAUSE = 3500;
const ROUND = 16_000;

/** Boxes of 1 m, 0.05 m apart. */
function pyramid(): [number, number, number][] {
  const places: [number, number, number][] = [];
  for (let row = 0; row < ROWS; row++)
    for (let i = 0; i < ROWS - row; i++) places.push([1.05 * (i - (ROWS - row - 1) / 2), 0.5 + row, 0]);
  return places;
}

export class LandingScene implements DrawnScene {
  private readonly places = pyramid();
  private readonly boxes: PhysicsBody[];
  private readonly population = new Population<PhysicsBody>();
  private readonly balls: { body: PhysicsBody; mesh: SolidMesh }[] = [];
  private readonly wide: boolean;
  private readonly calm: boolean;
  private readonly pixels: Pixels;
  private visible = true;
  private began = performance.now();
  private next = this.began + PAUSE;
  private told = 0;
  private frame = 0;
  private shots = 0;

  private constructor(
    private readonly scenery: Scenery,
    private readonly physics: Physics,
    size: LandingOptions,
    private readonly tell: (line: string) => void,
  ) {
    this.wide = size.width > 800;
    this.calm = size.calm;
    this.pixels = new Pixels(scenery, size);
    this.look();
    physics.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
    this.boxes = this.places.map((position, i) => {
      const options: BodyOptions = {
        mass: 1,
        position,
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], friction: 0.6 },
        userIndex: Math.floor(position[1]) + (i % 2),
      };
      const body = physics.createBody(options);
      this.population.note(body, options);
      return body;
    });
    for (const { mesh, bodies } of this.population.build()) {
      bind(physics, mesh, bodies);
      scenery.scene.add(mesh);
    }
    this.frame = requestAnimationFrame(this.onFrame);
  }

  static async open(
    this: void,
    canvas: HTMLCanvasElement | OffscreenCanvas,
    options: LandingOptions,
    tell: (line: string) => void,
  ): Promise<LandingScene> {
    const scenery = new Scenery(canvas);
    const physics = await createPhysics();
    const scene = new LandingScene(scenery, physics, options, tell);
    await physics.start();
    return scene;
  }

  /** The pyramid at the right of the words, or below them. */
  private look(): void {
    const { wide } = this;
    const target: [number, number, number] = wide ? [-8.5, 5.2, 0] : [0, 5.4, 0];
    this.scenery.frame({
      camera: { position: [target[0] + 4, wide ? 8 : 9, wide ? 26 : 22], target },
    });
  }

  take(message: SceneMessage): void {
    if (message.kind === 'shoot') this.shoot(message.x, message.y);
    else if (message.kind === 'sight') this.visible = message.visible;
    else if (message.kind === 'size') this.pixels.resize(message);
  }

  private shoot(x: number, y: number, speed = 34): void {
    const { physics, scenery, balls } = this;
    if (balls.length === BALLS) {
      const oldest = balls.shift()!;
      oldest.mesh.removeFromParent();
      oldest.mesh.dispose();
      oldest.body.remove();
    }
    const options = ballThrough(scenery.camera, x, y, { speed, mass: 8, radius: RADIUS });
    const at = options.position as Vector3;
    at.addScaledVector(options.linearVelocity as Vector3, START / speed); // not in the reader's face
    const body = physics.createBody(options);
    const mesh = new SolidMesh('round', 1);
    mesh.addSolid(sphereSolid(RADIUS), new Color(BALL));
    bind(physics, mesh, [body]);
    scenery.scene.add(mesh);
    balls.push({ body, mesh });
  }

  private restart(): void {
    for (const [i, body] of this.boxes.entries()) {
      body.setPosition(this.places[i]!);
      body.setRotation([0, 0, 0, 1]);
      body.setLinearVelocity([0, 0, 0]);
      body.setAngularVelocity([0, 0, 0]);
    }
  }

  private readonly onFrame = (now: number): void => {
    this.frame = requestAnimationFrame(this.onFrame);
    const { physics } = this;
    physics.update();
    if (!this.visible) {
      this.pixels.pause();
      return;
    }
    if (!this.calm) this.play(now);
    this.population.recolor('state');
    this.scenery.render();
    this.pixels.judge(now);
    if (now - this.told > 400) {
      this.told = now;
      const { bodies, contacts, stepMs } = physics.stats;
      this.tell(`${bodies} bodies · ${contacts} contacts · ${stepMs.toFixed(2)} ms per step, in a worker`);
    }
  };

  private play(now: number): void {
    if (now - this.began > ROUND) {
      this.restart();
      this.began = now;
    }
    if (now > this.next) {
      const side = this.wide ? 0.42 : 0;
      this.shoot(side + 0.12 * ((this.shots % 3) - 1), 0.02 - 0.12 * (this.shots % 2));
      this.shots++;
      this.next = now + PAUSE;
    }
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.physics.dispose();
    this.population.dispose();
    for (const { mesh } of this.balls) mesh.dispose();
    this.scenery.renderer.dispose();
  }
}
