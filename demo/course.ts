// The character course: a courtyard, and a tower with a ladder and a lift, a tunnel to crouch through, a pool, a planet with
// walkers. In: a world in the page or in a worker. Out: its bodies, the hero, what moves by itself.
import type { BodyOptions, PhysicsWorld, WorldBody } from 'ricochet';
import { type Character, createCharacter } from 'ricochet/character';
import type { Platforms } from './course.system';
import { courtyard, FIGURE, HALF_HEIGHT, RADIUS } from './courtyard';

type Place = readonly [number, number, number];
export type Note = (body: WorldBody, options: BodyOptions) => void;

/** Group of bodies that are ladders. */
const LADDER = 64;
export const START: Place = [0, 1, 2.5];
export const PLANET = { at: [15, 7.7, -15] as Place, radius: 5 };
/** m: how far out the planet attracts. A jump leads out of it. */
const SKY = 1.2;
export const POOL = { at: [-15.5, 0, 5] as Place, half: [3.6, 3.2] as const, level: 2.2 };
/** Half as high; its feet stay where they are. */
const CROUCHED = {
  type: 'capsule',
  radius: RADIUS,
  halfHeight: 0.15,
  position: [0, 0.15 - HALF_HEIGHT, 0],
} as const;

export interface Course {
  hero: Character;
  walkers: readonly Character[];
  platforms: Platforms;
}

function blocks(make: (options: BodyOptions) => WorldBody): void {
  const block = (position: Place, halfExtents: Place, more: object = {}) =>
    make({ type: 'static', position, shape: { type: 'box', halfExtents }, ...more });
  block([12, 2, 1], [1, 2, 1], { group: 1 | LADDER });
  // A tunnel, 1.1 m high.
  block([0, 1.35, 11], [2, 0.25, 1.3]);
  for (const side of [-1, 1]) block([0, 0.8, 11 + 1.2 * side], [2, 0.8, 0.1]);
  const { at, half, level } = POOL;
  const height = 0.5 * (level + 0.15);
  for (const side of [-1, 1]) {
    block([at[0] + side * half[0], height, at[2]], [0.15, height, half[1]]);
    block([at[0], height, at[2] + side * half[1]], [half[0], height, 0.15]);
  }
}

/** Areas are not drawn: they are no bodies to see. */
function areas(world: PhysicsWorld): void {
  const { at, half, level } = POOL;
  world.createBody({
    type: 'static',
    position: [at[0], 0.5 * level, at[2]],
    shape: {
      type: 'box',
      halfExtents: [half[0] - 0.15, 0.5 * level, half[1] - 0.15],
      sensor: true,
      area: { density: 1000, linearDrag: 1, angularDrag: 1 },
    },
  });
  world.createBody({
    type: 'static',
    position: PLANET.at,
    shape: {
      type: 'sphere',
      radius: PLANET.radius + SKY,
      sensor: true,
      area: {
        attraction: { strength: 9.81, distance: PLANET.radius },
        gravityMode: 'replace',
        priority: 1,
      },
    },
  });
}

/** Builds it. `note` hears of what is to be drawn. */
export async function buildCourse(world: PhysicsWorld, note: Note): Promise<Course> {
  const make = (options: BodyOptions) => {
    const body = world.createBody(options);
    note(body, options);
    return body;
  };
  const movers: WorldBody[] = [];
  courtyard.build({
    createBody: (options) => {
      const body = make(options);
      if (options.type === 'kinematic') movers.push(body);
      return body as never;
    },
    createJoint: () => undefined,
  });
  blocks(make);
  const lift = make({
    type: 'kinematic',
    position: [12, 0.1, 3.1],
    userIndex: 8,
    shape: { type: 'box', halfExtents: [1, 0.1, 1] },
  });
  make({ type: 'static', position: PLANET.at, shape: { type: 'sphere', radius: PLANET.radius } });
  areas(world);
  for (let i = 0; i < 3; i++)
    make({
      position: [POOL.at[0] - 1 + i, 2.6, POOL.at[2] - 1.5],
      userIndex: 3 + i,
      shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3], density: 350 },
    });
  const hero = await createCharacter(world, {
    shape: FIGURE,
    crouchShape: CROUCHED,
    position: START,
    gravity: 'world',
    jumpSpeed: 5.5,
    pushForce: 250,
    ladders: LADDER,
  });
  hero.setInput({ mode: 'swim' }); // in liquids; elsewhere it walks
  const walkers: Character[] = [];
  for (let i = 0; i < 6; i++) {
    const onPlanet = i < 3;
    const [x, y, z] = PLANET.at;
    const position: Place = onPlanet ? [x - 2 + 2 * i, y + PLANET.radius + 1, z] : [3 * i - 12, 1, -8];
    const walker = await createCharacter(world, { shape: FIGURE, position, gravity: 'world', airJumps: 0 });
    note(walker.body, { type: 'kinematic', shape: FIGURE, userIndex: 3 * i });
    // Rounds by numbers alone: the core walks them.
    walker.setInput({ move: [0, 0, 1.6 + 0.2 * i], local: true, turn: onPlanet ? 0.05 * i : 0.4 });
    walkers.push(walker);
  }
  const [bridge, disc] = movers;
  const platforms = {
    bridge: bridge!.id,
    disc: disc!.id,
    lift: lift.id,
    rise: [0.1, 3.9] as [number, number],
    way: [-1.5, 2.5] as [number, number],
  };
  return { hero, walkers, platforms };
}
