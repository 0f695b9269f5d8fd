// How many substeps a step takes. A body that falls with drag from rest tells: after n substeps of h = dt/n its speed is
// g h (q + q² + … + qⁿ), q being the share of its speed that drag leaves in h. Expected numbers follow from the angle
// or the time that a substep may take (src/core/solver/substeps.ts).

import type { World } from '../../src/index';
import { row } from './support/measure';
import { createWorld, DT, G } from './support/world';

/** Substeps of the setting: the default. */
const SETTING = 5;
const DRAG = 0.999;

function substepsOf(build: (world: World) => void, substeps = SETTING): number {
  const world = createWorld({ substeps });
  build(world);
  const probe = world.createBody({
    mass: 1,
    mask: 0,
    position: [1000, 0, 1000],
    linearDamping: DRAG,
    shape: { type: 'sphere', radius: 0.1 },
  });
  world.step(DT);
  const speed = -probe.getLinearVelocity()[1];
  world.dispose();
  let found = 0;
  let least = Infinity;
  for (let n = 1; n <= 64; n++) {
    const q = (1 - Math.fround(DRAG)) ** (DT / n);
    const error = Math.abs(((G * DT) / n) * q * ((1 - q ** n) / (1 - q)) - speed);
    if (error < least) [least, found] = [error, n];
  }
  return found;
}

/** A rod on a ball joint, `arm` from its centre, that turns at `speed` rad/s. */
const rod = (speed: number, arm: number) => (world: World) => {
  const bodyB = world.createBody({
    mass: 1,
    mask: 0,
    angularVelocity: [0, 0, speed],
    shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] },
  });
  world.createJoint({ type: 'point', bodyB, anchor: [arm, 0, 0] });
};

row('an arm that swings turns by 0.1 rad in a substep, of at most 16 times as many', (m) => {
  for (const substeps of [1, 2])
    for (const speed of [3, 10, 17, 40, 400]) {
      const times = Math.min(16, Math.max(1, Math.ceil((speed * DT) / substeps / 0.1)));
      m.equal(
        `substeps of ${speed} rad/s, ${substeps} set`,
        substepsOf(rod(speed, 0.5), substeps),
        times * substeps,
      );
    }
});

row('an anchor within 0.1 mm of the centre of its body has no arm', (m) => {
  for (const arm of [0.01, 0.06])
    m.equal(`substeps, arm of ${arm} mm`, substepsOf(rod(50, arm / 1000)), SETTING);
  for (const arm of [0.15, 10])
    m.equal(`substeps, arm of ${arm} mm`, substepsOf(rod(50, arm / 1000)), 2 * SETTING);
});

interface Card {
  height: number;
  /** Shares of the height. */
  depth?: number;
  thickness?: number;
  /** rad from the vertical. */
  lean?: number;
  /** m/s. */
  speed?: number;
}

/** A card with a corner on the table. */
const card = ({ height, depth = 0.7, thickness = 0.03, lean = 0.3, speed = 0 }: Card) => {
  const half = [(height * thickness) / 2, height / 2, (height * depth) / 2] as const;
  return (world: World) => {
    world.createBody({
      type: 'static',
      position: [0, -0.5, 0],
      shape: { type: 'box', halfExtents: [20, 0.5, 20] },
    });
    world.createBody({
      mass: 1,
      position: [0, half[1] * Math.cos(lean) + half[0] * Math.sin(lean), 0],
      rotation: [0, 0, Math.sin(lean / 2), Math.cos(lean / 2)],
      linearVelocity: [speed, 0, 0],
      shape: { type: 'box', halfExtents: [...half] },
    });
  };
};

const radiusOf = ({ height, depth = 0.7, thickness = 0.03 }: Card) =>
  (height / 2) * Math.hypot(1, depth, thickness);

/** Squared, a substep is 8e-4 of r/g, the squared time in which a body of radius r tips over. */
function expected(it: Card): number {
  const longest = Math.sqrt((8e-4 * radiusOf(it)) / G);
  return Math.max(SETTING, Math.ceil(Math.min(4 * SETTING, DT / longest)));
}

row('a card that leans takes substeps in which it cannot tip over, at most 4 times as many', (m) => {
  for (const height of [0.002, 0.02, 0.05, 0.09, 0.3])
    m.equal(`substeps, ${height} m high`, substepsOf(card({ height })), expected({ height }));
});

row('cards are thinner than a tenth of their diagonal, and not narrower than 0.29 of their length', (m) => {
  const height = 0.05;
  const diagonal = Math.hypot(1, 0.7);
  for (const [share, isCard] of [
    [0.04, true],
    [0.09, true],
    [0.11, false],
    [0.18, false],
  ] as const) {
    const it = { height, thickness: share * diagonal };
    m.equal(`substeps, thickness ${share}`, substepsOf(card(it)), isCard ? expected(it) : SETTING);
  }
  // a/b + b/a = 1/√0.07 for sides a and b.
  for (const [depth, isCard] of [
    [0.2, false],
    [0.26, false],
    [0.31, true],
    [0.9, true],
  ] as const) {
    const it = { height, depth, thickness: 0.01 };
    m.equal(`substeps, width ${depth}`, substepsOf(card(it)), isCard ? expected(it) : SETTING);
  }
});

row('cards stand up to 44° from the vertical, as long as they are slower than a tenth of √(g r)', (m) => {
  const height = 0.05;
  for (const [lean, stands] of [
    [0.1, true],
    [0.73, true],
    [0.82, false],
    [1.5, false],
  ] as const)
    m.equal(
      `substeps, ${lean} rad`,
      substepsOf(card({ height, lean })),
      stands ? expected({ height }) : SETTING,
    );
  const fast = Math.sqrt(G * radiusOf({ height }));
  for (const [share, stands] of [
    [0.03, true],
    [0.08, true],
    [0.12, false],
    [0.38, false],
  ] as const)
    m.equal(
      `substeps, ${share} of √(g r)`,
      substepsOf(card({ height, speed: share * fast })),
      stands ? expected({ height }) : SETTING,
    );
});

/** A disc that spins at 100 rad/s on an axle in a frame of `mass`, kg, which hangs on a ball joint. */
const rotor = (mass: number) => (world: World) => {
  const frame = world.createBody({ mass, mask: 0, shape: { type: 'sphere', radius: 0.2 } });
  const wheel = world.createBody({
    mass: 1,
    mask: 0,
    position: [0.1, 0, 0],
    angularVelocity: [100, 0, 0],
    shape: { type: 'cylinder', axis: 'x', radius: 0.1, halfHeight: 0.01 },
  });
  world.createJoint({ type: 'point', bodyB: frame, anchor: [0, 0, 0] });
  world.createJoint({ type: 'hinge', bodyA: frame, bodyB: wheel, anchor: [0.1, 0, 0], axis: [1, 0, 0] });
};

row('a rotor in a light frame nutates by 0.15 rad in a substep; a heavy frame holds its axle', (m) => {
  const [along, across] = [0.1 ** 2 / 2, 0.1 ** 2 / 4 + 0.02 ** 2 / 12];
  for (const mass of [0.01, 0.1, 1, 10, 100]) {
    const rate = (along * 100) / (across + 0.4 * 0.2 ** 2 * mass);
    const times = Math.max(1, Math.ceil((rate * DT) / SETTING / 0.15));
    m.equal(`substeps, frame of ${mass} kg`, substepsOf(rotor(mass)), times * SETTING);
  }
});
