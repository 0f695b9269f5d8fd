// Random calls. In: a surface (recipes by member), a game, a seed. Out: calls as text, a part of them with arguments or
// callbacks that are hostile.
import type { Chance } from '../support/randomWorlds';
import type { Kind, Pick, Recipe } from './calls';
import type { Call, Game } from './game';
import { spoiled } from './hostile';
import type { Model } from './model';
import { print, type Quality, qualityOf, Raw, type Tree } from './text';

export type Surface = Record<Kind, Record<string, Recipe>>;

/** Share of the calls that are spoiled. */
const HOSTILE = 0.3;
const CROWD = 24;
/** What makes characters is no member of one: the helpers do. */
const MAKE = 'makeCharacter';
const WORST: readonly Quality[] = ['good', 'odd', 'bad', 'acts'];

export class Generator implements Pick {
  private readonly ends = { b: 0, j: 0, s: 0, q: 0, c: 0 };
  /** Members, as often as they weigh. */
  private readonly bags: Record<Kind, readonly string[]>;
  isNested = false;

  constructor(
    readonly chance: Chance,
    private readonly surface: Surface,
    /** The game that is played: another one when calls are made again. */
    public game: Game,
  ) {
    const bag = (kind: Kind) =>
      Object.entries(surface[kind]).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));
    this.bags = {
      world: bag('world'),
      body: bag('body'),
      joint: bag('joint'),
      character: bag('character'),
    };
  }

  get isCrowded(): boolean {
    return this.game.model.bodies.size > CROWD;
  }

  next(list: 'b' | 'j' | 's' | 'q' | 'c'): number {
    return this.isNested ? this.ends[list] : this.ends[list]++;
  }

  /** Mostly of what lives. */
  private index(list: 'b' | 'j'): number {
    const { chance, game } = this;
    const end = game.lists[list].length;
    for (let i = 0; i < 6; i++) {
      const index = chance.below(end);
      const isLive = (list === 'b' ? game.model.bodies : game.model.joints).has(game.idOf(list, index));
      if (game.lists[list][index] !== undefined && (isLive || chance.once(6))) return index;
    }
    return Math.max(0, end - 1);
  }

  handle(): string {
    return `b[${this.index('b')}]`;
  }

  body(): Raw {
    if (this.chance.once(60)) return new Raw('ob', 'bad');
    return new Raw(this.handle() + (this.chance.once(4) ? '.id' : ''));
  }

  joint(): string {
    return `j[${this.index('j')}]`;
  }

  shapeOf(target: string): Raw {
    const owner = this.chance.once(12) ? this.handle() : target;
    return new Raw(`${owner}.shapes[${this.chance.of([0, 0, 0, 1, 2])}]`);
  }

  bodyModel(model: Model, index: number) {
    return model.bodies.get(this.game.idOf('b', index));
  }

  jointModel(model: Model, index: number) {
    return model.joints.get(this.game.idOf('j', index));
  }

  saved(list: 's' | 'q') {
    const end = this.game.lists[list].length;
    if (end === 0) return undefined;
    const index = this.chance.below(end);
    return { text: `${list}[${index}]`, model: () => this.game.models[list][index] };
  }

  keep(list: 's' | 'q', index: number, model: Model): void {
    this.game.models[list][index] = model;
  }

  created(): void {}

  /** The text of a call from within. */
  act(): string {
    if (this.isNested) return '{}';
    this.isNested = true;
    try {
      const call = this.call();
      return `h.act(() => ${call.code.replace(/^(\[?[bjsqc]\[\d+\][^=]*?) = /, '')})`;
    } finally {
      this.isNested = false;
    }
  }

  call(): Call {
    const { chance, game } = this;
    const hasBodies = game.lists.b.length > 0;
    const hasJoints = game.lists.j.length > 0;
    let kind: Kind = !hasBodies || chance.once(2) ? 'world' : hasJoints && chance.once(4) ? 'joint' : 'body';
    if (kind === 'body' && chance.once(4)) kind = 'character';
    let name = chance.of(this.bags[kind]);
    if (this.isCrowded && /^createBod/.test(name)) name = 'removeBody';
    if (kind === 'character' && (game.lists.c.length === 0 || (name === MAKE && this.isCrowded)))
      name = this.isCrowded ? 'remove' : MAKE;
    return this.callOf(kind, name);
  }

  callOf(kind: Kind, name: string): Call {
    const { chance } = this;
    const index =
      kind === 'body'
        ? this.index('b')
        : kind === 'joint'
          ? this.index('j')
          : chance.below(Math.max(1, this.game.lists.c.length));
    const target = kind === 'world' ? 'w' : name === MAKE ? 'h' : `${kind[0]}[${index}]`;
    const recipe = this.surface[kind][name]!;
    const draft = recipe.draft(this, target, index);
    let args: readonly Tree[] = draft.args ?? [];
    if (recipe.form !== 'get' && chance.next() < HOSTILE) args = spoiled(chance, args, () => this.act());
    const given = args.map(print).join(', ');
    const member = `${target}.${name}`;
    const plain =
      recipe.form === 'get' ? member : recipe.form === 'set' ? `${member} = ${given}` : `${member}(${given})`;
    const isPlain = draft.text === undefined || recipe.form === 'set';
    const isAsked = draft.asks === true && isPlain && recipe.form === undefined;
    const isLater = isAsked && this.game.options.isAsync === true && chance.once(4);
    const code = isLater ? `h.later(${plain})` : isPlain ? plain : draft.text!(plain);
    const named = `${target} ${given}`.match(/\b[bjsqc]\[\d+\]/g) ?? [];
    const quality =
      WORST[Math.max(...['good' as const, ...args.map(qualityOf)].map((q) => WORST.indexOf(q)))]!;
    return {
      ...draft,
      code,
      name: `${kind}.${name}`,
      quality: isLater && quality === 'bad' ? 'odd' : quality,
      needs: [...new Set([...(draft.needs ?? []), ...named])],
    };
  }
}
