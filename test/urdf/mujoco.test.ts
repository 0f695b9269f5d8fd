// Bullet's robots here and in MuJoCo: masses, principal moments and centres of what moves. Neither is kept here: clone bulletphysics/bullet3,
// install @mujoco/mujoco anywhere, and
//   BULLET3=path/to/bullet3 MUJOCO=path/to/node_modules/@mujoco/mujoco npx vitest run --project node test/urdf/mujoco
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readUrdf, type Urdf } from 'ricochet/urdf';
import { describe, expect, test } from 'vitest';

const root = process.env['BULLET3'] ?? '';
const home = process.env['MUJOCO'] ?? '';
const there = root !== '' && existsSync(join(home, 'mujoco.js'));
if (!there) console.log('skipped: BULLET3 names no clone of bullet3, or MUJOCO no package @mujoco/mujoco');

/** Of the folder data, and whether the root stands. */
const ROBOTS: readonly (readonly [file: string, standing: boolean])[] = [
  ['cartpole.urdf', true],
  ['kuka_iiwa/model.urdf', true],
  ['r2d2.urdf', true],
  ['quadruped/minitaur.urdf', true],
  ['racecar/racecar.urdf', true],
];

interface Model {
  nbody: number;
  body_mass: ArrayLike<number>;
  body_inertia: ArrayLike<number>;
}

/** Masses and moments are all that is compared: meshes are left out, so that none must be there. */
const bare = (text: string) =>
  text.replace(/<(collision|visual)\b[^>]*\/>/g, '').replace(/<(collision|visual)\b[\s\S]*?<\/\1>/g, '');

interface Mass {
  mass: number;
  moments: number[];
}

const sorted = (moments: readonly number[]) => [...moments].sort((a, b) => a - b);
const byMass = (list: Mass[]) => list.sort((a, b) => a.mass - b.mass || a.moments[0]! - b.moments[0]!);

function ours({ bodies }: Urdf): Mass[] {
  return byMass(
    bodies
      .filter(({ options }) => options.type !== 'static')
      .map(({ options }) => ({ mass: options.mass!, moments: sorted(options.inertia as number[]) })),
  );
}

function theirs({ nbody, body_mass, body_inertia }: Model): Mass[] {
  const list: Mass[] = [];
  for (let i = 1; i < nbody; i++)
    list.push({
      mass: body_mass[i]!,
      moments: sorted([0, 1, 2].map((k) => body_inertia[3 * i + k]!)),
    });
  return byMass(list);
}

describe.skipIf(!there)('beside MuJoCo', () => {
  test.each(ROBOTS)('%s', async (file, fixedBase) => {
    const { default: load } = await import(/* @vite-ignore */ pathToFileURL(join(home, 'mujoco.js')).href);
    const mujoco = await load();
    const text = bare(readFileSync(join(root, 'data', file), 'utf8'));
    const model = mujoco.MjModel.from_xml_string(text) as Model;
    const [mine, other] = [ours(readUrdf(text, { fixedBase })), theirs(model)];
    expect(mine.length).toBe(other.length);
    let most = 0;
    for (const [i, { mass, moments }] of mine.entries()) {
      most = Math.max(most, Math.abs(mass / other[i]!.mass - 1));
      for (const [k, moment] of moments.entries())
        most = Math.max(most, Math.abs(moment - other[i]!.moments[k]!) / other[i]!.moments[2]!);
    }
    console.log(
      `${file}: ${mine.length} bodies, masses and moments differ by ${most.toExponential(1)}; target 5e-3`,
    );
    expect(most).toBeLessThan(5e-3);
  });
});
