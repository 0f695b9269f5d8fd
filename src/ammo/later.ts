// Features of ammo.js that the facade does not support: classes whose constructors throw. In: a name. Out: an error
// with that name. Classes whose existence programs check before use (HACD) are absent instead.
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

/** Programs create it for each world; it has no effect. */
export class btSoftBodySolver extends WrapperObject {}
export class btDefaultSoftBodySolver extends btSoftBodySolver {}

const refuse = (name: string) => (): never => {
  throw new PhysicsError('unsupported', SOFT, name);
};

/** Can be created; its methods throw. */
export class btSoftBodyHelpers extends WrapperObject {
  CreateRope = refuse('btSoftBodyHelpers.CreateRope');
  CreatePatch = refuse('btSoftBodyHelpers.CreatePatch');
  CreatePatchUV = refuse('btSoftBodyHelpers.CreatePatchUV');
  CreateEllipsoid = refuse('btSoftBodyHelpers.CreateEllipsoid');
  CreateFromTriMesh = refuse('btSoftBodyHelpers.CreateFromTriMesh');
  CreateFromConvexHull = refuse('btSoftBodyHelpers.CreateFromConvexHull');
}

export const btSoftBody = later('btSoftBody', SOFT);
