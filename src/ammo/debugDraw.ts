// btIDebugDraw and DebugDrawer: a program's functions receive lines as pointers into the heap. In: the engine's debug
// lines. Out: calls of drawLine and drawContactPoint.
import type { World } from '../index';
import { forgotten } from './errors';
import { heap } from './heap';
import { WrapperObject } from './object';

export class btIDebugDraw extends WrapperObject {
  drawLine(_from: unknown, _to: unknown, _color: unknown): void {
    forgot('drawLine');
  }

  drawContactPoint(
    _pointOnB: unknown,
    _normalOnB: unknown,
    _distance: number,
    _lifeTime: number,
    _color: unknown,
  ): void {
    forgot('drawContactPoint');
  }

  reportErrorWarning(_warningString: unknown): void {
    forgot('reportErrorWarning');
  }

  draw3dText(_location: unknown, _textString: unknown): void {
    forgot('draw3dText');
  }

  setDebugMode(_debugMode: number): void {
    forgot('setDebugMode');
  }

  getDebugMode(): number {
    return forgot('getDebugMode');
  }
}

function forgot(name: string): never {
  throw forgotten(`DebugDrawer::${name}`);
}

/** For programs that assign their own methods. */
export class DebugDrawer extends btIDebugDraw {}

/** btIDebugDraw::DebugDrawModes. */
const WIREFRAME = 1;
const AABB = 2;
const CONTACTS = 8;
const CONSTRAINTS = 2048;
const LIMITS = 4096;

/** from, to and colour, 16 bytes each. */
let scratch = 0;

/** Calls the drawer for the parts that its mode selects. */
export function drawWorld(world: World, drawer: btIDebugDraw): void {
  const mode = drawer.getDebugMode();
  if (mode === 0) return;
  if (scratch === 0) scratch = heap.malloc(48);
  const [from, to, color] = [scratch, scratch + 16, scratch + 32];
  const put = (address: number, list: ArrayLike<number>, at: number) => {
    for (let i = 0; i < 3; i++) heap.floats[(address >> 2) + i] = list[at + i]!;
  };
  const { count, positions, colors } = world.debugLines({
    shapes: (mode & WIREFRAME) !== 0,
    aabbs: (mode & AABB) !== 0,
    joints: (mode & (CONSTRAINTS | LIMITS)) !== 0,
  });
  for (let i = 0; i < count; i++) {
    put(from, positions, 6 * i);
    put(to, positions, 6 * i + 3);
    const shade = colors[i]!;
    heap.floats.set([(shade >> 16) / 255, ((shade >> 8) & 255) / 255, (shade & 255) / 255], color >> 2);
    drawer.drawLine(from, to, color);
  }
  if ((mode & CONTACTS) === 0) return;
  heap.floats.set([1, 1, 0], color >> 2);
  for (const { normal, points } of world.getContacts())
    for (const { position, separation } of points) {
      put(from, position, 0);
      put(
        to,
        normal.map((n) => -n),
        0,
      );
      drawer.drawContactPoint(from, to, separation, 0, color);
    }
}
