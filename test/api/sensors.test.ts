// Sensors and ghosts: bodies without response tell when overlaps begin and end, against everything, and change
// nothing. In: small worlds. Out: events, lists of overlaps.
import { describe, expect, test } from 'vitest';
import { type BodyOptions, heightfield, mesh, type RigidBody, World } from '../../src';

const DT = 1 / 60;
const BOX = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
const ZONE = { type: 'box', halfExtents: [2, 2, 2], sensor: true } as const;

/** A world without gravity, and what it reports as [step, type, body, body]. */
function watch(options: ConstructorParameters<typeof World>[0] = { gravity: [0, 0, 0] }) {
  const world = new World(options);
  const names = new Map<number, string>();
  const seen: string[] = [];
  for (const type of ['contactBegin', 'contactEnd'] as const)
    world.on(type, ({ bodyA, bodyB }) => {
      const pair = [bodyA, bodyB].map((body) => names.get(body.id)!).sort();
      seen.push(`${type === 'contactBegin' ? '+' : '-'}${pair.join(' ')}`);
    });
  const body = (name: string, given: BodyOptions) => {
    const made = world.createBody(given);
    names.set(made.id, name);
    return made;
  };
  const step = (count = 1) => {
    seen.length = 0;
    for (let i = 0; i < count; i++) world.step(DT);
    return seen;
  };
  const inside = (zone: RigidBody) => zone.getOverlappingBodies().map(({ id }) => names.get(id));
  return { world, body, step, inside };
}

describe('a static sensor', () => {
  test('hears of static, kinematic, dynamic and sleeping bodies and other sensors that are there at the start', () => {
    const { world, body, step, inside } = watch();
    const sleeper = body('sleeper', { shape: BOX, activationState: 'sleeping' });
    world.step(DT);
    expect(sleeper.isActive()).toBe(false);
    const zone = body('zone', { type: 'static', shape: { ...ZONE, sensesStatic: true } });
    body('static', { type: 'static', shape: BOX, position: [1.2, 0, 0] });
    body('kinematic', { type: 'kinematic', shape: BOX, position: [0, 1.5, 0] });
    body('dynamic', { shape: BOX, position: [-1.2, 0, 0] });
    body('ghost', { type: 'static', shape: { ...ZONE, sensesStatic: true }, position: [3, 0, 0] });
    body('far', { type: 'static', shape: BOX, position: [0, 0, 9] });
    expect([...step()].sort()).toEqual([
      '+dynamic zone',
      '+ghost static',
      '+ghost zone',
      '+kinematic zone',
      '+sleeper zone',
      '+static zone',
    ]);
    expect(inside(zone).sort()).toEqual(['dynamic', 'ghost', 'kinematic', 'sleeper', 'static']);
    expect(sleeper.isActive()).toBe(false);
    expect(step(20)).toEqual([]);
  });

  test('is silent about the static ground that it stands in, and about other static sensors', () => {
    const { body, step, inside } = watch();
    body('ground', { type: 'static', shape: { type: 'plane' } });
    const hill = body('hill', { type: 'static', shape: BOX });
    const zone = body('zone', { type: 'static', shape: ZONE });
    body('other', { type: 'static', shape: BOX, contactResponse: false });
    const lift = body('lift', { type: 'kinematic', shape: BOX });
    body('probe', { type: 'kinematic', shape: { ...BOX, sensor: true }, position: [0, 0.4, 0] });
    expect([...step()].sort()).toEqual([
      '+ground probe',
      '+hill probe',
      '+lift other',
      '+lift probe',
      '+lift zone',
      '+other probe',
      '+probe zone',
    ]);
    expect(inside(zone).sort()).toEqual(['lift', 'probe']);
    // What it is counts now, not what it was.
    hill.setType('kinematic');
    expect([...step()].sort()).toEqual(['+hill other', '+hill probe', '+hill zone', '-hill probe']);
    lift.setType('static');
    expect([...step()].sort()).toEqual(['+lift probe', '-lift other', '-lift probe', '-lift zone']);
    expect(inside(zone).sort()).toEqual(['hill', 'probe']);
  });

  test('that is set elsewhere ends and begins overlaps, and wakes nobody', () => {
    const { body, step, inside } = watch();
    const wall = { type: 'static', shape: BOX } as const;
    body('left', { ...wall, position: [-10, 0, 0] });
    body('right', { ...wall, position: [10, 0, 0] });
    const sleeper = body('sleeper', { shape: BOX, position: [10, 1.2, 0], activationState: 'sleeping' });
    const zone = body('zone', {
      type: 'static',
      shape: { ...ZONE, sensesStatic: true },
      position: [-10, 0, 0],
    });
    expect(step()).toEqual(['+left zone']);
    zone.setTransform([10, 0, 0], [0, 0, 0, 1]);
    expect([...step()].sort()).toEqual(['+right zone', '+sleeper zone', '-left zone']);
    // Within its box, by less than the box in the tree is grown.
    zone.setTransform([10, -1.32, 0], [0, 0, 0, 1]);
    expect(step()).toEqual(['-sleeper zone']);
    zone.setTransform([10, -1.28, 0], [0, 0, 0, 1]);
    expect(step()).toEqual(['+sleeper zone']);
    expect(sleeper.isActive()).toBe(false);
    expect(inside(zone).sort()).toEqual(['right', 'sleeper']);
    zone.remove();
    expect([...step()].sort()).toEqual(['-right zone', '-sleeper zone']);
  });

  test('hears of a body that flies through, once in and once out, and does not slow it down', () => {
    const { body, step } = watch();
    const zone = body('zone', { type: 'static', shape: ZONE });
    const ball = body('ball', {
      shape: { type: 'sphere', radius: 0.5 },
      position: [-5, 0, 0],
      linearVelocity: [10, 0, 0],
    });
    expect([...step(70)]).toEqual(['+ball zone', '-ball zone']);
    expect(ball.getLinearVelocity()[0]).toBe(10);
    expect(zone.getOverlappingBodies()).toEqual([]);
  });

  test('keeps what falls asleep in it', () => {
    const { world, body, step, inside } = watch({});
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const zone = body('zone', { type: 'static', shape: ZONE, mask: 1 });
    const box = body('box', { shape: BOX, position: [0, 0.6, 0] });
    expect(step(240).filter((event) => event.includes('zone'))).toEqual(['+box zone']);
    expect(box.isActive()).toBe(false);
    expect(inside(zone)).toEqual(['box']);
    box.remove();
    expect([...step()].filter((event) => event.includes('zone'))).toEqual(['-box zone']);
  });
});

describe('moving sensors', () => {
  test('a kinematic sensor passes static, sleeping and sensing bodies', () => {
    const { body, step } = watch();
    body('static', { type: 'static', shape: BOX, position: [3, 0, 0] });
    const sleeper = body('sleeper', { shape: BOX, position: [6, 0, 0], activationState: 'sleeping' });
    body('ghost', { type: 'static', shape: { ...BOX, sensor: true }, position: [9, 0, 0] });
    const probe = body('probe', { type: 'kinematic', shape: { ...BOX, sensor: true } });
    const seen: string[] = [];
    for (let i = 1; i <= 120; i++) {
      probe.setKinematicTarget([0.1 * i, 0, 0], [0, 0, 0, 1]);
      seen.push(...step());
    }
    expect(seen).toEqual(
      ['static', 'sleeper', 'ghost']
        .flatMap((name) => [name, name])
        .map((name, i) => {
          return `${i % 2 === 0 ? '+' : '-'}${[name, 'probe'].sort().join(' ')}`;
        }),
    );
    expect(sleeper.isActive()).toBe(false);
  });

  test('a dynamic body without response falls through the floor and says so', () => {
    const { body, step } = watch({});
    body('floor', { type: 'static', shape: { type: 'box', halfExtents: [5, 0.5, 5] } });
    const ghost = body('ghost', { shape: BOX, position: [0, 3, 0], contactResponse: false });
    expect([...step(90)]).toEqual(['+floor ghost', '-floor ghost']);
    expect(ghost.getPosition()[1]).toBeLessThan(-4);
  });

  test.each(['dynamic', 'kinematic'] as const)(
    'of sensors alone tells of what it flies through (%s)',
    (type) => {
      const { body, step } = watch();
      body('pole', { mass: 1, shape: { type: 'sphere', radius: 0.05 } });
      const blade = body('blade', {
        type,
        position: [-1, 0, 0],
        linearVelocity: [120, 0, 0],
        shape: { type: 'box', halfExtents: [0.05, 0.5, 0.5], sensor: true },
      });
      expect([...step(3)]).toEqual(['+blade pole', '-blade pole']);
      expect(blade.getLinearVelocity()[0]).toBe(120);
    },
  );

  const flat = { vertices: [-9, 0, -9, 9, 0, -9, -9, 0, 9, 9, 0, 9], indices: [0, 2, 1, 1, 2, 3] };
  const surfaces = {
    mesh: mesh(flat),
    heightfield: heightfield({ rows: 5, columns: 5, spacing: 4, heights: new Array(25).fill(0) }),
  };
  test.each(Object.entries(surfaces))('tell of a %s that they fly through, at any speed', (_, shape) => {
    for (const speed of [10, 60, 120, 400])
      for (const from of [0.3, 1.1, 2.4]) {
        const { body, step } = watch();
        body('ground', { type: 'static', shape });
        const bolt = { type: 'capsule', radius: 0.02, halfHeight: 0.1, sensor: true } as const;
        body('bolt', { position: [0.3, from, 0.4], linearVelocity: [0, -speed, 0], shape: bolt });
        expect([...step(30)], `${speed} m/s from ${from} m`).toEqual(['+bolt ground', '-bolt ground']);
      }
  });
});

test('overlaps of sensors are the same after a snapshot, and end there', () => {
  const { world, body, step } = watch();
  const zone = body('zone', { type: 'static', shape: { ...ZONE, sensesStatic: true } });
  body('static', { type: 'static', shape: BOX });
  body('box', { shape: BOX, position: [0, 1, 0], activationState: 'sleeping' });
  step(3);
  const copy = World.restore(world.snapshot());
  const ids = (bodies: RigidBody[]) => bodies.map(({ id }) => id);
  const twin = copy.getBody(zone.id)!;
  expect(ids(zone.getOverlappingBodies())).toHaveLength(2);
  expect(ids(twin.getOverlappingBodies())).toEqual(ids(zone.getOverlappingBodies()));
  for (const target of [world, copy]) {
    target.getBody(zone.id)!.setTransform([20, 0, 0], [0, 0, 0, 1]);
    target.step(DT);
    expect(target.getBody(zone.id)!.getOverlappingBodies()).toEqual([]);
  }
  expect(copy.stateHash()).toBe(world.stateHash());
});
