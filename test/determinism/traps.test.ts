// The golden scenes once more, where every clock, every random number and every inexact function throws.
import { World } from 'ricochet';
import { afterEach, expect, test } from 'vitest';
import { Course, continueCourse } from './course';
import golden from './golden.json';
import { firstDifference } from './hashes';
import { goldenScenes } from './scenes';

const STEPS = 250;
const EXACT = 'sqrt abs min max floor ceil trunc round sign fround imul clz32'.split(' ');

const undo: (() => void)[] = [];
afterEach(() => {
  for (const restore of undo.splice(0)) restore();
});

/** Replaces a function by one that throws its name. */
function trap(target: object, name: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  const value = () => {
    throw new Error(`${name} was called`);
  };
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  undo.push(() => {
    if (descriptor !== undefined) Object.defineProperty(target, name, descriptor);
    else delete (target as Record<string, unknown>)[name];
  });
}

// With threads, the world's own thread measures how long it waits for others; nothing of that reaches the simulation.
const threads = process.env['TEST_THREADS'];
if (threads) console.log('skipped on several threads: a world there looks at the clock while it waits');
const oneThreadOnly = threads ? test.skip : test;

oneThreadOnly(
  'nothing in a simulation asks a clock, chance, or a function that engines compute differently',
  () => {
    const functions = Object.getOwnPropertyNames(Math).filter(
      (name) =>
        typeof (Math as unknown as Record<string, unknown>)[name] === 'function' && !EXACT.includes(name),
    );
    expect(functions).toContain('random');
    expect(functions).toContain('sin');
    const worlds = goldenScenes.map((scene) => ({ scene, world: new World(scene.world) }));
    for (const name of functions) trap(Math, name);
    trap(Date, 'now');
    trap(globalThis, 'Date');
    trap(performance, 'now');
    trap(process, 'hrtime');
    expect(() => Math.sin(1)).toThrow('sin was called');
    expect(() => new Date()).toThrow();
    const results = worlds.map(({ scene, world }) => ({
      id: scene.id,
      hashes: continueCourse(new Course(world, scene), 0, STEPS),
    }));
    for (const restore of undo.splice(0)) restore();
    for (const { id, hashes } of results)
      expect(
        firstDifference((golden as Record<string, string[]>)[id]!.slice(0, STEPS / 10), hashes),
        id,
      ).toBe(0);
  },
);
