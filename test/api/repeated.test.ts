// Programs set what they want in every frame, whether it has changed or not. A command that changes nothing leaves every bit of
// the state as it is: it wakes nobody, neither the body nor its neighbours, and bodies fall asleep while it is repeated.
import { describe, expect, test } from 'vitest';
import { type Joint, type RigidBody, World } from '../../src/index';

const DT = 1 / 60;
const cube = { type: 'box', halfExtents: [0.25, 0.25, 0.25] } as const;
const DOWN = [0, -9.81, 0] as const;

interface Scene {
  world: World;
  floor: RigidBody;
  /** At the bottom of a pile. */
  body: RigidBody;
  lift: RigidBody;
  pool: RigidBody;
  hinge: Joint;
  slider: Joint;
  /** Everything that sleeps in the end. */
  piled: RigidBody[];
}

function build(): Scene {
  const world = new World({ gravity: DOWN });
  const floor = world.createBody({
    type: 'static',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [20, 0.5, 20] },
  });
  const pool = world.createBody({
    type: 'static',
    position: [0, 1, 0],
    shape: { type: 'box', halfExtents: [20, 2, 20], area: { density: 10, linearDrag: 1 } },
  });
  const lift = world.createBody({
    type: 'kinematic',
    position: [6, 0.5, 0],
    shape: { type: 'box', halfExtents: [1, 0.5, 1] },
  });
  const piled = [0, 1, 2].map((i) =>
    world.createBody({ mass: 1 + i, position: [0, 0.25 + 0.5 * i, 0], shape: cube }),
  );
  piled.push(world.createBody({ position: [6, 1.25, 0], shape: cube }));
  // Two bodies that lie beside each other on the floor, with drives between them.
  const a = world.createBody({ position: [3, 0.25, 0], shape: [cube, { ...cube, position: [0, 0, 0.6] }] });
  const b = world.createBody({ position: [3.6, 0.25, 0], shape: cube });
  const c = world.createBody({ position: [4.2, 0.25, 0], shape: cube });
  const hinge = world.createJoint({
    type: 'hinge',
    bodyA: a,
    bodyB: b,
    anchor: [3.3, 0.25, 0],
    axis: [0, 1, 0],
    angle: { motor: { velocity: 0.5, maxForce: 0.01 } },
  });
  const slider = world.createJoint({
    type: 'slider',
    bodyA: b,
    bodyB: c,
    axis: [1, 0, 0],
    position: { servo: { target: 0, maxVelocity: 1, maxForce: 10 } },
  });
  piled.push(a, b, c);
  return { world, floor, body: piled[0]!, lift, pool, hinge, slider, piled };
}

/** What programs set. */
const calls: Record<string, (scene: Scene) => void> = {
  setGravity: ({ world }) => world.setGravity(DOWN),
  updateSettings: ({ world }) => world.updateSettings({ restitutionThreshold: 1 }),
  setTransform: ({ floor }) => floor.setTransform([0, -0.5, 0], [0, 0, 0, 1]),
  'setTransform of a kinematic body': ({ lift }) => lift.setTransform([6, 0.5, 0], [0, 0, 0, 1]),
  'setLinearVelocity 0': ({ body }) => body.setLinearVelocity([0, 0, 0]),
  'setAngularVelocity 0': ({ body }) => body.setAngularVelocity([0, 0, 0]),
  'setLinearVelocity 0 of a kinematic body': ({ lift }) => lift.setLinearVelocity([0, 0, 0]),
  'applyForce 0': ({ body }) => body.applyForce([0, 0, 0], [0, 1, 0]),
  'applyTorque 0': ({ body }) => body.applyTorque([0, 0, 0]),
  'applyImpulse 0': ({ body }) => body.applyImpulse([0, 0, 0], [0, 1, 0]),
  'applyTorqueImpulse 0': ({ body }) => body.applyTorqueImpulse([0, 0, 0]),
  setMass: ({ body }) => body.setMass(1),
  updateMassProps: ({ piled }) => piled[4]!.updateMassProps(),
  setDamping: ({ body }) => body.setDamping(0, 0),
  setGravityScale: ({ body }) => body.setGravityScale(1),
  setLinearFactor: ({ body }) => body.setLinearFactor([1, 1, 1]),
  setAngularFactor: ({ body }) => body.setAngularFactor([1, 1, 1]),
  setFilter: ({ body }) => body.setFilter(body.group, body.mask),
  'setFilter of the floor': ({ floor }) => floor.setFilter(floor.group, floor.mask),
  setMaterial: ({ body }) => body.setMaterial({ friction: 0.5 }),
  'setMaterial of the floor': ({ floor }) => floor.setMaterial({ friction: 0.5, restitution: 0 }),
  setType: ({ body }) => body.setType('dynamic'),
  'setType of the floor': ({ floor }) => floor.setType('static'),
  'a filter of its own': ({ body }) => body.updateShape(body.shapes[0]!, { group: 1, mask: -1 }),
  'a combine rule': ({ floor }) => floor.updateShape(floor.shapes[0]!, { frictionCombine: 'maximum' }),
  'a belt': ({ floor }) => floor.updateShape(floor.shapes[0]!, { surfaceVelocity: { linear: [0, 1e-7, 0] } }),
  'an area': ({ pool }) => pool.updateShape(pool.shapes[0]!, { area: { density: 10, linearDrag: 1 } }),
  'no area': ({ pool, floor }) => {
    pool.updateShape(pool.shapes[0]!, {});
    floor.updateShape(floor.shapes[0]!, {});
  },
  setCcd: ({ body }) => body.setCcd(0, 0),
  setUserIndex: ({ body }) => body.setUserIndex(0),
  setMotor: ({ hinge }) => hinge.setMotor('angle', { velocity: 0.5, maxForce: 0.01 }),
  setServo: ({ slider }) => slider.setServo('position', { target: 0, maxVelocity: 1, maxForce: 10 }),
  setLimits: ({ slider }) => slider.setLimits('position', 1, -1),
  setSpring: ({ hinge }) => hinge.setStop('angle', { bounce: 0 }),
  setBreaking: ({ hinge }) => hinge.setBreaking(0, 0),
  setSoftness: ({ hinge }) => hinge.setSoftness(0, 1),
  setEnabled: ({ hinge }) => hinge.setEnabled(true),
  setCollideConnected: ({ hinge }) => hinge.setCollideConnected(false),
};

describe('a call that changes nothing', () => {
  for (const [name, call] of Object.entries(calls)) {
    test(`${name}: bodies fall asleep while it is repeated`, () => {
      const scene = build();
      for (let i = 0; i < 300; i++) {
        call(scene);
        scene.world.step(DT);
      }
      expect(scene.piled.map((b) => b.isSleeping())).toEqual(scene.piled.map(() => true));
      const { world } = scene;
      const before = world.stateHash();
      call(scene);
      expect(world.stateHash()).toBe(before);
      expect(scene.piled.every((b) => b.isSleeping())).toBe(true);
      world.dispose();
    });
  }
});
