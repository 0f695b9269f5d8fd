// The longest of the first 100 steps of a scene in this process and their sum, ms, after the engine was warmed up for the ms that are given.
// Run by warmup.test.ts with the package that scripts/build.mjs made.
import { World } from '../../dist/index.js';
import { warmUp } from '../../dist/warmup.js';

const milliseconds = Number(process.argv[2]);
if (milliseconds > 0) {
  const world = new World();
  await warmUp(world, { milliseconds });
  world.dispose();
}
const world = new World({ sleeping: false });
world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [20, 1, 20] }, position: [0, -1, 0] });
for (let i = 0; i < 40; i++) {
  const at = [1.2 * (i % 8), 1 + 0.2 * (i % 5), 1.2 * Math.floor(i / 8)];
  const limb = (y) =>
    world.createBody({
      mass: 1,
      position: [at[0], at[1] + y, at[2]],
      rotation: [0, 0, 0.2, Math.sqrt(0.96)],
      shape: { type: 'capsule', radius: 0.1, halfHeight: 0.2 },
    });
  const [a, b] = [limb(0), limb(0.7)];
  world.createJoint({
    type: 'hinge',
    bodyA: a,
    bodyB: b,
    anchor: [at[0], at[1] + 0.35, at[2]],
    axis: [1, 0, 0],
  });
  const points = Array.from({ length: 14 }, (_, k) =>
    [Math.sin(9 * k), Math.sin(5 * k + 1), Math.cos(7 * k)].map((v) => 0.3 * v),
  );
  world.createBody({ mass: 1, position: [at[0], at[1] + 2, at[2]], shape: { type: 'hull', points } });
}
const times = Array.from({ length: 100 }, () => {
  const start = performance.now();
  world.step(1 / 60);
  return performance.now() - start;
});
console.log(JSON.stringify([Math.max(...times), times.reduce((sum, time) => sum + time)]));
