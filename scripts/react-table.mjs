// The table of docs/react.md: every prop and export of @react-three/rapier, and what ricochet/react has of it. Reads the
// declarations of the installed package, so that nothing that it has can be missing here. `--check` only compares.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pageWith, writeTable } from './api-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PEER = join(root, 'node_modules/@react-three/rapier/dist/declarations/src');
const PAGE = join(root, 'docs/react.md');

/** What is not simply done. A text that begins with `not yet` counts as such. */
export const DIFFERS = {
  Physics: {
    numSolverIterations: 'sets `substeps`, which has the same effect; default 5',
    numInternalPgsIterations: 'sets `iterations`; default 1',
    allowedLinearError: 'sets `contactSlop`, whose default is 0',
    contactNaturalFrequency: 'sets `contactHertz`; default 60',
    predictionDistance: 'ignored: contacts are predicted as far as the bodies move in the step',
    minIslandSize: 'ignored: islands are not batched for threads',
    maxCcdSubsteps: 'ignored: a fast body is stopped at its impact within one step',
    lengthUnit: 'ignored: tolerances are set in metres by `settings`',
    interpolate: 'a worker always interpolates',
    timeStep: "in a worker `'vary'` is 1/60 s, interpolated, and a change makes a new world",
  },
  RigidBody: {
    mass: 'kg of the whole body; @react-three/rapier ignores it there',
    additionalSolverIterations: 'ignored: the solver gives heavily loaded bodies more passes by itself',
    dominanceGroup: 'not yet: no body can be immovable for some bodies and not for others',
    solverGroups: 'not yet: as for `<Collider>`',
    softCcdPrediction: 'ignored: contacts are predictive for all bodies',
    ccd: 'needed against moving bodies only: against static ones every fast body is swept',
    colliders: 'a change acts on the existing body',
    canSleep: 'a change acts on the existing body',
    transformState: 'internal to @react-three/rapier',
    restitution: 'at most 1, with a warning',
    linearDamping: 'what Rapier does at 60 Hz, whatever the time step',
    angularDamping: 'as linearDamping',
  },
  Collider: {
    principalAngularInertia: 'by `massProperties`; @react-three/rapier ignores it',
    solverGroups: 'not yet: contacts that are reported and not solved',
    massProperties: 'of the whole body, moments along its own axes',
    restitution: 'at most 1, with a warning',
    contactSkin: 'only hulls, cones, meshes and heightfields have one; a box or ball is made larger instead',
    onCollisionExit:
      'also called when the other is unmounted; the end for a sensor is reported as onIntersectionExit only',
    onIntersectionExit: 'also called when the other is unmounted',
    activeCollisionTypes:
      'selects the events that are reported; between two bodies that are not dynamic one collider must be a sensor',
  },
  InstancedRigidBodies: {
    ref: 'its array follows the order of `instances`',
    colliderNodes: 'mounted once, for all instances',
    children: 'the mesh is not culled by the camera, and its own pose is ignored',
  },
  exports: {
    useRapier:
      '`usePhysics` by its other name: `world` is ricochet’s, there is no `rapier`, and `useSnapshot` in place of `setWorld`',
    useFilterContactPair:
      'with `worker={false}` only; called once for each new pair; if it returns 0, the two pass through each other without events',
    useFilterIntersectionPair: 'with `worker={false}` only; called once for each new pair',
    useBeforePhysicsStep: 'in a worker once per frame',
    useAfterPhysicsStep: 'in a worker once per frame with steps',
    useImpulseJoint: '`useJoint`, with the options of ricochet’s joints',
    useRevoluteJoint: 'its limits act; Rapier’s JavaScript ignores those that a joint is made with',
    RoundCylinderCollider: 'a hull of 48 corners with a rounded edge',
    RapierContext: '`PhysicsContext`',
    RapierCollider: 'its most used methods; `handle` changes when its shape does',
    RapierRigidBody: 'all its methods except those that concern Rapier’s solver; `body` is ricochet’s own',
  },
};

/** Names of the fields of an interface of the declarations. */
function fieldsOf(file, name) {
  const text = readFileSync(join(PEER, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const start = text.search(new RegExp(`interface ${name}\\b`));
  if (start < 0) throw new Error(`${file} has no interface ${name}`);
  const body = text.slice(text.indexOf('{', start), text.indexOf('\n}', start));
  return [...body.matchAll(/^ {4}(\w+)\??[:(]/gm)].map(([, field]) => field);
}

const PROPS = {
  Physics: ['components/Physics.d.ts', 'PhysicsProps'],
  RigidBody: ['types.d.ts', 'RigidBodyOptions'],
  Collider: ['types.d.ts', 'ColliderOptions'],
  InstancedRigidBodies: ['components/InstancedRigidBodies.d.ts', 'InstancedRigidBodiesProps'],
  MeshCollider: ['components/MeshCollider.d.ts', 'MeshColliderProps'],
};

/** Components, hooks and helpers; types have the props' names. */
async function exportsOf() {
  const peer = await import('@react-three/rapier');
  return Object.keys(peer)
    .filter((name) => !['__esModule', 'default'].includes(name))
    .sort();
}

export async function table() {
  const groups = Object.entries(PROPS).map(([group, [file, name]]) => [group, fieldsOf(file, name)]);
  groups.push([
    'exports',
    [...new Set([...(await exportsOf()), 'RapierCollider', 'RapierRigidBody'])].sort(),
  ]);
  const counts = { done: 0, differs: 0, 'not yet': 0 };
  const rows = groups.flatMap(([group, names]) => {
    const title = group === 'exports' ? 'exports' : `\`<${group}>\``;
    const notes = DIFFERS[group] ?? {};
    const stateOf = (name) =>
      !(name in notes) ? 'done' : notes[name].startsWith('not yet') ? 'not yet' : 'differs';
    for (const name of names) counts[stateOf(name)]++;
    const done = names.filter((name) => stateOf(name) === 'done').map((name) => `\`${name}\``);
    const others = names.filter((name) => stateOf(name) !== 'done');
    return [
      ...(done.length > 0 ? [`| ${title} | ${done.join(', ')} | done |`] : []),
      ...others.map((name) => {
        const note = notes[name].replace(/^not yet: /, '');
        return `| ${title} | \`${name}\` | ${stateOf(name)}: ${note} |`;
      }),
    ];
  });
  const head = `${counts.done} done, ${counts.differs} differ, ${counts['not yet']} not yet.`;
  return { counts, groups, text: [head, '', '| of | name | |', '|---|---|---|', ...rows].join('\n') };
}

export function withTable(page, text) {
  return pageWith(page, 'react-table', text);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeTable(PAGE, await table(), withTable);
