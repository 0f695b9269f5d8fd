// Robots of URDF files: masses and places by formulas, pendulums, limits, servos that hold a load, files that are wrong.
import { type Joint, type RigidBody, World } from 'ricochet';
import { Robot, readUrdf, type UrdfOptions } from 'ricochet/urdf';
import { describe, expect, test } from 'vitest';
import { random } from '../physics/support/vector';

const inertial = (mass: number, moment: number, origin = '') =>
  `<inertial><mass value="${mass}"/>${origin}<inertia ixx="${moment}" iyy="${moment}" izz="${moment}"/></inertial>`;
const collision = (geometry: string, origin = '') =>
  `<collision>${origin}<geometry>${geometry}</geometry></collision>`;
const link = (name: string, ...parts: string[]) => `<link name="${name}">${parts.join('')}</link>`;
const joint = (name: string, type: string, parent: string, child: string, ...parts: string[]) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${parts.join('')}</joint>`;
const robot = (...parts: string[]) =>
  `<?xml version="1.0"?>\n<!-- a robot -->\n<robot name="r">\n${parts.join('\n')}\n</robot>\n`;

function inWorld(text: string, options: UrdfOptions = {}, gravity = 9.81) {
  const world = new World({ gravity: [0, -gravity, 0], sleeping: false });
  const urdf = readUrdf(text, { fixedBase: true, ...options });
  const made = new Robot<RigidBody, Joint>(world, urdf, { maxForce: 2000, maxVelocity: 2 });
  return { world, urdf, robot: made };
}

/** s: of the swing of a joint, by its passes through 0. */
function periodOf(world: World, swinging: Joint, axis: 'angle' | 'position'): number {
  const passes: number[] = [];
  let before = swinging.getPosition(axis);
  for (let i = 0; i < 2400 && passes.length < 7; i++) {
    world.step(1 / 240);
    const now = swinging.getPosition(axis);
    if (before < 0 !== now < 0) passes.push((i + before / (before - now)) / 240);
    before = now;
  }
  return (2 * (passes.at(-1)! - passes[0]!)) / (passes.length - 1);
}

describe('bodies', () => {
  test('fixed joints merge links: mass, centre and moments by the theorem of parallel axes', () => {
    const { bodies } = readUrdf(
      robot(
        link('a', inertial(2, 0.1)),
        link('b', inertial(3, 0.2, '<origin xyz="0 0 0.5"/>')),
        joint('ab', 'fixed', 'a', 'b', '<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>'),
      ),
    );
    expect(bodies.length).toBe(1);
    expect(bodies[0]!.links).toEqual(['a', 'b']);
    const { mass, inertia, centerOfMass } = bodies[0]!.options;
    expect(mass).toBe(5);
    // b's centre lies 0.5 m along its z, which is x of a: at 1.5 m.
    expect(Math.hypot(...(centerOfMass as number[]))).toBeCloseTo(0.9, 6);
    const moments = [...(inertia as number[])].sort((x, y) => x - y);
    expect(moments[0]).toBeCloseTo(0.3, 6);
    for (const moment of moments.slice(1)) expect(moment).toBeCloseTo(0.3 + ((2 * 3) / 5) * 1.5 ** 2, 5);
  });

  test('products of inertia turn the body to its principal axes, and links stay where they are', () => {
    const text = robot(
      `<link name="a"><inertial><mass value="1"/><inertia ixx="2" iyy="3" izz="4" ixy="0.5" ixz="-0.3" iyz="0.2"/></inertial>${collision('<box size="1 2 3"/>', '<origin xyz="0 0 1"/>')}</link>`,
    );
    const [body] = readUrdf(text).bodies;
    const [a, b, c] = body!.options.inertia as [number, number, number];
    expect(a + b + c).toBeCloseTo(9, 5);
    expect(a * b * c).toBeCloseTo(
      2 * (3 * 4 - 0.04) - 0.5 * (0.5 * 4 - 0.2 * -0.3) + -0.3 * (0.5 * 0.2 - 3 * -0.3),
      4,
    );
    const world = new World();
    const made = world.createBody(body!.options);
    const [shape] = body!.options.shape;
    // z of the robot is up, and the box stands 1 m above.
    const [low, high] = [world.rayTest([0, 9, 0], [0, -9, 0], {})!.point, shape];
    expect(high!.type).toBe('box');
    expect(low![1]).toBeCloseTo(2.5, 4);
    expect(made.mass).toBeCloseTo(1, 6);
  });

  test('shapes, meshes and contact coefficients', () => {
    const meshes = () => ({
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    });
    const text = robot(
      link(
        'a',
        inertial(1, 1),
        '<contact><lateral_friction value="0.7"/><restitution value="0.1"/></contact>',
        collision('<sphere radius="1"/>'),
        collision('<cylinder radius="1" length="2"/>'),
        collision('<capsule radius="1" length="2"/>'),
        collision('<mesh filename="m.stl" scale="2 2 2"/>'),
      ),
    );
    const { bodies, warnings } = readUrdf(text, { meshes });
    expect(
      bodies[0]!.options.shape.map(({ type, friction, restitution }) => [type, friction, restitution]),
    ).toEqual(['sphere', 'cylinder', 'capsule', 'hull'].map((type) => [type, 0.7, 0.1]));
    expect(warnings).toEqual([]);
    expect(readUrdf(text).warnings.join()).toMatch(/line 4: mesh m.stl/);
  });
});

describe('joints', () => {
  test.each([
    ['x', '1 0 0', ''],
    ['y, turned', '0 1 0', 'rpy="0 0 0.7"'],
    ['slanted', '1 1 0', ''],
  ])('a pendulum about %s has the period of the formula', (_, axis, turn) => {
    const [m, l, moment] = [2, 0.8, 0.05];
    const text = robot(
      link('base', inertial(1, 1)),
      link('bob', inertial(m, moment, `<origin xyz="0 0 -${l}"/>`)),
      joint('swing', 'continuous', 'base', 'bob', `<origin xyz="0 0 2" ${turn}/><axis xyz="${axis}"/>`),
    );
    const { world, robot: made } = inWorld(text);
    made.bodies.get('bob')!.applyTorqueImpulse([0.03, 0, 0.01]);
    const period = periodOf(world, made.joints.get('swing')!, 'angle');
    const expected = 2 * Math.PI * Math.sqrt((moment + m * l * l) / (m * 9.81 * l));
    console.log(`period ${period.toFixed(4)} s of ${expected.toFixed(4)}`);
    expect(Math.abs(period / expected - 1)).toBeLessThan(0.005);
  });

  test('limits, damping and friction hold as the file says', () => {
    const text = (more: string) =>
      robot(
        link('base', inertial(1, 1)),
        link('arm', inertial(1, 0.1, '<origin xyz="1 0 0"/>')),
        joint(
          'j',
          'revolute',
          'base',
          'arm',
          '<axis xyz="0 1 0"/><limit lower="-0.5" upper="0.5" effort="10" velocity="1"/>',
          more,
        ),
      );
    const { world, robot: made } = inWorld(text(''));
    for (let i = 0; i < 600; i++) world.step(1 / 120);
    expect(made.joints.get('j')!.getPosition('angle')).toBeCloseTo(0.5, 2);
    const still = inWorld(text('<dynamics friction="11"/>'));
    for (let i = 0; i < 120; i++) still.world.step(1 / 120);
    expect(Math.abs(still.robot.joints.get('j')!.getPosition('angle'))).toBeLessThan(0.01);
    const slow = inWorld(text('<dynamics damping="50"/>'));
    for (let i = 0; i < 120; i++) slow.world.step(1 / 120);
    // m g l / damping = 0.196 rad/s
    expect(slow.robot.joints.get('j')!.getPosition('angle')).toBeCloseTo(0.19, 1);
  });

  test('a slider moves along its axis; what mimics goes with it', () => {
    const text = robot(
      link('base', inertial(1, 1)),
      link('left', inertial(1, 0.1)),
      link('right', inertial(1, 0.1)),
      joint(
        'l',
        'prismatic',
        'base',
        'left',
        '<axis xyz="0 1 0"/><limit lower="0" upper="1" effort="100" velocity="1"/>',
      ),
      joint(
        'r',
        'prismatic',
        'base',
        'right',
        '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="100" velocity="1"/><mimic joint="l" multiplier="-1" offset="0.1"/>',
      ),
    );
    const { world, robot: made } = inWorld(text);
    expect(made.jointNames).toEqual(['l']);
    made.setTargets({ l: 0.4 });
    for (let i = 0; i < 240; i++) world.step(1 / 120);
    expect(made.getPositions()['l']).toBeCloseTo(0.4, 2);
    expect(made.getPositions()['r']).toBeCloseTo(-0.3, 2);
    expect(() => made.setTargets({ r: 1 })).toThrow(expect.objectContaining({ argument: 'targets' }));
    expect(() => made.setTargets({ l: Number.NaN })).toThrow(
      expect.objectContaining({ argument: 'targets.l' }),
    );
    made.remove();
    expect(world.bodyCount).toBe(0);
  });

  test('robots of groups of their own meet; what is gone can be removed again', () => {
    const ball = `<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
      <collision><geometry><sphere radius="0.5"/></geometry></collision>`;
    const text = `<robot name="ball"><link name="a">${ball}</link></robot>`;
    const world = new World({ gravity: [0, 0, 0] });
    const [one, two] = [0, 3].map(
      (x, i) => new Robot(world, readUrdf(text, { position: [x, 0, 0] }), { group: 1 << (10 + i) }),
    );
    two!.bodies.get('a')!.setLinearVelocity([-3, 0, 0]);
    for (let i = 0; i < 120; i++) world.step(1 / 60);
    const x = (robot: typeof one) => robot!.bodies.get('a')!.getPosition()[0];
    expect(x(one)).toBeLessThan(x(two) - 0.99);
    one!.bodies.get('a')!.remove();
    one!.remove();
    two!.remove();
    two!.remove();
    expect(world.bodyCount).toBe(0);
  });

  test('an arm of six joints holds its pose with 5 kg in its hand within 1°', () => {
    const names = [0, 1, 2, 3, 4, 5];
    const text = robot(
      link('l0', inertial(5, 0.1)),
      ...names.map((i) =>
        link(
          `l${i + 1}`,
          inertial(4 - 0.5 * i, 0.04, '<origin xyz="0 0 0.1"/>'),
          collision('<cylinder radius="0.05" length="0.2"/>', '<origin xyz="0 0 0.1"/>'),
        ),
      ),
      ...names.map((i) =>
        joint(
          `j${i}`,
          'revolute',
          `l${i}`,
          `l${i + 1}`,
          `<origin xyz="0 0 0.2"/><axis xyz="${i % 2 ? '0 1 0' : '0 0 1'}"/><limit lower="-2.9" upper="2.9" effort="300" velocity="2"/>`,
        ),
      ),
      link('load', inertial(5, 0.02)),
      joint('grip', 'fixed', 'l6', 'load', '<origin xyz="0 0 0.2"/>'),
    );
    const { world, robot: made } = inWorld(text);
    const pose = Object.fromEntries(names.map((i) => [`j${i}`, i % 2 ? 0.6 : 0.3]));
    made.setTargets(pose);
    for (let i = 0; i < 600; i++) world.step(1 / 120);
    const off = Object.entries(made.getPositions()).map(
      ([name, angle]) => (Math.abs(angle - pose[name]!) * 180) / Math.PI,
    );
    console.log(`off by ${Math.max(...off).toFixed(3)}° at most`);
    expect(Math.max(...off)).toBeLessThan(1);
  });
});

describe('files that are wrong', () => {
  const two = [link('a', inertial(1, 1)), link('b', inertial(1, 1))];
  test.each([
    ['', /line 1: no element/],
    ['<robot name="r">', /line 1: <robot> is not closed/],
    ['<robot><link></robot>', /<\/robot> closes <link>/],
    ['<robot>\n<link name=a></link></robot>', /line 2: no tag/],
    ['<sdf></sdf>', /must be <robot>/],
    [robot(), /without links/],
    [robot(link('a'), link('a')), /line 5: a second link a/],
    [robot(...two), /line 5: link b hangs on nothing/],
    [robot(...two, joint('j', 'fixed', 'a', 'c')), /line 6: no link c/],
    [robot(...two, joint('j', 'elastic', 'a', 'b')), /line 6: type of joint j/],
    [
      robot(...two, joint('j', 'fixed', 'a', 'b'), joint('k', 'fixed', 'a', 'b')),
      /line 7: link b has a parent already/,
    ],
    [robot(...two, joint('j', 'fixed', 'a', 'b'), joint('k', 'fixed', 'b', 'a')), /the joints go round/],
    [robot(...two, joint('j', 'revolute', 'a', 'b', '<axis xyz="0 0 0"/>')), /axis of joint j/],
    [robot(...two, joint('j', 'revolute', 'a', 'b', '<axis xyz="0 0"/>')), /xyz of <axis> must be 3 numbers/],
    [robot(...two, joint('j', 'continuous', 'a', 'b', '<mimic joint="x"/>')), /follows x/],
    [robot(link('a', inertial(-1, 1))), /value of <mass> must be at least 0/],
    [robot(link('a', inertial(1, 1), collision('<sphere radius="0"/>'))), /radius of <sphere>/],
  ])('%j names the line', (text, message) => {
    expect(() => readUrdf(text)).toThrow(message);
    expect(() => readUrdf(text)).toThrow(expect.objectContaining({ code: 'damaged-file' }));
  });

  const RUNS = Number(process.env['MUTATIONS'] ?? (process.env['SOAK'] === '1' ? 10_000 : 300));
  test(`${RUNS} spoiled files are read or refused with a line`, () => {
    const next = random(20261124);
    const text = robot(
      link('a', inertial(1, 1), collision('<box size="1 1 1"/>', '<origin xyz="0 0 1" rpy="0 1 0"/>')),
      link('b', inertial(2, 1), collision('<cylinder radius="0.1" length="1"/>')),
      link('c', inertial(2, 1)),
      joint(
        'j',
        'revolute',
        'a',
        'b',
        '<origin xyz="1 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3" velocity="2"/>',
      ),
      joint('k', 'prismatic', 'b', 'c', '<mimic joint="j" multiplier="2"/>'),
    );
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const at = Math.floor(next() * text.length);
      const piece = ['', '<', '"', '0', '-1', '1e400', 'x', '/>', '&lt;', '\u0000'][Math.floor(next() * 10)]!;
      const spoiled =
        run % 3 === 0 ? text.slice(0, at) : text.slice(0, at) + piece + text.slice(at + 1 + (run % 7));
      try {
        const { bodies } = readUrdf(spoiled);
        const world = new World();
        for (const { options } of bodies) world.createBody(options);
      } catch (error) {
        expect(error, spoiled).toMatchObject({ name: 'PhysicsError', code: 'damaged-file' });
        refused++;
      }
    }
    console.log(`${refused} of ${RUNS} refused`);
    expect(refused).toBeGreaterThan(RUNS / 3);
  });
});
