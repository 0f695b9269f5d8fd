// What ammo.js has and the facade has not: classes that say so when they are made. In: a name. Out: an error that
// names it. Programs that look whether a class exists before they use it (HACD) find it missing instead.
import { PhysicsError } from '../index';
import { number } from './errors';
import { fields, WrapperObject } from './object';

function later(name: string, why: string) {
  const type = {
    [name]: class extends WrapperObject {
      constructor(..._values: unknown[]) {
        super();
        throw new PhysicsError('unsupported', why, name);
      }
    },
  }[name]!;
  return type;
}

const VEHICLE = 'is not yet there: vehicles are planned';
const CHARACTER = 'is not yet there: character controllers are planned';
const SOFT = 'is not there: soft bodies are not simulated';
const GIMPACT = 'is not there: use btCompoundShape of hulls for moving concave bodies';

export const btRaycastVehicle = later('btRaycastVehicle', VEHICLE);
export const btVehicleRaycaster = later('btVehicleRaycaster', VEHICLE);
export const btVehicleRaycasterResult = later('btVehicleRaycasterResult', VEHICLE);
export const RaycastInfo = later('RaycastInfo', VEHICLE);
export const btWheelInfoConstructionInfo = later('btWheelInfoConstructionInfo', VEHICLE);
export const btDefaultVehicleRaycaster = later('btDefaultVehicleRaycaster', VEHICLE);
export const btWheelInfo = later('btWheelInfo', VEHICLE);
export const btKinematicCharacterController = later('btKinematicCharacterController', CHARACTER);

/** Fields only: programs fill it before they make a vehicle. */
export class btVehicleTuning extends WrapperObject {
  constructor() {
    super();
    Object.assign(this, {
      _m_suspensionStiffness: Math.fround(5.88),
      _m_suspensionCompression: Math.fround(0.83),
      _m_suspensionDamping: Math.fround(0.88),
      _m_maxSuspensionTravelCm: 500,
      _m_frictionSlip: 10.5,
      _m_maxSuspensionForce: 6000,
    });
  }
}
fields(btVehicleTuning, number, [
  'm_suspensionStiffness',
  'm_suspensionCompression',
  'm_suspensionDamping',
  'm_maxSuspensionTravelCm',
  'm_frictionSlip',
  'm_maxSuspensionForce',
]);

/** Programs make it for every world; it does nothing. */
export class btSoftBodySolver extends WrapperObject {}
export class btDefaultSoftBodySolver extends btSoftBodySolver {}

const refuse = (name: string) => (): never => {
  throw new PhysicsError('unsupported', SOFT, name);
};

/** May be made; what it would make says no. */
export class btSoftBodyHelpers extends WrapperObject {
  CreateRope = refuse('btSoftBodyHelpers.CreateRope');
  CreatePatch = refuse('btSoftBodyHelpers.CreatePatch');
  CreatePatchUV = refuse('btSoftBodyHelpers.CreatePatchUV');
  CreateEllipsoid = refuse('btSoftBodyHelpers.CreateEllipsoid');
  CreateFromTriMesh = refuse('btSoftBodyHelpers.CreateFromTriMesh');
  CreateFromConvexHull = refuse('btSoftBodyHelpers.CreateFromConvexHull');
}

export const btSoftBody = later('btSoftBody', SOFT);
export const btGImpactMeshShape = later('btGImpactMeshShape', GIMPACT);
export const btGImpactCompoundShape = later('btGImpactCompoundShape', GIMPACT);
