// The corpus tool (scripts/corpus) on programs of our own: pages that do the same on both engines, that differ in a place,
// and that end on one engine only. What it prints first is the worst.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../sources';

const PAGE = (body: string) => `<!DOCTYPE html><script src="ammo.js"></script><script>
Ammo().then(function (Ammo) {
  var configuration = new Ammo.btDefaultCollisionConfiguration();
  var world = new Ammo.btDiscreteDynamicsWorld(new Ammo.btCollisionDispatcher(configuration),
    new Ammo.btDbvtBroadphase(), new Ammo.btSequentialImpulseConstraintSolver(), configuration);
  function add(mass, x, y, half) {
    var place = new Ammo.btTransform();
    place.setIdentity();
    place.setOrigin(new Ammo.btVector3(x, y, 0));
    var shape = new Ammo.btBoxShape(new Ammo.btVector3(half, half, half));
    var inertia = new Ammo.btVector3(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    var state = new Ammo.btDefaultMotionState(place);
    var body = new Ammo.btRigidBody(new Ammo.btRigidBodyConstructionInfo(mass, state, shape, inertia));
    world.addRigidBody(body);
    return body;
  }
  add(0, 0, -5, 5);
  ${body}
  function frame() {
    requestAnimationFrame(frame);
    world.stepSimulation(1 / 60, 1);
  }
  requestAnimationFrame(frame);
});
</script>`;

/** Stands in for our module: ammo.js itself, with two differences that a page can ask for. */
const MODULE = `import { createRequire } from 'node:module';
const require = createRequire(${JSON.stringify(join(root, 'package.json'))});
export default async () => {
  const A = await require('ammojs-typed/wasm')();
  const { setFriction, setRestitution } = A.btRigidBody.prototype;
  A.btRigidBody.prototype.setFriction = function (value) {
    if (value === 7) throw new Error('no such friction');
    setFriction.call(this, value);
  };
  A.btRigidBody.prototype.setRestitution = function (value) {
    if (value === 7) this.getWorldTransform().getOrigin().setX(1);
    else setRestitution.call(this, value);
  };
  return A;
};`;

test('what differs first is printed, the worst first', () => {
  const from = mkdtempSync(join(tmpdir(), 'corpus-'));
  try {
    mkdirSync(join(from, 'own/pages'), { recursive: true });
    const pages = {
      'same.html': 'add(1, 0, 1, 0.5).setFriction(0.5);',
      'place.html': 'add(1, 0, 1, 0.5).setRestitution(7);',
      'error.html': 'add(1, 0, 1, 0.5).setFriction(7);',
      'empty.html': 'throw new Error("its own");',
    };
    for (const [name, body] of Object.entries(pages))
      writeFileSync(join(from, 'own/pages', name), PAGE(body));
    const programs = [...Object.keys(pages), 'gone.html'].map((page) => ({ repository: 'own/pages', page }));
    writeFileSync(join(from, 'programs.json'), JSON.stringify(programs));
    writeFileSync(join(from, 'module.mjs'), MODULE);
    let printed = '';
    try {
      const args = [join(root, 'scripts/corpus/run.mjs'), '--from', from, '--frames', '20'];
      const own = ['--programs', join(from, 'programs.json'), '--module', join(from, 'module.mjs')];
      execFileSync(process.execPath, [...args, ...own], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      printed = (error as { stdout: string }).stdout;
    }
    const lines = printed.trim().split('\n');
    expect(lines[0]).toBe('own/pages/error.html');
    expect(lines[1]).toContain('error: promise: no such friction');
    expect(lines[2]).toBe('own/pages/place.html');
    expect(lines[3]).toMatch(/frame 10: body 1 at 1, .*, ammo\.js 0, .* \(1\.00 m\)/);
    expect(lines[4]).toBe('own/pages/same.html');
    expect(lines[5]).toContain('the same: 2 bodies, 20 steps');
    expect(printed).toContain('the same: 1 bodies, 0 steps; both: promise: its own');
    expect(lines.at(-1)).toBe('5 programs: 2 the same, 2 differ, 0 not playable, 1 not fetched');
  } finally {
    rmSync(from, { recursive: true, force: true });
  }
});
