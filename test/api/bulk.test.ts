// Many bodies in one call: the same world as one by one, all or nothing, and errors that name the place.
import { World } from 'ricochet';
import { expect, test } from 'vitest';

const SHAPES = [
  { type: 'box', halfExtents: [0.4, 0.3, 0.2], position: [0.1, 0, 0] },
  { type: 'sphere', radius: 0.3, density: 500 },
] as const;
const TEMPLATE = { shape: SHAPES, linearDamping: 0.1, userIndex: 7 } as const;
const COUNT = 50;
const positions = Float32Array.from({ length: 3 * COUNT }, (_, i) => ((i * 37) % 101) / 10);
const rotations = Float32Array.from({ length: 4 * COUNT }, (_, i) => (((i * 53) % 17) - 8) / 4 + 0.1);
const linearVelocities = Float32Array.from({ length: 3 * COUNT }, (_, i) => ((i * 29) % 13) - 6);

const part = (values: Float32Array, i: number, width: number) => [
  ...values.subarray(i * width, i * width + width),
];

function oneByOne(world: World) {
  return Array.from({ length: COUNT }, (_, i) => ({
    ...TEMPLATE,
    position: part(positions, i, 3),
    rotation: part(rotations, i, 4),
    linearVelocity: part(linearVelocities, i, 3),
  })).map((options) => world.createBody(options).id);
}

test('bodies from arrays, from a list and one by one make the same world', () => {
  const [single, list, arrays] = [new World(), new World(), new World()];
  for (const world of [single, list, arrays]) {
    world.createBody({ position: [0, -50, 0], shape: SHAPES[0] }).remove(); // a slot to be used again
  }
  const ids = oneByOne(single);
  const options = ids.map((id) => {
    const body = single.getBody(id)!;
    return {
      ...TEMPLATE,
      position: body.getPosition(),
      rotation: part(rotations, ids.indexOf(id), 4),
      linearVelocity: body.getLinearVelocity(),
    };
  });
  expect(list.createBodies(options).map(({ id }) => id)).toEqual(ids);
  expect([...arrays.createBodies(TEMPLATE, { positions, rotations, linearVelocities })]).toEqual(ids);
  for (const world of [single, list, arrays]) for (let k = 0; k < 30; k++) world.step(1 / 60);
  expect(list.stateHash()).toBe(single.stateHash());
  expect(arrays.stateHash()).toBe(single.stateHash());
  expect(arrays.snapshot()).toEqual(single.snapshot());
  expect(arrays.getBody(ids[3]!)!.shapes).toEqual(single.getBody(ids[3]!)!.shapes);
});

test('what is wrong is named, and nothing is created', () => {
  const world = new World({ maxBodies: 60 });
  const before = world.stateHash();
  const bad = positions.slice();
  bad[7] = Number.NaN;
  const errors: [run: () => unknown, argument: string][] = [
    [() => world.createBodies(TEMPLATE, { positions: bad }), 'places.positions[2].y'],
    [() => world.createBodies(TEMPLATE, { positions: [1, 2] }), 'places.positions'],
    [() => world.createBodies(TEMPLATE, { positions, rotations: [0, 0, 0, 1] }), 'places.rotations'],
    [
      () => world.createBodies(TEMPLATE, { positions: [0, 0, 0], rotations: [0, 0, 0, 0] }),
      'places.rotations[0]',
    ],
    [() => world.createBodies(TEMPLATE, { positions, colours: [] } as never), 'places.colours'],
    [() => world.createBodies({ ...TEMPLATE, mass: -1 }, { positions }), 'mass'],
    [() => world.createBodies([TEMPLATE, { mass: 1, linearDamping: 2 }]), 'linearDamping'],
    [() => world.createBodies([TEMPLATE, ...Array(60).fill(TEMPLATE)]), ''],
  ];
  for (const [run, argument] of errors)
    expect(run).toThrow(expect.objectContaining({ name: 'PhysicsError', argument }));
  expect(world.bodyCount).toBe(0);
  expect(world.shapeCount).toBe(0);
  expect(world.stateHash()).toBe(before);
  expect([...world.createBodies(TEMPLATE, { positions: [] })]).toEqual([]);
});
