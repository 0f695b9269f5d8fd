// Structures of lanes for `@wide` functions: four vectors or matrices at once, written as mathematics and compiled to
// plain v128 locals. AssemblyScript has no value types, so this works on the syntax tree, before types are resolved.
//
// A structure is a class with `@lanes` in its comment: `/** @lanes X Y Z */ class Vec3W { x: v128; y: v128; z: v128 }`.
// - A local of such a type is one local per component.
// - `c.normal` means the fields `c.normalX`, `c.normalY`, `c.normalZ` of a record: the words after `@lanes` are the
//   endings. The type of `c` must be known: a parameter's, or that of the function whose result it is.
// - A property that is no component is taken of every component: with `a` four bodies, `a.linear` are four rows.
// - A parameter of such a type is one parameter per component. A function that returns one is not compiled by itself: its
//   statements are put where it is called. It ends with its only `return`.
// - `+` and `-` act by component, `*` and `/` with a v128, too. `@operator *` gives a function's two types a meaning.
import { posix } from 'node:path';
import {
  BinaryExpression,
  BlockStatement,
  CallExpression,
  ClassDeclaration,
  DoStatement,
  Expression,
  ExpressionStatement,
  FieldDeclaration,
  ForStatement,
  FunctionDeclaration,
  IdentifierExpression,
  IfStatement,
  ImportStatement,
  LiteralExpression,
  NewExpression,
  Node,
  ParenthesizedExpression,
  PropertyAccessExpression,
  ReturnStatement,
  SwitchStatement,
  TernaryExpression,
  Token,
  UnaryPrefixExpression,
  VariableDeclaration,
  VariableStatement,
  WhileStatement,
} from 'assemblyscript/dist/assemblyscript.js';

/** Operators, and what they are called as instructions. */
const ARITHMETIC = new Map([
  [Token.Plus, ['+', 'add']],
  [Token.Minus, ['-', 'sub']],
  [Token.Asterisk, ['*', 'mul']],
  [Token.Slash, ['/', 'div']],
]);
const COMPOUND = new Map([
  [Token.Plus_Equals, Token.Plus],
  [Token.Minus_Equals, Token.Minus],
  [Token.Asterisk_Equals, Token.Asterisk],
  [Token.Slash_Equals, Token.Slash],
]);

/** The type of what a property of four references gives. */
const ROWS = 'Rows';

function fail(node, message) {
  const { source } = node.range;
  const line = source.text.slice(0, node.range.start).split('\n').length;
  throw new Error(`${source.normalizedPath}(${line}): ${message}`);
}

const identifier = (text, range) => Node.createIdentifierExpression(text, range);
const property = (object, name, range) =>
  Node.createPropertyAccessExpression(object, identifier(name, range), range);
const instruction = (name, args, range) =>
  Node.createCallExpression(property(identifier('f32x4', range), name, range), null, args, range);
const assignment = (target, value, range) =>
  Node.createExpressionStatement(Node.createBinaryExpression(Token.Equals, target, value, range));
const isChild = (key) => key !== 'range' && key !== 'parent' && key !== 'source';

/** A copy of a tree; `rename` maps names of variables. */
function copyOf(node, rename = new Map()) {
  if (!(node instanceof Node)) return node;
  const copy = Object.create(Object.getPrototypeOf(node));
  for (const key of Object.keys(node)) {
    const child = node[key];
    if (!isChild(key)) copy[key] = child;
    else if (Array.isArray(child)) copy[key] = child.map((each) => copyOf(each, rename));
    else
      copy[key] = copyOf(
        child,
        node instanceof PropertyAccessExpression && key === 'property' ? new Map() : rename,
      );
  }
  if (copy instanceof IdentifierExpression && rename.has(copy.text)) copy.text = rename.get(copy.text);
  return copy;
}

function visit(node, see) {
  see(node);
  for (const key of Object.keys(node)) {
    if (!isChild(key)) continue;
    for (const child of Array.isArray(node[key]) ? node[key] : [node[key]])
      if (child instanceof Node) visit(child, see);
  }
}

function namesIn(node) {
  const names = new Set();
  visit(node, (each) => {
    if (each instanceof IdentifierExpression) names.add(each.text);
  });
  return names;
}

const isSimple = (node) => node instanceof IdentifierExpression || node instanceof LiteralExpression;

/** Names of variables, block by block. A structure's entry has its type and a node per component. */
class Scope {
  entries = new Map();
  constructor(outer = null) {
    this.outer = outer;
  }
  find(name) {
    return this.entries.get(name) ?? this.outer?.find(name);
  }
}

export class Lanes {
  /** Structure → { parts, endings }. */
  structures = new Map();
  /** Record → { plain: its fields, lanes: name that stands for several of them → structure }. */
  records = new Map();
  /** Function → the name of what it returns, or null where two differ. */
  returns = new Map();
  /** Function that returns a structure → { node, source }. */
  macros = new Map();
  /** '+:Vec3W:Vec3W' → function. */
  operators = new Map();
  /** Source → name → where a statement that was put there has it from. */
  needs = new Map();
  count = 0;

  constructor(sources, commentOf) {
    const statements = sources.flatMap((source) => source.statements.map((node) => ({ node, source })));
    const classes = statements.filter(({ node }) => node instanceof ClassDeclaration);
    const fieldsOf = ({ members }) =>
      members.filter((member) => member instanceof FieldDeclaration).map((member) => member.name.text);
    for (const { node, source } of classes) {
      const endings = /@lanes\b([ \w]*)/.exec(commentOf(node, source.text));
      if (endings !== null)
        this.structures.set(node.name.text, {
          parts: fieldsOf(node),
          endings: endings[1].split(' ').filter((word) => word !== ''),
        });
    }
    for (const { node } of classes)
      if (!this.structures.has(node.name.text))
        this.records.set(node.name.text, this.#record(fieldsOf(node)));
    for (const { node, source } of statements) {
      if (!(node instanceof FunctionDeclaration)) continue;
      const name = node.name.text;
      const type = typeName(node.signature.returnType);
      this.returns.set(name, this.returns.has(name) && this.returns.get(name) !== type ? null : type);
      if (!this.structures.has(type)) continue;
      if (this.macros.has(name)) fail(node, `two functions ${name} return lanes`);
      this.macros.set(name, { node, source });
      const operator = /@operator (\S)/.exec(commentOf(node, source.text));
      const types = node.signature.parameters.map((parameter) => typeName(parameter.type));
      if (operator !== null) this.operators.set([operator[1], ...types].join(':'), name);
    }
  }

  /** A name stands for lanes where fields with all endings of a structure are there, and no field of that name. */
  #record(fields) {
    const plain = new Set(fields);
    const lanes = new Map();
    for (const field of fields)
      for (const [structure, { endings }] of this.structures) {
        if (endings.length === 0 || !field.endsWith(endings[0])) continue;
        const name = field.slice(0, -endings[0].length);
        if (name !== '' && !plain.has(name) && endings.every((end) => plain.has(name + end)))
          lanes.set(name, structure);
      }
    return { plain, lanes };
  }

  /** Takes out of a source what only stood for lanes; adds the imports that inserted statements need. */
  finish(source) {
    const isGone = (name) => this.structures.has(name) || this.macros.has(name);
    source.statements = source.statements.filter((statement) => !isGone(statement.name?.text));
    const known = new Set();
    for (const statement of source.statements) {
      if (statement instanceof ImportStatement && statement.declarations !== null) {
        statement.declarations = statement.declarations.filter(
          ({ foreignName }) => !isGone(foreignName.text),
        );
        for (const { name } of statement.declarations) known.add(name.text);
      } else if (statement.name !== undefined) known.add(statement.name.text);
      else if (statement instanceof VariableStatement)
        for (const { name } of statement.declarations) known.add(name.text);
    }
    for (const [name, { path, foreign }] of this.needs.get(source) ?? []) {
      if (known.has(name) || isGone(name)) continue;
      const { range } = source.statements[0] ?? source;
      const relative = posix.relative(posix.dirname(source.internalPath), path);
      source.statements.unshift(
        Node.createImportStatement(
          [Node.createImportDeclaration(identifier(foreign, range), identifier(name, range), range)],
          Node.createStringLiteralExpression(relative.startsWith('.') ? relative : `./${relative}`, range),
          range,
        ),
      );
    }
  }

  lowerFunction(node, source) {
    this.source = source;
    const scope = new Scope();
    const { signature } = node;
    signature.parameters = signature.parameters.flatMap((parameter) => {
      const structure = this.structures.get(typeName(parameter.type));
      const { name, range } = parameter;
      scope.entries.set(name.text, {
        ...this.#entry(typeName(parameter.type), name.text, range),
        record: typeName(parameter.type),
      });
      if (structure === undefined) return [parameter];
      return structure.parts.map((part) =>
        Node.createParameter(
          parameter.parameterKind,
          identifier(`${name.text}$${part}`, range),
          Node.createNamedType(Node.createSimpleTypeName('v128', range), null, false, range),
          null,
          range,
        ),
      );
    });
    const [body, ...rest] = this.#statement(node.body, scope);
    if (rest.length > 0) fail(node, 'a body of several statements');
    node.body = body;
  }

  #entry(type, name, range) {
    const structure = this.structures.get(type);
    if (structure === undefined) return { type: null };
    return { type, parts: structure.parts.map((part) => identifier(`${name}$${part}`, range)) };
  }

  // Statements. Each becomes several: what had to be computed before, and itself.

  #statement(node, scope) {
    const before = [];
    const value = (expression) => this.#scalar(expression, scope, before);
    const fixed = (expression) => expression && this.#scalar(expression, scope, null);
    const inner = (statement) => statement && this.#one(statement, scope);
    if (node instanceof BlockStatement) {
      const own = new Scope(scope);
      node.statements = node.statements.flatMap((statement) => this.#statement(statement, own));
    } else if (node instanceof VariableStatement) return this.#variables(node, scope);
    else if (node instanceof ExpressionStatement) return this.#effect(node, scope);
    else if (node instanceof ReturnStatement) {
      if (node.value) node.value = value(node.value);
    } else if (node instanceof IfStatement) {
      node.condition = value(node.condition);
      node.ifTrue = inner(node.ifTrue);
      node.ifFalse = inner(node.ifFalse);
    } else if (node instanceof ForStatement) {
      const own = new Scope(scope);
      if (node.initializer) {
        const [first, ...others] = this.#statement(node.initializer, own);
        if (others.length > 0) fail(node, 'lanes cannot be declared in the head of a loop');
        node.initializer = first;
      }
      if (node.condition) node.condition = this.#scalar(node.condition, own, null);
      if (node.incrementor) node.incrementor = this.#scalar(node.incrementor, own, null);
      node.body = this.#one(node.body, own);
    } else if (node instanceof WhileStatement || node instanceof DoStatement) {
      node.condition = fixed(node.condition);
      node.body = inner(node.body);
    } else if (node instanceof SwitchStatement) {
      node.condition = value(node.condition);
      for (const each of node.cases) {
        const own = new Scope(scope);
        each.statements = each.statements.flatMap((statement) => this.#statement(statement, own));
      }
    }
    return [...before, node];
  }

  #one(node, scope) {
    const statements = this.#statement(node, new Scope(scope));
    return statements.length === 1 ? statements[0] : Node.createBlockStatement(statements, node.range);
  }

  #variables(node, scope) {
    return node.declarations.flatMap((declaration) => {
      const { name, range, type, flags, initializer } = declaration;
      const before = [];
      const value = initializer && this.#expression(initializer, scope, before);
      if (value?.type) {
        const entry = this.#entry(value.type, name.text, range);
        const statements = value.parts.map((part, i) => constant(entry.parts[i].text, part, flags, node));
        scope.entries.set(name.text, entry);
        return [...before, ...statements];
      }
      if (this.structures.has(typeName(type))) fail(declaration, `${name.text} needs a value of lanes`);
      scope.entries.set(name.text, { type: null, record: typeName(type) ?? value?.record });
      declaration.initializer = value ? value.node : null;
      return [...before, Node.createVariableStatement(node.decorators, [declaration], range)];
    });
  }

  #effect(node, scope) {
    const before = [];
    const { expression, range } = node;
    const isAssignment =
      expression instanceof BinaryExpression &&
      (expression.operator === Token.Equals || COMPOUND.has(expression.operator));
    if (isAssignment) {
      const target = this.#expression(expression.left, scope, before);
      if (target.type !== null) {
        const plain = COMPOUND.get(expression.operator);
        const right = plain
          ? Node.createBinaryExpression(plain, copyOf(expression.left), expression.right, range)
          : expression.right;
        const value = this.#expression(right, scope, before);
        if (value.type !== target.type) fail(node, `${value.type ?? 'a scalar'} is no ${target.type}`);
        const touched = target.parts.map((part) => namesIn(part));
        const own = target.parts.map((part) => (part instanceof IdentifierExpression ? part.text : null));
        // A component that a later one reads must not change before.
        const isRead = value.parts.some((part, i) =>
          [...namesIn(part)].some((name) => own.includes(name) && !touched[i].has(name)),
        );
        const parts = isRead ? this.#bind(value.parts, before, range, true) : value.parts;
        return [...before, ...target.parts.map((part, i) => assignment(part, parts[i], range))];
      }
    }
    node.expression = this.#scalar(expression, scope, before);
    return [...before, node];
  }

  /** Constants for what is more than a name; for names, too, where these are about to change. */
  #bind(parts, before, range, always = false) {
    return parts.map((part) => {
      if (isSimple(part) && !always) return part;
      const name = `lanes$${this.count++}`;
      before.push(constant(name, part, 0, { range }));
      return identifier(name, range);
    });
  }

  // Expressions: { type: null, node } or { type, parts }. What has to be computed before goes to `before`; where
  // nothing may (in loops' heads, on one side of a condition), that is null.

  #scalar(node, scope, before) {
    const value = this.#expression(node, scope, before);
    if (value.type !== null) fail(node, `${value.type} where one value is expected`);
    return value.node;
  }

  #expression(node, scope, before) {
    if (node instanceof ParenthesizedExpression) {
      const value = this.#expression(node.expression, scope, before);
      if (value.type !== null) return value;
      node.expression = value.node;
      return { type: null, node };
    }
    if (node instanceof IdentifierExpression) return this.#name(node, scope);
    if (node instanceof PropertyAccessExpression) return this.#property(node, scope, before);
    if (node instanceof NewExpression && this.structures.has(node.typeName.identifier.text)) {
      const type = node.typeName.identifier.text;
      const parts = node.args.map((arg) => this.#scalar(arg, scope, before));
      if (parts.length !== this.structures.get(type).parts.length)
        fail(node, `${type} has another number of parts`);
      return { type, parts };
    }
    if (node instanceof CallExpression) return this.#call(node, scope, before);
    if (node instanceof BinaryExpression) return this.#binary(node, scope, before);
    if (node instanceof UnaryPrefixExpression && node.operator === Token.Minus) {
      if (node.operand instanceof LiteralExpression) return { type: null, node };
      const value = this.#expression(node.operand, scope, before);
      const minus = (part) => instruction('neg', [part], node.range);
      if (value.type !== null) return { type: value.type, parts: value.parts.map(minus) };
      return { type: null, node: minus(value.node) };
    }
    if (node instanceof TernaryExpression) {
      node.condition = this.#scalar(node.condition, scope, before);
      const [yes, no] = [node.ifThen, node.ifElse].map((arm) => this.#expression(arm, scope, null));
      if (yes.type !== no.type) fail(node, 'the two sides differ in type');
      if (yes.type === null) [node.ifThen, node.ifElse] = [yes.node, no.node];
      else {
        const [condition] = this.#bind([node.condition], before, node.range);
        const either = (part, i) =>
          Node.createTernaryExpression(copyOf(condition), part, no.parts[i], node.range);
        return { type: yes.type, parts: yes.parts.map(either) };
      }
      return { type: null, node };
    }
    for (const key of Object.keys(node)) {
      if (!isChild(key)) continue;
      const child = node[key];
      if (Array.isArray(child))
        node[key] = child.map((each) =>
          each instanceof Expression ? this.#scalar(each, scope, before) : each,
        );
      else if (child instanceof Expression) node[key] = this.#scalar(child, scope, before);
    }
    return { type: null, node };
  }

  #name(node, scope) {
    const entry = scope.find(node.text);
    if (entry?.type) return { type: entry.type, parts: entry.parts.map((part) => copyOf(part)) };
    return { type: null, node: entry?.node ? copyOf(entry.node) : node, record: entry?.record };
  }

  #property(node, scope, before) {
    const { range } = node;
    const name = node.property.text;
    const object = this.#expression(node.expression, scope, before);
    if (object.type !== null) {
      const place = this.structures.get(object.type).parts.indexOf(name);
      if (place >= 0) return { type: null, node: object.parts[place] };
      return { type: ROWS, parts: object.parts.map((part) => property(part, name, range)) };
    }
    node.expression = object.node;
    const type = this.records.get(object.record)?.lanes.get(name);
    if (type === undefined) return { type: null, node };
    const [record] = isSimple(object.node)
      ? [object.node]
      : this.#bind([object.node], this.#allowed(before, node), range);
    const parts = this.structures
      .get(type)
      .endings.map((ending) => property(copyOf(record), name + ending, range));
    return { type, parts };
  }

  #allowed(before, node) {
    if (before === null) fail(node, 'this has to be computed in a statement before');
    return before;
  }

  #call(node, scope, before) {
    const callee = node.expression;
    if (callee instanceof IdentifierExpression && this.macros.has(callee.text))
      return this.#expand(callee.text, node.args, node, scope, before);
    if (!(callee instanceof IdentifierExpression)) node.expression = this.#scalar(callee, scope, before);
    node.args = node.args.flatMap((arg) => {
      const value = this.#expression(arg, scope, before);
      return value.type === null ? [value.node] : value.parts;
    });
    return { type: null, node, record: this.returns.get(callee.text) };
  }

  #binary(node, scope, before) {
    const { operator, range } = node;
    if (operator === Token.Ampersand_Ampersand || operator === Token.Bar_Bar) {
      node.left = this.#scalar(node.left, scope, before);
      node.right = this.#scalar(node.right, scope, null);
      return { type: null, node };
    }
    if (COMPOUND.has(operator)) {
      const sum = Node.createBinaryExpression(COMPOUND.get(operator), copyOf(node.left), node.right, range);
      const target = this.#scalar(node.left, scope, before);
      return {
        type: null,
        node: Node.createBinaryExpression(Token.Equals, target, this.#scalar(sum, scope, before), range),
      };
    }
    if (!ARITHMETIC.has(operator)) {
      node.left = this.#scalar(node.left, scope, before);
      node.right = this.#scalar(node.right, scope, before);
      return { type: null, node };
    }
    const [sign, name] = ARITHMETIC.get(operator);
    const left = this.#expression(node.left, scope, before);
    const right = this.#expression(node.right, scope, before);
    const apply = (a, b) => instruction(name, [a, b], range);
    if (left.type === null && right.type === null) return { type: null, node: apply(left.node, right.node) };
    const meaning = this.operators.get(`${sign}:${left.type}:${right.type}`);
    if (meaning !== undefined) return this.#insert(meaning, [left, right], node, this.#allowed(before, node));
    if (left.type === right.type && (sign === '+' || sign === '-'))
      return { type: left.type, parts: left.parts.map((part, i) => apply(part, right.parts[i])) };
    const [lanes, factor, isLeft] = left.type === null ? [right, left.node, false] : [left, right.node, true];
    if (factor === undefined || (sign !== '*' && (sign !== '/' || !isLeft)))
      fail(node, `no ${sign} for ${left.type ?? 'v128'} and ${right.type ?? 'v128'}`);
    const [once] = isSimple(factor) ? [factor] : this.#bind([factor], this.#allowed(before, node), range);
    return {
      type: lanes.type,
      parts: lanes.parts.map((part) => (isLeft ? apply(part, copyOf(once)) : apply(copyOf(once), part))),
    };
  }

  // Functions that return lanes.

  #expand(name, args, node, scope, before) {
    const values = args.map((arg) => this.#expression(arg, scope, this.#allowed(before, node)));
    return this.#insert(name, values, node, before);
  }

  #insert(name, values, node, before) {
    const macro = this.macros.get(name);
    const { parameters } = macro.node.signature;
    if (parameters.length !== values.length) fail(node, `${name} takes ${parameters.length} arguments`);
    const assigned = assignedIn(macro.node.body);
    const rename = new Map();
    const inner = new Scope();
    const unique = (local) => `${local}$${this.count++}`;
    for (const [i, parameter] of parameters.entries()) {
      const type = this.structures.has(typeName(parameter.type)) ? typeName(parameter.type) : null;
      const value = values[i];
      const own = parameter.name.text;
      if (value.type !== type) fail(node, `${name}: ${own} takes ${type ?? 'one value'}, not ${value.type}`);
      if (assigned.has(own)) fail(macro.node, `${own} is assigned to`);
      const fresh = unique(own);
      rename.set(own, fresh);
      const parts = this.#bind(type === null ? [value.node] : value.parts, before, node.range);
      const record = typeName(parameter.type);
      inner.entries.set(fresh, type === null ? { type, node: parts[0], record } : { type, parts });
    }
    visit(macro.node.body, (each) => {
      if (each instanceof VariableDeclaration) rename.set(each.name.text, unique(each.name.text));
    });
    const statements = macro.node.body.statements.map((statement) => copyOf(statement, rename));
    const end = statements.pop();
    if (!(end instanceof ReturnStatement)) fail(macro.node, `${name} does not end with return`);
    this.#need(macro);
    for (const statement of statements) before.push(...this.#statement(statement, inner));
    return this.#expression(end.value, inner, before);
  }

  /** What a function's statements name must be known where they are put. */
  #need({ node, source }) {
    if (source === this.source) return;
    if (!this.needs.has(this.source)) this.needs.set(this.source, new Map());
    const needs = this.needs.get(this.source);
    const names = namesIn(node.body);
    for (const statement of source.statements) {
      if (statement instanceof ImportStatement)
        for (const { name, foreignName } of statement.declarations ?? []) {
          if (names.has(name.text))
            needs.set(name.text, { path: statement.internalPath, foreign: foreignName.text });
        }
      else if (statement instanceof FunctionDeclaration && names.has(statement.name.text))
        needs.set(statement.name.text, { path: source.internalPath, foreign: statement.name.text });
    }
  }
}

function assignedIn(body) {
  const names = new Set();
  visit(body, (node) => {
    if (node instanceof BinaryExpression && (node.operator === Token.Equals || COMPOUND.has(node.operator)))
      if (node.left instanceof IdentifierExpression) names.add(node.left.text);
  });
  return names;
}

function typeName(type) {
  return type?.name?.identifier?.text;
}

function constant(name, value, flags, { range }) {
  const declaration = Node.createVariableDeclaration(
    identifier(name, range),
    null,
    flags,
    null,
    value,
    range,
  );
  return Node.createVariableStatement(null, [declaration], range);
}
