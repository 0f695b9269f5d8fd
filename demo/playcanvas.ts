// The page of ricochet/playcanvas: PlayCanvas's own components on our physics world. In: clicks, the pointer. Out: a
// picture, figures.
import * as pc from 'playcanvas';
import { RicochetPhysicsWorld } from 'ricochet/playcanvas';
import { element } from './element';
import { showError } from './hud';
import {
  back,
  CRATES,
  column,
  HALF,
  INK,
  IS_PLAIN,
  LINKS,
  LOST,
  MARBLES,
  Meter,
  onSwitch,
  PAPER,
  PIGMENTS,
  RADIUS,
  SKY,
  type Triple,
  WALLS,
} from './yard';

const meter = new Meter();
/** m: the ball that is cast along the pointer. */
const PROBE = 0.35;
const vector = ([x, y, z]: Triple) => new pc.Vec3(x, y, z);

class Yard {
  readonly root: pc.Entity;
  private readonly falling: pc.Entity[] = [];
  private readonly mill: pc.Entity;

  constructor(
    private readonly app: pc.AppBase,
    private readonly paints: Map<string, pc.StandardMaterial>,
  ) {
    this.root = new pc.Entity('yard', app);
    app.root.addChild(this.root);
    for (const [half, place] of WALLS) this.box('wall', half, place, PAPER, { type: 'static' });
    for (let i = 0; i < MARBLES; i++)
      this.falling.push(
        this.ball(`marble ${i}`, RADIUS, column(i, 4), PIGMENTS[(i + 3) % 6]!, {
          type: 'dynamic',
          mass: 0.2,
          restitution: 0.5,
        }),
      );
    for (let i = 0; i < CRATES; i++)
      this.falling.push(
        this.box(`crate ${i}`, [HALF, HALF, HALF], column(i, 3), PIGMENTS[i % 6]!, {
          type: 'dynamic',
          mass: 0.2,
        }),
      );
    this.mill = this.box('mill', [4, 0.25, 0.125], [0, 0.4, 0], PIGMENTS[0], { type: 'kinematic' });
    this.chain();
    this.hoop();
  }

  private entity(
    name: string,
    place: Triple,
    type: 'box' | 'sphere',
    size: Triple,
    color: string,
  ): pc.Entity {
    const entity = new pc.Entity(name, this.app);
    entity.setLocalPosition(...place);
    // The picture has a node of its own: a body's scale stays 1.
    const picture = new pc.Entity('picture', this.app);
    picture.setLocalScale(...size);
    picture.addComponent('render', { type, material: this.paint(color) });
    entity.addChild(picture);
    this.root.addChild(entity);
    return entity;
  }

  private paint(color: string): pc.StandardMaterial {
    let made = this.paints.get(color);
    if (made === undefined) {
      made = new pc.StandardMaterial();
      made.diffuse = new pc.Color().fromString(color);
      made.gloss = 0.4;
      made.update();
      this.paints.set(color, made);
    }
    return made;
  }

  private box(name: string, half: Triple, place: Triple, color: string, body: object): pc.Entity {
    const [x, y, z] = half;
    const entity = this.entity(name, place, 'box', [2 * x, 2 * y, 2 * z], color);
    entity.addComponent('collision', { type: 'box', halfExtents: vector(half) });
    entity.addComponent('rigidbody', { friction: 0.5, ...body });
    return entity;
  }

  private ball(name: string, radius: number, place: Triple, color: string, body: object): pc.Entity {
    const size = 2 * radius;
    const entity = this.entity(name, place, 'sphere', [size, size, size], color);
    entity.addComponent('collision', { type: 'sphere', radius });
    entity.addComponent('rigidbody', { friction: 0.4, ...body });
    return entity;
  }

  /** Links that hang from the world, a ball at the end. */
  private chain(): void {
    let above: pc.Entity | null = null;
    for (let i = 0; i < LINKS; i++) {
      const isLast = i === LINKS - 1;
      const place: Triple = [0.8 * i + (isLast ? 0.7 : 0.4), 8, 0];
      // It starts level, and swings down.
      const link: pc.Entity = isLast
        ? this.ball('ball', 0.7, place, INK, { type: 'dynamic', mass: 40 })
        : this.box(`link ${i}`, [0.4, 0.06, 0.06], place, INK, { type: 'dynamic', mass: 4 });
      const joint = new pc.Entity(`joint ${i}`, this.app);
      joint.setLocalPosition(0.8 * i, 8, 0);
      this.root.addChild(joint);
      joint.addComponent('joint', { type: 'ball', entityA: link, entityB: above });
      above = link;
    }
  }

  /** A trigger: what falls through is counted. */
  private hoop(): void {
    const ring = new pc.Entity('hoop', this.app);
    ring.setLocalPosition(0, 3.2, 2.6);
    this.root.addChild(ring);
    const mesh = pc.Mesh.fromGeometry(
      this.app.graphicsDevice,
      new pc.TorusGeometry({ ringRadius: 1, tubeRadius: 0.07, segments: 48, sides: 12 }),
    );
    ring.addComponent('render', { meshInstances: [new pc.MeshInstance(mesh, this.paint(PIGMENTS[1]))] });
    ring.addComponent('collision', { type: 'cylinder', radius: 0.9, height: 0.1 });
    let count = 0;
    ring.collision!.on('triggerenter', () => {
      element('hoop').textContent = String(++count);
    });
  }

  /** The mill turns; what fell off comes back from above. */
  update(dt: number): void {
    this.mill.rotateLocal(0, 50 * dt, 0);
    for (const [i, entity] of this.falling.entries()) {
      if (entity.getPosition().y > LOST) continue;
      entity.rigidbody!.teleport(vector(back(i)));
      entity.rigidbody!.linearVelocity = pc.Vec3.ZERO;
    }
  }
}

/** Drags turn the camera about the tray, clicks throw up what they meet, the pointer casts a ball. */
class Eye {
  readonly entity: pc.Entity;
  private yaw = 0;
  private pitch = 24;
  private down: { x: number; y: number; moved: boolean } | null = null;
  private readonly probe: pc.Entity;

  constructor(
    private readonly app: pc.AppBase,
    private readonly canvas: HTMLCanvasElement,
    private readonly world: RicochetPhysicsWorld,
  ) {
    this.entity = new pc.Entity('eye', app);
    this.entity.addComponent('camera', { clearColor: new pc.Color().fromString(SKY), fov: 42, farClip: 120 });
    app.root.addChild(this.entity);
    this.probe = new pc.Entity('probe', app);
    this.probe.addComponent('render', { type: 'sphere', castShadows: false });
    this.probe.setLocalScale(2 * PROBE, 2 * PROBE, 2 * PROBE);
    this.probe.enabled = false;
    app.root.addChild(this.probe);
    canvas.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => {
      this.down = { x, y, moved: false };
    });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    addEventListener('pointerup', (event) => {
      if (this.down !== null && !this.down.moved) this.throwUp(event);
      this.down = null;
    });
    this.place();
  }

  place(): void {
    const narrow = innerWidth < innerHeight;
    const reach = narrow ? 31 : 17;
    const [yaw, pitch] = [this.yaw * pc.math.DEG_TO_RAD, this.pitch * pc.math.DEG_TO_RAD];
    const height = narrow ? 3.5 : 1.8;
    const flat = reach * Math.cos(pitch);
    this.entity.setPosition(flat * Math.sin(yaw), height + reach * Math.sin(pitch), flat * Math.cos(yaw));
    this.entity.lookAt(0, height, 0);
  }

  private ray({ clientX, clientY }: PointerEvent): [pc.Vec3, pc.Vec3] {
    const camera = this.entity.camera!;
    return [
      camera.screenToWorld(clientX, clientY, camera.nearClip),
      camera.screenToWorld(clientX, clientY, camera.farClip),
    ];
  }

  private move(event: PointerEvent): void {
    const { down } = this;
    if (down !== null) {
      const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
      if (!down.moved && Math.hypot(dx, dy) < 4) return;
      this.yaw -= 0.3 * dx;
      this.pitch = Math.min(85, Math.max(3, this.pitch + 0.3 * dy));
      this.down = { x: event.clientX, y: event.clientY, moved: true };
      this.place();
      return;
    }
    const [from, to] = this.ray(event);
    const hit = this.world.shapeCastFirst({ type: 'sphere', radius: PROBE }, from, to, {
      filterCallback: (entity) => Boolean(entity.rigidbody),
    });
    this.probe.enabled = hit !== null;
    if (hit !== null) this.probe.setPosition(new pc.Vec3().lerp(from, to, hit.hitFraction));
  }

  private throwUp(event: PointerEvent): void {
    if (event.target !== this.canvas) return;
    const hit = this.app.systems.rigidbody!.raycastFirst(...this.ray(event));
    const body = hit?.entity.rigidbody;
    if (body?.type === 'dynamic') body.applyImpulse(new pc.Vec3(0, 7 * body.mass, 0));
  }
}

/** For tests. */
const page = { meter, app: null as pc.AppBase | null, world: null as RicochetPhysicsWorld | null };
Object.assign(window, { ricochetPlayCanvas: page });

async function start(): Promise<void> {
  const canvas = element<HTMLCanvasElement>('view');
  const device = await pc.createGraphicsDevice(canvas, { deviceTypes: [pc.DEVICETYPE_WEBGL2] });
  device.maxPixelRatio = Math.min(devicePixelRatio, 2);
  const options = new pc.AppOptions();
  options.graphicsDevice = device;
  options.componentSystems = [
    pc.RenderComponentSystem,
    pc.CameraComponentSystem,
    pc.LightComponentSystem,
    pc.CollisionComponentSystem,
    pc.RigidBodyComponentSystem,
    pc.JointComponentSystem,
  ];
  const world = new RicochetPhysicsWorld();
  options.physicsWorld = world;
  const app = new pc.AppBase(canvas);
  app.init(options);
  Object.assign(page, { app, world });
  app.setCanvasFillMode(pc.FILLMODE_FILL_WINDOW);
  app.setCanvasResolution(pc.RESOLUTION_AUTO);
  app.scene.ambientLight = new pc.Color(0.55, 0.57, 0.58);
  const sun = new pc.Entity('sun', app);
  sun.addComponent('light', {
    type: 'directional',
    intensity: 1.1,
    castShadows: !IS_PLAIN,
    shadowDistance: 60,
    shadowResolution: 2048,
    shadowBias: 0.3,
    normalOffsetBias: 0.06,
  });
  sun.setEulerAngles(48, -35, 0);
  app.root.addChild(sun);
  const eye = new Eye(app, canvas, world);
  const paints = new Map<string, pc.StandardMaterial>();
  let yard = new Yard(app, paints);
  const physics = app.systems.rigidbody!;
  // How long the world's steps take, with all that the components do around them.
  const { step } = physics;
  physics.step = (dt: number) => {
    const before = performance.now();
    step.call(physics, dt);
    meter.add(performance.now() - before, world.nativeWorld.bodyCount);
  };
  app.on('update', (dt: number) => {
    if (physics.timeScale > 0) yard.update(dt);
  });
  onSwitch('paused', (on) => {
    physics.timeScale = on ? 0 : 1;
  });
  onSwitch('moon', (on) => {
    physics.gravity.set(0, on ? -1.62 : -9.81, 0);
    for (const entity of app.root.find((node) => 'rigidbody' in node && !!node.rigidbody))
      (entity as pc.Entity).rigidbody!.activate();
  });
  element('again').addEventListener('click', () => {
    yard.root.destroy();
    yard = new Yard(app, paints);
  });
  addEventListener('resize', () => {
    app.resizeCanvas();
    eye.place();
  });
  app.start();
}

start().catch(showError);
