// Poison: what a step must not read before it has written it. In: a world between two steps. Out: the same world, whose
// scratch holds nothing that anybody left there. Its course must be the same. Tables that snapshots hold are not touched.
import type { World } from '../../src';
import { JOINT_AXIS_COUNT } from '../../src/core/memory/constants';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import { JointRow, JointWork, World as WorldRecord } from '../../src/wasm/core-layout';

const WORK_WORDS = (JointWork.rows + JOINT_AXIS_COUNT * JointRow.SIZE) >> 2;
/** Tables of single words that each step fills from the start: address and capacity in the world record. */
const LISTS = [
  ['candidates', 'candidateCapacity', 4],
  ['triangles', 'triangleCapacity', 4],
  ['newPairs', 'newPairCapacity', 8],
  ['scratch', 'scratchCapacity', 1],
  ['newBlocks', 'newBlockCapacity', 4],
  ['activeJoints', 'jointCapacity', 4],
  ['scalarJoints', 'jointCapacity', 4],
  ['idleJoints', 'jointCapacity', 4],
  ['jointOrder', 'jointCapacity', 8],
  ['batchData', 'batchDataCapacity', 1],
  ['queryOutput', 'queryCapacity', 4],
  ['commands', 'commandCapacity', 4],
] as const;
/** `word`: what the tables are filled with. The world must have nothing that waits to be applied. */
export function poison(world: World, word: number): void {
  world.sync();
  const { instance } = world;
  const { words } = instance;
  const fill = (address: number, bytes: number) =>
    void words.fill(word, address >>> 2, (address + bytes) >>> 2);
  for (const [table, capacity, size] of LISTS)
    if (instance.get(table) !== 0) fill(instance.get(table), instance.get(capacity) * size);
  fill(instance.get('jointWork'), instance.get('jointCapacity') * WORK_WORDS * 4);
  // Lists of joints are made anew then, as after a restore.
  for (const field of [
    'arranged',
    'activeJointCount',
    'scalarJointCount',
    'idleJointCount',
    'batchCount',
  ] as const)
    words[(WORLD_ADDRESS + WorldRecord[field]) >> 2] = 0;
}
