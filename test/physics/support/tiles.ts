// Floors of tiles, and bodies that slide over them.
import { mesh, type ShapeOptions, type World } from '../../../src';
import { axisAngle, type Quat, type Vec3 } from './vector';
import { createWorld, position, velocity } from './world';

export const UP: Vec3 = [0, 1, 0];

export function boxPoints([x, y, z]: Vec3, taper = 1): Vec3[] {
  return [-1, 1].flatMap((j) =>
    [-1, 1].flatMap((i) =>
      [-1, 1].map((k): Vec3 => [i * x * (j > 0 ? taper : 1), j * y, k * z * (j > 0 ? taper : 1)]),
    ),
  );
}

/** Two triangles, level with the top of a tile of that size. */
export function sheet(x: number, z: number): ShapeOptions {
  return mesh({
    vertices: [-x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z],
    indices: [0, 1, 2, 0, 2, 3],
  });
}

export type TileKind = 'box' | 'hull' | 'mesh' | 'compound' | 'kinematic' | 'locked';

/** How tiles lie: sizes of one, how many on either side of the middle, where the middle is. */
export interface Tiling {
  half: Vec3;
  count: [number, number];
  shift: [number, number];
  yaw: number;
}

/** Tiles side by side with their tops at y = 0. */
export function lay(
  world: World,
  kinds: TileKind[],
  { half, count, shift, yaw }: Tiling,
  friction = 1,
): void {
  const rotation = axisAngle(UP, yaw);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const children: (ShapeOptions & { position: Vec3 })[] = [];
  let n = 0;
  for (let i = -count[0]; i <= count[0]; i++)
    for (let j = -count[1]; j <= count[1]; j++) {
      const kind = kinds[n++ % kinds.length] as TileKind;
      const [x, z] = [2 * half[0] * (i + shift[0]), 2 * half[2] * (j + shift[1])];
      const place: Vec3 = [x * c + z * s, -half[1], z * c - x * s];
      const box: ShapeOptions = { type: 'box', halfExtents: half, friction };
      if (kind === 'compound') children.push({ ...box, position: [x, -half[1], z] });
      else if (kind === 'mesh')
        world.createBody({
          type: 'static',
          position: [place[0], 0, place[2]],
          rotation,
          shape: { ...sheet(half[0], half[2]), friction } as ShapeOptions,
        });
      else
        world.createBody({
          type: kind === 'kinematic' ? 'kinematic' : kind === 'locked' ? 'dynamic' : 'static',
          ...(kind === 'locked' ? { mass: 50, linearFactor: [0, 0, 0], angularFactor: [0, 0, 0] } : {}),
          position: place,
          rotation,
          shape: kind === 'hull' ? { type: 'hull', points: boxPoints(half), friction } : box,
        });
    }
  if (children.length > 0) world.createBody({ type: 'static', rotation, shape: children });
}

export interface Slider {
  shape: ShapeOptions;
  low: number;
}

/** Of about the size of the three numbers. */
export const SLIDERS: Record<string, (a: number, b: number, c: number) => Slider> = {
  box: (a, b, c) => ({ shape: { type: 'box', halfExtents: [a, b, c] }, low: b }),
  sphere: (a) => ({ shape: { type: 'sphere', radius: a }, low: a }),
  capsule: (a, b) => ({ shape: { type: 'capsule', radius: a, halfHeight: b, axis: 'x' }, low: a }),
  cylinder: (a, b) => ({ shape: { type: 'cylinder', radius: a, halfHeight: b }, low: b }),
  'lying cylinder': (a, b) => ({
    shape: { type: 'cylinder', radius: a, halfHeight: b, axis: 'z' },
    low: a,
  }),
  cone: (a, b) => ({ shape: { type: 'cone', radius: a, halfHeight: 0.8 * b }, low: 0.8 * b }),
  hull: (a, b, c) => ({ shape: { type: 'hull', points: boxPoints([a, b, c], 0.7) }, low: b }),
};

export interface Run {
  slider: Slider;
  start: [number, number];
  heading: number;
  speed: number;
  seconds: number;
  hertz?: number;
  friction?: number;
  turn?: number;
}

/** Builds a floor; returns the height of its top where that is not 0. */
export type Floor = (world: World) => unknown;

/** Largest rise or fall and change of velocity of what slides over a floor. */
export function slide(build: Floor, run: Run): { bump: number; change: number } {
  const { slider, start, heading, speed, seconds, hertz = 60, friction = 0, turn = 0 } = run;
  const world = createWorld();
  const top = build(world);
  const rest = slider.low + (typeof top === 'number' ? top : 0);
  const [vx, vz] = [speed * Math.cos(heading), speed * Math.sin(heading)];
  const body = world.createBody({
    mass: 1,
    shape: { ...slider.shape, friction } as ShapeOptions,
    position: [start[0], rest, start[1]],
    rotation: axisAngle(UP, turn) as Quat,
    linearVelocity: [vx, 0, vz],
  });
  let [bump, change] = [0, 0];
  for (let i = 0; i < Math.round(seconds * hertz); i++) {
    world.step(1 / hertz);
    const v = velocity(body);
    bump = Math.max(bump, Math.abs(position(body)[1] - rest));
    change = Math.max(change, Math.hypot(v[0] - vx, v[2] - vz));
  }
  world.dispose();
  return { bump, change };
}
