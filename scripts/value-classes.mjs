// Values: what belongs together passed as one parameter. A class with `@value` in its comment is never an object in
// memory: a parameter, constant or field of such a type is one local per field, so it costs what its fields cost.
//
//   /** The end points of a segment. @value */ class Segment { from: v128; to: v128; }
//   function cast(s: Segment, most: f32) { … s.from … }      function cast(s$from: v128, s$to: v128, most: f32)
//   cast(new Segment(p, q), 1)                               cast(p, q, 1)
//
// Values do not change and are not returned. What JavaScript calls has a parameter per field.
import { posix } from 'node:path';
import {
  BinaryExpression,
  CallExpression,
  ClassDeclaration,
  FieldDeclaration,
  FunctionDeclaration,
  IdentifierExpression,
  ImportStatement,
  NewExpression,
  Node,
  PropertyAccessExpression,
  Token,
  VariableStatement,
} from 'assemblyscript/dist/assemblyscript.js';

const isChild = (key) => key !== 'range' && key !== 'parent' && key !== 'source';
const identifier = (text, range) => Node.createIdentifierExpression(text, range);
const typeName = (type) => type?.name?.identifier?.text;

function fail(node, message) {
  const { source } = node.range;
  const line = source.text.slice(0, node.range.start).split('\n').length;
  throw new Error(`${source.normalizedPath}(${line}): ${message}`);
}

export class ValueClasses {
  /** Path and name of a class → { name, fields: [name, type][], source }. */
  classes = new Map();
  /** Path and name of a function → the classes of its parameters, null where one is no value. */
  functions = new Map();

  /** Source → name → path and name of what is imported or declared. */
  names = new Map();

  constructor(sources, commentOf) {
    for (const source of sources) this.names.set(source, namesOf(source));
    for (const source of sources)
      for (const node of source.statements)
        if (node instanceof ClassDeclaration && /@value\b/.test(commentOf(node, source.text))) {
          const fields = node.members.filter((member) => member instanceof FieldDeclaration);
          this.classes.set(`${source.internalPath} ${node.name.text}`, {
            name: node.name.text,
            fields: fields.map(({ name, type }) => [name.text, type]),
            source,
          });
        }
    if (this.classes.size === 0) return;
    for (const source of sources)
      for (const node of source.statements)
        if (node instanceof FunctionDeclaration) {
          const classes = node.signature.parameters.map(({ type }) => this.#known(typeName(type), source));
          if (classes.some((name) => name !== null))
            this.functions.set(`${source.internalPath} ${node.name.text}`, classes);
        }
    for (const source of sources) this.#lower(source);
  }

  /** The class of values that a name means in a source, or null. */
  #known(name, source = this.source) {
    const key = this.names.get(source).get(name);
    return this.classes.has(key) ? key : null;
  }

  #show(type) {
    return this.classes.get(type)?.name ?? 'one value';
  }

  #lower(source) {
    this.source = source;
    this.missing = new Map();
    for (const node of source.statements) if (node instanceof FunctionDeclaration) this.#function(node);
    for (const [name, { path, foreign }] of this.missing)
      if (!this.names.get(source).has(name)) source.statements.unshift(importOf(source, name, path, foreign));
  }

  #function(node) {
    this.locals = new Map(); // name → class
    const { signature } = node;
    signature.parameters = signature.parameters.flatMap((parameter) => {
      const type = this.#known(typeName(parameter.type));
      if (type === null) return [parameter];
      this.locals.set(parameter.name.text, type);
      const { parameterKind, range } = parameter;
      return this.#leaves(type, parameter.name.text).map(([name, leaf]) =>
        Node.createParameter(parameterKind, identifier(name, range), leaf, null, range),
      );
    });
    if (node.body) node.body = this.#rewrite(node.body);
  }

  /** Names and types of the locals of a value. */
  #leaves(type, name) {
    const { fields, source } = this.classes.get(type);
    return fields.flatMap(([field, fieldType]) => {
      const inner = this.#known(typeName(fieldType), source);
      if (inner !== null) return this.#leaves(inner, `${name}$${field}`);
      this.#need(typeName(fieldType), source);
      return [[`${name}$${field}`, fieldType]];
    });
  }

  /** A type of another file must be known here, too. */
  #need(name, { statements, internalPath }) {
    if (internalPath === this.source.internalPath) return;
    for (const node of statements) {
      if (node instanceof ImportStatement) {
        const found = node.declarations?.find((each) => each.name.text === name);
        if (found) this.missing.set(name, { path: node.internalPath, foreign: found.foreignName.text });
      } else if (node instanceof ClassDeclaration && node.name.text === name)
        this.missing.set(name, { path: internalPath, foreign: name });
    }
  }

  /** The class and the parts of what is a value, null for anything else. */
  #value(node) {
    if (node instanceof NewExpression) {
      const type = this.#known(node.typeName.identifier.text);
      if (type === null) return null;
      const { fields, source } = this.classes.get(type);
      if (fields.length !== node.args.length) fail(node, `${this.#show(type)} has ${fields.length} fields`);
      const parts = node.args.flatMap((arg, i) =>
        this.#argument(arg, this.#known(typeName(fields[i][1]), source)),
      );
      return { type, parts };
    }
    const found = this.#path(node);
    if (found === null || found.type === null) return null;
    const parts = this.#leaves(found.type, found.name).map(([name]) => identifier(name, node.range));
    return { type: found.type, parts };
  }

  /** A local that is a value, or a field of one: its name, and its class unless it is a single local. */
  #path(node) {
    if (node instanceof IdentifierExpression) {
      const type = this.locals.get(node.text);
      return type === undefined ? null : { name: node.text, type };
    }
    if (!(node instanceof PropertyAccessExpression)) return null;
    const object = this.#path(node.expression);
    if (object === null || object.type === null) return null;
    const { fields, source } = this.classes.get(object.type);
    const field = fields.find(([name]) => name === node.property.text);
    if (field === undefined) fail(node, `${this.#show(object.type)} has no field ${node.property.text}`);
    return { name: `${object.name}$${field[0]}`, type: this.#known(typeName(field[1]), source) };
  }

  /** An argument as one or several; `expected`: the class that the parameter has. */
  #argument(node, expected) {
    const value = this.#value(node);
    if ((value?.type ?? null) !== (expected ?? null))
      fail(node, `${this.#show(expected)} is expected, not ${this.#show(value?.type)}`);
    return value ? value.parts : [this.#rewrite(node)];
  }

  #rewrite(node) {
    if (node instanceof CallExpression || node instanceof NewExpression) {
      if (node instanceof NewExpression && this.#known(node.typeName.identifier.text) !== null)
        fail(node, 'a value can only be an argument, or a constant');
      const callee = node.expression;
      const name =
        callee instanceof IdentifierExpression ? this.names.get(this.source).get(callee.text) : undefined;
      const classes = this.functions.get(name) ?? [];
      if (callee) node.expression = this.#rewrite(callee);
      node.args = node.args.flatMap((arg, i) => this.#argument(arg, classes[i]));
      return node;
    }
    if (node instanceof VariableStatement) {
      node.declarations = node.declarations.flatMap((each) => this.#variable(each));
      return node;
    }
    if (node instanceof BinaryExpression && isAssignment(node) && this.#path(node.left) !== null)
      fail(node, 'values do not change');
    const found = this.#path(node);
    if (found !== null) {
      if (found.type !== null) fail(node, `a ${this.#show(found.type)} can only be an argument`);
      return identifier(found.name, node.range);
    }
    for (const key of Object.keys(node)) {
      if (!isChild(key) || (node instanceof PropertyAccessExpression && key === 'property')) continue;
      const child = node[key];
      if (Array.isArray(child))
        node[key] = child.map((each) => (each instanceof Node ? this.#rewrite(each) : each));
      else if (child instanceof Node) node[key] = this.#rewrite(child);
    }
    return node;
  }

  #variable(declaration) {
    const { name, range, decorators, flags, initializer } = declaration;
    const value = initializer && this.#value(initializer);
    if (this.locals.has(name.text)) fail(declaration, `${name.text} is a value already`);
    if (!value) return [initializer ? this.#rewrite(declaration) : declaration];
    const leaves = this.#leaves(value.type, name.text);
    this.locals.set(name.text, value.type);
    return leaves.map(([leaf, type], i) =>
      Node.createVariableDeclaration(identifier(leaf, range), decorators, flags, type, value.parts[i], range),
    );
  }
}

/** =, +=, … but no comparison. */
const ASSIGNMENTS = new Set(
  Object.keys(Token)
    .filter(
      (name) =>
        /^(\w+_)?Equals$/.test(name) &&
        !/^(Equals|Exclamation|LessThan|GreaterThan)_(Equals_)?Equals$/.test(name),
    )
    .map((name) => Token[name]),
);
const isAssignment = ({ operator }) => ASSIGNMENTS.has(operator);

function namesOf(source) {
  const names = new Map();
  for (const node of source.statements)
    if (node instanceof ImportStatement)
      for (const { name, foreignName } of node.declarations ?? [])
        names.set(name.text, `${node.internalPath} ${foreignName.text}`);
    else if (node.name !== undefined) names.set(node.name.text, `${source.internalPath} ${node.name.text}`);
  return names;
}

function importOf(source, name, path, foreign) {
  const { range } = source.statements[0] ?? source;
  const relative = posix.relative(posix.dirname(source.internalPath), path);
  return Node.createImportStatement(
    [Node.createImportDeclaration(identifier(foreign, range), identifier(name, range), range)],
    Node.createStringLiteralExpression(relative.startsWith('.') ? relative : `./${relative}`, range),
    range,
  );
}
