// A Chromium with an empty profile and software WebGL, and pages that remember what they complained of.
import { type Browser, chromium, type Page } from 'playwright-core';
import { test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { findChromium, HOW_TO_FIX } from '../../../scripts/find-chromium.mjs';

const path: string = findChromium();
if (path === '') {
  if (process.env['CI']) throw new Error(HOW_TO_FIX);
  console.warn(`Browser tests are skipped.\n${HOW_TO_FIX}`);
}

/** `test` where there is a Chromium; skipped, with the reason printed, where there is none. */
export const browserTest = path === '' ? test.skip : test;
export const hasChromium = path !== '';

/** ms. Nothing here is about how fast a browser starts or loads: a busy machine may take its time. */
const PATIENCE = 180_000;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Drawing by software on a busy machine takes seconds: no reason to end the process that does it.
  '--disable-gpu-watchdog',
  '--disable-hang-monitor',
];

/** Playwright makes an empty profile for every launch, talks to it through a pipe, and removes the profile on close. */
export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: path,
    headless: true,
    args: FLAGS,
    timeout: PATIENCE,
  });
  browser.on('disconnected', () => {
    if (!closing.has(browser)) console.error(`CHROMIUM IS GONE: ${path} ended while tests used it`);
  });
  return browser;
}

const closing = new WeakSet<Browser>();

export async function close(browser: Browser | undefined): Promise<void> {
  if (browser === undefined) return;
  closing.add(browser);
  await browser.close();
}

export interface WatchedPage {
  page: Page;
  /** Console errors and warnings of the page itself, uncaught exceptions, failed requests. */
  complaints: string[];
}

/** Said by the driver of the software renderer about reading pixels for a screenshot, not by the page. */
const DRIVER = /GL Driver Message|GPU stall due to ReadPixels/;

export async function openPage(browser: Browser, width = 1280, height = 720): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const bad = message.type() === 'error' || message.type() === 'warning';
    if (bad && !DRIVER.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('crash', () => {
    complaints.push(`crashed: ${page.url()}`);
    console.error(`THE PAGE CRASHED: ${page.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // What was still on its way when the page went elsewhere, or a worker was ended, is nobody's fault.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`);
  });
  return { page, complaints };
}
