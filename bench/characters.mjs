#!/usr/bin/env node
// Characters beside those of Jolt (CharacterVirtual of jolt-physics) and Rapier (KinematicCharacterController of the
// SIMD build): the same capsule in the same scenes. In: the built package. Out: a table of what each does and costs.
// The capsule: radius 0.3 m, 1.8 m tall, 70 kg, a gap of 2 cm, climbs 50° and steps of 35 cm, follows the ground 35 cm down.
// Peers are moved as their own documents and examples say:
// - Jolt: platforms by MoveKinematic first, then each character: UpdateGroundVelocity, a velocity of ground + wish + fall,
//   ExtendedUpdate (stairs, sticking to the floor), then the step. Who wants nothing does not slide: its listener says so,
//   as in the example; the scenes of cost do without it. Characters see each other by inner bodies, or with
//   --pairs by its CharacterVsCharacterCollisionSimple.
// - Rapier: wish + fall to computeColliderMovement with autostep and snap-to-ground, and the result to
//   setNextKinematicTranslation, then the step. Platforms have set velocities: it carries characters by the velocity, which
//   of platforms with set positions is that of the step before; they drift more.
// What could not be made equal: Jolt's and Rapier's characters have no pose to draw but the one that collides, so a
// second row smooths the height of all in the same way. Peers are called from JavaScript once per character and
// step, and that time counts. A step behind is what the peers' order (characters, then bodies) costs on a lift; after the
// step instead, Rapier drifts more.
import { parseArgs } from 'node:util';
import { createCharacter } from '../dist/character.js';
import { cookMesh } from '../dist/cooking.js'; // npm run build makes it
import { World } from '../dist/index.js';
import { joltMesh, joltWorld } from './joltWorld.mjs';

const { values: options } = parseArgs({
  options: {
    steps: { type: 'string', default: '120' }, // measured, of the scenes of cost
    scene: { type: 'string', default: '' }, // only rows with this in their names
    pairs: { type: 'boolean', default: false }, // Jolt's characters see each other by CharacterVsCharacterCollisionSimple
  },
});

const G = 9.81;
const DT = 1 / 60;
const RADIUS = 0.3;
const HALF = 0.6;
const OFFSET = 0.02;
const STANDING = RADIUS + HALF + OFFSET;
const STEP = 0.35;
const SLOPE = (50 * Math.PI) / 180;
const LEVEL = [0, 0, 0, 1];

/**
 * Every engine: makes a world of static boxes, perhaps a terrain and a platform, and characters in it. `step` gets the pose of the
 * platform after the step, and what each character wants, in m/s. `drawn` is the height at which to draw it.
 */
const engines = {
  async ricochet(scene) {
    const world = new World({ gravity: [0, -G, 0] });
    const add = ({ position, rotation = LEVEL, half }, type = 'static') =>
      world.createBody({ type, position, rotation, shape: { type: 'box', halfExtents: half } });
    if (scene.terrain)
      world.createBody({ type: 'static', shape: { type: 'mesh', geometry: cookMesh(scene.terrain) } });
    for (const box of scene.boxes) add(box);
    const platform = scene.platform && add(scene.platform, 'kinematic');
    const who = [];
    for (const position of scene.who)
      who.push(
        await createCharacter(world, {
          shape: { type: 'capsule', radius: RADIUS, halfHeight: HALF },
          position,
          offset: OFFSET,
          stepHeight: STEP,
          snapDistance: STEP,
          maxSlope: SLOPE,
        }),
      );
    return {
      position: (i) => who[i].getPosition(),
      drawn: (i) => who[i].getPosition()[1] + who[i].lift,
      step(wish, pose) {
        if (pose) platform.setKinematicTarget(pose.position, pose.rotation);
        who.forEach((one, i) => {
          const [x, z] = wish(i);
          one.setInput({ move: [x, 0, z] });
        });
        world.step(DT);
      },
    };
  },

  jolt: makeJolt,
  rapier: makeRapier,
};

async function makeJolt(scene) {
  const { J, jolt, system, bodies } = await joltWorld([0, -G, 0]);
  const add = (shape, position, rotation = LEVEL, moves = false) => {
    const type = moves ? J.EMotionType_Kinematic : J.EMotionType_Static;
    const made = new J.BodyCreationSettings(
      shape,
      new J.RVec3(...position),
      new J.Quat(...rotation),
      type,
      moves ? 1 : 0,
    );
    const body = bodies.CreateBody(made);
    bodies.AddBody(body.GetID(), J.EActivation_Activate);
    return body.GetID();
  };
  if (scene.terrain) add(joltMesh(J, scene.terrain), [0, 0, 0]);
  const box = (half) => new J.BoxShape(new J.Vec3(...half), 0.01);
  for (const { position, rotation, half } of scene.boxes) add(box(half), position, rotation);
  const platform =
    scene.platform && add(box(scene.platform.half), scene.platform.position, scene.platform.rotation, true);
  const others = new J.CharacterVsCharacterCollisionSimple();
  // Who does not want to move does not slide down what is flat enough, unless the ground itself moves.
  let wants = true;
  const listener = new J.CharacterContactListenerJS();
  listener.OnContactValidate = listener.OnCharacterContactValidate = () => true;
  for (const event of ['Added', 'Persisted', 'Removed'])
    listener[`OnContact${event}`] = listener[`OnCharacterContact${event}`] = () => {};
  listener.OnAdjustBodyVelocity = listener.OnCharacterContactSolve = () => {};
  listener.OnContactSolve = (one, _body, _sub, _at, normal, moves, _material, _velocity, result) => {
    const steep = J.wrapPointer(one, J.CharacterVirtual).IsSlopeTooSteep(J.wrapPointer(normal, J.Vec3));
    if (!wants && !steep && J.wrapPointer(moves, J.Vec3).IsNearZero())
      J.wrapPointer(result, J.Vec3).Set(0, 0, 0);
  };
  const who = scene.who.map((position) => {
    const made = new J.CharacterVirtualSettings();
    made.mShape = new J.CapsuleShape(HALF, RADIUS);
    if (scene.meet && !options.pairs) {
      made.mInnerBodyShape = made.mShape;
      made.mInnerBodyLayer = 1;
    }
    made.mMass = 70;
    made.mMaxSlopeAngle = SLOPE;
    made.mCharacterPadding = OFFSET;
    // Only contacts of the lower half sphere can be its ground, as in its example.
    made.mSupportingVolume = new J.Plane(new J.Vec3(0, 1, 0), HALF);
    const one = new J.CharacterVirtual(made, new J.RVec3(...position), new J.Quat(...LEVEL), system);
    if (scene.stands) one.SetListener(listener);
    if (scene.meet && options.pairs) {
      one.SetCharacterVsCharacterCollision(others);
      others.Add(one);
    }
    return one;
  });
  const extended = new J.ExtendedUpdateSettings();
  extended.mWalkStairsStepUp = new J.Vec3(0, STEP, 0);
  extended.mStickToFloorStepDown = new J.Vec3(0, -STEP, 0);
  const filters = [
    new J.DefaultBroadPhaseLayerFilter(jolt.GetObjectVsBroadPhaseLayerFilter(), 1),
    new J.DefaultObjectLayerFilter(jolt.GetObjectLayerPairFilter(), 1),
    new J.BodyFilter(),
    new J.ShapeFilter(),
    jolt.GetTempAllocator(),
  ];
  const gravity = new J.Vec3(0, -G, 0);
  const velocity = new J.Vec3();
  const to = new J.RVec3();
  const turned = new J.Quat();
  return {
    position: (i) => {
      const at = who[i].GetPosition();
      return [at.GetX(), at.GetY(), at.GetZ()];
    },
    drawn: (i) => who[i].GetPosition().GetY(),
    step(wish, pose) {
      if (pose) {
        to.Set(...pose.position);
        turned.Set(...pose.rotation);
        bodies.MoveKinematic(platform, to, turned, DT);
      }
      who.forEach((one, i) => {
        one.UpdateGroundVelocity();
        const ground = one.GetGroundVelocity();
        const [gx, gy, gz] = [ground.GetX(), ground.GetY(), ground.GetZ()];
        const falls = one.GetLinearVelocity().GetY();
        const stands =
          one.GetGroundState() === J.EGroundState_OnGround && !one.IsSlopeTooSteep(one.GetGroundNormal());
        const [x, z] = wish(i);
        wants = x !== 0 || z !== 0;
        if (stands) velocity.Set(gx + x, gy - G * DT, gz + z);
        else velocity.Set(x, falls - G * DT, z);
        one.SetLinearVelocity(velocity);
        one.ExtendedUpdate(DT, gravity, extended, ...filters);
      });
      jolt.Step(DT, 1);
    },
  };
}

async function makeRapier(scene) {
  const { default: R } = await import('@dimforge/rapier3d-simd-compat');
  await R.init();
  const xyzw = ([x, y, z, w]) => ({ x, y, z, w });
  const world = new R.World({ x: 0, y: -G, z: 0 });
  const add = ({ position, rotation = LEVEL, half }, description) => {
    const body = world.createRigidBody(description.setTranslation(...position).setRotation(xyzw(rotation)));
    world.createCollider(R.ColliderDesc.cuboid(...half), body);
    return body;
  };
  if (scene.terrain) {
    const { vertices, indices } = scene.terrain;
    world.createCollider(R.ColliderDesc.trimesh(new Float32Array(vertices), new Uint32Array(indices)));
  }
  for (const box of scene.boxes) add(box, R.RigidBodyDesc.fixed());
  const platform = scene.platform && add(scene.platform, R.RigidBodyDesc.kinematicVelocityBased());
  const controller = world.createCharacterController(OFFSET);
  controller.enableAutostep(STEP, 0.15, true);
  controller.enableSnapToGround(STEP);
  controller.setMaxSlopeClimbAngle(SLOPE);
  controller.setMinSlopeSlideAngle(SLOPE);
  const who = scene.who.map((position) => {
    const body = world.createRigidBody(R.RigidBodyDesc.kinematicPositionBased().setTranslation(...position));
    return { body, collider: world.createCollider(R.ColliderDesc.capsule(HALF, RADIUS), body), falls: 0 };
  });
  world.step();
  return {
    position: (i) => {
      const { x, y, z } = who[i].body.translation();
      return [x, y, z];
    },
    drawn: (i) => who[i].body.translation().y,
    step(wish, pose) {
      if (pose) {
        const [linear, angular] = velocities(platform, pose);
        platform.setLinvel(linear, true);
        platform.setAngvel(angular, true);
      }
      who.forEach((one, i) => {
        const [x, z] = wish(i);
        const at = one.body.translation();
        one.falls -= G * DT;
        controller.computeColliderMovement(one.collider, {
          x: x * DT,
          y: one.falls * DT,
          z: z * DT,
        });
        const moved = controller.computedMovement();
        one.body.setNextKinematicTranslation({ x: at.x + moved.x, y: at.y + moved.y, z: at.z + moved.z });
        if (controller.computedGrounded()) one.falls = 0;
      });
      world.step();
    },
  };
}

/** What brings a body to a pose in one step; turns are about y. */
function velocities(body, { position, rotation }) {
  const [p, q] = [body.translation(), body.rotation()];
  const turn = 2 * Math.asin(rotation[1] * q.w - rotation[3] * q.y);
  return [
    { x: (position[0] - p.x) / DT, y: (position[1] - p.y) / DT, z: (position[2] - p.z) / DT },
    { x: 0, y: turn / DT, z: 0 },
  ];
}

/** v turned by the quaternion q. */
function rotate([x, y, z, w], [a, b, c]) {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

const FLOOR = { position: [0, -1, 0], half: [200, 1, 200] };
const STILL = () => [0, 0];

/** Largest horizontal and vertical way, mm, of a character from its place on a platform in 10 s; `at` is the pose at t. */
async function onPlatform(engine, at, from) {
  const platform = { half: [6, 0.25, 6], ...at(0) };
  const [x, y, z] = rotate(platform.rotation, [from, 0.25 + STANDING, 0]);
  const [px, py, pz] = platform.position;
  const made = await engines[engine]({
    boxes: [],
    platform,
    who: [[px + x, py + y, pz + z]],
    stands: true,
  });
  let t = 0;
  const local = () => {
    const { position, rotation } = at(t);
    const [qx, qy, qz, qw] = rotation;
    const who = made.position(0);
    return rotate(
      [-qx, -qy, -qz, qw],
      who.map((value, k) => value - position[k]),
    );
  };
  for (let i = 0; i < 30; i++) made.step(STILL, at(0)); // it finds the ground
  const start = local();
  let [aside, above] = [0, 0];
  for (let i = 1; i <= 600; i++) {
    t = i * DT;
    made.step(STILL, at(t));
    const now = local();
    aside = Math.max(aside, Math.hypot(now[0] - start[0], now[2] - start[2]));
    above = Math.max(above, Math.abs(now[1] - start[1]));
  }
  return { aside: 1000 * aside, above: 1000 * above };
}

const shuttle = (t) => ({ position: [4 - 4 * Math.cos(t), 0, 0], rotation: LEVEL }); // up to 4 m/s
const lift = (t) => ({ position: [0, 3 - 3 * Math.cos(t), 0], rotation: LEVEL }); // up to 3 m/s
const turntable = (t) => ({ position: [0, 0, 0], rotation: [0, Math.sin(t / 2), 0, Math.cos(t / 2)] });

/** Up stairs of 30 by 40 cm, wanting 6 m/s: the poses (x, height drawn) from the sixth step on. */
async function upStairs(engine) {
  const [rise, tread, count] = [0.3, 0.4, 20];
  const boxes = [FLOOR];
  for (let i = 0; i < count; i++)
    boxes.push({
      position: [2 + (i + 0.5) * tread + 1, 0.5 * rise * (i + 1), 0],
      half: [0.5 * tread + 1, 0.5 * rise * (i + 1), 2],
    });
  const made = await engines[engine]({ boxes, who: [[0, STANDING, 0]] });
  const poses = [];
  for (let i = 0; i < 300; i++) {
    made.step(() => [6, 0]);
    const [x] = made.position(0);
    if (x > 2 + 17 * tread) break;
    if (x > 2 + 6 * tread) poses.push([x, made.drawn(0)]);
  }
  return { poses, slope: rise / tread };
}

/** mm: the largest distance of heights from the straight line through them. */
function bump(poses) {
  const mean = (k) => poses.reduce((sum, pose) => sum + pose[k], 0) / poses.length;
  const [mx, my] = [mean(0), mean(1)];
  const slope =
    poses.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) /
    poses.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return 1000 * Math.max(...poses.map(([x, y]) => Math.abs(y - my - slope * (x - mx))));
}

/** ms of CPU time a step, the best of three rounds after a warm-up of a second. */
function cost(each) {
  let k = 0;
  for (; k < 60; k++) each(k);
  const steps = Number(options.steps) / 3;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < steps; i++) each(k++);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000 / steps);
  }
  return best;
}

/** 500 in a court with walls, which all head for a place outside that goes round: they push each other along the walls. */
async function crowd(engine) {
  const count = 500;
  const side = Math.ceil(Math.sqrt(count));
  const half = 0.36 * side;
  const boxes = [FLOOR];
  for (const s of [1, -1]) {
    boxes.push({ position: [s * (half + 0.1), 1, 0], half: [0.1, 2, half + 0.2] });
    boxes.push({ position: [0, 1, s * (half + 0.1)], half: [half + 0.2, 2, 0.1] });
  }
  const who = Array.from({ length: count }, (_, i) => [
    0.7 * ((i % side) - side / 2 + 0.5),
    STANDING,
    0.7 * (Math.floor(i / side) - side / 2 + 0.5),
  ]);
  const made = await engines[engine]({ boxes, who, meet: true });
  const each = (k) => {
    const [tx, tz] = [1.5 * half * Math.cos(0.03 * k), 1.5 * half * Math.sin(0.03 * k)];
    made.step((i) => {
      const [x, , z] = made.position(i);
      const [dx, dz] = [tx - x, tz - z];
      const size = Math.hypot(dx, dz) + 1e-9;
      return [(4 * dx) / size, (4 * dz) / size];
    });
  };
  return { made, half, count, each };
}

const crowds = {};

const scenes = {
  async 'standing on a slope of 30° for 60 s: creep, mm'(engine) {
    const angle = (30 * Math.PI) / 180;
    const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const boxes = [{ position: rotate(rotation, [0, -1, 0]), rotation, half: [20, 1, 20] }];
    const made = await engines[engine]({
      boxes,
      who: [[0, (RADIUS + OFFSET) / Math.cos(angle) + HALF, 0]],
      stands: true,
    });
    for (let i = 0; i < 60; i++) made.step(STILL);
    const [x, y, z] = made.position(0);
    for (let i = 0; i < 3600; i++) made.step(STILL);
    const now = made.position(0);
    return 1000 * Math.hypot(now[0] - x, now[1] - y, now[2] - z);
  },
  'a platform that shuttles at up to 4 m/s, 10 s: drift, mm': async (engine) =>
    (await onPlatform(engine, shuttle, 0)).aside,
  'a lift of up to 3 m/s, 10 s: gap or sinking, mm': async (engine) =>
    (await onPlatform(engine, lift, 0)).above,
  'a turntable, 3 m from its axis at 1 rad/s, 10 s: drift, mm': async (engine) =>
    (await onPlatform(engine, turntable, 3)).aside,
  async 'stairs of 30 by 40 cm at 6 m/s: bump as drawn, mm'(engine) {
    return bump((await upStairs(engine)).poses);
  },
  async 'the same, the height drawn follows by a tenth of a second (the program does it)'(engine) {
    const { poses } = await upStairs(engine);
    let y = poses[0][1];
    const smooth = poses.map(([x, height]) => [x, (y += (height - y) * (1 - Math.exp(-DT / 0.1)))]);
    return bump(smooth.slice(12));
  },
  async 'the same: speed along the ground, m/s of 6'(engine) {
    const { poses } = await upStairs(engine);
    return (poses.at(-1)[0] - poses[0][0]) / ((poses.length - 1) * DT);
  },
  async '100 on a terrain mesh of 32,768 triangles: ms a step'(engine) {
    const n = 129;
    const vertices = [];
    const indices = [];
    const height = (x, z) => 1.5 * Math.sin(x / 17) * Math.cos(z / 13) + 0.1 * Math.sin(x) * Math.sin(z);
    for (let i = 0; i < n; i++)
      for (let k = 0; k < n; k++) vertices.push(k - 64, height(k - 64, i - 64), i - 64);
    for (let i = 0; i < n - 1; i++)
      for (let k = 0; k < n - 1; k++) {
        const a = i * n + k;
        indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
      }
    const who = Array.from({ length: 100 }, (_, i) => {
      const [x, z] = [11 * (i % 10) - 50, 11 * Math.floor(i / 10) - 50];
      return [x, height(x, z) + STANDING + 0.1, z];
    });
    const made = await engines[engine]({ boxes: [], terrain: { vertices, indices }, who });
    // Each walks in a circle of 4 m, so that none meets another.
    return cost((k) => made.step((i) => [4 * Math.cos(0.0167 * k + i), 4 * Math.sin(0.0167 * k + i)]));
  },
  async '500 in a court that push each other: ms a step'(engine) {
    const { made, half, count, each } = await crowd(engine);
    const ms = cost(each);
    let [deepest, out] = [0, 0];
    const at = Array.from({ length: count }, (_, i) => made.position(i));
    at.forEach(([x, y, z], i) => {
      if (Math.max(Math.abs(x), Math.abs(z)) > half || y < 0) out++;
      for (let k = 0; k < i; k++) {
        const [ox, oy, oz] = at[k];
        const apart = Math.hypot(x - ox, Math.max(0, Math.abs(y - oy) - 2 * HALF), z - oz);
        deepest = Math.max(deepest, 2 * RADIUS - apart);
      }
    });
    crowds[engine] = { deepest: 1000 * deepest, out };
    return ms;
  },
  'the same: deepest overlap of two, mm': async (engine) => crowds[engine].deepest,
  'the same: outside of the walls': async (engine) => crowds[engine].out,
};

const columns = Object.keys(engines);
console.log(`| | ${columns.join(' | ')} |`);
console.log(`|---|${columns.map(() => '---').join('|')}|`);
for (const [name, scene] of Object.entries(scenes)) {
  if (!name.includes(options.scene)) continue;
  const cells = [];
  for (const engine of columns) {
    try {
      const value = await scene(engine);
      cells.push(Math.abs(value) < 1e-2 ? value.toFixed(4).replace(/\.?0+$/, '') : value.toPrecision(3));
    } catch (error) {
      cells.push('–');
      console.error(`${engine}: ${error?.stack ?? error}`);
    }
  }
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
