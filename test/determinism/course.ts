// Runs a golden scene: in a World at once, or in a Physics whose world is in a worker. In: a target, a scene. Out: the
// state hash after every tenth step as 16 hexadecimal digits, and a hash of all events.
import type { World } from 'ricochet';
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

/** The same where the world is elsewhere. */
export async function runRemoteCourse(physics: Physics, scene: GoldenScene, steps = STEPS): Promise<Outcome> {
  const events = listen(physics as unknown as Listening);
  const hashes: string[] = [];
  const link = scene.actors ? await physics.actorLink() : NO_LINK;
  const frame = scene.start(physics as unknown as Target, link);
  for (let step = 1; step <= steps; step++) {
    const asking = frame(step);
    if (asking)
      for (let next = asking.next(); !next.done; next = (asking as Generator).next(await next.value));
    const stepped = physics.step();
    // Answers, and events, are those of one step: frames in between may be passed over, events may not.
    if (step % EVERY === 0) {
      await stepped;
      hashes.push(await physics.stateHash());
    }
  }
  return { hashes, events: events() };
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
