// How large the numbers of a state may be: each bound of the core is accepted, twice of it is not. A snapshot with larger
// numbers is refused, before a step computes infinities with them. Every machine must refuse the same states.
import { expect } from 'vitest';
import { World } from '../../src';
import {
  MAX_COEFFICIENT,
  MAX_COORDINATE,
  MAX_FORCE,
  MAX_MASS,
  MAX_SETTING,
  MIN_INERTIA,
} from '../../src/base/limits';
import { createCharacter } from '../../src/character';
import { JOINT_AXIS_COUNT } from '../../src/core/memory/constants';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import { createVehicle } from '../../src/vehicle';
import {
  BlockMeta,
  Body,
  BodyVelocity,
  Character,
  Color,
  ContactBlock,
  Joint,
  JointAxis,
  Shape,
  Vehicle,
  Wheel,
  World as WorldRecord,
} from '../../src/wasm/core-layout';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('it writes into the state');

/** A chassis with a wheel, a character, two boxes on the ground that a joint connects. */
async function makeWorld(): Promise<World> {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const shape = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
  const a = world.createBody({ mass: 2, position: [0, 0.5, 0], shape });
  const b = world.createBody({ mass: 2, position: [3, 0.5, 0], shape });
  world.createJoint({ type: 'distance', bodyA: a, bodyB: b, distance: { low: 1, high: 9 } });
  const chassis = world.createBody({ mass: 900, position: [9, 1, 0], shape });
  await createVehicle(world, { chassis, wheels: [{ position: [0, -0.3, 0], radius: 0.3 }] });
  await createCharacter(world, {
    position: [-9, 2, 0],
    shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
  });
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  return world;
}

type Table = 'bodies' | 'velocities' | 'shapes' | 'joints' | 'vehicles' | 'wheels' | 'characters';
/** Bytes of a row, and the row that is written to. Row 0 of the first tables stands for nothing, row 1 is the ground. */
const ROWS: Record<Table, [bytes: number, row: number]> = {
  bodies: [Body.SIZE, 2],
  velocities: [BodyVelocity.SIZE, 2],
  shapes: [Shape.SIZE, 2],
  joints: [Joint.axes + JOINT_AXIS_COUNT * JointAxis.SIZE, 1],
  vehicles: [Vehicle.SIZE, 0],
  wheels: [Wheel.SIZE, 0],
  characters: [Character.SIZE, 0],
};

const world = await makeWorld();
const { instance } = world as unknown as {
  instance: { floats: Float32Array; words: Int32Array; get(field: string): number; refresh(): void };
};

/** Index of a float of a table. */
function placeOf(table: Table, offset: number): number {
  const [bytes, row] = ROWS[table];
  return (instance.get(table) + row * bytes + offset) >>> 2;
}

/** Index of a float of the first lane of the first contact. */
function contactPlace(field: 'blocks' | 'meta', offset: number): number {
  const colors = instance.get('colors') >>> 2;
  for (let color = 0; color < 32; color++) {
    const at = colors + (color * Color.SIZE) / 4;
    if (instance.words[at + Color.count / 4]! > 0)
      return (instance.words[at + Color[field] / 4]! + offset) >>> 2;
  }
  throw new Error('no contact');
}

/** Whether the state is valid with another number at an index of the floats. */
function isSound(at: number, value: number): boolean {
  const old = instance.floats[at]!;
  instance.floats[at] = value;
  const fault = world.findFault();
  instance.floats[at] = old;
  expect(world.findFault()).toBe(0);
  return fault === 0;
}

const settings = (offset: number) => () => (WORLD_ADDRESS + offset) / 4;
const at = (table: Table, offset: number) => () => placeOf(table, offset);

/** Squares of most are finite in f32. Limits of the API (src/base/limits.ts) have room for what steps add. */
const BOUNDS: [what: string, place: () => number, most: number][] = [
  ['place on a body, 4 times that of commands', at('shapes', Shape.localPosition), 4 * MAX_COORDINATE],
  ['velocity', at('velocities', BodyVelocity.linear), 1e16],
  ['sum of forces', at('bodies', Body.force), 1e27],
  ['inverse moment, twice that of commands', at('bodies', Body.invInertiaLocal), 2 / MIN_INERTIA],
  ['factor of an axis, twice that of commands', at('bodies', Body.linearFactor), 2 * MAX_COEFFICIENT],
  ['gravity scale, twice that of commands', at('bodies', Body.gravityScale), 2 * MAX_SETTING],
  ['mass, twice that of commands', at('bodies', Body.mass), 2 * MAX_MASS],
  ['radius around a body', at('bodies', Body.boundingRadius), 1e14],
  ['bound of a shape: a plane reaches to 1e30', at('shapes', Shape.radius), 1e37],
  ['setting of the world, twice that of commands', settings(WorldRecord.contactHertz), 2 * MAX_SETTING],
  ['impulse of a joint', at('joints', Joint.pointImpulse), 1e30],
  ['force of a joint, 10 times that of commands', at('joints', Joint.maxForce), 10 * MAX_FORCE],
  ['impulse of friction', () => contactPlace('blocks', ContactBlock.frictionImpulse1), 1e30],
  ['arm of a contact', () => contactPlace('blocks', ContactBlock.centerAX), 1e14],
  ['motion bound of a contact', () => contactPlace('meta', BlockMeta.reach), 1e14],
  ['torque of an engine, twice that of commands', at('vehicles', Vehicle.torque), 2 * MAX_FORCE],
  ['speed of an engine', at('vehicles', Vehicle.engineSpeed), 1e17],
  ['angle of a lean: commands allow 1.5', at('vehicles', Vehicle.leanMost), 1.51],
  ['pedal', at('vehicles', Vehicle.throttle), 1],
  ['angle of a wheel: a turn', at('wheels', Wheel.angle), 6.2832],
  ['radius of a wheel', at('wheels', Wheel.radius), 1e8],
  ['slip', at('wheels', Wheel.slip), 1e17],
  ['gravity of a character', at('characters', Character.gravity), 1e7],
];

test.each(BOUNDS)('%s', (_, place, most) => {
  instance.refresh();
  expect(isSound(place(), most)).toBe(true);
  expect(isSound(place(), 2 * most)).toBe(false);
});

test('rotations and normals have the length 1 within half a percent', () => {
  instance.refresh();
  const rotation = placeOf('joints', Joint.localRotationA) + 3;
  const w = instance.floats[rotation]!;
  expect(Math.abs(w)).toBeCloseTo(1, 3);
  expect(isSound(rotation, w * 1.004)).toBe(true);
  expect(isSound(rotation, w * 1.01)).toBe(false);
  const normal = contactPlace('blocks', ContactBlock.normalY);
  const y = instance.floats[normal]!;
  expect(Math.abs(y)).toBeCloseTo(1, 3);
  expect(isSound(normal, y * 1.004)).toBe(true);
  expect(isSound(normal, y * 1.01)).toBe(false);
});

test('a body travels 1e18 m at most: an f64', () => {
  instance.refresh();
  const bytes = new DataView(instance.floats.buffer);
  const place = 4 * placeOf('bodies', Body.travel);
  const old = bytes.getFloat64(place, true);
  for (const [travel, sound] of [
    [1e18, true],
    [2e18, false],
  ] as const) {
    bytes.setFloat64(place, travel, true);
    expect(world.findFault() === 0).toBe(sound);
  }
  bytes.setFloat64(place, old, true);
  expect(world.findFault()).toBe(0);
});

test('a body is lost beyond 100 km/s, 100,000 rad/s, or 10,000 km from the origin (docs/step.md)', () => {
  const lost = (options: object): boolean => {
    const empty = new World({ gravity: [0, 0, 0] });
    const shape = { type: 'sphere', radius: 0.5 } as const;
    const body = empty.createBody({ mass: 1, shape, linearVelocity: [1, 0, 0], ...options });
    empty.step(1e-6);
    const [vx, vy, vz] = body.getLinearVelocity();
    empty.dispose();
    return Math.hypot(vx, vy, vz) === 0;
  };
  for (const [share, expected] of [
    [0.99, false],
    [1.01, true],
  ] as const) {
    expect(lost({ linearVelocity: [1e5 * share, 0, 0] }), `${share} of the speed`).toBe(expected);
    expect(lost({ angularVelocity: [0, 1e5 * share, 0] }), `${share} of the spin`).toBe(expected);
    expect(lost({ position: [0, 0, 1e7 * share] }), `${share} of the distance`).toBe(expected);
  }
});

test('a joint whose impulses leave the range of a state forgets them, and the state can be restored', () => {
  const held = { mass: 1, shape: { type: 'sphere', radius: 0.1 }, linearFactor: [0, 0, 0] } as const;
  const empty = new World({ gravity: [0, 0, 0] });
  const bodyA = empty.createBody({ ...held, angularFactor: [0, 0, 0] });
  const bodyB = empty.createBody({ ...held, angularFactor: [0, 0, 0], position: [1.5, 0, 0] });
  const rope = empty.createJoint({ type: 'distance', bodyA, bodyB, distance: { low: 0, high: 1 } });
  empty.step(1 / 60);
  const state = empty.instance;
  state.refresh();
  const [bytes] = ROWS.joints;
  state.floats[(state.get('joints') + bytes + Joint.axes + JointAxis.highImpulse) >>> 2] = 3e38;
  empty.step(1 / 60); // its substeps sum it
  expect(rope.getAppliedImpulse()).toEqual([0, 0, 0]);
  const copy = World.restore(empty.snapshot());
  expect(copy.stateHash()).toBe(empty.stateHash());
  copy.dispose();
  empty.dispose();
});
