// Settings: profiles, overrides, and words in the order of the core's record.
import { expect, test } from 'vitest';
import { World } from '../../src';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import {
  decodeSettings,
  encodeSettings,
  PROFILES,
  SETTING_NAMES,
  SETTINGS_WORDS,
} from '../../src/options/settings';
import { COMMANDS } from '../../src/replica/commands';
import { World as Layout } from '../../src/wasm/core-layout';
import { notNumbers } from '../support/numbers';

const host = { eventMask: 6, profiling: true, pairFilter: false };

test('the words of the settings lie in the core in the same order, without gaps', () => {
  const record = Object.entries(Layout)
    .filter(([name]) => name !== 'SIZE' && name !== 'gravity')
    .sort(([, a], [, b]) => a - b)
    .slice(0, SETTINGS_WORDS)
    .map(([name]) => name);
  const other: Record<string, string> = { sleeping: 'sleepingEnabled', recycleAngle: 'recycleAngleCosine' };
  expect(record).toEqual([
    ...SETTING_NAMES.map((name) => other[name] ?? name),
    'eventMask',
    'profileEnabled',
    'pairFilterEnabled',
  ]);
  expect(Layout.pairFilterEnabled - Layout.substeps).toBe(4 * (SETTINGS_WORDS - 1));
  expect(COMMANDS.setSettings.totalWords).toBe(1 + SETTINGS_WORDS);
});

test('settings survive encoding and decoding', () => {
  for (const profile of Object.values(PROFILES)) {
    const words: number[] = [];
    encodeSettings(profile, host, words);
    expect(words).toHaveLength(SETTINGS_WORDS);
    const decoded = decodeSettings(words);
    expect(decoded.settings.recycleAngle).toBeCloseTo(profile.recycleAngle, 9);
    expect({ ...decoded.settings, recycleAngle: profile.recycleAngle }).toEqual(profile);
    expect(decoded.host).toEqual(host);
  }
});

test('the recycle angle reaches the core as cos² of its half', () => {
  const words: number[] = [];
  encodeSettings(PROFILES.native, host, words);
  expect(words[SETTING_NAMES.indexOf('recycleAngle')]).toBeCloseTo(Math.cos(Math.PI / 180) ** 2, 14);
});

test('every setting of a world arrives in the core', () => {
  const world = new World({
    profile: 'bullet3',
    iterations: 7,
    gravity: [1, 2, 3],
    frictionCombine: 'minimum',
  });
  world.bodyCount;
  world.stateHash();
  const { words, floats } = world.instance;
  const at = (field: keyof typeof Layout) => (WORLD_ADDRESS + Layout[field]) >> 2;
  expect(words[at('iterations')]).toBe(7);
  expect(words[at('substeps')]).toBe(1);
  expect(words[at('frictionCombine')]).toBe(2);
  expect(floats[at('contactErp')]).toBe(Math.fround(0.2));
  expect([...floats.subarray(at('gravity'), at('gravity') + 3)]).toEqual([1, 2, 3]);
});

test('profiles: Bullet gravity, gyroscopic term, error reduction', () => {
  expect(new World().getGravity()).toEqual([0, -9.81, 0]);
  expect(new World({ profile: 'bullet3' }).getGravity()).toEqual([0, -10, 0]);
  expect(new World({ profile: 'bullet282' }).settings).toMatchObject({
    gyroscopic: false,
    contactErp: 0.8,
    restitutionThreshold: 0,
    warmstartingFactor: 0.85,
    iterations: 10,
    substeps: 1,
  });
});

test('updateSettings changes what it names', () => {
  const world = new World();
  world.updateSettings({ substeps: 8, sleeping: false });
  expect(world.settings).toEqual({ ...PROFILES.native, substeps: 8, sleeping: false });
  world.stateHash();
  expect(world.instance.get('substeps')).toBe(8);
});

test('what somebody watches changes no state', () => {
  const plain = new World();
  const watched = new World({ events: true, profiling: true });
  watched.on('contactBegin', () => {});
  watched.setPairFilter(() => true);
  expect(watched.stateHash()).toBe(plain.stateHash());
});

test('contacts as soft as can be told: boxes sink, and nothing is no number', () => {
  for (const settings of [
    { staticStiffness: 1e-45 },
    { staticStiffness: 1e-38 },
    { contactHertz: 1e-45, contactDampingRatio: 0 },
    { contactHertz: 1e-30, staticStiffness: 1e-30 },
  ]) {
    const world = new World(settings);
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const box = world.createBody({
      mass: 1,
      position: [0, 0.495, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
    for (let i = 0; i < 60; i++) world.step(1 / 60);
    expect(notNumbers(world)).toEqual([]);
    expect(world.findFault()).toBe(0);
    expect(box.getPosition()[1]).not.toBe(Math.fround(0.495)); // it was not stopped as a body with absurd velocities is
  }
});
