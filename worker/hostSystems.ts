// Step systems of a worker, loaded on request with the other tools. In: addresses of modules, in place of the stream:
// that they begin, messages for them, that they end. Out: their messages and errors, each by a port of its own.

import { PhysicsError } from '../src/base/errors';
import { importSystem } from '../src/world/addSystem';
import { factoryOf, type Start, StepSystems, type SystemOutlet } from '../src/world/systems';
import type { PhysicsHost } from './host';
import { type Answer, plainError, type Recovery, type SystemAct, type SystemLoad } from './protocol';

interface Loaded extends SystemLoad {
  module: unknown;
}

/** By the world and by the number that the page gave. */
const loaded = new WeakMap<object, Map<number, Loaded>>();

/** Loads a module. Its code does not run in the world yet. */
export async function loadSystem({ world }: PhysicsHost, load: SystemLoad): Promise<Answer<number>> {
  try {
    const module = await importSystem(load.name, load.address);
    factoryOf(load.name, module); // an error here rejects addSystem
    let own = loaded.get(world);
    if (own === undefined) loaded.set(world, (own = new Map()));
    own.set(load.number, { ...load, module });
    return { value: world.stepCount };
  } catch (error) {
    return { error: plainError(error) };
  }
}

/** Returns the number of steps that the world has made. */
export function actOnSystem({ world }: PhysicsHost, act: Exclude<SystemAct, SystemLoad>): number {
  const systems = StepSystems.of(world);
  const system = loaded.get(world)?.get(act.number);
  if (system === undefined) throw new PhysicsError('protocol', `there is no step system ${act.number}`);
  const { name, port } = system;
  if (act.kind === 'add') systems.add({ name, outlet: outletOf(systems, system) }, startOf(systems, system));
  else if (act.kind === 'post') systems.deliver(name, act.message);
  else {
    systems.remove(name);
    port.postMessage({ ended: true }); // its last words come before
  }
  return world.stepCount;
}

/** Loads those of a lost worker; they begin when the repetition comes to their steps. Never throws. */
export async function recoverSystems(
  host: PhysicsHost,
  { systems: plans = [], steps }: Recovery,
): Promise<void> {
  const systems = StepSystems.of(host.world);
  systems.muteUntil(steps);
  for (const { since, posts, ...load } of plans) {
    const answer = await loadSystem(host, load);
    if ('error' in answer) {
      load.port.postMessage(answer);
      continue;
    }
    const system = loaded.get(host.world)?.get(load.number) as Loaded;
    const plan = { name: load.name, outlet: outletOf(systems, system), posts };
    systems.addAt(since, plan, startOf(systems, system));
  }
}

function startOf(systems: StepSystems, { name, module, options, port }: Loaded): Start {
  const post = (message: unknown, transfer: Transferable[] = []) => {
    if (systems.isHeard) port.postMessage({ message }, transfer);
  };
  return () => factoryOf(name, module)({ world: systems.world, options, post });
}

function outletOf(systems: StepSystems, { port, careful }: Loaded): SystemOutlet {
  const outlet: SystemOutlet = {
    message: (message, transfer) => {
      if (systems.isHeard) port.postMessage({ message }, transfer);
    },
    failed: (error) => port.postMessage({ error: plainError(error) }),
  };
  if (!careful) return outlet;
  return {
    ...outlet,
    entered: (turn) => port.postMessage({ turn, isInside: true }),
    left: (turn) => port.postMessage({ turn, isInside: false }),
  };
}
