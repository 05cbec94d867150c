import { createBackend } from '@memory-read/example-backend-for-frontend';
import { createInMemoryStore } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, mediaFrom } from '@memory-read/test-kit/memory-service';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { buildViewer } from './build-viewer.ts';
import { longRecording, silence } from './long-recording.ts';
import { watchPage } from './watch-page.ts';

const SECONDS = 3600;
const recording = longRecording(SECONDS, 'talk.wav');

const dist = makeFolder(afterAll);
const chromium = useChromium();
let apiKey: string;
let api: RunningServer;
let backend: RunningServer;
let page: Page;
let problems: string[];

beforeAll(() => buildViewer(dist));

// Starts the reference server, and the backend that uses an API key of it and serves the pages.
beforeEach(async () => {
  const store = createInMemoryStore();
  ({ key: apiKey } = await addAccount(store, 'user_1', [recording]));
  api = await serveMemories(store, { source: mediaFrom(() => silence(SECONDS)) });
  const app = createBackend({ apiUrl: api.url, apiKey, pages: dist, onError: () => {} });
  backend = await serve({ fetch: (request) => app.fetch(request), port: 0, onError: () => {} });
  page = await chromium().browser.newPage({ locale: 'en-GB' });
  problems = watchPage(page, [backend.url, api.url]);
});
afterEach(async () => {
  await page.close();
  await backend.close();
  await api.close();
});

test('list, memory, player and transcript work on the reference server, and the key never reaches the browser', async () => {
  const received: string[] = [];
  page.on('response', async (response) => {
    // Rejects for a response that arrives while the page closes, as ranges of the recording do.
    const headers = await response.allHeaders().catch(() => ({}));
    received.push(JSON.stringify(headers));
    if (response.url().includes('/api/')) received.push(await response.text().catch(() => ''));
  });
  await page.goto(backend.url);
  await page.getByRole('link', { name: 'A long talk' }).click();
  await page.getByRole('link', { name: 'This is minute 7.' }).click();
  await expect.poll(playedSeconds).toBeGreaterThan(420);
  expect(await page.locator('.line[aria-current]').textContent()).toContain('This is minute 7.');
  expect(problems).toEqual([]);
  expect(received.length).toBeGreaterThan(5);
  expect(received.join()).not.toContain(apiKey);
});

function playedSeconds(): Promise<number> {
  return page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
}
