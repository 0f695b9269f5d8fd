// What the pages for Babylon and PlayCanvas have in common: a tray, what falls into it, colours, figures. In: times of
// frames. Out: numbers, and the page's elements.
import { element } from './element';

export const SKY = '#e4e7e6';
export const PAPER = '#cfcdc6';
export const INK = '#20262e';
/** `?plain`: no shadows, which a machine without graphics draws for seconds. */
export const IS_PLAIN = new URLSearchParams(location.search).has('plain');

/** Terracotta, ochre, sage, teal, slate blue, plum. */
export const PIGMENTS = ['#d9694d', '#e8ae55', '#93b27c', '#439c97', '#5580b3', '#a06a95'] as const;

export const MARBLES = 60;
export const CRATES = 60;
/** m. */
export const RADIUS = 0.28;
export const HALF = 0.3;
/** m: half the tray, and how high its rim is. */
export const TRAY = 5;
export const RIM = 0.5;
/** m below which a body comes back from above. */
export const LOST = -6;
/** Links of the chain. */
export const LINKS = 6;

export type Triple = [number, number, number];

/** Boxes of the tray: half extents and centres, m. */
export const WALLS: readonly (readonly [Triple, Triple])[] = [
  [
    [TRAY, 0.2, TRAY],
    [0, -0.2, 0],
  ],
  [
    [TRAY, RIM / 2, 0.1],
    [0, RIM / 2, TRAY],
  ],
  [
    [TRAY, RIM / 2, 0.1],
    [0, RIM / 2, -TRAY],
  ],
  [
    [0.1, RIM / 2, TRAY],
    [TRAY, RIM / 2, 0],
  ],
  [
    [0.1, RIM / 2, TRAY],
    [-TRAY, RIM / 2, 0],
  ],
];

/** Places in a column above the tray, in rings. */
export function column(i: number, from: number): Triple {
  const angle = ((i % 10) / 10) * 2 * Math.PI + 0.3 * Math.floor(i / 10);
  const reach = 1.4 + 1.1 * (i % 3);
  return [reach * Math.cos(angle), from + 0.8 * Math.floor(i / 10), reach * Math.sin(angle)];
}

/** Where what fell off comes back. */
export const back = (i: number): Triple => [2 * Math.cos(i), 8, 2 * Math.sin(i)];

/** ms between two figures. */
const SHOWN = 500;

/** What a frame's physics takes, smoothed, on the page's card. */
export class Meter {
  frames = 0;
  private sum = 0;
  private count = 0;
  private last = 0;

  add(ms: number, bodies: number): void {
    this.frames++;
    this.sum += ms;
    this.count++;
    const now = performance.now();
    if (now - this.last < SHOWN) return;
    this.last = now;
    element('cost').textContent = (this.sum / this.count).toFixed(2);
    element('bodies').textContent = String(bodies);
    this.sum = this.count = 0;
  }
}

/** Calls `change` with what a switch of the card says, now and later. */
export function onSwitch(id: string, change: (on: boolean) => void): void {
  const input = element<HTMLInputElement>(id);
  input.addEventListener('change', () => change(input.checked));
  if (input.checked) change(true);
}
