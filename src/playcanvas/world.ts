// PlayCanvas's physics world. In: the calls of its rigid body, collision and joint components. Out: a World of ricochet in
// this thread; contacts after each fixed step; answers to rays and to shapes that are cast.
import { type Entity, PhysicsWorld, type Quat, RaycastResult, Vec3 } from 'playcanvas';
import {
  type OverlapHit,
  type QueryOptions,
  QueryShape,
  type RayHit,
  type RayOptions,
  World,
  type WorldOptions,
} from 'ricochet';
import { type BodyDescription, type Host, RicochetBody } from './body';
import { type ContactListener, Contacts } from './contacts';
import { type JointDescription, RicochetJoint } from './joint';
import { Shape, type ShapeDescription, Shapes } from './shapes';
import { named, warn } from './warnings';

/** Options of the world; gravity is that of PlayCanvas's rigid body system. */
export type PlayCanvasOptions = Omit<WorldOptions, 'gravity' | 'events'>;

/** As those of PlayCanvas's rays. */
interface RaycastOptions {
  /** Collision group bits of the ray. Default 1. */
  filterCollisionGroup?: number;
  /** Groups that it meets. Default all. */
  filterCollisionMask?: number;
  /** Triangles from behind, too. Default true. */
  hitBackFaces?: boolean;
  /** Tags that an entity must have: see PlayCanvas's Tags.has. */
  // biome-ignore lint/suspicious/noExplicitAny: as PlayCanvas declares it
  filterTags?: any[];
  /** Which entities count. */
  // biome-ignore lint/complexity/noBannedTypes: as PlayCanvas declares it
  filterCallback?: Function;
}

/** Options of a shape that is cast or placed. */
export interface ShapeCastOptions {
  /** Of the shape. Default none. */
  rotation?: Quat;
  /** Its collision group bits. Default 1. */
  filterCollisionGroup?: number;
  /** Groups that it meets. Default all. */
  filterCollisionMask?: number;
  /** Tags that an entity must have: see PlayCanvas's Tags.has. */
  filterTags?: unknown[];
  /** Which entities count. */
  filterCallback?: (entity: Entity) => boolean;
}

/** s. The longest time that a step may be of. */
const MOST_TIME = 1e6;
/** m. A way that is no longer has no direction. */
const NO_WAY = 1e-6;
const FIXED_STEP = { least: 1e-6, most: 1 };

type Filter = Pick<RaycastOptions, 'filterTags' | 'filterCallback'>;

function passes(entity: Entity, { filterTags, filterCallback }: Filter): boolean {
  if (filterTags && !entity.tags.has(...filterTags)) return false;
  return !filterCallback || Boolean(filterCallback(entity));
}

/** Physics for `AppOptions.physicsWorld` of PlayCanvas: a world of ricochet in this thread. */
export class RicochetPhysicsWorld extends PhysicsWorld {
  /** The world of ricochet: snapshots, hashes, queries of its own. */
  override nativeWorld: World;
  private readonly host: Host;
  private readonly shapes = new Shapes();
  private readonly contacts: Contacts;

  /**
   * A world for one application: `createOptions.physicsWorld = new RicochetPhysicsWorld()`.
   *
   * @throws PhysicsError as World's constructor
   */
  constructor(options: PlayCanvasOptions = {}) {
    super();
    const world = new World(options);
    this.nativeWorld = world;
    this.host = { world, bodies: new Map(), triggers: new Set(), changed: new Set() };
    this.contacts = new Contacts(this.host);
    world.setInternalTickCallback(() => {
      if (this.contactListener !== null) this.contacts.tell(this.contactListener as ContactListener);
    });
    // A sleeping body's pose is not asked for any more: its last one is to be asked for once.
    world.on('sleep', ({ body }) => {
      const one = this.host.bodies.get(body.id);
      if (one !== undefined) one.hasJustSlept = true;
    });
  }

  /** Meshes are scaled as their entities are. */
  override get supportsMeshScaling(): boolean {
    return true;
  }

  /** Frees the world; nothing can be asked of it then. */
  override destroy(): void {
    this.host.bodies.clear();
    this.host.triggers.clear();
    this.host.changed.clear();
    if (!this.nativeWorld.isDisposed) this.nativeWorld.dispose();
  }

  /** m/s². */
  override setGravity(gravity: Vec3): void {
    this.nativeWorld.setGravity(gravity);
  }

  /** Fixed steps for the time that has passed; what is left over is interpolated. s. */
  override step(dt: number, maxSubSteps: number, fixedTimeStep: number): void {
    if (!(dt >= 0 && fixedTimeStep >= FIXED_STEP.least && fixedTimeStep <= FIXED_STEP.most)) {
      warn(
        `a step of ${dt} s in fixed steps of ${fixedTimeStep} s (1e-6 to 1) cannot be made: it is left out`,
      );
      return;
    }
    this.renew();
    this.nativeWorld.stepSimulation(
      Math.min(dt, MOST_TIME),
      Math.max(1, Math.round(maxSubSteps)),
      fixedTimeStep,
    );
    this.shapes.sweep();
  }

  /** Nothing: contacts are told in `step`. */
  override flushContacts(): void {}

  /** Bodies whose shapes have changed get them as they are now. */
  private renew(): void {
    for (const body of this.host.changed) body.rebuild();
    this.host.changed.clear();
  }

  // --- bodies ---

  /**
   * A body that is not in the simulation yet.
   *
   * @throws Error with the entity's name for a shape or pose that cannot be
   */
  override createBody(desc: BodyDescription): RicochetBody {
    return new RicochetBody(this.host, desc);
  }

  /** Frees a body. */
  override destroyBody(body: RicochetBody): void {
    if (!this.nativeWorld.isDisposed) body.destroy();
  }

  /** Puts a body into the simulation, awake. Bits as Bullet's; default those of its type. */
  override addBody(body: RicochetBody, group?: number, mask?: number): void {
    body.add(group, mask);
  }

  /** Takes a body out: it stands still and nothing meets it. */
  override removeBody(body: RicochetBody): void {
    if (!this.nativeWorld.isDisposed) body.takeOut();
  }

  // --- shapes ---

  /**
   * A shape, to be handed back to this world only.
   *
   * @throws Error for geometry that cannot be
   */
  override createShape(desc: ShapeDescription): Shape {
    return this.shapes.create(desc);
  }

  /** Frees a shape; a compound that has it loses it. */
  override destroyShape(shape: Shape): void {
    this.shapes.destroy(shape);
  }

  /** Adds a shape to a compound. Bodies that have the compound have it from the next step on. */
  override addCompoundChild(compound: Shape, child: Shape, position: Vec3, rotation: Quat): void {
    compound.place(child, position, rotation);
  }

  /** Moves a shape in a compound, or adds it. */
  override updateCompoundChild(compound: Shape, child: Shape, position: Vec3, rotation: Quat): void {
    compound.place(child, position, rotation);
  }

  /** Takes a shape out of a compound, if it is in it. */
  override removeCompoundChild(compound: Shape, child: Shape): void {
    compound.remove(child);
  }

  /** How many shapes a compound has. */
  override getCompoundChildCount(compound: Shape): number {
    return compound.children.size;
  }

  // --- joints ---

  /**
   * A joint of two bodies, or of one and the world; both wake.
   *
   * @throws Error with the entities' names for frames or settings that cannot be
   */
  override createJoint(desc: JointDescription): RicochetJoint {
    return new RicochetJoint(this.host, desc);
  }

  /** Frees a joint. */
  override destroyJoint(joint: RicochetJoint): void {
    if (!this.nativeWorld.isDisposed) joint.destroy();
  }

  // --- queries ---

  private optionsOf(options: RaycastOptions): Omit<RayOptions, 'mode'> {
    return {
      group: options.filterCollisionGroup ?? 1,
      mask: options.filterCollisionMask ?? -1,
      backFaces: options.hitBackFaces !== false,
    };
  }

  private entityOf({ body }: OverlapHit): Entity | null {
    return this.host.bodies.get(body.id)?.entity ?? null;
  }

  private resultOf(hit: RayHit, way: Vec3): RaycastResult {
    const normal = new Vec3(...hit.normal);
    // Triangles are hit from behind, too, and face the ray then.
    if (normal.dot(way) > 0) normal.mulScalar(-1);
    return new RaycastResult(this.entityOf(hit) as Entity, new Vec3(...hit.point), normal, hit.fraction);
  }

  /** The nearest hit of a ray, or null. A shape that it starts in is not hit. */
  override raycastFirst(start: Vec3, end: Vec3, options: RaycastOptions = {}): RaycastResult | null {
    this.renew();
    const way = new Vec3().sub2(end, start);
    if (!(way.length() > NO_WAY)) return null;
    const hit = this.nativeWorld.rayTest(start, end, this.optionsOf(options));
    if (hit === null) return null;
    if (hit.fraction > 0 && this.entityOf(hit) !== null) return this.resultOf(hit, way);
    return this.raycastAll(start, end, options)[0] ?? null;
  }

  /** All hits of a ray, nearest first; a body of several shapes may be hit several times. */
  override raycastAll(start: Vec3, end: Vec3, options: RaycastOptions = {}): RaycastResult[] {
    this.renew();
    const way = new Vec3().sub2(end, start);
    if (!(way.length() > NO_WAY)) return [];
    return this.nativeWorld
      .rayTest(start, end, { ...this.optionsOf(options), mode: 'all' })
      .filter((hit) => hit.fraction > 0 && this.isWanted(hit, options))
      .map((hit) => this.resultOf(hit, way));
  }

  private isWanted(hit: OverlapHit, options: Filter): boolean {
    const entity = this.entityOf(hit);
    return entity !== null && passes(entity, options);
  }

  /** Asks with a shape that lives as long as the question. */
  private askWith<T>(
    shape: ShapeDescription | object,
    position: Vec3,
    options: ShapeCastOptions,
    ask: (target: { shape: QueryShape; position: Vec3; rotation?: Quat }, filter: QueryOptions) => T,
  ): T {
    this.renew();
    const own = shape instanceof Shape ? shape : this.shapes.create(shape as ShapeDescription);
    try {
      return ask(
        {
          shape: new QueryShape(own.options()),
          position,
          ...(options.rotation && { rotation: options.rotation }),
        },
        { group: options.filterCollisionGroup ?? 1, mask: options.filterCollisionMask ?? -1 },
      );
    } catch (error) {
      throw named(error, 'a shape that is cast (meshes cannot be: set convexHull)');
    } finally {
      if (own !== shape) this.shapes.destroy(own);
    }
  }

  /**
   * Moves a shape from one point to another, without turning it: the first entity that it meets, or null. What it overlaps
   * at the start is met at fraction 0. PlayCanvas's interface has no such call.
   *
   * @param shape  convex: a description like `{ type: 'sphere', radius: 0.5 }`, or `entity.collision.shape`
   * @throws Error for a mesh, which cannot be cast
   */
  shapeCastFirst(
    shape: ShapeDescription | object,
    start: Vec3,
    end: Vec3,
    options: ShapeCastOptions = {},
  ): RaycastResult | null {
    return this.shapeCastAll(shape, start, end, options)[0] ?? null;
  }

  /** As shapeCastFirst: all that it would meet, the first first. */
  shapeCastAll(
    shape: ShapeDescription | object,
    start: Vec3,
    end: Vec3,
    options: ShapeCastOptions = {},
  ): RaycastResult[] {
    const way = new Vec3().sub2(end, start);
    if (!(way.length() > NO_WAY)) return [];
    return this.askWith(shape, start, options, (target, filter) =>
      this.nativeWorld
        .convexSweepTest(target, way, { ...filter, mode: 'all' })
        .filter((hit) => this.isWanted(hit, options as Filter))
        .map((hit) => this.resultOf(hit, way)),
    );
  }

  /** The entities that touch or overlap a shape at a place, each once. See shapeCastFirst. */
  overlapShape(shape: ShapeDescription | object, position: Vec3, options: ShapeCastOptions = {}): Entity[] {
    return this.askWith(shape, position, options, (target, filter) => {
      const hits = this.nativeWorld.overlapShapeTest(target, { ...filter, mode: 'all' });
      const found = hits.filter((hit) => this.isWanted(hit, options as Filter));
      return [...new Set(found.map((hit) => this.entityOf(hit) as Entity))];
    });
  }
}
