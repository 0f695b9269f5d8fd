// The states of step systems as words, a section of snapshots. In: what their `save` returned. Out: the same for their
// `restore`, a fresh copy each time. Words: number of systems, then of each: bytes of its name, kind, bytes of its
// content, both padded to words. In the order of names, so that equal states give equal bytes.

import { PhysicsError } from '../base/errors';

/** By name. */
export type SystemStates = Map<string, SavedState>;

/** As it is in a snapshot. */
export interface SavedState {
  kind: typeof NOTHING | typeof BYTES | typeof PLAIN;
  content: Uint8Array;
}

const NOTHING = 0;
const BYTES = 1;
const PLAIN = 2;

/** In JSON: a number that JSON has not, and a typed array. */
const NUMBER = '$number';
const ARRAY = '$array';
const ARRAYS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
};

function damaged(what: string): PhysicsError {
  return new PhysicsError('damaged-snapshot', `snapshot refused: ${what}`);
}

/** What cannot come back as it was is an error here, not a surprise after a restore. */
function plainOf(_key: string, value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [NUMBER]: Object.is(value, -0) ? '-0' : String(value) };
    case 'function':
    case 'symbol':
    case 'bigint':
      throw new TypeError(`a state cannot have a ${typeof value} in it`);
    case 'object': {
      if (value === null || Array.isArray(value)) return value;
      const name = Object.prototype.toString.call(value).slice(8, -1);
      if (name in ARRAYS) return { [ARRAY]: name, values: Array.from(value as Float64Array) };
      const prototype = Object.getPrototypeOf(value);
      if (name !== 'Object' || (prototype !== null && prototype.constructor?.name !== 'Object'))
        throw new TypeError(`a state cannot have a ${prototype?.constructor?.name ?? name} in it`);
    }
  }
  return value;
}

function revived(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { [NUMBER]: number, [ARRAY]: array, values } = value as Record<string, unknown>;
  if (typeof number === 'string') return Number(number);
  if (typeof array === 'string' && array in ARRAYS)
    return new ARRAYS[array as keyof typeof ARRAYS](values as number[]);
  return value;
}

/** Throws a TypeError for what cannot be restored as it is. */
export function encodeState(state: unknown): SavedState {
  if (state === undefined) return { kind: NOTHING, content: new Uint8Array(0) };
  if (state instanceof Uint8Array) return { kind: BYTES, content: new Uint8Array(state) };
  return { kind: PLAIN, content: new TextEncoder().encode(JSON.stringify(state, plainOf)) };
}

export function decodeState({ kind, content }: SavedState): unknown {
  if (kind === NOTHING) return undefined;
  return kind === BYTES ? content.slice() : JSON.parse(new TextDecoder().decode(content), revived);
}

const padded = (bytes: number) => (bytes + 3) >> 2;

/** No words for no systems: the snapshot is that of a world that never had one. */
export function packStates(states: SystemStates): Int32Array {
  if (states.size === 0) return new Int32Array(0);
  const names = [...states.keys()].sort();
  const encoded = names.map((name) => new TextEncoder().encode(name));
  let length = 1;
  names.forEach((name, i) => {
    length += 3 + padded(encoded[i]!.length) + padded(states.get(name)!.content.length);
  });
  const words = new Int32Array(length);
  const bytes = new Uint8Array(words.buffer);
  let at = 0;
  words[at++] = names.length;
  names.forEach((name, i) => {
    const { kind, content } = states.get(name)!;
    words[at++] = encoded[i]!.length;
    words[at++] = kind;
    words[at++] = content.length;
    for (const part of [encoded[i]!, content]) {
      bytes.set(part, 4 * at);
      at += padded(part.length);
    }
  });
  return words;
}

/** @throws PhysicsError 'damaged-snapshot' */
export function unpackStates(words: Int32Array): SystemStates {
  const states: SystemStates = new Map();
  if (words.length === 0) return states;
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  let at = 1;
  const take = (length: number) => {
    if (!(length >= 0 && 4 * at + length <= bytes.length)) throw damaged('states of systems do not add up');
    const part = bytes.slice(4 * at, 4 * at + length);
    at += padded(length);
    return part;
  };
  for (let i = 0; i < words[0]!; i++) {
    const [nameBytes, kind, length] = [words[at]!, words[at + 1]!, words[at + 2]!];
    at += 3;
    const name = new TextDecoder().decode(take(nameBytes));
    const content = take(length);
    if (kind !== NOTHING && kind !== BYTES && kind !== PLAIN) throw damaged(`a state of kind ${kind}`);
    states.set(name, { kind, content });
  }
  if (at !== words.length || states.size !== words[0]) throw damaged('states of systems do not add up');
  for (const state of states.values())
    try {
      decodeState(state);
    } catch {
      throw damaged('the state of a system does not decode');
    }
  return states;
}
