import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import '@babylonjs/core/Physics/joinedPhysicsEngineComponent.js';
import '@babylonjs/core/Physics/v2/physicsEngineComponent.js';
import { PhysicsShapeType } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { PhysicsAggregate } from '@babylonjs/core/Physics/v2/physicsAggregate.js';
import { Scene } from '@babylonjs/core/scene.js';
import { RicochetPlugin } from 'ricochet/babylon';

// In a page: new Engine(canvas).
const scene = new Scene(new NullEngine());
scene.enablePhysics(new Vector3(0, -9.81, 0), new RicochetPlugin());

const ground = CreateGround('ground', { width: 20, height: 20 }, scene);
new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);

const crate = CreateBox('crate', { size: 1 }, scene);
crate.position.y = 3;
const { body } = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 20, restitution: 0.2 }, scene);
body.setCollisionCallbackEnabled(true);
body.getCollisionObservable().addOnce(({ impulse }) => console.log('crash', impulse > 0));

// The scene steps when it renders; here without a picture.
const physics = scene.getPhysicsEngine()!;
for (let i = 0; i < 120; i++) physics._step(1 / 60);
console.log(crate.position.y.toFixed(2));
scene.dispose();
