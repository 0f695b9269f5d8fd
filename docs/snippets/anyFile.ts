import type { BodyOptions, World } from 'ricochet';
import { addBulletFile, readBulletFile } from 'ricochet/bullet-file';
import { decompose, readMeshFile } from 'ricochet/cooking';
import { parseGltf, readPhysics } from 'ricochet/gltf';
import { Robot, readUrdf } from 'ricochet/urdf';

/** Puts what a file holds into a world. Returns what was left out or approximated. */
export function addFile(world: World, name: string, bytes: Uint8Array<ArrayBuffer>): readonly string[] {
  const kind = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (kind === 'glb' || kind === 'gltf') {
    const { json, buffers } = parseGltf(bytes);
    const { bodies, joints, warnings } = readPhysics(json, buffers);
    const made = bodies.map(({ options }) => world.createBody(options));
    const bodyOf = (index: number | null) => (index === null ? undefined : made[index]);
    for (const { options, bodyA, bodyB } of joints)
      world.createJoint({ ...options, bodyA: bodyOf(bodyA), bodyB: bodyOf(bodyB) });
    return warnings;
  }
  if (kind === 'urdf') {
    const urdf = readUrdf(new TextDecoder().decode(bytes), { fixedBase: true });
    new Robot(world, urdf);
    return urdf.warnings;
  }
  if (kind === 'bullet') {
    const file = readBulletFile(bytes);
    addBulletFile(world, file);
    return file.warnings;
  }
  // OBJ and STL: a mesh, cut into convex parts that can move.
  const { hulls } = decompose(readMeshFile(bytes));
  const shape: BodyOptions['shape'] = hulls.map((geometry) => ({ type: 'hull', geometry }));
  world.createBody({ position: [0, 2, 0], shape });
  return [];
}
