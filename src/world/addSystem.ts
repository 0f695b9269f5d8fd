// Adds a step system to a World in this thread. In: a module, its function or its address. Out: its handle.

import type { PhysicsError } from '../base/errors';
import { checkSystemOptions, nameOfAddress, StepSystem, type SystemOptions } from '../replica/stepSystem';
import { factoryOf, StepSystems, systemError } from './systems';
import type { World } from './world';

/** A module, the function that it exports, or its address. */
export type SystemSource =
  | string
  | URL
  | ((start: never) => unknown)
  | { default: (start: never) => unknown };

export async function addSystem(
  world: World,
  source: SystemSource,
  given: SystemOptions<never>,
): Promise<StepSystem<never, never>> {
  const byAddress = typeof source === 'string' || source instanceof URL;
  const own = typeof source === 'function' ? source.name : 'system';
  const fallback = byAddress
    ? nameOfAddress(String(source))
    : own === '' || own === 'default'
      ? 'system'
      : own;
  const { name, options } = checkSystemOptions(given, fallback);
  const copy = structuredClone(options);
  const module = byAddress ? await importSystem(name, String(source)) : source;
  world.sync(); // throws when it is gone meanwhile
  const systems = StepSystems.of(world);
  const handle: StepSystem = new StepSystem(name, {
    post: (message, transfer) => {
      world.checkChangeable();
      systems.deliver(name, structuredClone(message, { transfer }));
    },
    remove: () => systems.remove(name),
  });
  const outlet = {
    message: (message: unknown, transfer: Transferable[]) => {
      const sent = structuredClone(message, { transfer });
      queueMicrotask(() => {
        for (const error of handle.tell(sent)) console.error(error);
      });
    },
    failed: (error: PhysicsError) => {
      handle.isRunning = false;
      queueMicrotask(() => {
        if (!handle.fail(error)) console.error(error);
      });
    },
  };
  const post = (message: unknown, transfer: Transferable[] = []) => outlet.message(message, transfer);
  systems.add({ name, outlet }, () =>
    factoryOf(name, module)({ world: systems.world, options: copy as never, post }),
  );
  return handle as StepSystem<never, never>;
}

/** Where a module leaves its function when its bundler makes a script of it, without exports. */
const REGISTERED = Symbol.for('ricochet.system');
/** What was registered, by address. */
const scripts = new Map<string, unknown>();

/**
 * Loads a module by its address.
 *
 * @returns its exports, or what it has registered
 * @throws PhysicsError 'system-failed'
 */
export async function importSystem(name: string, address: string): Promise<unknown> {
  try {
    const module = await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
    const scope = globalThis as { [REGISTERED]?: unknown };
    // A module runs once in a thread, however often it is loaded.
    const registered = scope[REGISTERED] ?? scripts.get(address);
    delete scope[REGISTERED];
    if (typeof module.default === 'function' || registered === undefined) return module;
    scripts.set(address, registered);
    return registered;
  } catch (error) {
    throw systemError(name, `did not load from ${address}`, error);
  }
}
