// Features of ammo.js that the facade does not support: classes whose constructors throw. In: a name. Out: an error
// with that name. Classes whose existence programs check before use (HACD) are absent instead.
import { PhysicsError } from '../index';
import { WrapperObject } from './object';

const SOFT =
  'is not there: soft bodies are not simulated; small bodies with joints make ropes, cloth and jelly';

const refuse = (name: string) => (): never => {
  throw new PhysicsError('unsupported', SOFT, name);
};

/** `methods`: for programs that call them on an object that they cast to the class. */
function later(name: string, why: string, methods: readonly string[] = []) {
  const type = {
    [name]: class extends WrapperObject {
      constructor(..._values: unknown[]) {
        super();
        throw new PhysicsError('unsupported', why, name);
      }
    },
  }[name]!;
  for (const method of methods)
    Object.defineProperty(type.prototype, method, { value: refuse(`${name}.${method}`), writable: true });
  return type;
}

/** Programs create it for each world; it has no effect. */
export class btSoftBodySolver extends WrapperObject {}
export class btDefaultSoftBodySolver extends btSoftBodySolver {}

/** Can be created; its methods throw. */
export class btSoftBodyHelpers extends WrapperObject {
  CreateRope = refuse('btSoftBodyHelpers.CreateRope');
  CreatePatch = refuse('btSoftBodyHelpers.CreatePatch');
  CreatePatchUV = refuse('btSoftBodyHelpers.CreatePatchUV');
  CreateEllipsoid = refuse('btSoftBodyHelpers.CreateEllipsoid');
  CreateFromTriMesh = refuse('btSoftBodyHelpers.CreateFromTriMesh');
  CreateFromConvexHull = refuse('btSoftBodyHelpers.CreateFromConvexHull');
}

const METHODS =
  'checkLink checkFace appendMaterial appendNode appendLink appendFace appendTetra appendAnchor addForce addAeroForceToNode ' +
  'getTotalMass setTotalMass setMass transform translate rotate scale generateClusters generateBendingConstraints upcast ' +
  'getRestLengthScale setRestLengthScale get_m_cfg set_m_cfg get_m_nodes set_m_nodes get_m_faces set_m_faces ' +
  'get_m_materials set_m_materials get_m_anchors set_m_anchors';
export const btSoftBody = later('btSoftBody', SOFT, METHODS.split(' '));
export const Face = later('Face', SOFT);
export const tFaceArray = later('tFaceArray', SOFT);
export const Node = later('Node', SOFT);
export const tNodeArray = later('tNodeArray', SOFT);
export const Material = later('Material', SOFT);
export const tMaterialArray = later('tMaterialArray', SOFT);
export const Anchor = later('Anchor', SOFT);
export const tAnchorArray = later('tAnchorArray', SOFT);
export const Config = later('Config', SOFT);

/** The soft bodies of a world: none. */
export class btSoftBodyArray extends WrapperObject {
  size(): number {
    return 0;
  }

  at = refuse('btSoftBodyArray.at');
}
