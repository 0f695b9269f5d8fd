// A collider while it is mounted. In: props, an object with its transform. Out: the options of its shape, and changes
// of a living body's shape when props change.
import type { CombineRule, ShapeChanges, ShapeId, ShapeOptions, WorldBody } from 'ricochet';
import type { BufferGeometry, Matrix4, Mesh, Object3D } from 'three';
import type { BodyEntry } from './bodyEntry';
import { ColliderApi } from './colliderApi';
import { blame, refuse, tag, warnOfMissed, warnOnce } from './errors';
import { ActiveCollisionTypes, COMBINE_RULES, filterOf } from './math';
import { placeIn, same } from './place';
import { MATERIAL_PROPS } from './props';
import { autoShape, densityFor, namedShape, type Solidity } from './shapes';
import type { ColliderOptions, ContactHandlers, MaterialProps, RigidBodyAutoCollider } from './types';

export type ColliderSource = ColliderOptions & {
  /** Geometry of a mesh with an automatic collider. */
  geometry?: BufferGeometry;
  kind?: Exclude<RigidBodyAutoCollider, false>;
};

let serials = 0;

export class ColliderEntry {
  /** For tables of pairs. */
  readonly serial = ++serials;
  readonly api = new ColliderApi(this);
  owner: BodyEntry | null = null;
  /** None while it is in no body; several of a decomposed mesh. For instances those of the first. */
  shapeIds: readonly ShapeId[] = [];
  private overridden: MaterialProps = {};
  private last: ShapeOptions[] = [];
  private cooked: { key: unknown[]; shapes: ShapeOptions[] } | null = null;

  constructor(
    public source: ColliderSource,
    public object: Object3D,
    private readonly component: string,
    /** Whose transform it has; of instances that of the mesh's parent, since the mesh's own is ignored. */
    private readonly place = object,
  ) {}

  /** 0 while it is in no body. */
  get shapeId(): ShapeId {
    return this.shapeIds[0] ?? 0;
  }

  /** How many shapes it had when they were last asked for. */
  get shapeCount(): number {
    return this.last.length;
  }

  get tag(): string {
    return tag(this.component, this.source.name ?? this.object.name);
  }

  /** Its own props, and those of its body for missing ones. */
  get merged(): MaterialProps {
    const merged: Record<string, unknown> = {};
    const body = this.owner?.props as Record<string, unknown> | undefined;
    for (const name of MATERIAL_PROPS) merged[name] = this.source[name] ?? body?.[name];
    merged['mass'] = this.source.mass;
    return { ...merged, ...this.overridden };
  }

  get handlers(): ContactHandlers {
    return this.source;
  }

  /** The options of its shapes in the frame of its body. */
  options(frame: Matrix4, solidity: Solidity): ShapeOptions[] {
    return blame(this.tag, () => {
      const { density = 1, mass } = this.merged;
      if (mass !== undefined && this.source.density !== undefined)
        throw refuse(this.tag, 'mass and density exclude each other');
      const bases = this.shapesAt(placeIn(frame, this.place).scale, solidity);
      const even = (mass === undefined ? undefined : densityFor(bases, mass)) ?? density;
      this.last = bases.map((base) => this.placed({ ...base, density: even }, frame));
      warnOfMissed(this.tag, this.source);
      return this.last;
    });
  }

  /** The same for an instance of its body, which may have a surface of its own. */
  optionsFor(instance: BodyEntry, frame: Matrix4, solidity: Solidity): ShapeOptions[] {
    const { owner, last } = this;
    this.owner = instance;
    try {
      return this.options(frame, solidity);
    } finally {
      this.owner = owner;
      this.last = last;
    }
  }

  /** A shape at its place in the frame of the body, with what the props say of its surface. */
  private placed(base: ShapeOptions, frame: Matrix4): ShapeOptions {
    const { position, rotation } = placeIn(frame, this.place);
    const { friction, restitution, sensor, contactSkin, activeCollisionTypes } = this.merged;
    const options = { ...base };
    // A shape beside the origin of its geometry: rotate its offset with the object.
    const offset = base.position as number[] | undefined;
    if (offset !== undefined) {
      const moved = position.clone().set(offset[0]!, offset[1]!, offset[2]!).applyQuaternion(rotation);
      position.add(moved);
    }
    const own = base.rotation as number[] | undefined;
    if (own !== undefined) rotation.multiply(rotation.clone().set(own[0]!, own[1]!, own[2]!, own[3]!));
    options.position = position.toArray();
    options.rotation = rotation.toArray();
    if (friction !== undefined) options.friction = friction;
    if (restitution !== undefined) options.restitution = this.bounded(restitution);
    if (sensor === true) options.sensor = true;
    if (((activeCollisionTypes ?? 0) & ActiveCollisionTypes.FIXED_FIXED) !== 0) options.sensesStatic = true;
    if (contactSkin !== undefined && contactSkin > 0) this.thicken(options, contactSkin);
    for (const [name, value] of Object.entries(this.traits()))
      if (value !== null) Object.assign(options, { [name]: value });
    return options;
  }

  /** Rapier takes more than 1, which brings energy in; here that is 1. */
  private bounded(restitution: number): number {
    if (!(restitution > 1)) return restitution;
    warnOnce(this.tag, `restitution ${restitution} is more than bodies can give back: 1 is used`);
    return 1;
  }

  private thicken(options: ShapeOptions, contactSkin: number): void {
    if (['hull', 'cone', 'mesh', 'heightfield'].includes(options.type))
      options.margin = (options.margin ?? 0) + contactSkin;
    else warnOnce(this.tag, `contactSkin has no effect on a ${options.type}: make it larger`);
  }

  /** Its own groups, or those of its body if it has none. */
  get groups(): number | undefined {
    return this.overridden.collisionGroups ?? this.source.collisionGroups ?? this.owner?.groups;
  }

  /** Its own optional shape settings; null for settings that it does not have. */
  private traits(): Traits {
    const own = this.overridden.collisionGroups ?? this.source.collisionGroups;
    const { group, mask } = own === undefined ? { group: null, mask: null } : filterOf(own);
    const { frictionCombineRule, restitutionCombineRule } = this.merged;
    return {
      group,
      mask,
      frictionCombine: this.ruleOf('frictionCombineRule', frictionCombineRule),
      restitutionCombine: this.ruleOf('restitutionCombineRule', restitutionCombineRule),
    };
  }

  private ruleOf(prop: string, rule: number | undefined): CombineRule | null {
    if (rule === undefined) return null;
    const name = COMBINE_RULES[rule];
    if (name === undefined)
      throw refuse(this.tag, `${prop} must be one of CoefficientCombineRule (0 to 3), got ${String(rule)}`);
    return name;
  }

  private shapesAt(scale: { x: number; y: number; z: number }, solidity: Solidity): ShapeOptions[] {
    const { shape, args = [], geometry, kind } = this.source;
    // The scale from the matrix of a rotating body differs in the last digits.
    const [x, y, z] = [scale.x, scale.y, scale.z].map((c) => Number(c.toPrecision(7))) as [
      number,
      number,
      number,
    ];
    const key: unknown[] = [
      shape,
      kind,
      solidity,
      x,
      y,
      z,
      geometry,
      geometry?.getAttribute('position'),
      ...args,
    ];
    if (this.cooked !== null && same(this.cooked.key, key)) return this.cooked.shapes;
    const vector = this.object.scale.clone().set(x, y, z);
    const made =
      geometry !== undefined && kind !== undefined
        ? autoShape(geometry, kind, vector, solidity)
        : namedShape(shape ?? 'cuboid', args, vector, solidity);
    const shapes = Array.isArray(made) ? made : [made];
    this.cooked = { key, shapes };
    return shapes;
  }

  /** Whether it has triangles, or would have on a fixed body. */
  get isTriangles(): boolean {
    return this.source.kind === 'trimesh' || this.source.shape === 'trimesh';
  }

  /** Updates the shapes of a living body. */
  refresh(body: WorldBody, frame: Matrix4, solidity: Solidity): void {
    const before = this.last;
    const next = this.options(frame, solidity);
    const { shapeIds } = this;
    const stays = shapeIds.length === next.length && before.length === next.length;
    if (stays && next.every((shape, i) => sameShape(before[i]!, shape))) {
      // All shapes of a collider have the same surface.
      const [old, now] = [before[0]!, next[0]!];
      const { friction = 0.5, restitution = 0 } = now;
      if (old.friction !== now.friction || old.restitution !== now.restitution)
        for (const id of shapeIds) body.setShapeMaterial(id, { friction, restitution });
      if (TRAITS.some((name) => old[name] !== now[name])) {
        for (const id of shapeIds) body.updateShape(id, this.traits());
        this.owner?.api.wakeUp();
      }
      return;
    }
    for (const id of shapeIds) {
      this.owner?.runtime.forgetShape(id);
      body.removeShape(id);
    }
    this.attach(blame(this.tag, () => next.map((shape) => body.addShape(shape))));
    this.owner?.updateMass();
  }

  attach(ids: readonly ShapeId[]): void {
    this.shapeIds = ids;
    for (const id of ids) this.owner?.runtime.shapes.set(id, this);
  }

  override(changes: MaterialProps): void {
    this.overridden = { ...this.overridden, ...changes };
    this.owner?.refreshCollider(this);
  }

  /** New props: values set by calls are dropped if their prop has changed. */
  update(source: ColliderSource): void {
    for (const name of Object.keys(this.overridden) as (keyof MaterialProps)[])
      if (!Object.is(source[name], this.source[name])) delete this.overridden[name];
    this.source = source;
    this.owner?.refreshCollider(this);
  }
}

const TRAITS = ['group', 'mask', 'frictionCombine', 'restitutionCombine'] as const;
type Traits = Required<Pick<ShapeChanges, (typeof TRAITS)[number]>>;

/** m, rad. Transforms below a rotating body differ by rounding. */
const NEAR = 1e-5;

/** Compares all options except those that can be changed in place. */
function sameShape(a: ShapeOptions, b: ShapeOptions): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const live of ['friction', 'restitution', 'position', 'rotation', ...TRAITS]) keys.delete(live);
  const [p, q] = [a.position, b.position] as number[][];
  if (p!.some((c, k) => Math.abs(c - q![k]!) > NEAR)) return false;
  const [r, s] = [a.rotation, b.rotation] as number[][];
  if (Math.abs(r!.reduce((sum, c, k) => sum + c * s![k]!, 0)) < 1 - NEAR * NEAR) return false;
  for (const key of keys)
    if (!same((a as Record<string, unknown> & ShapeOptions)[key as 'type'], (b as never)[key])) return false;
  return true;
}

export const isMesh = (object: Object3D): object is Mesh => 'isMesh' in object;
