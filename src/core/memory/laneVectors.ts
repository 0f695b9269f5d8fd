// A vector of one lane of a record of four, whose components are in rows of 16 bytes. In and out: the vector; the address is
// that of the first component of the lane.

import { vec3, x, y, z } from '../math/vector';

export function put3(at: usize, v: v128): void {
  store<f32>(at, x(v));
  store<f32>(at, y(v), 16);
  store<f32>(at, z(v), 32);
}

export function get3(at: usize): v128 {
  return vec3(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32));
}
