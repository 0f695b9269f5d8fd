// Continuous collision: nothing passes through, nothing is lost, nothing is deflected that does not touch.
// Shots are random from a seed that their test names; a shot has passed when the body's centre of mass is beyond
// the middle plane of the wall, inside its outline. SOAK=1 runs the full counts.
import { describe, expect, test } from 'vitest';
import { type BodyOptions, type ShapeOptions, World } from '../../src';
import {
  centre,
  KINDS,
  many,
  motionBoundOf,
  randomShape,
  randomTurn,
  SEED,
  ShootingRange,
  towards,
  unitVector,
  WALLS,
} from './support/shots';
import {
  add,
  axisAngle,
  conjugate,
  dot,
  length,
  type Quat,
  random,
  rotate,
  scale,
  sub,
  type Vec3,
} from './support/vector';
import { createWorld, DT, position, rotation, spin, velocity } from './support/world';

describe('shots at static walls of 1 mm to 1 cm, 10 to 5,000 m/s, spin up to 45° per step', () => {
  const count = many(10_000, 400);
  for (const wall of WALLS) {
    test(`${count} shots at a ${wall.name}: none passes (seed ${SEED})`, { timeout: 600_000 }, () => {
      const r = random(SEED);
      const passed: string[] = [];
      let clamped = 0;
      const range = new ShootingRange(wall, r);
      for (let i = 0; i < count; i++) {
        const kind = KINDS[i % KINDS.length]!;
        const world = range.worldOf(i);
        const speed = 10 * 500 ** r();
        const shape = randomShape(kind, r);
        const direction: Vec3 = [1, 1.5 * (2 * r() - 1), 1.5 * (2 * r() - 1)];
        const linearVelocity = scale(direction, speed / length(direction));
        // From up to four steps away to a place within 20 m of the middle.
        const aim: Vec3 = [0, 40 * r() - 20, 40 * r() - 20];
        const angle = (Math.PI / 4) * r();
        const body = world.createBody({
          position: sub(aim, scale(direction, 1 + 2 * r() * linearVelocity[0] * DT)),
          rotation: randomTurn(r),
          mass: 0.01 + r(),
          shape,
          linearVelocity,
          angularVelocity: scale(unitVector(r), angle / DT),
        });
        for (let k = 0; k < 8; k++) {
          world.step(DT);
          clamped += world.getProfile().clamped;
          const p = centre(body);
          if (p[0] < 0 && Number.isFinite(p[0])) continue;
          if (Math.max(Math.abs(p[1]), Math.abs(p[2])) > 29) break; // past the edge
          passed.push(
            `${i} ${kind} at ${speed.toFixed(0)} m/s, half ${range.half}, step ${k}: ${p.join(' ')} v ${velocity(body).join(' ')} w ${length(spin(body))}`,
          );
          break;
        }
        if (wall.shots > 1) body.remove();
      }
      range.dispose();
      expect(passed).toEqual([]);
      expect(clamped).toBeLessThan(count / 100);
    });
  }
});

describe('shots at what moves', () => {
  const count = many(2000, 120);

  test(`${count} bullets at thin plates that fly and turn, and at each other: none passes (seed ${SEED})`, {
    timeout: 600_000,
  }, () => {
    const r = random(SEED);
    const passed: string[] = [];
    for (let i = 0; i < count; ) {
      const time = (0.2 + 2 * r()) * DT;
      const kind = KINDS[i % KINDS.length]!;
      const shape = randomShape(kind, r);
      const speed = 10 * 300 ** r();
      const direction = unitVector(r);
      const bulletVelocity = scale(direction, speed);
      const meet: Vec3 = [r(), r(), r()];
      const plates = i % 2 === 0;
      // A plate whose middle plane meets the bullet's centre at that time and place, ...
      const half = 0.0005 * 10 ** r();
      const normal = unitVector(r);
      const plateVelocity = scale(unitVector(r), 30 * r());
      // ... or a ball that comes head on: two on one line must not change places.
      const radius = 0.02 + 0.1 * r();
      const ballVelocity = scale(direction, -speed * (0.2 + r()));
      const closing = sub(bulletVelocity, plates ? plateVelocity : ballVelocity);
      const way = Math.abs(dot(closing, plates ? normal : direction)) * time;
      // Drawn again where they would graze, or overlap from the start.
      if (plates && Math.abs(dot(normal, direction)) < 0.3) continue;
      if (way < 1.1 * motionBoundOf(shape) + (plates ? half : radius)) continue;
      const world = new World({ gravity: [0, 0, 0], sleeping: false });
      const bullet = world.createBody({
        position: add(meet, scale(bulletVelocity, -time)),
        rotation: randomTurn(r),
        mass: 0.1,
        shape,
        linearVelocity: bulletVelocity,
        angularVelocity: scale(unitVector(r), 20 * r()),
        ccdMotionThreshold: 0.01,
      });
      if (plates) {
        const kinematic = i % 4 === 0;
        const plate = world.createBody({
          type: kinematic ? 'kinematic' : 'dynamic',
          position: add(meet, scale(plateVelocity, -time)),
          rotation: towards(normal),
          ...(kinematic ? {} : { mass: 20 }),
          shape: { type: 'box', halfExtents: [2, half, 2], restitution: 0.5, friction: 0.5 },
          linearVelocity: plateVelocity,
          angularVelocity: scale(normal, 10 * r()), // in its own plane: the plate's side is the test
        });
        const side = () => {
          const n = rotate(rotation(plate), [0, 1, 0]);
          return dot(sub(centre(bullet), centre(plate)), n);
        };
        const before = Math.sign(side());
        for (let k = 0; k < 5; k++) {
          world.step(DT);
          const local = rotate(conjugate(rotation(plate)), sub(centre(bullet), centre(plate)));
          if (side() * before >= 0 || Math.hypot(local[0], local[2]) > 1.5) continue;
          passed.push(
            `${i} ${kind} at ${speed.toFixed(0)} m/s, half ${half}, step ${k}, ${kinematic}: ${side()}`,
          );
          break;
        }
      } else {
        const ball = world.createBody({
          position: add(add(meet, scale(direction, 0.001)), scale(ballVelocity, -time)),
          mass: 0.1,
          shape: { type: 'sphere', radius, restitution: 0.5 },
          linearVelocity: ballVelocity,
          ccdMotionThreshold: i % 3 === 0 ? 0.01 : 0,
        });
        for (let k = 0; k < 5; k++) {
          world.step(DT);
          const apart = sub(centre(ball), centre(bullet));
          const ahead = dot(apart, direction);
          // Thrown aside they may pass, but not through one another.
          if (ahead > 0 || length(sub(apart, scale(direction, ahead))) > radius) continue;
          passed.push(`${i} ${kind} against a ball at ${speed.toFixed(0)} m/s, step ${k}`);
          break;
        }
      }
      world.dispose();
      i++;
    }
    expect(passed).toEqual([]);
  });

  test('bullets that fly at each other meet in the middle', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const shape: ShapeOptions = { type: 'sphere', radius: 0.05, restitution: 1, friction: 0 };
    const shoot = (x: number, v: number) =>
      world.createBody({
        position: [x, 0, 0],
        mass: 1,
        shape,
        linearVelocity: [v, 0, 0],
        ccdMotionThreshold: 0.01,
      });
    const a = shoot(-4, 500);
    const b = shoot(4, -500);
    // They touch at 3.95 m each, 7.9 ms on, and are thrown back with the same speed.
    world.step(DT);
    const back = 500 * DT - 3.95;
    expect(position(a)[0]).toBeCloseTo(-0.05 - back, 2);
    expect(position(b)[0]).toBeCloseTo(0.05 + back, 2);
    expect(velocity(a)[0]).toBeCloseTo(-500, 3);
    expect(velocity(b)[0]).toBeCloseTo(500, 3);
  });

  test('a kinematic plate at 120 m/s takes a resting ball with it', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const plate = world.createBody({
      type: 'kinematic',
      position: [-1, 0, 0],
      shape: { type: 'box', halfExtents: [0.001, 1, 1] },
    });
    const ball = world.createBody({ position: [0, 0, 0], mass: 1, shape: { type: 'sphere', radius: 0.05 } });
    for (let k = 1; k <= 4; k++) {
      plate.setKinematicTarget([-1 + 2 * k, 0, 0], [0, 0, 0, 1]);
      world.step(DT);
      expect(position(ball)[0]).toBeGreaterThan(position(plate)[0]);
    }
  });
});

test(`a 2 m rod of 2 cm turning at 40 rad/s into a wall, ${many(500, 100)} trials: no miss (seed ${SEED})`, {
  timeout: 600_000,
}, () => {
  const r = random(SEED);
  const missed: string[] = [];
  for (let i = 0; i < many(500, 100); i++) {
    const world = createWorld({ gravity: [0, 0, 0] });
    // The wall's near face at x = 0; the rod's middle is nearer than half its length.
    const half = 0.0005 * 10 ** r();
    world.createBody({
      type: 'static',
      position: [half, 0, 0],
      shape: { type: 'box', halfExtents: [half, 5, 5] },
    });
    const from = -(0.1 + 0.85 * r());
    const direction = r() < 0.5 ? 1 : -1;
    const rod = world.createBody({
      position: [from, 0, 0],
      // It starts nearly along the wall, clear of it.
      rotation: axisAngle([0, 0, 1], direction * r() * Math.min(0.3, -0.7 * from)),
      mass: 1,
      shape:
        i % 2 === 0
          ? { type: 'box', halfExtents: [0.01, 1, 0.01], restitution: 0.3 }
          : { type: 'capsule', radius: 0.01, halfHeight: 0.99, restitution: 0.3 },
      angularVelocity: [0, 0, -direction * 40],
    });
    let deepest = -9;
    for (let k = 0; k < 30; k++) {
      world.step(DT);
      const end = rotate(rotation(rod), [0, 0.99, 0]);
      deepest = Math.max(deepest, position(rod)[0] + Math.abs(end[0]));
      if (velocity(rod)[0] < -0.01) break;
    }
    // It is thrown back, and its ends have not been beyond the wall's middle.
    if (!(velocity(rod)[0] < -0.01)) missed.push(`${i}: from ${from}, half ${half}, not thrown back`);
    if (deepest > 0.005) missed.push(`${i}: from ${from}, half ${half}, end at ${deepest}`);
    world.dispose();
  }
  expect(missed).toEqual([]);
});

describe('what does not touch is not deflected', () => {
  const count = many(10_000, 600);
  test(`${count} near misses at 1 mm, 1 to 1,000 m/s (seed ${SEED})`, { timeout: 600_000 }, () => {
    const r = random(SEED);
    const deflected: string[] = [];
    for (let i = 0; i < count; i++) {
      const world = new World({ gravity: [0, 0, 0], sleeping: false });
      const speed = 1000 ** r();
      // Past the upper edge or corner of a box, in the x direction; or past a ball.
      const round = i % 3 === 0;
      const kind = i % 2;
      const size = 0.03 + 0.2 * r();
      const obstacle = 0.05 + 0.5 * r();
      const turned = i % 5 === 0 ? axisAngle([0, 0, 1], Math.PI / 4) : ([0, 0, 0, 1] as Quat);
      const top = round ? obstacle : i % 5 === 0 ? obstacle * Math.SQRT2 : obstacle;
      world.createBody({
        type: i % 7 === 0 ? 'dynamic' : 'static',
        ...(i % 7 === 0 ? { mass: 1 } : {}),
        rotation: turned,
        shape: round
          ? { type: 'sphere', radius: obstacle }
          : { type: 'box', halfExtents: [obstacle, obstacle, obstacle] },
      } as BodyOptions);
      const height = top + size + 0.001;
      const start: Vec3 = [
        -obstacle - size - 0.3 - 2 * speed * DT * r(),
        height,
        0.3 * obstacle * (2 * r() - 1),
      ];
      const body = world.createBody({
        position: start,
        mass: 1,
        shape:
          kind === 0 ? { type: 'sphere', radius: size } : { type: 'box', halfExtents: [size, size, size] },
        linearVelocity: [speed, 0, 0],
      });
      const steps = Math.min(600, Math.ceil((2 * -start[0]) / (speed * DT)) + 1);
      for (let k = 0; k < steps; k++) world.step(DT);
      const v = velocity(body);
      const w = spin(body);
      if (Math.abs(v[0] - speed) + Math.abs(v[1]) + Math.abs(v[2]) + length(w) > 1e-5 * speed)
        deflected.push(`${i}: ${speed.toFixed(1)} m/s, ${v.join(' ')}, ${w.join(' ')}`);
      world.dispose();
    }
    expect(deflected).toEqual([]);
  });
});

describe('nothing is lost', () => {
  test('an elastic ball at 200 m/s between two walls keeps its energy over 1,000 bounces, and leaves like light', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    for (const x of [-1.005, 1.005])
      world.createBody({
        type: 'static',
        position: [x, 0, 0],
        shape: { type: 'box', halfExtents: [0.005, 2000, 2000], restitution: 1, friction: 0 },
      });
    const start: Vec3 = [200, 31, -17];
    const ball = world.createBody({
      mass: 1,
      shape: { type: 'sphere', radius: 0.1, restitution: 1, friction: 0 },
      linearVelocity: start,
    });
    let bounces = 0;
    let steps = 0;
    while (bounces < 1000) {
      world.step(DT);
      steps++;
      bounces += world.getProfile().impacts;
      const v = velocity(ball);
      expect(Math.abs(dot(v, v) / dot(start, start) - 1)).toBeLessThan(0.01);
      const mirror: Vec3 = [Math.abs(v[0]), v[1], v[2]];
      expect(dot(mirror, start) / length(mirror) / length(start)).toBeGreaterThan(
        Math.cos((0.5 * Math.PI) / 180),
      );
      expect(Math.abs(position(ball)[0])).toBeLessThan(0.9);
    }
    // No time is lost: as many bounces as its speed makes in that time.
    expect(bounces / ((200 * steps * DT) / 1.8)).toBeGreaterThan(0.995);
    // Nor on the way along the walls.
    expect(position(ball)[1] / (31 * steps * DT)).toBeCloseTo(1, 3);
  });

  test('a ball thrown at a wall in gravity is where reflection puts it', () => {
    const world = createWorld();
    world.createBody({
      type: 'static',
      position: [5, 0, 0],
      shape: { type: 'box', halfExtents: [0.001, 50, 50], restitution: 0.5, friction: 0 },
    });
    const ball = world.createBody({
      mass: 1,
      shape: { type: 'sphere', radius: 0.05, restitution: 1, friction: 0 },
      linearVelocity: [90, 3, 0],
    });
    for (let k = 0; k < 6; k++) world.step(DT);
    const t = 6 * DT;
    const hit = (5 - 0.001 - 0.05) / 90;
    expect(position(ball)[0]).toBeCloseTo(4.949 - 45 * (t - hit), 2);
    expect(position(ball)[1]).toBeCloseTo(3 * t - (9.81 * t * t) / 2, 2);
    expect(velocity(ball)[0]).toBeCloseTo(-45, 3);
    expect(velocity(ball)[1]).toBeCloseTo(3 - 9.81 * t, 3);
  });

  for (const dt of [1 / 60, 0.25])
    for (const type of ['sphere', 'box', 'cylinder'] as const)
      test(`a ${type} at 30 m/s over 40 tiles, dt ${dt.toFixed(3)}, gets as far as on one`, () => {
        const world = createWorld();
        for (let i = -1; i < 60; i++)
          world.createBody({
            type: 'static',
            position: [i, -0.05, 0],
            shape: { type: 'box', halfExtents: [0.5, 0.05, 2], friction: 0 },
          });
        const body = world.createBody({
          position: [0, 0.2, 0],
          mass: 1,
          shape:
            type === 'sphere'
              ? { type, radius: 0.2, friction: 0 }
              : type === 'box'
                ? { type, halfExtents: [0.2, 0.2, 0.2], friction: 0 }
                : { type, radius: 0.2, halfHeight: 0.2, friction: 0 },
          linearVelocity: [30, 0, 0],
        });
        const steps = Math.round(40 / 30 / dt);
        for (let k = 0; k < steps; k++) {
          world.step(dt);
          // In a quarter of a second it would fall by 0.3 m, and its contacts have five substeps to learn of it.
          expect(Math.abs(position(body)[1] - 0.2)).toBeLessThan(0.01);
        }
        expect(position(body)[0] / (30 * steps * dt)).toBeGreaterThan(0.95);
      });

  test('nothing stops in mid-air: at dt = 0.25 a ball that hits a post flies on', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    world.createBody({
      type: 'static',
      position: [3, 0, 0],
      rotation: axisAngle([0, 0, 1], Math.PI / 4),
      shape: { type: 'box', halfExtents: [0.001, 1, 1], restitution: 1, friction: 0 },
    });
    const ball = world.createBody({
      mass: 1,
      shape: { type: 'sphere', radius: 0.1, restitution: 1, friction: 0 },
      linearVelocity: [40, 0, 0],
    });
    world.step(0.25);
    // Reached after 2.86 m, thrown straight up for the other 7.14 m.
    const hit = 3 - (0.1 + 0.001) * Math.SQRT2;
    expect(position(ball)[0]).toBeCloseTo(hit, 2);
    expect(Math.abs(position(ball)[1])).toBeCloseTo(10 - hit, 2);
    expect(world.getProfile().clamped).toBe(0);
  });
});

test('a plate at 600 m/s takes 800 balls with it that all met it in one step', () => {
  const world = createWorld({ gravity: [0, 0, 0] });
  const plate = world.createBody({
    type: 'kinematic',
    position: [-1, 0, 0],
    linearVelocity: [600, 0, 0],
    shape: { type: 'box', halfExtents: [0.001, 9, 9] },
  });
  // The table of swept bodies has one row when the step begins, and grows within it.
  const balls = Array.from({ length: 800 }, (_, i) =>
    world.createBody({
      position: [(i % 8) * 0.9, (Math.floor(i / 8) % 10) * 0.5 - 2.25, Math.floor(i / 80) * 0.5 - 2.25],
      mass: 1,
      shape: { type: 'sphere', radius: 0.05, friction: 0 },
    }),
  );
  world.step(DT);
  expect(world.getProfile().swept).toBe(801);
  expect(balls.filter((ball) => position(ball)[0] < position(plate)[0])).toEqual([]);
  expect(balls.filter((ball) => Math.abs(velocity(ball)[0] - 600) > 1)).toEqual([]);
});

describe('events', () => {
  test('an impact within a step begins a contact with its point, normal and impulse, and ends it', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const wall = world.createBody({
      type: 'static',
      position: [3, 0, 0],
      shape: { type: 'box', halfExtents: [0.01, 5, 5], restitution: 1, friction: 0 },
    });
    const ball = world.createBody({
      mass: 2,
      shape: { type: 'sphere', radius: 0.1, restitution: 1, friction: 0 },
      linearVelocity: [300, 0, 0],
    });
    const seen: string[] = [];
    let impulse = 0;
    world.on('contactBegin', (e) => {
      seen.push('begin');
      expect(new Set([e.bodyA, e.bodyB])).toEqual(new Set([wall, ball]));
      expect(Math.abs(e.normal[0])).toBeCloseTo(1, 5);
      expect(e.points[0]!.position[0]).toBeCloseTo(2.99, 2);
      impulse += e.points[0]!.impulse;
    });
    world.on('contactEnd', () => seen.push('end'));
    for (let k = 0; k < 3; k++) world.step(DT);
    expect(seen).toEqual(['begin', 'end']);
    expect(impulse).toBeCloseTo(2 * 2 * 300, 0);
  });

  test('a sensor tells what was swept through it', () => {
    const world = createWorld({ gravity: [0, 0, 0] });
    const curtain = world.createBody({
      type: 'static',
      position: [3, 0, 0],
      shape: { type: 'box', halfExtents: [0.001, 5, 5], sensor: true },
    });
    world.createBody({
      type: 'static',
      position: [4, 0, 0],
      shape: { type: 'box', halfExtents: [0.001, 5, 5], restitution: 0 },
    });
    const behind = world.createBody({
      type: 'static',
      position: [4.4, 0, 0],
      shape: { type: 'box', halfExtents: [0.001, 5, 5], sensor: true },
    });
    const ball = world.createBody({
      mass: 1,
      shape: { type: 'sphere', radius: 0.02 },
      linearVelocity: [400, 0, 0],
    });
    const seen: string[] = [];
    const name = (e: { bodyA: unknown; bodyB: unknown }) =>
      [e.bodyA, e.bodyB].includes(curtain)
        ? 'curtain'
        : [e.bodyA, e.bodyB].includes(behind)
          ? 'behind'
          : 'wall';
    world.on('contactBegin', (e) => seen.push(`begin ${name(e)}`));
    world.on('contactEnd', (e) => seen.push(`end ${name(e)}`));
    for (let k = 0; k < 3; k++) world.step(DT);
    expect(position(ball)[0]).toBeLessThan(4);
    expect(seen).toEqual(['begin curtain', 'begin wall', 'end curtain']);
  });

  test('a bullet wakes what it strikes', () => {
    const world = createWorld({ gravity: [0, 0, 0], sleeping: true });
    const plate = world.createBody({
      position: [3, 0, 0],
      mass: 1,
      shape: { type: 'box', halfExtents: [0.001, 1, 1], restitution: 0, friction: 0 },
      activationState: 'sleeping',
    } as BodyOptions);
    plate.setActivationState('sleeping');
    world.createBody({
      mass: 0.1,
      shape: { type: 'sphere', radius: 0.02, restitution: 0 },
      linearVelocity: [400, 0, 0],
      ccdMotionThreshold: 0.01,
    });
    world.step(DT);
    expect(plate.getActivationState()).toBe('active');
    expect(velocity(plate)[0]).toBeCloseTo(40 / 1.1, 0);
  });
});

describe('Bullet profiles', () => {
  const shoot = (threshold: number, radius: number) => {
    const world = new World({ profile: 'bullet282', gravity: [0, 0, 0], sleeping: false });
    world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [0.0005, 5, 5] } });
    const ball = world.createBody({
      position: [-5, 0, 0],
      mass: 1,
      shape: { type: 'sphere', radius: 0.1 },
      linearVelocity: [1000, 0, 0],
      ccdMotionThreshold: threshold,
      ccdSweptSphereRadius: radius,
    });
    for (let k = 0; k < 3; k++) world.step(DT);
    const swept = world.getProfile().swept;
    return { x: position(ball)[0], swept };
  };
  test('a threshold of 0 is off: nothing is swept', () => {
    expect(shoot(0, 0).swept).toBe(0);
  });
  test('a threshold sweeps, the radius is that of the ball that is swept', () => {
    expect(shoot(0.05, 0).x).toBeCloseTo(-0.1, 2);
    const { x } = shoot(0.05, 0.05);
    expect(x).toBeLessThan(0);
  });
});
