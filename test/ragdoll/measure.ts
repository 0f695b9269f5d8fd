// Figures of a ragdoll: how far its joints are from the animation, how far they gape.
import type { Ragdoll, RagdollBody, RagdollJoint } from 'ricochet/ragdoll';
import { Quaternion, Vector3 } from 'three';

type Any = Ragdoll<RagdollBody, RagdollJoint>;
interface Inner {
  limbs: { animated: { q: number[] }; anchor: number[]; body: RagdollBody }[];
}

const turn = (q: readonly number[]) => new Quaternion(q[0], q[1], q[2], q[3]);

/** Largest difference of a joint's rotation to the animation, degrees, and where. */
export function trackingError(ragdoll: unknown): [number, string] {
  const { plan } = ragdoll as Any;
  const { limbs } = ragdoll as Inner;
  let worst: [number, string] = [0, ''];
  plan.parts.forEach(({ parent, name }, i) => {
    if (parent < 0) return;
    const real = (k: number) => limbs[k]!.body.getRotation(new Quaternion());
    const wanted = turn(limbs[parent]!.animated.q).invert().multiply(turn(limbs[i]!.animated.q));
    const angle = (wanted.angleTo(real(parent).invert().multiply(real(i))) * 180) / Math.PI;
    if (angle > worst[0]) worst = [angle, name];
  });
  return worst;
}

/** Largest distance of the two anchors of a joint, m. */
export function largestGap(ragdoll: unknown): number {
  const { plan } = ragdoll as Any;
  const { limbs } = ragdoll as Inner;
  let most = 0;
  plan.parts.forEach(({ parent }, i) => {
    if (parent < 0) return;
    const place = (k: number) => limbs[k]!.body.getPosition(new Vector3());
    const anchor = new Vector3(...(limbs[i]!.anchor as [number, number, number]));
    anchor.applyQuaternion(limbs[parent]!.body.getRotation(new Quaternion())).add(place(parent));
    most = Math.max(most, anchor.distanceTo(place(i)));
  });
  return most;
}
