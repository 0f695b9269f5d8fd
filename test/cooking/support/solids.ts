// Concave solids to decompose, as vertices and triangles.
export interface Solid {
  vertices: Float32Array;
  indices: Uint32Array;
}

/** A surface of rings of points, closed around; the ends too where `caps` says so. */
function rings(list: readonly (readonly number[])[][], closed: boolean): Solid {
  const n = list[0]!.length;
  const vertices = Float32Array.from(list.flat(2));
  const indices: number[] = [];
  for (let i = 0; i < (closed ? list.length : list.length - 1); i++)
    for (let j = 0; j < n; j++) {
      const [a, b] = [i * n + j, i * n + ((j + 1) % n)];
      const [c, d] = [((i + 1) % list.length) * n + j, ((i + 1) % list.length) * n + ((j + 1) % n)];
      indices.push(a, b, d, a, d, c);
    }
  return { vertices, indices: Uint32Array.from(indices) };
}

export function torus(radius: number, tube: number, n = 32, m = 16): Solid {
  return rings(
    Array.from({ length: n }, (_, i) =>
      Array.from({ length: m }, (_, j) => {
        const [a, b] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / m];
        const r = radius + tube * Math.cos(b);
        return [r * Math.cos(a), tube * Math.sin(b), r * Math.sin(a)];
      }),
    ),
    true,
  );
}

/** Half a ball, hollow, open above: its wall is `wall` thick. */
export function bowl(radius: number, wall: number, n = 32, m = 10): Solid {
  const profile: [number, number][] = [];
  for (let j = 0; j <= m; j++) {
    const a = (Math.PI / 2) * (j / m);
    profile.push([radius * Math.sin(a), -radius * Math.cos(a)]);
  }
  for (let j = m; j >= 0; j--) {
    const a = (Math.PI / 2) * (j / m);
    profile.push([(radius - wall) * Math.sin(a), -(radius - wall) * Math.cos(a)]);
  }
  return rings(
    Array.from({ length: n }, (_, i) =>
      profile.map(([r, y]) => [r * Math.cos((2 * Math.PI * i) / n), y, r * Math.sin((2 * Math.PI * i) / n)]),
    ),
    true,
  );
}

/** A prism: an outline in x and y, counter-clockwise, from z = 0 to `depth`; `triangles` are those of the outline. */
export function prism(
  outline: readonly (readonly [number, number])[],
  triangles: number[],
  depth: number,
): Solid {
  const n = outline.length;
  const vertices = [0, depth].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const indices: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.slice(t, t + 3) as [number, number, number];
    indices.push(a, c, b, a + n, b + n, c + n);
  }
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, j + n, i, j + n, i + n);
  }
  return { vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) };
}

export const box = (x: number, y: number, z: number) =>
  prism(
    [
      [0, 0],
      [x, 0],
      [x, y],
      [0, y],
    ],
    [0, 1, 2, 0, 2, 3],
    z,
  );

/** An L: two boxes, the notch is a quarter of the square. */
export const corner = prism(
  [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ],
  [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5],
  1,
);

/** Three steps up along x. */
export const stairs = prism(
  [
    [0, 0],
    [3, 0],
    [3, 3],
    [2, 3],
    [2, 2],
    [1, 2],
    [1, 1],
    [0, 1],
  ],
  [0, 6, 7, 0, 1, 6, 1, 4, 5, 1, 5, 6, 1, 2, 4, 2, 3, 4],
  2,
);

export function moved({ vertices, indices }: Solid, by: readonly number[], scale = 1): Solid {
  return { vertices: vertices.map((c, i) => c * scale + by[i % 3]!), indices };
}
