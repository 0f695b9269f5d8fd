// A-Frame with its physics system, both unmodified, as a page loads them by script tags: once with ricochet/ammo and
// once with ammo.js. In: a scene in HTML. Out: where its bodies come to rest, and which met.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

// biome-ignore lint/suspicious/noExplicitAny: A-Frame's elements
type Any = any;

const MODULES = join(root, 'node_modules');
/** Address of each file that the page asks for. */
const FILES: Record<string, string> = {
  'ricochet.js': join(root, 'dist/ammo.global.js'),
  'bullet.js': join(MODULES, 'ammojs-typed/ammo/ammo.wasm.js'),
  'ammo.wasm.wasm': join(MODULES, 'ammojs-typed/ammo/ammo.wasm.wasm'),
  'aframe.js': join(MODULES, 'aframe/dist/aframe-master.min.js'),
  'physics.js': join(MODULES, 'aframe-physics-system/dist/aframe-physics-system.min.js'),
};

/** Members of the fork that the physics system was written for: ammo.js lacks them, and the system stops without. */
const FORK = `
  const make = Ammo;
  globalThis.Ammo = () => make().then((module) => {
    module.btDiscreteDynamicsWorld.prototype.setForceUpdateAllAabbs ??= () => {};
    module.btTransform.prototype.invert ??= module.btTransform.prototype.inverse;
    return module;
  });`;

const moving = (id: string, tag: string, position: string, body = '', shape = '') =>
  `<${tag} id="${id}" position="${position}" ammo-body="emitCollisionEvents: true; ${body}" ammo-shape="${shape}"></${tag}>`;
const fixed = (id: string, tag: string, position: string) =>
  `<${tag} id="${id}" position="${position}" ammo-body="type: static" ammo-shape></${tag}>`;

const SCENE = `
  <a-scene physics="driver: ammo; gravity: -10; debug: false" xr-mode-ui="enabled: false" device-orientation-permission-ui="enabled: false" background="color: #1b2230">
    <a-entity camera position="2 3 12"></a-entity>
    ${fixed('ground', 'a-box width="40" height="1" depth="20" color="#445"', '0 -0.5 0')}
    ${moving('box', 'a-box color="#e8a33d"', '0 0.6 0', '', 'type: box')}
    ${moving('upper', 'a-box color="#4caf7a"', '0 1.65 0', '', 'type: box')}
    ${moving('ball', 'a-sphere radius="0.5" color="#5b8def"', '3 2 0', '', 'type: sphere')}
    ${moving('hull', 'a-box color="#c0504d"', '6 0.7 0', '', 'type: hull')}
    ${moving('cylinder', 'a-cylinder radius="0.5" height="1" color="#9b6dd6"', '-3 0.7 0', '', 'type: cylinder')}
    ${moving('floating', 'a-box', '-6 3 0', 'gravity: 0 0 0', 'type: box')}
    ${fixed('post', 'a-box width="0.2" height="0.2" depth="0.2"', '9 4 0')}
    <a-sphere id="bob" radius="0.3" position="9 2 0" ammo-body="type: dynamic" ammo-shape="type: sphere"
      ammo-constraint="type: pointToPoint; target: #post; pivot: 0 2 0; targetPivot: 0 0 0"></a-sphere>
  </a-scene>`;

const page = (engine: string) => `<!doctype html><html><head>
  <link rel="icon" href="data:,">
  <script src="/${engine}.js"></script><script>${FORK}</script>
  <script src="/aframe.js"></script><script src="/physics.js"></script>
  <script>
    globalThis.met = [];
    addEventListener('collidestart', ({ target, detail }) =>
      met.push([target.id, detail.targetEl.id].join(' meets ')), true);
  </script></head><body>${SCENE}</body></html>`;

interface Outcome {
  rest: Record<string, number[]>;
  met: string[];
}

describe('A-Frame', () => {
  const site = useSite();

  async function run(engine: 'ricochet' | 'bullet'): Promise<Outcome> {
    const { page: tab, complaints } = await site.empty(640, 360);
    await tab.route('**/*', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === '') return route.fulfill({ contentType: 'text/html', body: page(engine) });
      const file = FILES[name];
      if (file === undefined) return route.fulfill({ status: 404 });
      const contentType = name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
      return route.fulfill({ contentType, body: readFileSync(file) });
    });
    await tab.goto('https://aframe.test/');
    await tab.waitForFunction(
      () => {
        const scene = document.querySelector('a-scene') as Any;
        if (!scene?.hasLoaded || !scene.systems.physics?.initialized) return false;
        scene.renderer.setAnimationLoop(null); // from here on, ticks come from the test
        scene.tick(0, 0); // bodies that waited for the engine are made
        return [...document.querySelectorAll<Any>('[ammo-body]')].every((element) => element.body);
      },
      undefined,
      { polling: 50 },
    );
    const outcome = await tab.evaluate(() => {
      const scene = document.querySelector('a-scene') as Any;
      for (let i = 0; i < 300; i++) {
        scene.object3D.updateMatrixWorld(true);
        scene.tick((i * 1000) / 60, 1000 / 60);
      }
      const rest: Record<string, number[]> = {};
      for (const element of document.querySelectorAll<Any>('[ammo-body]'))
        rest[element.id] = element.object3D.position.toArray();
      scene.renderer.render(scene.object3D, scene.camera);
      return { rest, met: [...new Set((globalThis as Any).met as string[])].sort() };
    });
    await tab.screenshot({ path: join(root, `test/out/aframe-${engine}.jpg`), type: 'jpeg', quality: 88 });
    expect(complaints).toEqual([]);
    return outcome;
  }

  browserTest('and its physics system run on ricochet/ammo as on ammo.js', async () => {
    const [ours, theirs] = [await run('ricochet'), await run('bullet')];
    expect(Object.keys(ours.rest)).toEqual(Object.keys(theirs.rest));
    // Dropped upright they stay where they are; on ammo.js they wander by up to 9 cm.
    const truths: Record<string, number[]> = { cylinder: [-3, 0.5, 0], hull: [6, 0.52, 0] };
    const far = Object.entries(ours.rest).filter(([id, place]) =>
      place.some((part, i) => !(Math.abs(part - (truths[id] ?? theirs.rest[id]!)[i]!) <= 0.02)),
    );
    expect(far.map(([id, place]) => [id, place, theirs.rest[id]])).toEqual([]);
    expect(ours.met).toEqual(theirs.met);
    expect(ours.met).toContain('ball meets ground');
    expect(ours.rest['upper']![1]).toBeCloseTo(1.5, 1);
    expect(ours.rest['floating']).toEqual([-6, 3, 0]);
  });
});
