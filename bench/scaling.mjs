// Cost over size: three panels of curves as an SVG file, and the same numbers as a table.
import { isSound, show } from './report.mjs';

const PANELS = [
  ['stack', 'towers of 10 boxes'],
  ['pile', 'mixed pile in a pit'],
  ['sparse', 'spheres adrift'],
];
const COLOURS = {
  ricochet: '#d9480f',
  'rapier-simd': '#7048e8',
  rapier: '#9775fa',
  jolt: '#1971c2',
  havok: '#2f9e44',
  physx: '#868e96',
  ammo: '#e8590c',
  cannon: '#c2255c',
  crashcat: '#0c8599',
};
const WIDTH = 340;
const HEIGHT = 300;
const MARGIN = { left: 54, right: 14, top: 34, bottom: 44 };

function points(records, kind, engine) {
  return records
    .filter((record) => record.engine === engine && record.scene.startsWith(`${kind}@`) && record.reps > 0)
    .map((record) => ({ count: Number(record.scene.split('@')[1]), ...record }))
    .sort((a, b) => a.count - b.count);
}

/** Both axes logarithmic, so that a cost proportional to n is a line of slope 1. */
export function plotScaling(records) {
  const engines = [...new Set(records.map(({ engine }) => engine))];
  const panels = PANELS.map(([kind, title], i) => panel(records, engines, kind, title, i * WIDTH));
  const legend = engines.map((engine, i) => {
    const x = MARGIN.left + i * 110;
    const y = HEIGHT + 8;
    return `<line x1="${x}" y1="${y}" x2="${x + 18}" y2="${y}" stroke="${COLOURS[engine]}" stroke-width="${weight(engine)}"/><text x="${x + 24}" y="${y + 4}">${engine}</text>`;
  });
  const width = WIDTH * PANELS.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT + 24}" font-family="sans-serif" font-size="11" fill="#343a40">`,
    `<rect width="${width}" height="${HEIGHT + 24}" fill="#ffffff"/>`,
    ...panels,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

function weight(engine) {
  return engine === 'ricochet' ? 2.5 : 1.5;
}

function panel(records, engines, kind, title, left) {
  const curves = engines.map((engine) => [engine, points(records, kind, engine)]);
  const all = curves.flatMap(([, list]) => list);
  if (all.length === 0) return '';
  const counts = [...new Set(all.map(({ count }) => count))].sort((a, b) => a - b);
  const costs = all.map(({ cpuMsPerStep }) => cpuMsPerStep);
  const low = 10 ** Math.floor(Math.log10(Math.min(...costs)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...costs)));
  const spanX = Math.log(counts.at(-1) / counts[0]) || 1;
  const spanY = Math.log(high / low);
  const inner = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const x = (count) => (left + MARGIN.left + (inner.width * Math.log(count / counts[0])) / spanX).toFixed(1);
  const y = (ms) => (MARGIN.top + inner.height * (1 - Math.log(ms / low) / spanY)).toFixed(1);
  const parts = [
    `<text x="${left + MARGIN.left}" y="20" font-size="13" font-weight="bold">${kind}: ${title}</text>`,
    `<text x="${left + WIDTH / 2}" y="${HEIGHT - 12}" text-anchor="middle">bodies (ms per step, both axes logarithmic)</text>`,
  ];
  for (let ms = low; ms <= high * 1.01; ms *= 10)
    parts.push(
      `<line x1="${x(counts[0])}" y1="${y(ms)}" x2="${x(counts.at(-1))}" y2="${y(ms)}" stroke="#dee2e6"/>`,
      `<text x="${left + MARGIN.left - 6}" y="${Number(y(ms)) + 4}" text-anchor="end">${Number(ms.toPrecision(1))}</text>`,
    );
  for (const count of counts)
    parts.push(
      `<line x1="${x(count)}" y1="${y(low)}" x2="${x(count)}" y2="${y(high)}" stroke="#f1f3f5"/>`,
      `<text x="${x(count)}" y="${HEIGHT - 28}" text-anchor="middle">${count / 1000}k</text>`,
    );
  for (const [engine, list] of curves) {
    const path = list.map(({ count, cpuMsPerStep }) => `${x(count)},${y(cpuMsPerStep)}`).join(' ');
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${COLOURS[engine]}" stroke-width="${weight(engine)}"/>`,
      ...list.map(
        ({ count, cpuMsPerStep }) =>
          `<circle cx="${x(count)}" cy="${y(cpuMsPerStep)}" r="2.5" fill="${COLOURS[engine]}"/>`,
      ),
    );
  }
  return parts.join('\n');
}

/** Memory per body is the slope between the smallest and the largest world, so fixed costs cancel. */
export function scalingMarkdown(records) {
  const engines = [...new Set(records.map(({ engine }) => engine))];
  const lines = [
    '# Cost over size',
    '',
    'Main-thread CPU, ms per step, sleeping off; written by `node bench/run.mjs --scaling`.',
    'Growth compares the cost of the largest world with that of the smallest: n·log n from 1,000 to 20,000 would be 28.7×.',
    '† lost bodies or let stacks fall (the bindings of Jolt drop contacts beyond some 20,000).',
    'Memory per body is the growth of the resident set between the smallest and the largest world, after a collection.',
    '',
    '![Curves of cost over the number of bodies](scaling.svg)',
    '',
  ];
  for (const [kind, title] of PANELS) {
    const curves = engines
      .map((engine) => [engine, points(records, kind, engine)])
      .filter(([, list]) => list.length > 0);
    if (curves.length === 0) continue;
    const counts = [...new Set(curves.flatMap(([, list]) => list.map(({ count }) => count)))];
    lines.push(`## ${kind}: ${title}`, '');
    lines.push(
      `| engine | ${counts.join(' | ')} | growth | bytes per body | of these in its own heap |`,
      `|---|${counts.map(() => '---:|').join('')}---:|---:|---:|`,
    );
    for (const [engine, list] of curves) {
      const first = list[0];
      const last = list.at(-1);
      const cells = counts.map((count) => {
        const record = list.find((one) => one.count === count);
        return record ? `${show(record.cpuMsPerStep)}${isSound(record) ? '' : '†'}` : '–';
      });
      const slope = (name) =>
        last === first || last[name] === undefined
          ? '–'
          : Math.round(((last[name] - first[name]) * 2 ** 20) / (last.count - first.count));
      const growth = (last.cpuMsPerStep / first.cpuMsPerStep).toFixed(1);
      lines.push(
        `| ${engine} | ${cells.join(' | ')} | ${growth}× | ${slope('worldMB')} | ${slope('engineMB')} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}
