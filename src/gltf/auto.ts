// Colliders for scenes that say nothing of physics. In: three.js objects, by their shape only. Out: shapes for each mesh, by
// a rule that compares volumes.
import type { ShapeCommon, ShapeOptions } from 'ricochet';
import {
  type BufferGeometryLike,
  cookMesh,
  decompose,
  drawnVertices,
  massPropertiesOf,
  meshContentOf,
} from 'ricochet/cooking';
import { fitCollider } from 'ricochet/geometry';
import type { Object3D } from 'three';
import { type Affine, apply, inverseOf, multiply, partsOf } from './transforms';

/** What a mesh became. */
export type AutoKind = 'box' | 'sphere' | 'capsule' | 'hull' | 'hulls' | 'mesh';

/** What `autoColliders` takes besides the scene. */
export interface AutoOptions {
  /** The shapes are for a body that moves. Default false. */
  dynamic?: boolean;
  /** How much larger than the solid its collider may be, as a share of the solid's volume, 0 to 10. Default 0.1. */
  excess?: number;
  /** The most hulls of a mesh that is decomposed. Default 16. */
  maxHulls?: number;
  /** Goes to each shape: friction, density and the like. */
  common?: ShapeCommon;
  /** Says for each object whether it counts. Default: those that are visible. */
  filter?: (object: Object3D) => boolean;
}

/** A mesh of a scene and its shapes. */
export interface AutoCollider {
  /** The mesh. */
  object: Object3D;
  /** What was chosen. */
  kind: AutoKind;
  /** In the frame of the scene's root, its scale included. */
  shapes: ShapeOptions[];
}

const affineOf = ({ elements }: { elements: ArrayLike<number> }): Affine =>
  Array.from(elements).filter((_, i) => i % 4 !== 3);

/** m³ of a closed mesh; none for an open one. */
function volumeOf(vertices: number[], indices: ArrayLike<number>): number | undefined {
  try {
    const { volume } = massPropertiesOf(cookMesh({ vertices, indices }));
    return volume > 0 ? volume : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Shapes for the meshes of a scene without physics, each where its mesh is. A mesh becomes the first of these that fits:
 *
 * 1. the box, ball or capsule that `fitCollider` finds, if it is larger than the solid by no more than `excess`;
 * 2. its hull, likewise;
 * 3. where it may move: the hulls of `decompose`;
 * 4. its triangles.
 *
 * An open mesh has no volume to compare with: its hull's is taken, so it becomes 1 or 3 where it moves, else 4.
 *
 * @throws PhysicsError 'invalid-argument' for a mesh without positions
 */
export function autoColliders(
  scene: Object3D,
  {
    dynamic = false,
    excess = 0.1,
    maxHulls = 16,
    common = {},
    filter = ({ visible }) => visible,
  }: AutoOptions = {},
): AutoCollider[] {
  scene.updateWorldMatrix(true, true);
  const root = partsOf(affineOf(scene.matrixWorld));
  const found: AutoCollider[] = [];
  const visit = (object: Object3D): void => {
    if (!filter(object)) return;
    const mesh = object as Object3D & {
      isMesh?: boolean;
      geometry?: BufferGeometryLike;
      count?: number;
      isInstancedMesh?: boolean;
      getMatrixAt?(i: number, out: unknown): void;
    };
    if (mesh.isMesh === true && mesh.geometry !== undefined) {
      const base = multiply(inverseOf(root), affineOf(object.matrixWorld));
      const places = mesh.isInstancedMesh === true ? instancePlaces(mesh, base) : [base];
      for (const place of places)
        found.push({ object, ...colliderOf(mesh.geometry, place, { dynamic, excess, maxHulls, common }) });
    }
    for (const child of object.children) visit(child);
  };
  visit(scene);
  return found;
}

function instancePlaces(
  mesh: {
    count?: number;
    getMatrixAt?(i: number, out: unknown): void;
    matrixWorld: { clone(): { elements: ArrayLike<number> } };
  },
  base: Affine,
): Affine[] {
  const matrix = mesh.matrixWorld.clone();
  return Array.from({ length: mesh.count ?? 0 }, (_, i) => {
    mesh.getMatrixAt!(i, matrix);
    return multiply(base, affineOf(matrix));
  });
}

function colliderOf(
  geometry: BufferGeometryLike,
  place: Affine,
  { dynamic, excess, maxHulls, common }: Required<Omit<AutoOptions, 'filter'>>,
): { kind: AutoKind; shapes: ShapeOptions[] } {
  const content = meshContentOf(geometry);
  const moved = (points: ArrayLike<number>) => {
    const out: number[] = [];
    for (let i = 0; i < points.length; i += 3) out.push(...apply(place, points, i));
    return out;
  };
  const vertices = moved(content.vertices);
  const points = moved(drawnVertices(content));
  const { indices } = content;
  const surface = (): { kind: AutoKind; shapes: ShapeOptions[] } => ({
    kind: 'mesh',
    shapes: [{ ...common, type: 'mesh', geometry: cookMesh({ vertices, indices }) }],
  });
  const volume = volumeOf(vertices, indices);
  if (volume === undefined && !dynamic) return surface();
  let hull: ShapeOptions | undefined;
  try {
    hull = { ...common, ...fitCollider(points, 'hull') } as ShapeOptions;
  } catch {
    // Flat: no hull.
  }
  const solid = volume ?? (hull === undefined ? 0 : massPropertiesOf(hull).volume);
  const fits = (shape: ShapeOptions) => massPropertiesOf(shape).volume <= (1 + excess) * solid;
  const simple = fitCollider(points, { kind: 'auto', excess: 10 });
  if (simple.type !== 'hull' && fits(simple))
    return { kind: simple.type as AutoKind, shapes: [{ ...common, ...simple } as ShapeOptions] };
  if (hull !== undefined && volume !== undefined && fits(hull)) return { kind: 'hull', shapes: [hull] };
  if (!dynamic) return surface();
  const { hulls } = decompose({ vertices, indices, maxHulls });
  return { kind: 'hulls', shapes: hulls.map((piece) => ({ ...common, type: 'hull', geometry: piece })) };
}
