// What the facade's members take, as ammo.idl says. In: the file, the module. Out: per class its constructors and members
// with the types of their arguments. Members of the module that the file has not take anything: none is left out.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Ammo } from '../ammo/engines';

export interface Signature {
  /** Lists of types, one for each overload; `?` before what may be left out. */
  overloads: string[][];
}

export interface ClassOf {
  name: string;
  constructors: string[][];
  methods: Map<string, string[][]>;
  /** With their types. */
  attributes: Map<string, string>;
}

const require = createRequire(import.meta.url);
/** Of the base of all: what users call of it is called of the module (`Ammo.destroy`). */
const COMMON = ['constructor', '__class__', 'ptr', '__destroy__'];

function readIdl(): Map<string, ClassOf> {
  const text = readFileSync(join(dirname(require.resolve('ammojs-typed')), 'ammo.idl'), 'utf8')
    .replace(/\/\/.*$/gm, '')
    .replace(/\[[^\]]*[A-Za-z=][^\]]*\]/g, ' ');
  const classes = new Map<string, ClassOf>();
  for (const [, name, body] of text.matchAll(/interface (\w+)(?:\s*:\s*\w+)?\s*\{([^}]*)\}/g)) {
    const one: ClassOf = { name: name!, constructors: [], methods: new Map(), attributes: new Map() };
    for (const line of body!.split(';')) readLine(one, line.trim());
    classes.set(name!, one);
  }
  return classes;
}

function readLine(one: ClassOf, line: string): void {
  const [, type, attribute] = /\battribute\s+(.*?)\s+(\w+)$/.exec(line) ?? [];
  if (attribute !== undefined) return void one.attributes.set(attribute, type!.trim());
  const [, method, list] = /(\w+)\s*\(([^)]*)\)/s.exec(line) ?? [];
  if (method === undefined) return;
  const types = list!
    .split(',')
    .filter((each) => each.trim() !== '')
    .map((each) => {
      const words = each.replace(/=.*/, '').trim().split(/\s+/).slice(0, -1);
      const isOptional = words.includes('optional');
      return (isOptional ? '?' : '') + words.filter((word) => word !== 'optional').at(-1);
    });
  if (method === one.name) one.constructors.push(types);
  else one.methods.set(method, [...(one.methods.get(method) ?? []), types]);
}

/** Every class that the module has. */
export function classesOf(A: Ammo): Map<string, ClassOf> {
  const idl = readIdl();
  const found = new Map<string, ClassOf>();
  for (const [name, type] of Object.entries(A)) {
    if (typeof type !== 'function' || !/^class\b/.test(Function.prototype.toString.call(type))) continue;
    const one: ClassOf = {
      name,
      constructors: idl.get(name)?.constructors ?? [],
      methods: new Map(),
      attributes: new Map(),
    };
    for (
      let proto = type.prototype;
      proto !== null && proto !== Object.prototype;
      proto = Object.getPrototypeOf(proto)
    )
      for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
        if (key.startsWith('_') || COMMON.includes(key)) continue;
        const known = idl.get(proto.constructor.name);
        if (typeof value !== 'function') one.attributes.set(key, known?.attributes.get(key) ?? 'any');
        else if (!one.methods.has(key))
          one.methods.set(key, known?.methods.get(key) ?? [[], ['any'], ['any', 'any']]);
      }
    found.set(name, one);
  }
  return found;
}
