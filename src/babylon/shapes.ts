// Babylon's shapes. In: types and parameters of PhysicsShape, children of containers, materials. Out: shapes of ricochet in
// the frame of the body, each with the Babylon shape that it is of. Several bodies may share a shape: a change reaches all.
import type { PhysicsShapeParameters } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { PhysicsShapeType } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import {
  type PhysicsMaterial,
  PhysicsMaterialCombineMode,
} from '@babylonjs/core/Physics/v2/physicsMaterial.js';
import type { PhysicsShape } from '@babylonjs/core/Physics/v2/physicsShape.js';
import { type CombineRule, deterministic, PhysicsError, QueryShape, type ShapeOptions } from 'ricochet';
import { compound, cookHeightfield, cookHull, cookMesh, scaled } from 'ricochet/cooking';
import type { BodyData } from './bodies';
import { boundsOf, surfaceOf } from './geometry';
import { heightsOf, trianglesOf } from './meshes';
import { warn } from './warnings';

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];

/** kg/m³, as in Babylon's own plugin. */
const DENSITY = 1000;
/** m. Half of what a box is thick that Babylon gives no thickness, like that of a ground. */
const HALF_SHEET = 1e-4;

/** In the order of PhysicsMaterialCombineMode, which is that of their precedence, too. */
const RULES: readonly CombineRule[] = ['geometricMean', 'minimum', 'maximum', 'average', 'multiply'];

/** A shape of a container, and where it is. */
interface Child {
  shape: ShapeData;
  position: Vec3;
  rotation: Quat;
  scale: Vec3;
}

/** A shape of ricochet, and the Babylon shape that it is of. */
export interface Piece {
  leaf: ShapeData;
  options: ShapeOptions;
}

let lastId = 0;

/** What a PhysicsShape has as its `_pluginData`. */
export class ShapeData {
  readonly id = ++lastId;
  readonly children: Child[] = [];
  readonly parents = new Set<ShapeData>();
  readonly bodies = new Set<BodyData>();
  membership = -1;
  collideWith = -1;
  density = DENSITY;
  trigger = false;
  material: Required<Omit<PhysicsMaterial, 'metadata'>> = {
    friction: 0.5,
    staticFriction: 0.5,
    restitution: 0,
    frictionCombine: PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
    restitutionCombine: PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
  };
  private asked: QueryShape | undefined;

  constructor(
    readonly owner: PhysicsShape,
    readonly type: PhysicsShapeType,
    /** How messages name it. */
    readonly label: string,
    /** Of a container: none of its own. */
    readonly own: readonly ShapeOptions[],
  ) {}

  /** Its shapes and those of its children, in its own frame. `solid`: surfaces become hulls. */
  pieces(solid: boolean): Piece[] {
    const own = this.own.map((options) => ({ leaf: this, options: solid ? this.solidOf(options) : options }));
    const inside = this.children.flatMap(({ shape, position, rotation, scale }) =>
      shape.pieces(solid).map(({ leaf, options }) => ({
        leaf,
        options: compound([{ shape: stretched(options, scale, leaf), position, rotation }])[0]!,
      })),
    );
    return [...own, ...inside];
  }

  /** Those of `pieces` without where they come from. */
  options(solid: boolean): ShapeOptions[] {
    return this.pieces(solid).map(({ leaf, options }) => ({ ...options, density: leaf.density }));
  }

  private readonly solids = new Map<ShapeOptions, ShapeOptions>();

  private solidOf(options: ShapeOptions): ShapeOptions {
    if (!isSurface(options)) return options;
    let solid = this.solids.get(options);
    if (solid === undefined)
      this.solids.set(options, (solid = hullOf(surfaceOf([{ ...options, position: [0, 0, 0] }]).positions)));
    return solid;
  }

  /** To ask with; all of it is convex. */
  get query(): QueryShape {
    this.asked ??= new QueryShape(this.options(true));
    return this.asked;
  }

  /** Bodies that have it, by itself or in a container. */
  *users(): Generator<BodyData> {
    yield* this.bodies;
    for (const parent of this.parents) yield* parent.users();
  }

  /** After its own geometry or that of a child changed. */
  renew(): void {
    this.asked = undefined;
    for (const parent of this.parents) parent.renew();
    for (const body of this.bodies) body.rebuild();
  }

  /** Whether `other` is this one, or in it. */
  has(other: ShapeData): boolean {
    return this === other || this.children.some(({ shape }) => shape.has(other));
  }

  /** What can be changed of a shape while it is in the world. */
  surface() {
    const { friction, restitution, frictionCombine, restitutionCombine } = this.material;
    return {
      material: { friction, restitution },
      changes: {
        frictionCombine: RULES[frictionCombine]!,
        restitutionCombine: RULES[restitutionCombine]!,
        combinePriority: frictionCombine,
        group: this.membership,
        mask: this.collideWith,
      },
    };
  }

  /** A piece of it with all that it has of this shape. */
  dressed(options: ShapeOptions): ShapeOptions {
    const { material, changes } = this.surface();
    return { ...options, ...material, ...changes, density: this.density, sensor: this.trigger };
  }

  setMaterial(given: PhysicsMaterial): void {
    const friction = inRange(given.friction ?? 0.5, 0, 1e6, `${this.label}: friction`);
    const staticFriction = given.staticFriction ?? friction;
    if (staticFriction !== friction)
      warn(
        `${this.label}: staticFriction ${staticFriction} is not used: surfaces at rest and in motion have one coefficient, ` +
          `friction ${friction}`,
      );
    this.material = {
      friction,
      staticFriction,
      restitution: inRange(given.restitution ?? 0, 0, 1, `${this.label}: restitution`),
      frictionCombine: given.frictionCombine ?? PhysicsMaterialCombineMode.MINIMUM,
      restitutionCombine: given.restitutionCombine ?? PhysicsMaterialCombineMode.MAXIMUM,
    };
  }
}

/** Triangles and heights: of bodies that nothing pushes. */
export const isSurface = (shape: ShapeOptions) => shape.type === 'mesh' || shape.type === 'heightfield';

function inRange(value: number, min: number, max: number, name: string): number {
  if (value >= min && value <= max) return value;
  const kept = value > max ? max : min;
  warn(`${name} ${value} is outside ${min} … ${max}: ${kept} is used`);
  return kept;
}

/** The hull of points; of points in a plane or a line the box around them. */
function hullOf(points: ArrayLike<number>): ShapeOptions {
  try {
    return { type: 'hull', geometry: cookHull(points) };
  } catch (error) {
    if (!(error instanceof PhysicsError) || points.length < 3) throw error;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i++) {
      low[i % 3] = Math.min(low[i % 3]!, points[i]!);
      high[i % 3] = Math.max(high[i % 3]!, points[i]!);
    }
    if (!low.every(Number.isFinite) || !high.every(Number.isFinite)) throw error;
    return boxOf(
      low.map((c, k) => high[k]! - c) as Vec3,
      low.map((c, k) => (c + high[k]!) / 2) as Vec3,
      [0, 0, 0, 1],
    );
  }
}

function boxOf(extents: Vec3, position: Vec3, rotation: Quat): ShapeOptions {
  const halfExtents = extents.map((side) => Math.max(Math.abs(side) / 2, HALF_SHEET)) as Vec3;
  return { type: 'box', halfExtents, position, rotation };
}

/** At another size; what would be of no kind then is the hull of its drawn surface. */
function stretched(options: ShapeOptions, scale: Vec3, leaf: ShapeData): ShapeOptions {
  if (scale.every((factor) => factor === 1)) return options;
  try {
    return scaled(options, scale);
  } catch (error) {
    if (!(error instanceof PhysicsError) || isSurface(options)) throw error;
    warn(`${leaf.label}: a ${options.type} that is stretched by [${scale}] is a hull of 64 corners`);
    return hullOf(surfaceOf([options]).positions.map((c, i) => c * scale[i % 3]!));
  }
}

const vector = (v: { x: number; y: number; z: number } | undefined, fallback: Vec3): Vec3 =>
  v ? [v.x, v.y, v.z] : fallback;
const quaternion = (q: { x: number; y: number; z: number; w: number } | undefined): Quat =>
  q ? [q.x, q.y, q.z, q.w] : [0, 0, 0, 1];

/** A capsule or cylinder between two points. */
function between(
  type: 'capsule' | 'cylinder',
  parameters: PhysicsShapeParameters,
  label: string,
): ShapeOptions {
  const a = vector(parameters.pointA, [0, 0, 0]);
  const b = vector(parameters.pointB, [0, 1, 0]);
  const radius = parameters.radius || 0;
  const way: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  const position = a.map((c, k) => (c + b[k]!) / 2) as Vec3;
  if (!(radius > 0)) throw new Error(`${label}: its radius is ${radius}, and must be > 0`);
  if (length < 2e-5) {
    if (type === 'capsule') return { type: 'sphere', radius, position };
    throw new Error(`${label}: pointA and pointB are the same place: a cylinder needs a length`);
  }
  const unit = way.map((c) => c / length) as Vec3;
  return {
    type,
    radius,
    halfHeight: length / 2,
    position,
    rotation: deterministic.quatFromTo([0, 1, 0], unit),
  };
}

/** What the types of shapes are made of. */
function ownOf(type: PhysicsShapeType, parameters: PhysicsShapeParameters, label: string): ShapeOptions[] {
  const center = vector(parameters.center, [0, 0, 0]);
  switch (type) {
    case PhysicsShapeType.SPHERE:
      return [{ type: 'sphere', radius: Math.abs(parameters.radius || 1), position: center }];
    case PhysicsShapeType.BOX:
      return [boxOf(vector(parameters.extents, [1, 1, 1]), center, quaternion(parameters.rotation))];
    case PhysicsShapeType.CAPSULE:
      return [between('capsule', parameters, label)];
    case PhysicsShapeType.CYLINDER:
      return [between('cylinder', parameters, label)];
    case PhysicsShapeType.CONTAINER:
      return [];
    case PhysicsShapeType.CONVEX_HULL:
    case PhysicsShapeType.MESH: {
      if (!parameters.mesh) throw new Error(`${label}: no mesh was given to make it of`);
      const { vertices, indices } = trianglesOf(parameters.mesh, !!parameters.includeChildMeshes);
      if (vertices.length === 0)
        throw new Error(
          `${label}: the mesh has no vertices: give one that has, or includeChildMeshes for those of its children`,
        );
      if (type === PhysicsShapeType.CONVEX_HULL) return [hullOf(vertices)];
      return [{ type: 'mesh', geometry: cookMesh({ vertices, indices }) }];
    }
    case PhysicsShapeType.HEIGHTFIELD:
      return [{ type: 'heightfield', geometry: cookHeightfield(heightsOf(parameters, label)) }];
    default:
      throw new Error(`${label}: there is no such type of shape`);
  }
}

/** The plugin's side of a new PhysicsShape. */
export function createShape(
  owner: PhysicsShape,
  type: PhysicsShapeType,
  parameters: PhysicsShapeParameters,
): ShapeData {
  const mesh = parameters.mesh ?? parameters.groundMesh;
  const label = `PhysicsShape ${PhysicsShapeType[type] ?? type}${mesh ? ` of mesh "${mesh.name}"` : ''}`;
  try {
    return new ShapeData(owner, type, label, ownOf(type, parameters, label));
  } catch (error) {
    if (error instanceof PhysicsError) throw new Error(`${label}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Bounds in the shape's own frame. */
export const shapeBounds = (shape: ShapeData) => boundsOf(shape.options(false));

/** A new child, as Babylon gives its place. */
export function childOf(
  shape: ShapeData,
  translation?: { x: number; y: number; z: number },
  rotation?: { x: number; y: number; z: number; w: number },
  scale?: { x: number; y: number; z: number },
): Child {
  return {
    shape,
    position: vector(translation, [0, 0, 0]),
    rotation: quaternion(rotation),
    scale: vector(scale, [1, 1, 1]),
  };
}
