import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startMockServer } from '@memory-read/msw/server';
import { type Page, request as requests } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { useChromium } from '../../../runtimes/browser/use-chromium.ts';

const args = ['--conditions=@memory-read/source', join(import.meta.dirname, 'backend.node.ts')];

// #region start
const mock = await startMockServer({ control: {} });
const env = { ...process.env, MEMORY_API_URL: mock.baseUrl, MEMORY_API_KEY: mock.apiKey };
const backend = spawn('node', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
const [url] = await once(createInterface(backend.stdout), 'line'); // the backend prints its URL

afterEach(() => mock.reset());
afterAll(async () => {
  backend.kill();
  await mock.close();
});
// #endregion

const chromium = useChromium();
let page: Page;
beforeEach(async () => {
  page = await chromium().browser.newPage();
});
afterEach(() => page.close());

// #region tests
test('shows the newest memory', async () => {
  mock.memories.add({ name: 'Stand-up' });
  await page.goto(url);
  await page.getByText('Stand-up').waitFor();
});

test('says that the service fails', async () => {
  mock.faults.always({ status: 503 });
  await page.goto(url);
  await page.getByText('Try again later').waitFor();
});

test('sends one request, with the key in its header', async () => {
  await page.goto(url);
  expect(mock.requests.map(({ path, keyIn }) => [path, keyIn])).toEqual([['/v1/memories', ['authorization']]]);
});
// #endregion

test('the control API takes requests of Playwright', async () => {
  const space = `${mock.controlUrl}/spaces/default`;
  const request = await requests.newContext();
  // #region request
  await request.post(`${space}/faults`, { data: { fault: { status: 503 }, times: 'always' } });
  await page.goto(url);
  await page.getByText('Try again later').waitFor();
  // #endregion
  await request.dispose();
  expect(mock.faults.all()).toHaveLength(1);
});
