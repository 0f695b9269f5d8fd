// Runs a golden scene: in a World at once, or in a Physics whose world is in a worker. In: a target, a scene. Out: the
// state hash after every tenth step as 16 hexadecimal digits, and a hash of all events.
import { World } from 'ricochet';
import type { Physics } from 'ricochet/worker';
import type { ActorLink } from '../../src/replica/actorLink';
import type { Frame, GoldenScene, Target } from './scenes';

export const STEPS = 1000;
export const EVERY = 10;
const DT = 1 / 60;
const NO_LINK = undefined as unknown as ActorLink;
const EVENTS = ['contactBegin', 'contactEnd', 'sleep', 'wake', 'jointBroken', 'jointRemoved'] as const;

/** A scene in a world of this thread. */
export class Course {
  private readonly frame: Frame;

  constructor(
    readonly world: World,
    scene: GoldenScene,
  ) {
    // In this thread a system is there at once.
    for (const { module, ...rest } of scene.systems ?? [])
      void world.addSystem(module as never, rest as never);
    this.frame = scene.start(world as unknown as Target, scene.actors ? world.actorLink() : NO_LINK);
  }

  /** What happens before step number `step`, from 1, then the step itself. */
  step(step: number): void {
    const asking = this.frame(step);
    if (asking) for (let next = asking.next(); !next.done; next = (asking as Generator).next(next.value));
    this.world.step(DT);
  }
}

/** A course continued to step `to`; returns the hashes of the steps divisible by ten. */
export function continueCourse(course: Course, from: number, to: number): string[] {
  const hashes: string[] = [];
  for (let step = from + 1; step <= to; step++) {
    course.step(step);
    if (step % EVERY === 0) hashes.push(course.world.stateHash());
  }
  return hashes;
}

export interface Outcome {
  hashes: string[];
  events: string;
}

/** The whole course of a scene in a world of this thread. */
export function runCourse(world: World, scene: GoldenScene, steps = STEPS): Outcome {
  const events = listen(world as unknown as Listening);
  const hashes = continueCourse(new Course(world, scene), 0, steps);
  return { hashes, events: events() };
}

/** Starts a scene where the world is elsewhere. Returns what asks for step number `step`; `done` resolves when it is made. */
async function startRemote(
  physics: Physics,
  scene: GoldenScene,
): Promise<(step: number) => Promise<{ done: Promise<unknown> }>> {
  for (const { module, ...rest } of scene.systems ?? [])
    await physics.addSystem(`data:text/javascript,${encodeURIComponent(`export default ${module}`)}`, rest);
  const link = scene.actors ? await physics.actorLink() : NO_LINK;
  const frame = scene.start(physics as unknown as Target, link);
  return async (step) => {
    const asking = frame(step);
    if (asking)
      for (let next = asking.next(); !next.done; next = (asking as Generator).next(await next.value));
    return { done: physics.step() };
  };
}

/** The same where the world is elsewhere. */
export async function runRemoteCourse(physics: Physics, scene: GoldenScene, steps = STEPS): Promise<Outcome> {
  const events = listen(physics as unknown as Listening);
  const hashes: string[] = [];
  const make = await startRemote(physics, scene);
  for (let step = 1; step <= steps; step++) {
    const { done } = await make(step);
    // Answers, and events, are those of one step: frames in between may be passed over, events may not.
    if (step % EVERY === 0) {
      await done;
      hashes.push(await physics.stateHash());
    }
  }
  return { hashes, events: events() };
}

/** What rollbacks gave. */
export interface RolledBack {
  /** Rollbacks that were made. */
  count: number;
  /** The first of them after which the state was not that of a run without them. */
  mismatch?: string;
}

/**
 * Goes back by each of some numbers of frames on every frame, comes forward again, and compares with the hashes of a World
 * that never went back.
 */
export async function rollBackRemoteCourse(
  physics: Physics,
  scene: GoldenScene,
  frames: number,
  depths: readonly number[],
): Promise<RolledBack> {
  const plain = new World(scene.world);
  const course = new Course(plain, scene);
  const make = await startRemote(physics, scene);
  const snapshots: Uint8Array[] = [];
  let count = 0;
  for (let frame = 0; frame < frames; frame++) {
    snapshots[frame] = await physics.snapshot();
    const hash = plain.stateHash();
    for (const depth of depths) {
      if (frame < depth) continue;
      await physics.restore(snapshots[frame - depth]!);
      for (let k = frame - depth; k < frame; k++) await make(k + 1);
      count++;
      if ((await physics.stateHash()) !== hash)
        return { count, mismatch: `${depth} frames back from frame ${frame}` };
    }
    delete snapshots[frame - Math.max(...depths)];
    await (await make(frame + 1)).done;
    course.step(frame + 1);
  }
  return { count };
}

interface Listening {
  on(type: string, listener: (event: Record<string, unknown>) => void): void;
}

/** Folds every event into one number: FNV-1a over its plain form. */
function listen(target: Listening): () => string {
  let hash = 0x811c9dc5;
  let count = 0;
  for (const type of EVENTS)
    target.on(type, (event) => {
      count++;
      const text = JSON.stringify(event, (key, value: unknown) =>
        key.startsWith('body') || key === 'joint' ? ((value as { id?: number } | null)?.id ?? value) : value,
      );
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    });
  return () => `${count} ${(hash >>> 0).toString(16)}`;
}
