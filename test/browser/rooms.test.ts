// The page of rooms in two windows of a Chromium: they play in one world; when the one with the server closes, the other
// goes on. The page over Colyseus is `npm run rooms`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../sources';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

describe('the page of rooms', () => {
  const site = useSite();

  browserTest('two windows play in one world, and one goes on when the other closes', async () => {
    const address = 'rooms.html?delay=40&jitter=20&loss=3&crates=12&room=test';
    const first = await site.open(address, 640, 480);
    await first.page.waitForFunction(() => window.ricochetRoom?.links[0]?.client.isJoined);
    const second = await first.page.context().newPage();
    await second.goto(first.page.url());
    await second.waitForFunction(() => window.ricochetRoom?.links[0]?.client.isJoined);
    await first.page.waitForFunction(() => document.querySelector('#player')?.textContent?.includes('of 2'));
    const agreed = () => second.evaluate(() => window.ricochetRoom.links[0]!.client.stats.agreed);
    await expect.poll(agreed).toBeGreaterThan(2);
    mkdirSync(join(root, 'test/out'), { recursive: true });
    await second.screenshot({ path: join(root, 'test/out/rooms.jpg'), type: 'jpeg', quality: 88 });
    const before = await agreed();
    await first.page.close();
    await second.waitForFunction(() => document.querySelector('#place')?.textContent === 'in this window');
    await expect.poll(agreed).toBeGreaterThan(before + 1);
    expect(await second.evaluate(() => window.ricochetRoom.links[0]!.client.stats.desyncs)).toBe(0);
    expect(first.complaints).toEqual([]);
    await second.close();
  });
});
