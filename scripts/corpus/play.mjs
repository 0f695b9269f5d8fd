// One program for ammo.js, played without a page. In: --root of its repository, --page (HTML or a script in it), --engine,
// --frames. Out: one line of JSON: where its bodies were every tenth frame, what went wrong, how many steps it made.
// The page's own scripts run in a context with a clock and chance that are the same every time; drawing does nothing, and
// a hand that is the same every time clicks and presses keys. `--three` is the folder of a release of three.js to take.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import vm from 'node:vm';

const require = createRequire(import.meta.url);
const { values: options } = parseArgs({
  options: {
    root: { type: 'string' },
    page: { type: 'string' },
    engine: { type: 'string' },
    module: { type: 'string' },
    frames: { type: 'string', default: '300' },
    three: { type: 'string', default: '' },
  },
});

const FRAME = 1000 / 60;
let now = 0;
let frames = [];
const timers = new Map();
let timer = 0;
const trace = { errors: [], places: [], touching: [], bodies: 0, steps: 0, drawn: 0 };
const bodies = [];
const worlds = new Set();
const gone = new Set();
/** Called once a frame, as long as the page lives. */
const loops = [];

const fail = (where, error) => {
  const text = String(error?.message ?? error).split('\n')[0];
  if (trace.errors.length < 20) trace.errors.push(`${where}: ${text}`);
};

// --- the module ---

async function loadModule() {
  if (options.engine === 'ammo.js') return require('ammojs-typed/wasm')();
  const { default: load } = await import(pathToFileURL(options.module).href);
  return load(options.engine === 'replica' ? { profile: 'bullet282' } : {});
}

function watch(module) {
  const seen = new Set();
  const { destroy } = module;
  module.destroy = (object) => {
    gone.add(object);
    return destroy(object);
  };
  for (const name of ['btDiscreteDynamicsWorld', 'btSoftRigidDynamicsWorld']) {
    const { prototype } = module[name];
    for (let of = prototype; of && of !== Object.prototype; of = Object.getPrototypeOf(of)) {
      if (seen.has(of)) continue;
      seen.add(of);
      for (const [method, note] of [
        ['addRigidBody', (body) => body && bodies.push(body)],
        ['removeRigidBody', (body) => bodies.splice(0, bodies.length, ...bodies.filter((b) => b !== body))],
        ['stepSimulation', () => trace.steps++],
      ]) {
        if (!Object.hasOwn(of, method)) continue;
        const original = of[method];
        of[method] = function (...values) {
          worlds.add(this);
          note(values[0]);
          return original.apply(this, values);
        };
      }
    }
  }
}

/** Without the mark of its encoding. */
const textOf = (file) => readFileSync(file, 'utf8').replace(/^\uFEFF/, '');

// --- what a page has ---

/** Stands for everything that draws or listens: called, made and read, it is itself. */
// biome-ignore lint/complexity/useArrowFunction: it is constructed, too
const nothing = new Proxy(function () {}, {
  get: (_, key) => {
    if (key === Symbol.toPrimitive) return () => 0;
    if (key === Symbol.iterator) return () => [][Symbol.iterator]();
    if (key === 'then' || typeof key === 'symbol') return undefined;
    if (key === 'length') return 0;
    return nothing;
  },
  set: () => true,
  apply: () => nothing,
  construct: () => nothing,
  has: () => true,
});

/** A page writes what it likes on what it has. */
const keep = (target, key, value) => {
  target[key] = value;
  return true;
};

let state = 12345;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};

class QuietDate extends Date {
  constructor(...values) {
    super(...(values.length === 0 ? [now] : values));
  }
  static now() {
    return now;
  }
}

/** jQuery only calls what waits for the page. */
const jQuery = (listen) =>
  new Proxy(() => {}, {
    get: () => nothing,
    apply: (_, __, [ready]) => {
      if (typeof ready === 'function') listen('load', ready);
      return nothing;
    },
  });

function makeContext() {
  const listeners = {};
  const later = (call, delay, again) => {
    timers.set(++timer, { call, at: now + (delay || 0), every: again ? Math.max(1, delay || 0) : 0 });
    return timer;
  };
  const listen = (type, call) => {
    const one = typeof call === 'function' ? call : call?.handleEvent?.bind(call);
    if (one) (listeners[type] ??= []).push(one);
  };
  const element = (tag) =>
    new Proxy(
      {
        style: {},
        tagName: String(tag).toUpperCase(),
        children: [],
        classList: nothing,
        clientWidth: 800,
        clientHeight: 600,
        offsetWidth: 800,
        offsetHeight: 600,
        width: 800,
        height: 600,
        addEventListener: listen,
        getBoundingClientRect: () => ({ left: 0, top: 0, right: 800, bottom: 600, width: 800, height: 600 }),
      },
      {
        get: (target, key) => (key in target ? target[key] : nothing),
        set: (target, key, value) => {
          if (/^on[a-z]+$/.test(String(key)) && typeof value === 'function' && key !== 'onload')
            listen(String(key).slice(2), value);
          return keep(target, key, value);
        },
      },
    );
  const page = {
    console: {
      ...console,
      log() {},
      info() {},
      warn() {},
      error: (...texts) => fail('console.error', texts.join(' ')),
    },
    document: new Proxy(
      {
        body: element('body'),
        documentElement: element('html'),
        hidden: false,
        readyState: 'complete',
        createElement: element,
        createElementNS: (_, tag) => element(tag),
        getElementById: () => element('div'),
        getElementsByTagName: () => [element('div')],
        getElementsByClassName: () => [element('div')],
        querySelector: () => element('div'),
        querySelectorAll: () => [],
        addEventListener: listen,
      },
      { get: (target, key) => (key in target ? target[key] : nothing), set: keep },
    ),
    navigator: { userAgent: 'node', language: 'en', maxTouchPoints: 0, getGamepads: () => [] },
    location: { search: '', hash: '', href: 'http://localhost/', protocol: 'http:', host: 'localhost' },
    performance: { now: () => now },
    Date: QuietDate,
    innerWidth: 800,
    innerHeight: 600,
    devicePixelRatio: 1,
    requestAnimationFrame: (call) => frames.push(call),
    cancelAnimationFrame: () => {},
    setTimeout: (call, delay) => later(call, delay, false),
    setInterval: (call, delay) => later(call, delay, true),
    clearTimeout: (id) => timers.delete(id),
    clearInterval: (id) => timers.delete(id),
    addEventListener: listen,
    removeEventListener: () => {},
    postMessage: () => {},
    importScripts: () => {},
    print: () => {},
    alert: () => {},
    fetch: () => Promise.reject(new Error('no network')),
    localStorage: { getItem: () => null, setItem() {}, removeItem() {} },
    sessionStorage: { getItem: () => null, setItem() {}, removeItem() {} },
    AudioContext: nothing,
    XMLHttpRequest: nothing,
    Blob: nothing,
    HTMLScriptElement: class {},
    HTMLCanvasElement: class {},
    Worker: nothing,
    WebGLRenderingContext: nothing,
    Element: class {},
    HTMLElement: class {},
    EventTarget: globalThis.EventTarget,
    CustomEvent: class {},
    Image: function Image() {
      return element('img');
    },
    URL,
    URLSearchParams,
    AbortController,
    $: jQuery(listen),
    jQuery: jQuery(listen),
    WebAssembly,
    TextDecoder,
    TextEncoder,
    structuredClone,
    ...Object.fromEntries(
      ['Stats', 'Detector', 'dat', 'lil', 'OrbitControls', 'GUI'].map((name) => [name, nothing]),
    ),
    Detector: { webgl: true, addGetWebGLMessage() {} },
  };
  page.window = page.self = page.top = page.parent = page;
  vm.createContext(page);
  vm.runInContext('Math.random = random', Object.assign(page, { random }));
  // Libraries that are loaded beside the page have its clock and its chance.
  Object.defineProperty(performance, 'now', { value: () => now });
  globalThis.Date = QuietDate;
  globalThis.setInterval = page.setInterval;
  Math.random = random;
  return { page, listeners, element };
}

/** A program's Ammo: the factory that also has the classes, for programs of old builds that never call it. */
function factory(page, module) {
  const load = () => {
    page.Ammo = globalThis.Ammo = module;
    return Promise.resolve(module);
  };
  return new Proxy(load, { get: (target, key) => (key in target ? target[key] : module[key]) });
}

/** Loads nothing at all, and says so at the next frame. */
const Loader = new Proxy(function Loader() {}, {
  construct: () =>
    new Proxy(
      {
        load(_, done) {
          if (typeof done === 'function') frames.push(() => done(nothing));
          return nothing;
        },
        loadAsync: () => Promise.resolve(nothing),
      },
      { get: (target, key) => (key in target ? target[key] : nothing), set: keep },
    ),
  get: (target, key) => (key in target ? target[key] : nothing),
});

/** What draws is put out of action; all else of three.js is itself, by its old names, too. */
function quiet(THREE) {
  const list = { ...THREE };
  for (const name of Object.keys(list)) {
    if (/Renderer$|Controls$|Composer$|Pass$|^Audio/.test(name)) list[name] = nothing;
    if (/Loader$/.test(name)) list[name] = Loader;
    const old = name.replace(/Geometry$/, 'BufferGeometry');
    if (old !== name && name !== 'BufferGeometry' && !(old in list)) list[old] = list[name];
  }
  for (const name of ['OrbitControls', 'FirstPersonControls', 'ImageUtils', 'Stats']) list[name] = nothing;
  for (const name of ['GLTFLoader', 'FBXLoader', 'OBJLoader', 'FontLoader']) list[name] = Loader;
  list.CubeGeometry = list.BoxGeometry;
  list.WebGLRenderer = list.WebGPURenderer = function Renderer() {
    const own = {
      domElement: element('canvas'),
      shadowMap: {},
      info: { render: {}, memory: {} },
      setAnimationLoop: (call) => call && loops.push(call),
    };
    return new Proxy(own, { get: (target, key) => (key in target ? target[key] : nothing), set: keep });
  };
  return list;
}

/** The release of three.js that the program is played with. */
const threeFile = (path) =>
  options.three === '' ? path : pathToFileURL(join(options.three, path.replace(/^three(\/|$)/, ''))).href;
const three = () =>
  options.three === '' ? import('three') : import(threeFile('three/build/three.module.js'));

/** Babylon.js on its engine that draws nothing, stepped by the page's frames. */
async function babylon() {
  const B = { ...(await import('@babylonjs/core')) };
  class Engine extends B.NullEngine {
    constructor() {
      super({ renderWidth: 800, renderHeight: 600, textureSize: 64 });
    }
    runRenderLoop(call) {
      loops.push(call);
    }
    getDeltaTime() {
      return FRAME;
    }
  }
  // Old programs call them with `new`.
  for (const name of Object.getOwnPropertyNames(B.Mesh)) {
    const make = B.Mesh[name];
    if (/^Create/.test(name) && typeof make === 'function')
      B.Mesh[name] = function made(...values) {
        return make.apply(B.Mesh, values);
      };
  }
  return { ...B, Engine, WebGPUEngine: Engine, Debug: {}, GUI: nothing };
}

/** PlayCanvas on its device that draws nothing, stepped by the page's frames. */
async function playcanvas(module) {
  const pc = { ...(await import('playcanvas')) };
  globalThis.Ammo = module;
  class Application extends pc.AppBase {
    constructor() {
      const canvas = Object.assign(new EventTarget(), {
        width: 800,
        height: 600,
        style: {},
        getBoundingClientRect: () => ({ left: 0, top: 0, width: 800, height: 600 }),
      });
      super(canvas);
      this.given = false;
      const settings = new pc.AppOptions();
      settings.graphicsDevice = new pc.NullGraphicsDevice(canvas);
      settings.componentSystems = Object.entries(pc)
        .filter(
          ([name]) => /ComponentSystem$/.test(name) && !/^(Component|Sound|AudioListener|XR)/.test(name),
        )
        .map(([, system]) => system);
      settings.resourceHandlers = [];
      super.init(settings);
    }
    init() {}
    setCanvasFillMode() {}
    setCanvasResolution() {}
    resizeCanvas() {}
    start() {
      this.systems.rigidbody.onLibraryLoaded();
      super.start();
      this.autoRender = false;
      loops.push(() => this.update(FRAME / 1000));
    }
  }
  const ready = { setConfig() {}, getInstance: (_, call) => call?.(module) };
  return Object.assign(pc, {
    Application,
    AppBase: Application,
    WasmModule: ready,
    createGraphicsDevice: async () => new pc.NullGraphicsDevice({ width: 800, height: 600, style: {} }),
    Mouse: nothing,
    Keyboard: nothing,
    TouchDevice: nothing,
    ElementInput: nothing,
    SoundManager: nothing,
  });
}

// --- its scripts ---

const IMPORT = /^[ \t]*import\s+(?:([\w$*{}\s,]+?)\s+from\s+)?['"]([^'"]+)['"];?/gm;

/** Names of the page's import map. */
const maps = new Map();

/** A name through the import map: itself, or what its longest prefix stands for. */
function mapped(from) {
  if (maps.has(from)) return maps.get(from);
  const prefix = [...maps.keys()]
    .filter((one) => one.endsWith('/') && from.startsWith(one))
    .sort()
    .at(-1);
  return prefix === undefined ? from : maps.get(prefix) + from.slice(prefix.length);
}

/** What a module imports: an engine without its drawing, a file beside it, or nothing at all. */
async function imports(from, file, page, done) {
  if (/ammo(\.wasm|\.min)?\.js$|^ammo(\.js|js-typed)?$/.test(from)) return { default: page.Ammo };
  if (/wasm-loader/.test(from)) return { loadWasmModuleAsync: (_, __, ___, call) => call(module) };
  if (/^playcanvas($|\/build)|playcanvas(\.min|\.dbg)?\.mjs$/.test(from)) return playcanvas(module);
  if (/^@babylonjs\/core/.test(from)) return babylon();
  if (/^[./]/.test(from)) {
    const path = normalize(from.startsWith('/') ? join(options.root, from) : join(dirname(file), from));
    if (existsSync(path)) {
      if (/(three|\/4)(\.module|\.core)?(\.min)?\.js$/.test(path)) return quiet(await three());
      return /(controls|loaders|postprocessing|libs|webxr)\//.test(path)
        ? nothing
        : moduleOf(path, page, done);
    }
  }
  const addon = /(?:^three\/addons|examples\/jsm|(?:^|\/)jsm)\/(.*)$/.exec(from)?.[1];
  if (addon) {
    if (/loaders/.test(addon)) return new Proxy({}, { get: () => Loader, has: () => true });
    if (/controls|postprocessing|libs|webxr|effects/.test(addon)) return nothing;
    return import(threeFile(`three/examples/jsm/${addon}`)).catch(() => nothing);
  }
  if (/(^|[/@])three(@[\d.]+)?([/.]|$)/.test(from)) return quiet(await three());
  return nothing;
}

/** A module as a script. */
async function plain(source, file, page, done) {
  const wanted = [...source.matchAll(IMPORT)];
  let text = source;
  for (const [whole, names, from] of wanted) {
    const value = await imports(mapped(from), file, page, done);
    const key = `import_${done.size}_${wanted.findIndex((one) => one[0] === whole)}`;
    page[key] = value;
    const clause = (names ?? '').trim();
    const list = [];
    const braces = /\{([^}]*)\}/.exec(clause);
    if (braces) list.push(`const {${braces[1].replace(/\bas\b/g, ':')}} = ${key};`);
    const space = /\*\s+as\s+([\w$]+)/.exec(clause);
    if (space) list.push(`const ${space[1]} = ${key};`);
    const single = clause
      .replace(/\{[^}]*\}/, '')
      .replace(/\*\s+as\s+[\w$]+/, '')
      .replace(/,/g, '')
      .trim();
    if (single) list.push(`const ${single} = ${key}.default ?? ${key};`);
    text = text.replace(whole, list.join(' '));
  }
  page.imported = (from) => imports(mapped(from), file, page, done);
  return text.replace(/\bimport\s*\(/g, 'imported(');
}

async function moduleOf(file, page, done) {
  if (done.has(file)) return done.get(file);
  const out = {};
  done.set(file, out);
  if (!existsSync(file)) return nothing;
  const names = [];
  let text = await plain(textOf(file), file, page, done);
  text = text.replace(/^[ \t]*export\s+default\s+(class|function)\s+([\w$]+)/gm, (_, kind, name) => {
    names.push(['default', name]);
    return `${kind} ${name}`;
  });
  text = text.replace(/^[ \t]*export\s+default\s+/gm, 'exported.default = ');
  text = text.replace(
    /^[ \t]*export\s+(const|let|var|class|function|async function)\s+([\w$]+)/gm,
    (_, kind, name) => {
      names.push([name, name]);
      return `${kind} ${name}`;
    },
  );
  text = text.replace(/^[ \t]*export\s*\{([^}]*)\};?/gm, (_, list) => {
    for (const part of list.split(',').filter((one) => one.trim())) {
      const [name, other = name] = part.trim().split(/\s+as\s+/);
      names.push([other, name]);
    }
    return '';
  });
  const key = `exports_${done.size}`;
  page[key] = out;
  const tail = names.map(([as, name]) => `exported[${JSON.stringify(as)}] = ${name};`).join('\n');
  await run(`(async () => { const exported = ${key};\n${text}\n${tail}\n})()`, file, page);
  return out;
}

function run(text, file, page) {
  try {
    const value = vm.runInContext(text, page, { filename: file });
    if (value && typeof value.then === 'function')
      return value.then(undefined, (error) => fail('promise', error));
  } catch (error) {
    fail('script', error);
  }
}

async function scripts(page, file) {
  const done = new Map();
  const text = textOf(file);
  const map = /<script[^>]*type\s*=\s*["']importmap["'][^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1];
  if (map)
    call('import map', () => {
      for (const [name, path] of Object.entries(JSON.parse(map).imports ?? {}))
        maps.set(name, path.startsWith('.') ? `/${join(dirname(options.page), path)}` : path);
    });
  if (!/\.html?$/.test(file)) {
    run(`(async () => {\n${await plain(text, file, page, done)}\n})()`, file, page);
    return;
  }
  for (const [, attributes, inline] of text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/importmap|x-shader|text\/template/.test(attributes)) continue;
    const isModule = /type\s*=\s*["']module["']/.test(attributes);
    const src = /src\s*=\s*["']([^"']+)["']/.exec(attributes)?.[1];
    let source = inline;
    let at = file;
    if (src) {
      if (/\bammo(\.wasm|\.min|\.v\d+)?\.js/i.test(src)) continue;
      if (/babylon(\.max)?\.js/.test(src)) page.BABYLON = await babylon();
      if (/playcanvas[\w.-]*\.(js|mjs)/.test(src)) page.pc = await playcanvas(module);
      at = normalize(join(src.startsWith('/') ? options.root : dirname(file), src));
      if (/^(https?:)?\/\//.test(src) || !existsSync(at)) {
        if (/three(\.min|\.module)?\.js|\/three@|three\.js\/r/.test(src)) page.THREE = quiet(await three());
        continue;
      }
      if (/stats|dat\.gui|Controls|Detector|detector|jquery|playcanvas|babylon/i.test(src)) continue;
      source = textOf(at);
    }
    if (isModule) source = `(async () => {\n${await plain(source, at, page, done)}\n})()`;
    run(source, at, page);
    if (page.THREE && !page.THREE.isQuiet) page.THREE = Object.assign(quiet(page.THREE), { isQuiet: true });
  }
  const onload = /<body[^>]*onload\s*=\s*"([^"]*)"/i.exec(text)?.[1];
  if (onload) run(onload, file, page);
}

// --- calls ---

const settle = () => new Promise((resolve) => setImmediate(resolve));

function call(what, run) {
  try {
    run();
  } catch (error) {
    fail(what, error);
  }
}

const rounded = (parts) => parts.map((part) => Math.round(part * 1e4) / 1e4);

/** Where a body is, and how it is turned. */
const placeOf = (body) => {
  const t = body.getWorldTransform();
  const [o, q] = [t.getOrigin(), t.getRotation()];
  return rounded([o.x(), o.y(), o.z(), q.x(), q.y(), q.z(), q.w()]);
};

/** Pairs of bodies that touch, by their numbers in the order in which they were added. */
function touchingPairs(module) {
  const numbers = new Map(bodies.map((body, i) => [module.getPointer(body), i]));
  const pairs = [];
  for (const world of worlds) {
    if (gone.has(world)) continue;
    const dispatcher = world.getDispatcher();
    for (let i = 0; i < dispatcher.getNumManifolds(); i++) {
      const manifold = dispatcher.getManifoldByIndexInternal(i);
      if (manifold.getNumContacts() === 0) continue;
      const pair = [manifold.getBody0(), manifold.getBody1()].map(
        (one) => numbers.get(module.getPointer(one)) ?? -1,
      );
      pairs.push(pair.sort((a, b) => a - b).join('-'));
    }
  }
  return [...new Set(pairs)].sort();
}

// --- the hand ---

/** Frames at which something is pressed, for how long, and what. */
const PRESSES = [
  [20, 2, 'click'],
  [40, 30, 'KeyW', 'w', 87],
  [45, 30, 'ArrowUp', 'ArrowUp', 38],
  [80, 20, 'KeyA', 'a', 65],
  [80, 20, 'ArrowLeft', 'ArrowLeft', 37],
  [105, 3, 'Space', ' ', 32],
  [120, 2, 'click'],
  [125, 25, 'KeyS', 's', 83],
  [150, 20, 'ArrowDown', 'ArrowDown', 40],
  [175, 2, 'click'],
];

function press(frame) {
  for (const [at, long, code, key, keyCode] of PRESSES) {
    const down = frame === at;
    if (!down && frame !== at + long) continue;
    const where = { clientX: 420, clientY: 310, pageX: 420, pageY: 310, offsetX: 420, offsetY: 310 };
    const event = {
      ...where,
      touches: [where],
      changedTouches: [where],
      target: element('canvas'),
      button: 0,
      buttons: down ? 1 : 0,
      pointerType: 'mouse',
      isPrimary: true,
      code,
      key,
      keyCode,
      which: keyCode,
      repeat: false,
      preventDefault() {},
      stopPropagation() {},
      stopImmediatePropagation() {},
    };
    const types =
      code !== 'click'
        ? [down ? 'keydown' : 'keyup']
        : ['pointer', 'mouse'].map((one) => `${one}${down ? 'down' : 'up'}`);
    if (code === 'click') types.push(...(down ? ['touchstart'] : ['touchend', 'click']));
    for (const type of types) {
      for (const listener of listeners[type] ?? []) call(type, () => listener(event));
      if (typeof page[`on${type}`] === 'function') call(type, () => page[`on${type}`](event));
    }
  }
}

// --- the play ---

process.on('unhandledRejection', (error) => fail('promise', error));
process.on('uncaughtException', (error) => fail('error', error));

const module = await loadModule();
watch(module);
const { page, listeners, element } = makeContext();
page.Ammo = globalThis.Ammo = factory(page, module);
await scripts(page, join(options.root, options.page));
for (const type of ['DOMContentLoaded', 'load'])
  for (const listener of listeners[type] ?? []) call(type, () => listener({}));
if (typeof page.onload === 'function') call('onload', () => page.onload({}));
for (let i = 0; i < 20; i++) await settle();
for (let frame = 0; frame < Number(options.frames); frame++) {
  now += FRAME;
  press(frame);
  const due = frames;
  frames = [];
  for (const draw of due) call('frame', () => draw(now));
  for (const loop of [...loops]) call('frame', () => loop(now));
  trace.drawn += due.length + loops.length;
  for (const [id, one] of [...timers])
    if (one.at <= now) {
      if (one.every > 0) one.at += Math.max(one.every, FRAME);
      else timers.delete(id);
      call('timer', () => one.call());
    }
  if (frame % 10 === 9) {
    await settle();
    call('places', () => trace.places.push(bodies.map(placeOf)));
    call('contacts', () => trace.touching.push(touchingPairs(module)));
  }
}
trace.bodies = bodies.length;
process.stdout.write(`\n${JSON.stringify(trace)}\n`, () => process.exit(0));
