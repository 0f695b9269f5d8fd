// The replica of Bullet 2.82, `Ammo({ profile: 'bullet282' })`, gains no energy: nets, chains, closed loops, ragdolls,
// structures with more joints than they need. In: what hangs or falls. Out: the highest that its energy, J, has been above
// its start. `AMMO_LONG=1` runs for 60 s, else 5 s.
import { expect, test } from 'vitest';
import {
  type Ammo,
  addBody,
  box,
  createWorld,
  limitLimb,
  load,
  positionOf,
  testOn,
  transformOf,
  xyz,
  xyzw,
} from './engines';

testOn('bullet282');
const SECONDS = process.env['AMMO_LONG'] === undefined ? 5 : 60;
const G = 10;

interface Part {
  body: Ammo;
  mass: number;
  moments: number[];
}

class Scene {
  readonly parts: Part[] = [];
  constructor(
    readonly A: Ammo,
    readonly world: Ammo,
  ) {}

  add(shape: Ammo, mass: number, position: number[], rotation?: number[]): Ammo {
    const body = addBody(this.A, this.world, shape, mass, { position, ...(rotation && { rotation }) });
    body.setActivationState(4);
    const inertia = new this.A.btVector3(0, 0, 0);
    if (mass > 0) {
      shape.calculateLocalInertia(mass, inertia);
      this.parts.push({ body, mass, moments: xyz(inertia) });
    }
    return body;
  }

  v(x: number, y: number, z: number): Ammo {
    return new this.A.btVector3(x, y, z);
  }

  frame(x: number, y: number, z: number): Ammo {
    return transformOf(this.A, { position: [x, y, z] });
  }

  join(joint: Ammo): void {
    this.world.addConstraint(joint, true);
  }

  energy(): number {
    let sum = 0;
    for (const { body, mass, moments } of this.parts) {
      const [x, y, z] = xyz(body.getLinearVelocity());
      const spin = back(xyz(body.getAngularVelocity()), xyzw(body.getWorldTransform().getRotation()));
      sum += mass * (G * positionOf(body)[1] + (x * x + y * y + z * z) / 2);
      sum += spin.reduce((part, w, i) => part + (moments[i]! * w * w) / 2, 0);
    }
    return sum;
  }
}

/** A vector of the world in the frame of a body. */
function back([x, y, z]: number[], [qx, qy, qz, qw]: number[]): number[] {
  const [a, b, c] = [-qx!, -qy!, -qz!];
  const [tx, ty, tz] = [2 * (b * z! - c * y!), 2 * (c * x! - a * z!), 2 * (a * y! - b * x!)];
  return [x! + qw! * tx + b * tz - c * ty, y! + qw! * ty + c * tx - a * tz, z! + qw! * tz + a * ty - b * tx];
}

/** 16 × 16 boxes or balls in a plane, joined to their neighbours; those that `holds` are fixed. */
function net(s: Scene, shape: Ammo, mass: number, holds: (i: number, j: number) => boolean, kind = 'ball') {
  const [count, far] = kind === 'ball' ? [16, 0.5] : [6, 0.5];
  const bodies: Ammo[][] = [];
  for (let i = 0; i < count; i++) {
    bodies.push([]);
    for (let j = 0; j < count; j++)
      bodies[i]!.push(s.add(shape, holds(i, j) ? 0 : mass, [i * far, 5, j * far]));
  }
  const half = far / 2;
  const link = (a: Ammo, b: Ammo, x: number, z: number) =>
    s.join(
      kind === 'ball'
        ? new s.A.btPoint2PointConstraint(a, b, s.v(x, 0, z), s.v(-x, 0, -z))
        : new s.A.btFixedConstraint(a, b, s.frame(x, 0, z), s.frame(-x, 0, -z)),
    );
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      if (i + 1 < count) link(bodies[i]![j], bodies[i + 1]![j], half, 0);
      if (j + 1 < count) link(bodies[i]![j], bodies[i]![j + 1], 0, half);
    }
}

/** Links of 0.3 m from a point of the world on, along x. */
function chain(s: Scene, count: number, last: number, join: (before: Ammo | null, link: Ammo) => Ammo) {
  let before: Ammo | null = null;
  for (let i = 0; i < count; i++) {
    const link = s.add(box(s.A, 0.1), i === count - 1 ? last : 1, [0.15 + 0.3 * i, 5, 0]);
    s.join(join(before, link));
    before = link;
  }
}

const ball = (s: Scene) => (before: Ammo | null, link: Ammo) =>
  before === null
    ? new s.A.btPoint2PointConstraint(link, s.v(-0.15, 0, 0))
    : new s.A.btPoint2PointConstraint(before, link, s.v(0.15, 0, 0), s.v(-0.15, 0, 0));

/** Links in a circle of 1 m, the first of them fixed. */
function loop(s: Scene, count: number, kind: 'ball' | 'hinge') {
  const reach = Math.tan(Math.PI / count);
  const links = Array.from({ length: count }, (_, i) => {
    const a = (2 * Math.PI * i) / count;
    const turn = [0, 0, Math.sin(a / 2), Math.cos(a / 2)];
    return s.add(box(s.A, 0.1), i === 0 ? 0 : 1, [Math.cos(a), 5 + Math.sin(a), 0], turn);
  });
  links.forEach((link, i) => {
    const next = links[(i + 1) % count];
    const ends = [s.v(0, reach, 0), s.v(0, -reach, 0)];
    s.join(
      kind === 'ball'
        ? new s.A.btPoint2PointConstraint(link, next, ...ends)
        : new s.A.btHingeConstraint(link, next, ...ends, s.v(0, 0, 1), s.v(0, 0, 1)),
    );
  });
}

function ragdolls(s: Scene, count: number) {
  addBody(s.A, s.world, box(s.A, 50, 0.5, 50), 0, { position: [0, -0.5, 0] });
  for (let n = 0; n < count; n++) {
    const at = [1.2 * (n % 5), 1.5 + 1.8 * Math.floor(n / 25), 1.2 * (Math.floor(n / 5) % 5)];
    const part = (radius: number, length: number, mass: number, x: number, y: number) =>
      s.add(new s.A.btCapsuleShape(radius, length), mass, [at[0]! + x, at[1]! + y, at[2]!]);
    const torso = part(0.15, 0.3, 20, 0, 0);
    for (const [limb, x, y, z] of [
      [part(0.1, 0.05, 4, 0, 0.5), 0, 0.35, -0.15],
      [part(0.06, 0.3, 3, -0.35, 0), -0.35, 0.2, 0.2],
      [part(0.06, 0.3, 3, 0.35, 0), 0.35, 0.2, 0.2],
      [part(0.08, 0.3, 6, -0.12, -0.6), -0.12, -0.35, 0.25],
      [part(0.08, 0.3, 6, 0.12, -0.6), 0.12, -0.35, 0.25],
    ] as const) {
      const frames = [s.frame(x, y, 0), s.frame(0, z, 0)];
      const leg = y < 0;
      const joint = new s.A[leg ? 'btHingeConstraint' : 'btConeTwistConstraint'](torso, limb, ...frames);
      limitLimb(joint, leg);
      s.join(joint);
    }
  }
}

const SCENES: Record<string, (s: Scene) => void> = {
  'a net of 16 × 16 balls on its corners': (s) =>
    net(s, new s.A.btSphereShape(0.1), 0.1, (i, j) => i % 15 === 0 && j % 15 === 0),
  'a net of 16 × 16 boxes on one side': (s) => net(s, box(s.A, 0.2), 1, (i) => i === 0),
  'a plate of 6 × 6 boxes, each fixed to its neighbours': (s) =>
    net(s, box(s.A, 0.2), 1, (i) => i === 0, 'fixed'),
  'a chain of 40 links': (s) => chain(s, 40, 1, ball(s)),
  'a chain of 20 links with 100 kg at its end': (s) => chain(s, 20, 100, ball(s)),
  'a chain of 20 cones': (s) =>
    chain(s, 20, 1, (before, link) => {
      const frames = [s.frame(0.15, 0, 0), s.frame(-0.15, 0, 0)];
      const joint =
        before === null
          ? new s.A.btConeTwistConstraint(link, frames[1])
          : new s.A.btConeTwistConstraint(before, link, ...frames);
      for (const [axis, limit] of [
        [3, 0.3],
        [4, 0.5],
        [5, 0.5],
      ])
        joint.setLimit(axis, limit);
      return joint;
    }),
  'a closed loop of 24 links': (s) => loop(s, 24, 'ball'),
  'a closed loop of 8 hinges': (s) => loop(s, 8, 'hinge'),
  [`${SECONDS > 10 ? 50 : 20} ragdolls that fall`]: (s) => ragdolls(s, SECONDS > 10 ? 50 : 20),
};

test.each(Object.entries(SCENES))('%s: never above the energy that it began with', async (name, build) => {
  const A = await load('ricochet');
  const world = createWorld(A);
  world.setGravity(new A.btVector3(0, -G, 0));
  const scene = new Scene(A, world);
  build(scene);
  const start = scene.energy();
  let most = -Infinity;
  for (let i = 0; i < 60 * SECONDS; i++) {
    world.stepSimulation(1 / 60, 0);
    most = Math.max(most, scene.energy() - start);
  }
  if (SECONDS > 10) console.log(`${name}: ${most.toFixed(3)} J above ${start.toFixed(0)} J`);
  expect(most).toBeLessThan(0);
  // Nothing has come apart: what hangs has not fallen out of its joints.
  for (const { body } of scene.parts) expect(positionOf(body)[1]).toBeGreaterThan(-9);
});
