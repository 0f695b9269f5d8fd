// Nothing has to be destroyed: what is forgotten costs nothing. In: a million temporaries, two hundred worlds. Out:
// the memory of the process before and after.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { heap } from '../../src/ammo/heap';
import { type Ammo, addBody, box, createWorld, load } from './engines';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that live after everything forgotten is gone; the least of a few looks, for tables shrink late. */
async function living(looks = 12): Promise<{ objects: number; buffers: number }> {
  let [objects, buffers] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < looks; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    objects = Math.min(objects, heapUsed);
    buffers = Math.min(buffers, arrayBuffers);
  }
  return { objects, buffers };
}

const MB = 1024 * 1024;

function temporaries(A: Ammo, body: Ammo, count: number): void {
  for (let i = 0; i < count; i += 10) {
    const t = new A.btTransform();
    t.setIdentity();
    t.setOrigin(new A.btVector3(i, 1, 2));
    t.setRotation(new A.btQuaternion(0, 0, 0, 1));
    body.applyCentralForce(new A.btVector3(0, 0, 0));
    A.getPointer(new A.btVector3(1, 2, 3)); // with an address of its own
    new A.btDefaultMotionState(t);
    new A.btSphereShape(1);
    new A.ClosestRayResultCallback(new A.btVector3(0, 9, 0), new A.btVector3(0, 8, 0));
  }
}

test('a million temporaries without destroy: memory is flat', async () => {
  const A = await load('ricochet');
  const world = createWorld(A);
  const body = addBody(A, world, box(A), 1);
  /** Frames of 10,000 temporaries each. */
  const frames = async (count: number) => {
    for (let i = 0; i < count; i++) {
      temporaries(A, body, 10_000);
      world.stepSimulation(1 / 60, 1);
      await new Promise((resolve) => setTimeout(resolve));
      // Weak tables keep the room of their largest filling; this test is about what stays reachable.
      if (i % 10 === 9) collect();
    }
  };
  await frames(50);
  const before = await living();
  const used = heap.used;
  await frames(100);
  const after = await living();
  expect((after.objects - before.objects) / MB).toBeLessThan(2);
  expect((after.buffers - before.buffers) / MB).toBeLessThan(2);
  expect(heap.used - used).toBeLessThan(64 * 1024);
  A.destroy(world);
});

test('200 worlds made and dropped, without destroy and with: memory is flat', async () => {
  const A = await load('ricochet');
  const shape = box(A);
  const play = (destroy: boolean) => {
    const world = createWorld(A);
    addBody(A, world, box(A, 20, 0.5, 20), 0, { position: [0, -0.5, 0] });
    for (let i = 0; i < 20; i++) addBody(A, world, shape, 1, { position: [0, 0.5 + i, 0] });
    for (let i = 0; i < 3; i++) world.stepSimulation(1 / 60, 1);
    if (destroy) A.destroy(world);
  };
  for (let i = 0; i < 10; i++) play(i % 2 === 0);
  const before = await living();
  for (let i = 0; i < 200; i++) {
    play(i % 2 === 0);
    if (i % 20 === 19) await living(2);
  }
  const after = await living();
  expect((after.objects - before.objects) / MB).toBeLessThan(2);
  expect((after.buffers - before.buffers) / MB).toBeLessThan(2);
});
