// ammo.idl as ammojs-typed carries it, read: which interfaces and members ammo.js has. In: the file. Out: interfaces
// with their own members and parents; the groups that belong to the rigid part.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Interface {
  name: string;
  parents: string[];
  /** Numbers of arguments that its constructor takes, least and most, one entry per overload; none: not constructible. */
  constructors: [least: number, most: number][];
  /** Names; an overloaded method once. */
  methods: string[];
  attributes: { name: string; readonly: boolean }[];
}

const require = createRequire(import.meta.url);

const uncommented = (text: string) => text.replace(/\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');

export function readIdl(): Map<string, Interface> {
  const path = join(dirname(require.resolve('ammojs-typed')), 'ammo.idl');
  const text = uncommented(readFileSync(path, 'utf8'));
  const found = new Map<string, Interface>();
  for (const [, name, body] of text.matchAll(/interface (\w+)(?:\s*:\s*\w+)?\s*\{([^}]*)\}/g))
    found.set(name!, parse(name!, body!));
  for (const [, name, parent] of text.matchAll(/^\s*(\w+) implements (\w+)\s*;/gm))
    found.get(name!)?.parents.push(parent!);
  for (const [, parent, name] of text.matchAll(/JSImplementation="(\w+)"\]\s*interface (\w+)/g))
    found.get(name!)?.parents.push(parent!);
  return found;
}

function parse(name: string, body: string): Interface {
  const result: Interface = { name, parents: [], constructors: [], methods: [], attributes: [] };
  for (const line of body.split(';').map((part) => part.replace(/\[[^\]]*\]/g, ' ').trim())) {
    if (line === '') continue;
    const attribute = /\battribute\s+.*?(\w+)$/.exec(line);
    if (attribute) {
      result.attributes.push({ name: attribute[1]!, readonly: /\breadonly\b/.test(line) });
      continue;
    }
    const [, method, list] = /(\w+)\s*\(([^)]*)\)/s.exec(line) ?? [];
    if (method === undefined) continue;
    const values = list!.split(',').filter((value) => value.trim() !== '');
    if (method === name) {
      const least = values.filter((value) => !/\boptional\b/.test(value)).length;
      result.constructors.push([least, values.length]);
    } else if (!result.methods.includes(method)) result.methods.push(method);
  }
  return result;
}

const SOFT =
  'btSoftBodyWorldInfo Face tFaceArray Node tNodeArray Material tMaterialArray Anchor tAnchorArray Config btSoftBody btSoftBodyRigidBodyCollisionConfiguration btSoftBodySolver btDefaultSoftBodySolver btSoftBodyArray btSoftRigidDynamicsWorld btSoftBodyHelpers';
/** Interfaces that are not about rigid bodies. */
export const NOT_RIGID = new Set(SOFT.split(' '));
