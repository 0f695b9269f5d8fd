// A Babylon.js scene: bodies and shapes are Babylon's own, ricochet is its physics engine.
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { Color3 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import '@babylonjs/core/Physics/joinedPhysicsEngineComponent.js';
import '@babylonjs/core/Physics/v2/physicsEngineComponent.js';
import { PhysicsShapeType } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { PhysicsAggregate } from '@babylonjs/core/Physics/v2/physicsAggregate.js';
import { Scene } from '@babylonjs/core/scene.js';
import { RicochetPlugin } from 'ricochet/babylon';

const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.style.cssText = 'width: 100%; height: 100%';
const engine = new Engine(canvas, true);
const scene = new Scene(engine);
new ArcRotateCamera('camera', -1.2, 1.2, 16, new Vector3(0, 2, 0), scene).attachControl(canvas);
new HemisphericLight('light', new Vector3(0.4, 1, -0.3), scene);

scene.enablePhysics(new Vector3(0, -9.81, 0), new RicochetPlugin());
const ground = CreateGround('ground', { width: 30, height: 30 }, scene);
new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);

const orange = new StandardMaterial('orange', scene);
orange.diffuseColor = Color3.FromHexString('#d9694d');
for (let i = 0; i < 30; i++) {
  const crate = CreateBox(`crate ${i}`, { size: 1 }, scene);
  crate.material = orange;
  crate.position.set((i % 3) - 1, 2 + 1.2 * i, 0.3 * (i % 2));
  const { body } = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 20, restitution: 0.2 }, scene);
  if (i > 0) continue;
  body.setCollisionCallbackEnabled(true);
  body.getCollisionObservable().addOnce(({ impulse }) => console.log(`crash: ${impulse.toFixed(0)} N·s`));
}
addEventListener('resize', () => engine.resize());
engine.runRenderLoop(() => scene.render());
