// ricochet/ammo: the module that programs for ammo.js load. In: options of its worlds. Out: a promise of an object
// with Bullet's classes and ammo.js's helpers. Several modules share classes and heap; worlds share nothing.
import { PhysicsError } from '../index';
import * as collision from './collisionObject';
import * as compound from './compound';
import * as constraints from './constraints';
import * as constraints6 from './constraints6';
import { btIDebugDraw, DebugDrawer } from './debugDraw';
import { addFunction, removeFunction } from './functions';
import * as ghosts from './ghosts';
import { addHeapViews, free, malloc, utf8ToString } from './heap';
import * as hulls from './hulls';
import * as infrastructure from './infrastructure';
import * as later from './later';
import * as manifolds from './manifolds';
import * as meshes from './meshes';
import * as motion from './motionState';
import * as objects from './object';
import * as results from './results';
import * as bodies from './rigidBody';
import * as shapes from './shapes';
import * as transforms from './transform';
import * as vectors from './vector';
import * as worlds from './world';

export type { AmmoOptions } from './world';

const ENUMS = {
  ...meshes.PHY,
  BT_CONSTRAINT_ERP: 1,
  BT_CONSTRAINT_STOP_ERP: 2,
  BT_CONSTRAINT_CFM: 3,
  BT_CONSTRAINT_STOP_CFM: 4,
  CONST_GIMPACT_COMPOUND_SHAPE: 0,
  CONST_GIMPACT_TRIMESH_SHAPE_PART: 1,
  CONST_GIMPACT_TRIMESH_SHAPE: 2,
  CONTACT_ADDED_CALLBACK_SIGNATURE: 'iiiiiiii',
  CONTACT_DESTROYED_CALLBACK_SIGNATURE: 'ii',
  CONTACT_PROCESSED_CALLBACK_SIGNATURE: 'iiii',
  INTERNAL_TICK_CALLBACK_SIGNATURE: 'vif',
} as const;

/** The classes: everything exported whose name begins as Bullet's, or is one of its callbacks. */
function classes(): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const parts = [
    vectors,
    transforms,
    motion,
    shapes,
    compound,
    hulls,
    meshes,
    collision,
    bodies,
    ghosts,
    manifolds,
    results,
    infrastructure,
    constraints,
    constraints6,
    worlds,
    later,
  ];
  for (const part of parts)
    for (const [name, value] of Object.entries(part))
      if (typeof value === 'function' && /^(bt[A-Z]|[A-Z][A-Za-z]*(Callback|State|Info|Result)$)/.test(name))
        found[name] = value;
  return { ...found, btIDebugDraw, DebugDrawer };
}

// biome-ignore lint/suspicious/noExplicitAny: typed in types.ts
type Module = any;

function createModule(): Module {
  const module: Record<string, unknown> = { ...classes(), ...ENUMS };
  addHeapViews(module);
  return Object.assign(module, {
    WrapperObject: objects.WrapperObject,
    VoidPtr: objects.VoidPtr,
    NULL: objects.wrapPointer(0),
    PhysicsError,
    _malloc: malloc,
    _free: free,
    UTF8ToString: utf8ToString,
    addFunction,
    removeFunction,
    destroy: objects.destroy,
    castObject: objects.castObject,
    wrapPointer: objects.wrapPointer,
    getPointer: objects.pointerOf,
    compare: objects.compare,
    getClass: (object: objects.WrapperObject) => object.__class__,
    getCache: () => ({}),
  });
}

/**
 * Loads the module. Like ammo.js's own factory it may be called with or without `new` and options, returns a
 * promise, and makes the module the global `Ammo` unless told otherwise.
 *
 * @param options  settings of the worlds that will be made (substeps, profile, …; default profile 'bullet282').
 * What ammo.js's factory takes besides (locateFile, TOTAL_MEMORY, …) is ignored.
 */
export default function Ammo(options: object = {}): Promise<Module> {
  return Promise.resolve().then(() => {
    worlds.defaults.options = worldOptions(options);
    const module = createModule();
    (globalThis as Record<string, unknown>)['Ammo'] = module;
    return module;
  });
}

const KNOWN = new Set([
  'profile',
  'maxBodies',
  'profiling',
  'substeps',
  'iterations',
  'relaxIterations',
  'gyroscopic',
  'parabolicFlight',
  'sleeping',
  'deactivationTime',
  'contactErp',
  'warmstartingFactor',
  'restitutionThreshold',
  'frictionCombine',
  'restitutionCombine',
]);

function worldOptions(options: object): object {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([key]) => KNOWN.has(key)));
}
