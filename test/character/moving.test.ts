// On what moves: a lift, a train. Truth: the same on ground that stands.
import { describe, expect, test } from 'vitest';
import { deterministic, type RigidBody, World } from '../../src/index';
import { character, hero, STANDING } from './support';

type Vec3 = [number, number, number];

/** A carriage of 8 by 4 m with walls of 10 cm. It goes by its velocity, or from place to place. */
function carriage(world: World, velocity: Vec3, byTargets: boolean): (step: number, dt: number) => RigidBody {
  const wall = (position: Vec3, halfExtents: Vec3) => ({ type: 'box', position, halfExtents }) as const;
  const body = world.createBody({
    type: 'kinematic',
    linearVelocity: byTargets ? [0, 0, 0] : velocity,
    shape: [
      wall([0, -0.5, 0], [4, 0.5, 2]),
      wall([0, 4.5, 0], [4, 0.5, 2]),
      wall([4.05, 2, 0], [0.05, 2, 2]),
      wall([-4.05, 2, 0], [0.05, 2, 2]),
      wall([0, 2, 2.05], [4, 2, 0.05]),
      wall([0, 2, -2.05], [4, 2, 0.05]),
    ],
  });
  return (step, dt) => {
    if (byTargets) body.setKinematicTarget(velocity.map((v) => v * step * dt) as Vec3);
    return body;
  };
}

interface Jumps {
  /** In the carriage, after each step. */
  places: Vec3[];
  onGround: boolean[];
}

/** Stands, jumps on the spot; walks to the back, jumps on the way and at the wall. */
async function jumps(velocity: Vec3, rate: number, byTargets = false, inSteps = true): Promise<Jumps> {
  const world = new World();
  const dt = 1 / rate;
  const moved = carriage(world, velocity, byTargets);
  const setup = { position: [-1, STANDING, 0] as Vec3, jumpSpeed: 5 };
  const core = inSteps ? await hero(world, setup) : null;
  const waiting = core === null ? character(world, setup) : null;
  const found: Jumps = { places: [], onGround: [] };
  // It starts without the velocity of the carriage: a lift that sinks is caught up first.
  const begin = Math.round(1.5 * rate);
  let from = 0;
  for (let step = 1; step <= 6.5 * rate; step++) {
    const body = moved(step, dt);
    const k = step - begin;
    const walks = k >= 1.5 * rate;
    const jump = k === 0 || k === Math.round(1.8 * rate) || k === Math.round(3.2 * rate);
    const move: Vec3 = walks ? [-3, 0, 0.5] : [0, 0, 0];
    core?.setInput({ move, jump });
    if (jump) waiting?.jump();
    world.step(dt);
    waiting?.update(move, dt);
    const at = (core ?? waiting)!.getPosition();
    const origin = body.getPosition();
    const place = [0, 1, 2].map((i) => at[i]! - origin[i]!) as Vec3;
    if (step === begin - 1) from = place[0];
    place[0] -= walks ? 0 : from;
    if (k < 0) continue;
    found.places.push(place);
    found.onGround.push(core === null ? waiting!.isGrounded : core.onGround);
  }
  return found;
}

const furthest = (a: Jumps, b: Jumps, axes: number[]) =>
  Math.max(...a.places.map((p, i) => Math.max(...axes.map((k) => Math.abs(p[k]! - b.places[i]![k]!)))));

describe.each([30, 60, 144])('%i steps a second', (rate) => {
  test('in a lift it jumps as high as on the ground, and lands', async () => {
    for (const inSteps of [true, false])
      for (const byTargets of [false, true]) {
        const truth = await jumps([0, 0, 0], rate, byTargets, inSteps);
        const top = Math.max(...truth.places.map(([, y]) => y)) - STANDING;
        expect(top).toBeCloseTo(25 / 2 / 9.81, 2);
        for (const speed of [1, 3, 8, -1, -4]) {
          const found = await jumps([0, speed, 0], rate, byTargets, inSteps);
          expect(furthest(found, truth, [0, 1, 2]), `${speed} m/s`).toBeLessThan(2e-3);
          expect(found.onGround, `${speed} m/s`).toEqual(truth.onGround);
        }
      }
  });

  test('in a train it comes down where it jumped, also at its back wall', async () => {
    const truth = await jumps([0, 0, 0], rate);
    // As far as a step does not take the wall over the middle of the character.
    for (const speed of [2, 8, 0.3 * rate]) {
      const found = await jumps([speed, 0, 0], rate);
      expect(furthest(found, truth, [1, 2]), `${speed} m/s`).toBeLessThan(2e-3);
      // On the spot, and when it has walked up to the wall: in between its pieces of a step are others.
      const aside = found.places.map((p, i) => Math.abs(p[0] - truth.places[i]![0]));
      expect(Math.max(...aside.slice(0, 1.5 * rate)), `${speed} m/s`).toBeLessThan(0.01);
      expect(Math.max(...aside.slice(3 * rate)), `${speed} m/s`).toBeLessThan(0.03);
    }
  });
});

/** Places over the floor of a train or lift of this velocity, after `act` has been done for a second. */
async function onBoard(
  velocity: Vec3,
  start: (world: World) => Promise<{ places: () => (readonly [number, number, number])[]; act: () => void }>,
): Promise<Vec3[]> {
  const world = new World({ sleeping: false });
  const floor = world.createBody({
    type: 'kinematic',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [30, 0.5, 6] },
  });
  const { places, act } = await start(world);
  world.step(1 / 60);
  floor.setLinearVelocity(velocity);
  for (const body of world.bodies()) if (body.type === 'dynamic') body.setLinearVelocity(velocity);
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  act();
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  const origin = floor.getPosition();
  return places().map(([x, y, z]) => [x - origin[0], y - origin[1] - 0.5, z - origin[2]]);
}

const VELOCITIES: Vec3[] = [
  [5, 0, 0],
  [20, 0, 0],
  [-20, 0, 0],
  [0, 3, 0],
];

const apart = (a: Vec3[], b: Vec3[]) =>
  Math.max(...a.map((p, i) => Math.max(...p.map((c, k) => Math.abs(c - b[i]![k]!)))));

test('on a train it pushes crates in every direction, as on the ground, and none that it does not reach', async () => {
  const crates = (velocity: Vec3) =>
    onBoard(velocity, async (world) => {
      const four = await Promise.all(
        [0, 1, 2, 3].map(async (i) => {
          const [x, z] = [[1, 0, -1, 0][i]!, [0, 1, 0, -1][i]!];
          const body = world.createBody({
            mass: 30,
            position: [6 * x + 1.2 * x, 0.4, 3 * z + 1.2 * z],
            shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
          });
          const who = await hero(world, { position: [6 * x, STANDING, 3 * z] });
          return { body, who, move: [2 * x, 0, 2 * z] as Vec3 };
        }),
      );
      return {
        places: () => four.flatMap(({ body, who }) => [body.getPosition(), who.getPosition()]),
        act: () => {
          for (const { who, move } of four) who.setInput({ move });
        },
      };
    });
  const truth = await crates([0, 0, 0]);
  expect(truth[0]![0]).toBeGreaterThan(8);
  // The first step of the train lets them slide back by what they are late.
  for (const velocity of VELOCITIES)
    expect(apart(await crates(velocity), truth), `${velocity}`).toBeLessThan(0.05);
});

test('a ball that hits it on a train goes on with it as on the ground', async () => {
  const hit = (velocity: Vec3) =>
    onBoard(velocity, async (world) => {
      const who = await hero(world);
      const ball = world.createBody({
        mass: 20,
        position: [3, STANDING, 0],
        gravityScale: 0,
        shape: { type: 'sphere', radius: 0.3 },
      });
      return {
        places: () => [who.getPosition(), ball.getPosition()],
        act: () => ball.setLinearVelocity([velocity[0] - 8, velocity[1], velocity[2]]),
      };
    });
  const truth = await hit([0, 0, 0]);
  expect(truth[0]![0]).toBeLessThan(-0.2);
  for (const velocity of VELOCITIES)
    expect(apart(await hit(velocity), truth), `${velocity}`).toBeLessThan(0.05);
});

test('in a lift nobody is pressed into the floor by who stands on their head, and both can go', async () => {
  for (const upperFirst of [false, true]) {
    const pair = (velocity: Vec3) =>
      onBoard(velocity, async (world) => {
        const lower = () => hero(world, { shape: { type: 'cylinder', radius: 0.3, halfHeight: 0.9 } });
        const upper = () =>
          hero(world, {
            shape: { type: 'cylinder', radius: 0.3, halfHeight: 0.5 },
            position: [0, 2.34, 0],
          });
        const first = await (upperFirst ? upper() : lower());
        const second = await (upperFirst ? lower() : upper());
        const [low, high] = upperFirst ? [second, first] : [first, second];
        return {
          places: () => [low.getPosition(), high.getPosition()],
          act: () => low.setInput({ move: [2, 0, 0] }),
        };
      });
    for (const speed of [0, 1, 3]) {
      const [low, high] = await pair([0, speed, 0]);
      expect(low![0], `${speed} m/s`).toBeCloseTo(2, 3);
      expect(low![1], `${speed} m/s`).toBeCloseTo(STANDING, 4);
      // Who moves before what carries it is a step late.
      expect(Math.abs(high![0] - 2), `${speed} m/s`).toBeLessThan(0.04);
      expect(Math.abs(high![1] - 2.34), `${speed} m/s`).toBeLessThan(0.06);
    }
  }
});

test.each([30, 60, 144])(
  'in a ship it climbs stairs, and jumps at walls and ceilings as in a house, %i Hz',
  async (rate) => {
    const wall = (position: Vec3, halfExtents: Vec3, turn = 0) =>
      ({
        type: 'box',
        position,
        halfExtents,
        rotation: deterministic.quatFromAxisAngle([0, 1, 0], turn),
      }) as const;
    const voyage = async (velocity: Vec3): Promise<Vec3[]> => {
      const world = new World();
      const ship = world.createBody({
        type: 'kinematic',
        linearVelocity: velocity,
        shape: [
          wall([0, -0.5, 0], [14, 0.5, 14]),
          ...[0, 1, 2, 3].map((i) => wall([4 + 0.4 * i, 0.15 * (i + 1), 0], [0.2, 0.15 * (i + 1), 1])),
          wall([10, 0.6, 0], [4.6, 0.6, 1]),
          wall([0, 1, 5], [6, 1, 0.1], 0.3),
          wall([0, 2.6, -6], [9, 0.2, 2]),
        ],
      });
      const plans: { start: Vec3; move: Vec3 }[] = [
        { start: [1.03, STANDING, 0], move: [2.5, 0, 0] },
        { start: [0, STANDING, 3], move: [1, 0, 2] },
        { start: [-6, STANDING, -6], move: [2, 0, 0.1] },
      ];
      const crew = await Promise.all(
        plans.map(async ({ start, move }) => ({ who: await hero(world, { position: start }), move })),
      );
      // They begin with the velocity of the ship.
      for (const { who } of crew) who.setInput({ launch: velocity });
      const places: Vec3[] = [];
      for (let i = 0; i < 4 * rate; i++) {
        for (const { who, move } of crew)
          who.setInput({
            move,
            jump: who !== crew[0]!.who && i % Math.round(1.6 * rate) === Math.round(0.8 * rate),
          });
        world.step(1 / rate);
        const origin = ship.getPosition();
        for (const { who } of crew) places.push(who.getPosition().map((c, k) => c - origin[k]!) as Vec3);
      }
      return places;
    };
    const truth = await voyage([0, 0, 0]);
    expect(truth.at(-3)![1]).toBeGreaterThan(STANDING + 1.1);
    for (const velocity of [
      [3, 0, 0],
      [-5, 0, 4],
      [0, 6, 0],
      [0, -4, 0],
    ] as Vec3[])
      expect(apart(await voyage(velocity), truth), `${velocity}`).toBeLessThan(0.01);
  },
);

describe.each([20, 60])('on what moves farther in a step than 2 m, %i Hz', (rate) => {
  const ride = async (speed: number) => {
    const world = new World();
    const wing = world.createBody({
      type: 'kinematic',
      position: [0, -0.5, 0],
      shape: { type: 'box', halfExtents: [20, 0.5, 20] },
    });
    const who = await hero(world, { position: [5, STANDING, 5] });
    const step = (velocity: number) => {
      wing.setLinearVelocity([velocity, 0, 0]);
      world.step(1 / rate);
    };
    const place = () => who.getPosition().map((c, i) => c - wing.getPosition()[i]!) as Vec3;
    for (let v = 0; v <= speed; v += 50 / rate) step(v);
    return { world, wing, who, step, place };
  };

  test('it stands, walks and jumps at 250 m/s', async () => {
    const { who, step, place } = await ride(250);
    expect(who.onGround).toBe(true);
    expect(place()[0]).toBeCloseTo(5, 1);
    who.setInput({ move: [-2, 0, 0] });
    for (let i = 0; i < rate; i++) step(250);
    who.setInput({ move: [0, 0, 0], jump: true });
    for (let i = 0; i < 2 * rate; i++) step(250);
    expect(who.onGround).toBe(true);
    // A step of walking, and roundings of f32 at 1 km.
    expect(Math.abs(place()[0] - 3)).toBeLessThan(2 / rate + 0.03);
  });

  test('it is left behind where the ground is placed elsewhere', async () => {
    const { wing, who, step } = await ride(90);
    const before = who.getPosition();
    wing.setPosition([before[0] - 2000, -0.5, 0]);
    for (let i = 0; i < rate / 2; i++) step(90);
    expect(who.onGround).toBe(false);
    expect(Math.abs(who.getPosition()[0] - before[0])).toBeLessThan(100);
  });
});
