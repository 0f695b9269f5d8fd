// Golden scene of vehicles: cars with each kind of wheel, a tracked vehicle and a motorcycle, among hills, kerbs and crates.
import { deterministic, type PhysicsWorld } from 'ricochet';
import { cookMesh } from 'ricochet/cooking';
import type { VehicleOptions, WheelOptions } from '../../../src/vehicle';
import { vehicleIn } from '../../../src/vehicle/vehicle';
import type { GoldenScene, Target } from './scene';

const { sin, cos } = deterministic;

/** Hills, flat around the middle. */
function height(x: number, z: number): number {
  const far = Math.min(1, (x * x + z * z) / 900);
  return far * (1.2 * sin(0.11 * x) * cos(0.13 * z) + 0.08 * sin(1.3 * x + 0.7 * z));
}

/** A mesh of 48 × 48 cells of 2.5 m, with ice on one of its quarters. */
function hills(target: Target): void {
  const n = 49;
  const vertices: number[] = [];
  const indices: number[] = [];
  const materials: number[] = [];
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const [x, z] = [2.5 * (k - 24), 2.5 * (i - 24)];
      vertices.push(x, height(x, z), z);
    }
  for (let i = 0; i < n - 1; i++)
    for (let k = 0; k < n - 1; k++) {
      const a = i * n + k;
      indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
      const isIce = i > 30 && k > 30 ? 1 : 0;
      materials.push(isIce, isIce);
    }
  const geometry = cookMesh({ vertices, indices, materials, coefficients: [{}, { friction: 0.08 }] });
  target.createBody({ type: 'static', shape: { type: 'mesh', geometry } });
}

/** Kerbs, a ramp, a bridge that is a plank on two blocks, a board that turns about its middle, crates. */
function course(target: Target): void {
  const fixed = (position: [number, number, number], halfExtents: [number, number, number], turned = 0) =>
    target.createBody({
      type: 'static',
      position,
      rotation: deterministic.quatFromAxisAngle([1, 0, 0], turned),
      shape: { type: 'box', halfExtents },
    });
  for (let i = 0; i < 4; i++) fixed([-6 + 4 * i, 0.05, 8 + 2 * i], [1.5, 0.08, 0.6]);
  fixed([5, 0.2, 16], [2, 0.1, 3], -0.2);
  fixed([-5, 0.15, 14], [1.5, 0.3, 0.4]);
  fixed([-5, 0.15, 20], [1.5, 0.3, 0.4]);
  target.createBody({
    mass: 300,
    position: [-5, 0.55, 17],
    shape: { type: 'box', halfExtents: [1.4, 0.08, 3.6] },
  });
  for (let i = 0; i < 16; i++)
    target.createBody({
      mass: 10 + 5 * i,
      position: [-14 + 2 * i, 0.6 + height(-14 + 2 * i, -12), -12],
      shape:
        i % 3 === 0
          ? { type: 'sphere', radius: 0.4 }
          : { type: 'box', halfExtents: [0.4, 0.3, 0.5], friction: 0.3 },
    });
}

/** Wheels in pairs at these places along the vehicle. */
function pairs(
  along: readonly number[],
  aside: number,
  wheel: Omit<WheelOptions, 'position'>,
): WheelOptions[] {
  return along.flatMap((z) =>
    [aside, -aside].map((x) => ({ ...wheel, position: [x, -0.3, z] as [number, number, number] })),
  );
}

const BOX = { type: 'box', halfExtents: [0.85, 0.25, 2] } as const;
const CARS: readonly [mass: number, height: number, options: Omit<VehicleOptions, 'chassis'>][] = [
  [1200, 0.65, { wheels: pairs([1.3, -1.3], 0.8, {}) }],
  [
    1600,
    0.65,
    { wheels: pairs([1.3, -1.3], 0.8, { cast: 'sphere' }), drive: 'all', centreDifferential: 'locked' },
  ],
  [
    900,
    0.65,
    { wheels: pairs([1.3, -1.3], 0.8, { cast: 'ray' }), drive: 'front', differential: 200, antilock: false },
  ],
  [4000, 0.75, { wheels: pairs([1.6, -0.6, -1.6], 0.9, { radius: 0.45 }), drive: 'all', traction: false }],
  [8000, 0.75, { kind: 'tracked', wheels: pairs([1.8, 0.9, 0, -0.9, -1.8], 1, { radius: 0.4 }) }],
  [
    250,
    0.6,
    {
      kind: 'motorcycle',
      wheels: [
        { position: [0, -0.3, 0.7], radius: 0.3 },
        { position: [0, -0.3, -0.7], radius: 0.3 },
      ],
    },
  ],
];

const driving: GoldenScene = {
  id: 'driving',
  actors: true,
  start(target, link) {
    hills(target);
    course(target);
    const extra = target.createBody({
      type: 'static',
      position: [12, 0.3, 0],
      shape: { type: 'box', halfExtents: [3, 0.3, 3] },
    });
    const cars = [...CARS, ...CARS].map(([mass, rest, options], i) => {
      const [x, z] = [3.5 * (i % 6) - 9, i < 6 ? 0 : -7];
      const chassis = target.createBody({
        mass,
        position: [x, rest + 0.1 + height(x, z) + (i === 5 ? 0.5 : 0), z],
        shape: i % 6 === 5 ? { type: 'box', halfExtents: [0.15, 0.3, 0.6] } : BOX,
      });
      return vehicleIn(target as unknown as PhysicsWorld, link, { ...options, chassis } as VehicleOptions);
    });
    return (step) => {
      for (const [i, car] of cars.entries()) {
        if (car.isRemoved || (step + 7 * i) % 15 !== 1) continue;
        const turn = sin(0.7 * i + 0.013 * step);
        car.setInput({
          throttle: i === 4 && step < 200 ? 0 : 0.45 + 0.5 * cos(0.9 * i + 0.007 * step),
          steer: i === 4 ? 1 : turn,
          brake: (step + 31 * i) % 240 < 20 ? 1 : 0,
          handbrake: (step + 53 * i) % 310 < 12 ? 1 : 0,
          gear: i === 3 ? ((step / 150) & 3) + 1 : 'automatic',
        });
      }
      if (step === 300) extra.remove();
      if (step === 500) cars[1]!.setOptions({ tyre: { friction: 0.6 }, suspension: { frequency: 3 } });
      if (step === 650) cars[2]!.chassis.remove();
      if (step === 700) cars[6]!.chassis.remove();
      if (step % 200 === 0)
        target.createBody({
          position: [-12, 1.5, 4 * sin(step)],
          linearVelocity: [14, 2, 3],
          mass: 60,
          shape: { type: 'sphere', radius: 0.5 },
        });
    };
  },
};

export const vehicles: readonly GoldenScene[] = [driving];
