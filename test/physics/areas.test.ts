// What areas do: gravity, attraction, wind, water; and explosions. Truth: closed forms. A floating body displaces its own weight
// (Archimedes) and bobs with ω² = ρ g A/m, where A is its section at the surface; drag ends at the speed at which it bears the
// weight; an attraction keeps what circles it; an explosion gives J (1 − d/R).
import { expect, test } from 'vitest';
import {
  type AreaOptions,
  type BodyOptions,
  PhysicsError,
  type RigidBody,
  type ShapeOptions,
  World,
} from '../../src';
import { mesh } from '../../src/cooking';
import { row } from './support/measure';
import { axisAngle, length, random, type Vec3 } from './support/vector';
import { createWorld, DT, G, position, run, velocity } from './support/world';

const WATER = 1000;

function pool(world: World, area: AreaOptions = {}, level = 0): RigidBody {
  return world.createBody({
    type: 'static',
    position: [0, level - 10, 0],
    shape: { type: 'box', halfExtents: [50, 10, 50], area: { density: WATER, ...area } },
  });
}

/** Depth of the lowest point of a body that has come to rest in water with some drag. */
function draught(options: BodyOptions, lowest: (body: RigidBody) => number): number {
  const world = createWorld();
  pool(world, { linearDrag: 30, angularDrag: 30 });
  const body = world.createBody({ position: [0, 0.3, 0], ...options });
  run(world, 20);
  const depth = -lowest(body);
  world.dispose();
  return depth;
}

/** The depth at which a ball of a share of water's density floats: h²(3r − h) = 4 r³ share. */
function ballDraught(r: number, share: number): number {
  let [low, high] = [0, 2 * r];
  for (let i = 0; i < 60; i++) {
    const h = (low + high) / 2;
    if (h * h * (3 * r - h) < 4 * r ** 3 * share) low = h;
    else high = h;
  }
  return low;
}

row('draught within 1 % of Archimedes: boxes, balls, hulls, cylinders, a cone, a raft of several', (m) => {
  for (const share of [0.1, 0.3, 0.5, 0.9]) {
    const density = share * WATER;
    const box = draught(
      { shape: { type: 'box', halfExtents: [1, 0.3, 0.8], density } },
      (body) => position(body)[1] - 0.3,
    );
    m.near(`box of ${share}`, box, 0.6 * share, 0.006 * share, 'm');
    const ball = draught(
      { shape: { type: 'sphere', radius: 0.5, density } },
      (body) => position(body)[1] - 0.5,
    );
    const truth = ballDraught(0.5, share);
    m.near(`ball of ${share}`, ball, truth, 0.01 * truth, 'm');
    const flat = [
      -1, -0.2, -1, 1, -0.2, -1, 1, -0.2, 1, -1, -0.2, 1, -1, 0.2, -1, 1, 0.2, -1, 1, 0.2, 1, -1, 0.2, 1,
    ];
    const hull = draught(
      { shape: { type: 'hull', points: flat, density } },
      (body) => position(body)[1] - 0.2,
    );
    m.near(`hull of ${share}`, hull, 0.4 * share, 0.004 * share, 'm');
    const disc = draught(
      { shape: { type: 'cylinder', radius: 1, halfHeight: 0.25, density } },
      (body) => position(body)[1] - 0.25,
    );
    m.near(`cylinder of ${share}`, disc, 0.5 * share, 0.005 * share, 'm');
    const plank = (x: number): ShapeOptions => ({
      type: 'box',
      halfExtents: [0.2, 0.2, 1],
      position: [x, 0, 0],
      density,
    });
    const raft = draught({ shape: [plank(-0.5), plank(0), plank(0.5)] }, (body) => position(body)[1] - 0.2);
    m.near(`raft of ${share}`, raft, 0.4 * share, 0.004 * share, 'm');
  }
});

row('bobbing: period within 3 %, and without drag neither grows nor dies', (m) => {
  for (const rate of [30, 60, 120])
    for (const profile of ['native', 'bullet3'] as const) {
      const world = createWorld({ profile, gravity: [0, -G, 0] });
      pool(world);
      // Half under water: ω² = 2 g/(2 h).
      const half = 0.4;
      const body = world.createBody({
        position: [0, 0.1, 0],
        shape: { type: 'box', halfExtents: [1, half, 1], density: WATER / 2 },
      });
      const period = 2 * Math.PI * Math.sqrt(half / G);
      const crossings: number[] = [];
      let before = 0.1;
      let late = 0;
      for (let i = 1; i <= 30 * rate; i++) {
        world.step(1 / rate);
        const [, y] = position(body);
        if (before < 0 && y >= 0) crossings.push((i - y / (y - before)) / rate);
        before = y;
        if (i > 27 * rate) late = Math.max(late, Math.abs(y));
      }
      const measured = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1);
      m.near(`period, ${profile} at ${rate} Hz`, measured, period, 0.03 * period, 's');
      m.near(`swing after 30 s, ${profile} at ${rate} Hz`, late, 0.1, 0.01, 'm');
      world.dispose();
    }
});

row('a plank set up on its end lies down; a tilted box rights itself; what is heavier sinks', (m) => {
  const world = createWorld();
  pool(world, { linearDrag: 1, angularDrag: 1 });
  const plank = world.createBody({
    position: [0, 0, 0],
    rotation: axisAngle([1, 0, 0], 1.4),
    shape: { type: 'box', halfExtents: [0.2, 0.1, 1.5], density: 500 },
  });
  const stone = world.createBody({
    position: [5, 0, 0],
    shape: { type: 'sphere', radius: 0.3, density: 2500 },
  });
  run(world, 15);
  const [x, y, z, w] = plank.getRotation();
  m.atMost('tilt of its long axis', Math.abs(2 * (y * z - w * x)), 0.02);
  m.atMost('stone', position(stone)[1], -5, 'm');
  world.dispose();
});

row('light and thin things stay calm: foam and sheets of 5 to 50 kg/m³, 30 and 60 Hz', (m) => {
  let fastest = 0;
  let deepest = 0;
  for (const density of [5, 20, 50])
    for (const thickness of [0.01, 0.05, 0.3])
      for (const rate of [30, 60]) {
        const world = createWorld();
        pool(world, { linearDrag: 20, angularDrag: 20 });
        const body = world.createBody({
          position: [0, 0.5, 0],
          rotation: axisAngle([1, 0, 0.3], 0.3),
          shape: { type: 'box', halfExtents: [0.5, thickness, 0.5], density },
        });
        for (let i = 0; i < 40 * rate; i++) world.step(1 / rate);
        for (let i = 0; i < rate; i++) {
          world.step(1 / rate);
          fastest = Math.max(fastest, length(velocity(body)));
          deepest = Math.max(deepest, Math.abs(position(body)[1] - thickness));
        }
        world.dispose();
      }
  m.atMost('speed after 40 s', fastest, 0.05, 'm/s');
  m.atMost('distance from floating', deepest, 0.05, 'm');
});

row('wind and drag: the speed at which drag bears the weight, the speed of a stream', (m) => {
  const world = createWorld();
  const zone = (x: number, area: AreaOptions) =>
    world.createBody({
      type: 'static',
      position: [x, -500, 0],
      shape: { type: 'box', halfExtents: [10, 1000, 10], area },
    });
  zone(0, { linearDrag: 2 });
  zone(100, { quadraticDrag: 0.05 });
  zone(200, { linearDrag: 1, velocity: [0, 0, 0.5] });
  zone(300, { angularDrag: 0.5 });
  const balls = [0, 100, 200, 300].map((x) =>
    world.createBody({
      position: [x, 300, 0],
      angularVelocity: [0, 8, 0],
      shape: { type: 'sphere', radius: 0.3 },
    }),
  );
  run(world, 2);
  m.near('spin after 2 s at 0.5/s', balls[3]!.getAngularVelocity()[1], 8 * Math.exp(-1), 0.03, 'rad/s');
  m.near('spin without', balls[0]!.getAngularVelocity()[1], 8, 1e-4, 'rad/s');
  run(world, 6);
  m.near('falls at g/c', -velocity(balls[0]!)[1], G / 2, 0.01 * (G / 2), 'm/s');
  m.near('falls at √(g/k)', -velocity(balls[1]!)[1], Math.sqrt(G / 0.05), 0.01 * Math.sqrt(G / 0.05), 'm/s');
  m.near('goes with the wind', velocity(balls[2]!)[2], 0.5, 0.005, 'm/s');
  world.dispose();
});

row('what is in a medium that turns goes round with it: a whirlpool, a cabin on an arm', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const spun = (x: number, shapes: ShapeOptions) =>
    world.createBody({ type: 'kinematic', position: [x, 0, 0], angularVelocity: [0, 0.5, 0], shape: shapes });
  const area: AreaOptions = { linearDrag: 20, angularDrag: 5 };
  spun(0, { type: 'cylinder', radius: 4, halfHeight: 2, area });
  spun(100, { type: 'box', halfExtents: [2, 2, 2], position: [8, 0, 0], area });
  const [leaf, parcel] = [2, 108].map((x) =>
    world.createBody({ position: [x, 0, 0], shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] } }),
  );
  run(world, 4);
  const angleOf = (body: RigidBody, x: number) => Math.atan2(-position(body)[2]!, position(body)[0]! - x);
  m.near('angle of a leaf after 4 s', angleOf(leaf!, 0), 2, 0.03, 'rad');
  m.near('angle of a parcel', angleOf(parcel!, 100), 2, 0.03, 'rad');
  m.near('spin of a leaf', leaf!.getAngularVelocity()[1], 0.5, 0.005, 'rad/s');
  world.dispose();
});

row(
  'gravity of its own: added, in place of the world’s, of the highest priority, once for a compound',
  (m) => {
    const world = createWorld({ gravity: [0, -10, 0] });
    const zone = (x: number, area: AreaOptions) =>
      world.createBody({ type: 'static', position: [x, 0, 0], shape: { type: 'sphere', radius: 40, area } });
    zone(0, { gravity: [4, 0, 0] });
    zone(200, { gravity: [0, 5, 0], gravityMode: 'replace' });
    zone(200, { gravity: [0, 0, 3], gravityMode: 'replace', priority: 1 });
    zone(400, { gravity: [0, 2, 0] });
    const pieces: ShapeOptions[] = [-1, 0, 1].map((x) => ({
      type: 'sphere',
      radius: 0.4,
      position: [x, 0, 0],
    }));
    const things = [0, 200, 400, 600].map((x) => world.createBody({ position: [x, 0, 0], shape: pieces }));
    const half = world.createBody({
      position: [405, 0, 0],
      gravityScale: 0.5,
      shape: { type: 'sphere', radius: 1 },
    });
    run(world, 1);
    const check = (what: string, body: RigidBody, truth: Vec3) => {
      for (const [i, v] of truth.entries())
        m.near(`${what}, ${'xyz'[i]}`, velocity(body)[i]!, v, 0.001, 'm/s');
    };
    check('added', things[0]!, [4, -10, 0]);
    check('in place', things[1]!, [0, 0, 3]);
    check('against', things[2]!, [0, -8, 0]);
    check('outside', things[3]!, [0, -10, 0]);
    check('half as heavy', half, [0, -4, 0]);
    world.dispose();
  },
);

row(
  'attraction: a circular orbit stays one for ten turns, things fall to the middle from everywhere',
  (m) => {
    const world = createWorld({ gravity: [0, 0, 0] });
    world.createBody({
      type: 'static',
      shape: { type: 'sphere', radius: 100, area: { attraction: { strength: 9.81, distance: 10 } } },
    });
    const radius = 30;
    const g = 9.81 * (10 / radius) ** 2;
    const speed = Math.sqrt(g * radius);
    const moon = world.createBody({
      position: [radius, 0, 0],
      linearVelocity: [0, 0, speed],
      shape: { type: 'sphere', radius: 0.5 },
    });
    const period = (2 * Math.PI * radius) / speed;
    let [least, most] = [radius, radius];
    run(world, 10 * period, () => {
      const r = length(position(moon));
      least = Math.min(least, r);
      most = Math.max(most, r);
    });
    m.near('nearest', least, radius, 0.01 * radius, 'm');
    m.near('farthest', most, radius, 0.01 * radius, 'm');
    world.dispose();
  },
);

/** Velocity that an explosion at the origin gives one body. */
function blown(options: BodyOptions, ...explosion: Parameters<World['explode']>): RigidBody {
  const world = createWorld({ gravity: [0, 0, 0] });
  const body = world.createBody({ mass: 2, ...options });
  world.step(DT);
  world.explode(...explosion);
  world.step(DT);
  return body;
}

row('a liquid is as heavy as the gravity that an area puts in place of the world’s', (m) => {
  for (const [worlds, areas, first] of [
    [0, G, true],
    [0, G, false],
    [G, 1.62, true],
    [G, 0, true],
  ] as const) {
    const world = createWorld({ gravity: [0, -worlds, 0] });
    const attract = () =>
      world.createBody({
        type: 'static',
        shape: {
          type: 'box',
          halfExtents: [60, 60, 60],
          area: { gravity: [0, -areas, 0], gravityMode: 'replace' },
        },
      });
    if (first) attract();
    pool(world, { linearDrag: 5, angularDrag: 5 });
    if (!first) attract();
    const body = world.createBody({
      position: [0, 0.1, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], density: 0.6 * WATER },
    });
    run(world, 10);
    // Without gravity nothing lifts it, and it stays where it is.
    m.near(`${areas} in place of ${worlds} m/s²`, position(body)[1], areas === 0 ? 0.1 : -0.1, 0.005, 'm');
    world.dispose();
  }
});

row('an area that moves acts as one that stands: water in a lift, an attraction on the way', (m) => {
  for (const speed of [5, -20]) {
    const world = createWorld();
    const moves = { type: 'kinematic', linearVelocity: [0, speed, 0] } as const;
    const tank = world.createBody({
      ...moves,
      position: [0, -5, 0],
      shape: { type: 'box', halfExtents: [5, 5, 5], area: { density: WATER, linearDrag: 5, angularDrag: 5 } },
    });
    const body = world.createBody({
      position: [0, 0, 0],
      linearVelocity: [0, speed, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], density: 0.6 * WATER },
    });
    run(world, 5);
    m.near(`draught at ${speed} m/s`, position(tank)[1] + 5 - position(body)[1] + 0.5, 0.6, 0.005, 'm');
    world.dispose();
  }
  const world = createWorld({ gravity: [0, 0, 0] });
  const speed = 100;
  const planet = world.createBody({
    type: 'kinematic',
    linearVelocity: [speed, 0, 0],
    shape: { type: 'sphere', radius: 60, area: { attraction: { strength: 10, distance: 10 } } },
  });
  // It falls towards the origin of the area from the side, and must not be led along the way of the area.
  const body = world.createBody({
    position: [0, 20, 0],
    linearVelocity: [speed, 0, 0],
    shape: { type: 'sphere', radius: 0.5 },
  });
  run(world, 1);
  m.near('along its way', position(body)[0] - position(planet)[0], 0, 0.005, 'm');
  world.dispose();
});

row('drag of a liquid is that of the submerged share of the volume: masts do not count as hulls', (m) => {
  const hull = { type: 'box', halfExtents: [1, 0.5, 2] } as const;
  const mast = (x: number) => ({ type: 'box', halfExtents: [0.02, 0.5, 0.02], position: [x, 3, 0] }) as const;
  for (const masts of [0, 1, 3]) {
    const world = createWorld({ gravity: [0, 0, 0] });
    pool(world, { linearDrag: 1 });
    const body = world.createBody({
      mass: 100,
      position: [0, -1, 0],
      linearVelocity: [10, 0, 0],
      shape: [hull, ...[0, 0.5, -0.5].slice(0, masts).map(mast)],
    });
    run(world, 1);
    m.near(`${masts} masts over the water, after 1/c`, velocity(body)[0], 10 / Math.E, 0.02, 'm/s');
    world.dispose();
  }
});

row('between two parts of a river a crate floats as deep as in either', (m) => {
  for (const levels of [
    [0, 0],
    [0, -0.05],
  ]) {
    const world = createWorld();
    for (const [k, level] of levels.entries())
      world.createBody({
        type: 'static',
        position: [20 * k, level - 5, 0],
        shape: {
          type: 'box',
          halfExtents: [10, 5, 5],
          area: { density: WATER, linearDrag: 3, angularDrag: 3, velocity: [2, 0, 0] },
        },
      });
    const body = world.createBody({
      position: [5, -0.1, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], density: 0.6 * WATER },
    });
    let highest = -9;
    run(world, 6, () => {
      highest = Math.max(highest, position(body)[1]);
    });
    m.atLeast(`it goes from one to the other, ${levels[1]} m lower`, position(body)[0], 12, 'm');
    m.atMost('and is not lifted between them', highest, -0.08, 'm');
    world.dispose();
  }
});

row('explosion: impulse within 1 % of the closed form', (m) => {
  const r = random(3);
  for (const [falloff, share] of [
    ['constant', () => 1],
    ['linear', (x: number) => x],
    ['quadratic', (x: number) => x * x],
  ] as const)
    for (let i = 0; i < 20; i++) {
      const way: Vec3 = [r() - 0.5, r() - 0.5, r() - 0.5];
      const size = length(way);
      const distance = 0.6 + 8 * r();
      const at = way.map((c) => (c / size) * distance) as unknown as Vec3;
      const body = blown({ position: at, shape: { type: 'sphere', radius: 0.5 } }, [0, 0, 0], 10, 30, {
        falloff,
      });
      const truth = 30 * share(1 - (distance - 0.5) / 10);
      m.near(
        `${falloff} at ${distance.toFixed(2)} m`,
        2 * length(velocity(body)),
        truth,
        0.01 * truth,
        'N·s',
      );
      const along = velocity(body).reduce((sum, v, k) => sum + v * at[k]!, 0) / distance;
      m.near('and away from it', along, length(velocity(body)), 1e-4, 'm/s');
    }
  m.equal(
    'beyond the radius',
    length(velocity(blown({ position: [5, 0, 0], shape: { type: 'sphere', radius: 0.5 } }, [0, 0, 0], 4, 9))),
    0,
  );
  const pulled = blown({ position: [3, 0, 0], shape: { type: 'sphere', radius: 1 } }, [0, 0, 0], 4, -8);
  m.near('a negative impulse pulls', velocity(pulled)[0], -2, 0.02, 'm/s');
  const turned = blown(
    { position: [2, 0, 0.3], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } },
    [0, 0, 0],
    6,
    8,
  );
  m.atLeast('off the middle of a box it turns it', Math.abs(turned.getAngularVelocity()[1]), 0.1, 'rad/s');
});

row('explosion behind a wall: nothing; behind half of one: about half; what hides nothing does not', (m) => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const ball = (z: number) =>
    world.createBody({ mass: 1, position: [4, 0, z], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } });
  world.createBody({ type: 'static', position: [2, 0, 0], shape: { type: 'box', halfExtents: [0.1, 2, 1] } });
  world.createBody({
    type: 'static',
    position: [2, -2, 20],
    shape: { type: 'box', halfExtents: [0.1, 2.02, 1] },
  });
  world.createBody({
    type: 'static',
    position: [2, 0, 40],
    shape: { type: 'box', halfExtents: [0.1, 2, 1], sensor: true },
  });
  const bodies = [0, 20, 40].map(ball);
  // The grenade's own shell is around the point.
  world.createBody({ mass: 0.1, position: [0, 0, 40], shape: { type: 'sphere', radius: 0.1 } });
  world.step(DT);
  for (const z of [0, 20, 40]) world.explode([0, 0, z], 8, 16);
  const whole = 16 * (1 - 3.5 / 8);
  m.equal('behind a wall', length(velocity(bodies[0]!)), 0);
  m.near('behind half a wall', length(velocity(bodies[1]!)), whole / 2, 0.45 * whole, 'm/s');
  m.near('in the open', length(velocity(bodies[2]!)), whole, 0.01 * whole, 'm/s');
  world.explode([0, 0, 0], 8, 16, { occlusion: false });
  m.near('through the wall', length(velocity(bodies[0]!)), whole, 0.01 * whole, 'm/s');
  world.dispose();
});

row(
  'explosion: sensors of a body do not take it out of its cover, nor does a low centre of mass hide it',
  (m) => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const box = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
    world.createBody({
      type: 'static',
      position: [2, 0, 0],
      shape: { type: 'box', halfExtents: [0.1, 2, 2] },
    });
    const guard = world.createBody({
      mass: 1,
      position: [4, 0, 0],
      shape: [box, { type: 'sphere', radius: 12, sensor: true }],
    });
    world.createBody({
      type: 'static',
      position: [0, -1, 40],
      shape: { type: 'box', halfExtents: [9, 0.5, 9] },
    });
    const tumbler = world.createBody({
      mass: 1,
      position: [4, 0, 40],
      centerOfMass: [0, -0.4, 0],
      shape: box,
    });
    world.step(DT);
    for (const z of [0, 40]) world.explode([0, 0, z], 8, 16);
    m.equal('behind a wall', length(velocity(guard)), 0);
    m.near('in the open', length(velocity(tumbler)), 16 * (1 - 3.5 / 8), 0.01, 'm/s');
    world.dispose();
  },
);

test('who sleeps in an area is woken when it changes, comes or goes', () => {
  const world = new World({ deactivationTime: 0.5 });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const crate = world.createBody({
    position: [0, 0.5, 0],
    shape: { type: 'box', halfExtents: [0.8, 0.5, 0.8], density: 300 },
  });
  const sleep = () => {
    for (let i = 0; i < 900 && !crate.isSleeping(); i++) world.step(DT);
    expect(crate.isSleeping()).toBe(true);
  };
  sleep();
  const area = { density: WATER, linearDrag: 4, angularDrag: 4 };
  const water = world.createBody({
    type: 'static',
    position: [0, 1.5, 0],
    shape: { type: 'box', halfExtents: [4, 1.5, 4], area },
  });
  for (let i = 0; i < 600; i++) world.step(DT);
  expect(crate.getPosition()[1]).toBeCloseTo(3.2, 1);
  sleep();
  water.updateShape(water.shapes[0]!, { area: { ...area, level: 0 } });
  for (let i = 0; i < 600; i++) world.step(DT);
  expect(crate.getPosition()[1]).toBeCloseTo(1.7, 1);
  sleep();
  water.remove();
  for (let i = 0; i < 300; i++) world.step(DT);
  expect(crate.getPosition()[1]).toBeCloseTo(0.5, 1);
  world.dispose();
});

test('what is wrong is named', () => {
  const world = new World();
  const refuse = (area: object, argument: string, shape: object = { type: 'sphere', radius: 1 }) => {
    const options = { type: 'static', shape: { ...shape, area } } as BodyOptions;
    expect(() => world.createBody(options)).toThrow(PhysicsError);
    expect(() => world.createBody(options)).toThrow(argument);
  };
  refuse({ density: -1 }, 'shape.area.density');
  refuse({ densty: 1 }, 'shape.area.densty');
  refuse({ gravity: [0, Number.NaN, 0] }, 'shape.area.gravity');
  refuse({ gravityMode: 'instead' }, 'shape.area.gravityMode');
  refuse({ attraction: 3 }, 'shape.area.attraction');
  refuse({ attraction: {} }, 'shape.area.attraction.strength');
  refuse({ attraction: { strength: 1, distance: 0 } }, 'shape.area.attraction.distance');
  refuse({ attraction: { strength: 1, falloff: 'cubic' } }, 'shape.area.attraction.falloff');
  refuse({ priority: 101 }, 'shape.area.priority');
  refuse({}, 'shape.area', { type: 'sphere', radius: 1, sensor: false });
  refuse({}, 'shape.area', mesh({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] }));
  expect(() => world.explode([0, 0, Number.NaN], 1, 1)).toThrow('at');
  expect(() => world.explode([0, 0, 0], 0, 1)).toThrow('radius');
  expect(() => world.explode([0, 0, 0], 1, Number.POSITIVE_INFINITY)).toThrow('impulse');
  expect(() => world.explode([0, 0, 0], 1, 1, { falloff: 'none' as 'linear' })).toThrow('falloff');
  const body = world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [1, 1, 1] } });
  expect(() => body.updateShape(body.shapes[0]!, { area: {} })).toThrow('area');
  world.dispose();
});

test('options are told as they were given, and survive a snapshot', () => {
  const world = new World();
  const area: AreaOptions = {
    gravity: [0, 1, 0],
    attraction: { strength: 4, distance: 2, falloff: 'linear' },
    gravityMode: 'replace',
    priority: -3,
    velocity: [0.5, 0, 0],
    linearDrag: 0.25,
    quadraticDrag: 0.5,
    angularDrag: 2,
    density: 1000,
    level: 1.5,
  };
  const body = world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [1, 1, 1], area } });
  expect(body.getShape(body.shapes[0]!)).toMatchObject({ area, sensor: true });
  const copy = new World();
  copy.restore(world.snapshot());
  expect(copy.getBody(body.id)!.getShape(body.shapes[0]!)).toEqual(body.getShape(body.shapes[0]!));
  expect(copy.findFault()).toBe(0);
  world.dispose();
  copy.dispose();
});
