// A step system of the character course: it moves the bridge, the lift and the disc before each step, in the worker. In: their
// bodies. Out: their targets, which follow from the number of steps alone, so it has no state.
import type { SystemHooks, SystemStart } from 'ricochet';

export interface Platforms {
  /** Ids of bodies. */
  bridge: number;
  lift: number;
  disc: number;
  /** m: height of the lift, and z of the bridge, at both ends. */
  rise: [low: number, high: number];
  way: [from: number, to: number];
}

/** rad/s of the disc. */
const TURN = 0.42;

export default function platforms({ world, options }: SystemStart<Platforms>): SystemHooks {
  const [bridge, lift, disc] = [options.bridge, options.lift, options.disc].map((id) => {
    const body = world.getBody(id);
    if (body === undefined) throw new Error('there is no such platform');
    return body;
  });
  /** To and fro in `period` s, smoothly, with a rest at both ends: 0 … 1. */
  const shuttle = (time: number, period: number) => {
    const phase = (2 * (time % period)) / period;
    const share = Math.max(0, Math.min(1, 1.4 * (phase < 1 ? phase : 2 - phase) - 0.2));
    return share * share * (3 - 2 * share);
  };
  return {
    beforeStep(_, dt) {
      const time = (world.stepCount + 1) * dt;
      const [x, y] = bridge!.getPosition();
      const [from, to] = options.way;
      bridge!.setKinematicTarget([x, y, from + (to - from) * shuttle(time, 12)]);
      const [low, high] = options.rise;
      const [u, , w] = lift!.getPosition();
      lift!.setKinematicTarget([u, low + (high - low) * shuttle(time, 10), w]);
      // A small turn more: q + ½ ω dt × q, normalised.
      const [, b, , d] = disc!.getRotation();
      const h = 0.5 * TURN * dt;
      const size = Math.sqrt((b + h * d) ** 2 + (d - h * b) ** 2);
      disc!.setKinematicTarget(disc!.getPosition(), [0, (b + h * d) / size, 0, (d - h * b) / size]);
    },
  };
}

// Bundlers make a script of this file, without exports: see docs/systems.md.
(globalThis as Record<symbol, unknown>)[Symbol.for('ricochet.system')] = platforms;
