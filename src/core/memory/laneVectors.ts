// A vector of one lane of a record of four, whose components are in rows of 16 bytes. In and out: the vector; the address is
// that of the first component of the lane.

export function put3(at: usize, v: v128): void {
  v128.store32_lane(at, v, 0);
  v128.store32_lane(at, v, 1, 16);
  v128.store32_lane(at, v, 2, 32);
}

export function get3(at: usize): v128 {
  return v128.load32_lane(at, v128.load32_lane(at, v128.load32_zero(at), 1, 16), 2, 32);
}

/** Four numbers of a lane, one in each of four records of `stride` bytes. @inline */
export function get4(at: usize, stride: usize): v128 {
  const two = v128.load32_lane(at + stride, v128.load32_zero(at), 1);
  return v128.load32_lane(at + 3 * stride, v128.load32_lane(at + 2 * stride, two, 2), 3);
}

/** @inline */
export function put4(at: usize, stride: usize, v: v128): void {
  v128.store32_lane(at, v, 0);
  v128.store32_lane(at + stride, v, 1);
  v128.store32_lane(at + 2 * stride, v, 2);
  v128.store32_lane(at + 3 * stride, v, 3);
}
