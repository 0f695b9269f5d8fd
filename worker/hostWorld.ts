// The world inside a worker: follows the client's stream, answers in ids. No call that changes it one by one.
import type { BodyId } from '../src/base/ids';
import { MAX_SLOT } from '../src/base/ids';
import { DEFAULT_GRAVITY, PROFILES } from '../src/options/settings';
import { Registry } from '../src/replica/registry';
import { Simulation } from '../src/world/simulation';

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
