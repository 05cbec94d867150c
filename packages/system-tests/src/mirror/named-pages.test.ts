import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampleMedia } from '@memory-read/fixtures';
import { openMirror } from '@memory-read/mirror';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findViolations } from '../runtimes/browser/find-violations.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { openClient } from './open-client.ts';

/** Names by label. Two labels are one person, and one has no name. */
const names = new Map([
  ['Speaker 1', 'Ada Lovelace'],
  ['Speaker 2', '</script><img src=x onerror="document.title=1">'],
  ['Speaker 3', 'Ada Lovelace'],
  ['__proto__', ']](x) [[y]] ![z](javascript:1) (a'],
  ['Speaker 5', 'עדה לבלייס (תל אביב)'],
  ['Speaker 6', 'A_B *c* `d` #e @f | g: h -- $x$ ==y== ~~z~~ %%w%% ^q'],
]);
const people = [...new Set(names.values())];
const labels = [...names.keys(), 'Speaker 7'];

const folder = makeFolder(afterAll);
const url = pathToFileURL(join(folder, 'index.html')).href;
const chromium = useChromium();
let page: Page;
/** Output, errors and requests out of the folder. */
let problems: string[];

beforeAll(async () => {
  const mirror = await openMirror({ folder });
  const { client } = await openClient(records(), { source: mediaFrom(() => sampleMedia('audio').bytes) });
  await mirror.sync(client, { media: true });
  for (const [label, person] of names) await mirror.people.name('talk', label, person);
  await mirror.people.name('tea', 'Speaker 1', 'Bob Ada');
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
});

beforeEach(async () => {
  problems = [];
  page = await chromium().browser.newPage();
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  return () => page.close();
});

test('in Markdown, each person is a link to a page, and nothing in a name is markup or a field', () => {
  const path = readdirSync(join(folder, 'pages')).find((name) => name.includes('Talk')) ?? '';
  const { fields, html } = readMarkdown(join('pages', path));
  expect(fields).toMatchObject({ speakers: labels, people, tags: ['memory'] });
  const [, line = ''] = /^<p>People: (.*)<\/p>$/m.exec(html) ?? [];
  const links = [...line.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)];
  expect(line.replace(/<a .*?<\/a>/g, '')).toBe(', '.repeat(people.length - 1));
  expect(links.map(([, , text = '']) => unescapeHtml(text))).toEqual(people);
  for (const [index, [, href = '']] of links.entries()) {
    const target = join('pages', decodeURIComponent(href));
    expect(existsSync(join(folder, target)), target).toBe(true);
    const person = readMarkdown(target);
    expect(person.fields).toEqual({ title: people[index], tags: ['person'] });
    expect(unescapeHtml(/^<h1>([^<]*)<\/h1>$/.exec(person.html.trim())?.[1] ?? '')).toBe(people[index]);
  }
  expect(html).not.toMatch(/<(img(?! src="\.\.\/media)|script|em|del|h[3-6]|table|li)/);
  const spoken = [...html.matchAll(/<strong>([^<]*):<\/strong>/g)].map(([, text = '']) => unescapeHtml(text));
  // Two labels of a person are one turn.
  expect(spoken).toEqual([...people.slice(0, 2), people[0], ...people.slice(2), 'Speaker 7']);
});

test.runIf(isInstalled('ffmpeg'))('FFmpeg reads all captions with names', () => {
  const [media = ''] = readdirSync(join(folder, 'media'));
  const [path = ''] = readdirSync(join(folder, 'media', media)).filter((name) => name.endsWith('.vtt'));
  const captions = join(folder, 'media', media, path);
  expect(readFileSync(captions, 'utf8')).toContain('<v Ada Lovelace>Words 1</v>');
  const args = ['-v', 'error', '-xerror', '-i', captions, '-f', 'srt', '-'];
  const read = execFileSync('ffmpeg', args, { encoding: 'utf8' });
  expect(read.match(/Words \d/g)).toEqual(labels.map((_, index) => `Words ${index + 1}`));
});

test('the page shows names with the label as tooltip, and names are not markup', async () => {
  await page.getByRole('link', { name: 'Talk' }).click();
  await page.locator('.line').first().waitFor();
  const shownWith = await page.locator('article .facts').nth(1).textContent();
  expect(shownWith).toBe(`With ${people.join(', ')}`);
  const headings = page.locator('.transcript h3');
  expect(await headings.allTextContents()).toEqual([...people.slice(0, 2), people[0], ...people.slice(2), 'Speaker 7']);
  const titles = await headings.evaluateAll((all) => all.map((heading) => heading.getAttribute('title')));
  expect(titles).toEqual([...labels.slice(0, -1), null]);
  const voices = await headings.evaluateAll((all) => all.map(({ className }) => className));
  expect(voices).toEqual([0, 1, 0, 3, 4, 5, 0].map((voice) => `voice-${voice}`));
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(problems).toEqual([]);
});

test.each([
  // No person has "Ada" as the whole name, so it is a word of two names.
  ['speaker:ada words', '3 places'],
  ['speaker:"ada lovelace" words', '2 places'],
  ['speaker:"speaker 1" words', '2 places'],
  ['words -speaker:ada', '5 places'],
  ['lovelace', 'Nothing found.'],
  ['speaker:love words', 'Nothing found.'],
])('finds by %s: %s', async (query, status) => {
  await search(query, status);
  expect(problems).toEqual([]);
});

test('a hit shows the name with the label as tooltip', async () => {
  await search('"words 3"', '1 place');
  const speaker = page.locator('.hit .facts span');
  expect([await speaker.textContent(), await speaker.getAttribute('title')]).toEqual(['Ada Lovelace', 'Speaker 3']);
  await search('speaker:ada nowhere', 'Nothing found.');
  await page.getByText('Speaker “ada” is in 2 memories.').waitFor();
  expect(problems).toEqual([]);
});

// The colours do not depend on the width.
test.each([
  ['light', [320, 1280]],
  ['dark', [1280, 320]],
] as const)(
  'with names, in %s there is no problem in axe, and no text is cut off at widths of %j',
  async (colorScheme, widths) => {
    await page.emulateMedia({ colorScheme });
    const check = async (name: string) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
      }
      expect(await findViolations(page), name).toEqual([]);
    };
    await page.getByRole('link', { name: 'Talk' }).click();
    await page.locator('.line').first().waitFor();
    await check('memory');
    await search('words', '8 places');
    await check('hits');
  },
);

/** Searches for words, and waits for the status. */
async function search(words: string, status: string): Promise<void> {
  await page.getByLabel('Search').fill(words);
  await page.getByRole('heading', { level: 1, name: `Memories with ${words}`, exact: true }).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${status}$`) })
    .waitFor();
}

/** Reads a page as Obsidian does: front matter in YAML, and Markdown. */
function readMarkdown(path: string): { fields: unknown; html: string } {
  const [, matter = '', body = ''] = /^---\n(.*?\n)---\n(.*)$/s.exec(readFileSync(join(folder, path), 'utf8')) ?? [];
  const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return { fields: parse(matter), html: micromark(body, options) };
}

function unescapeHtml(html: string): string {
  const characters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return html.replace(/&\w+;/g, (reference) => characters[reference] ?? reference);
}

function records() {
  const at = (second: number) => new Date(Date.parse('2026-08-20T10:00:00Z') + second * 1000).toISOString();
  const said = (speaker: string, index: number) => ({
    speaker,
    start_at: at(index),
    end_at: at(index + 1),
    text: `Words ${index + 1}`,
  });
  return [
    sampleRecord({
      id: 'talk',
      name: 'Talk',
      started_at: at(0),
      ended_at: at(8),
      transcript: { segments: labels.map(said) },
      summary: null,
      media: { audio: { object_key: 'talk.wav', content_type: 'audio/wav' } },
    }),
    sampleRecord({
      id: 'tea',
      name: 'Tea',
      started_at: at(-3600),
      ended_at: at(-3500),
      transcript: { segments: [said('Speaker 1', 0)] },
      summary: null,
    }),
  ];
}
