import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite, type ServedSite, serveSite } from '@memory-read/docs-site';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { watchPage } from '../../media/viewer/watch-page.ts';
import { findViolations } from '../../runtimes/browser/find-violations.ts';
import { isDark, useChromium } from '../../runtimes/browser/use-chromium.ts';
import { questions } from './questions.ts';
import { deadLinks, readSite, type SitePage } from './read-site.ts';

const landing = 'index.html';
const guide = 'documents/Retries_and_timeouts.html';
const tables = 'documents/Operations.html';
const api = 'classes/_memory-read_client.MemoryClient.html';
const schemes = ['light', 'dark'] as const;

const folder = makeFolder(afterAll);
const chromium = useChromium();
let pages: SitePage[];
let site: ServedSite;
beforeAll(async () => {
  await buildSite(folder);
  pages = readSite(folder);
  site = await serveSite(folder);
});
afterAll(() => site?.close());
afterEach(async () => {
  for (const context of chromium().browser.contexts()) await context.close();
});

test('every guide, every decision and every published entry has a page', () => {
  const documents = globSync('docs/**/*.md', { cwd: root });
  expect(pages.filter(({ path }) => path.startsWith('documents/')).length).toBeGreaterThan(documents.length);
  const modules = pages.map(({ path }) => path).filter((path) => path.startsWith('modules/'));
  expect(modules).toContain('modules/_memory-read_client_media-url.html');
  expect(modules).toContain('modules/_memory-read_server_testing.html');
});

test('every link and anchor of every page exists', () => {
  expect(pages.flatMap(({ targets }) => targets).length).toBeGreaterThan(1000);
  expect(deadLinks(folder, pages)).toEqual([]);
});

test('the anchor of every heading has its words, code included', () => {
  const documents = pages.filter(({ path }) => path.startsWith('documents/'));
  const nameless = documents.flatMap(({ path, anchors }) => Array.from(anchors, (anchor) => `${path}#${anchor}`));
  expect(nameless.filter((anchor) => /#_(?:-\d+)?$/.test(anchor))).toEqual([]);
  expect(documents.find(({ path }) => path.endsWith('The_command_line.html'))?.anchors).toContain('get-memory-id');
});

test('every error that a function or a method throws is a link on its page', () => {
  const pattern = '{functions,classes,interfaces}/_memory-read_{client,contract,fixtures,mcp,mirror,msw}*.html';
  const texts = globSync(pattern, { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'));
  const lists = texts.flatMap((text) => text.match(/<div class="tsd-tag-throws">[\s\S]*?<\/div>/g) ?? []);
  expect(lists.length).toBeGreaterThan(18);
  const withoutLinks = lists.map((list) => list.replace(/<a href="[^"]+"[^>]*>\w*Error<\/a>/g, ''));
  expect(withoutLinks.filter((list, index) => list === lists[index] || /\b\w+Error\b/.test(list))).toEqual([]);
});

test('no document is copied as a file instead of being shown', () => {
  const copies = globSync('media/**/*.*', { cwd: folder });
  expect(copies.filter((path) => !path.endsWith('.svg'))).toEqual([]);
});

test('the navigation contains every expected page, none of its links is broken, and a reader opens a guide', async () => {
  const { page, problems } = await open(landing);
  const links = page.locator('nav.tsd-navigation a[href]');
  await links.first().waitFor({ state: 'attached' });
  const targets = await links.evaluateAll((found) => found.map((link) => new URL((link as HTMLAnchorElement).href)));
  const paths = targets.map((target) => new URL(target).pathname.slice(1));
  const known = new Set(pages.map(({ path }) => path));
  expect(paths.filter((path) => !known.has(decodeURIComponent(path)))).toEqual([]);
  const documents = pages.map(({ path }) => path).filter((path) => path.startsWith('documents/'));
  expect(documents.filter((path) => !paths.map(decodeURIComponent).includes(path))).toEqual([]);
  await page.locator('nav summary', { hasText: 'Using the client' }).click();
  await page.locator('nav a[href$="documents/Transcripts.html"]').click();
  await page.getByRole('heading', { level: 1, name: 'Transcripts' }).waitFor();
  expect(problems).toEqual([]);
});

test('the search finds a method, with the keyboard alone', async () => {
  const target = `${api}#waitformemory`;
  const { page, problems } = await open(tables);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Memory Read');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('waitForMemory');
  const option = page.locator('#tsd-search-results li', { has: page.locator(`a[href$="${target}"]`) });
  await option.waitFor();
  for (let step = 0; step < 10 && (await option.getAttribute('aria-selected')) !== 'true'; step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${target}`);
  expect(problems).toEqual([]);
});

test('the search shows the right guide for each question among the first three results', async () => {
  const { page, problems } = await open(landing);
  await page.locator('#tsd-search-trigger').click();
  const missed: Record<string, string[]> = {};
  for (const [question, titles] of Object.entries(questions)) {
    await page.getByRole('combobox').fill(question);
    await page.locator(`#tsd-search-results[data-question=${JSON.stringify(question)}]`).waitFor({ state: 'attached' });
    const links = page.locator('#tsd-search-results a');
    const found = await links.evaluateAll((all) =>
      all.map((link) => decodeURIComponent((link as HTMLAnchorElement).pathname)),
    );
    const paths = titles.map((title) => `/documents/${title.replaceAll(' ', '_')}.html`);
    if (!found.slice(0, 3).some((path) => paths.includes(path))) missed[question] = found.slice(0, 3);
  }
  expect({ missed, problems }).toEqual({ missed: {}, problems: [] });
});

test('every section in the search index exists', async () => {
  const { page } = await open(landing);
  await page.locator('#tsd-search-trigger').click();
  await page.waitForFunction(() => window.searchSections !== undefined);
  const targets = await page.evaluate(() => window.searchSections?.map(({ url }) => url) ?? []);
  expect(targets.length).toBeGreaterThan(500);
  expect(
    deadLinks(
      folder,
      pages,
      targets.map((target) => [landing, target]),
    ),
  ).toEqual([]);
});

test('the first tab stop skips the navigation', async () => {
  const { page } = await open(guide);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.col-content') !== null)).toBe(true);
});

// Its pages have no landmark. In its navigation, the name of a module is a link inside the button that opens it; both
// work with the keyboard.
const ofTypedoc = /^(heading-order|landmark-one-main|region): |^nested-interactive: .*tsd-accordion/;

test.each(schemes.flatMap((scheme) => [landing, guide, tables, api].map((path) => ({ scheme, path }))))(
  '$path in $scheme has its colours, logs no problem, requests no other host, and axe finds nothing but what typedoc does',
  async ({ scheme, path }) => {
    const { page, problems } = await open(path, { colorScheme: scheme });
    expect(await page.evaluate(isDark)).toBe(scheme === 'dark');
    expect(problems).toEqual([]);
    const violations = await findViolations(page);
    expect(violations.filter((violation) => !ofTypedoc.test(violation))).toEqual([]);
  },
);

test('on a phone nothing is wider than the screen', async () => {
  const viewport = { width: 390, height: 800 };
  const { page } = await open(landing, { viewport });
  const wide: string[] = [];
  for (const path of [guide, tables, api]) if ((await widthOf(page, path)) > viewport.width) wide.push(path);
  const written = pages.map(({ path }) => path).filter((path) => /^(documents|modules)\//.test(path));
  const measure = async () => {
    // Without JavaScript, the pages load faster, because they build no navigation.
    const { page: plain } = await open(landing, { viewport, javaScriptEnabled: false });
    for (let path = written.pop(); path; path = written.pop())
      if ((await widthOf(plain, path)) > viewport.width) wide.push(path);
  };
  await Promise.all(Array.from({ length: 4 }, measure));
  expect(wide).toEqual([]);
});

async function widthOf(page: Page, path: string): Promise<number> {
  await show(page, path);
  return page.evaluate(() => document.documentElement.scrollWidth);
}

async function open(path: string, options: BrowserContextOptions = {}) {
  const page = await chromium().browser.newPage(options);
  const problems = watchPage(page, [new URL(site.url).origin]);
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  await show(page, path);
  return { page, problems };
}

/** typedoc hides the body until the page is complete. */
async function show(page: Page, path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.waitForFunction(() => document.body.style.display !== 'none');
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.textContent?.trim());
}
