// Velocities that the page reads are true: those of the newest frame, or what was set since; or reading them is an error.
import { World } from 'ricochet';
import { expect, test } from 'vitest';
import { startPhysics, TRANSPORTS } from './support';

const BALL = { mass: 1, shape: { type: 'sphere', radius: 0.5 } } as const;

test.each(TRANSPORTS)('are those of a world in process, without any option: %s', async (transport) => {
  const physics = await startPhysics({ transport, clock: 'manual' });
  const world = new World();
  const options = { ...BALL, linearVelocity: [1, 2, 3], angularVelocity: [0, 4, 0] } as const;
  const a = physics.createBody(options);
  const b = world.createBody(options);
  const same = () => {
    expect(a.getLinearVelocity()).toEqual(b.getLinearVelocity());
    expect(a.getAngularVelocity()).toEqual(b.getAngularVelocity());
  };
  same(); // before any frame
  for (let k = 0; k < 5; k++) {
    await physics.step();
    world.step(1 / 60);
    same();
  }
  for (const body of [a, b]) body.setLinearVelocity([0, 7, 0]);
  same();
  for (const body of [a, b]) body.setAngularVelocity([1, 0, 0]);
  same();
  await physics.step(3);
  for (let k = 0; k < 3; k++) world.step(1 / 60);
  same();
  // A slot that is used again has nothing of the body before.
  const { id } = a;
  a.remove();
  const next = physics.createBody(BALL);
  expect(next.id & 0x3ffff).toBe(id & 0x3ffff);
  expect(next.getLinearVelocity()).toEqual([0, 0, 0]);
  const many = physics.createBodies(
    { ...BALL, angularVelocity: [0, 0, 2] },
    { positions: [9, 0, 0, 12, 0, 0], linearVelocities: [1, 0, 0, 0, 1, 0] },
  );
  expect(physics.getBody(many[1]!)!.getLinearVelocity()).toEqual([0, 1, 0]);
  expect(physics.getBody(many[1]!)!.getAngularVelocity()).toEqual([0, 0, 2]);
  const ground = physics.createBody({ type: 'static', shape: { type: 'plane' } });
  ground.setLinearVelocity([1, 0, 0]);
  expect(ground.getLinearVelocity()).toEqual([0, 0, 0]);
  const plate = physics.createBody({ type: 'kinematic', shape: { type: 'sphere', radius: 1 } });
  plate.setKinematicTarget([0.1, 0, 0], [0, 0, 0, 1]);
  await physics.step();
  expect(plate.getLinearVelocity()[0]).toBeCloseTo(6, 4);
});

test('are an error that says what to set where frames do not carry them', async () => {
  const physics = await startPhysics({ velocities: false });
  const ball = physics.createBody(BALL);
  await physics.step();
  for (const read of [() => ball.getLinearVelocity(), () => ball.getAngularVelocity()])
    expect(read).toThrow(
      expect.objectContaining({ code: 'not-sent', message: expect.stringMatching(/velocities/) }),
    );
  await expect(startPhysics({ velocities: 1 as never })).rejects.toMatchObject({ argument: 'velocities' });
});
