import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampleMedia } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../runtimes/browser/find-violations.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { openClient } from './open-client.ts';

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
  const source = mediaFrom(() => sampleMedia('audio').bytes);
  const { client } = await openClient(records(), { source }, makeHostile);
  await mirror.sync(client, { media: true });
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
  const names = () => page.locator('.row strong').allTextContents();
  await expect.poll(names).toEqual(['Talk', 'Insurance', shown, 'Old tea']);
  expect(await page.getByRole('heading', { level: 1, name: 'Memories' }).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
  expect(problems).toEqual([]);
});

test('finds words in every kind of text, and opens a hit at its position', async () => {
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
  expect(problems).toEqual([]);
});

test.each([
  ['プロジェクト会議', ['プロジェクト会議'], '0:03'],
  ['premium $79', ['premium', '79'], '0:08'],
  ['lodz', ['Łódź'], '0:09'],
  // An override is not a space, and is not shown.
  ['rightleft', ['right\ufffdleft'], '0:09'],
])('%s is found over segments, accents and signs', async (query, marks, time) => {
  await search(query, '1 place');
  expect(await page.locator('.hit mark').allTextContents()).toEqual(marks);
  expect(await page.locator('.hit .facts').textContent()).toContain(`at ${time}`);
  await page.locator('.hit').click();
  // Two segments have the same start.
  await page.locator('.line.found', { hasText: String(marks[0]).slice(0, 2) }).waitFor();
  expect(problems).toEqual([]);
});

test('memories with the words apart are below those with the words together', async () => {
  await search('tea summarised', '2 places');
  expect(await page.locator('#main h2').allTextContents()).toEqual(['Words in different places']);
  expect(await page.locator('.hit .words').allTextContents()).toEqual(['It is summarised.', 'A takeaway about tea.']);
});

test('without a hit, the page says which words there are, and what is nearest', async () => {
  await search('insurance premium bu* zebra -draft speaker:Ada', 'Nothing found.');
  expect(await page.locator('#main h2').allTextContents()).toEqual(['No memory has all words', 'Nearest']);
  expect(await page.locator('.counts li').allTextContents()).toEqual([
    '“insurance” is in 1 memory.',
    '“premium” is in 1 memory.',
    '“bu*” is in 0 memories.',
    '“zebra” is in 0 memories.',
    'Speaker “Ada” is in 1 memory.',
    'Texts with “draft” are left out.',
    '“bu*” is read as a whole word: a beginning needs 3 letters.',
  ]);
  await page.getByText('These are not results: they have only some of the words.').waitFor();
  await page.getByText('Without “insurance”, “bu*”, “zebra”').waitFor();
  expect(await page.locator('.nearest mark').allTextContents()).toEqual(['premium']);
  await page.locator('.nearest .hit').click();
  await page.locator('.line.found', { hasText: 'premium' }).waitFor();
  expect(problems).toEqual([]);
});

test.each([
  ['-draft', 'Words and speakers with a minus only leave texts out. Add a word to find.'],
  ['!?', 'The search has no word: signs are not searched. Type letters or digits.'],
])('says why %s finds nothing', async (query, reason) => {
  await search(query, 'Nothing found.');
  await page.getByText(reason, { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test('a second search folds no memory again', async () => {
  await page.evaluate(() => {
    const { toLowerCase } = String.prototype;
    const counted = globalThis as unknown as { folded: number };
    counted.folded = 0;
    String.prototype.toLowerCase = function () {
      counted.folded += 1;
      return toLowerCase.call(this);
    };
  });
  const foldedBy = async (query: string) => {
    await search(query, 'Nothing found.');
    return page.evaluate(() => {
      const counted = globalThis as unknown as { folded: number };
      const { folded } = counted;
      counted.folded = 0;
      return folded;
    });
  };
  expect(await foldedBy('nowhere')).toBeGreaterThan(20);
  expect(await foldedBy('elsewhere')).toBe(1);
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

// The colours do not depend on the width.
test.each([
  ['light', [320, 1280]],
  ['dark', [1280, 320]],
] as const)('in %s has no problem in axe, and cuts off no text at widths of %j', async (colorScheme, widths) => {
  await page.emulateMedia({ colorScheme });
  const check = async (name: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
    }
    expect(await findViolations(page), name).toEqual([]);
  };
  await check('list');
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.locator('.line').first().waitFor();
  await check('memory');
  await search('tea', '2 places');
  await check('hits');
  await search('tea summarised', '2 places');
  await check('apart');
  await search('tea nowhere', 'Nothing found.');
  await check('nearest');
  await search('-tea', 'Nothing found.');
  await check('nothing');
  expect(problems).toEqual([]);
});

/** Searches for words, and waits for the status. */
async function search(words: string, status: string): Promise<void> {
  await page.getByLabel('Search').fill(words);
  await page.getByRole('heading', { level: 1, name: `Memories with ${words}`, exact: true }).waitFor();
  const hasText = new RegExp(`^${status}$`);
  await page.getByRole('status').filter({ hasText }).waitFor();
}

function records() {
  const at = (seconds: number) => new Date(Date.parse('2026-08-20T10:00:00Z') + seconds * 1000).toISOString();
  const segments = ['One', 'Two', 'Café crème', '昨日京都で会議'].map((text, index) => ({
    speaker: `Speaker ${(index % 2) + 1}`,
    start_at: at(index / 2),
    end_at: at(index / 2 + 0.5),
    text,
  }));
  const said = [
    'draft',
    '来週のプロ',
    'ジェクト会議は木曜日です。',
    'I think we should cancel the',
    'trip to Lisbon',
    'My neighbours',
    'The premium is $79',
    'We go to Łódź',
    'right\u202eleft',
  ].map((text, index) => ({
    speaker: index === 0 ? 'Bob' : 'Ada',
    start_at: new Date(Date.parse('2026-08-01T10:00:02Z') + Math.min(index, 7) * 1000).toISOString(),
    end_at: '2026-08-01T10:00:20Z',
    text,
  }));
  const between = (started_at: string, ended_at = started_at) => ({ started_at, ended_at });
  return [
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
      id: 'insurance',
      name: 'Insurance',
      ...between('2026-08-01T10:00:00Z'),
      transcript: { segments: said },
      summary: null,
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
}

/** The reference server refuses such texts, but another one may send them. */
async function makeHostile(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const body = (await response.text()).replaceAll('HOSTILE', JSON.stringify(hostile).slice(1, -1));
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
