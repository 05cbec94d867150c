import { createMemoryMock } from '@memory-read/msw/fetch';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useChromium } from '../../../runtimes/browser/use-chromium.ts';

// #region playwright
const mock = createMemoryMock({ baseUrl: 'https://app.example.com/api', auth: 'none' });

/** Passes requests for the API and its media to the mock, in the process of the test. */
async function routeToMock(page: Page): Promise<void> {
  await page.route(`${mock.baseUrl}/**`, async (route) => {
    const request = route.request();
    const init = { method: request.method(), headers: request.headers() };
    const response = await mock.fetch(request.url(), init).catch(() => undefined);
    const body = await response?.arrayBuffer().catch(() => undefined);
    if (!response || !body) return route.abort();
    const { status, headers } = response;
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: Buffer.from(body) });
  });
}
// #endregion

const html = `<!doctype html><ul></ul><script type="module">
  const list = document.querySelector('ul');
  const response = await fetch('/api/v1/memories').catch(() => undefined);
  const memories = response?.ok ? await response.json() : [{ name: 'Try again later' }];
  list.innerHTML = memories.map(() => '<li></li>').join('');
  memories.forEach(({ name }, index) => (list.children[index].textContent = name));
</script>`;

const chromium = useChromium();
let page: Page;
beforeEach(async () => {
  page = await chromium().browser.newPage();
  await page.route('https://app.example.com/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
});
afterEach(async () => {
  await page.close();
  mock.reset();
});

test('shows one line per memory', async () => {
  await routeToMock(page);
  mock.memories.add({ name: 'Stand-up' });
  await page.goto('https://app.example.com/');
  await page.getByText('Stand-up').waitFor();
  expect(await page.locator('li').count()).toBe(13);
});

test('shows an error when the API fails', async () => {
  await routeToMock(page);
  mock.faults.next('network-error');
  await page.goto('https://app.example.com/');
  await page.getByText('Try again later').waitFor();
});

test('shows an error when the connection is cut in the middle of the body', async () => {
  await routeToMock(page);
  mock.faults.next('cut');
  await page.goto('https://app.example.com/');
  await page.getByText('Try again later').waitFor();
});

test('media play behind a route, without CORS', async () => {
  await routeToMock(page);
  await page.goto('https://app.example.com/');
  const { id } = mock.memories.add();
  const seconds = await page.evaluate(async (memoryId) => {
    const memory = await (await fetch(`/api/v1/memories/${memoryId}`)).json();
    const video = document.createElement('video');
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve;
      video.onerror = () => reject(new Error(video.error?.message));
      video.src = memory.video_url;
    });
    video.currentTime = 125;
    await new Promise((resolve) => {
      video.onseeked = resolve;
    });
    return [Math.round(video.duration), video.currentTime];
  }, id);
  expect(seconds).toEqual([300, 125]);
});
