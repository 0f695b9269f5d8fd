// The table of docs/playcanvas.md: every member of PlayCanvas's PhysicsWorld, PhysicsBody and PhysicsJoint, and what
// ricochet/playcanvas has of it. Reads the declarations of the installed engine, so that nothing that it has can be missing.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { headOf, pageWith, statesOf, writeTable } from './api-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PEER = join(root, 'node_modules/playcanvas/build/playcanvas/src/framework/physics');
const PAGE = join(root, 'docs/playcanvas.md');
const CLASSES = { PhysicsWorld: 'physics-world', PhysicsBody: 'physics-body', PhysicsJoint: 'physics-joint' };

/** What is not simply done. A text that begins with `not yet` counts as such. */
export const DIFFERS = {
  'PhysicsWorld.nativeWorld': 'the World of ricochet; scripts that call Ammo’s world do not run on it',
  'PhysicsWorld.contactListener':
    'several shapes of two bodies are one pair; two bodies that no step can move (static, kinematic) are reported only to triggers',
  'PhysicsWorld.flushContacts': 'does nothing: contacts are reported after each fixed step',
  'PhysicsWorld.raycastAll': 'nearest first; Ammo’s hits have no order',
  'PhysicsBody.nativeBody': 'the RigidBody of ricochet',
  'PhysicsBody.setMass':
    'inertia is that of the shapes about the origin; Ammo’s compounds have that of their bounding box',
  'PhysicsBody.setRestitution': 'at most 1',
  'PhysicsBody.isActive':
    'true once more after the body fell asleep, so that its last pose is read; kinematic bodies do not wake what rests on them',
  'PhysicsBody.applyForce': 'does nothing to a body that cannot move',
  'PhysicsJoint.nativeJoint': 'the Joint of ricochet; null where neither body is dynamic',
  'PhysicsJoint.updateLimits': 'limits are stiff; Ammo’s overshoot',
  'PhysicsJoint.updateSpring':
    'damping 1 is none and 0 is critical damping of the lighter body; in Ammo it depends on the step',
  'PhysicsJoint.isBroken': 'never null, also for joints of six degrees of freedom',
};

/** What the interface does not have. */
export const EXTRAS = {
  RicochetPhysicsWorld: ['shapeCastFirst', 'shapeCastAll', 'overlapShape'],
  RicochetJoint: ['getPosition', 'getAppliedImpulse'],
};

/** Names of the members, with their classes. */
export function members() {
  return Object.entries(CLASSES).flatMap(([name, file]) => {
    const text = readFileSync(join(PEER, `${file}.d.ts`), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const start = text.indexOf(`export class ${name} `);
    const body = text.slice(text.indexOf('{', start), text.indexOf('\n}', start));
    const names = [...body.matchAll(/^ {4}(?:get )?(\w+)[(:]/gm)].map(([, member]) => member);
    return [...new Set(names)]
      .filter((member) => member !== 'constructor')
      .map((member) => `${name}.${member}`);
  });
}

export function table() {
  const names = members();
  const { counts } = statesOf(names, DIFFERS);
  const rows = Object.keys(CLASSES).flatMap((one) => {
    const own = statesOf(
      names.filter((name) => name.startsWith(`${one}.`)),
      DIFFERS,
    );
    const done = own.done.map((name) => `\`${name.split('.')[1]}\``);
    return [`| \`${one}\`: ${done.join(', ')} | done |`, ...own.rows];
  });
  return {
    counts,
    names,
    text: [headOf(counts, 'members'), '', '| member | |', '|---|---|', ...rows].join('\n'),
  };
}

export function withTable(page, text) {
  return pageWith(page, 'playcanvas-table', text);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeTable(PAGE, table(), withTable);
