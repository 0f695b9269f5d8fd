// Observes the queries of a world. In: a world. Out: every query with its arguments and its result as plain values,
// bodies by their ids. Without an observer it adds no cost.

/** Methods that ask and change nothing. */
export const QUERY_METHODS = [
  'rayTest',
  'rayTestBatch',
  'convexSweepTest',
  'overlapTest',
  'overlapShapeTest',
  'pointTest',
  'nearestTest',
  'closestPoints',
  'contactTest',
  'contactPairTest',
  'getContacts',
] as const;
/** Name of a method that asks, and that recordings may hold. */
export type QueryMethod = (typeof QUERY_METHODS)[number];

/** How many arguments are part of a question: beyond these come arrays to be filled. */
const ARGUMENTS: Record<QueryMethod, number> = {
  rayTest: 3,
  rayTestBatch: 2,
  convexSweepTest: 3,
  overlapTest: 3,
  overlapShapeTest: 2,
  pointTest: 2,
  nearestTest: 2,
  closestPoints: 3,
  contactTest: 2,
  contactPairTest: 3,
  getContacts: 1,
};
/** Levels of lists and objects in an argument or result: a question has four. */
const DEEPEST = 16;
/** Entries of a list in an argument. */
const LONGEST = 1 << 27;

export interface QueryRecord {
  /** Which question. */
  method: QueryMethod;
  /** Numbers, lists and plain objects. */
  args: unknown[];
  /** What it was answered: numbers, lists and plain objects. */
  result: unknown;
}

/** Whether a word names a question. */
export function isQueryMethod(name: unknown): name is QueryMethod {
  return (QUERY_METHODS as readonly unknown[]).includes(name);
}

/**
 * What is wrong with a record from anywhere, or undefined: only then may its question be asked. What its arguments may
 * be says the question itself, which refuses others and changes nothing; its work is bounded by them and by the world.
 */
export function queryFault(record: unknown): string | undefined {
  if (!Array.isArray(record) || record.length !== 3) return 'a question that cannot be read';
  const [method, args] = record as unknown[];
  if (!isQueryMethod(method)) return `${JSON.stringify(method)?.slice(0, 40)}, which is no question`;
  if (!Array.isArray(args) || args.length > ARGUMENTS[method])
    return `${method} with arguments that it has not`;
  return isShallow(record, DEEPEST) ? undefined : `${method} with lists in lists in lists`;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}

/**
 * Calls `heard` after every query, until the function returned is called. Queries that others make of
 * each other are heard once.
 */
export function watchQueries(world: object, heard: (record: QueryRecord) => void): () => void {
  const target = world as Record<string, unknown>;
  const taken: [string, unknown, unknown][] = [];
  let depth = 0;
  for (const method of QUERY_METHODS) {
    const original = target[method];
    if (typeof original !== 'function') continue;
    const own = Object.hasOwn(target, method) ? original : undefined;
    const heardCall = (...given: unknown[]) => {
      depth++;
      try {
        // What is kept is what is asked: a getter may say something else at the next look.
        const args = given.slice(0, ARGUMENTS[method]).map(copied);
        while (args.length > 0 && args.at(-1) === undefined) args.pop();
        const others = given.slice(ARGUMENTS[method]);
        while (others.length > 0 && args.length < ARGUMENTS[method]) args.push(undefined);
        const result = (original as (...args: unknown[]) => unknown).apply(target, [...args, ...others]);
        if (depth === 1) heard({ method, args: args.map(plain), result: plain(result) });
        return result;
      } finally {
        depth--;
      }
    };
    target[method] = heardCall;
    taken.push([method, own, heardCall]);
  }
  return () => {
    for (const [method, own, heardCall] of taken)
      if (target[method] === heardCall) {
        if (own === undefined) delete target[method];
        else target[method] = own;
      }
  };
}

/** A value as JSON can hold it: lists, plain objects and vectors as copies, bodies as ids. */
export function plain(value: unknown): unknown {
  return copy(value, DEEPEST, false);
}

/**
 * An argument as it is at this moment, each part of it read once. What is no list, plain object or vector stays as it is:
 * a body of another world, for the question to refuse.
 */
export function copied(value: unknown): unknown {
  return copy(value, DEEPEST, true);
}

function copy(value: unknown, levels: number, keeps: boolean): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  const part = (inner: unknown) => copy(inner, levels - 1, keeps);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const { length } = value as ArrayLike<unknown>;
    if (!(typeof length === 'number' && length >= 0 && length <= LONGEST)) return null;
    const out: unknown[] = [];
    for (let i = 0; i < length; i++) out.push(part((value as ArrayLike<unknown>)[i]));
    return out;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    const entries = Object.entries(value);
    if (!keeps && entries.length === 1 && entries[0]![0] === 'id') return entries[0]![1];
    return Object.fromEntries(entries.map(([key, inner]) => [key, part(inner)]));
  }
  const { id, world, physics, options, x } = value as { [name: string]: unknown };
  if (x !== undefined) {
    const { y, z, w } = value as { [name: string]: unknown };
    return { x, y, z, w };
  }
  if (keeps) return value;
  if (typeof id === 'number' && (world !== undefined || physics !== undefined)) return id;
  if ('records' in value && options !== undefined) return part(options); // a QueryShape
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(inner)]));
}

/** JSON of plain values: numbers that it cannot hold as text. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' && !Number.isFinite(part) ? String(part) : part,
  );
}
