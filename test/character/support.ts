// Scenes for characters: floors, stairs, ramps, walls, and the walking itself.
import {
  type Character,
  CharacterController,
  type CharacterOptions,
  type CharacterSetup,
  createCharacter,
} from 'ricochet/character';
import { between, rotation } from '../../demo/scenes/random';
import {
  deterministic,
  heightfield,
  mesh,
  type PhysicsWorld,
  type ShapeOptions,
  type World,
} from '../../src/index';

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

/**
 * A court with walls and places for `count` characters, which head at 4 m/s for where the middle of a turning wheel is in
 * step k.
 */
export function wheelCourt(world: World, count: number) {
  const side = Math.ceil(Math.sqrt(count));
  const half = 0.36 * side;
  for (const s of [1, -1]) {
    box(world, [s * (half + 0.1), 1, 0], [0.1, 2, half + 0.2]);
    box(world, [0, 1, s * (half + 0.1)], [half + 0.2, 2, 0.1]);
  }
  const places = Array.from({ length: count }, (_, i): [number, number, number] => [
    0.7 * ((i % side) - side / 2 + 0.5),
    STANDING,
    0.7 * (Math.floor(i / side) - side / 2 + 0.5),
  ]);
  const towardsMiddle = (
    k: number,
    [x, , z]: readonly [number, number, number],
  ): [number, number, number] => {
    const turn = 0.03 * k;
    const dx = 1.5 * half * deterministic.cos(turn) - x;
    const dz = 1.5 * half * deterministic.sin(turn) - z;
    const size = Math.sqrt(dx * dx + dz * dz) + 1e-9;
    return [(4 * dx) / size, 0, (4 * dz) / size];
  };
  return { half, places, towardsMiddle };
}

/** A capsule `size` times as large as usual on the ground. */
export function sized(size: number, offset: number): Partial<CharacterSetup> {
  return {
    shape: { type: 'capsule', radius: RADIUS * size, halfHeight: HALF * size },
    position: [0, 0.95 * size, 0],
    offset,
    stepHeight: 0.35 * size,
    stepWidth: 0.15 * size,
    snapDistance: 0.35 * size,
  };
}

/** m: half the width of a court. */
export const COURT_HALF = 8;

/**
 * A court with walls, on one of three floors, and 40 boxes, cylinders, balls and hulls in it, a fourth of them dynamic.
 * Returns the height of the first two floors at a place; the third is the plane y = 0.
 */
export function addCourt(world: World, random: () => number, seed: number): (x: number, z: number) => number {
  const half = COURT_HALF;
  const height = (x: number, z: number) =>
    0.5 * deterministic.sin(0.9 * x + seed) * deterministic.cos(0.7 * z) +
    0.2 * deterministic.sin(2.3 * z + x);
  const floors: (() => ShapeOptions)[] = [
    () => sheet(2 * half + 4, height),
    () => field(2 * half + 4, height),
    () => ({ type: 'plane' }),
  ];
  world.createBody({ type: 'static', shape: floors[seed % 3]!() });
  for (const s of [1, -1]) {
    box(world, [s * (half + 0.5), 2, 0], [0.5, 4, half + 1]);
    box(world, [0, 2, s * (half + 0.5)], [half + 1, 4, 0.5]);
  }
  for (let i = 0; i < 40; i++) {
    const size = between(random, 0.1, 0.8);
    const shape: ShapeOptions[] = [
      { type: 'box', halfExtents: [size, between(random, 0.05, 0.5), size] },
      { type: 'cylinder', radius: size, halfHeight: 0.4 },
      { type: 'sphere', radius: size },
      { type: 'hull', points: Array.from({ length: 36 }, () => between(random, -size, size)) },
    ];
    world.createBody({
      type: i % 4 === 3 ? 'dynamic' : 'static',
      position: [between(random, -7, 7), between(random, -0.2, 1.2), between(random, -7, 7)],
      rotation: i % 2 ? rotation(random) : [0, 0, 0, 1],
      shape: shape[i % shape.length]!,
    });
  }
  return height;
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
  dt = DT,
): void {
  const steps = Math.round(seconds / dt);
  for (let i = 0; i < steps; i++) {
    world.step(dt);
    who.update(velocity, dt);
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
