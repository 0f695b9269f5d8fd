// btKinematicCharacterController beside Bullet: the same calls on both engines. Bullet stands 4 cm deep in the ground
// and 2 cm in walls; ours 1 cm before them.
import { describe, expect, test } from 'vitest';
import { type Ammo, addBody, box, createWorld, ENGINES, load, positionOf, transformOf, xyz } from './engines';

const RADIUS = 0.3;
/** m: of the middle over the ground. */
const MIDDLE = 0.9;
/** m: by how much the two may stand apart. */
const NEAR = 0.06;

interface Scene {
  A: Ammo;
  world: Ammo;
  ghost: Ammo;
  who: Ammo;
  at(): [number, number, number];
  walk(way: readonly number[], steps: number, each?: () => void): void;
}

async function scene(
  engine: 'ricochet' | 'bullet',
  build: (A: Ammo, world: Ammo) => void = () => {},
): Promise<Scene> {
  const A = await load(engine);
  const world = createWorld(A);
  world.getPairCache().setInternalGhostPairCallback(new A.btGhostPairCallback());
  world.setGravity(new A.btVector3(0, -9.81, 0));
  addBody(A, world, box(A, 50, 0.5, 50), 0, { position: [0, -0.5, 0] });
  build(A, world);
  const ghost = new A.btPairCachingGhostObject();
  ghost.setWorldTransform(transformOf(A, { position: [0, 1, 0] }));
  const shape = new A.btCapsuleShape(RADIUS, 1.2);
  ghost.setCollisionShape(shape);
  ghost.setCollisionFlags(16); // CF_CHARACTER_OBJECT
  const who = new A.btKinematicCharacterController(ghost, shape, 0.35, 1);
  world.addCollisionObject(ghost, 32, -1);
  world.addAction(who);
  const run = (steps: number, each?: () => void) => {
    for (let i = 0; i < steps; i++) {
      world.stepSimulation(1 / 60, 0);
      each?.();
    }
  };
  run(60);
  return {
    A,
    world,
    ghost,
    who,
    at: () => xyz(ghost.getWorldTransform().getOrigin()),
    walk(way, steps, each) {
      who.setWalkDirection(new A.btVector3(...way));
      run(steps, each);
    },
  };
}

/** What a play ends with, on both: within `near` m of each other. Ours. */
async function both(
  play: (scene: Scene) => number[],
  near: number,
  build?: (A: Ammo, world: Ammo) => void,
): Promise<number[]> {
  const ends: number[][] = [];
  for (const engine of ENGINES) ends.push(play(await scene(engine, build)));
  for (const [i, value] of ends[0]!.entries())
    expect(Math.abs(value - ends[1]![i]!), `${ends.join(' | ')}`).toBeLessThan(near);
  return ends[0]!;
}

describe('a character beside Bullet', () => {
  test('its numbers at first', async () => {
    const numbers = await both(
      ({ who, ghost }) => [
        who.getGravity(),
        who.getMaxSlope(),
        Number(who.onGround()),
        Number(who.canJump()),
        Number(who.getGhostObject() === ghost),
      ],
      1e-6,
    );
    expect(numbers[0]).toBeCloseTo(29.4, 5);
  });

  test('stands, walks 3 m in a second of 5 cm a step', async () => {
    const [x, y, z] = await both(({ at, walk }) => {
      walk([0.05, 0, 0], 60);
      return at();
    }, NEAR);
    expect(x).toBeCloseTo(3, 4);
    expect(y).toBeCloseTo(MIDDLE + 0.01, 3);
    expect(z).toBeCloseTo(0, 5);
  });

  test('a velocity for half a second, then it stands', async () => {
    const [x] = await both(({ A, who, at, world }) => {
      who.setVelocityForTimeInterval(new A.btVector3(2, 0, 0), 0.5);
      for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 0);
      return [at()[0]];
    }, 0.04);
    expect(x).toBeCloseTo(1, 3);
  });

  test.each([
    [10, 29.4],
    [5, 9.8],
  ])('jumps with %s m/s against %s m/s² as high, and is in the air as long', async (speed, gravity) => {
    const [height] = await both(({ who, at, walk }) => {
      who.setJumpSpeed(speed);
      who.setGravity(gravity);
      const [, ground] = at();
      who.jump();
      let [top, steps] = [0, 0];
      walk([0.02, 0, 0], 120, () => {
        top = Math.max(top, at()[1] - ground);
        if (!who.onGround()) steps++;
      });
      return [top, steps / 100];
    }, 0.03);
    expect(height).toBeCloseTo((speed * speed) / 2 / gravity - speed / 120, 2);
  });

  test('climbs a step of 0.34 m, not one of 0.5 m', async () => {
    for (const height of [0.2, 0.34, 0.5]) {
      const [x, y] = await both(
        ({ at, walk }) => {
          walk([0.1, 0, 0], 90);
          return at().map((value, i) => (i === 0 ? value / 2 : value));
        },
        0.08,
        (A, world) => void addBody(A, world, box(A, 10, height / 2, 5), 0, { position: [12, height / 2, 0] }),
      );
      expect(y).toBeCloseTo(MIDDLE + 0.01 + (height < 0.5 ? height : 0), 2);
      expect(x! > 4).toBe(height < 0.5);
    }
  });

  test('slowly, too, where Bullet stays below', async () => {
    const build = (A: Ammo, world: Ammo) =>
      void addBody(A, world, box(A, 10, 0.15, 5), 0, { position: [12, 0.15, 0] });
    const ends: number[] = [];
    for (const engine of ENGINES) {
      const { at, walk } = await scene(engine, build);
      walk([0.05, 0, 0], 90);
      ends.push(at()[1]);
    }
    expect(ends[0]).toBeCloseTo(MIDDLE + 0.31, 2);
    expect(ends[1]).toBeLessThan(0.9);
  });

  test('is stopped by a wall, and slides along it', async () => {
    const [x, , z] = await both(
      ({ at, walk }) => {
        walk([0.05, 0, 0], 90);
        walk([0.03, 0, 0.04], 90);
        return at();
      },
      NEAR,
      (A, world) => void addBody(A, world, box(A, 0.5, 2, 20), 0, { position: [2, 1, 0] }),
    );
    expect(x).toBeCloseTo(1.5 - RADIUS - 0.01, 3);
    expect(z).toBeCloseTo(3.6, 2);
  });

  const ramp = (degrees: number) => (A: Ammo, world: Ammo) => {
    const a = (degrees * Math.PI) / 180;
    const position = [10 * Math.cos(a), 10 * Math.sin(a), 0];
    addBody(A, world, box(A, 15, 0.01, 10), 0, {
      position,
      rotation: [0, 0, Math.sin(a / 2), Math.cos(a / 2)],
    });
  };

  test('climbs 30°, not 50°; a limit of 60° lets it', async () => {
    for (const engine of ENGINES) {
      const { at, walk } = await scene(engine, ramp(30));
      walk([0.05, 0, 0], 90);
      expect(at()[1]).toBeGreaterThan(2.5); // Bullet loses a third of its way
    }
    const [, low] = await both(
      ({ at, walk }) => {
        walk([0.05, 0, 0], 120);
        return at();
      },
      0.15,
      ramp(50),
    );
    expect(low).toBeCloseTo(MIDDLE + 0.01, 2);
    const { who, at, walk } = await scene('ricochet', ramp(50));
    who.setMaxSlope(1.05);
    expect(who.getMaxSlope()).toBeCloseTo(1.05, 6);
    walk([0.05, 0, 0], 120);
    expect(at()[1]).toBeGreaterThan(3);
  });

  test('stands on 30° without creeping; Bullet creeps 1.7 m in 2 s', async () => {
    const creeps: number[] = [];
    for (const engine of ENGINES) {
      const { at, walk } = await scene(engine, ramp(30));
      walk([0.05, 0, 0], 90);
      const [before] = at();
      walk([0, 0, 0], 120);
      creeps.push(Math.abs(at()[0] - before));
    }
    expect(creeps[0]).toBeLessThan(1e-4);
    expect(creeps[1]).toBeGreaterThan(0.5);
  });

  test('is in the way of crates, pushes them, and knows what overlaps it', async () => {
    const crates: number[] = [];
    for (const engine of ENGINES) {
      let crate: Ammo;
      const { A, world, at, walk, ghost } = await scene(engine, (A, world) => {
        crate = addBody(A, world, box(A, 0.3), 5, { position: [1, 0.3, 0] });
      });
      walk([0.03, 0, 0], 60);
      const pushed = positionOf(crate)[0];
      expect(pushed - at()[0]).toBeGreaterThan(2 * RADIUS - 0.1);
      crates.push(pushed);
      // One that falls onto its head does not end inside of it.
      walk([0, 0, 0], 1);
      const falling = addBody(A, world, box(A, 0.3), 5, { position: [at()[0] + 0.1, 3, 0] });
      walk([0, 0, 0], 150);
      expect(Math.abs(positionOf(falling)[0] - at()[0])).toBeGreaterThan(0.5);
      expect(ghost.getNumOverlappingObjects()).toBeGreaterThan(0);
    }
    for (const pushed of crates) expect(pushed).toBeGreaterThan(1.5);
  });

  test('warped into the air it falls; another axis is up; another world takes it', async () => {
    const { A, who, at, walk, world, ghost } = await scene('ricochet');
    who.setVelocityForTimeInterval(new A.btVector3(1, 0, 0), 0);
    who.warp(new A.btVector3(5, 3, 5));
    expect(at()).toEqual([5, 3, 5]);
    for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 0);
    expect(who.onGround()).toBe(true);
    expect(at()[1]).toBeCloseTo(MIDDLE + 0.01, 3);
    world.removeCollisionObject(ghost);
    walk([0.05, 0, 0], 10); // out of the world nothing happens
    expect(at()[0]).toBeCloseTo(5, 5);
    who.setUpAxis(0);
    who.setFallSpeed(2);
    addBody(A, world, box(A, 0.5, 5, 5), 0, { position: [0, 5, 0] });
    who.warp(new A.btVector3(4, 5, 0));
    world.addCollisionObject(ghost, 32, -1);
    walk([0, 0, 0], 30);
    expect(at()[0]).toBeGreaterThan(4 - 1.05);
    walk([0, 0, 0], 120);
    expect(at()[0]).toBeCloseTo(0.5 + RADIUS + 0.01, 2);
  });
});
