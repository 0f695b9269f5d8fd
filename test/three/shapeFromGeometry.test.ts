// Shapes of three's own geometries: what they become, at any scale, mirrored, moved, interleaved, quantised, with
// groups; and that a body is where its mesh is drawn. Worlds in process: no adapter needs a worker.
import { massPropertiesOf, readMesh, type ShapeOptions, World } from 'ricochet';
import { meshContentOf, PhysicsScene, shapeFromGeometry } from 'ricochet/three';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DodecahedronGeometry,
  Group,
  IcosahedronGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LatheGeometry,
  Mesh,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector2,
  Vector3,
} from 'three';
import { describe, expect, test } from 'vitest';
import { caught } from '../support/caught';

/** Where rays from outside meet the shape of a body, against those that meet the triangles that are drawn. */
function expectSameSurface(geometry: BufferGeometry, shape: ShapeOptions, scale: number[], within: number) {
  const world = new World();
  world.createBody({ type: 'static', shape });
  const drawn = new World();
  const { vertices, indices } = meshContentOf(geometry);
  const content = { vertices: vertices.map((c, i) => c * scale[i % 3]!), indices: indices! };
  drawn.createBody({
    type: 'static',
    shape: shapeFromGeometry(rawGeometry(content.vertices, indices as Uint32Array), { kind: 'mesh' }),
  });
  let met = 0;
  for (let i = 0; i < 60; i++) {
    const direction = new Vector3(
      Math.sin(12.9 * i + 0.3),
      Math.sin(78.2 * i + 0.1),
      Math.sin(37.7 * i + 0.2),
    ).normalize();
    const aside = new Vector3(Math.sin(5.1 * i), Math.sin(9.7 * i), Math.sin(3.3 * i)).multiplyScalar(0.3);
    const from = direction.clone().multiplyScalar(20).add(aside).toArray();
    const to = direction.clone().multiplyScalar(-20).add(aside).toArray();
    const [ours, theirs] = [world.rayTest(from, to), drawn.rayTest(from, to)];
    if (ours === null || theirs === null) continue;
    met++;
    expect(Math.abs(ours.fraction - theirs.fraction) * 40, `ray ${i}`).toBeLessThan(within);
  }
  expect(met).toBeGreaterThan(10);
}

function rawGeometry(vertices: Float32Array, indices?: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(vertices, 3));
  if (indices !== undefined) geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

test('a kind alone is enough', () => {
  const knot = new TorusKnotGeometry(0.5, 0.2, 32, 6);
  for (const kind of ['hull', 'mesh', 'box'] as const)
    expect(shapeFromGeometry(knot, kind)).toEqual(shapeFromGeometry(knot, { kind }));
  expect(caught(() => shapeFromGeometry(knot, 'ball' as 'hull'))).toMatchObject({
    argument: 'kind',
    value: 'ball',
  });
});

describe("three's own geometries", () => {
  test.each<[string, BufferGeometry, ShapeOptions]>([
    ['a box', new BoxGeometry(1, 2, 3), { type: 'box', halfExtents: [0.5, 1, 1.5] }],
    ['a box of many quads', new BoxGeometry(1, 2, 3, 4, 4, 4), { type: 'box', halfExtents: [0.5, 1, 1.5] }],
    ['a sphere', new SphereGeometry(0.7), { type: 'sphere', radius: 0.7 }],
    ['a fine icosahedron', new IcosahedronGeometry(2, 3), { type: 'sphere', radius: 2 }],
    ['a capsule', new CapsuleGeometry(0.3, 1), { type: 'capsule', radius: 0.3, halfHeight: 0.5 }],
    ['a cylinder', new CylinderGeometry(1, 1, 3), { type: 'cylinder', radius: 1, halfHeight: 1.5 }],
    ['a cone', new ConeGeometry(1, 3), { type: 'cone', radius: 1, halfHeight: 1.5 }],
    ['a plane', new PlaneGeometry(2, 4), { type: 'box', halfExtents: [1, 2, 0.01] }],
  ])('%s', (_, geometry, expected) => {
    expect(shapeFromGeometry(geometry)).toMatchObject(expected);
  });

  test('moved to another place, the shape goes there; scaled and mirrored, too', () => {
    const geometry = new CapsuleGeometry(0.25, 1).translate(1, 2, 3);
    const shape = shapeFromGeometry(geometry, { scale: [-2, 2, 2], friction: 0.7 });
    expect(shape).toMatchObject({ type: 'capsule', radius: 0.5, halfHeight: 1, friction: 0.7 });
    const [x, y, z] = shape.position as number[];
    expect(x).toBeCloseTo(-2);
    expect(y).toBeCloseTo(4);
    expect(z).toBeCloseTo(6);
  });

  test('a plane is as thick at any scale', () => {
    for (const scale of [100, [100, 100, 0.01], [-100, 100, -3]] as const)
      expect(shapeFromGeometry(new PlaneGeometry(1, 2), { scale })).toMatchObject({
        type: 'box',
        halfExtents: [50, 100, 0.01],
      });
  });

  test('turned or deformed after it was made, a geometry is what its vertices are', () => {
    const lying = new CylinderGeometry(1, 1, 2, 24).rotateX(1);
    expect(shapeFromGeometry(lying).type).toBe('hull');
    expectSameSurface(lying, shapeFromGeometry(lying), [1, 1, 1], 1e-3);
    const stretched = new SphereGeometry(1, 12, 8).scale(1, 2, 1);
    expect(shapeFromGeometry(stretched).type).toBe('hull');
    const tapered = new CylinderGeometry(0.5, 1, 2, 16);
    expectSameSurface(tapered, shapeFromGeometry(tapered), [1, 1, 1], 1e-3);
    const half = new SphereGeometry(1, 16, 8, 0, Math.PI);
    expect(shapeFromGeometry(half).type).toBe('mesh');
  });

  test('what cannot be stretched becomes the hull of what is drawn', () => {
    const geometry = new SphereGeometry(1, 10, 6);
    const shape = shapeFromGeometry(geometry, { scale: [1, 2, 3] });
    expect(shape.type).toBe('hull');
    expectSameSurface(geometry, shape, [1, 2, 3], 1e-3);
    const cylinder = new CylinderGeometry(1, 1, 2);
    expect(shapeFromGeometry(cylinder, { scale: [2, 5, 2] })).toMatchObject({
      type: 'cylinder',
      radius: 2,
      halfHeight: 5,
    });
  });

  test('cylinders and cones of few sides are prisms and pyramids', () => {
    for (const sides of [3, 4, 5, 6])
      for (const geometry of [new CylinderGeometry(1, 1, 2, sides), new ConeGeometry(1, 2, sides)])
        expectSameSurface(geometry, shapeFromGeometry(geometry), [1, 1, 1], 1e-3);
    expect(shapeFromGeometry(new CylinderGeometry(1, 1, 2, 8)).type).toBe('cylinder');
  });

  test('a cone upside down, by its radii or by its scale', () => {
    for (const [geometry, scale] of [
      [new CylinderGeometry(1, 0, 2, 128), [1, 1, 1]],
      [new ConeGeometry(1, 2, 128), [1, -1, 1]],
    ] as const)
      expectSameSurface(geometry, shapeFromGeometry(geometry, { scale }), [...scale], 0.02);
  });
});

/** Five of six sides. */
function openBox(): BufferGeometry {
  const geometry = new BoxGeometry().toNonIndexed();
  geometry.setDrawRange(0, 30);
  return geometry;
}

describe('any geometry', () => {
  test.each<[string, BufferGeometry, ShapeOptions['type']]>([
    ['a dodecahedron', new DodecahedronGeometry(1), 'hull'],
    ['a coarse icosahedron', new IcosahedronGeometry(1, 0), 'hull'],
    ['a torus', new TorusGeometry(1, 0.3), 'mesh'],
    ['a knot', new TorusKnotGeometry(1, 0.3), 'mesh'],
    ['an open box', openBox(), 'mesh'],
    [
      'a bowl',
      new LatheGeometry([new Vector2(0, 0), new Vector2(1, 0.2), new Vector2(1.3, 1), new Vector2(1.1, 0.9)]),
      'mesh',
    ],
  ])('%s is the hull of what is convex, else a mesh', (_, geometry, type) => {
    const shape = shapeFromGeometry(geometry);
    expect(shape.type).toBe(type);
    expectSameSurface(geometry, shape, [1, 1, 1], 1e-3);
  });

  test.each([
    [1, 2, 3],
    [-1, 2, 3],
    [-1, -2, 0.5],
  ])('mirrored and stretched by %f, %f, %f: as it is drawn', (...scale) => {
    for (const kind of ['hull', 'mesh'] as const) {
      const geometry = new DodecahedronGeometry(1).translate(0.2, 0.3, 0.1);
      expectSameSurface(geometry, shapeFromGeometry(geometry, { kind, scale }), scale, 1e-3);
    }
  });

  test('interleaved and quantised attributes are what three draws', () => {
    const source = new DodecahedronGeometry(1);
    const { count } = source.getAttribute('position');
    const interleaved = new InterleavedBuffer(new Float32Array(8 * count), 8);
    const positions = new InterleavedBufferAttribute(interleaved, 3, 2);
    const quantised = new BufferAttribute(new Int16Array(3 * count), 3, true);
    for (let i = 0; i < count; i++) {
      const [x, y, z] = new Vector3().fromBufferAttribute(source.getAttribute('position'), i).toArray();
      positions.setXYZ(i, x, y, z);
      quantised.setXYZ(i, x / 2, y / 2, z / 2);
    }
    const plain = shapeFromGeometry(source);
    const woven = shapeFromGeometry(new BufferGeometry().setAttribute('position', positions));
    expect(woven).toEqual(plain);
    const coarse = new BufferGeometry().setAttribute('position', quantised);
    expectSameSurface(source, shapeFromGeometry(coarse, { scale: 2 }), [1, 1, 1], 1e-3);
  });

  test('groups give triangles their materials, drawRange which there are', () => {
    const geometry = new BoxGeometry();
    const { materials, indices } = meshContentOf(geometry);
    expect(Array.from(materials as Uint8Array)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    expect(indices).toHaveLength(36);
    const shape = shapeFromGeometry(geometry, { kind: 'mesh' });
    if (shape.type !== 'mesh') expect.fail();
    const read = readMesh(shape.geometry);
    expect(Array.from(read.materials, (m, t) => [m, Math.floor(read.sources[t]! / 2)])).toSatisfy(
      (pairs: number[][]) => pairs.every(([m, face]) => m === face),
    );
    geometry.setDrawRange(6, 12);
    const part = meshContentOf(geometry);
    expect(Array.from(part.materials as Uint8Array)).toEqual([1, 1, 2, 2]);
    expect(part.indices).toHaveLength(12);
  });

  test('content is cooked once for a geometry, and anew when its attributes change', () => {
    const geometry = new TorusGeometry(1, 0.3);
    const content = () => {
      const shape = shapeFromGeometry(geometry, { scale: Math.random() + 1 });
      return shape.type === 'mesh' ? shape.geometry : expect.fail();
    };
    const first = content();
    expect(content()).toBe(first);
    geometry.translate(0, 1, 0);
    expect(content()).not.toBe(first);
    const hull = (scale: number) => shapeFromGeometry(geometry, { kind: 'hull', scale });
    expect(hull(1)).toEqual(hull(1));
    expect(massPropertiesOf(hull(2)).volume / massPropertiesOf(hull(1)).volume).toBeCloseTo(8, 3);
  });

  test('attributes that replace others of the same length are another content', () => {
    const geometry = new TorusGeometry(1, 0.3);
    const hull = () => massPropertiesOf(shapeFromGeometry(geometry, 'hull'));
    const before = hull();
    const moved = new TorusGeometry(1, 0.3).translate(0, 7, 0).getAttribute('position');
    geometry.setAttribute('position', new BufferAttribute(moved.array, 3));
    expect(hull().centerOfMass[1] - before.centerOfMass[1]).toBeCloseTo(7, 1);
    const half = geometry.getIndex()!.array.slice();
    half.fill(0, half.length / 2);
    geometry.setIndex(new BufferAttribute(half, 1));
    expect(hull().volume).toBeLessThan(0.9 * before.volume);
  });

  test('a box about what is flat is a board; a capsule without a straight part is a ball', () => {
    const ground = new PlaneGeometry(10, 20).rotateX(-Math.PI / 2);
    expect(shapeFromGeometry(ground, { kind: 'box', scale: 2 })).toMatchObject({
      type: 'box',
      halfExtents: [10, 0.01, 20],
    });
    expect(shapeFromGeometry(new BoxGeometry(1, 1e-3, 1), 'box')).toMatchObject({ type: 'box' });
    expect(shapeFromGeometry(new CapsuleGeometry(0.5, 0))).toMatchObject({ type: 'sphere', radius: 0.5 });
  });

  test('bounds', () => {
    const geometry = new TorusGeometry(1, 0.25, 32, 64).translate(0, 0, 1);
    expect(shapeFromGeometry(geometry, { kind: 'box' })).toMatchObject({ type: 'box' });
    const of = (kind: 'box' | 'sphere' | 'capsule' | 'cylinder' | 'cone', scale?: number[]) =>
      massPropertiesOf(shapeFromGeometry(geometry, { kind, ...(scale && { scale }) }));
    expect(of('box').volume).toBeCloseTo(2.5 * 2.5 * 0.5, 3);
    expect(of('box').centerOfMass[2]).toBeCloseTo(1, 5);
    expect(of('box', [1, 1, -2]).centerOfMass[2]).toBeCloseTo(-2, 5);
    expect(of('sphere').volume).toBeCloseTo((4 / 3) * Math.PI * 1.25 ** 3, 2);
    expect(shapeFromGeometry(geometry, { kind: 'cylinder', axis: 'z' })).toMatchObject({
      type: 'cylinder',
      axis: 'z',
      radius: 1.25,
      halfHeight: 0.25,
    });
    expect(shapeFromGeometry(geometry, { kind: 'capsule', scale: [4, 1, 1] })).toMatchObject({
      type: 'capsule',
      axis: 'x',
    });
  });
});

describe('refused by name', () => {
  const flat = rawGeometry(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1));
  const nowhere = rawGeometry(Float32Array.of(0, 0, 0, 1, Number.NaN, 0, 0, 0, 1));
  test.each<[string, () => unknown, string]>([
    ['what is no geometry', () => shapeFromGeometry(new Mesh() as never), 'geometry'],
    ['no positions', () => shapeFromGeometry(new BufferGeometry()), 'geometry.attributes.position'],
    ['an unknown kind', () => shapeFromGeometry(flat, { kind: 'blob' as never }), 'kind'],
    ['a scale of 0', () => shapeFromGeometry(flat, { scale: [1, 0, 1] }), 'scale'],
    ['a hull of a plane', () => shapeFromGeometry(flat, { kind: 'hull' }), 'points.length'],
    ['a vertex that is nowhere', () => shapeFromGeometry(nowhere, { kind: 'mesh' }), 'vertices[1].y'],
    [
      'an index out of range',
      () =>
        shapeFromGeometry(rawGeometry(new Float32Array(9).fill(1), Uint32Array.of(0, 1, 7)), {
          kind: 'mesh',
        }),
      'indices[2]',
    ],
  ])('%s', (_, run, argument) => {
    expect(caught(run)).toMatchObject({ code: 'invalid-argument', argument });
  });
});

describe('PhysicsScene', () => {
  test('a torus stands as it is drawn, and things fall through its hole; moving, it says what to do', () => {
    const world = new World();
    const scene = new PhysicsScene(world);
    const torus = new Mesh(new TorusGeometry(1, 0.25).rotateX(Math.PI / 2));
    torus.scale.setScalar(2);
    scene.add(torus);
    const ball = new Mesh(new SphereGeometry(0.5));
    ball.position.y = 3;
    const [through] = scene.add(ball, 1);
    for (let i = 0; i < 90; i++) world.step(1 / 60);
    expect(through!.getPosition()[1]).toBeLessThan(-2);
    const moving = new Mesh(new TorusGeometry());
    expect(caught(() => scene.add(moving, 1)).message).toMatch(/convex pieces/);
    expect(scene.add(moving, 1, { kind: 'hull' })).toHaveLength(1);
  });

  test('a mirrored, stretched child of a group is where it is drawn', () => {
    const world = new World();
    const scene = new PhysicsScene(world);
    const group = new Group();
    const child = new Mesh(new DodecahedronGeometry(1));
    child.position.set(1, 2, 3);
    child.scale.set(-2, 1, 1);
    child.rotation.set(0, 0, 0.5);
    group.add(child);
    group.position.set(0, 5, 0);
    group.rotation.set(0, 0.3, 0);
    const [body] = scene.add(group);
    child.updateWorldMatrix(true, false);
    const middle = new Vector3().setFromMatrixPosition(child.matrixWorld);
    const positions = child.geometry.getAttribute('position');
    for (let i = 0; i < positions.count; i++) {
      const corner = new Vector3().fromBufferAttribute(positions, i).applyMatrix4(child.matrixWorld);
      const inside = corner.clone().lerp(middle, 0.01).toArray();
      const outside = corner.clone().lerp(middle, -0.01).toArray();
      expect(world.pointTest(inside).map((hit) => hit.body)).toEqual([body]);
      expect(world.pointTest(outside)).toEqual([]);
    }
  });
});
