// Continuous collision of compounds: bodies of several shapes as shots and as walls. Random from a seed that each test
// names. SOAK=1 runs the full counts.
import { describe, expect, test } from 'vitest';
import { type RigidBody, type ShapeOptions, World } from '../../src';
import {
  centre,
  KINDS,
  many,
  randomShape,
  randomTurn,
  SEED,
  ShootingRange,
  unitVector,
  WALLS,
} from './support/shots';
import { add, axisAngle, length, type Quat, random, rotate, scale, sub, type Vec3 } from './support/vector';
import { createWorld, DT, G, position, rotation, spin, velocity } from './support/world';

/** Two or three shapes on one body, apart from its middle: what is in the way of one must not get past another. */
function randomCompound(r: () => number): ShapeOptions[] {
  return Array.from({ length: 2 + Math.floor(2 * r()) }, (_, i) => {
    const shape = randomShape(KINDS[Math.floor(KINDS.length * r())]!, r);
    return { ...shape, position: scale(unitVector(r), i === 0 ? 0.1 : 0.3 * r()), rotation: randomTurn(r) };
  });
}

/** A point inside of each part, in the world. */
function insides(body: RigidBody, parts: ShapeOptions[]): Vec3[] {
  return parts.map((part) => {
    const points = part.type === 'hull' ? (part.points as Vec3[]) : [];
    const inside = points.reduce((sum, p) => add(sum, scale(p, 1 / points.length)), [0, 0, 0] as Vec3);
    const own = add(part.position as Vec3, rotate(part.rotation as Quat, inside));
    return add(position(body), rotate(rotation(body), own));
  });
}

describe('compounds', () => {
  const count = many(2000, 120);

  for (const wall of WALLS)
    test(`${count} compounds shot at a ${wall.name}: none of their parts passes (seed ${SEED})`, {
      timeout: 600_000,
    }, () => {
      const r = random(SEED + 1);
      const passed: string[] = [];
      const range = new ShootingRange(wall, r);
      for (let i = 0; i < count; i++) {
        const world = range.worldOf(i);
        const speed = 10 * 500 ** r();
        const shape = randomCompound(r);
        const direction: Vec3 = [1, 1.5 * (2 * r() - 1), 1.5 * (2 * r() - 1)];
        const linearVelocity = scale(direction, speed / length(direction));
        const aim: Vec3 = [0, 40 * r() - 20, 40 * r() - 20];
        const body = world.createBody({
          position: sub(aim, scale(direction, 1.5 + 2 * r() * linearVelocity[0] * DT)),
          rotation: randomTurn(r),
          mass: 0.01 + r(),
          shape,
          linearVelocity,
          angularVelocity: scale(unitVector(r), ((Math.PI / 4) * r()) / DT),
        });
        for (let k = 0; k < 8; k++) {
          world.step(DT);
          const parts = insides(body, shape);
          if (parts.some((q) => Math.max(Math.abs(q[1]), Math.abs(q[2])) > 29)) break; // past the edge
          if (parts.every((q) => q[0] < 0)) continue;
          passed.push(`${i} at ${speed.toFixed(0)} m/s, half ${range.half}, step ${k}: ${parts.join(' ')}`);
          break;
        }
        if (wall.shots > 1) body.remove();
      }
      range.dispose();
      expect(passed).toEqual([]);
    });

  test(`${count} shots at walls of several parts, resting and flying: none passes (seed ${SEED})`, {
    timeout: 600_000,
  }, () => {
    const r = random(SEED + 2);
    const passed: string[] = [];
    for (let i = 0; i < count; i++) {
      const world = new World({ gravity: [0, 0, 0], sleeping: false });
      const half = 0.0005 * 10 ** r();
      // Five plates on one body side by side, each turned about the common normal.
      const flies = i % 2 === 1;
      const wallVelocity: Vec3 = flies ? [-30 * r(), 10 * r(), 0] : [0, 0, 0];
      const wall = world.createBody({
        type: flies ? 'kinematic' : 'static',
        linearVelocity: wallVelocity,
        shape: [-4, -2, 0, 2, 4].map((y) => ({
          type: 'box',
          halfExtents: [half, 1.5, 3],
          position: [0, y, 0],
          rotation: axisAngle([1, 0, 0], 0.2 * (2 * r() - 1)),
          restitution: 0.5,
        })) as ShapeOptions[],
      });
      const speed = 10 * 500 ** r();
      const shape = i % 3 === 0 ? randomCompound(r) : randomShape(KINDS[i % KINDS.length]!, r);
      const time = (0.5 + 2 * r()) * DT;
      const body = world.createBody({
        position: add([-1.5, 2 * r() - 1, 0], [-speed * time, wallVelocity[1] * time, 0]),
        rotation: randomTurn(r),
        mass: 0.1,
        shape,
        linearVelocity: [speed, 0, 0],
        angularVelocity: scale(unitVector(r), 30 * r()),
      });
      for (let k = 0; k < 6; k++) {
        world.step(DT);
        const from = sub(centre(body), position(wall));
        if (Math.max(Math.abs(from[1]), Math.abs(from[2])) > 2) break;
        if (from[0] < 0) continue;
        passed.push(`${i} at ${speed.toFixed(0)} m/s, half ${half}, step ${k}, ${flies}: ${from.join(' ')}`);
        break;
      }
      world.dispose();
    }
    expect(passed).toEqual([]);
  });

  test('a frame that flies past a post by its gap touches it with no part', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [0.05, 0.05, 0.05] } });
    // Two bars with 0.2 m between them, one above the post and one below.
    const bar = (y: number): ShapeOptions => ({
      type: 'box',
      halfExtents: [0.3, 0.02, 0.3],
      position: [0, y, 0],
    });
    const frame = world.createBody({
      position: [-20, 0, 0],
      mass: 1,
      shape: [bar(0.1), bar(-0.1)],
      linearVelocity: [400, 0, 0],
    });
    for (let k = 0; k < 6; k++) world.step(DT);
    expect(velocity(frame)).toEqual([400, 0, 0]);
    expect(position(frame)[0]).toBeCloseTo(20, 3);
  });

  // A table of 20 kg on legs of 8 cm, and a board of 6 cm, that fall flat: all that meet the floor meet it together.
  const box = (halfExtents: Vec3, position: Vec3 = [0, 0, 0]): ShapeOptions => ({
    type: 'box',
    halfExtents,
    position,
    restitution: 0.5,
  });
  const legs = [-0.56, 0.56].flatMap((x) => [-0.36, 0.36].map((z) => box([0.04, 0.33, 0.04], [x, 0, z])));
  const falling = { table: [box([0.6, 0.03, 0.4], [0, 0.36, 0]), ...legs], board: [box([0.6, 0.03, 0.4])] };
  const rows = Array.from({ length: 36 }, (_, i): Vec3 => [(i % 6) - 2.5, -0.5, Math.floor(i / 6) - 2.5]);
  const floors: Record<string, ShapeOptions[][]> = {
    'a plane': [[{ type: 'plane', restitution: 1 }]],
    tiles: rows.map((at) => [{ ...box([0.5, 0.5, 0.5], at), restitution: 1 }]),
    'tiles of five materials': rows.map((at, i) => [
      { ...box([0.5, 0.5, 0.5], at), restitution: 1, friction: 0.3 + 0.1 * (i % 5) },
    ]),
    'tiles of one body': [rows.map((at) => ({ ...box([0.5, 0.5, 0.5], at), restitution: 1 }))],
  };
  for (const [what, shape] of Object.entries(falling))
    for (const [floor, bodies] of Object.entries(floors))
      test(`a ${what} that falls flat on ${floor} from 0.3 to 3 m leaves with half of its speed and does not turn`, () => {
        for (const drop of [0.3, 1, 3]) {
          const world = createWorld();
          for (const parts of bodies) world.createBody({ type: 'static', shape: parts });
          const half = what === 'table' ? 0.33 : 0.03;
          const body = world.createBody({ position: [0.13, half + drop, 0.21], mass: 20, shape });
          let impulse = 0;
          const begun = new Set<number>();
          world.on('contactBegin', ({ shapeA, shapeB, points }) => {
            for (const point of points) impulse += point.impulse;
            begun.add(bodies.length > 1 || what === 'board' ? 0 : Math.max(shapeA, shapeB));
          });
          let before = 0;
          for (let i = 0; velocity(body)[1] <= 0; i++) {
            before = velocity(body)[1];
            world.step(DT);
            if (i > 120) throw new Error('no rebound');
          }
          const speed = Math.sqrt(2 * G * drop);
          expect(before).toBeLessThan(-0.9 * speed);
          expect(length(spin(body)), `spin after ${drop} m`).toBeLessThan(0.01);
          let top = 0;
          for (let i = 0; i < 120 && velocity(body)[1] > 0; i++) {
            world.step(DT);
            top = Math.max(top, body.getPosition()[1] - half);
          }
          expect(top / (0.25 * drop)).toBeCloseTo(1, 1);
          // What touches the floor shares the impulse, and each foot tells of its touch.
          expect(impulse / (20 * 1.5 * speed)).toBeCloseTo(1, 1);
          if (what === 'table' && floor === 'a plane') expect(begun.size).toBe(4);
          world.dispose();
        }
      });
});
