// A scene of all kinds of shapes whose answers steer it: rays say where something is put, sweeps what is pushed,
// overlaps what is taken away, nearest points and contacts what is turned. A single bit of a single answer that
// differed would soon be another world. For the hashes of Node and browsers; needs a world in process.
import type { RigidBody, World } from 'ricochet';
import { heightfield, mesh } from 'ricochet/cooking';
import { createHills } from './scenes/forms';
import { between, createRandom, rotation } from './scenes/random';
import type { Scene } from './scenes/scene';
import { KINDS, shapeOf } from './scenes/terrain';

const MOST_BODIES = 90;
const EVERY = 4; // steps
const PROBE = { type: 'box', halfExtents: [0.4, 0.3, 0.4] } as const;
const ZONE = { type: 'cylinder', radius: 1.1, halfHeight: 0.8 } as const;

export interface SteeredScene extends Scene {
  /** Called before every step, from step 1 on; depends on the world and the number only. */
  beforeStep(world: World, step: number): void;
}

export const steering: SteeredScene = {
  id: 'steering',
  title: 'Steering',
  description: 'Every kind of shape; the answers of queries decide what happens next.',
  camera: { position: [10, 9, 13], target: [0, 0, 0] },
  build(target) {
    const hills = createHills(21);
    const n = 33;
    const heights = Float32Array.from({ length: n * n }, (_, i) => {
      const [x, z] = [(i % n) / 16 - 1, Math.floor(i / n) / 16 - 1];
      return 0.5 * hills(3 * x, 3 * z) + 2 * (x * x * x * x + z * z * z * z);
    });
    target.createBody({ type: 'static', shape: heightfield({ rows: n, columns: n, spacing: 0.5, heights }) });
    const vertices: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i <= 8; i++) vertices.push(i - 4, 0, -1, i - 4, 1.2, 0, i - 4, 0, 1);
    for (let i = 0; i < 8; i++)
      for (let k = 0; k < 2; k++) {
        const a = 3 * i + k;
        indices.push(a, a + 1, a + 3, a + 1, a + 4, a + 3);
      }
    target.createBody({ type: 'static', shape: mesh({ vertices, indices }) });
    const random = createRandom(1);
    for (let i = 0; i < 33; i++)
      target.createBody({
        position: [between(random, -5, 5), 2.5 + 0.2 * i, between(random, -5, 5)],
        rotation: rotation(random),
        shape: shapeOf(i % KINDS, random),
        userIndex: i,
      });
  },
  beforeStep(world, step) {
    if (step % EVERY !== 0) return;
    const random = createRandom(step);
    const x = between(random, -5, 5);
    const z = between(random, -5, 5);
    const down = world.rayTest([x, 12, z], [x, -5, z]);
    if (down !== null && world.bodyCount < MOST_BODIES) {
      const { point, normal } = down;
      world.createBody({
        position: [point[0] + normal[0], point[1] + 1 + normal[1], point[2] + normal[2]],
        rotation: rotation(random),
        linearVelocity: [2 * normal[0], 0, 2 * normal[2]],
        shape: shapeOf((step / EVERY) % KINDS, random),
        userIndex: step,
      });
    }
    const swept = world.convexSweepTest({ shape: PROBE, position: [-9, 1.2, z] }, [18, 0, x / 4]);
    if (isMoving(swept?.body)) {
      const [nx, ny, nz] = swept!.normal;
      swept!.body.applyImpulse([-4 * nx, 4 - ny, -4 * nz].map((c) => c * swept!.fraction) as Triple);
    }
    for (const { body } of world.overlapShapeTest({ shape: ZONE, position: [x, 1, z] }))
      if (isMoving(body) && world.bodyCount > MOST_BODIES - 20) {
        world.removeBody(body);
        break;
      }
    const near = world.nearestTest({ shape: PROBE, position: [z, 3, x] }, { maxDistance: 6, mode: 'all' });
    for (const { body, distance, pointB } of near) {
      if (!isMoving(body)) continue;
      const { length } = world.contactTest(body, { maxDistance: 0.1 });
      const inside = world.pointTest(pointB).length;
      body.setAngularVelocity([distance, length, inside]);
      break;
    }
  },
};

type Triple = [number, number, number];

function isMoving(body: RigidBody | undefined): body is RigidBody {
  return body !== undefined && body.type === 'dynamic';
}
