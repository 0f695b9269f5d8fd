// The surroundings of a character: queries to its world, with its filter. In: its shape at a position. Out: planes that
// it must not cross, obstacles of a motion, whether an edge supports it. Nothing here changes the world.
import type { QuatLike, QueryFilter, QueryShape, RigidBody, ShapeId, SweepHit, World } from 'ricochet';
import type { Settings } from './options';
import { across, dot, length, plus, type Vec3 } from './planes';

/** A plane that a thing near by lies behind. */
export interface Near {
  body: RigidBody;
  shape: ShapeId;
  /** Unit, out of the thing. */
  normal: Vec3;
  /** m to it; negative where the character is in it. */
  gap: number;
  point: Vec3;
  /** m along `up`: where it is touched highest. */
  top: number;
}

/** Planes that are nearly the same count once: 0.8° apart. */
const SAME = 0.9999;
/** Planes that are looked at, the nearest ones. */
const MOST = 16;
/** m beyond an edge at which the surface behind it is looked at, and how far above and below it. */
const BEHIND = 0.02;
const ABOVE = 0.05;
/** Cosine of about 75°: what is touched steeper than this is touched with the side, which stands on nothing. */
export const SIDE = 0.26;

export class Surroundings {
  constructor(
    readonly world: World,
    readonly self: RigidBody,
    public shape: QueryShape,
    public settings: Settings,
  ) {}

  private options(): QueryFilter {
    const { group, mask } = this.settings;
    return { group, mask, skip: this.self, sensors: false };
  }

  private sees(hit: { body: RigidBody; shape: ShapeId }): boolean {
    const { filter } = this.settings;
    return filter === null || filter(hit.body, hit.shape) !== false;
  }

  /** Planes of all that is within `reach`, the nearest first. */
  near(position: Vec3, rotation: QuatLike, reach: number): Near[] {
    const target = { shape: this.shape, position, rotation };
    const planes: Near[] = [];
    const { up } = this.settings;
    for (const hit of this.world.contactTest(target, { ...this.options(), maxDistance: reach })) {
      if (!this.sees(hit)) continue;
      const [x, y, z] = hit.normal;
      let [nearest] = hit.points;
      let top = dot(nearest!.position, up);
      for (const point of hit.points) {
        if (point.separation < nearest!.separation) nearest = point;
        top = Math.max(top, dot(point.position, up));
      }
      const { separation: gap, position: point } = nearest!;
      const { body, shape } = hit;
      planes.push({ body, shape, normal: [-x, -y, -z], gap, point, top });
    }
    if (planes.length < 2) return planes;
    planes.sort((a, b) => a.gap - b.gap); // stable: equals stay in the order of slots
    const distinct: Near[] = [];
    for (const plane of planes)
      if (
        distinct.length < MOST &&
        !distinct.some(({ normal, body }) => body === plane.body && dot(normal, plane.normal) > SAME)
      )
        distinct.push(plane);
    return distinct;
  }

  /** What the shape meets first on a straight way; with `least`, of what faces up by so much. */
  sweep(position: Vec3, rotation: QuatLike, way: Vec3, least = -1): SweepHit | null {
    const target = { shape: this.shape, position, rotation };
    const { filter, up } = this.settings;
    if (filter === null) {
      const hit = this.world.convexSweepTest(target, way, this.options());
      if (hit === null || dot(hit.normal, up) >= least) return hit;
    }
    for (const hit of this.world.convexSweepTest(target, way, { ...this.options(), mode: 'all' }))
      if (this.sees(hit) && dot(hit.normal, up) >= least) return hit;
    return null;
  }

  /**
   * Whether a thing touched at an edge carries: whether the surface behind the edge is no steeper than `cosine`. The
   * normal of a round shape at an edge says nothing about that.
   */
  carries(point: Vec3, normal: Vec3, cosine: number): boolean {
    const { up } = this.settings;
    const out = across(normal, up);
    const size = length(out);
    if (size < 1e-6) return dot(normal, up) >= cosine;
    const behind = plus(point, out, -BEHIND / size);
    const hits = this.world.rayTest(plus(behind, up, ABOVE), plus(behind, up, -ABOVE), {
      ...this.options(),
      mode: 'all',
    });
    const hit = hits.find((found) => this.sees(found));
    return hit !== undefined && dot(hit.normal, up) >= cosine;
  }
}
