// Golden scenes of shapes: all that there are on a floor, on meshes and heightfields, in piles and stacks, in every
// profile.
import { compound, heightfield, mesh, type ShapeOptions, type WorldOptions } from 'ricochet';
import { between, createRandom, type Random, rotation } from '../../../demo/scenes/random';
import { type GoldenScene, ground, pit, type Target, type Thing } from './scene';

const POINTS = [0, 0.35, 0, 0.3, -0.2, 0.2, -0.3, -0.2, 0.25, 0.05, -0.25, -0.35, 0.3, 0.1, -0.2];

/** Every shape that a dynamic body can have; `i` picks one. */
export function solid(i: number, random: Random): ShapeOptions | ShapeOptions[] {
  const s = between(random, 0.25, 0.4);
  switch (i % 11) {
    case 0:
      return { type: 'box', halfExtents: [s, 0.8 * s, 1.1 * s] };
    case 1:
      return { type: 'sphere', radius: s, rollingFriction: 0.02 };
    case 2:
      return { type: 'capsule', radius: 0.6 * s, halfHeight: s, axis: 'z', spinningFriction: 0.02 };
    case 3:
      return { type: 'cylinder', radius: s, halfHeight: 0.7 * s, axis: 'x', friction: 0.8 };
    case 4:
      return { type: 'cone', radius: s, halfHeight: s };
    case 5:
      return { type: 'hull', points: POINTS.map((c) => 3 * s * c), restitution: 0.4 };
    case 6:
      return { type: 'tetrahedron', points: [0, s, 0, s, -s, s, -s, -s, s, 0, -s, -s] };
    case 7:
      return {
        type: 'multiSphere',
        spheres: [
          { position: [-s, 0, 0], radius: 0.6 * s },
          { position: [s, 0, 0], radius: 0.4 * s },
          { position: [0, 0, s], radius: 0.5 * s },
        ],
      };
    case 8:
      return { type: 'sphere', radius: s, restitution: 0.8 };
    case 9:
      return compound([
        { type: 'box', halfExtents: [s, 0.15, 0.15] },
        { type: 'box', halfExtents: [0.15, 0.15, s], position: [s, 0, 0] },
        { type: 'sphere', radius: 0.25, position: [-s, 0.1, 0], density: 2500 },
      ]);
    default:
      return { type: 'triangle', points: [0, 0, s, s, 0, -s, -s, 0.1, -s], margin: 0.02 };
  }
}

/** Solids in layers over a square of `side` × `side`, each turned somehow. */
export function drop(target: Target, count: number, side: number, seed: number, height = 1): Thing[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) =>
    target.createBody({
      shape: solid(i, random),
      position: [
        ((i % side) - (side - 1) / 2) * 1.1 + between(random, -0.1, 0.1),
        height + Math.floor(i / (side * side)) * 1.2,
        ((Math.floor(i / side) % side) - (side - 1) / 2) * 1.1,
      ],
      rotation: rotation(random),
      userIndex: i,
    }),
  );
}

/** A shove now and then, so that something happens late, too. */
function shove(things: readonly Thing[], step: number): void {
  if (step % 170 !== 0) return;
  const thing = things[(step * 7) % things.length] as Thing;
  thing.setLinearVelocity([step % 3, 6, (step % 5) - 2]);
  thing.setAngularVelocity([0, 9, step % 7]);
}

const shapes: GoldenScene = {
  id: 'shapes',
  start(target) {
    ground(target);
    const things = drop(target, 55, 5, 1);
    return (step) => shove(things, step);
  },
};

/** A bowl of triangles beside hills with a hole. */
const surfaces: GoldenScene = {
  id: 'surfaces',
  start(target) {
    const points: number[] = [];
    const indices: number[] = [];
    const side = 9;
    for (let i = 0; i < side * side; i++) {
      const [x, z] = [(i % side) - 4, Math.floor(i / side) - 4];
      points.push(x, 0.09 * (x * x + z * z), z);
      const [a, b, c, d] = [i, i + 1, i + side, i + side + 1];
      if (i % side < side - 1 && i < side * (side - 1)) indices.push(a, c, b, b, c, d);
    }
    target.createBody({ type: 'static', shape: mesh({ vertices: points, indices, friction: 0.4 }) });
    const heights = Array.from({ length: 12 * 14 }, (_, i) => {
      const [row, column] = [Math.floor(i / 14), i % 14];
      return ((row * 5 + column * 3) % 7) * 0.12 + 0.05 * (6 - column) * (6 - column) * 0.4;
    });
    target.createBody({
      type: 'static',
      position: [14, 0, 0],
      shape: heightfield({
        rows: 12,
        columns: 14,
        heights,
        spacing: 1,
        holes: Array.from({ length: 11 * 13 }, (_, i) => i === 60),
      }),
    });
    const wedge = mesh({
      vertices: [0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 0, 2, 2, 0, 2, 2, 1, 2],
      indices: [0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 0, 3, 5, 0, 5, 2],
    });
    const ram = target.createBody({ type: 'kinematic', position: [0, 1, -9], shape: wedge });
    const random = createRandom(2);
    const things = Array.from({ length: 44 }, (_, i) =>
      target.createBody({
        shape: i % 11 === 10 ? { type: 'sphere', radius: 0.3 } : solid(i, random),
        position: [(i % 2 ? 14 : 0) + between(random, -3, 3), 3 + 0.35 * i, between(random, -2.5, 2.5)],
        rotation: rotation(random),
      }),
    );
    return (step) => {
      shove(things, step);
      const t = (step % 400) / 400;
      ram.setKinematicTarget([0, 1, -9 + 12 * (t < 0.5 ? t : 1 - t)], [0, 0, 0, 1]);
    };
  },
};

const pile: GoldenScene = {
  id: 'pile',
  start(target) {
    ground(target);
    pit(target, 2.2, 4);
    drop(target, 110, 4, 3);
    return (step) => {
      if (step % 120 === 0)
        target.createBody({
          mass: 40,
          position: [0, 9, 0.1],
          linearVelocity: [0, -12, 0],
          shape: { type: 'sphere', radius: 0.5 },
        });
    };
  },
};

/** Towers, a wall and an arch of their own weight, hit twice. */
const stacks: GoldenScene = {
  id: 'stacks',
  start(target) {
    ground(target);
    const box = (x: number, y: number, z: number, half: [number, number, number]) =>
      target.createBody({ mass: 1, position: [x, y, z], shape: { type: 'box', halfExtents: half } });
    for (let i = 0; i < 12; i++) box(0, 0.5 + i, 0, [0.5, 0.5, 0.5]);
    for (let i = 0; i < 10; i++) box(4, 0.25 + 0.5 * i, 0, [0.6 - 0.03 * i, 0.25, 0.4]);
    for (let row = 0; row < 7; row++)
      for (let k = 0; k < 7 - row; k++) box(-7 + k + row / 2, row + 0.5, 2, [0.5, 0.5, 0.5]);
    for (let level = 0; level < 6; level++)
      for (const side of [-1, 1])
        box(
          level % 2 ? 8 : 8 + 0.4 * side,
          0.2 + 0.4 * level,
          level % 2 ? 0.4 * side : 0,
          level % 2 ? [0.8, 0.2, 0.2] : [0.2, 0.2, 0.8],
        );
    return (step) => {
      if (step === 350 || step === 700)
        target.createBody({
          mass: 20,
          position: [-14, 1.2, step === 350 ? 0.2 : 2],
          linearVelocity: [22, 3, 0],
          angularVelocity: [0, 0, 20],
          shape: { type: 'sphere', radius: 0.7 },
        });
    };
  },
};

/** The same things in the profiles that are Bullet's numbers. */
const profile = (name: 'bullet3' | 'bullet282', changes: WorldOptions = {}): GoldenScene => ({
  id: name,
  world: { profile: name, ...changes },
  start(target) {
    ground(target);
    pit(target, 2.5, 2);
    const things = drop(target, 44, 4, 5);
    for (let i = 0; i < 8; i++)
      target.createBody({
        mass: 1,
        position: [5, 0.5 + i, 0],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      });
    return (step) => {
      shove(things, step);
      if (step === 500) target.updateSettings({ frictionCombine: 'average', iterations: 4 });
      if (step === 600) target.setGravity([1, -8, 0]);
    };
  },
});

export const solids: readonly GoldenScene[] = [
  shapes,
  surfaces,
  pile,
  stacks,
  profile('bullet3'),
  profile('bullet282', { restitutionCombine: 'maximum' }),
];
