// A body while its component is mounted. In: props, colliders that were mounted below it, its object. Out: a body of
// the world that follows the props, and the object at the pose of the body.
import type { BodyOptions, BodyType, ShapeOptions, WorldBody } from 'ricochet';
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { ColliderEntry, isMesh } from './colliderEntry';
import { blame, refuse, tag, warnOfMissed, warnOnce } from './errors';
import { filterOf } from './math';
import { bodyFrame, type Place, same, shareOf, worldPlace } from './place';
import { MATERIAL_PROPS } from './props';
import { RigidBodyApi } from './rigidBodyApi';
import type { Runtime } from './runtime';
import { hasPositions, type Solidity } from './shapes';
import type { BodyHandlers, RigidBodyOptions, RigidBodyTypeString } from './types';

export const TYPES: Record<RigidBodyTypeString, BodyType> = {
  fixed: 'static',
  dynamic: 'dynamic',
  kinematicPosition: 'kinematic',
  kinematicVelocity: 'kinematic',
};

/** m per step. Motion above which a body with `ccd` is swept. */
const CCD_MOTION = 1e-3;
const PLACE = ['position', 'rotation', 'quaternion', 'scale'] as const;
const PARTS = ['x', 'y', 'z', 'w'];
const AUTO = ['colliders', 'includeInvisible', 'dynamicMesh'] as const;

/** Marks a mesh that belongs to a MeshCollider. */
export const MESH_COLLIDER = 'ricochetMeshCollider';

/** Objects of bodies: the meshes below a nested body belong to that body. */
const bodyObjects = new WeakSet<Object3D>();

const drawnPosition = new Vector3();
const drawnRotation = new Quaternion();
const noScale = new Vector3(1, 1, 1);
const matrix = new Matrix4();

/** The body options that depend only on the body's own props. */
export function motionOptions(props: RigidBodyOptions, component: string): BodyOptions {
  warnOfMissed(component, props);
  const type = TYPES[props.type ?? 'dynamic'];
  if (type === undefined)
    throw refuse(
      component,
      `type must be one of ${Object.keys(TYPES).join(', ')}, got ${String(props.type)}`,
    );
  const options: BodyOptions = { type, ...filterOf(props.collisionGroups) };
  if (props.linearDamping !== undefined) options.linearDamping = shareOf(props.linearDamping);
  if (props.angularDamping !== undefined) options.angularDamping = shareOf(props.angularDamping);
  if (props.gravityScale !== undefined) options.gravityScale = props.gravityScale;
  if (props.canSleep === false) options.activationState = 'disableDeactivation';
  if (props.ccd === true) options.ccdMotionThreshold = CCD_MOTION;
  options.linearFactor = factorOf(props.lockTranslations, props.enabledTranslations);
  options.angularFactor = factorOf(props.lockRotations, props.enabledRotations);
  if (type !== 'static') {
    if (props.linearVelocity !== undefined) options.linearVelocity = props.linearVelocity;
    if (props.angularVelocity !== undefined) options.angularVelocity = props.angularVelocity;
  }
  return options;
}

function factorOf(
  locked: boolean | undefined,
  enabled: readonly boolean[] | undefined,
): [number, number, number] {
  if (locked === true) return [0, 0, 0];
  return enabled === undefined ? [1, 1, 1] : [+enabled[0]!, +enabled[1]!, +enabled[2]!];
}

/** Mass of the whole body, if props or a collider give it; a body without shapes is a point mass of 1 kg. */
export function massOptions(
  type: BodyType,
  props: RigidBodyOptions,
  colliders: Iterable<ColliderEntry>,
  shapes: number,
): Pick<BodyOptions, 'mass' | 'inertia' | 'centerOfMass'> {
  if (type !== 'dynamic') return {};
  for (const { source } of colliders)
    if (source.massProperties !== undefined) {
      const { mass, centerOfMass: c, principalAngularInertia: i } = source.massProperties;
      return { mass, centerOfMass: [c.x, c.y, c.z], inertia: [i.x, i.y, i.z] };
    }
  if (props.mass !== undefined)
    return shapes > 0 ? { mass: props.mass } : { mass: props.mass, inertia: [1, 1, 1] };
  return shapes > 0 ? {} : { mass: 1, inertia: [1, 1, 1] };
}

export class BodyEntry {
  body: WorldBody | null = null;
  readonly api = new RigidBodyApi(this);
  readonly colliders = new Set<ColliderEntry>();
  /** Automatic colliders of meshes, without a component. */
  private automatic: ColliderEntry[] = [];
  handlers: BodyHandlers = {};
  typeName: RigidBodyTypeString = 'dynamic';
  /** 1/s, as set by the user. */
  damping: [linear: number, angular: number];
  /** Last matrix of the parent and its inverse, cached because parents rarely move. */
  private readonly parentMatrix = new Matrix4();
  private readonly parentInverse = new Matrix4();
  private readonly parentRotation = new Quaternion();
  private isMirrored = false;
  private readonly shownPosition = new Vector3(Number.NaN);
  private readonly shownRotation = new Quaternion();

  constructor(
    readonly runtime: Runtime,
    public props: RigidBodyOptions,
    readonly object: Object3D,
    protected readonly component = 'RigidBody',
    readonly standsAlone = false,
  ) {
    this.typeName = props.type ?? 'dynamic';
    this.handlers = props;
    this.damping = [props.linearDamping ?? 0, props.angularDamping ?? 0];
    bodyObjects.add(object);
  }

  get tag(): string {
    return tag(this.component, this.props.name ?? this.object.name);
  }

  get isLive(): boolean {
    return this.body !== null && !this.runtime.isDisposed && !this.body.isRemoved;
  }

  get groups(): number | undefined {
    return this.props.collisionGroups;
  }

  /** Dynamic bodies cannot have triangle shapes. */
  private get isSolid(): boolean {
    return this.typeName === 'dynamic';
  }

  /** Creates the body with all colliders registered so far. */
  create(): WorldBody {
    const { runtime, props, object } = this;
    const frame = bodyFrame(object);
    const { position, rotation } = worldPlace(object);
    this.findAutomatic();
    const body = blame(this.tag, () => {
      const shapes = this.shapesIn(frame);
      const options = motionOptions({ ...props, type: this.typeName }, this.tag);
      return runtime.world.createBody({
        ...options,
        ...massOptions(options.type!, props, this.colliders, shapes.length),
        shape: shapes,
        position: position.toArray(),
        rotation: rotation.toArray(),
      });
    });
    this.adopt(body);
    if (props.userData !== undefined) this.api.userData = props.userData;
    return body;
  }

  /** @internal Takes over an existing body. */
  adopt(body: WorldBody): void {
    this.body = body;
    let i = 0;
    for (const collider of this.colliders) collider.attach(body.shapes.slice(i, (i += collider.shapeCount)));
    this.runtime.add(this);
  }

  /** @internal The shapes of all colliders, in the frame of the body. */
  shapesIn(frame: Matrix4): ShapeOptions[] {
    return [...this.colliders].flatMap((collider) => collider.options(frame, this.solidityFor(collider)));
  }

  protected solidityFor(collider: ColliderEntry): Solidity {
    if (!this.isSolid) return 'surface';
    if (!collider.isTriangles) return 'hull';
    if (this.props.dynamicMesh === 'error')
      throw refuse(
        collider.tag,
        'triangles must not be on a dynamic body: make it fixed or kinematic, or use colliders="hull"',
      );
    if (this.props.dynamicMesh === undefined)
      warnOnce(
        collider.tag,
        'triangles on a dynamic body become their hull: say so by dynamicMesh="hull", or keep hollows by dynamicMesh="decompose"',
      );
    return this.props.dynamicMesh === 'decompose' ? 'decompose' : 'hull';
  }

  remove(): void {
    const { body } = this;
    this.runtime.remove(this);
    this.body = null;
    if (body !== null && !this.runtime.isDisposed && !body.isRemoved) body.remove();
    for (const collider of this.colliders) collider.shapeIds = [];
  }

  // --- colliders ---

  /** Called when a collider below is mounted. */
  register(collider: ColliderEntry): void {
    collider.owner = this;
    this.colliders.add(collider);
    if (this.isLive) {
      this.refreshCollider(collider);
      this.runtime.events.watch(this);
    }
  }

  unregister(collider: ColliderEntry): void {
    this.colliders.delete(collider);
    const ids = collider.shapeIds;
    collider.shapeIds = [];
    if (!this.isLive || ids.length === 0) return;
    for (const id of ids) {
      this.runtime.forgetShape(id);
      if (this.body!.shapes.includes(id)) this.body!.removeShape(id);
    }
    this.updateMass();
    this.runtime.events.watch(this);
  }

  refreshCollider(collider: ColliderEntry): void {
    if (!this.isLive) return;
    collider.refresh(this.body!, bodyFrame(this.object), this.solidityFor(collider));
    this.runtime.events.watch(this);
  }

  protected refreshColliders(): void {
    for (const collider of this.colliders) this.refreshCollider(collider);
  }

  updateMass(): void {
    const { body, props } = this;
    if (body === null || body.type !== 'dynamic') return;
    const given = massOptions('dynamic', props, this.colliders, body.shapes.length);
    blame(this.tag, () => body.updateMassProps(given));
  }

  /** Creates colliders for the meshes below, as the prop `colliders` says. */
  private findAutomatic(): void {
    for (const collider of this.automatic) this.colliders.delete(collider);
    this.automatic = [];
    const kind = this.props.colliders ?? false;
    if (kind === false) return;
    this.automatic = meshesBelow(this.object, this.props.includeInvisible === true).map(
      (mesh) =>
        new ColliderEntry(
          { geometry: mesh.geometry, kind, name: mesh.name || this.props.name },
          mesh,
          this.component,
        ),
    );
    for (const collider of this.automatic) {
      collider.owner = this;
      this.colliders.add(collider);
    }
  }

  // --- changes of props ---

  update(next: RigidBodyOptions): void {
    const before = this.props;
    this.props = next;
    this.handlers = next;
    if (!this.isLive) return;
    // The renderer may have put new props on the object: it goes back to its body in the next frame.
    this.shownPosition.setX(Number.NaN);
    const changed = (name: keyof RigidBodyOptions) => !same(before[name], next[name]);
    // The renderer also takes parts of them: position-y.
    const placed = (name: keyof RigidBodyOptions) =>
      changed(name) || PARTS.some((part) => changed(`${name}-${part}` as typeof name));
    blame(this.tag, () => {
      if (PLACE.some(placed)) this.place(placed);
      if (changed('type')) this.setType(next.type ?? 'dynamic');
      this.updateMotion(next, changed);
      if (AUTO.some(changed)) this.replaceAutomatic();
      if (changed('dynamicMesh') || MATERIAL_PROPS.some(changed)) this.refreshColliders();
      if (changed('mass')) this.updateMass();
    });
    this.runtime.events.watch(this);
  }

  private updateMotion(next: RigidBodyOptions, changed: (name: keyof RigidBodyOptions) => boolean): void {
    const body = this.body!;
    if (changed('linearVelocity') && next.linearVelocity !== undefined) {
      body.setLinearVelocity(next.linearVelocity);
      this.api.wakeUp();
    }
    if (changed('angularVelocity') && next.angularVelocity !== undefined) {
      body.setAngularVelocity(next.angularVelocity);
      this.api.wakeUp();
    }
    if (changed('linearDamping') || changed('angularDamping'))
      this.setDamping(next.linearDamping ?? 0, next.angularDamping ?? 0);
    if (changed('gravityScale')) {
      body.setGravityScale(next.gravityScale ?? 1);
      this.api.wakeUp();
    }
    if (changed('canSleep'))
      body.forceActivationState(next.canSleep === false ? 'disableDeactivation' : 'active');
    if (changed('ccd')) this.setCcd(next.ccd === true);
    if (changed('lockTranslations') || changed('enabledTranslations'))
      body.setLinearFactor(factorOf(next.lockTranslations, next.enabledTranslations));
    if (changed('lockRotations') || changed('enabledRotations'))
      body.setAngularFactor(factorOf(next.lockRotations, next.enabledRotations));
    if (changed('collisionGroups')) {
      const { group, mask } = filterOf(next.collisionGroups);
      body.setFilter(group, mask);
      this.api.wakeUp();
    }
    if (changed('userData')) this.api.userData = next.userData;
  }

  /** 1/s, in Rapier's definition. */
  setDamping(linear: number, angular: number): void {
    this.body?.setDamping(shareOf(linear), shareOf(angular));
    this.damping = [linear, angular];
  }

  setCcd(on: boolean): void {
    this.body?.setCcd(on ? CCD_MOTION : 0, 0);
  }

  /** World transform according to the props. */
  protected placeNow(): Place {
    return worldPlace(this.object);
  }

  /**
   * Moves the body to the pose of the object, which already has its new props; unchanged parts stay those of the body.
   */
  private place(changed: (name: keyof RigidBodyOptions) => boolean): void {
    const { position, rotation } = this.placeNow();
    const body = this.body!;
    if (changed('rotation') || changed('quaternion'))
      body.setTransform(position.toArray(), rotation.toArray());
    else if (changed('position')) body.setPosition(position.toArray());
    if (changed('scale')) this.refreshColliders();
    this.api.wakeUp();
  }

  setType(name: RigidBodyTypeString): void {
    const body = this.body!;
    this.typeName = name;
    const type = TYPES[name];
    if (type === undefined)
      throw refuse(this.tag, `type must be one of ${Object.keys(TYPES).join(', ')}, got ${String(name)}`);
    if (type === body.type) return;
    const surfaces = [...this.colliders].filter((collider) => collider.isTriangles);
    // Triangles must be removed before the body becomes dynamic, and added after it has stopped being dynamic.
    if (type === 'dynamic') for (const collider of surfaces) this.refreshCollider(collider);
    body.setType(type, massOptions(type, this.props, this.colliders, body.shapes.length));
    if (type !== 'dynamic') for (const collider of surfaces) this.refreshCollider(collider);
    if (type === 'dynamic') this.api.wakeUp();
  }

  private replaceAutomatic(): void {
    for (const collider of [...this.automatic]) this.unregister(collider);
    this.findAutomatic();
    for (const collider of this.automatic) this.refreshCollider(collider);
  }

  // --- drawing ---

  /** Moves the object to the pose of the body. */
  draw(): void {
    const { body, object, shownPosition, shownRotation } = this;
    if (body === null || body.isRemoved) return;
    this.runtime.readPose(body, drawnPosition, drawnRotation);
    const { parent } = object;
    const isDirect = parent === null || 'isScene' in parent;
    if (!isDirect) {
      if (!this.parentMatrix.equals(parent.matrixWorld)) this.followParent(parent);
      else if (shownPosition.equals(drawnPosition) && shownRotation.equals(drawnRotation)) return;
    } else if (shownPosition.equals(drawnPosition) && shownRotation.equals(drawnRotation)) return;
    shownPosition.copy(drawnPosition);
    shownRotation.copy(drawnRotation);
    object.position.copy(drawnPosition);
    object.quaternion.copy(drawnRotation);
    if (!isDirect) {
      object.position.applyMatrix4(this.parentInverse);
      object.quaternion.premultiply(this.parentRotation);
      // A mirror above is one along x, as in decompose: turns about the other two axes go the other way in it.
      if (this.isMirrored) {
        object.quaternion.y *= -1;
        object.quaternion.z *= -1;
      }
    }
    if (!object.matrixAutoUpdate) object.updateMatrix();
  }

  private followParent(parent: Object3D): void {
    parent.updateWorldMatrix(true, false);
    this.parentMatrix.copy(parent.matrixWorld);
    this.parentInverse.copy(parent.matrixWorld).invert();
    matrix.copy(parent.matrixWorld).decompose(drawnScratch, this.parentRotation, scratchScale);
    this.parentRotation.invert();
    this.isMirrored = parent.matrixWorld.determinant() < 0;
  }
}

const drawnScratch = new Vector3();
const scratchScale = noScale.clone();

/** Meshes that get automatic colliders. */
export function meshesBelow(root: Object3D, includeInvisible: boolean, inMeshCollider = false) {
  const meshes: (Object3D & { geometry: import('three').BufferGeometry })[] = [];
  const walk = (object: Object3D) => {
    if (!includeInvisible && !object.visible) return;
    if (
      object !== root &&
      (bodyObjects.has(object) || (!inMeshCollider && object.userData[MESH_COLLIDER] === true))
    )
      return;
    if (isMesh(object) && hasPositions(object.geometry)) meshes.push(object);
    for (const child of object.children) walk(child);
  };
  walk(root);
  return meshes;
}
