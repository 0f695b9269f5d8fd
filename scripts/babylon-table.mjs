// The table of docs/babylon.md: every method of Babylon's IPhysicsEnginePluginV2, and what ricochet/babylon has of it. Reads
// the declarations of the installed package, so that nothing that it has can be missing here.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { headOf, pageWith, statesOf, writeTable } from './api-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PEER = join(root, 'node_modules/@babylonjs/core/Physics/v2');
const PAGE = join(root, 'docs/babylon.md');

/** What is not simply done. A text that begins with `not yet` counts as such. */
export const DIFFERS = {
  setVelocityLimits:
    'clamps dynamic bodies before and after each step; the limits are those of the plugin, not of a body',
  getMaxLinearVelocity: 'Infinity until a limit is set; Havok has 200 m/s from the start',
  getMaxAngularVelocity: 'Infinity until a limit is set; Havok has 100 rad/s from the start',
  executeStep:
    'a body is not teleported to the place where it already is, because that would wake it and reset its contacts',
  initBodyInstances: 'thin instances keep the scale of their matrices; Havok drops it',
  applyForce:
    'acts during the next step, however long it is; Havok adds the impulse of its fixed time step at once',
  applyTorque: 'as applyForce',
  setTargetTransform: 'an animated body stops at its target; in Havok it goes on with that velocity',
  setMaterial:
    'one coefficient: `staticFriction` is not used; if the friction modes of two shapes differ, the shape whose mode is used also decides the mode for restitution; restitution is at most 1',
  setShape: 'triangles and heights on a dynamic body become their hull, with a warning',
  setMotionType: 'triangles and heights on a body that becomes dynamic become their hull, with a warning',
  addChild: 'bodies that have the container get the child at once; Havok’s when they get the shape again',
  removeChild: 'as addChild',
  initShape:
    'boxes without thickness get 0.2 mm; heightfields may have different numbers of rows and columns (Havok’s plugin mixes them up)',
  getShape: 'the shape that was set; Havok makes a new object',
  getBodyGeometry: 'the shapes’ true size; Havok’s is smaller by its convex radius',
  setCollisionCallbackEnabled:
    'one event for each pair of shapes, with the deepest point and the whole impulse; Havok has one for each point',
  setAxisMotorType:
    'a position motor moves to its target at up to 10 m/s or rad/s; Havok’s moves like a spring',
  setAxisFriction: 'acts on linear axes, too; Havok’s on angles only',
  setAxisMinLimit:
    'a limit that has a stiffness, and is not equal to the other limit, is soft: its softness is computed from the bodies’ masses and the scene’s time step',
  setAxisMaxLimit: 'as setAxisMinLimit',
  getAxisMotorTarget: 'the target; Havok’s plugin throws',
  raycast: 'an empty list of results gets all hits; Havok’s as many as its collector has room for',
};

/** Queries and extras that only Havok’s own plugin has, as its class declares them. */
export const EXTRAS = {
  done: [
    'shapeCast',
    'shapeProximity',
    'pointProximity',
    'setPhysicsBodyTransformation',
    'setActivationControl',
    'numBodies',
    'getGravity',
  ],
  'not yet': ['floating-origin world regions'],
};

/** Names of the methods of the interface. */
export function methods() {
  const text = readFileSync(join(PEER, 'IPhysicsEnginePlugin.d.ts'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const start = text.indexOf('interface IPhysicsEnginePluginV2');
  const body = text.slice(text.indexOf('{', start), text.indexOf('\n}', start));
  return [...body.matchAll(/^ {4}(\w+)\(/gm)].map(([, name]) => name);
}

export function table() {
  const names = methods();
  const { counts, done, rows } = statesOf(names, DIFFERS);
  const first = `| ${done.map((name) => `\`${name}\``).join(', ')} | done |`;
  const head = headOf(counts, 'methods');
  return { counts, names, text: [head, '', '| method | |', '|---|---|', first, ...rows].join('\n') };
}

export function withTable(page, text) {
  return pageWith(page, 'babylon-table', text);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeTable(PAGE, table(), withTable);
