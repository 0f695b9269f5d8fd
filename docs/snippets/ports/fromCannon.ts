// The port of cannon.ts: the same things, in the same order.
import { type RigidBody, World } from 'ricochet';
import { heightfield } from 'ricochet/cooking';
import { createVehicle } from 'ricochet/vehicle';

const world = new World({ gravity: [0, -9.81, 0], deactivationTime: 1 }); // sleeping is on, after 2 s unless set
const SCENERY = 1;
const GOODS = 2; // also the group of static and kinematic bodies, unless they say otherwise
const GHOSTS = 4;
const everywhere = { group: SCENERY, mask: -1 };

// Materials belong to shapes, and two of them are multiplied. With wood of √0.5 wood on wood has 0.5; a bounce needs a
// restitution on both sides, so the ground has 1.
const wood = { friction: Math.SQRT1_2, restitution: 0 } as const;
const rubber = { friction: Math.SQRT1_2, restitution: 0.7 } as const;
const plain = { friction: 0.3 / Math.SQRT1_2 } as const; // no material: 0.3 on wood

// The ground.
const floor = { type: 'box', halfExtents: [60, 1, 60], ...wood, restitution: 1 } as const;
world.createBody({ type: 'static', position: [0, -1, 0], ...everywhere, shape: floor });

// A hill: a heightfield of 12 × 12 m in rows along z, y up, its middle at the origin of the body. A boulder rolls down.
const rise = (i: number, j: number) => 2 * Math.exp(-((i - 6) ** 2 + (j - 6) ** 2) / 8);
const heights = Array.from({ length: 13 * 13 }, (_, at) => rise(at % 13, 12 - Math.floor(at / 13)));
world.createBody({
  type: 'static',
  position: [0, 0, -20],
  ...everywhere,
  shape: heightfield({ rows: 13, columns: 13, spacing: 1, heights, ...plain }),
});
const boulder = world.createBody({
  mass: 20,
  position: [0.8, 4, -20],
  angularDamping: 0.3,
  shape: { type: 'sphere', radius: 0.5, ...plain },
});

// The car: a chassis, and four wheels. They are where they are when it stands, and springs follow from the mass.
const chassis = world.createBody({
  mass: 150,
  position: [0, 1.2, 0],
  activationState: 'disableDeactivation',
  shape: { type: 'box', halfExtents: [2, 0.5, 1], ...plain },
});
const car = await createVehicle(world, {
  chassis,
  forward: [-1, 0, 0],
  drive: 'rear',
  engine: { torque: 60 },
  wheels: [-1, 1].flatMap((x) =>
    [1, -1].map((z) => ({ position: [x, -0.22, z] as [number, number, number], radius: 0.5, mass: 5 })),
  ),
});

// Crates in the way: three stacks of three. They fall asleep before they are hit.
const crates = Array.from({ length: 9 }, (_, i) =>
  world.createBody({
    mass: 3,
    position: [-14, 0.4 + 0.8 * Math.floor(i / 3), (i % 3) - 1],
    group: GOODS,
    shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4], ...wood },
  }),
);
let loudest = 0; // m/s: the impulse is that of the whole impact
world.on(
  'contactBegin',
  ({ bodyA, bodyB, points }) => {
    const impulse = points.reduce((sum, point) => sum + point.impulse, 0);
    if (bodyA === chassis || bodyB === chassis) loudest = Math.max(loudest, impulse / crates[1]!.mass);
  },
  { body: crates[1]! },
);

// Coins: they only tell who is inside, and go when they are collected. Events come after the step: they may go at once.
let collected = 0;
for (const x of [4, 6, 8]) {
  const coin = world.createBody({
    type: 'static',
    position: [-x, 1, 0],
    shape: { type: 'cylinder', radius: 0.6, halfHeight: 0.1, sensor: true },
  });
  world.on(
    'contactBegin',
    ({ bodyA, bodyB }) => {
      if (coin.isRemoved || (bodyA !== chassis && bodyB !== chassis)) return;
      collected++;
      coin.remove();
    },
    { body: coin },
  );
}

// A windmill: two boards crosswise, on a hinge of the world with a motor.
const mill = world.createBody({
  mass: 6,
  position: [0, 4, 8],
  shape: [
    { type: 'box', halfExtents: [2, 0.1, 0.1] },
    { type: 'box', halfExtents: [0.1, 2, 0.1] },
  ],
});
world.createJoint({
  type: 'hinge',
  bodyB: mill,
  axis: [0, 0, 1],
  angle: { motor: { velocity: 2, maxForce: 1e6 } },
});

// A chain of five balls on a hook of the world, pulled aside.
const hook = [10, 6, 0] as const;
const chain: RigidBody[] = [];
for (let i = 1; i <= 5; i++) {
  const link = world.createBody({
    mass: i === 5 ? 10 : 1,
    position: [10 + 0.6 * i, 6, 0],
    linearDamping: 0.01,
    shape: { type: 'sphere', radius: 0.2 },
  });
  const anchor = i === 1 ? hook : ([10 + 0.6 * i - 0.3, 6, 0] as const);
  world.createJoint({ type: 'point', bodyA: chain.at(-1), bodyB: link, anchor });
  chain.push(link);
}

// A lift, moved by its velocity, and who rides on it. A ghost falls through both. A ball bounces.
const lift = world.createBody({
  type: 'kinematic',
  position: [6, 0.2, 8],
  group: GOODS,
  mask: -1,
  shape: { type: 'box', halfExtents: [1, 0.2, 1] },
});
const rider = world.createBody({
  mass: 5,
  position: [6, 0.7, 8],
  group: GOODS,
  shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
});
const small = { type: 'sphere', radius: 0.3 } as const;
const ghost = world.createBody({ mass: 1, position: [6, 3, 8], group: GHOSTS, mask: SCENERY, shape: small });
const ball = world.createBody({ mass: 1, position: [12, 3, 8], shape: { ...small, ...rubber } });

// A spring holds a lamp; a steady wind blows at it.
const nail = [16, 5, 0] as const;
const lamp = world.createBody({ mass: 2, position: [16, 3, 0], shape: { type: 'sphere', radius: 0.2 } });
world.createJoint({
  type: 'distance',
  bodyB: lamp,
  frameA: { position: nail },
  distance: { spring: { target: 1, stiffness: 80, damping: 4 } },
});

let [bounce, slept] = [0, false];
for (let step = 0; step < 600; step++) {
  const arrived = chassis.getPosition()[0] < -17;
  car.setInput({ throttle: step > 120 && !arrived ? 1 : 0, brake: arrived ? 1 : 0 });
  lift.setLinearVelocity([0, Math.sin(step / 60), 0]);
  lamp.applyCentralForce([8, 0, 0]);
  world.step(1 / 60);
  if (step === 120) slept = crates.every((crate) => crate.isSleeping());
  if (step > 45 && ball.getLinearVelocity()[1] > 0) bounce = Math.max(bounce, ball.getPosition()[1]);
}

// What of the goods is above the lift?
const hit = world.rayTest([6, 20, 8], [6, -20, 8], { mask: GOODS });

const away = (body: RigidBody, [x, y, z]: readonly [number, number, number]) => {
  const [bx, by, bz] = body.getPosition();
  return Math.hypot(bx - x, by - y, bz - z);
};
export const outcome = {
  delivered: chassis.getPosition()[0] < -17 && Math.hypot(...chassis.getLinearVelocity()) < 0.5,
  slept,
  coins: collected,
  knocked: crates.filter((crate) => Math.abs(crate.getPosition()[0] + 14) > 0.3).length >= 3,
  loud: loudest > 1,
  spins: Math.abs(mill.getAngularVelocity()[2]),
  hangs: away(chain[4]!, hook),
  rolled: away(boulder, [0, 0, -20]) > 3,
  rides: rider.getPosition()[1] - lift.getPosition()[1],
  seesRider: hit?.body === rider,
  fell: ghost.getPosition()[1],
  bounce,
  stretched: away(lamp, nail),
};
console.log(outcome);
