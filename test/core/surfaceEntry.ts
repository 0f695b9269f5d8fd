// Entry of contacts with meshes and heightfields alone, for their tests: shapes at addresses that the test
// chooses, all clusters one after another.

import { vec3 } from '../../src/core/math/vector';
import { ManifoldResult, Shape } from '../../src/core/memory/records';
import { collideConcave } from '../../src/core/narrowphase/concave';
import { clusterMaterial, writeCluster } from '../../src/core/narrowphase/surfaceClusters';
import { LOOK_BYTES, Look } from '../../src/core/narrowphase/surfacePoints';
import { initialize } from '../../src/core/state/initialize';
import { CLUSTER } from '../../src/core/tolerances';

export function start(): void {
  initialize();
}

/** Writes manifolds of 256 bytes each; returns their number. */
export function collide(convex: usize, surface: usize, margin: f32, out: usize): i32 {
  const first = changetype<ManifoldResult>(out);
  const look = changetype<Look>(memory.data(LOOK_BYTES, 16));
  look.ahead = vec3(0, 0, 0);
  look.margin = margin;
  look.turning = 0;
  look.still = margin;
  look.near = margin;
  look.together = CLUSTER;
  const count = collideConcave(changetype<Shape>(convex), changetype<Shape>(surface), look, first);
  for (let k = 0; k < count; k++) {
    writeCluster(k, 0, changetype<ManifoldResult>(out + <usize>k * 256));
    store<i32>(out + <usize>k * 256, clusterMaterial(k), 240);
  }
  return count;
}
