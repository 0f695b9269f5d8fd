// Snapshots: restored worlds go on with the same bits, ids included; damaged ones are refused.
import { expect, test } from 'vitest';
import { type RigidBody, World } from '../../src';

const DT = 1 / 60;

/** A small scene in which everything that a snapshot holds is unlike its default. */
function build(world: World): RigidBody[] {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const bodies: RigidBody[] = [];
  for (let i = 0; i < 30; i++)
    bodies.push(
      world.createBody({
        position: [(i % 3) * 0.9, 1 + Math.floor(i / 3) * 1.1, (i % 2) * 0.3],
        linearFactor: i % 7 === 0 ? [1, 1, 0] : [1, 1, 1],
        shape: [
          { type: 'box', halfExtents: [0.5, 0.3, 0.4], density: 100 + i, friction: 0.3 + i / 100 },
          ...(i % 3 === 0 ? [{ type: 'sphere' as const, radius: 0.3, position: [0.4, 0.2, 0] }] : []),
        ],
        userIndex: i,
      }),
    );
  for (const i of [3, 9, 4]) bodies[i]!.remove();
  return bodies;
}

/** Calls that depend on everything the replica remembers. */
function goOn(world: World): string[] {
  const hashes: string[] = [];
  for (let i = 0; i < 40; i++) {
    if (i === 5) world.createBody({ position: [0, 9, 0], shape: { type: 'sphere', radius: 0.4 } });
    if (i === 10) for (const body of world.bodies()) if (body.type === 'dynamic') body.setMass(body.mass * 2);
    if (i === 15) for (const body of world.bodies()) if (body.type === 'dynamic') body.updateMassProps();
    if (i === 20) for (const body of world.bodies()) body.setAngularFactor([1, 1, 0.5]);
    if (i === 25) world.updateSettings({ substeps: 3 });
    if (i === 30) for (const body of world.bodies()) body.setMaterial({ restitution: 0.2 });
    world.stepSimulation(0.9 * DT, 2);
    hashes.push(world.stateHash());
  }
  return hashes;
}

test('restored into the same world, a new one, and one that held something else', () => {
  const world = new World({ recycleAngle: 1.7, gravity: [0, -9.7, 0.1] });
  build(world);
  for (let i = 0; i < 50; i++) world.stepSimulation(0.9 * DT, 2);
  const snapshot = world.snapshot();
  const hash = world.stateHash();
  const truth = goOn(world);

  world.restore(snapshot);
  expect(world.stateHash()).toBe(hash);
  expect(goOn(world)).toEqual(truth);

  const fresh = World.restore(snapshot);
  expect(fresh.stateHash()).toBe(hash);
  expect(fresh.settings).toEqual({ ...fresh.settings, recycleAngle: 1.7 });
  expect(goOn(fresh)).toEqual(truth);

  const other = new World({ profile: 'bullet282' });
  for (let i = 0; i < 300; i++)
    other.createBody({ position: [0, i, 0], shape: { type: 'capsule', radius: 0.3, halfHeight: 0.2 } });
  for (let i = 0; i < 20; i++) other.step(DT);
  other.restore(snapshot);
  expect(other.stateHash()).toBe(hash);
  expect(goOn(other)).toEqual(truth);
  expect(other.overlappingPairs()).toEqual(other.overlappingPairs(true));
});

test('a snapshot of a restored world is the same bytes', () => {
  const world = new World();
  build(world);
  for (let i = 0; i < 30; i++) world.step(DT);
  const snapshot = world.snapshot();
  expect(world.snapshot()).toEqual(snapshot);
  expect(World.restore(snapshot).snapshot()).toEqual(snapshot);
});

test('handles: those of bodies that exist stay valid, others are stale', () => {
  const world = new World();
  const bodies = build(world);
  bodies[0]!.userData = 'kept';
  const snapshot = world.snapshot();
  const late = world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
  bodies[1]!.remove();
  expect(bodies[1]!.isRemoved).toBe(true);
  world.restore(snapshot);
  expect(late.isRemoved).toBe(true);
  expect(() => late.getPosition()).toThrow(/removed|never/);
  expect(bodies[1]!.isRemoved).toBe(false);
  expect(bodies[1]!.getPosition()).toEqual([0.9, 1, Math.fround(0.3)].map(Math.fround));
  expect(world.getBody(bodies[0]!.id)).toBe(bodies[0]);
  expect(bodies[0]!.userData).toBe('kept');
  expect([...world.bodies()].length).toBe(world.bodyCount);
});

test('listeners and pair filter stay', () => {
  const world = new World();
  build(world);
  const snapshot = world.snapshot();
  let begins = 0;
  world.on('contactBegin', () => begins++);
  world.restore(snapshot);
  for (let i = 0; i < 60; i++) world.step(DT);
  expect(begins).toBeGreaterThan(5);
});

test('3,000 flipped bits and every kind of truncation: a typed error, and the world as it was', () => {
  const world = new World();
  build(world);
  for (let i = 0; i < 20; i++) world.step(DT);
  const snapshot = world.snapshot();
  world.step(DT);
  const hash = world.stateHash();
  let state = 5;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const refused = (bytes: Uint8Array) =>
    expect(() => world.restore(bytes)).toThrow(
      expect.objectContaining({ name: 'PhysicsError', code: 'damaged-snapshot' }),
    );
  for (let i = 0; i < 3000; i++) {
    const at = Math.floor(random() * snapshot.length);
    const bit = 1 << Math.floor(random() * 8);
    snapshot[at]! ^= bit;
    refused(snapshot);
    snapshot[at]! ^= bit;
  }
  for (const length of [0, 1, 4, 43, 44, 1000, snapshot.length - 4, snapshot.length - 1])
    refused(snapshot.slice(0, length));
  const longer = new Uint8Array(snapshot.length + 4);
  longer.set(snapshot);
  refused(longer);
  expect(world.stateHash()).toBe(hash);
  expect(() => world.restore('snapshot' as never)).toThrow(
    expect.objectContaining({ code: 'invalid-argument' }),
  );
  expect(() => World.restore(snapshot, { maxBodies: 3 })).toThrow(
    expect.objectContaining({
      code: 'limit-exceeded',
      argument: 'maxBodies',
      message: expect.stringMatching(/^maxBodies must be \d+ at least for this snapshot, got 3$/),
    }),
  );
  world.restore(snapshot);
  expect(world.stepCount).toBe(20);
});

test('a Buffer of Node, which shares its memory with others, is a snapshot like any', () => {
  const world = new World();
  build(world);
  const snapshot = Buffer.concat([Buffer.from('12345678'), world.snapshot()]).subarray(8);
  expect(World.restore(snapshot).stateHash()).toBe(world.stateHash());
});
