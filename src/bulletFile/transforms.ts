// Places: rotations as quaternions x, y, z, w and as Bullet's matrices by rows.
export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** A place in a frame. */
export interface Place {
  readonly position: Vec3;
  readonly rotation: Quat;
}

export const ORIGIN: Place = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

export function product([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by + ay * bw + az * bx - ax * bz,
    aw * bz + az * bw + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export const conjugate = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w];

export function turned([x, y, z, w]: Quat, [vx, vy, vz]: Vec3): Vec3 {
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

const isTurn = ([x, y, z]: Quat) => x !== 0 || y !== 0 || z !== 0;

/** `inner`, which is given in the frame `outer`. An outer frame that does not turn keeps every bit of the inner rotation. */
export function within(outer: Place, inner: Place): Place {
  const [x, y, z] = isTurn(outer.rotation) ? turned(outer.rotation, inner.position) : inner.position;
  const [ox, oy, oz] = outer.position;
  return {
    position: [ox + x, oy + y, oz + z],
    rotation: isTurn(outer.rotation)
      ? isTurn(inner.rotation)
        ? product(outer.rotation, inner.rotation)
        : outer.rotation
      : inner.rotation,
  };
}

/** `place` seen from `frame`. */
export function seenFrom(frame: Place, { position: [x, y, z], rotation }: Place): Place {
  const [ox, oy, oz] = frame.position;
  const back = conjugate(frame.rotation);
  return within({ position: [0, 0, 0], rotation: back }, { position: [x - ox, y - oy, z - oz], rotation });
}

/**
 * Rows of the matrix of a quaternion, not normalized: columns have the length of |q|², so that in double precision every bit
 * of a quaternion in single precision comes back.
 */
export function rowsOf([x, y, z, w]: Quat): number[][] {
  return [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  ];
}

/** The quaternion of a rotation matrix by rows, as `rowsOf` writes it; w ≥ 0 or the largest part > 0. Undefined if it is none. */
export function quatOfRows(m: readonly (readonly number[])[]): Quat | undefined {
  const [[a, b, c], [d, e, f], [g, h, i]] = m as [
    [number, number, number],
    [number, number, number],
    [number, number, number],
  ];
  const lengths = [a * a + d * d + g * g, b * b + e * e + h * h, c * c + f * f + i * i].map(Math.sqrt);
  const dots = [a * b + d * e + g * h, b * c + e * f + h * i, c * a + f * d + i * g];
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (!lengths.every((n) => Math.abs(n - 1) < 1e-2) || !dots.every((n) => Math.abs(n) < 1e-2))
    return undefined;
  if (!(determinant > 0)) return undefined;
  const n = (lengths[0]! + lengths[1]! + lengths[2]!) / 3;
  // After Shepperd (1978): divide by the largest part.
  const four = [n + a - e - i, n - a + e - i, n - a - e + i, n + a + e + i];
  const largest = four.indexOf(Math.max(...four));
  const q = Math.sqrt(four[largest]!) / 2;
  const s = 1 / (4 * q);
  if (largest === 3) return [(h - f) * s, (c - g) * s, (d - b) * s, q];
  const [x, y, z, w] =
    largest === 0
      ? [q, (b + d) * s, (c + g) * s, (h - f) * s]
      : largest === 1
        ? [(b + d) * s, q, (f + h) * s, (c - g) * s]
        : [(c + g) * s, (f + h) * s, q, (d - b) * s];
  return w! < 0 ? [-x!, -y!, -z!, -w!] : [x!, y!, z!, w!];
}
