// Where a page comes from: under a strict content security policy, and from a static host that sends no headers.
// In: the built torture page. Out: that it runs, over which transport, and what it says where it cannot.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { browserTest, hasChromium, launch, openPage } from './support/chromium';
import { type StaticServer, serveDemo } from './support/server';

/** docs/worker.md: nothing but scripts and workers of the page's own origin, and WebAssembly; styles are the demo's. */
const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'unsafe-inline'; img-src data:";

const runs = (page: Page) =>
  page.waitForFunction(() => window.torture?.physics.stats.steps > 20, undefined, { timeout: 30_000 });

describe('hosting', () => {
  let browser: Browser;
  beforeAll(async () => {
    if (hasChromium) browser = await launch();
  });
  afterAll(() => browser?.close());

  async function at(
    server: StaticServer,
    query: string,
    use: (page: Page, complaints: string[]) => Promise<void>,
  ): Promise<void> {
    const { page, complaints } = await openPage(browser, 800, 600);
    await page.goto(`${server.url}torture.html${query}`);
    await use(page, complaints);
    await page.context().close();
  }

  browserTest('a strict policy: runs over every transport, with WebAssembly and no eval', async () => {
    const server = await serveDemo(true, { 'Content-Security-Policy': STRICT });
    for (const transport of ['shared', 'messages', 'page'])
      await at(server, `?transport=${transport}`, async (page, complaints) => {
        await runs(page);
        expect(await page.evaluate(() => window.torture.physics.transport)).toBe(transport);
        // The policy is in force: asked in a task of its own, because the debugger's own calls may use eval.
        const evil = await page.evaluate(
          () =>
            new Promise((resolve) => {
              setTimeout(() => {
                try {
                  resolve(new Function('return 1')());
                } catch (error) {
                  resolve((error as Error).name);
                }
              });
            }),
        );
        expect(evil).toBe('EvalError');
        expect(complaints).toEqual([]);
      });
    await server.close();
  });

  browserTest('a policy without WebAssembly: says so, at once, by a typed error', async () => {
    const policy = STRICT.replace(" 'wasm-unsafe-eval'", '');
    const server = await serveDemo(true, { 'Content-Security-Policy': policy });
    for (const transport of ['shared', 'page'])
      await at(server, `?transport=${transport}`, async (_page, complaints) => {
        await expect.poll(() => complaints.find((text) => text.startsWith('uncaught'))).toBeTruthy();
        const text = complaints.find((line) => line.startsWith('uncaught'));
        expect(text).toContain('the core could not be compiled');
        expect(text).toContain('Content Security Policy');
      });
    await server.close();
  });

  browserTest('a static host without headers: messages, or shared memory by the service worker', async () => {
    const server = await serveDemo(false);
    await at(server, '', async (page) => {
      await runs(page);
      expect(await page.evaluate(() => [window.torture.physics.transport, crossOriginIsolated])).toEqual([
        'messages',
        false,
      ]);
    });
    await at(server, '?isolate=1', async (page, complaints) => {
      await page.waitForFunction(() => crossOriginIsolated, undefined, { timeout: 30_000 });
      await runs(page);
      expect(await page.evaluate(() => window.torture.physics.transport)).toBe('shared');
      // Once for all: the next visit is isolated from its first request.
      await page.reload();
      await runs(page);
      expect(await page.evaluate(() => window.torture.physics.transport)).toBe('shared');
      expect(complaints).toEqual([]);
    });
    await server.close();
  });
});
