// Friction and restitution coefficients per material: the last table of a mesh or heightfield. In: the user's values
// per material index. Out: four f32 each, friction, restitution, rolling and spinning friction; −1 means the shape's
// value.
import { MAX_COEFFICIENT } from '../base/limits';
import { checkNumber, checkOptions, invalid, NON_NEGATIVE, readList } from '../base/validate';
import type { Material } from '../options/shapes';

const NAMES = ['friction', 'restitution', 'rollingFriction', 'spinningFriction'] as const;
const AS_THE_SHAPE = -1;

/** @throws PhysicsError 'invalid-argument' that names the material, 'unknown-option' */
export function readCoefficients(given: unknown, most: number): Float32Array | undefined {
  if (given === undefined) return undefined;
  const rule = `must be a list of 1 to ${most} materials`;
  const entries = readList(given, 'coefficients', rule);
  if (entries.length === 0 || entries.length > most) throw invalid('coefficients', rule, given);
  const out = new Float32Array(4 * entries.length).fill(AS_THE_SHAPE);
  entries.forEach((entry, i) => {
    const material = checkOptions(entry, `coefficients[${i}]`, NAMES) as Partial<Material>;
    NAMES.forEach((name, k) => {
      if (material[name] === undefined) return;
      const range = NON_NEGATIVE(name === 'restitution' ? 1 : MAX_COEFFICIENT);
      out[4 * i + k] = checkNumber(material[name], `coefficients[${i}].${name}`, range);
    });
  });
  return out;
}

/** What is wrong with a table from outside. */
export function coefficientsFault(table: Float32Array): string | undefined {
  const bad = table.findIndex(
    (value, i) => !(value === AS_THE_SHAPE || (value >= 0 && value <= (i % 4 === 1 ? 1 : MAX_COEFFICIENT))),
  );
  return bad < 0 ? undefined : `a coefficient of ${table[bad]}`;
}
