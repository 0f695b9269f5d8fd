// Where a page comes from: under a strict content security policy, and from a static host that sends no headers.
// In: the built torture page. Out: that it runs, over which transport, and what it says where it cannot.
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { build as rolldown } from 'rolldown';
import { build as bundle, createLogger } from 'vite';
import { describe, expect } from 'vitest';
import type { PhysicsStats } from '../../worker/client';
import { read, root } from '../sources';
import { browserTest } from './support/chromium';
import { type StaticServer, serveDemo, serveFolder } from './support/server';
import { useSite } from './support/site';

declare global {
  interface Window {
    stats: () => PhysicsStats;
    cooked: Promise<string>;
    asked: () => Promise<unknown[]>;
  }
}

/** docs/worker.md: nothing but scripts and workers of the page's own origin, and WebAssembly; styles are the demo's. */
const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'unsafe-inline'; img-src data:";

const runs = (page: Page) => page.waitForFunction(() => window.torture?.physics.stats.steps > 20);

describe('hosting', () => {
  const site = useSite();

  async function at(
    server: StaticServer,
    query: string,
    use: (page: Page, complaints: string[]) => Promise<void>,
  ): Promise<void> {
    const { page, complaints } = await site.empty();
    await page.goto(`${server.url}torture.html${query}`);
    await use(page, complaints);
  }

  browserTest('a strict policy: runs over every transport, with WebAssembly and no eval', async () => {
    const server = await site.serve(serveDemo(true, { 'Content-Security-Policy': STRICT }));
    for (const transport of ['shared', 'messages', 'page'])
      await at(server, `?transport=${transport}`, async (page, complaints) => {
        await runs(page);
        expect(await page.evaluate(() => window.torture.physics.transport)).toBe(transport);
        // The policy is in force: asked in a task of its own, because the debugger's own calls may use eval.
        const evil = await page.evaluate(
          () =>
            new Promise((resolve) => {
              setTimeout(() => {
                try {
                  resolve(new Function('return 1')());
                } catch (error) {
                  resolve((error as Error).name);
                }
              });
            }),
        );
        expect(evil).toBe('EvalError');
        expect(complaints).toEqual([]);
      });
  });

  browserTest('a policy without WebAssembly: says so, at once, by a typed error', async () => {
    const policy = STRICT.replace(" 'wasm-unsafe-eval'", '');
    const server = await site.serve(serveDemo(true, { 'Content-Security-Policy': policy }));
    for (const transport of ['shared', 'page'])
      await at(server, `?transport=${transport}`, async (_page, complaints) => {
        await expect.poll(() => complaints.find((text) => text.startsWith('uncaught'))).toBeTruthy();
        const text = complaints.find((line) => line.startsWith('uncaught'));
        expect(text).toContain('the core could not be compiled');
        expect(text).toContain('Content Security Policy');
      });
  });

  browserTest(
    'a bundler without settings: the example of the README, whole, without a warning, over every transport',
    async () => {
      const folder = join(root, 'test/out/bundled');
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      symlinkSync(root, join(folder, 'node_modules/ricochet')); // found as users find it
      writeFileSync(
        join(folder, 'index.html'),
        '<!doctype html><link rel="icon" href="data:,"><script type="module" src="worker.ts"></script>',
      );
      writeFileSync(join(folder, 'stage.ts'), read('docs/snippets/stage.ts'));
      writeFileSync(
        join(folder, 'worker.ts'),
        read('docs/snippets/worker.ts').replace(
          'physics.start();',
          `physics.start();
          window.stats = () => physics.stats;
          window.cooked = physics.cookHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]).then(({ hash }) => hash);`,
        ),
      );
      const warnings: string[] = [];
      const warn = (text: string) => void warnings.push(text);
      const customLogger = { ...createLogger('warn'), warn, warnOnce: warn };
      // Classic scripts as workers are Vite's default.
      const build = { outDir: join(folder, 'dist'), chunkSizeWarningLimit: 2000 };
      await bundle({ root: folder, configFile: false, logLevel: 'silent', customLogger, build });
      expect(warnings.filter((text) => !text.includes('PLUGIN_TIMINGS'))).toEqual([]);
      const files = readdirSync(join(folder, 'dist/assets'));
      for (const worker of ['physics.worker', 'cooking.worker'])
        expect(files.filter((name) => name.startsWith(worker))).toHaveLength(1);

      for (const isolated of [true, false]) {
        const server = await site.serve(serveFolder(join(folder, 'dist'), isolated));
        const { page, complaints } = await site.empty(320, 240);
        await page.goto(server.url);
        await page.waitForFunction(() => window.stats?.().steps > 5);
        expect(await page.evaluate(() => window.cooked)).toMatch(/^[0-9a-f]{16}$/);
        expect(complaints).toEqual([]);
      }
    },
  );

  browserTest('a frame in a sandbox, of no origin: a world in a worker runs and cooks there', async () => {
    const folder = join(root, 'test/out/sandbox');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(root, 'dist'), join(folder, 'ricochet'));
    symlinkSync(join(root, 'node_modules/comlink/dist/esm/comlink.mjs'), join(folder, 'comlink.js'));
    const icon = '<!doctype html><link rel="icon" href="data:,">';
    writeFileSync(
      join(folder, 'index.html'),
      `${icon}<iframe sandbox="allow-scripts" src="frame.html"></iframe>`,
    );
    writeFileSync(
      join(folder, 'frame.html'),
      `${icon}<script type="importmap">{ "imports": { "comlink": "./comlink.js" } }</script>
      <script type="module">
        import { createPhysics } from './ricochet/worker.js';
        const physics = await createPhysics();
        await physics.start();
        window.stats = () => (physics.update(), physics.stats);
        window.cooked = physics.cookHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]).then(({ hash }) => hash);
      </script>`,
    );
    const server = await site.serve(serveFolder(folder, false, { 'Access-Control-Allow-Origin': '*' }));
    const { page, complaints } = await site.empty(320, 240);
    await page.goto(server.url);
    const frame = page.frames()[1] as Frame;
    await frame.waitForFunction(() => window.stats?.().steps > 5);
    expect(await frame.evaluate(() => [origin, typeof window.cooked])).toEqual(['null', 'object']);
    expect(await frame.evaluate(() => window.cooked)).toMatch(/^[0-9a-f]{16}$/);
    expect(complaints).toEqual([]);
  });

  /** A folder with the package and what it needs, and a script that asks for everything that comes from further files. */
  function askingFolder(name: string, imported: string, options = ''): string {
    const folder = join(root, 'test/out', name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(root, 'dist'), join(folder, 'ricochet'));
    symlinkSync(join(root, 'node_modules/comlink/dist/esm/comlink.mjs'), join(folder, 'comlink.js'));
    writeFileSync(
      join(folder, 'asking.js'),
      `import { createPhysics } from '${imported}';
      globalThis.asked = async () => {
        const physics = await createPhysics({ clock: 'manual', restart: false, threads: 2, ${options} });
        for (let i = 0; i < 300 && physics.stats.threads < 2; i++) {
          await physics.step();
          physics.update();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        await physics.record();
        const code = 'export default ({ post }) => ({ beforeStep: () => post(7) })';
        const system = await physics.addSystem('data:text/javascript,' + encodeURIComponent(code));
        const heard = new Promise((resolve) => system.on('message', resolve));
        await physics.step();
        const { transport, stats } = physics;
        const said = [transport, stats.threads, await heard, (await physics.stopRecording()).length > 100];
        physics.dispose();
        return said;
      };`,
    );
    return folder;
  }

  /** The package in one module, as bundlers make it that ship no other files. */
  const bundleInto = (folder: string) =>
    rolldown({
      input: join(root, 'dist/worker.js'),
      output: { dir: join(folder, 'bundle') },
      logLevel: 'silent',
    });

  async function ask(folder: string, html: string): Promise<unknown> {
    writeFileSync(join(folder, 'index.html'), `<!doctype html><link rel="icon" href="data:,">${html}`);
    const server = await site.serve(serveFolder(folder, true));
    const { page, complaints } = await site.empty(320, 240);
    await page.goto(server.url);
    const said = await page.evaluate(() => window.asked());
    expect(complaints).toEqual([]);
    return said;
  }
  const MODULE = '<script type="module" src="asking.js"></script>';
  const EVERYTHING = ['shared', 2, 7, true];

  browserTest(
    'files of another origin, as of a content delivery network: tools, systems, threads',
    async () => {
      const headers = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
      const files = await site.serve(serveFolder(askingFolder('elsewhere', ''), false, headers));
      const map = `<script type="importmap">{ "imports": { "comlink": "${files.url}comlink.js" } }</script>`;
      const folder = askingFolder('apart', `${files.url}ricochet/worker.js`);
      expect(await ask(folder, map + MODULE)).toEqual(EVERYTHING);
    },
  );

  // The page knows no address then. The worker does.
  browserTest("a bundle that ships no files, and a worker of the user's own making", async () => {
    const factory = "workerFactory: () => new Worker('/ricochet/physics.worker.js', { type: 'module' })";
    const folder = askingFolder('factory', './bundle/worker.js', factory);
    await bundleInto(folder);
    expect(await ask(folder, MODULE)).toEqual(EVERYTHING);
  });

  browserTest('from within a worker, which draws on an OffscreenCanvas', async () => {
    const folder = askingFolder('within', './bundle/worker.js');
    await bundleInto(folder);
    writeFileSync(
      join(folder, 'drawing.js'),
      "import './asking.js';\nonmessage = async () => postMessage(await asked());",
    );
    const html = `<script>
      window.asked = () => new Promise((resolve) => {
        const worker = new Worker('drawing.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.postMessage('');
      });
    </script>`;
    expect(await ask(folder, html)).toEqual(EVERYTHING);
  });

  browserTest('a static host without headers: messages, or shared memory by the service worker', async () => {
    const server = await site.serve(serveDemo(false));
    await at(server, '', async (page) => {
      await runs(page);
      expect(await page.evaluate(() => [window.torture.physics.transport, crossOriginIsolated])).toEqual([
        'messages',
        false,
      ]);
    });
    await at(server, '?isolate=1', async (page, complaints) => {
      await page.waitForFunction(() => crossOriginIsolated);
      await runs(page);
      expect(await page.evaluate(() => window.torture.physics.transport)).toBe('shared');
      // Once for all: the next visit is isolated from its first request.
      await page.reload();
      await runs(page);
      expect(await page.evaluate(() => window.torture.physics.transport)).toBe('shared');
      expect(complaints).toEqual([]);
    });
  });
});
