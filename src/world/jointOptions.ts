// The options of a joint as it is now. In: the core's record. Out: what createJoint makes the same joint of.
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  AXIS_SPRING,
  AXIS_STIFFNESS,
  AXIS_STOP,
  JOINT_COLLIDE,
  JOINT_ENABLED,
  JOINT_ORDER_MASK,
  JOINT_ORDER_SHIFT,
} from '../core/memory/constants';
import { JOINT_AXIS_WORDS, jointAt } from '../lines/jointPlaces';
import { JOINT_ORDERS, JOINT_STORES, JOINT_TABLE } from '../options/jointTypes';
import type { JointAxisName, JointAxisOptions, JointOptions, JointType } from '../types';
import { JointAxis, Joint as JointLayout } from '../wasm/core-layout';
import type { CoreInstance } from '../wasm/instance';

const FREE = { low: 1, high: -1 };

function axisOptions({ floats, words }: CoreInstance, at: number): JointAxisOptions {
  const number = (field: number) => floats[at + (field >> 2)]!;
  const flags = words[at + (JointAxis.flags >> 2)]!;
  const [low, high] = [number(JointAxis.low), number(JointAxis.high)];
  const [velocity, maxForce] = [number(JointAxis.motorVelocity), number(JointAxis.maxMotorForce)];
  const out: JointAxisOptions = low <= high ? { low, high } : { ...FREE };
  if (flags & AXIS_MOTOR) out.motor = { velocity, maxForce };
  if (flags & AXIS_SERVO)
    out.servo = { target: number(JointAxis.servoTarget), maxVelocity: velocity, maxForce };
  if (flags & AXIS_SPRING) {
    const [rate, damping] = [number(JointAxis.springRate), number(JointAxis.springDamping)];
    out.spring = {
      ...(flags & AXIS_STIFFNESS ? { stiffness: rate, damping } : { hertz: rate, dampingRatio: damping }),
      target: number(JointAxis.springTarget),
      maxForce: number(JointAxis.maxSpringForce),
    };
  }
  if (flags & AXIS_STOP)
    out.stop = {
      erp: number(JointAxis.stopErp),
      cfm: number(JointAxis.stopCfm),
      bounce: number(JointAxis.bounce),
    };
  return out;
}

/** What of the options is not an axis and not a body. */
function settingsOf({ floats, words }: CoreInstance, at: number) {
  const number = (field: number) => floats[at + (field >> 2)]!;
  const flags = words[at + (JointLayout.flags >> 2)]!;
  const [hertz, ratio] = [number(JointLayout.hertz), number(JointLayout.dampingRatio)];
  return {
    collideConnected: (flags & JOINT_COLLIDE) !== 0,
    enabled: (flags & JOINT_ENABLED) !== 0,
    breakingImpulse: number(JointLayout.breakingImpulse),
    breakingAngularImpulse: number(JointLayout.breakingAngularImpulse),
    ...(hertz < 0 ? { erp: -hertz, cfm: ratio } : { hertz, dampingRatio: ratio }),
    maxForce: number(JointLayout.maxForce),
    maxTorque: number(JointLayout.maxTorque),
    userIndex: words[at + (JointLayout.userIndex >> 2)]!,
  };
}

/** Options of the joint in a slot, without its bodies. */
export function jointOptions(instance: CoreInstance, slot: number, type: JointType): JointOptions {
  const at = jointAt(instance, slot);
  const vector = (field: number, size: number) =>
    Array.from(instance.floats.subarray(at + (field >> 2), at + (field >> 2) + size));
  const frameA = {
    position: vector(JointLayout.localPositionA, 3),
    rotation: vector(JointLayout.localRotationA, 4),
  };
  const frameB = {
    position: vector(JointLayout.localPositionB, 3),
    rotation: vector(JointLayout.localRotationB, 4),
  };
  const common = settingsOf(instance, at);
  if (type === 'mouse')
    return { type, target: frameA.position, ...common, frameB: { position: frameB.position } };
  const own: Record<string, unknown> = {};
  for (const [name, index] of Object.entries(JOINT_TABLE[type].axes)) {
    const axis = axisOptions(instance, at + (JointLayout.axes >> 2) + index * JOINT_AXIS_WORDS);
    if ((name as JointAxisName) === 'swingY' || name === 'swingZ') own[name] = Math.min(axis.high!, Math.PI);
    else own[name] = axis;
  }
  const number = (field: number) => instance.floats[at + (field >> 2)]!;
  for (const [name, stored] of Object.entries(JOINT_STORES[type] ?? {}))
    own[name] = typeof stored === 'number' ? number(stored) : stored.map(number);
  if (type === 'generic')
    own['order'] =
      JOINT_ORDERS[(instance.words[at + (JointLayout.flags >> 2)]! >> JOINT_ORDER_SHIFT) & JOINT_ORDER_MASK]!;
  return { type, ...own, ...common, frameA, frameB } as JointOptions;
}
