// Friction and restitution coefficients per material of a mesh or heightfield. In: the shape, the index of a material.
// Out: the address of its four coefficients; a negative one means the shape's own value.
import { SHAPE_HEIGHTFIELD, SHAPE_MESH } from '../memory/constants';
import { HeightfieldGeometry, MeshGeometry, Shape } from '../memory/records';
import { fieldTiles } from './heightfield';
import { meshNeighbours } from './mesh';

/** Number of materials with their own coefficients. */
export function coefficientCount(s: Shape): i32 {
  if (s.type == SHAPE_MESH) return changetype<MeshGeometry>(<usize>s.geometry).coefficientCount;
  return s.type == SHAPE_HEIGHTFIELD
    ? changetype<HeightfieldGeometry>(<usize>s.geometry).coefficientCount
    : 0;
}

/** 0 if the material has no own coefficients. */
export function coefficientsOf(s: Shape, material: i32): usize {
  if (<u32>material >= <u32>coefficientCount(s)) return 0;
  let table: usize;
  if (s.type == SHAPE_MESH) {
    const m = changetype<MeshGeometry>(<usize>s.geometry);
    table = meshNeighbours(m) + ((<usize>m.triangleCount) << 4);
  } else {
    const h = changetype<HeightfieldGeometry>(<usize>s.geometry);
    table = fieldTiles(h) + ((((<usize>h.tileCount) << 3) + 15) & ~15);
  }
  return table + ((<usize>material) << 4);
}
