// What the demo opens with: twelve rows of dominoes on spirals, 3,000 in all, and a push at the start of each row. A domino
// is 0.12 m × 1 m × 0.5 m and weighs 1 kg.
import { deterministic } from 'ricochet';
import { createGround, type Scene } from './scene';

const { atan2, cos, quatFromAxisAngle, sin } = deterministic;
const ROWS = 12;
const LENGTH = 250;
/** m: from one domino to the next, from one row to the next, of the first domino from the centre. */
const SPACING = 0.46;
const GAP = 1.15;
const INNER = 2.6;
/** m per radian: how fast a row moves away from the centre. */
const PITCH = (ROWS * GAP) / (2 * Math.PI);
/** rad/s of the first of each row. */
const PUSH = 1.6;
const HALF: [number, number, number] = [0.06, 0.5, 0.25];

export const dominoes: Scene = {
  id: 'dominoes',
  title: 'Dominoes',
  description: '3,000 dominoes in twelve spirals. One push for each.',
  camera: { position: [4, 21, 29], target: [0, 0, 3.5] },
  build(target) {
    createGround(target);
    for (let row = 0; row < ROWS; row++) {
      const turned = (2 * Math.PI * row) / ROWS;
      let angle = 0;
      for (let i = 0; i < LENGTH; i++) {
        const radius = INNER + PITCH * angle;
        const c = cos(angle + turned);
        const s = sin(angle + turned);
        // Along the spiral: the derivative of (radius · c, radius · s) by the angle.
        const dx = PITCH * c - radius * s;
        const dz = PITCH * s + radius * c;
        const length = Math.sqrt(dx * dx + dz * dz);
        const push = i === 0 ? PUSH : 0;
        target.createBody({
          mass: 1,
          position: [radius * c, HALF[1], radius * s],
          rotation: quatFromAxisAngle([0, 1, 0], -atan2(dz, dx)),
          angularVelocity: [(push * dz) / length, 0, (-push * dx) / length],
          linearVelocity: [(push * HALF[1] * dx) / length, 0, (push * HALF[1] * dz) / length],
          shape: { type: 'box', halfExtents: HALF, friction: 0.4 },
          userIndex: Math.floor((14 * i) / LENGTH) + (row % 2),
        });
        angle += SPACING / length;
      }
    }
  },
};
