// Random calls of characters of the core, which are the same in a World and behind the client of a worker. See calls.ts.
import type { Chance } from '../support/randomWorlds';
import type { Recipe } from './calls';
import { readBody } from './model';
import * as options from './options';
import type { Tree } from './text';

const read: Recipe = { weight: 1, form: 'get', draft: () => ({ asks: true }) };

const SHAPES: readonly Tree[] = [
  { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
  { type: 'sphere', radius: 0.4 },
  { type: 'box', halfExtents: [0.3, 0.8, 0.3] },
  [
    { type: 'capsule', radius: 0.2, halfHeight: 0.5 },
    { type: 'sphere', radius: 0.3, position: [0, 0.8, 0] },
  ],
];

function changes(chance: Chance): { [name: string]: Tree } {
  const given: { [name: string]: Tree } = {};
  const some = (name: string, ...values: Tree[]) => {
    if (chance.once(5)) given[name] = chance.of(values);
  };
  some('up', [0, 1, 0], [0, 0, 1], [1, 1, -1]);
  some('offset', 0.001, 0.05, 0.3);
  some('maxSlope', 0, 0.5, 0.7);
  some('slideSlope', 0.8, 1.5);
  some('stepHeight', 0, 0.3, 5);
  some('stepWidth', 0, 0.2);
  some('stepOnDynamic', true, false);
  some('snapDistance', 0, 1);
  some('gravity', 0, 3, 100, 'world');
  some('fallSpeed', 1, 1000);
  some('jumpSpeed', 1, 40);
  some('airJumps', 0, 2);
  some('mass', 0, 1000);
  some('pushForce', 0, 1e5);
  some('yields', true, false);
  some('drag', 0, 50);
  some('buoyancy', 0, 2);
  some('ladders', 0, 1, -1);
  some('group', 1, 32);
  some('mask', -1, 1);
  return given;
}

/** Members of Character, and how one is made. */
export const CHARACTER_CALLS: Record<string, Recipe> = {
  makeCharacter: {
    weight: 8,
    draft: (pick) => {
      const { chance } = pick;
      const index = pick.next('c');
      const given = {
        ...changes(chance),
        shape: chance.of(SHAPES),
        ...(chance.once(3) ? { crouchShape: { type: 'sphere', radius: 0.3 } } : {}),
        position: options.vector(chance, 3),
      };
      return {
        args: [given],
        text: (call) => `c[${index}] = ${call.replace('(', '(w, ')}`,
        refused: (model) => (model.bodies.size > 60 ? 'maybe' : false),
        effect: (model, result) => {
          const { body } = result as { body: never };
          const made = readBody(body);
          model.bodies.set(made.id, made);
        },
      };
    },
  },
  setInput: {
    weight: 12,
    draft: ({ chance }) => {
      const given: { [name: string]: Tree } = {};
      const some = (name: string, ...values: Tree[]) => {
        if (chance.once(2)) given[name] = chance.of(values);
      };
      some('move', [0, 0, 0], [3, 0, 0], [-2, 1, 4], [60, 0, -60], [0, 1e5, 0]);
      some('local', true, false);
      some('turn', 0, 1, -20);
      some('jump', true, false, 3);
      some('launch', [0, 0, 0], [0, 9, 0], [1e6, 0, 0]);
      some('crouch', true, false);
      some('mode', 'walk', 'swim', 'fly');
      return { args: [given] };
    },
  },
  setOptions: {
    weight: 4,
    draft: ({ chance }) => ({ args: [changes(chance)], learns: true, refused: 'maybe' }),
  },
  remove: { weight: 2, draft: ({ chance }) => ({ args: chance.once(4) ? [true] : [], learns: true }) },
  isRemoved: read,
  onGround: read,
  groundBody: read,
  groundNormal: read,
  groundPoint: read,
  groundVelocity: read,
  velocity: read,
  up: read,
  isCrouching: read,
  isOnLadder: read,
  isInWater: read,
  touched: read,
  lift: read,
  getPosition: { weight: 1, draft: () => ({ asks: true }) },
  world: { ...read, weight: 0 },
  body: { ...read, weight: 0 },
};
