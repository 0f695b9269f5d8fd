// Distributes the kinematic targets of frames over steps. In: the targets that frames of the page set, each with the
// time of its frame. Out: a target for each step, so that a body moves evenly through the poses of the page, however
// frames and steps interleave. It depends only on the command stream and the number of steps, so that a replacement
// worker moves bodies in the same way.
//
// Once per frame the page says "at time t the platform is at x". A step also has a time of the page. If the page makes
// the steps, it is the time at which the step was due. If the worker makes them, it is a time that advances by one
// period per step and stays behind the newest frame, so that there are always two frames to interpolate between: one
// frame behind (the target of a frame is reached when the next one is due), and further by as much as frames arrive
// late.

import { type BodyId, MAX_SLOT } from '../src/base/ids';
import { slerp } from '../src/base/math';
import { BODY_KINEMATIC } from '../src/core/memory/constants';
import * as rows from '../src/wasm/core-commands';
import { SetKinematicTarget } from '../src/wasm/core-commands';
import { BodyPose } from '../src/wasm/core-layout';
import type { HostWorld } from './hostWorld';
import type { FrameTimes } from './protocol';

/** ms. A longer frame is a pause: the motion to its target takes this long. */
const LONGEST_FRAME = 250;
/** Periods of additional delay of the first steps: the next frame may come late. */
const START_MARGIN = 0.5;
/** Periods that always remain between a step and the newest frame; a larger delay is reduced slowly. */
const LEAST_MARGIN = 0.25;
/** Share by which time runs faster to reduce the delay; not noticeable for bodies on a platform. */
const SLEW = 0.005;
/** Periods. A larger excess delay is reduced in about EXCESS_STEPS steps. */
const LONG_EXCESS = 2;
const EXCESS_STEPS = 30;
/** Steps over which the margin is observed. */
const WINDOW = 60;

/** Numbers per place: position 3, rotation 4. */
const PLACE = 7;

/** The path of one body: its poses in the order of time. */
interface Way {
  id: BodyId;
  times: number[];
  places: number[][];
}

/** State that a checkpoint contains. */
export interface TargetState {
  moment: number;
  newest: number;
  period: number;
  waited: number;
  least: number;
  leastBefore: number;
  observed: number;
  ways: Way[];
}

const AT_REST = {
  moment: Number.NaN,
  newest: Number.NEGATIVE_INFINITY,
  waited: 0,
  least: Number.POSITIVE_INFINITY,
  leastBefore: Number.POSITIVE_INFINITY,
  observed: 0,
};

export class Targets {
  private state: Omit<TargetState, 'ways'> = { ...AT_REST, period: 0 };
  /** In the order of insertion. */
  private readonly ways = new Map<BodyId, Way>();
  private readonly values = new Float64Array(1 + PLACE);

  constructor(private readonly world: HostWorld) {}

  get isEmpty(): boolean {
    return this.ways.size === 0;
  }

  /** Starts the targets of a frame of the page. */
  begin({ time, before, period }: FrameTimes): void {
    const { state } = this;
    // The page's clock was replaced or started again.
    if (time < state.newest - LONGEST_FRAME) this.clear();
    state.period = period;
    state.newest = Math.max(state.newest, time);
    const delay = state.newest - state.moment;
    const most = LONGEST_FRAME + 4 * period;
    if (delay >= 0 && delay <= most) return;
    const from = Math.max(before, time - LONGEST_FRAME);
    Object.assign(state, AT_REST, { newest: state.newest, moment: from - START_MARGIN * period });
    this.startAt(state.moment);
  }

  /** Restarts all paths from the current poses: dropped time is not made up in one step. */
  private startAt(moment: number): void {
    for (const { id, times, places } of this.ways.values()) {
      let passed = 0;
      while (passed < times.length && (times[passed] as number) <= moment) passed++;
      if (passed === 0) continue;
      const last = places[passed - 1] as number[];
      times.splice(0, passed, moment);
      places.splice(0, passed, this.placeOf(id & MAX_SLOT));
      if (times.length === 1) places[0] = last;
    }
  }

  /** Adds the pose of a body at the time of a frame: its position, its rotation, or both. What is not given stays as it was. */
  add(slot: number, given: Float32Array, { time, before }: FrameTimes): void {
    const id = this.world.replica.bodies.idAt(slot);
    if (id === 0 || this.world.replica.bodyRecords[slot]?.type !== BODY_KINEMATIC) return;
    let way = this.ways.get(id);
    if (way === undefined) this.ways.set(id, (way = { id, times: [], places: [] }));
    const { times, places } = way;
    const from = Math.max(before, time - LONGEST_FRAME);
    // Until the last frame it was at its current pose.
    if (times.length === 0) {
      times.push(from);
      places.push(this.placeOf(slot));
    } else if ((times.at(-1) as number) < from) {
      times.push(from);
      places.push(places.at(-1) as number[]);
    }
    const last = times.length - 1;
    // Of targets with one time the last one counts, and what it keeps is what was before them.
    const kept = places[time > (times[last] as number) ? last : Math.max(0, last - 1)] as number[];
    const at = given.length === 4 ? 3 : 0;
    const place = [...kept.slice(0, at), ...given, ...kept.slice(at + given.length)];
    if (time > (times[last] as number)) {
      times.push(time);
      places.push(place);
    } else places[last] = place;
  }

  private placeOf(slot: number): number[] {
    const { instance } = this.world;
    const pose = instance.table('poses') + slot * (BodyPose.SIZE >> 2);
    const p = pose + (BodyPose.px >> 2);
    const q = pose + (BodyPose.qx >> 2);
    return [...instance.floats.subarray(p, p + 3), ...instance.floats.subarray(q, q + 4)];
  }

  /** The user moved the body in another way. */
  drop(slot: number): void {
    this.ways.delete(this.world.replica.bodies.idAt(slot));
  }

  /** The next step of the worker's clock, or of a command. */
  advance(): void {
    const { state } = this;
    if (Number.isNaN(state.moment)) return;
    const { period, newest } = state;
    let next = state.moment + this.rate() * period;
    if (next > newest) {
      // The page is late, or has stopped. If it is late, the time waits, and the delay is longer from now on.
      next = Math.max(newest, state.moment);
      if (++state.waited * period > LONGEST_FRAME) {
        next = Number.NaN;
        Object.assign(state, AT_REST, { newest });
      }
    } else state.waited = 0;
    state.moment = next;
    this.observe(newest - next);
    this.aim(Number.isNaN(next) ? newest : next);
  }

  /** The next step was due at this moment of the page's time. */
  advanceTo(moment: number, period: number): void {
    const { state } = this;
    if (moment - state.moment > 1.5 * period) this.startAt(moment - period);
    state.moment = moment;
    this.aim(moment);
  }

  private rate(): number {
    const { least, leastBefore, period } = this.state;
    const excess = Math.min(least, leastBefore) / period - LEAST_MARGIN;
    if (!(excess > 0) || !Number.isFinite(leastBefore)) return 1;
    return 1 + SLEW + Math.min(1, Math.max(0, excess - LONG_EXCESS) / EXCESS_STEPS);
  }

  private observe(margin: number): void {
    const { state } = this;
    if (margin < state.least) state.least = margin;
    if (++state.observed < WINDOW) return;
    state.leastBefore = state.least;
    state.least = Number.POSITIVE_INFINITY;
    state.observed = 0;
  }

  private aim(moment: number): void {
    const { bodies, bodyRecords } = this.world.replica;
    for (const { id, times, places } of this.ways.values()) {
      const slot = id & MAX_SLOT;
      if (!bodies.isLive(id) || bodyRecords[slot]?.type !== BODY_KINEMATIC) {
        this.ways.delete(id);
        continue;
      }
      while (times.length > 1 && (times[1] as number) <= moment) {
        times.shift();
        places.shift();
      }
      const [start = 0, end] = times;
      if (moment <= start && end !== undefined) continue;
      const from = places[0] as number[];
      if (end === undefined) {
        this.write(slot, from);
        this.ways.delete(id);
        continue;
      }
      const to = places[1] as number[];
      const fraction = (moment - start) / (end - start);
      const place = from.slice(0, 3).map((value, i) => value + ((to[i] as number) - value) * fraction);
      this.write(slot, [...place, ...slerp(from.slice(3), to.slice(3), fraction)]);
    }
  }

  private write(slot: number, place: readonly number[]): void {
    this.values[SetKinematicTarget.body] = slot;
    this.values.set(place, SetKinematicTarget.position);
    this.world.replica.writer.write(rows.setKinematicTarget, this.values);
  }

  clear(): void {
    Object.assign(this.state, AT_REST);
    this.ways.clear();
  }

  save(): TargetState {
    return structuredClone({ ...this.state, ways: [...this.ways.values()] });
  }

  load(saved: TargetState | null): void {
    this.clear();
    if (saved === null) return;
    const { ways, ...state } = structuredClone(saved);
    this.state = state;
    for (const way of ways) this.ways.set(way.id, way);
  }
}
