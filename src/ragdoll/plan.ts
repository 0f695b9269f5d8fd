// What a ragdoll of a skeleton is made of. In: bones at rest, by name. Out: parts with shapes, masses, joints and limits, without
// a world.
import type { QuatLike, ShapeOptions, Vec3Like } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import {
  type Anatomy,
  type Axes,
  anatomyOf,
  axesOf,
  massShares,
  partOf,
  strengthOf,
  towards,
} from './anatomy';
import {
  add,
  compose,
  conjugate,
  dot,
  frameOf,
  length,
  multiply,
  neg,
  normalized,
  type Pose,
  type Quat,
  relative,
  rotate,
  scale,
  sub,
  type Vec3,
} from './math';
import { type BoneRole, type BoneRoles, findHumanoid, NEEDED, ROLES } from './names';
import {
  ball,
  block,
  checkVertices,
  type Flesh,
  hullOf,
  limb,
  near,
  type Solid,
  shapeOf,
  volumeOf,
} from './shapes';

/** A bone at rest, m, in any frame that all bones of the skeleton share. */
export interface SkeletonBone {
  /** Unique. */
  readonly name: string;
  /** Index of its parent in the list, which comes before it; −1 for none. */
  readonly parent: number;
  /** Where it begins. */
  readonly position: Vec3Like;
  /** Its axes, a unit quaternion. */
  readonly rotation: QuatLike;
  /** Vertices of the skin that follow it most, in its own frame: x, y, z of each, m. Without any, shapes are guessed. */
  readonly vertices?: ArrayLike<number>;
}

/** How a ragdoll is built. */
export interface RagdollPlanOptions {
  /** Which bones are which parts of a human body, by name: for rigs that are not known, or as `humanoidOfVrm` says. */
  roles?: BoneRoles;
  /**
   * 'humanoid' (default): a human body, or an error that names what is missing. 'chain': every bone that is long enough
   * gets a capsule and the same limits: for tails, tentacles, animals.
   */
  kind?: 'humanoid' | 'chain';
  /** kg. Default: 75 kg at 1.75 m, with the cube of the height; a chain: 1,000 kg/m³. */
  mass?: number;
  /** 'fitted' (default): capsules and boxes; 'hull': hulls of the skin where there is any. */
  shapes?: 'fitted' | 'hull';
}

/** A part of a ragdoll: a bone with a body. */
export interface RagdollPart {
  /** Of its bone. */
  readonly name: string;
  /** null in a chain. */
  readonly role: BoneRole | null;
  /** Index of the bone in the skeleton. */
  readonly bone: number;
  /** Index of the part that it hangs on; −1 for the first. */
  readonly parent: number;
  /** In the frame of the bone. */
  readonly shape: ShapeOptions;
  /** kg */
  readonly mass: number;
  /** Of the bone, at rest. */
  readonly rest: { readonly p: readonly number[]; readonly q: readonly number[] };
  /** Frames of its joint in the frames of the two bones, and limits of its angles x, y, z, rad. */
  readonly joint: {
    readonly frameA: readonly number[];
    readonly frameB: readonly number[];
    readonly low: readonly number[];
    readonly high: readonly number[];
    /** Largest torque of its motors, N·m. */
    readonly maxTorque: number;
  };
}

/** What a ragdoll is made of. */
export interface RagdollPlan {
  /** Parents first. */
  readonly parts: readonly RagdollPart[];
  /** Of the skeleton's bones. */
  readonly names: readonly string[];
  /** Of each bone: the part that it follows, −1 for those above the first. */
  readonly partOfBone: readonly number[];
  /** m */
  readonly height: number;
  /** kg */
  readonly mass: number;
  /** Pairs of parts that do not collide because they overlap at rest; those with a joint do not either. */
  readonly apart: readonly (readonly [number, number])[];
  /** In the frame of the first part: up along the body, to its left, forward. */
  readonly axes: {
    readonly up: readonly number[];
    readonly left: readonly number[];
    readonly front: readonly number[];
  };
  /** Bones that were not recognised, and what was done. */
  readonly warnings: readonly string[];
}

interface Bone {
  name: string;
  parent: number;
  rest: Pose;
  vertices: ArrayLike<number>;
}

interface Draft {
  role: BoneRole | null;
  bone: number;
  parent: number;
  rest: Pose;
  /** Of its flesh and of all bones that follow it, in its frame. */
  vertices: number[];
  end: Vec3;
  axes: Axes;
  proxy: Solid;
  shape: ShapeOptions;
}

const invalid = (argument: string, what: string, value: unknown) =>
  new PhysicsError('invalid-argument', what, argument, value);

function numbers(value: unknown, count: number, argument: string): number[] {
  const given = value as Record<string, number> & ArrayLike<number>;
  const list = Array.from({ length: count }, (_, k) => given?.[k] ?? given?.['xyzw'[k]!]);
  if (!list.every(Number.isFinite)) throw invalid(argument, `must be ${count} finite numbers`, value);
  return list as number[];
}

function readSkeleton(skeleton: readonly SkeletonBone[]): Bone[] {
  if (!Array.isArray(skeleton) || skeleton.length === 0)
    throw invalid('skeleton', 'must be a list of at least one bone', skeleton);
  const names = new Set<string>();
  return skeleton.map((bone, i) => {
    const at = `skeleton[${i}]`;
    if (typeof bone?.name !== 'string' || names.has(bone.name))
      throw invalid(`${at}.name`, 'must be a name of its own', bone?.name);
    names.add(bone.name);
    if (!Number.isInteger(bone.parent) || bone.parent < -1 || bone.parent >= i)
      throw invalid(`${at}.parent`, `must be −1 … ${i - 1}: parents come first`, bone.parent);
    return {
      name: bone.name,
      parent: bone.parent,
      rest: {
        p: numbers(bone.position, 3, `${at}.position`) as Vec3,
        q: normalized(numbers(bone.rotation, 4, `${at}.rotation`) as Quat),
      },
      vertices: bone.vertices === undefined ? [] : checkVertices(bone.vertices, at),
    };
  });
}

/** Bones with bodies, parents first, as indices, and their roles. */
function chooseHuman(
  bones: readonly Bone[],
  options: RagdollPlanOptions,
  warnings: string[],
): Map<number, BoneRole> {
  const roles = { ...findHumanoid(bones.map(({ name }) => name)), ...options.roles };
  const chosen = new Map<number, BoneRole>();
  for (const role of ROLES) {
    const name = roles[role];
    if (name === undefined) continue;
    const index = bones.findIndex((bone) => bone.name === name);
    if (index < 0) throw invalid(`roles.${role}`, 'must be the name of a bone', name);
    if (chosen.has(index))
      throw invalid(`roles.${role}`, `must not be that of ${chosen.get(index)}, too`, name);
    chosen.set(index, role);
  }
  const missing = NEEDED.filter((role) => roles[role] === undefined);
  if (missing.length > 0) {
    const unknown = bones.filter((_, i) => !chosen.has(i)).map(({ name }) => name);
    throw invalid(
      'skeleton',
      `has no bones that are known as ${missing.join(', ')}: name them with { roles: { ${missing[0]}: 'name of the bone' } }, or build it with { kind: 'chain' }; unknown bones`,
      unknown.slice(0, 40).join(', '),
    );
  }
  const pelvis = bones.findIndex(({ name }) => name === roles.pelvis);
  for (const [index, role] of chosen) {
    let at = index;
    while (at >= 0 && at !== pelvis) at = bones[at]!.parent;
    if (at === pelvis) continue;
    const what = `${bones[index]!.name} (${role}) does not hang on ${bones[pelvis]!.name} (pelvis)`;
    if (NEEDED.includes(role)) throw invalid('skeleton', what, bones[index]!.name);
    chosen.delete(index);
    warnings.push(`${what}: it has no body`);
  }
  return new Map([...chosen].sort(([a], [b]) => a - b));
}

/** Shorter bones of a chain have no body, m per m of the whole. */
const SHORTEST = 0.03;

function chooseChain(bones: readonly Bone[], size: number): Map<number, null> {
  const chosen = new Map<number, null>();
  bones.forEach(({ rest, parent }, i) => {
    if (parent < 0 && !bones.some((bone) => bone.parent === i)) return;
    const from = nearest(bones, chosen, parent);
    const long = bones.some(
      (bone) => bone.parent === i && length(sub(bone.rest.p, rest.p)) > SHORTEST * size,
    );
    if (long && (from < 0 || length(sub(rest.p, bones[from]!.rest.p)) > SHORTEST * size)) chosen.set(i, null);
  });
  if (chosen.size === 0) chosen.set(0, null);
  // What stands beside the first hangs on nothing: one body is the root.
  const [root] = chosen.keys();
  for (const i of chosen.keys())
    if (i !== root && nearest(bones, chosen, bones[i]!.parent) < 0) chosen.delete(i);
  return chosen;
}

/** The bone with a body that a bone belongs to: itself or the nearest above it; −1 for none. */
function nearest(bones: readonly Bone[], chosen: ReadonlyMap<number, unknown>, from: number): number {
  let at = from;
  while (at >= 0 && !chosen.has(at)) at = bones[at]!.parent;
  return at;
}

/** Parts in the order of the bones, with the vertices of all that follows them, in the frame of each. */
function draft(bones: readonly Bone[], chosen: ReadonlyMap<number, BoneRole | null>): [Draft[], number[]] {
  const order = [...chosen.keys()];
  const drafts: Draft[] = order.map((bone) => ({
    role: chosen.get(bone)!,
    bone,
    parent: order.indexOf(nearest(bones, chosen, bones[bone]!.parent)),
    rest: bones[bone]!.rest,
    vertices: [],
    end: [0, 0, 0],
    axes: axesOf([0, 1, 0], [1, 0, 0]),
    proxy: { p: [0, 0, 0], q: [0, 0, 0, 1], half: [0, 0, 0], radius: 0 },
    shape: { type: 'sphere', radius: 1 },
  }));
  const partOfBone = bones.map((_, i) => order.indexOf(nearest(bones, chosen, i)));
  bones.forEach(({ rest, vertices }, i) => {
    const part = drafts[partOfBone[i]!];
    if (part === undefined) return;
    const from = relative(part.rest, rest);
    for (let k = 0; k < vertices.length; k += 3)
      part.vertices.push(
        ...compose(from, { p: [vertices[k]!, vertices[k + 1]!, vertices[k + 2]!], q: [0, 0, 0, 1] }).p,
      );
  });
  return [drafts, partOfBone];
}

/** Size of all places along a direction, m. */
function spread(drafts: readonly Draft[], bones: readonly Bone[], up: Vec3): number {
  let [low, high] = [Infinity, -Infinity];
  const take = (p: Vec3) => {
    low = Math.min(low, dot(p, up));
    high = Math.max(high, dot(p, up));
  };
  for (const { rest, vertices } of drafts)
    for (let k = 0; k < vertices.length; k += 3)
      take(compose(rest, { p: [vertices[k]!, vertices[k + 1]!, vertices[k + 2]!], q: [0, 0, 0, 1] }).p);
  if (high > low) return high - low;
  for (const { rest } of bones) take(rest.p);
  return Math.max(1.08 * (high - low), 1e-3);
}

/** Up, left and forward at the pelvis and at the chest. */
function orient(drafts: readonly Draft[]): void {
  const placeOf = (role: BoneRole) => drafts.find((part) => part.role === role)?.rest.p;
  const pelvis = placeOf('pelvis')!;
  const chest = placeOf('chest')!;
  const top = placeOf('neck') ?? placeOf('head')!;
  const hips = sub(placeOf('leftUpperLeg')!, placeOf('rightUpperLeg')!);
  const shoulders = sub(placeOf('leftUpperArm')!, placeOf('rightUpperArm')!);
  const low = axesOf(sub(chest, pelvis), hips);
  const above = sub(top, chest);
  const high = axesOf(length(above) > 1e-6 ? above : low.up, shoulders);
  for (const part of drafts) {
    const [, name] = partOf(part.role!);
    part.axes = /Leg|Foot|pelvis|spine/.test(name) ? low : high;
  }
}

const NEXT: Partial<Record<string, readonly string[]>> = {
  pelvis: ['spine', 'chest'],
  spine: ['chest'],
  chest: ['neck', 'head'],
  neck: ['head'],
  UpperArm: ['LowerArm'],
  LowerArm: ['Hand'],
  UpperLeg: ['LowerLeg'],
  LowerLeg: ['Foot'],
};

/** Lengths of parts that nothing says, as shares of the height. */
const LENGTHS: Record<string, number> = { Hand: 0.1, Foot: 0.12, head: 0.12, LowerArm: 0.15, LowerLeg: 0.23 };

/** Where each part ends, in its own frame. */
function findEnds(
  drafts: Draft[],
  bones: readonly Bone[],
  partOfBone: readonly number[],
  height: number,
): void {
  drafts.forEach((part, i) => {
    const [side, name] = part.role === null ? ['', ''] : partOf(part.role);
    const next = (NEXT[name] ?? []).map((word) => side + word);
    const after =
      part.role === null
        ? drafts.find(({ parent }) => parent === i)
        : next
            .map((role) => drafts.find((other) => other.role === role))
            .find((found) => found !== undefined);
    let place = after?.rest.p;
    if (place === undefined && name !== 'head') {
      // The farthest bone that follows it: finger tips, toes.
      let most = 0.02 * height;
      bones.forEach(({ rest }, k) => {
        const far = length(sub(rest.p, part.rest.p));
        if (partOfBone[k] === i && far > most) [most, place] = [far, rest.p];
      });
    }
    if (place === undefined) {
      const above = drafts[part.parent];
      const onward = above === undefined ? part.axes.up : towards(above.rest.p, part.rest.p, part.axes.up);
      const direction = name === 'head' ? part.axes.up : name === 'Foot' ? part.axes.front : onward;
      place = add(part.rest.p, scale(direction, (LENGTHS[name] ?? 0.1) * height));
    }
    part.end = relative(part.rest, { p: place, q: [0, 0, 0, 1] }).p;
  });
}

/** Radii of limbs without skin, as shares of the height. */
const THICKNESS: Record<string, number> = {
  UpperArm: 0.027,
  LowerArm: 0.022,
  UpperLeg: 0.045,
  LowerLeg: 0.03,
  neck: 0.03,
};
/** Half extents of boxes without skin: along the part, y and z of its frame. */
const EXTENTS: Record<string, readonly [number, number, number]> = {
  pelvis: [0.06, 0.06, 0.09],
  spine: [0.05, 0.055, 0.08],
  chest: [0.09, 0.06, 0.1],
  head: [0.07, 0.045, 0.05],
  Hand: [0.05, 0.012, 0.025],
  Foot: [0.075, 0.02, 0.025],
};

/** The shape of a part, and its capsule or box. */
function shapePart(part: Draft, height: number, shapes: RagdollPlanOptions['shapes']): void {
  const name = part.role === null ? '' : partOf(part.role)[1];
  const { up, left, front } = part.axes;
  const direction = rotate(part.rest.q, part.end);
  // Boxes lie along the body; a foot's sole is flat while it stands.
  let upright = frameOf(up, left);
  if (name === 'Foot') upright = frameOf(front, left);
  if (name === 'Hand') upright = frameOf(towards([0, 0, 0], direction, up), front);
  const back = conjugate(part.rest.q);
  const flesh: Flesh = {
    vertices: part.vertices,
    end: part.end,
    frame: multiply(back, upright),
    height,
    thickness: THICKNESS[name] ?? 0.03,
  };
  const extent = EXTENTS[name];
  if (extent === undefined) part.proxy = limb(flesh);
  else if (name === 'head') part.proxy = ball(flesh, extent);
  else {
    part.proxy = block(flesh, extent, name === 'Foot');
    // Without skin, a foot reaches from behind the ankle to the toes, below it.
    if (name === 'Foot' && part.vertices.length === 0)
      part.proxy.p = add(rotate(back, scale(up, -0.02 * height)), scale(part.end, 0.35));
  }
  part.shape = (shapes === 'hull' ? hullOf(flesh) : null) ?? shapeOf(part.proxy);
}

/** Pairs of parts without a joint that are near each other at rest. */
function findApart(drafts: readonly Draft[], height: number): [number, number][] {
  const pairs: [number, number][] = [];
  drafts.forEach((a, i) => {
    for (let k = i + 1; k < drafts.length; k++) {
      const b = drafts[k]!;
      if (b.parent === i || a.parent === k) continue;
      if (near([a.proxy, a.rest], [b.proxy, b.rest], 0.02 * height)) pairs.push([i, k]);
    }
  });
  return pairs;
}

/** Frames of the joint of a part, in the frames of the two bones. */
function jointOf(part: Draft, drafts: readonly Draft[]): Anatomy {
  const parent = drafts[part.parent];
  const along = (draft: Draft) => towards([0, 0, 0], rotate(draft.rest.q, draft.end), draft.axes.up);
  const direction = along(part);
  const [, name] = part.role === null ? ['', ''] : partOf(part.role);
  const trunk = name === 'neck' || name === 'head' ? ['neck', 'head'] : ['spine', 'chest'];
  const anatomy = anatomyOf({
    role: part.role,
    axes: part.axes,
    direction,
    parentDirection: parent === undefined ? neg(part.axes.up) : along(parent),
    joints: drafts.filter(({ role }) => role !== null && trunk.includes(role)).length,
  });
  return {
    ...anatomy,
    frameA: multiply(conjugate((parent ?? part).rest.q), anatomy.frameA),
    frameB: multiply(conjugate(part.rest.q), anatomy.frameB),
  };
}

/** kg at 1.75 m, and kg/m³ of what is no human. */
const [HUMAN_MASS, HUMAN_HEIGHT, DENSITY] = [75, 1.75, 1000];
const GRAVITY = 9.81;

/**
 * Plans a ragdoll: bodies, shapes, masses, joints and limits for a skeleton.
 *
 * @throws PhysicsError 'invalid-argument' for a skeleton that is no list of bones, parents first, with names of their own; for
 *   one in which parts of a human body are missing or hang on nothing: the message names them, the bones that are not known
 *   and what to do; for roles that name no bone, and a mass that is not above 0
 */
export function planRagdoll(
  skeleton: readonly SkeletonBone[],
  options: RagdollPlanOptions = {},
): RagdollPlan {
  const { mass: given, kind = 'humanoid', shapes = 'fitted' } = options;
  if (given !== undefined && !(given > 0 && given < 1e9))
    throw invalid('mass', 'must be > 0 and < 1e9 kg', given);
  if (kind !== 'humanoid' && kind !== 'chain') throw invalid('kind', "must be 'humanoid' or 'chain'", kind);
  if (shapes !== 'fitted' && shapes !== 'hull') throw invalid('shapes', "must be 'fitted' or 'hull'", shapes);
  const bones = readSkeleton(skeleton);
  const warnings: string[] = [];
  const human = kind === 'humanoid';
  const size = Math.max(...bones.map(({ rest }) => length(sub(rest.p, bones[0]!.rest.p))), 1e-3);
  const chosen = human ? chooseHuman(bones, options, warnings) : chooseChain(bones, size);
  const [drafts, partOfBone] = draft(bones, chosen);
  if (human) orient(drafts);
  const height = human ? spread(drafts, bones, drafts[0]!.axes.up) : size;
  findEnds(drafts, bones, partOfBone, height);
  for (const part of drafts) shapePart(part, height, shapes);
  const volumes = drafts.map(({ proxy }) => volumeOf(proxy));
  const volume = volumes.reduce((sum, v) => sum + v, 0);
  const tall = height / HUMAN_HEIGHT;
  const mass = given ?? (human ? HUMAN_MASS * tall * tall * tall : DENSITY * volume);
  const shares = massShares(drafts.flatMap(({ role }) => (role === null ? [] : [role])));
  const first = drafts[0]!;
  const own = (direction: Vec3) => rotate(conjugate(first.rest.q), direction);
  for (const [i, { name, vertices }] of bones.entries())
    if (partOfBone[i]! < 0 && vertices.length > 0)
      warnings.push(`${name} moves skin, and hangs on no part: it stays as it is animated`);
  return {
    parts: drafts.map((part, i) => ({
      name: bones[part.bone]!.name,
      role: part.role,
      bone: part.bone,
      parent: part.parent,
      shape: part.shape,
      mass: mass * (part.role === null ? volumes[i]! / volume : shares.get(part.role)!),
      rest: part.rest,
      joint: { ...jointOf(part, drafts), maxTorque: strengthOf(part.role) * mass * GRAVITY * height },
    })),
    names: bones.map(({ name }) => name),
    partOfBone,
    height,
    mass,
    apart: findApart(drafts, height),
    axes: { up: own(first.axes.up), left: own(first.axes.left), front: own(first.axes.front) },
    warnings,
  };
}
