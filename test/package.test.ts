// The published package as its users see it: built by `npm run build` (npm test does), reached under its
// own name through the exports map, in plain Node without any bundler.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect } from 'vitest';
import { World } from '../src/index';
import { CORE_WASM } from '../src/wasm/core-wasm';
import { THREADS_WASM } from '../src/wasm/threads-wasm';
import { ordinaryCoreOnly } from './sanitize/onSanitizer';
import { read, root } from './sources';

const test = ordinaryCoreOnly('it looks at the package, which has the ordinary core');

/** What only a script with the engine in it contains. */
const CORE_START = CORE_WASM.slice(0, 200);
/** Long enough to be unlike the plain core, and without a character that a text has to escape. */
const THREADS_START = /[\w ;:,.]{40,}/.exec(THREADS_WASM)?.[0] as string;

const manifest = JSON.parse(read('package.json'));
const built = existsSync(join(root, 'dist/index.js'));

test.runIf(built)('every file that package.json promises exists', () => {
  const promised = new Set<string>([manifest.main, manifest.types]);
  const promise = (entry: string | object): void => {
    if (typeof entry === 'string') promised.add(entry);
    else for (const inner of Object.values(entry)) promise(inner);
  };
  promise(manifest.exports);
  promise(manifest.typesVersions);
  expect([...promised].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('compilers that do not read `exports`, with moduleResolution node10, find the declarations of every entry', () => {
  const declared = Object.entries(manifest.exports as Record<string, { types?: string }>)
    .filter(([path, { types }]) => path !== '.' && types !== undefined)
    .map(([path, { types }]) => [path.slice(2), [types]]);
  expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(declared) });
});

test.runIf(built)(
  'what a World loads has no `import.meta`, so that Jest with Babel can make it CommonJS',
  () => {
    const files = new Set(['index.js']);
    for (const file of files) {
      const code = readFileSync(join(root, 'dist', file), 'utf8');
      for (const [, next] of code.matchAll(/^(?:import|export)\b[^'"]*["']\.\/([\w.-]+)["']/gm))
        files.add(next as string);
      expect(code, file).not.toContain('import.meta');
    }
    expect(files.size).toBeGreaterThan(5);
  },
);

test.runIf(built)('the package under its own name computes what its sources compute', () => {
  const program = `
    import { World } from 'ricochet';
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 20; i++)
      world.createBody({ position: [0.1 * i, 1 + 1.1 * i, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } });
    for (let i = 0; i < 200; i++) world.step(1 / 60);
    console.log(String(world.stateHash()));`;
  const hash = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < 20; i++)
    world.createBody({
      position: [0.1 * i, 1 + 1.1 * i, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
  for (let i = 0; i < 200; i++) world.step(1 / 60);
  expect(hash).toBe(String(world.stateHash()));
});

test.runIf(built)('the geometry toolkit runs on its own: no file that it loads has the engine', () => {
  const program = `
    import { fitCollider, minimalSphere } from 'ricochet/geometry';
    console.log(minimalSphere([0, 0, 0, 2, 0, 0]).radius, fitCollider([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3], 'hull').type);`;
  const args = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim()).toBe('1 hull');
  const files = ['./geometry.js'];
  for (const file of files) {
    const code = readFileSync(join(root, 'dist', file), 'utf8');
    expect(code, file).not.toContain(CORE_START);
    for (const [, name] of code.matchAll(/^(?:import|export)[^;]*?['"](\.[^'"]+)['"];$/gm))
      if (!files.includes(name as string)) files.push(name as string);
  }
  expect(files.length).toBeGreaterThan(1);
});

test.runIf(built)('a world in the page itself answers as one in a worker, with the same errors', () => {
  const program = `
    import { PhysicsError } from 'ricochet';
    import { createPhysics } from 'ricochet/worker';
    const said = [];
    for (const transport of ['page', 'messages']) {
      const physics = await createPhysics({ transport });
      const geometry = await physics.cookHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
      const body = physics.createBody({ position: [0, 1, 0], shape: { type: 'hull', geometry } });
      const module = 'export default ({ post }) => ({ beforeStep: () => post(7) })';
      const system = await physics.addSystem('data:text/javascript,' + encodeURIComponent(module));
      let heard = 0;
      system.on('message', (message) => (heard = message));
      await physics.record({ compress: false });
      physics.setDebug({});
      const error = await physics.cookMesh({}).catch((e) => e);
      await physics.step(60);
      physics.update();
      const tools = [physics.debugLines.count, (await physics.stopRecording()).length];
      while (heard !== 7) await new Promise((resolve) => setTimeout(resolve, 5));
      const steps = [await physics.stateHash(), error instanceof PhysicsError, error.code, error.argument];
      said.push(String([geometry.hash, body.isAwake(), ...tools, ...steps]));
      physics.dispose();
    }
    console.log(JSON.stringify(said));`;
  const file = join(root, 'test/out/page.mjs'); // workers do not take --input-type
  mkdirSync(join(root, 'test/out'), { recursive: true });
  writeFileSync(file, program);
  const [page, worker] = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
  expect(page).toBe(worker);
  expect(page).toMatch(/^\w+,true,6,\d{3,},\w+,true,invalid-argument/); // six edges
});

test.runIf(built)('a bundle of one file, without the files of the package, has several threads', async () => {
  const folder = join(root, 'test/out/one-file');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { createPhysics } from 'ricochet/worker';
    for (const threads of [1, 2]) {
      const physics = await createPhysics({ threads, clock: 'manual' });
      for (let i = 0; i < 300; i++) {
        await physics.step();
        physics.update();
        if (physics.stats.threads < threads) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      physics.createBody({ type: 'static', shape: { type: 'plane' } });
      for (let i = 0; i < 100; i++)
        physics.createBody({ position: [i % 10, 1 + i / 20, 0], shape: { type: 'sphere', radius: 0.5 } });
      await physics.step(60);
      physics.update();
      const { count, reason } = (await physics.getProfile()).threads;
      console.log([count, reason, await physics.stateHash()].join());
      physics.dispose();
    }`,
  );
  const build = await rolldown({ input: join(folder, 'main.mjs'), cwd: root, platform: 'node' });
  await build.write({ file: join(folder, 'bundle.mjs'), format: 'es', codeSplitting: false });
  await build.close();
  const printed = execFileSync(process.execPath, [join(folder, 'bundle.mjs')], { encoding: 'utf8' });
  const [one, two] = printed.trim().split('\n');
  expect(one).toMatch(/^1,,\w+$/);
  expect(two).toBe(one!.replace('1', '2'));
});

/** Runs a program for ammo.js and returns what it printed. */
function runAmmo(load: string, kind: 'module' | 'commonjs'): string {
  const program = `${load}
    Promise.resolve(factory()).then((Ammo) => {
      const configuration = new Ammo.btDefaultCollisionConfiguration();
      const world = new Ammo.btDiscreteDynamicsWorld(new Ammo.btCollisionDispatcher(configuration),
        new Ammo.btDbvtBroadphase(), new Ammo.btSequentialImpulseConstraintSolver(), configuration);
      const state = new Ammo.btDefaultMotionState(new Ammo.btTransform(new Ammo.btQuaternion(0, 0, 0, 1), new Ammo.btVector3(0, 1, 0)));
      const body = new Ammo.btRigidBody(new Ammo.btRigidBodyConstructionInfo(1, state, new Ammo.btSphereShape(1), new Ammo.btVector3(1, 1, 1)));
      world.addRigidBody(body);
      for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 1);
      let error = '';
      try { body.setFriction(undefined); } catch (e) { error = e.message; }
      console.log(body.getWorldTransform().getOrigin().y().toFixed(3), error);
    });`;
  return execFileSync(process.execPath, [`--input-type=${kind}`, '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

test.runIf(built)(
  'ricochet/ammo is loaded by import, by require and by a script, and is the same each time',
  () => {
    const imported = runAmmo("import factory from 'ricochet/ammo';", 'module');
    // The closed form 1 − g/2·t² after a second, which the default solver integrates exactly.
    expect(imported).toMatch(/^-4\.000 btRigidBody\.setFriction: frict/);
    expect(runAmmo("const factory = require('ricochet/ammo');", 'commonjs')).toBe(imported);
    const script = JSON.stringify(join(root, 'dist/ammo.global.js'));
    const asScript = `const vm = require('node:vm');
      const page = vm.createContext({ WebAssembly, TextDecoder, TextEncoder, atob });
      vm.runInContext(require('node:fs').readFileSync(${script}, 'utf8'), page);
      const factory = () => vm.runInContext('Ammo()', page);`;
    expect(runAmmo(asScript, 'commonjs')).toBe(imported);
  },
);

test.runIf(built)('the declarations type-check for a strict user of the package', () => {
  const folder = join(root, 'test/out/consumer');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/ricochet')); // found as users find it
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  // The examples of the README are what a user writes.
  for (const name of ['hello', 'worker', 'geometry', 'stage'])
    writeFileSync(
      join(folder, `${name}.ts`),
      read(`docs/snippets/${name}.ts`).replace("'./stage'", "'./stage.js'"),
    );
  writeFileSync(
    join(folder, 'mistakes.ts'),
    `import { World } from 'ricochet';
     import { createPhysics } from 'ricochet/worker';
     import Ammo from 'ricochet/ammo';
     export const ray: Ammo.ClosestRayResultCallback = new (await Ammo()).ClosestRayResultCallback(
       new (await Ammo()).btVector3(0, 1, 0), new (await Ammo()).btVector3(0, 0, 0));
     export const fraction: number = ray.get_m_closestHitFraction();
     // @ts-expect-error: a number
     ray.set_m_collisionFilterMask('all');
     const world = new World();
     export const count: number = world.bodyCount;
     // @ts-expect-error: a number
     export const wrong: string = world.bodyCount;
     // @ts-expect-error: no such shape
     world.createBody({ shape: { type: 'ball', radius: 1 } });
     // @ts-expect-error: a promise
     createPhysics().update();`,
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    skipLibCheck: true, // three's are not ours to judge
  };
  const configuration = { compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration, null, 2));
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

/** What a page gets for `import 'ricochet/worker'` after its own bundler; parts loaded on request are left out. */
async function clientBundle(): Promise<string> {
  const build = await rolldown({ input: join(root, 'dist/worker.js'), cwd: root, platform: 'browser' });
  const { output } = await build.generate({ format: 'es', minify: true });
  await build.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  const names = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  for (const name of names)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      if (!names.includes(next)) names.push(next);
  return chunks
    .filter(({ fileName }) => names.includes(fileName))
    .map(({ code }) => code)
    .join('\n');
}

test.runIf(built)(
  'what a page loads has no engine in it, and with worker and core 200 KB gzip at most',
  async () => {
    const client = await clientBundle();
    expect(client).toContain('Worker(');
    expect(client).not.toContain(CORE_START);
    // Neither does it load the core on several threads, as a text or otherwise, before it is asked for.
    expect(readFileSync(join(root, 'dist/threads.text.js'), 'utf8')).toContain(THREADS_START);
    expect(client).not.toContain(THREADS_START);
    const worker = readFileSync(join(root, 'dist/physics.worker.js'), 'utf8');
    expect(worker).toContain(CORE_START);
    // Calls are checked, and hulls cooked, on the page's side.
    expect(client).toContain('must hold x, y, z of each point');
    expect(worker).not.toContain('must hold x, y, z of each point');
    // Tools come when they are asked for, and no bundler makes a chunk of them: Vite's workers can have none.
    const tools = readFileSync(join(root, 'dist/physics.tools.js'), 'utf8');
    for (const word of ['keyframeEvery', '16776960' /* ffff00, a colour of lines */]) {
      expect(tools).toContain(word);
      expect(worker).not.toContain(word);
    }
    expect(client).toMatch(/new URL\([`'"]\.\/physics\.tools\.js[`'"],import\.meta\.url\)/);
    expect(worker).toMatch(/import\(\/\* webpackIgnore: true \*\/ \/\* @vite-ignore \*\/\w+\|\|new URL\(/);
    const kilobytes = [client, worker].map((code) => gzipSync(code).length / 1024);
    console.log(
      `gzip: client ${kilobytes[0]!.toFixed(2)} KB, worker with core ${kilobytes[1]!.toFixed(2)} KB`,
    );
    expect(kilobytes[0]! + kilobytes[1]!).toBeLessThan(200);
  },
);
