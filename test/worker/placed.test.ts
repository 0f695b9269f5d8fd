// What a program sets from what it has just read, in process and in a worker: the same bits. Bodies whose centre of mass is not their
// origin are placed by that centre, so what they answer differs from what was set in the last bit.
import { type RigidBody, World } from 'ricochet';
import { expect, test } from 'vitest';
import { random } from '../physics/support/vector';
import { sleep, startPhysics, TRANSPORTS } from './support';

type Three = [number, number, number];
type Four = [number, number, number, number];

const SETS: Record<string, (body: RigidBody, place: Three, turn: Four) => void> = {
  'a rotation': (body, _, turn) => body.setRotation(turn),
  'a place, then a rotation': (body, place, turn) => {
    body.setPosition(place);
    body.setRotation(turn);
  },
  'a place, a mass, a rotation': (body, place, turn) => {
    body.setPosition(place);
    body.setMass(3);
    body.setRotation(turn);
  },
  'a type, a target, a rotation': (body, place, turn) => {
    body.setType('kinematic');
    body.setKinematicTarget(place);
    body.setRotation(turn);
  },
};

test.each(Object.keys(SETS))('%s, of bodies of several parts', async (name) => {
  const next = random(5);
  const between = (most: number) => most * (2 * next() - 1);
  const three = (most: number): Three => [between(most), between(most), between(most)];
  const four = (): Four => {
    const q = [between(1), between(1), between(1), between(1)];
    const length = Math.sqrt(q.reduce((sum, c) => sum + c * c, 0));
    return q.map((c) => c / length) as Four;
  };
  const list = Array.from({ length: 60 }, () => ({
    options: {
      position: three(10),
      rotation: four(),
      angularVelocity: three(1),
      shape: { type: 'box', halfExtents: [1, 2, 3], position: three(1) },
    } as const,
    place: three(20),
    turn: four(),
  }));
  const physics = await startPhysics({ transport: 'page', clock: 'manual' });
  const answers: unknown[] = [];
  for (const world of [new World({ gravity: [0, 0, 0] }), physics] as unknown as World[]) {
    world.setGravity([0, 0, 0]);
    const bodies = list.map(({ options }) => world.createBody(options));
    const said: unknown[] = [bodies.map((body) => [body.getPosition(), body.getRotation()])];
    for (let round = 0; round < 2; round++) {
      for (const [i, body] of bodies.entries()) {
        SETS[name]!(body, list[i]!.place, list[i]!.turn);
        said.push([body.getPosition(), body.getRotation()]);
      }
      if (world instanceof World) world.step(1 / 60);
      else await physics.step(1);
      physics.update();
      said.push(await world.stateHash());
    }
    answers.push(said);
  }
  expect(answers[1]).toEqual(answers[0]);
  await physics.dispose();
});

// While the clock runs, a page draws what was: what it sets leaves the rest as it is where the world is.
test.each(TRANSPORTS)('a place turns no body, and a rotation moves none, over %s', async (transport) => {
  const physics = await startPhysics({ transport, gravity: [0, 0, 0] });
  const shape = { type: 'box', halfExtents: [1, 0.1, 0.1] } as const;
  const body = physics.createBody({ mass: 1, shape, linearVelocity: [0, 0, 9], angularVelocity: [0, 10, 0] });
  const pose = (bytes: Uint8Array) => {
    const copy = World.restore(bytes);
    const { stepCount } = copy;
    const there = copy.getBody(body.id)!;
    const read = { stepCount, position: there.getPosition(), rotation: there.getRotation() };
    copy.dispose();
    return read;
  };
  physics.start();
  for (let compared = 0; compared < 6; ) {
    await sleep(30);
    physics.update();
    const answers = [physics.snapshot()]; // asked in one task: mostly of one moment
    body.setPosition([1, 2, 3]);
    answers.push(physics.snapshot());
    body.setRotation([0, 0, 1, 0]);
    answers.push(physics.snapshot());
    const [before, moved, turned] = (await Promise.all(answers)).map(pose);
    if (before!.stepCount !== turned!.stepCount || before!.stepCount < 5) continue;
    compared++;
    expect(moved).toEqual({ ...before, position: [1, 2, 3] });
    expect(turned).toEqual({ ...moved, rotation: [0, 0, 1, 0] });
  }
  physics.dispose();
});
