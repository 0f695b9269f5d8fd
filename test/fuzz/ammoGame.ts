// Random calls of the facade for ammo.js programs: all of its classes, with objects of all of them. In: a module, random
// numbers. Out: calls as text; what is wrong after one. Beside it stands which bodies are in which world.
import type { World } from 'ricochet';
import { PhysicsError } from 'ricochet';
import { type Ammo, addBody, box, createWorld } from '../ammo/engines';
import { notNumbers } from '../support/numbers';
import type { Chance } from '../support/randomWorlds';
import type { ClassOf } from './ammoSignatures';
import { HANG, isOwn, showError } from './game';
import { Helpers, Hostile, spoiled } from './hostile';
import { print, type Quality, qualityOf, Raw, type Tree } from './text';

export interface AmmoCall {
  code: string;
  quality: Quality;
  needs: readonly number[];
  run?: (...named: unknown[]) => unknown;
}

const NAMES = ['A', 'x', 'h', 'w', 'ob', 'oj', 'addBody', 'createWorld', 'box'];
/** Objects that are remembered. */
const MOST_OBJECTS = 120;
const NUMBERS = [0, 1, 0.5, -1, 0.1, 10, 1 / 60, 3.5, -0.25, 100];
const INTEGERS = [0, 1, 2, 3, 4, 5, 6, -1, 64, 0xffff];
const NUMERIC: Record<string, readonly number[]> = {
  float: NUMBERS,
  double: NUMBERS,
  long: INTEGERS,
  short: INTEGERS,
};
/** Objects that a program makes most often: bodies and constraints in worlds. */
const FREQUENT = [
  'btRigidBody',
  'btDiscreteDynamicsWorld',
  'btHingeConstraint',
  'btCompoundShape',
  'btTransform',
];
/** What else a module has; sizes are small. */
const MODULE: readonly ((any: () => Raw, chance: Chance) => string)[] = [
  (any) => `A.destroy(${any().text})`,
  (any) => `A.getPointer(${any().text})`,
  (any) => `A.compare(${any().text}, ${any().text})`,
  (any, chance) =>
    `A.castObject(${any().text}, A.${chance.of(['btRigidBody', 'btCollisionObject', 'btVector3'])})`,
  (any) => `A.wrapPointer(A.getPointer(${any().text}), A.btRigidBody)`,
  (_, chance) => `A._malloc(${chance.of([0, 16, 1024, -1, 1.5])})`,
  (any) => `A._free(A.getPointer(${any().text}))`,
  (any) => `A.getClass(${any().text})`,
];

export class AmmoGame {
  readonly h = new Helpers();
  readonly x: Ammo[] = [];
  readonly codes = new Map<string, number>();
  private count = 0;
  private clock = process.cpuUsage();

  constructor(
    readonly A: Ammo,
    readonly classes: ReadonlyMap<string, ClassOf>,
  ) {}

  // --- making calls ---

  /** The first calls: a world with something in it. */
  beginning(): AmmoCall[] {
    const codes = [
      'x[0] = createWorld(A)',
      'x[1] = addBody(A, x[0], box(A, 9, 0.5, 9), 0)',
      'x[2] = addBody(A, x[0], box(A), 1, { position: [0, 1, 0] })',
      'x[3] = addBody(A, x[0], new A.btSphereShape(0.5), 2, { position: [0.2, 2.2, 0] })',
    ];
    return codes.map((code, i) => ({ code, quality: 'good', needs: i > 0 ? [0] : [] }));
  }

  call(chance: Chance): AmmoCall {
    const next = this.x.length < MOST_OBJECTS ? this.x.length : 4 + chance.below(MOST_OBJECTS - 4);
    if (chance.once(10))
      return this.finished(`x[0].stepSimulation(${chance.of([1 / 60, 0.05])}, ${chance.of([0, 1, 3])})`);
    if (chance.once(14))
      return this.finished(
        `addBody(A, x[0], box(A), ${chance.of([0, 1, 5])}, { position: [${chance.below(3)}, 3, 0] })`,
        next,
      );
    if (chance.once(14))
      return this.finished(
        chance.of(MODULE)(() => this.some(chance), chance),
        chance.once(3) ? next : undefined,
      );
    if (chance.once(16)) return this.callback(chance, next);
    if (chance.once(3)) {
      const name = chance.once(2) ? chance.of(FREQUENT) : chance.of([...this.classes.keys()]);
      return this.with(chance, `new A.${name}`, this.classes.get(name)?.constructors ?? [], next);
    }
    const index = this.index(chance);
    const type = this.classes.get(this.x[index]?.constructor?.name);
    if (type === undefined) return this.finished('A.btVector3.name');
    const attributes = [...type.attributes];
    if (attributes.length > 0 && chance.once(4)) {
      const [name, kind] = chance.of(attributes);
      if (chance.once(2)) return this.finished(`x[${index}].${name}`, next);
      return this.with(chance, `x[${index}].set_${name}`, [[kind]]);
    }
    const methods = [...type.methods];
    if (methods.length === 0) return this.finished(`A.getPointer(x[${index}])`);
    const [name, overloads] = chance.of(methods);
    if (name === 'stepSimulation') return this.finished(`x[${index}].stepSimulation(1 / 60, 2)`);
    return this.with(chance, `x[${index}].${name}`, overloads, chance.once(3) ? next : undefined);
  }

  private finished(code: string, result?: number, quality: Quality = 'good'): AmmoCall {
    const needs = [...code.matchAll(/\bx\[(\d+)\]/g)].map(([, at]) => Number(at));
    return { code: result === undefined ? code : `x[${result}] = ${code}`, quality, needs };
  }

  private with(chance: Chance, callee: string, overloads: readonly string[][], result?: number): AmmoCall {
    const types = overloads.length > 0 ? chance.of(overloads) : [];
    let args: readonly Tree[] = types
      .filter((type) => !type.startsWith('?') || chance.once(2))
      .map((type) => this.argument(chance, type.replace('?', '')));
    if (chance.once(4)) args = spoiled(chance, args, () => this.act(chance));
    return this.finished(`${callee}(${args.map(print).join(', ')})`, result, qualityOf(args as Tree));
  }

  private argument(chance: Chance, type: string, depth = 2): Tree {
    const numbers = NUMERIC[type];
    if (numbers !== undefined) return chance.of(numbers);
    if (type === 'boolean') return chance.once(2);
    if (type === 'DOMString') return 'text';
    if (type === 'float[]') return [0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0.5, 0, 1];
    if (type === 'btVector3' && chance.once(2))
      return new Raw(`new A.btVector3(${chance.of(NUMBERS)}, ${chance.of(NUMBERS)}, ${chance.of(NUMBERS)})`);
    const known = this.A[type];
    if (typeof known !== 'function') return this.some(chance);
    for (let i = 0; i < 8; i++) {
      const index = this.index(chance);
      if (this.x[index] instanceof known) return new Raw(`x[${index}]`);
    }
    const constructors = this.classes.get(type)?.constructors ?? [];
    if (constructors.length === 0 || depth === 0) return this.some(chance);
    const types = chance.of(constructors).map((each) => each.replace('?', ''));
    return new Raw(
      `new A.${type}(${types.map((each) => print(this.argument(chance, each, depth - 1))).join(', ')})`,
    );
  }

  private index(chance: Chance): number {
    return chance.once(3) ? chance.below(Math.min(8, this.x.length)) : chance.below(this.x.length);
  }

  private some(chance: Chance): Raw {
    return new Raw(`x[${this.index(chance)}]`, 'odd');
  }

  /** What calls back: contacts, ticks, motion states. */
  private callback(chance: Chance, next: number): AmmoCall {
    const act = this.act(chance);
    switch (chance.below(3)) {
      case 0:
        return this.finished(
          `x[0].setInternalTickCallback(A.addFunction(() => ${act}), x[0], ${chance.once(2)})`,
          undefined,
          'acts',
        );
      case 1:
        return this.finished(
          `x[0].contactTest(x[2], Object.assign(new A.ConcreteContactResultCallback(), { addSingleResult: () => (${act}, 0) }))`,
          undefined,
          'acts',
        );
      default:
        return this.finished(
          `Object.assign(new A.btDefaultMotionState(), { setWorldTransform: () => ${act} })`,
          next,
          'acts',
        );
    }
  }

  private act(chance: Chance): string {
    const index = this.index(chance);
    return `h.act(() => ${chance.of([
      'x[0].stepSimulation(1 / 60, 1)',
      `x[0].removeRigidBody(x[${index}])`,
      `x[0].addRigidBody(x[${index}])`,
      `A.destroy(x[${index}])`,
      `x[${index}]?.activate?.(true)`,
      'x[2].setLinearVelocity(new A.btVector3(1, 2, 3))',
      'addBody(A, x[0], box(A), 1)',
      'h.throws()',
    ])})`;
  }

  // --- making them happen ---

  run(call: AmmoCall): string | undefined {
    const { A, x, h } = this;
    if (call.needs.some((index) => x[index] === undefined)) return undefined;
    const worlds = this.worlds();
    const isHashed = this.count++ % 3 === 0;
    const before = isHashed ? worlds.map((world) => world._engine.stateHash()) : [];
    if (this.count % 32 === 1) this.clock = process.cpuUsage();
    h.reset();
    const from = performance.now();
    let error: unknown;
    try {
      call.run ??= new Function(...NAMES, `return (${call.code});`) as NonNullable<AmmoCall['run']>;
      call.run(A, x, h, x[0], x[1], x[2], addBody, createWorld, box);
    } catch (thrown) {
      error = thrown ?? 'nothing';
    }
    if (performance.now() - from > HANG) {
      const { user, system } = process.cpuUsage(this.clock);
      if ((user + system) / 1000 > HANG) return `hang: ${Math.round((user + system) / 1000)} ms`;
    }
    return this.judge(error) ?? this.changed(error, worlds, before) ?? this.inspect();
  }

  private judge(error: unknown): string | undefined {
    const stray = this.h.strays.splice(0).find((each) => !isOwn(each) && !isAbsent(each));
    if (stray !== undefined) return `untyped, in a call from within: ${showError(stray)}`;
    if (error === undefined || error instanceof Hostile || isOwn(error)) return undefined;
    if (isAbsent(error)) return undefined;
    if (!(error instanceof PhysicsError)) return `untyped: ${showError(error)}`;
    this.codes.set(error.code, (this.codes.get(error.code) ?? 0) + 1);
    return ['out-of-memory', 'protocol'].includes(error.code) ? `code: ${showError(error)}` : undefined;
  }

  private worlds(): Ammo[] {
    return this.x.filter((each, i) => {
      if (!(each instanceof this.A.btCollisionWorld) || this.x.indexOf(each) !== i) return false;
      return each._engine.isDisposed === false;
    });
  }

  private changed(error: unknown, worlds: readonly Ammo[], before: readonly string[]): string | undefined {
    if (!(error instanceof PhysicsError) || this.h.hasActed || before.length === 0) return undefined;
    const at = worlds.findIndex(
      (world, i) => !world._engine.isDisposed && world._engine.stateHash() !== before[i],
    );
    return at < 0 ? undefined : `hash: a refused call changed the state: ${showError(error)}`;
  }

  /** Two books of what is in a world agree, and its state is sound. */
  private inspect(): string | undefined {
    for (const world of this.worlds()) {
      const engine = world._engine as World;
      const bodies = [...engine.bodies()];
      if (bodies.length !== world._objects.size)
        return `model: ${bodies.length} bodies, ${world._objects.size} objects`;
      for (const { userData } of bodies)
        if (!world._objects.has(userData)) return 'model: a body of no object that is in the world';
      if (this.count % 24 !== 0) continue;
      const fault = engine.findFault();
      if (fault !== 0) return `state: findFault says ${fault}`;
      const strange = notNumbers(engine);
      if (strange.length > 0) return `NaN: in ${strange.slice(0, 4)}`;
    }
    return undefined;
  }

  close(): void {
    for (const world of this.worlds()) this.A.destroy(world);
  }
}

/** A program may call what an object has not, as it may of any object. */
function isAbsent(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /^(x\[\d+\]|w|ob|oj|A)(\.\w+)* is not a (function|constructor)/.test(error.message)
  );
}
