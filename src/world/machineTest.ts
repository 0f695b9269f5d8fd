// Tests whether this machine computes the same results as all others. In: what makes a core; a small world is stepped
// in one of its own. Out: its hash and that of the deterministic functions, and the expected values (written by
// scripts/update-golden.mjs).

import { PhysicsError } from '../base/errors';
import { atan2, cos, sin } from '../base/math';
import {
  BODY_DYNAMIC,
  BODY_STATIC,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../core/memory/constants';
import { DEFAULT_GRAVITY, encodeSettings, PROFILES, SETTINGS_WORDS } from '../options/settings';
import { CommandWriter } from '../replica/commandWriter';
import * as rows from '../wasm/core-commands';
import { inspectorOf } from '../wasm/inspector';
import type { CoreHooks, CoreInstance } from '../wasm/instance';
import { SELF_TEST_HASH } from './selfTestHash';

/** Result of `selfTest`. */
export interface SelfTest {
  /** Whether this machine computes the expected results. */
  ok: boolean;
  /** 24 hexadecimal digits. */
  expected: string;
  /** What this machine computes, 24 hexadecimal digits. */
  actual: string;
}

const BODIES = 16;
const STEPS = 60;

let known: SelfTest | undefined;

/** Makes a core of its own for the test: a worker's tools, which have this file, have no core. */
export type MakeCore = (hooks: CoreHooks) => CoreInstance;

/** What `selfTest` answers, computed in a core that `makeCore` makes. Cached. */
export function testMachine(makeCore: MakeCore): SelfTest {
  if (known === undefined) {
    const actual = stepped(makeCore) + functions();
    known = { ok: actual === SELF_TEST_HASH, expected: SELF_TEST_HASH, actual };
  }
  return { ...known };
}

/** What the option `deterministic` asks for. */
export function requireSelfTest(makeCore: MakeCore): void {
  const { ok, expected, actual } = testMachine(makeCore);
  if (!ok)
    throw new PhysicsError(
      'unsupported-host',
      `this machine computes other results than the reference (${actual}, not ${expected}): worlds with \`deterministic: true\` cannot run here`,
    );
}

/** A pile of boxes, balls and capsules that falls on a plane, all touching and turning. */
function stepped(makeCore: MakeCore): string {
  const writer = new CommandWriter();
  writer.write(rows.setGravity, DEFAULT_GRAVITY.native);
  const settings = new Float64Array(SETTINGS_WORDS);
  encodeSettings(PROFILES.native, { eventMask: 0, profiling: false, pairFilter: false }, settings);
  writer.write(rows.setSettings, settings);
  for (let i = 1; i <= BODIES; i++) {
    const fixed = i === 1;
    const place = fixed ? [0, 0, 0] : [0.21 * (i % 3), 0.7 * i - 0.8, 0.17 * (i % 4)];
    const turn = fixed ? [0, 0, 0, 1] : [0.6, 0, 0.8 * (i % 2), i % 2 ? 0 : 0.8];
    const mass = fixed ? [0, 0, 0, 0] : [i, 0.1 * i, 0.2 * i, 0.15 * i];
    const type = [SHAPE_BOX, SHAPE_SPHERE, SHAPE_CAPSULE][i % 3] as number;
    writer.write(rows.createBody, [
      ...[i, 1, fixed ? BODY_STATIC : BODY_DYNAMIC, 0, ...place, ...turn],
      ...[0, 0, 0, 0, fixed ? 0 : 0.3 * i, 0],
      ...[...mass, 0, 0, 0, 0, 0, 0, 1],
      ...[0, 0.1, 1, 1, 1, 1, 1, 1, 1, 0.8, 1, 1, -1, 0, 1, 0, 0],
    ]);
    const params = fixed ? [0, 1, 0, 0] : type === SHAPE_BOX ? [0.4, 0.3, 0.35, 0] : [0.3, 0.25, 0, 0];
    writer.write(rows.addShape, [
      ...[i, i, 1, fixed ? SHAPE_PLANE : type, 0, 0, 0, 0, 0, 0, 1, ...params],
      ...[0.5, 0.3, 0, 0, 0, 0, 0, 0],
    ]);
  }
  const instance = makeCore({ pairFilter: () => true });
  const words = writer.view();
  instance.core.applyCommands(instance.write(words), words.length);
  for (let i = 0; i < STEPS; i++) instance.core.step(1 / 60);
  return BigInt.asUintN(64, inspectorOf(instance).stateHash()).toString(16).padStart(16, '0');
}

/** The bits of some values of the functions of math.ts. */
function functions(): string {
  const values = new Float64Array(3);
  const words = new Int32Array(values.buffer);
  let hash = 0;
  for (let i = 1; i < 100; i++) {
    values.set([sin(0.37 * i), cos(1.91 * i), atan2(i - 50, 7 - i)]);
    for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
