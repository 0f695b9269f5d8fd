import { World } from 'ricochet';
import {
  closestPointOnTriangle,
  createRayHit,
  fitCollider,
  minimalSphere,
  rayAabb,
  setRay,
} from 'ricochet/geometry';

// The smallest ball about a cloud of points, x, y, z of each.
const ball = minimalSphere([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 0.5]);
console.log(ball.radius);

// Into what there is already, a slice of a table, say: nothing is allocated.
const table = new Float64Array(6);
closestPointOnTriangle([2, 2, 5], [0, 0, 0], [3, 0, 0], [0, 3, 0], table.subarray(3));
console.log(table);

// A test answers yes or no, and fills a record where it is yes.
const hit = createRayHit();
if (rayAabb(setRay([-2, 0.5, 0], [4, 0, 0]), { min: [0, 0, -1], max: [1, 1, 1] }, hit))
  console.log(hit.t, hit.exit, hit.normal);

// The shape that fits a render mesh best: a list of points here, or a three.js geometry.
const plank = [0, 0, 0, 4, 0, 0, 0, 0.2, 0, 0, 0, 1, 4, 0.2, 0, 4, 0, 1, 0, 0.2, 1, 4, 0.2, 1];
const shape = fitCollider(plank, { friction: 0.8 });
new World().createBody({ mass: 5, shape });
console.log(shape.type);
