// A row of dominoes: what turns far in a step stands on the floor and is pressed by its neighbours. The floor's contact of
// such a body was left to the sweep, which knows two bodies only: in every other step nothing bore the domino, it fell, and
// the impact took its energy.
import { row } from './support/measure';
import { rotate } from './support/vector';
import { createWorld, G } from './support/world';

const COUNT = 40;

/** Speed of the wave along dominoes of `height` m, as a share of √(g·height). */
function waveSpeed(height: number, hz: number, gravity = G): number {
  const world = createWorld({ gravity: [0, -gravity, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const unit = Math.sqrt(gravity * height);
  const dominoes = Array.from({ length: COUNT }, (_, i) =>
    world.createBody({
      position: [0.5 * height * i, height / 2, 0],
      shape: {
        type: 'box',
        halfExtents: [0.077 * height, height / 2, height / 4],
        density: 700,
        friction: 0.6,
      },
    }),
  );
  for (let i = 0; i < hz; i++) world.step(1 / hz);
  const first = dominoes[0]!;
  first.applyImpulse([0.6 * unit * first.mass, 0, 0], [0, 0.4 * height, 0]);
  const fell: number[] = [];
  const [tenth, last] = [10, COUNT - 5];
  for (let i = 0; i < 20 * hz && fell[last] === undefined; i++) {
    world.step(1 / hz);
    dominoes.forEach((domino, k) => {
      const up = rotate(domino.getRotation(), [0, 1, 0])[1];
      if (up < 0.9) fell[k] ??= i / hz;
    });
  }
  world.dispose();
  return ((last - tenth) * 0.5 * height) / (fell[last]! - fell[tenth]!) / unit;
}

row('a row of dominoes falls at 30 and 60 Hz about as fast as at 480 Hz', (m) => {
  for (const height of [0.024, 0.048, 0.15, 0.5]) {
    const exact = waveSpeed(height, 480);
    m.near(`30 Hz, ${height} m`, waveSpeed(height, 30) / exact, 1, 0.2);
    m.near(`60 Hz, ${height} m`, waveSpeed(height, 60) / exact, 1, 0.1);
  }
});

row('dominoes ten times as large fall under ten times the gravity as fast, in their own measure', (m) => {
  for (const hz of [30, 60]) m.near(`${hz} Hz`, waveSpeed(0.48, hz, 10 * G) / waveSpeed(0.048, hz), 1, 0.05);
});
