// Heavy balls fall on a light one that lies on the floor, and stop. Nothing here bounces, so they may come up only at the speed with
// which contacts push bodies apart. Before all contacts of a crushed body forgot an impact that passes through it, these columns left
// the floor at 0.15 to 1.1 of the speed with which they had come.
import { row } from './support/measure';
import { createWorld, velocity } from './support/world';

const FLOOR = { type: 'plane', normal: [0, 1, 0], friction: 0.5 } as const;

/** Fastest rise of the heavy balls in half a second, as a share of the speed of their fall. */
function rebound(balls: number, mass: number, speed: number, rate: number): number {
  const world = createWorld({ sleeping: false });
  world.createBody({ type: 'static', shape: FLOOR });
  world.createBody({ mass: 1, position: [0, 0.1, 0], shape: { type: 'sphere', radius: 0.1 } });
  const column = Array.from({ length: balls }, (_, i) =>
    world.createBody({
      mass,
      position: [0, 0.72 + i * 1.02, 0],
      linearVelocity: [0, -speed, 0],
      shape: { type: 'sphere', radius: 0.5 },
    }),
  );
  let fastest = 0;
  for (let k = 0; k < rate / 2; k++) {
    world.step(1 / rate);
    for (const ball of column) fastest = Math.max(fastest, velocity(ball)[1]);
  }
  world.dispose();
  return fastest / speed;
}

for (const rate of [30, 60, 120])
  for (const balls of [2, 3])
    row(`${balls} heavy balls on a light one of 1 kg do not bounce at ${rate} Hz`, (m) => {
      for (const mass of [100, 300, 1000])
        for (const speed of [5, 10])
          m.atMost(`${mass} kg at ${speed} m/s, of it`, rebound(balls, mass, speed, rate), 0.35);
    });
