// The test assets of the extension's author, each with the expectation of its README. They have no licence, so they are
// fetched for a run and not kept here: clone the repository eoineoineoin/glTF_Physics, and
//   GLTF_PHYSICS=path/to/glTF_Physics npx vitest run --project node test/gltf/publicAssets
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type RigidBody, World } from 'ricochet';
import { type GltfPhysics, parseGltf, readPhysics } from 'ricochet/gltf';
import { describe, expect, test } from 'vitest';

const root = process.env['GLTF_PHYSICS'] ?? '';
const there = root !== '' && existsSync(join(root, 'tests'));
if (!there) console.log('skipped: GLTF_PHYSICS names no clone of eoineoineoin/glTF_Physics');

interface Loaded {
  world: World;
  bodies: RigidBody[];
  physics: GltfPhysics;
  body(name: string): RigidBody;
}

function load(path: string): Loaded {
  const { json, buffers } = parseGltf(readFileSync(path));
  const list = (json as { buffers?: { uri?: string }[] }).buffers ?? [];
  list.forEach(({ uri }, i) => {
    if (uri !== undefined && !uri.startsWith('data:'))
      buffers[i] ??= readFileSync(join(dirname(path), decodeURIComponent(uri)));
  });
  const physics = readPhysics(json, buffers);
  const world = new World({ sleeping: false });
  const bodies = physics.bodies.map(({ options }) => world.createBody(options));
  for (const { bodyA, bodyB, options } of physics.joints)
    world.createJoint({
      ...options,
      ...(bodyA === null ? {} : { bodyA: bodies[bodyA] }),
      ...(bodyB === null ? {} : { bodyB: bodies[bodyB] }),
    } as never);
  return {
    world,
    bodies,
    physics,
    body: (name) => bodies[physics.bodies.findIndex((body) => body.name === name)]!,
  };
}

const assetOf = (folder: string, i: number) =>
  load(join(root, 'tests', folder, `${folder}_${String(i).padStart(2, '0')}.gltf`));
const moving = ({ bodies, physics }: Loaded) =>
  bodies.filter((_, i) => physics.bodies[i]!.options.type === 'dynamic');
function run({ world }: Loaded, seconds: number): void {
  for (let i = 0; i < 60 * seconds; i++) world.step(1 / 60);
}
const place = (body: RigidBody) => [...body.getPosition()] as [number, number, number];

describe.runIf(there)('collider types: the moving body stays above the plane', () => {
  test.each(Array.from({ length: 36 }, (_, i) => i))('pair %i', (i) => {
    const asset = assetOf('RigidBodies_ColliderTypeMatrix', i);
    const bodies = moving(asset);
    expect(bodies.length).toBe(1);
    run(asset, 5);
    // The top of the standing one is at −0.5 m at the lowest.
    expect(place(bodies[0]!)[1]).toBeGreaterThan(-0.51);
    expect(Math.hypot(...bodies[0]!.getLinearVelocity())).toBeLessThan(0.1);
  });
});

describe.runIf(there)('filters: one of the two bodies is held, the other goes through', () => {
  test.each([0, 1, 2, 3])('%i', (i) => {
    const asset = assetOf('RigidBodies_CollisionFilter', i);
    const bodies = moving(asset);
    expect(bodies.length).toBe(2);
    run(asset, 2);
    const heights = bodies.map((body) => place(body)[1]).sort((a, b) => a - b);
    console.log(`filter ${i}: ${heights.map((y) => y.toFixed(2)).join(', ')}`);
    expect(heights[1]! - heights[0]!).toBeGreaterThan(0.2);
    expect(heights[1]!).toBeGreaterThan(-0.1);
  });
});

describe.runIf(there)('motions', () => {
  const after = (i: number, seconds = 1) => {
    const asset = assetOf('RigidBodies_MotionProperties', i);
    const before = asset.bodies.map(place);
    run(asset, seconds);
    return { asset, before };
  };
  test.each([
    [0, [0, 0, 0], [0, 0, 0]],
    [1, [1, 0, 0], [0, 0, 0]],
    [2, [0, 0, 0], [1, 0, 0]],
    // Of a node that is turned by 90° about y: z of the node is x of the world.
    [3, [1, 0, 0], [0, 0, 0]],
    [4, [0, 0, 0], [1, 0, 0]],
  ])('%i: without gravity it moves by %j and turns by %j', (i, way, spin) => {
    const { asset, before } = after(i);
    const body = asset.bodies[asset.physics.bodies.findIndex(({ options }) => options.type !== 'static')]!;
    const from = before[asset.bodies.indexOf(body)]!;
    place(body).forEach((c, k) => {
      expect(c - from[k]!).toBeCloseTo(way[k]!, 3);
    });
    const omega = [...body.getAngularVelocity()];
    omega.forEach((c, k) => {
      expect(c).toBeCloseTo(spin[k]!, 3);
    });
  });
  test('5: a kinematic body stays', () => {
    const { asset, before } = after(5);
    const kinematic = asset.physics.bodies.findIndex(({ options }) => options.type === 'kinematic');
    expect(kinematic).toBeGreaterThanOrEqual(0);
    expect(place(asset.bodies[kinematic]!)).toEqual(before[kinematic]);
  });
  test('6, 7: loaded, and what has no finite moment does not turn', () => {
    after(6);
    const { asset } = after(7, 3);
    for (const body of moving(asset)) expect(Math.hypot(...body.getAngularVelocity())).toBeLessThan(1e-3);
  });
});

describe.runIf(there)('joints hold what they lock, and leave the rest', () => {
  test.each(Array.from({ length: 11 }, (_, i) => i))('%i', (i) => {
    const asset = assetOf('RigidBodies_Joint', i);
    expect(asset.physics.joints.length).toBeGreaterThan(0);
    run(asset, 3);
    const { physics, bodies } = asset;
    for (const { options, bodyA, bodyB } of physics.joints) {
      const anchor = (body: number | null, frame: { position?: unknown; rotation?: unknown }) => {
        const [x, y, z] = frame.position as number[];
        if (body === null) return [x!, y!, z!];
        const [qx, qy, qz, qw] = bodies[body]!.getRotation() as unknown as number[];
        const [cx, cy, cz] = [qy! * z! - qz! * y!, qz! * x! - qx! * z!, qx! * y! - qy! * x!];
        const [dx, dy, dz] = [qy! * cz - qz! * cy, qz! * cx - qx! * cz, qx! * cy - qy! * cx];
        const p = place(bodies[body]!);
        return [
          x! + 2 * (qw! * cx + dx) + p[0],
          y! + 2 * (qw! * cy + dy) + p[1],
          z! + 2 * (qw! * cz + dz) + p[2],
        ];
      };
      const [a, b] = [anchor(bodyA, options.frameA!), anchor(bodyB, options.frameB!)];
      const apart = Math.hypot(...a.map((c, k) => c - b[k]!));
      const locked =
        options.type === 'generic' &&
        (['x', 'y', 'z'] as const).every((axis) => options[axis]?.low === 0 && options[axis]?.high === 0);
      console.log(`joint ${i}: anchors ${apart.toFixed(4)} m apart after 3 s${locked ? ', locked' : ''}`);
      if (locked) expect(apart).toBeLessThan(0.005);
      else expect(apart).toBeLessThan(20);
    }
    for (const body of bodies) expect(place(body).every(Number.isFinite)).toBe(true);
  });
  test('0 does not move against its other body; 9 and 10 are driven', () => {
    const fixed = assetOf('RigidBodies_Joint', 0);
    const before = moving(fixed).map((body) => [...place(body), ...body.getRotation()]);
    run(fixed, 3);
    moving(fixed).forEach((body, i) => {
      [...place(body), ...body.getRotation()].forEach((c, k) => {
        expect(Math.abs(c - before[i]![k]!)).toBeLessThan(0.01);
      });
    });
    const turning = assetOf('RigidBodies_Joint', 9);
    run(turning, 2);
    expect(
      Math.max(...moving(turning).map((body) => Math.hypot(...body.getAngularVelocity()))),
    ).toBeGreaterThan(0.05);
    const sliding = assetOf('RigidBodies_Joint', 10);
    const from = moving(sliding).map(place);
    run(sliding, 1);
    expect(
      Math.max(
        ...moving(sliding).map((body, i) => Math.hypot(...place(body).map((c, k) => c - from[i]![k]!))),
      ),
    ).toBeGreaterThan(0.02);
  });
});

describe.runIf(there)('materials: bodies that differ in nothing else part', () => {
  test.each([0, 1, 2])('%i', (i) => {
    const asset = assetOf('RigidBodies_Materials', i);
    const bodies = moving(asset);
    expect(bodies.length).toBeGreaterThanOrEqual(2);
    const from = bodies.map(place);
    let parted = 0;
    for (let k = 0; k < 180; k++) {
      asset.world.step(1 / 60);
      const ways = bodies.map((body, b) => place(body).map((c, axis) => c - from[b]![axis]!));
      parted = Math.max(parted, Math.hypot(...ways[0]!.map((c, axis) => c - ways[1]![axis]!)));
    }
    console.log(`materials ${i}: ways differ by ${parted.toFixed(2)} m`);
    expect(parted).toBeGreaterThan(0.1);
  });
});

describe.runIf(there)('samples', () => {
  const samples = there
    ? readdirSync(join(root, 'samples')).filter((name) =>
        existsSync(join(root, 'samples', name, `${name}.glb`)),
      )
    : [];
  test.each(samples.flatMap((name) => ['glb', 'gltf'].map((ending) => [name, ending])))(
    '%s.%s runs for 5 s',
    (name, ending) => {
      const asset = load(join(root, 'samples', name!, `${name}.${ending}`));
      run(asset, 5);
      const speeds = asset.bodies.map((body) => Math.hypot(...body.getLinearVelocity()));
      console.log(
        `${name}: ${asset.bodies.length} bodies, ${asset.physics.joints.length} joints, fastest ${Math.max(...speeds).toFixed(2)} m/s; ${asset.physics.warnings.join('; ')}`,
      );
      for (const body of asset.bodies) expect(place(body).every(Number.isFinite)).toBe(true);
    },
  );
});
