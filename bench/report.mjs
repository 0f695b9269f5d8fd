// From samples to records, and from records to the table that people read.
import { cpus, totalmem } from 'node:os';

/** Rows of the first table of the targets: the ones the geometric mean is taken over. */
const RACE = [
  'pyramid',
  'stackgrid',
  'pile-mixed',
  'convex-pile',
  'ragdolls',
  'trimesh',
  'spheres5000',
  'rays',
];

/** One record of an engine on a scene from its repetitions: medians, and whether they agree to the bit. */
export function summarise(engine, version, scene, samples) {
  const measured = samples.filter((sample) => !sample.skipped);
  if (measured.length === 0)
    return {
      engine,
      version,
      scene,
      reps: 0,
      skipped: samples[0]?.skipped ?? 'not measured',
      checks: {},
      hash: '',
    };
  const middle = (name) => median(measured.map((sample) => sample[name]));
  const hashes = new Set(measured.map(({ hash }) => hash));
  return {
    engine,
    version,
    scene,
    reps: measured.length,
    bodies: measured[0].bodies,
    steps: measured[0].steps,
    cpuMsPerStep: digits(middle('cpuMsPerStep')),
    cpuMsPerStepMin: digits(Math.min(...measured.map((sample) => sample.cpuMsPerStep))),
    processCpuMsPerStep: digits(middle('processCpuMsPerStep')),
    worstWindowMs: digits(middle('worstWindowMs')),
    wallMsMedian: digits(middle('wallMsMedian')),
    wallMsP95: digits(middle('wallMsP95')),
    wallMsMax: digits(middle('wallMsMax')),
    peakRssMB: digits(Math.max(...measured.map((sample) => sample.peakRssMB))),
    worldMB: digits(middle('worldMB')),
    engineMB: measured[0].engineMB && digits(measured[0].engineMB),
    buildMs: digits(middle('buildMs')),
    readPosesUs: digits(middle('readPosesUs')),
    checks: measured[0].checks,
    hash: measured[0].hash,
    repeatable: hashes.size === 1,
    profile: measured[0].profile,
  };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}

function digits(value) {
  return Number(value.toPrecision(4));
}

/** A speed counts only where the work was done: nothing lost, and what should stand stands. */
export function isSound({ checks }) {
  if (checks.bodiesLost > 0) return false;
  if (checks.rayErrorMm > 250) return false;
  if (!checks.standing) return true;
  const [standing, all] = checks.standing.split('/').map(Number);
  return standing >= 0.9 * all;
}

export function markdown(records, scenes, engines, rehearsal = 0) {
  const rows = scenes.filter(({ id }) => records.some((record) => record.scene === id));
  const title = (id) => rows.find((row) => row.id === id)?.title ?? id;
  const at = (scene, engine) => records.find((record) => record.scene === scene && record.engine === engine);
  const names = rows.length > 0 ? rows.map(({ id }) => id) : [...new Set(records.map(({ scene }) => scene))];
  const raced = names.filter((scene) => engines.some((engine) => at(scene, engine)?.reps > 0));
  const lines = ['# Results of the benchmark', '', ...machine(records), ''];
  if (rehearsal > 0)
    lines.push(
      `Each engine ran the first ${rehearsal} steps of a scene before, in a world of its own, so that its code is compiled as in a`,
      'game that has run for a while. RESULTS.md has the figures of fresh processes.',
      '',
    );
  lines.push('## Speed', '');
  lines.push(
    'Main-thread CPU, ms per step, and the ratio to the fastest peer (below 1: faster than every peer).',
  );
  lines.push(
    'Bold: no slower than any peer. † did not do the work (bodies lost, or less than 90 % of a stack standing): not counted as a peer.',
    '',
  );
  const table = (value) => ratioTable(raced, engines, at, title, value);
  lines.push(...table(({ cpuMsPerStep }) => cpuMsPerStep));
  lines.push('', '## Motion', '');
  lines.push(
    'The worst 30 steps in a row, warm-up included, main-thread CPU in ms per step. They decide whether a frame is dropped.',
    '',
    ...table(({ worstWindowMs }) => worstWindowMs),
  );
  lines.push('', 'The 95th percentile of the steps after the warm-up, wall ms.', '');
  lines.push(...table(({ wallMsP95 }) => wallMsP95));
  lines.push(
    '',
    'The longest step after the warm-up, wall ms; after the slash, its ratio to the median.',
    '',
  );
  lines.push(
    ...table(
      ({ wallMsMax }) => wallMsMax,
      (record) => ` / ${(record.wallMsMax / record.wallMsMedian).toFixed(1)}`,
    ),
  );
  lines.push('', ...soundness(raced, engines, at), ...skips(records));
  return `${lines.join('\n')}\n`;
}

/** A row per scene: a figure of each engine, and its ratio to the best peer's. The last row has the geometric means. */
function ratioTable(raced, engines, at, title, value, suffix = () => '') {
  const lines = [`| scene | ${engines.join(' | ')} |`, `|---|${engines.map(() => '---:|').join('')}`];
  const ratios = new Map(engines.map((engine) => [engine, []]));
  for (const scene of raced) {
    const rivals = engines
      .filter((engine) => engine !== 'ricochet')
      .map((engine) => at(scene, engine))
      .filter((record) => record?.reps > 0 && isSound(record));
    const best = Math.min(...rivals.map(value));
    const cells = engines.map((engine) => {
      const record = at(scene, engine);
      if (!record || record.reps === 0) return '–';
      const sound = isSound(record);
      const ratio = value(record) / best;
      if (sound && RACE.includes(scene) && Number.isFinite(best)) ratios.get(engine).push(ratio);
      const text = `${show(value(record))}${sound ? '' : '†'}`;
      if (!(ratio > 0) || !Number.isFinite(best)) return text + suffix(record);
      return `${sound && ratio <= 1 ? `**${text}**` : text} (${ratio.toFixed(2)})${suffix(record)}`;
    });
    lines.push(`| ${scene}: ${title(scene)} | ${cells.join(' | ')} |`);
  }
  const means = engines.map((engine) => {
    const list = ratios.get(engine);
    if (list.length === 0) return '–';
    return `${Math.exp(list.reduce((sum, ratio) => sum + Math.log(ratio), 0) / list.length).toFixed(2)} (${list.length})`;
  });
  lines.push(
    `| geometric mean of the ratios, scenes of the first eight rows that count | ${means.join(' | ')} |`,
  );
  return lines;
}

function machine(records) {
  const [{ model } = { model: 'unknown' }] = cpus();
  const versions = [...new Map(records.map(({ engine, version }) => [engine, version]))];
  const first = records.find(({ reps }) => reps > 0);
  return [
    `${new Date().toISOString().slice(0, 10)} · ${model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB · Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    '',
    `Versions: ${versions.map(([engine, version]) => `${engine} ${version}`).join(', ')}. Repetitions: ${first?.reps ?? 0} (slow peers once), interleaved, each run in its own process; medians.`,
    'dt 1/60, sleeping off unless the scene is about it, no damping, friction 0.5, defaults of each engine otherwise.',
  ];
}

function soundness(raced, engines, at) {
  const lines = ['## Accuracy and memory', ''];
  lines.push(
    'Overlaps are measured in f64 on the nominal shapes, by the same code for all engines; energies at the last step.',
  );
  lines.push(
    'Read poses: copies every pose out through the public API. Memory: growth of the resident set.',
    '',
  );
  const columns = [
    ['lost', ({ checks }) => checks.bodiesLost],
    ['worst overlap mm', ({ checks }) => checks.worstOverlapMm],
    ['95 % mm', ({ checks }) => checks.overlap95Mm],
    ['kinetic energy J', ({ checks }) => checks.kineticEnergyJ],
    ['standing', ({ checks }) => checks.standing],
    ['top drop mm', ({ checks }) => checks.topDropMm],
    ['drift mm', ({ checks }) => checks.worstDriftMm],
    [
      'joint gap mm (mean)',
      ({ checks }) => checks.jointGapMaxMm && `${checks.jointGapMaxMm} (${checks.jointGapMeanMm})`,
    ],
    ['awake', ({ checks }) => checks.awake],
    ['ray hits', ({ checks }) => checks.rayHits],
    ['one call per ray, ms', ({ checks }) => checks.oneByOneMs],
    ['ray error mm', ({ checks }) => checks.rayErrorMm],
    ['wall median / p95 ms', (r) => `${show(r.wallMsMedian)} / ${show(r.wallMsP95)}`],
    ['read poses µs', (r) => (r.scene === 'rays' ? undefined : Math.round(r.readPosesUs))],
    ['memory MB', (r) => (r.scene === 'rays' ? undefined : Math.round(r.worldMB))],
    ['own heap MB', (r) => (r.scene === 'rays' ? undefined : r.engineMB && Math.round(r.engineMB))],
    ['state hash', (r) => `${r.hash.slice(0, 8)}${r.reps > 1 ? (r.repeatable ? '' : ' differs') : ''}`],
  ];
  for (const scene of raced) {
    const present = engines.map((engine) => at(scene, engine)).filter((record) => record?.reps > 0);
    const used = columns.filter(([, value]) => present.some((record) => value(record) !== undefined));
    lines.push(`### ${scene}`, '');
    lines.push(
      `| engine | ${used.map(([name]) => name).join(' | ')} |`,
      `|---|${used.map(() => '---:|').join('')}`,
    );
    for (const record of present)
      lines.push(`| ${record.engine} | ${used.map(([, value]) => value(record) ?? '–').join(' | ')} |`);
    const profile = present.find((record) => record.engine === 'ricochet')?.profile;
    if (profile) lines.push('', `Our stages: ${shares(profile)}.`);
    lines.push('');
  }
  return lines;
}

function shares(profile) {
  const whole = Object.values(profile).reduce((sum, ms) => sum + ms, 0);
  return Object.entries(profile)
    .sort(([, a], [, b]) => b - a)
    .map(([stage, ms]) => `${stage} ${Math.round((100 * ms) / whole)} %`)
    .join(', ');
}

function skips(records) {
  const skipped = records.filter((record) => record.skipped);
  if (skipped.length === 0) return [];
  const reasons = new Map();
  for (const { scene, engine, skipped: reason } of skipped) {
    const key = `${scene}: ${reason}`;
    reasons.set(key, [...(reasons.get(key) ?? []), engine]);
  }
  return ['## Not run', '', ...[...reasons].map(([key, list]) => `- ${key} (${list.join(', ')})`), ''];
}

export function show(ms) {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 0.1 ? ms.toFixed(2) : ms.toFixed(4);
}
