// What collisions may not change: total momentum, angular momentum and, at e = 1, energy.

import { angularMomentum, boxInertia, spinEnergy } from '../reference/freeSpin';
import { row } from './support/measure';
import { add, cross, dot, length, random, scale, sub, type Vec3 } from './support/vector';
import { createWorld, position, rotation, run, spin, UNIT_BOX, velocity } from './support/world';

const ELASTIC_SEED = 125;

row(
  `125 elastic spheres in a box for 60 s (seed ${ELASTIC_SEED}): energy never above +1 %, ≥ 95 % at the end`,
  (m) => {
    // No gravity, no friction, e = 1 everywhere: kinetic energy is constant.
    const next = random(ELASTIC_SEED);
    const world = createWorld({ gravity: [0, 0, 0] });
    const HALF = 4;
    const normals: Vec3[] = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ];
    for (const normal of normals)
      world.createBody({
        type: 'static',
        position: scale(normal, -HALF),
        shape: { type: 'plane', normal, friction: 0, restitution: 1 },
      });
    const bodies = Array.from({ length: 125 }, (_, i) =>
      world.createBody({
        mass: 1,
        position: [(i % 5) - 2, (Math.floor(i / 5) % 5) - 2, Math.floor(i / 25) - 2].map(
          (c) => c * 1.5,
        ) as Vec3,
        linearVelocity: [0, 0, 0].map(() => next() * 6 - 3) as Vec3,
        shape: { type: 'sphere', radius: 0.5, friction: 0, restitution: 1 },
      }),
    );
    const energy = () => bodies.reduce((sum, body) => sum + dot(velocity(body), velocity(body)) / 2, 0);
    const start = energy();
    let most = 1;
    run(world, 60, () => {
      most = Math.max(most, energy() / start);
    });
    m.atMost('largest energy / start', most, 1.01);
    m.atLeast('energy / start after 60 s', energy() / start, 0.95);
    const outside = bodies.filter((body) => Math.max(...position(body).map(Math.abs)) > HALF);
    m.equal('spheres outside', outside.length, 0);
  },
);

const CLOUD_SEED = 64;

row(
  `64 boxes collide without gravity for 10 s (seed ${CLOUD_SEED}): momentum and angular momentum to 1e-5`,
  (m) => {
    // Contact forces are equal, opposite and act at one point, so Σ m v and Σ (r × m v + I ω) are
    // constant. The cloud flies together, so Σ m v is near 0: errors are measured against Σ m |v| and
    // Σ (|r × m v| + |I ω|) at the start.
    const next = random(CLOUD_SEED);
    const world = createWorld({ gravity: [0, 0, 0] });
    const inertia = boxInertia(1, UNIT_BOX);
    const bodies = Array.from({ length: 64 }, (_, i) => {
      const place = [(i % 4) - 1.5, (Math.floor(i / 4) % 4) - 1.5, Math.floor(i / 16) - 1.5].map(
        (c) => c * 2.5 + (next() - 0.5) * 0.5,
      ) as Vec3;
      return world.createBody({
        mass: 1,
        position: place,
        linearVelocity: add(scale(place, -0.6), [next() - 0.5, next() - 0.5, next() - 0.5]),
        angularVelocity: [0, 0, 0].map(() => next() * 4 - 2) as Vec3,
        shape: { type: 'box', halfExtents: UNIT_BOX, friction: 0.7 },
      });
    });
    const orbital = (i: number) => cross(position(bodies[i]), velocity(bodies[i]));
    const own = (i: number) => angularMomentum(inertia, rotation(bodies[i]), spin(bodies[i]));
    const each = bodies.map((_, i) => i);
    const sum = (vector: (i: number) => Vec3) =>
      each.reduce((total, i) => add(total, vector(i)), [0, 0, 0] as Vec3);
    const P = () => sum((i) => velocity(bodies[i]));
    const L = () => sum((i) => add(orbital(i), own(i)));
    const energy = () =>
      each.reduce(
        (total, i) =>
          total +
          dot(velocity(bodies[i]), velocity(bodies[i])) / 2 +
          spinEnergy(inertia, rotation(bodies[i]), spin(bodies[i])),
        0,
      );
    const [P0, L0, E0] = [P(), L(), energy()];
    const scaleP = each.reduce((total, i) => total + length(velocity(bodies[i])), 0);
    const scaleL = each.reduce((total, i) => total + length(orbital(i)) + length(own(i)), 0);
    let [worstP, worstL, mostE] = [0, 0, 0];
    run(world, 10, () => {
      worstP = Math.max(worstP, length(sub(P(), P0)) / scaleP);
      worstL = Math.max(worstL, length(sub(L(), L0)) / scaleL);
      mostE = Math.max(mostE, energy() / E0);
    });
    m.atMost('momentum drift', worstP, 1e-5);
    m.atMost('angular momentum drift', worstL, 1e-5);
    m.atMost('largest energy / start (e = 0)', mostE, 1 + 1e-4);
    m.note('energy / start after 10 s', energy() / E0);
  },
  // Behind: anchors stand still for a step, so an impulse between sliding bodies acts on two lines.
  { behind: { 'angular momentum drift': 1e-3 } },
);

row('two spheres of 1 and 3 kg collide head-on with e = 1 and exchange what Newton says', (m) => {
  // v₁' = ((m₁ − m₂) v₁ + 2 m₂ v₂)/(m₁ + m₂) = −2, v₂' = ((m₂ − m₁) v₂ + 2 m₁ v₁)/(m₁ + m₂) = 2 for v = (4, 0).
  const world = createWorld({ gravity: [0, 0, 0] });
  const shape = { type: 'sphere', radius: 0.5, restitution: 1, friction: 0 } as const;
  const a = world.createBody({ mass: 1, position: [-2, 0, 0], linearVelocity: [4, 0, 0], shape });
  const b = world.createBody({ mass: 3, position: [0, 0, 0], shape });
  run(world, 1);
  m.near('v₁', velocity(a)[0], -2, 0.001 * 2, 'm/s');
  m.near('v₂', velocity(b)[0], 2, 0.001 * 2, 'm/s');
});
