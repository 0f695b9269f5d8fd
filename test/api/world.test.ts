// Events, queries, getters, debug lines, profile: what a world answers.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type EventType, type RigidBody, World } from '../../src';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const testMemory = ordinaryCoreOnly('it measures memory');

const DT = 1 / 60;
const box = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
const ball = { type: 'sphere', radius: 0.5 } as const;

function createFloor(world: World): RigidBody {
  return world.createBody({ type: 'static', shape: { type: 'plane' } });
}

test('the example of the README', () => {
  const world = new World({ gravity: [0, -9.81, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const crate = world.createBody({ mass: 1, position: [0, 5, 0], shape: box });
  for (let i = 0; i < 120; i++) world.step(DT);
  expect(crate.getPosition()[1]).toBeCloseTo(0.5, 2);
  expect(world.stateHash()).toMatch(/^[0-9a-f]{16}$/);
});

describe('getters', () => {
  test('fill whatever is given', () => {
    const world = new World();
    const body = world.createBody({
      mass: 1,
      position: [1, 2, 3],
      rotation: { x: 0, y: 0, z: 1, w: 0 },
      linearVelocity: new Float32Array([4, 5, 6]),
      angularVelocity: [7, 8, 9],
      shape: box,
    });
    expect(body.getPosition()).toEqual([1, 2, 3]);
    const typed = new Float32Array(3);
    expect(body.getPosition(typed)).toBe(typed);
    expect([...typed]).toEqual([1, 2, 3]);
    expect(body.getLinearVelocity({ x: 0, y: 0, z: 0 })).toEqual({ x: 4, y: 5, z: 6 });
    const vector = {
      values: [0, 0, 0],
      set(x: number, y: number, z: number) {
        this.values = [x, y, z];
      },
    };
    body.getAngularVelocity(vector);
    expect(vector.values).toEqual([7, 8, 9]);
    expect(body.getRotation({ x: 0, y: 0, z: 0, w: 0 })).toEqual({ x: 0, y: 0, z: 1, w: 0 });
    expect(body.getTransform()).toEqual([-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]);
  });

  test('say what was set', () => {
    const world = new World();
    const body = world.createBody({ shape: box, mass: 3, userIndex: 5, group: 4, mask: 12 });
    expect([body.type, body.mass, body.userIndex, body.group, body.mask]).toEqual(['dynamic', 3, 5, 4, 12]);
    body.setDamping(0.25, 0.5);
    body.setGravityScale(2);
    body.setLinearFactor([1, 0, 1]);
    body.setSleepingThresholds(2, 3);
    body.setFilter(1, -1);
    body.setUserIndex(-7);
    body.setCcd(0.5, 0.25);
    body.forceActivationState('disableDeactivation');
    expect([body.getLinearDamping(), body.getAngularDamping(), body.getGravityScale()]).toEqual([
      0.25, 0.5, 2,
    ]);
    expect(body.getLinearFactor()).toEqual([1, 0, 1]);
    expect(body.getAngularFactor()).toEqual([1, 1, 1]);
    expect([body.getLinearSleepingThreshold(), body.getAngularSleepingThreshold()]).toEqual([2, 3]);
    expect([body.group, body.mask, body.userIndex]).toEqual([1, -1, -7]);
    expect([body.getCcdMotionThreshold(), body.getCcdSweptSphereRadius()]).toEqual([0.5, 0.25]);
    expect(body.getActivationState()).toBe('disableDeactivation');
    body.setActivationState('active'); // ignored, as in Bullet
    expect(body.getActivationState()).toBe('disableDeactivation');
    body.setMass(6);
    expect(body.mass).toBe(6);
    expect(body.getLocalInertia()).toEqual([1, 1, 1]);
    body.setPosition([1, 1, 1]);
    body.setRotation([0, 1, 0, 0]);
    expect([body.getPosition(), body.getRotation()]).toEqual([
      [1, 1, 1],
      [0, 1, 0, 0],
    ]);
  });

  test('defaults are Bullet’s', () => {
    const world = new World();
    const dynamic = world.createBody({ mass: 1, shape: box });
    const fixed = world.createBody({ mass: 0, shape: box });
    expect([dynamic.group, dynamic.mask, fixed.type, fixed.group, fixed.mask]).toEqual([
      1,
      -1,
      'static',
      2,
      ~2,
    ]);
    expect(dynamic.getLinearSleepingThreshold()).toBe(Math.fround(0.8));
    expect(dynamic.getAngularSleepingThreshold()).toBe(1);
    expect(dynamic.getShape(dynamic.shapes[0]!).material).toEqual({
      friction: 0.5,
      restitution: 0,
      rollingFriction: 0,
      spinningFriction: 0,
    });
    expect(world.createBody({ shape: box }).mass).toBe(1000);
  });

  test('shapes come and go', () => {
    const world = new World({ gravity: [0, 0, 0] });
    const body = world.createBody({ mass: 1, shape: box });
    const knob = body.addShape({
      type: 'capsule',
      radius: 0.1,
      halfHeight: 0.4,
      axis: 'x',
      position: [0, 2, 0],
    });
    expect(body.shapes).toHaveLength(2);
    expect(body.getShape(knob)).toMatchObject({ type: 'capsule', position: [0, 2, 0] });
    expect(world.rayTest([0, 5, 0], [0, -5, 0])?.shape).toBe(knob);
    expect(body.getLocalCenterOfMass()).toEqual([0, 0, 0]);
    body.updateMassProps();
    expect(body.getLocalCenterOfMass()[1]).toBeGreaterThan(0);
    body.removeShape(knob);
    expect(world.rayTest([0, 5, 0], [0, -5, 0])?.shape).toBe(body.shapes[0]);
    expect(world.shapeCount).toBe(1);
  });

  test('a body that changes its type', () => {
    const world = new World();
    const body = world.createBody({ mass: 1, position: [0, 5, 0], shape: box });
    body.setType('static');
    for (let i = 0; i < 5; i++) world.step(DT);
    expect([body.mass, body.getPosition()[1]]).toEqual([0, 5]);
    body.setType('dynamic', { mass: 2 });
    for (let i = 0; i < 5; i++) world.step(DT);
    expect(body.mass).toBe(2);
    expect(body.getPosition()[1]).toBeLessThan(5);
  });
});

describe('events', () => {
  test('a ball touches, rests, sleeps, is woken and removed', () => {
    const world = new World();
    const floor = createFloor(world);
    const body = world.createBody({ mass: 1, position: [0, 0.6, 0], shape: ball });
    const seen: string[] = [];
    const types: EventType[] = ['contactBegin', 'contactEnd', 'sleep', 'wake'];
    for (const type of types)
      world.on(type, (event) => {
        seen.push(event.type);
        if (event.type === 'contactBegin') {
          expect([event.bodyA, event.bodyB]).toEqual([floor, body]);
          expect([event.shapeA, event.shapeB]).toEqual([floor.shapes[0], body.shapes[0]]);
          expect(event.normal).toEqual([0, 1, 0]);
          expect(event.points).toHaveLength(1);
          expect(event.points[0]!.impulse).toBeGreaterThanOrEqual(0);
        }
        if (event.type === 'sleep' || event.type === 'wake') expect(event.body).toBe(body);
      });
    for (let i = 0; i < 300; i++) world.step(DT);
    expect(seen).toEqual(['contactBegin', 'sleep']);
    expect(body.isSleeping()).toBe(true);
    expect(world.awakeCount).toBe(0);
    body.applyCentralImpulse([0, 3, 0]);
    world.step(DT);
    expect(seen.slice(2)).toContain('wake');
    for (let i = 0; i < 100; i++) world.step(DT);
    seen.length = 0;
    body.userData = 'mine';
    world.on('contactEnd', (event) => expect((event.bodyB as RigidBody).userData).toBe('mine'));
    body.remove();
    world.step(DT);
    expect(seen).toEqual(['contactEnd']);
  });

  test('the impulses of a resting box carry its weight', () => {
    const world = new World({ sleeping: false, events: ['contactStay'] });
    createFloor(world);
    world.createBody({ mass: 2, position: [0, 0.5, 0], shape: box });
    for (let i = 0; i < 120; i++) world.step(DT);
    const [event, ...others] = [...world.events('contactStay')];
    expect(others).toEqual([]);
    const impulse = event!.points.reduce((sum, point) => sum + point.impulse, 0);
    expect(impulse).toBeCloseTo(2 * 9.81 * DT, 3);
    expect(event!.points).toHaveLength(4);
    expect(world.getContacts()).toEqual([expect.objectContaining({ normal: event!.normal })]);
  });

  test('are in the order of the steps of one call, and of the last call only', () => {
    const world = new World({ events: true });
    createFloor(world);
    world.createBody({ mass: 1, position: [0, 0.49, 0], shape: ball });
    world.stepSimulation(3 * DT, 3);
    expect([...world.events()].map(({ type }) => type)).toEqual([
      'contactBegin',
      'contactStay',
      'contactStay',
    ]);
    world.step(DT);
    expect([...world.events()].map(({ type }) => type)).toEqual(['contactStay']);
  });

  test('subscriptions end', () => {
    const world = new World();
    createFloor(world);
    world.createBody({ mass: 1, position: [0, 0.5, 0], shape: ball });
    let count = 0;
    const end = world.on('contactStay', () => count++);
    for (let i = 0; i < 5; i++) world.step(DT);
    expect(count).toBeGreaterThan(2);
    const before = count;
    end();
    end();
    world.step(DT);
    expect(count).toBe(before);
    expect([...world.events()]).toEqual([]);
  });

  test('a listener may create and remove bodies, and not step', () => {
    const world = new World();
    createFloor(world);
    const body = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: ball });
    world.on('contactBegin', () => {
      expect(() => world.step(DT)).toThrow(expect.objectContaining({ code: 'busy' }));
      if (!body.isRemoved) body.remove();
      if (world.bodyCount < 4)
        world.createBody({ mass: 1, position: [world.bodyCount * 3, 0.5, 0], shape: ball });
    });
    for (let i = 0; i < 10; i++) world.step(DT);
    expect(body.isRemoved).toBe(true);
    expect(world.bodyCount).toBeGreaterThan(1);
  });
});

describe('queries', () => {
  const world = new World();
  const floor = createFloor(world);
  const low = world.createBody({ type: 'static', position: [0, 1, 0], shape: box });
  const high = world.createBody({ mass: 1, position: [0, 4, 0], shape: ball });

  test('closest, any, all', () => {
    const hit = world.rayTest([0, 10, 0], [0, -10, 0])!;
    expect(hit.body).toBe(high);
    expect(hit.shape).toBe(high.shapes[0]);
    expect(hit.fraction).toBeCloseTo(5.5 / 20, 6);
    expect(hit.point[1]).toBeCloseTo(4.5, 5);
    expect(hit.normal[1]).toBeCloseTo(1, 5);
    expect(world.rayTest([0, 10, 0], [0, -10, 0], { mode: 'any' })).not.toBeNull();
    const all = world.rayTest([0, 10, 0], [0, -10, 0], { mode: 'all' });
    expect(all.map(({ body }) => body)).toEqual([high, low, floor]);
    expect(world.rayTest([0, 10, 0], [0, -10, 0], { mode: 'all', maxHits: 2 })).toHaveLength(2);
    expect(world.rayTest([5, 10, 0], [5, 1, 0])).toBeNull();
    expect(world.rayTest([5, 10, 0], [5, 1, 0], { mode: 'all' })).toEqual([]);
  });

  test('skip and filter', () => {
    expect(world.rayTest([0, 10, 0], [0, -10, 0], { skip: high })?.body).toBe(low);
    expect(world.rayTest([0, 10, 0], [0, -10, 0], { skip: high.id, mode: 'all', maxHits: 1 })).toEqual([
      expect.objectContaining({ body: low }),
    ]);
    expect(world.rayTest([0, 10, 0], [0, -10, 0], { mask: 2 })?.body).toBe(low);
    expect(world.rayTest([0, 10, 0], [0, -10, 0], { mask: 8 })).toBeNull();
  });

  test('many rays at once answer as one by one', () => {
    const rays: number[] = [];
    for (let i = 0; i < 50; i++) rays.push((i - 25) / 10, 10, 0, (i - 25) / 20, -10, (i % 5) / 10);
    const batch = world.rayTestBatch(rays, { mask: 3 });
    for (let i = 0; i < 50; i++) {
      const hit = world.rayTest(rays.slice(6 * i, 6 * i + 3), rays.slice(6 * i + 3, 6 * i + 6), { mask: 3 });
      expect(batch.bodies[i]).toBe(hit?.body.id ?? 0);
      expect(batch.fractions[i]).toBe(hit?.fraction ?? 1);
      if (hit) expect([...batch.points.subarray(3 * i, 3 * i + 3)]).toEqual(hit.point);
    }
    expect(world.rayTestBatch(rays.slice(0, 12), {}, batch)).toBe(batch);
    expect(batch.count).toBe(2);
  });

  test('boxes', () => {
    expect(world.overlapTest([-1, 0.8, -1], [1, 5, 1]).map(({ body }) => body)).toEqual([low, high]);
    expect(world.overlapTest([-1, 0.8, -1], [1, 5, 1], { mask: 1 }).map(({ body }) => body)).toEqual([high]);
    expect(world.overlapTest([10, 10, 10], [11, 11, 11])).toEqual([]);
  });

  test('answers see what was just changed', () => {
    high.setPosition([0, 8, 0]);
    expect(world.rayTest([0, 10, 0], [0, -10, 0])?.point[1]).toBeCloseTo(8.5, 5);
    high.setPosition([0, 4, 0]);
  });
});

test('a pair filter decides who collides', () => {
  const world = new World();
  createFloor(world);
  const ghost = world.createBody({ mass: 1, position: [0, 0.6, 0], shape: ball });
  const solid = world.createBody({ mass: 1, position: [3, 0.6, 0], shape: ball });
  world.setPairFilter((a, b) => b !== ghost && a !== ghost);
  for (let i = 0; i < 60; i++) world.step(DT);
  expect(solid.getPosition()[1]).toBeCloseTo(0.5, 2);
  expect(ghost.getPosition()[1]).toBeLessThan(0.4);
});

test('worlds do not share state', () => {
  const make = () => {
    const world = new World();
    createFloor(world);
    for (let i = 0; i < 10; i++) world.createBody({ mass: 1, position: [0, 1 + i, 0.1 * i], shape: box });
    return world;
  };
  const alone = make();
  for (let i = 0; i < 50; i++) alone.step(DT);
  const a = make();
  const b = make();
  for (let i = 0; i < 50; i++) {
    a.step(DT);
    b.step(DT);
    if (i === 20) make().dispose();
  }
  expect([a.stateHash(), b.stateHash()]).toEqual([alone.stateHash(), alone.stateHash()]);
});

test('debug lines: a box has twelve edges, on its faces', () => {
  const world = new World();
  world.createBody({ mass: 1, position: [1, 2, 3], shape: box });
  const lines = world.debugLines();
  expect(lines.count).toBe(12);
  for (let i = 0; i < 12 * 6; i++)
    expect(Math.abs(lines.positions[i]! - [1, 2, 3][i % 3]!)).toBeCloseTo(0.5, 6);
  expect([...lines.colors.subarray(0, 12)]).toEqual(Array(12).fill(0xffffff));
  expect(world.debugLines({ shapes: false, aabbs: true }, lines)).toBe(lines);
  expect(lines.count).toBe(12);
  createFloor(world);
  world.createBody({ mass: 1, position: [8, 0.5, 0], shape: ball });
  world.createBody({
    type: 'kinematic',
    position: [12, 0.5, 0],
    shape: { type: 'capsule', radius: 0.1, halfHeight: 1 },
  });
  for (let i = 0; i < 5; i++) world.step(DT);
  const all = world.debugLines({ aabbs: true, contacts: true, islands: true });
  expect(all.count).toBeGreaterThan(100);
  for (let i = 0; i < 6 * all.count; i++) expect(Number.isFinite(all.positions[i]!)).toBe(true);
});

test('the profile has the stages of the step', () => {
  const world = new World({ profiling: true });
  createFloor(world);
  for (let i = 0; i < 50; i++) world.createBody({ mass: 1, position: [0, 1 + 1.1 * i, 0], shape: box });
  for (let i = 0; i < 20; i++) world.step(DT);
  const { step, collide, solve, prepare, bodies, awakeBodies, pairs, memory, threads, ...rest } =
    world.getProfile();
  expect(step).toBeGreaterThan(0);
  const stages = Object.entries(rest).filter(([name]) => !/shapes|contacts|recycled|collided/.test(name));
  const sum = stages.reduce((total, [, ms]) => total + ms, collide + solve + prepare);
  expect(sum).toBeLessThanOrEqual(step * 1.01 + 0.01);
  expect(threads).toMatchObject({ count: 1, reason: '' });
  expect([bodies, awakeBodies, pairs > 0, memory > 1e5]).toEqual([51, 50, true, true]);
});

testMemory(
  '1,000 steps of a settled world, each pose read: no garbage in JavaScript, no growth of memory',
  () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const world = new World({ sleeping: false });
    createFloor(world);
    const bodies: RigidBody[] = [];
    for (let i = 0; i < 20; i++)
      bodies.push(world.createBody({ mass: 1, position: [2 * i, 0.5, 0], shape: i % 2 ? box : ball }));
    const position = new Float32Array(3);
    const rotation = new Float32Array(4);
    const run = () => {
      for (let i = 0; i < 1000; i++) {
        world.step(DT);
        for (const body of bodies) {
          body.getPosition(position);
          body.getRotation(rotation);
        }
      }
    };
    for (let i = 0; i < 6; i++) run(); // numbers are boxed until the compiler has seen enough
    const { memory } = world.getProfile();
    let grown = Number.POSITIVE_INFINITY;
    // What a step leaves behind is there in every round; what the compiler does in another thread is not.
    for (let i = 0; i < 20 && grown >= 100_000; i++) {
      collect();
      const before = process.memoryUsage().heapUsed;
      run();
      grown = Math.min(grown, process.memoryUsage().heapUsed - before);
    }
    expect(grown / 1000).toBeLessThan(100); // bytes per step, those of the measurement included
    expect(world.getProfile().memory).toBe(memory);
  },
);
