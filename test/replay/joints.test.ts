// A state is what joints go on from, whatever the world did before: after each of some steps of a joint in motion, a
// fresh world that gets the snapshot, and the one it was taken from, make the same steps as one never asked.
import { type JointOptions, World } from 'ricochet';
import { expect, test } from 'vitest';

const DT = 1 / 60;
const STEPS = 150;
const AHEAD = 25;
/** No divisor of anything: before, at and after the stops, in motion and at rest. */
const EVERY = 13;

const at: [number, number, number] = [0, 3, 0];
const axis: [number, number, number] = [0, 0, 1];
const bounce = { low: -0.5, high: 0.4, stop: { bounce: 0.6 } };
const swing = { low: -0.6, high: 0.5 };

const KINDS: Record<string, JointOptions<never>> = {
  point: { type: 'point', anchor: at },
  hinge: { type: 'hinge', anchor: at, axis, angle: swing },
  'hinge, motor': { type: 'hinge', anchor: at, axis, angle: { motor: { velocity: 4, maxForce: 60 } } },
  'hinge, servo': {
    type: 'hinge',
    anchor: at,
    axis,
    angle: { ...swing, servo: { target: 0.4, maxVelocity: 2, maxForce: 90 } },
  },
  fixed: { type: 'fixed', anchor: at },
  'distance, limits': { type: 'distance', distance: { low: 0.3, high: 0.9 } },
  'distance, spring': {
    type: 'distance',
    distance: { low: 1, high: -1, spring: { hertz: 2, dampingRatio: 0.1, target: 1 } },
  },
  slider: { type: 'slider', anchor: at, axis: [0, 1, 0], position: { low: -0.3, high: 0.5 } },
  'slider, motor': {
    type: 'slider',
    anchor: at,
    axis: [0, 1, 0],
    position: { low: -0.4, high: 0.4, motor: { velocity: 1, maxForce: 80 } },
  },
  coneTwist: {
    type: 'coneTwist',
    anchor: at,
    axis: [1, 0, 0],
    swingY: 0.5,
    swingZ: 0.3,
    twist: { low: -0.2, high: 0.3 },
  },
  generic: { type: 'generic', anchor: at, y: { low: -0.2, high: 0.1 }, angleZ: swing, angleX: swing },
  'generic, bounce': {
    type: 'generic',
    order: 'zyx',
    anchor: at,
    angleX: bounce,
    angleY: bounce,
    angleZ: bounce,
  },
  'generic, spring': {
    type: 'generic',
    anchor: at,
    y: { low: 1, high: -1, spring: { stiffness: 150, damping: 2 } },
  },
  universal: { type: 'universal', anchor: at, axis: [0, 1, 0], axis2: axis, angle2: bounce },
  hinge2: { type: 'hinge2', anchor: at, axis: [0, 1, 0], axis2: axis },
  mouse: { type: 'mouse', target: [0.5, 3.5, 0.2] },
  motor: { type: 'motor', maxForce: 60, maxTorque: 8 },
  gear: { type: 'gear', ratio: -2, frameA: { axis }, frameB: { axis } },
};

/**
 * Two that hang together, and some of their kind to be bundled with; one of those goes, another is switched off and on.
 */
function start(options: JointOptions<never>): { world: World; step(n: number, to?: World): void } {
  const world = new World({ sleeping: false });
  const crate = (x: number, y: number, z: number) =>
    world.createBody({
      mass: 2,
      position: [x, y, z],
      linearVelocity: [0.5, 1, 0.3],
      angularVelocity: [1, 2, 4],
      shape: { type: 'box', halfExtents: [0.4, 0.2, 0.3] },
    });
  const { type } = options;
  const joints = [0, 1, 2, 3, 4].map((i) => {
    const z = 3 * i;
    const a = type === 'mouse' || (i > 0 && type !== 'gear') ? undefined : crate(-0.5, 3, z);
    const placed = { ...options } as Record<string, unknown>;
    if (placed['anchor']) placed['anchor'] = [0, 3, z];
    if (type === 'distance' && !a) placed['frameA'] = { position: [0, 3, z] };
    const b = crate(0.6, 3, z);
    const joint = world.createJoint({
      ...placed,
      ...(a && { bodyA: a }),
      bodyB: b,
      collideConnected: false,
    } as never);
    if (a) world.createJoint({ type: 'hinge', bodyB: a, anchor: [-0.9, 3, z], axis: [0, 0, 1] });
    return joint as unknown as { id: number; setEnabled(on: boolean): void; remove(): void };
  });
  return {
    world,
    step(n) {
      if (n === 20) joints[2]?.remove();
      if (n === 40) joints[1]?.setEnabled(false);
      if (n === 60) joints[1]?.setEnabled(true);
      world.step(DT);
    },
  };
}

test.each(Object.entries(KINDS))('%s: a snapshot in motion goes on to the same bits', (_, options) => {
  const never = start(options);
  const hashes: string[] = [];
  for (let n = 1; n <= STEPS + AHEAD; n++) {
    never.step(n);
    hashes[n] = never.world.stateHash();
  }
  expect(new Set(hashes).size, 'states that differ').toBeGreaterThan(STEPS / 2);
  for (const body of never.world.bodies()) expect(body.getLinearVelocity().every(Number.isFinite)).toBe(true);

  const asked = start(options);
  for (let n = 1; n <= STEPS; n++) {
    asked.step(n);
    if (n % EVERY !== 0) continue;
    const fresh = new World();
    fresh.restore(asked.world.snapshot());
    // What the scene itself does comes after.
    const last = n < 20 ? 19 : n < 40 ? 39 : n < 60 ? 59 : n + AHEAD;
    for (let k = n; k <= Math.min(last, n + AHEAD); k++) {
      if (k > n) fresh.step(DT);
      expect(fresh.stateHash(), `${k - n} steps after a snapshot of step ${n}`).toBe(hashes[k]);
    }
    fresh.dispose();
    expect(asked.world.stateHash()).toBe(hashes[n]);
  }
  expect(asked.world.stateHash(), 'of the world that was asked').toBe(hashes[STEPS]);
});
