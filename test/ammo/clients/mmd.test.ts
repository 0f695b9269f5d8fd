// MMDPhysics as three-stdlib ships it: a head that follows its bone, and strands of hair on springs below it, in the units of
// such models (1 is 8 cm, gravity 98).
import { Bone, BufferGeometry, Float32BufferAttribute, Skeleton, SkinnedMesh, Vector3 } from 'three';
import { MMDPhysics } from 'three-stdlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { Ammo } from '../engines';
import { compare } from './compare';

afterEach(() => void vi.unstubAllGlobals());

const LINKS = 5;
/** Types of rigid bodies: they follow their bone, or their bone follows them, with its place or without. */
const [FOLLOWS, FREE, TURNS] = [0, 1, 2];

function model(strands: number) {
  const root = new Bone();
  const bones = [root];
  for (let s = 0; s < strands; s++) {
    let parent = root;
    for (let i = 0; i < LINKS; i++) {
      const bone = new Bone();
      bone.position.set(i === 0 ? 3 * s - 1.5 : 0, i === 0 ? -1 : -2, 0);
      parent.add(bone);
      bones.push(bone);
      parent = bone;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3));
  geometry.setAttribute('skinIndex', new Float32BufferAttribute([0, 0, 0, 0], 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute([1, 0, 0, 0], 4));
  const mesh = new SkinnedMesh(geometry);
  root.position.y = 15;
  mesh.add(root);
  mesh.bind(new Skeleton(bones));
  mesh.updateMatrixWorld(true);
  return { mesh, bones };
}

function bodyOf(boneIndex: number, type: number, shapeType: number, y: number) {
  const size = { width: shapeType === 0 ? 1 : 0.3, height: shapeType === 1 ? 0.8 : 1.2, depth: 0.3 };
  const groups = { groupIndex: type === FOLLOWS ? 0 : 1, groupTarget: 0xffff & ~2 };
  const material = {
    weight: 0.5,
    friction: 0.5,
    restitution: 0,
    positionDamping: 0.9,
    rotationDamping: 0.99,
  };
  return {
    boneIndex,
    type,
    shapeType,
    position: [0, y, 0],
    rotation: [0, 0, 0],
    ...size,
    ...groups,
    ...material,
  };
}

function jointOf(a: number, b: number, position: number[], spring: number) {
  return {
    rigidBodyIndex1: a,
    rigidBodyIndex2: b,
    position,
    rotation: [0, 0, 0],
    translationLimitation1: [0, 0, 0],
    translationLimitation2: [0, 0, 0],
    rotationLimitation1: [-0.6, -0.1, -0.6],
    rotationLimitation2: [0.6, 0.1, 0.6],
    springPosition: [0, 0, 0],
    springRotation: [spring, spring, spring],
  };
}

function scene(module: Ammo) {
  vi.stubGlobal('Ammo', module);
  const { mesh, bones } = model(2);
  const bodies = [bodyOf(0, FOLLOWS, 0, 0)];
  const joints = [];
  for (let s = 0; s < 2; s++)
    for (let i = 0; i < LINKS; i++) {
      const index = 1 + s * LINKS + i;
      bodies.push(bodyOf(index, i === LINKS - 1 ? TURNS! : FREE!, s === 0 ? 2 : 1, -1));
      joints.push(jointOf(i === 0 ? 0 : index - 1, index, [3 * s - 1.5, 14 - 2 * i, 0], s === 0 ? 0 : 20));
    }
  const physics = new MMDPhysics(mesh, bodies, joints);
  physics.warmup(60);
  const at = new Vector3();
  let [swung, worst] = [0, 0];
  for (let step = 0; step < 420; step++) {
    // The head goes aside and comes back, then stays.
    bones[0]!.position.x = step < 120 ? 4 * Math.sin((step * Math.PI) / 60) : 0;
    mesh.updateMatrixWorld(true);
    physics.update(1 / 60);
    bones[LINKS]!.getWorldPosition(at);
    swung = Math.max(swung, Math.abs(at.x + 1.5));
    worst = Math.max(worst, at.y);
  }
  const rest = Object.fromEntries(
    bones.map((bone, i) => [`bone ${i}`, bone.getWorldPosition(new Vector3()).toArray()]),
  );
  return { rest, swung, worst };
}

// Under gravity of 98 the joints of ammo.js give way by up to 0.04; here strands hang as long as they are.
const HANGING = Object.fromEntries(
  [0, 1].flatMap((s) =>
    Array.from({ length: LINKS }, (_, i) => [`bone ${1 + s * LINKS + i}`, [3 * s - 1.5, 14 - 2 * i, 0]]),
  ),
);

test('hair of a model follows its head and comes to rest', async () => {
  const ours = (await compare(scene, HANGING)) as ReturnType<typeof scene>;
  expect(ours.swung).toBeGreaterThan(1);
  expect(Number.isFinite(ours.worst)).toBe(true);
});
