// Coulomb friction against its closed forms. The combined coefficient is the product of both
// shapes' (Bullet's rule); floors have 1, so the coefficient of the moving body is the one that counts.

import type { ShapeOptions } from '../../src/types';
import { row } from './support/measure';
import { add, axisAngle, degreesBetween, dot, length, scale, sub, type Vec3 } from './support/vector';
import { createFloor, createWorld, DT, G, position, run, spin, UNIT_BOX, velocity } from './support/world';

row('slide: a box at 10 m/s, μ = 0.5, stops after 10.1937 m ± 0.2 %', (m) => {
  // a = μ g, so s = v² / (2 μ g) = 100 / 9.81 = 10.19368 m after v / (μ g) = 2.04 s.
  const truth = 10 ** 2 / (2 * 0.5 * G);
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    linearVelocity: [10, 0, 0],
    shape: { type: 'box', halfExtents: UNIT_BOX, friction: 0.5 },
  });
  run(world, 4);
  m.near('distance', position(body)[0], truth, 0.002 * truth, 'm');
  m.atMost('sideways', Math.abs(position(body)[2]), 1e-3, 'm');
  m.atMost('speed at the end', length(velocity(body)), 1e-4, 'm/s');
});

/** Distance along the slope after 10 s at tan θ = ratio · μ, from rest, on a tilted plane. */
function incline(ratio: number) {
  const mu = 0.5;
  const angle = Math.atan(ratio * mu);
  const normal: Vec3 = [Math.sin(angle), Math.cos(angle), 0];
  const downhill: Vec3 = [Math.cos(angle), -Math.sin(angle), 0];
  const world = createWorld();
  world.createBody({ type: 'static', shape: { type: 'plane', normal, friction: 1 } });
  const start = scale(normal, 0.5);
  const body = world.createBody({
    mass: 1,
    position: start,
    rotation: axisAngle([0, 0, 1], -angle),
    shape: { type: 'box', halfExtents: UNIT_BOX, friction: mu },
  });
  run(world, 10);
  const moved = sub(position(body), start);
  const truth = 0.5 * (G * Math.sin(angle) - mu * G * Math.cos(angle)) * 10 ** 2;
  return { along: dot(moved, downhill), sideways: Math.abs(moved[2]), truth };
}

row('incline, tan θ = 1.02 μ: slides 4.3695 m ± 0.2 % in 10 s', (m) => {
  // a = g (sin θ − μ cos θ) = 0.02 μ g cos θ with μ = 0.5: 0.0873913 m/s², s = a t² / 2 = 4.3696 m.
  const { along, sideways, truth } = incline(1.02);
  m.near('truth as in the table', truth, 4.3695, 1e-4, 'm');
  m.near('distance', along, truth, 0.002 * truth, 'm');
  m.atMost('sideways', sideways, 1e-3, 'm');
});

row('incline, tan θ = 0.98 μ: rests 10 s, creep < 0.1 mm', (m) => {
  const { along } = incline(0.98);
  m.atMost('creep', Math.abs(along), 1e-4, 'm');
});

row('friction is isotropic: 24 directions at 5 m/s, heading ≤ 0.05°, spread ≤ 0.2 %', (m) => {
  // Truth: s = v² / (2 μ g) along the start direction, whatever the angle to the box's sides. The
  // moment μ m g h only shifts the pressure along the direction of motion: it turns nothing.
  const truth = 5 ** 2 / (2 * 0.5 * G);
  const world = createWorld();
  createFloor(world);
  const runs = Array.from({ length: 24 }, (_, i) => {
    const direction: Vec3 = [Math.cos((i * Math.PI) / 12), 0, Math.sin((i * Math.PI) / 12)];
    const start = add(scale(direction, 12), [0, 0.5, 0]); // on a circle, sliding outwards: none meet
    const body = world.createBody({
      mass: 1,
      position: start,
      linearVelocity: scale(direction, 5),
      shape: { type: 'box', halfExtents: UNIT_BOX, friction: 0.5 },
    });
    return { body, direction, start };
  });
  run(world, 3);
  const moved = runs.map(({ body, start }) => {
    const d = sub(position(body), start);
    return [d[0], 0, d[2]] as Vec3;
  });
  const distances = moved.map(length);
  const [least, most] = [Math.min(...distances), Math.max(...distances)];
  const headings = moved.map((d, i) => degreesBetween(d, runs[i].direction));
  m.atMost('largest heading error', Math.max(...headings), 0.05, '°');
  m.atMost('spread of the distances', (most - least) / truth, 0.002);
  m.near('shortest distance', least, truth, 0.002 * truth, 'm');
  m.near('longest distance', most, truth, 0.002 * truth, 'm');
});

row(
  'bricks, planks and posts slide straight, whichever side is in front: heading ≤ 0.1°, distance ± 0.2 %',
  (m) => {
    // A body that is easier to tip to one side than to the other is also easier to move there, as seen at its foot. Friction
    // that cannot stop it must oppose its motion all the same: a cube does not show the difference.
    const truth = 5 ** 2 / (2 * 0.5 * G);
    const sizes: Vec3[] = [
      [0.4, 0.3, 0.5],
      [0.1, 0.1, 1],
      [0.4, 0.6, 1.5],
      [0.8, 0.05, 0.2],
    ];
    for (const shape of ['box', 'hull', 'compound'] as const) {
      const world = createWorld();
      createFloor(world);
      const runs = sizes.flatMap((half, k) =>
        [0, 0.3, 0.8, 1.2].map((yaw, i) => {
          const direction: Vec3 = [Math.cos(0.7 * i), 0, Math.sin(0.7 * i)];
          const start: Vec3 = [40 * k, half[1], 40 * i];
          const body = world.createBody({
            mass: 2,
            position: start,
            rotation: axisAngle([0, 1, 0], yaw),
            linearVelocity: scale(direction, 5),
            shape: brick(shape, half, 0.5),
          });
          return { body, direction, start };
        }),
      );
      run(world, 3);
      const moved = runs.map(({ body, start }) => sub(position(body), start));
      const headings = moved.map((d, i) => degreesBetween([d[0], 0, d[2]], runs[i]!.direction));
      m.atMost(`${shape}: largest heading error`, Math.max(...headings), 0.1, '°');
      m.near(`${shape}: shortest distance`, Math.min(...moved.map(length)), truth, 0.002 * truth, 'm');
      m.near(`${shape}: longest distance`, Math.max(...moved.map(length)), truth, 0.002 * truth, 'm');
    }
  },
);

/** A brick as a box, as a hull, and as two boxes side by side. */
function brick(
  kind: 'box' | 'hull' | 'compound',
  half: Vec3,
  friction: number,
): ShapeOptions | ShapeOptions[] {
  const [x, y, z] = half;
  if (kind === 'box') return { type: 'box', halfExtents: half, friction };
  if (kind === 'hull') {
    const points = [-x, x].flatMap((px) => [-y, y].flatMap((py) => [-z, z].map((pz): Vec3 => [px, py, pz])));
    return { type: 'hull', points: points.flat(), friction };
  }
  return [-x / 2, x / 2].map((px) => ({
    type: 'box',
    halfExtents: [x / 2, y, z],
    position: [px, 0, 0],
    friction,
  }));
}

row(
  'friction acts where bodies are held to a plane or to a line, as in a flat game, and where they do not turn',
  (m) => {
    // Along x and y and about z: the usual setting of a flat game. A contact moves such a body in one direction only.
    const held: Record<string, { linearFactor: Vec3; angularFactor: Vec3 }> = {
      'in a plane': { linearFactor: [1, 1, 0], angularFactor: [0, 0, 1] },
      'in a plane, not turning': { linearFactor: [1, 1, 0], angularFactor: [0, 0, 0] },
      'not turning': { linearFactor: [1, 1, 1], angularFactor: [0, 0, 0] },
      'in another plane': { linearFactor: [1, 1, 0], angularFactor: [1, 1, 1] },
    };
    for (const [name, factors] of Object.entries(held)) {
      for (const half of [UNIT_BOX, [0.4, 0.3, 0.5] as Vec3]) {
        const world = createWorld();
        createFloor(world);
        const body = world.createBody({
          mass: 1,
          position: [0, half[1], 0],
          linearVelocity: [5, 0, 0],
          shape: { type: 'box', halfExtents: half, friction: 0.5 },
          ...factors,
        });
        const ball = world.createBody({
          mass: 1,
          position: [0, 0.5, 20],
          linearVelocity: [7, 0, 0],
          shape: { type: 'sphere', radius: 0.5, friction: 0.5 },
          ...factors,
        });
        run(world, 2);
        const truth = 5 ** 2 / (2 * 0.5 * G);
        m.near(`box of ${half[1]} m ${name}: way`, position(body)[0], truth, 0.002 * truth, 'm');
        const rolls = factors.angularFactor[2] !== 0;
        m.near(`ball ${name}: speed`, velocity(ball)[0], rolls ? 5 : 0, 0.005, 'm/s');
        world.dispose();
      }
    }
  },
);

row('friction and support do not depend on the mass: 1 µg to a billion tonnes', (m) => {
  const truth = 5 ** 2 / (2 * 0.5 * G);
  for (const mass of [1e-9, 1e-3, 1e3, 1e6, 1e7, 1e9, 1e12]) {
    for (const onBody of [false, true]) {
      const world = createWorld();
      createFloor(world);
      const height = onBody ? 5 : 0;
      const shape: ShapeOptions = { type: 'box', halfExtents: [50, 2.5, 50], friction: 1 };
      if (onBody) world.createBody({ mass, position: [0, 2.5, 0], shape });
      const options = { mass, linearVelocity: [5, 0, 0] as Vec3 };
      const box = world.createBody({
        ...options,
        position: [0, height + 0.5, 0],
        shape: { type: 'box', halfExtents: UNIT_BOX, friction: 0.5 },
      });
      const ball = world.createBody({
        ...options,
        position: [0, height + 0.5, 20],
        shape: { type: 'sphere', radius: 0.5, friction: 0.5 },
      });
      run(world, 2);
      const name = `${mass} kg on ${onBody ? 'a body' : 'the ground'}`;
      m.near(`${name}: way of a box`, position(box)[0], truth, 0.003 * truth, 'm');
      m.near(`${name}: speed of a ball`, velocity(ball)[0], (5 * 5) / 7, 0.01, 'm/s');
      m.atMost(`${name}: sunk`, height + 0.5 - Math.min(position(box)[1], position(ball)[1]), 0.005, 'm');
      world.dispose();
    }
  }
});

row('a brick on an oblique slope slides straight down it', (m) => {
  const gravity: Vec3 = [3, -9, 1];
  const mu = 0.2;
  const world = createWorld({ gravity });
  createFloor(world);
  const body = world.createBody({
    mass: 2,
    position: [0, 0.3, 0],
    rotation: axisAngle([0, 1, 0], 0.3),
    shape: { type: 'box', halfExtents: [0.4, 0.3, 0.8], friction: mu },
  });
  run(world, 2);
  const v = velocity(body);
  m.atMost('heading error', degreesBetween([v[0], 0, v[2]], [3, 0, 1]), 0.1, '°');
  const truth = (Math.hypot(3, 1) - mu * 9) * 2;
  m.near('speed', Math.hypot(v[0], v[2]), truth, 0.005 * truth, 'm/s');
});

row('a brick that spins as it slides goes as far and turns as far as one of even pressure', (m) => {
  // Truth: friction of 24 × 24 parts of the face, with the pressure that carries the friction's moment, in steps of 0.1 ms.
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 2,
    position: [0, 0.3, 0],
    rotation: axisAngle([0, 1, 0], 0.3),
    linearVelocity: [3, 0, 1],
    angularVelocity: [0, 5, 0],
    shape: { type: 'box', halfExtents: [0.4, 0.3, 0.5], friction: 0.25 },
  });
  run(world, 1);
  m.near('x', position(body)[0], 1.959, 0.01, 'm');
  m.near('z', position(body)[2], 0.747, 0.01, 'm');
  m.near('spin', spin(body)[1], 2.45, 0.08, 'rad/s');
});

row('a sphere thrown at 7 m/s without spin ends rolling at 5.000 m/s ± 0.1 %', (m) => {
  // Angular momentum about the contact line is conserved while friction acts there:
  // m r v₀ = m r v + ⅖ m r² (v / r), so v = 5/7 v₀; slipping ends after 2 v₀ / (7 μ g) = 0.41 s.
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    linearVelocity: [7, 0, 0],
    shape: { type: 'sphere', radius: 0.5, friction: 0.5 },
  });
  run(world, 2);
  m.near('speed', velocity(body)[0], 5, 0.005, 'm/s');
  m.near('surface speed of the spin', -spin(body)[2] * 0.5, 5, 0.005, 'm/s');
});

row('rolling friction of 1 cm stops a ball after v²/(2a), a = c g / (1.4 r)', (m) => {
  // The torque c N against the roll and static friction F at the contact: m a = F and
  // I a / r = c N − F r. With N = m g and I = ⅖ m r²: a = c g / (1.4 r) = 0.1401 m/s² for c = 1 cm, r = ½ m.
  const a = (0.01 * G) / (1.4 * 0.5);
  const distance = 2 ** 2 / (2 * a);
  // Bullet 3 combines to rollA μB + rollB μA: the ball's 1 cm × the floor's friction of 1.
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    linearVelocity: [2, 0, 0],
    angularVelocity: [0, 0, -4],
    shape: { type: 'sphere', radius: 0.5, friction: 1, rollingFriction: 0.01 },
  });
  run(world, 5);
  m.near('speed after 5 s', velocity(body)[0], 2 - a * 5, 0.01 * (2 - a * 5), 'm/s');
  run(world, 12);
  m.near('distance', position(body)[0], distance, 0.01 * distance, 'm');
  m.atMost('speed at the end', length(velocity(body)), 1e-3, 'm/s');
});

row('spinning friction of 1 cm stops a spinning ball after ω I / (c m g)', (m) => {
  // About the normal only the torque c N acts: α = c m g / (⅖ m r²) = 0.981 rad/s² for c = 1 cm, r = ½ m,
  // so 5 rad/s are gone after 5.097 s.
  const alpha = (0.01 * G) / (0.4 * 0.5 ** 2);
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    angularVelocity: [0, 5, 0],
    shape: { type: 'sphere', radius: 0.5, friction: 1, spinningFriction: 0.01 },
  });
  run(world, 2);
  m.near('spin after 2 s', spin(body)[1], 5 - 2 * alpha, 0.01 * (5 - 2 * alpha), 'rad/s');
  run(world, 4);
  m.atMost('spin after 6 s', Math.abs(spin(body)[1]), 1e-3, 'rad/s');
  m.atMost('moved', Math.hypot(position(body)[0], position(body)[2]), 1e-3, 'm');
});

row('a ball that spins on the spot stops as the patch on which it stands lets it', (m) => {
  // Truth (Hertz): a patch of radius a = (¾ N r / E)^⅓ resists with the torque 3π/16 μ N a. E is 0.3 GPa (polyethylene)
  // to 10 GPa (wood); the engine knows no E, but the patch must be of that size for balls of any size.
  for (const radius of [0.05, 0.24, 1]) {
    const world = createWorld();
    createFloor(world, 1);
    const omega = 2 / radius;
    const body = world.createBody({
      position: [0, radius, 0],
      angularVelocity: [0, omega, 0],
      shape: { type: 'sphere', radius, friction: 1 },
    });
    run(world, 1);
    const lever = ((omega - spin(body)[1]) * 0.4 * radius ** 2) / G;
    const load = body.mass * G;
    const hertz = (E: number) => ((3 * Math.PI) / 16) * Math.cbrt((0.75 * load * radius) / E);
    m.atLeast(`lever arm, r = ${radius}`, lever, hertz(10e9), 'm');
    m.atMost(`lever arm, r = ${radius}`, lever, hertz(0.3e9), 'm');
  }
});

row('strong rolling friction stops a thrown ball dead: it neither rolls nor slides', (m) => {
  // Lever 0.3 m > μ r = 0.25 m: the ball cannot be made to roll. It slides like a box, s = v²/(2 μ g), and
  // rests; friction and rolling friction act at the same contact and must not work against each other.
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    linearVelocity: [3, 0, 0],
    shape: { type: 'sphere', radius: 0.5, friction: 0.5, rollingFriction: 0.3 },
  });
  run(world, 2);
  const truth = 3 ** 2 / (2 * 0.5 * G);
  m.near('distance', position(body)[0], truth, 0.005 * truth, 'm');
  m.atMost('speed at the end', length(velocity(body)), 1e-3, 'm/s');
  m.atMost('spin at the end', length(spin(body)), 1e-3, 'rad/s');
});

row('without rolling friction a ball rolls on for ever', (m) => {
  // Truth: pure rolling does no work; 2 m/s for 10 s is 20 m.
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    mass: 1,
    position: [0, 0.5, 0],
    linearVelocity: [2, 0, 0],
    angularVelocity: [0, 0, -4],
    shape: { type: 'sphere', radius: 0.5, friction: 1 },
  });
  run(world, 10);
  m.near('distance', position(body)[0], 20, 0.001 * 20, 'm');
  m.near('speed', velocity(body)[0], 2, 0.001 * 2, 'm/s');
});

row('the combined friction is the product: 0.5 × 1, 1 × 0.5 and 0.7071 × 0.7071 slide equally far', (m) => {
  const truth = 4 ** 2 / (2 * 0.5 * G);
  for (const [floor, box] of [
    [0.5, 1],
    [1, 0.5],
    [Math.SQRT1_2, Math.SQRT1_2],
  ]) {
    const world = createWorld();
    createFloor(world, floor);
    const body = world.createBody({
      mass: 1,
      position: [0, 0.5, 0],
      linearVelocity: [4, 0, 0],
      shape: { type: 'box', halfExtents: UNIT_BOX, friction: box },
    });
    run(world, 120 * DT);
    m.near(
      `distance, floor ${floor.toFixed(2)}, box ${box.toFixed(2)}`,
      position(body)[0],
      truth,
      0.005 * truth,
      'm',
    );
  }
});
