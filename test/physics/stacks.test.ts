// Stacks that must stand with sleeping off. Boxes of 1 m and 1 kg start exactly touching, so the truth
// is that nothing moves at all: every millimetre of sinking or drifting is the solver's error.

import { stackgrid } from '../../demo/scenes/stackgrid';
import { type Measurement, row } from './support/measure';
import { length, random, sub, type Vec3 } from './support/vector';
import {
  buildScene,
  createFloor,
  createWorld,
  isDynamic,
  type Placed,
  position,
  rotation,
  run,
  UNIT_BOX,
  velocity,
} from './support/world';

/** Largest fall, largest horizontal distance from the start, largest tilt of the vertical axis. */
function motion(placed: Placed[]) {
  let drop = 0;
  let drift = 0;
  let speed = 0;
  let tilt = 0;
  for (const { body, start } of placed) {
    const now = position(body);
    const q = rotation(body);
    drop = Math.max(drop, start[1] - now[1]);
    drift = Math.max(drift, Math.hypot(now[0] - start[0], now[2] - start[2]));
    speed = Math.max(speed, length(velocity(body)));
    tilt = Math.max(tilt, (2 * Math.asin(Math.min(1, Math.hypot(q[0], q[2]))) * 180) / Math.PI);
  }
  return { drop, drift, speed, tilt };
}

function stackOf(sizes: { mass: number }[]) {
  const world = createWorld();
  const placed = buildScene(world, {
    build(target) {
      target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
      for (const [level, { mass }] of sizes.entries())
        target.createBody({
          mass,
          position: [0, level + 0.5, 0],
          shape: { type: 'box', halfExtents: UNIT_BOX },
        });
    },
  }).filter(isDynamic);
  return { world, placed };
}

row('stack of 40 boxes stands 60 s: top sinks ≤ 5 cm, drifts ≤ 2 cm', (m) => {
  const { world, placed } = stackOf(Array.from({ length: 40 }, () => ({ mass: 1 })));
  const top = placed.slice(-1);
  let worst = { drop: 0, drift: 0 };
  run(world, 60, () => {
    const { drop, drift } = motion(top);
    worst = { drop: Math.max(worst.drop, drop), drift: Math.max(worst.drift, drift) };
  });
  m.atMost('top sinks at any time', worst.drop, 0.05, 'm');
  m.atMost('top drifts at any time', worst.drift, 0.02, 'm');
  m.atMost('any box drifts, end', motion(placed).drift, 0.02, 'm');
  m.note('top sinks, end', motion(top).drop, 'm');
  m.note('largest speed, end', motion(placed).speed, 'm/s');
});

/** Boxes of 1 m on top of each other, of these masses: the ratios decide how hard the contacts are to solve. */
function loaded(m: Measurement, masses: number[], limit: number) {
  const { world, placed } = stackOf(masses.map((mass) => ({ mass })));
  let worst = 0;
  run(world, 10, () => {
    worst = Math.max(worst, motion(placed).drop);
  });
  m.atMost('deepest sinking at any time', worst, limit, 'm');
  m.atMost('horizontal drift', motion(placed).drift, 0.02, 'm');
  m.atMost('tilt', motion(placed).tilt, 1, '°');
  m.note('sinking, end', motion(placed).drop, 'm');
}
row('100 kg on a box of 1 kg, 10 s: sinks ≤ 5 mm', (m) => loaded(m, [1, 100], 0.005));
row('1000 kg on a box of 1 kg, 10 s: stands, sinks ≤ 2 cm', (m) => loaded(m, [1, 1000], 0.02));
row('10,000 kg on a box of 1 kg, 10 s: stands, sinks ≤ 2 cm', (m) => loaded(m, [1, 10000], 0.02));

row('a plate of 1000 kg on four boxes of 1 kg, 10 s: stands, sinks ≤ 2 cm', (m) => {
  // Truth: it rests. Each leg bears 250 times its weight.
  const world = createWorld();
  createFloor(world);
  for (const [x, z] of [
    [-2, -2],
    [-2, 2],
    [2, -2],
    [2, 2],
  ] as const)
    world.createBody({ mass: 1, position: [x, 0.5, z], shape: { type: 'box', halfExtents: UNIT_BOX } });
  const start: Vec3 = [0, 1.1, 0];
  const plate = world.createBody({
    mass: 1000,
    position: start,
    shape: { type: 'box', halfExtents: [2.5, 0.1, 2.5] },
  });
  let worst = 0;
  run(world, 10, () => {
    worst = Math.max(worst, length(sub(position(plate), start)));
  });
  m.atMost('moved at any time', worst, 0.02, 'm');
  m.atMost('speed, end', length(velocity(plate)), 0.01, 'm/s');
});

row('a plate of 10,000 kg dropped on three and four boxes of 1 kg, at 30 and 60 Hz: they bear it', (m) => {
  // Each bears thousands of times its weight. Passes that end where the impulses seem to stay let the plate fall.
  const legs = {
    three: [
      [-1, -0.6],
      [1, -0.6],
      [0, 1.1],
    ],
    four: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ],
  } as const;
  for (const hertz of [30, 60])
    for (const [name, places] of Object.entries(legs)) {
      let sunk = 0;
      for (let seed = 1; seed <= 4; seed++) {
        const next = random(seed);
        const world = createWorld();
        createFloor(world);
        const boxes = places.map(([x, z]) =>
          world.createBody({
            mass: 1,
            position: [x + 0.01 * (next() - 0.5), 0.25, z + 0.01 * (next() - 0.5)],
            shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
          }),
        );
        world.createBody({
          mass: 10_000,
          position: [0.1 * (next() - 0.5), 0.7, 0.1 * (next() - 0.5)],
          shape: { type: 'box', halfExtents: [1.5, 0.1, 1.5] },
        });
        for (let i = 0; i < 5 * hertz; i++) {
          world.step(1 / hertz);
          for (const box of boxes) sunk = Math.max(sunk, 0.25 - position(box)[1]);
        }
        world.dispose();
      }
      m.atMost(`a box sinks, of ${name} at ${hertz} Hz`, sunk, hertz === 30 ? 0.08 : 0.04, 'm');
    }
});

row('a box squeezed between a floor and a kinematic press is not shot away', (m) => {
  // No impulse holds it: the press closes to half of the box. What remains is the speed at which overlap is pushed out.
  const world = createWorld();
  createFloor(world);
  const box = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    shape: { type: 'box', halfExtents: UNIT_BOX },
  });
  const press = world.createBody({
    type: 'kinematic',
    position: [0, 1.6, 0],
    shape: { type: 'box', halfExtents: [2, 0.5, 2] },
  });
  let fastest = 0;
  for (let step = 1; step <= 240; step++) {
    press.setKinematicTarget([0, Math.max(1.0, 1.6 - step / 300), 0], [0, 0, 0, 1]);
    world.step(1 / 60);
    fastest = Math.max(fastest, length(velocity(box)));
  }
  m.atMost('fastest', fastest, 3, 'm/s');
});

row('64 towers of 10 boxes stand 30 s: drift ≤ 1 cm', (m) => {
  const world = createWorld();
  const placed = buildScene(world, stackgrid).filter(isDynamic);
  run(world, 30);
  // A tower stands when its top still rests on nine boxes: within half a box of its height.
  const tops = placed.filter(({ options }) => options.userIndex === 9);
  m.equal('towers', tops.length, 64);
  m.equal('towers that stand', tops.filter((top) => motion([top]).drop < 0.5).length, 64);
  m.atMost('largest drift of any box', motion(placed).drift, 0.01, 'm');
  m.note('largest drop', motion(placed).drop, 'm');
  m.note('largest speed, end', motion(placed).speed, 'm/s');
});

row('a single box rests where it was put, 10 s', (m) => {
  // Truth: weight and contact force balance; rest within the 1 mm that the softness of contacts costs.
  const world = createWorld();
  createFloor(world);
  const start: Vec3 = [0, 0.5, 0];
  const body = world.createBody({ mass: 1, position: start, shape: { type: 'box', halfExtents: UNIT_BOX } });
  run(world, 10);
  m.atMost('moved', length(sub(position(body), start)), 1e-3, 'm');
  m.atMost('speed', length(velocity(body)), 1e-4, 'm/s');
});

row(
  'a stack of 10 bouncy boxes (e = 0.81, on the floor 0.9) rests: restitution does not shake what already lies',
  (m) => {
    // Truth: nothing approaches anything, so restitution has nothing to return. The product of 0.9 and 0.9, or 1 on the floor.
    const world = createWorld();
    createFloor(world, 0.5, 1);
    const bodies = Array.from({ length: 10 }, (_, level) =>
      world.createBody({
        mass: 1,
        position: [0, level + 0.5, 0],
        shape: { type: 'box', halfExtents: UNIT_BOX, restitution: 0.9 },
      }),
    );
    run(world, 10);
    m.near('height of the top', position(bodies[9])[1], 9.5, 0.02, 'm');
    m.atMost('fastest box', Math.max(...bodies.map((body) => length(velocity(body)))), 0.005, 'm/s');
  },
);
