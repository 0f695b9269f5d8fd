// Numbers that programs read of a shape: margin, moments, bounding box. In: shapes with margins set before and after
// their points. Out: the numbers of ammo.js.
import { expect, test } from 'vitest';
import { type Ammo, load, transformOf, xyz } from './engines';

const ours = await load('ricochet');
const bullet = await load('bullet');
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

function hull(A: Ammo, [x, y, z]: number[], first?: (shape: Ammo) => void): Ammo {
  const shape = new A.btConvexHullShape();
  first?.(shape);
  for (const [i, j, k] of CORNERS) shape.addPoint(new A.btVector3(i! * x!, j! * y!, k! * z!));
  return shape;
}

function convexMesh(A: Ammo, [x, y, z]: number[]): Ammo {
  const mesh = new A.btTriangleMesh();
  const at = (a: number, b: number, c: number) => new A.btVector3(a * x!, b * y!, c * z!);
  mesh.addTriangle(at(1, 0, 0), at(0, 1, 0), at(0, 0, 1));
  mesh.addTriangle(at(-1, 0, 0), at(0, -1, 0), at(0, 0, -1));
  return new A.btConvexTriangleMeshShape(mesh);
}

const SHAPES: Record<string, (A: Ammo, size: number[]) => Ammo> = {
  box: (A, size) => new A.btBoxShape(new A.btVector3(...size)),
  cylinder: (A, [r, h]) => new A.btCylinderShape(new A.btVector3(r, h, r)),
  'cylinder along x': (A, [r, h]) => new A.btCylinderShapeX(new A.btVector3(h, r, r)),
  'cylinder along z': (A, [r, h]) => new A.btCylinderShapeZ(new A.btVector3(r, r, h)),
  hull,
  'hull with a margin from the start': (A, size) => hull(A, size, (shape) => shape.setMargin(0.01)),
  'hull with a later margin and scale': (A, size) => {
    const shape = hull(A, size);
    shape.setMargin(0.02);
    shape.setLocalScaling(new A.btVector3(1, 1, 1));
    return shape;
  },
  'convex mesh': convexMesh,
};

function figures(A: Ammo, name: string, size: number[], margin: number | null): number[] {
  const shape = SHAPES[name]!(A, size);
  if (margin !== null) shape.setMargin(margin);
  const [inertia, low, high] = [0, 0, 0].map(() => new A.btVector3(0, 0, 0));
  shape.calculateLocalInertia(2, inertia);
  const place = transformOf(A, { position: [1, 2, 3], rotation: [0.1, 0.2, 0.3, 0.92736] });
  const state = new A.btDefaultMotionState(place);
  const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(0, state, shape, inertia));
  body.getAabb(low, high);
  return [shape.getMargin(), ...xyz(inertia), ...xyz(low), ...xyz(high)];
}

const SIZES = [
  [0.5, 1, 2],
  [0.01, 0.02, 0.03],
  [0.3, 0.05, 1],
];

for (const name of Object.keys(SHAPES))
  for (const margin of [null, 0, 0.01, 0.3])
    test(`${name}${margin === null ? '' : `, margin ${margin}`}`, () => {
      for (const size of SIZES) {
        const mine = figures(ours, name, size, margin);
        for (const [i, theirs] of figures(bullet, name, size, margin).entries())
          expect(mine[i]).toBeCloseTo(theirs, 4);
      }
    });
