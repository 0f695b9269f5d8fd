// Scenes that hang together: a bridge of planks, a chain with a heavy ball, Newton's cradle, a train of
// gears, a net of ball joints.
import { createGround, type Scene } from './scene';

export const ropeBridge: Scene = {
  id: 'rope-bridge',
  title: 'Rope bridge',
  description: 'Planks of 20 kg; five tonnes come down on them.',
  camera: { position: [7, 8.5, 24], target: [0, 2.6, 0] },
  shows: { joints: true, statics: 'solid' },
  build(target) {
    createGround(target);
    const COUNT = 24;
    const LENGTH = 0.6;
    const end = (COUNT * LENGTH) / 2;
    for (const side of [-1, 1])
      target.createBody({
        type: 'static',
        position: [side * (end + 1.5), 2.45, 0],
        shape: { type: 'box', halfExtents: [1.5, 2.45, 2] },
      });
    // It sags by a metre from the start: a straight one could bear nothing.
    const height = (x: number) => 4.9 - (1 - (x / end) ** 2);
    let before: unknown;
    for (let i = 0; i <= COUNT; i++) {
      const x = -end + i * LENGTH;
      const rise = height(x + LENGTH) - height(x);
      const turned = rise / LENGTH / 2;
      const plank =
        i === COUNT
          ? undefined
          : target.createBody({
              mass: 20,
              position: [x + LENGTH / 2, height(x) + rise / 2, 0],
              rotation: [0, 0, turned / Math.sqrt(1 + turned * turned), 1 / Math.sqrt(1 + turned * turned)],
              angularDamping: 0.2,
              shape: { type: 'box', halfExtents: [0.27, 0.06, 1.2], friction: 0.8 },
            });
      target.createJoint({
        type: 'hinge',
        bodyA: before as never,
        bodyB: plank as never,
        anchor: [x, height(x), 0],
        axis: [0, 0, 1],
      });
      before = plank;
    }
    target.createBody({
      mass: 5000,
      position: [0, 6.5, 0],
      shape: { type: 'box', halfExtents: [1.1, 0.7, 0.8], friction: 0.8 },
    });
  },
};

export const heavyChain: Scene = {
  id: 'heavy-chain',
  title: 'Heavy chain',
  description: 'A ball of a thousand times the mass of a link swings on them.',
  camera: { position: [3, 8, 20], target: [2, 5.2, 0] },
  shows: { joints: true },
  build(target) {
    createGround(target);
    const COUNT = 12;
    let before: unknown;
    for (let i = 0; i <= COUNT; i++) {
      const isBall = i === COUNT;
      const body = target.createBody({
        mass: isBall ? 1000 : 1,
        position: [0.6 * i + (isBall ? 0.9 : 0.3), 11, 0],
        shape: isBall
          ? { type: 'sphere', radius: 0.9 }
          : { type: 'capsule', radius: 0.1, halfHeight: 0.2, axis: 'x' },
      });
      target.createJoint({
        type: 'point',
        bodyA: before as never,
        bodyB: body as never,
        anchor: [0.6 * i, 11, 0],
      });
      before = body;
    }
    for (let i = 0; i < 15; i++)
      target.createBody({
        mass: 20,
        position: [-3 + 0.02 * (i % 5), 0.5 + (i % 5), (Math.floor(i / 5) - 1) * 1.05],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      });
  },
};

export const cradle: Scene = {
  id: 'cradle',
  title: "Newton's cradle",
  description: 'Five steel balls on two threads each, restitution 1: two go, two come.',
  camera: { position: [0, 3.4, 13], target: [0, 1.9, 0] },
  world: { sleeping: false },
  shows: { joints: true },
  build(target) {
    createGround(target);
    const LENGTH = 3;
    for (let i = 0; i < 5; i++) {
      const x = (i - 2) * 1.001;
      const lifted = i < 2;
      // A ball that is lifted by 50° starts on its circle.
      const ball = target.createBody({
        mass: 1,
        position: lifted ? [x - LENGTH * 0.766, 4 - LENGTH * 0.6428, 0] : [x, 4 - LENGTH, 0],
        shape: { type: 'sphere', radius: 0.5, restitution: 1, friction: 0 },
      });
      const size = Math.sqrt(LENGTH * LENGTH + 1);
      for (const z of [-1, 1])
        target.createJoint({
          type: 'distance',
          frameA: { position: [x, 4, z] },
          bodyB: ball as never,
          distance: { low: size, high: size },
        });
    }
  },
};

/** cos and sin of k sixteenths of half a turn, by adding angles: the same in every browser. */
function turnedBy(k: number): [number, number] {
  let [c, s] = [1, 0];
  for (let i = 0; i < k; i++)
    [c, s] = [
      c * 0.9807852804032304 - s * 0.19509032201612825,
      s * 0.9807852804032304 + c * 0.19509032201612825,
    ];
  return [c, s];
}

export const gearTrain: Scene = {
  id: 'gear-train',
  title: 'Gear train',
  description: 'A motor turns the first wheel; each gear keeps its ratio to the tooth.',
  camera: { position: [4.6, 4.2, 12.5], target: [3.4, 2.3, 0] },
  shows: { joints: true },
  build(target) {
    createGround(target);
    const radii = [1, 0.5, 1.4, 0.6, 0.9];
    let x = 0;
    let before: unknown;
    radii.forEach((radius, i) => {
      if (i > 0) x += radii[i - 1]! + radius;
      // The toothed look of a wheel: a disc with spokes, which show how it turns.
      const spokes = Array.from({ length: 8 }, (_, k) => {
        const half = turnedBy(k);
        return {
          type: 'box' as const,
          halfExtents: [radius * 0.94, 0.08, 0.16] as [number, number, number],
          rotation: [0, 0, half[1], half[0]] as [number, number, number, number],
        };
      });
      const wheel = target.createBody({
        mass: 4 * radius * radius,
        position: [x, 2.6, 0],
        shape: [{ type: 'cylinder', radius: radius * 0.8, halfHeight: 0.12, axis: 'z' }, ...spokes],
        userIndex: i,
        mask: 0,
      });
      target.createJoint({
        type: 'hinge',
        bodyB: wheel as never,
        anchor: [x, 2.6, 0],
        axis: [0, 0, 1],
        angle: i === 0 ? { motor: { velocity: 1.5, maxForce: 200 } } : {},
      });
      if (before !== undefined)
        target.createJoint({
          type: 'gear',
          bodyA: before as never,
          bodyB: wheel as never,
          ratio: radius / radii[i - 1]!,
          frameA: { axis: [0, 0, 1] },
          frameB: { axis: [0, 0, 1] },
        });
      before = wheel;
    });
  },
};

export const jointNet: Scene = {
  id: 'joint-net',
  title: 'Net',
  description: '1,024 balls and 1,953 joints, held along one edge.',
  camera: { position: [32, 8, 40], target: [0, 0, 3] },
  floor: -18,
  world: { sleeping: false },
  build(target) {
    const SIDE = 32;
    createGround({
      ...target,
      createBody: (options) => target.createBody({ ...options, position: [0, -18, 0] }),
    });
    const bodies: unknown[] = [];
    for (let row = 0; row < SIDE; row++)
      for (let column = 0; column < SIDE; column++) {
        const position: [number, number, number] = [(column - SIDE / 2) * 0.6, 10, row * 0.6];
        const body = target.createBody({
          type: row === 0 ? 'static' : 'dynamic',
          ...(row === 0 ? {} : { mass: 1 }),
          position,
          shape: { type: 'sphere', radius: 0.24 },
          group: 2,
          mask: ~2,
        });
        bodies.push(body);
        if (row === 0) continue;
        if (column > 0)
          target.createJoint({
            type: 'point',
            bodyA: bodies.at(-2) as never,
            bodyB: body as never,
            anchor: [position[0] - 0.3, 10, position[2]],
          });
        target.createJoint({
          type: 'point',
          bodyA: bodies.at(-1 - SIDE) as never,
          bodyB: body as never,
          anchor: [position[0], 10, position[2] - 0.3],
        });
      }
  },
};
