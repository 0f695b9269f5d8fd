// What is true of rigid bodies, through the facade with its default options, beside ammo.js's own figure. In: programs
// for ammo.js. Out: rows with their targets, those of the native solver. `AMMO_LONG=1` runs the full times and prints
// the table of docs/migration.md; without it the long scenes are short.
import { afterAll } from 'vitest';
import { type Measurement, row } from '../physics/support/measure';
import {
  type Ammo,
  addBody,
  box,
  createWorld,
  limitLimb,
  load,
  positionOf,
  transformOf,
  xyz,
  xyzw,
} from './engines';

const LONG = process.env['AMMO_LONG'] !== undefined;
/** s: of the scenes that have to stand for a minute. */
const MINUTE = LONG ? 60 : 4;
const G = 9.81;

type Figures = Record<string, number>;
const ours = await load('ricochet');
const bullet = await load('bullet');
const table: string[] = [];

/** One row: the same program on both; ours is judged. */
function beside(
  name: string,
  play: (A: Ammo) => Figures,
  judge: (m: Measurement, figures: Figures) => void,
  behind: Figures = {},
): void {
  row(
    name,
    (m) => {
      const [mine, theirs] = [play(ours), play(bullet)];
      judge(m, mine);
      for (const [what, value] of Object.entries(theirs)) m.note(`ammo.js: ${what}`, value);
      const list = (figures: Figures) =>
        Object.entries(figures)
          .map(([what, value]) => `${what} ${Number(value.toPrecision(3))}`)
          .join(', ');
      table.push(`| ${name} | ${list(theirs)} | ${list(mine)} |`);
    },
    { behind },
  );
}

afterAll(() => {
  if (LONG) console.log(['| scene | ammo.js | ricochet/ammo |', '| --- | --- | --- |', ...table].join('\n'));
});

// --- building ---

/** Nothing sleeps, so that rest is the solver's doing. */
function awake(body: Ammo): Ammo {
  body.setActivationState(4);
  return body;
}

function start(A: Ammo, gravity = G): Ammo {
  const world = createWorld(A);
  world.setGravity(new A.btVector3(0, -gravity, 0));
  return world;
}

function withFloor(A: Ammo, gravity = G): { world: Ammo; floor: Ammo } {
  const world = start(A, gravity);
  const floor = addBody(A, world, new A.btStaticPlaneShape(new A.btVector3(0, 1, 0), 0), 0);
  return { world, floor };
}

function run(world: Ammo, seconds: number, each: (step: number) => void = () => {}): void {
  for (let i = 0; i < Math.round(seconds * 60); i++) {
    world.stepSimulation(1 / 60, 0);
    each(i);
  }
}

const put = (A: Ammo, world: Ammo, shape: Ammo, mass: number, ...position: number[]): Ammo =>
  awake(addBody(A, world, shape, mass, { position }));

const speedOf = (body: Ammo) => Math.hypot(...xyz(body.getLinearVelocity()));

/** How far bodies fell below where they began, and went sideways, at most, m. */
function watch(bodies: Ammo[]): { look: () => void; worst: { sinks: number; drifts: number } } {
  const places = bodies.map(positionOf);
  const worst = { sinks: 0, drifts: 0 };
  const look = () => {
    for (const [i, body] of bodies.entries()) {
      const [x, y, z] = positionOf(body);
      const [x0, y0, z0] = places[i]!;
      worst.sinks = Math.max(worst.sinks, y0 - y);
      worst.drifts = Math.max(worst.drifts, Math.hypot(x - x0, z - z0));
    }
  };
  return { look, worst };
}

// --- what stands ---

function stack(A: Ammo, masses: number[], seconds: number): Figures {
  const { world } = withFloor(A);
  const shape = box(A);
  const bodies = masses.map((mass, level) => put(A, world, shape, mass, 0, level + 0.5, 0));
  const { look, worst } = watch(bodies.slice(-1));
  run(world, seconds, look);
  return { ...worst };
}

beside(
  'stack of 40 boxes for 60 s',
  (A) => stack(A, Array(40).fill(1), MINUTE),
  (m, { sinks, drifts }) => {
    m.atMost('sinks', sinks!, 0.05, 'm');
    m.atMost('drifts', drifts!, 0.02, 'm');
  },
);

beside(
  'pyramid of 20 rows after 60 s',
  (A) => {
    const { world } = withFloor(A);
    const shape = box(A);
    const bodies: Ammo[] = [];
    for (let level = 0; level < 20; level++)
      for (let i = 0; i < 20 - level; i++)
        bodies.push(put(A, world, shape, 1, i + level / 2 - 9.5, level + 0.5, 0));
    const all = watch(bodies);
    const top = watch(bodies.slice(-1));
    run(world, MINUTE);
    all.look();
    top.look();
    return { sinks: top.worst.sinks, drifts: all.worst.drifts };
  },
  (m, { sinks, drifts }) => {
    m.atMost('sinks', sinks!, 0.01, 'm');
    m.atMost('drifts', drifts!, 0.02, 'm');
  },
);

for (const [mass, limit] of [
  [100, 0.005],
  [1000, 0.02],
] as const)
  beside(
    `${mass} kg on a box of 1 kg for 10 s`,
    (A) => stack(A, [1, mass], 10),
    (m, { sinks, drifts }) => {
      m.atMost('sinks', sinks!, limit, 'm');
      m.atMost('drifts', drifts!, 0.02, 'm');
    },
  );

/** Wedges of a round arch of 9, from hulls; friction alone holds it. */
function arch(A: Ammo): Figures {
  const { world } = withFloor(A);
  const [inner, outer, count] = [2, 2.8, 9];
  const bodies: Ammo[] = [];
  for (let i = 0; i < count; i++) {
    const ends = [i, i + 1].map((k) => (Math.PI * k) / count);
    const middle = (ends[0]! + ends[1]!) / 2;
    const center = [2.4 * Math.cos(middle), 2.4 * Math.sin(middle)];
    const hull = new A.btConvexHullShape();
    for (const angle of ends)
      for (const r of [inner, outer])
        for (const z of [-0.5, 0.5])
          hull.addPoint(
            new A.btVector3(r * Math.cos(angle) - center[0]!, r * Math.sin(angle) - center[1]!, z),
            true,
          );
    const body = put(A, world, hull, 1, center[0]!, center[1]!, 0);
    body.setFriction(0.9);
    bodies.push(body);
  }
  const { look, worst } = watch(bodies);
  run(world, LONG ? 60 : 5, look);
  return { ...worst };
}

beside('arch of 9 wedges', arch, (m, { sinks, drifts }) => {
  m.atMost('sinks', sinks!, 0.02, 'm');
  m.atMost('drifts', drifts!, 0.02, 'm');
});

/** Three levels of cards of 0.88 m and 20 mm, leaning against each other, with flat ones between. */
function cards(A: Ammo): Figures {
  const { world } = withFloor(A);
  const [height, half, lean] = [0.88, 0.01, 0.3];
  const card = box(A, half, height / 2, 0.3);
  const flat = box(A, height / 2, half, 0.3);
  const bodies: Ammo[] = [];
  const add = (shape: Ammo, x: number, y: number, turn: number) => {
    const rotation = [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)];
    const body = awake(addBody(A, world, shape, 0.2, { position: [x, y, 0], rotation }));
    body.setFriction(0.9);
    bodies.push(body);
  };
  // A leaning card reaches from its lower corner to its upper one.
  const rise = height * Math.cos(lean) + 2 * half * Math.sin(lean);
  const wide = height * Math.sin(lean) + 2 * half * Math.cos(lean);
  for (let level = 0; level < 3; level++) {
    const floor = level * (rise + 2 * half);
    const tents = 3 - level;
    for (let i = 0; i < tents; i++) {
      const x = (i - (tents - 1) / 2) * height;
      add(card, x - wide / 2, floor + rise / 2, -lean);
      add(card, x + wide / 2, floor + rise / 2, lean);
    }
    for (let i = 0; i < tents - 1; i++) add(flat, (i - (tents - 2) / 2) * height, floor + rise + half, 0);
  }
  const { look, worst } = watch(bodies);
  run(world, LONG ? 60 : 5, look);
  return { ...worst };
}

beside('card house of 3 levels', cards, (m, { sinks, drifts }) => {
  m.atMost('sinks', sinks!, 0.02, 'm');
  m.atMost('drifts', drifts!, 0.02, 'm');
});

// --- what bounces ---

const RESTITUTIONS = [0.3, 0.5, 0.8, 0.9, 1];
beside(
  'ball dropped 2 m: height of the rebound over e²',
  (A) =>
    Object.fromEntries(
      RESTITUTIONS.map((e) => {
        const { world, floor } = withFloor(A);
        floor.setRestitution(1);
        const ball = put(A, world, new A.btSphereShape(0.5), 1, 0, 2.5, 0);
        ball.setRestitution(e);
        let [top, bounced] = [0, false];
        run(world, 2, () => {
          if (ball.getLinearVelocity().y() > 0) bounced = true;
          if (bounced) top = Math.max(top, positionOf(ball)[1] - 0.5);
        });
        return [`e ${e}`, top / 2 / e ** 2];
      }),
    ),
  (m, figures) => {
    for (const [what, value] of Object.entries(figures)) m.near(what, value, 1, 0.01);
  },
);

beside(
  'box dropped flat, e = 0.7: height of the rebound over e², spin',
  (A) => {
    const { world, floor } = withFloor(A);
    floor.setRestitution(1);
    const body = put(A, world, box(A), 1, 0, 2.5, 0);
    body.setRestitution(0.7);
    let [top, spin, bounced] = [0, 0, false];
    run(world, 1.2, () => {
      if (body.getLinearVelocity().y() > 0) bounced = true;
      if (!bounced) return;
      top = Math.max(top, positionOf(body)[1] - 0.5);
      spin = Math.max(spin, Math.hypot(...xyz(body.getAngularVelocity())));
    });
    return { height: top / 2 / 0.49, spin };
  },
  (m, { height, spin }) => {
    m.near('height', height!, 1, 0.02);
    m.atMost('spin', spin!, 0.05, 'rad/s');
  },
);

beside(
  'cradle: 7 elastic balls that touch, struck by one',
  (A) => {
    const world = start(A, 0);
    const shape = new A.btSphereShape(0.5);
    const balls = Array.from({ length: 8 }, (_, i) => {
      const ball = put(A, world, shape, 1, i === 0 ? -2 : i, 0, 0);
      ball.setRestitution(1);
      ball.setFriction(0);
      return ball;
    });
    balls[0].setLinearVelocity(new A.btVector3(3, 0, 0));
    run(world, 2);
    const energy = balls.reduce((sum, ball) => sum + speedOf(ball) ** 2, 0) / 9;
    return { energy, 'last ball, m/s': balls[7].getLinearVelocity().x() };
  },
  (m, { energy, 'last ball, m/s': last }) => {
    m.atLeast('energy', energy!, 0.95);
    m.atMost('gain of energy', energy!, 1.01);
    m.near('last ball', last!, 3, 0.15);
  },
);

// --- what slides and rolls ---

beside(
  'slide at 10 m/s, μ = 0.5: 10.194 m',
  (A) => {
    const { world, floor } = withFloor(A);
    floor.setFriction(1);
    const body = put(A, world, box(A, 0.5, 0.1, 0.5), 1, 0, 0.1, 0);
    body.setFriction(0.5);
    run(world, 0.1); // at rest on it
    const x = positionOf(body)[0];
    body.setLinearVelocity(new A.btVector3(10, 0, 0));
    run(world, 3);
    return { m: positionOf(body)[0] - x };
  },
  (m, figures) => m.near('way', figures['m']!, 100 / 2 / 0.5 / G, 0.0204, 'm'),
);

/** A box on a plane that falls along x with tan θ = share · μ, 10 s; m along it. */
function incline(A: Ammo, share: number): number {
  const angle = Math.atan(share * 0.5);
  const world = start(A);
  const up = new A.btVector3(Math.sin(angle), Math.cos(angle), 0);
  addBody(A, world, new A.btStaticPlaneShape(up, 0), 0).setFriction(1);
  const rotation = [0, 0, Math.sin(-angle / 2), Math.cos(-angle / 2)];
  const place = { position: [0.1 * Math.sin(angle), 0.1 * Math.cos(angle), 0], rotation };
  const body = awake(addBody(A, world, box(A, 0.5, 0.1, 0.5), 1, place));
  body.setFriction(0.5);
  const before = positionOf(body);
  run(world, 10);
  const after = positionOf(body);
  return Math.hypot(...after.map((part, i) => part - before[i]!));
}

beside(
  'incline, tan θ = 0.98 μ and 1.02 μ, 10 s',
  (A) => ({ 'creeps, m': incline(A, 0.98), 'slides, m': incline(A, 1.02) }),
  (m, figures) => {
    m.atMost('creeps', figures['creeps, m']!, 1e-4, 'm');
    const angle = Math.atan(0.51);
    const truth = 0.5 * G * (Math.sin(angle) - 0.5 * Math.cos(angle)) * 100;
    m.near('slides', figures['slides, m']!, truth, 0.002 * truth, 'm');
  },
);

beside(
  'friction in 24 directions: spread of the way, turn of the heading',
  (A) => {
    const ways: number[] = [];
    let turned = 0;
    for (let i = 0; i < 24; i++) {
      const angle = (i * Math.PI) / 12;
      const { world, floor } = withFloor(A);
      floor.setFriction(1);
      const body = put(A, world, new A.btCylinderShape(new A.btVector3(0.5, 0.1, 0.5)), 1, 0, 0.1, 0);
      body.setFriction(0.5);
      run(world, 0.1);
      const from = positionOf(body);
      body.setLinearVelocity(new A.btVector3(4 * Math.cos(angle), 0, 4 * Math.sin(angle)));
      run(world, 1.2);
      const to = positionOf(body);
      const [x, z] = [to[0] - from[0], to[2] - from[2]];
      ways.push(Math.hypot(x, z));
      const off = Math.abs(Math.atan2(z, x) - angle) % (2 * Math.PI);
      turned = Math.max(turned, (Math.min(off, 2 * Math.PI - off) * 180) / Math.PI);
    }
    return { 'spread, %': (Math.max(...ways) / Math.min(...ways) - 1) * 100, 'turn, °': turned };
  },
  (m, figures) => {
    m.atMost('spread', figures['spread, %']!, 0.2, '%');
    m.atMost('turn', figures['turn, °']!, 0.05, '°');
  },
);

beside(
  'ball slides at 7 m/s, then rolls: 5 m/s',
  (A) => {
    const { world, floor } = withFloor(A);
    floor.setFriction(1);
    const ball = put(A, world, new A.btSphereShape(0.5), 1, 0, 0.5, 0);
    ball.setFriction(0.5);
    ball.setLinearVelocity(new A.btVector3(7, 0, 0));
    run(world, 2);
    return { 'm/s': ball.getLinearVelocity().x() };
  },
  (m, figures) => m.near('speed', figures['m/s']!, 5, 0.005, 'm/s'),
);

/** At 3 m/s over flat triangles without friction for 4 s, m from where it should be, and the highest bump. */
function overTriangles(A: Ammo, shape: Ammo, height: number, heading: number): [number, number] {
  const world = start(A);
  const mesh = new A.btTriangleMesh(true, false);
  const corner = (i: number, j: number) => new A.btVector3(i, 0, j);
  for (let i = -12; i < 12; i++)
    for (let j = -12; j < 12; j++) {
      mesh.addTriangle(corner(i, j), corner(i, j + 1), corner(i + 1, j), true);
      mesh.addTriangle(corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1), true);
    }
  addBody(A, world, new A.btBvhTriangleMeshShape(mesh, true, true), 0).setFriction(0);
  const body = put(A, world, shape, 1, 0.31, height, 0.17);
  body.setFriction(0);
  run(world, 0.5);
  const from = positionOf(body);
  body.setLinearVelocity(new A.btVector3(3 * Math.cos(heading), 0, 3 * Math.sin(heading)));
  let bump = 0;
  run(world, 3, () => {
    bump = Math.max(bump, Math.abs(positionOf(body)[1] - from[1]));
  });
  const to = positionOf(body);
  return [Math.abs(Math.hypot(to[0] - from[0], to[2] - from[2]) - 9), bump];
}

beside(
  'box, ball, cylinder, hull at 3 m/s over flat triangles, 9 m: error, bump',
  (A) => {
    const shapes: [() => Ammo, number][] = [
      [() => box(A), 0.5],
      [() => new A.btSphereShape(0.5), 0.5],
      [() => new A.btCylinderShape(new A.btVector3(0.5, 0.5, 0.5)), 0.5],
      [() => hullBox(A, 0.5), 0.5],
    ];
    let [error, bump] = [0, 0];
    for (const [make, height] of shapes)
      for (const heading of [0, 0.4, 2.2]) {
        const [one, other] = overTriangles(A, make(), height, heading);
        error = Math.max(error, one);
        bump = Math.max(bump, other);
      }
    return { 'error, m': error, 'bump, m': bump };
  },
  (m, figures) => {
    m.atMost('error', figures['error, m']!, 1e-3, 'm');
    m.atMost('bump', figures['bump, m']!, 1e-4, 'm');
  },
);

function hullBox(A: Ammo, half: number): Ammo {
  const hull = new A.btConvexHullShape();
  for (const x of [-half, half])
    for (const y of [-half, half])
      for (const z of [-half, half]) hull.addPoint(new A.btVector3(x, y, z), true);
  return hull;
}

// --- what spins and hangs ---

beside(
  'box of 1, 0.5, 0.1 spun at 5 rad/s about its middle axis: first flip, every flip, drift of energy',
  (A) => {
    const world = start(A, 0);
    const body = put(A, world, box(A, 1, 0.5, 0.1), 1, 0, 0, 0);
    body.setAngularVelocity(new A.btVector3(0.01, 5, 0));
    const inertia = new A.btVector3(0, 0, 0);
    body.getCollisionShape().calculateLocalInertia(1, inertia);
    const moments = xyz(inertia);
    const local = () => {
      const q = xyzw(body.getWorldTransform().getRotation());
      return turnedBack(xyz(body.getAngularVelocity()), q);
    };
    const energy = () => local().reduce((sum, w, i) => sum + moments[i]! * w * w, 0);
    const first = energy();
    let [before, drift] = [5, 0];
    const flips: number[] = [];
    run(world, 20, (step) => {
      const now = local()[1]!;
      if (now * before < 0) flips.push((step + before / (before - now)) / 60);
      before = now;
      drift = Math.max(drift, Math.abs(energy() / first - 1));
    });
    const gaps = flips.slice(1).map((at, i) => at - flips[i]!);
    const mean = gaps.length > 0 ? gaps.reduce((a, b) => a + b) / gaps.length : Infinity;
    return { 'first, s': flips[0] ?? Infinity, 'every, s': mean, 'energy, %': 100 * drift };
  },
  (m, figures) => {
    m.near('first flip', figures['first, s']!, 2.0347, 0.02, 's');
    m.near('every flip', figures['every, s']!, 4.0692, 0.02, 's');
    m.atMost('drift of energy', figures['energy, %']!, 0.1, '%');
  },
);

function turnedBack([x, y, z]: number[], [qx, qy, qz, qw]: number[]): number[] {
  const [a, b, c] = [-qx!, -qy!, -qz!];
  const [tx, ty, tz] = [2 * (b * z! - c * y!), 2 * (c * x! - a * z!), 2 * (a * y! - b * x!)];
  return [x! + qw! * tx + b * tz - c * ty, y! + qw! * ty + c * tx - a * tz, z! + qw! * tz + a * ty - b * tx];
}

beside(
  'gyroscope of 160 rad/s, 30° from upright: its tilt after 10 s',
  (A) => {
    const world = start(A);
    const tilt = Math.PI / 6;
    const [stem, radius] = [0.1, 0.1];
    const axis = [Math.sin(tilt), Math.cos(tilt), 0];
    const rotation = [0, 0, -Math.sin(tilt / 2), Math.cos(tilt / 2)];
    const place = { position: axis.map((part) => part * stem), rotation };
    const disc = new A.btCylinderShape(new A.btVector3(radius, 0.0125, radius));
    const body = awake(addBody(A, world, disc, 1, place));
    body.setAngularVelocity(new A.btVector3(160 * axis[0]!, 160 * axis[1]!, 0));
    world.addConstraint(new A.btPoint2PointConstraint(body, new A.btVector3(0, -stem, 0)));
    let [least, most] = [180, 0];
    run(world, 10, () => {
      const [x, y, z] = positionOf(body);
      const angle = (Math.atan2(Math.hypot(x, z), y) * 180) / Math.PI;
      least = Math.min(least, angle);
      most = Math.max(most, angle);
    });
    return { 'least, °': least, 'most, °': most };
  },
  (m, figures) => {
    m.near('least tilt', figures['least, °']!, 30, 1, '°');
    m.near('greatest tilt', figures['most, °']!, 30.5, 1, '°');
  },
);

beside(
  'chain of 10 links with 100 kg at its end, swinging: worst gap',
  (A) => {
    const world = start(A);
    const shape = new A.btCapsuleShape(0.05, 0.3);
    const rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const links: Ammo[] = [];
    const pivots: [Ammo, Ammo][] = [];
    for (let i = 0; i < 10; i++) {
      const position = [0.2 + 0.4 * i, 0, 0];
      const link = awake(addBody(A, world, shape, i === 9 ? 100 : 1, { position, rotation }));
      const [near, far] = [new A.btVector3(0, 0.2, 0), new A.btVector3(0, -0.2, 0)];
      if (i === 0) world.addConstraint(new A.btPoint2PointConstraint(link, near), true);
      else {
        world.addConstraint(new A.btPoint2PointConstraint(links[i - 1], link, far, near), true);
        pivots.push([links[i - 1], link]);
      }
      links.push(link);
    }
    let gap = 0;
    run(world, 5, () => {
      for (const [a, b] of pivots) gap = Math.max(gap, apart(endOf(a, [0, -0.2, 0]), endOf(b, [0, 0.2, 0])));
    });
    return { 'gap, m': gap };
  },
  (m, figures) => m.atMost('gap', figures['gap, m']!, 0.05, 'm'),
);

const apart = (a: number[], b: number[]) => Math.hypot(...a.map((part, i) => part - b[i]!));

/** A place of a body in the world. */
function endOf(body: Ammo, local: number[]): number[] {
  const [x, y, z, w] = xyzw(body.getWorldTransform().getRotation());
  const turned = turnedBack(local, [-x, -y, -z, w]);
  return positionOf(body).map((part, i) => part + turned[i]!);
}

/** Torso, head, arms and legs of capsules, on cones and hinges. */
function ragdolls(A: Ammo): Figures {
  const { world } = withFloor(A);
  const joints: [Ammo, Ammo, number[], number[]][] = [];
  for (let n = 0; n < 20; n++) {
    const at = [1.2 * (n % 5), 1.5 + 0.3 * (n % 3) + 1.5 * Math.floor(n / 10), 1.2 * (Math.floor(n / 5) % 2)];
    const part = (radius: number, length: number, mass: number, x: number, y: number) =>
      put(A, world, new A.btCapsuleShape(radius, length), mass, at[0]! + x, at[1]! + y, at[2]!);
    const torso = part(0.15, 0.3, 20, 0, 0);
    const limbs: [Ammo, number[], number[], boolean][] = [
      [part(0.1, 0.05, 4, 0, 0.5), [0, 0.35, 0], [0, -0.15, 0], false],
      [part(0.06, 0.3, 3, -0.35, 0), [-0.35, 0.2, 0], [0, 0.2, 0], false],
      [part(0.06, 0.3, 3, 0.35, 0), [0.35, 0.2, 0], [0, 0.2, 0], false],
      [part(0.08, 0.3, 6, -0.12, -0.6), [-0.12, -0.35, 0], [0, 0.25, 0], true],
      [part(0.08, 0.3, 6, 0.12, -0.6), [0.12, -0.35, 0], [0, 0.25, 0], true],
    ];
    for (const [limb, a, b, isHinge] of limbs) {
      const frames = [a, b].map((position) => transformOf(A, { position }));
      const joint = new A[isHinge ? 'btHingeConstraint' : 'btConeTwistConstraint'](torso, limb, ...frames);
      limitLimb(joint, isHinge);
      world.addConstraint(joint, true);
      joints.push([torso, limb, a, b]);
    }
  }
  let [worst, sum, count] = [0, 0, 0];
  run(world, LONG ? 10 : 4, () => {
    for (const [a, b, inA, inB] of joints) {
      const gap = apart(endOf(a, inA), endOf(b, inB));
      worst = Math.max(worst, gap);
      sum += gap;
      count++;
    }
  });
  return { 'worst gap, mm': 1000 * worst, 'mean gap, mm': (1000 * sum) / count };
}

beside('20 ragdolls fall on each other', ragdolls, (m, figures) => {
  m.atMost('worst gap', figures['worst gap, mm']!, 3, 'mm');
  m.atMost('mean gap', figures['mean gap, mm']!, 0.2, 'mm');
});

// --- what is fast ---

beside(
  'shots at a static wall of 1 cm, 10 to 1000 m/s, without thresholds: through',
  (A) => {
    let [through, state] = [0, 7];
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
    const count = LONG ? 400 : 60;
    for (let i = 0; i < count; i++) {
      const world = start(A, 0);
      addBody(A, world, box(A, 0.005, 5, 5), 0);
      const size = 0.05 + 0.2 * random();
      const shapes = [
        () => new A.btSphereShape(size),
        () => box(A, size),
        () => new A.btCapsuleShape(size, 2 * size),
        () => new A.btConeShape(size, 2 * size),
        () => hullBox(A, size),
      ];
      const body = put(A, world, shapes[i % shapes.length]!(), 1, -3, random() - 0.5, random() - 0.5);
      const speed = 10 * 100 ** random();
      body.setLinearVelocity(new A.btVector3(speed, 0, 0));
      run(world, 3.5 / speed + 0.1);
      if (positionOf(body)[0] > 0) through++;
      for (const gone of [body, world]) A.destroy(gone);
    }
    return { 'through, %': (100 * through) / count };
  },
  (m, figures) => m.equal('through', figures['through, %']!, 0),
);

// --- margins ---

beside(
  'height over the ground of what rests with its default margin, cones and hulls of 2 cm to 50 m: worst error, %',
  (A) => {
    let worst = 0;
    for (const size of [0.01, 0.025, 0.1, 0.5, 2, 10, 25])
      for (const kind of ['hull', 'cone', 'mesh'] as const) {
        const { world } = withFloor(A);
        const shape =
          kind === 'cone'
            ? new A.btConeShape(size, 2 * size)
            : kind === 'hull'
              ? hullBox(A, size)
              : convexMesh(A, size);
        const body = put(A, world, shape, size ** 3, 0, size * 1.05, 0);
        run(world, size > 5 ? 4 : 2);
        worst = Math.max(worst, Math.abs(positionOf(body)[1] / size - 1));
      }
    return { '%': 100 * worst };
  },
  (m, figures) => m.atMost('error', figures['%']!, 2, '%'),
);

function convexMesh(A: Ammo, half: number): Ammo {
  const mesh = new A.btTriangleMesh(true, false);
  const corner = (i: number) =>
    new A.btVector3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
  for (const [a, b, c, d] of [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ] as const) {
    mesh.addTriangle(corner(a), corner(b), corner(c), true);
    mesh.addTriangle(corner(a), corner(c), corner(d), true);
  }
  return new A.btConvexTriangleMeshShape(mesh, true);
}
