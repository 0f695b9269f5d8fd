// The module of actors (vehicles) of a core. In: a core. Out: what updates its actors inside the step. A World makes it
// when its core first has an actor; a worker loads it with its tools when it is first asked to. See core/actors.ts.
import { ACTORS_WASM } from './actors-wasm';
import { bytesOf } from './core-module';
import type { Actors, CoreInstance } from './instance';

let compiled: WebAssembly.Module | undefined;
const known = new WeakMap<CoreInstance, Actors>();

/** The module of actors of one core; the same each time. */
export function actorsOf(instance: CoreInstance): Actors {
  if (instance.core.actorModule !== undefined) return instance.core.actorModule();
  let actors = known.get(instance);
  if (actors === undefined) {
    compiled ??= new WebAssembly.Module(bytesOf(ACTORS_WASM));
    const { core, imports } = instance;
    const { exports } = new WebAssembly.Instance(compiled, { env: imports, core: { ...core } });
    known.set(instance, (actors = exports as unknown as Actors));
  }
  return actors;
}
