// Kinematic bodies that turn fast: drums of flat walls, doors, a bar that flings a ball. Within a step their faces turn by
// up to half a radian. In: what they carry, at 30 and 60 Hz. Out: nothing passes a wall, and speeds are those of the formula.
import type { BodyOptions, RigidBody, ShapeOptions } from '../../src';
import { row } from './support/measure';
import { axisAngle, random, type Vec3 } from './support/vector';
import { createWorld, position, velocity } from './support/world';

interface Drum {
  /** m, from the axis to the walls; of a wall and between the lids: half thickness and half length. */
  radius: number;
  thickness: number;
  length: number;
  walls: number;
  /** m, of the axis of rotation from that of the drum. */
  offset?: number;
  friction: number;
  /** rad/s */
  speed: number;
  /** Hz */
  rate: number;
  shape: ShapeOptions;
  seed?: number;
}

function sides({ radius, thickness, length, walls }: Drum): ShapeOptions[] {
  const halfWidth = (radius + 2 * thickness) * Math.tan(Math.PI / walls);
  const lid = radius + 3 * thickness;
  return [
    ...Array.from({ length: walls }, (_, i) => {
      const angle = (2 * Math.PI * i) / walls;
      const from = radius + thickness;
      return {
        type: 'box' as const,
        halfExtents: [thickness, halfWidth, length] as Vec3,
        position: [from * Math.cos(angle), from * Math.sin(angle), 0] as Vec3,
        rotation: axisAngle([0, 0, 1], angle),
      };
    }),
    ...[-1, 1].map((side) => ({
      type: 'box' as const,
      halfExtents: [lid, lid, thickness] as Vec3,
      position: [0, 0, side * (length + thickness)] as Vec3,
    })),
  ];
}

/** How many of 60 bodies leave the drum in 5 s. */
function lost(drum: Drum): number {
  const { radius, length, walls, friction, speed, rate, offset = 0, seed = 29 } = drum;
  const world = createWorld({ sleeping: false });
  const next = random(seed);
  const body = world.createBody({
    type: 'kinematic',
    shape: sides(drum).map((side) => ({ ...side, friction })),
  } as BodyOptions);
  const bodies = Array.from({ length: 60 }, (_, i) =>
    world.createBody({
      mass: 1,
      position: [
        ((i % 5) - 2) * 0.25 * radius,
        ((Math.floor(i / 5) % 4) - 1.5) * 0.28 * radius,
        (Math.floor(i / 20) - 1) * 0.55 * length,
      ],
      rotation: axisAngle([0, 0, 1], 6 * next()),
      shape: { ...drum.shape, friction },
    } as BodyOptions),
  );
  const out = new Set<RigidBody>();
  for (let step = 1; step <= 5 * rate; step++) {
    const angle = (speed * step) / rate;
    const centre = [offset * Math.cos(angle), offset * Math.sin(angle)] as const;
    body.setKinematicTarget([...centre, 0], axisAngle([0, 0, 1], angle));
    world.step(1 / rate);
    for (const b of bodies) {
      const [x, y, z] = position(b);
      const far = Math.max(
        ...Array.from({ length: walls }, (_, i) => {
          const to = angle + (2 * Math.PI * i) / walls;
          return (x - centre[0]) * Math.cos(to) + (y - centre[1]) * Math.sin(to);
        }),
      );
      if (far > radius || Math.abs(z) > length) out.add(b);
    }
  }
  world.dispose();
  return out.size;
}

const CAPSULE: ShapeOptions = { type: 'capsule', radius: 0.03, halfHeight: 0.06 };
const BALL: ShapeOptions = { type: 'sphere', radius: 0.05 };
const PLATE: ShapeOptions = { type: 'box', halfExtents: [0.1, 0.01, 0.08] };
const BOX: ShapeOptions = { type: 'box', halfExtents: [0.06, 0.05, 0.07] };
const wide = { radius: 3, thickness: 0.15, length: 0.5, walls: 12, friction: 0.8, speed: 8, rate: 60 };
const small = { radius: 1, thickness: 0.1, length: 1, walls: 16, friction: 0.5, speed: 8, rate: 30 };

row('of 60 bodies in a drum of flat walls that turns fast, none leaves it in 5 s', (m) => {
  m.equal('capsules of 3 cm in 3 m, 8 rad/s, 60 Hz', lost({ ...wide, shape: CAPSULE }), 0);
  m.equal('plates of 1 cm in 1 m, 12 rad/s, 60 Hz', lost({ ...small, speed: 12, rate: 60, shape: PLATE }), 0);
  m.equal(
    'balls in 1 m, 8 rad/s about an axis beside it, 30 Hz',
    lost({ ...small, offset: 0.3, shape: BALL }),
    0,
  );
});

// A box pressed against a wall, with a lid below that is near but too far to rest on, took part in towers with a face that it
// did not have: memory behind the list was read.
row('boxes in a drum at 12 rad/s (seeds 1 to 4)', (m) => {
  const drum = { ...small, friction: 0.8, speed: 12, rate: 60, shape: BOX };
  m.equal('12 walls, seed 1', lost({ ...drum, walls: 12, seed: 1 }), 0);
  for (const seed of [2, 3, 4]) m.equal(`16 walls, seed ${seed}`, lost({ ...drum, seed }), 0);
});

/** How many of 12 bodies are behind a door of 4 cm that has swept a quarter of a circle. */
function behindDoor(shape: ShapeOptions, speed: number, rate: number): number {
  const world = createWorld({ sleeping: false });
  const next = random(7);
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const door = world.createBody({
    type: 'kinematic',
    shape: { type: 'box', halfExtents: [0.6, 1, 0.02], position: [0.65, 1.02, 0] },
  });
  const bodies = Array.from({ length: 12 }, (_, i) =>
    world.createBody({
      mass: 0.5,
      position: [0.25 + 0.3 * (i % 4), 0.15 + 0.3 * Math.floor(i / 4), -0.2 - 0.25 * next()],
      shape,
    }),
  );
  const rest = Math.round(rate / 4);
  const steps = Math.ceil((Math.PI / 2 / speed) * rate);
  let angle = 0;
  for (let step = 1; step <= rest + steps; step++) {
    angle = Math.min(Math.PI / 2, (Math.max(0, step - rest) * speed) / rate);
    door.setKinematicTarget([0, 0, 0], axisAngle([0, 1, 0], angle));
    world.step(1 / rate);
  }
  const behind = bodies.filter((b) => {
    const [x, y, z] = position(b);
    const along = Math.cos(angle) * x - Math.sin(angle) * z;
    return along > 0 && along < 1.25 && y < 2 && Math.sin(angle) * x + Math.cos(angle) * z > 0;
  }).length;
  world.dispose();
  return behind;
}

row('a door that is slammed sweeps everything before it', (m) => {
  for (const [name, shape] of Object.entries({ ball: { type: 'sphere', radius: 0.03 } as const, box: BOX }))
    for (const [speed, rate] of [
      [8, 30],
      [16, 30],
      [16, 60],
    ] as const)
      m.equal(`${name}, ${speed} rad/s, ${rate} Hz`, behindDoor(shape, speed, rate), 0);
});

// In the frame of the bar only the centrifugal force acts along it: r = r₀ cosh ωt.
row('a ball slides out along a bar that turns, without friction', (m) => {
  const [start, beside, speed] = [0.3, 0.07, 8];
  for (const [rate, share] of [
    [60, 0.04],
    [144, 0.02],
    [960, 0.005],
  ] as const) {
    const world = createWorld({ sleeping: false, gravity: [0, 0, 0] });
    const bar = world.createBody({
      type: 'kinematic',
      shape: { type: 'box', halfExtents: [5, 1, 0.02], friction: 0 },
    });
    const ball = world.createBody({
      mass: 1,
      position: [start, 0, -beside],
      linearVelocity: [-beside * speed, 0, -start * speed],
      shape: { ...BALL, friction: 0 },
    } as BodyOptions);
    const steps = Math.round((1.5 / speed) * rate);
    let off = 0;
    for (let step = 1; step <= steps; step++) {
      const angle = (speed * step) / rate;
      bar.setKinematicTarget([0, 0, 0], axisAngle([0, 1, 0], angle));
      world.step(1 / rate);
      const [x, , z] = position(ball);
      off = Math.max(off, Math.abs(Math.sin(angle) * x + Math.cos(angle) * z + beside));
    }
    const angle = (speed * steps) / rate;
    const out = speed * start * Math.sinh(angle) - speed * beside;
    const truth = Math.hypot(out, speed * start * Math.cosh(angle));
    m.near(`speed, ${rate} Hz`, Math.hypot(...velocity(ball)), truth, share * truth, 'm/s');
    m.atMost(`off the bar, ${rate} Hz`, off, 0.001, 'm');
    world.dispose();
  }
});
