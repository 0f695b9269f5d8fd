// Commands are the only door. A stream from elsewhere is followed or refused whole.
import { describe, expect, test } from 'vitest';
import { readCommands, validateCommands, World, writeCommand } from '../../src';
import { COMMANDS, COMMANDS_BY_CODE, type CommandFields, type CommandName } from '../../src/replica/commands';
import { CommandWriter } from '../../src/replica/commandWriter';
import { followCommands } from '../../src/replica/follow';
import { Replica } from '../../src/replica/replica';
import { saveReplica } from '../../src/replica/replicaState';
import { playEverything } from './everything';

test('every command has a code of its own', () => {
  for (const command of Object.values(COMMANDS)) expect(COMMANDS_BY_CODE[command.code]).toBe(command);
});

test('every command is written by some call, decoded, and followed to the same state', () => {
  const { replica, stream } = playEverything();
  const names = [...readCommands(stream)].map(({ name }) => name);
  expect([...new Set(names)].sort()).toEqual(Object.keys(COMMANDS).sort());
  expect(validateCommands(stream)).toBe(names.length);

  const follower = new Replica();
  followCommands(follower, stream);
  // Densities are not in the stream: masses are.
  for (const record of replica.shapeRecords) if (record) record.density = 1000;
  expect(saveReplica(follower)).toEqual(saveReplica(replica));
});

test('what is read from a stream writes the same stream', () => {
  const { stream } = playEverything();
  const writer = new CommandWriter(4);
  for (const { name, fields } of readCommands(stream)) writeCommand(writer, name, fields as CommandFields);
  expect(writer.view()).toEqual(stream);
});

test('a world that gets the stream is the world that made the calls', () => {
  const { replica, stream } = playEverything();
  const whole = new World();
  whole.applyCommands(stream);
  const pieces = new World();
  let at = 0;
  for (const { name, at: start } of readCommands(stream)) {
    if (start > at) pieces.applyCommands(stream.subarray(at, start));
    at = start;
    expect(COMMANDS[name].totalWords).toBeGreaterThan(0);
  }
  pieces.applyCommands(stream.subarray(at));
  expect(pieces.stateHash()).toBe(whole.stateHash());
  expect(whole.stepCount).toBe(1);
  expect(whole.bodyCount).toBe(replica.bodies.count);
});

describe('a damaged buffer is refused whole', () => {
  const { stream } = playEverything();

  function expectRefused(words: Int32Array, what?: RegExp) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    world.removeBody(world.createBody({ mass: 1 }));
    const hash = world.stateHash();
    const before = saveReplica(world.replica);
    expect(() => world.applyCommands(words)).toThrow(
      expect.objectContaining({
        name: 'PhysicsError',
        code: 'damaged-commands',
        ...(what && { message: expect.stringMatching(what) }),
      }),
    );
    expect(saveReplica(world.replica)).toEqual(before);
    expect(world.stateHash()).toBe(hash);
  }

  test('truncated anywhere', () => {
    const ends = new Set([...readCommands(stream)].map(({ at }) => at));
    for (let length = 1; length < stream.length; length += 7) {
      if (ends.has(length)) continue;
      expect(() => validateCommands(stream.slice(0, length))).toThrow(/cut off/);
    }
  });

  test('unknown code, wrong length', () => {
    expectRefused(Int32Array.of(99 | (1 << 8)), /code 99 is no command/);
    expectRefused(Int32Array.of(0), /code 0/);
    expectRefused(Int32Array.of(COMMANDS.clearForces.code | (2 << 8), 0), /clearForces cannot have 2 words/);
    expectRefused(Int32Array.of(COMMANDS.clearForces.code | (0 << 8)), /cannot have 0/);
  });

  const write = (name: CommandName, fields: CommandFields) => {
    const writer = new CommandWriter();
    writeCommand(writer, 'setGravity', { gravity: [0, 7, 0] }); // valid, and must not be applied either
    writeCommand(writer, name, fields);
    return writer.view();
  };

  test('numbers that are none', () => {
    for (const bad of [Number.NaN, Infinity, -Infinity, 3e38]) {
      expectRefused(write('setLinearVelocity', { body: 1, velocity: [0, bad, 0] }), /velocity cannot be/);
      expectRefused(write('setTransform', { body: 1, position: [0, 0, 0], rotation: [bad, 0, 0, 1] }));
    }
    expectRefused(
      write('setTransform', { body: 1, position: [0, 0, 0], rotation: [0, 0, 0, 2] }),
      /rotation/,
    );
    expectRefused(write('setDamping', { body: 1, linear: -0.5, angular: 0 }), /linear/);
    expectRefused(write('setActivationState', { body: 1, state: 6, force: 0 }), /state/);
  });

  test('slots that are empty, and ids that are not the next', () => {
    for (const body of [0, 2, 3, 262143, -1])
      expectRefused(write('setLinearVelocity', { body, velocity: [0, 0, 0] }));
    expectRefused(write('removeBody', { body: 2 }), /no body in slot 2/);
    expectRefused(write('removeShape', { shape: 2 }), /no shape in slot 2/);
    const create = [...readCommands(stream)].find(({ name }) => name === 'createBody')!
      .fields as CommandFields;
    expectRefused(write('createBody', { ...create, body: 3 }), /not the next/);
    expectRefused(write('createBody', { ...create, body: 2, generation: 1 }), /not the next/);
  });

  test('a mass that a type cannot have, a plane that moves', () => {
    const create = [...readCommands(stream)].find(
      ({ name, fields }) => name === 'createBody' && fields['mass'] !== 0,
    )!.fields as CommandFields;
    const next = { body: 2, generation: 2 };
    expectRefused(write('createBody', { ...create, ...next, mass: 0 }), /cannot have mass 0/);
    const shape = [...readCommands(stream)].find(({ name }) => name === 'addShape')!.fields as CommandFields;
    const writer = new CommandWriter();
    writeCommand(writer, 'createBody', { ...create, ...next });
    writeCommand(writer, 'addShape', { ...shape, body: 2, shape: 2, generation: 1 });
    expectRefused(writer.view(), /plane/);
  });

  test('1,000 random single-bit flips: refused with a typed error, or a valid stream', () => {
    let state = 11;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    let refused = 0;
    for (let i = 0; i < 1000; i++) {
      const words = stream.slice();
      words[Math.floor(random() * words.length)]! ^= 1 << Math.floor(random() * 32);
      const replica = new Replica();
      const before = saveReplica(replica);
      try {
        followCommands(replica, words)();
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged-commands' });
        refused++;
      }
      expect(saveReplica(replica)).toEqual(before);
    }
    expect(refused).toBeGreaterThan(200);
  });
});
