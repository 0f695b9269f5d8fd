// A Chromium with an empty profile that draws by software, for the commands of this folder.
import { chromium } from 'playwright-core';
import { findChromium, HOW_TO_FIX } from '../find-chromium.mjs';

export { HOW_TO_FIX };

/** null where there is none. */
export async function launch() {
  const executablePath = findChromium();
  if (executablePath === '') return null;
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-gpu-watchdog',
    ],
    timeout: 180_000,
  });
}

export const close = (browser) => browser.close();
