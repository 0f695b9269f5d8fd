// A courtyard for characters: stairs, slopes, walls that meet, crates, a bridge that shuttles, a disc that turns, a hill.
// In: a world in process. Out: its bodies, and walkers who find their way by numbers alone. For the page character.html
// and, as a scene that characters steer, for the hashes of Node and browsers.
import { deterministic, type RigidBody, type World } from 'ricochet';
import { CharacterController } from 'ricochet/character';
import { heightfield, mesh } from 'ricochet/cooking';
import { circle, createHills } from './scenes/forms';
import { createRandom } from './scenes/random';
import { createGround, type SceneTarget } from './scenes/scene';
import type { SteeredScene } from './steering';

export const RADIUS = 0.3;
export const HALF_HEIGHT = 0.55;
export const FIGURE = { type: 'capsule', radius: RADIUS, halfHeight: HALF_HEIGHT } as const;
const DT = 1 / 60;
/** Steps of a whole turn of disc and walkers, and of a way to and fro of the bridge. */
const TURN = 900;
const SHUTTLE = 720;
/** User indices of what moves. */
const BRIDGE = 101;
const DISC = 102;
const WALKERS = 6;

const { degreesToRadians, quatFromAxisAngle, tan } = deterministic;

const STEPS = 8;
const RISE = 0.3;
const TREAD = 0.45;
/** m: of the landing that stairs and bridge lead to. */
const TOP = STEPS * RISE;

function build(target: SceneTarget): void {
  createGround(target);
  // The floor is a plane; what is on it is drawn.
  const block = (
    position: [number, number, number],
    halfExtents: [number, number, number],
    rotation: [number, number, number, number] = [0, 0, 0, 1],
  ) => target.createBody({ type: 'static', position, rotation, shape: { type: 'box', halfExtents } });

  // Stairs to a landing, and another across a gap, which the bridge joins.
  for (let i = 0; i < STEPS; i++) {
    const height = (i + 1) * RISE;
    block([-6 - TREAD * i, height / 2, -4], [TREAD / 2, height / 2, 1.5]);
  }
  const landing = -6 - TREAD * STEPS;
  block([landing - 1, TOP / 2, -4], [1 + TREAD / 2, TOP / 2, 1.5]);
  block([landing - 1, TOP / 2, 5], [1 + TREAD / 2, TOP / 2, 1.5]);
  target.createBody({
    type: 'kinematic',
    position: [landing - 1, TOP - 0.1, -1.5],
    userIndex: BRIDGE,
    shape: { type: 'box', halfExtents: [1, 0.1, 1] },
  });

  // Slopes of triangles: 25°, 40°, and 55°, which is too steep.
  [25, 40, 55].forEach((degrees, i) => {
    const [height, z] = [2, 4 + 2.4 * i];
    const length = height / tan(degreesToRadians(degrees));
    const vertices = [
      [0, 0, -1],
      [0, 0, 1],
      [length, height, -1],
      [length, height, 1],
      [length + 1.5, height, -1],
      [length + 1.5, height, 1],
      [length, 0, -1],
      [length, 0, 1],
      [length + 1.5, 0, -1],
      [length + 1.5, 0, 1],
    ].flat();
    const indices = [
      [0, 1, 3, 0, 3, 2],
      [2, 3, 5, 2, 5, 4],
      [4, 5, 9, 4, 9, 8],
      [0, 2, 6, 1, 7, 3, 2, 4, 8, 2, 8, 6, 3, 7, 9, 3, 9, 5],
    ].flat();
    target.createBody({ type: 'static', position: [4, 0, z], shape: mesh({ vertices, indices }) });
  });

  // Two walls that meet at 60°.
  for (const side of [1, -1])
    block(
      [9.5 - 1.8, 1, -6 + side * 1.1],
      [2.1, 1, 0.12],
      quatFromAxisAngle([0, 1, 0], side * degreesToRadians(30)),
    );

  target.createBody({
    type: 'kinematic',
    position: [2, 0.1, -6],
    userIndex: DISC,
    shape: { type: 'cylinder', radius: 2, halfHeight: 0.1 },
  });

  const hills = createHills(5);
  const heights = Float32Array.from({ length: 25 * 25 }, (_, i) => {
    const [x, z] = [(i % 25) / 12 - 1, Math.floor(i / 25) / 12 - 1];
    return 1.9 * (1 - x * x) * (1 - z * z) * (1 + 0.5 * hills(3 * x, 3 * z)) - 0.05;
  });
  target.createBody({
    type: 'static',
    position: [-3, 0, 5],
    shape: heightfield({ rows: 25, columns: 25, spacing: 0.25, heights }),
  });

  let index = 0;
  for (let layer = 0; layer < 3; layer++)
    for (let i = 0; i < 3 - layer; i++)
      target.createBody({
        position: [0.62 * (i + layer / 2) - 0.6, 0.25 + 0.51 * layer, -1.5],
        mass: 12,
        userIndex: index++,
        shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25], friction: 0.4 },
      });
  for (let i = 0; i < 4; i++)
    target.createBody({
      position: [3 + i, 0.4, 0.5],
      mass: 4,
      userIndex: index++,
      shape: { type: 'sphere', radius: 0.35, rollingFriction: 0.01 },
    });
}

/** What moves by itself: targets for the step that begins. */
export class Courtyard {
  private readonly bridge: RigidBody;
  private readonly disc: RigidBody;

  constructor(world: World) {
    const bodies = [...world.bodies()];
    const find = (index: number) => bodies.find(({ userIndex }) => userIndex === index)!;
    this.bridge = find(BRIDGE);
    this.disc = find(DISC);
  }

  aim(step: number): void {
    const [x, y] = this.bridge.getPosition();
    // It waits at both ends.
    const [, s] = circle(step, SHUTTLE);
    const share = Math.max(-1, Math.min(1, 1.3 * s));
    this.bridge.setKinematicTarget([x, y, 0.5 + 2 * share]);
    this.disc.setKinematicTarget([2, 0.1, -6], quatFromAxisAngle([0, 1, 0], (step * 2 * Math.PI) / TURN));
  }
}

/** Walkers on rounds of their own, who jump now and then. */
export class Walkers {
  readonly all: readonly CharacterController[];

  constructor(world: World) {
    this.all = Array.from({ length: WALKERS }, (_, i) => {
      const [c, s] = circle(i, WALKERS);
      return new CharacterController(world, { shape: FIGURE, position: [7 * c, 0.9, 7 * s] });
    });
  }

  update(step: number): void {
    this.all.forEach((walker, i) => {
      const [x, , z] = walker.getPosition();
      const [c, s] = circle(step + (i * TURN) / WALKERS, TURN);
      const [dx, dz] = [(5 + i) * c - x, (5 + i) * s - z];
      const size = Math.sqrt(dx * dx + dz * dz) + 1e-6;
      const speed = Math.min(3.5, 3 * size) / size;
      if (walker.isGrounded && createRandom(step * WALKERS + i)() < 0.006) walker.jump();
      walker.update([speed * dx, 0, speed * dz], DT);
    });
  }
}

const running = new WeakMap<World, { courtyard: Courtyard; walkers: Walkers }>();

export const courtyard: SteeredScene = {
  id: 'courtyard',
  title: 'Courtyard',
  description: 'Walk among stairs, slopes, crates, a bridge that shuttles and a disc that turns.',
  camera: { position: [9, 8, 13], target: [-1, 0.8, 0] },
  build,
  beforeStep(world, step) {
    let parts = running.get(world);
    if (parts === undefined)
      running.set(world, (parts = { courtyard: new Courtyard(world), walkers: new Walkers(world) }));
    if (step > 1) parts.walkers.update(step - 1);
    parts.courtyard.aim(step);
  },
};
