// Options whose getters throw, and arguments that are no numbers at all. In: calls that random calls found. Out: the
// getter's error or a PhysicsError that names the argument, and a world that is as it was.
import { expect, test } from 'vitest';
import { type BodyOptions, World } from '../../src';
import { caught } from '../support/caught';

/** Options whose `mass` can be read so many times. */
function readable(times: number): BodyOptions {
  let reads = 0;
  const options = { type: 'dynamic', shape: { type: 'sphere', radius: 1 } };
  const get = () => {
    if (++reads > times) throw new RangeError('no more');
    return 2;
  };
  return Object.defineProperty(options, 'mass', { get, enumerable: true }) as BodyOptions;
}

test('a getter that throws at its second, third … look: no body, or one and no error', () => {
  const places = { positions: [0, 5, 0, 3, 5, 0] };
  const calls: ((world: World, options: BodyOptions) => unknown)[] = [
    (world, options) => world.createBody(options),
    (world, options) => world.createBodies([options]),
    (world, options) => world.createBodies(options, places),
  ];
  for (const call of calls)
    for (let times = 0; times < 6; times++) {
      const world = new World();
      const before = world.stateHash();
      let failed = false;
      try {
        call(world, readable(times));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        failed = true;
      }
      expect(world.stateHash() === before).toBe(failed);
      expect(world.bodyCount === 0).toBe(failed);
    }
});

test('what is no id is nobody', () => {
  const world = new World();
  for (const id of [7n, Symbol('id'), '1', null, {}, Object.create(null), Number.NaN])
    expect(world.getBody(id as never)).toBeUndefined();
});

test('what is no time, or no place for seven numbers, is refused by name', () => {
  const world = new World();
  const body = world.createBody({ shape: { type: 'sphere', radius: 1 } });
  for (const dt of [7n, Symbol('dt'), Object.create(null), {}, '1'])
    expect(caught(() => world.stepSimulation(dt as never)).argument).toBe('dt');
  for (const out of [7, 'out', null, undefined, {}, new Float32Array(3)]) {
    expect(caught(() => body.getPose(out as never)).argument).toBe('out');
    expect(caught(() => body.getInterpolatedPose(out as never)).argument).toBe('out');
  }
  expect(body.getPose(new Float32Array(7))).toHaveLength(7);
});

test.each(['removes the body', 'moves another'])(
  'a getter of a position that %s: the call is refused, and nothing hangs',
  (what) => {
    const world = new World();
    const shape = { type: 'sphere' as const, radius: 0.5 };
    const body = world.createBody({ shape });
    const other = world.createBody({ shape, position: [5, 0, 0] });
    const disturb = () =>
      what === 'removes the body' ? body.remove() : other.setTransform([9, 9, 9], [0, 0, 0, 1]);
    const position = {
      x: 1,
      get y() {
        disturb();
        return 2;
      },
      z: 3,
    };
    const calls = [
      () => body.setTransform(position, [0, 0, 0, 1]),
      () => body.applyForce(position),
      () => body.setLinearVelocity(position),
      () => body.setMass(2, position),
    ];
    for (const call of what === 'removes the body' ? calls.slice(0, 1) : calls)
      expect(call).toThrow(expect.objectContaining({ code: 'busy' }));
    expect(world.stateHash()).toMatch(/^[0-9a-f]{16}$/);
    world.step(1 / 60);
    expect([...other.getPosition()]).toEqual(
      what === 'removes the body' ? [5, expect.closeTo(0, 2), 0] : [9, expect.closeTo(9, 2), 9],
    );
  },
);
