// What ammo.js has and the facade has not: classes that say so when they are made. In: a name. Out: an error that
// names it. Programs that look whether a class exists before they use it (HACD) find it missing instead.
import { PhysicsError } from '../index';
import { WrapperObject } from './object';

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

const SOFT = 'is not there: soft bodies are not simulated';

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
