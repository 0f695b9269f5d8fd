// Arguments whose getters call the world. Whatever the call does then, by refusing or by going on, the state is sound
// afterwards, the world steps on, and its snapshot loads.
import { type Joint, PhysicsError, type RigidBody, World } from 'ricochet';
import { describe, expect, test } from 'vitest';

const SHAPE = { type: 'sphere' as const, radius: 0.5 };

interface Scene {
  world: World;
  body: RigidBody;
  other: RigidBody;
  joint: Joint;
  before: Uint8Array;
}

function scene(): Scene {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const body = world.createBody({ shape: SHAPE, position: [0, 0.5, 0] });
  const other = world.createBody({ shape: SHAPE, position: [0, 1.5, 0] });
  const joint = world.createJoint({
    type: 'hinge',
    bodyA: body,
    bodyB: other,
    anchor: [0, 1, 0],
    axis: [0, 0, 1],
  });
  world.step(1 / 60);
  return { world, body, other, joint, before: world.snapshot() };
}

/** What a getter does, once. */
const ACTS: Record<string, (s: Scene) => void> = {
  'removes the body': ({ body }) => body.remove(),
  'removes the joint': ({ joint }) => joint.remove(),
  steps: ({ world }) => world.step(1 / 60),
  'makes bodies': ({ world }) => {
    for (let i = 0; i < 40; i++) world.createBody({ shape: SHAPE, position: [3 * i, 50, 0] });
  },
  'moves the other body': ({ other }) => other.setTransform([9, 9, 9], [0, 0, 0, 1]),
  restores: ({ world, before }) => world.restore(before),
  'removes all bodies': ({ world }) => {
    for (const each of [...world.bodies()]) each.remove();
  },
};

/** The value, at the first read of which `act` runs; bodies and joints in it are themselves. */
function trapped<T>(value: T, act: () => void): T {
  let isDone = false;
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (!Array.isArray(inner) && Object.getPrototypeOf(inner) !== Object.prototype) return inner;
    return new Proxy(inner, {
      get(target, name) {
        if (!isDone && typeof name === 'string' && name !== 'constructor') {
          isDone = true;
          act();
        }
        return wrap(Reflect.get(target, name));
      },
    });
  };
  return wrap(value) as T;
}

const CALLS: Record<string, (s: Scene, act: () => void) => unknown> = {
  createBody: ({ world }, act) =>
    world.createBody(trapped({ shape: { ...SHAPE }, position: [1, 2, 3] }, act)),
  'createBodies, template': ({ world }, act) =>
    world.createBodies(trapped({ shape: { ...SHAPE } }, act), { positions: [1, 2, 3, 4, 5, 6] }),
  'createBodies, places': ({ world }, act) =>
    world.createBodies({ shape: SHAPE }, trapped({ positions: [1, 2, 3, 4, 5, 6] }, act)),
  'createBodies, list': ({ world }, act) =>
    world.createBodies([{ shape: SHAPE }, trapped({ shape: { ...SHAPE } }, act)]),
  createJoint: ({ world, body, other }, act) =>
    world.createJoint(trapped({ type: 'point', bodyA: body, bodyB: other, anchor: [0, 1, 0] } as const, act)),
  'createJoint, anchor': ({ world, body, other }, act) =>
    world.createJoint({
      type: 'hinge',
      bodyA: body,
      bodyB: other,
      anchor: trapped([0, 1, 0], act),
      axis: [0, 0, 1],
    }),
  'createJoint to the world': ({ world, body }, act) =>
    world.createJoint(
      trapped(
        { type: 'distance', bodyB: body, frameA: { position: [0, 5, 0] }, low: 0, high: 9 } as never,
        act,
      ),
    ),
  addShape: ({ body }, act) => body.addShape(trapped({ ...SHAPE }, act)),
  setMaterial: ({ body }, act) => body.setMaterial(trapped({ friction: 0.1 }, act)),
  setShapeMaterial: ({ body }, act) =>
    body.setShapeMaterial(body.shapes[0]!, trapped({ friction: 0.1 }, act)),
  setLinearFactor: ({ body }, act) => body.setLinearFactor(trapped([1, 0, 1], act)),
  setAngularFactor: ({ body }, act) => body.setAngularFactor(trapped([1, 0, 1], act)),
  setMass: ({ body }, act) => body.setMass(3, trapped([1, 1, 1], act)),
  updateMassProps: ({ body }, act) => body.updateMassProps(trapped({ mass: 3 }, act)),
  setType: ({ body }, act) => body.setType('dynamic', trapped({ mass: 3 }, act)),
  setTransform: ({ body }, act) => body.setTransform(trapped([0, 3, 0], act), [0, 0, 0, 1]),
  'setTransform, rotation': ({ body }, act) => body.setTransform([0, 3, 0], trapped([0, 0, 0, 1], act)),
  setLinearVelocity: ({ body }, act) => body.setLinearVelocity(trapped([0, 3, 0], act)),
  'applyImpulse, place': ({ body }, act) => body.applyImpulse([0, 1, 0], trapped([0, 1, 0], act)),
  applyForceAtPoint: ({ body }, act) => body.applyForceAtPoint([0, 1, 0], trapped([0, 1, 0], act)),
  setFrames: ({ joint }, act) =>
    joint.setFrames(trapped({ position: [0, 1, 0] }, act), { position: [0, 0, 0] }),
  setLimits: ({ joint }, act) => joint.setAxis('angle', trapped({ low: -1, high: 1 }, act)),
  setGravity: ({ world }, act) => world.setGravity(trapped([0, 1, 0], act)),
  updateSettings: ({ world }, act) => world.updateSettings(trapped({ substeps: 3 }, act)),
  rayTest: ({ world }, act) => world.rayTest(trapped([0, 5, 0], act), [0, -5, 0]),
  getPosition: ({ body }, act) => body.getPosition(trapped([0, 0, 0], act)),
};

describe.each(Object.keys(ACTS))('a getter that %s', (name) => {
  test.each(Object.keys(CALLS))('in %s', (call) => {
    const s = scene();
    let ran = 0;
    try {
      CALLS[call]!(s, () => {
        ran++;
        ACTS[name]!(s);
      });
    } catch (error) {
      expect(error).toBeInstanceOf(PhysicsError);
    }
    expect(ran).toBe(1);
    const fault = () => s.world.findFault();
    expect(fault()).toBe(0);
    for (let i = 0; i < 30; i++) s.world.step(1 / 60);
    expect(fault()).toBe(0);
    expect(World.restore(s.world.snapshot()).stateHash()).toBe(s.world.stateHash());
  });
});
