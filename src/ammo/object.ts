// Identity of wrappers: pointers, casts, destruction. In: ordinary objects that the garbage collector owns. Out:
// integers as pointers to them while they live (assigned when first needed), views of an object as another class, and
// destroyed objects, which answer each call with an error.
import { PhysicsError } from '../index';
import { bad, integer } from './errors';
import { heap } from './heap';

// biome-ignore lint/suspicious/noExplicitAny: classes of the facade have constructors of all kinds
export type Class<T = any> = abstract new (...args: any[]) => T;

/** Base of every wrapper: `Ammo.WrapperObject`. */
export class WrapperObject {
  /** Class by which ammo.js knows the wrapper. */
  get __class__(): Class {
    return this.constructor as Class;
  }

  /** The pointer; the same as Ammo.getPointer(this). */
  get ptr(): number {
    return pointerOf(this);
  }

  __destroy__(): void {
    destroy(this);
  }

  /** @internal Whether ammo.js has a destructor for its class. */
  get _hasDestructor(): boolean {
    return this.constructor !== WrapperObject && this.constructor !== VoidPtr;
  }

  /** @internal Releases everything that ends with it. */
  _release(): void {}

  /** @internal Whether it is a linked view of another object and ends with that. */
  get _isPart(): boolean {
    return false;
  }

  /** @internal Bytes that it takes in the heap, for programs that read memory; 0 for none. */
  _bytes(): number {
    return 0;
  }

  /** @internal Moves its numbers to an address of the heap. */
  _moveTo(_address: number): void {}

  /** @internal A view of the address, without its own memory. */
  static _at(_address: number): WrapperObject | null {
    return null;
  }
}

/** Wrapper of pointers without a class in ammo.js. */
export class VoidPtr extends WrapperObject {}

/** Pointers to objects without memory in the heap are above the heap, 16 bytes apart. */
const FIRST_POINTER = 0x4000_0000;
const LAST_POINTER = 0x7fff_fff0;
let nextPointer = FIRST_POINTER;

const pointers = new WeakMap<object, number>();
const byPointer = new Map<number, WeakRef<WrapperObject>>();
/** Views of objects, by class. */
const views = new WeakMap<WrapperObject, Map<Class, WrapperObject>>();
const realOf = new WeakMap<object, WrapperObject>();
const destroyed = new WeakSet<object>();
const foreign = new Map<Class, Map<number, WeakRef<WrapperObject>>>();

const forgotten = new FinalizationRegistry<{ pointer: number; bytes: number }>(({ pointer, bytes }) => {
  if (byPointer.get(pointer)?.deref() === undefined) byPointer.delete(pointer);
  if (bytes > 0) heap.free(pointer);
});

/** The object behind a view; the object itself if it is no view. */
export function real<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return (realOf.get(value) as T | undefined) ?? value;
}

export function isDestroyed(value: object): boolean {
  return destroyed.has(value);
}

/** The pointer of an object, valid as long as the object lives. */
export function pointerOf(value: unknown): number {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'object' || value === null) return 0;
  const object = real(value) as WrapperObject;
  const known = pointers.get(object);
  if (known !== undefined) return known;
  if (!(object instanceof WrapperObject)) return 0;
  const bytes = object._bytes();
  let pointer: number;
  if (bytes > 0) {
    pointer = heap.malloc(bytes);
    object._moveTo(pointer);
  } else {
    do {
      pointer = nextPointer;
      nextPointer = pointer >= LAST_POINTER ? FIRST_POINTER : pointer + 16;
    } while (byPointer.has(pointer));
  }
  pointers.set(object, pointer);
  byPointer.set(pointer, new WeakRef(object));
  forgotten.register(object, { pointer, bytes }, object);
  return pointer;
}

/** The living object of a pointer. */
export function objectAt(pointer: number): WrapperObject | undefined {
  return byPointer.get(pointer)?.deref();
}

/**
 * `object` as another class: the same object if it is of that class, otherwise one view per class, with its own
 * properties.
 */
export function viewAs(object: WrapperObject, type: Class): WrapperObject {
  if (object.constructor === type) return object;
  let known = views.get(object);
  if (known === undefined) views.set(object, (known = new Map()));
  let view = known.get(type);
  if (view !== undefined) return view;
  const own = Object.create(type.prototype) as WrapperObject;
  view = new Proxy(own, {
    get(target, key) {
      if (Object.hasOwn(target, key)) return Reflect.get(target, key);
      if (key === 'constructor' || key === '__class__') return type;
      const value = Reflect.get(object, key, object);
      // A member that only the other class has: the cast was wrong.
      if (value === undefined && key in type.prototype && typeof key === 'string')
        return refuse(type.name, key);
      return typeof value === 'function' && key in object
        ? value.bind(object)
        : isOwnState(object, key)
          ? undefined
          : value;
    },
  });
  known.set(type, view);
  realOf.set(view, object);
  return view;
}

/** Properties set by users stay on the wrapper on which they were set. */
function isOwnState(object: object, key: PropertyKey): boolean {
  return Object.hasOwn(object, key) && !(typeof key === 'string' && key.startsWith('_'));
}

function refuse(name: string, key: string): () => never {
  return () => {
    throw new PhysicsError(
      'invalid-argument',
      `must not be called: the object is of another class`,
      `${name}.${key}`,
    );
  };
}

/** All methods of a class, replaced by ones that throw. */
function poison(type: Class, rule: string, code: 'stale-id' | 'invalid-argument'): object {
  const methods: PropertyDescriptorMap = {};
  for (
    let proto = type.prototype;
    proto !== null && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  )
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (key in methods || key === 'constructor' || key === 'ptr' || key.startsWith('__')) continue;
      const fail = () => {
        throw new PhysicsError(code, rule, `${type.name}.${key}`);
      };
      methods[key] =
        typeof (descriptor as PropertyDescriptor).value === 'function'
          ? { value: fail, configurable: true, writable: true }
          : { get: fail, set: fail, configurable: true };
    }
  methods['__class__'] = { value: type };
  methods['ptr'] = {
    get(this: object) {
      return pointers.get(this) ?? 0;
    },
  };
  methods['__destroy__'] = { value: () => {} };
  return Object.create(Gone.prototype, methods);
}

/** Prototype of destroyed and foreign objects, so that they match no class. */
class Gone {}
const poisoned = new Map<Class, object>();
const strangers = new Map<Class, object>();

function destroyedPrototype(type: Class): object {
  let proto = poisoned.get(type);
  if (proto === undefined)
    poisoned.set(type, (proto = poison(type, 'was called on a destroyed object', 'stale-id')));
  return proto;
}

const slots = new WeakSet<object>();

/** Marks an object that a method returns repeatedly, like ammo.js's values by copy: destroying it has no effect. */
export function slot<T extends object>(object: T): T {
  slots.add(object);
  return object;
}

/** ammo.js's error for an object without a destructor. */
function indestructible(): PhysicsError {
  return new PhysicsError(
    'unsupported',
    'Cannot destroy object. (Did you create it yourself?)',
    'Ammo.destroy: obj',
  );
}

/** Destroys an object: each later call is an error that names it. Destroying it again has no effect. */
export function destroy(value: unknown): void {
  if (value === null || value === undefined)
    throw new PhysicsError(
      'invalid-argument',
      'must be an object of this module',
      'Ammo.destroy: obj',
      value,
    );
  const object = real(value) as WrapperObject;
  if (object instanceof Gone || (typeof object === 'object' && destroyed.has(object))) {
    const type = (object as unknown as WrapperObject).__class__;
    if (type === WrapperObject || type === VoidPtr) throw indestructible();
    return;
  }
  if (!(object instanceof WrapperObject))
    throw new PhysicsError(
      'invalid-argument',
      'must be an object of this module',
      'Ammo.destroy: obj',
      value,
    );
  if (!object._hasDestructor) throw indestructible();
  if (slots.has(object) || object._isPart) return;
  object._release();
  const pointer = pointers.get(object);
  if (pointer !== undefined) {
    byPointer.delete(pointer);
    forgotten.unregister(object);
    if (object._bytes() > 0) heap.free(pointer);
    pointers.delete(object);
  }
  destroyed.add(object);
  Object.setPrototypeOf(object, destroyedPrototype(object.constructor as Class));
}

/** An object for a foreign pointer: it can hold properties, and its methods throw. */
function stranger(pointer: number, type: Class): WrapperObject {
  let known = foreign.get(type);
  if (known === undefined) foreign.set(type, (known = new Map()));
  const before = known.get(pointer)?.deref();
  if (before !== undefined) return before;
  let proto = strangers.get(type);
  if (proto === undefined)
    strangers.set(
      type,
      (proto = poison(type, 'was called on a pointer that is not of this module', 'invalid-argument')),
    );
  const object = Object.create(proto) as WrapperObject;
  pointers.set(object, pointer);
  known.set(pointer, new WeakRef(object));
  return object;
}

/** The wrapper of a pointer as a class; without a class, a plain wrapper. */
export function wrapPointer(given: unknown, type: Class = WrapperObject): WrapperObject {
  const pointer = given === null || given === undefined ? 0 : integer(given, 'Ammo.wrapPointer', 'ptr');
  if (typeof type !== 'function')
    throw bad('Ammo.wrapPointer', 'Class', 'must be a class of this module', type);
  const object = objectAt(pointer);
  if (object !== undefined) return type === WrapperObject || type === VoidPtr ? object : viewAs(object, type);
  if (pointer > 0 && heap.holds(pointer)) {
    const inHeap = (type as unknown as typeof WrapperObject)._at(pointer);
    if (inHeap !== null) {
      pointers.set(inHeap, pointer);
      byPointer.set(pointer, new WeakRef(inHeap));
      return inHeap;
    }
  }
  return stranger(pointer, type);
}

/** The same object as another class. */
export function castObject(value: unknown, type: Class): WrapperObject {
  if (value === null || value === undefined)
    throw bad('Ammo.castObject', 'obj', 'must be an object of this module', value);
  const object = real(value) as WrapperObject;
  if (object instanceof VoidPtr || object instanceof Gone || typeof object === 'number')
    return wrapPointer(pointerOf(object), type);
  if (!(object instanceof WrapperObject))
    throw bad('Ammo.castObject', 'obj', 'must be an object of this module', value);
  return viewAs(object, type);
}

export function compare(a: unknown, b: unknown): boolean {
  const [x, y] = [real(a), real(b)];
  return x === y || (pointerOf(x) === pointerOf(y) && pointerOf(x) !== 0);
}

const voids = new Map<number, WeakRef<VoidPtr>>();

/** An integer as a pointer without a class. */
export function voidPointer(pointer: number): VoidPtr {
  const known = voids.get(pointer)?.deref();
  if (known !== undefined) return known;
  const fresh = new VoidPtr();
  pointers.set(fresh, pointer);
  voids.set(pointer, new WeakRef(fresh));
  return fresh;
}

/** An argument that must be an object of a class, or a view of one. */
export function ref<T extends WrapperObject>(
  value: unknown,
  type: Class<T>,
  where: string,
  argument: string,
): T {
  if (value instanceof type && !realOf.has(value)) return value;
  const object = real(value);
  if (object instanceof type) return object;
  if (object instanceof Gone) {
    const gone = object as unknown as WrapperObject;
    const rule = destroyed.has(gone) ? 'must not be destroyed' : `must be a ${type.name} of this module`;
    throw new PhysicsError(
      destroyed.has(gone) ? 'stale-id' : 'invalid-argument',
      rule,
      `${where}: ${argument}`,
    );
  }
  throw bad(where, argument, `must be a ${type.name}`, describe(object));
}

/** Like ref, or null for null, undefined, 0 and Ammo.NULL. */
export function optional<T extends WrapperObject>(
  value: unknown,
  type: Class<T>,
  where: string,
  argument: string,
): T | null {
  if (value === null || value === undefined || value === 0) return null;
  const object = real(value);
  if (object instanceof Gone && !destroyed.has(object) && pointers.get(object) === 0) return null;
  if (object instanceof VoidPtr && pointerOf(object) === 0) return null;
  return ref(value, type, where, argument);
}

function describe(value: unknown): unknown {
  return value instanceof WrapperObject ? value.constructor.name : value;
}

/** Defines attributes like ammo.js: `get_name`, `set_name` and the property itself. */
export function attributes(
  type: Class,
  list: Record<string, { get(this: never): unknown; set?(this: never, value: never): void }>,
): void {
  for (const [name, { get, set }] of Object.entries(list)) {
    Object.defineProperty(type.prototype, `get_${name}`, { value: get, configurable: true, writable: true });
    if (set !== undefined)
      Object.defineProperty(type.prototype, `set_${name}`, {
        value: set,
        configurable: true,
        writable: true,
      });
    Object.defineProperty(type.prototype, name, { get, ...(set && { set }), configurable: true });
  }
}

/** Defines attributes that are plain fields `_name`, checked when set. */
export function fields(
  type: Class,
  check: (value: unknown, where: string, argument: string) => unknown,
  names: readonly string[],
): void {
  for (const name of names) {
    const key = `_${name}`;
    const where = `${type.name}.set_${name}`;
    attributes(type, {
      [name]: {
        get(this: Record<string, unknown>) {
          return this[key];
        },
        set(this: Record<string, unknown>, value: unknown) {
          this[key] = check(value, where, 'value');
        },
      },
    });
  }
}

/** The wrappers of a class by pointer. Objects made with `new` get their pointer when it is first needed. */
export function cacheOf(type: Class = WrapperObject): Record<number, WrapperObject> {
  const find = (key: PropertyKey): WrapperObject | undefined => {
    const pointer = typeof key === 'string' ? Number(key) : Number.NaN;
    const object = objectAt(pointer);
    if (object?.constructor === type) return object;
    return (object && views.get(object)?.get(type)) ?? foreign.get(type)?.get(pointer)?.deref();
  };
  const keys = () => {
    const all = [...byPointer.keys(), ...(foreign.get(type)?.keys() ?? [])].map(String);
    return [...new Set(all)].filter((key) => find(key) !== undefined);
  };
  return new Proxy({} as Record<number, WrapperObject>, {
    get: (_, key) => find(key),
    has: (_, key) => find(key) !== undefined,
    ownKeys: keys,
    getOwnPropertyDescriptor: (_, key) => {
      const value = find(key);
      return value && { value, enumerable: true, configurable: true, writable: true };
    },
    // ammo.js's own destroy deletes entries; here destroyed objects disappear by themselves.
    set: () => true,
    deleteProperty: () => true,
  });
}
