// A step system of the harbour: the propeller, the rudder and the keel of the tug, in the worker. In: what the helm asks for, by
// messages. Out: forces on the tug.
import type { SystemHooks, SystemStart } from 'ricochet';

export interface Helm {
  /** −1 … 1, ahead. */
  throttle: number;
  /** −1 … 1, to starboard. */
  rudder: number;
}

/** N of the propeller ahead; of it astern. */
const THRUST = 15_000;
const ASTERN = 0.6;
/** kg/s: drag of the keel across the boat, at bow and stern; it keeps its course. */
const KEEL = 2600;
/** m: where propeller and keel act, in the boat's frame; x is ahead. */
const STERN = [-2.2, -0.5, 0] as const;
const BOW = [1.4, -0.5, 0] as const;

export default function tugboat({ world, options }: SystemStart<{ tug: number }>): SystemHooks<Helm> {
  const tug = world.getBody(options.tug);
  if (tug === undefined) throw new Error('there is no tug');
  let helm: Helm = { throttle: 0, rudder: 0 };
  return {
    beforeStep() {
      const [x, y, z, w] = tug.getRotation();
      const turned = (v: readonly number[]): [number, number, number] => {
        const [a, b, c] = [v[0]!, v[1]!, v[2]!];
        const [s, t, u] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
        return [a + w * s + y * u - z * t, b + w * t + z * s - x * u, c + w * u + x * t - y * s];
      };
      const [ahead, side] = [turned([1, 0, 0]), turned([0, 0, 1])];
      const [, height] = tug.getPosition();
      const aim = 0.6 * helm.rudder;
      const push = THRUST * helm.throttle * (helm.throttle < 0 ? ASTERN : 1);
      for (const [at, isStern] of [
        [STERN, true],
        [BOW, false],
      ] as const) {
        const arm = turned(at);
        if (height + arm[1] > 0) continue; // out of the water
        const [u, , v] = tug.getVelocityAtPoint(tug.getPosition().map((part, i) => part + arm[i]!));
        const across = -KEEL * (u * side[0] + v * side[2]);
        const force = [across * side[0], 0, across * side[2]];
        if (isStern)
          for (const k of [0, 2] as const)
            force[k]! += push * (ahead[k] * (1 - 0.3 * aim * aim) - aim * side[k]);
        tug.applyForce(force, arm);
      }
    },
    message(asked) {
      helm = asked;
    },
    save: () => helm,
    restore(state: Helm) {
      helm = state;
    },
  };
}

// Bundlers make a script of this file, without exports: see docs/systems.md.
(globalThis as Record<symbol, unknown>)[Symbol.for('ricochet.system')] = tugboat;
