// The client from its sources in a page of the demo's server, isolated like it: for what only a browser can
// answer. The page offers `window.runtime`, see ../runtime/page.ts.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { beforeAll } from 'vitest';
import { root } from '../../sources';
import type {} from '../runtime/page';
import { hasChromium } from './chromium';
import { type Site, useSite } from './site';

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export class RuntimePages {
  private readonly folder = join(root, 'test/out/runtime');

  constructor(readonly site: Site) {}

  /** Bundles what the pages load; once per test file. */
  async prepare(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    await this.bundle({ page: 'test/browser/runtime/page.ts' });
    await this.bundle({ 'physics.worker': 'worker/physics.worker.ts' });
    await this.bundle({ 'cooking.worker': 'worker/cooking.worker.ts' });
    await this.bundle({ skippingWorker: 'test/worker/skippingWorker.ts' });
    await this.bundle({ frameWriter: 'test/worker/frameWriter.ts' });
  }

  private async bundle(input: Record<string, string>): Promise<void> {
    const build = await rolldown({
      cwd: root,
      input,
      platform: 'neutral',
      external: [/^node:/],
      resolve: {
        mainFields: ['module', 'main'],
        alias: {
          'ricochet/cooking': join(root, 'src/cooking/index.ts'),
          ricochet: join(root, 'src/index.ts'),
        },
      },
      logLevel: 'silent',
    });
    await build.write({ dir: this.folder, format: 'es', entryFileNames: '[name].mjs' });
    await build.close();
  }

  /** A page of its own, closed after the test. */
  async open(): Promise<Page> {
    const { page } = await this.site.empty(400, 300);
    await page.route('**/runtime/*', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
      const html = name === 'index.html';
      return route.fulfill({
        body: html
          ? '<!doctype html><script type="module" src="/runtime/page.mjs"></script>'
          : readFileSync(join(this.folder, name), 'utf8'),
        contentType: html ? 'text/html' : 'text/javascript',
        headers: HEADERS,
      });
    });
    await page.goto(`${this.site.server.url}runtime/index.html`);
    await page.waitForFunction(() => window.runtime !== undefined);
    return page;
  }
}

/** For a file, or a describe. */
export function useRuntimePages(): RuntimePages {
  const pages = new RuntimePages(useSite());
  beforeAll(async () => {
    if (hasChromium) await pages.prepare();
  });
  return pages;
}
