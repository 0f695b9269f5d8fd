// The physics worker with a weakness: asked for contacts it never comes back, or, told so, eats all memory.
import { Simulation } from '../../src/world/simulation';

const { workerData } = await import('node:worker_threads');

Simulation.prototype.getContacts = () => {
  const food: number[][] = [];
  for (;;) if (workerData === 'eat') food.push(Array.from({ length: 10_000 }, (_, i) => i + Math.PI));
};

await import('../../worker/physics.worker');
