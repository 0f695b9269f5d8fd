// Joints → chunks CONS. In: options of a joint as it is. Out: the struct of Bullet's that holds it. Conventions: see readJoints.ts.
import type { JointAxisOptions, JointOptions } from 'ricochet';
import { CONSTRAINT, ORDERS } from './numbers';
import { Z_TO_X } from './readJoints';
import { structName } from './schema';
import type { Fields, Sink } from './sink';
import { conjugate, type Place, product, type Quat, turned, type Vec3 } from './transforms';

const FREE: JointAxisOptions = { low: 1, high: -1 };
const LOCKED: JointAxisOptions = { low: 0, high: 0 };
/** What Bullet takes for no limit. */
const LARGE = 1e18;
/** Bullet's SIMD_INFINITY. */
const NEVER = 3.4028234663852886e38;
/** Bullet keeps the impulses of hinge motors per step. */
const TIME_STEP = 1 / 60;

type Axes = Readonly<Record<'x' | 'y' | 'z' | 'angleX' | 'angleY' | 'angleZ', JointAxisOptions>>;
const NAMES = ['x', 'y', 'z', 'angleX', 'angleY', 'angleZ'] as const;

/** One side of a joint: what it is in the file, and its frame there. */
export interface JointSide {
  readonly number: number;
  readonly frame: Place;
}

/** What of the joint is to be written. */
export interface JointDraft {
  readonly options: JointOptions;
  readonly isEnabled: boolean;
  readonly a: JointSide;
  readonly b: JointSide;
  /** kg and kg·m²: what springs that are given by their frequency move. */
  readonly mass: number;
  readonly moment: number;
  readonly name: string;
}

/** Whether nothing but limits, or what is named, is on an axis. */
function isPlain(axis: JointAxisOptions | undefined, ...allowed: (keyof JointAxisOptions)[]): boolean {
  return Object.keys(axis ?? {}).every((name) => ['low', 'high', ...allowed].includes(name));
}

export class JointWriter {
  constructor(
    private readonly sink: Sink,
    private readonly isDouble: boolean,
    private readonly warnings: Set<string>,
  ) {}

  /** @returns the number of the chunk; 0 if Bullet has no such constraint */
  write(draft: JointDraft): number {
    const { options } = draft;
    if ((options.hertz ?? 0) > 0 || options.erp !== undefined)
      this.warnings.add('the softness of what joints lock is left out');
    if ((options.breakingAngularImpulse ?? 0) > 0)
      this.warnings.add('impulses at which joints break by torque are left out');
    switch (options.type) {
      case 'point':
        return this.chunk('btPoint2PointConstraint@2', CONSTRAINT.point, draft, (fields) => {
          fields.vector('m_pivotInA', draft.a.frame.position).vector('m_pivotInB', draft.b.frame.position);
        });
      case 'gear':
        return this.chunk('btGearConstraint@', CONSTRAINT.gear, draft, (fields) => {
          fields.vector('m_axisInA', turned(draft.a.frame.rotation, [1, 0, 0]));
          fields.vector('m_axisInB', turned(draft.b.frame.rotation, [1, 0, 0]));
          fields.set('m_ratio', options.ratio ?? 1);
        });
      case 'hinge':
        return isPlain(options.angle, 'motor')
          ? this.hinge(draft, options.angle ?? FREE)
          : this.sixDof(draft, { ...ALL_LOCKED, angleX: options.angle! }, 'xyz');
      case 'slider':
        return isPlain(options.position) && isPlain(options.angle)
          ? this.slider(draft, options.position ?? FREE, options.angle ?? LOCKED)
          : this.sixDof(
              draft,
              { ...ALL_LOCKED, x: options.position ?? FREE, angleX: options.angle ?? LOCKED },
              'xyz',
            );
      case 'coneTwist':
        return this.coneTwist(draft, options);
      case 'fixed':
        return this.sixDof(draft, ALL_LOCKED, 'xyz');
      case 'generic': {
        const given = Object.fromEntries(
          NAMES.map((name, i) => [name, options[name] ?? (i < 3 ? LOCKED : FREE)]),
        );
        return this.sixDof(draft, given as unknown as Axes, options.order ?? 'xyz');
      }
      case 'universal':
        return this.sixDof(
          draft,
          { ...ALL_LOCKED, angleX: options.angle1 ?? FREE, angleY: options.angle2 ?? FREE },
          'xyz',
        );
      case 'hinge2':
        return this.sixDof(
          draft,
          {
            ...ALL_LOCKED,
            x: options.position ?? FREE,
            angleX: options.steering ?? FREE,
            angleZ: options.spin ?? FREE,
          },
          'xyz',
        );
    }
    this.warnings.add(`joints of type ${options.type} are left out: Bullet has no such constraint`);
    return 0;
  }

  private chunk(
    struct: string,
    type: number,
    { options, isEnabled, a, b, name }: JointDraft,
    fill: (fields: Fields) => void,
  ): number {
    const text = this.sink.text(name);
    return this.sink.chunk('CONS', structName(struct, this.isDouble), 1, (fields) => {
      const common = fields.inside('m_typeConstraintData');
      common.pointer('m_rbA', a.number).pointer('m_rbB', b.number).pointer('m_name', text);
      common.set('m_objectType', type).set('m_userConstraintType', -1).set('m_userConstraintId', -1);
      common.set('m_dbgDrawSize', 0.3).set('m_overrideNumSolverIterations', -1);
      common.set('m_disableCollisionsBetweenLinkedBodies', options.collideConnected === true ? 0 : 1);
      const breaking = options.breakingImpulse ?? 0;
      common.set('m_breakingImpulseThreshold', breaking > 0 ? breaking : NEVER);
      common.set('m_isEnabled', isEnabled ? 1 : 0);
      fill(fields);
    });
  }

  private frames(fields: Fields, { a, b }: JointDraft, turn?: Quat): void {
    const frame = ({ frame: { position, rotation } }: JointSide): Place => ({
      position,
      rotation: turn === undefined ? rotation : product(rotation, turn),
    });
    fields.transform('m_rbAFrame', frame(a)).transform('m_rbBFrame', frame(b));
  }

  private hinge(draft: JointDraft, { low = 1, high = -1, motor }: JointAxisOptions): number {
    return this.chunk('btHingeConstraint@2', CONSTRAINT.hinge, draft, (fields) => {
      this.frames(fields, draft, conjugate(Z_TO_X));
      // With the reference frame of A Bullet's angle is that of B against A, too.
      fields.set('m_useReferenceFrameA', 1).set('m_lowerLimit', low).set('m_upperLimit', high);
      fields.set('m_limitSoftness', 0.9).set('m_biasFactor', 0.3).set('m_relaxationFactor', 1);
      if (motor === undefined) return;
      fields.set('m_enableAngularMotor', 1).set('m_motorTargetVelocity', motor.velocity);
      fields.set('m_maxMotorImpulse', motor.maxForce * TIME_STEP);
    });
  }

  private slider(draft: JointDraft, position: JointAxisOptions, angle: JointAxisOptions): number {
    return this.chunk('btSliderConstraint@1', CONSTRAINT.slider, draft, (fields) => {
      this.frames(fields, draft);
      fields.set('m_linearLowerLimit', position.low ?? 1).set('m_linearUpperLimit', position.high ?? -1);
      fields.set('m_angularLowerLimit', angle.low ?? 1).set('m_angularUpperLimit', angle.high ?? -1);
      fields.set('m_useLinearReferenceFrameA', 1).set('m_useOffsetForConstraintFrame', 1);
    });
  }

  private coneTwist(draft: JointDraft, options: JointOptions & { type: 'coneTwist' }): number {
    const { low = 1, high = -1 } = options.twist ?? FREE;
    if (!isPlain(options.twist)) this.warnings.add('drives of cone-twist joints are left out');
    if (low <= high && low !== -high)
      this.warnings.add('the twist of a cone-twist joint is the same both ways');
    return this.chunk('btConeTwistConstraint@1', CONSTRAINT.coneTwist, draft, (fields) => {
      this.frames(fields, draft);
      fields.set('m_twistSpan', low <= high ? Math.max(Math.abs(low), Math.abs(high)) : LARGE);
      fields.set('m_swingSpan1', options.swingZ ?? LARGE).set('m_swingSpan2', options.swingY ?? LARGE);
      fields
        .set('m_limitSoftness', 1)
        .set('m_biasFactor', 0.3)
        .set('m_relaxationFactor', 1)
        .set('m_damping', 0.01);
    });
  }

  private sixDof(draft: JointDraft, axes: Axes, order: (typeof ORDERS)[number]): number {
    return this.chunk('btGeneric6DofSpring2Constraint@3', CONSTRAINT.sixDofSpring2, draft, (fields) => {
      this.frames(fields, draft);
      // The angles of Bullet are those of the inverse rotation.
      const reversed = [...order].reverse().join('') as typeof order;
      fields.set('m_rotateOrder', ORDERS.indexOf(reversed));
      for (const [kind, from, sign] of [
        ['m_linear', 0, 1],
        ['m_angular', 3, -1],
      ] as const)
        this.three(
          fields,
          kind,
          NAMES.slice(from, from + 3).map((name) => axes[name]),
          sign,
          draft,
        );
    });
  }

  private three(
    fields: Fields,
    kind: string,
    axes: readonly JointAxisOptions[],
    sign: 1 | -1,
    { mass, moment }: JointDraft,
  ): void {
    const put = (name: string, value: (axis: JointAxisOptions) => number) =>
      void fields.vector(`${kind}${name}`, axes.map(value));
    const flag = (name: string, value: (axis: JointAxisOptions) => boolean) =>
      void fields.set(`${kind}${name}`, ...axes.map((axis) => (value(axis) ? 1 : 0)));
    const isFree = ({ low = 1, high = -1 }: JointAxisOptions) => !(low <= high);
    put('LowerLimit', (axis) => (isFree(axis) ? 1 : sign === 1 ? axis.low! : -axis.high!));
    put('UpperLimit', (axis) => (isFree(axis) ? -1 : sign === 1 ? axis.high! : -axis.low!));
    put('Bounce', ({ stop }) => stop?.bounce ?? 0);
    put('StopERP', ({ stop }) => stop?.erp ?? 0.2);
    put('StopCFM', ({ stop }) => stop?.cfm ?? 0);
    put('MotorERP', () => 0.9);
    put('TargetVelocity', ({ motor, servo }) => (servo ? servo.maxVelocity : 0 - (motor?.velocity ?? 0)));
    put('MaxMotorForce', ({ motor, servo }) => (motor ?? servo)?.maxForce ?? 6);
    put('ServoTarget', ({ servo }) => sign * (servo?.target ?? 0));
    const springs = axes.map(({ spring }) => this.spring(spring, sign === 1 ? mass : moment));
    fields.vector(`${kind}SpringStiffness`, springs.map(([k]) => k) as Vec3);
    fields.vector(`${kind}SpringDamping`, springs.map(([, c]) => c) as Vec3);
    put('EquilibriumPoint', ({ spring }) => sign * (spring?.target ?? 0));
    flag('EnableMotor', ({ motor, servo }) => motor !== undefined || servo !== undefined);
    flag('ServoMotor', ({ servo }) => servo !== undefined);
    flag('EnableSpring', ({ spring }) => spring !== undefined);
  }

  /** Stiffness and damping. */
  private spring(spring: JointAxisOptions['spring'], mass: number): [number, number] {
    if (spring === undefined) return [0, 0];
    if ((spring.maxForce ?? 0) > 0) this.warnings.add('the maximum force of springs is left out');
    if ('stiffness' in spring) return [spring.stiffness, spring.damping ?? 0];
    this.warnings.add('springs given by their frequency are written with the mass of the lighter body');
    const rate = 2 * Math.PI * spring.hertz;
    return [mass * rate * rate, 2 * (spring.dampingRatio ?? 0) * mass * rate];
  }
}

const ALL_LOCKED: Axes = { x: LOCKED, y: LOCKED, z: LOCKED, angleX: LOCKED, angleY: LOCKED, angleZ: LOCKED };
