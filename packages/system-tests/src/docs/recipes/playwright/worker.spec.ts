// #region worker
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type MockServer, startMockServer } from '@memory-read/msw/server';
import { test as base, expect } from '@playwright/test';

const test = base.extend<{ mock: MockServer }, { backend: { server: MockServer; url: string } }>({
  backend: [
    async ({}, use) => {
      const server = await startMockServer();
      const env = { ...process.env, PORT: '0', MEMORY_API_URL: server.baseUrl, MEMORY_API_KEY: server.apiKey };
      const child = spawn('node', ['backend.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const [url] = await once(createInterface(child.stdout), 'line'); // the backend prints its URL
      await use({ server, url });
      child.kill();
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ backend }, use) => use(backend.url),
  mock: async ({ backend: { server } }, use) => {
    await use(server);
    server.reset();
  },
});
// #endregion

// #region tests
test('shows the newest memory', async ({ page, mock }) => {
  mock.memories.add({ name: 'Stand-up' });
  await page.goto('/');
  await expect(page.getByText('Stand-up')).toBeVisible();
});

test('says that the service fails', async ({ page, mock }) => {
  mock.faults.always({ status: 503 });
  await page.goto('/');
  await expect(page.getByText('Try again later')).toBeVisible();
});

test('sends one request, with the key in its header', async ({ page, mock }) => {
  await page.goto('/');
  const sent = () => mock.requests.map(({ path, keyIn }) => [path, keyIn]);
  await expect.poll(sent).toEqual([['/v1/memories', ['authorization']]]);
});
// #endregion
