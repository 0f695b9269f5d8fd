// Options of debug lines. Separate from the drawing, which the page of a worker does not load.
import { checkBoolean, checkOptions } from '../base/validate';

/** What debug lines show. */
export interface DebugLinesOptions {
  /** Wireframes of all shapes, coloured by state. Default true. */
  shapes?: boolean;
  /** The fat boxes of the broad phase. Default false. */
  aabbs?: boolean;
  /** Contact points and normals; the longer, the larger the impulse. Default false. */
  contacts?: boolean;
  /** Joints: from the centres of mass to the anchors, both frames, limits; red when broken. Default false. */
  joints?: boolean;
  /** Colour shapes by island instead of state. Default false. */
  islands?: boolean;
}

const SHOWN: Readonly<Required<DebugLinesOptions>> = {
  shapes: true,
  aabbs: false,
  contacts: false,
  joints: false,
  islands: false,
};
const NAMES = Object.keys(SHOWN) as (keyof DebugLinesOptions)[];

/** All of them, with their defaults. */
export function checkLineOptions(options: unknown): Required<DebugLinesOptions> {
  const checked = { ...SHOWN };
  for (const [name, value] of Object.entries(checkOptions(options, 'options', NAMES)))
    checked[name as keyof DebugLinesOptions] = checkBoolean(value, name);
  return checked;
}
