// One engine, one scene, one process. In: a job as JSON in the first argument. Out: one line of JSON.
// Warm-up, then measured steps with nothing between them; poses, checks and rays come after the clock.
import { engines } from './adapters';
import { buildWorld, teachFetchFiles } from './buildWorld';
import { type Checks, checkWorld, poseHash, round } from './checks';
import { type OverlapRun, overlapRuns } from './overlaps';
import { castRay, createRays, RAY_COUNT, RAY_LENGTH } from './rays';
import { type Feature, resolveScene, type SceneSpec } from './scene';
import { findScene, RAY_SCENE, RAYS } from './scenes';
import { createStepper } from './stepper';

export interface Job {
  engine: string;
  scene: string;
  /** Also cast the rays afterwards; a second record. */
  rays?: boolean;
  warmup?: number;
  steps?: number;
  /** Threads of the world, where the engine has them. Without it, one. */
  threads?: number;
  /** Run so many steps of the scene before, in a world of its own that stays: then the code of all threads is compiled. */
  rehearsal?: number;
  /** Measure overlaps instead, in so many runs. */
  overlaps?: number;
  /** Give up when the warm-up foretells a longer run. */
  limitSeconds: number;
}

export interface Sample {
  scene: string;
  skipped?: string;
  bodies: number;
  steps: number;
  cpuMsPerStep: number;
  /** All threads of the process: with the engine's own and V8's compiler and collector. */
  processCpuMsPerStep: number;
  /** The worst 30 steps in a row, the warm-up included: main-thread CPU, ms per step. */
  worstWindowMs: number;
  /** Mean of the measured steps. */
  wallMsPerStep: number;
  /** Of worlds on several threads: see EngineWorld.threads. */
  threads?: { count: number; shared: number; waited: number };
  wallMsMedian: number;
  wallMsP95: number;
  /** The longest step after the warm-up. */
  wallMsMax: number;
  peakRssMB: number;
  /** Growth of the resident set from before the first body to the end. */
  worldMB: number;
  /** The engine's own heap, where it tells. */
  engineMB?: number;
  buildMs: number;
  readPosesUs: number;
  /** The whole of the steps, wall. */
  runSeconds: number;
  checks: Partial<Checks>;
  hash: string;
  overlaps?: OverlapRun[];
  profile?: Record<string, number>;
}

const PROFILE_STEPS = 60;
/** A window moves on by so many steps, and is three times as long: half a second. */
const STRIDE = 10;
const STRIDES = 3;
const RAY_ROUNDS = 5;
const RAY_CHECKS = 300;

/** Main-thread CPU in ms. The kernel's count of this thread; getrusage makes it take the running slice in. */
async function createCpuClock(): Promise<() => number> {
  const threadCpuUsage = (process as { threadCpuUsage?: () => { user: number; system: number } })
    .threadCpuUsage;
  if (threadCpuUsage)
    return () => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) / 1000;
    };
  const { readFileSync } = await import('node:fs');
  try {
    const nanoseconds = () => {
      process.cpuUsage();
      return Number(readFileSync('/proc/thread-self/schedstat', 'ascii').split(' ')[0]);
    };
    const before = nanoseconds();
    const until = performance.now() + 3;
    while (performance.now() < until);
    // Some kernels count nothing there; the whole process is the next best.
    if (nanoseconds() - before > 1e6) return () => nanoseconds() / 1e6;
  } catch {}
  return processCpu;
}

function processCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** After a collection, so that what building left behind does not count; only ever outside the clock. */
function residentMB(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}

async function run(job: Job): Promise<Sample[]> {
  const scene = findScene(job.scene);
  if (!scene) throw new Error(`no scene ${job.scene}`);
  const skip = (skipped: string) => [emptySample(job.scene, skipped)];
  const { engine } = await engines[job.engine].load();
  const missing = scene.needs.filter((need: Feature) => !engine.features.includes(need));
  if (missing.length > 0) return skip(`not yet: needs ${missing.join(', ')}`);

  const spec = resolveScene(scene);
  const count = spec.bodies.length;
  if (engine.maxBodies && count > engine.maxBodies) return skip(`more than ${engine.maxBodies} bodies`);
  const cpu = await createCpuClock();
  const poses = new Float32Array(count * 7);
  const warmup = job.warmup ?? scene.warmup ?? 60;
  const steps = job.steps ?? scene.steps ?? 300;
  const build = (built: SceneSpec) => buildWorld(built, engines[job.engine], job.threads);
  if (job.overlaps) {
    const overlaps = await overlapRuns(scene, warmup + steps, job.overlaps, build);
    return [{ ...emptySample(job.scene), overlaps }];
  }
  if (job.rehearsal) {
    const step = createStepper(spec, await build(spec));
    const most = Math.min(job.rehearsal, warmup + steps);
    for (let i = 0; i < most; i++) step();
  }
  const rssBefore = residentMB();
  const buildStart = performance.now();
  const world = await build(spec);
  const buildMs = performance.now() - buildStart;

  const step = createStepper(spec, world);
  const warmStart = performance.now();
  const marks = [cpu()];
  const mark = (done: number) => done % STRIDE === 0 && marks.push(cpu());
  for (let i = 0; i < warmup; i++) {
    step();
    mark(i + 1);
    const spent = (performance.now() - warmStart) / 1000;
    // The first steps are slow while code is compiled, so only a hopeless forecast counts.
    const forecast = (spent / (i + 1)) * (warmup + steps);
    if (spent > job.limitSeconds || (i === 9 && forecast > 2 * job.limitSeconds))
      return skip(`over ${job.limitSeconds} s: about ${round((spent / (i + 1)) * 1000, 0)} ms a step`);
  }

  const wall = new Float64Array(steps);
  const processStart = processCpu();
  const cpuStart = cpu();
  for (let i = 0; i < steps; i++) {
    const start = performance.now();
    step();
    wall[i] = performance.now() - start;
    mark(warmup + i + 1);
  }
  const cpuMs = cpu() - cpuStart;
  const processMs = processCpu() - processStart;
  const runSeconds = (performance.now() - warmStart) / 1000;
  const wallMs = wall.reduce((sum, ms) => sum + ms, 0);
  wall.sort();
  const windows = marks.slice(STRIDES).map((end, i) => (end - marks[i]) / (STRIDE * STRIDES));

  const reads = 40;
  const readTimes = new Float64Array(reads);
  for (let i = 0; i < reads; i++) {
    const start = performance.now();
    world.readPoses(poses);
    readTimes[i] = performance.now() - start;
  }
  readTimes.sort();
  const peakRssMB = process.resourceUsage().maxRSS / 1024;
  const worldMB = residentMB() - rssBefore;
  const engineMB = world.memoryBytes && world.memoryBytes() / 2 ** 20;
  const velocities = new Float32Array(count * 6);
  world.readVelocities(velocities);
  const checks: Checks = checkWorld(spec, poses, velocities);
  if (scene.sleeping && world.countAwake) checks.awake = world.countAwake();
  const sample: Sample = {
    scene: job.scene,
    bodies: count,
    steps,
    cpuMsPerStep: cpuMs / steps,
    processCpuMsPerStep: processMs / steps,
    worstWindowMs: windows.length > 0 ? Math.max(...windows) : cpuMs / steps,
    wallMsPerStep: wallMs / steps,
    wallMsMedian: percentile(wall, 0.5),
    wallMsP95: percentile(wall, 0.95),
    wallMsMax: wall[steps - 1],
    peakRssMB,
    worldMB,
    engineMB,
    buildMs,
    readPosesUs: percentile(readTimes, 0.5) * 1000,
    runSeconds,
    checks,
    hash: poseHash(poses),
  };
  const samples = [sample];
  if (job.rays && job.scene === RAY_SCENE) samples.push(measureRays());
  // Last of all, since measuring the stages costs time and these steps change the poses.
  const profileStart = performance.now();
  sample.profile = world.profile?.(PROFILE_STEPS, step);
  if (job.threads !== undefined) sample.threads = world.threads?.(performance.now() - profileStart);
  return samples;

  function measureRays(): Sample {
    const rays = createRays();
    const fractions = new Float64Array(RAY_COUNT);
    let oneByOne: number | undefined;
    if (world.castRaysOneByOne) {
      world.castRaysOneByOne(rays, fractions);
      const start = cpu();
      world.castRaysOneByOne(rays, fractions);
      oneByOne = round(cpu() - start, 2);
    }
    world.castRays(rays, fractions);
    const rounds = new Float64Array(RAY_ROUNDS);
    const processAt = processCpu();
    const at = cpu();
    for (let i = 0; i < RAY_ROUNDS; i++) {
      const start = performance.now();
      world.castRays(rays, fractions);
      rounds[i] = performance.now() - start;
    }
    const cpuRays = (cpu() - at) / RAY_ROUNDS;
    const processRays = (processCpu() - processAt) / RAY_ROUNDS;
    rounds.sort();
    const errors: number[] = [];
    for (let ray = 0; ray < RAY_CHECKS; ray++) {
      const truth = castRay(spec.bodies, poses, rays, ray);
      errors.push(truth === fractions[ray] ? 0 : Math.abs(truth - fractions[ray]) * RAY_LENGTH);
    }
    // The worst few may graze an edge, where no f32 engine is wrong or right.
    errors.sort((a, b) => a - b);
    const error = errors[Math.floor(RAY_CHECKS * 0.98)];
    return {
      ...sample,
      scene: RAYS,
      steps: RAY_ROUNDS,
      cpuMsPerStep: cpuRays,
      processCpuMsPerStep: processRays,
      worstWindowMs: cpuRays,
      wallMsPerStep: percentile(rounds, 0.5),
      wallMsMedian: percentile(rounds, 0.5),
      wallMsP95: percentile(rounds, 0.95),
      wallMsMax: rounds[RAY_ROUNDS - 1],
      checks: {
        rayHits: fractions.reduce((hits, fraction) => hits + (fraction <= 1 ? 1 : 0), 0),
        rayErrorMm: round(error * 1000, 3),
        oneByOneMs: oneByOne,
      },
      hash: poseHash(new Float32Array(fractions)),
    };
  }
}

function emptySample(scene: string, skipped?: string): Sample {
  const nothing = {
    bodies: 0,
    steps: 0,
    cpuMsPerStep: 0,
    processCpuMsPerStep: 0,
    worstWindowMs: 0,
    wallMsPerStep: 0,
    wallMsMedian: 0,
    wallMsP95: 0,
    wallMsMax: 0,
  };
  return {
    scene,
    skipped,
    ...nothing,
    peakRssMB: 0,
    worldMB: 0,
    buildMs: 0,
    readPosesUs: 0,
    runSeconds: 0,
    checks: {},
    hash: '',
  };
}

teachFetchFiles();
const job = JSON.parse(process.argv[2]) as Job;
// Engines print to stdout at will; the marker tells our line from theirs.
process.stdout.write(`\n@@${JSON.stringify(await run(job))}\n`, () => process.exit(0));
