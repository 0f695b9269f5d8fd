// Strings of light bodies with heavy loads, whose structures are solved side by side: on several threads, and in a world that was restored
// in the middle, they end where they do on one.
import { afterEach, expect } from 'vitest';
import { type RigidBody, World } from '../../src/index';
import { registerMakers } from '../../src/wasm/threading';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { POISONED, staffed, testWith } from './support';

const test = ordinaryCoreOnly('threads have a core of their own');

afterEach(() => registerMakers(() => 'nothing is registered'));

/** Balls or boxes of 0.1 kg on ropes, rods, and ball joints, four to eight of them above 50 kg, thrown in all directions. */
function hangStrings(world: World): void {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x40000000 - 1;
  };
  for (let string = 0; string < 24; string++) {
    const links = 4 + (string % 5);
    const arm = string % 2 ? 0.05 : 0;
    let bodyA: RigidBody | undefined;
    for (let i = 1; i <= links; i++) {
      const y = -i * (0.2 + 2 * arm);
      const bodyB = world.createBody({
        mass: i === links ? 50 : 0.1,
        position: [string, y, 0],
        mask: 0,
        shape: arm ? { type: 'box', halfExtents: [arm, arm, arm] } : { type: 'sphere', radius: 0.03 },
      });
      if (string % 3 === 0 && i % 2 === 1)
        world.createJoint({ type: 'point', bodyA, bodyB, anchor: [string, y + 0.1, 0] });
      else
        world.createJoint({
          type: 'distance',
          bodyA,
          bodyB,
          frameA: { position: bodyA ? [0, -arm, 0] : [string, 0, 0] },
          frameB: { position: [0, arm, 0] },
          distance: { low: string % 4 === 1 ? 0.2 : 0, high: 0.2 },
        });
      bodyB.setLinearVelocity([10 * random(), 10 * random(), 10 * random()]);
      bodyA = bodyB;
    }
  }
}

test('jerked strings: on three threads the hashes of one, and of a restored world', async () => {
  testWith({ mode: POISONED });
  const hashes: string[][] = [];
  for (const threads of [1, 3]) {
    const world = new World({ threads });
    await staffed(world, threads);
    hangStrings(world);
    for (let i = 0; i < 40; i++) world.step(1 / 60);
    const copy = World.restore(world.snapshot());
    const found: string[] = [];
    for (let i = 0; i < 80; i++) {
      world.step(1 / 60);
      copy.step(1 / 60);
      found.push(String(world.stateHash()));
      expect(String(copy.stateHash())).toBe(found.at(-1));
    }
    if (threads > 1) expect(world.threads.forks).toBeGreaterThan(0);
    hashes.push(found);
    world.dispose();
    copy.dispose();
  }
  expect(hashes[1]).toEqual(hashes[0]);
});
