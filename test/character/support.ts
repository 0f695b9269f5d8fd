// Scenes for characters: floors, stairs, ramps, walls, and the walking itself.
import {
  type Character,
  CharacterController,
  type CharacterOptions,
  type CharacterSetup,
  createCharacter,
} from 'ricochet/character';
import { heightfield, mesh, type PhysicsWorld, type ShapeOptions, type World } from '../../src/index';

export const DT = 1 / 60;
export const RADIUS = 0.3;
export const HALF = 0.6;
/** m: of the capsule's middle when it stands on y = 0 with its offset. */
export const STANDING = RADIUS + HALF + 0.02;
export const CAPSULE = { type: 'capsule', radius: RADIUS, halfHeight: HALF } as const;

/** A sheet of squares of 1 m in the plane, or lifted by `height`. */
export function sheet(size: number, height = (_x: number, _z: number) => 0, spacing = 1): ShapeOptions {
  const n = size + 1;
  const vertices = new Float32Array(3 * n * n);
  const indices: number[] = [];
  for (let r = 0; r < n; r++)
    for (let c = 0; c < n; c++) {
      const [x, z] = [(c - size / 2) * spacing, (r - size / 2) * spacing];
      vertices.set([x, height(x, z), z], 3 * (r * n + c));
      if (r === 0 || c === 0) continue;
      const a = (r - 1) * n + c - 1;
      indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  return mesh({ vertices, indices: Uint32Array.from(indices) });
}

export function field(size: number, height: (x: number, z: number) => number): ShapeOptions {
  const n = size + 1;
  const heights = Float32Array.from({ length: n * n }, (_, i) =>
    height((i % n) - size / 2, Math.floor(i / n) - size / 2),
  );
  return heightfield({ rows: n, columns: n, spacing: 1, heights });
}

export function box(
  world: World,
  position: [number, number, number],
  halfExtents: [number, number, number],
  more: object = {},
) {
  return world.createBody({ type: 'static', position, shape: { type: 'box', halfExtents }, ...more });
}

export function character(world: World, options: Partial<CharacterOptions> = {}): CharacterController {
  return new CharacterController(world, { shape: CAPSULE, position: [0, STANDING, 0], ...options });
}

/** Steps, then updates; calls `each` after every update. */
export function walk(
  world: World,
  who: CharacterController,
  velocity: [number, number, number],
  seconds: number,
  each?: (step: number) => void,
): void {
  const steps = Math.round(seconds / DT);
  for (let i = 0; i < steps; i++) {
    world.step(DT);
    who.update(velocity, DT);
    each?.(i);
  }
}

/** A character of the core, in a World or a worker. */
export function hero(world: PhysicsWorld, setup: Partial<CharacterSetup> = {}): Promise<Character> {
  return createCharacter(world, { shape: CAPSULE, position: [0, STANDING, 0], ...setup });
}

/** Steps while a character of the core wants a velocity; calls `each` after every step. */
export function march(
  world: World,
  who: Character,
  move: [number, number, number],
  seconds: number,
  each?: (step: number) => void,
  dt = DT,
): void {
  who.setInput({ move });
  const steps = Math.round(seconds / dt);
  for (let i = 0; i < steps; i++) {
    world.step(dt);
    each?.(i);
  }
}
