import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
// @ts-expect-error: plain JavaScript without declarations
import { bar, sections } from '../nav.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = (name: string) => join(root, 'dist', name);
const module = (name: string) => join(root, 'node_modules', name);

/** Nobody knows at build time where the site will lie: build.mjs puts relative addresses in place of this. */
export const BASE = '/__BASE__/';

/** Characters of a table's cell. */
const SENTENCE = 32;

const items = (entries: [string, string][]) => entries.map(([text, link]) => ({ text, link: `/${link}` }));
const menu: DefaultTheme.SidebarItem[] = sections.map(
  (section: { text: string; items: [string, string][] }) => ({
    text: section.text,
    items: items(section.items),
  }),
);

/** Written by reference.mjs beside its pages. */
const apiMenus: DefaultTheme.SidebarMulti = JSON.parse(
  readFileSync(join(root, 'site/.pages/api/menus.json'), 'utf8'),
);

const ICON = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, 'site/public/logo.svg'), 'utf8'))}`;

export default defineConfig({
  title: 'ricochet',
  description: 'Rigid body physics for the web: in a worker, deterministic, fast.',
  lang: 'en',
  base: BASE,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '../.cache/vitepress',
  cleanUrls: false,
  metaChunk: true,
  ignoreDeadLinks: [/\/demo\//, /\/lib\//, ...(process.env['SITE_PART'] ? [/\/api\//, /^\.\//] : [])],
  head: [
    ['link', { rel: 'icon', href: ICON }],
    ['meta', { name: 'theme-color', content: '#c9573c' }],
    // Before any other script: where this copy of the site lies.
    ['script', {}, `globalThis.__BASE__=new URL('__DEPTH__',document.baseURI).pathname`],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // As GitHub makes them of headings, and TypeDoc: links in the documents are right in both places.
    anchor: {
      slugify: (text: string) =>
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replace(/\s/g, '-'),
    },
    config(md) {
      // Documents are no templates: braces in them are braces.
      const text = md.renderer.rules.text!;
      md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
      // Cells with sentences keep a width to read them in: on a phone their table is scrolled instead.
      md.core.ruler.push('sentences', ({ tokens }) => {
        for (const [i, token] of tokens.entries())
          if (token.type === 'td_open' && tokens[i + 1]!.content.length > SENTENCE)
            token.attrJoin('class', 'sentence');
      });
      const { code_inline } = md.renderer.rules;
      md.renderer.rules.code_inline = (tokens, i, options, env, self) => {
        tokens[i]!.attrSet('v-pre', '');
        return code_inline!(tokens, i, options, env, self);
      };
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: items(bar),
    sidebar: { '/docs/': menu, '/source/': menu, ...apiMenus },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // Of the reference only names: its text would be five times that of the documents.
        _render(source, env, md) {
          if (env.frontmatter?.['search'] === false) return '';
          const html = md.render(source, env);
          if (env.frontmatter?.['search'] === false) return '';
          if (!env.relativePath.startsWith('api/')) return html;
          const [title] = /<h1[\s\S]*?<\/h1>/.exec(html) ?? [''];
          const [first] = /<p>[\s\S]*?<\/p>/.exec(html) ?? [''];
          return `${title}<p>Reference</p>${first}`;
        },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
    footer: { message: 'MIT licence. The same bits on every machine.' },
    externalLinkIcon: false,
  },
  vite: {
    define: { 'import.meta.env.BASE_URL': 'globalThis.__BASE__' },
    resolve: {
      alias: [
        {
          find: /^\.\/components\/VPSidebar\.vue$/,
          replacement: fileURLToPath(new URL('./theme/lazySidebar.ts', import.meta.url)),
        },
        ...[
          'worker',
          'cooking',
          'geometry',
          'three',
          'debug',
          'replay',
          'character',
          'ammo',
          'react',
          'gltf',
        ].map((name) => ({
          find: `ricochet/${name}`,
          replacement: dist(`${name}.js`),
        })),
        { find: /^ricochet$/, replacement: dist('index.js') },
        { find: /^three$/, replacement: module('three/build/three.module.js') },
        { find: /^three\/examples\/jsm\//, replacement: `${module('three/examples/jsm')}/` },
        { find: /^comlink$/, replacement: module('comlink/dist/esm/comlink.mjs') },
      ],
    },
    worker: { format: 'es' },
    build: { target: 'es2022', chunkSizeWarningLimit: 8000, minify: 'esbuild' },
    experimental: {
      renderBuiltUrl(filename, { hostType, ssr }) {
        if (ssr) return `${BASE}${filename}`;
        if (hostType === 'js') return { runtime: `globalThis.__BASE__+${JSON.stringify(filename)}` };
        return { relative: true };
      },
    },
  },
});
