// Cost over threads and bodies, as a table. In: samples of measure.ts on several numbers of threads. Out: wall time per step,
// how many times as fast as one thread, the share of a step that is serial, and what Amdahl's law allows with it.
import { availableParallelism, cpus } from 'node:os';

/** Heaps of several sizes, and the scenes of the race that the targets name. */
export const THREAD_SCENES = [
  'pile@1000',
  'pile@2000',
  'pile@5000',
  'pile@10000',
  'pyramid',
  'ragdolls',
  'pile-mixed',
];

/** The only other engine with several threads, and the scenes in which it is measured beside. */
export const THREAD_PEER = 'jolt';
export const THREAD_PEER_SCENES = ['pile@5000'];

const least = (runs) => Math.min(...runs.map(({ wallMsPerStep }) => wallMsPerStep));

export function threadsMarkdown(runs) {
  const lines = [
    '# Cost over threads',
    '',
    'Wall time, ms per step, the best repetition; sleeping off; written by `node bench/run.mjs --threads 1,2,4`. Each process runs',
    'the scene once before, in a world of its own, so that the code of all threads is compiled (not with `--cold`).',
    `Measured on ${cpus()[0]?.model.trim()} with ${availableParallelism()} processors, Node ${process.versions.node}.`,
    'Serial: share of the work of a step outside shared loops, with the profile on. Waiting: share of the time for which the first',
    'thread waited for others. Amdahl: the speed-up that the serial share allows on 4 and 8 processors. Hash: compared with one thread.',
    '',
    '| scene | bodies | engine | threads | ms | times as fast | serial | waiting | Amdahl 4, 8 | hash |',
    '|---|---:|---|---:|---:|---:|---:|---:|---:|---|',
  ];
  for (const key of new Set(runs.map((run) => `${run.scene} | ${run.engine}`))) {
    const ofScene = runs.filter((run) => `${run.scene} | ${run.engine}` === key);
    const { scene, engine } = ofScene[0];
    const counts = [...new Set(ofScene.map(({ asked }) => asked))];
    const one = ofScene.filter(({ asked }) => asked === counts[0]);
    for (const asked of counts) {
      const same = ofScene.filter((run) => run.asked === asked);
      const [first] = same;
      if (first.skipped) {
        lines.push(`| ${scene} | | ${engine} | ${asked} | ${first.skipped} | | | | | |`);
        continue;
      }
      const { count = asked, shared, waited } = first.threads ?? {};
      // On n threads a shared loop takes an nth of its time on one, waiting aside.
      const parallel = (shared - waited) * count;
      const serial = (1 - shared) / (1 - shared + parallel);
      const amdahl = (n) => (1 / (serial + (1 - serial) / n)).toFixed(1);
      const equal = same.every(({ hash }) => hash === one[0].hash) ? 'equal' : 'DIFFERS';
      lines.push(
        `| ${scene} | ${first.bodies} | ${engine} | ${count} | ${least(same).toFixed(2)} | ${(least(one) / least(same)).toFixed(2)} | ` +
          (count > 1 && shared !== undefined
            ? `${(100 * serial).toFixed(0)} % | ${(100 * waited).toFixed(0)} % | ${amdahl(4)}, ${amdahl(8)} | ${equal} |`
            : `| | | ${count > 1 ? equal : ''} |`),
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
