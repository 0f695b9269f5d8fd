// The page of ricochet/babylon: Babylon's own bodies, constraints, triggers and viewer on our plugin. In: clicks. Out: a
// picture, figures.
import '@babylonjs/core/Culling/ray.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import '@babylonjs/core/Physics/joinedPhysicsEngineComponent.js';
import '@babylonjs/core/Physics/v2/physicsEngineComponent.js';
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { PhysicsViewer } from '@babylonjs/core/Debug/physicsViewer.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { PointerEventTypes } from '@babylonjs/core/Events/pointerEvents.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { CreateSphere } from '@babylonjs/core/Meshes/Builders/sphereBuilder.js';
import { CreateTorus } from '@babylonjs/core/Meshes/Builders/torusBuilder.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import {
  PhysicsConstraintAxis,
  PhysicsConstraintMotorType,
  PhysicsEventType,
  PhysicsMotionType,
  PhysicsShapeType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { PhysicsAggregate } from '@babylonjs/core/Physics/v2/physicsAggregate.js';
import { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import {
  BallAndSocketConstraint,
  Physics6DoFConstraint,
} from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import {
  type PhysicsShape,
  PhysicsShapeBox,
  PhysicsShapeCylinder,
  PhysicsShapeSphere,
} from '@babylonjs/core/Physics/v2/physicsShape.js';
import { Scene } from '@babylonjs/core/scene.js';
import { RicochetPlugin } from 'ricochet/babylon';
import { element } from './element';
import { showError } from './hud';
import {
  back,
  CRATES,
  column,
  HALF,
  INK,
  IS_PLAIN,
  LINKS,
  LOST,
  MARBLES,
  Meter,
  onSwitch,
  PAPER,
  PIGMENTS,
  RADIUS,
  SKY,
  WALLS,
} from './yard';

const meter = new Meter();
const EARTH = new Vector3(0, -9.81, 0);
const MOON = new Vector3(0, -1.62, 0);

function material(scene: Scene, color: string): StandardMaterial {
  const made = new StandardMaterial(color, scene);
  made.diffuseColor = Color3.FromHexString(color);
  made.specularColor = new Color3(0.08, 0.08, 0.08);
  return made;
}

/** One mesh, many thin instances, one PhysicsBody for all of them. */
function crowd(scene: Scene, mesh: Mesh, shape: PhysicsShape, count: number, from: number): PhysicsBody {
  const matrices = new Float32Array(16 * count);
  const colors = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    Matrix.Translation(...column(i, from)).copyToArray(matrices, 16 * i);
    Color4.FromHexString(PIGMENTS[(i + (from > 3 ? 3 : 0)) % PIGMENTS.length]!).toArray(colors, 4 * i);
  }
  mesh.thinInstanceSetBuffer('matrix', matrices, 16, false);
  mesh.thinInstanceSetBuffer('color', colors, 4);
  mesh.thinInstanceEnablePicking = true;
  mesh.alwaysSelectAsActiveMesh = true;
  shape.material = { friction: 0.4, restitution: 0.3 };
  const body = new PhysicsBody(mesh, PhysicsMotionType.DYNAMIC, false, scene);
  body.shape = shape;
  return body;
}

function mill(scene: Scene, paint: (color: string) => StandardMaterial): Mesh {
  const hub = CreateBox('hub', { size: 0.3 }, scene);
  hub.position.set(0, 0.4, 0);
  hub.material = paint(INK);
  const fixed = new PhysicsAggregate(hub, PhysicsShapeType.BOX, { mass: 0 }, scene);
  const blade = CreateBox('blade', { width: 8, height: 0.5, depth: 0.25 }, scene);
  blade.position.set(0, 0.4, 0);
  blade.material = paint(PIGMENTS[0]);
  const turning = new PhysicsAggregate(blade, PhysicsShapeType.BOX, { mass: 60, friction: 0.2 }, scene);
  const { ANGULAR_Y, ...others } = {
    LINEAR_X: PhysicsConstraintAxis.LINEAR_X,
    LINEAR_Y: PhysicsConstraintAxis.LINEAR_Y,
    LINEAR_Z: PhysicsConstraintAxis.LINEAR_Z,
    ANGULAR_X: PhysicsConstraintAxis.ANGULAR_X,
    ANGULAR_Y: PhysicsConstraintAxis.ANGULAR_Y,
    ANGULAR_Z: PhysicsConstraintAxis.ANGULAR_Z,
  };
  const axle = new Physics6DoFConstraint(
    { perpAxisA: new Vector3(0, 1, 0), perpAxisB: new Vector3(0, 1, 0) },
    Object.values(others).map((axis) => ({ axis, minLimit: 0, maxLimit: 0 })),
    scene,
  );
  fixed.body.addConstraint(turning.body, axle);
  axle.setAxisMotorType(ANGULAR_Y, PhysicsConstraintMotorType.VELOCITY);
  axle.setAxisMotorMaxForce(ANGULAR_Y, 4000);
  axle.setAxisMotorTarget(ANGULAR_Y, 0.9);
  return blade;
}

/** Links that hang from a hook, a ball at the end. */
function chain(scene: Scene, paint: (color: string) => StandardMaterial): Mesh[] {
  const hook = CreateSphere('hook', { diameter: 0.2 }, scene);
  hook.position.set(0, 8, 0);
  let above = new PhysicsAggregate(hook, PhysicsShapeType.SPHERE, { mass: 0 }, scene).body;
  const made: Mesh[] = [hook];
  for (let i = 0; i < LINKS; i++) {
    const isLast = i === LINKS - 1;
    const length = isLast ? 1.4 : 0.8;
    const mesh = isLast
      ? CreateSphere('ball', { diameter: 1.4 }, scene)
      : CreateBox('link', { width: 0.8, height: 0.12, depth: 0.12 }, scene);
    // It starts level, and swings down.
    mesh.position.set(0.8 * i + length / 2, 8, 0);
    mesh.material = paint(INK);
    const type = isLast ? PhysicsShapeType.SPHERE : PhysicsShapeType.BOX;
    const { body } = new PhysicsAggregate(mesh, type, { mass: isLast ? 40 : 4 }, scene);
    const pivot = new Vector3(i === 0 ? 0 : 0.4, 0, 0);
    const axis = new Vector3(1, 0, 0);
    above.addConstraint(
      body,
      new BallAndSocketConstraint(pivot, new Vector3(-length / 2, 0, 0), axis, axis, scene),
    );
    above = body;
    made.push(mesh);
  }
  return made;
}

/** A trigger: what falls through is counted. */
function hoop(scene: Scene, paint: (color: string) => StandardMaterial, plugin: RicochetPlugin): Mesh {
  const ring = CreateTorus('hoop', { diameter: 2, thickness: 0.14, tessellation: 48 }, scene);
  ring.position.set(0, 3.2, -2.6);
  ring.material = paint(PIGMENTS[1]);
  const zone = new TransformNode('zone', scene);
  zone.position.copyFrom(ring.position);
  const body = new PhysicsBody(zone, PhysicsMotionType.STATIC, false, scene);
  const shape = new PhysicsShapeCylinder(new Vector3(0, -0.05, 0), new Vector3(0, 0.05, 0), 0.9, scene);
  shape.isTrigger = true;
  body.shape = shape;
  let count = 0;
  plugin.onTriggerCollisionObservable.add(({ type }) => {
    if (type === PhysicsEventType.TRIGGER_ENTERED) element('hoop').textContent = String(++count);
  });
  return ring;
}

/** What fell off comes back from above: its matrix says where, and the next step takes it from there. */
function bringBack(crowds: readonly PhysicsBody[]): void {
  for (const body of crowds) {
    const mesh = body.transformNode as Mesh;
    const isLost = mesh.thinInstanceGetWorldMatrices().map((matrix) => matrix.m[13]! < LOST);
    body.disablePreStep = !isLost.includes(true);
    isLost.forEach((lost, i) => {
      if (!lost) return;
      mesh.thinInstanceSetMatrixAt(i, Matrix.Translation(...back(i)));
      body.setLinearVelocity(Vector3.Zero(), i);
    });
  }
}

function build(engine: Engine): { scene: Scene; plugin: RicochetPlugin; crowds: PhysicsBody[] } {
  const scene = new Scene(engine);
  scene.clearColor = Color4.FromHexString(`${SKY}ff`);
  const plugin = new RicochetPlugin();
  scene.enablePhysics(EARTH, plugin);
  new HemisphericLight('sky', new Vector3(0.2, 1, -0.1), scene).intensity = 0.6;
  const sun = new DirectionalLight('sun', new Vector3(0.5, -1, 0.45), scene);
  sun.position.set(-8, 16, -8);
  sun.intensity = 0.75;
  const shadows = new ShadowGenerator(1024, sun);
  shadows.usePercentageCloserFiltering = true;
  const materials = new Map<string, StandardMaterial>();
  const paint = (color: string) => {
    if (!materials.has(color)) materials.set(color, material(scene, color));
    return materials.get(color)!;
  };
  for (const [[x, y, z], place] of WALLS) {
    const wall = CreateBox('wall', { width: 2 * x, height: 2 * y, depth: 2 * z }, scene);
    wall.position.set(...place);
    wall.material = paint(PAPER);
    wall.receiveShadows = !IS_PLAIN;
    new PhysicsAggregate(wall, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, scene);
  }
  const marble = CreateSphere('marbles', { diameter: 2 * RADIUS, segments: 12 }, scene);
  const crate = CreateBox('crates', { size: 2 * HALF }, scene);
  for (const mesh of [marble, crate]) mesh.material = paint('#ffffff');
  const crowds = [
    crowd(scene, marble, new PhysicsShapeSphere(Vector3.Zero(), RADIUS, scene), MARBLES, 4),
    crowd(
      scene,
      crate,
      new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(1, 1, 1).scale(2 * HALF), scene),
      CRATES,
      3,
    ),
  ];
  for (const mesh of [
    marble,
    crate,
    mill(scene, paint),
    ...chain(scene, paint),
    hoop(scene, paint, plugin),
  ]) {
    if (IS_PLAIN) continue;
    shadows.addShadowCaster(mesh);
    mesh.receiveShadows = true;
  }
  return { scene, plugin, crowds };
}

/** A click throws up what it meets. */
function throwUp(scene: Scene): void {
  scene.onPointerObservable.add(({ type, pickInfo }) => {
    if (type !== PointerEventTypes.POINTERTAP || !pickInfo?.hit) return;
    const body = pickInfo.pickedMesh?.physicsBody;
    if (!body || body.getMotionType() !== PhysicsMotionType.DYNAMIC) return;
    const index = pickInfo.thinInstanceIndex >= 0 ? pickInfo.thinInstanceIndex : undefined;
    const mass = body.getMassProperties(index).mass ?? 1;
    body.applyImpulse(new Vector3(0, 7 * mass, 0), pickInfo.pickedPoint!, index);
  });
}

/** For tests. */
const page = {
  meter,
  scene: null as Scene | null,
  plugin: null as RicochetPlugin | null,
  show: null as ((on: boolean) => void) | null,
};
Object.assign(window, { ricochetBabylon: page });

function start(): void {
  const canvas = element<HTMLCanvasElement>('view');
  const engine = new Engine(canvas, true, { stencil: false });
  let viewer: PhysicsViewer | null = null;
  const begin = () => {
    page.scene?.dispose();
    const { scene, plugin, crowds } = build(engine);
    Object.assign(page, { scene, plugin });
    const narrow = innerWidth < innerHeight;
    const target = new Vector3(0, narrow ? 3.5 : 1.8, 0);
    const camera = new ArcRotateCamera('eye', -Math.PI / 2, 1.15, narrow ? 30 : 17, target, scene);
    camera.fov = 0.75;
    camera.attachControl(canvas, true);
    throwUp(scene);
    let before = 0;
    scene.onBeforePhysicsObservable.add(() => {
      before = performance.now();
    });
    scene.onAfterPhysicsObservable.add(() => {
      meter.add(performance.now() - before, plugin.world.bodyCount);
      if (meter.frames % 10 === 0) bringBack(crowds);
    });
    const show = (on: boolean) => {
      viewer?.dispose();
      viewer = on ? new PhysicsViewer(scene) : null;
      for (const mesh of scene.meshes.slice()) if (on && mesh.physicsBody) viewer!.showBody(mesh.physicsBody);
    };
    show(element<HTMLInputElement>('debug').checked);
    scene.physicsEnabled = !element<HTMLInputElement>('paused').checked;
    scene.getPhysicsEngine()!.setGravity(element<HTMLInputElement>('moon').checked ? MOON : EARTH);
    page.show = show;
  };
  begin();
  onSwitch('paused', (on) => {
    page.scene!.physicsEnabled = !on;
  });
  onSwitch('moon', (on) => page.scene!.getPhysicsEngine()!.setGravity(on ? MOON : EARTH));
  onSwitch('debug', (on) => page.show!(on));
  element('again').addEventListener('click', begin);
  addEventListener('resize', () => engine.resize());
  engine.runRenderLoop(() => page.scene!.render());
}

try {
  start();
} catch (error) {
  showError(error);
}
