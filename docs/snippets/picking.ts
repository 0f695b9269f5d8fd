import { deterministic, type Joint, type RigidBody, type Vec3Like, World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const crate = world.createBody({
  mass: 5,
  position: [0, 0.5, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
});
world.step(1 / 60);

/** A point of the world in the body's own frame. */
function toLocal(body: RigidBody, [x, y, z]: ArrayLike<number> & Iterable<number>) {
  const [px, py, pz] = body.getPosition();
  const back = deterministic.quatConjugate(body.getRotation());
  return deterministic.rotate(back, [x! - px, y! - py, z! - pz]);
}

/** Takes hold of what the ray meets, where it meets it. */
function grab(from: Vec3Like, to: Vec3Like): Joint | null {
  const hit = world.rayTest(from, to);
  if (hit === null || hit.body.type !== 'dynamic') return null;
  const { body, point } = hit;
  body.setActivationState('disableDeactivation'); // what is held stays awake
  return world.createJoint({
    type: 'mouse',
    bodyB: body,
    frameB: { position: toLocal(body, point) },
    target: point,
    maxForce: 50 * body.mass * 9.81,
  });
}

const held = grab([0, 5, 0.2], [0, -1, 0.2]);
for (let i = 0; i < 120; i++) {
  held?.setTarget([0, 1 + 0.02 * i, 0.2]); // where the pointer is now
  world.step(1 / 60);
}
console.log('lifted to', crate.getPosition()[1]);

held?.remove();
crate.forceActivationState('active');
for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log('dropped to', crate.getPosition()[1]);
