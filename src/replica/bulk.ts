// Creates many bodies in one call. In: one set of options, and typed arrays with the values that differ per body. Out:
// ids, and commands. The options are checked and encoded once; each further body is a copy of these words with its own
// ids and pose, at about a tenth of the cost of single calls.

import { PhysicsError } from '../base/errors';
import { type BodyId, MAX_SLOT } from '../base/ids';
import { MAX_VELOCITY } from '../base/limits';
import { COORDINATE, checkOptions, invalid, readQuat, readVec3, SIGNED } from '../base/validate';
import { BODY_STATIC } from '../core/memory/constants';
import { draftBody } from '../options/bodies';
import type { BodyOptions } from '../types';
import { AddShape, CreateBody } from '../wasm/core-commands';
import { CommandWriter } from './commandWriter';
import type { ReplicaBodies } from './replicaBodies';

/** What differs from body to body: three (rotations: four) numbers per body. */
export interface BodyPlaces {
  /** m. Says how many bodies there are. */
  positions: ArrayLike<number>;
  /** Unit quaternions, four numbers each. Default: that of the template. */
  rotations?: ArrayLike<number>;
  /** m/s */
  linearVelocities?: ArrayLike<number>;
  /** rad/s */
  angularVelocities?: ArrayLike<number>;
}

/** Words before the fields of a command. */
const HEAD = 1;

const NAMES = ['positions', 'rotations', 'linearVelocities', 'angularVelocities'] as const;
const WIDTHS = { positions: 3, rotations: 4, linearVelocities: 3, angularVelocities: 3 };
/** Words of createBody, including the head, at which these fields start. */
const AT = {
  positions: HEAD + CreateBody.position,
  rotations: HEAD + CreateBody.rotation,
  linearVelocities: HEAD + CreateBody.linearVelocity,
  angularVelocities: HEAD + CreateBody.angularVelocity,
};
const VELOCITY = SIGNED(MAX_VELOCITY);

/** Reads and checks one array; NaN and numbers out of range are errors that name the index. */
function readPlaces(
  values: ArrayLike<number>,
  name: (typeof NAMES)[number],
  count: number,
): ArrayLike<number> {
  const width = WIDTHS[name];
  if (values?.length !== width * count)
    throw invalid(`places.${name}`, `must hold ${width} numbers for each of ${count} bodies`, values);
  const range = name === 'positions' || name === 'rotations' ? COORDINATE : VELOCITY;
  const out = name === 'rotations' ? new Float64Array(width * count) : new Float32Array(width * count);
  const turn = [0, 0, 0, 1];
  for (let i = 0; i < out.length; i++) {
    const value = values[i]!;
    if (typeof value !== 'number' || !(value >= range.min && value <= range.max)) {
      const body = Math.floor(i / width);
      const part = Array.from({ length: width }, (_, k) => values[body * width + k]);
      if (width === 3) readVec3(part, `places.${name}[${body}]`, range, turn);
      else readQuat(part, `places.${name}[${body}]`, turn);
    }
    out[i] = value;
  }
  if (name !== 'rotations') return out;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 4; k++) turn[k] = out[4 * i + k]!;
    readQuat(turn, `places.rotations[${i}]`, turn);
    out.set(turn, 4 * i);
  }
  return out;
}

/** Creates one body like `template` at each place; all or none. Ids in the order of the places. */
export function createBodies(replica: ReplicaBodies, template: BodyOptions, places: BodyPlaces): Int32Array {
  const given = checkOptions(places, 'places', NAMES) as Partial<BodyPlaces>;
  const length: unknown = given.positions?.length;
  if (typeof length !== 'number' || !(length >= 0) || length % 3 !== 0)
    throw invalid('places.positions', 'must be an array of three numbers per body', given.positions);
  const count = length / 3;
  replica.bodies.checkRoom(count); // before memory is allocated
  const draft = draftBody(template);
  const columns = NAMES.filter((name) => given[name] !== undefined).map((name) => ({
    values: readPlaces(given[name]!, name, count),
    width: WIDTHS[name],
    at: AT[name],
  }));
  if (draft.record.type === BODY_STATIC && columns.some(({ at }) => at >= AT.linearVelocities))
    throw new PhysicsError('invalid-argument', 'must not hold velocities for static bodies', 'places');
  replica.shapes.checkRoom(count * draft.shapes.length);
  const ids = new Int32Array(count);
  if (count === 0) return ids;
  replica.shareGeometry(draft.shapes, count);

  // The words of one body, as a separate replica writes them.
  const { words, floats, shapesAt } = encode(replica, draft);
  for (let i = 0; i < count; i++) {
    const id: BodyId = replica.bodies.allocate();
    const slot = id & MAX_SLOT;
    ids[i] = id;
    words[HEAD + CreateBody.body] = slot;
    words[HEAD + CreateBody.generation] = id >>> 18;
    for (const { values, width, at } of columns)
      for (let k = 0; k < width; k++) floats[at + k] = values[i * width + k]!;
    const { type, massProps, linearFactor, angularFactor, knobs } = draft.record;
    const shapes: number[] = [];
    for (let k = 0; k < draft.shapes.length; k++) {
      const shape = replica.shapes.allocate();
      const at = shapesAt[k]! + HEAD;
      words[at + AddShape.body] = slot;
      words[at + AddShape.shape] = shape & MAX_SLOT;
      words[at + AddShape.generation] = shape >>> 18;
      replica.shapeRecords[shape & MAX_SLOT] = { ...draft.shapes[k]!, id: shape, body: id };
      shapes.push(shape);
    }
    replica.bodyRecords[slot] = { id, type, massProps, linearFactor, angularFactor, knobs, shapes };
    replica.placed(id, floats, AT.positions);
    replica.writer.append(words);
    for (const shape of shapes) replica.writeTraits(replica.shape(shape));
  }
  return ids;
}

function encode(replica: ReplicaBodies, draft: ReturnType<typeof draftBody>) {
  const writer = new CommandWriter();
  const shapesAt = replica.encodeDraft(writer, draft);
  const words = writer.view().slice();
  return { words, floats: new Float32Array(words.buffer), shapesAt };
}
