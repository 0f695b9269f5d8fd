import { deterministic, World } from 'ricochet';
import { heightfield } from 'ricochet/cooking';
import { type BufferAttribute, Mesh, MeshStandardMaterial, PlaneGeometry } from 'three';

const n = 129; // points per side
const spacing = 1; // m between them
const size = (n - 1) * spacing;

// What is drawn: a plane of three.js that lies flat, its points lifted.
const geometry = new PlaneGeometry(size, size, n - 1, n - 1).rotateX(-Math.PI / 2);
const points = geometry.getAttribute('position') as BufferAttribute;
const heights = new Float32Array(n * n);
for (let i = 0; i < heights.length; i++) {
  heights[i] = 2 * deterministic.sin(points.getX(i) / 9) * deterministic.cos(points.getZ(i) / 11);
  points.setY(i, heights[i]!);
}
geometry.computeVertexNormals();
export const ground = new Mesh(geometry, new MeshStandardMaterial({ color: '#6a8f5a' }));

// What is felt. Its points have the same order: row by row along z, in each row along x, the middle at the body.
export const world = new World(); // or the client that createPhysics gives
world.createBody({ type: 'static', shape: heightfield({ rows: n, columns: n, spacing, heights }) });

for (const [x, z] of [
  [14, 0],
  [-14, 30],
] as const) {
  const hit = world.rayTest([x, 10, z], [x, -10, z]);
  console.log('the ground is at', hit!.point[1], 'drawn at', heights[(z + size / 2) * n + x + size / 2]);
}
