// Eigenvalues and axes of symmetric 3 × 3 tensors. In: xx, yy, zz, xy, xz, yz. Out: the three values and the
// rotation of their axes, by Jacobi's cyclic rotations (Golub and Van Loan, Matrix Computations, 8.5), which give
// the identity for a diagonal tensor.
import { type Quat, quatMultiply, type Vec3 } from './math';

/**
 * Values and axes of a symmetric tensor: rotations that zero the off-diagonal elements in turn. The off-diagonal
 * norm falls quadratically; eight sweeps are far beyond f64.
 *
 * @param negligible  off-diagonal elements up to here count as 0
 */
export function diagonalize(
  tensor: ArrayLike<number>,
  negligible: number,
): { moments: Vec3; rotation: Quat } {
  const a = [
    [tensor[0]!, tensor[3]!, tensor[4]!],
    [tensor[3]!, tensor[1]!, tensor[5]!],
    [tensor[4]!, tensor[5]!, tensor[2]!],
  ] as [Vec3, Vec3, Vec3];
  let rotation: Quat = [0, 0, 0, 1];
  for (let sweep = 0; sweep < 8; sweep++) {
    for (let k = 0; k < 3; k++) {
      // Rotation in the plane (p, q) about axis k, in cyclic order, so that its sense is right-handed.
      const p = (k + 1) % 3;
      const q = (k + 2) % 3;
      const off = a[p]![q]!;
      if (!(Math.abs(off) > negligible)) continue;
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * off);
      const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      const app = a[p]![p]!;
      const aqq = a[q]![q]!;
      const akp = a[k]![p]!;
      const akq = a[k]![q]!;
      a[p]![p] = app - t * off;
      a[q]![q] = aqq + t * off;
      a[p]![q] = a[q]![p] = 0;
      a[k]![p] = a[p]![k] = c * akp - s * akq;
      a[k]![q] = a[q]![k] = s * akp + c * akq;
      // The columns turn by −angle about axis k: cos(angle) = c, sin(angle) = s; half angles for the quaternion.
      const cosHalf = Math.sqrt((1 + c) / 2);
      const turn: Quat = [0, 0, 0, cosHalf];
      turn[k] = -s / (2 * cosHalf);
      rotation = quatMultiply(rotation, turn);
    }
  }
  return { moments: [a[0][0], a[1][1], a[2][2]], rotation };
}
