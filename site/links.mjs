// Every link and every file that the built pages name. In: site/dist. Out: those that are not there, as `page: target`.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const idsOf = (html) => new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id]) => id));

export const pagesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html') && name !== '404.html' && !name.startsWith('lib/'))
    .sort();

/** @returns {{ links: number, dead: string[] }} */
export function checkLinks(folder) {
  const ids = new Map();
  const dead = new Set();
  let links = 0;
  for (const page of pagesOf(folder)) {
    const html = readFileSync(join(folder, page), 'utf8');
    ids.set(page, idsOf(html));
  }
  for (const page of pagesOf(folder)) {
    const html = readFileSync(join(folder, page), 'utf8').replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');
    for (const [, raw] of html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      const target = raw.replaceAll('&amp;', '&');
      if (/^(data:|https?:|mailto:|javascript:)/.test(target)) continue;
      links++;
      if (target.startsWith('/')) dead.add(`${page}: ${target} (starts at the top of the host)`);
      const [, path, , anchor] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/.exec(target);
      const named = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)));
      const file = join(folder, named);
      const found = existsSync(file) && statSync(file).isDirectory() ? join(named, 'index.html') : named;
      if (!existsSync(join(folder, found))) dead.add(`${page}: ${target}`);
      else if (
        anchor &&
        ids.has(found) &&
        !found.startsWith('demo/') &&
        !ids.get(found).has(decodeURIComponent(anchor))
      )
        if (!/^(VPContent|scene=|code=)/.test(anchor)) dead.add(`${page}: ${target} (no such heading)`);
    }
  }
  return { links, dead: [...dead] };
}
