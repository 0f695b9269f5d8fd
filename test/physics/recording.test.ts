// What a state and a recording cost (section 4 of the targets). Bytes are judged; times are printed, beside what else the
// machine does.

import { World } from 'ricochet';
import { Recorder } from 'ricochet/replay';
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { stackgrid } from '../../demo/scenes/stackgrid';
import { type Measurement, row } from './support/measure';

const DT = 1 / 60;
const RUNS = 25;
const STEPS = 1000;

function pile(sleeping: boolean, steps: number): World {
  const world = new World({ sleeping });
  pileMixed.build(world);
  for (let i = 0; i < steps; i++) world.step(DT);
  return world;
}

/** Save and restore, the best of several. */
function cost(m: Measurement, world: World): void {
  const slot = world.save();
  const saves: number[] = [];
  const restores: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    world.save(slot);
    const saved = performance.now();
    world.restore(slot);
    restores.push(performance.now() - saved);
    saves.push(saved - start);
  }
  m.atMost('bytes per body', world.snapshot().length / 1000, 600);
  m.note('save (target 1)', Math.min(...saves), 'ms');
  m.note('restore (target 5)', Math.min(...restores), 'ms');
}

row('a pile of 1,000: a snapshot takes ≤ 600 bytes per body', (m) => cost(m, pile(false, 300)));

row('a pile of 1,000 asleep: a snapshot takes ≤ 600 bytes per body', (m) => cost(m, pile(true, 900)));

row('an idle step takes ≤ 50 bytes in a recording, hash included', (m) => {
  const world = new World();
  stackgrid.build(world);
  let bytes = 0;
  const sink = (piece: Uint8Array) => {
    bytes += piece.length;
  };
  const recorder = new Recorder(world, { keyframeEvery: 0, compress: false, sink });
  const before = bytes; // head and state
  for (let i = 0; i < STEPS; i++) world.step(DT);
  void recorder.finish();
  m.atMost('bytes per step', (bytes - before) / STEPS, 50);
});
