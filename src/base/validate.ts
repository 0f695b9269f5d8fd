// Checks of arguments, shared by World and the worker client. In: anything. Out: plain numbers, or a
// typed error that names the argument and shows the value. Nothing is changed by a check.

import type { QuatLike, Vec3Like } from '../types';
import { closestName, unknownOption } from './closest';
import { PhysicsError } from './errors';
import { MAX_COORDINATE } from './limits';

/** A reused vector is enough for callers that write it into a command at once. */
export type NumberArray = { [index: number]: number };

/** A range; `open` excludes the lower end. */
export interface Range {
  min: number;
  max: number;
  open?: boolean;
}

export const SIGNED = (max: number): Range => ({ min: -max, max });
export const NON_NEGATIVE = (max: number): Range => ({ min: 0, max });
export const COORDINATE = SIGNED(MAX_COORDINATE);

export function invalid(argument: string, rule: string, value: unknown): PhysicsError {
  return new PhysicsError('invalid-argument', rule, argument, value);
}

/** A finite number in a range. */
export function checkNumber(value: unknown, argument: string, range: Range): number {
  if (typeof value !== 'number') throw invalid(argument, 'must be a number', value);
  if (!Number.isFinite(value)) throw invalid(argument, 'must be finite', value);
  // In f32, as the core has it: what is above 0 by less than that is 0 there.
  if (range.open === true ? Math.fround(value) <= range.min : value < range.min) {
    // The bound that a reader expects: "> 0" also where tiny values are refused, too.
    if (range.min >= 0 && value <= 0 && (range.open === true || range.min > 0))
      throw invalid(argument, 'must be > 0', value);
    throw invalid(argument, `must be ${range.open === true ? '>' : '≥'} ${range.min}`, value);
  }
  if (value > range.max) throw invalid(argument, `must be ≤ ${range.max}`, value);
  return value;
}

export function checkInteger(value: unknown, argument: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw invalid(argument, 'must be an integer', value);
  if (value < min || value > max) throw invalid(argument, `must be from ${min} to ${max}`, value);
  return value;
}

/** A whole number that fits 32 bits, signed or not: user indices, filter bits. */
export function checkWord(value: unknown, argument: string): number {
  return checkInteger(value, argument, -0x80000000, 0xffffffff) | 0;
}

export function checkBoolean(value: unknown, argument: string): boolean {
  if (typeof value !== 'boolean') throw invalid(argument, 'must be true or false', value);
  return value;
}

/** Reads options that may be left out: the value as `check` returns it, or `otherwise`. `path` names an option in errors. */
export const optionsIn =
  <Given extends object>(given: Given, path: (name: string) => string = (name) => name) =>
  <T>(name: keyof Given & string, otherwise: T, check: (value: never, argument: string) => T): T =>
    given[name] === undefined ? otherwise : check(given[name] as never, path(name));

export function checkOneOf<T extends string>(value: unknown, argument: string, allowed: readonly T[]): T {
  if (typeof value === 'string' && (allowed as readonly string[]).includes(value)) return value as T;
  const meant = typeof value === 'string' ? closestName(value, allowed) : undefined;
  const hint = meant === undefined ? '' : ` (did you mean '${meant}'?)`;
  throw invalid(argument, `must be one of ${allowed.map((name) => `'${name}'`).join(', ')}${hint}`, value);
}

export function checkFunction<F>(value: F, argument: string): F {
  if (typeof value !== 'function') throw invalid(argument, 'must be a function', value);
  return value;
}

/** Throws unless `value` is an object (no array, no null) all of whose keys are known. No option is read. */
export function checkKeys(value: unknown, argument: string, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    throw invalid(argument, 'must be an object of options', value);
  for (const key of Object.keys(value))
    if (!known.includes(key))
      throw unknownOption(key, known, argument === '' || argument === 'options' ? key : `${argument}.${key}`);
}

/**
 * An object (no array, no null) all of whose keys are known. Out: a copy, so that each option is read once: a getter may
 * answer otherwise at the next look, when what it said has been checked.
 */
export function checkOptions(
  value: unknown,
  argument: string,
  known: readonly string[],
): Record<string, unknown> {
  checkKeys(value, argument, known);
  const copy: Record<string, unknown> = {};
  // A plain object has what it lists: to ask it for all that it could have takes a quarter of the time of creating a body.
  const names = Object.getPrototypeOf(value) === Object.prototype ? Object.keys(value as object) : known;
  for (const key of names) {
    const option = (value as Record<string, unknown>)[key];
    if (option !== undefined) copy[key] = option;
  }
  return copy;
}

/** Entries of any list. */
const MOST_ENTRIES = 1 << 20;

/** The entries of a list, holes included. Its length and each of them are read once: both may have getters. */
export function readList(value: unknown, argument: string, rule: string): unknown[] {
  const length: unknown = Array.isArray(value) ? value.length : undefined;
  if (typeof length !== 'number' || !(length >= 0 && length <= MOST_ENTRIES))
    throw invalid(argument, rule, value);
  const entries: unknown[] = [];
  for (let i = 0; i < length; i++) entries.push((value as unknown[])[i]);
  return entries;
}

const COMPONENTS = 'xyzw';
const FORMS = [
  '',
  '',
  '',
  'must be [x, y, z] or an object with x, y, z',
  'must be [x, y, z, w] or an object with x, y, z, w',
];

/** Reads `count` finite components of an array-like or of an object with x, y, z (, w) into `out`. */
function readComponents(
  value: unknown,
  argument: string,
  count: 3 | 4,
  range: Range,
  out: NumberArray,
  at: number,
): void {
  if (typeof value !== 'object' || value === null) throw invalid(argument, FORMS[count]!, value);
  const array = value as ArrayLike<unknown> & Record<string, unknown>;
  const indexed = typeof array.length === 'number' && !('x' in array);
  if (indexed && array.length !== count) throw invalid(argument, FORMS[count]!, value);
  for (let i = 0; i < count; i++) {
    const component = indexed ? array[i] : array[COMPONENTS[i]!];
    // The name is put together only for the error: this runs for every force of every frame.
    if (typeof component !== 'number' || !(component >= range.min && component <= range.max)) {
      if (component === undefined && !indexed) throw invalid(argument, FORMS[count]!, value);
      checkNumber(component, `${argument}.${COMPONENTS[i]}`, range);
    }
    if (range.open === true && component === range.min)
      checkNumber(component, `${argument}.${COMPONENTS[i]}`, range);
    out[at + i] = component as number;
  }
}

/** Three finite components within `range`, written to `out[at…]`. */
export function readVec3(value: unknown, argument: string, range: Range, out: NumberArray, at = 0): void {
  readComponents(value, argument, 3, range, out, at);
}

/** A rotation, normalised, written to `out[at…at + 3]`. */
export function readQuat(value: unknown, argument: string, out: NumberArray, at = 0): void {
  readComponents(value, argument, 4, COORDINATE, out, at);
  const x = out[at]!;
  const y = out[at + 1]!;
  const z = out[at + 2]!;
  const w = out[at + 3]!;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 1e-6)) throw invalid(argument, 'must not have length 0', value);
  // A unit quaternion passes unchanged, so that what was read from a body can be written back as it was.
  if (Math.abs(length - 1) < 1e-7) return;
  out[at] = x / length;
  out[at + 1] = y / length;
  out[at + 2] = z / length;
  out[at + 3] = w / length;
}

export function vec3Of(value: Vec3Like, argument: string, range = COORDINATE): [number, number, number] {
  const out: [number, number, number] = [0, 0, 0];
  readVec3(value, argument, range, out);
  return out;
}

export function quatOf(value: QuatLike, argument: string): [number, number, number, number] {
  const out: [number, number, number, number] = [0, 0, 0, 1];
  readQuat(value, argument, out);
  return out;
}
