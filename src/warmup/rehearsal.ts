// The scene by which an engine is warmed up: few bodies, but every kind of shape, contact and joint. In: an empty world. Out:
// bodies and joints in it; what happens in each step.
import type { PhysicsWorld, ShapeOptions, WorldBody } from 'ricochet';
import { deterministic, heightfield, mesh } from 'ricochet/cooking';

const { cos, sin } = deterministic;

type Vec3 = [number, number, number];

/** A hull with so many points on a bent spiral: no two edges are parallel. */
function spiral(count: number, size: number): ShapeOptions {
  const points = Array.from({ length: count }, (_, i): Vec3 => {
    const height = (2 * i + 1) / count - 1;
    const round = Math.sqrt(1 - height * height);
    const angle = 2.4 * i;
    return [size * round * cos(angle), size * height, 0.8 * size * round * sin(angle)];
  });
  return { type: 'hull', points };
}

const KINDS: ShapeOptions[] = [
  { type: 'box', halfExtents: [0.3, 0.2, 0.25] },
  spiral(16, 0.3),
  { type: 'sphere', radius: 0.25 },
  spiral(12, 0.25),
  { type: 'capsule', radius: 0.15, halfHeight: 0.25 },
  { type: 'cylinder', radius: 0.25, halfHeight: 0.2 },
  { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
  { type: 'cone', radius: 0.25, halfHeight: 0.3 },
];

/** Steps after which a ball is shot. */
const SHOTS = 25;

/** A scene that was built in a world. */
export interface Rehearsal {
  /** Bodies that it has now. */
  readonly bodyCount: number;
  /** What to do before each step. */
  act(step: number): Promise<void>;
}

export function buildRehearsal(world: PhysicsWorld): Rehearsal {
  world.setGravity([0, -9.81, 0]);
  ground(world);
  heap(world, -6, 1.5);
  heap(world, 0, 0.6);
  heap(world, 6, 1);
  piles(world);
  for (let i = 0; i < 8; i++) ragdoll(world, [1.4 * (i % 4) - 2, 1.2 + 0.8 * Math.floor(i / 4), -6]);
  net(world);
  const paddle = world.createBody({
    type: 'kinematic',
    position: [0, 0.4, 0],
    shape: { type: 'box', halfExtents: [1.5, 0.3, 0.1] },
  });
  const rays = Float32Array.from(
    { length: 600 },
    (_, i) => [i / 60 - 5, 5, 0.2, i / 60 - 5.5, -2, 0][i % 6]!,
  );
  const old: WorldBody[] = [];
  const built = world.bodyCount;
  const act = async (step: number) => {
    const angle = 0.02 * step;
    paddle.setKinematicTarget([0, 0.4, 0], [0, sin(angle), 0, cos(angle)]);
    if (step % SHOTS === 5) {
      old.push(shoot(world, step));
      if (old.length > 2) old.shift()!.remove();
    }
    if (step % 10 === 0) {
      await world.rayTestBatch(rays);
      await world.convexSweepTest({ shape: KINDS[1]!, position: [0, 4, 0] }, [0, -3, 0]);
    }
  };
  return {
    act,
    get bodyCount() {
      return built + old.length;
    },
  };
}

/** A floor of a heightfield, a mesh, a hollow of boxes and a plane below. */
function ground(world: PhysicsWorld): void {
  const heights = Float32Array.from({ length: 289 }, (_, i) => 0.15 * sin(i) + 0.02 * Math.abs((i % 17) - 8));
  world.createBody({
    type: 'static',
    position: [-6, 0, 0],
    shape: heightfield({ rows: 17, columns: 17, heights, spacing: 0.3 }),
  });
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < 169; i++) {
    const [x, z] = [i % 13, Math.floor(i / 13)];
    vertices.push(0.4 * x - 2.4, 0.12 * cos(2 * i), 0.4 * z - 2.4);
    if (x < 12 && z < 12) indices.push(i, i + 13, i + 1, i + 1, i + 13, i + 14);
  }
  world.createBody({ type: 'static', position: [6, 0, 0], shape: mesh({ vertices, indices }) });
  const wall = (position: Vec3, halfExtents: Vec3) =>
    world.createBody({ type: 'static', position, shape: { type: 'box', halfExtents } });
  wall([0, -0.5, 0], [2.8, 0.5, 2.4]);
  for (const side of [-1, 1]) wall([0, 1, 1.4 * side], [2, 1, 0.2]);
  world.createBody({
    type: 'static',
    position: [0, -0.6, 0],
    shape: { type: 'plane', normal: [0, 1, 0] } as never,
  });
}

/** A heap of all kinds that falls. */
function heap(world: PhysicsWorld, x: number, height: number): void {
  for (let i = 0; i < 48; i++) {
    const [a, b] = [i % 4, Math.floor(i / 4) % 3];
    world.createBody({
      mass: 1 + (i % 3),
      position: [x + 0.7 * a - 1 + 0.05 * b, height + 0.6 * Math.floor(i / 12), 0.7 * b - 0.7 + 0.04 * a],
      rotation: i % 3 ? [0, 0.6, 0, 0.8] : [0.48, 0.6, 0, 0.64],
      angularVelocity: [i % 5, 1, i % 2],
      shape: KINDS[i % KINDS.length]!,
    });
  }
}

/** A wall, a tower, a heavy body on a light one, and a body of several shapes. */
function piles(world: PhysicsWorld): void {
  const box = (position: Vec3, mass = 1) =>
    world.createBody({ mass, position, shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] } });
  for (let i = 0; i < 24; i++)
    box([0.51 * (i % 6) - 1.5 + 0.25 * (Math.floor(i / 6) % 2), 0.5 * Math.floor(i / 6) - 0.35, 5]);
  for (let i = 0; i < 12; i++) box([3, 0.5 * i - 0.35, 5]);
  box([4, -0.35, 5]);
  box([4, 0.15, 5], 400);
  const table = world.createBody({
    mass: 2,
    position: [-3, 0.6, 5],
    shape: { type: 'box', halfExtents: [0.5, 0.05, 0.4] },
  });
  for (const x of [-0.4, 0.4])
    table.addShape({ type: 'cylinder', radius: 0.06, halfHeight: 0.3, position: [x, -0.3, 0.2] });
}

/** A body of seven capsules: cones with twist at shoulders and hips, hinges with limits at knees. */
function ragdoll(world: PhysicsWorld, [x, y, z]: Vec3): void {
  const limb = (at: Vec3, halfHeight: number) =>
    world.createBody({
      mass: 2,
      position: [x + at[0], y + at[1], z + at[2]],
      rotation: [0, 0, 0.1, Math.sqrt(0.99)],
      angularVelocity: [1, 2, at[0]],
      shape: { type: 'capsule', radius: 0.09, halfHeight },
    });
  const trunk = limb([0, 0, 0], 0.25);
  const open = { swingY: 0.6, swingZ: 0.4, twist: { low: -0.3, high: 0.3 } };
  for (const side of [-1, 1]) {
    const anchor = (dx: number, dy: number): Vec3 => [x + side * dx, y + dy, z];
    const arm = limb([0.35 * side, 0.15, 0], 0.15);
    const thigh = limb([0.15 * side, -0.5, 0], 0.15);
    const shank = limb([0.15 * side, -1, 0], 0.15);
    const axis: Vec3 = [0, 1, 0];
    world.createJoint({
      type: 'coneTwist',
      bodyA: trunk,
      bodyB: arm,
      anchor: anchor(0.2, 0.2),
      axis,
      ...open,
    });
    world.createJoint({
      type: 'coneTwist',
      bodyA: trunk,
      bodyB: thigh,
      anchor: anchor(0.15, -0.3),
      axis,
      ...open,
    });
    world.createJoint({
      type: 'hinge',
      bodyA: thigh,
      bodyB: shank,
      anchor: anchor(0.15, -0.75),
      axis: [1, 0, 0],
      angle: side > 0 ? { low: -0.8, high: 0.1 } : { motor: { velocity: 1, maxForce: 5 } },
    });
  }
}

/** A net of balls on ball joints. */
function net(world: PhysicsWorld): void {
  const side = 10;
  const balls: WorldBody[] = [];
  for (let i = 0; i < side * side; i++) {
    const [a, b] = [i % side, Math.floor(i / side)];
    const held = b === 0 && a % 3 === 0;
    const ball = world.createBody({
      type: held ? 'static' : 'dynamic',
      ...(held ? {} : { mass: 1 }),
      position: [0.4 * a - 2, 4, 8 + 0.4 * b],
      shape: { type: 'sphere', radius: 0.1 },
    });
    const [x, y, z] = ball.getPosition();
    if (a > 0)
      world.createJoint({ type: 'point', bodyA: balls[i - 1]!, bodyB: ball, anchor: [x - 0.2, y, z] });
    if (b > 0)
      world.createJoint({ type: 'point', bodyA: balls[i - side]!, bodyB: ball, anchor: [x, y, z - 0.2] });
    balls.push(ball);
  }
}

/** A ball, fast enough to be swept, into the heaps. */
function shoot(world: PhysicsWorld, step: number): WorldBody {
  const to = [-6, 0, 6][Math.floor(step / SHOTS) % 3]!;
  return world.createBody({
    mass: 3,
    position: [to, 1, -3],
    linearVelocity: [0, -8, 60],
    shape: { type: 'sphere', radius: 0.15, restitution: 0.5 },
  });
}
