import { SkinnedRagdoll } from 'ricochet/three';
import { createPhysics } from 'ricochet/worker';
import { type AnimationClip, AnimationMixer, type Object3D } from 'three';

/** `model` is what GLTFLoader gave: gltf.scene, with a skeleton that has the names of Mixamo, VRM, Unreal, Rigify … */
export async function start(model: Object3D, clip: AnimationClip, getUp: AnimationClip) {
  const physics = await createPhysics({ transport: 'page', clock: 'frames', substeps: 8 });
  physics.createBody({ type: 'static', shape: { type: 'plane' } });
  const mixer = new AnimationMixer(model);
  mixer.clipAction(clip).play();
  const skinned = new SkinnedRagdoll(physics, model, { mode: 'animated' });

  /** Every frame: the animation, its pose to the bodies, the step, the poses of the bodies to the bones. */
  const frame = (dt: number, now: number) => {
    mixer.update(dt);
    skinned.drive(dt);
    physics.update(now);
    skinned.draw();
  };

  /** Hit by something: it falls, with the motion that it had. */
  const hit = (impulse: [number, number, number]) => {
    skinned.ragdoll.setMode('limp'); // or 'powered', with setStrength(0.3): it fights
    skinned.ragdoll.body('chest').applyCentralImpulse(impulse);
  };

  /** Once it lies: the animation that gets it up takes over from where it is. */
  const rise = () => {
    const { side, position, yaw } = skinned.ragdoll.lying();
    console.log('lies on its', side);
    model.position.set(position[0], 0, position[2]);
    model.rotation.y = yaw;
    mixer.stopAllAction().clipAction(getUp).play();
    skinned.ragdoll.setMode('animated', 0.5);
  };
  return { physics, skinned, frame, hit, rise };
}
