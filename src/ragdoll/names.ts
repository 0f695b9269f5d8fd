// Which bone of a skeleton is which part of a human body. In: names of bones, by the conventions of Mixamo, VRM, Unreal,
// Rigify, 3ds Max's Biped and the samples of glTF, or the humanoid extension of a VRM file. Out: bones by their role.

/** A part of a human body that gets a body of its own. */
export type BoneRole =
  | 'pelvis'
  | 'spine'
  | 'chest'
  | 'neck'
  | 'head'
  | `${'left' | 'right'}${'UpperArm' | 'LowerArm' | 'Hand' | 'UpperLeg' | 'LowerLeg' | 'Foot'}`;

/** Bones by role: their names. */
export type BoneRoles = Partial<Record<BoneRole, string>>;

/** All roles, parents first. */
export const ROLES: readonly BoneRole[] = [
  'pelvis',
  'spine',
  'chest',
  'neck',
  'head',
  'leftUpperArm',
  'leftLowerArm',
  'leftHand',
  'rightUpperArm',
  'rightLowerArm',
  'rightHand',
  'leftUpperLeg',
  'leftLowerLeg',
  'leftFoot',
  'rightUpperLeg',
  'rightLowerLeg',
  'rightFoot',
];

/** Without these there is no human body to speak of. */
export const NEEDED: readonly BoneRole[] = [
  'pelvis',
  'chest',
  'head',
  'leftUpperArm',
  'leftLowerArm',
  'rightUpperArm',
  'rightLowerArm',
  'leftUpperLeg',
  'leftLowerLeg',
  'rightUpperLeg',
  'rightLowerLeg',
];

const MIDDLE = ['pelvis', 'spine', 'chest', 'neck', 'head'] as const;
type Middle = (typeof MIDDLE)[number];
type Limb = 'UpperArm' | 'LowerArm' | 'Hand' | 'UpperLeg' | 'LowerLeg' | 'Foot';

/** Words of names without side, best first, as `wordsOf` gives them. */
type Convention = Record<Middle | Limb, readonly string[]>;

const COMMON: Convention = {
  pelvis: ['hips', 'pelvis', 'hip'],
  // The lowest above the pelvis.
  spine: ['spine', 'spine0', 'spine01', 'spine1', 'abdomen', 'waist', 'spinelower'],
  // The one that bears the shoulders.
  chest: [
    'upperchest',
    'spine05',
    'spine5',
    'spine04',
    'spine4',
    'spine03',
    'spine3',
    'spine02',
    'spine2',
    'chest',
    'torso',
    'ribcage',
    'spineupper',
    'spine01',
    'spine1',
    'spine',
  ],
  neck: ['neck', 'neck01', 'neck1', 'necklower'],
  head: ['head'],
  UpperArm: ['upperarm', 'uparm', 'arm', 'armupper'],
  LowerArm: ['forearm', 'lowerarm', 'forarm', 'armlower', 'elbow'],
  Hand: ['hand', 'wrist'],
  UpperLeg: ['upperleg', 'upleg', 'thigh', 'legupper'],
  LowerLeg: ['lowerleg', 'leg', 'calf', 'shin', 'leglower', 'knee'],
  Foot: ['foot', 'ankle'],
};

/** Blender's Rigify counts its spine from the pelvis to the head. */
const RIGIFY: Convention = {
  ...COMMON,
  pelvis: ['spine'],
  spine: ['spine001'],
  chest: ['spine003', 'spine002'],
  neck: ['spine004'],
  head: ['spine006', 'spine005'],
  UpperArm: ['upperarm'],
  LowerArm: ['forearm'],
  UpperLeg: ['thigh'],
  LowerLeg: ['shin'],
};

/** RiggedFigure and CesiumMan of Khronos' samples. */
const SAMPLES: Convention = {
  pelvis: ['torsojoint1'],
  spine: ['torsojoint2'],
  chest: ['torsojoint3'],
  neck: ['neckjoint1'],
  head: ['neckjoint2'],
  UpperArm: ['armjoint1'],
  LowerArm: ['armjoint2'],
  Hand: ['armjoint3'],
  UpperLeg: ['legjoint1'],
  LowerLeg: ['legjoint2'],
  Foot: ['legjoint3'],
};

const CONVENTIONS = [COMMON, RIGIFY, SAMPLES];

/** CesiumMan counts its left arm from the hand. */
const ODD: Readonly<Record<string, string>> = {
  skeletonarmjointl4: 'arm_joint_L_1',
  skeletonarmjointl3: 'arm_joint_L_2',
  skeletonarmjointl2: 'arm_joint_L_3',
  skeletonarmjointr: 'arm_joint_R_1',
  skeletonarmjointr2: 'arm_joint_R_2',
  skeletonarmjointr3: 'arm_joint_R_3',
};

type Side = '' | 'left' | 'right';
interface Named {
  name: string;
  words: string;
  side: Side;
}

const SIDES: Readonly<Record<string, Side>> = { l: 'left', left: 'left', r: 'right', right: 'right' };
/** Said by rigs of every bone, or of those that move the skin. */
const EMPTY = new Set(['def', 'bip', 'bip01', 'bip001', 'j', 'c', 'bind', 'jnt', 'skeleton', 'armature']);

/** A name without prefix, side and signs, in lower case: "mixamorig:LeftUpLeg" → "upleg", left. */
function wordsOf(name: string): Named {
  const odd = ODD[name.toLowerCase().replace(/[^a-z0-9]/g, '')];
  const bare = (odd ?? name).replace(/^.*[:|]/, '').replace(/^mixamorig\d*(?=[A-Z])/, '');
  const parts = bare
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '' && !EMPTY.has(part));
  let side: Side = '';
  const rest = parts.filter((part) => {
    const found = SIDES[part];
    if (found === undefined || side !== '') return true;
    side = found;
    return false;
  });
  return { name, words: rest.join(''), side };
}

function mapBy(convention: Convention, names: readonly Named[]): BoneRoles {
  const found: BoneRoles = {};
  const take = (role: BoneRole, words: readonly string[], side: Side) => {
    for (const word of words) {
      const bone = names.find((named) => named.words === word && named.side === side);
      if (bone === undefined || Object.values(found).includes(bone.name)) continue;
      found[role] = bone.name;
      return;
    }
  };
  take('pelvis', convention.pelvis, '');
  take('chest', convention.chest, '');
  take('spine', convention.spine, '');
  take('neck', convention.neck, '');
  take('head', convention.head, '');
  for (const side of ['left', 'right'] as const)
    for (const limb of ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot'] as const)
      take(`${side}${limb}`, convention[limb], side);
  return found;
}

/**
 * Finds the parts of a human body among the names of bones: Mixamo ("mixamorig:LeftArm"), VRM and VRoid ("leftUpperArm",
 * "J_Bip_L_UpperArm"), Unreal's mannequin ("upperarm_l"), Rigify ("DEF-upper_arm.L"), Biped ("Bip01 L UpperArm"), and the
 * samples RiggedFigure and CesiumMan of Khronos.
 *
 * @returns names by role; what was not found is absent
 */
export function findHumanoid(names: Iterable<string>): BoneRoles {
  const list = Array.from(names, wordsOf);
  let best: BoneRoles = {};
  const score = (roles: BoneRoles) => NEEDED.filter((role) => roles[role] !== undefined).length;
  for (const convention of CONVENTIONS) {
    const found = mapBy(convention, list);
    if (score(found) > score(best)) best = found;
  }
  return best;
}

/** VRM's names of bones → ours, where they differ. */
const VRM: Readonly<Record<string, BoneRole>> = { hips: 'pelvis' };

/**
 * Bones by role as a VRM file says, version 0.x or 1.0.
 *
 * @param json  of the file: `gltf.parser.json` of GLTFLoader
 * @returns names of nodes by role; empty for a file without the extension
 */
export function humanoidOfVrm(json: unknown): BoneRoles {
  const { extensions, nodes = [] } = (json ?? {}) as {
    extensions?: Record<string, { humanoid?: { humanBones?: unknown } } | undefined>;
    nodes?: readonly { name?: string }[];
  };
  const bones = extensions?.['VRMC_vrm']?.humanoid?.humanBones ?? extensions?.['VRM']?.humanoid?.humanBones;
  const found: BoneRoles = {};
  const list: [string, number | undefined][] = Array.isArray(bones)
    ? (bones as { bone: string; node: number }[]).map(({ bone, node }) => [bone, node])
    : Object.entries((bones ?? {}) as Record<string, { node?: number }>).map(([bone, { node }]) => [
        bone,
        node,
      ]);
  const known = new Map(
    list.flatMap(([bone, node]) => (node === undefined ? [] : [[bone, nodes[node]?.name] as const])),
  );
  for (const [bone, name] of known) {
    const role = VRM[bone] ?? (bone as BoneRole);
    if (name !== undefined && ROLES.includes(role)) found[role] = name;
  }
  // The one that bears the shoulders.
  const upper = known.get('upperChest');
  if (upper !== undefined) found.chest = upper;
  if (found.chest === undefined && found.spine !== undefined) {
    found.chest = found.spine;
    delete found.spine;
  }
  return found;
}
