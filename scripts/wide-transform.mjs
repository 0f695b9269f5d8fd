// Lets SIMD code read as mathematics: inside a function decorated `@wide`, the operators
// + - * / (also += -= *= /= and unary minus) mean the f32x4 instruction of the same name.
// AssemblyScript has no operators for v128; this is the one place where that is mended.
// Integer and scalar arithmetic therefore does not belong in a `@wide` function.
//
// Decorators stand in documentation comments (`/** @inline @wide */`), because TypeScript's grammar has none on
// functions: so every tool of TypeScript parses the core. `@external module name` names an import.

import {
  ClassDeclaration,
  DeclarationStatement,
  DecoratorNode,
  FunctionDeclaration,
  Node,
} from 'assemblyscript/dist/assemblyscript.js';
import { Transform } from 'assemblyscript/transform';
import { ValueClasses } from './value-classes.mjs';
import { Lanes } from './wide-lanes.mjs';

const isWide = (node) =>
  node.decorators?.some((d) => d instanceof DecoratorNode && d.name.text === 'wide') ?? false;

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
    const sources = parser.sources.filter((source) => !source.isLibrary);
    for (const source of sources)
      for (const statement of source.statements) {
        if (!(statement instanceof DeclarationStatement)) continue;
        decorate(statement, source.text);
        if (statement instanceof ClassDeclaration)
          for (const member of statement.members) decorate(member, source.text);
      }
    const commentOf = (node, text) => docComment(text, node.range.start);
    new ValueClasses(sources, commentOf); // before lanes: a @wide function may have parameters that are values
    const lanes = new Lanes(sources, commentOf);
    for (const source of sources)
      for (const statement of source.statements)
        if (statement instanceof FunctionDeclaration && isWide(statement) && statement.body) {
          if (!lanes.macros.has(statement.name.text)) lanes.lowerFunction(statement, source);
          statement.decorators = statement.decorators.filter((d) => d.name.text !== 'wide');
        }
    for (const source of sources) lanes.finish(source);
  }
}
