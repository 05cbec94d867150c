import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../make-folder.ts';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { buildViewer } from './build-viewer.ts';
import { longRecording, silence } from './long-recording.ts';
import { type MemoryService, startMemoryService } from './start-memory-service.ts';
import { watchPage } from './watch-page.ts';

const SECONDS = 3600;
const HOUR_AND_A_MINUTE = 61 * 60_000;
const recording = longRecording(SECONDS, 'talk.wav');

const dist = makeFolder(afterAll);
const chromium = useChromium();
let service: MemoryService;
let page: Page;
let problems: string[];

beforeAll(() => buildViewer(dist));

beforeEach(async () => {
  service = await startMemoryService(dist, { 'talk.wav': silence(SECONDS) });
  await service.put(recording);
  page = await chromium().browser.newPage({ locale: 'en-GB' });
  problems = watchPage(page, [service.url, service.apiUrl]);
});
afterEach(async () => {
  await page.close();
  await service[Symbol.asyncDispose]();
});

test('list, memory, player and transcript work on the reference server, and the key never comes to the browser', async () => {
  const received: string[] = [];
  page.on('response', async (response) => {
    received.push(JSON.stringify(await response.allHeaders()));
    if (response.url().includes('/api/')) received.push(await response.text().catch(() => ''));
  });
  await page.goto(service.url);
  await page.getByRole('link', { name: 'A long talk' }).click();
  await page.getByRole('link', { name: 'This is minute 7.' }).click();
  await expect.poll(playedSeconds).toBeGreaterThan(420);
  expect(await page.locator('.line[aria-current]').textContent()).toContain('This is minute 7.');
  expect(problems).toEqual([]);
  expect(received.length).toBeGreaterThan(5);
  expect(received.join()).not.toContain(service.apiKey);
});

test.each([
  ['by a line', () => page.getByRole('link', { name: 'This is minute 55.' }).click()],
  [
    'by the browser itself',
    () => page.locator('video').evaluate((video: HTMLVideoElement) => Object.assign(video, { currentTime: 3300 })),
  ],
])(
  'where the next part is needed after an hour, %s, a fresh URL gives it, and the playing goes on there',
  async (_, go) => {
    await page.clock.install();
    await page.goto(`${service.url}/#/mem_long`);
    await page.getByRole('link', { name: 'This is minute 1.' }).click();
    await expect.poll(playedSeconds).toBeGreaterThan(60);
    service.clock.advance(HOUR_AND_A_MINUTE);
    await page.clock.fastForward(HOUR_AND_A_MINUTE);
    await go();
    await expect.poll(playedSeconds).toBeGreaterThan(55 * 60 + 0.2);
    expect(await playedSeconds()).toBeLessThan(56 * 60);
    expect(await page.locator('.line[aria-current]').textContent()).toContain('This is minute 55.');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  },
);

test('a key that the API refuses is told with what to do, in the list and by a memory', async () => {
  await service.store.revokeApiKey(service.keyId);
  await page.goto(service.url);
  await page.getByRole('alert').getByText('This server is not allowed to read your memories.').waitFor();
  await page.goto(`${service.url}/#/mem_long`);
  await page.getByRole('main').getByRole('alert').getByText('No access').waitFor();
});

test('a memory that is not there, and a network that is gone and comes back', async () => {
  await page.goto(`${service.url}/#/mem_none`);
  await page.getByRole('main').getByRole('alert').getByText('This memory is not here').waitFor();
  await page.context().setOffline(true);
  await page.evaluate(() => {
    location.hash = '#/mem_long';
  });
  await page.getByRole('main').getByRole('alert').getByText('No connection').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'A long talk' }).waitFor();
});

function playedSeconds(): Promise<number> {
  return page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
}
