// Listens to the queries of a world. In: a world. Out: every query with its arguments and its result as plain
// values, bodies by their ids. Nothing is in its way while nobody listens.

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
    const heardCall = (...args: unknown[]) => {
      depth++;
      try {
        const result = (original as (...args: unknown[]) => unknown).apply(target, args);
        if (depth === 1)
          heard({ method, args: args.slice(0, ARGUMENTS[method]).map(plain), result: plain(result) });
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

/** A value as JSON can hold it: bodies as ids, typed arrays as lists. */
export function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (ArrayBuffer.isView(value)) return Array.prototype.map.call(value, plain); // its own throws where it is detached
  if (Array.isArray(value)) return value.map(plain);
  const { id, world, physics, options } = value as { [name: string]: unknown };
  if (
    typeof id === 'number' &&
    (world !== undefined || physics !== undefined || Object.keys(value).length === 1)
  )
    return id;
  if ('records' in value && options !== undefined) return plain(options); // a QueryShape
  const out: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) out[key] = plain(part);
  return out;
}
