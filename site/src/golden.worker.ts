// Steps the golden scenes. In: { id, steps }. Out: { id, done } now and then, at last { id, hashes, ms }.
import { World } from 'ricochet';
import { scenes as shown } from '../../demo/scenes';
import { steering } from '../../demo/steering';
import { Course, EVERY } from '../../test/determinism/course';
import { continueScene } from '../../test/determinism/hashes';
import { goldenScenes } from '../../test/determinism/scenes';

/** A function that makes `count` more steps and returns their hashes. */
function begin(id: string): (count: number) => string[] {
  const golden = goldenScenes.find((scene) => scene.id === id);
  let at = 0;
  if (golden !== undefined) {
    const course = new Course(new World(golden.world), golden);
    return (count) => {
      const hashes: string[] = [];
      for (const end = at + count; at < end; ) {
        course.step(++at);
        if (at % EVERY === 0) hashes.push(course.world.stateHash());
      }
      return hashes;
    };
  }
  const scene = [...shown, steering].find((other) => other.id === id)!;
  const world = new World(scene.world);
  scene.build(world);
  return (count) => {
    const hashes = continueScene(world as never, at, at + count, scene as never);
    at += count;
    return hashes;
  };
}

addEventListener('message', ({ data: { id, steps } }: MessageEvent<{ id: string; steps: number }>) => {
  const began = performance.now();
  const next = begin(id);
  const hashes: string[] = [];
  while (hashes.length * EVERY < steps) {
    hashes.push(...next(50));
    postMessage({ id, done: (hashes.length * EVERY) / steps });
  }
  postMessage({ id, hashes, ms: performance.now() - began });
});
