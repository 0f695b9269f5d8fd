// The allocator alone, for allocator.test.ts.
import { listFreeRegions } from '../../src/core/memory/allocator';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import { World } from '../../src/core/memory/records';
import { world } from '../../src/core/memory/tables';

export { allocate, reallocate, release } from '../../src/core/memory/allocator';

export function begin(): u32 {
  memory.fill(WORLD_ADDRESS, 0, offsetof<World>());
  const g = world();
  g.freeListAddress = WORLD_ADDRESS + 1024;
  store<u32>(<usize>g.freeListAddress, 0);
  g.heapTop = (<u32>__heap_base + 63) & ~63;
  return g.heapTop;
}

export function heapTop(): u32 {
  return world().heapTop;
}

export function freeRegions(to: usize): i32 {
  return <i32>listFreeRegions(to);
}
