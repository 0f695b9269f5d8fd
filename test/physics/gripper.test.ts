// A gripper that turns freely in space and presses a box between two jaws. All forces are internal: however hard it presses,
// and however long, the angular momentum stays, and the box stays where it is held.
// Before impulses acted at one point of the world, the pressure slowed the gripper down: 98 % of its angular momentum was gone
// within 5 s.

import { row } from './support/measure';
import { totalsOf } from './support/totals';
import { add, conjugate, cross, length, random, rotate, scale, sub, type Vec3 } from './support/vector';
import { createWorld, position, rotation } from './support/world';

const SEED = Number(process.env['SEED'] ?? 1);

type Jaws = 'motor' | 'wedged';

/** m. A box that has slid so far is not held any more. */
const FREE = 0.3;

/** What changes in 20 s, or until the box comes free: angular momentum and energy as shares, and the box's place in the gripper in m. */
function grip(jaws: Jaws, force: number, rate: number, seed: number) {
  const next = random(seed);
  const size = () => 0.9 + 0.2 * next();
  const turn: Vec3 = [next() - 0.5, 3, next() - 0.5];
  const world = createWorld({ gravity: [0, 0, 0] });
  const part = (mass: number, place: Vec3, halfExtents: Vec3) =>
    world.createBody({
      mass: mass * size(),
      position: place,
      linearVelocity: cross(turn, place),
      angularVelocity: turn,
      shape: { type: 'box', halfExtents, friction: 0.6 },
    });
  const frame = part(20, [0, -0.6, 0], [1, 0.1, 0.3]);
  const left = part(3, [-0.45, 0, 0], [0.1, 0.3, 0.2]);
  const right = part(3, [0.45, 0, 0], [0.1, 0.3, 0.2]);
  // Wedged: 1 mm thicker than the space between jaws that do not give way.
  const thickness = jaws === 'wedged' ? 0.351 : 0.349;
  const held = part(2, [0, 0, 0], [thickness, 0.25 * size(), 0.2 * size()]);
  const fixed = { type: 'fixed', bodyA: frame, collideConnected: false } as const;
  world.createJoint({ ...fixed, bodyB: left, anchor: [-0.45, -0.4, 0] });
  if (jaws === 'wedged') world.createJoint({ ...fixed, bodyB: right, anchor: [0.45, -0.4, 0] });
  else
    world.createJoint({
      ...fixed,
      type: 'slider',
      bodyB: right,
      anchor: [0.45, -0.4, 0],
      axis: [-1, 0, 0],
      position: { motor: { velocity: 1, maxForce: force } },
    });
  const { energy, momentum } = totalsOf([frame, left, right, held]);
  const place = () => rotate(conjugate(rotation(frame)), sub(position(held), position(frame)));
  for (let i = 0; i < rate; i++) world.step(1 / rate); // the jaws close
  const [E, L, from] = [energy(), momentum(), place()];
  let most = 0;
  let off = 0;
  for (let i = 0; i < 20 * rate; i++) {
    world.step(1 / rate);
    // A box that has come free hits the jaws and the frame at random; how it slid tells of it.
    if (length(sub(place(), from)) > FREE) break;
    most = Math.max(most, energy() / E);
    off = Math.max(off, length(sub(momentum(), L)) / length(L));
  }
  const slid = length(add(place(), scale(from, -1)));
  world.dispose();
  return { off, most, slid };
}

for (const [jaws, force] of [
  ['motor', 200],
  ['motor', 1000],
  ['wedged', 0],
] as const)
  row(
    `a turning gripper keeps its angular momentum: ${jaws}${force ? ` of ${force} N` : ''}`,
    (m) => {
      for (const rate of [30, 60, 144]) {
        const worst = { off: 0, most: 0, slid: 0 };
        const changes: number[] = [];
        const count = rate > 30 ? 10 : 30;
        for (let i = 0; i < count; i++) {
          const each = grip(jaws, force, rate, count * SEED + i);
          for (const key of ['off', 'most', 'slid'] as const) worst[key] = Math.max(worst[key], each[key]);
          changes.push(each.off);
        }
        changes.sort((a, b) => a - b);
        // At 30 Hz a box that slid to the frame may be thrown against it, which changes a sixth of the momentum at once: 7 or 8 of 100.
        if (rate > 30) m.atMost(`change of the angular momentum, ${rate} Hz`, worst.off, 0.01);
        else m.atMost('change of the angular momentum in four grippers of five, 30 Hz', changes[23]!, 0.03);
        // A motor does work when the box yields. At 30 Hz it yields much, and the box may come free.
        if (rate > 30) m.atMost(`largest energy / start, ${rate} Hz`, worst.most, 1.1);
        m.atMost(`the box slides, ${rate} Hz`, worst.slid, 0.02, 'm');
      }
    },
    // Behind: friction stops velocities; that bodies move along tangents within a substep, it does not see.
    {
      behind: {
        'the box slides, 30 Hz': force === 1000 ? Infinity : 0.2,
        'the box slides, 60 Hz': 0.08,
        'the box slides, 144 Hz': 0.04,
      },
    },
  );
