// The error type of the public API: a code for programs, the argument's name and the offending value. Thrown at the
// call with the invalid argument, before anything has changed; the step itself never throws.

/** The kind of an error, for programs: `error.code`. */
export type PhysicsErrorCode =
  /** An argument has the wrong type, is not finite, or lies outside its range. */
  | 'invalid-argument'
  /** An option object has an unknown key. */
  | 'unknown-option'
  /** The body or shape was removed, or the id is 0 or was never given to one. */
  | 'stale-id'
  /** The body or shape belongs to another world. */
  | 'foreign-id'
  /** Too many bodies, shapes or bytes for a world. */
  | 'limit-exceeded'
  /** A command buffer is damaged, or its ids do not match this world. Nothing of it was applied. */
  | 'damaged-commands'
  /** A snapshot is damaged. The world is unchanged. */
  | 'damaged-snapshot'
  /** A snapshot of another version of the engine. */
  | 'incompatible-snapshot'
  /** Cooked geometry is damaged, or of another version of the engine. */
  | 'damaged-geometry'
  /** A recording is damaged; the message names the byte. A recording that was open before is unchanged. */
  | 'damaged-recording'
  /** A file of another format that does not decode; the message names the chunk, path or line. */
  | 'damaged-file'
  /** A recording of another version of the format or of the engine. */
  | 'incompatible-recording'
  /** Not supported here: a feature of ammo.js that this package lacks, or a function that a worker cannot have. */
  | 'unsupported'
  /** The host lacks something the engine needs; the message says what, and which hosts have it. */
  | 'unsupported-host'
  /** The worker's frames do not contain this value; the message says which option to set. */
  | 'not-sent'
  /** A step system did not load, threw, wrote too much or did not return. It was stopped; the world goes on. */
  | 'system-failed'
  /** The world is in a step or in a query: a callback tried to use it. */
  | 'busy'
  /** The world was disposed. */
  | 'disposed'
  /** Out of memory; the world cannot be used any more. */
  | 'out-of-memory'
  /** The worker of the world crashed, hangs or was terminated. */
  | 'worker-lost'
  /** A message between page and worker is invalid, or an answer did not come. */
  | 'protocol';

/** What `PhysicsError` looks like in a message between threads. */
export interface PlainPhysicsError {
  name: 'PhysicsError';
  code: PhysicsErrorCode;
  message: string;
  argument: string;
}

/**
 * Every error that the engine throws on purpose.
 *
 * `message` reads like `shape.halfExtents.y must be > 0, got -1`.
 */
export class PhysicsError extends Error {
  /** Always 'PhysicsError': tells it from other errors where `instanceof` cannot, as across workers. */
  override readonly name = 'PhysicsError';
  /** What went wrong. */
  readonly code: PhysicsErrorCode;
  /** Path of the invalid argument, e.g. `shape.halfExtents.y`; empty if there is none. */
  readonly argument: string;
  /** The value that was passed. */
  readonly value: unknown;

  /**
   * @param rule  what must hold, e.g. `must be > 0`; with an argument and a value they are put around it
   */
  constructor(code: PhysicsErrorCode, rule: string, argument = '', ...value: [value?: unknown]) {
    const subject = argument === '' ? '' : argument + ' ';
    super(value.length === 0 ? subject + rule : `${subject}${rule}, got ${show(value[0])}`);
    this.code = code;
    this.argument = argument;
    this.value = value[0];
  }

  /** For messages between threads, which drop an error's own fields. */
  toPlain(): PlainPhysicsError {
    return { name: 'PhysicsError', code: this.code, message: this.message, argument: this.argument };
  }

  /** The error that `toPlain` of another thread made plain. */
  static fromPlain(plain: PlainPhysicsError): PhysicsError {
    const error = new PhysicsError(plain.code, plain.message);
    Object.defineProperty(error, 'argument', { value: plain.argument, enumerable: true });
    return error;
  }
}

/** An error of a part that was built apart, and so has a class of its own, as one of this class; others as they are. */
export function ownError(error: unknown): unknown {
  return error instanceof Error && error.name === 'PhysicsError' && !(error instanceof PhysicsError)
    ? PhysicsError.fromPlain(error as PhysicsError)
    : error;
}

const LONGEST = 60;
/** Of a list or object so many parts are shown. */
const MOST_PARTS = 8;

/** A value as a reader would write it, cut to one short line. */
function show(value: unknown): string {
  let text: string;
  try {
    text = shown(value, 2);
  } catch {
    text = 'what cannot be shown';
  }
  return text.length > LONGEST ? text.slice(0, LONGEST - 1) + '…' : text;
}

/** No deeper than it fits a line: what is passed by mistake may be a whole world. */
function shown(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST));
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  const { name } = value.constructor ?? Object;
  if (ArrayBuffer.isView(value) && 'length' in value) return `${name}(${(value as Float32Array).length})`;
  if (depth === 0) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value))
    return `[${Array.from({ length: Math.min(value.length, MOST_PARTS) }, (_, i) => shown(value[i], depth - 1)).join(', ')}]`;
  if (name !== 'Object') return `a ${name}`;
  const parts: string[] = [];
  for (const key in value) {
    if (parts.length === MOST_PARTS) break;
    parts.push(`${JSON.stringify(key)}:${shown((value as Record<string, unknown>)[key], depth - 1)}`);
  }
  return `{${parts.join()}}`;
}
