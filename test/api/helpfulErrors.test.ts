// What a mistake is answered with: the name that was meant, what is known, what is wrong with the value.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unknownScene } from '../../demo/scenes';
import { closestName } from '../../src/base/closest';
import { CharacterController } from '../../src/character';
import { fitCollider } from '../../src/geometry';
import { type BodyOptions, cookMesh, mesh, scaled, World } from '../../src/index';
import { startPhysics } from '../worker/support';

const box = { type: 'box', halfExtents: [1, 1, 1] } as const;

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect((error as Error).name).toBe('PhysicsError');
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}

describe('a name that is not known', () => {
  const world = new World();
  const body = world.createBody({ mass: 1, shape: box });
  const cases: [string, () => unknown, string][] = [
    [
      'halfExtent',
      () => world.createBody({ shape: { type: 'box', halfExtent: [1, 1, 1] } } as never),
      'halfExtents',
    ],
    [
      'halfextents',
      () => world.createBody({ shape: { type: 'box', halfextents: [1, 1, 1] } } as never),
      'halfExtents',
    ],
    ['size', () => world.createBody({ shape: { type: 'box', size: [1, 1, 1] } } as never), 'halfExtents'],
    [
      'vertices of a mesh, which is cooked first',
      () => world.createBody({ shape: { type: 'mesh', vertices: [], indices: [] } } as never),
      'geometry',
    ],
    [
      'heights of a heightfield',
      () => world.createBody({ shape: { type: 'heightfield', heights: [] } } as never),
      'geometry',
    ],
    ['shapes', () => world.createBody({ mass: 1, shapes: [box] } as never), 'shape'],
    ['velocity', () => world.createBody({ shape: box, velocity: [1, 0, 0] } as never), 'linearVelocity'],
    ['postion', () => world.createBody({ shape: box, postion: [1, 0, 0] } as never), 'position'],
    ['cube', () => world.createBody({ shape: { type: 'cube' } } as never), 'box'],
    ['Sphere', () => world.createBody({ shape: { type: 'Sphere', radius: 1 } } as never), 'sphere'],
    ['dinamic', () => world.createBody({ type: 'dinamic', shape: box } as never), 'dynamic'],
    ['revolute', () => world.createJoint({ type: 'revolute', bodyB: body } as never), 'hinge'],
    ['pivot', () => world.createJoint({ type: 'point', bodyB: body, pivot: [0, 0, 0] } as never), 'anchor'],
    ['min', () => world.createJoint({ type: 'hinge', bodyB: body, angle: { min: 0 } } as never), 'low'],
    ['substep', () => new World({ substep: 3 } as never), 'substeps'],
    ['iteration', () => world.updateSettings({ iteration: 3 } as never), 'iterations'],
    ['contactbegin', () => world.on('contactbegin' as never, () => {}), 'contactBegin'],
    ['maxdistance', () => world.closestPoints(body, body, { maxdistance: 3 } as never), 'maxDistance'],
    ['mode', () => world.rayTest([0, 0, 0], [0, 1, 0], { mode: 'closet' as never }), 'closest'],
    ['vertexes', () => cookMesh({ vertexes: [], indices: [] } as never), 'vertices'],
    ['isTrigger', () => body.addShape({ ...box, isTrigger: true } as never), 'sensor'],
    ['stepheight', () => new CharacterController(world, { stepheight: 1 } as never), 'stepHeight'],
    ['kind', () => fitCollider([0, 0, 0, 1, 1, 1, 2, 0, 0], { kind: 'bxo' as never }), 'box'],
  ];
  test.each(cases)('%s', (_, run, meant) => {
    expect(messageOf(run)).toContain(`did you mean '${meant}'?`);
  });

  test('that is like none gets no hint, only the list', () => {
    const message = messageOf(() => world.createBody({ shape: box, wibble: 1 } as never));
    expect(message).toMatch(/^wibble is no option; known are type, shape/);
    expect(closestName('constructor', ['box', 'ball'])).toBeUndefined();
    expect(closestName('', ['box'])).toBeUndefined();
    expect(closestName('x'.repeat(1e6), ['box'])).toBeUndefined();
  });

  test('in a filter, and in the options of createPhysics', async () => {
    const physics = await startPhysics({ transport: 'page', clock: 'manual' });
    const filter = messageOf(() => physics.on('contactBegin', () => {}, { minimpulse: 3 } as never));
    expect(filter).toBe(
      "filter.minimpulse is no option; known are body, minImpulse; did you mean 'minImpulse'?",
    );
    await expect(startPhysics({ timeStep: 1 / 60 } as never)).rejects.toThrow(
      "did you mean 'fixedTimeStep'?",
    );
    await expect(startPhysics({ transprt: 'page' } as never)).rejects.toThrow("did you mean 'transport'?");
    await expect(startPhysics({ gravty: [0, 0, 0] } as never)).rejects.toThrow("did you mean 'gravity'?");
  });

  test('of a scene in the address of the demo', () => {
    expect(unknownScene('pyramids')).toContain("There is no scene 'pyramids'. Did you mean 'pyramid'?");
    expect(unknownScene('')).toContain('There are pyramid');
  });
});

test('a scale of 0 says what is wrong with it', () => {
  const content = { vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 1, 2] };
  const world = new World();
  const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (const scale of [0, [1, 0, 1]] as const)
    for (const run of [
      () => world.createBody({ type: 'static', shape: mesh({ ...content, scale }) }),
      () => scaled(box, scale),
      () => fitCollider(points, { scale }),
    ])
      expect(messageOf(run)).toMatch(/scale(\.y)? must not be 0/);
  expect(messageOf(() => scaled(box, 1e-6))).toBe('scale must be at least 0.0001 in size, got 0.000001');
});

describe('a dynamic body without shapes', () => {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
  });
  afterEach(() => void vi.restoreAllMocks());
  const fall = (
    options: BodyOptions,
    and: (world: World, id: number) => void = () => {},
    gravity = -9.81,
  ) => {
    const world = new World({ gravity: [0, gravity, 0] });
    and(world, world.createBody(options).id);
    world.step(1 / 60);
    world.stepSimulation(1 / 60);
    return warnings;
  };

  test('is warned of at the first step, once per world, with what to do', () => {
    const told = fall({ mass: 1 }, (world) => void world.createBody({ mass: 2 }));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^ricochet: body \d+ has no shape and no joint.*'shape: \[\]'/);
  });

  test('is as it should be with an empty list, a joint, a shape that comes later, or nothing to fall by', () => {
    fall({ mass: 1, shape: [] });
    fall({ type: 'static' });
    fall({ type: 'kinematic' });
    fall({ mass: 1, gravityScale: 0 });
    fall({ mass: 1, activationState: 'disableSimulation' });
    fall({ mass: 1 }, () => {}, 0);
    fall({ mass: 1 }, (world, id) => void world.createJoint({ type: 'point', bodyB: id }));
    fall({ mass: 1 }, (world, id) => void world.getBody(id)!.addShape(box));
    fall({ mass: 1 }, (world, id) => world.removeBody(id));
    fall({ mass: 1 }, (world, id) => world.getBody(id)!.setType('kinematic'));
    expect(warnings).toEqual([]);
  });

  test('many at once, and in a worker', async () => {
    const world = new World();
    world.createBodies({ mass: 1 }, { positions: [0, 0, 0, 1, 1, 1] });
    world.step(1 / 60);
    expect(warnings).toHaveLength(1);
    const physics = await startPhysics({ clock: 'manual' });
    physics.createBody({ mass: 1 });
    await physics.step(2);
    expect(warnings).toHaveLength(2);
  });
});
