// A figure to fall about: a skinned mesh of capsules with the bone names of Mixamo, and three poses as functions of time. In: a
// height, a colour. Out: an object whose bones an animation turns.
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  type Color,
  Group,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from 'three';

type Place = readonly [number, number, number];
interface Part {
  parent: string;
  /** Of a body of 1 m that stands with its arms out and looks along z. */
  at: Place;
  end: Place;
  radius: number;
  /** Wider than deep. */
  wide?: number;
}

const PARTS: Record<string, Part> = {
  Hips: { parent: '', at: [0, 0.53, 0], end: [0, 0.57, 0], radius: 0.062, wide: 1.45 },
  Spine: { parent: 'Hips', at: [0, 0.58, 0], end: [0, 0.66, 0], radius: 0.06, wide: 1.3 },
  Spine2: { parent: 'Spine', at: [0, 0.68, 0], end: [0, 0.78, 0], radius: 0.066, wide: 1.5 },
  Neck: { parent: 'Spine2', at: [0, 0.83, 0], end: [0, 0.87, 0], radius: 0.028 },
  Head: { parent: 'Neck', at: [0, 0.875, 0], end: [0, 0.99, 0], radius: 0.056 },
};
for (const [side, s] of [
  ['Left', 1],
  ['Right', -1],
] as const)
  Object.assign(PARTS, {
    [`${side}Arm`]: { parent: 'Spine2', at: [0.11 * s, 0.8, 0], end: [0.27 * s, 0.8, 0], radius: 0.029 },
    [`${side}ForeArm`]: {
      parent: `${side}Arm`,
      at: [0.27 * s, 0.8, 0],
      end: [0.42 * s, 0.8, 0],
      radius: 0.024,
    },
    [`${side}Hand`]: {
      parent: `${side}ForeArm`,
      at: [0.42 * s, 0.8, 0],
      end: [0.5 * s, 0.8, 0],
      radius: 0.022,
    },
    [`${side}UpLeg`]: { parent: 'Hips', at: [0.055 * s, 0.52, 0], end: [0.055 * s, 0.285, 0], radius: 0.046 },
    [`${side}Leg`]: {
      parent: `${side}UpLeg`,
      at: [0.055 * s, 0.285, 0],
      end: [0.055 * s, 0.045, 0],
      radius: 0.035,
    },
    [`${side}Foot`]: {
      parent: `${side}Leg`,
      at: [0.055 * s, 0.045, 0],
      end: [0.055 * s, 0.025, 0.08],
      radius: 0.025,
    },
  });

const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

export class Figure {
  readonly object = new Group();
  private readonly bones = new Map<string, { bone: Bone; rest: Quaternion; above: Quaternion }>();

  constructor(
    readonly height: number,
    color: Color,
  ) {
    const placed = new Map<string, Matrix4>();
    const list: Bone[] = [];
    for (const [name, { parent, at, end }] of Object.entries(PARTS)) {
      const bone = new Bone();
      bone.name = `mixamorig${name}`;
      const turn = new Quaternion().setFromUnitVectors(
        Y,
        new Vector3(...end).sub(new Vector3(...at)).normalize(),
      );
      const matrix = new Matrix4().compose(
        new Vector3(...at).multiplyScalar(height),
        turn,
        new Vector3(1, 1, 1),
      );
      placed.set(name, matrix);
      const above = placed.get(parent) ?? new Matrix4();
      above.clone().invert().multiply(matrix).decompose(bone.position, bone.quaternion, bone.scale);
      (this.bones.get(parent)?.bone ?? this.object).add(bone);
      this.bones.set(name, {
        bone,
        rest: bone.quaternion.clone(),
        above: new Quaternion().setFromRotationMatrix(above),
      });
      list.push(bone);
    }
    const mesh = new SkinnedMesh(skinOf(height, placed), new MeshStandardMaterial({ color, roughness: 0.6 }));
    mesh.castShadow = mesh.receiveShadow = true;
    this.object.add(mesh);
    this.object.updateMatrixWorld(true);
    mesh.bind(new Skeleton(list));
  }

  /** Turns a bone from its pose at rest, about axes of the body: rad. */
  private turn(name: string, ...turns: readonly (readonly [Vector3, number])[]): void {
    const { bone, rest, above } = this.bones.get(name)!;
    const back = above.clone().invert();
    bone.quaternion.copy(rest);
    for (const [axis, angle] of turns)
      bone.quaternion.premultiply(
        new Quaternion().setFromAxisAngle(axis.clone().applyQuaternion(back), angle),
      );
  }

  /** Stands, breathes and looks about; `crouch` 0 … 1 bends its knees, and more so its back. */
  pose(time: number, crouch = 0): void {
    const breath = Math.sin(1.7 * time);
    const thigh = 1.3 * crouch;
    const shin = thigh - 2.2 * crouch;
    const hips = this.bones.get('Hips')!.bone;
    hips.position.y = this.height * (0.055 + 0.235 * Math.cos(thigh) + 0.24 * Math.cos(shin));
    hips.position.z = -this.height * (0.235 * Math.sin(thigh) + 0.24 * Math.sin(shin));
    this.turn('Spine', [X, 0.02 * breath + 0.5 * crouch]);
    this.turn('Spine2', [X, 0.02 * breath + 0.4 * crouch], [Y, 0.06 * Math.sin(0.6 * time)]);
    this.turn('Head', [Y, 0.35 * Math.sin(0.47 * time)], [X, -0.4 * crouch]);
    for (const [side, s] of [
      ['Left', 1],
      ['Right', -1],
    ] as const) {
      this.turn(`${side}Arm`, [Z, s * (-1.25 + 0.3 * crouch + 0.03 * breath)], [X, -0.1 - 0.6 * crouch]);
      this.turn(`${side}ForeArm`, [Y, -s * (0.25 + 0.5 * crouch)]);
      this.turn(`${side}UpLeg`, [X, -thigh]);
      this.turn(`${side}Leg`, [X, thigh - shin]);
      this.turn(`${side}Foot`, [X, shin]);
    }
  }
}

/** Capsules, each on one bone: at the joints they overlap. */
function skinOf(height: number, placed: ReadonlyMap<string, Matrix4>): BufferGeometry {
  const [positions, normals, indices, bones]: [number[], number[], number[], number[]] = [[], [], [], []];
  const [v, n] = [new Vector3(), new Vector3()];
  Object.entries(PARTS).forEach(([name, { at, end, radius, wide = 1 }], i) => {
    const length = new Vector3(...end).distanceTo(new Vector3(...at));
    const capsule = new CapsuleGeometry(radius, length, 8, 20);
    capsule.translate(0, length / 2, 0).scale(height * wide, height, height);
    const base = positions.length / 3;
    const { position, normal } = capsule.attributes;
    for (let k = 0; k < position!.count; k++) {
      positions.push(...v.fromBufferAttribute(position!, k).applyMatrix4(placed.get(name)!).toArray());
      normals.push(...n.fromBufferAttribute(normal!, k).transformDirection(placed.get(name)!).toArray());
      bones.push(i, 0, 0, 0);
    }
    for (const index of capsule.index!.array) indices.push(base + index);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(bones), 4));
  const weights = new Float32Array(bones.length).map((_, k) => (k % 4 === 0 ? 1 : 0));
  geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
  geometry.setIndex(indices);
  return geometry;
}
