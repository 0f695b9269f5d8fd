// Prepares the sources of the core for the sanitizer core. In: what the parser made of them. Out: the same, but
// 1. every `memory.data(bytes)` is followed by a gap that belongs to nobody, and is noted by its name;
// 2. an address that is computed, `load<i32>(table + (i << 2))`, is handed on together with what it was computed from,
//    `load<i32>(__derived(table + (i << 2), table))`: both must lie in the same region.
import {
  AssertionExpression,
  BinaryExpression,
  CallExpression,
  IdentifierExpression,
  Node,
  NodeKind,
  ParenthesizedExpression,
  PropertyAccessExpression,
  ReturnStatement,
  Token,
  VariableStatement,
} from 'assemblyscript/dist/assemblyscript.js';
import { Transform } from 'assemblyscript/transform';

/** Bytes behind each buffer of `memory.data` that nobody may touch. */
export const GAP = 64;

const HOOK = '~lib/sanitize.ts';
const DECLARATION = `
const __GAP: usize = ${GAP};
const __ALIGN: usize = 16;
@global @external("sanitize", "derived")
declare function __derived(address: usize, from: usize): usize;
`;

/** The module that is sanitized has these in memory itself: nothing of it is looked at. */
export const UNSEEN = /^src\/core\/memory\/allocator\b/;

/** Functions whose first argument is an address. */
const isAccess = (callee) =>
  callee instanceof IdentifierExpression
    ? ['load', 'store', 'changetype'].includes(callee.text)
    : callee instanceof PropertyAccessExpression &&
      callee.expression instanceof IdentifierExpression &&
      callee.expression.text === 'v128' &&
      /^(load|store)/.test(callee.property.text);

const isCopy = (callee) =>
  callee instanceof PropertyAccessExpression &&
  callee.expression instanceof IdentifierExpression &&
  callee.expression.text === 'memory' &&
  /^(copy|fill)$/.test(callee.property.text);

const isData = (node) =>
  node instanceof CallExpression &&
  node.expression instanceof PropertyAccessExpression &&
  node.expression.expression instanceof IdentifierExpression &&
  node.expression.expression.text === 'memory' &&
  node.expression.property.text === 'data';

/** Can be evaluated twice, and reads as an address. */
function isPlain(node) {
  if (node instanceof IdentifierExpression) return node.text !== 'WORLD_ADDRESS'; // what lies around that record is no part of it
  if (node instanceof PropertyAccessExpression) return isPlain(node.expression);
  if (node instanceof ParenthesizedExpression || node instanceof AssertionExpression)
    return node.expression !== null && isPlain(node.expression);
  if (!(node instanceof CallExpression) || !(node.expression instanceof IdentifierExpression)) return false;
  if (node.expression.text === 'world') return node.args.length === 0;
  return node.expression.text === 'changetype' && isPlain(node.args[0]);
}

/** What a sum is computed from: its first term, if that is plain. */
function origin(node) {
  let at = node;
  let sums = 0;
  while (true) {
    if (at instanceof ParenthesizedExpression) at = at.expression;
    else if (at instanceof BinaryExpression && [Token.Plus, Token.Minus].includes(at.operator)) {
      at = at.left;
      sums++;
    } else break;
  }
  return sums > 0 && isPlain(at) ? at : null;
}

function derived(node) {
  const from = origin(node);
  if (from === null) return node;
  const { range } = node;
  return Node.createCallExpression(
    Node.createIdentifierExpression('__derived', range),
    null,
    [node, from],
    range,
  );
}

/** @returns the transform, and the buffers that it will have found: their names, and whether they have content */
export function sanitizeTransform() {
  const buffers = new Map();
  /** The number GAP, and an alignment, as the parser writes them. */
  let gap;
  let align;

  function visit(node, inFunction) {
    for (const key of Object.keys(node)) {
      if (key === 'range' || key === 'parent' || key === 'source') continue;
      const child = node[key];
      if (Array.isArray(child)) for (const c of child) c instanceof Node && visit(c, inFunction);
      else if (child instanceof Node) visit(child, inFunction);
    }
    if (node instanceof CallExpression) {
      if (isAccess(node.expression)) node.args[0] = derived(node.args[0]);
      if (isCopy(node.expression)) {
        node.args[0] = derived(node.args[0]);
        if (node.expression.property.text === 'copy') node.args[1] = derived(node.args[1]);
      }
    }
    if (node instanceof ReturnStatement && inFunction === 'usize' && node.value !== null)
      node.value = derived(node.value);
  }

  function visitBuffers(source) {
    for (const statement of source.statements) {
      if (!(statement instanceof VariableStatement)) continue;
      for (const { name, initializer } of statement.declarations) {
        if (!isData(initializer)) continue;
        const [first] = initializer.args;
        const hasContent = first.kind === NodeKind.Literal && 'elementExpressions' in first;
        buffers.set(`${source.internalPath}/${name.text}`, hasContent);
        if (hasContent) {
          // None begins in the word that another ends in.
          if (initializer.args.length === 1) initializer.args.push(align);
          continue;
        }
        initializer.args[0] = Node.createBinaryExpression(
          Token.Plus,
          Node.createParenthesizedExpression(first, first.range),
          gap,
          first.range,
        );
      }
    }
  }

  class SanitizeTransform extends Transform {
    afterParse(parser) {
      parser.parseFile(DECLARATION, HOOK, false);
      const hook = parser.sources.find(({ normalizedPath }) => normalizedPath === HOOK);
      gap = hook.statements[0].declarations[0].initializer;
      align = hook.statements[1].declarations[0].initializer;
      for (const source of parser.sources) {
        if (source.isLibrary || source === hook || UNSEEN.test(source.internalPath)) continue;
        visitBuffers(source);
        for (const statement of source.statements)
          visit(statement, statement.signature?.returnType?.name?.identifier?.text);
      }
    }
  }
  return { transform: SanitizeTransform, buffers };
}
