// The world in the worker: follows the client's command stream and returns ids. It has no calls for single changes.
import type { BodyId } from '../src/base/ids';
import { MAX_SLOT } from '../src/base/ids';
import { DEFAULT_GRAVITY, PROFILES } from '../src/options/settings';
import { addCommands } from '../src/replica/commands';
import { Registry } from '../src/replica/registry';
import { unpackSnapshot } from '../src/replica/snapshot';
import type { Actors, CoreMaker } from '../src/wasm/instance';
import type { Inspection } from '../src/world/inspection';
import { Simulation } from '../src/world/simulation';
import type { Tools } from './toolbox';

/** Bodies are represented by their ids. */
interface BodyName {
  readonly id: BodyId;
}

export class HostWorld extends Simulation<BodyName> {
  /** `make`: what makes a core on several threads, or why there is none. */
  constructor(maxBodies = MAX_SLOT, make?: CoreMaker | string) {
    // Gravity and settings come as the first commands of the stream.
    super(
      new Registry({
        settings: PROFILES.native,
        gravity: DEFAULT_GRAVITY.native,
        host: { eventMask: 0, profiling: false, pairFilter: false },
        limit: maxBodies,
        geometryFault: () => undefined,
      }),
      make,
    );
  }

  private loadedInspector: Inspection | null = null;
  private loadedActors: Actors | null = null;

  /** The worker's tools are loaded: provides the inspector and the actors. */
  inspectWith({ inspectionOf, actorsOf, ACTOR_COMMANDS }: Tools): void {
    if (this.loadedActors !== null) return;
    addCommands(...ACTOR_COMMANDS);
    this.loadedInspector = inspectionOf(this.instance);
    this.loadedActors = actorsOf(this.instance);
  }

  override actorModule(): Actors {
    if (this.loadedActors === null) throw new Error('there were to be actors before the tools came');
    return this.loadedActors;
  }

  /** Writes what is published about actors into the query output; returns the number of words. */
  publishActors(): number {
    const { loadedActors } = this;
    return loadedActors === null ? 0 : this.query(() => loadedActors.publish());
  }

  protected override inspector(): Inspection {
    if (this.loadedInspector === null) throw new Error('the state was to be inspected before the tools came');
    return this.loadedInspector;
  }

  /** Restores a snapshot that a worker of this world has made or accepted. */
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
