// In: bodies as a scene creates them. Out: the instances that draw them and their colours.
// The poses are written by the binding of `ricochet/three`; this file only says which instance is
// which body, and what colour it has at the moment.

import type { BodyOptions, ShapeOptions } from 'ricochet';
import {
  type BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshStandardMaterial,
} from 'three';
import { blendedPigment, pigment, resting, STATIC } from './palette';
import { boxSolid, capsuleSolid, type Solid, SolidMesh, sphereSolid } from './solids';
import { surfaceOf } from './surfaces';

/** What the population needs to know of a body while it runs. */
export interface DrawnBody {
  readonly id: number;
  isAwake(): boolean;
}

/** By state: full when awake, faded at rest. Pale: faded all, so that overlays stand out. */
export type ColorMode = 'state' | 'plain' | 'pale';

interface Instance<B> {
  body: B;
  /** Full colour, when awake. */
  color: Color;
  isStatic: boolean;
  /** What is on the screen, so that only changes are uploaded: −1 unknown. */
  shown: number;
}

interface Group<B> {
  mesh: InstancedMesh;
  instances: Instance<B>[];
}

const scratch = new Color();

function components(value: unknown): [number, number, number] {
  if (typeof value === 'object' && value !== null && 'x' in value) {
    const { x, y, z } = value as { x: number; y: number; z: number };
    return [x, y, z];
  }
  const array = value as ArrayLike<number>;
  return [array[0]!, array[1]!, array[2]!];
}

/** The solid of a shape at the body's origin; null for what is drawn otherwise. */
export function solidOf(shape: ShapeOptions): Solid | null {
  if (shape.position !== undefined || shape.rotation !== undefined) return null;
  switch (shape.type) {
    case 'box':
      return boxSolid(components(shape.halfExtents));
    case 'sphere':
      return sphereSolid(shape.radius);
    case 'capsule':
      return (shape.axis ?? 'y') === 'y' ? capsuleSolid(shape.radius, shape.halfHeight) : null;
    default:
      return null;
  }
}

/** A body of a scene that waits for its instance. */
interface Noted<B> {
  body: B;
  options: BodyOptions;
  /** In which it was created. */
  order: number;
}

interface Pending<B> extends Noted<B> {
  solid: Solid;
}

/** A body whose surface is drawn as it is. */
interface Drawn<B> extends Noted<B> {
  geometry: BufferGeometry;
}

const faceted = new MeshStandardMaterial({ roughness: 0.6, vertexColors: true, side: DoubleSide });
const glass = new MeshStandardMaterial({
  roughness: 0.15,
  side: DoubleSide,
  transparent: true,
  opacity: 0.16,
  depthWrite: false,
});

export class Population<B extends DrawnBody> {
  private readonly pending: Pending<B>[] = [];
  private readonly surfaces: Drawn<B>[] = [];
  /** Surfaces of shapes that bodies share, while they are noted. */
  private readonly known = new Map<unknown, BufferGeometry>();
  private groups: Group<B>[] = [];
  dynamicCount = 0;
  private noted = 0;

  /** @param statics  what stands still; default: boxes are of glass, all else solid */
  constructor(private readonly statics?: 'solid' | 'glass') {}

  /** Notes a body. Boxes, spheres and capsules at its origin become solids, everything else a surface of its own. */
  note(body: B, options: BodyOptions): void {
    const { shape = [] } = options;
    const shapes = (Array.isArray(shape) ? shape : [shape]) as ShapeOptions[];
    const solid = shapes.length === 1 ? solidOf(shapes[0]!) : null;
    if (solid?.kind === 'box' && options.type === 'static' && this.statics !== 'solid') solid.kind = 'glass';
    if (solid !== null) {
      this.pending.push({ body, options, order: this.noted++, solid });
      return;
    }
    const [first] = shapes;
    const key = first?.type === 'hull' && shapes.length === 1 ? (first.points ?? first.geometry) : shape;
    const geometry = this.known.get(key) ?? surfaceOf(shapes);
    if (geometry === null) return;
    this.known.set(key, geometry);
    this.surfaces.push({ body, options, order: this.noted++, geometry });
  }

  /** Instanced meshes for all bodies noted so far, with the bodies in the order of their instances. */
  build(): { mesh: InstancedMesh; bodies: B[] }[] {
    const all = [...this.pending, ...this.surfaces];
    const rows = new Rows(all.map(({ options }) => options));
    for (const geometry of new Set(this.surfaces.map((drawn) => drawn.geometry)))
      this.groups.push(this.surfaceGroup(geometry, rows));
    this.surfaces.length = 0;
    this.known.clear();
    for (const kind of ['box', 'round', 'glass'] as const) {
      const members = this.pending.filter(({ solid }) => solid.kind === kind);
      if (members.length === 0) continue;
      const mesh = new SolidMesh(kind, members.length);
      const instances = members.map(({ body, options, order, solid }) => {
        const isStatic = options.type === 'static';
        if (!isStatic) this.dynamicCount++;
        const color = isStatic ? STATIC : rows.color(options, order);
        mesh.addSolid(solid, color);
        return { body, color, isStatic, shown: -1 };
      });
      this.groups.push({ mesh, instances });
    }
    this.pending.length = 0;
    return this.groups.map(({ mesh, instances }) => ({ mesh, bodies: instances.map(({ body }) => body) }));
  }

  /** One instance for each body that shares a surface. */
  private surfaceGroup(geometry: BufferGeometry, rows: Rows): Group<B> {
    const members = this.surfaces.filter((drawn) => drawn.geometry === geometry);
    const seeThrough = this.statics === 'glass' && members.every(({ options }) => options.type === 'static');
    const mesh = new InstancedMesh(geometry, seeThrough ? glass : faceted, members.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    const colors = new Float32Array(3 * members.length).fill(1);
    mesh.instanceColor = new InstancedBufferAttribute(colors, 3).setUsage(DynamicDrawUsage);
    mesh.castShadow = mesh.receiveShadow = !seeThrough;
    mesh.frustumCulled = false;
    const instances = members.map(({ body, options, order }, i) => {
      const isStatic = options.type === 'static';
      if (!isStatic) this.dynamicCount++;
      const color = isStatic ? STATIC : rows.color(options, order);
      mesh.setColorAt(i, color);
      return { body, color, isStatic, shown: -1 };
    });
    return { mesh, instances };
  }

  /** Brings colours up to date; touches only what changed. */
  recolor(mode: ColorMode): void {
    for (const { mesh, instances } of this.groups) {
      let changed = false;
      for (let i = 0; i < instances.length; i++) {
        const instance = instances[i]!;
        const full = mode === 'plain' || instance.isStatic || (mode === 'state' && instance.body.isAwake());
        const shown = full ? 1 : 0;
        if (shown === instance.shown) continue;
        instance.shown = shown;
        mesh.setColorAt(i, full ? instance.color : resting(instance.color, scratch));
        changed = true;
      }
      if (changed) mesh.instanceColor!.needsUpdate = true;
    }
  }

  get meshes(): InstancedMesh[] {
    return this.groups.map(({ mesh }) => mesh);
  }

  dispose(): void {
    for (const { mesh } of this.groups) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.groups = [];
  }
}

/** Colours by the user index of bodies, or by their order in scenes that set none. */
class Rows {
  private readonly indexed: boolean;
  private readonly count: number;

  constructor(bodies: readonly BodyOptions[]) {
    this.indexed = bodies.some(({ userIndex }) => userIndex !== undefined);
    this.count = this.indexed
      ? 1 + Math.max(1, ...bodies.map(({ userIndex = 0 }) => userIndex))
      : bodies.length;
  }

  /** Few rows: one sweep through the pigments. Many: pigments by turns. Always a little uneven, like paint. */
  color({ userIndex = 0 }: BodyOptions, order: number): Color {
    const index = this.indexed ? userIndex : order;
    const color =
      this.count <= 64 || !this.indexed
        ? blendedPigment((0.62 * index) / this.count, new Color())
        : pigment(index + Math.floor(index / 6) * 5 + Math.floor(index / 18)).clone();
    const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 });
    const shade = ((order * 7919) % 17) / 17 - 0.5;
    return color.setHSL(h, s, l * (1 + 0.16 * shade));
  }
}
