// Demos of @react-three/rapier with their import changed to ricochet/react. In: a clone of github.com/pmndrs/react-three-rapier
// (its git directory will do). Out: pictures of each demo on both libraries in test/out/react-demos, and what the console
// said; with status 1 if a demo fails on ours. Only the page around the demos is ours: theirs loads a sky from the network.
//
//   node scripts/frameworks/react-demos.mjs path/to/react-three-rapier [demo…]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, HOW_TO_FIX, launch } from './browser.mjs';
import { servePages, visit } from './pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'test/out/react-demos');
const [, , clone, ...asked] = process.argv;
if (clone === undefined) {
  console.error('usage: node scripts/frameworks/react-demos.mjs path/to/react-three-rapier [demo…]');
  process.exit(2);
}

/** Folder, file, export. */
const DEMOS = {
  transforms: ['transforms/TransformsExample', 'Transforms'],
  cradle: ['cradle/CradleExample', 'CradleExample'],
  joints: ['joints/JointsExample', 'Joints'],
  kinematics: ['kinematics/KinematicsExample', 'Kinematics'],
  damping: ['damping/DampingExample', 'Damping'],
  sensors: ['sensors/SensorsExample', 'SensorsExample'],
  'collision-events': ['collision-events/CollisionEventsExample', 'CollisionEventsExample'],
  'contact-force-events': ['contact-force-events/ContactForceEventsExample', 'ContactForceEventsExample'],
  'locked-transforms': ['locked-transforms/LockedTransformsExample', 'LockedTransformsExample'],
  'rope-joint': ['rope-joint/RopeJointExample', 'RopeJointExample'],
  'api-usage': ['api-usage/ApiUsageExample', 'ApiUsage'],
  colliders: ['colliders/CollidersExample', 'Colliders'],
  'all-shapes': ['all-shapes/AllShapesExample', 'AllShapesExample'],
  cluster: ['cluster/ClusterExample', 'Cluster'],
};
const names = asked.length > 0 ? asked : Object.keys(DEMOS);

const git = (...args) => execFileSync('git', ['-C', clone, ...args], { maxBuffer: 1e9 });
rmSync(join(out, 'demo'), { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const path of git('ls-tree', '-r', '--name-only', 'HEAD', 'demo/src').toString().trim().split('\n')) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), git('show', `HEAD:${path}`));
}

const lazy = names.map((name) => {
  const [file, exported] = DEMOS[name];
  return `  '${name}': lazy(async () => ({ default: (await import('./examples/${file}')).${exported} })),`;
});
writeFileSync(
  join(out, 'demo/src/App.tsx'),
  `import { Box, OrbitControls } from '@react-three/drei';
import { Canvas, useFrame } from '@react-three/fiber';
import { Physics, RigidBody } from '@react-three/rapier';
import { createContext, lazy, StrictMode, Suspense, useContext, useRef } from 'react';

export interface Demo { (props: any): any }
const demoContext = createContext<any>({});
export const useDemo = () => useContext(demoContext);
const demos: Record<string, any> = {
${lazy.join('\n')}
};
const Count = () => {
  useFrame(() => { (window as any).frameCount = ((window as any).frameCount ?? 0) + 1; });
  return null;
};
export const App = () => {
  const orbitControlRef = useRef<any>(null);
  const Shown = demos[new URLSearchParams(location.search).get('demo')!];
  return (
    <div style={{ position: 'fixed', inset: 0, background: '#cde' }}>
      <Canvas dpr={1}>
        <StrictMode>
          <Suspense fallback={null}>
            <Physics timeStep={1 / 60}>
              <directionalLight position={[10, 10, 10]} intensity={2} />
              <ambientLight intensity={1} />
              <OrbitControls ref={orbitControlRef} />
              <demoContext.Provider value={{ setDebug() {}, setPaused() {}, setCameraEnabled() {}, orbitControlRef }}>
                <Shown />
              </demoContext.Provider>
              <RigidBody type="fixed" colliders="cuboid" name="floor">
                <Box position={[0, -17.55, 0]} scale={[200, 10, 200]}><meshStandardMaterial color="#bca" /></Box>
              </RigidBody>
              <Count />
            </Physics>
          </Suspense>
        </StrictMode>
      </Canvas>
    </div>
  );
};
`,
);
writeFileSync(
  join(out, 'demo/src/main.tsx'),
  `import { createRoot } from 'react-dom/client';
import { useGLTF } from '@react-three/drei';
import { App } from './App';
useGLTF.setDecoderPath('./draco/');
createRoot(document.querySelector('.root')!).render(<App />);
`,
);
writeFileSync(
  join(out, 'demo/index.html'),
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div class="root"></div><script type="module" src="./src/main.tsx"></script>\n',
);
writeFileSync(
  join(out, 'demo/tsconfig.json'),
  '{ "compilerOptions": { "jsx": "react-jsx", "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler" } }\n',
);
if (!existsSync(join(out, 'node_modules/leva'))) {
  const version = (name) =>
    JSON.parse(readFileSync(join(root, `node_modules/${name}/package.json`), 'utf8')).version;
  const own = ['react', 'three', '@react-three/fiber'].map((name) => [name, version(name)]);
  const dependencies = {
    ...Object.fromEntries(own),
    'react-dom': version('react'),
    '@react-three/rapier': version('@react-three/rapier'),
    '@react-three/drei': '^10',
    leva: '^0.10',
    'three-stdlib': '^2',
  };
  writeFileSync(
    join(out, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }, null, 2),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
    cwd: out,
    stdio: 'inherit',
  });
}

// The models are compressed, and the decoder would come from the network.
cpSync(join(out, 'node_modules/three/examples/jsm/libs/draco/gltf'), join(out, 'demo/public/draco'), {
  recursive: true,
});

const shared = ['react', 'react-dom', 'three', '@react-three/fiber'];
const alias = [
  // One React and one three for what is here and what is there.
  ...shared.map((name) => ({
    find: new RegExp(`^${name}(/.*)?$`),
    replacement: `${join(out, 'node_modules', name)}$1`,
  })),
];
const ours = { find: '@react-three/rapier', replacement: join(root, 'src/react/index.ts') };

const browser = await launch();
if (browser === null) {
  console.error(HOW_TO_FIX);
  process.exit(1);
}
let failures = 0;
for (const engine of ['ricochet', 'rapier']) {
  const server = await servePages({
    folder: join(out, 'demo'),
    out: join(out, `dist-${engine}`),
    alias: engine === 'ricochet' ? [ours, ...alias] : alias,
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
  });
  for (const name of names) {
    const { state, wrong } = await visit(browser, `${server.address}?demo=${name}`, {
      picture: join(out, `${name}-${engine}.png`),
      async watch(page) {
        await page.waitForFunction(() => window.frameCount > 60, undefined, { timeout: 120_000 });
        await page.waitForTimeout(2000);
      },
    });
    if (engine === 'ricochet' && wrong) failures++;
    console.log(`${engine.padEnd(9)}${name.padEnd(22)}${state}`);
  }
  await server.close();
}
await close(browser);
process.exit(failures > 0 ? 1 : 0);
