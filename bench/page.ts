// The benchmark in a browser. In: a scene and engines, each loaded when it is wanted. Out: ms per step over time as
// lines, medians as bars. Same scenes and adapters as bench/run.mjs; here everything runs in the page, one engine
// after the other, so figures are for comparison only.
// Query: `scene=`, `engines=` by comma, `steps=`; with `run` it starts by itself.
import { engines } from './adapters';
import { resolveScene } from './scene';
import { findScene, RAYS, scenes } from './scenes';
import { createStepper } from './stepper';

export interface PageResult {
  engine: string;
  /** Why it did not run. */
  failed?: string;
  bodies: number;
  /** ms of each measured step. */
  times: number[];
  median: number;
  p95: number;
  /** Every pose is a number at the end. */
  sound: boolean;
}

/** ammo.js is not among them: its loader wants to be a classic script with its file beside it. */
const names = Object.keys(engines).filter((name) => name !== 'ammo');
/** ms of stepping between two looks at the page. */
const SLICE_MS = 60;
const COLOURS = [
  '#c2571a',
  '#2a6f97',
  '#5a8f29',
  '#8a4fa3',
  '#b0892a',
  '#3f8f86',
  '#a33b5c',
  '#555b66',
  '#7b6b4a',
];

const element = (id: string) => document.getElementById(id) as HTMLElement;
const breath = () => new Promise((resolve) => setTimeout(resolve));
const colour = (engine: string) => COLOURS[names.indexOf(engine) % COLOURS.length];

async function measure(
  name: string,
  sceneId: string,
  steps: number | undefined,
  show: (done: number) => void,
): Promise<PageResult> {
  const result: PageResult = { engine: name, bodies: 0, times: [], median: 0, p95: 0, sound: false };
  try {
    const { engine } = await engines[name].load();
    const scene = findScene(sceneId);
    if (scene === undefined) throw new Error(`no scene ${sceneId}`);
    const lacks = scene.needs.filter((feature) => !engine.features.includes(feature));
    if (lacks.length > 0) throw new Error(`has no ${lacks.join(', ')}`);
    const spec = resolveScene(scene);
    if (spec.bodies.length > (engine.maxBodies ?? Number.POSITIVE_INFINITY))
      throw new Error('too many bodies for it');
    const world = await engine.createWorld(spec);
    for (const body of spec.bodies) world.createBody(body);
    for (const joint of spec.joints) world.createJoint?.(joint);
    world.finish?.();
    result.bodies = spec.bodies.length;
    const warmUp = scene.warmup ?? 60;
    const total = warmUp + (steps ?? scene.steps ?? 300);
    const step = createStepper(spec, world);
    let slice = performance.now();
    for (let i = 0; i < total; i++) {
      const began = performance.now();
      step();
      const now = performance.now();
      if (i >= warmUp) result.times.push(now - began);
      if (now - slice < SLICE_MS) continue;
      show((i + 1) / total);
      await breath();
      slice = performance.now();
    }
    const poses = new Float32Array(7 * spec.bodies.length);
    world.readPoses(poses);
    result.sound = poses.every((number) => Number.isFinite(number));
    const sorted = [...result.times].sort((a, b) => a - b);
    result.median = sorted[sorted.length >> 1];
    result.p95 = sorted[Math.floor(0.95 * (sorted.length - 1))];
  } catch (error) {
    result.failed = String((error as Error)?.message ?? error).split('\n')[0];
  }
  return result;
}

/** A canvas as large as it is shown, cleared; its context and size in CSS pixels. */
function paper(id: string): { context: CanvasRenderingContext2D; width: number; height: number } {
  const canvas = element(id) as HTMLCanvasElement;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = '13px system-ui, sans-serif';
  return { context, width, height };
}

const LEFT = 56;
const BOTTOM = 24;
const TOP = 12;

/** Lines of ms over steps. The axis ends at twice the largest median, so that a few late steps do not hide the rest. */
function plotLines(results: PageResult[]): void {
  const { context, width, height } = paper('lines');
  const ran = results.filter(({ times }) => times.length > 1);
  const top = 2 * Math.max(0.01, ...ran.map(({ median }) => median));
  const steps = Math.max(1, ...ran.map(({ times }) => times.length));
  const y = (ms: number) => height - BOTTOM - ((height - BOTTOM - TOP) * Math.min(ms, top)) / top;
  context.strokeStyle = '#ddd';
  context.fillStyle = '#555';
  for (let i = 0; i <= 4; i++) {
    const ms = (top * i) / 4;
    context.beginPath();
    context.moveTo(LEFT, y(ms));
    context.lineTo(width, y(ms));
    context.stroke();
    context.fillText(`${ms.toPrecision(2)} ms`, 2, y(ms) + 4);
  }
  context.fillText(`${steps} steps`, width - 70, height - 6);
  for (const { engine, times } of ran) {
    context.strokeStyle = colour(engine);
    context.beginPath();
    for (const [i, ms] of times.entries()) {
      const x = LEFT + ((width - LEFT) * i) / (steps - 1 || 1);
      if (i === 0) context.moveTo(x, y(ms));
      else context.lineTo(x, y(ms));
    }
    context.stroke();
  }
}

function plotBars(results: PageResult[]): void {
  element('bars').style.height = `${Math.max(1, results.length) * 30 + 8}px`;
  const { context, width } = paper('bars');
  const most = Math.max(0.001, ...results.map(({ median }) => median));
  for (const [i, { engine, median, p95, failed, sound }] of results.entries()) {
    const at = 6 + 30 * i;
    context.fillStyle = '#20262e';
    context.fillText(engine, 2, at + 16);
    context.fillStyle = colour(engine);
    const length = failed === undefined ? (Math.max(20, width - 320) * median) / most : 0;
    context.fillRect(96, at, length, 22);
    context.fillStyle = '#20262e';
    const figures = `${median.toFixed(3)} ms, 95 %: ${p95.toFixed(3)}${sound ? '' : ', not a number'}`;
    context.fillText(failed ?? figures, 104 + length, at + 16);
  }
}

const query = new URLSearchParams(location.search);
const chosen = new Set((query.get('engines') ?? 'ricochet,rapier-simd').split(','));
const select = element('scene') as HTMLSelectElement;
for (const { id, title, optional } of scenes)
  if (id !== RAYS && !optional)
    select.add(new Option(`${id}: ${title}`, id, false, id === query.get('scene')));
for (const name of names) {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = chosen.has(name);
  box.onchange = () => (box.checked ? chosen.add(name) : chosen.delete(name));
  label.append(box, ` ${name}`);
  label.style.color = colour(name);
  element('engines').append(label);
}

const page = { results: [] as PageResult[], running: false, done: false };
Object.assign(window, { bench: page });

async function run(): Promise<void> {
  if (page.running) return;
  page.running = true;
  document.querySelector('main')?.classList.add('plotted');
  page.results = [];
  const steps = query.has('steps') ? Number(query.get('steps')) : undefined;
  for (const name of names) {
    if (!chosen.has(name)) continue;
    element('state').textContent = `${name} …`;
    await breath();
    const show = (done: number) => {
      element('state').textContent = `${name} ${Math.round(100 * done)} %`;
    };
    page.results.push(await measure(name, select.value, steps, show));
    plotLines(page.results);
    plotBars(page.results);
  }
  element('state').textContent = 'done';
  page.running = false;
  page.done = true;
}

element('run').onclick = () => void run();
addEventListener('resize', () => {
  plotLines(page.results);
  plotBars(page.results);
});
if (query.has('run')) await run();
