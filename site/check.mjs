// What VitePress would refuse in a page, without building the site: node site/check.mjs. In: the pages. Out: those whose
// Markdown makes no valid template.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMarkdownRenderer, resolveConfig } from 'vitepress';
import { compileTemplate } from 'vue/compiler-sfc';
import { pagesOfSite } from './pages.mjs';

const site = dirname(fileURLToPath(import.meta.url));
const config = await resolveConfig(site); // needs the pages of a build
const md = await createMarkdownRenderer(join(site, '.pages'), config.markdown, '/', console);
let refused = 0;
const pages = pagesOfSite();
for (const [page, text] of pages) {
  if (page.startsWith('source/')) continue;
  const html = md.render(text.replace(/^---\n[\s\S]*?\n---\n/, ''), {
    path: page,
    relativePath: page,
    cleanUrls: false,
  });
  const { errors } = compileTemplate({ source: `<div>${html}</div>`, filename: page, id: page });
  if (errors.length === 0) continue;
  refused++;
  console.log(`${page}: ${errors.map((error) => error.message ?? error).join('; ')}`);
}
console.log(`${pages.size} pages, ${refused} refused`);
process.exit(refused ? 1 : 0);
