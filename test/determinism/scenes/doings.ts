// Golden scenes of what happens around bodies: sensors, sleep, movers, queries whose answers decide what comes next,
// bodies that come and go, high speeds.
import { deterministic, mesh } from 'ricochet';
import { between, createRandom } from '../../../demo/scenes/random';
import { type Batch, type GoldenScene, ground, type Hit, pit, type Thing } from './scene';
import { drop, solid } from './solids';

/** Sensors that stand, move, fly, hang on bodies; filters change while things are inside. */
const sensors: GoldenScene = {
  id: 'sensors',
  world: { events: true },
  start(target) {
    ground(target);
    target.createBody({
      type: 'static',
      position: [0, 1, 0],
      shape: { type: 'box', halfExtents: [1, 1, 1], sensor: true },
    });
    target.createBody({
      type: 'static',
      position: [3, 1, 0],
      contactResponse: false,
      shape: [
        { type: 'sphere', radius: 1.2 },
        { type: 'capsule', radius: 0.4, halfHeight: 2 },
      ],
    });
    const probe = target.createBody({
      type: 'kinematic',
      position: [-4, 1, 0],
      shape: { type: 'cylinder', radius: 1, halfHeight: 1, sensor: true },
    });
    const ghost = target.createBody({
      mass: 1,
      gravityScale: 0,
      position: [0, 1, -4],
      linearVelocity: [0, 0, 0.6],
      contactResponse: false,
      shape: { type: 'box', halfExtents: [0.6, 0.6, 0.6] },
    });
    const things = drop(target, 36, 4, 8);
    things[5]!.addShape({ type: 'sphere', radius: 0.9, sensor: true });
    return (step) => {
      probe.setKinematicTarget([-4 + 8 * ((step % 300) / 300), 1, 0], [0, 0, 0, 1]);
      if (step % 300 === 299) ghost.setTransform([0, 1, -4], [0, 0, 0, 1]);
      if (step % 110 === 0)
        things[(step / 10) % things.length]!.setFilter(step % 220 ? 4 : 1, step % 220 ? ~1 : -1);
      if (step % 130 === 0) things[step % things.length]!.applyImpulse([3, 900, -2]);
    };
  },
};

/** Islands that fall asleep at different times, are woken by touch, by call, by a change; some never sleep. */
const sleeping: GoldenScene = {
  id: 'sleeping',
  world: { deactivationTime: 0.5 },
  start(target) {
    ground(target);
    const tops: Thing[] = [];
    for (let tower = 0; tower < 12; tower++)
      for (let level = 0; level < 4; level++) {
        const thing = target.createBody({
          mass: 1,
          position: [2 * (tower % 4), 0.4 + 0.8 * level, 2 * Math.floor(tower / 4)],
          shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
        });
        if (level === 3) tops.push(thing);
      }
    tops[1]!.setActivationState('disableDeactivation');
    tops[2]!.setSleepingThresholds(0, 0);
    return (step) => {
      const top = tops[Math.floor(step / 40) % tops.length] as Thing;
      if (step % 200 === 120) top.activate();
      if (step % 200 === 160) top.applyImpulse([0.6, 0, 0.4]);
      if (step === 420) tops[5]!.forceActivationState('sleeping');
      if (step === 460) tops[6]!.setActivationState('disableSimulation');
      if (step === 560) tops[6]!.forceActivationState('active');
      if (step === 640) tops[7]!.setMaterial({ friction: 0.05 });
      if (step === 700)
        target.createBody({
          mass: 8,
          position: [-6, 1, 0.1],
          linearVelocity: [9, 1, 0],
          shape: { type: 'sphere', radius: 0.5 },
        });
      if (step === 900) target.setGravity([0.4, -9.81, 0]);
    };
  },
};

/** A lift, a turntable, a plough and a conveyor of moving boxes under loose things. */
const movers: GoldenScene = {
  id: 'movers',
  start(target) {
    ground(target);
    const kinematic = (x: number, y: number, halfExtents: [number, number, number]) =>
      target.createBody({
        type: 'kinematic',
        position: [x, y, 0],
        shape: { type: 'box', halfExtents, friction: 0.9 },
      });
    const lift = kinematic(0, 0.2, [1.5, 0.2, 1.5]);
    const table = target.createBody({
      type: 'kinematic',
      position: [5, 0.3, 0],
      shape: { type: 'cylinder', radius: 2, halfHeight: 0.3, friction: 0.9 },
    });
    const plough = kinematic(-8, 0.6, [0.2, 0.6, 2]);
    const belt = kinematic(-4, 0.1, [1, 0.1, 1]);
    for (let i = 0; i < 30; i++)
      target.createBody({
        mass: 1,
        position: [
          [0, 5, -4][i % 3]! + 0.3 * ((i % 5) - 2),
          1.4 + 0.5 * Math.floor(i / 3),
          0.2 * ((i % 4) - 1.5),
        ],
        shape:
          i % 2
            ? { type: 'box', halfExtents: [0.2, 0.2, 0.25] }
            : { type: 'capsule', radius: 0.15, halfHeight: 0.2, axis: 'x' },
      });
    return (step) => {
      const turn = 0.01 * step;
      if (lift.type === 'kinematic')
        lift.setKinematicTarget([0, 1.2 + deterministic.sin(0.03 * step - 1.57), 0], [0, 0, 0, 1]);
      table.setKinematicTarget([5, 0.3, 0], [0, deterministic.sin(turn), 0, deterministic.cos(turn)]);
      plough.setKinematicTarget([-8 + 5 * ((step % 250) / 250), 0.6, 0], [0, 0, 0, 1]);
      belt.setLinearVelocity([step % 400 < 200 ? 0.5 : -0.5, 0, 0]);
      if (step === 800) lift.setType('dynamic', { mass: 30 });
    };
  },
};

/** 500 rays, sweeps and overlaps; what they find decides what is made, where, and what is pushed. */
const queries: GoldenScene = {
  id: 'queries',
  start(target) {
    ground(target);
    pit(target, 4, 2);
    drop(target, 33, 4, 9);
    const rays = new Float32Array(6 * 500);
    return function* (step) {
      if (step % 5 !== 0) return;
      const random = createRandom(step);
      const x = between(random, -3, 3);
      const z = between(random, -3, 3);
      if (step % 20 === 0) {
        for (let i = 0; i < 500; i++)
          rays.set(
            [
              between(random, -4, 4),
              8,
              between(random, -4, 4),
              between(random, -4, 4),
              -1,
              between(random, -4, 4),
            ],
            6 * i,
          );
        const { fractions, bodies } = (yield target.rayTestBatch(rays)) as Batch;
        let nearest = 0;
        for (let i = 1; i < 500; i++) if (fractions[i]! < fractions[nearest]!) nearest = i;
        // The highest thing is pushed off, by how far away it was.
        target.getBody(bodies[nearest] as number)?.setLinearVelocity([x, 4 * fractions[nearest]!, z]);
      }
      const ray = (yield target.rayTest([x, 9, z], [x + 0.1, -1, z])) as Hit;
      const box = { shape: { type: 'box' as const, halfExtents: [0.4, 0.3, 0.4] }, position: [z, 7, x] };
      const sweep = (yield target.convexSweepTest(box, [0.5, -9, 0])) as Hit;
      const near = (yield target.overlapTest([x - 1, 0, z - 1], [x + 1, 2, z + 1])) as unknown[];
      const inside = (yield target.overlapShapeTest({ ...box, position: [x, 1, z] })) as { body: Thing }[];
      if (inside.length > 1) target.getBody(inside[1]!.body.id)?.applyImpulse([0, 20 * near.length, 0]);
      if (ray !== null && sweep !== null && step % 10 === 0 && near.length < 9 && step < 900)
        target.createBody({
          shape: solid(near.length, random),
          position: [ray.point[0], ray.point[1] + 0.6 + 0.2 * sweep.normal[1], ray.point[2]],
          linearVelocity: [sweep.normal[0], 2 * ray.normal[1], sweep.normal[2]],
        });
    };
  },
};

/** Bodies, shapes and joints that come and go, and change what they are. */
const churn: GoldenScene = {
  id: 'churn',
  start(target) {
    ground(target);
    pit(target, 3, 3);
    const made: number[] = [];
    const linked: number[] = [];
    const of = (step: number) => target.getBody(made[step] ?? 0);
    return (step) => {
      const random = createRandom(step);
      if (step % 6 === 0)
        made[step] = target.createBody({
          shape: solid(step / 6, random),
          position: [between(random, -2, 2), 5, between(random, -2, 2)],
          angularVelocity: [between(random, -9, 9), 0, 0],
        }).id;
      if (step % 6 === 3) of(step - 303)?.remove();
      if (step % 30 === 12) {
        const [a, b] = [of(step - 6), of(step - 12)];
        if (a && b)
          linked[step] = target.createJoint({
            type: 'point',
            bodyA: a,
            bodyB: b,
            anchor: [0, 4, 0],
            hertz: 4,
          }).id;
      }
      if (step % 30 === 28) target.getJoint(linked[step - 106] ?? 0)?.remove();
      const old = of(step - (step % 6) - 120);
      if (old === undefined) return;
      if (step % 35 === 0) old.addShape({ type: 'sphere', radius: 0.3, position: [0, 0.4, 0] });
      if (step % 35 === 20 && old.shapes.length > 1) old.removeShape(old.shapes[0] as number);
      if (step % 50 === 10) old.setType('kinematic');
      if (step % 50 === 30 && old.type === 'kinematic') old.setType('dynamic');
      if (step % 55 === 0 && old.type === 'dynamic') old.setMass(3);
      if (step % 65 === 0) old.setTransform([0, 4, 0], [0, 0, 0, 1]);
      if (step % 45 === 0) old.applyForce([0, 200, 30], [0.1, 0, 0]);
      if (step % 75 === 0) old.setDamping(0.2, 0.3);
      if (step % 85 === 0) old.setGravityScale(-0.3);
      if (step % 95 === 0) old.setMaterial({ friction: 0.9, restitution: 0.5 });
      if (step % 115 === 0) old.setLinearFactor([1, 1, 0]);
      if (step % 260 === 0) target.updateSettings({ substeps: 3 + (step % 4) });
    };
  },
};

/** Things too fast for their size: at thin walls, at a thin mesh, at each other; spinning rods; all watched by CCD. */
const speed: GoldenScene = {
  id: 'speed',
  world: { gravity: [0, -2, 0] },
  start(target) {
    ground(target);
    for (const x of [-6, 6])
      target.createBody({
        type: 'static',
        position: [x, 3, 0],
        shape: { type: 'box', halfExtents: [0.02, 3, 6] },
      });
    for (const z of [-6, 6])
      target.createBody({
        type: 'static',
        position: [0, 3, z],
        shape: { type: 'box', halfExtents: [6, 3, 0.02] },
      });
    target.createBody({
      type: 'static',
      position: [0, 5, 0],
      shape: mesh({ vertices: [-3, 0, -3, 3, 0, -3, 3, 0.5, 3, -3, 0.5, 3], indices: [0, 2, 1, 0, 3, 2] }),
    });
    const fired: number[] = [];
    return (step) => {
      if (step % 8 !== 0) return;
      const random = createRandom(step);
      const kind = (step / 8) % 3;
      fired[step] = target.createBody({
        mass: 0.5,
        position: [between(random, -1, 1), between(random, 1, 2), between(random, -1, 1)],
        linearVelocity: [between(random, -150, 150), between(random, -10, 60), between(random, -150, 150)],
        angularVelocity: [0, between(random, -60, 60), 20],
        ccdMotionThreshold: 0.1,
        ccdSweptSphereRadius: 0.08,
        shape:
          kind === 0
            ? { type: 'sphere', radius: 0.12, restitution: 0.7 }
            : kind === 1
              ? { type: 'box', halfExtents: [0.6, 0.05, 0.05] }
              : { type: 'capsule', radius: 0.08, halfHeight: 0.3 },
      }).id;
      target.getBody(fired[step - 400] ?? 0)?.remove();
    };
  },
};

/** Surfaces that carry and that let through one way, filters and combine rules of single shapes, changed on the way. */
const conveyance: GoldenScene = {
  id: 'conveyance',
  world: { deactivationTime: 0.5 },
  start(target) {
    ground(target);
    const belt = target.createBody({
      type: 'static',
      position: [0, 0.25, 0],
      shape: [
        {
          type: 'box',
          halfExtents: [4, 0.25, 1],
          surfaceVelocity: { linear: [1.5, 0, 0] },
          frictionCombine: 'maximum',
        },
        { type: 'box', halfExtents: [1, 1, 1], position: [0, 3, 0], group: 8, mask: 8 },
      ],
    });
    const table = target.createBody({
      type: 'kinematic',
      position: [0, 0.25, 4],
      angularVelocity: [0, 0.3, 0],
      shape: { type: 'cylinder', radius: 2, halfHeight: 0.25, surfaceVelocity: { angular: [0, 2, 0] } },
    });
    const grate = target.createBody({
      type: 'static',
      position: [0, 2, -4],
      shape: { type: 'box', halfExtents: [3, 0.1, 2], oneWay: [0.1, 1, 0] },
    });
    const tank = target.createBody({
      position: [-5, 1, 4],
      shape: [
        {
          type: 'box',
          halfExtents: [0.6, 0.3, 0.15],
          position: [0, 0, 0.4],
          surfaceVelocity: { linear: [-2, 0, 0] },
        },
        {
          type: 'box',
          halfExtents: [0.6, 0.3, 0.15],
          position: [0, 0, -0.4],
          surfaceVelocity: { linear: [-1, 0, 0] },
        },
      ],
    });
    const things = drop(target, 54, 6, 23);
    return (step) => {
      if (step % 90 === 0)
        belt.updateShape(belt.shapes[0]!, {
          surfaceVelocity: step % 180 ? { linear: [-1, 0, 0.5] } : step % 360 ? null : { linear: [2, 0, 0] },
        });
      if (step % 40 === 0) {
        const thing = things[(step / 40) % things.length]!;
        thing.setTransform([0, 0.5, -4], [0, 0, 0, 1]);
        thing.setLinearVelocity([0, 9, 0]);
      }
      if (step % 170 === 0) grate.updateShape(grate.shapes[0]!, { oneWay: step % 340 ? null : [0, 1, 0] });
      if (step % 130 === 0)
        table.updateShape(table.shapes[0]!, {
          restitutionCombine: step % 260 ? 'maximum' : null,
          combinePriority: 3,
        });
      if (step % 200 === 0) tank.setTransform([-5, 1, 4], [0, 0, 0, 1]);
      if (step % 250 === 0) tank.updateShape(tank.shapes[1]!, { group: step % 500 ? 4 : null });
    };
  },
};

/** A harbour: water that rises and flows, wind, a planet, a lift without weight, explosions. */
const harbour: GoldenScene = {
  id: 'harbour',
  world: { deactivationTime: 0.5 },
  start(target) {
    ground(target);
    pit(target, 7, 4);
    const water = target.createBody({
      type: 'static',
      position: [0, 1, 0],
      shape: {
        type: 'box',
        halfExtents: [7, 1, 7],
        area: { density: 1000, linearDrag: 0.5, angularDrag: 0.5 },
      },
    });
    target.createBody({
      type: 'static',
      position: [3, 4, 3],
      shape: { type: 'box', halfExtents: [3, 3, 3], area: { velocity: [-6, 0, 2], quadraticDrag: 0.1 } },
    });
    target.createBody({
      type: 'static',
      position: [-12, 4, 0],
      shape: [
        { type: 'sphere', radius: 1 },
        {
          type: 'sphere',
          radius: 4,
          area: { attraction: { strength: 12, distance: 1 }, gravityMode: 'replace' },
        },
      ],
    });
    const lift = target.createBody({
      type: 'kinematic',
      position: [-4, 2, 4],
      shape: {
        type: 'cylinder',
        radius: 1.5,
        halfHeight: 2,
        area: { gravity: [0, 1, 0], gravityMode: 'replace', priority: 2 },
      },
    });
    const things = drop(target, 66, 6, 31);
    return (step) => {
      lift.setKinematicTarget([-4 + 4 * ((step % 200) / 200), 2, 4], [0, 0, 0, 1]);
      if (step % 120 === 0)
        water.updateShape(water.shapes[0]!, {
          area: {
            density: 1000,
            linearDrag: 0.5,
            level: (step % 480) / 480,
            velocity: [(step % 240) / 120, 0, 0],
          },
        });
      if (step % 300 === 0) water.updateShape(water.shapes[0]!, { area: null });
      if (step % 70 === 0)
        target.explode([(step % 9) - 4, 1, (step % 7) - 3], 5, 400, { occlusion: step % 140 === 0 });
      if (step % 25 === 0) {
        const thing = things[(step / 25) % things.length]!;
        thing.setTransform([-12 + (step % 5), 7, 0], [0, 0, 0, 1]);
        thing.setLinearVelocity([0, 0, 3]);
      }
    };
  },
};

export const doings: readonly GoldenScene[] = [
  sensors,
  sleeping,
  movers,
  queries,
  churn,
  speed,
  conveyance,
  harbour,
];
