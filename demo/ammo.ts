// One program for ammo.js on both engines, side by side: three.js's AmmoPhysics as three ships it, once with
// ricochet/ammo as `Ammo` and once with ammo.js. Parameters: boxes=, balls= (how many), only=ricochet.
import Ricochet from 'ricochet/ammo';
import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  DynamicDrawUsage,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from 'three';
import { AmmoPhysics } from 'three/addons/physics/AmmoPhysics.js';

// biome-ignore lint/suspicious/noExplicitAny: either module
type Module = any;

const query = new URLSearchParams(location.search);
const count = (name: string, usual: number) => Number(query.get(name) ?? usual);
const page = globalThis as { Ammo?: unknown };

interface Watched {
  /** ms of each step, as a mean of each of the latest 120 calls. */
  times: number[];
  steps: () => number;
  bytes: () => number;
}

/** Measures a module without its knowing. */
function watch(module: Module): Watched {
  const times: number[] = [];
  let steps = 0;
  let world: Module;
  const { prototype } = module.btDiscreteDynamicsWorld;
  const step = prototype.stepSimulation;
  prototype.stepSimulation = function (this: unknown, ...values: unknown[]) {
    const before = performance.now();
    const due = step.apply(this, values);
    world = this;
    const made = Math.min(due, Number(values[1])); // what was due beyond is lost
    if (made > 0) times.push((performance.now() - before) / made);
    if (times.length > 120) times.shift();
    steps += made;
    return due;
  };
  /** ammo.js has one heap for all; a world of ricochet has its own memory beside the module's. */
  const bytes = () => module.HEAP8.byteLength + (world?._engine?.instance.memory.buffer.byteLength ?? 0);
  return { times, steps: () => steps, bytes };
}

/** The program. Nothing in it knows which engine it runs on. */
async function program(view: HTMLElement, load: () => Promise<Module>): Promise<() => number> {
  let watched: Watched = { times: [], steps: () => 0, bytes: () => 0 };
  page.Ammo = async () => {
    const module = await load();
    watched = watch(module);
    return module;
  };
  const physics = await AmmoPhysics();

  const scene = new Scene();
  scene.background = new Color(0x1b2230);
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.set(-1, 1.5, 2);
  camera.lookAt(0, 0.5, 0);
  const sun = new DirectionalLight(0xffffff, 3);
  sun.position.set(5, 5, 5);
  sun.castShadow = true;
  scene.add(new AmbientLight(0xffffff, 1), sun);

  const floor = new Mesh(new BoxGeometry(10, 5, 10), new ShadowMaterial({ color: 0x05070a }));
  floor.position.y = -2.5;
  floor.receiveShadow = true;
  floor.userData['physics'] = { mass: 0 };
  scene.add(floor);

  // The same places on both sides.
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const material = new MeshLambertMaterial();
  const fill = (mesh: InstancedMesh) => {
    const [matrix, color] = [new Matrix4(), new Color()];
    for (let i = 0; i < mesh.count; i++) {
      mesh.setMatrixAt(i, matrix.setPosition(random() - 0.5, 2 * random(), random() - 0.5));
      mesh.setColorAt(i, color.setHSL(0.08 + 0.5 * random(), 0.7, 0.55));
    }
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData['physics'] = { mass: 1 };
    scene.add(mesh);
    return mesh;
  };
  const boxes = fill(new InstancedMesh(new BoxGeometry(0.075, 0.075, 0.075), material, count('boxes', 400)));
  const balls = fill(new InstancedMesh(new IcosahedronGeometry(0.05, 4), material, count('balls', 400)));
  physics.addScene(scene);
  const place = new Vector3();
  setInterval(() => {
    for (const mesh of [boxes, balls])
      physics.setMeshPosition(mesh, place.set(0, random() + 1, 0), Math.floor(random() * mesh.count));
  }, 1000 / 60);

  const renderer = new WebGLRenderer({ antialias: true });
  renderer.shadowMap.enabled = true;
  view.prepend(renderer.domElement);
  const resize = () => {
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.setSize(view.clientWidth, view.clientHeight, false);
    camera.aspect = view.clientWidth / view.clientHeight;
    camera.updateProjectionMatrix();
  };
  addEventListener('resize', resize);
  resize();
  const output = view.querySelector('output')!;
  renderer.setAnimationLoop(() => {
    renderer.render(scene, camera);
    const { times, bytes } = watched;
    const mean = times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length);
    const megabytes = bytes() / 1048576;
    output.value = `${view.id}\n${mean.toFixed(2)} ms per step\n${megabytes.toFixed(1)} MB`;
  });
  return () => watched.steps();
}

declare global {
  interface Window {
    /** Steps so far, by engine. */
    ammoSteps?: Record<string, () => number>;
  }
}

/** ammo.js is a script that makes its factory global. */
async function loadBullet(): Promise<Module> {
  const script = document.createElement('script');
  script.src = new URL('../node_modules/ammojs-typed/ammo/ammo.wasm.js', import.meta.url).href;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  const wasm = new URL('../node_modules/ammojs-typed/ammo/ammo.wasm.wasm', import.meta.url).href;
  return (page.Ammo as (options: object) => Promise<Module>)({ locateFile: () => wasm });
}

const steps: Record<string, () => number> = {};
steps['ricochet'] = await program(document.querySelector('#ricochet')!, () => Ricochet());
const other = document.querySelector<HTMLElement>('#ammo')!;
if (query.get('only') === 'ricochet') other.remove();
else steps['ammo'] = await program(other, loadBullet);
window.ammoSteps = steps;
