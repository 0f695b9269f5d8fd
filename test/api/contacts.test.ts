// contactBegin, contactStay and contactEnd: when they come, and with which impulse. Truth of a first impact: m·v·(1 + e).

import { describe, expect, test } from 'vitest';
import { heightfield, mesh } from '../../src/cooking';
import type { BodyOptions, PhysicsEvent, RigidBody, ShapeOptions, WorldOptions } from '../../src/index';
import { World } from '../../src/index';

const DT = 1 / 60;
type Event = PhysicsEvent<RigidBody>;
type Contact = Extract<Event, { shapeA: number }>;

const isContact = (event: Event): event is Contact => 'shapeA' in event;
const push = (event: Event) =>
  'points' in event ? event.points.reduce((sum, { impulse }) => sum + impulse, 0) : Number.NaN;

/** Numbers in 0 … 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Throws unless each pair begins, stays and ends in this order, and nothing begins without a push. */
class Pairing {
  readonly touching = new Map<string, number>();
  begins = 0;
  ends = 0;

  step(world: World, sensors = new Set<number>()): Event[] {
    const events = [...world.events()];
    for (const event of events.filter(isContact)) {
      const pair = `${event.shapeA} ${event.shapeB}`;
      const at = `${event.type} of ${pair} in step ${world.stepCount}`;
      const begun = this.touching.get(pair);
      if (event.type === 'contactBegin') {
        expect(begun, at).toBeUndefined();
        if (!sensors.has(event.shapeA) && !sensors.has(event.shapeB))
          expect(push(event), at).toBeGreaterThan(0);
        this.touching.set(pair, world.stepCount);
        this.begins++;
      } else {
        expect(begun, at).toBeDefined();
        if (event.type === 'contactEnd') {
          this.touching.delete(pair);
          this.ends++;
        }
      }
    }
    return events;
  }
}

const FLOORS: Record<string, ShapeOptions> = {
  plane: { type: 'plane' },
  box: { type: 'box', halfExtents: [20, 1, 20], position: [0, -1, 0] },
  mesh: mesh({
    vertices: new Float32Array([-20, 0, -20, 20, 0, -20, 20, 0, 20, -20, 0, 20]),
    indices: new Uint32Array([0, 2, 1, 0, 3, 2]),
  }),
  heightfield: heightfield({ heights: new Float32Array(81), columns: 9, rows: 9, spacing: 5 }),
};

function lowest(body: RigidBody): number {
  const min = [0, 0, 0];
  body.getAabb(min, [0, 0, 0]);
  return min[1]!;
}

const FALLING: Record<string, ShapeOptions> = {
  ball: { type: 'sphere', radius: 0.5 },
  marble: { type: 'sphere', radius: 0.05 },
  crate: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  capsule: { type: 'capsule', radius: 0.3, halfHeight: 0.4 },
  cylinder: { type: 'cylinder', radius: 0.4, halfHeight: 0.5 },
};

describe.each(['native', 'bullet3', 'bullet282'] as const)('a first impact, %s', (profile) => {
  test.each(Object.keys(FLOORS).flatMap((floor) => Object.keys(FALLING).map((shape) => [shape, floor])))(
    'of a %s on a %s begins with its whole impulse',
    (shape, floor) => {
      const next = random(7);
      let told = 0;
      for (let k = 0; k < 12; k++) {
        const e = k % 2 ? 0.5 : 0;
        const height = 0.2 + 3 * next();
        const world = new World({ profile, events: true, gravity: [0, -9.81, 0] });
        world.createBody({ type: 'static', shape: { ...FLOORS[floor]!, restitution: 1 } });
        const body = world.createBody({
          mass: 3,
          position: [0.3, 1, 0.2],
          shape: { ...FALLING[shape]!, restitution: e },
        });
        body.setPosition([0.3, 1 + height - lowest(body), 0.2]);
        const pairing = new Pairing();
        for (let i = 0; i < 90; i++) {
          const arriving = -body.getLinearVelocity()[1];
          world.step(DT);
          const begun = pairing.step(world).find(({ type }) => type === 'contactBegin');
          if (begun === undefined || pairing.begins > 1) continue;
          told++;
          const gained = 3 * (body.getLinearVelocity()[1] + arriving);
          expect(push(begun), `step ${i}, drop of ${height} m, e ${e}`).toBeGreaterThan(0.85 * gained);
          expect(push(begun)).toBeGreaterThan(0.85 * 3 * arriving);
        }
      }
      expect(told).toBe(12);
    },
  );
});

/** Bodies of every kind in a heap, some swept, some sensors; returns ids of shapes that are sensors. */
function heap(world: World, seed: number, count: number): Set<number> {
  const next = random(seed);
  const sensors = new Set<number>();
  world.createBody({ type: 'static', shape: FLOORS[Object.keys(FLOORS)[seed % 4]!]! });
  for (const [x, z] of [
    [-4, 0],
    [4, 0],
    [0, -4],
    [0, 4],
  ] as const)
    world.createBody({
      type: 'static',
      position: [x, 2, z],
      shape: { type: 'box', halfExtents: x ? [0.1, 4, 4] : [4, 4, 0.1] },
    });
  world.createBody({
    type: 'kinematic',
    position: [0, 0.3, 0],
    angularVelocity: [0, 2, 0],
    shape: { type: 'box', halfExtents: [2, 0.2, 0.2] },
  });
  for (let k = 0; k < count; k++) {
    const kind = Object.values(FALLING)[Math.floor(next() * 5)]!;
    const options: BodyOptions = {
      mass: 0.2 + 5 * next(),
      position: [6 * next() - 3, 1 + 6 * next(), 6 * next() - 3],
      linearVelocity: [40 * next() - 20, 20 * next() - 10, 40 * next() - 20],
      shape: [
        { ...kind, restitution: next(), friction: next() },
        { type: 'sphere', radius: 0.2, position: [0.3, 0.3, 0], sensor: next() < 0.3 },
      ],
      ccdMotionThreshold: next() < 0.3 ? 0.01 : 0,
    };
    const body = world.createBody(options);
    if ((options.shape as ShapeOptions[])[1]!.sensor) sensors.add(body.shapes[1]!);
  }
  return sensors;
}

describe('each begin has its end', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'in a heap of 40 bodies that come, go and fall asleep, seed %i',
    (seed) => {
      const options: WorldOptions = { events: true, deactivationTime: 0.3, substeps: 1 + (seed % 6) };
      const world = new World(options);
      const sensors = heap(world, seed, 40);
      const next = random(seed + 100);
      const pairing = new Pairing();
      for (let i = 0; i < 240; i++) {
        const bodies = [...world.bodies()];
        const any = () => bodies[6 + Math.floor(next() * (bodies.length - 6))]!;
        if (i % 20 === 0) any().setPosition([0, 3 + next(), 0]);
        if (i % 31 === 0) world.removeBody(any());
        if (i % 37 === 0) any().setActivationState('sleeping');
        if (i % 41 === 0) any().setLinearVelocity([300 * next() - 150, 10, 300 * next() - 150]);
        world.step(DT);
        pairing.step(world, sensors);
      }
      expect(pairing.begins).toBeGreaterThan(300);
      for (const body of [...world.bodies()]) body.remove();
      world.step(DT);
      pairing.step(world, sensors);
      expect([...pairing.touching.keys()]).toEqual([]);
      expect(pairing.ends).toBe(pairing.begins);
    },
  );

  test('when the world is taken back to any of its steps, the same events come again', () => {
    for (const seed of [11, 12, 13]) {
      const world = new World({ events: true, deactivationTime: 0.3 });
      heap(world, seed, 25);
      const steps: { snapshot: Uint8Array; slot: ReturnType<World['save']>; events: string }[] = [];
      const text = (of: World) =>
        JSON.stringify([...of.events()].map((event) => ({ ...event, body: 0, bodyA: 0, bodyB: 0 })));
      for (let i = 0; i < 90; i++) {
        const before = { snapshot: world.snapshot(), slot: world.save() };
        world.step(DT);
        steps.push({ ...before, events: text(world) });
      }
      for (let i = 80; i >= 0; i -= 9) {
        const other = World.restore(steps[i]!.snapshot, { events: true });
        world.restore(steps[i]!.slot);
        for (let k = 0; k < 9; k++) {
          other.step(DT);
          world.step(DT);
          expect(text(other), `seed ${seed}, step ${k} after ${i}`).toBe(steps[i + k]!.events);
          expect(text(world)).toBe(steps[i + k]!.events);
        }
      }
    }
  });

  test('whoever subscribes later hears of no contact that began before, and of each end', () => {
    const world = new World();
    world.createBody({ type: 'static', shape: FLOORS['plane']! });
    const box = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: FALLING['crate']! });
    for (let i = 0; i < 10; i++) world.step(DT);
    const seen: string[] = [];
    for (const type of ['contactBegin', 'contactStay', 'contactEnd'] as const)
      world.on(type, () => seen.push(type));
    world.step(DT);
    expect(seen).toEqual(['contactStay']);
    box.setPosition([0, 5, 0]);
    world.step(DT);
    expect(seen).toEqual(['contactStay', 'contactEnd']);
  });
});

describe('no contact begins', () => {
  const setting = (options: WorldOptions = {}) => {
    const world = new World({ events: true, gravity: [0, 0, 0], sleeping: false, ...options });
    const seen: Event[] = [];
    const run = (steps: number) => {
      for (let i = 0; i < steps; i++) {
        world.step(DT);
        seen.push(...world.events());
      }
      return seen.map(({ type }) => type);
    };
    return { world, seen, run };
  };

  test('between bodies that stop a centimetre apart, or pass each other by at 5 mm', () => {
    const { world, run } = setting();
    world.createBody({ type: 'static', shape: FLOORS['box']! });
    world.createBody({ mass: 1, position: [0, 0.51, 0], shape: FALLING['crate']! });
    world.createBody({
      mass: 1,
      position: [-5, 0.505, 3],
      linearVelocity: [8, 0, 0],
      shape: FALLING['ball']!,
    });
    expect(run(60)).toEqual([]);
  });

  test('while balls in a row only kiss; each begins when the blow comes through', () => {
    const { world, seen, run } = setting();
    const balls = [0, 1, 2].map((k) =>
      world.createBody({ mass: 1, position: [k, 0, 0], shape: { ...FALLING['ball']!, restitution: 1 } }),
    );
    expect(run(10)).toEqual([]);
    balls[0]!.setLinearVelocity([4, 0, 0]);
    run(2);
    const begins = seen.filter(({ type }) => type === 'contactBegin');
    expect(begins).toHaveLength(2);
    for (const event of begins) expect(push(event)).toBeGreaterThan(2);
  });

  test('again when what lies asleep wakes up', () => {
    const { world, run } = setting({ gravity: [0, -9.81, 0], sleeping: true });
    world.createBody({ type: 'static', shape: FLOORS['box']! });
    const crate = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: FALLING['crate']! });
    expect(run(300).filter((type) => type !== 'contactStay')).toEqual(['contactBegin', 'sleep']);
    crate.activate();
    expect(run(10).filter((type) => type !== 'contactStay' && type !== 'wake')).toEqual([
      'contactBegin',
      'sleep',
    ]);
  });
});

describe('a contact ends', () => {
  test('when a fast slider leaves the ground, though the solver looks half a metre ahead', () => {
    const world = new World({ events: true, sleeping: false });
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [100, 1, 100], position: [0, -1, 0] },
    });
    const ball = world.createBody({
      mass: 1,
      position: [-50, 0.5, 0],
      linearVelocity: [30, 0, 0],
      shape: { type: 'sphere', radius: 0.5, friction: 0, restitution: 0 },
    });
    for (let i = 0; i < 10; i++) world.step(DT);
    ball.applyCentralImpulse([0, 1.5, 0]); // up to 11 cm
    const seen: [string, number][] = [];
    for (let i = 0; i < 30; i++) {
      world.step(DT);
      for (const { type } of world.events())
        if (type !== 'contactStay') seen.push([type, ball.getPosition()[1]]);
    }
    expect(seen.map(([type]) => type)).toEqual(['contactEnd', 'contactBegin']);
    expect(seen[0]![1]).toBeLessThan(0.58);
  });

  test('not with sleep; what falls asleep in the step of its impact has begun with it', () => {
    const world = new World({ events: true, deactivationTime: 0 });
    world.createBody({ type: 'static', shape: FLOORS['box']! });
    const crate = world.createBody({
      mass: 1,
      position: [0, 1.5, 0],
      linearVelocity: [0, -3, 0],
      shape: FALLING['crate']!,
    });
    const seen: Event[] = [];
    for (let i = 0; i < 120; i++) {
      world.step(DT);
      seen.push(...world.events());
    }
    const types = seen.map(({ type }) => type).filter((type) => type !== 'contactStay');
    expect(types).toEqual(['contactBegin', 'sleep']);
    expect(push(seen.find(({ type }) => type === 'contactBegin')!)).toBeGreaterThan(4);
    crate.remove();
    world.step(DT);
    expect([...world.events()].map(({ type }) => type)).toEqual(['wake', 'contactEnd']);
  });
});

test('impulses of a body at rest sum to its weight, with any number of passes', () => {
  for (const passes of [
    {},
    { relaxIterations: 0 },
    { relaxIterations: 2 },
    { relaxIterations: 3, iterations: 2 },
    { profile: 'bullet3' },
  ] as WorldOptions[])
    for (const posts of [1, 4]) {
      const world = new World({ gravity: [0, -10, 0], sleeping: false, ...passes });
      const floor = world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
      for (let i = 0; i < posts; i++)
        world.createBody({
          mass: 1,
          position: [i % 2, 0.5, i >> 1],
          shape: { type: 'box', halfExtents: [0.1, 0.5, 0.1] },
        });
      world.createBody({
        mass: 4,
        position: posts === 1 ? [0, 1.1, 0] : [0.5, 1.1, 0.5],
        shape: { type: 'box', halfExtents: [0.6, 0.1, 0.6] },
      });
      for (let i = 0; i < 240; i++) world.step(DT);
      let sum = 0;
      for (let i = 0; i < 60; i++) {
        world.step(DT);
        for (const { points } of world.getContacts(floor)) for (const { impulse } of points) sum += impulse;
      }
      const weight = (4 + posts) * 10;
      expect(Math.abs(sum - weight), `${JSON.stringify(passes)}, ${posts} posts: ${sum}`).toBeLessThan(
        0.02 * weight,
      );
      world.dispose();
    }
});
