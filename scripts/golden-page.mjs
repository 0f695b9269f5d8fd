// The golden scenes for a browser: bundled, and served with the headers that shared memory asks for. In: nothing. Out:
// an address, and what a page that was opened with ?report posts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, '.cache/golden-page');

const alias = {
  'ricochet/replay': join(root, 'src/replay/index.ts'),
  'ricochet/worker': join(root, 'worker/client.ts'),
  ricochet: join(root, 'src/index.ts'),
};

async function bundle(input) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'neutral',
    external: [/^node:/],
    resolve: { mainFields: ['module', 'main'], alias },
    logLevel: 'silent',
  });
  await build.write({ dir: folder, format: 'es', entryFileNames: '[name].mjs' });
  await build.close();
}

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cache-Control': 'no-store',
};

/** @returns {Promise<{ url: string, reports: (report: unknown) => void, close: () => void }>} */
export async function serveGolden(onReport = () => {}) {
  mkdirSync(folder, { recursive: true });
  await bundle({ page: 'test/browser/golden/page.ts' });
  await bundle({ 'physics.worker': 'worker/physics.worker.ts' });
  await bundle({ threads: 'test/browser/golden/threads.ts' });
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="./page.mjs"></script>',
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    if (request.method === 'POST') {
      const pieces = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', () => {
        response.writeHead(204, HEADERS).end();
        onReport(JSON.parse(Buffer.concat(pieces).toString()));
      });
      return;
    }
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const path = name === 'golden.json' ? 'test/determinism/golden.json' : `.cache/golden-page/${name}`;
    if (!/^[\w.-]+$/.test(name)) return void response.writeHead(404).end();
    try {
      const body = readFileSync(join(root, path));
      const type = name.endsWith('.html')
        ? 'text/html'
        : name.endsWith('.json')
          ? 'application/json'
          : 'text/javascript';
      response.writeHead(200, { ...HEADERS, 'Content-Type': type }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
