// The tree of nodes. In: the JSON of a glTF file. Out: the nodes of a scene with their parents and places in the world;
// errors for a node with two parents, or one above itself.
import { checkIndex, fault, indexAt, type Json, listAt, objectAt, vectorAt } from './errors';
import { type Affine, affineOf, mirrors, multiply, UNIT } from './transforms';

export interface Node {
  index: number;
  json: Json;
  path: string;
  name: string;
  parent: Node | null;
  children: Node[];
  local: Affine;
  world: Affine;
  /** Its own, with signs: those of a matrix are as three.js takes it apart. */
  scale: readonly number[];
}

export interface Tree {
  all: Node[];
  /** Those of the scene, parents first. */
  inScene: Node[];
}

function localOf(json: Json, path: string): Affine {
  if (json['matrix'] !== undefined) {
    const m = vectorAt(json, 'matrix', path, new Array(16).fill(0));
    if (Math.abs(m[15]! - 1) > 1e-6 || [3, 7, 11].some((i) => Math.abs(m[i]!) > 1e-6))
      throw fault(`${path}.matrix`, 'must not be a projection');
    return m.filter((_, i) => i % 4 !== 3);
  }
  const rotation = vectorAt(json, 'rotation', path, [0, 0, 0, 1]);
  const length = Math.sqrt(rotation.reduce((sum, c) => sum + c * c, 0));
  if (!(length > 1e-6)) throw fault(`${path}.rotation`, 'must not be zero', rotation);
  return affineOf(
    vectorAt(json, 'translation', path, [0, 0, 0]),
    rotation.map((c) => c / length),
    vectorAt(json, 'scale', path, [1, 1, 1]),
  );
}

/**
 * @param scene  its number; default the file's own, or all nodes without a parent where the file has none
 * @param place  where all of it stands; default the origin
 */
export function readTree(json: Json, scene: number | undefined, place: Affine | undefined): Tree {
  const list = listAt(json, 'nodes', '').map((value, index) => objectAt(value, `nodes[${index}]`));
  const all: Node[] = list.map((value, index) => {
    const path = `nodes[${index}]`;
    const local = localOf(value, path);
    const name = typeof value['name'] === 'string' ? value['name'] : '';
    const scale =
      value['matrix'] === undefined
        ? vectorAt(value, 'scale', path, [1, 1, 1])
        : [mirrors(local) ? -1 : 1, 1, 1];
    return { index, json: value, path, name, parent: null, children: [], local, world: UNIT, scale };
  });
  for (const node of all)
    listAt(node.json, 'children', node.path).forEach((value, i) => {
      const place = `${node.path}.children[${i}]`;
      const child = all[checkIndex(value, place, all.length)]!;
      if (child.parent !== null)
        throw fault(place, `must not be a node that nodes[${child.parent.index}] has, too`, value);
      child.parent = node;
      node.children.push(child);
    });
  // A node that no root leads to is above itself.
  const reached = new Set(all.filter(({ parent }) => parent === null));
  for (const node of reached) for (const child of node.children) reached.add(child);
  const lost = all.find((node) => !reached.has(node));
  if (lost !== undefined) throw fault(`${lost.path}.children`, 'must not lead back to the node itself');
  for (const node of reached) {
    const above = node.parent === null ? place : node.parent.world;
    node.world = above === undefined ? node.local : multiply(above, node.local);
  }

  const scenes = listAt(json, 'scenes', '');
  const chosen =
    scene === undefined
      ? (indexAt(json, 'scene', '', scenes.length) ?? (scenes.length > 0 ? 0 : undefined))
      : checkIndex(scene, 'scene', scenes.length);
  if (chosen === undefined) return { all, inScene: [...reached] };
  const roots = listAt(objectAt(scenes[chosen], `scenes[${chosen}]`), 'nodes', `scenes[${chosen}]`);
  const inScene = new Set(
    roots.map((value, i) => all[checkIndex(value, `scenes[${chosen}].nodes[${i}]`, all.length)]!),
  );
  for (const node of inScene) for (const child of node.children) inScene.add(child);
  return { all, inScene: [...inScene] };
}
