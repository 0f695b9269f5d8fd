// What is no finite number in the tables of a world. In: a world between two steps. Out: names of fields, as
// `Joint[3].linearTotal`; padding of vectors by the field before it. WebAssembly leaves the sign and payload of NaN open:
// where one reaches a table, the same program may hash differently on another machine.
import type { World } from '../../src';
import { JOINT_AXIS_COUNT } from '../../src/core/memory/constants';
import * as layout from '../../src/wasm/core-layout';

const { Body, BodyPose, BodyVelocity, Joint, JointAxis, JointRow, JointWork, Shape } = layout;

/** Fields of a record from … to … that hold f32 only. */
type Floats = readonly (readonly [from: number, to: number])[];

const AXIS_FLOATS = (record: number): Floats =>
  Array.from({ length: JOINT_AXIS_COUNT }, (_, k) => [
    record + k * JointAxis.SIZE,
    record + k * JointAxis.SIZE + JointAxis.flags,
  ]);

const TABLES: readonly [
  table: 'bodies' | 'velocities' | 'poses' | 'shapes' | 'joints' | 'jointWork',
  record: keyof typeof layout,
  end: 'bodyEnd' | 'shapeEnd' | 'jointEnd',
  size: number,
  floats: Floats,
][] = [
  [
    'bodies',
    'Body',
    'bodyEnd',
    Body.SIZE,
    [
      [0, Body.slot],
      [Body.ccdMotionThreshold, Body.travel],
      [Body.innerRadius, Body.fastMotion],
    ],
  ],
  ['velocities', 'BodyVelocity', 'bodyEnd', BodyVelocity.SIZE, [[0, BodyVelocity.SIZE]]],
  [
    'poses',
    'BodyPose',
    'bodyEnd',
    BodyPose.SIZE,
    [
      [0, BodyPose.flags],
      [BodyPose.qx, BodyPose.SIZE],
    ],
  ],
  ['shapes', 'Shape', 'shapeEnd', Shape.SIZE, [[0, Shape.type]]],
  [
    'joints',
    'Joint',
    'jointEnd',
    Joint.axes + JOINT_AXIS_COUNT * JointAxis.SIZE,
    [
      [0, Joint.slot],
      [Joint.breakingImpulse, Joint.userIndex],
      [Joint.ratio, Joint.reserved1],
      ...AXIS_FLOATS(Joint.axes),
    ],
  ],
  [
    'jointWork',
    'JointWork',
    'jointEnd',
    JointWork.rows + JOINT_AXIS_COUNT * JointRow.SIZE,
    [
      [0, JointWork.solverBodyA],
      [JointWork.biasRate, JointWork.soft],
      [JointWork.rows, JointWork.rows + JOINT_AXIS_COUNT * JointRow.SIZE],
    ],
  ],
];

export function notNumbers(world: World): string[] {
  world.sync();
  const { instance } = world;
  const { floats } = instance;
  const found: string[] = [];
  for (const [table, record, end, size, ranges] of TABLES)
    for (let i = 0; i < instance.get(end); i++)
      for (const [from, to] of ranges) {
        const at = (instance.get(table) + i * size) >>> 2;
        for (let o = from; o < to; o += 4)
          if (!Number.isFinite(floats[at + o / 4]!)) found.push(`${record}[${i}].${fieldAt(record, o)}`);
      }
  return found;
}

function fieldAt(record: keyof typeof layout, offset: number): string {
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: a test, which is not bundled
  const fields = Object.entries(layout[record] as Record<string, number>).filter(([name]) => name !== 'SIZE');
  return fields.filter(([, at]) => at <= offset).at(-1)![0];
}
