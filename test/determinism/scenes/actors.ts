// Golden scenes of actors: characters on a course, and around a planet.
import { deterministic, heightfield, type PhysicsWorld } from 'ricochet';
import { characterIn } from '../../../src/character/character';
import { type GoldenScene, ground, pit, type Target } from './scene';

const { cos, sin } = deterministic;
const CAPSULE = { type: 'capsule', radius: 0.3, halfHeight: 0.5, position: [0, 0.8, 0] } as const;
const LOW = { type: 'capsule', radius: 0.3, halfHeight: 0.1, position: [0, 0.4, 0] } as const;

/** Stairs, a hill, a beam to crouch under, a ladder, a bridge that shuttles, a pool, crates. */
function court(target: Target): void {
  ground(target);
  pit(target, 12, 4);
  for (let i = 0; i < 5; i++)
    target.createBody({
      type: 'static',
      position: [6 + 0.4 * i, 0.15 * (i + 1), -6],
      shape: { type: 'box', halfExtents: [2, 0.15 * (i + 1), 2] },
    });
  const heights = Float32Array.from(
    { length: 17 * 17 },
    (_, i) => 0.5 * sin(0.4 * (i % 17)) * sin(0.4 * Math.floor(i / 17)) - 0.1,
  );
  target.createBody({
    type: 'static',
    position: [-6, 0, -6],
    shape: heightfield({ rows: 17, columns: 17, spacing: 0.5, heights }),
  });
  target.createBody({
    type: 'static',
    position: [0, 1.4, 6],
    shape: { type: 'box', halfExtents: [1, 0.3, 3] },
  });
  target.createBody({
    type: 'static',
    group: 1 | 64,
    position: [8, 1.5, 4],
    shape: { type: 'box', halfExtents: [1, 1.5, 1] },
  });
  target.createBody({
    type: 'static',
    position: [-7, 1, 6],
    shape: { type: 'box', halfExtents: [3, 1, 3], sensor: true, area: { density: 1000, linearDrag: 1 } },
  });
  for (let i = 0; i < 10; i++)
    target.createBody({
      position: [-4 + i, 0.4, 1 + (i % 3)],
      mass: 5 + 5 * i,
      shape:
        i % 2 === 0
          ? { type: 'box', halfExtents: [0.3, 0.3, 0.3] }
          : { type: 'sphere', radius: 0.3, restitution: 0.4 },
    });
}

const characters: GoldenScene = {
  id: 'characters',
  actors: true,
  start(target, link) {
    court(target);
    const bridge = target.createBody({
      type: 'kinematic',
      position: [0, 0.3, -2],
      shape: { type: 'box', halfExtents: [1.5, 0.1, 1] },
    });
    const heroes = Array.from({ length: 12 }, (_, i) =>
      characterIn(target as unknown as PhysicsWorld, link, {
        shape: CAPSULE,
        crouchShape: LOW,
        position: [-9 + 1.6 * i, 1, i % 2 === 0 ? 0 : -4],
        ladders: 64,
        airJumps: i % 3,
        yields: i % 4 !== 3,
        maxSlope: 0.6 + 0.05 * i,
      }),
    );
    return (step) => {
      bridge.setKinematicTarget(
        [3 * sin(0.02 * step), 0.3 + 0.2 * sin(0.03 * step), -2],
        deterministic.quatFromAxisAngle([0, 1, 0], 0.01 * step),
      );
      for (const [i, hero] of heroes.entries()) {
        if (i === 3 && step > 700) continue;
        const angle = 0.011 * step * (1 + 0.1 * i) + i;
        const speed = 1 + ((7 * i) % 5);
        hero.setInput({
          move: [speed * cos(angle), i % 3 === 0 ? 0.5 : 0, speed * sin(angle)],
          jump: (step + 11 * i) % 90 === 0,
          crouch: (step + 50 * i) % 300 < 120,
          local: i === 5,
          turn: i % 4 === 1 ? 0.5 : 0,
          mode: i % 3 === 0 ? 'swim' : step % 400 > 350 && i === 4 ? 'fly' : 'walk',
        });
      }
      if (step % 60 === 0)
        target.createBody({
          position: [-10, 1.2, 2 * sin(step)],
          linearVelocity: [12, 1, 0],
          mass: 8,
          shape: { type: 'sphere', radius: 0.35 },
        });
      if (step % 170 === 0) heroes[2]!.setInput({ launch: [2, 5, 1] });
      if (step === 500) heroes[1]!.setOptions({ stepHeight: 0.2, gravity: 4 });
      if (step === 700) heroes[3]!.remove();
    };
  },
};

const planet: GoldenScene = {
  id: 'planet',
  actors: true,
  world: { gravity: [0, 0, 0] },
  start(target, link) {
    target.createBody({ type: 'static', shape: { type: 'sphere', radius: 15 } });
    target.createBody({
      type: 'static',
      shape: {
        type: 'sphere',
        radius: 40,
        sensor: true,
        area: { attraction: { strength: 9.81, distance: 15 } },
      },
    });
    for (let i = 0; i < 40; i++) {
      const [a, b] = [0.7 * i, 1.3 * i];
      const up = [cos(a) * cos(b), sin(b), sin(a) * cos(b)] as const;
      target.createBody({
        position: [16 * up[0], 16 * up[1], 16 * up[2]],
        mass: 5,
        shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
      });
    }
    const heroes = Array.from({ length: 8 }, (_, i) => {
      const a = 0.785 * i;
      return characterIn(target as unknown as PhysicsWorld, link, {
        shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
        position: [17 * cos(a), 17 * sin(a), 0.5 * i],
        gravity: 'world',
      });
    });
    return (step) => {
      for (const [i, hero] of heroes.entries())
        hero.setInput({
          move: [2 + 0.3 * i, 0, 0.5],
          local: true,
          turn: 0.2 * sin(0.01 * step + i),
          jump: (step + 13 * i) % 70 === 0,
        });
    };
  },
};

export const actors: readonly GoldenScene[] = [characters, planet];
