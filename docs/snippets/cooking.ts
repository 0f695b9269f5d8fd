import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics({ transport: 'page', clock: 'manual' }); // in a browser, leave `transport` out

// A terrain of 20,000 triangles, cooked in a separate worker while the page draws.
const n = 100;
const vertices = new Float32Array(3 * (n + 1) * (n + 1));
const indices = new Uint32Array(6 * n * n);
for (let x = 0, at = 0; x <= n; x++)
  for (let z = 0; z <= n; z++, at += 3) vertices.set([x, ((x * z) % 7) / 9, z], at);
for (let x = 0, at = 0; x < n; x++)
  for (let z = 0; z < n; z++, at += 6) {
    const a = x * (n + 1) + z;
    indices.set([a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1], at);
  }

const leaving = new AbortController(); // leaving.abort() cancels the cooking
const geometry = await physics.cookMesh(
  { vertices, indices },
  { signal: leaving.signal, onProgress: (share) => console.debug(share) },
);
physics.createBody({ type: 'static', shape: { type: 'mesh', geometry } });
console.log(geometry.report?.triangles);
