// In: the shapes of bodies, in creation order. Out: instanced meshes that draw them, few draw calls for
// any number. Every solid is a core (point, segment, box) grown by a radius, as in Minkowski sums: the
// vertex shader adds `core · half extents + normal · radius`, so sizes need no scaled matrices, normals
// stay exact, and boxes get the same small bevel whatever their size.
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  MeshDepthMaterial,
  MeshStandardMaterial,
  Sphere,
  Vector3,
} from 'three';

/** Metres. Large enough to catch a highlight, small enough that touching boxes still look sharp. */
const BEVEL = 0.022;
/** Rings of a half sphere and sectors around it, and the coarser ones for crowds. */
const ROUND = { rings: 6, sectors: 22 };
const ROUND_CROWD = { rings: 4, sectors: 14 };
/** More round solids than this are a crowd. */
const CROWD = 2000;

export type SolidKind = 'round' | 'box' | 'glass';

export interface Solid {
  kind: SolidKind;
  /** Half extents of the core, metres. */
  core: [number, number, number];
  radius: number;
}

export const boxSolid = (half: readonly number[]): Solid => {
  const bevel = Math.min(BEVEL, 0.5 * Math.min(...half));
  return {
    kind: 'box',
    core: [half[0]! - bevel, half[1]! - bevel, half[2]! - bevel],
    radius: bevel,
  };
};
export const sphereSolid = (radius: number): Solid => ({ kind: 'round', core: [0, 0, 0], radius });
export const capsuleSolid = (radius: number, halfHeight: number): Solid => ({
  kind: 'round',
  core: [0, halfHeight, 0],
  radius,
});

/** Normals as `position`, signs of the core corner as `core`. */
function geometryOf(normals: number[], cores: number[], index: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute('core', new BufferAttribute(new Float32Array(cores), 3));
  geometry.setIndex(index);
  return geometry;
}

/** A sphere cut at its equator: the halves move apart to become a capsule along y. */
function roundGeometry({ rings, sectors }: typeof ROUND): BufferGeometry {
  const normals: number[] = [];
  const cores: number[] = [];
  const index: number[] = [];
  const rows = 2 * (rings + 1);
  for (let row = 0; row < rows; row++) {
    const upper = row <= rings;
    const ring = upper ? row : row - 1; // the equator comes twice, once for each half
    const polar = (Math.PI / 2) * (ring / rings);
    for (let sector = 0; sector <= sectors; sector++) {
      const azimuth = (2 * Math.PI * sector) / sectors;
      normals.push(Math.sin(polar) * Math.cos(azimuth), Math.cos(polar), Math.sin(polar) * Math.sin(azimuth));
      cores.push(0, upper ? 1 : -1, 0);
    }
  }
  const across = sectors + 1;
  for (let row = 0; row + 1 < rows; row++)
    for (let sector = 0; sector < sectors; sector++) {
      const a = row * across + sector;
      index.push(a, a + 1, a + across, a + 1, a + across + 1, a + across);
    }
  return geometryOf(normals, cores, index);
}

/** Six faces of 4 × 4 vertices: one flat quad in the middle, a strip of bevel around it. */
function boxGeometry(): BufferGeometry {
  const normals: number[] = [];
  const cores: number[] = [];
  const index: number[] = [];
  const lean = [-1, 0, 0, 1]; // tangent of the normal's angle along one direction of the face
  const sign = [-1, -1, 1, 1];
  const normal = new Vector3();
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      const base = normals.length / 3;
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      for (let row = 0; row < 4; row++)
        for (let column = 0; column < 4; column++) {
          normal
            .setComponent(axis, side)
            .setComponent(u, lean[column]!)
            .setComponent(v, lean[row]!)
            .normalize();
          normals.push(normal.x, normal.y, normal.z);
          const core = [0, 0, 0];
          core[axis] = side;
          core[u] = sign[column]!;
          core[v] = sign[row]!;
          cores.push(...core);
        }
      for (let row = 0; row < 3; row++)
        for (let column = 0; column < 3; column++) {
          const a = base + 4 * row + column;
          const quad = [a, a + 1, a + 5, a, a + 5, a + 4];
          index.push(...(side > 0 ? quad : quad.reverse()));
        }
    }
  return geometryOf(normals, cores, index);
}

const PARAMETERS = /* glsl */ `
attribute vec3 core;
attribute vec4 size;
varying vec3 vSurface;
varying vec4 vSize;
`;
const GROW = /* glsl */ `
vec3 transformed = core * size.xyz + normal * size.w;
vSurface = transformed;
vSize = size;
`;
/** Round solids carry two lighter meridian bands: without a mark nobody sees them roll. */
const ROUND_MARK = /* glsl */ `
#include <color_fragment>
float bandAt = abs( vSurface.z ) / vSize.w;
float bandEdge = fwidth( bandAt ) + 1e-4;
float band = 1.0 - smoothstep( 0.2 - bandEdge, 0.2 + bandEdge, bandAt );
diffuseColor.rgb = mix( diffuseColor.rgb, diffuseColor.rgb * 0.45 + 0.5, band * 0.8 );
`;
/** Boxes get darker seams: where they touch, the bevel alone is below a pixel from afar. */
const BOX_MARK = /* glsl */ `
#include <color_fragment>
vec3 inset = vSize.xyz + vSize.w - abs( vSurface );
// The distance to the face itself is the least, so that to the nearest edge is the middle one.
float toEdge = max( min( inset.x, inset.y ), min( max( inset.x, inset.y ), inset.z ) );
float pixel = fwidth( vSurface.x ) + fwidth( vSurface.y ) + fwidth( vSurface.z );
float seamWidth = max( 0.03, 0.75 * pixel );
float seam = ( 1.0 - smoothstep( 0.3 * seamWidth, seamWidth, toEdge ) ) * ( 0.03 / seamWidth );
diffuseColor.rgb *= 1.0 - 0.45 * seam;
`;

function grown<T extends Material>(material: T, mark = ''): T {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = PARAMETERS + shader.vertexShader.replace('#include <begin_vertex>', GROW);
    if (mark === '') return;
    shader.fragmentShader =
      'varying vec3 vSurface;\nvarying vec4 vSize;\n' +
      shader.fragmentShader.replace('#include <color_fragment>', mark);
  };
  material.customProgramCacheKey = () => `solid-${mark.length}`;
  return material;
}

const surfaces = {
  round: grown(new MeshStandardMaterial({ roughness: 0.5 }), ROUND_MARK),
  box: grown(new MeshStandardMaterial({ roughness: 0.62 }), BOX_MARK),
  /** Static boxes: one looks through the walls of a pit. */
  glass: grown(
    new MeshStandardMaterial({ roughness: 0.15, transparent: true, opacity: 0.28, depthWrite: false }),
    BOX_MARK,
  ),
};
const shadow = grown(new MeshDepthMaterial());
const geometries = {
  round: roundGeometry(ROUND),
  crowd: roundGeometry(ROUND_CROWD),
  box: boxGeometry(),
  glass: boxGeometry(),
};

/** Every instance is inside: culling per mesh would cost more than it saves. */
const EVERYWHERE = new Sphere(new Vector3(), 1e4);

/** An instanced mesh for up to `capacity` solids of one kind; `count` grows with `addSolid`. */
export class SolidMesh extends InstancedMesh {
  private readonly sizes: InstancedBufferAttribute;

  constructor(
    readonly kind: SolidKind,
    readonly capacity: number,
  ) {
    const geometry = geometries[kind === 'round' && capacity > CROWD ? 'crowd' : kind].clone();
    const sizes = new InstancedBufferAttribute(new Float32Array(4 * capacity), 4);
    geometry.setAttribute('size', sizes);
    super(geometry, surfaces[kind], capacity);
    this.sizes = sizes;
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    this.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * capacity).fill(1), 3);
    this.instanceColor.setUsage(DynamicDrawUsage);
    this.customDepthMaterial = shadow;
    this.castShadow = kind !== 'glass';
    this.receiveShadow = kind !== 'glass';
    this.boundingSphere = EVERYWHERE;
    this.frustumCulled = false;
    this.count = 0;
  }

  /** Returns the new instance's index. */
  addSolid(solid: Solid, color: Color): number {
    const index = this.count++;
    this.setSolid(index, solid);
    this.setColorAt(index, color);
    return index;
  }

  setSolid(index: number, { core, radius }: Solid): void {
    this.sizes.setXYZW(index, core[0], core[1], core[2], radius);
    this.sizes.needsUpdate = true;
  }

  override dispose(): void {
    this.geometry.dispose();
    super.dispose();
  }
}
