// The demo page: `vite` serves demo/ while developing, `vite build` writes it to dist-demo/.
// The package's own name means its sources, so the page needs no build of the package.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Cross-origin isolation: precise clocks and shared memory where a later version uses it. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export const sources = {
  'ricochet/worker': path('./worker/client.ts'),
  'ricochet/cooking': path('./src/cooking/index.ts'),
  'ricochet/geometry': path('./src/geometry/index.ts'),
  'ricochet/three': path('./src/three/index.ts'),
  'ricochet/debug': path('./src/debug/index.ts'),
  'ricochet/replay': path('./src/replay/index.ts'),
  'ricochet/character': path('./src/character/index.ts'),
  'ricochet/vehicle': path('./src/vehicle/index.ts'),
  'ricochet/ammo': path('./src/ammo/index.ts'),
  'ricochet/babylon': path('./src/babylon/index.ts'),
  'ricochet/playcanvas': path('./src/playcanvas/index.ts'),
  'ricochet/react': path('./src/react/index.ts'),
  'ricochet/urdf': path('./src/urdf/index.ts'),
  'ricochet/ragdoll': path('./src/ragdoll/index.ts'),
  'ricochet/warmup': path('./src/warmup/index.ts'),
  'ricochet/threads': path('./src/threads/index.ts'),
  'ricochet/net': path('./src/net/index.ts'),
  'ricochet/colyseus': path('./src/colyseus/index.ts'),
  'ricochet/bullet-file': path('./src/bulletFile/index.ts'),
  'ricochet/gltf': path('./src/gltf/index.ts'),
  ricochet: path('./src/index.ts'),
};

/**
 * The benchmark's peers are dependencies of bench/ only. One that is not installed stays a bare import, which fails
 * when its engine is chosen, and only then.
 */
const PEERS = Object.keys(JSON.parse(readFileSync(path('./bench/package.json'), 'utf8')).dependencies);
const peers: Plugin = {
  name: 'peers',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const isPeer = PEERS.some((name) => source === name || source.startsWith(`${name}/`));
    if (!isPeer || (await this.resolve(source, importer, { ...options, skipSelf: true }))) return null;
    return { id: source, external: true };
  },
};
export default defineConfig({
  root: path('./demo'),
  base: './',
  plugins: [peers],
  resolve: { alias: sources },
  server: { headers: isolation, port: 5173 },
  preview: { headers: isolation, port: 4173 },
  worker: { format: 'es' },
  optimizeDeps: {
    // Known beforehand, so that the first visit is not interrupted by a reload.
    include: [
      'three/addons/physics/AmmoPhysics.js',
      'cannon-es',
      'cannon-es-debugger',
      'comlink',
      'lil-gui',
      'react',
      'react/jsx-runtime',
      '@react-three/fiber',
      'stats.js',
      'three',
      'three/examples/jsm/controls/OrbitControls.js',
    ],
  },
  build: {
    outDir: path('./dist-demo'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: {
        babylon: path('./demo/babylon.html'),
        bench: path('./demo/bench.html'),
        index: path('./demo/index.html'),
        ammo: path('./demo/ammo.html'),
        compare: path('./demo/compare.html'),
        character: path('./demo/character.html'),
        determinism: path('./demo/determinism.html'),
        driving: path('./demo/driving.html'),
        harbour: path('./demo/harbour.html'),
        playcanvas: path('./demo/playcanvas.html'),
        ragdolls: path('./demo/ragdolls.html'),
        react: path('./demo/react.html'),
        rooms: path('./demo/rooms.html'),
        siege: path('./demo/siege.html'),
        snippet: path('./demo/snippet.html'),
        torture: path('./demo/torture.html'),
      },
    },
  },
});
