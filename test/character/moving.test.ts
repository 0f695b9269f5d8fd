// Jumps on what moves: a lift, a train. Truth: the same jumps on ground that stands.
import { describe, expect, test } from 'vitest';
import { type RigidBody, World } from '../../src/index';
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
