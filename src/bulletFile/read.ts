// A .bullet file as options. In: its bytes. Out: settings, bodies and joints, and what was left out. Bullet's own importer drops
// velocities, damping, flags, filters, motors and inertias; they are read here.
import type { BodyOptions, JointOptions, ShapeOptions, WorldOptions } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import { BulletChunks, type BulletRecord, type Chunk, chunkName, fault } from './chunks';
import {
  ACTIVATION,
  HAS_CONTACT_STIFFNESS,
  IS_KINEMATIC,
  IS_STATIC,
  NO_CONTACT_RESPONSE,
  SECTIONS,
  WORLD_NAME,
} from './numbers';
import { commonOf, isSwapped, readJoint } from './readJoints';
import { type DynamicMeshes, placeOf, ShapeReader } from './readShapes';
import type { Vec3 } from './transforms';

/** As many as a world takes. */
const MOST = 262143;
const TIME_STEP = 1 / 60;

/** A body of a file. */
export interface BulletBody {
  /** Its name in the file; '' if it has none. */
  readonly name: string;
  /** What createBody takes. */
  readonly options: BodyOptions;
  /** The chunk that it comes from, for messages. */
  readonly place: string;
}

/** A constraint of a file. */
export interface BulletJoint {
  /** Its name in the file; '' if it has none. */
  readonly name: string;
  /** Numbers in `bodies`; null is the world. */
  readonly bodyA: number | null;
  /** As bodyA. */
  readonly bodyB: number | null;
  /** What createJoint takes, without the bodies. */
  readonly options: JointOptions;
  /** The chunk that it comes from, for messages. */
  readonly place: string;
}

/** What a .bullet file holds. */
export interface BulletFile {
  /** Of Bullet, three digits: 282 is 2.82. */
  readonly version: number;
  /** BULLETd: numbers of 64 bits. */
  readonly isDouble: boolean;
  /** What World takes: the profile 'bullet3', gravity, and the settings of the solver that the file has. */
  readonly world: WorldOptions;
  /** Rigid bodies, then collision objects. */
  readonly bodies: readonly BulletBody[];
  /** In the order of the file. */
  readonly joints: readonly BulletJoint[];
  /** Sections that are not rigid, by their four letters: what they are, and how many. */
  readonly skipped: readonly { readonly code: string; readonly what: string; readonly count: number }[];
  /** What was approximated or left out, with the chunk. */
  readonly warnings: readonly string[];
}

/** How a file is read. */
export interface BulletReadOptions {
  /** What triangle meshes are on bodies that move: their parts as hulls, or one hull. Default 'decompose'. */
  dynamicMeshes?: DynamicMeshes;
}

/**
 * Reads a .bullet file: every header (single and double precision, 32 and 64 bits, both byte orders), with the DNA that is in it.
 *
 * @throws PhysicsError 'damaged-file' that names the chunk and the byte
 */
export function readBulletFile(
  file: ArrayBuffer | Uint8Array,
  { dynamicMeshes = 'decompose' }: BulletReadOptions = {},
): BulletFile {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  return new Reader(new BulletChunks(bytes), dynamicMeshes).read();
}

class Reader {
  private readonly warnings = new Set<string>();
  private readonly shapes: ShapeReader;
  private readonly bodies: BulletBody[] = [];
  /** By the number of their chunk; null: the anchor of joints to the world. */
  private readonly byChunk = new Map<number, number | null>();
  private shapeCount = 0;
  private gravity: Vec3 | undefined;
  private timeStep = TIME_STEP;

  constructor(
    private readonly file: BulletChunks,
    dynamicMeshes: DynamicMeshes,
  ) {
    this.shapes = new ShapeReader(file, this.warnings, dynamicMeshes);
  }

  read(): BulletFile {
    const { file } = this;
    const coded = (code: string) => file.chunks.filter((chunk) => chunk.code === code);
    const one = (chunk: Chunk): BulletRecord => {
      const record = file.records(chunk, chunk.struct, 1)[0];
      if (record === undefined) throw fault(chunk, 'is empty');
      return record;
    };
    const world = coded('DWLD').map(one)[0];
    const settings = world === undefined ? {} : this.settings(world);
    const rigid = coded('RBDY').map(one);
    if (this.gravity === undefined) this.gravity = this.gravityOf(rigid);
    // Shapes that no body has must be sound, too.
    for (const chunk of coded('SHAP')) this.shapes.read(chunk);
    for (const record of rigid) this.addBody(record);
    for (const chunk of coded('COBJ')) this.addObject(one(chunk));
    const joints = coded('CONS').flatMap((chunk) => this.joint(one(chunk)));
    return {
      version: file.version,
      isDouble: file.isDouble,
      world: { profile: 'bullet3', ...settings, gravity: this.gravity },
      bodies: this.bodies,
      joints,
      skipped: this.skipped(),
      warnings: [...this.warnings],
    };
  }

  private skipped(): BulletFile['skipped'] {
    const counts = new Map<string, number>();
    for (const { code } of this.file.chunks)
      if (code in SECTIONS) counts.set(code, (counts.get(code) ?? 0) + 1);
    return [...counts].map(([code, count]) => ({ code, what: SECTIONS[code]!, count }));
  }

  private warn(record: BulletRecord, text: string): void {
    this.warnings.add(`${chunkName(record.chunk)}: ${text}`);
  }

  /** Settings of the solver that mean the same here; those out of their range are left at the profile's. */
  private settings(record: BulletRecord): Partial<WorldOptions> {
    this.gravity = record.vector('m_gravity');
    const info = record.struct('m_solverInfo');
    const step = info.number('m_timeStep', TIME_STEP);
    if (step > 1e-5 && step <= 0.1) this.timeStep = step;
    const out: Partial<WorldOptions> = {};
    const take = (name: keyof WorldOptions, field: string, most: number, isWhole = false) => {
      if (!info.has(field)) return;
      const value = info.number(field);
      if (value >= 0 && value <= most && (!isWhole || Number.isInteger(value)))
        Object.assign(out, { [name]: value });
      else this.warn(record, `${field} of ${value} is left out`);
    };
    take('iterations', 'm_numIterations', 1000, true);
    take('warmstartingFactor', 'm_warmstartingFactor', 1);
    take('contactErp', 'm_erp2', 1);
    take('contactCfm', 'm_globalCfm', 1e6);
    take('contactSlop', 'm_linearSlop', 1e3);
    return out;
  }

  /** In files without a world: what its bodies have as their own. */
  private gravityOf(bodies: readonly BulletRecord[]): Vec3 {
    for (const body of bodies)
      if (body.number('m_inverseMass') > 0) return body.vector('m_gravity_acceleration');
    return [0, -10, 0];
  }

  private shapesOf(object: BulletRecord, isDynamic: boolean): ShapeOptions[] {
    const chunk = object.target('m_collisionShape');
    const friction = Math.max(0, Math.min(1e6, object.finite('m_friction')));
    const rollingFriction = Math.max(0, Math.min(1e3, object.finite('m_rollingFriction', 0)));
    const restitution = Math.max(0, Math.min(1, object.finite('m_restitution')));
    const shapes = (chunk === undefined ? [] : this.shapes.read(chunk)).map((shape) => ({
      ...shape,
      friction,
      restitution,
      ...(rollingFriction > 0 && { rollingFriction }),
    }));
    this.shapeCount += shapes.length;
    if (this.shapeCount > MOST) throw object.fault(`more than ${MOST} shapes`);
    if (object.number('m_hasAnisotropicFriction', 0) !== 0)
      this.warn(object, 'friction that depends on the direction is the same in all');
    if ((object.number('m_collisionFlags') & HAS_CONTACT_STIFFNESS) !== 0)
      this.warn(object, 'the stiffness of its contacts is that of the world');
    // A plane cannot move: Bullet's importer takes the mass away, too.
    if (isDynamic && shapes.some(({ type }) => type === 'plane')) this.warn(object, 'stands: it is a plane');
    return shapes;
  }

  /** What bodies and collision objects have alike. */
  private object(object: BulletRecord, isDynamic: boolean): BodyOptions {
    const flags = object.number('m_collisionFlags');
    const shape = this.shapesOf(object, isDynamic);
    const moves = isDynamic && !shape.some(({ type }) => type === 'plane');
    const type = flags & IS_KINEMATIC ? 'kinematic' : moves && !(flags & IS_STATIC) ? 'dynamic' : 'static';
    const group = object.number('m_collisionFilterGroup', 0);
    const mask = object.number('m_collisionFilterMask', 0);
    const motion = object.finite('m_ccdMotionThreshold');
    const swept = object.finite('m_ccdSweptSphereRadius');
    const state = ACTIVATION[object.number('m_activationState1')];
    return {
      type,
      shape:
        type === 'dynamic'
          ? shape
          : shape.map((one) => (one.type === 'mesh' ? { ...one, dynamic: 'hull' } : one)),
      ...placeOf(object, 'm_worldTransform'),
      // Both are 0 in files of versions without filters, and of an object that was in no world.
      ...((group !== 0 || mask !== 0) && { group, mask }),
      ...(flags & NO_CONTACT_RESPONSE && { contactResponse: false }),
      ...(motion > 0 && motion < 1e9 && { ccdMotionThreshold: motion }),
      ...(swept > 0 && swept < 1e7 && { ccdSweptSphereRadius: swept }),
      ...(type !== 'static' && state !== undefined && state !== 'active' && { activationState: state }),
    };
  }

  private keep(record: BulletRecord, object: BulletRecord, options: BodyOptions): void {
    if (this.bodies.length >= MOST) throw record.fault(`more than ${MOST} bodies`);
    this.byChunk.set(record.chunk.index, this.bodies.length);
    this.bodies.push({ name: object.text('m_name'), options, place: chunkName(record.chunk) });
  }

  private addObject(record: BulletRecord): void {
    this.keep(record, record, this.object(record, false));
  }

  private addBody(record: BulletRecord): void {
    const object = record.struct('m_collisionObjectData');
    const inverse = record.finite('m_inverseMass');
    if (inverse < 0) throw record.fault(`m_inverseMass must be ≥ 0, got ${inverse}`);
    const options = this.object(object, inverse > 0);
    const { type, shape } = options;
    if (type === 'static' && (shape as unknown[]).length === 0 && object.text('m_name') === WORLD_NAME) {
      this.byChunk.set(record.chunk.index, null);
      return;
    }
    const share = (name: string) => Math.max(0, Math.min(1, record.finite(name)));
    const [linearFactor, angularFactor] = ['m_linearFactor', 'm_angularFactor'].map((name) =>
      // Versions before 2.76 have no linear factor.
      record.has(name) ? record.vector(name).map((part) => Math.max(0, part)) : [1, 1, 1],
    );
    this.keep(record, object, {
      ...options,
      linearVelocity: record.vector('m_linearVelocity'),
      angularVelocity: record.vector('m_angularVelocity'),
      linearFactor: linearFactor!,
      angularFactor: angularFactor!,
      linearDamping: share('m_linearDamping'),
      angularDamping: share('m_angularDamping'),
      linearSleepingThreshold: Math.max(0, record.finite('m_linearSleepingThreshold')),
      angularSleepingThreshold: Math.max(0, record.finite('m_angularSleepingThreshold')),
      ...(type === 'dynamic' && this.mass(record, inverse)),
    });
    if (type === 'static')
      for (const name of ['linearVelocity', 'angularVelocity'] as const)
        delete (this.bodies.at(-1)!.options as BodyOptions)[name];
  }

  private mass(record: BulletRecord, inverse: number): Partial<BodyOptions> {
    const own = record.vector('m_gravity_acceleration');
    const world = this.gravity!;
    const square = world.reduce((sum, part) => sum + part * part, 0);
    const along = own.reduce((sum, part, i) => sum + part * world[i]!, 0);
    const gravityScale = own.every((part, i) => Math.fround(part) === Math.fround(world[i]!))
      ? 1
      : square === 0
        ? 0
        : along / square;
    if (own.some((part, i) => Math.abs(part - gravityScale * world[i]!) > 1e-3 * (1 + Math.sqrt(square))))
      this.warn(record, `its own gravity ${own} has another direction than that of the world`);
    return {
      mass: 1 / inverse,
      // 0 is a moment without end, in the file as here.
      inertia: record.vector('m_invInertiaLocal').map((moment) => (moment > 0 ? 1 / moment : 0)) as Vec3,
      centerOfMass: [0, 0, 0],
      ...(gravityScale !== 1 && { gravityScale }),
    };
  }

  private joint(record: BulletRecord): BulletJoint[] {
    const common = commonOf(record);
    const [a, b] = ['m_rbA', 'm_rbB'].map((name) => {
      const chunk = this.file.find(common.pointer(name));
      // What is in no chunk is Bullet's fixed body, which is not written.
      return (chunk && this.byChunk.get(chunk.index)) ?? null;
    }) as [number | null, number | null];
    const bodyOf = (i: number | null) => (i === null ? undefined : this.bodies[i]!.options);
    if (a === b || (bodyOf(a)?.type !== 'dynamic' && bodyOf(b)?.type !== 'dynamic')) {
      this.warn(record, 'a constraint between what cannot move is left out');
      return [];
    }
    const ends = { a: bodyOf(a), b: bodyOf(b), timeStep: this.timeStep, version: this.file.version };
    const options = readJoint(record, ends, this.warnings);
    if (options === undefined) return [];
    const [bodyA, bodyB] = isSwapped(record) ? [b, a] : [a, b];
    return [{ name: common.text('m_name'), bodyA, bodyB, options, place: chunkName(record.chunk) }];
  }
}

/** An error of a part of a file, with its chunk. */
export function placed(error: unknown, place: string): unknown {
  return error instanceof Error && error.name === 'PhysicsError'
    ? new PhysicsError('damaged-file', `${place}: ${error.message}`)
    : error;
}
