// Shapes of a body → chunks SHAP. In: descriptions of shapes, the frame of the body in the file. Out: the number of a shape.
import type { RigidBody, ShapeInfo } from 'ricochet';
import { readMesh, readTriangles } from 'ricochet/cooking';
import { SHAPE } from './numbers';
import { inOrder } from './readShapes';
import type { Fields, Sink } from './sink';
import { conjugate, type Place, type Quat, seenFrom, turned, type Vec3 } from './transforms';

const HALF = Math.sqrt(0.5);
/** How a shape along y is turned that was made along x or z. */
const TURNS: readonly (readonly [axis: number, rotation: Quat])[] = [
  [0, [0, 0, -HALF, HALF]],
  [2, [HALF, 0, 0, HALF]],
];
const NONE: Quat = [0, 0, 0, 1];
/** Bullet's CONVEX_DISTANCE_MARGIN, of shapes whose margin is a part of their size. */
const MARGIN = 0.04;

/** The largest margin: a power of 2, so that sizes less a margin and the margin add up to the same bits. */
const MOST_MARGIN = 1 / 32;

/** A margin inside of a shape, which Bullet's narrow phase needs: an eighth of the smallest size at most. */
function innerMargin(...sizes: readonly number[]): number {
  let margin = MOST_MARGIN;
  while (margin > 1 / 0x100_0000 && 8 * margin > Math.min(...sizes)) margin /= 2;
  return margin;
}

const isClose = (a: Quat, b: Quat) => a.every((part, i) => Math.abs(part - b[i]!) < 1e-6);
const isOrigin = ({ position, rotation }: Place) =>
  position.every((part) => part === 0) && rotation.slice(0, 3).every((part) => part === 0);

interface Written {
  readonly number: number;
  readonly type: number;
  readonly place: Place;
}

/** Writes what bodies are made of; instances of a mesh share its triangles. */
export class ShapeWriter {
  private readonly meshes = new Map<unknown, number>();
  private empty = 0;

  constructor(
    private readonly sink: Sink,
    private readonly warnings: Set<string>,
  ) {}

  /** A compound without children. */
  nothing(): number {
    this.empty ||= this.compound([]);
    return this.empty;
  }

  /** @param frame  of the body in the file, in the body's own frame */
  write(body: RigidBody, frame: Place): number {
    const shapes = body.shapes.map((id) => body.getShape(id));
    if (shapes.length === 1 && shapes[0]!.type === 'plane') return this.plane(shapes[0]!, frame);
    const written = shapes.flatMap((shape) => this.shape(shape, frame));
    if (written.length === 0) return this.nothing();
    if (written.length === 1 && isOrigin(written[0]!.place)) return written[0]!.number;
    return this.compound(written);
  }

  private compound(children: readonly Written[]): number {
    const array =
      children.length === 0
        ? 0
        : this.sink.chunk('ARAY', 'btCompoundShapeChildData', children.length, (fields, i) => {
            const { number, type, place } = children[i]!;
            fields.transform('m_transform', place).pointer('m_childShape', number);
            fields.set('m_childShapeType', type).set('m_childMargin', MARGIN);
          });
    return this.sink.chunk('SHAP', 'btCompoundShapeData', 1, (fields) => {
      fields.inside('m_collisionShapeData').set('m_shapeType', SHAPE.compound);
      fields.pointer('m_childShapePtr', array).set('m_numChildShapes', children.length);
      fields.set('m_collisionMargin', MARGIN);
    });
  }

  private plane({ position, rotation }: ShapeInfo, frame: Place): number {
    const place = seenFrom(frame, { position: [...position], rotation: [...rotation] });
    const normal = turned(place.rotation, [0, 1, 0]);
    return this.sink.chunk('SHAP', 'btStaticPlaneShapeData', 1, (fields) => {
      fields.inside('m_collisionShapeData').set('m_shapeType', SHAPE.plane);
      fields.vector('m_localScaling', [1, 1, 1]).vector('m_planeNormal', normal);
      fields.set(
        'm_planeConstant',
        place.position.reduce((sum, part, i) => sum + part * normal[i]!, 0),
      );
    });
  }

  private shape(info: ShapeInfo, frame: Place): Written[] {
    const place = seenFrom(frame, { position: [...info.position], rotation: [...info.rotation] });
    switch (info.type) {
      case 'capsule':
      case 'cylinder':
      case 'cone': {
        const [axis, rotation] = TURNS.find(([, turn]) => isClose(turn, place.rotation)) ?? [
          1,
          place.rotation,
        ];
        const upright = { position: place.position, rotation: axis === 1 ? rotation : NONE };
        return [{ ...this.along(info, axis), place: upright }];
      }
      case 'hull':
      case 'triangle':
      case 'multiSphere': {
        // Their own origin is their centre of mass: moved into the points, so that they stand where the body does.
        const moved = turned(conjugate(place.rotation), place.position);
        const rest = { position: [0, 0, 0] as Vec3, rotation: place.rotation };
        return [
          {
            ...(info.type === 'multiSphere' ? this.balls(info, moved) : this.hull(info, moved)),
            place: rest,
          },
        ];
      }
      case 'mesh':
      case 'heightfield':
        return [{ number: this.mesh(info), type: SHAPE.mesh, place }];
      case 'plane':
        this.warnings.add('a plane among other shapes of a body is left out');
        return [];
    }
    const type = info.type === 'sphere' ? SHAPE.sphere : SHAPE.box;
    const [x, y, z] = info.params;
    const margin = info.type === 'sphere' ? x : innerMargin(x, y, z);
    const size = info.type === 'sphere' ? [x, x, x] : [x - margin, y - margin, z - margin];
    const number = this.convex('btConvexInternalShapeData', type, size, margin);
    return [{ number, type, place }];
  }

  /** Sizes as Bullet has them: of boxes and cylinders without their margin. */
  private convex(
    struct: string,
    type: number,
    size: ArrayLike<number>,
    margin: number,
    fill: (fields: Fields) => void = () => {},
  ): number {
    return this.sink.chunk('SHAP', struct, 1, (fields) => {
      const own =
        struct === 'btConvexInternalShapeData' ? fields : fields.inside('m_convexInternalShapeData');
      own.inside('m_collisionShapeData').set('m_shapeType', type);
      own.vector('m_localScaling', [1, 1, 1]).vector('m_implicitShapeDimensions', size);
      own.set('m_collisionMargin', margin);
      fill(fields);
    });
  }

  private along(
    { type, params: [radius, half], margin }: ShapeInfo,
    axis: number,
  ): { number: number; type: number } {
    const size = [radius, radius, radius];
    size[axis] = type === 'cone' ? 2 * half : half;
    if (type === 'capsule') {
      const number = this.convex('btCapsuleShapeData', SHAPE.capsule, size, radius, (f) =>
        f.set('m_upAxis', axis),
      );
      return { number, type: SHAPE.capsule };
    }
    if (type === 'cylinder') {
      const inner = innerMargin(radius, half);
      const bare = size.map((part) => part - inner);
      const number = this.convex('btCylinderShapeData', SHAPE.cylinder, bare, inner, (f) =>
        f.set('m_upAxis', axis),
      );
      return { number, type: SHAPE.cylinder };
    }
    const number = this.convex('btConeShapeData', SHAPE.cone, size, margin, (f) => f.set('m_upIndex', axis));
    return { number, type: SHAPE.cone };
  }

  private hull({ vertices, margin }: ShapeInfo, [x, y, z]: Vec3): { number: number; type: number } {
    const count = vertices!.length / 3;
    const points = this.sink.chunk('ARAY', 'btVector3FloatData', count, (fields, i) => {
      const [px, py, pz] = vertices!.subarray(3 * i, 3 * i + 3) as unknown as Vec3;
      fields.set('m_floats', px + x, py + y, pz + z);
    });
    const number = this.convex('btConvexHullShapeData', SHAPE.hull, [0, 0, 0], margin, (fields) => {
      fields.pointer('m_unscaledPointsFloatPtr', points).set('m_numUnscaledPoints', count);
    });
    return { number, type: SHAPE.hull };
  }

  private balls({ spheres }: ShapeInfo, [x, y, z]: Vec3): { number: number; type: number } {
    const count = spheres!.length / 4;
    const balls = this.sink.chunk('ARAY', 'btPositionAndRadius', count, (fields, i) => {
      const [px, py, pz, radius] = spheres!.subarray(4 * i, 4 * i + 4) as unknown as Quat;
      fields.vector('m_pos', [px + x, py + y, pz + z]).set('m_radius', radius);
    });
    const margin = innerMargin(...spheres!.filter((_, i) => i % 4 === 3));
    const number = this.convex('btMultiSphereShapeData', SHAPE.multiSphere, [0, 0, 0], margin, (fields) => {
      fields.pointer('m_localPositionArrayPtr', balls).set('m_localPositionArraySize', count);
    });
    return { number, type: SHAPE.multiSphere };
  }

  private mesh({ type, geometry, params, margin }: ShapeInfo): number {
    let parts = this.meshes.get(geometry);
    if (parts === undefined) {
      const { vertices, indices } = type === 'mesh' ? inOrder(geometry!) : readTriangles(geometry!);
      if (type === 'mesh' && readMesh(geometry!).oneSided)
        this.warnings.add('one-sided meshes have two sides');
      const points = this.sink.chunk('ARAY', 'btVector3FloatData', vertices.length / 3, (fields, i) => {
        fields.set('m_floats', ...vertices.subarray(3 * i, 3 * i + 3));
      });
      const corners = this.sink.chunk('ARAY', 'btIntIndexData', indices.length, (fields, i) => {
        fields.set('m_value', indices[i]!);
      });
      parts = this.sink.chunk('ARAY', 'btMeshPartData', 1, (fields) => {
        fields.pointer('m_vertices3f', points).pointer('m_indices32', corners);
        fields.set('m_numTriangles', indices.length / 3).set('m_numVertices', vertices.length / 3);
      });
      this.meshes.set(geometry, parts);
    }
    return this.sink.chunk('SHAP', 'btTriangleMeshShapeData', 1, (fields) => {
      fields.inside('m_collisionShapeData').set('m_shapeType', SHAPE.mesh);
      const strided = fields.inside('m_meshInterface');
      strided.pointer('m_meshPartsPtr', parts!).set('m_numMeshParts', 1);
      strided.vector('m_scaling', params);
      fields.set('m_collisionMargin', margin);
    });
  }
}
