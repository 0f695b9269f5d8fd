// Pivots of the factors L D Lᵀ of a batch of joints.
import { scale, splat } from '../../math/vector';
import { ROUNDING } from '../../tolerances';

/** 1/pivot, or 0 if nothing can move along the row or the row is redundant: it then takes no part. @inline */
export function invertPivot(pivot: v128, diagonal: v128): v128 {
  const holds = f32x4.gt(pivot, f32x4.pmax(scale(diagonal, ROUNDING), splat(1e-30)));
  return v128.and(f32x4.div(splat(1), pivot), holds);
}
