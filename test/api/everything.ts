// A session that uses every command of the table, for tests that must miss none.
import { MAX_SLOT } from '../../src/base/ids';
import { Replica } from '../../src/replica/replica';
import {
  ignoreShape,
  moveCharacter,
  removeCharacter,
  removeVehicle,
  SetCharacter,
  SetCharacterInput,
  SetCharacterState,
  SetVehicle,
  SetWheel,
  setCharacter,
  setCharacterInput,
  setCharacterState,
  setVehicle,
  setVehicleInput,
  setWheel,
} from '../../src/wasm/actor-commands';

/** One call for every command; the stream of a session that uses them all. */
export function playEverything(): { replica: Replica; stream: Int32Array } {
  const replica = new Replica({ gravity: [0, -5, 0] });
  replica.createBody({ type: 'static', shape: { type: 'plane' } });
  const id = replica.createBody({
    position: [1, 2, 3],
    shape: [
      { type: 'box', halfExtents: [1, 2, 3], density: 10 },
      { type: 'sphere', radius: 1, position: [0, 3, 0], friction: 0.9 },
    ],
  });
  const gone = replica.createBody({
    mass: 2,
    shape: { type: 'capsule', radius: 1, halfHeight: 1, axis: 'x' },
  });
  const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const pyramid = replica.createBody({ shape: { type: 'hull', points } });
  replica.addShape(pyramid, { type: 'hull', points, position: [1, 0, 0] });
  replica.createBody({ shape: { type: 'hull', points: points.map((c) => 2 * c) } });
  replica.createBody({ shape: { type: 'cone', radius: 1, halfHeight: 2, axis: 'z' } });
  replica.removeBody(pyramid);
  const lift = replica.createBody({ type: 'kinematic', shape: { type: 'sphere', radius: 1 } });
  const extra = replica.addShape(id, { type: 'sphere', radius: 0.5 });
  replica.removeShape(id, extra);
  replica.removeBody(gone);
  replica.setTransform(id, [0, 5, 0], [0, 0, 0, 1]);
  replica.setPosition(id, [0, 5, 0]);
  replica.setRotation(id, [0, 0, 0, 1]);
  replica.setLinearVelocity(id, [1, 0, 0]);
  replica.setAngularVelocity(id, [0, 1, 0]);
  replica.applyForce(id, [1, 2, 3], [0, 1, 0]);
  replica.applyTorque(id, [1, 0, 0]);
  replica.applyImpulse(id, [1, 0, 0]);
  replica.applyTorqueImpulse(id, [1, 0, 0]);
  replica.step(1 / 60);
  replica.clearForces();
  replica.setMass(id, 7);
  replica.setDamping(id, 0.1, 0.2);
  replica.setGravityScale(id, -1);
  replica.setLinearFactor(id, [1, 0, 1]);
  replica.setSleepingThresholds(id, 1, 2);
  replica.setActivationState(id, 'disableDeactivation', true);
  replica.activate(id, false);
  replica.setFilter(id, 4, 8);
  replica.setMaterial(id, { friction: 0.1 });
  replica.updateShape(replica.body(id).shapes[0]!, {
    group: 4,
    frictionCombine: 'maximum',
    combinePriority: 2,
    surfaceVelocity: { linear: [1, 0, 0] },
    oneWay: [0, 2, 0],
  });
  replica.setType(lift, 'dynamic', { mass: 3 });
  replica.setType(lift, 'kinematic');
  replica.setKinematicTarget(lift, [1, 1, 1], [0, 0, 0, 1]);
  replica.setKinematicTarget(lift, [1, 1, 2]);
  replica.setKinematicTarget(lift, undefined, [0, 1, 0, 0]);
  replica.setGravity([0, -1, 0]);
  replica.explode([0, 1, 0], 5, 10, { falloff: 'quadratic' });
  const pool = replica.createBody({
    type: 'static',
    shape: { type: 'box', halfExtents: [5, 5, 5], area: { density: 1000, velocity: [1, 0, 0], level: 3 } },
  });
  replica.updateShape(replica.body(pool).shapes[0]!, { area: { attraction: { strength: 3 } } });
  replica.updateSettings({ substeps: 2 });
  replica.setUserIndex(id, 9);
  replica.setCcd(id, 1, 0.5);
  const joint = replica.createJoint({ type: 'hinge', angle: { low: -1, high: 1 } }, id, 0);
  replica.setJointEnabled(joint, false);
  replica.setJointFrames(joint, {}, { position: [0, 1, 0] });
  replica.setJointBreaking(joint, 10, 20);
  replica.setServoTargets(joint, [0.1, 0.2, 0.3]);
  replica.setJointCollide(joint, true);
  replica.setJointSoftness(joint, 5, 1, 0, 0);
  replica.setJointRatio(replica.createJoint({ type: 'gear', ratio: 2 }, 0, id), -3);
  replica.setJointSwing(replica.createJoint({ type: 'coneTwist' }, 0, id), 'swingY', 0.5);
  replica.removeJoint(joint);
  const slot = id & MAX_SLOT;
  const vehicle = new Float64Array(SetVehicle.traction + 1);
  vehicle[0] = slot;
  vehicle[SetVehicle.frame + 3] = 1;
  replica.writer.write(setVehicle, vehicle);
  const wheel = new Float64Array(SetWheel.nominalLoad + 1).fill(1);
  wheel[0] = slot;
  replica.writer.write(setWheel, wheel);
  replica.writer.write(setVehicleInput, [slot, 0.5, 0, -1, 0, -2, 31]);
  replica.writer.write(removeVehicle, [slot]);
  const character = new Float64Array(SetCharacter.standing + 1).fill(1);
  character[0] = slot;
  replica.writer.write(setCharacter, character);
  const input = new Float64Array(SetCharacterInput.given + 1);
  input[0] = slot;
  replica.writer.write(setCharacterInput, input);
  const state = new Float64Array(SetCharacterState.anchor + 3);
  state[0] = slot;
  replica.writer.write(setCharacterState, state);
  replica.writer.write(ignoreShape, [slot, 1]);
  replica.writer.write(moveCharacter, [slot, 1, 0, 0, 0.01]);
  replica.writer.write(removeCharacter, [slot]);
  return { replica, stream: replica.writer.view().slice() };
}
