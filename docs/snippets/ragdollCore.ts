import { World } from 'ricochet';
import { planRagdoll, Ragdoll, type SkeletonBone } from 'ricochet/ragdoll';

// Bones at rest, m: of any renderer, or of none. This is a tail; a human needs no `kind`.
const bones: SkeletonBone[] = Array.from({ length: 6 }, (_, i) => ({
  name: `tail${i}`,
  parent: i - 1,
  position: [0, 1, -0.2 * i],
  rotation: [0, 0, 0, 1],
}));
const plan = planRagdoll(bones, { kind: 'chain', mass: 3 });

const world = new World();
const ragdoll = new Ragdoll(world, plan, { mode: 'powered', strength: 2 });
ragdoll.setPin(1); // its first bone goes where the animation has it

// Of every bone, in the world: position, rotation.
const pose = new Float64Array(bones.flatMap(({ position }) => [...(position as number[]), 0, 0, 0, 1]));
const drawn = new Float64Array(7 * plan.parts.length);
for (let i = 0; i < 60; i++) {
  ragdoll.drive(pose, 1 / 60);
  world.step(1 / 60);
  ragdoll.draw(drawn); // position and rotation of each part
}
console.log(plan.parts.length, 'bodies,', drawn[1]! > 0.9 ? 'held up' : 'fallen');
ragdoll.remove();
console.log(world.bodyCount);
