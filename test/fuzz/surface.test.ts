// Every public member is in the random calls. See surface.ts.
import { Joint, RigidBody, World } from 'ricochet';
import { Character } from 'ricochet/character';
import { Physics, PhysicsBody, PhysicsJoint } from 'ricochet/worker';
import { expect, test } from 'vitest';
import { CLIENT_SURFACE } from './clientCalls';
import { publicMembers } from './surface';
import { WORLD_SURFACE } from './worldCalls';

const REPLICA = ['bodyHandle', 'jointHandle'].map((name) => `src/replica/${name}.ts`);

const names = (recipes: object) => Object.keys(recipes).sort();

test('World, RigidBody, Joint', () => {
  const files = ['world', 'worldQueries', 'slots', 'simulation', 'running'].map(
    (name) => `src/world/${name}.ts`,
  );
  expect(names(WORLD_SURFACE.world)).toEqual(publicMembers(World.prototype, files));
  expect(names(WORLD_SURFACE.body)).toEqual(
    publicMembers(RigidBody.prototype, ['src/world/body.ts', REPLICA[0]!]),
  );
  expect(names(WORLD_SURFACE.joint)).toEqual(
    publicMembers(Joint.prototype, ['src/world/joint.ts', REPLICA[1]!]),
  );
});

test('Physics, PhysicsBody, PhysicsJoint', () => {
  const parts = ['client', 'clientQueries', 'clientAsks', 'clientCooking', 'clientBodies'];
  const files = parts.map((name) => `worker/${name}.ts`);
  expect(names(CLIENT_SURFACE.world)).toEqual(publicMembers(Physics.prototype, files));
  expect(names(CLIENT_SURFACE.body)).toEqual(
    publicMembers(PhysicsBody.prototype, ['worker/body.ts', REPLICA[0]!]),
  );
  expect(names(CLIENT_SURFACE.joint)).toEqual(
    publicMembers(PhysicsJoint.prototype, ['worker/joint.ts', REPLICA[1]!]),
  );
});

test('Character, and what makes one', () => {
  const members = publicMembers(Character.prototype, ['src/character/character.ts']);
  const recipes = names({ ...WORLD_SURFACE.character, ...CLIENT_SURFACE.character });
  expect(recipes.filter((name) => name !== 'makeCharacter')).toEqual(members);
});
