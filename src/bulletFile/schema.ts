// The structs that are written, with the names and the order of fields of Bullet 3.26 (btSerializer64.cpp): what a reader compares
// with its own. In: a precision. Out: the bytes of a DNA section.

/** Shapes are in single precision always. Of ListBase readers take the size of a pointer. */
const SHAPES = `
ListBase: void *first; void *last
btVector3FloatData: float m_floats[4]
btVector3DoubleData: double m_floats[4]
btMatrix3x3FloatData: btVector3FloatData m_el[3]
btMatrix3x3DoubleData: btVector3DoubleData m_el[3]
btTransformFloatData: btMatrix3x3FloatData m_basis; btVector3FloatData m_origin
btTransformDoubleData: btMatrix3x3DoubleData m_basis; btVector3DoubleData m_origin
btCollisionShapeData: char *m_name; int m_shapeType; char m_padding[4]
btStaticPlaneShapeData: btCollisionShapeData m_collisionShapeData; btVector3FloatData m_localScaling; btVector3FloatData m_planeNormal; float m_planeConstant; char m_pad[4]
btConvexInternalShapeData: btCollisionShapeData m_collisionShapeData; btVector3FloatData m_localScaling; btVector3FloatData m_implicitShapeDimensions; float m_collisionMargin; int m_padding
btPositionAndRadius: btVector3FloatData m_pos; float m_radius
btMultiSphereShapeData: btConvexInternalShapeData m_convexInternalShapeData; btPositionAndRadius *m_localPositionArrayPtr; int m_localPositionArraySize; char m_padding[4]
btIntIndexData: int m_value
btMeshPartData: btVector3FloatData *m_vertices3f; btVector3DoubleData *m_vertices3d; btIntIndexData *m_indices32; btShortIntIndexTripletData *m_3indices16; btCharIndexTripletData *m_3indices8; btShortIntIndexData *m_indices16; int m_numTriangles; int m_numVertices
btStridingMeshInterfaceData: btMeshPartData *m_meshPartsPtr; btVector3FloatData m_scaling; int m_numMeshParts; char m_padding[4]
btTriangleMeshShapeData: btCollisionShapeData m_collisionShapeData; btStridingMeshInterfaceData m_meshInterface; btQuantizedBvhFloatData *m_quantizedFloatBvh; btQuantizedBvhDoubleData *m_quantizedDoubleBvh; btTriangleInfoMapData *m_triangleInfoMap; float m_collisionMargin; char m_pad3[4]
btCompoundShapeChildData: btTransformFloatData m_transform; btCollisionShapeData *m_childShape; int m_childShapeType; float m_childMargin
btCompoundShapeData: btCollisionShapeData m_collisionShapeData; btCompoundShapeChildData *m_childShapePtr; int m_numChildShapes; float m_collisionMargin
btCylinderShapeData: btConvexInternalShapeData m_convexInternalShapeData; int m_upAxis; char m_padding[4]
btConeShapeData: btConvexInternalShapeData m_convexInternalShapeData; int m_upIndex; char m_padding[4]
btCapsuleShapeData: btConvexInternalShapeData m_convexInternalShapeData; int m_upAxis; char m_padding[4]
btConvexHullShapeData: btConvexInternalShapeData m_convexInternalShapeData; btVector3FloatData *m_unscaledPointsFloatPtr; btVector3DoubleData *m_unscaledPointsDoublePtr; int m_numUnscaledPoints; char m_padding3[4]
`;

const COMMON =
  'int m_objectType; int m_userConstraintType; int m_userConstraintId; int m_needsFeedback; R m_appliedImpulse; R m_dbgDrawSize; int m_disableCollisionsBetweenLinkedBodies; int m_overrideNumSolverIterations; R m_breakingImpulseThreshold; int m_isEnabled';

const six = (kind: string) =>
  [
    ...['UpperLimit', 'LowerLimit', 'Bounce', 'StopERP', 'StopCFM', 'MotorERP', 'MotorCFM', 'TargetVelocity'],
    ...['MaxMotorForce', 'ServoTarget', 'SpringStiffness', 'SpringDamping', 'EquilibriumPoint'],
  ]
    .map((name) => `V m_${kind}${name}; `)
    .join('') +
  ['EnableMotor', 'ServoMotor', 'EnableSpring', 'SpringStiffnessLimited', 'SpringDampingLimited']
    .map((name) => `char m_${kind}${name}[4]`)
    .join('; ');

const solverInfo = [
  ...['tau', 'damping', 'friction', 'timeStep', 'restitution', 'maxErrorReduction', 'sor', 'erp', 'erp2'],
  ...['globalCfm', 'splitImpulsePenetrationThreshold', 'splitImpulseTurnErp', 'linearSlop'],
  ...['warmstartingFactor', 'articulatedWarmstartingFactor', 'maxGyroscopicForce'],
  'singleAxisRollingFrictionThreshold',
]
  .map((name) => `R m_${name}; `)
  .join('');

/** R: float or double; V, M, T: vector, matrix, transform of them. `[D …]`: in double precision only. */
const OF_A_PRECISION = `
btCollisionObject@: void *m_broadphaseHandle; void *m_collisionShape; btCollisionShapeData *m_rootCollisionShape; char *m_name; T m_worldTransform; T m_interpolationWorldTransform; V m_interpolationLinearVelocity; V m_interpolationAngularVelocity; V m_anisotropicFriction; R m_contactProcessingThreshold; R m_deactivationTime; R m_friction; R m_rollingFriction; R m_contactDamping; R m_contactStiffness; R m_restitution; R m_hitFraction; R m_ccdSweptSphereRadius; R m_ccdMotionThreshold; int m_hasAnisotropicFriction; int m_collisionFlags; int m_islandTag1; int m_companionId; int m_activationState1; int m_internalType; int m_checkCollideWith; int m_collisionFilterGroup; int m_collisionFilterMask; int m_uniqueId
btContactSolverInfo@: ${solverInfo}int m_numIterations; int m_solverMode; int m_restingContactRestitutionThreshold; int m_minimumSolverBatchSize; int m_splitImpulse[D ; char m_padding[4]]
btDynamicsWorld@: btContactSolverInfo@ m_solverInfo; V m_gravity
btRigidBody@: btCollisionObject@ m_collisionObjectData; M m_invInertiaTensorWorld; V m_linearVelocity; V m_angularVelocity; V m_angularFactor; V m_linearFactor; V m_gravity; V m_gravity_acceleration; V m_invInertiaLocal; V m_totalForce; V m_totalTorque; R m_inverseMass; R m_linearDamping; R m_angularDamping; R m_additionalDampingFactor; R m_additionalLinearDampingThresholdSqr; R m_additionalAngularDampingThresholdSqr; R m_additionalAngularDampingFactor; R m_linearSleepingThreshold; R m_angularSleepingThreshold; int m_additionalDamping[D ; char m_padding[4]]
btTypedConstraint@: btRigidBody@ *m_rbA; btRigidBody@ *m_rbB; char *m_name; ${COMMON}[D ; char padding[4]]
btTypedConstraintData: btRigidBodyData *m_rbA; btRigidBodyData *m_rbB; char *m_name; ${COMMON}
btPoint2PointConstraint@2: #B m_typeConstraintData; V m_pivotInA; V m_pivotInB
btHingeConstraint@2: #B m_typeConstraintData; T m_rbAFrame; T m_rbBFrame; int m_useReferenceFrameA; int m_angularOnly; int m_enableAngularMotor; R m_motorTargetVelocity; R m_maxMotorImpulse; R m_lowerLimit; R m_upperLimit; R m_limitSoftness; R m_biasFactor; R m_relaxationFactor[D ; char m_padding1[4]]
btConeTwistConstraint@1: #B m_typeConstraintData; T m_rbAFrame; T m_rbBFrame; R m_swingSpan1; R m_swingSpan2; R m_twistSpan; R m_limitSoftness; R m_biasFactor; R m_relaxationFactor; R m_damping[F ; char m_pad[4]]
btSliderConstraint@1: #B m_typeConstraintData; T m_rbAFrame; T m_rbBFrame; R m_linearUpperLimit; R m_linearLowerLimit; R m_angularUpperLimit; R m_angularLowerLimit; int m_useLinearReferenceFrameA; int m_useOffsetForConstraintFrame
btGearConstraint@: btTypedConstraint@ m_typeConstraintData; V m_axisInA; V m_axisInB; R m_ratio[F ; char m_padding[4]]
btGeneric6DofSpring2Constraint@3: #B m_typeConstraintData; T m_rbAFrame; T m_rbBFrame; ${six('linear')}; char m_padding1[4]; ${six('angular')}; int m_rotateOrder
`;

/** Names of the structs whose names depend on the precision. */
export function structName(kind: string, isDouble: boolean): string {
  const own = isDouble ? 'DoubleData' : 'FloatData';
  return kind
    .replace(/@1/g, isDouble ? 'DoubleData' : 'Data')
    .replace(/@2/g, isDouble ? 'DoubleData2' : 'FloatData')
    .replace(/@3/g, isDouble ? 'DoubleData2' : 'Data')
    .replace(/@/g, own);
}

function textOf(isDouble: boolean): string {
  const own = isDouble ? 'DoubleData' : 'FloatData';
  const lines = OF_A_PRECISION.split('\n').map((line) =>
    structName(line, isDouble)
      .replace(/#B/g, isDouble ? 'btTypedConstraintDoubleData' : 'btTypedConstraintData')
      .replace(/\[D (.*?\])\]/g, isDouble ? '$1' : '')
      .replace(/\[F (.*?\])\]/g, isDouble ? '' : '$1')
      .replace(/\bV (?=m_)/g, `btVector3${own} `)
      .replace(/\bM (?=m_)/g, `btMatrix3x3${own} `)
      .replace(/\bT (?=m_)/g, `btTransform${own} `)
      .replace(/\bR (?=m_)/g, isDouble ? 'double ' : 'float '),
  );
  // The common part of older files is float, whatever the precision: it is written in single precision alone.
  return SHAPES + lines.filter((line) => !(isDouble && line.startsWith('btTypedConstraintData:'))).join('\n');
}

const PRIMITIVES = ['char', 'uchar', 'short', 'ushort', 'int', 'long', 'ulong', 'float', 'double', 'void'];
const LENGTHS = [1, 1, 2, 2, 4, 4, 4, 4, 8, 0];
const POINTER = 8;

/** The section, with names of the structs in the order of their numbers. */
export function writeDna(isDouble: boolean): { bytes: Uint8Array; structs: readonly string[] } {
  const structs = textOf(isDouble)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name, fields] = line.split(': ') as [string, string];
      return { name, fields: fields.split('; ').map((field) => field.split(' ') as [string, string]) };
    });
  const types = [...PRIMITIVES];
  const lengths = [...LENGTHS];
  const names: string[] = [];
  const numberOf = (list: string[], value: string) => {
    const at = list.indexOf(value);
    return at >= 0 ? at : list.push(value) - 1;
  };
  for (const { name, fields } of structs) {
    let length = 0;
    for (const [type, field] of fields) {
      const of = numberOf(types, type);
      numberOf(names, field);
      const count = Number.parseInt(/\[(\d)\]/.exec(field)?.[1] ?? '1', 10);
      length += field.startsWith('*') ? POINTER : (lengths[of] ?? 0) * count;
    }
    lengths[numberOf(types, name)] = length;
  }
  const bytes: number[] = [];
  const short = (value: number) => void bytes.push(value & 255, (value >> 8) & 255);
  const tag = (text: string) => {
    while (bytes.length % 4 !== 0) bytes.push(0);
    for (const letter of text) bytes.push(letter.charCodeAt(0));
  };
  const int = (value: number) => {
    short(value);
    short(value >> 16);
  };
  const list = (values: readonly string[]) => {
    int(values.length);
    for (const value of values) for (const letter of `${value}\0`) bytes.push(letter.charCodeAt(0));
  };
  tag('SDNANAME');
  list(names);
  tag('TYPE');
  list(types);
  tag('TLEN');
  for (let i = 0; i < types.length; i++) short(lengths[i] ?? 0);
  tag('STRC');
  int(structs.length);
  for (const { name, fields } of structs) {
    short(types.indexOf(name));
    short(fields.length);
    for (const [type, field] of fields) {
      short(types.indexOf(type));
      short(names.indexOf(field));
    }
  }
  while (bytes.length % 4 !== 0) bytes.push(0);
  return { bytes: Uint8Array.from(bytes), structs: structs.map(({ name }) => name) };
}
