// A step system for tests that reads whatever there is of the world, and tells it after some steps.
export default function reader({ world, options, post }) {
  const read = (handle, skip) => {
    const out = {};
    for (
      let each = Object.getPrototypeOf(handle);
      each !== Object.prototype;
      each = Object.getPrototypeOf(each)
    )
      for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(each))) {
        if (skip.includes(name) || name in out) continue;
        if (get !== undefined) out[name] = get.call(handle);
        else if (/^(get|is)[A-Z]/.test(name) && value.length === 0) out[name] = value.call(handle);
      }
    return out;
  };
  const plain = (value) =>
    JSON.parse(
      JSON.stringify(value, (_, inner) => {
        if (ArrayBuffer.isView(inner)) return Array.from(inner);
        return typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner;
      }),
    );
  return {
    afterStep() {
      if (world.stepCount !== options.at) return;
      const shape = { shape: { type: 'sphere', radius: 0.7 }, position: [0, 1, 0] };
      const all = {
        bodies: [...world.bodies()].map((body) => ({
          ...read(body, ['replica', 'writable', 'world']),
          shapes: body.shapes.map((id) => body.getShape(id)),
        })),
        joints: [...world.joints()].map((joint) => read(joint, ['replica', 'writable', 'world'])),
        gravity: world.getGravity(),
        settings: Object.entries(world.settings).sort(),
        counts: [world.bodyCount, world.stepCount],
        hits: [
          world.rayTest([0, 5, 0], [0, -5, 0]),
          world.rayTest([0, 5, 0], [0, -5, 0], { mode: 'all' }),
          world.rayTestBatch([0, 5, 0, 0, -5, 0, 1, 5, 0, 1, -5, 0]),
          world.convexSweepTest(shape, [0, -3, 0], { mode: 'all' }),
          world.overlapShapeTest(shape),
          world.overlapTest([-2, 0, -2], [2, 3, 2]),
          world.pointTest([0, 0.3, 0]),
          world.nearestTest(shape),
          world.nearestTest(shape, { mode: 'all', maxDistance: 3 }),
          world.closestPoints(world.getBody(options.one), world.getBody(options.two)),
          world.contactTest(world.getBody(options.one)),
          world.contactPairTest(world.getBody(options.one), world.getBody(options.two), { maxDistance: 9 }),
          world.queryBatch([{ type: 'ray', from: [0, 9, 0], to: [0, -9, 1], mode: 'all' }]),
          world.getContacts(),
          world.getContacts(options.one),
        ],
      };
      post(plain(all));
    },
  };
}
