// A box without friction slides from one mesh onto another one, which rises by 3°. Where the borders of the two are nearer
// than 0.3 % of the size of the box, they are joined, as triangles of one mesh are; else the second border is an edge.
import { mesh, type World } from '../../src/index';
import { row } from './support/measure';
import { createWorld, DT, velocity } from './support/world';

const HALF = 0.25;
const SPEED = 2;
const SLOPE = 0.05;

function addFloor(world: World, from: number, to: number, height: (x: number) => number): void {
  const corner = (x: number, z: number) => [x, height(x), z];
  const vertices = [...corner(from, -9), ...corner(from, 9), ...corner(to, 9), ...corner(to, -9)];
  world.createBody({
    type: 'static',
    shape: { ...mesh({ vertices, indices: [0, 1, 2, 0, 2, 3] }), friction: 0 },
  });
}

/** Share of its speed that the box has on the slope. */
function slide(gap: number): number {
  const world = createWorld();
  addFloor(world, -9, 0, () => 0);
  addFloor(world, gap, 9, (x) => SLOPE * x);
  const body = world.createBody({
    mass: 1,
    position: [-HALF - 0.1, HALF, 0],
    linearVelocity: [SPEED, 0, 0],
    shape: { type: 'box', halfExtents: [HALF, HALF, HALF], friction: 0, restitution: 0 },
  });
  for (let i = 0; i < 20; i++) world.step(DT);
  const share = velocity(body)[0] / SPEED;
  world.dispose();
  return share;
}

row('borders of meshes are joined up to 0.3 % of the size of what slides over them', (m) => {
  const most = 0.003 * HALF * Math.sqrt(3);
  for (const share of [0, 0.4, 0.9])
    m.atLeast(`share of the speed, gap ${share} of that`, slide(share * most), 0.95);
  for (const share of [1.2, 3])
    m.atMost(`share of the speed, gap ${share} of that`, slide(share * most), 0.5);
});
