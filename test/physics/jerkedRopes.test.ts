// Strings of light bodies on ropes or rods with a heavy load, when they are thrown, hit, jerked, or joined to machines. Truth: nothing but
// a winch or a blow gives energy; a rope does not stretch, and does not hold what passes through its other end.
import { type Joint, type RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import type { Vec3 } from './support/vector';
import { createWorld, G, position } from './support/world';

interface Text {
  links: number;
  load: number;
  /** m. From the centres of boxes to where they hang; without it they are balls. */
  arm?: number;
  isRod?: boolean;
  /** m. Anchors are so far beside the middle of the faces. */
  askew?: number;
  /** Every other joint is a ball joint. */
  alternates?: boolean;
  top?: RigidBody;
}

/** Bodies of 0.1 kg that hang straight down, 0.2 m between their anchors, the last one with the load. */
function hang(world: World, { links, load, arm = 0, isRod, askew = 0, alternates, top }: Text) {
  const bodies: RigidBody[] = [];
  const lines: Joint[] = [];
  let depth = 0;
  for (let i = 1; i <= links; i++) {
    const isBall = alternates && i % 2 === 1;
    depth += (isBall ? 0 : 0.2) + (i > 1 ? 2 * arm : arm);
    const last = i === links;
    bodies.push(
      world.createBody({
        mass: last ? load : 0.1,
        position: [0, -depth, 0],
        group: 2,
        mask: last ? 0 : 4,
        shape: arm ? { type: 'box', halfExtents: [arm, arm, arm] } : { type: 'sphere', radius: 0.03 },
      }),
    );
    const ends = {
      bodyA: i > 1 ? bodies[i - 2] : top,
      bodyB: bodies[i - 1]!,
      frameA: { position: [i > 1 ? askew : 0, i > 1 ? -arm : 0, 0] },
      frameB: { position: [askew, arm, 0] },
    } as const;
    if (isBall) world.createJoint({ type: 'point', ...ends });
    else
      lines.push(
        world.createJoint({ type: 'distance', ...ends, distance: { low: isRod ? 0.2 : 0, high: 0.2 } }),
      );
  }
  return { bodies, lines, end: bodies[links - 1]! };
}

const named = ({ load, arm = 0, isRod, askew, alternates }: Text) =>
  `${load} kg on ${alternates ? 'ball joints and ' : ''}${isRod ? 'rods' : 'ropes'}, ${arm ? `arms of ${arm} m` : 'balls'}${askew ? ', askew' : ''}`;

/** Numbers from −1 to 1. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x40000000 - 1;
  };
}

row('strings whose links are thrown in all directions gain no energy', (m) => {
  for (const hertz of [30, 60, 144])
    for (const isRod of [false, true])
      for (const [load, arm] of [
        [20, 0],
        [20, 0.05],
        [200, 0],
        [200, 0.05],
      ] as const) {
        if (load === 200 && !isRod && hertz < (arm ? 144 : 60)) continue; // what is left: README
        let [gain, longest] = [-Infinity, 0];
        for (let seed = 1; seed <= 5; seed++) {
          const world = createWorld();
          const { bodies, lines, end } = hang(world, { links: 2 + seed, load, arm, isRod });
          const next = random(seed);
          for (const body of bodies) body.setLinearVelocity([20 * next(), 20 * next(), 20 * next()]);
          end.setLinearVelocity([0, 3, 0]);
          const energy = () =>
            bodies.reduce((sum, body) => {
              const [x, y, z] = body.getLinearVelocity();
              return (
                sum + (body === end ? load : 0.1) * (0.5 * (x * x + y * y + z * z) + G * position(body)[1])
              );
            }, 0);
          const start = energy();
          for (let i = 0; i < 5 * hertz; i++) {
            world.step(1 / hertz);
            gain = Math.max(gain, energy() - start);
            for (const line of lines) longest = Math.max(longest, line.getPosition('distance') - 0.2);
          }
          world.dispose();
        }
        const what = `${named({ links: 7, load, arm, isRod })}, ${hertz} Hz`;
        m.atMost(`gain, ${what}`, gain, 0.5 * load, 'J');
        m.atMost(`longest, ${what}`, 1000 * longest, 5400 / hertz, 'mm');
      }
});

row('strings that a winch jerks, or that heavy balls hit, stay together', (m) => {
  for (const way of ['winch', 'hit'] as const)
    for (const hertz of [30, 60])
      for (const text of [
        { load: 20 },
        { load: 200 },
        { load: 20, arm: 0.05 },
        { load: 20, arm: 0.05, askew: 0.03 },
        { load: 20, arm: 0.05, isRod: true },
        { load: 200, arm: 0.05, isRod: true },
        { load: 20, arm: 0.05, alternates: true },
        { load: 200, arm: 0.05, alternates: true },
      ]) {
        if (text.load === 200 && text.arm && hertz === 30) continue; // what is left: README
        const world = createWorld();
        const shape = { type: 'sphere', radius: 0.1 } as const;
        const top = world.createBody({ type: 'kinematic', mask: 0, shape });
        const { bodies, lines } = hang(world, { links: 7, top, ...text });
        for (let i = 0; way === 'hit' && i < 5; i++)
          world
            .createBody({
              mass: 2,
              position: [-2 - 0.5 * i, -0.5 - 0.15 * i, 0],
              group: 4,
              mask: 2,
              gravityScale: 0,
              shape,
            })
            .setLinearVelocity([15, 0, 0]);
        let [longest, fastest] = [0, 0];
        for (let i = 0; i < 5 * hertz; i++) {
          const phase = ((2 * i) / hertz) % 2; // up and down by 1 m at 2 m/s
          if (way === 'winch') top.setKinematicTarget([0, phase < 1 ? phase : 2 - phase, 0]);
          world.step(1 / hertz);
          for (const line of lines) longest = Math.max(longest, line.getPosition('distance') - 0.2);
          for (const body of bodies) fastest = Math.max(fastest, Math.hypot(...body.getLinearVelocity()));
        }
        const what = `${way}, ${named({ links: 7, ...text })}, ${hertz} Hz`;
        m.atMost(`longest, ${what}`, 1000 * longest, 7200 / hertz, 'mm');
        m.atMost(`fastest, ${what}`, fastest, 45, 'm/s');
        world.dispose();
      }
});

/** A boom of 20 kg, a rope of 2.9 m, a hook, and a load on a joint of the hook. */
function crane(world: World, hook: number, load: number, type: 'point' | 'hinge') {
  const part = (mass: number, place: Vec3, half: number) =>
    world.createBody({
      mass,
      position: place,
      mask: 0,
      shape: { type: 'box', halfExtents: [half, half, half] },
    });
  const boom = part(20, [2, 5, 0], 0.3);
  const axis = [0, 0, 1] as const;
  world.createJoint({
    type: 'hinge',
    bodyB: boom,
    anchor: [0, 5, 0],
    axis,
    angle: { low: -0.01, high: 0.01 },
  });
  const [bodyA, bodyB] = [part(hook, [4, 2, 0], 0.1), part(load, [4, 1.4, 0], 0.4)];
  const rope = world.createJoint({
    type: 'distance',
    bodyA: boom,
    bodyB: bodyA,
    frameA: { position: [2, 0, 0] },
    frameB: { position: [0, 0.1, 0] },
    distance: { low: 0, high: 2.9 },
  });
  const ends = { bodyA, bodyB, anchor: [4, 1.85, 0] } as const;
  world.createJoint(type === 'hinge' ? { type, ...ends, axis } : { type, ...ends });
  return { boom, rope, load: bodyB };
}

row('the rope of a crane whose load hangs on a joint of the hook does not stretch', (m) => {
  for (const hertz of [30, 60, 144])
    for (const type of ['point', 'hinge'] as const)
      for (const [hook, mass] of [
        [5, 100],
        [5, 1000],
        [20, 1000],
      ] as const) {
        const world = createWorld();
        const { rope, load } = crane(world, hook, mass, type);
        load.setLinearVelocity([0, 0, 1]);
        let longest = 0;
        for (let i = 0; i < 5 * hertz; i++) {
          world.step(1 / hertz);
          longest = Math.max(longest, rope.getPosition('distance') - 2.9);
        }
        m.atMost(`longest, ${mass} kg on a ${type} of ${hook} kg, ${hertz} Hz`, 1000 * longest, 4, 'mm');
        world.dispose();
      }
});

// What joins two structures may change while the world runs.
row('a crane whose rope or masses change goes on as its restored copy does', (m) => {
  for (const change of ['nothing', 'rope off', 'rope soft', 'light', 'heavy', 'gone'] as const) {
    const world = createWorld();
    const { rope, load } = crane(world, 5, change === 'heavy' ? 5 : 500, 'hinge');
    load.setLinearVelocity([0, 0, 1]);
    for (let i = 0; i < 30; i++) world.step(1 / 60);
    if (change === 'rope off') rope.setEnabled(false);
    if (change === 'rope soft') rope.setSoftness(5, 0.5);
    if (change === 'light') load.setMass(5);
    if (change === 'heavy') load.setMass(500);
    if (change === 'gone') load.remove();
    for (let i = 0; i < 5; i++) world.step(1 / 60);
    const copy = World.restore(world.snapshot());
    let different = 0;
    for (let i = 0; i < 60; i++) {
      world.step(1 / 60);
      copy.step(1 / 60);
      if (world.stateHash() !== copy.stateHash()) different++;
    }
    m.near(`different steps, ${change}`, different, 0, 0);
    world.dispose();
    copy.dispose();
  }
});

row('what is thrown through the other end of its rope goes on', (m) => {
  for (const hertz of [30, 60, 144])
    for (const [links, beside] of [
      [1, 0],
      [1, 1e-4],
      [2, 0],
    ] as const) {
      const world = createWorld({ gravity: [0, 0, 0] });
      const { bodies } = hang(world, { links, load: 2 });
      const ball = bodies.at(-1)!;
      for (const body of bodies) body.setPosition([beside, position(body)[1] + 0.1, 0]);
      ball.setLinearVelocity([0, 2, 0]);
      let slowest = 2;
      for (let i = 1; i < 0.12 * hertz; i++) {
        world.step(1 / hertz);
        slowest = Math.min(slowest, ball.getLinearVelocity()[1]);
      }
      m.near(`slowest of 2 m/s, ${links} ropes, ${beside} m beside, ${hertz} Hz`, slowest, 2, 1e-3, 'm/s');
      world.dispose();
    }
});
