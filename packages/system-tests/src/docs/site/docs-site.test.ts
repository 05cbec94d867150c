import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite, createSearch, type ServedSite, serveSite } from '@memory-read/docs-site';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { watchPage } from '../../media/viewer/watch-page.ts';
import { findViolations } from '../../runtimes/browser/find-violations.ts';
import { isDark, useChromium } from '../../runtimes/browser/use-chromium.ts';
import { questions } from './questions.ts';
import { deadLinks, readSite, type SitePage } from './read-site.ts';

const home = 'index.html';
const guide = 'guides/media.html';
const tables = 'benchmarks.html';
const api = 'api/client/MemoryClient.html';
const schemes = ['light', 'dark'] as const;
const phone = { width: 390, height: 800 };

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

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
/** Paths of the pages that are written in Markdown. */
const documents = () => pages.map(({ path }) => path).filter((path) => existsSync(join(folder, `${path}.md`)));

test('every document and every published entry has a page', () => {
  const sources = globSync('{docs,examples}/**/*.md', { cwd: root, exclude: ['**/node_modules/**'] });
  expect(documents().length).toBeGreaterThan(sources.length);
  const paths = pages.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['api/client-media-url.html', 'api/server-testing.html']));
});

test('every link and anchor of every page exists, also in Markdown and in llms.txt', () => {
  expect(pages.flatMap(({ targets }) => targets).length).toBeGreaterThan(1000);
  expect(deadLinks(folder, pages)).toEqual([]);
  const texts = [...globSync('**/*.html.md', { cwd: folder }), 'llms.txt'];
  const links = texts.flatMap((path) =>
    Array.from(
      read(path)
        .replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
        .matchAll(/\]\(([^)\s#]+)/g),
      ([, target = '']) => [path, target] as const,
    ),
  );
  expect(links.length).toBeGreaterThan(300);
  expect(deadLinks(folder, pages, links)).toEqual([]);
});

test('llms.txt lists every document', () => {
  const text = read('llms.txt');
  expect(documents().filter((path) => path !== home && !text.includes(`](${path}.md): `))).toEqual([]);
});

test('the anchor of every heading has its words, code included', () => {
  const anchors = pages.flatMap(({ path, anchors }) => Array.from(anchors, (anchor) => `${path}#${anchor}`));
  expect(anchors.filter((anchor) => /#_?(?:-\d+)?$/.test(anchor))).toEqual([]);
  expect(anchors).toContain('reference/transcripts.html#repairs-of-normalizetranscript');
});

test('every error that a function or a method throws is a link on its page', () => {
  const texts = globSync('api/{client,contract,fixtures,mcp,mirror,msw}*/*.html', { cwd: folder }).map(read);
  const lists = texts.flatMap((text) => text.match(/<div class="tsd-tag-throws">[\s\S]*?<\/div>/g) ?? []);
  expect(lists.length).toBeGreaterThan(18);
  const withoutLinks = lists.map((list) => list.replace(/<a href="[^"]+"[^>]*>\w*Error<\/a>/g, ''));
  expect(withoutLinks.filter((list, index) => list === lists[index] || /\b\w+Error\b/.test(list))).toEqual([]);
});

test('no document is copied as a file instead of being shown', () => {
  const copies = globSync('media/**/*.*', { cwd: folder });
  expect(copies.filter((path) => !/\.(?:svg|png)$/.test(path))).toEqual([]);
});

test('the navigation of every page has all documents and modules, and marks the page', () => {
  const all = documents().filter((path) => path !== home);
  const modules = pages.map(({ path }) => path).filter((path) => /^api\/[^/]+$/.test(path));
  for (const from of [home, guide, api]) {
    const [, navigation = ''] = /<nav id="navigation"[^>]*>([\s\S]*?)<\/nav>/.exec(read(from)) ?? [];
    const linked = Array.from(navigation.matchAll(/href="([^"]+)"/g), ([, target = '']) =>
      new URL(target, `http://site/${from}`).pathname.slice(1),
    );
    expect([...all, ...modules].filter((path) => !linked.includes(path))).toEqual([]);
    expect(navigation.match(/aria-current="page"/g)?.length ?? 0).toBe(from === home ? 0 : 1);
  }
});

test('the home page says what it is, has a picture and the version, and leads to each task and on through the guides', async () => {
  const { page, problems } = await open(home);
  const { version } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'));
  await page.locator('.version', { hasText: version }).waitFor();
  expect(
    await page.locator('picture img').evaluate((image) => (image as HTMLImageElement).naturalWidth),
  ).toBeGreaterThan(600);
  const tasks = [
    'Read memories',
    'Wait until processed',
    'Test your app',
    'Test in any language',
    'Judge your client',
    'Search offline',
    'Connect an assistant',
    'Run the server',
    'Check a server',
  ];
  expect(await page.locator('.cards a').allTextContents()).toEqual(expect.arrayContaining(tasks));
  await page.getByRole('link', { name: 'Read memories', exact: true }).click();
  await page.locator('a[rel="next"]').click();
  await page.locator('a[rel="prev"]').click();
  await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor();
  expect(problems).toEqual([]);
});

test('code scrolls sideways instead of wrapping, and one click copies it', async () => {
  const { page, problems } = await open(guide, { viewport: phone, permissions: ['clipboard-read', 'clipboard-write'] });
  const block = page.locator('pre').first();
  const code = block.locator('code');
  const { height, lineHeight, lines, overflows } = await code.evaluate((element) => {
    const { lineHeight, paddingTop } = getComputedStyle(element);
    const height = element.clientHeight - 2 * Number.parseFloat(paddingTop);
    const lines = element.textContent.trimEnd().split('\n').length;
    return {
      height,
      lineHeight: Number.parseFloat(lineHeight),
      lines,
      overflows: element.scrollWidth > element.clientWidth,
    };
  });
  expect({ lines: Math.round(height / lineHeight), overflows }).toEqual({ lines, overflows: true });
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const [, shown] = /```ts\n([\s\S]*?)\n```/.exec(read(`${guide}.md`)) ?? [];
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  expect(problems).toEqual([]);
});

test('a button changes the colours, and the next page keeps them', async () => {
  const { page } = await open(home, { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Change the colours' }).click();
  expect(await page.evaluate(isDark)).toBe(true);
  // The browser chooses the picture later.
  await expect
    .poll(() => page.locator('picture img').evaluate((image) => (image as HTMLImageElement).currentSrc))
    .toContain('dark');
  await page.goto(site.url + guide);
  expect(await page.evaluate(isDark)).toBe(true);
});

test('on a phone, the menu leads to every page', async () => {
  const { page } = await open(home, { viewport: phone });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#navigation').getByRole('link', { name: 'Transcripts', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Transcripts' }).waitFor();
});

test('the search finds a method with the keyboard alone, and shows the words that it found', async () => {
  const target = `${api}#waitformemory`;
  const { page, problems } = await open(tables);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('/');
  await page.keyboard.type('waitForMemory');
  const option = page.locator('#search-results li', { has: page.locator(`a[href$="${target}"]`) });
  await option.waitFor();
  expect(await option.locator('mark').first().textContent()).toBe('waitForMemory');
  for (let step = 0; step < 10 && (await option.getAttribute('aria-selected')) !== 'true'; step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${target}`);
  expect(problems).toEqual([]);
});

test('the search shows the right page for each question among the first three results, and its sections exist', () => {
  const sections = JSON.parse(read('assets/search-sections.js').replace(/^[^[]*/, ''));
  const search = createSearch(sections);
  const nameOf = (url: string) =>
    url
      .replace(/\.html.*/, '')
      .split('/')
      .at(-1) ?? '';
  const missed = Object.entries(questions).flatMap(([question, names]) => {
    const found = search(question).slice(0, 3);
    return found.some(({ url }) => names.includes(nameOf(url))) ? [] : { question, found: found.map(({ url }) => url) };
  });
  expect(missed).toEqual([]);
  expect(sections.length).toBeGreaterThan(500);
  expect(
    deadLinks(
      folder,
      pages,
      sections.map(({ url }: { url: string }) => [home, url]),
    ),
  ).toEqual([]);
});

test('the first tab stop skips the navigation', async () => {
  const { page } = await open(guide);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash !== '');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

// In the reference, a heading of level 4 follows one of level 2, and a permalink is in the heading that folds a list.
const ofTypedoc = /^heading-order: |^nested-interactive: .*tsd-accordion/;

test.each(schemes.flatMap((scheme) => [home, guide, tables, api].map((path) => ({ scheme, path }))))(
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
  const wide: string[] = [];
  const paths = [api, ...documents(), ...pages.map(({ path }) => path).filter((path) => /^api\/[^/]+$/.test(path))];
  const measure = async () => {
    const { page } = await open(home, { viewport: phone, javaScriptEnabled: false });
    for (let path = paths.pop(); path; path = paths.pop()) {
      await page.goto(site.url + path);
      if ((await page.evaluate(() => document.documentElement.scrollWidth)) > phone.width) wide.push(path);
    }
  };
  await Promise.all(Array.from({ length: 4 }, measure));
  expect(wide).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}) {
  const page = await chromium().browser.newPage(options);
  const problems = watchPage(page, [new URL(site.url).origin]);
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  await page.goto(site.url + path);
  return { page, problems };
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.textContent?.trim());
}
