// The torture page: a running pile of balls, and buttons that block the page, kill the worker, hide the page,
// flood it with commands and switch the transport while it runs. Counters show that it goes on.
// Query: `transport=` shared, messages or page; `isolate=1` asks the service worker for shared memory.
import { createPhysics, type Physics, type PhysicsBody, type Transport } from 'ricochet/worker';
import { isolate } from './isolate';

const query = new URLSearchParams(location.search);
const element = (id: string) => document.getElementById(id) as HTMLElement;
const canvas = element('view') as HTMLCanvasElement;
const BALLS = 300;
const RADIUS = 0.4;

class Torture {
  physics!: Physics;
  /** ms from createPhysics to the first pose that the worker computed. */
  firstPoseMs = 0;
  readonly counts = { frames: 0, begins: 0, ends: 0, commands: 0, blockedMs: 0, errors: 0, switches: 0 };
  private worker: Worker | undefined;
  private balls: PhysicsBody[] = [];
  private readonly place = [0, 0, 0];

  async open(transport: Transport | 'auto', snapshot?: Uint8Array): Promise<void> {
    const began = performance.now();
    const physics = await createPhysics({
      transport,
      // As the package does by itself, but with a hand on the worker.
      workerFactory: () => {
        // Written in this one form, which bundlers recognise.
        this.worker = new Worker(new URL('../worker/physics.worker.ts', import.meta.url), { type: 'module' });
        return this.worker;
      },
    });
    physics.onError((error) => this.tell(error.message));
    physics.onRestart(() => this.tell('a new worker goes on where the lost one was'));
    physics.on('contactBegin', () => void this.counts.begins++);
    physics.on('contactEnd', () => void this.counts.ends++);
    if (snapshot !== undefined) await physics.restore(snapshot);
    else this.populate(physics);
    await physics.step(1);
    this.firstPoseMs = performance.now() - began;
    this.balls = [...physics.bodies()].filter(({ type }) => type === 'dynamic');
    this.physics?.dispose();
    this.physics = physics;
    await physics.start();
  }

  private populate(physics: Physics): void {
    physics.createBody({ type: 'static', shape: { type: 'plane', restitution: 1 } });
    for (const side of [-1, 1])
      for (const axis of [0, 2]) {
        const normal = [0, 0, 0];
        normal[axis] = -side;
        physics.createBody({
          type: 'static',
          shape: { type: 'plane', normal, offset: axis === 0 ? -12 : -1 },
        });
      }
    const positions = new Float32Array(3 * BALLS);
    for (let i = 0; i < BALLS; i++)
      positions.set([(i % 25) - 12 + 0.5, 2 + Math.floor(i / 25), 0.1 * (i % 3)], 3 * i);
    physics.createBodies(
      {
        shape: { type: 'sphere', radius: RADIUS, restitution: 0.9 },
        activationState: 'disableDeactivation',
      },
      { positions },
    );
  }

  /** A long task. */
  block(ms: number): void {
    const end = performance.now() + ms;
    while (performance.now() < end);
    this.counts.blockedMs += ms;
  }

  kill(): void {
    this.worker?.terminate();
  }

  flood(count: number): void {
    for (let i = 0; i < count; i++) {
      const ball = this.balls[i % this.balls.length] as PhysicsBody;
      ball.applyImpulse([0, i % 2 === 0 ? 20 : -20, 0]);
    }
    this.counts.commands += count;
  }

  /** As the browser does it: the state and its event. */
  async hide(ms: number): Promise<void> {
    const show = (state: DocumentVisibilityState) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    show('hidden');
    await new Promise((resolve) => setTimeout(resolve, ms));
    show('visible');
  }

  /** The same world goes on over another transport. */
  async change(transport: Transport): Promise<void> {
    await this.open(transport, await this.physics.snapshot());
    this.counts.switches++;
  }

  frame(now: number): void {
    const { physics, counts, place } = this;
    physics.update(now);
    counts.frames++;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const scale = canvas.width / 26;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#c2571a';
    for (const ball of this.balls) {
      const [x, y] = ball.getPosition(place) as [number, number];
      context.beginPath();
      context.arc((x + 13) * scale, canvas.height - y * scale, RADIUS * scale, 0, 7);
      context.fill();
    }
    if (counts.frames % 10 !== 0) return;
    const shown = {
      transport: physics.transport,
      isolated: crossOriginIsolated,
      ...physics.stats,
      ...counts,
    };
    element('counters').textContent = Object.entries(shown)
      .map(
        ([name, value]) =>
          `${name.padEnd(16)}${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`,
      )
      .join('\n');
  }

  private tell(text: string): void {
    this.counts.errors++;
    const log = element('log');
    log.textContent = `${(performance.now() / 1000).toFixed(1)} s  ${text}\n${log.textContent}`.slice(
      0,
      4000,
    );
  }
}

declare global {
  interface Window {
    /** For the browser tests. */
    torture: Torture;
  }
}

const torture = new Torture();
const actions: Record<string, () => unknown> = {
  'block 1 s': () => torture.block(1000),
  'block 10 s': () => torture.block(10_000),
  'kill the worker': () => torture.kill(),
  'hide 5 s': () => torture.hide(5000),
  'flood 100,000': () => torture.flood(100_000),
  shared: () => torture.change('shared'),
  messages: () => torture.change('messages'),
  page: () => torture.change('page'),
  'isolate by service worker': () => isolate(),
};
for (const [name, run] of Object.entries(actions)) {
  const button = document.createElement('button');
  button.textContent = name;
  button.onclick = () => run();
  element('controls').append(button);
}
if (query.get('isolate') === '1') await isolate();
await torture.open((query.get('transport') ?? 'auto') as Transport | 'auto');
window.torture = torture;
const onFrame = (now: number) => {
  torture.frame(now);
  requestAnimationFrame(onFrame);
};
requestAnimationFrame(onFrame);
