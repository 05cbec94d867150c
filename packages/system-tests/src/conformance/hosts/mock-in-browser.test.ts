import { join } from 'node:path';
import type { ConformanceReport } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { serveMockPage } from '../../runtimes/browser/serve-mock-page.ts';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { expectConformance } from './expect-conformance.ts';

/** Declared by the script of the page. */
declare function checkMock(): Promise<ConformanceReport>;

const chromium = useChromium();

test.each([
  ['msw', 'msw-3-browser'],
  ['msw-2', 'msw-2-browser'],
] as const)('the mock follows every rule and every decision in a service worker, with %s', async (msw, host) => {
  await using site = await serveMockPage(msw, join(import.meta.dirname, 'mock.page.ts'));
  const page = await chromium().browser.newPage();
  await page.goto(site.url);
  // A string, because Vitest would rewrite an import inside a function.
  await page.evaluate("import('/page.js')");
  const report = await page.evaluate(() => checkMock());
  expect(site.leaked).toEqual([]);
  expectConformance(host, report);
});
