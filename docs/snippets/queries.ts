import { QueryShape, World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const crates = [0, 3, 6].map((x) =>
  world.createBody({ position: [x, 0.5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } }),
);
const player = world.createBody({
  position: [-2, 1, 0],
  shape: { type: 'capsule', radius: 0.4, halfHeight: 0.6 },
});

// What is in sight? Nothing of the player itself.
const seen = world.rayTest([-2, 0.6, 0], [20, 0.6, 0], { skip: player });
console.log('sight ends at', seen?.point[0], seen?.body === crates[0]);

// How far can it walk? Its shape is swept along; it does not turn.
const ahead = world.convexSweepTest(player, [10, 0, 0], { skip: player, mask: ~0 });
console.log('free way', 10 * (ahead?.fraction ?? 1));

// Everything within 3 m of a point, nearest first.
const reach = world.nearestTest(
  { shape: { type: 'sphere', radius: 0.1 }, position: [3, 2, 0] },
  { mode: 'all', maxDistance: 3, skip: player },
);
console.log(
  'near',
  reach.map(({ distance }) => distance.toFixed(2)),
);

// Room for a body? A shape that is asked about often is made once.
const room = new QueryShape({ type: 'box', halfExtents: [0.6, 0.6, 0.6] });
const free = (x: number) =>
  world.overlapShapeTest({ shape: room, position: [x, 0.7, 0] }, { skip: player }).length === 0;
console.log('room', free(1.5), free(3));

// Many questions at one moment: one call in process, one message to a worker.
const [down, gap] = world.queryBatch([
  { type: 'ray', from: [6, 5, 0], to: [6, -1, 0] },
  { type: 'closestPoints', a: crates[0]!, b: crates[1]! },
]);
console.log('answers', down!.length, gap!.length);
