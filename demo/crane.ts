// A jib crane of bodies and joints: the jib slews on a hinge with a motor, the trolley runs along it on a slider, the hook
// hangs from the trolley by a rope, a distance joint that the hoist shortens, and takes loads by a sling, another one. In: a
// world in the page or in a worker, what the driver wants. Out: bodies, motors, where rope and sling are to be drawn.
import type { BodyOptions, PhysicsWorld, WorldBody, WorldJoint } from 'ricochet';
import { deterministic } from 'ricochet';

type Place = [number, number, number];

/** What the driver wants, each −1 … 1. */
export interface CraneInput {
  /** Counterclockwise, seen from above. */
  slew: number;
  /** Out along the jib. */
  trolley: number;
  /** Up. */
  hoist: number;
}

/** rad/s, m/s, m/s: at full input. */
const SPEEDS = { slew: 0.3, trolley: 1.6, hoist: 1.4 } as const;
/** N·m, N: they also limit how fast it starts and stops, so that the load does not swing too much. */
const TORQUE = 30_000;
const FORCE = 900;
/** m: of the beam over the ground of the crane; of the trolley from the mast. */
const HEIGHT = 6.2;
const TRACK = { nearest: 2.8, farthest: 11, start: 5 } as const;
/** m: the rope. */
const ROPE = { shortest: 0.8, longest: 7.6, start: 2.5 } as const;
/** m: half sizes of trolley and hook. */
const TROLLEY: Readonly<Place> = [0.4, 0.12, 0.4];
const HOOK: Readonly<Place> = [0.16, 0.2, 0.16];
/** m: from the hook to the top of a load that it can take; the shortest sling. */
const REACH = 1;
const SHORTEST_SLING = 0.25;

/** Where the ropes are fixed, in the frames of their bodies. */
const UNDER_TROLLEY: Place = [0, -TROLLEY[1], 0];
const ON_HOOK: Place = [0, HOOK[1], 0];
const UNDER_HOOK: Place = [0, -HOOK[1], 0];

/** A point of a body's frame, in the world. */
function pointOf(body: WorldBody, local: ArrayLike<number>): Place {
  const [x, y, z, w] = body.getRotation();
  const [px, py, pz] = body.getPosition();
  const [a, b, c] = [local[0]!, local[1]!, local[2]!];
  const [s, t, u] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [px + a + w * s + y * u - z * t, py + b + w * t + z * s - x * u, pz + c + w * u + x * t - y * s];
}

/** The middle of the side of a cube that is on top now, in its own frame. */
function topOf(cube: WorldBody, half: number): Place {
  const [x, y, z, w] = cube.getRotation();
  const up = [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)];
  const sizes = up.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  return up.map((part, i) => (i === axis ? Math.sign(part) * half : 0)) as Place;
}

export class Crane {
  readonly jib: WorldBody;
  readonly trolley: WorldBody;
  readonly hook: WorldBody;
  /** m: of the rope, when it is tight. */
  length: number = ROPE.start;
  private readonly hinge: WorldJoint;
  private readonly track: WorldJoint;
  private readonly rope: WorldJoint;
  private held: { load: WorldBody; at: Place; sling: WorldJoint } | null = null;
  private driven: CraneInput = { slew: 0, trolley: 0, hoist: 0 };

  /**
   * @param at  the foot of its mast
   * @param heading  rad: of the jib, counterclockwise from x
   */
  constructor(
    private readonly world: PhysicsWorld,
    make: (options: BodyOptions) => WorldBody,
    at: Readonly<Place>,
    heading: number,
  ) {
    const [x, y, z] = at;
    const rotation = deterministic.quatFromAxisAngle([0, 1, 0], heading);
    const along = [deterministic.cos(heading), 0, -deterministic.sin(heading)] as const;
    const out = (distance: number, height: number): Place => [
      x + distance * along[0],
      y + height,
      z + distance * along[2],
    ];
    make({
      type: 'static',
      position: [x, y + 0.5 * HEIGHT - 0.15, z],
      shape: { type: 'cylinder', radius: 0.35, halfHeight: 0.5 * HEIGHT - 0.15 },
    });
    this.jib = make({
      position: out(0, HEIGHT),
      rotation,
      userIndex: 3,
      shape: [
        { type: 'box', halfExtents: [7.5, 0.2, 0.25], position: [4, 0, 0], density: 300 },
        { type: 'box', halfExtents: [0.7, 0.6, 0.7], position: [-2.8, -0.2, 0], density: 2000 },
        { type: 'box', halfExtents: [0.6, 0.7, 0.55], position: [1.2, -0.9, 0], density: 150 },
      ],
    });
    const under = HEIGHT - 0.2 - TROLLEY[1];
    this.trolley = make({
      position: out(TRACK.start, under),
      rotation,
      mass: 200,
      userIndex: 1,
      shape: { type: 'box', halfExtents: TROLLEY },
    });
    this.hook = make({
      position: out(TRACK.start, under - TROLLEY[1] - ROPE.start - HOOK[1]),
      rotation,
      mass: 80,
      linearDamping: 0.15,
      angularDamping: 0.8,
      userIndex: 5,
      shape: { type: 'box', halfExtents: HOOK },
    });
    this.hinge = world.createJoint({
      type: 'hinge',
      bodyB: this.jib,
      anchor: out(0, HEIGHT),
      axis: [0, 1, 0],
      angle: { motor: { velocity: 0, maxForce: TORQUE } },
    });
    this.track = world.createJoint({
      type: 'slider',
      bodyA: this.jib,
      bodyB: this.trolley,
      anchor: out(TRACK.start, under),
      axis: along,
      position: {
        low: TRACK.nearest - TRACK.start,
        high: TRACK.farthest - TRACK.start,
        motor: { velocity: 0, maxForce: FORCE },
      },
    });
    this.rope = world.createJoint({
      type: 'distance',
      bodyA: this.trolley,
      bodyB: this.hook,
      frameA: { position: UNDER_TROLLEY },
      frameB: { position: ON_HOOK },
      distance: { low: 0, high: ROPE.start },
    });
  }

  /** What hangs on the hook. */
  get load(): WorldBody | null {
    return this.held?.load ?? null;
  }

  /** Drives for `seconds`; call it once per frame. Only changes become commands. */
  drive(input: CraneInput, seconds: number): void {
    const { slew, trolley, hoist } = input;
    if (slew !== this.driven.slew)
      this.hinge.setMotor('angle', { velocity: SPEEDS.slew * slew, maxForce: TORQUE });
    if (trolley !== this.driven.trolley)
      this.track.setMotor('position', { velocity: SPEEDS.trolley * trolley, maxForce: FORCE });
    this.driven = { slew, trolley, hoist };
    const wanted = this.length - SPEEDS.hoist * hoist * seconds;
    const length = Math.min(ROPE.longest, Math.max(ROPE.shortest, wanted));
    if (length === this.length) return;
    this.length = length;
    this.rope.setLimits('distance', 0, length);
  }

  /**
   * Takes the nearest of these cubes that is in reach below the hook.
   * @param half  m: half the side of a cube
   * @returns whether there was one
   */
  grab(cubes: Iterable<WorldBody>, half: number): boolean {
    if (this.held !== null) return false;
    const [x, y, z] = pointOf(this.hook, UNDER_HOOK);
    let best: { load: WorldBody; at: Place } | null = null;
    let least = REACH;
    for (const load of cubes) {
      const at = topOf(load, half);
      const [u, v, w] = pointOf(load, at);
      const distance = Math.hypot(u - x, v - y, w - z);
      if (distance >= least) continue;
      least = distance;
      best = { load, at };
    }
    if (best === null) return false;
    const sling = this.world.createJoint({
      type: 'distance',
      bodyA: this.hook,
      bodyB: best.load,
      frameA: { position: UNDER_HOOK },
      frameB: { position: best.at },
      distance: { low: 0, high: Math.max(SHORTEST_SLING, least) },
      collideConnected: true,
    });
    this.held = { ...best, sling };
    return true;
  }

  /** Lets go of the load. */
  release(): void {
    this.held?.sling.remove();
    this.held = null;
  }

  /** Writes both ends of the rope and of the sling, six numbers each; the sling's are equal while nothing hangs on the hook. */
  writeRopes(out: Float32Array): void {
    const { held, hook } = this;
    const under = pointOf(hook, UNDER_HOOK);
    out.set(pointOf(this.trolley, UNDER_TROLLEY), 0);
    out.set(pointOf(hook, ON_HOOK), 3);
    out.set(under, 6);
    out.set(held === null ? under : pointOf(held.load, held.at), 9);
  }
}
