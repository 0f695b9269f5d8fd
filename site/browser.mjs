// The browser in which the site is tried and photographed: without a graphics card, with WebGL drawn by software.
import { chromium } from 'playwright-core';
import { ensureChromium } from '../scripts/find-chromium.mjs';

/** @returns {Promise<import('playwright-core').Browser>} */
export const launchBrowser = () =>
  chromium.launch({
    executablePath: ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  });
