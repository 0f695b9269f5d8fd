// Interpolation between frames: shortest way, unit length, no motion invented, none across a teleport.
import { describe, expect, test } from 'vitest';
import { interpolatePose, RenderClock } from '../../worker/interpolate';
import { PoseStore } from '../../worker/poses';
import { FRAME, FRAME_HEADER, FRAME_RUNNING, FRAME_SNAP, MESSAGE_FRAME } from '../../worker/protocol';

const AWAKE = 1;

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
): ArrayBuffer {
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
  return buffer;
}

function turnAboutY(angle: number): [number, number, number, number] {
  return [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
}

function angleAboutY(q: ArrayLike<number>): number {
  return 2 * Math.atan2(q[1] as number, q[3] as number);
}

describe('interpolation of a pose', () => {
  const half = (a: number[], b: number[]) => {
    const out = new Float64Array(7);
    interpolatePose(
      new Float32Array([0, 0, 0, 0, ...a]),
      0,
      new Float32Array([2, 4, 6, 0, ...b]),
      0,
      0.25,
      out,
    );
    return out;
  };

  test('a position lies on the straight line', () => {
    expect([...half([0, 0, 0, 1], [0, 0, 0, 1]).slice(0, 3)]).toEqual([0.5, 1, 1.5]);
  });

  test.each([0.05, 0.5, 1.5, 3])(
    'a turn of %f rad keeps unit length and has made a quarter of its way',
    (angle) => {
      const out = half(turnAboutY(0.3), turnAboutY(0.3 + angle));
      expect(Math.hypot(...out.slice(3))).toBeCloseTo(1, 12);
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
  test('runs from the older frame to the newer one during one interval after arrival', () => {
    const clock = new RenderClock();
    for (let i = 0; i <= 10; i++) clock.observe(5000 + 16 * i, 100 + 16 * i);
    const older = 100 + 16 * 9;
    const newer = 100 + 16 * 10;
    const arrival = 5000 + 160;
    expect(clock.fraction(arrival, older, newer, 16)).toBeCloseTo(0, 9);
    expect(clock.fraction(arrival + 8, older, newer, 16)).toBeCloseTo(0.5, 9);
    expect(clock.fraction(arrival + 16, older, newer, 16)).toBeCloseTo(1, 9);
    expect(clock.fraction(arrival + 500, older, newer, 16)).toBe(1);
  });

  test('a frame that was seconds late does not disturb the estimate', () => {
    const clock = new RenderClock();
    clock.observe(1000, 0);
    clock.observe(1016 + 5000, 16);
    expect(clock.fraction(1032 + 8, 16, 32, 16)).toBeGreaterThan(0.4);
  });

  test('is not interpolated across a pause', () => {
    const clock = new RenderClock();
    clock.observe(1000, 0);
    clock.observe(6000, 5000);
    expect(clock.fraction(6000, 0, 5000, 16)).toBe(1);
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
    store.receive(frame({ sequence: sequences[0], due: 100 }, older), 100);
    set?.(store);
    store.receive(frame({ sequence: sequences[1], due: 116 }, newer), 116);
    store.advance(124);
    return store;
  };

  test('reads half-way between two frames', () => {
    expect(position(between([{ p: [0, 0, 0] }], [{ p: [1, 2, 3] }]), 0)).toEqual([0.5, 1, 1.5]);
  });

  test('gives back the frame before last, and never the two it draws from', () => {
    const store = new PoseStore();
    const [a, b, c] = [frame({}, []), frame({}, []), frame({}, [])];
    expect(store.receive(a, 0)).toBeNull();
    expect(store.receive(b, 0)).toBeNull();
    expect(store.receive(c, 0)).toBe(a);
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
