import { expect, test } from '@playwright/test';

const space = 'http://127.0.0.1:8791/spaces/default';

test.afterEach(({ request }) => request.post(`${space}/reset`));

test('says that the service fails', async ({ page, request }) => {
  const data = { fault: { status: 503 }, times: 'always' };
  await expect(await request.post(`${space}/faults`, { data })).toBeOK();
  await page.goto('/');
  await expect(page.getByText('Try again later')).toBeVisible();
});

test('shows the newest memory', async ({ page, request }) => {
  const data = { memory: { name: 'Stand-up' } };
  await expect(await request.post(`${space}/memories`, { data })).toBeOK();
  await page.goto('/');
  await expect(page.getByText('Stand-up')).toBeVisible();
});
