// A world of jolt-physics for the benches of characters and vehicles. In: gravity. Out: Jolt's module, a system with a
// layer of what stands still (0) and one of what moves (1), and the shape of a triangle mesh.

/** @param gravity  m/s², three numbers */
export async function joltWorld(gravity) {
  const { default: load } = await import('jolt-physics/wasm-compat');
  const J = await load();
  const settings = new J.JoltSettings();
  const pairs = new J.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(0, 1);
  pairs.EnableCollision(1, 1);
  const layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
  layers.MapObjectToBroadPhaseLayer(1, new J.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  const jolt = new J.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(new J.Vec3(...gravity));
  return { J, jolt, system, bodies: system.GetBodyInterface() };
}

/** The shape of a triangle mesh: vertices in m, three indices per triangle. */
export function joltMesh(J, { vertices, indices }) {
  const triangles = new J.TriangleList();
  const at = (i) => new J.Float3(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  triangles.resize(indices.length / 3);
  for (let t = 0; t < indices.length / 3; t++)
    for (let k = 0; k < 3; k++) triangles.at(t).set_mV(k, at(indices[3 * t + k]));
  return new J.MeshShapeSettings(triangles).Create().Get();
}
