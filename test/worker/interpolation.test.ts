// Interpolation between frames: shortest way, unit length, no motion invented, none across a teleport.
import { describe, expect, test } from 'vitest';
import { FRAMES_HELD, type FrameRoom, frameRoom } from '../../worker/board';
import { interpolatePose, MARGIN, RenderClock } from '../../worker/interpolate';
import { PoseStore } from '../../worker/poses';
import { FRAME, FRAME_HEADER, FRAME_RUNNING, FRAME_SNAP, MESSAGE_FRAME } from '../../worker/protocol';

const AWAKE = 1;
/** ms */
const PERIOD = 1000 / 60;

interface PoseOf {
  p: [number, number, number];
  q?: [number, number, number, number];
  flags?: number;
}

function frame(
  {
    sequence = 1,
    due = 0,
    period = 1000 / 60,
    flags = FRAME_RUNNING,
  }: Partial<Record<'sequence' | 'due' | 'period' | 'flags', number>>,
  poses: PoseOf[],
): FrameRoom {
  const buffer = new ArrayBuffer(4 * (FRAME_HEADER + 8 * poses.length));
  const words = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  words[FRAME.KIND] = MESSAGE_FRAME;
  words[FRAME.SEQUENCE] = sequence;
  words[FRAME.FLAGS] = flags;
  words[FRAME.POSE_SLOTS] = poses.length;
  words[FRAME.POSE_OFFSET] = FRAME_HEADER;
  new Float64Array(buffer)[FRAME.DUE / 2] = due;
  floats[FRAME.PERIOD] = period;
  poses.forEach(({ p, q = [0, 0, 0, 1], flags: f = AWAKE }, slot) => {
    const at = FRAME_HEADER + 8 * slot;
    floats.set(p, at);
    words[at + 3] = f;
    floats.set(q, at + 4);
  });
  return frameRoom(buffer);
}

function turnAboutY(angle: number): [number, number, number, number] {
  return [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
}

function angleAboutY(q: ArrayLike<number>): number {
  return 2 * Math.atan2(q[1] as number, q[3] as number);
}

/** In one call each. */
class TestClock extends RenderClock {
  arrived(at: number, due: number): void {
    this.newest = due;
    this.observe(at);
  }

  at(now: number, newest: number, period: number): number {
    this.newest = newest;
    this.period = period;
    this.advance(now);
    return this.shown;
  }
}

describe('interpolation of a pose', () => {
  const half = (a: number[], b: number[]) => {
    const out = new Float64Array(8);
    out[7] = 0.25;
    interpolatePose(new Float32Array([0, 0, 0, 0, ...a]), 0, new Float32Array([2, 4, 6, 0, ...b]), 0, out);
    return out;
  };

  test('a position lies on the straight line', () => {
    expect([...half([0, 0, 0, 1], [0, 0, 0, 1]).slice(0, 3)]).toEqual([0.5, 1, 1.5]);
  });

  test.each([0.05, 0.5, 1.5, 3])(
    'a turn of %f rad keeps unit length and has made a quarter of its way',
    (angle) => {
      const out = half(turnAboutY(0.3), turnAboutY(0.3 + angle));
      expect(Math.hypot(...out.slice(3, 7))).toBeCloseTo(1, 12);
      // nlerp's error at 26° of half angle is below 0.4 % of the turn
      expect(Math.abs(angleAboutY(out.slice(3)) - (0.3 + angle / 4))).toBeLessThan(0.004 * angle);
    },
  );

  test('the shorter way is taken when the quaternions have opposite signs', () => {
    const [x, y, z, w] = turnAboutY(0.5);
    const out = half(turnAboutY(0.3), [-x, -y, -z, -w]);
    expect(angleAboutY(out.slice(3))).toBeCloseTo(0.35, 4);
  });
});

describe('render clock', () => {
  /** Lag between the two clocks of the test. */
  const LAG = 4900;

  /** Draws every 7 ms while frames arrive as late as `lateness` says; returns how fast time ran in between. */
  function speeds(lateness: (frame: number) => number, steps: (frame: number) => number = () => 1): number[] {
    const clock = new TestClock();
    const arrivals: { at: number; due: number }[] = [];
    for (let i = 0, due = 0; due < 6000; i++) {
      due += steps(i) * PERIOD;
      arrivals.push({ at: LAG + due + lateness(i), due });
    }
    const out: number[] = [];
    let newest = 0;
    let before = Number.NaN;
    let k = 0;
    for (let now = LAG + 50; now < LAG + 5900; now += 7) {
      for (; k < arrivals.length && arrivals[k]!.at <= now; k++) {
        clock.arrived(arrivals[k]!.at, arrivals[k]!.due);
        newest = arrivals[k]!.due;
      }
      const shown = clock.at(now, newest, PERIOD);
      expect(shown).toBeLessThanOrEqual(newest);
      if (now > LAG + 1500) out.push((shown - before) / 7);
      before = shown;
    }
    return out;
  }

  test('time runs evenly when frames come evenly', () => {
    for (const speed of speeds(() => 2)) expect(Math.abs(speed - 1)).toBeLessThan(0.05);
  });

  test('time runs evenly when frames are late by up to a period, or hold one step or two', () => {
    const noise = (i: number) => ((i * 7919) % 97) / 97;
    const spread = (list: number[]) => {
      const errors = list.map((speed) => Math.abs(speed - 1)).sort((a, b) => a - b);
      return errors[Math.floor(0.99 * errors.length)]!;
    };
    expect(spread(speeds((i) => PERIOD * noise(i)))).toBeLessThan(0.05);
    const several = speeds(
      (i) => 3 * noise(i),
      (i) => (noise(i) < 0.3 ? 2 : 1),
    );
    expect(spread(several)).toBeLessThan(0.05);
  });

  test('after frames that were seconds late the picture goes on from where it is now', () => {
    const clock = new TestClock();
    for (let i = 0; i <= 100; i++) clock.arrived(LAG + i * PERIOD, i * PERIOD);
    clock.at(LAG + 1667, 1667, PERIOD);
    clock.arrived(LAG + 8000, 2000);
    clock.arrived(LAG + 8000, 8000);
    const shown = clock.at(LAG + 8000, 8000, PERIOD);
    expect(8000 - shown).toBeLessThan(100);
  });

  test('knows nothing before a frame and after a reset', () => {
    const clock = new TestClock();
    expect(clock.at(100, 0, PERIOD)).toBeNaN();
    clock.arrived(100, 0);
    expect(clock.at(110, 0, PERIOD)).toBeLessThanOrEqual(0);
    clock.reset();
    expect(clock.shown).toBeNaN();
  });
});

describe('pose store', () => {
  const position = (store: PoseStore, slot: number) => {
    const out = [0, 0, 0];
    store.readPosition(slot, out);
    return out;
  };
  /** A store half-way between two frames that are 16 ms apart. */
  const between = (
    older: PoseOf[],
    newer: PoseOf[],
    set?: (store: PoseStore) => void,
    sequences = [1, 1],
  ) => {
    const store = new PoseStore();
    store.receive(frame({ sequence: sequences[0], due: 100, period: 16 }, older), 100);
    set?.(store);
    store.receive(frame({ sequence: sequences[1], due: 116, period: 16 }, newer), 116);
    store.advance(124 + MARGIN * 16);
    return store;
  };

  test('reads half-way between two frames', () => {
    expect(position(between([{ p: [0, 0, 0] }], [{ p: [1, 2, 3] }]), 0)).toEqual([0.5, 1, 1.5]);
  });

  test('gives back the frame before those it draws from', () => {
    const store = new PoseStore();
    const held = Array.from({ length: FRAMES_HELD }, () => frame({}, []));
    for (const one of held) expect(store.receive(one, 0)).toBeNull();
    expect(store.receive(frame({}, []), 0)).toBe(held[0]);
    expect(store.receive(frame({}, []), 0)).toBe(held[1]);
  });

  /**
   * A body at 1 m/s on a machine where the worker and the page both stand still now and then: with probability
   * `busy` at any step and frame, for `pause` ms on average. Returns where between two steps it was drawn, and how
   * fast it was seen to move.
   */
  function drawn(busy: number, pause: number, byMessage: boolean) {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      return (seed >>> 0) / 2 ** 32;
    };
    const lateness = (always: number) => {
      const wait = (mean: number) => -mean * Math.log(1 - random());
      return wait(always) + (random() < busy ? wait(pause) : 0);
    };
    const arrivals: { at: number; due: number }[] = [];
    for (let now = 0, due = 0; now < 8000; ) {
      now = Math.max(now, due + PERIOD) + lateness(0.3);
      const steps = Math.floor((now - due) / PERIOD);
      if (steps === 0) continue;
      now += 3 * steps;
      due += steps * PERIOD;
      arrivals.push({ at: now, due });
    }
    const store = new PoseStore();
    const poseOf = (due: number) => [{ p: [due, 0, 0] as [number, number, number] }];
    const phases: number[] = [];
    const speeds: number[] = [];
    let next = 0;
    for (let now = 100, before = 0, x = 0; now < 7900; before = now) {
      now = Math.ceil((now - 7 + 0.01) / PERIOD) * PERIOD + 7 + lateness(0.5);
      let arrived = -1;
      for (; arrivals[next]!.at <= now; arrived = next++)
        if (byMessage)
          store.receive(frame({ due: arrivals[next]!.due }, poseOf(arrivals[next]!.due)), arrivals[next]!.at);
      // Of those in shared memory, the page finds the newest only, and only when it looks.
      if (!byMessage && arrived >= 0)
        store.receive(frame({ due: arrivals[arrived]!.due }, poseOf(arrivals[arrived]!.due)), now);
      store.advance(now);
      const at = position(store, 0)[0]!;
      phases.push((at / PERIOD) % 1);
      if (before > 100) speeds.push((at - x) / (now - before));
      x = at;
    }
    speeds.sort((a, b) => a - b);
    return {
      between: phases.filter((phase) => phase > 0.02 && phase < 0.98).length / phases.length,
      speedAt: (share: number) => speeds[Math.floor(share * (speeds.length - 1))]!,
    };
  }

  describe.each([true, false])('on a busy machine (by message: %s)', (byMessage) => {
    test.each([
      [0, 0, 0.97, 1],
      [0.1, 20, 0.85, 0.9],
      [0.3, 10, 0.85, 0.9],
      [0.3, 30, 0.75, 0.05],
    ])(
      'where a share of %s of the frames is late by %s ms, what moves evenly is drawn between steps, and evenly',
      (busy, pause, share, slow) => {
        const { between, speedAt } = drawn(busy, pause, byMessage);
        expect(between).toBeGreaterThan(share);
        expect(speedAt(0)).toBeGreaterThanOrEqual(0);
        expect(speedAt(0.1)).toBeGreaterThan(slow - 0.05);
        expect(speedAt(0.5)).toBeCloseTo(1, 1);
      },
    );
  });

  test('shows a stepped-by-hand frame as it is', () => {
    const store = new PoseStore();
    store.receive(frame({ due: 100 }, [{ p: [0, 0, 0] }]), 100);
    store.receive(frame({ due: 116, flags: FRAME_SNAP }, [{ p: [1, 0, 0] }]), 116);
    expect(position(store, 0)).toEqual([1, 0, 0]);
  });

  test('does not interpolate across a teleport or a slot reused by this client', () => {
    const set = (store: PoseStore) => store.setLocal(0, [9, 0, 0], [0, 0, 0, 1], 2);
    expect(position(between([{ p: [0, 0, 0] }], [{ p: [9, 0, 0] }], set, [1, 2]), 0)).toEqual([9, 0, 0]);
  });

  test('reads what the client set until a frame has seen it', () => {
    const set = (store: PoseStore) => store.setLocal(0, [9, 8, 7], [0, 0, 0, 1], 3);
    const store = between([{ p: [0, 0, 0] }], [{ p: [1, 0, 0] }], set, [1, 2]);
    expect(position(store, 0)).toEqual([9, 8, 7]);
    store.receive(frame({ sequence: 3, due: 132 }, [{ p: [9, 7, 7] }]), 132);
    expect(position(store, 0)).toEqual([9, 7, 7]);
  });

  test('knows a body that no frame contains yet', () => {
    const store = between([], [], (s) => s.setLocal(500, [1, 2, 3], [0, 0, 0, 1], 9));
    expect(position(store, 500)).toEqual([1, 2, 3]);
    expect(store.isAwake(500)).toBe(true);
  });

  test('a sleeping body is read as it is', () => {
    const store = between([{ p: [1, 0, 0], flags: 0 }], [{ p: [1, 0, 0], flags: 0 }]);
    expect(position(store, 0)).toEqual([1, 0, 0]);
    expect(store.isAwake(0)).toBe(false);
  });

  test('writes scaled matrices with the columns of the rotation', () => {
    const q = turnAboutY(Math.PI / 2);
    const poses = [{ p: [0, 0, 0] }, { p: [1, 2, 3], q }] as PoseOf[];
    const store = between(poses, poses);
    const out = new Float32Array(16);
    store.writeMatrices([1], 1, [2, 3, 4], out);
    // a quarter turn about y: x → −z, z → x
    const expected = [0, 0, -2, 0, 0, 3, 0, 0, 4, 0, 0, 0, 1, 2, 3, 1];
    for (const [i, value] of expected.entries()) expect(out[i]).toBeCloseTo(value, 6);
  });
});
