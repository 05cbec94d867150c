import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type LaunchedChromium, launchChromium } from '../runtimes/browser/launch-chromium.ts';
import { serveMockPage } from '../runtimes/browser/serve-mock-page.ts';
import { expectParity } from './expect-parity.ts';
import { createPageHost } from './hosts/create-page-host.ts';

let chromium: LaunchedChromium;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium?.close());

test.each(['msw', 'msw-2'] as const)(
  'the mock in a service worker of %s answers a page as the golden files have it',
  async (msw) => {
    const site = await serveMockPage(msw, join(import.meta.dirname, 'hosts', 'world.page.ts'));
    onTestFinished(() => site[Symbol.asyncDispose]());
    const page = await chromium.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(site.url);
    // A text, because vitest rewrites what imports.
    await page.evaluate("import('/page.js')");
    await expectParity(createPageHost(`page with ${msw}`, page, `${site.url}/api`));
    expect(site.leaked).toEqual([]);
  },
);
