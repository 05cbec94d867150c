import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MemoryClient } from '@memory-read/client';
import { sampleMedia } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { createInMemoryStore } from '@memory-read/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../runtimes/browser/find-violations.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';

const hostile = '</script><img src=x onerror="document.title=1">\u2028<!--<script>\u2029&amp;\0\u202e "quoted" \\u003c';
/** The hostile text in the form of the pages. */
const shown = hostile.replace(/[\0\u202e]/g, '\ufffd');

// A path with special characters of URLs.
const parent = makeFolder(afterAll);
const folder = join(parent, 'my #1 mirror ? 100%25');
const url = pathToFileURL(join(folder, 'index.html')).href;
const chromium = useChromium();
let page: Page;
/** Output, errors and requests out of the folder. */
let problems: string[];

beforeAll(async () => {
  mkdirSync(folder);
  const mirror = await openMirror({ folder });
  await mirror.sync(await openClient(), { media: true });
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
});

// Opens the page from the disk.
beforeEach(async () => {
  problems = [];
  page = await chromium().browser.newPage();
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(pathToFileURL(folder).href)) problems.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  return () => page.close();
});

test('lists the memories by day, newest first', async () => {
  expect(await page.locator('.row strong').allTextContents()).toEqual(['Talk', shown, 'Old tea']);
  expect(await page.getByRole('heading', { level: 1, name: 'Memories' }).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(3);
  expect(problems).toEqual([]);
});

test('finds words in every kind of text, ignores accents, and opens a hit at its position', async () => {
  await search('CAFE creme', '1 place');
  expect(await page.locator('.hit mark').allTextContents()).toEqual(['Café', 'crème']);
  await page.locator('.hit').click();
  await page.locator('.line.found', { hasText: 'Café crème' }).waitFor();
  expect(await page.locator('audio').evaluate((player: HTMLAudioElement) => player.currentTime)).toBe(1);
  await page.goBack();
  await page.locator('.hit').waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('CAFE creme');
  for (const words of ['talk', 'summarised', 'takeaway', '昨日']) await search(words, '1 place');
  await search('tea', '2 places');
  for (const words of ['nowhere', '!?']) await search(words, 'Nothing found.');
  expect(problems).toEqual([]);
});

test('plays a recording from a line, and marks the current one', async () => {
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.locator('button.line', { hasText: 'Two' }).click();
  await expect.poll(() => page.locator('audio').evaluate((player: HTMLAudioElement) => player.ended)).toBe(true);
  await page.locator('.line[aria-current]', { hasText: '昨日京都で会議' }).waitFor();
  expect(await page.locator('audio').evaluate((player: HTMLAudioElement) => player.duration)).toBeCloseTo(2, 1);
  expect(problems).toEqual([]);
});

test('shows HTML and ends of scripts as text', async () => {
  await page.getByRole('link', { name: 'script' }).click();
  await page.locator('.line', { hasText: '</script>' }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(shown);
  expect(await page.locator('.line span:last-child').textContent()).toContain('<img src=x onerror="document.title=1">');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toBe(`${shown} · Memories`);
  await search('onerror', '4 places');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('can be used with the keyboard alone', async () => {
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('creme');
  // The page searches while you type.
  await page.getByRole('status').getByText('1 place', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.line.found').waitFor();
});

test('explains an invalid address and a missing script', async () => {
  await page.goto(`${url}#/${'0'.repeat(24)}`);
  await page.getByText('This memory is not in the mirror.').waitFor();
  await page.goto(`${url}#/search/%E0%A4%A`);
  await page.getByRole('link', { name: 'Talk' }).waitFor();
  cpSync(join(folder, 'index.html'), join(parent, 'index.html'));
  await page.goto(pathToFileURL(join(parent, 'index.html')).href);
  await search('tea', 'Failed to open .*2026-08\\.js\\. Keep.*');
});

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [320, 'light'],
  [320, 'dark'],
] as const)('has no problem in axe, and no text that is cut off: %i wide, %s', async (width, colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  const check = async (name: string) => {
    expect(await findViolations(page), name).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
  };
  await check('list');
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.locator('.line').first().waitFor();
  await check('memory');
  await search('tea', '2 places');
  await check('hits');
  await search('nowhere', 'Nothing found.');
  await check('nothing');
  expect(problems).toEqual([]);
});

/** Searches for words, and waits for the status. */
async function search(words: string, status: string): Promise<void> {
  await page.getByLabel('Search').fill(words);
  const hasText = new RegExp(`^${status}$`);
  await page.getByRole('status').filter({ hasText }).waitFor();
}

async function openClient(): Promise<MemoryClient> {
  const at = (seconds: number) => new Date(Date.parse('2026-08-20T10:00:00Z') + seconds * 1000).toISOString();
  const segments = ['One', 'Two', 'Café crème', '昨日京都で会議'].map((text, index) => ({
    speaker: `Speaker ${(index % 2) + 1}`,
    start_at: at(index / 2),
    end_at: at(index / 2 + 0.5),
    text,
  }));
  const between = (started_at: string, ended_at = started_at) => ({ started_at, ended_at });
  const records = [
    sampleRecord({
      id: 'talk',
      name: 'Talk',
      ...between(at(0), at(2)),
      duration_seconds: 2,
      transcript: { segments },
      summary: { quick_summary: 'It is summarised.', key_takeaways: ['A takeaway about tea.'] },
      media: { audio: { object_key: 'talk.wav', content_type: 'audio/wav' } },
    }),
    sampleRecord({
      id: 'hostile',
      name: 'HOSTILE',
      ...between('2026-07-01T10:00:00Z'),
      transcript: { segments: [{ speaker: 'HOSTILE', start_at: at(0), end_at: at(1), text: 'HOSTILE' }] },
      summary: { quick_summary: 'HOSTILE', key_takeaways: ['HOSTILE'] },
    }),
    sampleRecord({ id: 'old', name: 'Old tea', ...between('1901-01-01T10:00:00Z') }),
  ];
  const baseUrl = 'https://api.example.com';
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'user_1', records);
  const service = createMemoryService(store, baseUrl, { source: mediaFrom(() => sampleMedia('audio').bytes) });
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
