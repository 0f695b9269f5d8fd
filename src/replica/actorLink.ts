// How the entries of actors (`ricochet/vehicle`) reach a world, in process or in a worker: both have `actorLink`. In:
// commands about actors. Out: what frames carry about them. Types only.
import type { CommandRow } from '../wasm/commandRow';

/** Published words of a moment: the records of core/actors.ts, one after the other. */
export interface ActorPage {
  readonly words: Int32Array;
  readonly floats: Float32Array;
  /** Words from here to `end`. */
  readonly at: number;
  readonly end: number;
}

/** The drawn moment lies between two pages, at `fraction`; 1 is `to`. */
export interface ActorView {
  readonly from: ActorPage;
  readonly to: ActorPage;
  readonly fraction: number;
}

/** @internal */
export interface ActorLink {
  /** Writes a command, with its fields word by word; they have been checked. */
  write(command: CommandRow, values: ArrayLike<number>): void;
  /**
   * What was published, for now. In a worker's client of the drawn moment, in a World of the last step. `character`: only
   * that of the body in this slot is needed, and a World publishes no other.
   */
  view(character?: number): ActorView;
}
