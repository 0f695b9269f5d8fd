// The demo page: `vite` serves demo/ while developing, `vite build` writes it to dist-demo/.
// The package's own name means its sources, so the page needs no build of the package.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Cross-origin isolation: precise clocks and shared memory where a later version uses it. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export const sources = {
  'ricochet/worker': path('./worker/client.ts'),
  'ricochet/cooking': path('./src/cooking/index.ts'),
  'ricochet/three': path('./src/three/index.ts'),
  'ricochet/debug': path('./src/debug/index.ts'),
  'ricochet/replay': path('./src/replay/index.ts'),
  'ricochet/ammo': path('./src/ammo/index.ts'),
  ricochet: path('./src/index.ts'),
};

export default defineConfig({
  root: path('./demo'),
  base: './',
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
        index: path('./demo/index.html'),
        ammo: path('./demo/ammo.html'),
        determinism: path('./demo/determinism.html'),
        snippet: path('./demo/snippet.html'),
        torture: path('./demo/torture.html'),
      },
    },
  },
});
