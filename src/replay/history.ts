// The last queries of a world, with their results. In: a world. Out: a ring buffer that can be read, drawn and
// repeated. It costs nothing while it is off.
import type { World } from 'ricochet';
import { plain, type QueryRecord, watchQueries } from './queries';

/** A query that was made, with the step after which it was. */
export interface PastQuery extends QueryRecord {
  /** Steps of the world then. */
  step: number;
}

/** Segments as six numbers each (from, to), and a colour (0xRRGGBB) for each: as World.debugLines has them. */
export interface QueryLines {
  /** x, y, z of both ends of each segment, m. */
  positions: Float32Array;
  /** 0xrrggbb of both ends of each segment. */
  colors: Uint32Array;
  /** Segments in use. */
  count: number;
}

const MISSED = 0x8a8f98;
const HIT = 0xffb000;
const NORMAL = 0x35b7ff;
const BOX = 0xb08cff;
/** m */
const NORMAL_LENGTH = 0.25;

/** The last questions of a world, as lines to draw. */
export class QueryHistory {
  private readonly ring: (PastQuery | undefined)[];
  private made = 0;
  private readonly stop: () => void;

  /** Keeps the last `capacity` queries of `world` from now on. */
  constructor(
    private readonly world: World,
    capacity = 256,
  ) {
    if (!(Number.isInteger(capacity) && capacity >= 1 && capacity <= 1e6))
      throw world.refusal('capacity', 'must be an integer from 1 to 1000000', capacity);
    this.ring = new Array(capacity);
    this.stop = watchQueries(world, (record) => {
      this.ring[this.made++ % capacity] = { ...record, step: world.stepCount };
    });
  }

  /** How many were made since the beginning, those that were forgotten included. */
  get count(): number {
    return this.made;
  }

  /** Oldest first. */
  entries(): PastQuery[] {
    const { ring, made } = this;
    const first = Math.max(0, made - ring.length);
    return Array.from({ length: made - first }, (_, i) => ring[(first + i) % ring.length] as PastQuery);
  }

  /** Asks the queries of the present step again; returns those that are answered otherwise now. */
  askAgain(): { query: PastQuery; now: unknown }[] {
    const step = this.world.stepCount;
    const past = this.entries().filter((query) => query.step === step);
    const target = this.world as unknown as Record<string, (...args: unknown[]) => unknown>;
    const kept = { ring: [...this.ring], made: this.made };
    const others = past.flatMap((query) => {
      const now = plain(target[query.method]?.(...query.args));
      return JSON.stringify(now) === JSON.stringify(query.result) ? [] : [{ query, now }];
    });
    kept.ring.forEach((entry, i) => {
      this.ring[i] = entry;
    });
    this.made = kept.made;
    return others;
  }

  /** Lines of the rays and boxes of the last steps, for an overlay: grey what missed, amber what hit, blue normals. */
  lines(steps = 1): QueryLines {
    const segments: number[] = [];
    const colors: number[] = [];
    const line = (from: readonly number[], to: readonly number[], color: number) => {
      segments.push(from[0]!, from[1]!, from[2]!, to[0]!, to[1]!, to[2]!);
      colors.push(color);
    };
    const since = this.world.stepCount - steps;
    for (const { method, args, result, step } of this.entries()) {
      if (step <= since) continue;
      if (method === 'rayTest') {
        const [from, to] = [point(args[0]), point(args[1])];
        const hits = (Array.isArray(result) ? result : result === null ? [] : [result]) as Hit[];
        line(from, to, hits.length > 0 ? HIT : MISSED);
        for (const hit of hits) normal(line, hit.point, hit.normal);
      } else if (method === 'rayTestBatch') {
        const rays = args[0] as number[];
        const { fractions, points, normals } = result as { [name: string]: number[] };
        for (let i = 0; 6 * i < rays.length; i++) {
          const hit = (fractions?.[i] ?? 1) < 1;
          line(rays.slice(6 * i, 6 * i + 3), rays.slice(6 * i + 3, 6 * i + 6), hit ? HIT : MISSED);
          if (hit) normal(line, points!.slice(3 * i, 3 * i + 3), normals!.slice(3 * i, 3 * i + 3));
        }
      } else if (method === 'overlapTest') {
        box(line, point(args[0]), point(args[1]));
      }
    }
    return {
      positions: Float32Array.from(segments),
      colors: Uint32Array.from(colors),
      count: colors.length,
    };
  }

  /** Stops listening; what is kept stays readable. */
  dispose(): void {
    this.stop();
  }
}

interface Hit {
  point: number[];
  normal: number[];
}
type Line = (from: readonly number[], to: readonly number[], color: number) => void;

function point(value: unknown): number[] {
  if (Array.isArray(value)) return value as number[];
  const { x, y, z } = value as { x: number; y: number; z: number };
  return [x, y, z];
}

function normal(line: Line, at: readonly number[], n: readonly number[]): void {
  line(
    at,
    at.map((c, i) => c + NORMAL_LENGTH * n[i]!),
    NORMAL,
  );
}

function box(line: Line, min: readonly number[], max: readonly number[]): void {
  const corner = (i: number) => [
    i & 1 ? max[0]! : min[0]!,
    i & 2 ? max[1]! : min[1]!,
    i & 4 ? max[2]! : min[2]!,
  ];
  for (let i = 0; i < 8; i++)
    for (const bit of [1, 2, 4]) if ((i & bit) === 0) line(corner(i), corner(i | bit), BOX);
}
