// Time of impact. Where the truth has a closed form, the fraction is compared with it; for random pairs the
// answer is its own proof: the shapes are nowhere nearer than the target up to it, and just that near at it.
import { beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../scripts/compile-core-entry.mjs';
import { geometryWords } from '../../src/cooking/geometryWords';
import { Impact, Motion, Shape } from '../../src/wasm/core-layout';
import {
  add,
  axisAngle,
  dot,
  length,
  multiply,
  type Quat,
  random,
  rotate,
  scale,
  type Vec3,
} from '../physics/support/vector';
import {
  identity,
  type Kind,
  type Placed,
  randomRotation,
  randomShape,
  unitVector,
} from './support/narrowphase';

const SEED = Number(process.env['TOI_SEED'] ?? 51);
const SOAK = process.env['SOAK'] === '1';

const TYPE: Partial<Record<Kind, number>> = {
  sphere: 0,
  capsule: 1,
  box: 2,
  hull: 3,
  cylinder: 4,
  cone: 5,
  plane: 8,
};
const A = 0x30000;
const B = A + 1024;
const MOTION_A = B + 1024;
const MOTION_B = MOTION_A + 256;
const OUT = MOTION_B + 256;
const GEOMETRY = OUT + 0x8000;

/** A body in motion: the shape is off its centre of turning by `arm`. */
interface Mover extends Placed {
  delta?: Vec3;
  turn?: Vec3;
  arm?: Vec3;
}
interface Answer {
  fraction: number;
  normal: Vec3;
  point: Vec3;
  separation: number;
  state: number;
  iterations: number;
  evaluations: number;
}

let impact: (a: Mover, b: Mover, target: number, most?: number) => Answer;

beforeAll(async () => {
  const bytes: Uint8Array<ArrayBuffer> = await compileCoreEntry('test/core/timeOfImpactEntry.ts');
  const memory = new WebAssembly.Memory({ initial: 64 });
  const { instance } = await WebAssembly.instantiate(bytes, {
    env: { memory, abort() {}, pairFilter: () => 1 },
  });
  const core = instance.exports as unknown as {
    impact(a: number, ma: number, b: number, mb: number, most: number, target: number, out: number): number;
  };
  const view = new DataView(memory.buffer);
  const put = (at: number, values: number[]) => {
    values.forEach((v, i) => {
      view.setFloat32(at + 4 * i, v, true);
    });
  };
  const vec = (at: number): Vec3 => [0, 4, 8].map((o) => view.getFloat32(at + o, true)) as Vec3;
  const write = (at: number, motion: number, geometry: number, s: Mover) => {
    put(at + Shape.param0, [...s.params, 0, 0, 0, 0].slice(0, 4));
    view.setInt32(at + Shape.type, TYPE[s.kind]!, true);
    if (s.hull) {
      const words = geometryWords(s.hull);
      new Int32Array(memory.buffer, geometry, words.length).set(words);
      view.setUint32(at + Shape.geometry, geometry, true);
    }
    put(motion + Motion.position, [...s.position, 0]);
    put(motion + Motion.rotation, s.rotation);
    put(motion + Motion.arm, [...(s.arm ?? [0, 0, 0]), 0]);
    put(motion + Motion.delta, [...(s.delta ?? [0, 0, 0]), 0]);
    put(motion + Motion.turn, [...(s.turn ?? [0, 0, 0]), 0]);
  };
  impact = (a, b, target, most = 1) => {
    write(A, MOTION_A, GEOMETRY, a);
    write(B, MOTION_B, GEOMETRY + 0x4000, b);
    const fraction = core.impact(A, MOTION_A, B, MOTION_B, most, target, OUT);
    const int = (o: number) => view.getInt32(OUT + o, true);
    return {
      fraction,
      normal: vec(OUT + Impact.normal),
      point: vec(OUT + Impact.point),
      separation: view.getFloat32(OUT + Impact.separation, true),
      state: int(Impact.state),
      iterations: int(Impact.iterations),
      evaluations: int(Impact.evaluations),
    };
  };
});

const at = (kind: Kind, params: number[], position: Vec3, rotation: Quat = identity): Placed => ({
  kind,
  params,
  position,
  rotation,
});
const ground: Placed = at('plane', [], [0, 0, 0]);
const TARGET = 2e-5;

describe('closed forms: at most 1 mm short along the path, never past, at most 32 iterations', () => {
  const cases: { name: string; make: (r: () => number) => { a: Mover; b: Mover; truth: number } }[] = [
    {
      name: 'a sphere onto a plane',
      make(r) {
        const radius = 0.05 + r();
        const height = radius + 0.01 + 20 * r();
        const down = height + 80 * r();
        const delta: Vec3 = [20 * r() - 10, -down, 20 * r() - 10];
        return {
          a: { ...at('sphere', [radius], [3, height, -2]), delta },
          b: ground,
          truth: (height - radius) / down,
        };
      },
    },
    {
      name: 'two spheres that both move',
      make(r) {
        const [ra, rb] = [0.05 + r(), 0.05 + r()];
        const n = unitVector(r);
        // B comes to the contact at (ra + rb) n from A at the true fraction.
        const truth = 0.05 + 0.9 * r();
        const da = scale(unitVector(r), 50 * r());
        let db = scale(unitVector(r), 5 + 50 * r());
        const relative = (): Vec3 => add(db, scale(da, -1));
        if (dot(relative(), n) > -0.3 * length(relative())) db = add(db, scale(n, -2 * length(relative())));
        return {
          a: { ...at('sphere', [ra], scale(da, -truth)), delta: da },
          b: { ...at('sphere', [rb], add(scale(n, ra + rb), scale(db, -truth))), delta: db },
          truth,
        };
      },
    },
    {
      name: 'a sphere onto the face of a box, turned anyhow',
      make(r) {
        const half: Vec3 = [0.2 + r(), 0.2 + r(), 0.2 + r()];
        const q = randomRotation(r);
        const radius = 0.05 + 0.5 * r();
        const truth = 0.05 + 0.9 * r();
        const touch: Vec3 = [half[0] + radius, half[1] * (r() - 0.5), half[2] * (r() - 0.5)];
        const path: Vec3 = [-(0.2 + 80 * r()), 3 * r(), 3 * r()];
        const delta = rotate(q, path);
        return {
          a: {
            ...at('sphere', [radius], add(rotate(q, touch), scale(delta, -truth))),
            delta,
            turn: scale(unitVector(r), 6),
          },
          b: at('box', half, [0, 0, 0], q),
          truth,
        };
      },
    },
    {
      name: 'a box face to face with another, at an angle to its path',
      make(r) {
        const q = randomRotation(r);
        const truth = 0.05 + 0.9 * r();
        const delta = rotate(q, [0.1 + 80 * r(), r(), r()]);
        return {
          a: {
            ...at('box', [0.3, 0.4, 0.5], add(rotate(q, [-0.8, 0.2, 0.1]), scale(delta, -truth)), q),
            delta,
          },
          b: at('box', [0.5, 2, 2], [0, 0, 0], q),
          truth,
        };
      },
    },
    {
      name: 'a capsule that turns until its end meets the ground',
      make(r) {
        // Lies level at height H and turns about z by more than it takes: sin φ = (H − radius)/half.
        const half = 0.5 + r();
        const radius = 0.05;
        const height = radius + half * (0.1 + 0.8 * r());
        const touch = Math.asin((height - radius) / half);
        const angle = touch * (1.1 + 2 * r());
        const tilted = axisAngle([0, 0, 1], Math.PI / 2);
        return {
          a: { ...at('capsule', [radius, half], [0, height, 0], tilted), turn: [0, 0, angle] },
          b: ground,
          truth: touch / angle,
        };
      },
    },
    {
      name: 'the same against a thin box, with the centre of turning at its other end',
      make(r) {
        const half = 0.5 + r();
        const radius = 0.02;
        const pivot: Vec3 = [0, radius + 0.0005 + 2 * half * (0.1 + 0.8 * r()), 0];
        const touch = Math.asin((pivot[1] - radius - 0.0005) / (2 * half));
        const angle = touch * (1.1 + 2 * r());
        const tilted = axisAngle([0, 0, 1], Math.PI / 2);
        const arm: Vec3 = [half, 0, 0];
        return {
          a: { ...at('capsule', [radius, half], add(pivot, arm), tilted), turn: [0, 0, -angle], arm },
          b: at('box', [10, 0.0005, 10], [0, 0, 0]),
          truth: touch / angle,
        };
      },
    },
    {
      name: 'a cube that falls on its corner',
      make(r) {
        // Body diagonal upright: the corner is √3·h below the centre.
        const half = 0.1 + r();
        const axis: Vec3 = [Math.SQRT1_2, 0, -Math.SQRT1_2];
        const q = axisAngle(axis, Math.acos(1 / Math.sqrt(3)));
        const height = Math.sqrt(3) * half + 0.05 + 5 * r();
        const down = height + 50 * r();
        return {
          a: { ...at('box', [half, half, half], [0, height, 0], q), delta: [4, -down, 1] },
          b: r() < 0.5 ? ground : at('box', [50, 1, 50], [0, -1, 0]),
          truth: (height - Math.sqrt(3) * half) / down,
        };
      },
    },
    {
      name: 'a cylinder rolls about its axis onto the ground',
      make(r) {
        const radius = 0.1 + r();
        const q = axisAngle([1, 0, 0], Math.PI / 2);
        const height = radius + 0.1 + r();
        const down = height * (1 + r());
        return {
          a: { ...at('cylinder', [radius, 0.5], [0, height, 0], q), delta: [1, -down, 0], turn: [0, 0, 9] },
          b: at('box', [50, 1, 50], [0, -1, 0]),
          truth: (height - radius) / down,
        };
      },
    },
    {
      name: 'a ball onto the wall of a drum that rotates',
      make(r) {
        const radius = 0.05 + 0.1 * r();
        const turn = 0.005 + 0.03 * r();
        // The drum's axis is z, at the origin; the inside of the wall is at x = 3 in its frame. B moves as its centre of
        // rotation does, so both have the same drift.
        const drift = scale(unitVector(r), r());
        const gap = 0.02 + 0.1 * r();
        const across = 2 - 4 * r();
        const from: Vec3 = [3 - radius - gap, across, 0.5];
        const path: Vec3 = [gap * (1.5 + r()) + turn * Math.abs(across), 0.1 * r(), 0];
        const gapAt = (t: number) =>
          3 -
          radius -
          Math.cos(turn * t) * (from[0] + path[0] * t) -
          Math.sin(turn * t) * (from[1] + path[1] * t);
        let [low, high] = [0, 1];
        for (let i = 0; i < 60; i++) {
          const middle = 0.5 * (low + high);
          if (gapAt(middle) > 0) low = middle;
          else high = middle;
        }
        return {
          a: { ...at('sphere', [radius], from), delta: add(path, drift) },
          b: {
            ...at('box', [0.25, 3.5, 3.5], [3.25, 0, 0]),
            arm: [3.25, 0, 0],
            delta: drift,
            turn: [0, 0, turn],
          },
          truth: low,
        };
      },
    },
  ];
  const count = SOAK ? 2000 : 100;
  for (const { name, make } of cases) {
    test(`${name}, ${count} cases (seed ${SEED})`, () => {
      const r = random(SEED);
      let [short, past, most] = [0, 0, 0];
      for (let i = 0; i < count; i++) {
        const { a, b, truth } = make(r);
        const answer = impact(a, b, TARGET);
        // Along the path of the fastest point.
        const path =
          length(add(b.delta ?? [0, 0, 0], scale(a.delta ?? [0, 0, 0], -1))) +
          (a.kind === 'capsule'
            ? length(a.turn ?? [0, 0, 0]) * (length(a.arm ?? [0, 0, 0]) + a.params[1]!)
            : 0);
        // The distance asked for is itself 2e-5 along the normal.
        short = Math.max(short, (truth - answer.fraction) * path * (path > 0 ? 1 : 0));
        past = Math.max(past, (answer.fraction - truth) * path);
        most = Math.max(most, answer.iterations);
        expect(answer.state, `case ${i}`).toBe(1);
        expect(length(answer.normal)).toBeCloseTo(1, 5);
      }
      expect(past).toBeLessThanOrEqual(0);
      expect(most).toBeLessThanOrEqual(32);
      expect(short).toBeLessThan(1e-3);
    });
  }
});

/** Pose of a mover at a fraction, in f64. */
function poseAt(m: Mover, t: number): Placed {
  const turn = m.turn ?? [0, 0, 0];
  const angle = length(turn) * t;
  const q = angle > 0 ? axisAngle(scale(turn, 1 / length(turn)), angle) : identity;
  const arm = m.arm ?? [0, 0, 0];
  const centre = add(add(m.position, scale(arm, -1)), scale(m.delta ?? [0, 0, 0], t));
  return { ...m, position: add(centre, rotate(q, arm)), rotation: multiply(q, m.rotation) };
}
/** The distance of two shapes at rest: what a target beyond every distance reports. */
const distance = (a: Placed, b: Placed) =>
  impact({ ...a, delta: [0, 0, 0], turn: [0, 0, 0] }, { ...b, delta: [0, 0, 0], turn: [0, 0, 0] }, 1e6, 0)
    .separation;

const KINDS: Kind[] = ['sphere', 'capsule', 'box', 'hull', 'cylinder', 'cone'];

describe('random pairs: nowhere nearer than the target before the impact, and near at it', () => {
  const count = SOAK ? 3000 : 60;
  for (const spin of [0, 0.8, 12]) {
    test(`${count} pairs of each kind, turning up to ${spin} rad (seed ${SEED})`, {
      timeout: 900_000,
    }, () => {
      const r = random(SEED);
      let [hits, limits, most] = [0, 0, 0];
      for (const ka of KINDS) {
        for (const kb of [...KINDS, 'plane' as Kind]) {
          for (let i = 0; i < count / 6; i++) {
            const a: Mover = randomShape(ka, 1, r);
            const b: Mover =
              kb === 'plane' ? { ...at('plane', [], [0, 0, 0], randomRotation(r)) } : randomShape(kb, 1, r);
            const from = scale(unitVector(r), 2 + 3 * r());
            a.position = from;
            if (kb === 'plane') a.position = rotate(b.rotation, [r(), 2.2 + r(), r()]);
            a.delta = add(scale(a.position, -2 * r()), scale(unitVector(r), r()));
            b.delta = scale(unitVector(r), 0.5 * r());
            a.turn = scale(unitVector(r), spin * r());
            if (kb !== 'plane') b.turn = scale(unitVector(r), spin * r());
            a.arm = scale(unitVector(r), 0.3 * r());
            const answer = impact(a, b, TARGET);
            most = Math.max(most, answer.iterations);
            const end = Math.min(1, answer.fraction);
            if (answer.state === 4) limits++;
            if (answer.state === 1) {
              hits++;
              const d = distance(poseAt(a, end), poseAt(b, end));
              expect(Math.abs(d - TARGET), `${ka} ${kb} ${i}`).toBeLessThan(1e-4);
            }
            for (let k = 0; k <= 40; k++) {
              const t = (end * k) / 40;
              const d = distance(poseAt(a, t), poseAt(b, t));
              if (answer.state !== 2 && answer.state !== 3)
                expect(d, `${ka} ${kb} ${i} at ${t}`).toBeGreaterThan(TARGET - 2e-5);
            }
          }
        }
      }
      expect(hits).toBeGreaterThan(count);
      // Two whole turns in one step: a few graze so long that they run out of iterations, in front.
      expect(limits).toBeLessThanOrEqual(spin > 1 ? 0.01 * hits : 0);
      expect(most).toBeLessThanOrEqual(32);
    });
  }
});

describe('starts', () => {
  test('touching at the start is an impact at 0, overlap says so', () => {
    const touching = impact({ ...at('sphere', [0.5], [0, 0.50002, 0]), delta: [0, -1, 0] }, ground, TARGET);
    expect(touching.fraction).toBe(0);
    expect(touching.state).toBe(2);
    const deep = impact(
      { ...at('box', [0.5, 0.5, 0.5], [0, 0, 0]), delta: [0, -1, 0] },
      at('box', [0.5, 0.5, 0.5], [0.3, 0, 0]),
      TARGET,
    );
    expect(deep.fraction).toBe(0);
    expect(deep.state).toBe(3);
  });
  test(`a box that turns and rises from a plane takes two or three evaluations (seed ${SEED}, 400 cases)`, () => {
    const r = random(SEED);
    let evaluations = 0;
    for (let i = 0; i < 400; i++) {
      const half = 0.1 + 0.2 * r();
      const a = {
        ...at('box', [half, half, half], [r(), half + 4e-4, r()]),
        delta: [0.1 * r(), 0.01 + 0.03 * r(), 0] as Vec3,
        turn: scale(unitVector(r), 0.02 + 0.3 * r()),
      };
      evaluations += impact(a, ground, 2e-4).evaluations;
    }
    expect(evaluations / 400).toBeLessThan(3);
  });

  test('the plane may come first, and the normal turns round', () => {
    const ball: Mover = { ...at('sphere', [0.5], [0, 2, 0]), delta: [0, -3, 0] };
    const one = impact(ball, ground, TARGET);
    const other = impact(ground, ball, TARGET);
    expect(other.fraction).toBe(one.fraction);
    expect(one.normal[1]).toBeCloseTo(-1, 6);
    expect(other.normal[1]).toBeCloseTo(1, 6);
    expect(one.point[1]).toBeCloseTo(0, 3);
  });
  test('nothing within the largest fraction is a miss', () => {
    const ball: Mover = { ...at('sphere', [0.5], [0, 2, 0]), delta: [0, -3, 0] };
    expect(impact(ball, ground, TARGET, 0.4).fraction).toBe(2);
    expect(impact(ball, ground, TARGET, 0.6).fraction).toBeCloseTo(0.5, 3);
  });
});
