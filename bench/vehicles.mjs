#!/usr/bin/env node
// Vehicles beside those of Jolt (jolt-physics) and of Bullet (btRaycastVehicle of ammojs-typed): the same car in the same
// scenes. In: the built package. Out: a table of what each does, and of what 100 cars on a terrain mesh cost.
// The car: 1,200 kg, wheels of 0.35 m, suspension of 1.8 Hz, friction 1 of the tyres, brakes that could lock all wheels.
// Engines and gearboxes differ in what they can be told, so no figure depends on them, except that the car drives off.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { cookMesh } from '../dist/cooking.js'; // npm run build makes it
import { World } from '../dist/index.js';
import { createVehicle } from '../dist/vehicle.js';
import { joltMesh, joltWorld } from './joltWorld.mjs';

const require = createRequire(import.meta.url);
const { values: options } = parseArgs({ options: { steps: { type: 'string', default: '120' } } });

const G = 9.81;
const DT = 1 / 60;
const MASS = 1200;
const HALF = [0.85, 0.25, 2];
const REST = 0.65; // m, of the centre when it stands
const PLACES = [1.3, -1.3].flatMap((z) => [0.8, -0.8].map((x) => [x, -0.3, z]));
const RADIUS = 0.35;
const WIDTH = 0.21;
const RATE = 2 * Math.PI * 1.8;

/** Every engine: makes a world of static boxes and perhaps a terrain, and cars in it. */
const engines = {
  async ricochet(scene, cast) {
    const world = new World({ gravity: scene.gravity });
    if (scene.terrain) {
      const geometry = cookMesh(scene.terrain);
      world.createBody({ type: 'static', shape: { type: 'mesh', geometry, friction: 1 } });
    }
    for (const { position, half } of scene.boxes)
      world.createBody({ type: 'static', position, shape: { type: 'box', halfExtents: half, friction: 1 } });
    const cars = [];
    for (const position of scene.cars) {
      const body = world.createBody({ mass: MASS, position, shape: { type: 'box', halfExtents: HALF } });
      const vehicle = await createVehicle(world, {
        chassis: body,
        wheels: PLACES.map((at) => ({ position: at, radius: RADIUS, width: WIDTH, cast })),
        tyre: { friction: 1 },
        steering: { halfSpeed: 0, rate: 0, ackermann: 0, maxAngle: 0.6 },
      });
      cars.push({
        position: () => body.getPosition(),
        rotation: () => body.getRotation(),
        velocity: () => body.getLinearVelocity(),
        push: (v) => body.setLinearVelocity(v),
        drive: ({ throttle = 0, brake = 0, angle = 0 }) =>
          vehicle.setInput({ throttle, brake, steer: angle / 0.6, gear: 'automatic' }),
      });
    }
    return { cars, step: () => world.step(DT) };
  },

  async jolt(scene, cast) {
    const { J, jolt, system, bodies } = await joltWorld(scene.gravity);
    const none = new J.Quat(0, 0, 0, 1);
    const add = (shape, position, moves) => {
      const type = moves ? J.EMotionType_Dynamic : J.EMotionType_Static;
      const made = new J.BodyCreationSettings(shape, new J.RVec3(...position), none, type, moves ? 1 : 0);
      made.mFriction = 1;
      if (moves) {
        made.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
        made.mMassPropertiesOverride.mMass = MASS;
        made.mLinearDamping = 0;
        made.mAngularDamping = 0;
      }
      const body = bodies.CreateBody(made);
      bodies.AddBody(body.GetID(), J.EActivation_Activate);
      return body;
    };
    if (scene.terrain) add(joltMesh(J, scene.terrain), [0, 0, 0], false);
    for (const { position, half } of scene.boxes)
      add(new J.BoxShape(new J.Vec3(...half), 0.01), position, false);
    const cars = scene.cars.map((position) => {
      const body = add(new J.BoxShape(new J.Vec3(...HALF), 0.05), position, true);
      const vehicle = new J.VehicleConstraintSettings();
      for (const [x, y, z] of PLACES) {
        const w = new J.WheelSettingsWV();
        const sag = G / (RATE * RATE);
        w.mPosition = new J.Vec3(x, y + 0.2, z);
        w.mSuspensionMinLength = 0.2 - 0.14;
        w.mSuspensionMaxLength = 0.2 + sag;
        w.mSuspensionSpring.mFrequency = 1.8;
        w.mSuspensionSpring.mDamping = 0.45;
        w.mRadius = RADIUS;
        w.mWidth = WIDTH;
        w.mMaxSteerAngle = z > 0 ? 0.6 : 0;
        w.mMaxBrakeTorque = 2500;
        w.mMaxHandBrakeTorque = 0;
        for (const [curve, peak] of [
          [w.mLongitudinalFriction, 0.06],
          [w.mLateralFriction, 3],
        ]) {
          curve.Clear();
          curve.AddPoint(0, 0);
          curve.AddPoint(peak, 1);
        }
        vehicle.mWheels.push_back(w);
      }
      const controller = new J.WheeledVehicleControllerSettings();
      controller.mEngine.mMaxTorque = 300;
      const differential = new J.VehicleDifferentialSettings();
      differential.mLeftWheel = 2;
      differential.mRightWheel = 3;
      controller.mDifferentials.push_back(differential);
      vehicle.mController = controller;
      const constraint = new J.VehicleConstraint(body, vehicle);
      const tester =
        cast === 'ray'
          ? new J.VehicleCollisionTesterRay(1)
          : cast === 'sphere'
            ? new J.VehicleCollisionTesterCastSphere(1, 0.5 * WIDTH)
            : new J.VehicleCollisionTesterCastCylinder(1, 0.05);
      constraint.SetVehicleCollisionTester(tester);
      system.AddConstraint(constraint);
      system.AddStepListener(new J.VehicleConstraintStepListener(constraint));
      const driver = J.castObject(constraint.GetController(), J.WheeledVehicleController);
      const list = (v, n) => [v.GetX(), v.GetY(), v.GetZ(), ...(n === 4 ? [v.GetW()] : [])];
      return {
        position: () => list(body.GetPosition()),
        rotation: () => list(body.GetRotation(), 4),
        velocity: () => list(body.GetLinearVelocity()),
        push: (v) => bodies.SetLinearVelocity(body.GetID(), new J.Vec3(...v)),
        drive: ({ throttle = 0, brake = 0, angle = 0 }) => {
          bodies.ActivateBody(body.GetID());
          driver.SetDriverInput(throttle, -angle / 0.6, brake, 0);
        },
      };
    });
    return { cars, step: () => jolt.Step(DT, 1) };
  },

  async bullet(scene) {
    const A = await require('ammojs-typed')();
    const v = (p) => new A.btVector3(...p);
    const configuration = new A.btDefaultCollisionConfiguration();
    const world = new A.btDiscreteDynamicsWorld(
      new A.btCollisionDispatcher(configuration),
      new A.btDbvtBroadphase(),
      new A.btSequentialImpulseConstraintSolver(),
      configuration,
    );
    world.setGravity(v(scene.gravity));
    const add = (shape, position, mass) => {
      const inertia = v([0, 0, 0]);
      if (mass > 0) shape.calculateLocalInertia(mass, inertia);
      const pose = new A.btTransform();
      pose.setIdentity();
      pose.setOrigin(v(position));
      const info = new A.btRigidBodyConstructionInfo(mass, new A.btDefaultMotionState(pose), shape, inertia);
      const body = new A.btRigidBody(info);
      body.setFriction(1);
      world.addRigidBody(body);
      return body;
    };
    if (scene.terrain) {
      const { vertices, indices } = scene.terrain;
      const mesh = new A.btTriangleMesh(true, false);
      const at = (i) => v([vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]]);
      for (let i = 0; i < indices.length; i += 3)
        mesh.addTriangle(at(indices[i]), at(indices[i + 1]), at(indices[i + 2]), false);
      add(new A.btBvhTriangleMeshShape(mesh, true, true), [0, 0, 0], 0);
    }
    for (const { position, half } of scene.boxes) add(new A.btBoxShape(v(half)), position, 0);
    const cars = scene.cars.map((position) => {
      const body = add(new A.btBoxShape(v(HALF)), position, MASS);
      body.setActivationState(4);
      const tuning = new A.btVehicleTuning();
      const vehicle = new A.btRaycastVehicle(tuning, body, new A.btDefaultVehicleRaycaster(world));
      vehicle.setCoordinateSystem(0, 1, 2);
      world.addAction(vehicle);
      // Its stiffness is per mass of the whole chassis.
      const stiffness = (RATE * RATE) / 4;
      for (const [x, y, z] of PLACES) {
        const rest = 0.2 + G / (RATE * RATE);
        const w = vehicle.addWheel(
          v([x, y + 0.2, z]),
          v([0, -1, 0]),
          v([-1, 0, 0]),
          rest,
          RADIUS,
          tuning,
          z > 0,
        );
        w.set_m_suspensionStiffness(stiffness);
        w.set_m_wheelsDampingCompression(0.35 * 2 * Math.sqrt(stiffness));
        w.set_m_wheelsDampingRelaxation(0.5 * 2 * Math.sqrt(stiffness));
        w.set_m_frictionSlip(1);
        w.set_m_rollInfluence(1);
        w.set_m_maxSuspensionForce(8 * MASS * G);
      }
      const list = (p, n) => [p.x(), p.y(), p.z(), ...(n === 4 ? [p.w()] : [])];
      return {
        position: () => list(body.getWorldTransform().getOrigin()),
        rotation: () => list(body.getWorldTransform().getRotation(), 4),
        velocity: () => list(body.getLinearVelocity()),
        push: (velocity) => body.setLinearVelocity(v(velocity)),
        drive: ({ throttle = 0, brake = 0, angle = 0 }) => {
          for (let i = 0; i < 4; i++) {
            vehicle.applyEngineForce(i > 1 ? throttle * 3500 : 0, i);
            vehicle.setBrake(brake * 400, i); // an impulse per step: more than any tyre holds
            vehicle.setSteeringValue(i < 2 ? angle : 0, i);
          }
        },
      };
    });
    return { cars, step: () => world.stepSimulation(DT, 0) };
  },
};

const FLOOR = { position: [0, -1, 0], half: [400, 1, 400] };
const plain = (more = {}) => ({ gravity: [0, -G, 0], boxes: [FLOOR], cars: [[0, REST, 0]], ...more });
const upright = ({ rotation }) => {
  const [x, , z] = rotation();
  return 1 - 2 * (x * x + z * z);
};

async function start(engine, cast, scene, seconds = 2) {
  const made = await engines[engine](scene, cast);
  const [car] = made.cars;
  car.drive({});
  for (let i = 0; i < seconds * 60; i++) made.step();
  return {
    ...made,
    car,
    run: (s, each) => {
      for (let i = 0; i < s * 60; i++) {
        each?.(i);
        made.step();
      }
    },
  };
}

/** A car that has been held by its brakes for 3 s on a slope of 20°. */
async function brakedOnSlope(engine, cast) {
  const angle = (20 * Math.PI) / 180;
  const gravity = [0, -G * Math.cos(angle), -G * Math.sin(angle)];
  const { car, run } = await start(engine, cast, plain({ gravity }), 0);
  run(3, () => car.drive({ brake: 1 }));
  return { car, run, from: car.position()[2] };
}

const scenes = {
  /** Radius of the circle at 8 m/s and 0.1 rad, in that of wheels that do not slip; 1.05 to 1.2 are real cars. */
  async 'skid pad: radius / L cot δ'(engine, cast) {
    const { car, run } = await start(engine, cast, plain());
    car.push([0, 0, 8]);
    const hold = () => {
      const [x, , z] = car.velocity();
      car.drive({ angle: 0.1, throttle: Math.max(0, Math.min(1, 0.5 * (8 - Math.hypot(x, z)) + 0.06)) });
    };
    run(5, hold);
    let turned = 0;
    let way = 0;
    let [px, , pz] = car.velocity();
    run(3, () => {
      hold();
      const [x, , z] = car.velocity();
      turned += Math.atan2(pz * x - px * z, px * x + pz * z);
      way += Math.hypot(x, z) * DT;
      [px, pz] = [x, z];
    });
    return way / Math.abs(turned) / (2.6 / Math.tan(0.1));
  },
  async 'braking from 25 m/s: distance / (v²/2μg)'(engine, cast) {
    const { car, run } = await start(engine, cast, plain());
    car.push([0, 0, 25]);
    run(0.5, () => car.drive({}));
    const [, , from] = car.position();
    const speed = car.velocity()[2];
    run(6, () => car.drive({ brake: 1 }));
    return (car.position()[2] - from) / (speed ** 2 / (2 * G));
  },
  async 'kerb of 15 cm at 60 km/h: largest upward acceleration, g'(engine, cast) {
    const { car, run } = await start(
      engine,
      cast,
      plain({ boxes: [FLOOR, { position: [0, 0.075, 30], half: [10, 0.075, 8] }] }),
    );
    car.push([0, 0, 60 / 3.6]);
    let most = 0;
    let before = car.velocity()[1];
    run(3.5, () => {
      const now = car.velocity()[1];
      most = Math.max(most, (now - before) / DT / G);
      before = now;
    });
    return most;
  },
  async 'the same: least cosine of tilt'(engine, cast) {
    const { car, run } = await start(
      engine,
      cast,
      plain({ boxes: [FLOOR, { position: [0, 0.075, 30], half: [10, 0.075, 8] }] }),
    );
    car.push([0, 0, 60 / 3.6]);
    let least = 1;
    run(3.5, () => (least = Math.min(least, upright(car))));
    return least;
  },
  async 'landing from 2 m: lowest centre, m (0.25: its floor touches)'(engine, cast) {
    const { car, run } = await start(engine, cast, plain({ cars: [[0, REST + 2, 0]] }), 0);
    car.push([0, 0, 20]);
    let least = 9;
    run(2, () => (least = Math.min(least, car.position()[1])));
    return least;
  },
  async 'slope of 20°: creep in 5 s on the brakes, mm'(engine, cast) {
    const { car, run, from } = await brakedOnSlope(engine, cast);
    run(5, () => car.drive({ brake: 1 }));
    return 1000 * Math.abs(car.position()[2] - from);
  },
  async 'the same: rolled back when it drives off, mm'(engine, cast) {
    const { car, run, from } = await brakedOnSlope(engine, cast);
    let back = 0;
    run(3, () => {
      car.drive({ throttle: 1 });
      back = Math.max(back, from - car.position()[2]);
    });
    return car.position()[2] > from + 2 ? 1000 * back : Number.NaN;
  },
  async '100 cars on a terrain mesh of 32,768 triangles: ms a step'(engine, cast) {
    const n = 129;
    const vertices = [];
    const indices = [];
    const height = (x, z) => 1.5 * Math.sin(x / 17) * Math.cos(z / 13) + 0.1 * Math.sin(x) * Math.sin(z);
    for (let i = 0; i < n; i++)
      for (let k = 0; k < n; k++)
        vertices.push(2 * (k - 64), height(2 * (k - 64), 2 * (i - 64)), 2 * (i - 64));
    for (let i = 0; i < n - 1; i++)
      for (let k = 0; k < n - 1; k++) {
        const a = i * n + k;
        indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
      }
    const cars = Array.from({ length: 100 }, (_, i) => {
      const [x, z] = [11 * (i % 10) - 50, 11 * Math.floor(i / 10) - 50];
      return [x, height(x, z) + 1, z];
    });
    const made = await engines[engine](
      { gravity: [0, -G, 0], boxes: [], terrain: { vertices, indices }, cars },
      cast,
    );
    for (const [i, car] of made.cars.entries()) car.drive({ throttle: 0.4, angle: i % 2 ? 0.2 : -0.2 });
    for (let i = 0; i < 60; i++) made.step();
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage();
      for (let i = 0; i < Number(options.steps) / 3; i++) made.step();
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1000 / (Number(options.steps) / 3));
    }
    return best;
  },
};

const columns = [
  ['ricochet', 'cylinder'],
  ['ricochet', 'ray'],
  ['jolt', 'cylinder'],
  ['jolt', 'ray'],
  ['bullet', 'ray'],
];
console.log(`| | ${columns.map(([engine, cast]) => `${engine}, ${cast}`).join(' | ')} |`);
console.log(`|---|${columns.map(() => '---').join('|')}|`);
for (const [name, scene] of Object.entries(scenes)) {
  const cells = [];
  for (const [engine, cast] of columns) {
    try {
      const value = await scene(engine, cast);
      cells.push(Number.isNaN(value) ? 'does not' : value.toPrecision(3));
    } catch (error) {
      cells.push('–');
      console.error(`${engine}, ${cast}: ${error?.stack ?? error}`);
    }
  }
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
