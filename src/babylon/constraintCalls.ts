// Calls of Babylon's plugin that need a constraint only. In: constraints, whose joints they have with them. Out: changes
// of these joints.
import type {
  PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import type { AxisState, ConstraintJoint } from './constraints';

/** The calls of a plugin about the joints of a constraint: whether it acts, its axes, its end. */
export abstract class ConstraintCalls {
  protected jointsOf(constraint: PhysicsConstraint): ConstraintJoint[] {
    return (constraint._pluginData as ConstraintJoint[] | undefined) ?? [];
  }

  disposeConstraint(constraint: PhysicsConstraint): void {
    for (const joint of [...this.jointsOf(constraint)]) joint.lose();
  }

  setEnabled(constraint: PhysicsConstraint, isEnabled: boolean): void {
    for (const joint of this.jointsOf(constraint)) joint.setEnabled(isEnabled);
  }

  getEnabled(constraint: PhysicsConstraint): boolean {
    return this.jointsOf(constraint)[0]?.isEnabled ?? false;
  }

  setCollisionsEnabled(constraint: PhysicsConstraint, isEnabled: boolean): void {
    for (const joint of this.jointsOf(constraint)) joint.setCollisions(isEnabled);
  }

  getCollisionsEnabled(constraint: PhysicsConstraint): boolean {
    return this.jointsOf(constraint)[0]?.collisions ?? false;
  }

  private setAxis(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
    changes: Partial<AxisState>,
  ): void {
    for (const joint of this.jointsOf(constraint)) {
      Object.assign(joint.axes[axis]!, changes);
      joint.update(axis);
    }
  }

  private axisOf<Field extends keyof AxisState>(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
    field: Field,
  ): AxisState[Field] | null {
    return this.jointsOf(constraint)[0]?.axes[axis]?.[field] ?? null;
  }

  /** N, N·m. */
  setAxisFriction(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, friction: number): void {
    this.setAxis(constraint, axis, { friction });
  }

  getAxisFriction(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.axisOf(constraint, axis, 'friction');
  }

  setAxisMode(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
    limitMode: PhysicsConstraintAxisLimitMode,
  ): void {
    this.setAxis(constraint, axis, { mode: limitMode });
  }

  getAxisMode(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
  ): PhysicsConstraintAxisLimitMode | null {
    return this.axisOf(constraint, axis, 'mode');
  }

  /** m, rad. */
  setAxisMinLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, minLimit: number): void {
    this.setAxis(constraint, axis, { min: minLimit });
  }

  getAxisMinLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.axisOf(constraint, axis, 'min');
  }

  /** m, rad. */
  setAxisMaxLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, limit: number): void {
    this.setAxis(constraint, axis, { max: limit });
  }

  getAxisMaxLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.axisOf(constraint, axis, 'max');
  }

  setAxisMotorType(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
    motorType: PhysicsConstraintMotorType,
  ): void {
    this.setAxis(constraint, axis, { motor: motorType });
  }

  getAxisMotorType(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
  ): PhysicsConstraintMotorType | null {
    return this.axisOf(constraint, axis, 'motor');
  }

  /** m/s, rad/s; of position motors m, rad. */
  setAxisMotorTarget(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, target: number): void {
    this.setAxis(constraint, axis, { target });
  }

  getAxisMotorTarget(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.axisOf(constraint, axis, 'target');
  }

  /** N, N·m. */
  setAxisMotorMaxForce(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, maxForce: number): void {
    this.setAxis(constraint, axis, { maxForce });
  }

  getAxisMotorMaxForce(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.axisOf(constraint, axis, 'maxForce');
  }
}
