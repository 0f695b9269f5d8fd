// XML, as far as robot files need it: elements, attributes, comments, the five entities. In: text. Out: a tree with lines;
// errors that name the line. No DOM is needed, so it runs in workers and in Node.
import { PhysicsError } from 'ricochet/cooking';

export interface Element {
  name: string;
  line: number;
  attributes: Map<string, string>;
  children: Element[];
}

const MOST_DEPTH = 200;

export function fault(line: number, rule: string): PhysicsError {
  return new PhysicsError('damaged-file', `line ${line}: ${rule}`);
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Entities, and what ROS has in place of a variable that is not set: `$(optenv NAME default)`. */
const plain = (text: string) =>
  text
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\$\(optenv\s+\w+\s*([^)]*)\)/g, '$1');

/** What stands at a place of the text: a comment or the like, or a tag. */
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<![^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

export function parseXml(text: string): Element {
  let line = 1;
  let root: Element | undefined;
  const open: Element[] = [];
  for (let at = text.indexOf('<'), from = 0; at >= 0; at = text.indexOf('<', from)) {
    for (let i = from; i < at; i++) if (text.charCodeAt(i) === 10) line++;
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw fault(line, `no tag: ${JSON.stringify(text.slice(at, at + 30))}`);
    const [whole, closing, name, attributes, single] = found;
    if (name !== undefined && closing === '/') {
      const last = open.pop();
      if (last?.name !== name)
        throw fault(
          line,
          `</${name}> closes ${last === undefined ? 'nothing' : `<${last.name}> of line ${last.line}`}`,
        );
    } else if (name !== undefined) {
      const element: Element = { name, line, attributes: new Map(), children: [] };
      for (const [, key, a, b] of attributes!.matchAll(ATTRIBUTE)) {
        if (element.attributes.has(key!)) throw fault(line, `${key} twice in <${name}>`);
        element.attributes.set(key!, plain(a ?? b ?? ''));
      }
      if (open.length > 0) open.at(-1)!.children.push(element);
      else if (root === undefined) root = element;
      else throw fault(line, `<${name}> beside <${root.name}>: one element must hold all`);
      if (single !== '/') open.push(element);
      if (open.length > MOST_DEPTH) throw fault(line, `more than ${MOST_DEPTH} elements within each other`);
    }
    for (let i = at; i < at + whole.length; i++) if (text.charCodeAt(i) === 10) line++;
    from = at + whole.length;
  }
  if (open.length > 0) throw fault(open.at(-1)!.line, `<${open.at(-1)!.name}> is not closed`);
  if (root === undefined) throw fault(1, 'no element');
  return root;
}

export const childOf = ({ children }: Element, name: string) => children.find((child) => child.name === name);
export const childrenOf = ({ children }: Element, name: string) =>
  children.filter((child) => child.name === name);

export function textOf(element: Element, name: string): string {
  const value = element.attributes.get(name);
  if (value === undefined || value === '') throw fault(element.line, `<${element.name}> must have ${name}`);
  return value;
}

/** A list of numbers; the fallback where the attribute or its element is missing. */
export function numbersOf(element: Element | undefined, name: string, fallback: readonly number[]): number[] {
  const text = element?.attributes.get(name);
  if (text === undefined) return [...fallback];
  const values = text.trim().split(/\s+/).map(Number);
  if (values.length !== fallback.length || !values.every((c) => Math.abs(c) <= 1e9))
    throw fault(
      element!.line,
      `${name} of <${element!.name}> must be ${fallback.length === 1 ? 'a number' : `${fallback.length} numbers`}, got ${JSON.stringify(text.slice(0, 40))}`,
    );
  return values;
}

export function numberOf(element: Element | undefined, name: string, fallback: number, min = -1e9): number {
  const [value] = numbersOf(element, name, [fallback]);
  if (value! < min)
    throw fault(element!.line, `${name} of <${element!.name}> must be at least ${min}, got ${value}`);
  return value!;
}
