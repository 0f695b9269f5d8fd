// Soft joints and springs on axes: what undamped ones do to the energy and the angular momentum of their bodies.

import type { JointOptions, RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import { totalsOf } from './support/totals';
import { length, random, sub } from './support/vector';
import { createWorld, DT, G } from './support/world';

// Springs that start relaxed only take energy of motion, and joints between bodies change no angular momentum.
const SPRING = { spring: { hertz: 8, dampingRatio: 0 } };
const NONE = { low: 0, high: 0 };
const SOFT_JOINTS: [string, JointOptions][] = [
  ['point', { type: 'point', hertz: 8, dampingRatio: 0 }],
  ['fixed', { type: 'fixed', hertz: 8, dampingRatio: 0 }],
  ['hinge', { type: 'hinge', axis: [0, 1, 0], hertz: 8, dampingRatio: 0 }],
  ['slider of 2 Hz', { type: 'slider', position: { low: -0.2, high: 0.2 }, hertz: 2, dampingRatio: 0 }],
  ['rod', { type: 'distance', distance: { low: 0.3, high: 0.3 }, hertz: 8, dampingRatio: 0 }],
  [
    'distance spring of 5 Hz',
    { type: 'distance', distance: { spring: { hertz: 5, dampingRatio: 0, target: 0.3 } } },
  ],
  ['springs along three axes', { type: 'generic', x: SPRING, y: SPRING, z: SPRING }],
  ['springs about three axes', { type: 'generic', angleX: SPRING, angleY: SPRING, angleZ: SPRING }],
  [
    'springs of six axes',
    { type: 'generic', x: SPRING, y: SPRING, z: SPRING, angleX: SPRING, angleY: SPRING, angleZ: SPRING },
  ],
  [
    'springs along three axes, angles locked',
    { type: 'generic', x: SPRING, y: SPRING, z: SPRING, angleX: NONE, angleY: NONE, angleZ: NONE },
  ],
  ['spring of a hinge', { type: 'hinge', axis: [0, 1, 0], angle: SPRING }],
  ['springs of a universal joint', { type: 'universal', axis2: [0, 1, 0], angle1: SPRING, angle2: SPRING }],
  [
    'springs of 100 Hz about three axes',
    {
      type: 'generic',
      angleX: { spring: { hertz: 100, dampingRatio: 0 } },
      angleY: { spring: { hertz: 100, dampingRatio: 0 } },
      angleZ: { spring: { hertz: 100, dampingRatio: 0 } },
    },
  ],
];

/** Thin boxes in a row, moving at random, joined at random points. */
function makeRow(seed: number, options: JointOptions): { world: World; bodies: RigidBody[] } {
  const next = random(seed);
  const part = (size: number) => size * (2 * next() - 1);
  const world = createWorld({ gravity: [0, 0, 0] });
  const bodies = Array.from({ length: 2 + (seed % 3) }, (_, i) =>
    world.createBody({
      mass: 0.5 + 2 * next(),
      position: [0.6 * i, 0, 0],
      linearVelocity: [part(3), part(3), part(3)],
      angularVelocity: [part(3), part(3), part(3)],
      shape: { type: 'box', halfExtents: [0.1 + 0.15 * next(), 0.03 + 0.1 * next(), 0.03 + 0.1 * next()] },
    }),
  );
  for (const [i, bodyB] of bodies.slice(1).entries()) {
    const [x, y, z] = [part(0.1), part(0.1), part(0.1)];
    const place =
      options.type === 'distance'
        ? { frameA: { position: [0.15 + x, y, z] }, frameB: { position: [x - 0.15, y, z] } }
        : { anchor: [0.6 * i + 0.3 + x, y, z] };
    world.createJoint({
      ...options,
      ...place,
      bodyA: bodies[i]!,
      bodyB,
      collideConnected: false,
    } as JointOptions<RigidBody>);
  }
  return { world, bodies };
}

for (const [name, options] of SOFT_JOINTS)
  row(`joint: free bodies on undamped springs: ${name}`, (m) => {
    for (const hertz of [60, 240]) {
      let most = 0;
      let turned = 0;
      for (let seed = 0; seed < 12; seed++) {
        const { world, bodies } = makeRow(seed, options);
        const { energy, momentum, scale } = totalsOf(bodies);
        const [start, before, size] = [energy(), momentum(), scale()];
        for (let i = 0; i < 2 * hertz; i++) {
          world.step(1 / hertz);
          most = Math.max(most, energy() / start);
        }
        turned = Math.max(turned, length(sub(momentum(), before)) / size);
        world.dispose();
      }
      m.atMost(`energy, ${hertz} Hz`, most, 1.05, 'of the start');
      m.atMost(`change of angular momentum, ${hertz} Hz`, turned, 0.03, 'of its parts');
    }
  });

row('joint: a spring between offset anchors of a light and a heavy body', (m) => {
  for (const hertz of [10, 60])
    for (const dampingRatio of [0, 1]) {
      const world = createWorld({ gravity: [0, 0, 0] });
      const bodyA = world.createBody({ mass: 1000, shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } });
      const bodyB = world.createBody({
        mass: 0.2,
        position: [2, 0, 0],
        linearVelocity: [1, 1, 1],
        angularVelocity: [1, 3, -2],
        shape: { type: 'box', halfExtents: [0.2, 0.05, 0.03] },
      });
      world.createJoint({
        type: 'distance',
        bodyA,
        bodyB,
        frameA: { position: [0.5, 0, 0] },
        frameB: { position: [-1, 0, 0] },
        distance: { spring: { hertz, dampingRatio, target: 0.5 } },
        collideConnected: false,
      });
      const { energy } = totalsOf([bodyA, bodyB]);
      const start = energy();
      let most = 0;
      for (let i = 0; i < 90; i++) {
        world.step(1 / 30);
        most = Math.max(most, energy() / start);
      }
      m.atMost(`energy, ${hertz} Hz, ratio ${dampingRatio}`, most, 1.03, 'of the start');
    }
});

row('joint: a soft slider of a flat game bears its load', (m) => {
  const world = createWorld();
  const flat = { linearFactor: [1, 1, 0], angularFactor: [0, 0, 1] } as const;
  const body = world.createBody({
    mass: 1,
    position: [1, 0, 0],
    ...flat,
    shape: { type: 'sphere', radius: 0.2 },
  });
  // Nothing can move across the plane: that lock of the slider has no mass.
  world.createJoint({ type: 'slider', bodyB: body, anchor: [1, 0, 0], hertz: 8, dampingRatio: 1 });
  for (let i = 0; i < 300; i++) world.step(DT);
  m.near('height', 1000 * body.getPosition()[1], (-1000 * G) / (16 * Math.PI) ** 2, 0.5, 'mm');
  world.dispose();
});

row('joint: springs of a hinge and of a free body hold with any damping', (m) => {
  for (const damping of [1e2, 1e6, 1e10, 1e15])
    for (const isHinge of [true, false]) {
      const world = createWorld();
      const shape = { type: 'box', halfExtents: [0.2, 0.2, 0.2] } as const;
      const bodyB = world.createBody({ mass: 1, position: [1, 0, 0], shape });
      const spring = { stiffness: 1000, damping };
      if (isHinge)
        world.createJoint({ type: 'hinge', bodyB, anchor: [0.5, 0, 0], axis: [0, 0, 1], angle: { spring } });
      else world.createJoint({ type: 'generic', bodyB, anchor: [1, 0, 0], y: { spring } });
      for (let i = 0; i < 300; i++) world.step(DT);
      m.near(`height, ${damping}, ${isHinge ? 'hinge' : 'free'}`, 1000 * bodyB.getPosition()[1], -5, 5, 'mm');
      world.dispose();
    }
});

// A lever that turns about its centre, which its factors hold: no mass moves along the springs.
row('joint: springs in Hz swing a lever that can only turn', (m) => {
  const spring = { hertz: 2, dampingRatio: 0 };
  const place = { frameA: { position: [0.5, 2, 0] }, frameB: { position: [0.5, 0, 0] } } as const;
  const joints: [string, JointOptions][] = [
    ['distance', { type: 'distance', ...place, distance: { spring: { ...spring, target: 2 } } }],
    ['generic', { type: 'generic', anchor: [0.5, 0, 0], x: {}, y: { spring }, z: {} }],
    ['soft rod', { type: 'distance', ...place, distance: { low: 2, high: 2 }, ...spring }],
    ['soft point', { type: 'point', anchor: [0.5, 0, 0], ...spring }],
  ];
  for (const [name, options] of joints) {
    const world = createWorld({ gravity: [0, 0, 0] });
    const bodyB = world.createBody({
      mass: 1,
      linearFactor: [0, 0, 0],
      angularVelocity: [0, 0, 0.5],
      shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] },
    });
    world.createJoint({ ...options, bodyB } as JointOptions<RigidBody>);
    let turns = 0;
    let before = 0.5;
    for (let i = 0; i < 300; i++) {
      world.step(DT);
      const speed = bodyB.getAngularVelocity()[2];
      if (speed * before < 0) turns++;
      if (speed !== 0) before = speed;
    }
    // Two in each of ten periods. Undamped soft joints lose energy: the last swings may be too small to count.
    m.near(`reversals in 5 s, ${name}`, turns, 20, 2);
    world.dispose();
  }
});

// A light trolley on a rail: it cannot move up or down, so only the mass of the load counts there.
row('joint: a load of 5 kg hangs softly on a trolley of 50 g that its factors hold up', (m) => {
  const sag = (-1000 * G) / (4 * Math.PI) ** 2;
  const joints: [string, JointOptions][] = [
    ['point', { type: 'point', anchor: [0, 0, 0], hertz: 2, dampingRatio: 1 }],
    [
      'spring along an axis',
      { type: 'generic', anchor: [0, 0, 0], y: { spring: { hertz: 2, dampingRatio: 1 } } },
    ],
  ];
  for (const [name, options] of joints) {
    const world = createWorld();
    const held = { linearFactor: [1, 0, 1], angularFactor: [0, 0, 0] } as const;
    const shape = { type: 'sphere', radius: 0.1 } as const;
    const bodyA = world.createBody({ mass: 0.05, mask: 0, ...held, shape });
    const bodyB = world.createBody({ mass: 5, mask: 0, shape });
    world.createJoint({ ...options, bodyA, bodyB } as JointOptions<RigidBody>);
    for (let i = 0; i < 300; i++) world.step(DT);
    m.near(`height, ${name}`, 1000 * bodyB.getPosition()[1], sag, 1, 'mm');
    world.dispose();
  }
});
