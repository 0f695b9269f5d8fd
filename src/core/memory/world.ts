// The world record at its fixed address. In: nothing. Out: the base from which tables, heap and stages are reached.
import { WORLD_ADDRESS } from './map';
import { World } from './records';

/** @inline */
export function world(): World {
  return changetype<World>(<usize>WORLD_ADDRESS);
}
