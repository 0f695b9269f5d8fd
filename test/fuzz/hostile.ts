// Arguments that nobody should give. In: a tree of arguments. Out: the same with one place spoiled; and what the texts
// of such arguments call (`h` in them).
import { cookHeightfield, cookMesh, PhysicsError, type PhysicsWorld, World } from 'ricochet';
import { type Character, type CharacterSetup, createCharacter } from 'ricochet/character';
import { characterIn } from '../../src/character/character';
import type { Chance } from '../support/randomWorlds';
import { at, placesOf, print, type Quality, Raw, replaced, type Tree } from './text';

/** What hostile getters and callbacks throw: whoever gets it gave it. */
export class Hostile extends Error {}

/** How deep calls from within calls may go, and how many there may be in one call. */
const DEEPEST = 2;
const MOST_ACTS = 6;

const MESH = cookMesh({
  vertices: [-5, 0, -5, 5, 0.5, -5, 5, 0, 5, -5, 0.5, 5],
  indices: [0, 2, 1, 0, 3, 2],
});
const FIELD = cookHeightfield({
  rows: 3,
  columns: 3,
  spacing: 4,
  heights: [0, 0.5, 0, 0.3, 0, 0.2, 0, 0.4, 0],
});

/** `h` in the texts of calls. */
export class Helpers {
  /** Something was called from within the call that goes on. */
  hasActed = false;
  /** What calls from within calls threw that is no PhysicsError. */
  readonly strays: unknown[] = [];
  private depth = 0;
  private budget = MOST_ACTS;
  /** Characters that calls from within calls asked a worker's client for; they come later. */
  private coming: Promise<unknown>[] = [];

  /** Before each call. */
  reset(): void {
    this.hasActed = false;
    this.budget = MOST_ACTS;
    this.depth = 0;
  }

  /** Makes a character, at once where the world is in this thread. */
  makeCharacter(world: PhysicsWorld, setup: CharacterSetup): Character | Promise<Character> {
    if (world instanceof World) return characterIn(world, world.actorLink(), setup);
    const made = createCharacter(world, setup);
    if (this.depth > 0) this.coming.push(made);
    return made;
  }

  /** Characters of calls from within are there, or were refused: the world no longer changes by itself. */
  async settled(): Promise<void> {
    while (this.coming.length > 0) await Promise.allSettled(this.coming.splice(0));
  }

  /** A call from within a call. */
  act(run: () => unknown): void {
    if (this.depth >= DEEPEST || this.budget-- <= 0) return;
    this.hasActed = true;
    this.depth++;
    try {
      this.later(run());
    } catch (error) {
      if (!(error instanceof PhysicsError) && !(error instanceof Hostile)) this.strays.push(error);
    } finally {
      this.depth--;
    }
  }

  /** The value, the `n`-th read of which runs something. */
  trap<T extends object>(value: T, n: number, run: () => unknown): T {
    let reads = 0;
    return spied(value, () => {
      if (++reads === n) this.act(run);
    });
  }

  /** The value, the `n`-th read of which throws. */
  thrower<T extends object>(value: T, n: number): T {
    let reads = 0;
    return spied(value, () => {
      if (++reads === n) throw new Hostile('from a getter');
    });
  }

  throws(): never {
    throw new Hostile('from a function');
  }

  /** The value, whose fields are something else after `n` reads; its methods stay. */
  fickle(value: object, n: number, other: unknown): unknown {
    let reads = 0;
    return new Proxy(value, {
      get: (target, name) => {
        const is = Reflect.get(target, name);
        return typeof is === 'function' || typeof name !== 'string' || ++reads <= n ? is : other;
      },
    });
  }

  proxy<T extends object>(value: T): T {
    return new Proxy(value, {});
  }

  revoked(): object {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }

  frozen<T>(value: T): T {
    return Object.freeze(value);
  }

  shared(values: ArrayLike<number>): Float32Array {
    const out = new Float32Array(new SharedArrayBuffer(4 * values.length));
    out.set(values);
    return out;
  }

  detached(length: number): Float32Array {
    const out = new Float32Array(length);
    structuredClone(out.buffer, { transfer: [out.buffer] });
    return out;
  }

  /** An answer that nobody waits for. */
  later(answer: unknown): void {
    if (!(answer instanceof Promise)) return;
    answer.catch((error) => {
      if (!(error instanceof PhysicsError) && !(error instanceof Hostile)) this.strays.push(error);
    });
  }

  /** Promises of loops over events, which end with the world. */
  quiet(promise: Promise<unknown>): void {
    promise.catch(() => {});
  }

  readonly mesh = MESH;
  readonly field = FIELD;
}

/** Lists and plain objects, and all that is in them; handles and other instances are as they are. */
function spied<T extends object>(value: T, read: () => void): T {
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (!Array.isArray(inner) && Object.getPrototypeOf(inner) !== Object.prototype) return inner;
    return new Proxy(inner, {
      get(target, name) {
        if (typeof name === 'string') read();
        return wrap(Reflect.get(target, name));
      },
    });
  };
  return wrap(value) as T;
}

const BAD = ['NaN', "Symbol('s')", '1n', "'jelly'"];
const ODD = [
  ...[
    'undefined',
    'null',
    'true',
    "'1'",
    "''",
    '{}',
    '[]',
    '[[]]',
    '() => 1',
    'h.throws',
    'new Date(0)',
    'w',
    'ob',
    'oj',
  ],
  ...[
    '-0',
    '1e308',
    '-1e308',
    '5e-324',
    '1e-40',
    '1e9',
    '-1',
    '0',
    '0.5',
    '3',
    '2 ** 31',
    '2 ** 32',
    '2 ** 53',
  ],
  ...['Infinity', '-Infinity', 'Object.create(null)', '{ length: 3 }', '{ length: 1e9 }', '{ length: NaN }'],
  ...[
    '{ length: -1 }',
    "{ length: '3', 0: 1, 1: 1, 2: 1 }",
    '{ x: 1, y: 2 }',
    '{ x: 1, y: 2, z: NaN, w: 1 }',
  ],
  ...['{ valueOf: () => 1 }', '[, , ,]', 'new Array(1e6)', 'h.revoked()', 'h.detached(3)', 'h.detached(7)'],
  ...[
    'new Float64Array(3)',
    'new BigInt64Array(3)',
    'new Float32Array(7)',
    'new DataView(new ArrayBuffer(12))',
  ],
  ...["[1, 2, 'x']", '[1n, 2n, 3n]', '[NaN, 0, 0]', '{ toString: h.throws }', '{ shape: 1 }', 'globalThis'],
];
/** What may stand around a good value. */
const AROUND: readonly [text: (inner: string, chance: Chance) => string, quality: Quality][] = [
  [(inner) => `h.proxy(${inner})`, 'odd'],
  [(inner) => `h.frozen(${inner})`, 'odd'],
  [(inner, chance) => `h.thrower(${inner}, ${1 + chance.below(8)})`, 'odd'],
  [
    (inner, chance) =>
      `h.fickle(${inner}, ${chance.below(6)}, ${chance.of(['NaN', '1n', 'undefined', '{}', '[0, 1, 2]'])})`,
    'odd',
  ],
];

/** One place of the arguments, spoiled; `act`: the text of a call to be made from within. */
export function spoiled(chance: Chance, args: readonly Tree[], act: () => string): readonly Tree[] {
  const places = placesOf(args).filter((path) => path.length > 0);
  if (places.length === 0) return chance.once(2) ? [new Raw(chance.of(ODD), 'odd')] : args;
  const path = chance.of(places);
  const inner = at(args, path);
  return replaced(args, path, insteadOf(chance, inner, act)) as readonly Tree[];
}

function insteadOf(chance: Chance, inner: Tree, act: () => string): Raw {
  if (typeof inner === 'object' && inner !== null && !(inner instanceof Raw)) {
    const text = print(inner);
    if (Array.isArray(inner) && inner.every((part) => typeof part === 'number') && chance.once(6))
      return new Raw(`h.shared(${text})`, 'good');
    if (chance.once(3)) return new Raw(`h.trap(${text}, ${1 + chance.below(6)}, () => ${act()})`, 'acts');
    if (chance.once(3)) {
      const [around, quality] = chance.of(AROUND);
      return new Raw(around(text, chance), quality);
    }
  }
  const isBad = chance.once(3) && (typeof inner === 'number' || typeof inner === 'string');
  return isBad ? new Raw(chance.of(BAD), 'bad') : new Raw(chance.of(ODD), 'odd');
}
