// Which of what the package exports has no docstring. In: an entry of the package. Out: names, with the file each stands
// in. Sources are parsed, not checked: names are followed through imports, re-exports and base classes. A member counts as
// documented if it, an overload of it, or the member that it overrides or implements has a docstring.
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { read, root } from './sources';

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree
type Node = any;

interface Module {
  path: string;
  text: string;
  /** Top-level declarations by name; functions may have several, by overloads. */
  declared: Map<string, Node[]>;
  /** Local name → module and name there ('*': the whole module). */
  imported: Map<string, readonly [path: string, name: string]>;
  /** Exported name → local name, or a name of another module. */
  exported: Map<string, { local: string } | { path: string; name: string }>;
  /** Modules that are exported as a whole. */
  stars: string[];
}

/** A declaration, and where it stands. */
interface Found {
  module: Module;
  name: string;
  nodes: Node[];
}

const modules = new Map<string, Module>();

function fileOf(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = normalize(join(dirname(from), specifier.replace(/\.[jt]s$/, '')));
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((name) => existsSync(join(root, name)));
}

function load(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const text = read(path);
  const module: Module = {
    path,
    text,
    declared: new Map(),
    imported: new Map(),
    exported: new Map(),
    stars: [],
  };
  modules.set(path, module);
  const declare = (name: string, node: Node) =>
    module.declared.set(name, [...(module.declared.get(name) ?? []), node]);
  const declarations = (node: Node, statement: Node): string[] => {
    if (node.type === 'VariableDeclaration')
      return node.declarations.map(({ id }: Node) => {
        declare(id.name, { ...node, start: statement.start });
        return id.name as string;
      });
    if (node.id?.name === undefined) return [];
    declare(node.id.name, { ...node, start: statement.start });
    return [node.id.name];
  };
  for (const statement of parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body as Node[]) {
    const source = statement.source && fileOf(path, statement.source.value);
    if (statement.type === 'ImportDeclaration') {
      if (source)
        for (const { type, local, imported } of statement.specifiers)
          module.imported.set(local.name, [
            source,
            type === 'ImportNamespaceSpecifier' ? '*' : (imported?.name ?? 'default'),
          ]);
    } else if (statement.type === 'ExportAllDeclaration') {
      if (!source) continue;
      if (statement.exported) module.exported.set(statement.exported.name, { path: source, name: '*' });
      else module.stars.push(source);
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
      for (const name of declarations(statement.declaration, statement))
        module.exported.set(name, { local: name });
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const { local, exported } of statement.specifiers)
        if (!statement.source) module.exported.set(exported.name, { local: local.name });
        else if (source) module.exported.set(exported.name, { path: source, name: local.name });
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      if (declaration.type === 'Identifier') module.exported.set('default', { local: declaration.name });
      else
        for (const name of declarations(declaration, statement))
          module.exported.set('default', { local: name });
    } else declarations(statement, statement);
  }
  return module;
}

function findLocal(module: Module, name: string): Found | undefined {
  const nodes = module.declared.get(name);
  if (nodes) return { module, name, nodes };
  const imported = module.imported.get(name);
  return imported && imported[1] !== '*' ? findExported(load(imported[0]), imported[1]) : undefined;
}

function findExported(module: Module, name: string): Found | undefined {
  const own = module.exported.get(name);
  if (own) return 'local' in own ? findLocal(module, own.local) : findExported(load(own.path), own.name);
  for (const path of module.stars) {
    const found = findExported(load(path), name);
    if (found) return found;
  }
  return undefined;
}

/** Every exported name; those of a namespace after its name and a dot. */
function exportsOf(module: Module): Map<string, Found> {
  const all = new Map<string, Found>();
  for (const path of module.stars) for (const [name, found] of exportsOf(load(path))) all.set(name, found);
  for (const [name, own] of module.exported) {
    if ('path' in own && own.name === '*')
      for (const [inner, found] of exportsOf(load(own.path))) all.set(`${name}.${inner}`, found);
    else {
      const found = findExported(module, name);
      if (found) all.set(name, found);
    }
  }
  return all;
}

/**
 * The documentation comment right before a node, or ''. A variant of a union describes its members, too, and a type
 * that stands on one line is described as a whole.
 */
function docOf(module: Module, node: Node): string {
  const before = module.text.slice(0, node.start).replace(/(?:\s|\/\/ biome-ignore[^\n]*|[|&(])*$/, '');
  if (!before.endsWith('*/')) {
    if (!node.variant) return '';
    const { start, end } = node.variant;
    return module.text.slice(start, end).includes('\n') ? docOf(module, node.variant) : ONE_LINE;
  }
  const start = before.lastIndexOf('/*');
  return before.startsWith('/**', start) ? before.slice(start) : '';
}

const ONE_LINE = '/** of the type */';

const isInternal = (doc: string) => /@internal\b/.test(doc);

/** Members of object types in a type: of the type itself, of unions and intersections. `variant`: the type they stand in. */
function literalMembers(type: Node): Node[] {
  if (type.type === 'TSTypeLiteral')
    return type.members.map((member: Node) => ({ ...member, variant: type }));
  if (type.type === 'TSParenthesizedType') return literalMembers(type.typeAnnotation);
  if (type.type === 'TSUnionType' || type.type === 'TSIntersectionType')
    return type.types.flatMap(literalMembers);
  return [];
}

/** Public members with names; of a constructor with parameters the name is 'constructor'. */
function membersOf(node: Node): { name: string; node: Node }[] {
  const list: Node[] =
    node.type === 'TSInterfaceDeclaration' || node.type === 'ClassDeclaration'
      ? node.body.body
      : node.type === 'TSTypeAliasDeclaration'
        ? literalMembers(node.typeAnnotation)
        : [];
  const found: { name: string; node: Node }[] = [];
  const add = (name: string, member: Node) => {
    if (!name.startsWith('_')) found.push({ name, node: member });
  };
  for (const member of list) {
    if (member.accessibility === 'private' || member.accessibility === 'protected') continue;
    if (member.kind === 'constructor') {
      const params: Node[] = member.value.params;
      for (const param of params)
        if (param.type === 'TSParameterProperty' && !['private', 'protected'].includes(param.accessibility))
          add((param.parameter.left ?? param.parameter).name, param);
      if (params.length > 0) add('constructor', member);
    } else if (member.key?.type === 'Identifier' && !member.computed) add(member.key.name, member);
  }
  return found;
}

/** What a class or interface extends and implements, as far as it is in the repository. */
function basesOf({ module, nodes }: Found): Found[] {
  const names = nodes.flatMap((node: Node) => [
    ...(node.superClass ? [node.superClass] : []),
    ...(node.extends ?? []).map(({ expression }: Node) => expression),
    ...(node.implements ?? []).map(({ expression }: Node) => expression),
  ]);
  return names.flatMap(({ name }: Node) => findLocal(module, name) ?? []);
}

function memberDocs(found: Found, name: string): string[] {
  return found.nodes
    .flatMap(membersOf)
    .filter((member) => member.name === name)
    .map(({ node }) => docOf(found.module, node));
}

function isInherited(found: Found, name: string): boolean {
  return basesOf(found).some((base) => memberDocs(base, name).some(Boolean) || isInherited(base, name));
}

export interface Undocumented {
  /** As users reach it: `World.createBody`. */
  name: string;
  /** Where it is declared, and at which character. */
  path: string;
  at: number;
}

/** What an entry exports without a docstring: declarations, and their public members. */
export function undocumented(entry: string): Undocumented[] {
  const missing: Undocumented[] = [];
  const seen = new Set<Node>();
  const look = (found: Found, shown: string, exported: boolean) => {
    if (seen.has(found.nodes[0])) return;
    seen.add(found.nodes[0]);
    const docs = found.nodes.map((node) => docOf(found.module, node));
    if (docs.some(isInternal)) return;
    const { path } = found.module;
    if (exported && !docs.some(Boolean)) missing.push({ name: shown, path, at: found.nodes[0].start });
    const members = new Map<string, Node[]>();
    for (const { name, node } of found.nodes.flatMap(membersOf))
      members.set(name, [...(members.get(name) ?? []), node]);
    for (const [name, nodes] of members)
      if (!nodes.some((node) => docOf(found.module, node)) && !isInherited(found, name))
        missing.push({ name: `${shown}.${name}`, path, at: nodes[0].start });
    for (const base of basesOf(found)) look(base, base.name, false); // what it has from a base that may not be exported itself
  };
  for (const [name, found] of exportsOf(load(entry))) look(found, name, true);
  return missing;
}
