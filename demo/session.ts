// One run of one scene: a physics worker, the instances that draw its bodies, the balls shot at it, the
// overlays. A reset is a new session; nothing is carried over.

import type { BodyOptions, DebugLinesOptions, WorldOptions } from 'ricochet';
import { debugWorld } from 'ricochet/debug';
import { type Binding, bind, PhysicsLines } from 'ricochet/three';
import { createPhysics, type Physics, type PhysicsBody } from 'ricochet/worker';
import { Color, type Sprite, Scene as ThreeScene } from 'three';
import { label } from './label';
import { BALL } from './palette';
import { Population } from './population';
import { QueryView } from './queryView';
import type { Scene } from './scenes';
import { SolidMesh, sphereSolid } from './solids';

/** More balls than this are taken away again, the oldest first. */
const MAX_BALLS = 40;

export interface ViewOptions {
  states: boolean;
  contacts: boolean;
  aabbs: boolean;
  joints: boolean;
  islands: boolean;
  wireframe: boolean;
}

export class Session {
  /** Everything that the scene created, in its order. */
  readonly bodies: PhysicsBody[] = [];
  private readonly population: Population<PhysicsBody>;
  private readonly balls: { body: PhysicsBody; mesh: SolidMesh; binding: Binding }[] = [];
  private readonly labels: Sprite[] = [];
  private lines: PhysicsLines | null = null;
  private wireframe: { group: ThreeScene; update(): void } | null = null;
  private view: ViewOptions | undefined;
  private disposed = false;
  /** What the scene asks, drawn. */
  readonly queries: QueryView | null;

  private constructor(
    readonly scene: Scene,
    readonly physics: Physics,
    private readonly stage: ThreeScene,
  ) {
    this.population = new Population(scene.shows?.statics);
    this.queries = scene.ask === undefined ? null : new QueryView(physics, scene.ask, stage);
  }

  static async open(scene: Scene, options: WorldOptions, stage: ThreeScene): Promise<Session> {
    const session = new Session(scene, await createPhysics(options), stage);
    session.populate();
    return session;
  }

  private populate(): void {
    const { physics, population, stage } = this;
    this.scene.build({
      createBody: (options) => {
        const body = physics.createBody(options);
        this.bodies.push(body);
        population.note(body, options);
        return body;
      },
      createJoint: (options) => physics.createJoint(options),
    });
    for (const { text, position } of this.scene.labels ?? []) {
      const sprite = label(text, position);
      this.labels.push(sprite);
      stage.add(sprite);
    }
    for (const { mesh, bodies } of population.build()) {
      bind(physics, mesh, bodies);
      stage.add(mesh);
    }
  }

  shoot(options: BodyOptions, radius: number): PhysicsBody {
    const { physics, balls } = this;
    const body = physics.createBody(options);
    this.draw(body, radius);
    if (balls.length > MAX_BALLS) {
      const oldest = balls.shift()!;
      oldest.binding.unbind();
      oldest.mesh.removeFromParent();
      oldest.mesh.dispose();
      oldest.body.remove();
    }
    return body;
  }

  private draw(body: PhysicsBody, radius: number): void {
    const mesh = new SolidMesh('round', 1);
    mesh.addSolid(sphereSolid(radius), new Color(BALL));
    const binding = bind(this.physics, mesh, [body]);
    this.stage.add(mesh);
    this.balls.push({ body, mesh, binding });
  }

  /** After the world was set to another state: balls that are there have a mesh, and no others. */
  adopt(): void {
    const drawn = new Set(this.bodies.map(({ id }) => id));
    for (const ball of this.balls.splice(0)) {
      if (!ball.body.isRemoved) {
        drawn.add(ball.body.id);
        this.balls.push(ball);
        continue;
      }
      ball.binding.unbind();
      ball.mesh.removeFromParent();
      ball.mesh.dispose();
    }
    for (const body of this.physics.bodies()) {
      const [shape] = body.shapes;
      if (drawn.has(body.id) || shape === undefined) continue;
      const info = body.getShape(shape);
      if (info.type === 'sphere') this.draw(body, info.params[0] as number);
    }
  }

  /** What is to be seen besides the bodies. */
  setView(view: ViewOptions): void {
    this.view = { ...view };
    const { contacts, aabbs, joints, islands } = view;
    const options: DebugLinesOptions = { shapes: islands, islands, aabbs, contacts, joints };
    if (!contacts && !aabbs && !joints && !islands) {
      this.lines?.dispose();
      this.lines = null;
    } else if (this.lines === null) {
      this.lines = new PhysicsLines(this.physics, options);
      this.lines.material.depthTest = false; // contacts are where bodies hide them
      this.lines.renderOrder = 1;
      this.stage.add(this.lines);
    } else {
      this.lines.setOptions(options);
    }
    if (!view.wireframe) this.hideWireframe();
    else if (this.wireframe === null) this.showWireframe().catch((error) => console.error(error)); // its file could not be loaded
  }

  /** cannon-es-debugger, for which `debugWorld` looks like one of its own worlds; loaded when it is asked for. */
  private async showWireframe(): Promise<void> {
    const { default: CannonDebugger } = await import('cannon-es-debugger');
    if (this.disposed || this.wireframe !== null || this.view?.wireframe !== true) return;
    const group = new ThreeScene(); // it adds its meshes to a scene: one of its own, to be taken away whole
    const world = debugWorld(this.physics) as Parameters<typeof CannonDebugger>[1];
    const { update } = CannonDebugger(group, world, { color: '#20262e' });
    this.wireframe = { group, update };
    this.stage.add(group);
  }

  private hideWireframe(): void {
    this.wireframe?.group.removeFromParent();
    this.wireframe = null;
  }

  /** Once per frame: poses, colours, overlays. */
  update(): void {
    this.physics.update();
    const view = this.view;
    const overlaid = view !== undefined && (view.contacts || view.aabbs || view.islands || view.wireframe);
    this.population.recolor(overlaid ? 'pale' : view?.states === false ? 'plain' : 'state');
    this.wireframe?.update();
    this.queries?.update();
  }

  dispose(): void {
    this.disposed = true;
    this.lines?.dispose();
    this.queries?.dispose();
    this.hideWireframe();
    this.physics.dispose();
    this.population.dispose();
    for (const sprite of this.labels) {
      sprite.removeFromParent();
      sprite.material.map?.dispose();
      sprite.material.dispose();
    }
    for (const { mesh } of this.balls) {
      mesh.removeFromParent();
      mesh.dispose();
    }
  }
}
