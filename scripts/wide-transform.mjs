// Lets SIMD code read as mathematics: inside a function decorated `@wide`, the operators
// + - * / (also += -= *= /= and unary minus) mean the f32x4 instruction of the same name.
// AssemblyScript has no operators for v128; this is the one place where that is mended.
// Integer and scalar arithmetic therefore does not belong in a `@wide` function.
//
// Decorators stand in documentation comments (`/** @inline @wide */`), because TypeScript's grammar has none on
// functions: so every tool of TypeScript parses the core. `@external module name` names an import.

import {
  BinaryExpression,
  ClassDeclaration,
  DeclarationStatement,
  DecoratorNode,
  FunctionDeclaration,
  Node,
  NodeKind,
  Token,
  UnaryPrefixExpression,
} from 'assemblyscript/dist/assemblyscript.js';
import { Transform } from 'assemblyscript/transform';

const OPERATION = new Map([
  [Token.Plus, 'add'],
  [Token.Minus, 'sub'],
  [Token.Asterisk, 'mul'],
  [Token.Slash, 'div'],
]);
const COMPOUND = new Map([
  [Token.Plus_Equals, 'add'],
  [Token.Minus_Equals, 'sub'],
  [Token.Asterisk_Equals, 'mul'],
  [Token.Slash_Equals, 'div'],
]);

const isWide = (node) =>
  node.decorators?.some((d) => d instanceof DecoratorNode && d.name.text === 'wide') ?? false;

function call(name, args, range) {
  const target = Node.createPropertyAccessExpression(
    Node.createIdentifierExpression('f32x4', range),
    Node.createIdentifierExpression(name, range),
    range,
  );
  return Node.createCallExpression(target, null, args, range);
}

function rewrite(node) {
  for (const key of Object.keys(node)) {
    if (key === 'range' || key === 'parent' || key === 'source') continue;
    const child = node[key];
    if (Array.isArray(child))
      child.forEach((c, i) => {
        if (c instanceof Node) child[i] = rewritten(c);
      });
    else if (child instanceof Node) node[key] = rewritten(child);
  }
}

function rewritten(node) {
  rewrite(node);
  if (node instanceof BinaryExpression) {
    if (OPERATION.has(node.operator))
      return call(OPERATION.get(node.operator), [node.left, node.right], node.range);
    if (COMPOUND.has(node.operator)) {
      const value = call(COMPOUND.get(node.operator), [node.left, node.right], node.range);
      return Node.createBinaryExpression(Token.Equals, node.left, value, node.range);
    }
  }
  if (
    node instanceof UnaryPrefixExpression &&
    node.operator === Token.Minus &&
    node.operand.kind !== NodeKind.Literal
  )
    return call('neg', [node.operand], node.range);
  return node;
}

/** Decorators that the compiler or this transform knows. */
const DECORATOR = /@(inline|wide|unmanaged|final|global|lazy|unsafe|external)\b(?: +(\w+) +(\w+))?/g;

/** The documentation comment that ends right before `end`, or ''. Suppressions of the linter may stand between. */
function docComment(text, end) {
  const before = text.slice(0, end).replace(/(?:\s|\/\/ biome-ignore[^\n]*\n)*$/, '');
  if (!before.endsWith('*/')) return '';
  const start = before.lastIndexOf('/*');
  return before.startsWith('/**', start) ? before.slice(start) : '';
}

/** Gives a declaration the decorators that its comment names. */
function decorate(node, text) {
  for (const [, name, module, imported] of docComment(text, node.range.start).matchAll(DECORATOR)) {
    const isImport = name === 'external';
    if (isImport && !imported) throw new Error(`${node.name.text}: @external needs a module and a name`);
    const args = isImport
      ? [module, imported].map((word) => Node.createStringLiteralExpression(word, node.range))
      : null;
    const decorator = Node.createDecorator(
      Node.createIdentifierExpression(name, node.range),
      args,
      node.range,
    );
    node.decorators = [...(node.decorators ?? []), decorator];
  }
}

export default class WideTransform extends Transform {
  afterParse(parser) {
    for (const source of parser.sources) {
      if (source.isLibrary) continue;
      for (const statement of source.statements) {
        if (!(statement instanceof DeclarationStatement)) continue;
        decorate(statement, source.text);
        if (statement instanceof ClassDeclaration)
          for (const member of statement.members) decorate(member, source.text);
        if (statement instanceof FunctionDeclaration && isWide(statement) && statement.body) {
          rewrite(statement.body);
          statement.decorators = statement.decorators.filter((d) => d.name.text !== 'wide');
        }
      }
    }
  }
}
