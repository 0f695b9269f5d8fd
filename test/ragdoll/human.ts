// A human of bones and boxes, made by a script: a SkinnedMesh of any height, with the names of any rig, any axes of bones, any
// pose at rest.
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Group,
  Matrix4,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from 'three';

type Place = readonly [number, number, number];

/** Joints of a body of 1 m that stands with its arms out and looks along z; its left is at +x. */
const JOINTS: Record<string, { parent: string; at: Place; end: Place; half: Place }> = {
  Hips: { parent: '', at: [0, 0.53, 0], end: [0, 0.58, 0], half: [0.095, 0.05, 0.06] },
  Spine: { parent: 'Hips', at: [0, 0.58, 0], end: [0, 0.68, 0], half: [0.085, 0.05, 0.055] },
  Spine2: { parent: 'Spine', at: [0, 0.68, 0], end: [0, 0.82, 0], half: [0.1, 0.07, 0.06] },
  Neck: { parent: 'Spine2', at: [0, 0.82, 0], end: [0, 0.87, 0], half: [0.03, 0.025, 0.03] },
  Head: { parent: 'Neck', at: [0, 0.87, 0], end: [0, 1, 0], half: [0.045, 0.065, 0.055] },
};
for (const [side, s] of [
  ['Left', 1],
  ['Right', -1],
] as const) {
  JOINTS[`${side}Shoulder`] = {
    parent: 'Spine2',
    at: [0.03 * s, 0.8, 0],
    end: [0.1 * s, 0.8, 0],
    half: [0.035, 0.02, 0.03],
  };
  JOINTS[`${side}Arm`] = {
    parent: `${side}Shoulder`,
    at: [0.1 * s, 0.8, 0],
    end: [0.26 * s, 0.8, 0],
    half: [0.08, 0.026, 0.026],
  };
  JOINTS[`${side}ForeArm`] = {
    parent: `${side}Arm`,
    at: [0.26 * s, 0.8, 0],
    end: [0.41 * s, 0.8, 0],
    half: [0.075, 0.021, 0.021],
  };
  JOINTS[`${side}Hand`] = {
    parent: `${side}ForeArm`,
    at: [0.41 * s, 0.8, 0],
    end: [0.51 * s, 0.8, 0],
    half: [0.05, 0.012, 0.025],
  };
  JOINTS[`${side}UpLeg`] = {
    parent: 'Hips',
    at: [0.055 * s, 0.52, 0],
    end: [0.055 * s, 0.285, 0],
    half: [0.045, 0.115, 0.048],
  };
  JOINTS[`${side}Leg`] = {
    parent: `${side}UpLeg`,
    at: [0.055 * s, 0.285, 0],
    end: [0.055 * s, 0.045, 0],
    half: [0.032, 0.115, 0.034],
  };
  JOINTS[`${side}Foot`] = {
    parent: `${side}Leg`,
    at: [0.055 * s, 0.045, 0],
    end: [0.055 * s, 0.015, 0.09],
    half: [0.027, 0.022, 0.075],
  };
}

export interface HumanOptions {
  /** m */
  height?: number;
  /** The name of a bone, from Mixamo's without prefix. */
  rename?: (name: string) => string;
  /** Bones have their y axis along them, as rigs do; otherwise the world's axes. */
  alongY?: boolean;
  /** Of the node above the bones: m per unit of the skeleton. */
  unit?: number;
  /** More scale of the root node, per axis. */
  stretch?: Place;
  /** Rotations of bones in the pose of the skin at rest, about x, y, z, rad. */
  bend?: Record<string, Place>;
  /** Without skin: bones of no vertices. */
  bare?: boolean;
}

/** A scene with the human's root node in it. */
export interface Human {
  root: Group;
  mesh: SkinnedMesh;
  /** By Mixamo's name without prefix. */
  bones: Record<string, Bone>;
}

export function createHuman(options: HumanOptions = {}): Human {
  const {
    height = 1.75,
    rename = (name) => `mixamorig:${name}`,
    alongY = true,
    unit = 1,
    bare = false,
  } = options;
  const root = new Group();
  const armature = new Object3D();
  armature.name = 'Armature';
  armature.scale.setScalar(unit);
  root.add(armature);
  const world = new Object3D();
  world.add(root);
  const size = height / unit;
  const bones: Record<string, Bone> = {};
  const rest = new Map<string, Matrix4>();
  for (const [name, { parent, at, end }] of Object.entries(JOINTS)) {
    const bone = new Bone();
    bone.name = rename(name);
    const along = new Vector3(...end).sub(new Vector3(...at)).normalize();
    const turn = alongY ? new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), along) : new Quaternion();
    const matrix = new Matrix4().compose(new Vector3(...at).multiplyScalar(size), turn, new Vector3(1, 1, 1));
    rest.set(name, matrix);
    const above = rest.get(parent);
    (above === undefined ? matrix.clone() : above.clone().invert().multiply(matrix)).decompose(
      bone.position,
      bone.quaternion,
      bone.scale,
    );
    (bones[parent] ?? armature).add(bone);
    bones[name] = bone;
  }
  const mesh = new SkinnedMesh(geometryOf(size, Object.keys(JOINTS), bare), new MeshBasicMaterial());
  armature.add(mesh);
  const list = Object.values(bones);
  for (const [name, [x, y, z]] of Object.entries(options.bend ?? {}))
    bones[name]!.quaternion.multiply(new Quaternion(x / 2, y / 2, z / 2, 1).normalize());
  // Inverses in the units of the mesh, as a file has them, whatever stands above.
  armature.updateMatrixWorld(true);
  const back = armature.matrixWorld.clone().invert();
  const inverses = list.map((bone) => back.clone().multiply(bone.matrixWorld).invert());
  if (options.bend !== undefined) bendSkin(mesh, list, inverses, rest, Object.keys(JOINTS));
  mesh.bind(new Skeleton(list, inverses), new Matrix4());
  root.scale.set(...((options.stretch ?? [1, 1, 1]) as [number, number, number]));
  world.updateMatrixWorld(true);
  return { root, mesh, bones };
}

/** Boxes with their vertices on one bone each, in the pose with the arms out. */
function geometryOf(size: number, names: readonly string[], bare: boolean): BufferGeometry {
  const [positions, indices, skin]: number[][] = [[], [], []];
  names.forEach((name, i) => {
    const { at, end, half } = JOINTS[name]!;
    const base = positions!.length / 3;
    const foot = name.endsWith('Foot');
    for (let k = 0; k < 27; k++) {
      const corner = [(k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1];
      const middle = foot ? [at[0], 0.022, 0.05] : at.map((c, j) => (c + end[j]!) / 2);
      positions!.push(...corner.map((c, j) => size * (middle[j]! + c * half[j]!)));
      skin!.push(i, 0, 0, 0);
      if (k < 25) indices!.push(base + k, base + k + 1, base + k + 2);
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(bare ? [0, 0, 0] : positions!), 3));
  geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(bare ? [0, 0, 0, 0] : skin!), 4));
  const count = bare ? 1 : skin!.length / 4;
  geometry.setAttribute(
    'skinWeight',
    new BufferAttribute(
      new Float32Array(4 * count).map((_, k) => (k % 4 === 0 && !bare ? 1 : 0)),
      4,
    ),
  );
  if (!bare) geometry.setIndex(indices!);
  return geometry;
}

/** The skin at rest in the bent pose: an odd bind pose. */
function bendSkin(
  mesh: SkinnedMesh,
  list: Bone[],
  inverses: Matrix4[],
  rest: Map<string, Matrix4>,
  names: readonly string[],
): void {
  const { position, skinIndex } = mesh.geometry.attributes;
  const v = new Vector3();
  for (let i = 0; i < position!.count && list.length > 0; i++) {
    const k = skinIndex!.getX(i);
    v.fromBufferAttribute(position as BufferAttribute, i);
    v.applyMatrix4(rest.get(names[k]!)!.clone().invert()).applyMatrix4(inverses[k]!.clone().invert());
    (position as BufferAttribute).setXYZ(i, v.x, v.y, v.z);
  }
}

/** Largest motion of a drawn vertex between two calls, m. */
export function watchSkin(meshes: readonly SkinnedMesh[], stride = 1): () => number {
  let before: Float64Array | null = null;
  const v = new Vector3();
  return () => {
    const now: number[] = [];
    for (const mesh of meshes) {
      mesh.updateWorldMatrix(true, false);
      mesh.skeleton.update();
      for (let i = 0; i < mesh.geometry.attributes.position!.count; i += stride)
        now.push(...mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld).toArray());
    }
    let most = 0;
    if (before !== null)
      for (let i = 0; i < now.length; i += 3)
        most = Math.max(
          most,
          Math.hypot(now[i]! - before[i]!, now[i + 1]! - before[i + 1]!, now[i + 2]! - before[i + 2]!),
        );
    before = Float64Array.from(now);
    return most;
  };
}
