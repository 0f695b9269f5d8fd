// Entry of `ricochet/debug`: presents a world, in a worker or in process, as the plain objects that
// cannon-es-debugger reads: `CannonDebugger(scene, debugWorld(world))`. In: bodies and their shapes.
// Out: `bodies`, brought up to date by reading it. cannon-es has no capsule: it is shown as a polyhedron.
import {
  Body,
  Box,
  ConvexPolyhedron,
  Cylinder,
  Plane,
  Quaternion,
  type Shape,
  Sphere,
  Trimesh,
  Vec3,
  type World,
} from 'cannon-es';
import type { BodyHandle, ShapeInfo } from 'ricochet';
import { readTriangles } from 'ricochet/cooking';

/** What is asked of a world: World and Physics have it. */
export interface DebuggableWorld {
  /** All bodies. */
  bodies(): Iterable<BodyHandle>;
}

/** Segments around a capsule, and from its equator to its pole. */
const AROUND = 12;
const TO_POLE = 4;
/** cannon-es has its planes' normal along z, ours is y. */
const Y_FROM_Z = new Quaternion().setFromEuler(-Math.PI / 2, 0, 0);

/**
 * What cannon-es-debugger takes for a world of cannon-es. It reads `bodies` and nothing else, so there is
 * nothing else.
 */
export function debugWorld(world: DebuggableWorld): World {
  const shown = new Map<number, Body>();
  const place = [0, 0, 0];
  const turn = [0, 0, 0, 1];
  const view: Pick<World, 'bodies'> = {
    get bodies() {
      const bodies: Body[] = [];
      for (const handle of world.bodies()) {
        let body = shown.get(handle.id);
        if (body === undefined || body.shapes.length !== handle.shapes.length)
          shown.set(handle.id, (body = present(handle)));
        handle.getPosition(place);
        handle.getRotation(turn);
        body.position.set(place[0]!, place[1]!, place[2]!);
        body.quaternion.set(turn[0]!, turn[1]!, turn[2]!, turn[3]!);
        bodies.push(body);
      }
      if (shown.size > bodies.length) {
        const live = new Set(bodies);
        for (const [id, body] of shown) if (!live.has(body)) shown.delete(id);
      }
      return bodies;
    },
  };
  return view as World;
}

function present(handle: BodyHandle): Body {
  const body = new Body({ mass: 0 });
  for (const id of handle.shapes) {
    const info = handle.getShape(id);
    const rotation = new Quaternion(...info.rotation);
    if (info.type === 'plane') rotation.mult(Y_FROM_Z, rotation);
    const position = new Vec3(...info.position);
    if (info.spheres === undefined) body.addShape(presentShape(info), position, rotation);
    else
      for (let i = 0; i < info.spheres.length; i += 4) {
        const [x, y, z, radius] = info.spheres.subarray(i, i + 4);
        body.addShape(new Sphere(radius!), position.vadd(rotation.vmult(new Vec3(x, y, z))), rotation);
      }
  }
  return body;
}

function presentShape(info: ShapeInfo): Shape {
  const {
    type,
    params: [a, b, c],
    vertices,
    faces,
  } = info;
  switch (type) {
    case 'sphere':
      return new Sphere(a);
    case 'box':
      return new Box(new Vec3(a, b, c));
    case 'plane':
      return new Plane();
    case 'capsule':
      return capsule(a, b);
    case 'cylinder':
      return new Cylinder(a, a, 2 * b, AROUND);
    case 'cone':
      return new Cylinder(1e-6 * a, a, 2 * b, AROUND);
    case 'triangle':
      return new Trimesh([...vertices!], [0, 1, 2]);
    case 'mesh':
    case 'heightfield': {
      const { vertices, indices } = readTriangles(info.geometry!);
      return new Trimesh(
        Array.from(vertices, (v, i) => v * info.params[i % 3]!),
        [...indices],
      );
    }
    default: // a hull
      return new ConvexPolyhedron({
        vertices: Array.from(
          { length: vertices!.length / 3 },
          (_, i) => new Vec3(vertices![3 * i], vertices![3 * i + 1], vertices![3 * i + 2]),
        ),
        faces: faces!.map((face) => [...face]),
      });
  }
}

/** Rings from pole to pole along y; faces counter-clockwise from outside. */
function capsule(radius: number, halfHeight: number): ConvexPolyhedron {
  const vertices: Vec3[] = [];
  const faces: number[][] = [];
  const rings = 2 * TO_POLE;
  for (let ring = 1; ring < rings + 1; ring++) {
    // Both hemispheres have an equator of their own.
    const upper = ring > TO_POLE;
    const latitude = ((upper ? ring - TO_POLE - 1 : ring - TO_POLE) * Math.PI) / 2 / TO_POLE;
    const y = radius * Math.sin(latitude) + (upper ? halfHeight : -halfHeight);
    const r = radius * Math.cos(latitude);
    for (let i = 0; i < AROUND; i++) {
      const angle = (2 * Math.PI * i) / AROUND;
      vertices.push(new Vec3(r * Math.cos(angle), y, r * Math.sin(angle)));
    }
  }
  const vertex = (ring: number, i: number) => ring * AROUND + (i % AROUND);
  for (let ring = 0; ring < rings - 1; ring++)
    for (let i = 0; i < AROUND; i++)
      faces.push([vertex(ring, i), vertex(ring + 1, i), vertex(ring + 1, i + 1), vertex(ring, i + 1)]);
  const bottom = vertices.push(new Vec3(0, -halfHeight - radius, 0)) - 1;
  const top = vertices.push(new Vec3(0, halfHeight + radius, 0)) - 1;
  for (let i = 0; i < AROUND; i++) {
    faces.push([bottom, vertex(0, i), vertex(0, i + 1)]);
    faces.push([top, vertex(rings - 1, i + 1), vertex(rings - 1, i)]);
  }
  return new ConvexPolyhedron({ vertices, faces });
}
