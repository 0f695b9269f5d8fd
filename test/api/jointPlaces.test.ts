// A joint that is told nothing of its place takes it from where the bodies are: nothing moves when it is made.

import { describe, expect, test } from 'vitest';
import type { JointOptions, RigidBody, WorldOptions } from '../../src/index';
import { World } from '../../src/index';

const DT = 1 / 60;
const BOX = { type: 'box', halfExtents: [0.3, 0.2, 0.4] } as const;

type Kind = { [Type in JointOptions['type']]: Omit<JointOptions & { type: Type }, 'bodyA' | 'bodyB'> };
const KINDS: Omit<Kind, 'mouse' | 'distance'> = {
  point: { type: 'point' },
  hinge: { type: 'hinge', angle: { low: -0.01, high: 0.01 } },
  fixed: { type: 'fixed' },
  slider: { type: 'slider', position: { low: -0.01, high: 0.01 } },
  coneTwist: { type: 'coneTwist', swingY: 0.01, swingZ: 0.01, twist: { low: -0.01, high: 0.01 } },
  generic: {
    type: 'generic',
    angleX: { low: 0, high: 0 },
    angleY: { low: 0, high: 0 },
    angleZ: { low: 0, high: 0 },
  },
  universal: { type: 'universal', angle1: { low: -0.01, high: 0.01 }, angle2: { low: -0.01, high: 0.01 } },
  hinge2: { type: 'hinge2', position: { low: 0, high: 0 }, steering: { low: -0.01, high: 0.01 } },
  gear: { type: 'gear', ratio: 2 },
  motor: { type: 'motor' },
};
const TYPES = Object.keys(KINDS) as (keyof typeof KINDS)[];

const turned = (x: number, y: number, z: number, w: number): [number, number, number, number] => {
  const l = Math.hypot(x, y, z, w);
  return [x / l, y / l, z / l, w / l];
};

function scene(options: WorldOptions = {}) {
  const world = new World({ gravity: [0, 0, 0], sleeping: false, ...options });
  const a = world.createBody({
    mass: 2,
    position: [5, 1, -2],
    rotation: turned(0.3, -0.5, 0.2, 0.9),
    shape: { ...BOX, position: [0.4, 0, 0.1] },
  });
  const b = world.createBody({
    mass: 3,
    position: [5, 4, -1],
    rotation: turned(-0.7, 0.1, 0.4, 0.2),
    centerOfMass: [0.1, -0.2, 0.3],
    shape: BOX,
  });
  return { world, a, b };
}

const distance = (p: number[], q: number[]) => Math.hypot(...p.map((v, i) => v - q[i]!));

/** Farthest that a point a metre from the origin of a body has moved. */
function moved(bodies: RigidBody[], before: { p: number[]; q: number[] }[]): number {
  return Math.max(
    ...bodies.map((body, i) => {
      const p = body.getPosition();
      const q = body.getRotation();
      const { p: p0, q: q0 } = before[i]!;
      const way = Math.hypot(p[0] - p0[0]!, p[1] - p0[1]!, p[2] - p0[2]!);
      const along = Math.abs(q.reduce((sum, v, k) => sum + v * q0[k]!, 0));
      return way + 2 * Math.acos(Math.min(1, along));
    }),
  );
}
const poses = (bodies: RigidBody[]) =>
  bodies.map((body) => ({ p: body.getPosition(), q: body.getRotation() }));

const PLACES: Record<string, object> = {
  nothing: {},
  'axis alone': { axis: [0.3, 1, -0.2] },
  'frameA, empty': { frameA: {} },
  'frameB, empty': { frameB: {} },
  'place of A': { frameA: { position: [0.2, 1, 0.5] } },
  'place of B': { frameB: { position: [-0.2, 0.4, 0.1] } },
  'axis of A': { frameA: { axis: [0, 1, 1] } },
  'axis of B': { frameB: { axis: [0, 1, 1] } },
  'rotation of A': { frameA: { rotation: turned(1, 2, 3, 4) } },
  'place of A, axis of B': { frameA: { position: [0, 1, 0] }, frameB: { axis: [0, 0, 1] } },
  'place and axis of A': { frameA: { position: [0, 1, 0], axis: [0, 0, 1] } },
  'place and axis of B': { frameB: { position: [0, 1, 0], axis: [0, 0, 1] } },
};

describe.each(TYPES)('a %s joint', (type) => {
  const places = Object.keys(PLACES).filter(
    // What is told of its frames a motor takes for where it is to pull to.
    (name) => type !== 'motor' || name === 'nothing' || name === 'axis alone',
  );
  describe.each(['two bodies', 'A and the world', 'the world and B'])('of %s', (who) => {
    test.each(places)('told %s moves nothing', (place) => {
      const { world, a, b } = scene();
      const sides = {
        'two bodies': { bodyA: a, bodyB: b },
        'A and the world': { bodyA: a },
        'the world and B': { bodyB: b },
      }[who]!;
      const before = poses([a, b]);
      world.createJoint({ ...KINDS[type], ...PLACES[place], ...sides } as JointOptions<RigidBody>);
      for (let i = 0; i < 60; i++) world.step(DT);
      expect(moved([a, b], before)).toBeLessThan(2e-3);
    });
  });
});

test('without a place the anchor is the middle of B, or of A where B is the world', () => {
  for (const side of ['bodyA', 'bodyB'] as const) {
    const { world, b } = scene({ gravity: [0, -9.81, 0] });
    world.createJoint({ type: 'point', [side]: b } as JointOptions<RigidBody>);
    const middle = b.getCenterOfMassPosition();
    for (let i = 0; i < 120; i++) world.step(DT);
    expect(distance(b.getCenterOfMassPosition(), middle)).toBeLessThan(2e-3);
  }
  const { world, a, b } = scene({ gravity: [0, -9.81, 0] });
  a.setType('static');
  world.createJoint({ type: 'point', bodyA: a, bodyB: b });
  const middle = b.getCenterOfMassPosition();
  for (let i = 0; i < 120; i++) world.step(DT);
  expect(distance(b.getCenterOfMassPosition(), middle)).toBeLessThan(2e-3);
});

test('fixed between bodies 3 m apart holds them there, through snapshots, under load', () => {
  let { world, a, b } = scene({ gravity: [0, -9.81, 0] });
  a.setType('kinematic');
  world.createJoint({ type: 'fixed', bodyA: a, bodyB: b });
  const before = poses([b]);
  world = World.restore(world.snapshot(), { sleeping: false });
  b = world.getBody(b.id)!;
  for (let i = 0; i < 120; i++) world.step(DT);
  expect(moved([b], before)).toBeLessThan(0.02);
});

test('where the bodies are is where they are when the joint is made, also within one step', () => {
  const { world, a, b } = scene();
  b.setPosition([0, 9, 0]);
  world.createJoint({ type: 'fixed', bodyA: a, bodyB: b });
  for (let i = 0; i < 60; i++) world.step(DT);
  expect(moved([b], [{ p: [0, 9, 0], q: b.getRotation() }])).toBeLessThan(2e-3);
});

test('a distance joint without frames is between the origins; to the world it wants a place', () => {
  const { world, a, b } = scene();
  const before = poses([a, b]);
  const length = Math.hypot(3, 1);
  const rod = { type: 'distance', distance: { low: length, high: length } } as const;
  world.createJoint({ ...rod, bodyA: a, bodyB: b });
  for (let i = 0; i < 60; i++) world.step(DT);
  expect(moved([a, b], before)).toBeLessThan(2e-3);
  const { jointCount } = world;
  expect(() => world.createJoint({ ...rod, bodyB: b })).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument: 'frameA.position' }),
  );
  expect(() => world.createJoint({ ...rod, bodyA: a, frameA: { position: [0, 0, 0] } })).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument: 'frameB.position' }),
  );
  expect(() => world.createJoint({ ...rod, bodyA: a, bodyB: b, axis: [1, 0, 0] } as never)).toThrow(/axis/);
  expect(world.jointCount).toBe(jointCount);
  world.createJoint({ ...rod, bodyB: b, frameA: { position: [0, 0, 0] } });
});

test('axis and axis2 without an anchor are in the world; with frames they are refused', () => {
  const { world, a, b } = scene({ gravity: [0, 0, 0] });
  a.setType('static');
  world.createJoint({ type: 'hinge', bodyA: a, bodyB: b, axis: [0, 1, 0] });
  b.applyTorqueImpulse([3, 3, 3]);
  for (let i = 0; i < 30; i++) world.step(DT);
  const spin = b.getAngularVelocity();
  expect(Math.abs(spin[1])).toBeGreaterThan(1);
  expect(Math.hypot(spin[0], spin[2])).toBeLessThan(1e-3);
  for (const axis of [{ axis: [0, 1, 0] }, { axis2: [0, 1, 0] }])
    expect(() => world.createJoint({ type: 'universal', bodyB: b, frameA: {}, ...axis } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
});
