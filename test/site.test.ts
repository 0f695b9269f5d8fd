// The pages of the site before they are built: menus name every document, no link leads nowhere, examples are offered. What
// only a browser can tell is in `npm run site:test`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { bar, sections } from '../site/nav.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { deadLinks, pagesOfSite } from '../site/pages.mjs';
import { read, root } from './sources';

const pages: Map<string, string> = pagesOfSite();
const named: string[] = [
  ...sections.flatMap(({ items }: { items: [string, string][] }) => items),
  ...bar,
].map(([, link]: [string, string]) => `${link}.md`);

test('no link of the pages leads nowhere', () => {
  expect(deadLinks(pages)).toEqual([]);
});

test('menus name every document, and only pages that there are', () => {
  const documents = [...pages.keys()].filter((page) => /^(docs|guides)\//.test(page));
  expect(documents.filter((page) => !named.includes(page))).toEqual([]);
  expect(named.filter((page) => page !== 'api/.md' && !pages.has(page))).toEqual([]);
});

test('the playground offers every example, and its test runs each', () => {
  const offered = read('site/.vitepress/theme/Playground.vue');
  const run = read('site/test.mjs');
  const examples = readdirSync(join(root, 'site/examples')).map((name) => name.replace(/\.tsx?$/, ''));
  expect(examples.filter((name) => !offered.includes(`['${name}', `))).toEqual([]);
  expect(examples.filter((name) => !run.includes(`'${name}'`))).toEqual([]);
});

test('the start page has a picture for each scene that it names', () => {
  const [, list] = /const pictures = \[([\s\S]*?)\n\];/.exec(read('site/.vitepress/theme/Landing.vue'))!;
  const named = [...list!.matchAll(/^ {2}\['([\w-]+)'/gm)].map(([, id]) => id);
  const pictures = readdirSync(join(root, 'site/public/thumbs')).map((name) => name.replace('.jpg', ''));
  expect(named).toHaveLength(8);
  expect(named.filter((id) => !pictures.includes(id!))).toEqual([]);
});
