// One program for ammo.js, played without a page. In: --root of its repository, --page (HTML or a script in it), --engine,
// --frames. Out: one line of JSON: where its bodies were every tenth frame, what went wrong, how many steps it made.
// The page's own scripts run in a context with a clock and chance that are the same every time; drawing does nothing.
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
  },
});

const FRAME = 1000 / 60;
let now = 0;
let frames = [];
const timers = new Map();
let timer = 0;
const trace = { errors: [], places: [], bodies: 0, steps: 0, drawn: 0 };
const bodies = [];

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

function makeContext() {
  const listeners = {};
  const later = (call, delay, again) => {
    timers.set(++timer, { call, at: now + (delay || 0), every: again ? Math.max(1, delay || 0) : 0 });
    return timer;
  };
  const element = (tag) =>
    new Proxy(
      { style: {}, tagName: tag, children: [], clientWidth: 800, clientHeight: 600, width: 800, height: 600 },
      { get: (target, key) => (key in target ? target[key] : nothing), set: keep },
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
        querySelector: () => element('div'),
        querySelectorAll: () => [],
        addEventListener: (type, call) => (listeners[type] ??= []).push(call),
      },
      { get: (target, key) => (key in target ? target[key] : nothing), set: keep },
    ),
    navigator: { userAgent: 'node', language: 'en', maxTouchPoints: 0 },
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
    addEventListener: (type, call) => (listeners[type] ??= []).push(call),
    removeEventListener: () => {},
    postMessage: () => {},
    importScripts: () => {},
    print: () => {},
    alert: () => {},
    fetch: () => Promise.reject(new Error('no network')),
    localStorage: nothing,
    HTMLElement: class {},
    Image: class {},
    URL,
    WebAssembly,
    TextDecoder,
    TextEncoder,
    structuredClone,
    ...Object.fromEntries(
      ['Stats', 'Detector', 'dat', 'lil', 'OrbitControls', 'GUI'].map((name) => [name, nothing]),
    ),
    Detector: { webgl: true, addGetWebGLMessage() {} },
  };
  page.window = page.self = page.globalThis = page.top = page;
  vm.createContext(page);
  vm.runInContext('Math.random = random', Object.assign(page, { random }));
  return { page, listeners };
}

/** A program's Ammo: the factory that also has the classes, for programs of old builds that never call it. */
function factory(page, module) {
  const load = () => {
    page.Ammo = module;
    return Promise.resolve(module);
  };
  return new Proxy(load, { get: (target, key) => (key in target ? target[key] : module[key]) });
}

/** What draws is put out of action; all else of three.js is itself. */
function quiet(THREE) {
  const list = { ...THREE };
  for (const name of Object.keys(list))
    if (/Renderer$|Controls$|Loader$|Composer$|Pass$|^Audio/.test(name)) list[name] = nothing;
  for (const name of ['OrbitControls', 'GLTFLoader', 'FirstPersonControls']) list[name] = nothing;
  return list;
}

// --- its scripts ---

const IMPORT = /^[ \t]*import\s+(?:([\w$*{}\s,]+?)\s+from\s+)?['"]([^'"]+)['"];?/gm;

/** A module as a script: what it imports is three.js, a file beside it, or nothing at all. */
async function plain(source, file, page, done) {
  const wanted = [...source.matchAll(IMPORT)];
  let text = source;
  for (const [whole, names, from] of wanted) {
    let value = nothing;
    if (/(^|[/@])three(@[\d.]+)?([/.]|$)/.test(from) && !/jsm|examples/.test(from))
      value = quiet(await import('three'));
    else if (/^three\/(addons|examples\/jsm)\//.test(from)) {
      const path = from.replace('three/addons/', 'three/examples/jsm/');
      value = /controls|loaders|postprocessing|libs|webxr/.test(path)
        ? nothing
        : await import(path).catch(() => nothing);
    } else if (from.startsWith('.')) value = await moduleOf(normalize(join(dirname(file), from)), page, done);
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
  return text;
}

async function moduleOf(file, page, done) {
  if (/ammo[\w.]*\.js$/.test(file)) return nothing;
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
  run(`(() => { const exported = ${key};\n${text}\n${tail}\n})()`, file, page);
  return out;
}

function run(text, file, page) {
  try {
    const value = vm.runInContext(text, page, { filename: file });
    if (value && typeof value.then === 'function') value.then(undefined, (error) => fail('promise', error));
  } catch (error) {
    fail('script', error);
  }
}

async function scripts(page, file) {
  const done = new Map();
  const text = textOf(file);
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
      if (/ammo[\w.]*\.js/.test(src)) continue;
      at = normalize(join(src.startsWith('/') ? options.root : dirname(file), src));
      if (/^(https?:)?\/\//.test(src) || !existsSync(at)) {
        if (/three(\.min|\.module)?\.js|\/three@|three\.js\/r/.test(src))
          page.THREE = quiet(await import('three'));
        continue;
      }
      if (/stats|dat\.gui|Controls|Detector/.test(src)) continue;
      source = textOf(at);
    }
    if (isModule) source = `(async () => {\n${await plain(source, at, page, done)}\n})()`;
    run(source, at, page);
    if (page.THREE && !page.THREE.isQuiet) page.THREE = Object.assign(quiet(page.THREE), { isQuiet: true });
  }
}

// --- the play ---

const settle = () => new Promise((resolve) => setImmediate(resolve));

function call(what, run) {
  try {
    run();
  } catch (error) {
    fail(what, error);
  }
}

const placeOf = (body) => {
  const o = body.getWorldTransform().getOrigin();
  return [o.x(), o.y(), o.z()].map((part) => Math.round(part * 1e4) / 1e4);
};

process.on('unhandledRejection', (error) => fail('promise', error));
process.on('uncaughtException', (error) => fail('error', error));

const module = await loadModule();
watch(module);
const { page, listeners } = makeContext();
page.Ammo = factory(page, module);
await scripts(page, join(options.root, options.page));
for (const type of ['DOMContentLoaded', 'load'])
  for (const listener of listeners[type] ?? []) call(type, () => listener({}));
if (typeof page.onload === 'function') call('onload', () => page.onload({}));
for (let i = 0; i < 20; i++) await settle();
for (let frame = 0; frame < Number(options.frames); frame++) {
  now += FRAME;
  const due = frames;
  frames = [];
  for (const draw of due) call('frame', () => draw(now));
  trace.drawn += due.length;
  for (const [id, one] of [...timers])
    if (one.at <= now) {
      if (one.every > 0) one.at += Math.max(one.every, FRAME);
      else timers.delete(id);
      call('timer', () => one.call());
    }
  if (frame % 10 === 9) {
    await settle();
    call('places', () => trace.places.push(bodies.map(placeOf)));
  }
}
trace.bodies = bodies.length;
process.stdout.write(`\n${JSON.stringify(trace)}\n`);
process.exit(0);
