// Ropes and springs, which lock nothing: between bodies of a machine and what hangs on it, in chains, in nets. Truth: a rope does not
// stretch; a spring bears its load at the length that its law gives, whatever the rate and the masses between which it acts; what
// nothing drives gains no energy.
import { type Joint, type RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import type { Vec3 } from './support/vector';
import { createWorld, DT, G, position } from './support/world';

const RATES = [30, 60, 144];

function part(world: World, mass: number, place: Vec3, halfExtents: Vec3): RigidBody {
  return world.createBody({ mass, position: place, mask: 0, shape: { type: 'box', halfExtents } });
}

/** A load on a rope of 3 m at the end of a boom of 20 kg, whose hinge gives way by so many radians; returns the rope. */
function crane(world: World, mass: number, play: number): Joint {
  const boom = part(world, 20, [2, 5, 0], [2, 0.1, 0.1]);
  const bearing = { anchor: [0, 5, 0], axis: [0, 0, 1] } as const;
  world.createJoint({ type: 'hinge', bodyB: boom, ...bearing, angle: { low: -play, high: play } });
  const load = part(world, mass, [4, 2, 0], [0.3, 0.3, 0.3]);
  const frameA = { position: [2, 0, 0] } as const;
  return world.createJoint({
    type: 'distance',
    bodyA: boom,
    bodyB: load,
    frameA,
    distance: { low: 0, high: 3 },
  });
}

row('a rope with up to 10 t on a boom of 20 kg does not stretch', (m) => {
  for (const hertz of RATES)
    for (const mass of [100, 1000, 10000]) {
      const world = createWorld();
      const rope = crane(world, mass, 0.01);
      let most = 0;
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        if (i > hertz) most = Math.max(most, rope.getPosition('distance'));
      }
      m.near(`length, ${mass} kg, ${hertz} Hz`, 1000 * most, 3000, 1, 'mm');
      world.dispose();
    }
});

// Two arms of 6 and 5 kg on the chassis, an upright with the load, a spring from the chassis to the lower arm.
row('the spring of a wishbone of 6 kg bears 300 kg as its law says', (m) => {
  for (const chassis of [false, true])
    for (const hertz of RATES) {
      const world = createWorld();
      const frame = chassis ? part(world, 5000, [-1, 0.5, 0], [0.8, 0.4, 0.4]) : undefined;
      if (frame) world.createJoint({ type: 'fixed', bodyB: frame, anchor: [-1, 0.5, 0] });
      const low = part(world, 6, [0.175, 0.25, 0], [0.15, 0.02, 0.15]);
      const high = part(world, 5, [0.175, 0.5, 0], [0.15, 0.02, 0.12]);
      const upright = part(world, 300, [0.35, 0.375, 0], [0.05, 0.1, 0.05]);
      const hinge = (bodyA: RigidBody | undefined, bodyB: RigidBody, anchor: Vec3) =>
        world.createJoint({ type: 'hinge', bodyA, bodyB, anchor, axis: [0, 0, 1], angle: {} });
      hinge(frame, low, [0, 0.25, 0]);
      hinge(frame, high, [0, 0.5, 0]);
      hinge(low, upright, [0.35, 0.25, 0]);
      hinge(high, upright, [0.35, 0.5, 0]);
      const spring = world.createJoint({
        type: 'distance',
        bodyA: frame,
        bodyB: low,
        frameA: { position: frame ? [1.2, 0.25, 0] : [0.2, 0.75, 0] },
        frameB: { position: [0.05, 0, 0] },
        distance: { spring: { stiffness: 60000, damping: 4000, target: 0.45 } },
      });
      let [least, most] = [9, -9];
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        if (i < 4 * hertz) continue;
        least = Math.min(least, position(upright)[1]);
        most = Math.max(most, position(upright)[1]);
      }
      const on = chassis ? 'a chassis' : 'the world';
      const law = 60000 * (0.45 - spring.getPosition('distance'));
      m.near(`force, on ${on}, ${hertz} Hz`, spring.getAxisImpulse('distance') * hertz, law, 20, 'N');
      m.near(`height, on ${on}, ${hertz} Hz`, 1000 * least, 331.9, 1, 'mm');
      m.atMost(`shakes, on ${on}, ${hertz} Hz`, 1000 * (most - least), 0.5, 'mm');
      world.dispose();
    }
});

interface Hung {
  load: number;
  angle?: number;
  spring?: number;
  isRod?: boolean;
  /** m. From the centres of boxes to where they hang; without it they are balls. */
  arm?: number;
}

/** Balls or boxes of 0.1 kg on a string that begins in the world, with the load at its end, at rest; of springs, straight down and as long as they are then. */
function hang(world: World, links: number, { load, angle = 0, spring, isRod, arm = 0 }: Hung) {
  const joints: Joint[] = [];
  const bodies: RigidBody[] = [];
  let length = 0;
  for (let i = 1; i <= links; i++) {
    length += 0.2 + (i > 1 ? 2 * arm : arm) + (spring ? ((load + 0.1 * (links - i)) * G) / spring : 0);
    const mass = i === links ? load : 0.1;
    const place: Vec3 = [length * Math.sin(angle), -length * Math.cos(angle), 0];
    const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] as const;
    const ball = { type: 'sphere', radius: 0.03 } as const;
    const shape = arm ? ({ type: 'box', halfExtents: [arm, arm, arm] } as const) : ball;
    bodies.push(world.createBody({ mass, position: place, rotation, mask: 0, shape }));
    const distance = spring
      ? { spring: { stiffness: spring, damping: spring / 100, target: 0.2 } }
      : { low: isRod ? 0.2 : 0, high: 0.2 };
    const frameA = { position: [0, i > 1 ? -arm : 0, 0] } as const; // of the world, or of the body above
    const frameB = { position: [0, arm, 0] } as const;
    const [bodyA, bodyB] = [bodies[i - 2], bodies[i - 1]];
    joints.push(world.createJoint({ type: 'distance', bodyA, bodyB, frameA, frameB, distance }));
  }
  return { joints, bodies, length, end: bodies[links - 1]! };
}

row('a chain of ropes or springs bears up to a thousand times the weight of its balls', (m) => {
  for (const hertz of RATES)
    for (const links of [2, 10, 40, 64])
      for (const load of [1, 10, 100]) {
        const world = createWorld();
        const ropes = hang(world, links, { load });
        const springs = hang(world, links, { load, spring: 50000 });
        let low = 0;
        let away = 0;
        for (let i = 0; i < 3 * hertz; i++) {
          world.step(1 / hertz);
          low = Math.min(low, position(ropes.end)[1]);
          away = Math.max(away, Math.abs(position(springs.end)[1] + springs.length));
        }
        const what = `${links} links, ${load} kg, ${hertz} Hz`;
        m.near(`length of ropes, ${what}`, -1000 * low, 200 * links, 1, 'mm');
        const share = away / (springs.length - 0.2 * links);
        m.atMost(`springs leave their balance, of their extension, ${what}`, 100 * share, 2, '%');
        world.dispose();
      }
});

row('a load that swings on a string of ropes keeps its energy, and the string its length', (m) => {
  for (const load of [10, 200])
    for (const hertz of RATES)
      for (const links of [4, 16]) {
        const world = createWorld();
        const { bodies, joints } = hang(world, links, { load, angle: 1 });
        const energy = () =>
          bodies.reduce((sum, body, i) => {
            const [x, y, z] = body.getLinearVelocity();
            const mass = i === links - 1 ? load : 0.1;
            return sum + mass * (0.5 * (x * x + y * y + z * z) + G * position(body)[1]);
          }, 0);
        const start = energy();
        let most = start;
        let longest = 0;
        let fastest = 0;
        for (let i = 0; i < 5 * hertz; i++) {
          world.step(1 / hertz);
          most = Math.max(most, energy());
          let length = 0;
          for (const joint of joints) length += joint.getPosition('distance');
          longest = Math.max(longest, length);
          for (const body of bodies) fastest = Math.max(fastest, Math.hypot(...body.getLinearVelocity()));
        }
        const what = `${load} kg on ${links} links, ${hertz} Hz`;
        const depth = 0.2 * links * (1 - Math.cos(1));
        m.atMost(`gain of the depth, ${what}`, ((most - start) / (load * G * depth)) * 100, 1.5, '%');
        m.atMost(`longest, ${what}`, 1000 * (longest - 0.2 * links), 2, 'mm');
        m.atMost(`fastest, of the load's speed, ${what}`, fastest / Math.sqrt(2 * G * depth), 1.05, 'times');
        world.dispose();
      }
});

row('a load that swings on rods, or on boxes that hang by their faces, does not tear them apart', (m) => {
  for (const hertz of RATES)
    for (const isRod of [false, true])
      for (const [links, load, arm] of [
        [4, 2000, 0.05],
        [4, 200, 0.02],
        [8, 500, 0.05],
        [3, 100, 0.3],
        [4, 200, 0.1],
        [4, 200, 0],
        [12, 2000, 0],
        [20, 200, 0],
      ] as const) {
        const world = createWorld();
        const { bodies, joints, end, length } = hang(world, links, { load, angle: 1, isRod, arm });
        let worst = 0;
        let fastest = 0;
        for (let i = 0; i < 8 * hertz; i++) {
          world.step(1 / hertz);
          for (const joint of joints) {
            const longer = joint.getPosition('distance') - 0.2;
            worst = Math.max(worst, isRod ? Math.abs(longer) : longer);
          }
          for (const body of bodies) fastest = Math.max(fastest, Math.hypot(...body.getLinearVelocity()));
        }
        const string = isRod ? 'rods' : 'ropes';
        const what = `${load} kg on ${links} ${string}, arms of ${arm} m, ${hertz} Hz`;
        const most = Math.sqrt(2 * G * length * (1 - Math.cos(1)));
        m.atMost(`longest, ${what}`, 1000 * worst, 2, 'mm');
        m.near(`fastest, of the load's speed, ${what}`, fastest / most, 1, 0.03, 'times');
        m.near(`depth at last, ${what}`, Math.hypot(...position(end)) / length, 1, 0.02, 'lengths');
        world.dispose();
      }
});

// A plank of 10 kg hangs by a line at its end, and 100 kg by another line at its lower end: a pendulum.
row('what hangs on short lines swings as on ball joints', (m) => {
  const [angle, arm] = [0.5, 0.5];
  const swing = (hertz: number, line: number, joint: 'rope' | 'rod' | 'ball joint') => {
    const world = createWorld();
    const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] as const;
    const body = (mass: number, depth: number, halfExtents: Vec3) => {
      const place: Vec3 = [depth * Math.sin(angle), -depth * Math.cos(angle), 0];
      return world.createBody({
        mass,
        position: place,
        rotation,
        mask: 0,
        shape: { type: 'box', halfExtents },
      });
    };
    const plank = body(10, line + arm, [0.05, arm, 0.05]);
    const load = body(100, 2 * (line + arm) + 0.1, [0.1, 0.1, 0.1]);
    const join = (bodyA: RigidBody | undefined, bodyB: RigidBody, [yA, yB]: [number, number]) => {
      const frames = { frameA: { position: [0, yA, 0] }, frameB: { position: [0, yB, 0] } } as const;
      if (joint === 'ball joint') world.createJoint({ type: 'point', bodyA, bodyB, ...frames });
      else {
        const distance = { low: joint === 'rod' ? line : 0, high: line };
        world.createJoint({ type: 'distance', bodyA, bodyB, ...frames, distance });
      }
    };
    join(undefined, plank, [0, arm]);
    join(plank, load, [-arm, 0.1]);
    const crossings: number[] = [];
    let before = 1;
    let widest = 0;
    for (let i = 1; i <= 8 * hertz; i++) {
      world.step(1 / hertz);
      const [x] = position(load);
      if (x < 0 !== before < 0) crossings.push((i - x / (x - before)) / hertz);
      if (i > 6 * hertz) widest = Math.max(widest, Math.abs(x));
      before = x;
    }
    world.dispose();
    const time = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1);
    return { time, width: widest / ((2 * (line + arm) + 0.1) * Math.sin(angle)) };
  };
  for (const hertz of RATES) {
    const truth = swing(hertz, 0, 'ball joint');
    for (const joint of ['rope', 'rod'] as const)
      for (const line of [0.01, 0.001, 0.0001]) {
        const { time, width } = swing(hertz, line, joint);
        const what = `${joint} of ${1000 * line} mm, ${hertz} Hz`;
        m.near(`half a period, ${what}`, time / truth.time, 1, 0.012, 'of that on ball joints');
        m.near(`width after 6 s, ${what}`, width, 1, 0.05);
      }
  }
});

// Springs that substeps cannot resolve: 4 kN/m between balls of 50 g turn by 1.9 radians per substep at 60 Hz, in a net by up to four.
row('nets of stiff undamped springs gain no energy', (m) => {
  for (const stiffness of [4000, 16000, 40000])
    for (const hertz of [30, 60])
      for (const velocity of [
        [0, 10, 0],
        [7, 0, 7],
      ] as Vec3[]) {
        const world = createWorld({ gravity: [0, 0, 0] });
        const { energy, middle } = net(world, { side: 15, mass: 0.05, stiffness });
        middle.setLinearVelocity(velocity);
        const start = energy();
        let most = start;
        for (let i = 0; i < 2 * hertz; i++) {
          world.step(1 / hertz);
          most = Math.max(most, energy());
        }
        const way = velocity[1] > 0 ? 'across' : 'along';
        m.atMost(`most energy, ${stiffness} N/m, hit ${way} it, ${hertz} Hz`, most / start, 1.02);
        world.dispose();
      }
});

/** Balls in a square, 0.2 m apart, on springs to their neighbours; the outermost do not move. */
function net(world: World, { side, mass, stiffness }: { side: number; mass: number; stiffness: number }) {
  const balls: RigidBody[] = [];
  const joints: Joint[] = [];
  const isFixed = (i: number, k: number) => i % (side - 1) === 0 || k % (side - 1) === 0;
  for (let i = 0; i < side; i++)
    for (let k = 0; k < side; k++) {
      const place: Vec3 = [0.2 * i, 0, 0.2 * k];
      const fixed = isFixed(i, k);
      const shape = { type: 'sphere', radius: 0.03 } as const;
      const type = fixed ? 'static' : 'dynamic';
      balls.push(world.createBody({ type, mass: fixed ? undefined : mass, position: place, mask: 0, shape }));
      for (const [di, dk] of [
        [1, 0],
        [0, 1],
      ] as const) {
        if (i < di || k < dk || (fixed && isFixed(i - di, k - dk))) continue;
        const bodyA = balls[(i - di) * side + k - dk]!;
        const distance = { spring: { stiffness, damping: 0, target: 0.2 } };
        joints.push(world.createJoint({ type: 'distance', bodyA, bodyB: balls.at(-1), distance }));
      }
    }
  const energy = () => {
    let sum = 0;
    for (const ball of balls) {
      const [x, y, z] = ball.getLinearVelocity();
      if (ball.type === 'dynamic') sum += 0.5 * mass * (x * x + y * y + z * z);
    }
    for (const joint of joints) sum += 0.5 * stiffness * (joint.getPosition('distance') - 0.2) ** 2;
    return sum;
  };
  return { energy, middle: balls[(balls.length - 1) / 2]! };
}

row('a net of stiff springs changes nothing elsewhere', (m) => {
  const worlds = [false, true].map((isBeside) => {
    const world = createWorld();
    const { end } = hang(world, 8, { load: 0.1, angle: 1 });
    if (isBeside) net(world, { side: 5, mass: 0.05, stiffness: 40000 }).middle.setLinearVelocity([0, 5, 0]);
    return { world, end };
  });
  let most = 0;
  for (let i = 0; i < 120; i++) {
    const [alone, beside] = worlds.map(({ world, end }) => {
      world.step(DT);
      return position(end);
    });
    for (let k = 0; k < 3; k++) most = Math.max(most, Math.abs(alone![k]! - beside![k]!));
  }
  m.near('a string of ropes is elsewhere by', 1000 * most, 0, 0, 'mm');
  for (const { world } of worlds) world.dispose();
});

// What decides whether a rope is solved with others changes while the world runs: a rope is made soft, a ball heavy.
row('a string whose ropes become soft, or its end heavy, goes on as its restored copy does', (m) => {
  for (const change of ['soft', 'heavy', 'light', 'off'] as const) {
    const world = createWorld();
    const { joints, end } = hang(world, 6, { load: change === 'heavy' ? 0.1 : 10, angle: 0.5 });
    for (let i = 0; i < 30; i++) world.step(DT);
    if (change === 'soft') joints[2]!.setSoftness(5, 0.5);
    if (change === 'heavy') end.setMass(10);
    if (change === 'light') end.setMass(0.1);
    if (change === 'off') joints[5]!.setEnabled(false);
    for (let i = 0; i < 5; i++) world.step(DT);
    const copy = World.restore(world.snapshot());
    for (let i = 0; i < 60; i++) {
      world.step(DT);
      copy.step(DT);
    }
    m.atMost(`difference, ${change}`, world.stateHash() === copy.stateHash() ? 0 : 1, 0);
    world.dispose();
    copy.dispose();
  }
});

// An arm of six links of 5 kg with servos, 500 kg at its end, and more axes of springs at its links than can be solved with it.
row('an arm with 500 kg keeps its servos, whatever number of springs its links bear', (m) => {
  for (const springs of [4, 5, 6]) {
    const world = createWorld();
    const links: RigidBody[] = [];
    for (let i = 0; i < 6; i++) {
      const link = part(world, 5, [0.5 * i + 0.25, 5, 0], [0.25, 0.05, 0.05]);
      world.createJoint({
        type: 'hinge',
        bodyA: links[i - 1],
        bodyB: link,
        anchor: [0.5 * i, 5, 0],
        axis: [0, 0, 1],
        angle: { low: -1, high: 1, servo: { target: 0, maxVelocity: 2, maxForce: 1e5 } },
      });
      links.push(link);
    }
    const load = part(world, 500, [3, 4, 0], [0.3, 0.3, 0.3]);
    world.createJoint({ type: 'point', bodyA: links[5], bodyB: load, anchor: [3, 5, 0] });
    const spring = { spring: { stiffness: 100, damping: 1 } };
    for (let i = 0; i < springs; i++) {
      const body = part(world, 1, [0.5 * i, 3, 0], [0.1, 0.1, 0.1]);
      world.createJoint({
        type: 'generic',
        bodyA: links[i],
        bodyB: body,
        anchor: position(body),
        ...{ x: spring, y: spring, z: spring, angleX: spring, angleY: spring, angleZ: spring },
      });
    }
    let sag = 0;
    for (let i = 0; i < 120; i++) {
      world.step(1 / 60);
      for (const link of links) sag = Math.max(sag, Math.abs(position(link)[1] - 5));
    }
    m.atMost(`sags, ${springs} springs of six axes`, 1000 * sag, 0.1, 'mm');
    world.dispose();
  }
});

row('a rope that becomes soft or stiff goes on as in a restored world', (m) => {
  for (const [before, after] of [
    [0, 2],
    [2, 0],
  ] as const) {
    const world = createWorld();
    const rope = crane(world, 100, 0.2);
    rope.setSoftness(before);
    for (let i = 0; i < 30; i++) world.step(1 / 60);
    rope.setSoftness(after);
    world.step(1 / 60);
    const copy = World.restore(world.snapshot());
    let different = 0;
    for (let i = 0; i < 30; i++) {
      world.step(1 / 60);
      copy.step(1 / 60);
      if (world.stateHash() !== copy.stateHash()) different++;
    }
    m.near(`different steps, ${before} to ${after} Hz`, different, 0, 0);
    world.dispose();
    copy.dispose();
  }
});

// Ten cranks of 1 kg between a bar that is fixed and one of 200 kg, which swings on a circle of 1 m.
row('cranks of a linkage hold as closely with a spring beside each hinge', (m) => {
  for (const hertz of RATES) {
    const world = createWorld();
    const bar = part(world, 5, [0, 2, 0], [2, 0.05, 0.5]);
    const low = part(world, 200, [0, 1, 0], [2, 0.05, 0.5]);
    world.createJoint({ type: 'fixed', bodyB: bar, anchor: [0, 2, 0] });
    for (let i = 0; i < 10; i++) {
      const x = -1.8 + 0.4 * i;
      const crank = part(world, 1, [x, 1.5, 0], [0.03, 0.5, 0.03]);
      const common = { type: 'hinge', bodyB: crank, axis: [0, 0, 1], angle: {} } as const;
      world.createJoint({ ...common, bodyA: bar, anchor: [x, 2, 0] });
      world.createJoint({ ...common, bodyA: low, anchor: [x, 1, 0] });
      world.createJoint({
        type: 'distance',
        bodyA: bar,
        bodyB: crank,
        frameA: { position: [x + 0.3, 0, 0] },
        distance: { spring: { stiffness: 50, damping: 1, target: 0.58 } },
      });
    }
    low.applyCentralImpulse([400, 0, 0]);
    let gap = 0;
    for (let i = 0; i < 3 * hertz; i++) {
      world.step(1 / hertz);
      const [x, y] = position(low);
      gap = Math.max(gap, Math.abs(Math.hypot(x, y - 2) - 1));
    }
    m.atMost(`gap, ${hertz} Hz`, 1000 * gap, 0.1, 'mm');
    world.dispose();
  }
});

// Four ropes of 0.2 m to a ball in the middle and beyond it, from a wall to a hand that walks away, to where they are taut and a
// little farther. Truth: there is no solution, so impulses and speeds must stay small.
row('ropes between a wall and a hand that goes too far throw nothing that hangs on them', (m) => {
  for (const links of [4, 10])
    for (const bead of [1, 10, 50])
      for (const past of [0, 0.01, 0.1]) {
        const world = createWorld();
        const { end, bodies } = line(world, { links, bead });
        const reach = 0.2 * links * (1 + past);
        let fastest = 0;
        let most = 0;
        for (let i = 0; i < 600; i++) {
          const at = Math.min(reach, position(end)[0] + 0.5 / 60);
          end.setKinematicTarget([at, 0, 0]);
          world.step(DT);
          for (const body of bodies) fastest = Math.max(fastest, Math.hypot(...body.getLinearVelocity()));
          for (const joint of world.joints()) most = Math.max(most, Math.hypot(...joint.getAppliedImpulse()));
        }
        const what = `${links} links, ${bead} kg, ${100 * past} % too far`;
        m.atMost(`fastest, ${what}`, fastest, 10, 'm/s');
        m.atMost(`impulse, ${what}`, most, 50, 'N·s');
        world.dispose();
      }
});

/** Balls of 0.1 kg on ropes from the world to a kinematic body, slack at first; the one in the middle has another mass. */
function line(world: World, { links, bead }: { links: number; bead: number }) {
  const bodies: RigidBody[] = [];
  for (let i = 1; i <= links; i++) {
    const isHand = i === links;
    bodies.push(
      world.createBody({
        type: isHand ? 'kinematic' : 'dynamic',
        mass: isHand ? undefined : i === links >> 1 ? bead : 0.1,
        position: [0.18 * i, 0, 0],
        mask: 0,
        shape: { type: 'sphere', radius: 0.03 },
      }),
    );
    world.createJoint({
      type: 'distance',
      bodyA: bodies[i - 2],
      bodyB: bodies[i - 1],
      frameA: { position: [0, 0, 0] },
      distance: { low: 0, high: 0.2 },
    });
  }
  return { bodies, end: bodies[links - 1]! };
}
