// Physics of a glTF file, without three.js. In: its JSON and its buffers. Out: bodies and joints as the engine takes them,
// each with the node that it is of, and what was done otherwise than the file says.
import type { BodyOptions, JointFrame, JointOptions, ShapeOptions } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import {
  booleanAt,
  checkIndex,
  extensionOf,
  fault,
  indexAt,
  type Json,
  listAt,
  numberAt,
  objectAt,
  optionalAt,
  vectorAt,
} from './errors';
import { readFilters, readMaterials } from './filters';
import { mirroredJoint, readJoint } from './joints';
import { type Buffers, Meshes, type Triangles } from './meshes';
import { type Node, readTree } from './nodes';
import { type BodyKind, type DynamicMeshes, implicitShape, triangleShapes } from './shapes';
import {
  type Affine,
  apply,
  inverseOf,
  mirrors,
  multiply,
  type Pose,
  partsOf,
  poseBehind,
  type Quat,
  quatMultiply,
  rotate,
} from './transforms';

/** What `readPhysics` takes besides the file. */
export interface ReadOptions {
  /** Number of the scene. Default: the file's own. */
  scene?: number;
  /**
   * Where the scene stands in the world: a matrix of 16 numbers, columns first, as three.js's `matrixWorld`. Default: at the origin;
   * of `addGltfPhysics`: where its `scene` stands.
   */
  place?: ArrayLike<number>;
  /** What triangles become on dynamic bodies that ask for no hull. Default 'decompose'. */
  dynamicMeshes?: DynamicMeshes;
}

/** A body of a file. */
export interface GltfBody {
  /** The node that it moves, or stands at. */
  node: number;
  /** The node's name, or ''. */
  name: string;
  /** For `createBody`. */
  options: BodyOptions & { shape: ShapeOptions[] };
  /** The node of each shape. */
  shapeNodes: number[];
  /** The body against its node: a turn to the principal axes that the file gives, else identity. */
  frame: Quat;
}

/** A joint of a file. */
export interface GltfJoint {
  /** The node that has it. */
  node: number;
  /** The node's name, or ''. */
  name: string;
  /** Places in the list of bodies; null: the world. */
  bodyA: number | null;
  /** As bodyA. */
  bodyB: number | null;
  /** For `createJoint`, without the bodies. */
  options: JointOptions;
}

/** What a file says of physics. */
export interface GltfPhysics {
  /** Bodies, in the order of their nodes. */
  bodies: GltfBody[];
  /** Joints between them. */
  joints: GltfJoint[];
  /** What was approximated or left out, with the place in the file. */
  warnings: string[];
}

const EXTENSION = 'KHR_physics_rigid_bodies';
const IDENTITY: Quat = [0, 0, 0, 1];
/** kg, for what has an infinite mass. */
const INFINITE = 1e7;

interface Entry {
  body: GltfBody;
  pose: Pose;
  kind: BodyKind;
}

/** The pieces of a file that colliders point to, and the bodies so far. */
class Reader {
  readonly warnings: string[] = [];
  readonly entries: Entry[] = [];
  readonly byNode = new Map<number, number>();
  private readonly meshes: Meshes;
  private readonly root: Json | undefined;
  private readonly shapes: readonly unknown[];
  private readonly shapePath: string;
  private readonly filters;
  private readonly materials;
  private readonly triangles = new Map<string, Triangles>();

  constructor(
    private readonly json: Json,
    buffers: Buffers,
    private readonly nodes: readonly Node[],
    private readonly dynamicMeshes: DynamicMeshes,
  ) {
    this.root = extensionOf(json, EXTENSION, '');
    const path = `extensions.${EXTENSION}`;
    const name = ['KHR_implicit_shapes', 'KHR_collision_shapes'].find(
      (known) => extensionOf(json, known, '') !== undefined,
    );
    this.shapePath = `extensions.${name}.shapes`;
    this.shapes =
      name === undefined ? [] : listAt(extensionOf(json, name, '')!, 'shapes', `extensions.${name}`);
    this.filters = readFilters(this.root, path);
    this.materials = readMaterials(this.root, path, this.warn);
    this.meshes = new Meshes(json, buffers, this.warn);
  }

  readonly warn = (text: string): void => {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  };

  own(node: Node): Json {
    return extensionOf(node.json, EXTENSION, node.path) ?? {};
  }

  /** The node itself or the nearest above that moves by itself. */
  moverOf(node: Node): Node | null {
    for (let at: Node | null = node; at !== null; at = at.parent)
      if (this.own(at)['motion'] !== undefined) return at;
    return null;
  }

  addMover(node: Node): void {
    const path = `${node.path}.extensions.${EXTENSION}.motion`;
    const motion = objectAt(this.own(node)['motion'], path);
    const { position, rotation, shear, signs } = poseBehind(node.world, node.scale);
    if (shear > 1e-3) this.warn(`${node.path}: a body that is sheared by what is above it`);
    const kind = booleanAt(motion, 'isKinematic', path, false) ? 'kinematic' : 'dynamic';
    const turn = vectorAt(motion, 'inertiaOrientation', path, IDENTITY);
    const length = Math.sqrt(turn.reduce((sum, c) => sum + c * c, 0));
    if (!(length > 1e-6)) throw fault(`${path}.inertiaOrientation`, 'must not be zero', turn);
    const frame = turn.map((c) => c / length) as Quat;
    const pose = { position, rotation: quatMultiply(rotation, frame) };
    // In a mirror things turn the other way.
    const toWorld = (key: string, sign: number) =>
      rotate(
        rotation,
        vectorAt(motion, key, path, [0, 0, 0]).map((c, k) => c * sign * signs[k]!),
      );
    const options: GltfBody['options'] = {
      type: kind,
      ...pose,
      shape: [],
      linearVelocity: toWorld('linearVelocity', 1),
      angularVelocity: toWorld('angularVelocity', signs[0] * signs[1] * signs[2]),
    };
    const gravity = numberAt(motion, 'gravityFactor', path, 1, { min: -1e6, max: 1e6 });
    if (gravity !== 1) options.gravityScale = gravity;
    if (kind === 'dynamic') {
      if (motion['mass'] !== undefined) {
        options.mass = numberAt(motion, 'mass', path, 1, { min: 0, max: 1e15 });
        if (options.mass === 0) {
          this.warn(`${path}.mass: infinite: ${INFINITE} kg`);
          options.mass = INFINITE;
        }
      }
      if (motion['inertiaDiagonal'] !== undefined) {
        const moments = vectorAt(motion, 'inertiaDiagonal', path, [0, 0, 0]);
        moments.forEach((c, k) => {
          if (c < 0) throw fault(`${path}.inertiaDiagonal[${k}]`, 'must be ≥ 0', c);
        });
        options.inertia = moments as [number, number, number];
      }
      if (motion['centerOfMass'] !== undefined)
        options.centerOfMass = apply(
          multiply(inverseOf(pose), node.world),
          vectorAt(motion, 'centerOfMass', path, [0, 0, 0]),
        );
    }
    this.put(node, options, frame, pose, kind);
  }

  private put(node: Node, options: GltfBody['options'], frame: Quat, pose: Pose, kind: BodyKind): Entry {
    const entry = { body: { node: node.index, name: node.name, options, shapeNodes: [], frame }, pose, kind };
    this.byNode.set(node.index, this.entries.push(entry) - 1);
    return entry;
  }

  /** The body of a collider or trigger: that of the mover above, or one that stands at the node. */
  private entryOf(node: Node, standsAt: Node): Entry {
    const mover = this.moverOf(node);
    const at = mover ?? standsAt;
    const known = this.byNode.get(at.index);
    if (known !== undefined) return this.entries[known]!;
    const { position, rotation } = partsOf(at.world);
    return this.put(
      at,
      { type: 'static', position, rotation, shape: [] },
      IDENTITY,
      { position, rotation },
      'static',
    );
  }

  /** @param standsAt  where the body of what does not move stands: the node, or that of a trigger of several */
  addCollider(node: Node, key: 'collider' | 'trigger', standsAt: Node): void {
    const path = `${node.path}.extensions.${EXTENSION}.${key}`;
    const collider = objectAt(this.own(node)[key], path);
    const nested = optionalAt(collider, 'geometry', path);
    const geometry = nested ?? collider;
    const where = nested === undefined ? path : `${path}.geometry`;
    const shape = indexAt(geometry, 'shape', where, this.shapes.length);
    const source = (['node', 'mesh'] as const).find((name) => geometry[name] !== undefined);
    if (shape === undefined && source === undefined) {
      if (key === 'trigger' && collider['nodes'] !== undefined) return;
      throw fault(where, 'must have a shape, a node or a mesh');
    }
    const { of: materialOf } = this.materials;
    const materials = listAt(this.root ?? {}, 'physicsMaterials', '').length;
    const filters = listAt(this.root ?? {}, 'collisionFilters', '').length;
    const common = {
      ...(key === 'trigger'
        ? { sensor: true }
        : materialOf(indexAt(collider, 'physicsMaterial', path, materials))),
      ...this.filters.of(indexAt(collider, 'collisionFilter', path, filters)),
    };
    const entry = this.entryOf(node, standsAt);
    const placing = {
      kind: entry.kind,
      place: multiply(inverseOf(entry.pose), node.world),
      common,
      path: where,
      warn: this.warn,
    };
    const convex = booleanAt(geometry, 'convexHull', where, false);
    let made: ShapeOptions[];
    try {
      if (shape !== undefined) {
        const place = `${this.shapePath}[${shape}]`;
        const json = objectAt(this.shapes[shape], place);
        const meshShape = this.meshShapeOf(json, place);
        made =
          meshShape === undefined
            ? implicitShape(json, place, placing)
            : triangleShapes(
                this.trianglesOf('mesh', meshShape.mesh, place),
                meshShape.convex,
                placing,
                this.dynamicMeshes,
              );
      } else {
        const count = source === 'node' ? this.nodes.length : listAt(this.json, 'meshes', '').length;
        const index = checkIndex(geometry[source!], `${where}.${source}`, count);
        made = triangleShapes(this.trianglesOf(source!, index, where), convex, placing, this.dynamicMeshes);
      }
    } catch (error) {
      // What the engine refuses (a size out of range) is a fault of the file's.
      if (error instanceof PhysicsError && error.code !== 'damaged-file') throw fault(where, error.message);
      throw error;
    }
    entry.body.options.shape.push(...made);
    entry.body.shapeNodes.push(...made.map(() => node.index));
  }

  /** Drafts before 2024 had meshes among the shapes. */
  private meshShapeOf(shape: Json, path: string): { mesh: number; convex: boolean } | undefined {
    const type = shape['type'];
    if (type !== 'mesh' && type !== 'convex' && type !== 'trimesh') return undefined;
    const own = optionalAt(shape, type, path) ?? shape;
    return {
      mesh: checkIndex(own['mesh'], `${path}.mesh`, listAt(this.json, 'meshes', '').length),
      convex: type === 'convex' || booleanAt(own, 'convexHull', path, false),
    };
  }

  private trianglesOf(source: 'node' | 'mesh', index: number, path: string): Triangles {
    const key = `${source} ${index}`;
    let triangles = this.triangles.get(key);
    if (triangles === undefined) {
      const node =
        source === 'node'
          ? this.nodes[index]!
          : {
              index: -1,
              json: { mesh: index },
              path,
              name: '',
              parent: null,
              children: [],
              local: [],
              world: [],
              scale: [],
            };
      this.triangles.set(key, (triangles = this.meshes.trianglesBelow(node)));
    }
    return triangles;
  }

  /** The body that a joint's node is fixed to, and its frame there. */
  private sideOf(node: Node): { body: number | null; frame: JointFrame } {
    let at: Node | null = this.moverOf(node);
    // Without a mover the joint goes to what stands there, so that the two need not collide.
    if (at === null) for (at = node; at !== null && !this.byNode.has(at.index); ) at = at.parent;
    const body = at === null ? null : this.byNode.get(at.index)!;
    const place = body === null ? node.world : multiply(inverseOf(this.entries[body]!.pose), node.world);
    const { position, rotation } = partsOf(place);
    return { body, frame: { position, rotation } };
  }

  addJoint(node: Node, out: GltfJoint[]): void {
    const path = `${node.path}.extensions.${EXTENSION}.joint`;
    const joint = objectAt(this.own(node)['joint'], path);
    const descriptions = listAt(this.root ?? {}, 'physicsJoints', `extensions.${EXTENSION}`);
    const index = checkIndex(joint['joint'], `${path}.joint`, descriptions.length);
    const other = this.nodes[checkIndex(joint['connectedNode'], `${path}.connectedNode`, this.nodes.length)]!;
    const [a, b] = [this.sideOf(node), this.sideOf(other)];
    const kindOf = (body: number | null) => (body === null ? 'static' : this.entries[body]!.kind);
    if (a.body === b.body || (kindOf(a.body) !== 'dynamic' && kindOf(b.body) !== 'dynamic')) {
      this.warn(`${path}: joins nothing that moves to something else: left out`);
      return;
    }
    const where = `extensions.${EXTENSION}.physicsJoints[${index}]`;
    const common = {
      frameA: a.frame,
      frameB: b.frame,
      collideConnected: booleanAt(joint, 'enableCollision', path, false),
    };
    const [mirrorA, mirrorB] = [node, other].map(({ world }) => mirrors(world));
    if (mirrorA !== mirrorB)
      this.warn(`${path}: one of its two nodes is mirrored: its axes are those of the frames`);
    for (const one of readJoint(objectAt(descriptions[index], where), where, this.warn)) {
      const description = mirrorA && mirrorB ? mirroredJoint(one) : one;
      out.push({
        node: node.index,
        name: node.name,
        bodyA: a.body,
        bodyB: b.body,
        options: { ...description, ...common } as JointOptions,
      });
    }
  }
}

/** Says which animations move nodes with bodies or colliders, at or below them: bodies know nothing of them. */
function warnOfAnimations(file: Json, reader: Reader, all: readonly Node[]): void {
  const moved = new Map<number, string>();
  for (const [i, animation] of listAt(file, 'animations', '').entries()) {
    const place = `animations[${i}]`;
    for (const [k, channel] of listAt(objectAt(animation, place), 'channels', place).entries()) {
      const path = `${place}.channels[${k}]`;
      const target = optionalAt(objectAt(channel, path), 'target', path) ?? {};
      const node = indexAt(target, 'node', `${path}.target`, all.length);
      if (node !== undefined && target['path'] !== 'weights' && !moved.has(node)) moved.set(node, path);
    }
  }
  for (const { body } of reader.entries)
    for (const index of [body.node, ...body.shapeNodes])
      for (let at: Node | null = all[index]!; at !== null; at = at.parent) {
        const place = moved.get(at.index);
        if (place === undefined) continue;
        const leads = body.options.type === 'kinematic' && index === body.node;
        const what = leads
          ? `nodes[${at.index}]: kinematic bodies at and below it follow by lead() of addGltfPhysics`
          : `nodes[${at.index}], which the bodies at and below it do not follow`;
        reader.warn(`${place}: moves ${what}`);
      }
}

function placeOf(matrix: ArrayLike<number>): Affine {
  const m = Array.from(matrix);
  if (m.length !== 16 || !m.every(Number.isFinite))
    throw new PhysicsError('invalid-argument', 'must be 16 finite numbers', 'place', matrix);
  return m.filter((_, i) => i % 4 !== 3);
}

/**
 * What a glTF file says of physics, by KHR_physics_rigid_bodies and KHR_implicit_shapes: bodies and joints for any world. The
 * drafts of the extension name a collider's triangles `geometry.node`, `geometry.mesh` or `shape`: all are read.
 *
 * @param json     the parsed JSON part
 * @param buffers  of `json.buffers`, each as bytes; only what colliders use need be there
 * @throws PhysicsError 'damaged-file' whose `argument` is the path in the JSON: a node above itself, an index of nothing, a
 *   number out of its range, an accessor beyond its buffer; 'invalid-argument' for `place`
 */
export function readPhysics(
  json: unknown,
  buffers: Buffers = [],
  { scene, place, dynamicMeshes = 'decompose' }: ReadOptions = {},
): GltfPhysics {
  const file = objectAt(json, 'json');
  const { all, inScene } = readTree(file, scene, place && placeOf(place));
  const reader = new Reader(file, buffers, all, dynamicMeshes);
  // Compound triggers stand where their list does.
  const groups = new Map<number, Node>();
  for (const node of inScene) {
    const trigger = optionalAt(reader.own(node), 'trigger', `${node.path}.extensions.${EXTENSION}`);
    const path = `${node.path}.extensions.${EXTENSION}.trigger`;
    for (const [i, member] of listAt(trigger ?? {}, 'nodes', path).entries())
      groups.set(checkIndex(member, `${path}.nodes[${i}]`, all.length), node);
  }
  for (const node of inScene) if (reader.own(node)['motion'] !== undefined) reader.addMover(node);
  for (const node of inScene)
    for (const key of ['collider', 'trigger'] as const)
      if (reader.own(node)[key] !== undefined)
        reader.addCollider(node, key, key === 'trigger' ? (groups.get(node.index) ?? node) : node);
  const joints: GltfJoint[] = [];
  for (const node of inScene) if (reader.own(node)['joint'] !== undefined) reader.addJoint(node, joints);
  warnOfAnimations(file, reader, all);
  return { bodies: reader.entries.map(({ body }) => body), joints, warnings: reader.warnings };
}
