// A kinematic target that is set before stepSimulation is reached over all of its steps. What a callback does with the body between two of
// them is later, so it counts.
import { expect, test } from 'vitest';
import { type RigidBody, World } from '../../src/index';

const DT = 1 / 60;
const SHAPE = { type: 'box', halfExtents: [1, 1, 1] } as const;

/** x of the body after each of four steps towards x = 4; `act` is called before or after the second one. */
function way(act: (body: RigidBody, world: World) => void, isPreTick: boolean): number[] {
  const world = new World();
  const body = world.createBody({ type: 'kinematic', shape: SHAPE });
  const seen: number[] = [];
  let step = 0;
  world.setInternalTickCallback(() => {
    if (isPreTick && step > 0) seen.push(body.isRemoved ? Number.NaN : body.getPosition()[0]);
    if (++step === 2) act(body, world);
  }, isPreTick);
  if (!isPreTick)
    world.setInternalTickCallback(
      () => void seen.push(body.isRemoved ? Number.NaN : body.getPosition()[0]),
      true,
    );
  body.setKinematicTarget([4, 0, 0]);
  world.stepSimulation(4 * DT, 10, DT);
  if (!isPreTick) seen.shift();
  seen.push(body.isRemoved ? Number.NaN : body.getPosition()[0]);
  return seen.map((x) => Math.round(1e4 * x) / 1e4);
}

test('without one it comes there with the same velocity in each step', () => {
  for (const isPreTick of [false, true]) expect(way(() => {}, isPreTick)).toEqual([1, 2, 3, 4]);
});

test('setPosition, a velocity, another target, another type end the way', () => {
  for (const isPreTick of [false, true])
    expect(way((body) => body.setPosition([-9, 0, 0]), isPreTick)).toEqual([1, -9, -9, -9]);
  expect(way((body) => body.setLinearVelocity([6, 0, 0]), false)).toEqual([1, 2, 2.1, 2.2]);
  expect(way((body) => body.setKinematicTarget([7, 0, 0]), false)).toEqual([1, 2, 7, 7]);
  expect(way((body) => body.setKinematicTarget([7, 0, 0]), true)).toEqual([1, 7, 7, 7]);
  expect(way((body) => body.setType('static'), false)).toEqual([1, 2, 2, 2]);
});

test('a body that gets the slot of one that was removed does not go its way', () => {
  const world = new World();
  const body = world.createBody({ type: 'kinematic', shape: SHAPE });
  let other: RigidBody | undefined;
  world.setInternalTickCallback(() => {
    if (other !== undefined) return;
    body.remove();
    other = world.createBody({ type: 'kinematic', position: [0, 5, 0], shape: SHAPE });
  });
  body.setKinematicTarget([4, 0, 0]);
  world.stepSimulation(4 * DT, 10, DT);
  expect(other!.getPosition()).toEqual([0, 5, 0]);
});
