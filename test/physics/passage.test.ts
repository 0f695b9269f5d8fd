// The demo's scenes of continuous collision: with it nobody gets where nobody should, without it some do.
import { expect, test } from 'vitest';
import { scenes } from '../../demo/scenes';
import { World } from '../../src';
import { DT } from './support/world';

/** Bodies that pass without continuous collision, at least: a good part less than do today. */
const LEAKS: Record<string, number> = { 'bullet-wall': 5, blades: 8, pinball: 2, shower: 200 };

for (const scene of scenes) {
  const { passage } = scene;
  if (passage === undefined) continue;
  const steps = scene.id === 'shower' ? 150 : 400;
  const count = (continuous: boolean): number => {
    const world = new World({ ...scene.world, continuous });
    scene.build(world);
    const watched = [...world.bodies()].slice(passage.first);
    // As the demo's switch does.
    if (!continuous && passage.threshold !== undefined) for (const body of watched) body.setCcd(0, 0);
    const seen = new Set<unknown>();
    let passed = 0;
    for (let step = 0; step < steps; step++) {
      world.step(DT);
      for (const body of watched) {
        if (seen.has(body)) continue;
        const [x, y, z] = body.getPosition();
        const through = passage.passed(x, y, z);
        if (!through && !passage.left?.(x, y, z)) continue;
        seen.add(body);
        if (through) passed++;
      }
    }
    world.dispose();
    return passed;
  };
  test(`${scene.id}: nothing passes in ${steps} steps, and the switch shows what would`, {
    timeout: 300_000,
  }, () => {
    expect(count(true)).toBe(0);
    expect(count(false)).toBeGreaterThanOrEqual(LEAKS[scene.id]!);
  });
}
