// One course of calls that uses much of the API, for every transport, in Node and in the browser.
// In: a world. Out: its hash every few steps, and its events in their order.
import type { BodyOptions, EventType, World } from 'ricochet';
import type { Physics } from '../../worker/client';

export interface Course {
  hashes: string[];
  events: unknown[];
}

const TYPES: readonly EventType[] = ['contactBegin', 'contactEnd', 'sleep', 'wake'];
const ROUNDS = 24;

/** What Physics and World share of what is used here. */
interface Target {
  createBody(options: BodyOptions): {
    id: number;
    remove(): void;
    applyImpulse(impulse: number[]): void;
    setLinearVelocity(velocity: number[]): void;
    applyForce(force: number[]): void;
  };
  setGravity(gravity: number[]): void;
}

interface Listening {
  on(type: EventType, listener: (event: { type: string }) => void): void;
}

function listen(target: Listening, events: unknown[]): void {
  for (const type of TYPES)
    target.on(type, (event) => {
      const { body, bodyA, bodyB, ...rest } = event as unknown as Record<string, { id: number } | undefined>;
      events.push({ ...rest, ids: [body?.id, bodyA?.id, bodyB?.id] });
    });
}

/** The calls of round `k`, before its steps. Returns the number of steps. */
function course(target: Target): (k: number) => number {
  target.createBody({ type: 'static', shape: { type: 'plane' } });
  const bodies = Array.from({ length: 40 }, (_, i) =>
    target.createBody({
      position: [(i % 5) - 2, 0.6 + Math.floor(i / 5) * 0.9, (i % 3) * 0.4],
      shape:
        i % 3 === 0
          ? { type: 'sphere', radius: 0.4 }
          : { type: 'box', halfExtents: [0.4, 0.3 + 0.01 * i, 0.35] },
    }),
  );
  return (k) => {
    bodies[(3 * k) % bodies.length]!.applyImpulse([20 * k, 400, -15 * k]);
    bodies[(5 * k + 1) % bodies.length]!.applyForce([0, 0, 3000]);
    if (k === 4) bodies.splice(7, 1)[0]!.remove();
    if (k === 5)
      bodies.push(
        target.createBody({ position: [0, 9, 0], shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 } }),
      );
    if (k === 9) target.setGravity([0, -5, 1]);
    if (k === 12) bodies[0]!.setLinearVelocity([0, 8, 0]);
    return 1 + ((k * 7) % 23);
  };
}

export async function play(physics: Physics): Promise<Course> {
  const hashes: string[] = [];
  const events: unknown[] = [];
  listen(physics as unknown as Listening, events);
  const calls = course(physics as unknown as Target);
  for (let k = 0; k < ROUNDS; k++) {
    await physics.step(calls(k));
    hashes.push(await physics.stateHash());
  }
  return { hashes, events };
}

/** The same in a world in process. */
export function playInProcess(world: World): Course {
  const hashes: string[] = [];
  const events: unknown[] = [];
  listen(world as unknown as Listening, events);
  const calls = course(world as unknown as Target);
  for (let k = 0; k < ROUNDS; k++) {
    const steps = calls(k);
    for (let i = 0; i < steps; i++) world.step(1 / 60);
    hashes.push(world.stateHash());
  }
  return { hashes, events };
}
