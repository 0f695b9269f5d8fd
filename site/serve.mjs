// Serves site/dist as a plain static host would, at a path that the build knows nothing of. In: a port (0: any). Out: its
// address. `node site/serve.mjs` keeps it open.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const folder = fileURLToPath(new URL('./dist', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};

/** @returns {Promise<{ url: string, close: () => void }>} */
export async function serveSite(port = 0, prefix = '/some/where/') {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    if (!pathname.startsWith(prefix)) {
      response.writeHead(pathname === '/' ? 302 : 404, pathname === '/' ? { Location: prefix } : {}).end();
      return;
    }
    const path = normalize(decodeURIComponent(pathname.slice(prefix.length)));
    const file = join(folder, path === '.' || path.endsWith('/') ? join(path, 'index.html') : path);
    const there = file.startsWith(folder) && existsSync(file) && statSync(file).isFile();
    const send = there ? file : join(folder, '404.html');
    const type = TYPES[extname(send)] ?? 'application/octet-stream';
    const zip = /text|json|svg|wasm/.test(type) && /gzip/.test(request.headers['accept-encoding'] ?? '');
    response.writeHead(there ? 200 : 404, {
      'Content-Type': type,
      'Cache-Control': 'max-age=600',
      ...(zip ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}),
    });
    const stream = createReadStream(send);
    (zip ? stream.pipe(createGzip()) : stream).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveSite(Number(process.env.PORT ?? 4180));
  console.log(url);
}
