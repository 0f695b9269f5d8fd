// The physics worker, whose list of contacts says how much its heap holds after a collection.
import { Simulation } from '../../src/world/simulation';

const v8 = await import('node:v8');
const vm = await import('node:vm');
v8.setFlagsFromString('--expose-gc');
const collect: () => void = vm.runInNewContext('gc');

Simulation.prototype.getContacts = () => {
  collect();
  const { used_heap_size, external_memory } = v8.getHeapStatistics();
  const body = { id: 0 };
  return [{ heap: used_heap_size, external: external_memory, bodyA: body, bodyB: body }] as never;
};

await import('../../worker/physics.worker');
