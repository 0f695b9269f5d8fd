// Mass properties against closed forms, and against sums over small cells for what has none.
import { expect, test } from 'vitest';
import { quatFromAxisAngle, quatMultiply, quatNormalize, rotate } from '../../src/base/math';
import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_SPHERE } from '../../src/core/memory/constants';
import { World } from '../../src/index';
import { massProperties, principalAxes, type SolidShape } from '../../src/options/massProperties';

const shape = (type: number, params: number[], more: Partial<SolidShape> = {}): SolidShape => ({
  type,
  params: [...params, 0, 0, 0].slice(0, 4),
  localPosition: [0, 0, 0],
  localRotation: [0, 0, 0, 1],
  density: 1000,
  ...more,
});

function expectClose(actual: ArrayLike<number>, expected: readonly number[], relative = 1e-12) {
  const size = Math.max(...expected.map(Math.abs));
  expected.forEach((value, i) => {
    expect(Math.abs(actual[i]! - value)).toBeLessThan(relative * size);
  });
}

test('a ball of water: 2/5 m r²', () => {
  const { mass, inertia } = massProperties([shape(SHAPE_SPHERE, [0.5])]);
  expect(mass).toBeCloseTo((1000 * 4 * Math.PI) / 24, 9);
  const i = 0.4 * mass * 0.25;
  expectClose(inertia, [i, i, i]);
});

test('a box: m (b² + c²) / 3 of the half extents', () => {
  const { mass, inertia } = massProperties([shape(SHAPE_BOX, [1, 0.5, 0.1])]);
  expect(mass).toBeCloseTo(1000 * 8 * 0.05, 9);
  expectClose(inertia, [(mass * 0.26) / 3, (mass * 1.01) / 3, (mass * 1.25) / 3]);
});

test('a capsule: sum over 100,000 slices of its revolution', () => {
  const [r, h] = [0.3, 0.7];
  let mass = 0;
  let along = 0;
  let across = 0;
  const n = 100_000;
  for (let i = 0; i < n; i++) {
    const y = -(h + r) + ((2 * (h + r)) / n) * (i + 0.5);
    const over = Math.max(0, Math.abs(y) - h);
    const radius2 = r * r - over * over;
    const dm = 1000 * Math.PI * radius2 * ((2 * (h + r)) / n);
    mass += dm;
    along += 0.5 * dm * radius2;
    across += dm * (0.25 * radius2 + y * y);
  }
  const result = massProperties([shape(SHAPE_CAPSULE, [r, h])]);
  expect(result.mass / mass).toBeCloseTo(1, 8);
  expectClose(result.inertia, [across, along, across], 1e-8);
});

test('two boxes end to end are one long box', () => {
  const half = { localRotation: [0, 0, 0, 1] };
  const parts = [
    shape(SHAPE_BOX, [0.5, 0.2, 0.1], { ...half, localPosition: [2.5, 3, 1] }),
    shape(SHAPE_BOX, [0.5, 0.2, 0.1], { ...half, localPosition: [3.5, 3, 1] }),
  ];
  const whole = massProperties([shape(SHAPE_BOX, [1, 0.2, 0.1])]);
  const result = massProperties(parts);
  expectClose(result.centerOfMass, [3, 3, 1]);
  expectClose(result.inertia, whole.inertia);
  expectClose(result.principalRotation, [0, 0, 0, 1]);
});

test('densities weigh the centre of mass', () => {
  const { centerOfMass } = massProperties([
    shape(SHAPE_SPHERE, [1], { density: 300 }),
    shape(SHAPE_SPHERE, [1], { density: 100, localPosition: [4, 0, 0] }),
  ]);
  expectClose(centerOfMass, [1, 0, 0]);
});

test('a turned box keeps its moments; the principal frame is turned with it', () => {
  const q = quatNormalize([0.3, -0.5, 0.2, 0.8]);
  const flat = massProperties([shape(SHAPE_BOX, [1, 0.5, 0.1])]);
  const turned = massProperties([shape(SHAPE_BOX, [1, 0.5, 0.1], { localRotation: q })]);
  // Same moments, perhaps in another order.
  expectClose(
    [...turned.inertia].sort((a, b) => a - b),
    [...flat.inertia].sort((a, b) => a - b),
    1e-9,
  );
  // R diag(d) Rᵀ is the same tensor as Q diag(d₀) Qᵀ.
  for (const v of [
    [1, 0, 0],
    [0, 1, 0],
    [0.3, -2, 0.7],
  ]) {
    const apply = (r: ArrayLike<number>, d: readonly number[]) => {
      const local = rotate([-r[0]!, -r[1]!, -r[2]!, r[3]!], v);
      return rotate(r, [local[0] * d[0]!, local[1] * d[1]!, local[2] * d[2]!]);
    };
    expectClose(apply(turned.principalRotation, turned.inertia), apply(q, flat.inertia), 1e-9);
  }
});

test('Jacobi: 200 random tensors come back from their moments and axes (seed 3)', () => {
  let state = 3;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  for (let trial = 0; trial < 200; trial++) {
    const t = [2 + random(), 2 + random(), 2 + random(), random(), random(), random()];
    const { moments, rotation } = principalAxes(t);
    expect(Math.hypot(...rotation)).toBeCloseTo(1, 12);
    for (let axis = 0; axis < 3; axis++) {
      const e = [0, 0, 0];
      e[axis] = 1;
      const v = rotate(rotation, e);
      const tv = [
        t[0]! * v[0] + t[3]! * v[1] + t[4]! * v[2],
        t[3]! * v[0] + t[1]! * v[1] + t[5]! * v[2],
        t[4]! * v[0] + t[5]! * v[1] + t[2]! * v[2],
      ];
      for (let i = 0; i < 3; i++) expect(tv[i]).toBeCloseTo(moments[axis]! * v[i]!, 6);
    }
  }
});

test('a ball stays a ball however it is turned and rounded', () => {
  const q = quatMultiply(quatFromAxisAngle([1, 2, 3], 1), quatFromAxisAngle([0, 1, 0], 2)).map(Math.fround);
  const { inertia, principalRotation } = massProperties([shape(SHAPE_SPHERE, [1], { localRotation: q })]);
  expect(inertia[0]).toBe(inertia[1]);
  expect(inertia[1]).toBe(inertia[2]);
  expect(principalRotation).toEqual([0, 0, 0, 1]);
});

test('a centre of mass that is given counts, and the moments are taken about it', () => {
  const { centerOfMass, inertia, mass } = massProperties([shape(SHAPE_SPHERE, [1])], [0, 2, 0]);
  expect(centerOfMass).toEqual([0, 2, 0]);
  expectClose([inertia[1]], [0.4 * mass]);
  expectClose([inertia[0]], [4.4 * mass]);
});

test('the axes of given moments may be turned: at creation as by updateMassProps', () => {
  const given = {
    mass: 2,
    inertia: [1, 2, 3],
    inertiaOrientation: [0.1, 0.2, 0.3, 0.9],
    centerOfMass: [0.1, 0, 0.2],
  } as const;
  const BOX = { type: 'box', halfExtents: [0.5, 0.4, 0.3] } as const;
  const motion = { position: [0, 2, 0] } as const;
  const [made, changed] = [new World(), new World()];
  for (const world of [made, changed]) world.createBody({ type: 'static', shape: { type: 'plane' } });
  const body = made.createBody({ ...motion, ...given, shape: BOX });
  const other = changed.createBody({ ...motion, mass: 7, shape: BOX });
  other.updateMassProps(given);
  for (const spinning of [body, other]) spinning.setAngularVelocity([1, 5, 2]);
  for (let i = 0; i < 100; i++) {
    made.step(1 / 60);
    changed.step(1 / 60);
  }
  expect(body.getRotation()).toEqual(other.getRotation());
  expect(body.getPosition()).toEqual(other.getPosition());
  const straight = new World().createBody({ mass: 2, inertia: [1, 2, 3], shape: BOX });
  expect(() => straight.updateMassProps({ inertiaOrientation: [0, 0, 0, 1] })).toThrow(/inertiaOrientation/);
  expect(() => straight.setType('kinematic', { inertiaOrientation: [0, 0, 0, 1] })).toThrow(
    /inertiaOrientation/,
  );
  expect(() => made.createBody({ inertiaOrientation: [0, 0, 0, 1], shape: BOX })).toThrow(
    /inertiaOrientation/,
  );
  expect(() =>
    made.createBody({ type: 'static', inertia: [1, 1, 1], inertiaOrientation: [0, 0, 0, 1], shape: BOX }),
  ).toThrow(/inertia/);
});

test('the points of a body keep their velocities when its centre of mass moves', () => {
  const box = (x: number) => ({
    type: 'box' as const,
    halfExtents: [0.5, 0.5, 0.5] as const,
    position: [x, 0, 0] as const,
  });
  // A part breaks off a body that spins, and flies on as a body of its own.
  const world = new World({ gravity: [0, 0, 0] });
  const whole = world.createBody({
    linearVelocity: [1, 2, 0],
    angularVelocity: [0, 0, 3],
    shape: [box(-1), box(0), box(1)],
  });
  for (let i = 0; i < 13; i++) world.step(1 / 60);
  const total = whole.mass;
  const at = rotate(whole.getRotation(), [1, 0, 0]).map((c, i) => c + whole.getPosition()[i]!);
  const velocity = whole.getVelocityAtPoint(at);
  whole.removeShape(whole.shapes[2]!);
  whole.updateMassProps();
  expectClose(whole.getVelocityAtPoint(at), velocity, 1e-5);
  const momentum = whole
    .getLinearVelocity()
    .map((v, i) => whole.mass * v + (total - whole.mass) * velocity[i]!);
  expectClose(momentum, [total, 2 * total, 0], 1e-5);

  // A kinematic blade moves about its origin; let go, its centre of mass flies off.
  const blade = world.createBody({
    type: 'kinematic',
    position: [0, 9, 0],
    angularVelocity: [0, 0, 2],
    shape: box(1.5),
  });
  blade.setType('dynamic');
  expectClose(blade.getLinearVelocity(), [0, 3, 0], 1e-6);

  // What is locked stays: no impulse could stop it.
  const locked = world.createBody({
    position: [0, 20, 0],
    linearFactor: [1, 0, 1],
    angularVelocity: [0, 0, 2],
    shape: box(0),
  });
  locked.updateMassProps({ centerOfMass: [1, 0, 0] });
  expectClose([...locked.getLinearVelocity(), 1], [0, 0, 0, 1]);
});
