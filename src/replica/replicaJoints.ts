// Joints of a registry. In: options, ids. Out: commands in `writer`, and ids. A call that throws changes nothing.

import { type BodyId, type JointId, MAX_SLOT } from '../base/ids';
import { MAX_FORCE, MAX_SETTING } from '../base/limits';
import { checkBoolean, checkNumber, checkOneOf, invalid, NON_NEGATIVE, vec3Of } from '../base/validate';
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  AXIS_SPRING,
  AXIS_STIFFNESS,
  AXIS_STOP,
  BODY_DYNAMIC,
  JOINT_GEAR,
  JOINT_MOUSE,
} from '../core/memory/constants';
import { BODY_TYPES } from '../options/bodies';
import {
  type AxisRecord,
  aimed,
  checkErp,
  draftJoint,
  FREE_AXIS,
  type JointRecord,
  resolveAxis,
  resolveFrame,
  swingAxis,
} from '../options/joints';
import { gearRatio, JOINT_TABLE, JOINT_TYPES } from '../options/jointTypes';
import type { JointAxisName, JointAxisOptions, JointFrame, JointOptions, Vec3Like } from '../types';
import * as rows from '../wasm/core-commands';
import {
  CreateJoint,
  RemoveJoint,
  SetJointAxis,
  SetJointBreaking,
  SetJointCollide,
  SetJointEnabled,
  SetJointFrames,
  SetJointRatio,
  SetJointSoftness,
  SetServoTargets,
} from '../wasm/core-commands';
import { ReplicaProperties } from './replicaProperties';

export class ReplicaJoints extends ReplicaProperties {
  /** The record of a live joint; throws a typed error for other ids. */
  joint(id: JointId, argument = 'joint'): JointRecord {
    return this.jointRecords[this.joints.check(id, argument)]!;
  }

  /** Checks everything, then creates the joint. Body 0 is the world. */
  createJoint(options: JointOptions, bodyA: BodyId, bodyB: BodyId): JointId {
    const { record, values } = draftJoint(options);
    const { disturbance } = this;
    const a = bodyA === 0 ? undefined : this.body(bodyA, 'bodyA');
    const b = bodyB === 0 ? undefined : this.body(bodyB, 'bodyB');
    if (a === undefined && b === undefined) throw invalid('bodyB', 'or bodyA must be given', undefined);
    if (bodyA === bodyB) throw invalid('bodyB', 'must not be the same body as bodyA', bodyB);
    if (a?.type !== BODY_DYNAMIC && b?.type !== BODY_DYNAMIC)
      throw invalid('bodyB', 'or bodyA must be dynamic', BODY_TYPES[(b ?? a)!.type]);
    if (JOINT_TABLE[JOINT_TYPES[record.type]!].anchors === 'apart') {
      // A length measured from an unnamed place would drag the body to the origin.
      const frame = a === undefined ? 'frameA' : 'frameB';
      if ((a === undefined || b === undefined) && options[frame]?.position === undefined)
        throw invalid(
          `${frame}.position`,
          'must be given: the point in the world to measure from',
          undefined,
        );
    }
    this.checkUndisturbed(disturbance);
    this.joints.checkRoom(1);
    record.id = this.joints.allocate();
    record.bodyA = bodyA;
    record.bodyB = bodyB;
    this.keepJoint(record);
    values[CreateJoint.joint] = record.id & MAX_SLOT;
    values[CreateJoint.generation] = record.id >>> 18;
    values[CreateJoint.bodyA] = bodyA & MAX_SLOT;
    values[CreateJoint.bodyB] = bodyB & MAX_SLOT;
    this.writer.write(rows.createJoint, values);
    record.axes.forEach((axis, index) => {
      if (axis.some((number, field) => number !== FREE_AXIS[field])) this.writeJointAxis(record, index, axis);
    });
    return record.id;
  }

  removeJoint(id: JointId): void {
    this.values[RemoveJoint.joint] = this.joints.check(id, 'joint');
    this.forgetJoint(id);
    this.writer.write(rows.removeJoint, this.values);
  }

  /** The core's number of an axis; throws a typed error if the joint has no axis with that name. */
  axisOf(id: JointId, name: JointAxisName): number {
    const { axes } = JOINT_TABLE[JOINT_TYPES[this.joint(id).type]!];
    const known: unknown = typeof name === 'string' ? axes[name] : undefined;
    if (typeof known === 'number') return known;
    const names = Object.keys(axes) as JointAxisName[];
    if (names.length === 0)
      throw invalid('axis', `must be absent: ${JOINT_TYPES[this.joint(id).type]} has none`, name);
    return axes[checkOneOf(name, 'axis', names)]!;
  }

  setJointAxis(id: JointId, name: JointAxisName, options: JointAxisOptions): void {
    const index = this.angleOrWay(id, name);
    const axis = resolveAxis(options, name);
    this.writeJointAxis(this.joint(id), index, axis);
  }

  setJointSwing(id: JointId, name: 'swingY' | 'swingZ', halfAngle: number): void {
    const index = this.axisOf(id, checkOneOf(name, 'axis', ['swingY', 'swingZ']));
    this.writeJointAxis(this.joint(id), index, swingAxis(halfAngle, 'halfAngle'));
  }

  /** Changes limits, motor, servo or spring of an axis; the other options are kept. */
  changeJointAxis(id: JointId, name: JointAxisName, changes: JointAxisOptions): void {
    const index = this.angleOrWay(id, name);
    const record = this.joint(id);
    const { disturbance } = this;
    const axis = [...record.axes[index]!];
    const fresh = resolveAxis(changes, name);
    const copy = (from: number, count: number) => {
      for (let i = from; i < from + count; i++) axis[i] = fresh[i]!;
    };
    let kept = axis[0]!;
    if ('low' in changes) copy(1, 2);
    if ('motor' in changes || 'servo' in changes) {
      kept &= ~(AXIS_MOTOR | AXIS_SERVO);
      copy(3, 3);
    }
    if ('spring' in changes) {
      kept &= ~(AXIS_SPRING | AXIS_STIFFNESS);
      copy(6, 4);
    }
    if ('stop' in changes) {
      kept &= ~AXIS_STOP;
      copy(10, 3);
    }
    axis[0] = kept | fresh[0];
    this.checkUndisturbed(disturbance);
    this.writeJointAxis(record, index, axis as unknown as AxisRecord);
  }

  private angleOrWay(id: JointId, name: JointAxisName): number {
    const index = this.axisOf(id, name);
    if (name === 'swingY' || name === 'swingZ') throw invalid('axis', 'must be set by setSwing', name);
    return index;
  }

  private writeJointAxis(record: JointRecord, index: number, axis: AxisRecord): void {
    record.axes[index] = axis;
    this.values[SetJointAxis.joint] = record.id & MAX_SLOT;
    this.values[SetJointAxis.axis] = index;
    this.values.set(axis, SetJointAxis.flags);
    this.writer.write(rows.setJointAxis, this.values);
  }

  setJointFrames(id: JointId, frameA: JointFrame, frameB: JointFrame): void {
    const record = this.joint(id);
    if (record.type === JOINT_MOUSE) throw invalid('joint', 'must not be a mouse joint: see setTarget', id);
    const { disturbance } = this;
    const a = resolveFrame(frameA, 'frameA');
    const b = resolveFrame(frameB, 'frameB');
    this.checkUndisturbed(disturbance);
    this.values[SetJointFrames.joint] = id & MAX_SLOT;
    this.values.set([...a.position, ...a.rotation, ...b.position, ...b.rotation], SetJointFrames.positionA);
    this.writer.write(rows.setJointFrames, this.values);
  }

  setJointTarget(id: JointId, target: Vec3Like): void {
    const record = this.joint(id);
    if (record.type !== JOINT_MOUSE)
      throw invalid('joint', 'must be a mouse joint', JOINT_TYPES[record.type]);
    const { disturbance } = this;
    const point = vec3Of(target, 'target');
    this.checkUndisturbed(disturbance);
    this.values[SetJointFrames.joint] = id & MAX_SLOT;
    this.values.set([...point, 0, 0, 0, 1, ...record.positionB, 0, 0, 0, 1], SetJointFrames.positionA);
    this.writer.write(rows.setJointFrames, this.values);
  }

  setJointEnabled(id: JointId, enabled: boolean): void {
    this.values[SetJointEnabled.joint] = this.joints.check(id, 'joint');
    this.values[SetJointEnabled.enabled] = checkBoolean(enabled, 'enabled') ? 1 : 0;
    this.writer.write(rows.setJointEnabled, this.values);
  }

  setJointCollide(id: JointId, collide: boolean): void {
    const record = this.joint(id);
    this.values[SetJointCollide.joint] = id & MAX_SLOT;
    this.values[SetJointCollide.collide] = checkBoolean(collide, 'collide') ? 1 : 0;
    record.collide = collide;
    this.writer.write(rows.setJointCollide, this.values);
  }

  setJointBreaking(id: JointId, impulse: number, angularImpulse: number): void {
    this.values[SetJointBreaking.joint] = this.joints.check(id, 'joint');
    this.values[SetJointBreaking.breakingImpulse] = checkNumber(impulse, 'impulse', NON_NEGATIVE(MAX_FORCE));
    this.values[SetJointBreaking.breakingAngularImpulse] = checkNumber(
      angularImpulse,
      'angularImpulse',
      NON_NEGATIVE(MAX_FORCE),
    );
    this.writer.write(rows.setJointBreaking, this.values);
  }

  setJointRatio(id: JointId, ratio: number): void {
    const record = this.joint(id);
    if (record.type !== JOINT_GEAR) throw invalid('joint', 'must be a gear', JOINT_TYPES[record.type]);
    this.values[SetJointRatio.joint] = id & MAX_SLOT;
    this.values[SetJointRatio.ratio] = gearRatio(ratio);
    this.writer.write(rows.setJointRatio, this.values);
  }

  setServoTargets(id: JointId, targets: Vec3Like): void {
    const record = this.joint(id);
    const { disturbance } = this;
    const angles = vec3Of(targets, 'targets');
    this.checkUndisturbed(disturbance);
    record.axes = aimed(record.axes, angles);
    this.values[SetServoTargets.joint] = id & MAX_SLOT;
    this.values.set(angles, SetServoTargets.x);
    this.writer.write(rows.setServoTargets, this.values);
  }

  setJointSoftness(
    id: JointId,
    hertz: number,
    dampingRatio: number,
    maxForce: number,
    maxTorque: number,
  ): void {
    this.values[SetJointSoftness.joint] = this.joints.check(id, 'joint');
    this.values[SetJointSoftness.hertz] = checkNumber(hertz, 'hertz', NON_NEGATIVE(MAX_SETTING));
    this.values[SetJointSoftness.dampingRatio] = checkNumber(
      dampingRatio,
      'dampingRatio',
      NON_NEGATIVE(MAX_SETTING),
    );
    this.values[SetJointSoftness.maxForce] = checkNumber(maxForce, 'maxForce', NON_NEGATIVE(MAX_FORCE));
    this.values[SetJointSoftness.maxTorque] = checkNumber(maxTorque, 'maxTorque', NON_NEGATIVE(MAX_FORCE));
    this.writer.write(rows.setJointSoftness, this.values);
  }

  setJointErp(id: JointId, erp: number, cfm: number): void {
    this.values[SetJointSoftness.joint] = this.joints.check(id, 'joint');
    this.values[SetJointSoftness.hertz] = -checkErp(erp);
    this.values[SetJointSoftness.dampingRatio] = checkNumber(cfm, 'cfm', NON_NEGATIVE(MAX_SETTING));
    this.values[SetJointSoftness.maxForce] = this.values[SetJointSoftness.maxTorque] = 0;
    this.writer.write(rows.setJointSoftness, this.values);
  }
}
