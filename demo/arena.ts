// The game that is played in rooms: players are balls that roll and jump, or cars; they push crates and throw smaller balls,
// inside of four walls. In: inputs of two bytes. Out: changes of a world, the same on every machine. Imports the public
// API only.
import { deterministic, type RigidBody, type World } from 'ricochet';
import type { Game } from 'ricochet/net';
import { makeVehicle, type Vehicle } from 'ricochet/vehicle';

/** Bits of the first byte of an input. */
export const FORWARD = 1;
export const BACK = 2;
export const LEFT = 4;
export const RIGHT = 8;
export const JUMP = 16;
export const THROW = 32;
/** Changes from the ball to the car, and back. */
export const RIDE = 64;
const ONCE = JUMP | THROW | RIDE;

/** The second byte: where the player looks, in 256ths of a turn. */
export const DIRECTIONS = 256;

/** `userIndex` of bodies: of players, from here on by number; of their balls; of crates. */
export const PLAYER = 1;
export const THROWN = 101;
export const CRATE = 1000;

/** m: half of the floor. */
export const HALF = 12;
export const RADIUS = 0.5;
const BALLS = 5; // of one player at a time
const SPEED = 6; // m/s
const FORCE = 0.35; // m/s gained in a tick at most
const BALL = { type: 'sphere', radius: 0.25, restitution: 0.4 } as const;
const BOX = { type: 'box', halfExtents: [0.4, 0.4, 0.4] } as const;
const BALL_MASS = 5; // kg
const CAR_MASS = 40;
const CAR_SPEED = 9; // m/s
const CHASSIS = { type: 'box', halfExtents: [0.36, 0.16, 0.72] } as const;
/** m: centre and radius of the wheels. */
export const WHEELS = [1, -1].flatMap((z) =>
  [1, -1].map((x) => ({ position: [0.4 * x, -0.12, 0.5 * z] as [number, number, number], radius: 0.2 })),
);

/** The input of keys and a direction in radians. */
export function inputOf(keys: number, angle: number): Uint8Array {
  const part = Math.round((angle / (2 * Math.PI)) * DIRECTIONS);
  return Uint8Array.of(keys, ((part % DIRECTIONS) + DIRECTIONS) % DIRECTIONS);
}

function bodyOf(world: World, player: number): RigidBody | undefined {
  for (const body of world.bodies()) if (body.userIndex === PLAYER + player) return body;
  return undefined;
}

/** The floor, the walls, crates in towers of four. */
export function buildArena(world: Pick<World, 'createBody'>, crates: number): void {
  world.createBody({ type: 'static', shape: { type: 'plane', friction: 0.8 } });
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const)
    world.createBody({
      type: 'static',
      position: [x * (HALF + 0.25), 0.75, z * (HALF + 0.25)],
      shape: { type: 'box', halfExtents: [x === 0 ? HALF + 0.5 : 0.25, 0.75, z === 0 ? HALF + 0.5 : 0.25] },
    });
  for (let i = 0; i < crates; i++) {
    // Towers of four on a grid in the middle.
    const tower = Math.floor(i / 4);
    world.createBody({
      mass: 1,
      position: [(tower % 5) * 1.7 - 3.4, 0.4 + (i % 4) * 0.8, Math.floor(tower / 5) * 1.7 - 3.4],
      userIndex: CRATE + i,
      shape: BOX,
    });
  }
}

/** Whether the body of a player is a car. */
export const isCar = (body: RigidBody): boolean => body.mass === CAR_MASS;

/** The vehicle of a body that is a car; one that has none gets it. */
export const vehicleOf = (world: World, chassis: RigidBody): Vehicle =>
  makeVehicle(world, {
    chassis,
    wheels: WHEELS,
    drive: 'all',
    steering: { maxAngle: 0.5, halfSpeed: 6 },
    tyre: { friction: 0.9 },
  });

/** The turn about y that brings z to (x, z). */
const towards = (x: number, z: number): [number, number, number, number] => [
  0,
  (x < 0 ? -1 : 1) * Math.sqrt(Math.max(0, (1 - z) / 2)),
  0,
  Math.sqrt(Math.max(0, (1 + z) / 2)),
];

/** From the ball to the car or back, in the same place. `ahead`: where the car looks. */
function change(world: World, player: number, body: RigidBody, [x, z]: readonly [number, number]): void {
  const [position, linearVelocity] = [body.getPosition(), body.getLinearVelocity()];
  const userIndex = PLAYER + player;
  const toBall = isCar(body);
  body.remove();
  if (toBall) {
    world.createBody({ ...ballOf(userIndex), position, linearVelocity });
    return;
  }
  position[1] += 0.1;
  const rotation = towards(x, z);
  const shape = { ...CHASSIS, friction: 0.3 };
  vehicleOf(
    world,
    world.createBody({ mass: CAR_MASS, position, rotation, linearVelocity, userIndex, shape }),
  );
}

const ballOf = (userIndex: number) => ({
  mass: BALL_MASS,
  userIndex,
  shape: { type: 'sphere', radius: RADIUS, friction: 1 } as const,
  angularDamping: 0.4,
});

function throwBall(world: World, player: number, body: RigidBody, ahead: readonly [number, number]): void {
  let oldest: RigidBody | undefined;
  let count = 0;
  for (const other of world.bodies())
    if (other.userIndex === THROWN + player) {
      oldest ??= other;
      count++;
    }
  if (count >= BALLS) oldest!.remove();
  const [x, y, z] = body.getPosition();
  const v = body.getLinearVelocity();
  world.createBody({
    mass: 0.8,
    position: [x + ahead[0] * 0.9, y + 0.6, z + ahead[1] * 0.9],
    linearVelocity: [v[0] + ahead[0] * 13, 3.5, v[2] + ahead[1] * 13],
    userIndex: THROWN + player,
    shape: BALL,
  });
}

/** The rules. `crates`: how many, in towers. */
export function arena({ crates = 60 } = {}): Game {
  const cars = new Map<number, Vehicle>();
  const drive = (world: World, body: RigidBody, along: number, across: number) => {
    let car = cars.get(body.id);
    if (car === undefined || car.isRemoved) cars.set(body.id, (car = vehicleOf(world, body)));
    const [x, , z] = body.getLinearVelocity();
    const isFast = x * x + z * z > CAR_SPEED * CAR_SPEED;
    const brake = along === 0 ? 0.3 : 0;
    car.setInput({ throttle: isFast ? 0 : along, brake, handbrake: 0, steer: -across, gear: 'automatic' });
  };
  const roll = (body: RigidBody, ahead: readonly [number, number], along: number, across: number) => {
    const length = SPEED / Math.sqrt(along * along + across * across);
    const v = body.getLinearVelocity();
    const x = (ahead[0] * along - ahead[1] * across) * length - v[0];
    const z = (ahead[1] * along + ahead[0] * across) * length - v[2];
    const gain = BALL_MASS * Math.min(1, FORCE / Math.max(1e-6, Math.sqrt(x * x + z * z)));
    body.applyImpulse([x * gain, 0, z * gain]);
  };
  return {
    version: 2,
    build: (world) => buildArena(world, crates),
    join(world, player) {
      const angle = player * 2.4;
      world.createBody({
        ...ballOf(PLAYER + player),
        position: [deterministic.cos(angle) * 8, RADIUS, deterministic.sin(angle) * 8],
      });
    },
    leave(world, player) {
      for (const body of [...world.bodies()])
        if (body.userIndex === PLAYER + player || body.userIndex === THROWN + player) body.remove();
    },
    applyInput(world, player, input) {
      const keys = input[0] ?? 0;
      const body = bodyOf(world, player);
      if (body === undefined) return;
      const isDriven = isCar(body);
      if (keys === 0 && !isDriven) return;
      const angle = ((input[1] ?? 0) * 2 * Math.PI) / DIRECTIONS;
      const ahead = [deterministic.cos(angle), deterministic.sin(angle)] as const;
      const along = (keys & FORWARD ? 1 : 0) - (keys & BACK ? 1 : 0);
      const across = (keys & RIGHT ? 1 : 0) - (keys & LEFT ? 1 : 0);
      if (isDriven) drive(world, body, along, across);
      else if (along !== 0 || across !== 0) roll(body, ahead, along, across);
      const height = body.getPosition()[1];
      if (keys & JUMP && height < RADIUS + 0.15) {
        const [i, , k] = body.getRotation();
        // A car that lies on its side or its back gets up.
        if (isDriven && i * i + k * k > 0.2) {
          const [x, y, z] = body.getPosition();
          body.setTransform([x, y + 0.4, z], towards(ahead[0], ahead[1]));
        } else body.applyImpulse([0, body.mass * 5.5, 0]);
      }
      if (keys & THROW) throwBall(world, player, body, ahead);
      if (keys & RIDE) change(world, player, body, ahead);
    },
    step(world) {
      // Who is thrown over a wall comes back from above.
      for (const body of world.bodies()) {
        if (body.type === 'static') continue;
        const [x, , z] = body.getPosition();
        if (Math.max(Math.abs(x), Math.abs(z)) < HALF + 1) continue;
        body.setTransform([0, 6, 0], [0, 0, 0, 1]);
        body.setLinearVelocity([0, 0, 0]);
      }
    },
    predict: (before) => (before[0]! & ONCE ? Uint8Array.of(before[0]! & ~ONCE, before[1] ?? 0) : before),
    sanitize: (_player, input) =>
      input.length === 0 || (input.length === 2 && input[0]! < 128) ? input : null,
    viewpoint: (world, player) => bodyOf(world, player)?.getPosition() ?? null,
  };
}

/**
 * How far in the past a body is drawn for a player: others and their balls, of whom nobody knows what they do, where they
 * were; what is near the own ball, where it is predicted to be, as they meet there.
 */
export function pastOf(world: World, player: number, body: RigidBody): number {
  const { userIndex } = body;
  if (userIndex < PLAYER || userIndex >= CRATE) return 0;
  if (userIndex === PLAYER + player || userIndex === THROWN + player) return 0;
  const own = bodyOf(world, player);
  if (own === undefined) return 1;
  const [a, b] = [own.getPosition(), body.getPosition()];
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.max(0, Math.min(1, (Math.sqrt(x * x + y * y + z * z) - 2) / 2));
}

/**
 * The input of a player that nobody plays: it rolls about, jumps and throws, with `cars` it also drives. The same for the
 * same numbers.
 */
export function botInput(player: number, tick: number, cars = false): Uint8Array {
  const mix = (n: number) => {
    let x = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (x ^ (x >>> 16)) >>> 0;
  };
  const held = mix(Math.floor(tick / 40) * 64 + player);
  const once = mix(tick * 64 + player + 7) % 90;
  const keys = (held & 7 ? FORWARD : 0) | (once === 0 ? JUMP : 0) | (once === 1 ? THROW : 0);
  if (cars) {
    const ride = tick % 300 === 4 * (player % 64) + 20 ? RIDE : 0;
    return Uint8Array.of(keys | ride | [0, 0, LEFT, RIGHT][(held >>> 4) & 3]!, (held >>> 8) & 255);
  }
  return Uint8Array.of(keys, (held >>> 8) & 255);
}
