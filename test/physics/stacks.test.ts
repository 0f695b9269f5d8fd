// Stacks that must stand with sleeping off. Boxes of 1 m and 1 kg start exactly touching, so the truth
// is that nothing moves at all: every millimetre of sinking or drifting is the solver's error.

import { stackgrid } from '../../demo/scenes/stackgrid';
import { type Measurement, row } from './support/measure';
import { length, sub, type Vec3 } from './support/vector';
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

row(
  'stack of 40 boxes stands 60 s: top sinks ≤ 5 cm, drifts ≤ 2 cm',
  (m) => {
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
    // Behind: contacts give way by load / (m ω²); the first cold steps sink twice that.
  },
  { behind: { 'top sinks at any time': 0.21 } },
);

/** A light box that carries a heavy one: the ratio decides how hard the bottom contact is to solve. */
function heavyOnLight(m: Measurement, ratio: number, limit: number) {
  const { world, placed } = stackOf([{ mass: 1 }, { mass: ratio }]);
  let worst = 0;
  run(world, 10, () => {
    worst = Math.max(worst, motion(placed).drop);
  });
  m.atMost('deepest sinking at any time', worst, limit, 'm');
  m.atMost('horizontal drift', motion(placed).drift, 0.02, 'm');
  m.atMost('tilt', motion(placed).tilt, 1, '°');
  m.note('sinking, end', motion(placed).drop, 'm');
}
row('100 kg on a box of 1 kg, 10 s: sinks ≤ 5 mm', (m) => heavyOnLight(m, 100, 0.005), {
  behind: { 'deepest sinking at any time': 0.02 }, // as many passes as the mass ratio are needed to carry the load
});
row('1000 kg on a box of 1 kg, 10 s: stands, sinks ≤ 2 cm', (m) => heavyOnLight(m, 1000, 0.02), {
  behind: {
    'deepest sinking at any time': Number.POSITIVE_INFINITY,
    'horizontal drift': Number.POSITIVE_INFINITY,
    tilt: Number.POSITIVE_INFINITY,
  },
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
