// Tops on a ball joint, let go without precession: they fall, and rise again, between the angle that they began with and
// one that energy and both angular momenta give (H. Goldstein, Classical Mechanics, 5.7: the heavy symmetrical top).
import { row } from './support/measure';
import { random, type Vec3 } from './support/vector';
import { createWorld, G, rotation, run } from './support/world';

const degrees = (radians: number) => (radians * 180) / Math.PI;

/** Least and greatest tilt over 10 s of a disc on a massless stem, and the greatest that is true; degrees. */
function swing(spin: number, tilt: number, radius: number, stem: number) {
  const world = createWorld();
  const half = radius / 8;
  const axis: Vec3 = [Math.sin(tilt), Math.cos(tilt), 0];
  const body = world.createBody({
    mass: 1,
    position: [axis[0] * stem, axis[1] * stem, 0],
    rotation: [0, 0, -Math.sin(tilt / 2), Math.cos(tilt / 2)],
    angularVelocity: [axis[0] * spin, axis[1] * spin, 0],
    shape: { type: 'cylinder', radius, halfHeight: half },
  });
  world.createJoint({ type: 'point', bodyA: body, anchor: [0, 0, 0] });
  let least = 180;
  let most = 0;
  run(world, 10, () => {
    const q = rotation(body);
    const angle = degrees(Math.acos(Math.min(1, Math.max(-1, 1 - 2 * (q[0] ** 2 + q[2] ** 2)))));
    least = Math.min(least, angle);
    most = Math.max(most, angle);
  });
  // β (1 − u²) = a² (u₀ − u), with u the cosine of the tilt, a = I₃ω₃/I₁, β = 2mgl/I₁, about the joint.
  const across = radius ** 2 / 4 + (2 * half) ** 2 / 12 + stem ** 2;
  const a2 = ((radius ** 2 / 2) * (spin / across)) ** 2;
  const b = (2 * G * stem) / across;
  const u = (a2 - Math.sqrt(a2 * a2 - 4 * b * (a2 * Math.cos(tilt) - b))) / (2 * b);
  return { least, most, truth: degrees(Math.acos(u)) };
}

row(
  'tops of 80 to 250 rad/s nod as far as they should, ± 1°',
  (m) => {
    let above = 0;
    let below = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const next = random(seed);
      const tilt = 0.3 + 0.6 * next();
      const spin = 80 + 170 * next();
      const radius = 0.05 + 0.1 * next();
      const { least, most, truth } = swing(spin, tilt, radius, radius * (0.6 + 0.6 * next()));
      above = Math.max(above, degrees(tilt) - least);
      below = Math.max(below, Math.abs(most - truth));
    }
    m.atMost('higher than let go', above, 1, '°');
    m.atMost('error of the lowest angle', below, 1, '°');
  },
  { seconds: 200 },
);
