// Babylon's physics plugin, version 2. In: the calls that Babylon's PhysicsBody, PhysicsShape, PhysicsConstraint and
// PhysicsEngine make. Out: a World of ricochet in this thread, and nodes that follow its bodies.
import { BoundingBox } from '@babylonjs/core/Culling/boundingBox.js';
import type { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Observable } from '@babylonjs/core/Misc/observable.js';
import type { IPhysicsPointProximityQuery } from '@babylonjs/core/Physics/physicsPointProximityQuery.js';
import type { IRaycastQuery, PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import type { IPhysicsShapeCastQuery } from '@babylonjs/core/Physics/physicsShapeCastQuery.js';
import type { IPhysicsShapeProximityCastQuery } from '@babylonjs/core/Physics/physicsShapeProximityCastQuery.js';
import type { ProximityCastResult } from '@babylonjs/core/Physics/proximityCastResult.js';
import type { ShapeCastResult } from '@babylonjs/core/Physics/shapeCastResult.js';
import {
  type ConstrainedBodyPair,
  type IBasePhysicsCollisionEvent,
  type IPhysicsCollisionEvent,
  type IPhysicsEnginePluginV2,
  PhysicsActivationControl,
  type PhysicsMassProperties,
  type PhysicsMotionType,
  PhysicsPrestepType,
  type PhysicsShapeParameters,
  type PhysicsShapeType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import type { PhysicsConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import type { PhysicsMaterial } from '@babylonjs/core/Physics/v2/physicsMaterial.js';
import type { PhysicsShape } from '@babylonjs/core/Physics/v2/physicsShape.js';
import { type ShapeId, World, type WorldOptions } from 'ricochet';
import { BodyData, type Host, nameOf, toBabylon } from './bodies';
import { characterCalls } from './characterCalls';
import { ConstraintCalls } from './constraintCalls';
import { ConstraintJoint, completeOptions, warnOfIdle } from './constraints';
import { CONTINUED, dataAt, dataOf, Events, FINISHED, STARTED } from './events';
import { surfaceOf } from './geometry';
import * as queries from './queries';
import { childOf, createShape, type ShapeData, shapeBounds } from './shapes';
import { followBody, followInstances, instancesOf, poseIn, poseOf } from './transforms';
import { warn } from './warnings';

/** Options of the world that the plugin makes; gravity and time step are set by Babylon's scene. */
export type BabylonOptions = Omit<WorldOptions, 'gravity' | 'events'>;

const IDENTITY = Matrix.Identity();
/** s. The least and longest step that a world takes. */
const STEP = { least: 1e-6, most: 1 };

const sideOf = (shape: PhysicsShape) => shape._pluginData as ShapeData;

/** Physics for `scene.enablePhysics(gravity, plugin)`: Babylon's version 2, with a world of ricochet in this thread. */
export class RicochetPlugin extends ConstraintCalls implements IPhysicsEnginePluginV2, Host {
  /** The world of ricochet: snapshots, hashes, queries of its own. */
  world: World;
  /** By which Babylon knows the plugin. */
  name = 'RicochetPlugin';
  /** Collisions that begin or go on, of bodies that enabled them. */
  readonly onCollisionObservable: Observable<IPhysicsCollisionEvent>;
  /** Collisions that end. */
  readonly onCollisionEndedObservable: Observable<IBasePhysicsCollisionEvent>;
  /** What comes into triggers and leaves them. */
  readonly onTriggerCollisionObservable: Observable<IBasePhysicsCollisionEvent>;
  /** @internal By the engine's id. Babylon's character controller reads it. */
  readonly _bodies = new Map<number, { body: PhysicsBody; index: number }>();
  /** @internal What Babylon's character controller calls of its own plugin. */
  readonly _hknp: ReturnType<typeof characterCalls>;
  /** @internal By the engine's id. */
  readonly leaves = new Map<ShapeId, ShapeData>();
  /** @internal Bodies with dampings that the engine cannot say. */
  readonly damped = new Set<BodyData>();
  private readonly events: Events;
  private timeStep = 1 / 60;
  private maxLinear = Infinity;
  private maxAngular = Infinity;

  /**
   * @param useDeltaForWorldStep  true: steps of what the frame took; false: of the scene's time step
   * @param options  of the world
   */
  constructor(
    private readonly useDeltaForWorldStep = true,
    options: BabylonOptions = {},
  ) {
    super();
    this.world = new World(options);
    this.events = new Events(this);
    this.onCollisionObservable = this.events.onCollision;
    this.onCollisionEndedObservable = this.events.onCollisionEnded;
    this.onTriggerCollisionObservable = this.events.onTrigger;
    this._hknp = characterCalls(this);
  }

  // --- world ---

  /** m/s². */
  setGravity(gravity: Vector3): void {
    this.world.setGravity(gravity);
  }

  /** A copy, m/s². */
  getGravity(): Vector3 {
    return this.world.getGravity(new Vector3());
  }

  /** s. Dampings are exact at this step. */
  setTimeStep(timeStep: number): void {
    if (!(timeStep >= STEP.least && timeStep <= STEP.most)) {
      warn(`setTimeStep(${timeStep}): must be ${STEP.least} to ${STEP.most} s; it stays ${this.timeStep}`);
      return;
    }
    this.timeStep = timeStep;
    for (const { body, index } of this._bodies.values()) dataAt(body, index)?.updateDamping();
  }

  /** s. */
  getTimeStep(): number {
    return this.timeStep;
  }

  /** One step of the world: poses of nodes in, step, poses out, events. */
  executeStep(delta: number, bodies: PhysicsBody[]): void {
    const dt = this.useDeltaForWorldStep ? Math.min(delta, STEP.most) : this.timeStep;
    if (!(dt >= STEP.least)) return;
    for (const body of bodies)
      if (!body.disablePreStep) this.setPhysicsBodyTransformation(body, body.transformNode);
    for (const body of bodies) for (const data of dataOf(body)) data.aim(dt);
    this.keepLimits();
    warnOfIdle();
    this.events.prepare();
    this.world.step(dt);
    for (const data of this.damped) data.damp(dt);
    this.keepLimits();
    for (const body of bodies) if (!body.disableSync) this.sync(body);
    this.events.tell();
  }

  private keepLimits(): void {
    if (this.maxLinear === Infinity && this.maxAngular === Infinity) return;
    for (const { body, index } of this._bodies.values())
      this.reference(body, index)?.limitSpeed(this.maxLinear, this.maxAngular);
  }

  getPluginVersion(): number {
    return 2;
  }

  /** m/s, rad/s; of dynamic bodies, before and after each step. */
  setVelocityLimits(maxLinearVelocity: number, maxAngularVelocity: number): void {
    this.maxLinear = maxLinearVelocity;
    this.maxAngular = maxAngularVelocity;
  }

  /** m/s; Infinity where none was set. */
  getMaxLinearVelocity(): number {
    return this.maxLinear;
  }

  /** rad/s; Infinity where none was set. */
  getMaxAngularVelocity(): number {
    return this.maxAngular;
  }

  /** Bodies in the world; of thin instances each. */
  get numBodies(): number {
    return this._bodies.size;
  }

  // --- life of bodies ---

  initBody(
    body: PhysicsBody,
    motionType: PhysicsMotionType,
    position: Vector3,
    orientation: Quaternion,
  ): void {
    const data = new BodyData(this, body, motionType, position, orientation, body.startAsleep);
    body._pluginData = data;
    this._bodies.set(data.rigid.id, { body, index: 0 });
  }

  initBodyInstances(body: PhysicsBody, motionType: PhysicsMotionType, mesh: Mesh): void {
    this.addInstances(body, motionType, mesh, 0);
  }

  private addInstances(body: PhysicsBody, motionType: PhysicsMotionType, mesh: Mesh, from: number): void {
    const instances = instancesOf(mesh);
    if (instances === null) {
      warn(`mesh "${mesh.name}" has no thin instances: nothing of it is simulated`);
      return;
    }
    for (let index = from; index < instances.count; index++) {
      const { position, rotation, scale } = poseIn(instances.matrices, index);
      const data = new BodyData(this, body, motionType, position, rotation, body.startAsleep);
      data.scale = scale;
      body._pluginDataInstances.push(data);
      this._bodies.set(data.rigid.id, { body, index });
    }
  }

  /** Adds and takes away bodies at the end; new ones are like the first. Where there are fewer, all are placed anew. */
  updateBodyInstances(body: PhysicsBody, mesh: Mesh): void {
    const list = body._pluginDataInstances as BodyData[];
    const count = instancesOf(mesh)?.count ?? 0;
    const [first, before] = [list[0], list.length];
    if (count > before) {
      this.addInstances(body, first?.motion ?? 0, mesh, before);
      for (const data of list.slice(before)) {
        if (first === undefined) continue;
        data.userMass = first.userMass;
        data.eventMask = first.eventMask;
        data.setShape(first.shape);
      }
    } else if (count < before) {
      for (const data of list.splice(count)) this.drop(data);
      this.placeInstances(body, mesh);
    }
  }

  private drop(data: BodyData): void {
    this.events.forget(data);
    data.remove();
  }

  /** Takes the body, or the bodies of all thin instances, out of the world. */
  removeBody(body: PhysicsBody): void {
    for (const data of dataOf(body)) this.drop(data);
  }

  disposeBody(body: PhysicsBody): void {
    for (const data of dataOf(body)) if (!data.rigid.isRemoved) this.drop(data);
  }

  /** Puts the body's node where the body is. */
  sync(body: PhysicsBody): void {
    this.syncTransform(body, body.transformNode);
  }

  /** Puts any node where the body is; thin instances of a mesh where the bodies are. */
  syncTransform(body: PhysicsBody, transformNode: TransformNode): void {
    if (body._pluginDataInstances.length > 0)
      followInstances(transformNode as Mesh, body._pluginDataInstances);
    else if (body._pluginData) followBody(transformNode, body._pluginData);
  }

  /** What the prestep type of the body says: teleports it to where a node is, or moves it there in the next step. */
  setPhysicsBodyTransformation(body: PhysicsBody, node: TransformNode): void {
    const type = body.getPrestepType();
    if (type === PhysicsPrestepType.DISABLED) {
      warn(`${nameOf(body)}: its prestep type is DISABLED: setPhysicsBodyTransformation does nothing`);
      return;
    }
    if (body.numInstances > 0) this.placeInstances(body, node as Mesh);
    else if (body._pluginData) {
      const { position, rotation } = poseOf(node);
      const data = body._pluginData as BodyData;
      if (type === PhysicsPrestepType.ACTION) data.setTarget(position, rotation);
      else data.place(position, rotation);
    }
  }

  private placeInstances(body: PhysicsBody, mesh: Mesh): void {
    const instances = instancesOf(mesh);
    if (instances === null) return;
    const action = body.getPrestepType() === PhysicsPrestepType.ACTION;
    (body._pluginDataInstances as BodyData[]).forEach((data, i) => {
      if (i >= instances.count) return;
      const { position, rotation, scale } = poseIn(instances.matrices, i);
      data.scale = scale;
      if (action) data.setTarget(position, rotation);
      else data.place(position, rotation);
    });
  }

  // --- state of bodies ---

  /** All bodies of thin instances, or one. */
  private each(body: PhysicsBody, index: number | undefined, change: (data: BodyData) => void): void {
    if (index === undefined) for (const data of dataOf(body)) change(data);
    else {
      const data = this.reference(body, index);
      if (data === undefined) warn(`${nameOf(body)} has no thin instance ${index}: nothing is done`);
      else change(data);
    }
  }

  private reference(body: PhysicsBody, index = 0): BodyData | undefined {
    const list = body._pluginDataInstances as BodyData[] | undefined;
    return list?.length ? list[index] : (body._pluginData as BodyData | undefined);
  }

  /** As reference, for what must give an answer. */
  private one(body: PhysicsBody, index?: number): BodyData {
    const data = this.reference(body, index);
    if (data === undefined || data.rigid.isRemoved)
      throw new Error(
        `${nameOf(body)}${index === undefined ? '' : `, thin instance ${index}`}: was disposed, or never was in the world`,
      );
    return data;
  }

  setShape(body: PhysicsBody, shape: PhysicsShape | null): void {
    this.each(body, undefined, (data) => data.setShape(shape ? sideOf(shape) : null));
  }

  /** The shape that was set itself. */
  getShape(body: PhysicsBody): PhysicsShape | null {
    return this.one(body).shape?.owner ?? null;
  }

  getShapeType(shape: PhysicsShape): PhysicsShapeType {
    return sideOf(shape).type;
  }

  setEventMask(body: PhysicsBody, eventMask: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => void (data.eventMask = eventMask));
  }

  getEventMask(body: PhysicsBody, instanceIndex?: number): number {
    return this.one(body, instanceIndex).eventMask;
  }

  setMotionType(body: PhysicsBody, motionType: PhysicsMotionType, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => data.setMotion(motionType));
  }

  getMotionType(body: PhysicsBody, instanceIndex?: number): PhysicsMotionType {
    return this.one(body, instanceIndex).motion;
  }

  /** Keeps a body awake, out of the simulation, or neither. */
  setActivationControl(body: PhysicsBody, controlMode: PhysicsActivationControl): void {
    const state =
      controlMode === PhysicsActivationControl.ALWAYS_ACTIVE
        ? 'disableDeactivation'
        : controlMode === PhysicsActivationControl.ALWAYS_INACTIVE
          ? 'disableSimulation'
          : 'active';
    this.each(body, undefined, ({ rigid }) => rigid.forceActivationState(state));
  }

  computeMassProperties(body: PhysicsBody, instanceIndex?: number): PhysicsMassProperties {
    return toBabylon(this.one(body, instanceIndex).computeMasses());
  }

  setMassProperties(body: PhysicsBody, massProps: PhysicsMassProperties, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => data.setMasses(massProps));
  }

  getMassProperties(body: PhysicsBody, instanceIndex?: number): PhysicsMassProperties {
    return toBabylon(this.one(body, instanceIndex).masses);
  }

  setLinearDamping(body: PhysicsBody, damping: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => {
      data.linearDamping = damping;
      data.updateDamping();
    });
  }

  getLinearDamping(body: PhysicsBody, instanceIndex?: number): number {
    return this.one(body, instanceIndex).linearDamping;
  }

  setAngularDamping(body: PhysicsBody, damping: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => {
      data.angularDamping = damping;
      data.updateDamping();
    });
  }

  getAngularDamping(body: PhysicsBody, instanceIndex?: number): number {
    return this.one(body, instanceIndex).angularDamping;
  }

  setLinearVelocity(body: PhysicsBody, linVel: Vector3, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => rigid.setLinearVelocity(linVel));
  }

  getLinearVelocityToRef(body: PhysicsBody, linVel: Vector3, instanceIndex?: number): void {
    this.one(body, instanceIndex).rigid.getLinearVelocity(linVel);
  }

  setAngularVelocity(body: PhysicsBody, angVel: Vector3, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => rigid.setAngularVelocity(angVel));
  }

  getAngularVelocityToRef(body: PhysicsBody, angVel: Vector3, instanceIndex?: number): void {
    this.one(body, instanceIndex).rigid.getAngularVelocity(angVel);
  }

  setGravityFactor(body: PhysicsBody, factor: number, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => {
      rigid.setGravityScale(factor);
      rigid.activate();
    });
  }

  getGravityFactor(body: PhysicsBody, instanceIndex?: number): number {
    return this.one(body, instanceIndex).rigid.getGravityScale();
  }

  // --- what acts on bodies ---

  /** N·s at a point of the world. */
  applyImpulse(body: PhysicsBody, impulse: Vector3, location: Vector3, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => {
      rigid.activate();
      rigid.applyImpulseAtPoint(impulse, location);
    });
  }

  /** N·m·s. */
  applyAngularImpulse(body: PhysicsBody, angularImpulse: Vector3, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => {
      rigid.activate();
      rigid.applyTorqueImpulse(angularImpulse);
    });
  }

  /** N at a point of the world, during the next step. */
  applyForce(body: PhysicsBody, force: Vector3, location: Vector3, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => {
      rigid.activate();
      rigid.applyForceAtPoint(force, location);
    });
  }

  /** N·m during the next step. */
  applyTorque(body: PhysicsBody, torque: Vector3, instanceIndex?: number): void {
    this.each(body, instanceIndex, ({ rigid }) => {
      rigid.activate();
      rigid.applyTorque(torque);
    });
  }

  /** Where an animated or dynamic body is to be after the next step. */
  setTargetTransform(
    body: PhysicsBody,
    position: Vector3,
    rotation: Quaternion,
    instanceIndex?: number,
  ): void {
    this.each(body, instanceIndex, (data) => data.setTarget(position, rotation));
  }

  // --- events ---

  setCollisionCallbackEnabled(body: PhysicsBody, enabled: boolean, instanceIndex?: number): void {
    this.setEventMask(body, enabled ? STARTED | CONTINUED | FINISHED : 0, instanceIndex);
  }

  setCollisionEndedCallbackEnabled(body: PhysicsBody, enabled: boolean, instanceIndex?: number): void {
    this.each(body, instanceIndex, (data) => {
      data.eventMask = enabled ? data.eventMask | FINISHED : data.eventMask & ~FINISHED;
    });
  }

  getCollisionObservable(body: PhysicsBody, instanceIndex?: number): Observable<IPhysicsCollisionEvent> {
    return this.events.observableOf(this.events.collisionsOf, this.one(body, instanceIndex));
  }

  getCollisionEndedObservable(
    body: PhysicsBody,
    instanceIndex?: number,
  ): Observable<IBasePhysicsCollisionEvent> {
    return this.events.observableOf(this.events.endsOf, this.one(body, instanceIndex));
  }

  // --- shapes ---

  initShape(shape: PhysicsShape, type: PhysicsShapeType, options: PhysicsShapeParameters): void {
    shape._pluginData = createShape(shape, type, options);
  }

  private changeSurface(shape: PhysicsShape, change: (data: ShapeData) => void): void {
    const data = sideOf(shape);
    change(data);
    for (const body of data.users()) body.updateSurface(data);
  }

  setShapeFilterMembershipMask(shape: PhysicsShape, membershipMask: number): void {
    this.changeSurface(shape, (data) => void (data.membership = membershipMask | 0));
  }

  getShapeFilterMembershipMask(shape: PhysicsShape): number {
    return sideOf(shape).membership;
  }

  setShapeFilterCollideMask(shape: PhysicsShape, collideMask: number): void {
    this.changeSurface(shape, (data) => void (data.collideWith = collideMask | 0));
  }

  getShapeFilterCollideMask(shape: PhysicsShape): number {
    return sideOf(shape).collideWith;
  }

  setMaterial(shape: PhysicsShape, material: PhysicsMaterial): void {
    this.changeSurface(shape, (data) => data.setMaterial(material));
  }

  getMaterial(shape: PhysicsShape): PhysicsMaterial {
    return { ...sideOf(shape).material };
  }

  /** kg/m³. Bodies that have the shape weigh it when they get it next. */
  setDensity(shape: PhysicsShape, density: number): void {
    if (!(density >= 1e-9 && density <= 1e9))
      throw new Error(`${sideOf(shape).label}: its density is ${density}, and must be 1e-9 to 1e9 kg/m³`);
    sideOf(shape).density = density;
  }

  getDensity(shape: PhysicsShape): number {
    return sideOf(shape).density;
  }

  /** Bodies that have the container get the child at once; their masses change when they get a shape next. */
  addChild(
    shape: PhysicsShape,
    newChild: PhysicsShape,
    translation?: Vector3,
    rotation?: Quaternion,
    scale?: Vector3,
  ): void {
    const [container, child] = [sideOf(shape), sideOf(newChild)];
    if (child.has(container)) throw new Error(`${container.label}: a container cannot be a child of itself`);
    container.children.push(childOf(child, translation, rotation, scale));
    child.parents.add(container);
    container.renew();
  }

  removeChild(shape: PhysicsShape, childIndex: number): void {
    const container = sideOf(shape);
    const [gone] = container.children.splice(childIndex, 1);
    if (gone === undefined) {
      warn(`${container.label}: it has no child ${childIndex}`);
      return;
    }
    if (!container.children.some((child) => child.shape === gone.shape)) gone.shape.parents.delete(container);
    container.renew();
  }

  getNumChildren(shape: PhysicsShape): number {
    return sideOf(shape).children.length;
  }

  /** In the shape's own frame. */
  getBoundingBox(shape: PhysicsShape): BoundingBox {
    const { min, max } = shapeBounds(sideOf(shape));
    return new BoundingBox(Vector3.FromArray(min), Vector3.FromArray(max), IDENTITY);
  }

  /** In the body's frame, with the node's world matrix. */
  getBodyBoundingBox(body: PhysicsBody): BoundingBox {
    const { shape } = this.one(body);
    const { min, max } = shape === null ? { min: [0, 0, 0], max: [0, 0, 0] } : shapeBounds(shape);
    return new BoundingBox(
      Vector3.FromArray(min),
      Vector3.FromArray(max),
      body.transformNode.getWorldMatrix(),
    );
  }

  /** Triangles of all that the body has, in its frame; of thin instances those of the first. */
  getBodyGeometry(body: PhysicsBody): { positions: Float32Array; indices: Uint32Array } {
    const { shape, isDynamic } = this.one(body);
    return surfaceOf(shape?.options(isDynamic) ?? []);
  }

  /** Bodies that still have it keep it. */
  disposeShape(shape: PhysicsShape): void {
    shape._pluginData = undefined;
  }

  /** A trigger tells what comes in and goes out, and stops nothing. */
  setTrigger(shape: PhysicsShape, isTrigger: boolean): void {
    const data = sideOf(shape);
    if (data.trigger === isTrigger) return;
    data.trigger = isTrigger;
    data.renew();
  }

  // --- constraints ---

  initConstraint(
    constraint: PhysicsConstraint,
    body: PhysicsBody,
    childBody: PhysicsBody,
    instanceIndex?: number,
    childInstanceIndex?: number,
  ): void {
    const names = `${nameOf(body)} and ${nameOf(childBody)}`;
    if (!constraint.type || !constraint.options) {
      warn(`${names}: a constraint without type or options holds nothing`);
      return;
    }
    if (
      (body.numInstances > 0 && instanceIndex === undefined) ||
      (childBody.numInstances > 0 && childInstanceIndex === undefined)
    ) {
      warn(
        `${names}: say which thin instance: addConstraint(child, constraint, instanceIndex, childInstanceIndex)`,
      );
      return;
    }
    const [parent, child] = [this.one(body, instanceIndex), this.one(childBody, childInstanceIndex)];
    const joint = new ConstraintJoint(this.world, constraint, parent, child, () => this.timeStep);
    constraint._pluginData = constraint._pluginData ?? [];
    constraint._pluginData.push(joint);
    constraint._initOptions ??= completeOptions(constraint.options);
  }

  addConstraint(
    body: PhysicsBody,
    childBody: PhysicsBody,
    constraint: PhysicsConstraint,
    instanceIndex?: number,
    childInstanceIndex?: number,
  ): void {
    this.initConstraint(constraint, body, childBody, instanceIndex, childInstanceIndex);
  }

  getBodiesUsingConstraint(constraint: PhysicsConstraint): ConstrainedBodyPair[] {
    return this.jointsOf(constraint).flatMap(({ parent, child }) => {
      const [a, b] = [this._bodies.get(parent.rigid.id), this._bodies.get(child.rigid.id)];
      if (!a || !b) return [];
      return [{ parentBody: a.body, parentBodyIndex: a.index, childBody: b.body, childBodyIndex: b.index }];
    });
  }

  // --- queries ---

  /** One result: the nearest hit; a list: as many as it is long, nearest first; an empty list: all. */
  raycast(
    from: Vector3,
    to: Vector3,
    result: PhysicsRaycastResult | PhysicsRaycastResult[],
    query?: IRaycastQuery,
  ): void {
    queries.raycast(this, from, to, result, query);
  }

  /** The point of the nearest shape; `hitDistance` is below 0 inside of one. */
  pointProximity(query: IPhysicsPointProximityQuery, result: ProximityCastResult): void {
    queries.pointProximity(this, query, result);
  }

  /** Nearest points of a shape and the world: the first result in the shape's own frame, the second in the world. */
  shapeProximity(
    query: IPhysicsShapeProximityCastQuery,
    inputShapeResult: ProximityCastResult,
    hitShapeResult: ProximityCastResult,
  ): void {
    queries.shapeProximity(this, query, inputShapeResult, hitShapeResult);
  }

  /** Where a shape that moves meets the world: the first result in the shape's own frame, the second in the world. */
  shapeCast(
    query: IPhysicsShapeCastQuery,
    inputShapeResult: ShapeCastResult,
    hitShapeResult: ShapeCastResult,
  ): void {
    queries.shapeCast(this, query, inputShapeResult, hitShapeResult);
  }

  /** Ends the world and all that was in it. */
  dispose(): void {
    this.events.clear();
    this._bodies.clear();
    this.leaves.clear();
    this.damped.clear();
    this.world.dispose();
  }
}
