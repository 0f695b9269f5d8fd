// Reading JSON from outside: every value is looked at before it is used. In: parsed JSON, a path. Out: the value, or a
// PhysicsError that names the path.
import { PhysicsError } from 'ricochet/cooking';

export type Json = { readonly [key: string]: unknown };

export function fault(path: string, rule: string, ...value: [value?: unknown]): PhysicsError {
  return new PhysicsError('damaged-file', rule, path, ...value);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectAt(value: unknown, path: string): Json {
  if (!isObject(value)) throw fault(path, 'must be an object', value);
  return value;
}

/** An object that may be absent. */
export const optionalAt = (parent: Json, key: string, path: string): Json | undefined =>
  parent[key] === undefined ? undefined : objectAt(parent[key], `${path}.${key}`);

/** A list that may be absent. */
export function listAt(parent: Json, key: string, path: string): readonly unknown[] {
  const value = parent[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw fault(`${path}.${key}`, 'must be a list', value);
  return value;
}

interface Range {
  min?: number;
  max?: number;
}

export function numberAt(
  parent: Json,
  key: string,
  path: string,
  fallback: number,
  { min = -1e9, max = 1e9 }: Range = {},
): number {
  const value = parent[key];
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max)
    throw fault(`${path}.${key}`, `must be a number from ${min} to ${max}`, value);
  return value;
}

export function vectorAt(parent: Json, key: string, path: string, fallback: readonly number[]): number[] {
  const value = parent[key];
  if (value === undefined) return [...fallback];
  if (!Array.isArray(value) || value.length !== fallback.length)
    throw fault(`${path}.${key}`, `must be ${fallback.length} numbers`, value);
  return value.map((c, i) => {
    if (typeof c !== 'number' || !(Math.abs(c) <= 1e9))
      throw fault(`${path}.${key}[${i}]`, 'must be a finite number', c);
    return c;
  });
}

export function booleanAt(parent: Json, key: string, path: string, fallback: boolean): boolean {
  const value = parent[key];
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw fault(`${path}.${key}`, 'must be true or false', value);
  return value;
}

/** An index into a list of `count`; undefined where it may be absent and is. */
export function indexAt(parent: Json, key: string, path: string, count: number): number | undefined {
  const value = parent[key];
  return value === undefined ? undefined : checkIndex(value, `${path}.${key}`, count);
}

export function checkIndex(value: unknown, path: string, count: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= count)
    throw fault(
      path,
      count === 0
        ? 'names something, and there is nothing of the kind'
        : `must be an integer from 0 to ${count - 1}`,
      value,
    );
  return value;
}

/** What `json.extensions` or `node.extensions` has under a name. */
export function extensionOf(parent: Json, name: string, path: string): Json | undefined {
  const extensions = optionalAt(parent, 'extensions', path);
  return extensions && optionalAt(extensions, name, path === '' ? 'extensions' : `${path}.extensions`);
}
