// The table of cooked geometry: immutable content that shapes share. In: words as src/cooking/geometryWords.ts writes
// them. Out: a memory region per slot, to which the shape has the address. The caller counts which shapes use a slot,
// and removes unused slots.

import { allocate, release } from '../memory/allocator';
import { Shape, World } from '../memory/records';
import { growTable, wordAt, world } from '../memory/tables';

export function addGeometry(slot: i32, content: usize, bytes: usize): void {
  const g = world();
  growTable(offsetof<World>('geometries'), slot + 1, 8);
  if (slot >= g.geometryEnd) g.geometryEnd = slot + 1;
  const at = allocate(bytes);
  memory.copy(<usize>at, content, bytes);
  const entry = <usize>g.geometries + ((<usize>slot) << 3);
  store<u32>(entry, at);
  store<u32>(entry, <u32>bytes, 4);
}

export function removeGeometry(slot: i32): void {
  const entry = <usize>world().geometries + ((<usize>slot) << 3);
  release(load<u32>(entry), <usize>load<u32>(entry, 4));
  store<u64>(entry, 0);
}

/** Sets the geometry of a shape; 0: none. */
export function setGeometry(s: Shape, slot: i32): void {
  s.geometrySlot = slot;
  s.geometry = slot == 0 ? 0 : <u32>wordAt(world().geometries, 2 * slot);
}
