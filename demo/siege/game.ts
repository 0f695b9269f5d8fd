// The rules of the game, on any world of ricochet: a page gives it one in a worker, the tests a World. In: a level, shots,
// time. Out: pieces that come and go, whether the level is won. Nothing here knows of drawing or of sound.
import type { BodyOptions, PhysicsWorld, WorldBody } from 'ricochet';
import { aimAt } from './aim';
import {
  type Level,
  type Material,
  type Piece,
  PLINTH_HALF,
  PLINTH_TOP,
  type Shot,
  type Vec3,
} from './levels';

/** kg/m³, and friction. Wood and stone are lighter than life, so that a level is decided in seconds. */
const STUFF: Record<Material, { density: number; friction: number }> = {
  stone: { density: 700, friction: 0.7 },
  wood: { density: 300, friction: 0.6 },
  gold: { density: 500, friction: 0.5 },
  powder: { density: 300, friction: 0.6 },
};

/** kg, m, m/s. */
const SHOTS: Record<Shot, { mass: number; radius: number; speed: number }> = {
  ball: { mass: 60, radius: 0.3, speed: 26 },
  bomb: { mass: 25, radius: 0.32, speed: 22 },
};

/** m: where balls start. */
export const MUZZLE: Vec3 = [0, 1.6, 15];

/** m, N·s: of a bomb, of a crate of powder. */
const BLAST = { radius: 3.5, impulse: 900 };
/** s, from its first touch. */
const FUSE = 0.35;
/** N·s: a crate that is hit harder explodes. */
const TOUCHY = 60;
/** s: the last shot has so long to decide. */
const PATIENCE = 6;
/** s: an idol has to stay down. */
const PROOF = 0.6;
/** A piece that fell below this lies on the ground, m. */
const DOWN = PLINTH_TOP - 0.25;

export type Body = WorldBody;
/** What somebody who listens or draws knows of a body. */
export interface Thing {
  body: Body;
  made: Material | Shot | 'ground';
  halfExtents?: Vec3;
  radius?: number;
}

export type Outcome = 'playing' | 'won' | 'lost';

export interface Watcher {
  added?(thing: Thing): void;
  removed?(thing: Thing): void;
  exploded?(at: Vec3): void;
}

export class Siege {
  outcome: Outcome = 'playing';
  /** Shots that were fired. */
  fired = 0;
  readonly idols: Thing[] = [];
  private readonly things = new Map<Body, Thing>();
  /** Simulated seconds until they explode. */
  private readonly fuses = new Map<Thing, number>();
  private sinceShot = 0;
  private downFor = 0;
  private readonly stopListening: () => void;

  constructor(
    readonly world: PhysicsWorld,
    readonly level: Level,
    private readonly watcher: Watcher = {},
  ) {
    const still = (options: BodyOptions) =>
      this.add(world.createBody({ ...options, type: 'static' }), 'ground');
    still({ shape: { type: 'plane', friction: 0.8 } });
    still({
      position: [0, PLINTH_TOP - PLINTH_HALF[1], 0],
      shape: { type: 'box', halfExtents: PLINTH_HALF, friction: 0.8 },
    }).halfExtents = PLINTH_HALF;
    for (const piece of level.pieces) this.place(piece);
    const hit = world.on('contactBegin', ({ bodyA, bodyB, points }) => {
      const impulse = points.reduce((sum, point) => sum + point.impulse, 0);
      for (const body of [bodyA, bodyB]) this.struck(this.things.get(body as Body), impulse);
    });
    this.stopListening = () => hit();
    for (const thing of this.things.values()) watcher.added?.(thing);
  }

  private add(body: Body, made: Thing['made']): Thing {
    const thing: Thing = { body, made };
    this.things.set(body, thing);
    return thing;
  }

  private place({ material, position, halfExtents }: Piece): void {
    const { density, friction } = STUFF[material];
    const body = this.world.createBody({
      position,
      shape: { type: 'box', halfExtents, density, friction },
    });
    const thing = this.add(body, material);
    thing.halfExtents = halfExtents;
    if (material === 'gold') this.idols.push(thing);
  }

  thing(body: Body): Thing | undefined {
    return this.things.get(body);
  }

  /** The next shot; undefined when none is left. */
  get next(): Shot | undefined {
    return this.level.shots[this.fired];
  }

  /** Idols that are not on the ground. */
  get standing(): Thing[] {
    return this.idols.filter(({ body }) => body.getPosition()[1] > DOWN);
  }

  /** 1 to 3 for a level that was won. */
  get stars(): number {
    return Math.max(1, 3 - Math.max(0, this.fired - this.level.par));
  }

  /** Fires the next shot so that it passes through a point. False if there is none. */
  shoot(point: Vec3): boolean {
    const kind = this.next;
    if (kind === undefined || this.outcome !== 'playing') return false;
    const { mass, radius, speed } = SHOTS[kind];
    const body = this.world.createBody({
      mass,
      position: MUZZLE,
      linearVelocity: aimAt(MUZZLE, point, speed),
      shape: { type: 'sphere', radius, friction: 0.6, restitution: 0.15, rollingFriction: 0.02 },
    });
    const thing = this.add(body, kind);
    thing.radius = radius;
    this.fired++;
    this.sinceShot = 0;
    this.watcher.added?.(thing);
    return true;
  }

  private struck(thing: Thing | undefined, impulse: number): void {
    if (thing === undefined || this.fuses.has(thing)) return;
    if (thing.made === 'bomb') this.fuses.set(thing, FUSE);
    if (thing.made === 'powder' && impulse > TOUCHY) this.fuses.set(thing, 0.05);
  }

  private explode(thing: Thing): void {
    const at = Array.from(thing.body.getPosition()) as Vec3;
    this.things.delete(thing.body);
    this.watcher.removed?.(thing);
    thing.body.remove();
    this.world.explode(at, BLAST.radius, BLAST.impulse, { occlusion: true });
    this.watcher.exploded?.(at);
    // Powder that is near goes off a moment later.
    for (const other of this.things.values()) {
      if (other.made !== 'powder' || this.fuses.has(other)) continue;
      const [x, y, z] = other.body.getPosition();
      if (Math.hypot(x - at[0], y - at[1], z - at[2]) < BLAST.radius) this.fuses.set(other, 0.12);
    }
  }

  /** `seconds` of simulated time have passed. */
  pass(seconds: number): void {
    for (const [thing, left] of [...this.fuses]) {
      if (left > seconds) {
        this.fuses.set(thing, left - seconds);
        continue;
      }
      this.fuses.delete(thing);
      this.explode(thing);
    }
    if (this.outcome !== 'playing') return;
    this.sinceShot += seconds;
    this.downFor = this.standing.length === 0 ? this.downFor + seconds : 0;
    if (this.downFor > PROOF) this.outcome = 'won';
    else if (this.next === undefined && this.sinceShot > PATIENCE && this.downFor === 0)
      this.outcome = 'lost';
  }

  /** Removes everything from the world, for the next level. */
  clear(): void {
    this.stopListening();
    this.fuses.clear();
    for (const thing of this.things.values()) {
      this.watcher.removed?.(thing);
      thing.body.remove();
    }
    this.things.clear();
  }
}
