import { World } from 'ricochet';
import { PhysicsScene, shapeFromGeometry } from 'ricochet/three';
import { ConeGeometry, DodecahedronGeometry, Mesh, MeshStandardMaterial, TorusKnotGeometry } from 'three';

const world = new World();

// A drawn mesh gets a body of the same shape. The knot is concave: its body has its triangles, and is static.
const scene = new PhysicsScene(world);
const material = new MeshStandardMaterial();
const knot = new Mesh(new TorusKnotGeometry(2, 0.5), material);
scene.add(knot);
// The die is convex: its body has its hull, a mass of 1 kg, and falls.
const die = new Mesh(new DodecahedronGeometry(0.5), material);
die.position.y = 6;
scene.add(die, 1);

// Or only the shape, at the scale of the drawn mesh.
const cone = shapeFromGeometry(new ConeGeometry(1, 2), { scale: 0.5, friction: 0.8 });
console.log(cone.type, scene.bodiesOf(die).length);
