// A game for the tests of rooms: players are balls that are steered, jump, throw smaller balls; crates stand around.
import { deterministic, type RigidBody, type World } from '../../src';
import type { Game } from '../../src/net';

const FORWARD = 1;
const BACK = 2;
const LEFT = 4;
const RIGHT = 8;
export const JUMP = 16;
export const THROW = 32;

/** `crates`: in small towers. Bodies of players have userIndex 1 + player, what they throw 101 + player. */
export function arena({ crates = 20, act = false } = {}): Game & { readonly thrown: number } {
  const bodyOf = (world: World, player: number): RigidBody | undefined => {
    for (const body of world.bodies()) if (body.userIndex === 1 + player) return body;
    return undefined;
  };
  let thrown = 0;
  const throwBall = (world: World, player: number, input: Uint8Array) => {
    if (!((input[0] ?? 0) & THROW)) return;
    const body = bodyOf(world, player);
    if (body === undefined) return;
    const [x, y, z] = body.getPosition();
    world.createBody({
      mass: 0.5,
      position: [x, y + 1, z],
      linearVelocity: [6 - (player % 3) * 6, 5, (player % 2) * 8 - 4],
      userIndex: 101 + player,
      shape: { type: 'sphere', radius: 0.25 },
    });
    thrown++;
  };
  return {
    get thrown() {
      return thrown;
    },
    build(world) {
      world.createBody({ type: 'static', shape: { type: 'plane' } });
      for (let i = 0; i < crates; i++) {
        const place = Math.floor(i / 4);
        world.createBody({
          mass: 1,
          position: [(place % 5) * 1.5 - 3, 0.4 + (i % 4) * 0.81, Math.floor(place / 5) * 1.5 - 3],
          shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
        });
      }
    },
    join(world, player) {
      world.createBody({
        mass: 5,
        position: [deterministic.cos(player) * 6, 0.5, deterministic.sin(player) * 6],
        userIndex: 1 + player,
        shape: { type: 'sphere', radius: 0.5 },
      });
    },
    leave(world, player) {
      bodyOf(world, player)?.remove();
    },
    applyInput(world, player, input) {
      const keys = input[0] ?? 0;
      const body = bodyOf(world, player);
      if (body === undefined) return;
      // Up to 4 m/s, at 12 m/s².
      const v = body.getLinearVelocity();
      const push = (wanted: number, speed: number) =>
        wanted === 0 ? 0 : Math.max(-1, Math.min(1, 5 * (4 * wanted - speed)));
      if (keys & 15)
        body.applyImpulse([
          push(keys & LEFT ? -1 : keys & RIGHT ? 1 : 0, v[0]),
          0,
          push(keys & FORWARD ? -1 : keys & BACK ? 1 : 0, v[2]),
        ]);
      if (keys & JUMP && body.getPosition()[1] < 0.6) body.applyImpulse([0, 20, 0]);
      if (!act) throwBall(world, player, input);
    },
    ...(act ? { act: throwBall } : {}),
    step(world) {
      for (const body of world.bodies())
        if (body.userIndex > 100 && body.getPosition()[1] < -5) body.remove();
    },
    predict: (before) => Uint8Array.of((before[0] ?? 0) & 15),
    sanitize: (_player, input) => (input.length <= 1 ? input : null),
    viewpoint: (world, player) => bodyOf(world, player)?.getPosition() ?? null,
  };
}
