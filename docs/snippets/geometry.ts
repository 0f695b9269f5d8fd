import { World } from 'ricochet';
import {
  closestPointOnTriangle,
  createRayHit,
  fitCollider,
  minimalSphere,
  rayAabb,
  setRay,
} from 'ricochet/geometry';

// The smallest sphere around a cloud of points; x, y, z of each point in turn.
const ball = minimalSphere([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 0.5]);
console.log(ball.radius);

// The result is written to an existing array, here a slice of a table: nothing is allocated.
const table = new Float64Array(6);
closestPointOnTriangle([2, 2, 5], [0, 0, 0], [3, 0, 0], [0, 3, 0], table.subarray(3));
console.log(table);

// A test returns true or false, and fills the record if it is true.
const hit = createRayHit();
if (rayAabb(setRay([-2, 0.5, 0], [4, 0, 0]), { min: [0, 0, -1], max: [1, 1, 1] }, hit))
  console.log(hit.t, hit.exit, hit.normal);

// The shape that fits a render mesh best: a list of points here, or a three.js geometry.
const plank = [0, 0, 0, 4, 0, 0, 0, 0.2, 0, 0, 0, 1, 4, 0.2, 0, 4, 0, 1, 0, 0.2, 1, 4, 0.2, 1];
const shape = fitCollider(plank, { friction: 0.8 });
new World().createBody({ mass: 5, shape });
console.log(shape.type);
