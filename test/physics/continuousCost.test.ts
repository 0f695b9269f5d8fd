// What continuous collision costs where nothing is fast: two worlds with the same settled pile of 1,000, one of them
// with continuous collision, stepped in turns in one process. A busy machine only adds time, to either of them: what is
// compared is the low end of many steps, and more of them are made until the figure holds or it is clear that it does not.
import { expect, test } from 'vitest';
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { World } from '../../src';
import { DT } from './support/world';

const MOST = 1.03;
/** Steps of each world before the first look, and between looks. */
const BLOCK = 60;
const BLOCKS = 20;
/** Of the steps, from the fastest: above it is what others did to them. */
const SHARE = 0.2;

const lowEnd = (times: number[]) => [...times].sort((a, b) => a - b)[Math.floor(SHARE * times.length)]!;

function settledPile(): Uint8Array {
  const world = new World({ ...pileMixed.world, sleeping: false });
  pileMixed.build(world);
  for (let step = 0; step < 420; step++) world.step(DT);
  return world.snapshot();
}

test('continuous collision with nothing fast in a pile of 1,000: at most 3 % of the step', {
  timeout: 300_000,
}, () => {
  const pile = settledPile();
  const cases = {
    'on, against off': (_: World) => {},
    'a motion threshold on every body, against off': (on: World) => {
      for (const body of on.bodies()) if (body.type === 'dynamic') body.setCcd(0.1, 0);
    },
  };
  for (const [name, prepare] of Object.entries(cases)) {
    const [off, on] = [new World(), new World()];
    for (const world of [off, on]) world.restore(pile);
    off.updateSettings({ continuous: false });
    on.updateSettings({ continuous: true });
    prepare(on);
    for (let step = 0; step < 30; step++) for (const world of [off, on]) world.step(DT);
    const times: [number[], number[]] = [[], []];
    let ratio = Number.POSITIVE_INFINITY;
    let swept = 0;
    for (let block = 0; block < BLOCKS && !(ratio <= MOST); block++) {
      for (let step = 0; step < BLOCK; step++) {
        // First one, then the other goes first.
        for (const i of step % 2 === 0 ? [0, 1] : [1, 0]) {
          const world = i === 0 ? off : on;
          const start = process.hrtime.bigint();
          world.step(DT);
          times[i]!.push(Number(process.hrtime.bigint() - start) / 1e6);
          swept += world.getProfile().swept;
        }
      }
      ratio = lowEnd(times[1]) / lowEnd(times[0]);
    }
    const [without, with_] = [lowEnd(times[0]), lowEnd(times[1])];
    console.log(
      `${name}: ${with_.toFixed(3)} ms, ${without.toFixed(3)} ms without, ratio ${ratio.toFixed(3)} (${times[0].length} steps)`,
    );
    expect(swept, 'nothing is fast').toBe(0);
    expect(ratio, name).toBeLessThanOrEqual(MOST);
    for (const world of [off, on]) world.dispose();
  }
});
