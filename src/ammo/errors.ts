// Checks of arguments that a program passes to the facade. In: anything. Out: plain values, rounded to f32 as ammo.js
// stores them, or a PhysicsError that names class, method and argument. A check changes nothing.
import { PhysicsError } from '../index';

/** `where`: method, such as `btVector3.setValue`; `argument`: its name. */
export function bad(where: string, argument: string, rule: string, value: unknown): PhysicsError {
  return new PhysicsError('invalid-argument', rule, `${where}: ${argument}`, value);
}

/** A number by the rules of C++: booleans, null and strings of digits are accepted; NaN and undefined are not. */
export function number(value: unknown, where: string, argument: string): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return Math.fround(value);
  return coerce(value, where, argument);
}

function coerce(value: unknown, where: string, argument: string): number {
  if (value === null || typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
    return Math.fround(Number(value));
  throw bad(where, argument, 'must be a number', value);
}

/** A finite number. */
export function finite(value: unknown, where: string, argument: string): number {
  const result = number(value, where, argument);
  if (!Number.isFinite(result)) throw bad(where, argument, 'must be finite', value);
  return result;
}

/** A finite number > 0. */
export function positive(value: unknown, where: string, argument: string): number {
  const result = finite(value, where, argument);
  if (!(result > 0)) throw bad(where, argument, 'must be > 0', value);
  return result;
}

/** A whole number, rounded towards zero as C++ does. */
export function integer(value: unknown, where: string, argument: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return Math.trunc(value); // exact: pointers are large
  return Math.trunc(finite(value, where, argument));
}

/** An index from 0 to `count` − 1. */
export function index(value: unknown, count: number, where: string, argument = 'index'): number {
  const result = integer(value, where, argument);
  if (result < 0 || result >= count)
    throw bad(
      where,
      argument,
      count === 0 ? 'must not be used: there is nothing' : `must be from 0 to ${count - 1}`,
      value,
    );
  return result;
}

/** Throws unless the facade itself creates the object: as in ammo.js, programs cannot construct these classes. */
export function internal(isOwn: boolean, name: string): void {
  if (!isOwn)
    throw new PhysicsError('unsupported', 'cannot be constructed: ask the object that has it', name);
}

/** Throws for a base class without the method that subclasses have. */
export function derived(method: unknown, object: object): void {
  if (typeof method !== 'function')
    throw new PhysicsError(
      'unsupported',
      'cannot be constructed: make one of its kinds',
      object.constructor.name,
    );
}

/** The error for a method that the program must provide. */
export function forgotten(name: string): PhysicsError {
  return new PhysicsError(
    'unsupported',
    `a JSImplementation must implement all functions, you forgot ${name}.`,
  );
}

export function func<F>(value: F, where: string, argument: string): F {
  if (typeof value !== 'function') throw bad(where, argument, 'must be a function', value);
  return value;
}
