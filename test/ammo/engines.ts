// Both modules under the same hand: ours from the sources, and Bullet 2.82 as ammojs-typed has it. Tests of clients run
// on ours by default, and once more on its replica of Bullet: onReplica.test.ts.
import { createRequire } from 'node:module';
import loadOurs from '../../src/ammo/index';

// biome-ignore lint/suspicious/noExplicitAny: programs for ammo.js are untyped
export type Ammo = any;

const require = createRequire(import.meta.url);
const global = globalThis as { Ammo?: Ammo };

type Profile = 'default' | 'bullet282';
/** What `load('ricochet')` loads. */
export let PROFILE: Profile = 'default';
export function testOn(profile: Profile): void {
  PROFILE = profile;
}

/** What a cone or hull without a margin of its own has around it, m. */
export const outerMargin = () => (PROFILE === 'default' ? 0 : 0.04);

/** Options by which our module has the profile that tests run on. */
export const options = () => (PROFILE === 'default' ? {} : { profile: PROFILE });

/** A module; the global `Ammo` is left as it was. */
export async function load(engine: 'ricochet' | 'bullet'): Promise<Ammo> {
  const before = global.Ammo;
  const module = await (engine === 'ricochet' ? loadOurs(options()) : require('ammojs-typed/wasm')());
  global.Ammo = before;
  return module;
}

export const ENGINES = ['ricochet', 'bullet'] as const;

export function createWorld(A: Ammo) {
  const configuration = new A.btDefaultCollisionConfiguration();
  const dispatcher = new A.btCollisionDispatcher(configuration);
  const solver = new A.btSequentialImpulseConstraintSolver();
  return new A.btDiscreteDynamicsWorld(dispatcher, new A.btDbvtBroadphase(), solver, configuration);
}

export interface Place {
  position?: readonly number[];
  rotation?: readonly number[];
}

export function transformOf(A: Ammo, { position = [0, 0, 0], rotation = [0, 0, 0, 1] }: Place) {
  const t = new A.btTransform();
  t.setIdentity();
  t.setOrigin(new A.btVector3(...position));
  t.setRotation(new A.btQuaternion(...rotation));
  return t;
}

/** A body, added unless `world` is null. */
export function addBody(A: Ammo, world: Ammo, shape: Ammo, mass: number, place: Place = {}) {
  const inertia = new A.btVector3(0, 0, 0);
  if (mass > 0) shape.calculateLocalInertia(mass, inertia);
  const state = new A.btDefaultMotionState(transformOf(A, place));
  const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(mass, state, shape, inertia));
  world?.addRigidBody(body);
  return body;
}

export const box = (A: Ammo, x = 0.5, y = x, z = x) => new A.btBoxShape(new A.btVector3(x, y, z));

export const xyz = (v: Ammo): [number, number, number] => [v.x(), v.y(), v.z()];
export const xyzw = (q: Ammo): [number, number, number, number] => [q.x(), q.y(), q.z(), q.w()];
export const positionOf = (body: Ammo) => xyz(body.getWorldTransform().getOrigin());

/** The limits of a ragdoll's joint: a hinge, or a cone that twists. */
export function limitLimb(joint: Ammo, isHinge: boolean): void {
  if (isHinge) joint.setLimit(-0.7, 0.7, 0.9, 0.3, 1);
  else {
    joint.setLimit(3, 0.5);
    joint.setLimit(4, 0.7);
    joint.setLimit(5, 0.7);
  }
}
