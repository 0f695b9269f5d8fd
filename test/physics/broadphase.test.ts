// After every step the set of pairs is what testing all boxes against all boxes gives: none missing,
// none left over. The core makes both lists itself (fat boxes, filters, sorted); this compares words.

import { scenes } from '../../demo/scenes';
import { World } from '../../src/index';
import { stepScene } from '../determinism/hashes';
import { type Measurement, row } from './support/measure';
import { random, type Vec3 } from './support/vector';
import { comparePairs, DT } from './support/world';

for (const scene of scenes) {
  const compare = (m: Measurement) => {
    const world = new World(scene.world ?? {});
    scene.build(world);
    let most = 0;
    let [missed, left] = [0, 0];
    for (let step = 1; step <= 240; step++) {
      stepScene(world, step); // shoots a ball at step 200
      const { pairs, missing, extra } = comparePairs(world);
      most = Math.max(most, pairs);
      missed += missing;
      left += extra;
    }
    m.equal('pairs missing', missed, 0);
    m.equal('pairs left over', left, 0);
    m.note('most pairs', most);
  };
  row(`${scene.id}: pairs equal all-pairs after each of 240 steps`, compare, { seconds: 300 });
}

function churn(m: Measurement, seed: number) {
  const next = random(seed);
  const within = (low: number, high: number) => low + (high - low) * next();
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const bodies: ReturnType<World['createBody']>[] = [];
  const place = (): Vec3 => [within(-6, 6), within(0.5, 8), within(-6, 6)];
  const create = () => {
    const kind = Math.floor(next() * 5);
    const shape =
      kind === 0
        ? ({ type: 'sphere', radius: within(0.2, 0.6) } as const)
        : kind === 1
          ? ({ type: 'capsule', radius: 0.2, halfHeight: within(0.1, 1), axis: 'z' } as const)
          : ({ type: 'box', halfExtents: [within(0.1, 0.7), within(0.1, 0.7), within(0.1, 2)] } as const);
    const type = kind === 4 ? 'kinematic' : kind === 3 && next() < 0.3 ? 'static' : 'dynamic';
    const group = 1 << Math.floor(next() * 3);
    const mask = next() < 0.3 ? 3 : -1;
    bodies.push(world.createBody({ type, position: place(), shape, group, mask }));
  };
  for (let i = 0; i < 150; i++) create();
  let [missed, left] = [0, 0];
  for (let step = 1; step <= 400; step++) {
    for (let k = 0; k < 3; k++) {
      const at = Math.floor(next() * bodies.length);
      const body = bodies[at];
      const what = next();
      if (what < 0.2) {
        world.removeBody(body);
        bodies.splice(at, 1);
        create();
      } else if (what < 0.4) body.setTransform(place(), [0, 0, 0, 1]);
      else if (what < 0.5) body.setFilter(1 << Math.floor(next() * 3), next() < 0.5 ? 5 : -1);
      else if (what < 0.7) body.setLinearVelocity([within(-20, 20), within(-20, 20), within(-20, 20)]);
      else if (what < 0.8) world.updateSettings({ aabbMargin: within(0.01, 0.2) });
    }
    world.step(DT);
    const { missing, extra } = comparePairs(world);
    missed += missing;
    left += extra;
  }
  m.equal('pairs missing', missed, 0);
  m.equal('pairs left over', left, 0);
}

for (const seed of [1, 2, 3])
  row(
    `bodies created, removed, teleported, refiltered at random (seed ${seed}): pairs equal all-pairs`,
    (m) => churn(m, seed),
  );

row('a heap of what fell at 60 m/s has hardly more pairs than one that was set down', (m) => {
  const world = new World({ sleeping: false });
  for (const [x, z] of [
    [1.2, 0],
    [-1.2, 0],
    [0, 1.2],
    [0, -1.2],
  ] as const)
    world.createBody({
      type: 'static',
      position: [x, 5, z],
      shape: { type: 'box', halfExtents: [x === 0 ? 1.4 : 0.2, 6, z === 0 ? 1.4 : 0.2] },
    });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const next = random(7);
  const balls = Array.from({ length: 400 }, (_, i) =>
    world.createBody({
      mass: 1,
      position: [1.6 * next() - 0.8, 3 + 0.1 * i, 1.6 * next() - 0.8],
      shape: { type: 'sphere', radius: 0.08 },
      linearVelocity: [0, -60, 0],
    }),
  );
  for (let step = 0; step < 120; step++) world.step(DT);
  const fallen = comparePairs(world).pairs;
  for (const ball of balls) {
    ball.setTransform(ball.getPosition(), ball.getRotation());
    ball.setLinearVelocity([0, 0, 0]);
  }
  world.step(DT);
  m.atMost('pairs, of those of the heap set down', fallen / comparePairs(world).pairs, 1.5);
  m.note('pairs', fallen);
});
