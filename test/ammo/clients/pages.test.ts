// What three.js's example pages ask of ammo.js: terrain (a heightfield read from the heap, shapes that rain on it) and
// break (hulls that three's own ConvexObjectBreaker splits where contacts say that they were hit hard). The pages are
// HTML and on no registry; these programs make the same calls.
import { BoxGeometry, type BufferGeometry, Mesh, Object3D, Quaternion, Vector3 } from 'three';
import { ConvexObjectBreaker } from 'three/examples/jsm/misc/ConvexObjectBreaker.js';
import { afterEach, expect, test, vi } from 'vitest';
import { type Ammo, createWorld } from '../engines';
import { compare } from './compare';

afterEach(() => void vi.restoreAllMocks());

const MARGIN = 0.05;

/** A rigid body that carries a mesh, as the pages make it. */
function createRigidBody(A: Ammo, world: Ammo, object: Object3D, shape: Ammo, mass: number): Ammo {
  const transform = new A.btTransform();
  transform.setIdentity();
  const { position: p, quaternion: q } = object;
  transform.setOrigin(new A.btVector3(p.x, p.y, p.z));
  transform.setRotation(new A.btQuaternion(q.x, q.y, q.z, q.w));
  const state = new A.btDefaultMotionState(transform);
  const inertia = new A.btVector3(0, 0, 0);
  shape.calculateLocalInertia(mass, inertia);
  const body = new A.btRigidBody(new A.btRigidBodyConstructionInfo(mass, state, shape, inertia));
  body.setFriction(0.5);
  object.userData['physicsBody'] = body;
  object.userData['collided'] = false;
  if (mass > 0) body.setActivationState(4);
  world.addRigidBody(body);
  return body;
}

/** Meshes follow their motion states. */
function synchronize(objects: Iterable<Object3D>, aux: Ammo): void {
  for (const object of objects) {
    const state = object.userData['physicsBody'].getMotionState();
    if (!state) continue;
    state.getWorldTransform(aux);
    const [p, q] = [aux.getOrigin(), aux.getRotation()];
    object.position.set(p.x(), p.y(), p.z());
    object.quaternion.set(q.x(), q.y(), q.z(), q.w());
    object.userData['collided'] = false;
  }
}

const SIZE = 33;
/** Sixteen plateaus, each of its own height, with slopes between. */
const plateau = (column: number, row: number) => (column >> 3) + 0.4 * (row >> 3);

function terrain(A: Ammo) {
  const world = createWorld(A);
  world.setGravity(new A.btVector3(0, -6, 0));
  const bytes = A._malloc(4 * SIZE * SIZE);
  let [least, most] = [Infinity, -Infinity];
  for (let row = 0, at = 0; row < SIZE; row++)
    for (let column = 0; column < SIZE; column++, at += 4) {
      const height = plateau(column, row);
      A.HEAPF32[(bytes + at) >> 2] = height;
      least = Math.min(least, height);
      most = Math.max(most, height);
    }
  const field = new A.btHeightfieldTerrainShape(SIZE, SIZE, bytes, 1, least, most, 1, 'PHY_FLOAT', false);
  field.setLocalScaling(new A.btVector3(1, 1, 1));
  field.setMargin(MARGIN);
  const ground = new Object3D();
  ground.position.y = (least + most) / 2;
  createRigidBody(A, world, ground, field, 0);

  const shapes: [string, () => Ammo][] = [
    ['ball', () => new A.btSphereShape(0.6)],
    ['box', () => new A.btBoxShape(new A.btVector3(0.5, 0.6, 0.7))],
    ['cylinder', () => new A.btCylinderShape(new A.btVector3(0.5, 0.6, 0.5))],
    ['cone', () => new A.btConeShape(0.8, 1.2)],
  ];
  const objects: Record<string, Object3D> = {};
  for (let i = 0; i < 16; i++) {
    const [kind, make] = shapes[(i + (i >> 2)) % 4]!;
    const [column, row] = [8 * (i % 4) + 3, 8 * (i >> 2) + 3];
    const object = new Object3D();
    object.position.set(column - 16 + 0.4, plateau(column, row) + 1, row - 16 + 0.3);
    const shape = make();
    shape.setMargin(MARGIN);
    createRigidBody(A, world, object, shape, 5);
    objects[`${kind} ${i}`] = object;
  }
  const aux = new A.btTransform();
  for (let i = 0; i < 240; i++) {
    world.stepSimulation(1 / 60, 10);
    synchronize(Object.values(objects), aux);
  }
  return {
    rest: Object.fromEntries(Object.entries(objects).map(([name, o]) => [name, o.position.toArray()])),
  };
}

test('three.js terrain page: what rains on a heightfield stands on the plateau below', async () => {
  // Dropped upright they stay where they are; on ammo.js boxes, cylinders and cones wander by up to 9 cm.
  const truths: Record<string, number[]> = {};
  for (let i = 0; i < 16; i++) {
    const kind = (i + (i >> 2)) % 4;
    const [column, row] = [8 * (i % 4) + 3, 8 * (i >> 2) + 3];
    const height = [0.6, 0.6 + MARGIN, 0.6 + MARGIN, 0.6 + 2 * MARGIN][kind]!; // a cone's own margin lies outside of it
    truths[`${['ball', 'box', 'cylinder', 'cone'][kind]} ${i}`] = [
      column - 15.6,
      plateau(column, row) + height,
      row - 15.7,
    ];
  }
  const { rest } = await compare(terrain, truths);
  expect(rest['ball 0']![1]).toBeCloseTo(plateau(3, 3) + 0.6, 2);
});

/** kg m/s: what breaks a thing. */
const FRACTURE = 250;

function breaking(A: Ammo) {
  let state = 7; // the breaker's chance, the same on both engines
  vi.spyOn(Math, 'random').mockImplementation(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  });
  const world = createWorld(A);
  const dispatcher = world.getDispatcher();
  world.setGravity(new A.btVector3(0, -7.8, 0));
  const breaker = new ConvexObjectBreaker();
  const moving = new Set<Mesh>();
  const events = new Set<string>();
  let kilograms = 0;

  const add = (object: Mesh, shape: Ammo, mass: number) => {
    const body = createRigidBody(A, world, object, shape, mass);
    const carrier = new A.btVector3(0, 0, 0);
    carrier.threeObject = object;
    body.setUserPointer(carrier);
    if (mass > 0) moving.add(object);
    return body;
  };
  const hull = (geometry: BufferGeometry) => {
    const shape = new A.btConvexHullShape();
    const corner = new A.btVector3(0, 0, 0);
    const points = geometry.getAttribute('position');
    for (let i = 0; i < points.count; i++) {
      corner.setValue(points.getX(i), points.getY(i), points.getZ(i));
      shape.addPoint(corner, i === points.count - 1);
    }
    shape.setMargin(MARGIN);
    return shape;
  };
  /** A thing with a hull, at rest or with a piece's velocities. */
  const addHull = (object: Mesh) => {
    const { mass, velocity: v, angularVelocity: w } = object.userData as Record<string, Ammo>;
    const body = add(object, hull(object.geometry), mass);
    body.setLinearVelocity(new A.btVector3(v.x, v.y, v.z));
    body.setAngularVelocity(new A.btVector3(w.x, w.y, w.z));
  };
  const breakable = (name: string, mass: number, size: number[], position: number[]) => {
    const object = new Mesh(new BoxGeometry(...size));
    object.name = name;
    object.position.fromArray(position);
    breaker.prepareBreakableObject(object, mass, new Vector3(), new Vector3(), true);
    addHull(object);
    return object;
  };

  const ground = new Mesh(new BoxGeometry(80, 1, 40));
  ground.name = 'ground';
  ground.position.y = -0.5;
  add(ground, new A.btBoxShape(new A.btVector3(40, 0.5, 20)), 0);
  const towers = [
    breakable('left tower', 1000, [2, 5, 2], [-8, 2.5, -8]),
    breakable('right tower', 1000, [2, 5, 2], [8, 2.5, -8]),
  ];
  breakable('wall', 860, [4, 4, 1], [0, 2, 4]);
  const stone = breakable('stone', 120, [1.4, 1.4, 1.4], [20, 0.7, 0]);

  const ball = new Mesh();
  ball.name = 'ball';
  ball.position.set(0, 2.2, 12);
  add(ball, new A.btSphereShape(0.4), 35).setLinearVelocity(new A.btVector3(0, 1, -24));

  const aux = new A.btTransform();
  for (let step = 0; step < 240; step++) {
    world.stepSimulation(1 / 60, 10);
    synchronize(moving, aux);
    const broken: [Mesh, Vector3, Vector3][] = [];
    for (let i = 0; i < dispatcher.getNumManifolds(); i++) {
      const manifold = dispatcher.getManifoldByIndexInternal(i);
      const things = [manifold.getBody0(), manifold.getBody1()].map((object: Ammo) => {
        const body = A.castObject(object, A.btRigidBody);
        return (A.castObject(body.getUserPointer(), A.btVector3).threeObject ?? null) as Mesh | null;
      });
      let impulse = 0;
      const point = new Vector3();
      const normal = new Vector3();
      for (let j = 0; j < manifold.getNumContacts(); j++) {
        const contact = manifold.getContactPoint(j);
        if (contact.getDistance() > 0 || contact.getAppliedImpulse() < impulse) continue;
        impulse = contact.getAppliedImpulse();
        const [at, n] = [contact.get_m_positionWorldOnB(), contact.get_m_normalWorldOnB()];
        point.set(at.x(), at.y(), at.z());
        normal.set(n.x(), n.y(), n.z());
      }
      if (impulse <= FRACTURE) continue;
      for (const thing of things) {
        if (thing === null || !thing.userData['breakable'] || thing.userData['collided']) continue;
        thing.userData['collided'] = true;
        broken.push([thing, point.clone(), normal.clone()]);
      }
    }
    for (const [thing, point, normal] of broken) {
      events.add(`${thing.name} breaks`);
      const body = thing.userData['physicsBody'];
      const [v, w] = [body.getLinearVelocity(), body.getAngularVelocity()];
      thing.userData['velocity'].set(v.x(), v.y(), v.z());
      thing.userData['angularVelocity'].set(w.x(), w.y(), w.z());
      const pieces = breaker.subdivideByImpact(thing, point, normal, 1, 2) as Mesh[];
      world.removeRigidBody(body);
      moving.delete(thing);
      for (const piece of pieces) {
        piece.name = `piece of ${thing.name.replace(/^piece of /, '')}`;
        addHull(piece);
      }
    }
  }
  const pieces = [...moving].filter(({ name }) => name.startsWith('piece'));
  for (const { userData } of pieces) kilograms += userData['mass'];
  expect(pieces.length).toBeGreaterThan(3);
  // Nothing sinks into the ground or flies away.
  for (const { name, position: p } of moving)
    expect([name, p.y > 0 && p.y < 8 && p.length() < 60], `${p.toArray()}`).toEqual([name, true]);
  const upright = [...towers, stone];
  for (const tower of towers)
    events.add(`${tower.name}${tower.quaternion.angleTo(new Quaternion()) < 0.01 ? '' : ' does not'} stand`);
  return {
    rest: Object.fromEntries(upright.map(({ name, position }) => [name, position.toArray()])),
    events: [...events].filter((event) => !event.startsWith('piece')),
    kilograms,
  };
}

test('three.js break page: a hull that is hit hard falls to pieces, others stand', async () => {
  let kilograms = 0;
  const { events } = await compare((A) => {
    const outcome = breaking(A);
    kilograms ||= outcome.kilograms;
    return outcome;
  });
  expect(events).toContain('wall breaks');
  expect(events).toContain('left tower stand');
  // The breaker drops slivers. What a cut leaves of the wall's 860 kg depends on a millimetre of the ball's way.
  expect(kilograms).toBeGreaterThan(0.9 * 860);
  expect(kilograms).toBeLessThan(861);
});
