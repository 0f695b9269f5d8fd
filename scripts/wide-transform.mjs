// Lets SIMD code read as mathematics: inside a function decorated `@wide`, the operators
// + - * / (also += -= *= /= and unary minus) mean the f32x4 instruction of the same name.
// AssemblyScript has no operators for v128; this is the one place where that is mended.
// Integer and scalar arithmetic therefore does not belong in a `@wide` function.

import {
  BinaryExpression,
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

export default class WideTransform extends Transform {
  afterParse(parser) {
    for (const source of parser.sources) {
      if (source.isLibrary) continue;
      for (const statement of source.statements)
        if (statement instanceof FunctionDeclaration && isWide(statement) && statement.body) {
          rewrite(statement.body);
          statement.decorators = statement.decorators.filter((d) => d.name.text !== 'wide');
        }
    }
  }
}
