import { join } from 'node:path';
import { expectParity } from '@memory-read/integration-tests/parity/expect-parity';
import { test } from 'vitest';
import { useMockPage } from '../mock/run-mock.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { createPageHost } from './hosts/create-page-host.ts';

const chromium = useChromium();

test('the mock in a service worker returns the responses of the golden files to a page', async () => {
  const script = join(import.meta.dirname, 'hosts', 'world.page.ts');
  await useMockPage(chromium().browser, 'msw', script, (page, url) => expectParity(createPageHost(page, `${url}/api`)));
});
