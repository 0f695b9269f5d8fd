// Upright pyramids of unit boxes of 1 kg that touch at the start, sleeping off. Truth: nothing moves.
// A column of the 465-box pyramid carries up to 29 boxes over paths that the solver has to find.

import { pyramid } from '../../demo/scenes/pyramid';
import { type Measurement, row } from './support/measure';
import { buildScene, createWorld, isDynamic, type Placed, position, run, UNIT_BOX } from './support/world';

function stands(m: Measurement, placed: Placed[], dropLimit: number) {
  const now = placed.map(({ body }) => position(body));
  const drop = placed.map(({ start }, i) => start[1] - now[i][1]);
  const drift = placed.map(({ start }, i) => Math.hypot(now[i][0] - start[0], now[i][2] - start[2]));
  m.atMost('top drops', drop[drop.length - 1], dropLimit, 'm');
  // A fallen box has lost a whole box of height; half a box tells it from one that sank.
  m.equal('boxes that stand', drop.filter((d) => d < 0.5).length, placed.length);
  m.note('largest drop of any box', Math.max(...drop), 'm');
  m.note('largest drift of any box', Math.max(...drift), 'm');
}

row('pyramid of 465 boxes stands 30 s: top drops ≤ 5 cm', (m) => {
  const world = createWorld();
  const placed = buildScene(world, pyramid).filter(isDynamic);
  m.equal('boxes', placed.length, 465);
  run(world, 30);
  stands(m, placed, 0.05);
});

row('pyramid of 20 rows stands 60 s: top drops ≤ 1 cm', (m) => {
  const world = createWorld();
  const placed = buildScene(world, {
    build(target) {
      target.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
      for (let level = 0; level < 20; level++)
        for (let i = 0; i < 20 - level; i++)
          target.createBody({
            mass: 1,
            position: [i - (19 - level) / 2, level + 0.5, 0],
            shape: { type: 'box', halfExtents: UNIT_BOX },
          });
    },
  }).filter(isDynamic);
  run(world, 60);
  stands(m, placed, 0.01);
});
