// Bad input: a typed error that names the argument and shows the value; the world is as it was, which its
// hash proves, and so are the ids that it will hand out.
import { beforeEach, describe, expect, test } from 'vitest';
import { type BodyOptions, type RigidBody, World, type WorldOptions } from '../../src';
import { saveReplica } from '../../src/replica/replicaState';

let world: World;
let crate: RigidBody;
let lift: RigidBody;
let floor: RigidBody;

beforeEach(() => {
  world = new World();
  floor = world.createBody({ type: 'static', shape: { type: 'plane' } });
  crate = world.createBody({ position: [0, 0.6, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } });
  lift = world.createBody({ type: 'kinematic', position: [9, 0, 0], shape: { type: 'sphere', radius: 1 } });
  world.step(1 / 60);
});

/** The call throws a PhysicsError whose message matches, and changes nothing. */
function refused(call: () => unknown, message: RegExp | string, code = 'invalid-argument') {
  const hash = world.stateHash();
  const replica = saveReplica(world.replica);
  let error: unknown;
  try {
    call();
  } catch (e) {
    error = e;
  }
  expect(error).toMatchObject({ name: 'PhysicsError', code });
  expect((error as Error).message).toMatch(message);
  expect(world.replica.writer.length).toBe(0);
  expect(saveReplica(world.replica)).toEqual(replica);
  expect(world.stateHash()).toBe(hash);
}

const NOT_FINITE = [Number.NaN, Infinity, -Infinity];
const any = (value: unknown) => value as never;

describe('creating bodies', () => {
  const box = { type: 'box', halfExtents: [1, 1, 1] } as const;
  const sphere = { type: 'sphere', radius: 1 } as const;
  const rows: [name: string, options: unknown, message: RegExp | string, code?: string][] = [
    [
      'a negative half extent',
      { shape: { type: 'box', halfExtents: [1, -1, 1] } },
      'shape.halfExtents.y must be > 0, got -1',
    ],
    [
      'a zero half extent',
      { shape: { type: 'box', halfExtents: [1, 1, 0] } },
      'shape.halfExtents.z must be > 0, got 0',
    ],
    [
      'too few half extents',
      { shape: { type: 'box', halfExtents: [1, 1] } },
      /shape.halfExtents must be \[x, y, z\]/,
    ],
    ['no half extents', { shape: { type: 'box' } }, /shape.halfExtents must be \[x, y, z\].*got undefined/],
    ['a zero radius', { shape: { type: 'sphere', radius: 0 } }, 'shape.radius must be > 0, got 0'],
    ['a negative radius', { shape: { type: 'sphere', radius: -2 } }, 'shape.radius must be > 0, got -2'],
    [
      'a radius that is no number',
      { shape: { type: 'sphere', radius: '1' } },
      'shape.radius must be a number, got "1"',
    ],
    ['a tiny radius', { shape: { type: 'sphere', radius: 1e-9 } }, /shape.radius must be ≥ 0.00001/],
    ['a huge radius', { shape: { type: 'sphere', radius: 1e30 } }, /shape.radius must be ≤/],
    [
      'a negative half height',
      { shape: { type: 'capsule', radius: 1, halfHeight: -1 } },
      /shape.halfHeight must be > 0/,
    ],
    [
      'an unknown axis',
      { shape: { type: 'capsule', radius: 1, halfHeight: 1, axis: 'w' } },
      /shape.axis must be one of 'x', 'y', 'z', got "w"/,
    ],
    ['an unknown shape', { shape: { type: 'torus' } }, /shape.type must be one of .*got "torus"/],
    ['a shape that is none', { shape: 'box' }, /shape.type must be one of/],
    ['a null shape', { shape: null }, /shape.type must be one of/],
    [
      'an unknown shape option',
      { shape: { ...box, halfExtent: 1 } },
      /shape.halfExtent is no option/,
      'unknown-option',
    ],
    ['a radius for a box', { shape: { ...box, radius: 1 } }, /shape.radius is no option/, 'unknown-option'],
    [
      'the second shape wrong',
      { shape: [box, { type: 'sphere', radius: -1 }] },
      'shape[1].radius must be > 0, got -1',
    ],
    [
      'a moving plane',
      { mass: 1, shape: { type: 'plane' } },
      /shape.type must not be a plane unless the body is static/,
    ],
    [
      'a plane without normal',
      { type: 'static', shape: { type: 'plane', normal: [0, 0, 0] } },
      /shape.normal must not have length 0/,
    ],
    ['negative friction', { shape: { ...box, friction: -0.1 } }, 'shape.friction must be ≥ 0, got -0.1'],
    [
      'restitution above 1',
      { shape: { ...box, restitution: 1.1 } },
      'shape.restitution must be ≤ 1, got 1.1',
    ],
    ['zero density', { shape: { ...box, density: 0 } }, 'shape.density must be > 0, got 0'],
    ['a fraction as user index', { shape: { ...box, userIndex: 1.5 } }, /shape.userIndex must be an integer/],
    ['a sensor that is no boolean', { shape: { ...box, sensor: 1 } }, /shape.sensor must be true or false/],
    ['zero mass', { type: 'dynamic', mass: 0, shape: box }, 'mass must be > 0, got 0'],
    ['negative mass', { mass: -1, shape: box }, 'mass must be > 0, got -1'],
    ['a huge mass', { mass: 1e30, shape: box }, /mass must be ≤/],
    [
      'mass on a static body',
      { type: 'static', mass: 1, shape: box },
      /mass must be 0 or absent for a static body/,
    ],
    ['no mass, no volume', {}, /mass must be given/],
    ['negative inertia', { mass: 1, inertia: [1, -1, 1], shape: box }, /inertia.y must be ≥ 0/],
    ['an unknown type', { type: 'fluid', shape: box }, /type must be one of .*got "fluid"/],
    [
      'an unknown option',
      { shape: box, velocity: [0, 0, 0] },
      /velocity is no option; known are/,
      'unknown-option',
    ],
    ['a zero rotation', { shape: box, rotation: [0, 0, 0, 0] }, /rotation must not have length 0/],
    ['a rotation of three numbers', { shape: box, rotation: [0, 0, 1] }, /rotation must be \[x, y, z, w\]/],
    ['a position without z', { shape: box, position: { x: 1, y: 2 } }, /position must be \[x, y, z\]/],
    ['a position far out', { shape: box, position: [0, 1e12, 0] }, /position.y must be ≤/],
    ['damping above 1', { shape: box, linearDamping: 2 }, 'linearDamping must be ≤ 1, got 2'],
    ['a negative factor', { shape: box, linearFactor: [1, -1, 1] }, /linearFactor.y must be ≥ 0/],
    ['a group beyond 32 bits', { shape: box, group: 2 ** 33 }, /group must be from/],
    [
      'an unknown activation state',
      { shape: box, activationState: 'dozing' },
      /activationState must be one of/,
    ],
    [
      'a moving static body',
      { type: 'static', shape: box, linearVelocity: [1, 0, 0] },
      /linearVelocity must be 0 or absent/,
    ],
    ['no options', undefined, /options must be an object/],
    ['an array of options', [sphere], /options must be an object/],
  ];
  test.each(rows)('%s', (_, options, message, code) => {
    refused(() => world.createBody(options as BodyOptions), message, code);
  });

  const numbers = [
    'mass',
    'linearDamping',
    'angularDamping',
    'gravityScale',
    'linearSleepingThreshold',
    'angularSleepingThreshold',
    'ccdMotionThreshold',
    'ccdSweptSphereRadius',
    'group',
    'mask',
    'userIndex',
  ];
  const vectors = [
    'position',
    'linearVelocity',
    'angularVelocity',
    'inertia',
    'centerOfMass',
    'linearFactor',
  ];
  test.each([...numbers, ...vectors, 'rotation'])('not finite: %s', (name) => {
    for (const bad of NOT_FINITE) {
      const value = numbers.includes(name) ? bad : name === 'rotation' ? [0, 0, bad, 1] : [0, 0, bad];
      const argument = numbers.includes(name) ? name : `${name}.z`;
      refused(
        () => world.createBody({ shape: box, [name]: value }),
        new RegExp(`^${argument} must be (finite|an integer), got ${bad}`),
      );
    }
  });

  test.each(['friction', 'restitution', 'rollingFriction', 'spinningFriction', 'density'])(
    'not finite: shape.%s',
    (name) => {
      for (const bad of NOT_FINITE)
        refused(() => world.createBody({ shape: { ...box, [name]: bad } }), `shape.${name} must be finite`);
    },
  );

  test('more bodies than the limit', () => {
    const small = new World({ maxBodies: 2 });
    small.createBody({ mass: 1 });
    small.createBody({ mass: 1 });
    expect(() => small.createBody({ mass: 1 })).toThrow(
      expect.objectContaining({ code: 'limit-exceeded', message: expect.stringMatching(/at most 2 bodies/) }),
    );
    expect(small.bodyCount).toBe(2);
  });

  test('a request for a billion bodies is refused at once, without memory', () => {
    const requests: [call: () => unknown, message: string | RegExp][] = [
      [() => new World({ maxBodies: 1e9 }), 'maxBodies must be from 1 to 262143, got 1000000000'],
      [
        () => world.createBodies({ shape: sphere }, { positions: any({ length: 3e9 }) }),
        /at most 262143 bodies/,
      ],
    ];
    for (const [call, message] of requests) {
      expect(call).toThrow(message);
      let best = Infinity; // the machine may be busy
      for (let i = 0; i < 10 || (i < 1000 && best >= 1); i++) {
        const start = performance.now();
        try {
          call();
        } catch {
          best = Math.min(best, performance.now() - start);
        }
      }
      expect(best).toBeLessThan(1);
    }
  });

  test('a getter in the options that throws', () => {
    const evil = {
      get mass(): number {
        throw new Error('boo');
      },
      shape: box,
    };
    const hash = world.stateHash();
    expect(() => world.createBody(evil)).toThrow('boo');
    expect(world.stateHash()).toBe(hash);
  });
});

describe('bodies', () => {
  const vectorCalls: [string, (body: RigidBody, v: never) => void][] = [
    ['setPosition', (b, v) => b.setPosition(v)],
    ['setLinearVelocity', (b, v) => b.setLinearVelocity(v)],
    ['setAngularVelocity', (b, v) => b.setAngularVelocity(v)],
    ['applyForce', (b, v) => b.applyForce(v)],
    ['applyForce at', (b, v) => b.applyForce([0, 1, 0], v)],
    ['applyCentralForce', (b, v) => b.applyCentralForce(v)],
    ['applyForceAtPoint', (b, v) => b.applyForceAtPoint(v, [0, 0, 0])],
    ['applyTorque', (b, v) => b.applyTorque(v)],
    ['applyImpulse', (b, v) => b.applyImpulse(v)],
    ['applyImpulse at', (b, v) => b.applyImpulse([0, 1, 0], v)],
    ['applyCentralImpulse', (b, v) => b.applyCentralImpulse(v)],
    ['applyImpulseAtPoint', (b, v) => b.applyImpulseAtPoint([0, 1, 0], v)],
    ['applyTorqueImpulse', (b, v) => b.applyTorqueImpulse(v)],
    ['setLinearFactor', (b, v) => b.setLinearFactor(v)],
    ['setAngularFactor', (b, v) => b.setAngularFactor(v)],
    ['setMass with inertia', (b, v) => b.setMass(1, v)],
    ['setTransform', (b, v) => b.setTransform(v, [0, 0, 0, 1])],
  ];
  test.each(vectorCalls)('%s', (_, call) => {
    for (const bad of NOT_FINITE) {
      refused(() => call(crate, any([bad, 0, 0])), /\.x must be finite/);
      refused(() => call(crate, any({ x: 0, y: 0, z: bad })), /\.z must be finite/);
    }
    for (const bad of [[1, 2], [1, 2, 3, 4], 5, 'up', null, {}])
      refused(() => call(crate, any(bad)), /must be \[x, y, z\] or an object/);
    if (_ !== 'setMass with inertia') refused(() => call(crate, any([1e30, 0, 0])), /must be ≤/);
  });

  const numberCalls: [string, (body: RigidBody, x: never) => void, bad: unknown[]][] = [
    ['setMass', (b, x) => b.setMass(x), [0, -1, 1e20, '1']],
    ['setDamping', (b, x) => b.setDamping(x, 0), [-0.1, 1.1]],
    ['setDamping angular', (b, x) => b.setDamping(0, x), [-0.1, 1.1]],
    ['setGravityScale', (b, x) => b.setGravityScale(x), [1e20]],
    ['setSleepingThresholds', (b, x) => b.setSleepingThresholds(x, 1), [-1]],
    ['setFilter', (b, x) => b.setFilter(x, 1), [0.5, 2 ** 40]],
    ['setUserIndex', (b, x) => b.setUserIndex(x), [0.5]],
    ['setCcd', (b, x) => b.setCcd(x, 0), [-1]],
    ['setMaterial', (b, x) => b.setMaterial({ friction: x }), [-1]],
    ['setShapeMaterial', (b, x) => b.setShapeMaterial(b.shapes[0]!, { restitution: x }), [-1, 2]],
  ];
  test.each(numberCalls)('%s', (_, call, bad) => {
    for (const value of [...NOT_FINITE, ...bad, undefined === 0, null])
      refused(() => call(crate, any(value)), /must be/);
  });

  test('types, states, shapes', () => {
    refused(() => crate.setType(any('fluid')), /type must be one of/);
    refused(() => floor.setType('dynamic'), /must not be a plane/);
    refused(() => crate.setType('dynamic', { mass: -1 }), /mass must be > 0/);
    refused(() => crate.setType('dynamic', any({ weight: 1 })), /weight is no option/, 'unknown-option');
    refused(() => lift.setMass(1), /must be dynamic to have a mass/);
    refused(() => crate.setKinematicTarget([0, 0, 0]), /must be kinematic/);
    refused(() => crate.setActivationState(any('dozing')), /state must be one of/);
    refused(() => crate.activate(any(1)), /force must be true or false/);
    refused(() => crate.setRotation([0, 0, 0, 0]), /rotation must not have length 0/);
    refused(() => crate.setMaterial(any({ bounce: 1 })), /bounce is no option/, 'unknown-option');
    refused(() => crate.addShape({ type: 'plane' }), /must not be a plane/);
    refused(() => crate.addShape({ type: 'sphere', radius: -1 }), /shape.radius must be > 0/);
    refused(() => crate.removeShape(lift.shapes[0]!), /must be a shape of this body/);
    refused(() => crate.removeShape(0), /0 is none/, 'stale-id');
    refused(() => crate.getPosition(any(5)), /out must be an array or object/);
  });

  test('every call on a removed body is a stale id', () => {
    const gone = world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
    const shape = gone.shapes[0]!;
    gone.remove();
    world.createBody({ position: [50, 0, 0], mass: 1, shape: { type: 'sphere', radius: 1 } }); // same slot
    world.step(1 / 60);
    const prototypes = [Object.getPrototypeOf(gone), Object.getPrototypeOf(Object.getPrototypeOf(gone))];
    const calls: [string, (() => unknown) | undefined][] = [];
    const samples: Record<string, unknown[]> = {
      setTransform: [
        [0, 0, 0],
        [0, 0, 0, 1],
      ],
      setRotation: [[0, 0, 0, 1]],
      getVelocityAtPoint: [[0, 0, 0]],
      setKinematicTarget: [
        [0, 0, 0],
        [0, 0, 0, 1],
      ],
      applyForceAtPoint: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      applyImpulseAtPoint: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      setMass: [1],
      setType: ['dynamic', { mass: 1 }],
      addShape: [{ type: 'sphere', radius: 1 }],
      removeShape: [shape],
      getShape: [shape],
      setDamping: [0, 0],
      setGravityScale: [1],
      setSleepingThresholds: [1, 1],
      setFilter: [1, 1],
      setMaterial: [{ friction: 1 }],
      setShapeMaterial: [shape, { friction: 1 }],
      setUserIndex: [1],
      setCcd: [0, 0],
      setActivationState: ['active'],
      forceActivationState: ['active'],
      activate: [],
      remove: [],
      getAabb: [[], []],
    };
    const privates = ['ready', 'bodyAt', 'int', 'float', 'vector', 'extrapolate', 'velocityAt', 'fromCenter'];
    for (const prototype of prototypes)
      for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        // An event of a body that is gone can still be written as JSON: it says the id.
        if (['constructor', 'replica', 'writable', 'isRemoved', 'toJSON', ...privates].includes(name))
          continue;
        if (get) calls.push([name, () => (gone as never)[name]]);
        else if (typeof value === 'function')
          calls.push([
            name,
            () => value.apply(gone, samples[name] ?? (name.startsWith('get') ? [] : [[0, 0, 0]])),
          ]);
      }
    expect(calls.length).toBeGreaterThan(60);
    for (const [name, call] of calls) {
      try {
        refused(call!, /body that was removed/, 'stale-id');
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`);
      }
    }
    expect(gone.isRemoved).toBe(true);
  });
});

describe('the world', () => {
  test('steps', () => {
    for (const dt of [...NOT_FINITE, 0, -1, 2, 1e-9, '1', undefined]) {
      refused(() => world.step(any(dt)), /^dt must be/);
      if (dt !== 0 && dt !== 2 && dt !== 1e-9) refused(() => world.stepSimulation(any(dt)), /^dt must be/);
    }
    refused(() => world.stepSimulation(1 / 60, -1), /maxSubSteps must be from 0/);
    refused(() => world.stepSimulation(1 / 60, 1.5), /maxSubSteps must be an integer/);
    refused(() => world.stepSimulation(1 / 60, 1, 0), /fixedTimeStep must be > 0/);
    refused(() => world.stepSimulation(2, 0), /dt must be ≤ 1/);
  });

  test('queries', () => {
    for (const bad of NOT_FINITE) {
      refused(() => world.rayTest([bad, 0, 0], [0, 1, 0]), /from.x must be finite/);
      refused(() => world.rayTest([0, 0, 0], [0, bad, 0]), /to.y must be finite/);
      refused(() => world.overlapTest([0, 0, bad], [1, 1, 1]), /min.z must be finite/);
      refused(() => world.rayTestBatch([0, 0, 0, 0, bad, 0]), /rays\[4\] must be a number/);
    }
    refused(() => world.rayTest([1, 1, 1], [1, 1, 1]), /to must be more than/);
    refused(() => world.rayTest([0, 0, 0], [0, 1, 0], any({ mode: 'first' })), /mode must be one of/);
    refused(
      () => world.rayTest([0, 0, 0], [0, 1, 0], any({ ignore: 1 })),
      /ignore is no option/,
      'unknown-option',
    );
    refused(() => world.rayTest([0, 0, 0], [0, 1, 0], { skip: 0 }), /skip .*0 is none/, 'stale-id');
    refused(() => world.rayTest([0, 0, 0], [0, 1, 0], { mode: 'all', maxHits: 0 }), /maxHits must be from 1/);
    refused(() => world.overlapTest([0, 1, 0], [1, 0, 1]), /max.y must be ≥ min.y, got 0/);
    refused(() => world.rayTestBatch([1, 2, 3]), /rays must hold six numbers per ray/);
    refused(() => world.getContacts(77), /never given/, 'stale-id');
    refused(() => world.debugLines(any({ wires: true })), /wires is no option/, 'unknown-option');
  });

  test('settings and options', () => {
    refused(() => world.setGravity([0, Number.NaN, 0]), /gravity.y must be finite/);
    refused(() => world.setGravity([0, -1e9, 0]), /gravity.y must be ≥/);
    refused(() => world.updateSettings({ substeps: 0 }), 'substeps must be from 1 to 64, got 0');
    refused(() => world.updateSettings({ contactHertz: 0 }), 'contactHertz must be > 0, got 0');
    refused(
      () => world.updateSettings({ warmstartingFactor: Number.NaN }),
      /warmstartingFactor must be finite/,
    );
    refused(() => world.updateSettings(any({ iteration: 1 })), /iteration is no option/, 'unknown-option');
    refused(
      () => world.updateSettings(any({ gravity: [0, 0, 0] })),
      /gravity is no option/,
      'unknown-option',
    );
    refused(() => world.updateSettings(any({ sleeping: 'no' })), /sleeping must be true or false/);
    refused(() => world.updateSettings(any({ frictionCombine: 'sum' })), /frictionCombine must be one of/);
    // A list of which the first is fine.
    refused(() => world.updateSettings({ substeps: 2, iterations: -1 }), /iterations must be from 0/);
    const create = (options: unknown) => () => new World(options as WorldOptions);
    expect(create({ profile: 'havok' })).toThrow(/profile must be one of 'native', 'bullet3', 'bullet282'/);
    expect(create({ gravty: [0, 0, 0] })).toThrow(/gravty is no option/);
    expect(create({ events: ['boom'] })).toThrow(/events\[0\] must be one of/);
    expect(create(null)).toThrow(/options must be an object/);
  });

  test('events', () => {
    refused(() => world.on(any('boom'), () => {}), /type must be one of/);
    refused(() => world.on('sleep', any(5)), /listener must be a function/);
    refused(() => [...world.events(any('boom'))], /type must be one of/);
    refused(() => world.setPairFilter(any(1)), /filter must be a function/);
  });

  test('bodies of another world, and ids of none', () => {
    const other = new World();
    const foreign = other.createBody({ mass: 1 });
    refused(() => world.removeBody(foreign), /body belongs to another world/, 'foreign-id');
    refused(() => world.rayTest([0, 0, 0], [0, 1, 0], { skip: foreign }), /skip belongs/, 'foreign-id');
    refused(() => world.getContacts(foreign), /belongs/, 'foreign-id');
    refused(() => world.removeBody(0), /0 is none/, 'stale-id');
    refused(() => world.removeBody(123456), /never given|removed/, 'stale-id');
    refused(() => world.removeBody(-1), /must be the id of a body/);
    refused(() => world.removeBody(any('crate')), /must be the id of a body/);
    expect(world.getBody(any('crate'))).toBeUndefined();
    expect(world.getBody(0)).toBeUndefined();
  });

  test('a pair filter that throws, or that uses the world', () => {
    const drop = () =>
      world.createBody({ position: [0, 2, 0], mass: 1, shape: { type: 'sphere', radius: 2 } });
    world.setPairFilter(() => {
      throw new Error('filter failed');
    });
    drop();
    expect(() => world.step(1 / 60)).toThrow('filter failed');
    world.step(1 / 60);
    const errors: unknown[] = [];
    world.setPairFilter(() => {
      for (const use of [() => world.step(1), () => crate.getPosition(), () => world.createBody({ mass: 1 })])
        try {
          use();
        } catch (error) {
          errors.push(error);
        }
      return true;
    });
    drop();
    world.step(1 / 60);
    expect(errors.length).toBeGreaterThanOrEqual(3);
    for (const error of errors) expect(error).toMatchObject({ code: 'busy' });
  });

  test('everything on a disposed world', () => {
    world.dispose();
    world.dispose();
    expect(world.isDisposed).toBe(true);
    const calls: (() => unknown)[] = [
      () => world.step(1 / 60),
      () => world.stepSimulation(1 / 60),
      () => world.createBody({ mass: 1 }),
      () => world.removeBody(crate),
      () => world.getBody(crate.id),
      () => [...world.bodies()],
      () => world.bodyCount,
      () => world.awakeCount,
      () => world.settings,
      () => world.updateSettings({}),
      () => world.setGravity([0, 0, 0]),
      () => world.getGravity(),
      () => world.rayTest([0, 0, 0], [0, 1, 0]),
      () => world.rayTestBatch([]),
      () => world.overlapTest([0, 0, 0], [1, 1, 1]),
      () => world.getContacts(),
      () => world.on('sleep', () => {}),
      () => world.setPairFilter(null),
      () => world.stateHash(),
      () => world.snapshot(),
      () => world.restore(new Uint8Array(100)),
      () => world.applyCommands(new Int32Array(0)),
      () => world.debugLines(),
      () => world.getProfile(),
      () => crate.getPosition(),
      () => crate.setPosition([0, 0, 0]),
      () => crate.applyForce([0, 0, 0]),
      () => crate.remove(),
      () => crate.mass,
    ];
    for (const call of calls)
      expect(call, call.toString()).toThrow(expect.objectContaining({ code: 'disposed' }));
  });
});
