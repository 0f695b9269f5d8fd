#!/usr/bin/env node
// Bullet's benchmark scenes 1–6 as one program for ammo.js, run on ricochet/ammo and on Bullet 2.82 (ammojs-typed) in
// turns. In: the built package. Out: ms per step, their ratio, and how the two heaps differ.
// Sizes and counts: bullet3, examples/Benchmarks/BenchmarkDemo.cpp. Its hull of 43 vertices and its landscape of
// 32,768 triangles are data files; here both are computed, with as many vertices and triangles.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import Ricochet from '../dist/ammo.js'; // npm run build makes it

const require = createRequire(import.meta.url);
const { values: options } = parseArgs({
  options: {
    scenes: { type: 'string', default: '1,2,3,4,5,6' },
    warmup: { type: 'string', default: '60' },
    steps: { type: 'string', default: '60' },
    reps: { type: 'string', default: '3' },
  },
});

/** Numbers from 0 to 1, the same for both engines. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

class Scene {
  constructor(A) {
    this.A = A;
    const configuration = new A.btDefaultCollisionConfiguration();
    this.world = new A.btDiscreteDynamicsWorld(
      new A.btCollisionDispatcher(configuration),
      new A.btDbvtBroadphase(),
      new A.btSequentialImpulseConstraintSolver(),
      configuration,
    );
    this.world.setGravity(this.v(0, -10, 0));
    this.world.getSolverInfo().set_m_numIterations(5);
    this.bodies = [];
    this.all = [];
    this.joints = [];
  }

  v(x, y, z) {
    return new this.A.btVector3(x, y, z);
  }

  transform(x, y, z, [qx, qy, qz, qw] = [0, 0, 0, 1]) {
    const t = new this.A.btTransform();
    t.setIdentity();
    t.setOrigin(this.v(x, y, z));
    t.setRotation(new this.A.btQuaternion(qx, qy, qz, qw));
    return t;
  }

  body(shape, mass, place) {
    const inertia = this.v(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    const state = new this.A.btDefaultMotionState(place);
    const body = new this.A.btRigidBody(new this.A.btRigidBodyConstructionInfo(mass, state, shape, inertia));
    this.world.addRigidBody(body);
    this.all.push(body);
    if (mass > 0) this.bodies.push(body);
    return body;
  }

  ground() {
    this.body(new this.A.btBoxShape(this.v(250, 50, 250)), 0, this.transform(0, -50, 0));
  }

  /** ammo.js keeps what is not destroyed, and its heap is bounded. */
  empty() {
    const { A, world } = this;
    for (const joint of this.joints) {
      world.removeConstraint(joint);
      A.destroy(joint);
    }
    for (const body of this.all) {
      world.removeRigidBody(body);
      A.destroy(body.getMotionState());
      A.destroy(body);
    }
    A.destroy(world);
  }

  places() {
    return this.bodies.map((body) => {
      const o = body.getWorldTransform().getOrigin();
      return [o.x(), o.y(), o.z()];
    });
  }
}

function boxes(s) {
  s.ground();
  const box = new s.A.btBoxShape(s.v(1, 1, 1));
  let offset = -8 * 1.5;
  for (let k = 0; k < 47; k++, offset -= 0.35)
    for (let j = 0; j < 8; j++)
      for (let i = 0; i < 8; i++) s.body(box, 2, s.transform(offset + 3 * i, 2 + 3 * k, offset + 3 * j));
}

function stacks(s) {
  s.ground();
  const box = new s.A.btBoxShape(s.v(1, 1, 1));
  for (let size = 12, y = 1; size > 0; size--, y += 2)
    for (let j = 0; j < size; j++)
      for (let i = 0; i < size; i++) s.body(box, 1, s.transform(-20 + 2 * i - size, y, 2 * j - size));
  for (const x of [10, 18, 26])
    for (let size = 12, y = 1; size > 0; size--, y += 2)
      for (let j = 0; j < size; j++) s.body(box, 1, s.transform(x, y, 2 * j - size + 1));
  for (let i = 0; i < 24; i++)
    for (let j = 0; j < 8; j++) {
      const turn = ((2 * Math.PI) / 24) * (i + (j % 2) / 2);
      const rotation = [0, Math.sin(-turn / 2), 0, Math.cos(-turn / 2)];
      s.body(box, 1, s.transform(60 + 11 * Math.cos(turn), 1 + 2 * j, 11 * Math.sin(turn), rotation));
    }
}

const L = 3.5;
/** Name, radius, length, and centre of each capsule of a ragdoll; lying ones along x. */
const PARTS = [
  ['pelvis', 0.15, 0.2, 0, 1, 0],
  ['spine', 0.15, 0.28, 0, 1.2, 0],
  ['head', 0.1, 0.05, 0, 1.6, 0],
  ['leftThigh', 0.07, 0.45, -0.18, 0.65, 0],
  ['leftShin', 0.05, 0.37, -0.18, 0.2, 0],
  ['rightThigh', 0.07, 0.45, 0.18, 0.65, 0],
  ['rightShin', 0.05, 0.37, 0.18, 0.2, 0],
  ['leftArm', 0.05, 0.33, -0.35, 1.45, 0, true],
  ['leftHand', 0.04, 0.25, -0.7, 1.45, 0, true],
  ['rightArm', 0.05, 0.33, 0.35, 1.45, 0, true],
  ['rightHand', 0.04, 0.25, 0.7, 1.45, 0, true],
];
/** Hinges about x (spine, knees) or z (elbows), cones elsewhere; where, in the frame of the figure. */
const JOINTS = [
  ['hinge', 0, 1, 0, 1.1, 0],
  ['cone', 1, 2, 0, 1.48, 0],
  ['cone', 0, 3, -0.18, 0.9, 0],
  ['hinge', 3, 4, -0.18, 0.42, 0],
  ['cone', 0, 5, 0.18, 0.9, 0],
  ['hinge', 5, 6, 0.18, 0.42, 0],
  ['cone', 1, 7, -0.17, 1.45, 0],
  ['elbow', 7, 8, -0.53, 1.45, 0],
  ['cone', 1, 9, 0.17, 1.45, 0],
  ['elbow', 9, 10, 0.53, 1.45, 0],
];
const half = Math.SQRT1_2;

function ragdoll(s, x, y, z) {
  const bodies = PARTS.map(([, radius, length, px, py, pz, lying]) => {
    const Type = lying ? s.A.btCapsuleShapeX : s.A.btCapsuleShape;
    const body = s.body(new Type(L * radius, L * length), 1, s.transform(x + L * px, y + L * py, z + L * pz));
    body.setDamping(0.05, 0.85);
    body.setSleepingThresholds(1.6, 2.5);
    return body;
  });
  for (const [kind, a, b, jx, jy, jz] of JOINTS) {
    // The frame's z is a hinge's axis, its x that of a cone.
    const rotation =
      kind === 'hinge' ? [0, half, 0, half] : kind === 'elbow' ? [0, 0, 0, 1] : [0, 0, half, half];
    const frames = [a, b].map((i) => {
      const [, , , px, py, pz] = PARTS[i];
      return s.transform(L * (jx - px), L * (jy - py), L * (jz - pz), rotation);
    });
    const Type = kind === 'cone' ? s.A.btConeTwistConstraint : s.A.btHingeConstraint;
    const joint = new Type(bodies[a], bodies[b], ...frames);
    if (kind === 'cone')
      for (const [axis, limit] of [
        [5, 0.7],
        [4, 0.7],
        [3, 0.8],
      ])
        joint.setLimit(axis, limit);
    else joint.setLimit(-0.2, Math.PI / 2, 0.9, 0.3, 1);
    s.world.addConstraint(joint, true);
    s.joints.push(joint);
  }
}

function ragdolls(s) {
  s.ground();
  for (let size = 16, row = 0; size > 0; size--, row++)
    for (let i = 0; i < size; i++) ragdoll(s, 8 * i - 4 * size, 0.5, 6 * row - 48);
}

/** 43 points on an egg. */
function egg(s) {
  const hull = new s.A.btConvexHullShape();
  for (let i = 0; i < 43; i++) {
    const y = 1 - (2 * i + 1) / 43;
    const r = Math.sqrt(1 - y * y);
    hull.addPoint(s.v(1.1 * r * Math.cos(2.4 * i), 0.8 * y, 0.9 * r * Math.sin(2.4 * i)), true);
  }
  return hull;
}

function hulls(s) {
  s.ground();
  const hull = egg(s);
  for (let k = 0; k < 15; k++)
    for (let j = 0; j < 8; j++)
      for (let i = 0; i < 8; i++)
        s.body(hull, 1, s.transform(2.6 * i - 10 - 0.05 * k, 1 + 2.1 * k, 2.4 * j - 10 - 0.05 * k));
}

/** 8 meshes of 64 × 32 cells: 32,768 triangles. */
function landscape(s) {
  const height = (x, z) => 3 * Math.sin(x / 9) * Math.cos(z / 7) + 1.5 * Math.sin(x / 3.1 + z / 4.3);
  for (let part = 0; part < 8; part++) {
    const mesh = new s.A.btTriangleMesh(true, false);
    const [x0, z0] = [-64 + 64 * (part % 2), -64 + 32 * (part >> 1)];
    const corner = (i, j) => s.v(x0 + i, height(x0 + i, z0 + j), z0 + j);
    for (let j = 0; j < 32; j++)
      for (let i = 0; i < 64; i++) {
        const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
        mesh.addTriangle(a, c, b, true);
        mesh.addTriangle(b, c, d, true);
      }
    s.body(new s.A.btBvhTriangleMeshShape(mesh, true, true), 0, s.transform(0, 0, 0)).setFriction(0.9);
  }
}

function onLandscape(s, shapes, spacing) {
  landscape(s);
  const random = randomNumbers(5);
  for (let k = 0; k < 10; k++)
    for (let j = 0; j < 10; j++)
      for (let i = 0; i < 10; i++) {
        const shape = shapes[Math.floor(9 * random()) % shapes.length];
        s.body(shape, 2, s.transform(spacing * (i - 4.5), 6 + spacing * k, spacing * (j - 4.5))).setFriction(
          0.9,
        );
      }
}

const SCENES = {
  1: ['3008 boxes', boxes],
  2: ['1076 boxes stacked', stacks],
  3: ['136 ragdolls', ragdolls],
  4: ['960 hulls stacked', hulls],
  5: [
    '1000 boxes, balls, capsules on a landscape',
    (s) =>
      onLandscape(
        s,
        [new s.A.btBoxShape(s.v(1, 1, 1)), new s.A.btSphereShape(1), new s.A.btCapsuleShape(1, 2)],
        4.2,
      ),
  ],
  6: ['1000 hulls on a landscape', (s) => onLandscape(s, [egg(s)], 3)],
};

function run(A, make, warmup, steps) {
  const scene = new Scene(A);
  make(scene);
  for (let i = 0; i < warmup; i++) scene.world.stepSimulation(1 / 60, 0);
  const { user } = process.cpuUsage();
  let worst = 0;
  for (let i = 0; i < steps; i++) {
    const begin = performance.now();
    scene.world.stepSimulation(1 / 60, 0);
    worst = Math.max(worst, performance.now() - begin);
  }
  const ms = (process.cpuUsage().user - user) / 1000 / steps;
  const places = scene.places();
  scene.empty();
  return { ms, worst, places };
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** How far apart: the centres of the heaps, and the typical body, m. */
function agreement(a, b) {
  const center = (places) => [0, 1, 2].map((k) => mean(places.map((p) => p[k])));
  const far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  const apart = a.map((p, i) => far(p, b[i])).sort((x, y) => x - y);
  return { centers: far(center(a), center(b)), median: apart[apart.length >> 1] };
}

/** Of a heap: mean height, that of the highest twentieth, spread about the middle, m; and bodies below any ground. */
function heap(places) {
  const middle = [0, 2].map((k) => mean(places.map((p) => p[k])));
  const heights = places.map((p) => p[1]).sort((x, y) => x - y);
  const spread = Math.sqrt(mean(places.map((p) => (p[0] - middle[0]) ** 2 + (p[2] - middle[1]) ** 2)));
  const lost = places.filter((p) => !(p[1] > -5)).length;
  const text = [mean(heights), heights[Math.floor(0.95 * heights.length)], spread].map((value) =>
    value.toFixed(2),
  );
  return `${text.join(', ')}; ${lost}`;
}

const ours = await Ricochet();
const bullet = await require('ammojs-typed/wasm')();
const [warmup, steps] = [Number(options.warmup), Number(options.steps)];
const reps = Number(options.reps);
console.log(`CPU ms per step over ${steps} steps after ${warmup}; best of ${reps} in turns\n`);
console.log(
  '| scene | ammo.js | ricochet/ammo | ratio | worst steps | their ratio | mean positions apart, m | half of the bodies within, m |',
);
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
const ratios = [];
const heaps = [];
for (const number of options.scenes.split(',')) {
  const [name, make] = SCENES[number];
  let a = run(ours, make, warmup, steps);
  let b = run(bullet, make, warmup, steps);
  for (let rep = 1; rep < reps; rep++) {
    const [again, other] = [run(ours, make, warmup, steps), run(bullet, make, warmup, steps)];
    // A run that something else disturbs has a worse step: the least of all runs is the engine's own.
    const [worstOfA, worstOfB] = [Math.min(a.worst, again.worst), Math.min(b.worst, other.worst)];
    if (again.ms < a.ms) a = again;
    if (other.ms < b.ms) b = other;
    a.worst = worstOfA;
    b.worst = worstOfB;
  }
  const { centers, median } = agreement(a.places, b.places);
  ratios.push(b.ms / a.ms);
  heaps.push(`| ${number} | ${heap(b.places)} | ${heap(a.places)} |`);
  console.log(
    `| ${number}. ${name} | ${b.ms.toFixed(2)} | ${a.ms.toFixed(2)} | ${(b.ms / a.ms).toFixed(2)} | ${b.worst.toFixed(1)}, ${a.worst.toFixed(1)} | ${(b.worst / a.worst).toFixed(2)} | ${centers.toFixed(3)} | ${median.toFixed(3)} |`,
  );
}
console.log('\nMean height, height of the highest twentieth, spread about the middle, m; bodies lost\n');
console.log('| scene | ammo.js | ricochet/ammo |\n| --- | --- | --- |');
console.log(heaps.join('\n'));
console.log(
  `\nLeast ratio ${Math.min(...ratios).toFixed(2)}, geometric mean ${Math.exp(mean(ratios.map(Math.log))).toFixed(2)}`,
);
