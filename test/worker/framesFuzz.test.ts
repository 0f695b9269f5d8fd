// Random games: bodies come and go, forces, targets and questions in any order, frames early and late, pauses, restores,
// workers that die. Whatever happens, the recording of what happened gives the same hash, every snapshot loads and has
// as many bodies as the page had, and a successor has the hash of the lost one. `SOAK=1` plays 200 times as many.
import { World } from 'ricochet';
import { Player } from 'ricochet/replay';
import { afterEach, expect, test, vi } from 'vitest';
import type { Physics, PhysicsBody } from '../../worker/client';
import { TRANSPORTS } from './support';
import { mortalNeighbour, now, pass, settle, startNearby, useVirtualTime } from './virtualTime';

afterEach(() => void vi.useRealTimers());

const GAMES = process.env.SOAK === '1' ? 1000 : 6;

/** Numbers from 0 to 1 by a multiplicative generator. */
function random(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

class Game {
  readonly saves: { bytes: Promise<Uint8Array>; count: number }[] = [];
  readonly asked: Promise<unknown>[] = [];
  private readonly bodies: PhysicsBody[] = [];

  constructor(
    private readonly physics: Physics,
    private readonly next: () => number,
  ) {
    physics.createBody({ type: 'static', shape: { type: 'plane' } });
  }

  private between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  private vector(size: number): [number, number, number] {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
  }

  private pick(kind?: 'dynamic' | 'kinematic'): PhysicsBody | undefined {
    const live = this.bodies.filter((body) => !body.isRemoved && (kind === undefined || body.type === kind));
    return live[Math.floor(this.next() * live.length)];
  }

  private readonly doings: (() => unknown)[] = [
    () =>
      this.bodies.push(
        this.physics.createBody({
          type: this.next() < 0.3 ? 'kinematic' : 'dynamic',
          position: [this.between(-4, 4), this.between(0.5, 6), this.between(-4, 4)],
          shape:
            this.next() < 0.5
              ? { type: 'sphere', radius: this.between(0.2, 0.6) }
              : { type: 'box', halfExtents: [0.4, 0.3, 0.5] },
        }),
      ),
    () => this.next() < 0.4 && this.pick()?.remove(),
    () => this.pick('dynamic')?.applyCentralForce(this.vector(20)),
    () => this.pick('dynamic')?.applyForce(this.vector(20), this.vector(0.3)),
    () => this.pick('dynamic')?.applyTorque(this.vector(3)),
    () => this.pick('dynamic')?.applyCentralImpulse(this.vector(2)),
    () => this.pick('kinematic')?.setKinematicTarget(this.vector(4), [0, 0, 0, 1]),
    () => this.pick('kinematic')?.setKinematicTarget(this.vector(4), [0, 0.6, 0, 0.8]),
    () => this.pick('kinematic')?.setTransform(this.vector(4), [0, 0, 0, 1]),
    () => this.pick('kinematic')?.setLinearVelocity(this.vector(2)),
    () => this.next() < 0.1 && this.pick()?.setType(this.next() < 0.5 ? 'kinematic' : 'dynamic'),
    () => this.ask(this.physics.rayTest([0, 9, 0], [0, -9, 0])),
    () => this.ask(this.physics.stateHash()),
    () => this.ask(this.physics.getContacts()),
    () => this.ask(this.physics.overlapTest([-1, -1, -1], [1, 1, 1])),
    () => this.next() < 0.3 && this.save(),
    () => this.physics.flush(),
    () => this.next() < 0.1 && this.ask(this.physics.step(1 + Math.floor(3 * this.next()))),
    () => this.next() < 0.05 && this.physics.setGravity([0, -this.between(1, 20), 0]),
    () => this.next() < 0.05 && void (this.physics.timeScale = this.between(0.3, 2)),
    () => this.next() < 0.05 && this.ask(this.physics.pause()),
    () => this.next() < 0.2 && this.ask(this.physics.start()),
    () => this.next() < 0.1 && this.physics.setDebug(null),
  ];

  private ask(promise: Promise<unknown>): void {
    this.asked.push(promise);
    promise.catch(() => {});
  }

  save(): void {
    const bytes = this.physics.snapshot();
    bytes.catch(() => {});
    this.saves.push({ bytes, count: this.physics.bodyCount });
  }

  frame(): void {
    for (let i = Math.floor(this.next() * 8); i > 0; i--)
      this.doings[Math.floor(this.next() * this.doings.length)]!();
  }

  /** Frames of any length, some very late. */
  async play(frames: number): Promise<void> {
    for (let k = 0; k < frames; k++) {
      this.frame();
      if (this.next() < 0.2) await pass(Math.floor(this.between(1, 4)));
      this.frame();
      this.physics.update();
      await settle();
      await pass(Math.floor(this.next() < 0.05 ? this.between(100, 500) : this.between(4, 40)));
    }
  }
}

test.each(
  Array.from({ length: GAMES }, (_, seed) => {
    const clock = (['automatic', 'frames'] as const)[Math.floor(seed / 3) % 2]!;
    return [seed + 1, TRANSPORTS[seed % 3]!, clock] as const;
  }),
)('game %i, %s, clock %s', async (seed, transport, clock) => {
  useVirtualTime();
  const thread = mortalNeighbour();
  const mortal = transport !== 'page';
  const physics = await startNearby({
    transport,
    clock,
    ...(mortal ? { workerFactory: thread.workerFactory } : {}),
  });
  physics.onError(() => {});
  const game = new Game(physics, random(seed));
  await now(physics.record({ hashEvery: 5, keyframeEvery: 20 }));
  await now(physics.start());
  await game.play(60);
  await now(physics.pause());
  await now(physics.step(2)); // what comes after the last step is not played
  const hash = await now(physics.stateHash());
  const file = await now(physics.stopRecording());
  const player = await now(Player.open(file));
  expect(player.verify().divergence).toBeNull();
  expect(player.world.stateHash()).toBe(hash);
  await now(Promise.all(game.asked));

  const world = new World();
  for (const { bytes, count } of game.saves) {
    world.restore(await now(bytes));
    expect(world.bodyCount).toBe(count);
  }

  if (mortal) {
    await now(physics.start());
    await game.play(20);
    await now(physics.pause());
    const before = await now(physics.stateHash());
    const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
    thread.kill();
    game.save();
    await now(restarted);
    expect(await now(physics.stateHash())).toBe(before);
    await now(physics.start());
    await game.play(10);
  }
  // Back to the first save, and on.
  const first = game.saves[0];
  if (first !== undefined) {
    await now(physics.restore(await now(first.bytes)));
    expect(physics.bodyCount).toBe(first.count);
    await game.play(5);
  }
  expect(await now(physics.stateHash())).toHaveLength(16);
});

// Virtual time makes two runs the same run: one of them loses its worker in the middle, while its clock runs.
test.each(
  Array.from({ length: GAMES }, (_, seed) => {
    const clock = (['automatic', 'frames'] as const)[Math.floor(seed / 2) % 2]!;
    return [seed + 101, TRANSPORTS[seed % 2]!, clock] as const;
  }),
)('a worker lost while it runs, game %i, %s, clock %s', async (seed, transport, clock) => {
  const run = async (loses: boolean): Promise<[string, number, unknown]> => {
    useVirtualTime();
    const thread = mortalNeighbour();
    const physics = await startNearby({ transport, clock, workerFactory: thread.workerFactory });
    physics.onError(() => {});
    const game = new Game(physics, random(seed));
    await now(physics.start());
    await game.play(30 + (seed % 10));
    await now(physics.start());
    await game.play(8);
    physics.update();
    await settle();
    physics.update();
    if (loses) {
      const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
      thread.kill();
      await now(restarted);
    }
    const paused = physics.pause();
    await settle();
    await pass(1); // a successor reads on after a timer
    await now(paused);
    const result = [
      await now(physics.stateHash()),
      physics.stats.steps,
      [...physics.bodies()].map((body) => [body.id, body.getPosition(), body.getLinearVelocity()]),
    ] as [string, number, unknown];
    physics.dispose();
    vi.useRealTimers();
    return result;
  };
  expect(await run(true)).toEqual(await run(false));
});
