// Colours of the demo: a quiet studio and six pigments. Bodies at rest fade towards paper, so that one
// sees at a glance what is still being simulated.
import { Color } from 'three';

export const SKY_TOP = new Color('#8fa9bd');
export const SKY_HORIZON = new Color('#e4e7e6');
export const GROUND = new Color('#dcdad3');
export const GROUND_LINE = new Color('#c3c1b9');
export const STATIC = new Color('#cfcdc6');
export const BALL = new Color('#20262e');
const REST = new Color('#d8d4ca');

/** Terracotta, ochre, sage, teal, slate blue, plum. */
const PIGMENTS = ['#d9694d', '#e8ae55', '#93b27c', '#439c97', '#5580b3', '#a06a95'].map(
  (hex) => new Color(hex),
);

export function pigment(index: number): Color {
  return PIGMENTS[((index % PIGMENTS.length) + PIGMENTS.length) % PIGMENTS.length]!;
}

/** A colour between the pigments, which are treated as a closed ring; `at` 0…1 goes round once. */
export function blendedPigment(at: number, out = new Color()): Color {
  const place = (at - Math.floor(at)) * PIGMENTS.length;
  const index = Math.floor(place);
  return out.copy(pigment(index)).lerp(pigment(index + 1), place - index);
}

export function resting(color: Color, out: Color): Color {
  return out.copy(color).lerp(REST, 0.42);
}
