// Bullet's robots here and in MuJoCo: masses, principal moments, poses of links, and how each joint moves: the period of its
// pendulum, or what a torque does where its axis passes the centre of mass. And the arm, with a load in its hand. Neither is kept here: clone bulletphysics/bullet3, install
// @mujoco/mujoco anywhere, and
//   BULLET3=path/to/bullet3 MUJOCO=path/to/node_modules/@mujoco/mujoco npx vitest run --project node test/urdf/mujoco
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Joint, type JointOptions, type RigidBody, World } from 'ricochet';
import { Robot, readUrdf, type Urdf } from 'ricochet/urdf';
import { describe, expect, test } from 'vitest';
import { random } from '../physics/support/vector';

const root = process.env['BULLET3'] ?? '';
const home = process.env['MUJOCO'] ?? '';
const there = root !== '' && existsSync(join(home, 'mujoco.js'));
if (!there) console.log('skipped: BULLET3 names no clone of bullet3, or MUJOCO no package @mujoco/mujoco');

/** Of the folder data. */
const ROBOTS = [
  'cartpole.urdf',
  'kuka_iiwa/model.urdf',
  'r2d2.urdf',
  'quadruped/minitaur.urdf',
  'racecar/racecar.urdf',
  'husky/husky.urdf',
];

type Triple = [number, number, number];

interface Model {
  nbody: number;
  njnt: number;
  body_mass: ArrayLike<number>;
  body_inertia: ArrayLike<number>;
  jnt_type: ArrayLike<number>;
  jnt_bodyid: ArrayLike<number>;
  opt: { timestep: number; integrator: number; gravity: { [axis: number]: number } };
}

interface Data {
  time: number;
  qpos: { [i: number]: number; readonly length: number };
  qvel: { [i: number]: number };
  qfrc_applied: { [i: number]: number };
  xpos: ArrayLike<number>;
  xquat: ArrayLike<number>;
  xaxis: ArrayLike<number>;
  xanchor: ArrayLike<number>;
  subtree_com: ArrayLike<number>;
}

interface MuJoCo {
  MjModel: { from_xml_string(text: string): Model };
  MjData: new (model: Model) => Data;
  mj_forward(model: Model, data: Data): void;
  mj_step(model: Model, data: Data): void;
  mj_id2name(model: Model, kind: number, id: number): string;
}
const [BODY, JOINT] = [1, 3];
const [SLIDE, RUNGE_KUTTA] = [2, 1];

async function loadMujoco(): Promise<MuJoCo> {
  const { default: load } = await import(/* @vite-ignore */ pathToFileURL(join(home, 'mujoco.js')).href);
  return load();
}

/**
 * For both alike: without meshes, so that none must be there; variables of ROS at their defaults, which MuJoCo does not know; without
 * friction in the joints, for periods.
 */
const bare = (file: string) =>
  readFileSync(join(root, 'data', file), 'utf8')
    .replace(/<(collision|visual|sensor|transmission|gazebo)\b[^>]*\/>/g, '')
    .replace(/<(collision|visual|sensor|transmission|gazebo)\b[\s\S]*?<\/\1>/g, '')
    .replace(/\$\(optenv\s+\w+\s*([^)]*)\)/g, '$1')
    .replace(/<dynamics\b[^>]*\/>/g, '');

interface Mass {
  mass: number;
  moments: number[];
}

const sorted = (moments: readonly number[]) => [...moments].sort((a, b) => a - b);
const byMass = (list: Mass[]) => list.sort((a, b) => a.mass - b.mass || a.moments[0]! - b.moments[0]!);

function ours({ bodies }: Urdf): Mass[] {
  return byMass(
    bodies
      .filter(({ options }) => options.type !== 'static')
      .map(({ options }) => ({ mass: options.mass!, moments: sorted(options.inertia as number[]) })),
  );
}

function theirs({ nbody, body_mass, body_inertia }: Model): Mass[] {
  const list: Mass[] = [];
  for (let i = 1; i < nbody; i++)
    list.push({
      mass: body_mass[i]!,
      moments: sorted([0, 1, 2].map((k) => body_inertia[3 * i + k]!)),
    });
  return byMass(list);
}

const triple = (list: ArrayLike<number>, i: number): Triple => [
  list[3 * i]!,
  list[3 * i + 1]!,
  list[3 * i + 2]!,
];
const sub = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const times = (a: Triple, s: number): Triple => [a[0] * s, a[1] * s, a[2] * s];
/** v turned by a quaternion x, y, z, w. */
function turned(v: Triple, [x, y, z, w]: readonly number[]): Triple {
  const t = times(cross([x!, y!, z!], v), 2);
  const u = cross([x!, y!, z!], t);
  return [v[0] + w! * t[0] + u[0], v[1] + w! * t[1] + u[1], v[2] + w! * t[2] + u[2]];
}

/** A robot in a world without sleep, its z up; nothing collides. */
function inWorld(text: string, gravity: Triple, hz: number) {
  const world = new World({ gravity, sleeping: false });
  const urdf = readUrdf(text, { fixedBase: true, rotation: [0, 0, 0, 1] });
  const robot = new Robot<RigidBody, Joint>(world, urdf, { maxForce: 500 });
  return { world, urdf, robot, step: () => world.step(1 / hz) };
}

const percent = (share: number) => `${(100 * share).toFixed(3)} %`;

describe.skipIf(!there)('beside MuJoCo', () => {
  test.each(ROBOTS)('%s: masses and principal moments', async (file) => {
    const mujoco = await loadMujoco();
    const model = mujoco.MjModel.from_xml_string(bare(file));
    const [mine, other] = [ours(readUrdf(bare(file), { fixedBase: true })), theirs(model)];
    expect(mine.length).toBe(other.length);
    let most = 0;
    for (const [i, { mass, moments }] of mine.entries()) {
      most = Math.max(most, Math.abs(mass / other[i]!.mass - 1));
      for (const [k, moment] of moments.entries())
        most = Math.max(most, Math.abs(moment - other[i]!.moments[k]!) / other[i]!.moments[2]!);
    }
    console.log(
      `${file}: ${mine.length} bodies, masses and moments differ by ${percent(most)}; target 0.5 %`,
    );
    expect(most).toBeLessThan(5e-3);
  });

  test.each(ROBOTS)('%s: poses of links, where servos have brought the joints', async (file) => {
    const mujoco = await loadMujoco();
    const model = mujoco.MjModel.from_xml_string(bare(file));
    const data = new mujoco.MjData(model);
    const { robot, urdf, step } = inWorld(bare(file), [0, 0, 0], 120);
    const next = random(20261123);
    const spans = urdf.joints.map(
      ({ lower, upper }) => [Math.max(lower, -1.2), Math.min(upper, 1.2)] as const,
    );
    robot.setTargets(
      Object.fromEntries(
        urdf.joints.flatMap(({ name, axis, mimic }, i) => {
          const [low, high] = spans[i]!;
          return axis === null || mimic !== null ? [] : [[name, low + next() * (high - low)]];
        }),
      ),
    );
    for (let i = 0; i < 1200; i++) step();
    const angles = robot.getPositions();
    let moved = 0;
    for (let i = 0; i < model.njnt; i++) {
      data.qpos[i] = angles[mujoco.mj_id2name(model, JOINT, i)]!;
      moved = Math.max(moved, Math.abs(data.qpos[i]!));
    }
    mujoco.mj_forward(model, data);
    let [far, turn, size, links] = [0, 0, 0, 0];
    for (let i = 1; i < model.nbody; i++) {
      const name = mujoco.mj_id2name(model, BODY, i);
      const body = robot.bodies.get(name)!;
      const place = urdf.bodies.find((each) => each.links.includes(name))!.places.get(name)!;
      const at = turned(place.position as Triple, body.getRotation() as number[]);
      const position = (body.getPosition() as Triple).map((c, k) => c + at[k]!) as Triple;
      const wanted = triple(data.xpos, i);
      far = Math.max(far, Math.hypot(...sub(position, wanted)));
      size = Math.max(size, Math.hypot(...wanted));
      // Both turn x and y to the same directions.
      const [w, x, y, z] = [0, 1, 2, 3].map((k) => data.xquat[4 * i + k]!) as [
        number,
        number,
        number,
        number,
      ];
      for (const axis of [
        [1, 0, 0],
        [0, 1, 0],
      ] as Triple[]) {
        const mine = turned(turned(axis, place.rotation as number[]), body.getRotation() as number[]);
        turn = Math.max(turn, Math.hypot(...sub(mine, turned(axis, [x, y, z, w]))));
      }
      links++;
    }
    console.log(
      `${file}: ${links} links, joints moved by up to ${moved.toFixed(2)}: places differ by ${(1000 * far).toFixed(3)} mm of ${size.toFixed(2)} m (${percent(far / size)}), turns by ${turn.toExponential(1)} rad; target 0.5 %`,
    );
    expect(moved).toBeGreaterThan(0.1);
    expect(far / size).toBeLessThan(5e-3);
    expect(turn).toBeLessThan(5e-3);
  });

  test.each(ROBOTS)('%s: each joint alone, the others fixed', async (file) => {
    const mujoco = await loadMujoco();
    const text = bare(file).replace(
      /<limit\b[^>]*\/>/g,
      '<limit effort="1000" velocity="1000" lower="-3" upper="3"/>',
    );
    const names = readUrdf(text, { fixedBase: true }).joints.map(({ name }) => name);
    const told: string[] = [];
    let worst = 0;
    for (const name of names) {
      const alone = text.replace(/<joint\s+name="([^"]+)"\s+type="(\w+)"/g, (whole, other, type) =>
        other === name || type === 'fixed' ? whole : `<joint name="${other}" type="fixed"`,
      );
      const model = mujoco.MjModel.from_xml_string(alone);
      expect(model.njnt).toBe(1);
      const [period, expected, what] = motionOf(mujoco, model, alone, name);
      const off = Math.abs(period / expected - 1);
      worst = Math.max(worst, off);
      told.push(`${name} ${what} ${period.toFixed(4)} of ${expected.toFixed(4)}`);
    }
    console.log(`${file}: ${told.join(', ')}: differ by ${percent(worst)} at most; target 0.5 %`);
    expect(worst).toBeLessThan(5e-3);
  });

  test.each([60, 120])('the arm holds its pose with 5 kg in its hand within 1°, at %i Hz', (hz) => {
    const load =
      '<link name="load"><inertial><mass value="5"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="grip" type="fixed"><parent link="lbr_iiwa_link_7"/><child link="load"/><origin xyz="0 0 0.1"/></joint></robot>';
    const text = bare('kuka_iiwa/model.urdf').replace('</robot>', load);
    const { robot, step } = inWorld(text, [0, 0, -9.81], hz);
    const { jointNames } = robot;
    const pose = Object.fromEntries(
      jointNames.map((name, i) => [name, [0.4, 0.9, -0.3, -1.1, 0.5, 0.8, 0.2][i]!]),
    );
    robot.setTargets(pose);
    for (let i = 0; i < 8 * hz; i++) step();
    let most = 0;
    for (let i = 0; i < 2 * hz; i++) {
      step();
      const at = robot.getPositions();
      for (const name of jointNames) most = Math.max(most, Math.abs(at[name]! - pose[name]!));
    }
    const degrees = (180 / Math.PI) * most;
    console.log(`kuka_iiwa with 5 kg at ${hz} Hz: off by ${degrees.toFixed(4)}° at most; target 1°`);
    expect(degrees).toBeLessThan(1);
  });
});

const G = 9.81;
/** rad or m: amplitude of a pendulum. */
const SWING = 0.1;

/**
 * Of the only joint of a robot, here and in MuJoCo: s of a swing in gravity that pulls where the centre of mass hangs; where there is
 * no such direction, rad/s or m/s that a constant torque or force gives in half a second.
 */
function motionOf(mujoco: MuJoCo, model: Model, text: string, name: string): [number, number, string] {
  const data = new mujoco.MjData(model);
  model.opt.integrator = RUNGE_KUTTA;
  for (let k = 0; k < 3; k++) model.opt.gravity[k] = 0;
  mujoco.mj_forward(model, data);
  const slides = model.jnt_type[0] === SLIDE;
  const axis = triple(data.xaxis, 0);
  const arm = sub(triple(data.subtree_com, model.jnt_bodyid[0]!), triple(data.xanchor, 0));
  const across = sub(arm, times(axis, dot(arm, axis)));
  const distance = Math.hypot(...across);
  const mass = model.body_mass[model.jnt_bodyid[0]!]!;
  // How fast a torque or force of 1 makes it.
  const inertiaOf = () => {
    data.qfrc_applied[0] = 1;
    mujoco.mj_step(model, data);
    const inertia = model.opt.timestep / data.qvel[0]!;
    data.qfrc_applied[0] = 0;
    data.qvel[0] = 0;
    data.qpos[0] = 0;
    return inertia;
  };
  const inertia = inertiaOf();
  if (slides || distance < 0.002) {
    const push = inertia / 0.5; // 1 rad/s or m/s after half a second
    data.qfrc_applied[0] = push;
    for (let i = Math.round(0.5 / model.opt.timestep); i > 0; i--) mujoco.mj_step(model, data);
    return [pushed(text, name, slides, times(axis, push)), data.qvel[0]!, slides ? 'm/s' : 'rad/s'];
  }
  const gravity = times(across, G / distance);
  for (let k = 0; k < 3; k++) model.opt.gravity[k] = gravity[k]!;
  const speed = SWING * Math.sqrt((mass * G * distance) / inertia);
  data.qvel[0] = speed;
  const passes: number[] = [];
  const wanted = (2 * Math.PI * SWING) / speed;
  model.opt.timestep = wanted / 2000;
  while (passes.length < 5) {
    const before = data.qpos[0]!;
    mujoco.mj_step(model, data);
    const now = data.qpos[0]!;
    if (before !== 0 && before < 0 !== now < 0)
      passes.push(data.time + (model.opt.timestep * -now) / (now - before));
  }
  return [swung(text, name, gravity, times(axis, speed), wanted), periodOf(passes), 's'];
}

const periodOf = (passes: readonly number[]) => (2 * (passes.at(-1)! - passes[0]!)) / (passes.length - 1);

/** What a torque or force makes of the joint's body here in half a second. */
function pushed(text: string, name: string, slides: boolean, push: Triple): number {
  const { robot, urdf, step } = inWorld(text, [0, 0, 0], 240);
  const body = robot.bodies.get(childOf(urdf, name))!;
  const along = times(push, 1 / Math.hypot(...push));
  for (let i = 0; i < 120; i++) {
    if (slides) body.applyCentralForce(push);
    else body.applyTorque(push);
    step();
  }
  return dot((slides ? body.getLinearVelocity() : body.getAngularVelocity()) as Triple, along);
}

/** s: of the joint's pendulum here; `guess` is about a period. */
function swung(text: string, name: string, gravity: Triple, spin: Triple, guess: number): number {
  const hz = Math.max(240, 100 / guess);
  const { robot, urdf, step } = inWorld(text, gravity, hz);
  const body = robot.bodies.get(childOf(urdf, name))!;
  const joint = robot.joints.get(name)!;
  const described = urdf.joints.find((each) => each.name === name)!.options as JointOptions & {
    frameB: { position: Triple };
  };
  // The centre of mass goes round the joint; both are told in the frame of the body.
  const arm = turned(
    sub(body.getLocalCenterOfMass(), described.frameB.position),
    body.getRotation() as number[],
  );
  body.setAngularVelocity(spin);
  body.setLinearVelocity(cross(spin, arm));
  const passes: number[] = [];
  let before = joint.getPosition('angle');
  for (let i = 1; passes.length < 5 && i < 40 * hz * guess; i++) {
    step();
    const now = joint.getPosition('angle');
    if (before !== 0 && before < 0 !== now < 0) passes.push((i - now / (now - before)) / hz);
    before = now;
  }
  return periodOf(passes);
}

const childOf = ({ bodies, joints }: Urdf, name: string) =>
  bodies[joints.find((joint) => joint.name === name)!.bodyB]!.links[0]!;
