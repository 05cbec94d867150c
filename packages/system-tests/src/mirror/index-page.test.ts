import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MemoryClient } from '@memory-read/client';
import { sampleMedia } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../runtimes/browser/find-violations.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';

const hostile = '</script><img src=x onerror="document.title=1">\u2028<!--<script>\u2029&amp;\0\u202e "quoted" \\u003c';
const baseUrl = 'https://api.example.com';

// A path with special characters of URLs.
const parent = mkdtempSync(join(tmpdir(), 'memory-read-test-'));
const folder = join(parent, 'my #1 mirror ? 100%25');
const chromium = useChromium();

beforeAll(async () => {
  mkdirSync(folder);
  const mirror = await openMirror({ folder });
  await mirror.sync(await openClient(), { media: true });
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));
afterEach(async () => {
  for (const context of chromium().browser.contexts()) await context.close();
});

test('lists the memories by day, newest first', async () => {
  const { page, problems } = await openIndex();
  expect(await page.locator('.row strong').allTextContents()).toEqual(['Talk', shown(hostile), 'Old tea']);
  expect(await page.getByRole('heading', { level: 1, name: 'Memories' }).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(3);
  expect(problems).toEqual([]);
});

test('finds words in every kind of text, ignores accents, and opens a hit at its position', async () => {
  const { page, problems } = await openIndex();
  await search(page, 'CAFE creme');
  await page.getByRole('status').filter({ hasText: '1 place' }).waitFor();
  expect(await page.locator('.hit mark').allTextContents()).toEqual(['Café', 'crème']);
  await page.locator('.hit').click();
  await page.locator('.line.found', { hasText: 'Café crème' }).waitFor();
  expect(await page.locator('audio').evaluate((player: HTMLAudioElement) => player.currentTime)).toBe(1);
  await page.goBack();
  await page.locator('.hit').waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('CAFE creme');
  for (const [words, places] of [
    ['talk', '1 place'],
    ['summarised', '1 place'],
    ['takeaway', '1 place'],
    ['昨日', '1 place'],
    ['tea', '2 places'],
    ['nowhere', 'Nothing found.'],
    ['!?', 'Nothing found.'],
  ] as const) {
    await search(page, words);
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${places}$`) })
      .waitFor();
  }
  expect(problems).toEqual([]);
});

test('plays a recording from a line, and marks the current one', async () => {
  const { page, problems } = await openIndex();
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.locator('button.line', { hasText: 'Two' }).click();
  await expect.poll(() => page.locator('audio').evaluate((player: HTMLAudioElement) => player.ended)).toBe(true);
  await page.locator('.line[aria-current]', { hasText: '昨日京都で会議' }).waitFor();
  expect(await page.locator('audio').evaluate((player: HTMLAudioElement) => player.duration)).toBeCloseTo(2, 1);
  expect(problems).toEqual([]);
});

test('shows HTML and ends of scripts as text', async () => {
  const { page, problems } = await openIndex();
  await page.getByRole('link', { name: 'script' }).click();
  await page.locator('.line', { hasText: '</script>' }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(shown(hostile));
  expect(await page.locator('.line span:last-child').textContent()).toContain('<img src=x onerror="document.title=1">');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toBe(`${shown(hostile)} · Memories`);
  await search(page, 'onerror');
  await page.getByRole('status').filter({ hasText: '4 places' }).waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('can be used with the keyboard alone', async () => {
  const { page } = await openIndex();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('creme');
  await page.locator('.hit').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.line.found').waitFor();
});

test('explains an invalid address and a missing script', async () => {
  const { page, url } = await openIndex();
  await page.goto(`${url}#/${'0'.repeat(24)}`);
  await page.getByText('This memory is not in the mirror.').waitFor();
  await page.goto(`${url}#/search/%E0%A4%A`);
  await page.getByRole('link', { name: 'Talk' }).waitFor();
  cpSync(join(folder, 'index.html'), join(parent, 'index.html'));
  await page.goto(pathToFileURL(join(parent, 'index.html')).href);
  await search(page, 'tea');
  await page
    .getByRole('status')
    .filter({ hasText: /Failed to open .*2026-08\.js\. Keep/ })
    .waitFor();
});

describe.each([
  { width: 1280, colorScheme: 'light' as const },
  { width: 1280, colorScheme: 'dark' as const },
  { width: 320, colorScheme: 'light' as const },
  { width: 320, colorScheme: 'dark' as const },
])('$width wide, $colorScheme', ({ width, colorScheme }) => {
  test('has no problem in axe, and no text that is cut off', async () => {
    const { page, problems } = await openIndex();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const check = async (name: string) => {
      const folderOfPictures = process.env.MEMORY_READ_PICTURES;
      if (folderOfPictures)
        await page.screenshot({ path: join(folderOfPictures, `${name}-${width}-${colorScheme}.png`) });
      expect(await findViolations(page), name).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
    };
    await check('list');
    await page.getByRole('link', { name: 'Talk' }).click();
    await page.locator('.line').first().waitFor();
    await check('memory');
    await search(page, 'tea');
    await page.getByRole('status').filter({ hasText: '2 places' }).waitFor();
    await check('hits');
    await search(page, 'nowhere');
    await page.getByRole('status').filter({ hasText: 'Nothing found.' }).waitFor();
    await check('nothing');
    expect(problems).toEqual([]);
  });
});

/** Opens the page from the disk. Output, errors and requests out of the folder are reported as problems. */
async function openIndex(): Promise<{ page: Page; problems: string[]; url: string }> {
  const page = await (await chromium().browser.newContext()).newPage();
  const url = pathToFileURL(join(folder, 'index.html')).href;
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(pathToFileURL(folder).href)) problems.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems, url };
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByLabel('Search').fill(words);
}

/** Returns a text in the form of the pages. */
function shown(text: string): string {
  return text.replace(/[\0\u202e]/g, '\ufffd');
}

async function openClient(): Promise<MemoryClient> {
  const start = Date.parse('2026-08-20T10:00:00Z');
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const segments = ['One', 'Two', 'Café crème', '昨日京都で会議'].map((text, index) => ({
    speaker: `Speaker ${(index % 2) + 1}`,
    start_at: at(index / 2),
    end_at: at(index / 2 + 0.5),
    text,
  }));
  const media = { audio: { object_key: 'talk.wav', content_type: 'audio/wav' } };
  const hostileSegment = { speaker: 'HOSTILE', start_at: at(0), end_at: at(1), text: 'HOSTILE' };
  const records = [
    sampleRecord({
      id: 'talk',
      name: 'Talk',
      started_at: at(0),
      ended_at: at(2),
      duration_seconds: 2,
      transcript: { segments },
      summary: { quick_summary: 'It is summarised.', key_takeaways: ['A takeaway about tea.'] },
      media,
    }),
    sampleRecord({
      id: 'hostile',
      name: 'HOSTILE',
      started_at: '2026-07-01T10:00:00Z',
      ended_at: '2026-07-01T10:00:00Z',
      transcript: { segments: [hostileSegment] },
      summary: { quick_summary: 'HOSTILE', key_takeaways: ['HOSTILE'] },
    }),
    sampleRecord({ id: 'old', name: 'Old tea', started_at: '1901-01-01T10:00:00Z', ended_at: '1901-01-01T10:00:00Z' }),
  ];
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'user_1', records);
  const service = createMemoryService(store, baseUrl, {
    source: mediaFrom(() => sampleMedia('audio').bytes),
    mediaUrl: 'https://media.example.com/media',
  });
  return new MemoryClient({
    baseUrl,
    apiKey: key,
    async fetch(request) {
      const response = await service.fetch(request);
      if (!response.headers.get('content-type')?.includes('json')) return response;
      // The reference server refuses such texts, but another one may send them.
      const body = (await response.text()).replaceAll('HOSTILE', JSON.stringify(hostile).slice(1, -1));
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    },
  });
}
