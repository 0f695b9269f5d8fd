// Every public member is in the random calls. See surface.ts.
import { Joint, RigidBody, World } from 'ricochet';
import { expect, test } from 'vitest';
import { publicMembers } from './surface';
import { WORLD_SURFACE } from './worldCalls';

const REPLICA = ['bodyHandle', 'jointHandle'].map((name) => `src/replica/${name}.ts`);

test('World, RigidBody, Joint', () => {
  const files = ['world', 'worldQueries', 'simulation', 'running'].map((name) => `src/world/${name}.ts`);
  const names = (recipes: object) => Object.keys(recipes).sort();
  expect(names(WORLD_SURFACE.world)).toEqual(publicMembers(World.prototype, files));
  expect(names(WORLD_SURFACE.body)).toEqual(
    publicMembers(RigidBody.prototype, ['src/world/body.ts', REPLICA[0]!]),
  );
  expect(names(WORLD_SURFACE.joint)).toEqual(
    publicMembers(Joint.prototype, ['src/world/joint.ts', REPLICA[1]!]),
  );
});
