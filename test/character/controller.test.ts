// The controller is a view of a character of the core: its state is the world's, and its moves are commands.
import { CharacterController } from 'ricochet/character';
import { Player, Recorder } from 'ricochet/replay';
import { expect, test } from 'vitest';
import { createRandom } from '../../demo/scenes/random';
import { deterministic, MAX_BODIES, World } from '../../src/index';
import { SetCharacterState, setCharacterState } from '../../src/wasm/actor-commands';
import { box, CAPSULE, character, DT, STANDING, walk } from './support';

const { cos, sin } = deterministic;

/** A yard with a crate, a platform that moves, and a wall that the filter refuses. */
function yard() {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const ghost = box(world, [3, 1, 0], [0.2, 1, 3]);
  world.createBody({ position: [0, 0.4, 2], mass: 20, shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4] } });
  const lift = world.createBody({
    type: 'kinematic',
    position: [-3, 0.1, 0],
    shape: { type: 'box', halfExtents: [1, 0.1, 1] },
  });
  const who = character(world, { filter: (body) => body !== ghost });
  return { world, lift, who };
}

function play({ world, lift, who }: ReturnType<typeof yard>, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    lift.setKinematicTarget([-3 + sin(0.05 * i), 0.1 + 0.1 * sin(0.03 * i), 0]);
    world.step(DT);
    if (i % 50 === 0) who.jump();
    if (i % 70 === 20) who.addVelocity([0, 2, 1]);
    who.update([4 * cos(0.025 * i), 0, 2 * sin(0.05 * i)], DT);
  }
}

test('a recording has its moves without its filter, and seeks in them', async () => {
  const session = yard();
  const recorder = new Recorder(session.world, { keyframeEvery: 60 });
  play(session, 0, 299);
  session.world.step(DT); // a recording ends with a step
  const file = await recorder.finish();
  const player = await Player.open(file);
  expect(player.verify()).toMatchObject({ frames: 300, divergence: null });
  expect(player.world.stateHash()).toBe(session.world.stateHash());
  player.seek(100);
  player.seek(300);
  expect(player.world.stateHash()).toBe(session.world.stateHash());
});

test('a snapshot has all that moves it: a rollback of 8 frames on every frame, without save', () => {
  const session = yard();
  const hashes: string[] = [];
  const slots: Uint8Array[] = [];
  for (let i = 0; i < 150; i++) {
    slots.push(session.world.snapshot());
    play(session, i, i + 1);
    hashes.push(session.world.stateHash());
    if (i < 8) continue;
    session.world.restore(slots[i - 7]!);
    for (let k = i - 7; k <= i; k++) {
      play(session, k, k + 1);
      expect(session.world.stateHash(), `frame ${k} again from ${i}`).toBe(hashes[k]);
    }
  }
});

test('steps alone do not move it; updates of other lengths, several to a step, do', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const who = character(world);
  walk(world, who, [3, 0, 0], 0.5);
  const [x] = who.getPosition();
  for (let i = 0; i < 20; i++) world.step(DT);
  expect(who.getPosition()[0]).toBe(x);
  world.step(DT);
  for (let i = 0; i < 4; i++) who.update([3, 0, 0], DT / 4);
  expect(who.getPosition()[0] - x).toBeCloseTo(3 * DT, 5);
});

test('jumps in the air, as often as it is told to', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const who = character(world);
  walk(world, who, [0, 0, 0], 0.1);
  for (let i = 0; i < 5; i++) {
    who.jump(5);
    who.update([0, 0, 0], DT);
    expect(who.velocity[1]).toBeCloseTo(5 - (9.81 * DT) / 2, 3);
    walk(world, who, [0, 0, 0], 0.2);
    expect(who.isGrounded).toBe(false);
  }
});

test('on a static body, and on the body of a world that had no character', () => {
  const make = () => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const post = world.createBody({ type: 'static', position: [0, STANDING, 0], shape: CAPSULE, group: 32 });
    world.createBody({
      position: [2, 0.3, 0],
      mass: 5,
      shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
    });
    return { world, post };
  };
  const { world, post } = make();
  const before = world.snapshot();
  const who = new CharacterController(world, { shape: CAPSULE, body: post });
  walk(world, who, [2, 0, 0], 1);
  const at = who.getPosition();
  expect(at[0]).toBeGreaterThan(1);
  world.restore(before);
  walk(world, who, [2, 0, 0], 1);
  expect(who.getPosition()).toEqual(at);
  expect(who.isGrounded).toBe(true);
});

test('a filter refuses ground, steps and 200 bodies at once, and is asked about nothing far away', () => {
  const world = new World({ maxBodies: 1024 });
  const floor = world.createBody({ type: 'static', shape: { type: 'plane' } });
  const step = box(world, [1.5, 0.1, 0], [0.5, 0.1, 2]);
  const far = box(world, [40, 1, 0], [1, 1, 1]);
  const refused = new Set([step]);
  for (let i = 0; i < 200; i++)
    refused.add(box(world, [2.5, 0.05 + 0.01 * i, 0], [0.1, 0.05, 2], { group: 2 }));
  const who = character(world, {
    filter: (body) => {
      expect(body).not.toBe(far);
      return !refused.has(body);
    },
  });
  let highest = 0;
  walk(world, who, [3, 0, 0], 2, () => void (highest = Math.max(highest, who.getPosition()[1])));
  expect(who.getPosition()[0]).toBeCloseTo(6, 2);
  expect(highest).toBeCloseTo(STANDING, 3);
  refused.add(floor);
  walk(world, who, [0, 0, 0], 0.5);
  expect(who.isGrounded).toBe(false);
  expect(who.getPosition()[1]).toBeLessThan(0);
});

test('belts carry it, and it jumps through one-way platforms, as characters of the core', () => {
  const world = new World();
  box(world, [0, -0.5, 0], [20, 0.5, 2], {
    shape: { type: 'box', halfExtents: [20, 0.5, 2], surfaceVelocity: { linear: [2, 0, 0] } },
  });
  const who = character(world);
  walk(world, who, [0, 0, 0], 2);
  expect(who.getPosition()[0]).toBeCloseTo(4, 1);
  const other = new World();
  other.createBody({ type: 'static', shape: { type: 'plane' } });
  box(other, [0, 2.3, 0], [2, 0.1, 2], {
    shape: { type: 'box', halfExtents: [2, 0.1, 2], oneWay: [0, 1, 0] },
  });
  const jumper = character(other);
  walk(other, jumper, [0, 0, 0], 0.1);
  jumper.jump(8);
  walk(other, jumper, [0, 0, 0], 2);
  expect(jumper.getPosition()[1]).toBeCloseTo(2.4 + STANDING, 2);
});

test('a state with numbers of a stream that somebody else wrote: the world stays sound', () => {
  const random = createRandom(5);
  const { world, who } = yard();
  who.update([0, 0, 0], DT);
  const slot = who.body.id & MAX_BODIES;
  const between = (most: number) => (2 * random() - 1) * most;
  for (let i = 0; i < 200; i++) {
    const most = 10 ** (9 * random());
    const words = Float64Array.from({ length: SetCharacterState.anchor + 3 }, () => between(most));
    for (let k = 0; k < 3; k++) words[SetCharacterState.groundNormal + k] = between(1);
    for (let k = 0; k < 4; k++) words[SetCharacterState.groundRotation + k] = between(1);
    words[SetCharacterState.body] = slot;
    words[SetCharacterState.ground] = Math.floor(random() * (i % 2 ? 8 : MAX_BODIES));
    words[SetCharacterState.groundShape] = Math.floor(random() * (i % 3 ? 8 : MAX_BODIES));
    words[SetCharacterState.jump] = random() * most;
    if (i % 4 > 0) words.set(who.getPosition(), SetCharacterState.position);
    world.actorLink().write(setCharacterState, words);
    who.update([between(5), 0, between(5)], random() + 1e-6);
    if (i % 5 === 0) who.addVelocity([between(1e9), between(1e9), between(1e9)]);
    world.step(DT);
    expect(Number.isFinite(who.getPosition()[1]), `round ${i}`).toBe(true);
    if (i % 20 === 0) World.restore(world.snapshot()); // refuses what is not sound
    if (i % 20 === 0) who.teleport([0, 2, 0]);
  }
});
