// What a fresh project is made of. In: the examples of the README. Out: files by path. The examples are used as they
// are written; what is added hears what they say, looks at the crate that they drop, and asks the worker for the rest
// of what the package loads on request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = (name) => readFileSync(join(root, 'docs/snippets', `${name}.ts`), 'utf8');

/** Before all else: what the examples print. */
const HEAR = `const said: string[] = [];
console.log = (...parts: unknown[]) => void said.push(parts.map(String).join(' '));
export { said };
`;

/** Hulls from the cooking worker, lines from the tools, a hash from the world: all that comes from further files. */
const ASK = `import { createPhysics } from 'ricochet/worker';

export async function ask(transport: 'messages' | 'page'): Promise<string> {
  const physics = await createPhysics({ transport, clock: 'manual', restart: false });
  const geometry = await physics.cookHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  physics.createBody({ position: [0, 1, 0], shape: { type: 'hull', geometry } });
  await physics.record();
  physics.setDebug({});
  await physics.step(60);
  physics.update();
  const recorded = (await physics.stopRecording()).length > 100;
  const answer = [geometry.hash, recorded, physics.debugLines.count, await physics.stateHash()].join(' ');
  physics.dispose();
  return answer;
}

/** What a step system said, whose code comes from a file of its own, too. */
export async function hearSystem(): Promise<unknown> {
  const physics = await createPhysics({ clock: 'manual', restart: false });
  const code = 'export default ({ post }) => ({ beforeStep: () => post(7) })';
  const system = await physics.addSystem('data:text/javascript,' + encodeURIComponent(code));
  const heard = new Promise((resolve) => system.on('message', resolve));
  await physics.step();
  const message = await heard;
  physics.dispose();
  return message;
}

/** How many threads share a heap of boxes, why no more, and the hash when it has fallen. */
export async function heap(threads: number): Promise<[number, string, string]> {
  const physics = await createPhysics({ threads, clock: 'manual', restart: false });
  // Helpers come while the world steps. The number of steps does not depend on how long that takes.
  for (let i = 0; i < 300; i++) {
    await physics.step();
    physics.update();
    if (physics.stats.threads < threads) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  physics.createBody({ type: 'static', shape: { type: 'plane' } });
  const shape = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
  for (let i = 0; i < 300; i++)
    physics.createBody({ position: [0.9 * (i % 6), 1 + Math.floor(i / 36), 0.9 * (Math.floor(i / 6) % 6)], shape });
  await physics.step(60);
  physics.update();
  const hash = String(await physics.stateHash());
  const { reason } = (await physics.getProfile()).threads;
  const count = physics.stats.threads;
  physics.dispose();
  return [count, reason, hash];
}
`;

/** Both examples in one page. */
const MAIN = `import { said } from './hear';
import './hello';
import './worker';
import { ask, heap, hearSystem } from './ask';
import { crateMesh } from './stage';

Object.assign(globalThis, { fresh: { said, ask, heap, hearSystem, height: () => crateMesh.position.y } });
`;

/** The same program without a page: what the worker's example does, but for drawing. */
const WITHOUT_PAGE = `import { said } from './hear.mjs';
import './hello.mjs';
import { ask } from './ask.mjs';

const answers = [await ask('messages'), await ask('page')];
process.stdout.write(JSON.stringify({ said, answers }) + '\\n');
`;

/** The examples have no types in them; the rest loses its own. */
const untyped = (code) =>
  code
    .replace(/: (unknown|string)\[\]/g, '')
    .replace(/: 'messages' \| 'page'/, '')
    .replace(/threads: number/, 'threads')
    .replace(/ as const/, '')
    .replace(/: Promise<[^>]*>/g, '');

/** Sources of a page that a bundler makes. */
export function pageSources(folder = 'src') {
  const at = (name) => join(folder, name);
  return {
    [at('hear.ts')]: HEAR,
    [at('hello.ts')]: example('hello'),
    [at('worker.ts')]: example('worker'),
    [at('stage.ts')]: example('stage'),
    [at('ask.ts')]: ASK,
    [at('main.ts')]: MAIN,
  };
}

/** Sources of a page without a bundler. */
export function plainSources(folder) {
  const sources = Object.entries(pageSources(folder));
  return Object.fromEntries(sources.map(([name, code]) => [name.replace(/ts$/, 'js'), untyped(code)]));
}

/** Sources of a program without a page. */
export const programSources = () => ({
  'hear.mjs': untyped(HEAR),
  'hello.mjs': example('hello'),
  'ask.mjs': untyped(ASK),
  'main.mjs': WITHOUT_PAGE,
});

/** Every entry, a few types that have to be what they say, and mistakes that have to be found. */
const TYPED = `import { PhysicsError, World } from 'ricochet';
import { fitCollider } from 'ricochet/geometry';
import { cookMesh } from 'ricochet/cooking';
import { createPhysics } from 'ricochet/worker';
import { Player, Recorder } from 'ricochet/replay';
import * as adapters from 'ricochet/three';
import * as debug from 'ricochet/debug';
import * as character from 'ricochet/character';
import Ammo from 'ricochet/ammo';

export const entries = [PhysicsError, fitCollider, cookMesh, Player, Recorder, adapters, debug, character];
const world = new World();
export const count: number = world.bodyCount;
export const saved: Blob = new Blob([world.snapshot()]);
// @ts-expect-error: a number
export const wrong: string = world.bodyCount;
// @ts-expect-error: no such shape
world.createBody({ shape: { type: 'ball', radius: 1 } });
// @ts-expect-error: a promise
createPhysics().update();

export async function facade() {
  const { ClosestRayResultCallback, btVector3 } = await Ammo();
  const ray: Ammo.ClosestRayResultCallback = new ClosestRayResultCallback(new btVector3(0, 1, 0), new btVector3(0, 0, 0));
  const fraction: number = ray.get_m_closestHitFraction();
  // @ts-expect-error: a number
  ray.set_m_collisionFilterMask('all');
  return fraction;
}
`;

/** Sources for a compiler alone, which may want the extension of a file. */
export const typedSources = () => ({
  'src/hello.ts': example('hello'),
  'src/worker.ts': example('worker').replace("'./stage'", "'./stage.js'"),
  'src/stage.ts': example('stage'),
  'src/entries.ts': TYPED,
});

/** An icon of its own: browsers ask for one, and a missing one is an error in the console. */
export const page = (head) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" href="data:," />
    <title>fresh</title>
  </head>
  <body>
    ${head}
  </body>
</html>
`;

export const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
