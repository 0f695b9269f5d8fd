// Babylon's PhysicsCharacterController asks its own plugin's WebAssembly module directly. In: the seven calls that it makes,
// as it makes them. Out: answers in the same form, from the queries of ricochet. Nothing else of that module is here.
import type { Host } from './bodies';
import type { ShapeData } from './shapes';

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];
/** Body, shape, path, position, normal, triangle. */
type Contact = [[number], [number], null, Vec3, Vec3, number];
type Answer = [value: number, own: Contact, other: Contact];

class Collector {
  answers: Answer[] = [];
  constructor(readonly room: number) {}
}

const OK = 0;
/** What belongs to no body. */
const nothing = (position: Vec3, normal: Vec3): Contact => [[0], [0], null, position, normal, -1];

export function characterCalls(host: Host) {
  const skipOf = ([id]: [number]) => {
    const body = host.world.getBody(id);
    return body === undefined ? {} : { skip: body };
  };
  const filterOf = (shape: ShapeData, triggers: boolean, ignore: [number]) => ({
    group: shape.membership,
    mask: shape.collideWith,
    sensors: triggers,
    ...skipOf(ignore),
  });
  const keep = (collector: Collector, answers: Answer[]) => {
    answers.sort((a, b) => a[0] - b[0]);
    collector.answers = answers.slice(0, collector.room);
    return OK;
  };
  return {
    HP_QueryCollector_Create: (room: number): [number, Collector] => [OK, new Collector(room)],
    HP_QueryCollector_Release: (collector: Collector) => {
      collector.answers = [];
      return OK;
    },
    HP_QueryCollector_GetNumHits: (collector: Collector): [number, number] => [OK, collector.answers.length],
    HP_QueryCollector_GetShapeProximityResult: (collector: Collector, i: number): [number, Answer] => [
      OK,
      collector.answers[i]!,
    ],
    HP_QueryCollector_GetShapeCastResult: (collector: Collector, i: number): [number, Answer] => [
      OK,
      collector.answers[i]!,
    ],
    /** One answer for each surface near the shape, so that floor and wall of one mesh are two. */
    HP_World_ShapeProximityWithCollector: (
      _world: unknown,
      collector: Collector,
      [shape, position, rotation, maxDistance, triggers, ignore]: [
        ShapeData,
        Vec3,
        Quat,
        number,
        boolean,
        [number],
      ],
    ) => {
      const hits = host.world.contactTest(
        { shape: shape.query, position, rotation },
        { ...filterOf(shape, triggers, ignore), maxDistance },
      );
      const answers = hits.map((hit): Answer => {
        const { normal } = hit;
        const near = hit.points.reduce((best, each) => (each.separation < best.separation ? each : best));
        // Half the gap to either surface.
        const at = (side: number) =>
          near.position.map((c, k) => c + (side * near.separation * normal[k]!) / 2) as Vec3;
        const out: Vec3 = [-normal[0], -normal[1], -normal[2]];
        return [
          near.separation,
          nothing(at(-1), normal),
          [[hit.body.id], [hit.shape], null, at(1), out, near.triangle],
        ];
      });
      return keep(collector, answers);
    },
    HP_World_ShapeCastWithCollector: (
      _world: unknown,
      collector: Collector,
      [shape, rotation, start, end, triggers, ignore]: [ShapeData, Quat, Vec3, Vec3, boolean, [number]],
    ) => {
      const way = start.map((c, k) => end[k]! - c) as Vec3;
      if (!(way[0] * way[0] + way[1] * way[1] + way[2] * way[2] > 1e-12)) return keep(collector, []);
      const hits = host.world.convexSweepTest({ shape: shape.query, position: start, rotation }, way, {
        ...filterOf(shape, triggers, ignore),
        mode: 'all',
      });
      return keep(
        collector,
        hits.map(
          ({ body, shape: id, fraction, point, normal, triangle }): Answer => [
            fraction,
            nothing(point, [-normal[0], -normal[1], -normal[2]]),
            [[body.id], [id], null, point, normal, triangle],
          ],
        ),
      );
    },
  };
}
