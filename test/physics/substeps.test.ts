// When a step has more substeps than the setting. A damped ball that falls beside shows how many: the fewer, the slower it
// is after a step, in which each substep adds h g and then damps.
import { expect, test } from 'vitest';
import { deterministic, type RigidBody, World } from '../../src/index';

const DT = 1 / 60;
const G = 9.81;

type Vec3 = [number, number, number];

/** m/s of a damped ball after a step from rest. */
function fall(world: World): () => number {
  const ball = world.createBody({ mass: 1, linearDamping: 0.9, shape: { type: 'sphere', radius: 0.1 } });
  return () => {
    ball.setPosition([50, 1, 0]);
    ball.setLinearVelocity([0, 0, 0]);
    world.step(DT);
    return -ball.getLinearVelocity()[1];
  };
}

const worldOf = (substeps: number) => new World({ gravity: [0, -G, 0], substeps });

/** m/s, by number of substeps, where nothing needs more. */
const SPEEDS = Array.from({ length: 25 }, (_, i) => (i === 0 ? 0 : fall(worldOf(i))()));

function makeWorld(): { world: World; substepsNow: () => number } {
  const world = worldOf(5);
  const speed = fall(world);
  const substepsNow = () => {
    const now = speed();
    const off = SPEEDS.map((value) => Math.abs(value - now));
    return off.indexOf(Math.min(...off));
  };
  return { world, substepsNow };
}

interface Plate {
  /** m. */
  half?: Vec3;
  /** rad from the vertical. */
  lean?: number;
  /** m/s. */
  speed?: number;
}

/** Of a plate that stands on a floor. */
function substepsFor({ half = [0.036, 0.036, 0.002], lean = 0, speed = 0 }: Plate): number {
  const { world, substepsNow } = makeWorld();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const [c, s] = [deterministic.cos(lean), deterministic.sin(lean)];
  const place = (plate: RigidBody) => {
    plate.setPosition([0, half[1] * c + half[2] * s, 0]);
    plate.setRotation(deterministic.quatFromAxisAngle([1, 0, 0], lean));
    plate.setLinearVelocity([speed, 0, 0]);
    plate.setAngularVelocity([0, 0, 0]);
  };
  const plate = world.createBody({ mass: 0.01, shape: { type: 'box', halfExtents: half } });
  place(plate);
  substepsNow(); // finds its neighbours
  place(plate);
  return substepsNow();
}

test('the falling ball shows the setting, and one substep more makes a difference', () => {
  expect(makeWorld().substepsNow()).toBe(5);
  for (let n = 2; n < SPEEDS.length; n++) expect(SPEEDS[n]! - SPEEDS[n - 1]!).toBeGreaterThan(1e-6);
});

test.each<[string, Plate, boolean]>([
  ['a plate that stands', {}, true],
  ['a tenth as thick as it is wide', { half: [0.036, 0.036, 0.0036] }, true],
  ['a fifth as thick', { half: [0.036, 0.036, 0.0072] }, false],
  ['two fifths as wide as it is high', { half: [0.0145, 0.036, 0.001] }, true],
  ['a fifth as wide', { half: [0.0072, 0.036, 0.0005] }, false],
  ['leaning by 30°', { lean: deterministic.degreesToRadians(30) }, true],
  ['leaning by 65°', { lean: deterministic.degreesToRadians(65) }, false],
  ['at 0.06 √(g r)', { speed: 0.06 * Math.sqrt(G * 0.051) }, true],
  ['at 0.2 √(g r)', { speed: 0.2 * Math.sqrt(G * 0.051) }, false],
])('plates that balance need shorter substeps: %s', (_name, plate, balances) => {
  const substeps = substepsFor(plate);
  console.log(`${substeps} substeps (target ${balances ? 'more than 5' : '5'})`);
  expect(substeps > 5).toBe(balances);
});

test.each([
  [2e-4, true],
  [5e-5, false],
])(
  'an arm of %f m that turns by 1.3 rad in a substep: needs shorter ones if it is not short',
  (arm, needs) => {
    const { world, substepsNow } = makeWorld();
    const pivot = world.createBody({ type: 'static', position: [0, 5, 0] });
    const wheel = world.createBody({
      mass: 1,
      position: [-arm, 5, 0],
      angularVelocity: [0, 400, 0],
      shape: { type: 'sphere', radius: 0.1 },
    });
    world.createJoint({ type: 'point', bodyA: pivot, bodyB: wheel, anchor: [0, 5, 0] } as never);
    expect(substepsNow() > 5).toBe(needs);
  },
);
