// A box without friction slides over the seam of two tiles. If the second tile is higher by little, they are level, and it
// slides on; if it is higher by more, it is a step, and stops the box.
import type { World } from '../../src/index';
import { row } from './support/measure';
import { createWorld, DT, velocity } from './support/world';

/** Half extents of a box that is wider than high. */
const box = (wide: number, high: number) => [wide, high, wide] as [number, number, number];

interface Slide {
  /** m, half extents of the box and of the tiles. */
  size: number;
  width: number;
  thickness: number;
  /** m by which the second tile is higher, and by which the box is in the first one at the start. */
  rise?: number;
  sunk?: number;
  /** m from the box to the seam. */
  ahead: number;
  speed: number;
  steps: number;
  /** kg. Else tiles are static. */
  tileMass?: number;
}

function addTile(world: World, { width, thickness, tileMass }: Slide, x: number, top: number): void {
  const place = (y: number) => ({ position: [x, top + y, 0] as [number, number, number] });
  const halfExtents = box(width, thickness);
  if (tileMass === undefined) {
    world.createBody({
      type: 'static',
      ...place(-thickness),
      shape: { type: 'box', halfExtents, friction: 0 },
    });
    return;
  }
  world.createBody({
    mass: tileMass,
    ...place(-thickness),
    shape: { type: 'box', halfExtents, friction: 0 },
  });
  world.createBody({ type: 'static', ...place(-3 * thickness), shape: { type: 'box', halfExtents } });
}

/** Share of its speed that the box has in the end. */
function slide(it: Slide): number {
  const { size, width, rise = 0, sunk = 0, ahead, speed, steps } = it;
  const world = createWorld();
  addTile(world, it, -width, 0);
  addTile(world, it, width, rise);
  const body = world.createBody({
    mass: 1,
    position: [-size - ahead, size - sunk, 0],
    linearVelocity: [speed, 0, 0],
    shape: { type: 'box', halfExtents: box(size, size), friction: 0, restitution: 0 },
  });
  for (let i = 0; i < steps; i++) world.step(DT);
  const share = velocity(body)[0] / speed;
  world.dispose();
  return share;
}

row('tiles are level up to a thousandth of the size of the box', (m) => {
  const it = { size: 0.04, width: 1, thickness: 0.5, ahead: 0.1, speed: 1, steps: 60 };
  const size = it.size * Math.sqrt(3);
  for (const share of [0, 0.4, 0.9])
    m.atLeast(`share of the speed, ${share} thousandths`, slide({ ...it, rise: share * 1e-3 * size }), 0.98);
  for (const share of [1.2, 2]) {
    m.atMost(`share of the speed, ${share} thousandths`, slide({ ...it, rise: share * 1e-3 * size }), 0.5);
  }
});

row('static tiles are level up to a hundredth of the contact breaking threshold, 0.2 mm', (m) => {
  const it = { size: 5, width: 20, thickness: 0.5, ahead: 2.5, speed: 5, steps: 60 };
  for (const rise of [1e-4, 1.5e-4]) m.atLeast(`share of the speed, ${rise} m`, slide({ ...it, rise }), 0.98);
  for (const rise of [2.5e-4, 5e-4]) m.atMost(`share of the speed, ${rise} m`, slide({ ...it, rise }), 0.5);
});

row('heavy tiles that are no static bodies are level up to a twentieth of it, 1 mm', (m) => {
  const it = { size: 5, width: 20, thickness: 0.5, ahead: 2.5, speed: 5, steps: 60, tileMass: 1e6 };
  for (const rise of [3e-4, 9e-4]) m.atLeast(`share of the speed, ${rise} m`, slide({ ...it, rise }), 0.98);
  for (const rise of [1.2e-3, 3e-3]) m.atMost(`share of the speed, ${rise} m`, slide({ ...it, rise }), 0.5);
});

row(
  'a box that is in the tiles slides on, at most as deep as their rim: 2 mm, or a twentieth of half of their height',
  (m) => {
    // The point of contact is in the middle between the top of the tile and the bottom of the box.
    const it = { size: 0.25, width: 1, ahead: 0.02, speed: 2, steps: 20 };
    for (const [thickness, sunk, slides] of [
      [0.02, 0.0015, true],
      [0.02, 0.003, true],
      [0.02, 0.006, false],
      [0.5, 0.02, true],
      [0.1, 0.008, true],
      [0.1, 0.02, false],
    ] as const) {
      const share = slide({ ...it, thickness, sunk });
      const what = `share of the speed, ${sunk} m in ${2 * thickness} m`;
      if (slides) m.atLeast(what, share, 0.98);
      else m.atMost(what, share, 0.5);
    }
  },
);
