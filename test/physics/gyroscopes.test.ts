// Rotors on axles in light frames, whose axis nutates as that of a top does. In: gyroscopes in gimbals and on arms. Truth: energy
// is conserved; a rotor far from its pivot precesses at m g l / L (H. Goldstein, Classical Mechanics, 5.7); in gimbals without
// load its axis keeps its direction.
import type { RigidBody as Body, World } from '../../src';
import { row } from './support/measure';
import { dot, rotate, sub, type Vec3 } from './support/vector';
import { createWorld, G, position, rotation, spin, velocity } from './support/world';

const RATES = [30, 60, 120];
const SMALL = { type: 'sphere', radius: 0.02, mask: 0 } as const;
const DISC = { type: 'cylinder', axis: 'x', radius: 0.1, halfHeight: 0.01, mask: 0 } as const;
/** kg·m², of the disc about its axle and across it, per kg. */
const [ALONG, ACROSS] = [0.1 ** 2 / 2, 0.1 ** 2 / 4 + 0.02 ** 2 / 12];

function disc(world: World, position: Vec3, speed: number): Body {
  return world.createBody({ mass: 1, position, angularVelocity: [speed, 0, 0], shape: DISC });
}

/** A ring of gimbals: a light body at the origin. */
function ring(world: World): Body {
  return world.createBody({ mass: 0.01, inertia: [1e-4, 1e-4, 1e-4], shape: SMALL });
}

/** J, of the disc: kinetic and potential. What the rings have is a thousandth of it. */
function energy(body: Body): number {
  const w = spin(body);
  const axis = rotate(rotation(body), [1, 0, 0]);
  const along = dot(w, axis);
  const across2 = dot(w, w) - along * along;
  const v = velocity(body);
  return 0.5 * (dot(v, v) + ALONG * along * along + ACROSS * across2) + G * position(body)[1];
}

/** rad, by which a body has gone round the y axis. */
function createCompass(body: Body): () => number {
  let before = 0;
  let turned = 0;
  return () => {
    const [x, , z] = position(body);
    const angle = Math.atan2(-z, x);
    turned += ((angle - before + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    before = angle;
    return turned;
  };
}

type Hang = (world: World, rotor: Body) => void;

const HANGS: Record<string, Hang> = {
  'on an arm with a ball joint': (world, rotor) => {
    const arm = ring(world);
    world.createJoint({ type: 'point', bodyB: arm, anchor: [0, 0, 0] });
    world.createJoint({ type: 'hinge', bodyA: arm, bodyB: rotor, anchor: position(rotor), axis: [1, 0, 0] });
  },
  'on an arm, with a generic joint as axle': (world, rotor) => {
    const arm = ring(world);
    const locked = { low: 0, high: 0 };
    world.createJoint({ type: 'point', bodyB: arm, anchor: [0, 0, 0] });
    world.createJoint({
      type: 'generic',
      bodyA: arm,
      bodyB: rotor,
      anchor: position(rotor),
      angleY: locked,
      angleZ: locked,
    });
  },
  'in gimbals': (world, rotor) => {
    const [outer, inner] = [ring(world), ring(world)];
    world.createJoint({ type: 'hinge', bodyB: outer, anchor: [0, 0, 0], axis: [0, 1, 0] });
    world.createJoint({ type: 'hinge', bodyA: outer, bodyB: inner, anchor: [0, 0, 0], axis: [0, 0, 1] });
    world.createJoint({
      type: 'hinge',
      bodyA: inner,
      bodyB: rotor,
      anchor: position(rotor),
      axis: [1, 0, 0],
    });
  },
};

for (const [name, hang] of Object.entries(HANGS)) {
  row(`a rotor ${name} keeps its energy ± 3 % for 10 s and precesses at m g l / L ± 5 %`, (m) => {
    for (const rate of RATES)
      for (const speed of [50, 100, 200]) {
        const world = createWorld();
        const rotor = disc(world, [0.1, 0, 0], speed);
        hang(world, rotor);
        const start = energy(rotor);
        const compass = createCompass(rotor);
        let turned = 0;
        for (let i = 0; i < 10 * rate; i++) {
          world.step(1 / rate);
          turned = compass();
        }
        const label = `${rate} Hz, ${speed} rad/s`;
        m.atMost(`energy, ${label}`, 100 * Math.abs(energy(rotor) / start - 1), 3, '%');
        if (speed < 100) continue; // slower rotors nod far, and the formula is for small nutation
        const truth = (10 * G * 0.1) / (ALONG * speed);
        m.atMost(`precession, ${label}`, 100 * Math.abs(turned / truth - 1), 5, '%');
      }
  });
}

row('the axis of a rotor in gimbals without load keeps its direction to 0.5° while the stand turns', (m) => {
  for (const rate of RATES) {
    const world = createWorld({ gravity: [0, 0, 0] });
    const stand = world.createBody({ type: 'kinematic', shape: SMALL, angularVelocity: [0, 0.7, 0.2] });
    const rotor = disc(world, [0, 0, 0], 200);
    const [outer, inner] = [ring(world), ring(world)];
    world.createJoint({ type: 'hinge', bodyA: stand, bodyB: outer, anchor: [0, 0, 0], axis: [0, 1, 0] });
    world.createJoint({ type: 'hinge', bodyA: outer, bodyB: inner, anchor: [0, 0, 0], axis: [0, 0, 1] });
    world.createJoint({ type: 'hinge', bodyA: inner, bodyB: rotor, anchor: [0, 0, 0], axis: [1, 0, 0] });
    for (let i = 0; i < 5 * rate; i++) world.step(1 / rate);
    const axis = rotate(rotation(rotor), [1, 0, 0]);
    const off = sub(axis, [1, 0, 0]);
    m.atMost(`tilt, ${rate} Hz`, (180 / Math.PI) * Math.sqrt(dot(off, off)), 0.5, '°');
  }
});
