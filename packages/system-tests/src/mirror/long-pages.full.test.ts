import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { openClient } from './open-client.ts';

const SEGMENTS = 100_000;

const folder = makeFolder(afterAll);
const chromium = useChromium();
let page: Page;
let errors: string[];

beforeAll(async () => {
  const { client } = await openClient(records());
  const mirror = await openMirror({ folder });
  await mirror.sync(client);
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
});

beforeEach(async () => {
  errors = [];
  page = await chromium().browser.newPage();
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  return () => page.close();
});

test('a hit at the end of 100,000 segments opens at its line', async () => {
  await search('lighthouse', '1 place');
  await page.locator('.hit').click();
  await page.locator('.line.found', { hasText: 'the lighthouse' }).waitFor();
  expect(await page.locator('.line').count()).toBeLessThan(SEGMENTS / 10);
  expect(errors).toEqual([]);
});

test('places are shown by fifties', async () => {
  await search('tea', 'The first 50 places');
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('status').getByText('The first 100 places').waitFor();
  expect(await page.locator('.hit').count()).toBe(100);
  expect(errors).toEqual([]);
});

test('a text of 5 million characters and 150,000 takeaways are found and shown', async () => {
  await search('words zanzibar', '1 place');
  await page.locator('.hit').click();
  await page.locator('.line.found', { hasText: 'zanzibar' }).waitFor();
  await search('takeaway 60000', '1 place');
  await page.locator('.hit').click();
  await expect.poll(() => page.locator('article li').count()).toBe(150_000);
  expect(errors).toEqual([]);
});

test('counts and the nearest memories come from texts of any length', async () => {
  await search('tea nowhere', 'Nothing found.');
  expect(await page.locator('.counts li').allTextContents()).toEqual([
    '“tea” is in 3 memories.',
    '“nowhere” is in 0 memories.',
  ]);
  expect(await page.locator('.nearest .hit strong').allTextContents()).toEqual(['Many', 'Long', 'Takeaways']);
  expect(errors).toEqual([]);
});

test('a new search ends the one before', async () => {
  await page.getByLabel('Search').fill('nowhere');
  await page.getByRole('status').getByText('Searching 2026-08 …').waitFor();
  await search('zanzibar', '1 place');
  // The search before would end with its counts.
  await search('lighthouse', '1 place');
  expect(await page.locator('.counts').count()).toBe(0);
  expect(errors).toEqual([]);
});

/** Searches for words, and waits for the status. */
async function search(words: string, status: string): Promise<void> {
  await page.getByLabel('Search').fill(words);
  await page.getByRole('heading', { level: 1, name: `Memories with ${words}` }).waitFor();
  await page.getByRole('status').getByText(status, { exact: true }).waitFor({ timeout: 100_000 });
}

function records() {
  const at = (second: number) => new Date(Date.parse('2026-08-20T10:00:00Z') + second * 1000).toISOString();
  const segment = (second: number, text: string) => {
    return { speaker: `Speaker ${Math.floor(second / 1000) % 2}`, start_at: at(second), end_at: at(second + 1), text };
  };
  const many = Array.from({ length: SEGMENTS }, (_, second) => segment(second, `we talk about the tea ${second}`));
  const long = `${'tea with words '.repeat(333_333)}zanzibar`;
  const takeaways = Array.from({ length: 150_000 }, (_, index) => `takeaway of tea ${index}`);
  const started = (second: number) => ({ started_at: at(second), ended_at: at(second) });
  return [
    sampleRecord({
      id: 'many',
      name: 'Many',
      ...started(0),
      transcript: { segments: [...many, segment(SEGMENTS, 'the lighthouse')] },
    }),
    sampleRecord({ id: 'long', name: 'Long', ...started(-60), transcript: { segments: [segment(0, long)] } }),
    sampleRecord({
      id: 'takeaways',
      name: 'Takeaways',
      ...started(-120),
      summary: { quick_summary: 'Short.', key_takeaways: takeaways },
    }),
  ];
}
