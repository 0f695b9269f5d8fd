// The demo's pages on a phone that lies on its side: what is to be read, pressed and steered is in view, and nothing of
// it lies over something else.
import { describe, expect } from 'vitest';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

/** px. Corners of round buttons may meet. */
const MEETS = 4;

/** What of the page is out of view, and what lies over what. */
function crossings(meets: number): string[] {
  const seen = [...document.querySelectorAll('button, input, fieldset, label, dl div, #stick, #dash')]
    .filter((part) => part.checkVisibility())
    .map((part) => ({ part, name: part.id || part.textContent?.trim(), box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const found = seen
    .filter(({ box }) => Math.min(box.left, box.top, innerWidth - box.right, innerHeight - box.bottom) < -1)
    .map(({ name }) => `${name} is out of view`);
  for (const a of seen)
    for (const b of seen) {
      if (seen.indexOf(a) >= seen.indexOf(b) || a.part.contains(b.part)) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > meets && high > meets) found.push(`${a.name} and ${b.name}`);
    }
  return found;
}

describe('a phone on its side', () => {
  const site = useSite();

  for (const name of ['index', 'rooms', 'harbour', 'character', 'driving', 'react', 'siege'])
    browserTest(`${name}: has room for everything`, async () => {
      const viewport = { width: 740, height: 340 };
      const context = await site.browser.newContext({ viewport, hasTouch: true, isMobile: true });
      try {
        const page = await context.newPage();
        await page.goto(`${site.server.url}${name}.html`);
        await page.waitForTimeout(2000); // cards are filled with figures
        expect(await page.evaluate(crossings, MEETS)).toEqual([]);
      } finally {
        await context.close();
      }
    });
});
