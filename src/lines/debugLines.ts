// Debug lines of shapes, bounds and contacts. In: a world. Out: positions and colours in typed arrays that any renderer
// can draw. Colours of shapes by state, as in Bullet's debug drawer.

import { type BodyId, MAX_SLOT } from '../base/ids';
import { cos, rotate, sin, type Vec3 } from '../base/math';
import { arraysLike } from '../base/out';
import type { Geometry } from '../cooking/geometries';
import { readGeometry } from '../cooking/geometryWords';
import { fieldTriangles, readHeightfield } from '../cooking/heightfield';
import { readMesh } from '../cooking/meshWords';
import {
  ACTIVE_TAG,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  DISABLE_DEACTIVATION,
  DISABLE_SIMULATION,
  ISLAND_SLEEPING,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
  WANTS_DEACTIVATION,
} from '../core/memory/constants';
import { Body, PointGeometry, Shape } from '../wasm/core-layout';
import type { Simulation } from '../world/simulation';
import { drawJoint } from './jointLines';
import { checkLineOptions, type DebugLinesOptions } from './lineOptions';

export type { DebugLinesOptions };

/** Line segments, as a renderer takes them: two ends and two colours each. */
export interface DebugLines {
  /** Segments in use. */
  count: number;
  /** Six per segment: from x, y, z, to x, y, z, in m. Longer than needed. */
  positions: Float32Array;
  /** One per segment, 0xRRGGBB. */
  colors: Uint32Array;
}

type World = Simulation<{ readonly id: BodyId }>;

const STATE_COLORS: { readonly [state: number]: number } = {
  [ACTIVE_TAG]: 0xffffff,
  [ISLAND_SLEEPING]: 0x00ff00,
  [WANTS_DEACTIVATION]: 0x00ffff,
  [DISABLE_DEACTIVATION]: 0xff0000,
  [DISABLE_SIMULATION]: 0xffff00,
};
const STATIC_COLOR = 0x808080;
const KINEMATIC_COLOR = 0x8080ff;
const AABB_COLOR = 0xff00ff;
const CONTACT_COLOR = 0xffaa00;

const CIRCLE_SEGMENTS = 24;
const CIRCLE: readonly (readonly [number, number])[] = Array.from({ length: CIRCLE_SEGMENTS + 1 }, (_, i) => {
  const angle = (2 * Math.PI * i) / CIRCLE_SEGMENTS;
  return [cos(angle), sin(angle)] as const;
});
/** m. Half the side of the square that stands for a plane, and the distance of its lines. */
const PLANE_REACH = 20;
const PLANE_STEP = 4;
/** m. A contact's cross, its normal, and how much longer it is per N·s. */
const CROSS = 0.03;
const NORMAL_LENGTH = 0.1;
const NORMAL_PER_IMPULSE = 0.05;
const LONGEST_NORMAL = 1;

const NO_LINES = { positions: new Float32Array(6), colors: new Uint32Array(1) };

class LineWriter {
  color = 0xffffff;

  constructor(readonly lines: DebugLines) {
    lines.count = 0;
  }

  line(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    const { lines } = this;
    if (lines.count === lines.colors.length) this.grow();
    const at = 6 * lines.count;
    const { positions } = lines;
    positions[at] = ax;
    positions[at + 1] = ay;
    positions[at + 2] = az;
    positions[at + 3] = bx;
    positions[at + 4] = by;
    positions[at + 5] = bz;
    lines.colors[lines.count++] = this.color;
  }

  private grow(): void {
    const { lines } = this;
    const positions = new Float32Array(2 * lines.positions.length);
    positions.set(lines.positions);
    lines.positions = positions;
    const colors = new Uint32Array(positions.length / 6);
    colors.set(lines.colors);
    lines.colors = colors;
  }

  box(
    min: ArrayLike<number>,
    max: ArrayLike<number>,
    place: (x: number, y: number, z: number) => Vec3,
  ): void {
    const corner = (i: number) =>
      place(i & 1 ? max[0]! : min[0]!, i & 2 ? max[1]! : min[1]!, i & 4 ? max[2]! : min[2]!);
    for (let i = 0; i < 8; i++)
      for (let bit = 1; bit <= 4; bit <<= 1) if ((i & bit) === 0) this.line(...corner(i), ...corner(i | bit));
  }
}

/** See World.debugLines. */
export function drawDebugLines(world: World, options: DebugLinesOptions = {}, out?: DebugLines): DebugLines {
  const { shapes, aabbs, contacts, islands, joints } = checkLineOptions(options);
  const lines: DebugLines = {
    count: 0,
    ...(out === undefined
      ? { positions: new Float32Array(6 * 1024), colors: new Uint32Array(1024) }
      : arraysLike(out, NO_LINES)),
  };
  const writer = new LineWriter(lines);
  if (shapes && islands) world.findIslands();
  if (shapes) drawShapes(world, writer, islands);
  if (aabbs) drawAabbs(world, writer);
  if (contacts) drawContacts(world, writer);
  if (joints) drawJoints(world, writer);
  return out === undefined ? lines : Object.assign(out, lines);
}

function stateColor(world: World, bodySlot: number, islands: boolean): number {
  const { words } = world.instance;
  const at = world.instance.table('bodies') + bodySlot * (Body.SIZE >> 2);
  const type = words[at + (Body.type >> 2)];
  if (type !== BODY_DYNAMIC) return type === BODY_KINEMATIC ? KINEMATIC_COLOR : STATIC_COLOR;
  if (!islands) return STATE_COLORS[words[at + (Body.activation >> 2)]!] ?? 0xffffff;
  // Neighbouring numbers get unlike colours; never dark.
  const hash = Math.imul(words[world.instance.table('islands') + bodySlot]! + 1, 0x9e3779b1);
  return (hash >>> 8) | 0x404040;
}

function drawShapes(world: World, writer: LineWriter, islands: boolean): void {
  const { floats } = world.instance;
  const table = world.instance.table('shapes');
  for (const record of world.replica.shapeRecords) {
    if (record === undefined) continue;
    writer.color = stateColor(world, record.body & MAX_SLOT, islands);
    const at = table + (record.id & MAX_SLOT) * (Shape.SIZE >> 2);
    const p = at + (Shape.position >> 2);
    const q = at + (Shape.rotation >> 2);
    const rotation = [floats[q]!, floats[q + 1]!, floats[q + 2]!, floats[q + 3]!];
    const place = (x: number, y: number, z: number): Vec3 => {
      const r = rotate(rotation, [x, y, z]);
      return [r[0] + floats[p]!, r[1] + floats[p + 1]!, r[2] + floats[p + 2]!];
    };
    const [a, b, c] = record.params;
    if (record.type === SHAPE_BOX) writer.box([-a, -b, -c], [a, b, c], place);
    else if (record.type === SHAPE_SPHERE) drawCapsule(writer, a, 0, place);
    else if (record.type === SHAPE_CAPSULE) drawCapsule(writer, a, b, place);
    else if (record.type === SHAPE_CYLINDER) drawCone(writer, a, a, b, place);
    else if (record.type === SHAPE_CONE) drawCone(writer, a, 0, b, place);
    else if (record.type === SHAPE_HULL) drawHull(writer, record.geometry!, place);
    else if (record.type === SHAPE_MESH)
      drawTriangles(writer, readMesh(record.geometry!.words), (x, y, z) => place(a * x, b * y, c * z));
    else if (record.type === SHAPE_HEIGHTFIELD) {
      const triangles = fieldTriangles(readHeightfield(record.geometry!.words));
      drawTriangles(writer, triangles, (x, y, z) => place(a * x, b * y, c * z));
    } else if (record.geometry !== undefined)
      drawPoints(writer, record.geometry, record.type === SHAPE_TRIANGLE, place);
    else if (record.type === SHAPE_PLANE) drawPlane(writer, place);
    else writer.box([-a, -b, -c], [a, b, c], place); // the box of its sizes
  }
}

type Place = (x: number, y: number, z: number) => Vec3;

/** Circles about y at both ends of the segment, and two outlines; a sphere where the segment is a point. */
function drawCapsule(writer: LineWriter, radius: number, half: number, place: Place): void {
  for (let i = 0; i < CIRCLE_SEGMENTS; i++) {
    const [c0, s0] = CIRCLE[i]!;
    const [c1, s1] = CIRCLE[i + 1]!;
    const ends = half === 0 ? [0] : [half, -half];
    for (const y of ends)
      writer.line(...place(radius * c0, y, radius * s0), ...place(radius * c1, y, radius * s1));
    // The upper half of each outline belongs to the upper end.
    const y = i < CIRCLE_SEGMENTS / 2 ? half : -half;
    writer.line(...place(radius * c0, y + radius * s0, 0), ...place(radius * c1, y + radius * s1, 0));
    writer.line(...place(0, y + radius * s0, radius * c0), ...place(0, y + radius * s1, radius * c1));
  }
  if (half === 0) return;
  for (const [x, z] of [
    [radius, 0],
    [-radius, 0],
    [0, radius],
    [0, -radius],
  ] as const)
    writer.line(...place(x, -half, z), ...place(x, half, z));
}

/** A cone from the radius below to that above: a cylinder where they are equal. */
function drawCone(writer: LineWriter, below: number, above: number, half: number, place: Place): void {
  for (let i = 0; i < CIRCLE_SEGMENTS; i++) {
    const [c0, s0] = CIRCLE[i]!;
    const [c1, s1] = CIRCLE[i + 1]!;
    writer.line(...place(below * c0, -half, below * s0), ...place(below * c1, -half, below * s1));
    if (above > 0)
      writer.line(...place(above * c0, half, above * s0), ...place(above * c1, half, above * s1));
    if (i % (CIRCLE_SEGMENTS / 4) === 0)
      writer.line(...place(below * c0, -half, below * s0), ...place(above * c0, half, above * s0));
  }
}

function drawHull(writer: LineWriter, { words }: Geometry, place: Place): void {
  const { vertices, faces } = readGeometry(words);
  const at = (v: number) => place(vertices[3 * v]!, vertices[3 * v + 1]!, vertices[3 * v + 2]!);
  for (const face of faces)
    face.forEach((v, i) => {
      const w = face[(i + 1) % face.length]!;
      if (v < w) writer.line(...at(v), ...at(w));
    });
}

function drawTriangles(
  writer: LineWriter,
  { vertices, indices }: { vertices: ArrayLike<number>; indices: ArrayLike<number> },
  place: Place,
): void {
  const at = (v: number) => place(vertices[3 * v]!, vertices[3 * v + 1]!, vertices[3 * v + 2]!);
  for (let i = 0; i < indices.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const [v, w] = [indices[i + k]!, indices[i + ((k + 1) % 3)]!];
      writer.line(...at(v), ...at(w));
    }
}

/** The points of a triangle or the balls of a multi-sphere, which follow a header: x, y, z and radius. */
function drawPoints(writer: LineWriter, { words }: Geometry, joined: boolean, place: Place): void {
  const count = words[PointGeometry.count >> 2]!;
  const points = new Float32Array(words.buffer, words.byteOffset + PointGeometry.SIZE, 4 * count);
  const at = (i: number) => place(points[4 * i]!, points[4 * i + 1]!, points[4 * i + 2]!);
  for (let i = 0; i < count; i++) {
    const [x, y, z, radius] = points.subarray(4 * i, 4 * i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (joined) writer.line(...at(i), ...at((i + 1) % count));
    else drawCapsule(writer, radius, 0, (px, py, pz) => place(x + px, y + py, z + pz));
  }
}

function drawPlane(writer: LineWriter, place: Place): void {
  for (let i = -PLANE_REACH; i <= PLANE_REACH; i += PLANE_STEP) {
    writer.line(...place(i, 0, -PLANE_REACH), ...place(i, 0, PLANE_REACH));
    writer.line(...place(-PLANE_REACH, 0, i), ...place(PLANE_REACH, 0, i));
  }
  writer.line(...place(0, 0, 0), ...place(0, 1, 0));
}

function drawAabbs(world: World, writer: LineWriter): void {
  const { floats } = world.instance;
  const table = world.instance.table('shapes');
  writer.color = AABB_COLOR;
  for (const record of world.replica.shapeRecords) {
    if (record === undefined || record.type === SHAPE_PLANE) continue;
    const at = table + (record.id & MAX_SLOT) * (Shape.SIZE >> 2);
    const min = at + (Shape.aabbMin >> 2);
    const max = at + (Shape.aabbMax >> 2);
    writer.box(floats.subarray(min, min + 3), floats.subarray(max, max + 3), (x, y, z) => [x, y, z]);
  }
}

function drawContacts(world: World, writer: LineWriter): void {
  writer.color = CONTACT_COLOR;
  for (const { normal, points } of world.getContacts())
    for (const { position, impulse } of points) {
      const [x, y, z] = position;
      const length = Math.min(LONGEST_NORMAL, NORMAL_LENGTH + NORMAL_PER_IMPULSE * impulse);
      writer.line(x - CROSS, y, z, x + CROSS, y, z);
      writer.line(x, y, z - CROSS, x, y, z + CROSS);
      writer.line(x, y, z, x + length * normal[0], y + length * normal[1], z + length * normal[2]);
    }
}

function drawJoints(world: World, writer: LineWriter): void {
  for (const joint of world.replica.jointRecords)
    if (joint !== undefined) drawJoint(world.instance, joint, writer);
}
