// Sleep is only saved work: whatever happens to a world that sleeps ends as in a world that never does. Each case is built
// twice, comes to rest, and then something happens to it: bodies must move as far with sleeping as without.
import { type Joint, mesh, type RigidBody, World } from '../../src/index';
import type { AreaOptions, BodyOptions, ShapeOptions, Vec3Like, WorldOptions } from '../../src/types';
import { row } from './support/measure';
import { length, sub, type Vec3 } from './support/vector';
import { createFloor, DT, isAsleep, position } from './support/world';

interface Scene {
  /** What is measured. */
  bodies: RigidBody[];
  /** Contacts come and go so often that only those of the first step can be compared. */
  rattles?: boolean;
  /** Something happens, in each step from 0 on. */
  act(step: number): void;
}

const cube = (h = 0.25) => ({ type: 'box', halfExtents: [h, h, h] }) as const;
const TILT = 0.4; // rad
const tilted: BodyOptions['rotation'] = [0, 0, Math.sin(TILT / 2), Math.cos(TILT / 2)];
const once = (act: () => void) => (step: number) => {
  if (step === 0) act();
};

const onFloor = (world: World, at: Vec3 = [0, 0.25, 0], more: Partial<BodyOptions> = {}) =>
  world.createBody({ mass: 1, position: at, shape: cube(), ...more });
const fixed = (world: World, at: Vec3, h = 0.5) =>
  world.createBody({ type: 'static', position: at, shape: cube(h) });
const driven = (world: World, at: Vec3, shape: BodyOptions['shape']) =>
  world.createBody({ type: 'kinematic', position: at, shape });

/** A cube on a static body, which `act` changes. */
const onTop =
  (act: (floor: RigidBody, cube: RigidBody, world: World) => void) =>
  (world: World): Scene => {
    const floor = fixed(world, [0, -0.5, 0]);
    const body = onFloor(world);
    return { bodies: [body], act: once(() => act(floor, body, world)) };
  };
const slab: ShapeOptions = { type: 'box', halfExtents: [20, 0.5, 20] };
/** Its upper side is that of the slab. */
const sheet = mesh({
  vertices: [-20, 0.5, -20, -20, 0.5, 20, 20, 0.5, -20, 20, 0.5, 20],
  indices: [0, 1, 2, 2, 1, 3],
});
/** A cube that friction holds on a slope. */
const onSlope =
  (act: (slope: RigidBody, cube: RigidBody, world: World) => void, shape: ShapeOptions = slab) =>
  (world: World): Scene => {
    const slope = world.createBody({ type: 'static', rotation: tilted, shape: { ...shape, friction: 0.9 } });
    const body = world.createBody({
      mass: 1,
      position: [-0.75 * Math.sin(TILT), 0.75 * Math.cos(TILT), 0],
      rotation: tilted,
      shape: { ...cube(), friction: 0.9 },
    });
    return { bodies: [body], act: once(() => act(slope, body, world)) };
  };
/** A cube that hangs on a joint to a body or to the world. */
const hanging =
  (act: (joint: Joint, anchor: RigidBody | null, step: number) => void, type?: 'static' | 'kinematic') =>
  (world: World): Scene => {
    const body = onFloor(world, [0, 3, 0]);
    const anchor = type === undefined ? null : world.createBody({ type, position: [0, 4, 0] });
    const joint = world.createJoint({
      type: 'fixed',
      bodyA: body,
      ...(anchor !== null && { bodyB: anchor }),
    });
    return { bodies: [body], act: (step) => act(joint, anchor, step) };
  };
/** A cube on the floor, and something beside it. */
const beside =
  (make: (world: World) => (step: number) => void, at: Vec3 = [0, 0.25, 0]) =>
  (world: World): Scene => {
    createFloor(world);
    return { bodies: [onFloor(world, at)], act: make(world) };
  };
/** Eight bodies in a row, and a kinematic body that stands still until it jumps over them in one step. */
const jump =
  (from: Vec3, to: Vec3, halfExtents: Vec3) =>
  (world: World): Scene => {
    createFloor(world);
    const bodies = Array.from({ length: 8 }, (_, i) =>
      world.createBody({
        mass: 1,
        position: [2 * i, 0.25, 0],
        shape: i % 2 ? { type: 'sphere', radius: 0.25 } : cube(),
      }),
    );
    const blade = driven(world, from, { type: 'box', halfExtents });
    return { bodies, rattles: true, act: once(() => blade.setKinematicTarget(to)) };
  };
const lift: Vec3Like = [0, 20, 0];

const CASES: Record<string, (world: World) => Scene> = {
  'the slope loses its friction': onSlope((slope) => slope.setMaterial({ friction: 0 })),
  'a shape of the slope loses its friction': onSlope((slope) =>
    slope.setShapeMaterial(slope.shapes[0]!, { friction: 0 }),
  ),
  'a slope of triangles loses its friction': onSlope((slope) => slope.setMaterial({ friction: 0 }), sheet),
  'the body loses its friction on triangles': onSlope((_, body) => body.setMaterial({ friction: 0 }), sheet),
  'the body loses its friction': onSlope((_, body) => body.setMaterial({ friction: 0 })),
  'frictions are combined in another way': onSlope((slope, _, world) => {
    slope.setMaterial({ friction: 0.2 });
    world.updateSettings({ frictionCombine: 'minimum' });
  }),
  'the floor becomes a belt': onTop((floor) =>
    floor.updateShape(floor.shapes[0]!, { surfaceVelocity: { linear: [1, 0, 0] } }),
  ),
  'the floor lets it through': onTop((floor) => floor.setFilter(4, 0)),
  'its filter changes': onTop((_, body) => body.setFilter(4, 0)),
  'the filter of a shape changes': onTop((floor) => floor.updateShape(floor.shapes[0]!, { mask: 0 })),
  'the floor is open downwards': onTop((floor) =>
    floor.updateShape(floor.shapes[0]!, { oneWay: [0, -1, 0] }),
  ),
  'the floor loses its shape': onTop((floor) => floor.removeShape(floor.shapes[0]!)),
  'the floor goes': onTop((floor) => floor.remove()),
  'the floor is moved': onTop((floor) => floor.setPosition([0, -1.5, 0])),
  'the floor falls': onTop((floor) => floor.setType('dynamic', { mass: 1 })),
  'gravity is turned': onTop((_, __, world) => world.setGravity([0, 5, 0])),
  'its gravity is turned': onTop((_, body) => body.setGravityScale(-1)),
  'a static body is moved into it': beside((world) => {
    const wall = fixed(world, [5, 0.5, 0]);
    return once(() => wall.setPosition([0.6, 0.5, 0]));
  }),
  'a kinematic body is put into it': beside((world) => {
    const wall = driven(world, [5, 0.5, 0], cube(0.5));
    return once(() => wall.setPosition([0.6, 0.5, 0]));
  }),
  'a mesh is made through it': beside((world) =>
    once(
      () =>
        void world.createBody({
          type: 'static',
          shape: mesh({
            vertices: [-1, 0.1, -1, -1, 0.1, 1, 1, 0.1, -1, 1, 0.1, 1],
            indices: [0, 1, 2, 2, 1, 3],
          }),
        }),
    ),
  ),
  'a static body is made in it': beside((world) => once(() => void fixed(world, [0.6, 0.5, 0]))),
  'a static body gets a shape in it': beside((world) => {
    const wall = fixed(world, [5, 0.5, 0]);
    return once(() => void wall.addShape({ ...cube(0.5), position: [-4.4, 0, 0] }));
  }),
  'an area is made around it': beside((world) =>
    once(
      () =>
        void world.createBody({
          type: 'static',
          position: [0, 0.5, 0],
          shape: { ...cube(1), area: { gravity: lift } },
        }),
    ),
  ),
  'an area is moved over it': beside((world) => {
    const area = world.createBody({
      type: 'kinematic',
      position: [9, 0.5, 0],
      shape: { ...cube(1), area: { gravity: lift } },
    });
    return once(() => area.setKinematicTarget([0, 0.5, 0]));
  }),
  ...Object.fromEntries(
    [5, 500].map((speed) => [
      `the area of a ship, in which it floats, flies on at ${speed} m/s`,
      (world: World): Scene => {
        const space: AreaOptions = { gravity: [0, 0, 0], gravityMode: 'replace', linearDrag: 1 };
        const ship = world.createBody({
          mass: 1000,
          gravityScale: 0,
          position: [0, 5, 0],
          shape: { ...cube(2), sensor: true, area: space },
        });
        const body = onFloor(world, [0, 5, 0]);
        return { bodies: [body], act: once(() => ship.setLinearVelocity([speed, 0, 0])) };
      },
    ]),
  ),
  'an explosion beside it': beside((world) => once(() => world.explode([0.5, 0.2, 0], 3, 5))),
  'a fast ball comes': beside((world) =>
    once(
      () =>
        void world.createBody({
          mass: 2,
          position: [-8, 0.3, 0],
          linearVelocity: [300, 0, 0],
          shape: { type: 'sphere', radius: 0.2 },
        }),
    ),
  ),
  'a blade begins to turn': beside(
    (world) => {
      const blade = driven(world, [0, 0.3, 0], { type: 'box', halfExtents: [1.6, 0.2, 0.05] });
      blade.setRotation([0, Math.sin(0.7), 0, Math.cos(0.7)]);
      return (step) => {
        const half = 0.7 + 1.2 * (step + 1);
        blade.setKinematicTarget([0, 0.3, 0], [0, Math.sin(half), 0, Math.cos(half)]);
      };
    },
    [1.2, 0.25, 0],
  ),
  'a kinematic body jumps over 3 m': jump([-1, 0.5, 0], [2, 0.5, 0], [0.1, 0.4, 1]),
  'a kinematic body jumps over 8 m': jump([-1, 0.5, 0], [7, 0.5, 0], [0.1, 0.4, 1]),
  'a kinematic body jumps over 21 m': jump([-1, 0.5, 0], [20, 0.5, 0], [0.1, 0.4, 1]),
  'a kinematic body falls on it': jump([0.2, 3, 0], [0.2, 0.5, 0], [0.1, 0.4, 1]),
  'a kinematic body jumps across': jump([-1, 0.5, -1.5], [2, 0.5, 1.5], [0.1, 0.4, 0.3]),
  'its joint goes': hanging((joint, _, step) => step === 0 && joint.remove()),
  'its joint is disabled': hanging((joint, _, step) => step === 0 && joint.setEnabled(false)),
  'its joint gets soft': hanging((joint, _, step) => step === 0 && joint.setSoftness(1)),
  'the static anchor is moved': hanging(
    (_, anchor, step) => step === 0 && anchor!.setPosition([1, 4, 0]),
    'static',
  ),
  'the static anchor goes': hanging((_, anchor, step) => step === 0 && anchor!.remove(), 'static'),
  'the kinematic anchor moves': hanging(
    (_, anchor, step) => anchor!.setKinematicTarget([Math.min(1, 0.05 * step), 4, 0]),
    'kinematic',
  ),
  'the kinematic anchor is put elsewhere': hanging(
    (_, anchor, step) => step === 0 && anchor!.setPosition([1, 4, 0]),
    'kinematic',
  ),
};

/** m. How far each body is after the given steps from where it rested; and the contacts that began and ended. */
function play(build: (world: World) => Scene, sleeping: boolean, steps: number, rest = 300) {
  const world = new World({ sleeping });
  const { bodies, act, rattles = false } = build(world);
  for (let i = 0; i < rest; i++) world.step(DT);
  const asleep = bodies.filter(isAsleep).length;
  const before = bodies.map(position);
  const events: string[] = [];
  for (const type of ['contactBegin', 'contactEnd'] as const)
    world.on(type, ({ bodyA, bodyB }) => void events.push(`${type} ${bodyA.id} ${bodyB.id}`));
  for (let i = 0; i < steps; i++) {
    act(i);
    world.step(DT);
  }
  const moved = bodies.map((body, i) => length(sub(position(body), before[i]!)));
  world.dispose();
  return { moved, asleep, rattles, events: [...new Set(events)].sort().join(', ') };
}

for (const [name, build] of Object.entries(CASES))
  row(`asleep as awake: ${name}`, (m) => {
    for (const steps of [1, 5, 30]) {
      const awake = play(build, false, steps);
      const slept = play(build, true, steps);
      // After half a second of rattling, bodies that started a micrometre elsewhere are up to 15 % farther or less far, awake or not.
      const share = awake.rattles && steps === 30 ? 0.2 : 0.02;
      m.equal('bodies asleep before', slept.asleep, slept.moved.length);
      for (const [i, far] of awake.moved.entries())
        m.near(`body ${i} after ${steps} steps`, slept.moved[i]!, far, 0.01 + share * far, 'm');
      // What was hit at a hundred metres per second rattles between floor and blade, each time in another way.
      if (steps === 1 || !awake.rattles)
        m.holds(`after ${steps} steps the same contacts began and ended`, slept.events === awake.events);
      // Otherwise nothing would have been tested.
      if (steps === 30) m.atLeast('moved', Math.max(...awake.moved), 0.05, 'm');
    }
  });

/** Of rest, before which nothing sleeps, and after which everything does. */
const LAST_AWAKE = 110;
const FIRST_ASLEEP = 121;

// What is about to sleep in the next steps must not do so after something has happened to it.
for (const [name, build] of Object.entries(CASES))
  row(`almost asleep as awake: ${name}`, (m) => {
    for (let rest = LAST_AWAKE; rest < FIRST_ASLEEP; rest++) {
      const awake = play(build, false, 30, rest);
      const slept = play(build, true, 30, rest);
      const share = awake.rattles ? 0.2 : 0.02;
      for (const [i, far] of awake.moved.entries())
        m.near(`body ${i} after ${rest} steps of rest`, slept.moved[i]!, far, 0.01 + share * far, 'm');
    }
  });

function shoot(world: World, more: Partial<BodyOptions> = {}): void {
  const shape = { type: 'sphere', radius: 0.1 } as const;
  world.createBody({ mass: 1, position: [-3, 0.25, 0], linearVelocity: [360, 0, 0], shape, ...more });
}

row('what is frozen stays where it is, whatever hits it', (m) => {
  const hits: Record<string, (world: World) => void> = {
    'a ball': (world) => shoot(world),
    'a ball with a motion threshold': (world) =>
      shoot(world, { ccdMotionThreshold: 0.05, ccdSweptSphereRadius: 0.08 }),
    'a kinematic body': (world) => {
      const blade = driven(world, [-3, 0.5, 0], { type: 'box', halfExtents: [0.1, 0.4, 1] });
      world.step(DT);
      blade.setKinematicTarget([3, 0.5, 0]);
    },
    'a static body that is put there': (world) => void fixed(world, [0.6, 0.5, 0]),
  };
  for (const [name, hit] of Object.entries(hits)) {
    const world = new World();
    createFloor(world);
    const body = onFloor(world);
    for (let i = 0; i < 20; i++) world.step(DT);
    body.forceActivationState('disableSimulation');
    world.step(DT);
    const before = position(body);
    hit(world);
    for (let i = 0; i < 10; i++) world.step(DT);
    m.atMost(`${name}: moved`, length(sub(position(body), before)), 0, 'm');
    world.dispose();
  }
});

/** A crate on a body that never sleeps, and a ball on a joint to one: they rest, awake. */
const atRestAwake: Record<string, (world: World) => { body: RigidBody; ends: Record<string, () => void> }> = {
  crate: (world) => {
    const shape = { type: 'box', halfExtents: [1, 0.5, 1], friction: 0 } as const;
    const truck = onFloor(world, [0, 0.5, 0], { mass: 50, shape, activationState: 'disableDeactivation' });
    return {
      body: onFloor(world, [0, 1.25, 0]),
      ends: {
        'the truck is removed': () => truck.remove(),
        'the truck is elsewhere': () => truck.setPosition([20, 0.5, 0]),
        'the truck drives off': () => truck.setLinearVelocity([120, 0, 0]),
        'the truck is no obstacle': () => truck.setFilter(2, 1),
      },
    };
  },
  ball: (world) => {
    const hook = onFloor(world, [0, 3, 0], {
      linearFactor: [0, 0, 0],
      activationState: 'disableDeactivation',
    });
    const body = world.createBody({ position: [0, 2, 0], shape: { type: 'sphere', radius: 0.2 } });
    const joint = world.createJoint({ type: 'point', bodyA: hook, bodyB: body, anchor: [0, 3, 0] });
    return {
      body,
      ends: {
        'the joint is removed': () => joint.remove(),
        'the joint is off': () => joint.setEnabled(false),
        'the joint breaks': () => joint.setBreaking(0.01),
        'the hook is removed': () => hook.remove(),
      },
    };
  },
};
row('what rests while its support is awake falls when that goes', (m) => {
  for (const [name, build] of Object.entries(atRestAwake))
    for (const end of Object.keys(build(new World()).ends)) {
      const world = new World();
      createFloor(world);
      const { body, ends } = build(world);
      for (let i = 0; i < 300; i++) world.step(DT);
      const [, before] = position(body);
      ends[end]!();
      for (let i = 0; i < 120; i++) world.step(DT);
      m.atLeast(`${name}, ${end}: fell`, before - position(body)[1], 0.9, 'm');
      world.dispose();
    }
});

row('a support goes in any of the steps before what stands on it sleeps', (m) => {
  let least = Infinity;
  for (let last = 100; last < 125; last++) {
    const world = new World();
    createFloor(world);
    const table = fixed(world, [0, 1.5, 0]);
    const body = onFloor(world, [0, 2.25, 0]);
    for (let i = 0; i < last; i++) world.step(DT);
    table.remove();
    for (let i = 0; i < 120; i++) world.step(DT);
    least = Math.min(least, 2.25 - position(body)[1]);
    world.dispose();
  }
  m.atLeast('fell, at least', least, 1.9, 'm');
});

row('what falls slowly does not stop in the air', (m) => {
  const cases: Record<string, [WorldOptions, Partial<BodyOptions>]> = {
    'gravity of an asteroid': [{ gravity: [0, -0.02, 0] }, {}],
    'thrown up there': [{ gravity: [0, -0.02, 0] }, { linearVelocity: [0, 0.04, 0] }],
    balloon: [{}, { gravityScale: -0.002 }],
    'a feather, 2 cm/s': [{}, { gravityScale: 0.01, linearDamping: 0.99 }],
  };
  for (const [name, [options, more]] of Object.entries(cases)) {
    const [slept, awake] = [true, false].map((sleeping) => {
      const world = new World({ ...options, sleeping });
      const body = onFloor(world, [0, 9, 0], more);
      for (let i = 0; i < 600; i++) world.step(DT);
      return position(body)[1];
    });
    m.near(name, slept!, awake!, 0, 'm');
    m.atLeast(`${name}: moved`, Math.abs(awake! - 9), 0.15, 'm');
  }
});
