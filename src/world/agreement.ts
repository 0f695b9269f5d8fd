// Consistency of the two halves of a snapshot. In: the state read by the core, the state read by a registry. Out: null,
// or how they differ. A snapshot that this engine wrote is always consistent; one from elsewhere may not be.

import { MAX_SLOT } from '../base/ids';
import { JOINT_AXIS_COUNT } from '../core/memory/constants';
import type { Registry } from '../replica/registry';
import { Body, Joint, JointAxis, Shape } from '../wasm/core-layout';
import type { CoreInstance } from '../wasm/instance';

export type Known = Pick<
  Registry,
  'bodyRecords' | 'shapeRecords' | 'jointRecords' | 'bodies' | 'shapes' | 'joints'
>;

const JOINT_BYTES = Joint.axes + JOINT_AXIS_COUNT * JointAxis.SIZE;

/** The name of what is not the same in both. */
export function disagreement(instance: CoreInstance, known: Known): string | null {
  const { words } = instance;
  const id = (at: number, slot: number, generation: number) =>
    words[at + (slot >> 2)]! | (words[at + (generation >> 2)]! << 18);
  if (
    instance.get('bodyCount') !== known.bodies.count ||
    instance.get('shapeCount') !== known.shapes.count ||
    instance.get('jointCount') !== known.joints.count
  )
    return 'counts';
  if (
    instance.get('bodyEnd') > known.bodies.slotEnd ||
    instance.get('shapeEnd') > known.shapes.slotEnd ||
    instance.get('jointEnd') > known.joints.slotEnd
  )
    return 'slots';
  for (const body of known.bodyRecords) {
    if (body === undefined) continue;
    const slot = body.id & MAX_SLOT;
    const at = instance.table('bodies') + ((slot * Body.SIZE) >> 2);
    if (slot >= instance.get('bodyEnd') || id(at, Body.slot, Body.generation) !== body.id)
      return `body ${slot}`;
    if (words[at + (Body.type >> 2)] !== body.type) return `type of body ${slot}`;
  }
  for (const shape of known.shapeRecords) {
    if (shape === undefined) continue;
    const slot = shape.id & MAX_SLOT;
    const at = instance.table('shapes') + ((slot * Shape.SIZE) >> 2);
    if (slot >= instance.get('shapeEnd') || id(at, Shape.slot, Shape.generation) !== shape.id)
      return `shape ${slot}`;
    const same =
      words[at + (Shape.body >> 2)] === (shape.body & MAX_SLOT) &&
      words[at + (Shape.type >> 2)] === shape.type &&
      words[at + (Shape.geometrySlot >> 2)] === shape.geometrySlot;
    if (!same) return `type of shape ${slot}`;
  }
  for (const joint of known.jointRecords) {
    if (joint === undefined) continue;
    const slot = joint.id & MAX_SLOT;
    const at = instance.table('joints') + ((slot * JOINT_BYTES) >> 2);
    if (slot >= instance.get('jointEnd') || id(at, Joint.slot, Joint.generation) !== joint.id)
      return `joint ${slot}`;
    const same =
      words[at + (Joint.bodyA >> 2)] === (joint.bodyA & MAX_SLOT) &&
      words[at + (Joint.bodyB >> 2)] === (joint.bodyB & MAX_SLOT) &&
      words[at + (Joint.type >> 2)] === joint.type;
    if (!same) return `bodies of joint ${slot}`;
  }
  return null;
}
