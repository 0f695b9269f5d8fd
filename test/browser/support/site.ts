// What every file of tests in the browser needs. In: nothing. Out: a Chromium and the built demo on a server of its own
// while the file runs, and pages that are closed after each test, also after one that failed: what still ran in them
// would keep the machine busy for all that follow.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { close, hasChromium, launch, openPage, type WatchedPage } from './chromium';
import { type StaticServer, serveDemo } from './server';

export class Site {
  browser!: Browser;
  server!: StaticServer;
  private pages: WatchedPage[] = [];
  private servers: StaticServer[] = [];

  /** Opens `path` below the server's address. */
  async open(path: string, width = 800, height = 600): Promise<WatchedPage> {
    const watched = await this.empty(width, height);
    await watched.page.goto(`${this.server.url}${path}`);
    return watched;
  }

  /** Another server, which ends with the test. */
  async serve(starting: Promise<StaticServer>): Promise<StaticServer> {
    const server = await starting;
    this.servers.push(server);
    return server;
  }

  async empty(width = 800, height = 600): Promise<WatchedPage> {
    const watched = await openPage(this.browser, width, height);
    this.pages.push(watched);
    return watched;
  }

  /** @param failed  a test did: what the pages said may tell why */
  async closeAll(failed: boolean): Promise<void> {
    for (const { page, complaints } of this.pages.splice(0)) {
      if (failed) console.error(`${page.url()} said: ${complaints.join('\n  ') || 'nothing'}`);
      await page.context().close();
    }
    for (const server of this.servers.splice(0)) await server.close();
  }
}

/** For a file, or a describe. */
export function useSite(): Site {
  const site = new Site();
  beforeAll(async () => {
    if (!hasChromium) return;
    [site.browser, site.server] = await Promise.all([launch(), serveDemo()]);
  });
  afterEach(({ task }) => site.closeAll(task.result?.state === 'fail'));
  afterAll(async () => {
    await close(site.browser);
    await site.server?.close();
  });
  return site;
}
