// The world inside a worker: follows the client's command stream and answers in ids. It has no calls for single
// changes.
import type { BodyId } from '../src/base/ids';
import { MAX_SLOT } from '../src/base/ids';
import { DEFAULT_GRAVITY, PROFILES } from '../src/options/settings';
import { Registry } from '../src/replica/registry';
import { unpackSnapshot } from '../src/replica/snapshot';
import type { FindFault } from '../src/wasm/stateChecker';
import { Simulation } from '../src/world/simulation';
import type { Tools } from './toolbox';

/** Bodies are named by their ids here. */
interface BodyName {
  readonly id: BodyId;
}

export class HostWorld extends Simulation<BodyName> {
  constructor(maxBodies = MAX_SLOT) {
    // Gravity and settings are the first commands of the stream.
    super(
      new Registry({
        settings: PROFILES.native,
        gravity: DEFAULT_GRAVITY.native,
        host: { eventMask: 0, profiling: false, pairFilter: false },
        limit: maxBodies,
      }),
    );
  }

  /** What makes a checker of states, once it was loaded. */
  stateChecker: Tools['stateChecker'] | null = null;
  private findFaults: FindFault | undefined;

  protected override checker(): FindFault {
    if (this.stateChecker === null) throw new Error('a snapshot was to be restored before its checker came');
    this.findFaults ??= this.stateChecker(this.instance);
    return this.findFaults;
  }

  /** A snapshot that a worker of this world has made or accepted. */
  restoreOwn(snapshot: Uint8Array): void {
    this.begin();
    this.restoreParts(unpackSnapshot(snapshot), true);
  }

  /** Called before each step; may write commands that take part in it. */
  onStep: () => void = () => {};

  protected override prepareStep(): void {
    this.onStep();
  }

  override resolve(id: BodyId): BodyName {
    return { id };
  }

  override idOf(body: BodyName | BodyId, argument = 'body'): BodyId {
    const id = typeof body === 'number' ? body : body.id;
    this.replica.bodies.check(id, argument);
    return id;
  }
}
