// Marbles in a gutter that winds down to a bowl, all of it triangles: any bump at an edge between them would throw
// a marble off its line. Circles are drawn by rational rotations, so that they are the same in every engine.
import { mesh } from 'ricochet/cooking';
import { circle } from './forms';
import { between, createRandom } from './random';
import { createGround, type Scene } from './scene';

const RADIUS = 3.2; // m, of the helix
const PITCH = 1.6; // m per turn
const TURNS = 3;
const SEGMENTS = 48; // per turn
const GUTTER = 0.45; // m, radius of the half pipe
const ACROSS = 10;
const TOP = 6.6;
const MARBLES = 36;

/** A sheet of rows of points, each as long as the next. */
function sheet(rows: [number, number, number][][]) {
  const across = rows[0]!.length;
  const indices: number[] = [];
  for (let i = 0; i + 1 < rows.length; i++)
    for (let k = 0; k + 1 < across; k++) {
      const a = i * across + k;
      indices.push(a, a + 1, a + across, a + 1, a + across + 1, a + across);
    }
  return { vertices: rows.flat(2), indices };
}

function gutter() {
  const rows: [number, number, number][][] = [];
  const count = TURNS * SEGMENTS;
  for (let i = 0; i <= count; i++) {
    const [c, s] = circle(i, SEGMENTS);
    const y = TOP - (PITCH * i) / SEGMENTS;
    const row: [number, number, number][] = [];
    for (let k = 0; k <= ACROSS; k++) {
      const [u, v] = circle(k, 2 * ACROSS); // half a turn: from the inner edge through the bottom to the outer
      // The outer wall is higher: marbles get fast.
      const lift = k > ACROSS / 2 ? 1.5 : 1;
      const r = RADIUS - GUTTER * u;
      row.push([r * c, y + GUTTER * (1 - v) * lift, r * s]);
    }
    rows.push(row);
  }
  return sheet(rows);
}

/** A round bowl below the end of the gutter, open at the top. */
function bowl() {
  const rows: [number, number, number][][] = [];
  for (let ring = 0; ring <= 12; ring++) {
    const t = ring / 12;
    const r = 0.05 + 4.6 * t;
    rows.push(
      Array.from({ length: 49 }, (_, k) => {
        const [c, s] = circle(k, 48);
        return [r * c, 0.15 + 1.5 * t * t * t, r * s] as [number, number, number];
      }),
    );
  }
  return sheet(rows);
}

export const marbleRun: Scene = {
  id: 'marble-run',
  title: 'Marbles',
  description: 'A gutter of triangles winds down to a bowl. Nothing may bump.',
  camera: { position: [4.6, 11.5, 9], target: [0.5, 3.6, 0] },
  build(target) {
    createGround(target);
    for (const triangles of [gutter(), bowl()])
      target.createBody({ type: 'static', shape: mesh({ ...triangles, friction: 0.3 }) });
    const random = createRandom(36);
    for (let i = 0; i < MARBLES; i++) {
      // Along most of the first turn, in the middle of the gutter, without touching.
      const at = 2 + 1.05 * i;
      const [c, s] = circle(at, SEGMENTS);
      target.createBody({
        position: [RADIUS * c, TOP - (PITCH * at) / SEGMENTS + 0.24 + between(random, 0, 0.02), RADIUS * s],
        shape: { type: 'sphere', radius: between(random, 0.16, 0.2), density: 2500, friction: 0.3 },
        userIndex: i,
      });
    }
  },
};
