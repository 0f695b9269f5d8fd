import { World } from 'ricochet';
import { PhysicsScene, shapeFromGeometry } from 'ricochet/three';
import { ConeGeometry, DodecahedronGeometry, Mesh, MeshStandardMaterial, TorusKnotGeometry } from 'three';

const world = new World();

// A mesh gets the body that it looks like: this one its triangles, so it stands still …
const scene = new PhysicsScene(world);
const material = new MeshStandardMaterial();
const knot = new Mesh(new TorusKnotGeometry(2, 0.5), material);
scene.add(knot);
// … this one its hull, and it falls.
const die = new Mesh(new DodecahedronGeometry(0.5), material);
die.position.y = 6;
scene.add(die, 1);

// Or the shape alone, at the scale of what is drawn.
const cone = shapeFromGeometry(new ConeGeometry(1, 2), { scale: 0.5, friction: 0.8 });
console.log(cone.type, scene.bodiesOf(die).length);
