import { join } from 'node:path';
import { expectParity } from '@memory-read/integration-tests/parity/expect-parity';
import { expect, test } from 'vitest';
import { serveMockPage } from '../runtimes/browser/serve-mock-page.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { createPageHost } from './hosts/create-page-host.ts';

const chromium = useChromium();

test.each(['msw', 'msw-2'] as const)(
  'the mock in a service worker of %s returns the responses of the golden files to a page',
  async (msw) => {
    await using site = await serveMockPage(msw, join(import.meta.dirname, 'hosts', 'world.page.ts'));
    const page = await chromium().browser.newPage();
    await page.goto(site.url);
    // A string, because Vitest would rewrite an import inside a function.
    await page.evaluate("import('/page.js')");
    await expectParity(createPageHost(`page with ${msw}`, page, `${site.url}/api`));
    expect(site.leaked).toEqual([]);
  },
);
