// A long random run of calls, a fifth of them hostile, beside the same run without these. In: a seed. Out: only
// typed errors at the call, which name the argument and show the value, and in the end two worlds with one hash.
// SOAK=1 makes as many calls as the targets say.
import { expect, test } from 'vitest';
import { type BodyOptions, type Joint, PhysicsError, type RigidBody, World } from '../../src';

const CALLS = process.env['SOAK'] === '1' ? 1_000_000 : 20_000;
const HOSTILE = 0.2;
const MOST_BODIES = 40;
const MOST_JOINTS = 10;
const STEP_EVERY = 40;
/** m/s; the runs reach 18. */
const MOST_SPEED = 50;

/** xorshift32 (Marsaglia, "Xorshift RNGs", 2003). */
class Random {
  constructor(private state: number) {}

  unit(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return (x >>> 0) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  within(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  vector(size: number): [number, number, number] {
    return [this.within(-size, size), this.within(-size, size), this.within(-size, size)];
  }
}

/** Calls as they should be. Two of these with one seed make the same calls. */
class Player {
  readonly world = new World();
  readonly bodies: RigidBody[] = [];
  readonly joints: Joint[] = [];
  readonly removed: RigidBody[] = [];
  /** m/s that any body has had after a step. */
  topSpeed = 0;
  private readonly random: Random;
  private calls = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.world.createBody({ type: 'static', shape: { type: 'plane' } });
  }

  private options(): BodyOptions {
    const { random } = this;
    const size = () => random.within(0.2, 0.6);
    const shapes = [
      () => ({ type: 'sphere', radius: size() }) as const,
      () => ({ type: 'box', halfExtents: [size(), size(), size()] }) as const,
      () => ({ type: 'capsule', radius: size(), halfHeight: size() }) as const,
      () =>
        ({
          type: 'hull',
          points: [
            [0, size(), 0],
            [size(), -0.2, 0],
            [-size(), -0.2, 0.3],
            [0, -0.3, -size()],
          ],
        }) as const,
    ];
    const [x, y, z] = random.vector(6);
    return {
      type: random.of(['dynamic', 'dynamic', 'dynamic', 'kinematic', 'static']),
      position: [x, Math.abs(y) + 0.5, z],
      shape: random.of(shapes)(),
    } as BodyOptions;
  }

  good(): void {
    const { random, world, bodies, joints } = this;
    if (++this.calls % STEP_EVERY === 0) {
      world.step(1 / 60);
      for (const body of bodies) {
        const speed = Math.hypot(...body.getLinearVelocity());
        if (!(speed <= this.topSpeed)) this.topSpeed = speed;
      }
      return;
    }
    const body = bodies.length > 0 ? random.of(bodies) : undefined;
    const choice = random.below(16);
    if (body === undefined || (choice === 0 && bodies.length < MOST_BODIES)) {
      bodies.push(world.createBody(this.options()));
      return;
    }
    switch (choice) {
      case 1: {
        bodies.splice(bodies.indexOf(body), 1);
        body.remove();
        this.removed.push(body);
        for (let i = joints.length - 1; i >= 0; i--) if (joints[i]!.isRemoved) joints.splice(i, 1);
        return;
      }
      case 2:
        if (joints.length < MOST_JOINTS && body.type === 'dynamic')
          joints.push(world.createJoint({ type: 'point', bodyB: body, anchor: body.getPosition() }));
        return;
      case 3:
        if (joints.length > 0) joints.splice(random.below(joints.length), 1)[0]!.remove();
        return;
      case 4:
        if (body.shapes.length < 3)
          body.addShape({ type: 'sphere', radius: 0.2, position: random.vector(0.3) } as never);
        return;
      case 5:
        if (body.shapes.length > 1) body.removeShape(body.shapes[1]!);
        return;
      case 6:
        body.setPosition([random.within(-6, 6), random.within(0.5, 6), random.within(-6, 6)]);
        return;
      case 7:
        body.setFilter(1, random.of([1, 3, -1]));
        return;
      case 8:
        body.setMaterial({ friction: random.unit() });
        return;
      case 9:
        world.setGravity([0, random.within(-12, -8), 0]);
        return;
      case 10:
        world.rayTest(random.vector(9), random.vector(9));
        return;
      case 11:
        if (body.type !== 'static') body.setLinearVelocity(random.vector(4));
        return;
      default:
        if (body.type === 'dynamic') body.applyImpulse(random.vector(30), random.vector(0.2));
    }
  }
}

/** No number, or none of use. */
const BAD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '1', null, {}, undefined, 1e300];
const NOT_POSITIVE = [...BAD, 0, -1, -1e-30];
const IDS = [0, -1, 1e9, 1.5, Number.NaN, '5', null, {}, 2 ** 30 - 1];

/** Calls that are to be refused, each for one reason. */
function hostile({ world, bodies, removed }: Player, other: RigidBody, random: Random): () => unknown {
  const any = (value: unknown) => value as never;
  const spoil = (size = 1) => {
    const vector: unknown[] = random.vector(size);
    vector[random.below(3)] = random.of(BAD);
    return any(random.of<unknown>([vector, vector, vector, [], [1, 2], 'xyz', null, 7]));
  };
  const body = bodies.length > 0 ? random.of(bodies) : undefined;
  const bad = () => any(random.of(BAD));
  const create = (shape: unknown) => () => world.createBody(any({ shape }));
  const onWorld: (() => () => unknown)[] = [
    () => create({ type: 'sphere', radius: random.of(NOT_POSITIVE) }),
    () => create({ type: 'box', halfExtents: [1, random.of(NOT_POSITIVE), 1] }),
    () => create({ type: 'capsule', radius: random.of(NOT_POSITIVE), halfHeight: 1 }),
    () => create({ type: random.of(['ball', '', null, 7, '__proto__']), radius: 1 }),
    // Degenerate: a point, a line, too few, not finite.
    () => create({ type: 'hull', points: Array.from({ length: 8 }, () => [1, 1, 1]) }),
    () => create({ type: 'hull', points: Array.from({ length: 8 }, (_, i) => [i, 2 * i, 0]) }),
    () => create({ type: 'hull', points: [[0, 0, 0]] }),
    () => create({ type: 'hull', points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], spoil()] }),
    () =>
      create({
        type: 'mesh',
        vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1],
        indices: [0, 1, random.of([3, -1, 1.5, 1e9])],
      }),
    () => create({ type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 0, bad()], indices: [0, 1, 2] }),
    () => create({ type: 'mesh', vertices: [], indices: [] }),
    () => () =>
      world.createBody(
        any({ mass: random.of([...BAD.slice(0, 6), -1]), shape: { type: 'sphere', radius: 1 } }),
      ),
    () => () => world.createBody(any({ position: spoil(), shape: { type: 'sphere', radius: 1 } })),
    () => () => world.createBody(any({ rotation: [0, 0, 0, random.of([0, Number.NaN, null])] })),
    () => () => world.createBody(any({ colour: 'red' })),
    () => () => world.createBodies(any({ shape: { type: 'sphere', radius: 1 } }), any({ positions: [1, 2] })),
    () => () => world.createBodies(any({}), { positions: any([1, 2, 3, 4, bad(), 6]) }),
    () => () => world.createBodies(any({}), { positions: any({ length: 3e9 }) }),
    () => () => world.removeBody(any(random.of(IDS))),
    () => () => world.createJoint(any({ type: random.of(['glue', null]), bodyB: body })),
    () => () => world.createJoint(any({ type: 'point', bodyB: random.of<unknown>(IDS), anchor: [0, 0, 0] })),
    () => () => world.removeJoint(any(random.of(IDS))),
    () => () => world.setGravity(spoil()),
    () => () => world.step(any(random.of(NOT_POSITIVE))),
    () => () => world.rayTest(spoil(), [0, 0, 0]),
    () => () => world.rayTest([0, 9, 0], [0, 0, 0], any({ mask: 1.5 })),
    () => () => world.rayTestBatch(any([1, 2, 3])),
    () => () => world.updateSettings(any({ substeps: random.of([0, -1, 1.5, 1e9, Number.NaN]) })),
    () => () => world.updateSettings(any({ wishes: 3 })),
    () => () => world.applyCommands(Int32Array.of(random.below(2 ** 31), 1, 2, 3)),
    () => () => world.restore(new Uint8Array(random.below(200))),
    () => () => world.removeBody(other),
    () => () => world.createJoint({ type: 'point', bodyB: other, anchor: [0, 0, 0] }),
  ];
  const onBody: ((target: RigidBody) => () => unknown)[] = [
    (target) => () => target.setPosition(spoil()),
    (target) => () => target.setRotation(any([0, 0, 0, random.of([0, Number.NaN])])),
    (target) => () => target.setLinearVelocity(spoil()),
    (target) => () => target.applyImpulse(spoil()),
    (target) => () => target.applyForce([0, 0, 0], spoil()),
    (target) => () => target.setMass(any(random.of([...BAD.slice(0, 6), -1]))),
    (target) => () => target.setDamping(any(random.of([...BAD, -1])), 0),
    (target) => () => target.setGravityScale(bad()),
    (target) => () => target.setFilter(any(1.5), 1),
    (target) => () => target.setMaterial(any({ friction: random.of([Number.NaN, -1, null, 1e300]) })),
    (target) => () => target.addShape(any({ type: 'sphere', radius: random.of(NOT_POSITIVE) })),
    (target) => () => target.removeShape(any(random.of(IDS))),
    (target) => () => target.setCcd(any(random.of([...BAD, -1])), 0),
    (target) => () => target.setType(any('jelly')),
    (target) => () => target.setActivationState(any('dreaming')),
  ];
  const onRemoved: ((target: RigidBody) => () => unknown)[] = [
    (target) => () => target.remove(),
    (target) => () => target.applyImpulse([1, 0, 0]),
    (target) => () => target.setPosition([0, 0, 0]),
    (target) => () => target.getPosition(),
    (target) => () => world.removeBody(target.id),
    (target) => () => world.createJoint({ type: 'point', bodyB: target, anchor: [0, 0, 0] }),
  ];
  const kind = random.unit();
  if (kind < 0.3 && body !== undefined) return random.of(onBody)(body);
  if (kind < 0.45 && removed.length > 0) return random.of(onRemoved)(random.of(removed));
  return random.of(onWorld)();
}

test.each([1, 0x5eed])(
  `${CALLS} calls, a fifth of them hostile: typed errors, and the hash of the run without them (seed %i)`,
  (seed) => {
    const attacked = new Player(seed);
    const calm = new Player(seed);
    const evil = new Random(seed + 7);
    const other = new World().createBody({ shape: { type: 'sphere', radius: 1 } });
    const codes = new Map<string, number>();
    for (let i = 0; i < CALLS; i++) {
      if (evil.unit() >= HOSTILE) {
        attacked.good();
        calm.good();
        continue;
      }
      const call = hostile(attacked, other, evil);
      let error: unknown;
      try {
        call();
      } catch (thrown) {
        error = thrown;
      }
      if (!(error instanceof PhysicsError)) expect.fail(`call ${i}: ${call} gave ${String(error)}`);
      if (error.code === 'invalid-argument') {
        expect(error.argument, String(call)).not.toBe('');
        expect(error.message, String(call)).toContain(error.argument);
      }
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    }
    attacked.world.step(1 / 60);
    calm.world.step(1 / 60);
    console.log(
      `seed ${seed}: ${attacked.world.stepCount} steps, ${attacked.bodies.length} bodies, up to ${attacked.topSpeed} m/s`,
      Object.fromEntries(codes),
    );
    expect(attacked.world.stateHash()).toBe(calm.world.stateHash());
    expect(attacked.world.stepCount).toBeGreaterThan(CALLS / (2 * STEP_EVERY));
    // An impulse is 52 N·s at most: what is thrown harder was thrown by the engine.
    expect(calm.topSpeed).toBeLessThan(MOST_SPEED);
    expect(codes.size).toBeGreaterThanOrEqual(5);
  },
);

test('a body whose speed or place is absurd is stopped where it was, counted, and goes on', () => {
  const world = new World({ gravity: [0, 0, 0] });
  const shape = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
  const bodies = [0, 1, 2].map((x) => world.createBody({ mass: 1, position: [x * 0.99, 5, 0], shape }));
  world.createJoint({ type: 'point', bodyA: bodies[1], bodyB: bodies[2], anchor: [1.5, 5, 0] });
  const [first, second] = bodies as [RigidBody, RigidBody, RigidBody];
  world.step(1 / 60);
  expect(world.getProfile().lost).toBe(0);
  for (const push of [
    () => first.setLinearVelocity([-1e6, 0, 0]),
    () => first.setAngularVelocity([0, 1e9, 0]),
    () => first.applyImpulse([-1e9, 1e9, 1e9], [0.5, 0.5, 0.5]),
    () => first.applyTorqueImpulse([1e9, 1e9, 0]),
  ]) {
    push();
    world.step(1 / 60);
    expect(world.getProfile().lost).toBeGreaterThan(0);
    for (let i = 0; i < 30; i++) world.step(1 / 60);
    expect(world.getProfile().lost).toBe(0);
    for (const body of bodies) {
      const numbers = [...body.getPosition(), ...body.getRotation(), ...body.getLinearVelocity()];
      for (const n of numbers) expect(Math.abs(n)).toBeLessThan(20);
    }
  }
  second.applyImpulse([1e9, -1e9, 1e9], [0.5, 0.5, 0.5]);
  second.setAngularVelocity([1e9, 1e9, 1e9]);
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  for (const body of bodies) {
    const numbers = [...body.getPosition(), ...body.getRotation(), ...body.getLinearVelocity()];
    for (const n of numbers) expect(Math.abs(n)).toBeLessThan(1.1e7);
  }
});
