// The record of the world, at its place. In: nothing. Out: what tables, heap and phases begin with.
import { WORLD_ADDRESS } from './constants';
import { World } from './records';

/** @inline */
export function world(): World {
  return changetype<World>(<usize>WORLD_ADDRESS);
}
