import { join } from 'node:path';
import { type Memory, MemoryClient } from '@memory-read/client';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { watchPage } from '../../media/viewer/watch-page.ts';
import { type ServeProcess, startServe } from '../../server/serving/start-serve.ts';
import { findViolations } from './find-violations.ts';
import { isDark, useChromium } from './use-chromium.ts';

const prefix = '/api/memories';
const hostileName = '<img src=x onerror="document.title=1">';

const directory = makeFolder(afterAll);
const chromium = useChromium();
let server: ServeProcess;
let memory: Memory;

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}${prefix}`;
  const storage = ['--db', join(directory, 'memories.sqlite'), '--media-dir', join(directory, 'media')];
  server = await startServe([...storage, '--demo', '--port', String(port), '--public-url', publicUrl]);
  const client = new MemoryClient({ baseUrl: server.baseUrl, apiKey: server.apiKey });
  const listed = (await client.listMemories()).find(({ audio_url, summary }) => audio_url !== null && summary !== null);
  memory = await client.getMemory(listed?.id ?? '');
});

afterAll(() => server?.close());

afterEach(async () => {
  for (const context of chromium().browser.contexts()) await context.close();
});

test.each(['', prefix])('under "%s", a key lists memories, and one of them is read and shown', async (path) => {
  const { page, problems } = await openPage(path);
  await keyField(page, 'listMemories').fill(server.apiKey);
  await send(page, 'listMemories');
  const list = formOf(page, 'listMemories');
  await statusOf(list, /^200 OK in \d+ ms$/);
  expect(await list.locator('.try-headers').textContent()).toMatch(/x-request-id.+content-typeapplication\/json/);

  await list.getByRole('button', { name: memory.id }).click();
  const field = page.getByLabel('memory_id');
  expect(await field.inputValue()).toBe(memory.id);
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);

  await send(page, 'getMemory');
  const one = formOf(page, 'getMemory');
  await statusOf(one, /^200 /);
  const body = JSON.parse((await one.getByLabel('Body of the response').textContent()) ?? '');
  expect(body.transcript).toEqual(memory.transcript);
  expect(body.transcript.segments.length).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ width, colorScheme })),
);

test.each(looks)(
  'axe finds nothing in the page and its responses, and nothing is cut off: $colorScheme, $width wide',
  async (look) => {
    const { page, problems } = await openPage(prefix);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: 844 });
    await page.getByRole('link', { name: 'getMemory' }).click();
    expect(await page.getByRole('heading', { name: 'Get one memory of the calling account' }).isVisible()).toBe(true);
    expect(await page.evaluate(isDark)).toBe(look.colorScheme === 'dark');
    await getMemory(page, memory.id);
    await formOf(page, 'getMemory').locator('audio').waitFor();
    await send(page, 'listMemories');
    await statusOf(formOf(page, 'listMemories'), /^200 /);
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width);
    await keyField(page, 'listMemories').fill('mrk_wrong');
    await send(page, 'listMemories');
    await statusOf(formOf(page, 'listMemories'), /^401 /);
    expect(await findViolations(page)).toEqual([]);
    // The browser itself logs a 401 as an error.
    expect(problems.filter((problem) => !/ 401 /.test(problem))).toEqual([]);
  },
);

test('shows the audio, the video and the preview image of a memory in the page', async () => {
  const { page, problems } = await openPage(prefix);
  const ranged = page.waitForResponse((response) => response.url().includes('/media/') && response.status() === 206);
  await getMemory(page, memory.id);
  const form = formOf(page, 'getMemory');
  await form.locator('audio').waitFor();
  await ranged;
  for (const [selector, url] of [
    ['video', memory.video_url],
    ['img', memory.preview_image_url],
  ] as const) {
    expect(await form.locator(selector).count(), selector).toBe(url === null ? 0 : 1);
  }
  expect(problems).toEqual([]);
});

test('names media on another origin and does not request them', async () => {
  const { page, problems } = await openPage(prefix, 'localhost');
  await getMemory(page, memory.id);
  const form = formOf(page, 'getMemory');
  await form.getByText(`The audio is on ${new URL(server.baseUrl).origin}. `).waitFor();
  expect(await form.locator('audio, video, img').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('explains in words that media were rejected', async () => {
  const { page } = await openPage(prefix);
  await page.route('**/media/**', (route) => route.fulfill({ status: 403 }));
  await getMemory(page, memory.id);
  await formOf(page, 'getMemory').getByText('The audio could not be loaded. Its URL may have expired').waitFor();
});

test('does not follow a redirect, and shows the later of two responses', async () => {
  const { page } = await openPage('');
  const form = formOf(page, 'listMemories');
  await page.route('**/v1/memories', (route) => route.fulfill({ status: 302, headers: { location: '/healthz' } }));
  await send(page, 'listMemories');
  await statusOf(form, /^Failed to send the request: no complete response arrived\./);

  await page.unroute('**/v1/memories');
  await page.route('**/v1/memories', () => {}, { times: 1 });
  await send(page, 'listMemories');
  await statusOf(form, /^Sending…$/);
  const aborted = page.waitForEvent('requestfailed');
  await send(page, 'listMemories');
  await aborted;
  await statusOf(form, /^401 /);
});

test('shows the errors for a wrong key and an unknown id in the page', async () => {
  const { page } = await openPage(prefix);
  await getMemory(page, 'mem_unknown');
  const form = formOf(page, 'getMemory');
  await statusOf(form, /^404 Not Found in /);
  expect(await form.getByLabel('Body of the response').textContent()).toContain('"Memory not found"');

  await keyField(page, 'listMemories').fill('mrk_wrong');
  await send(page, 'getMemory');
  await statusOf(form, /^401 Unauthorized in /);
  expect(await form.locator('.try-headers').textContent()).toContain('www-authenticate');
});

test('sends any id unchanged, whatever it contains', async () => {
  const { page } = await openPage(prefix);
  const asked = page.waitForRequest(/\/v1\//);
  await getMemory(page, '../a/b?c#d %2e');
  expect((await asked).url()).toBe(`${server.baseUrl}/v1/memories/..%2Fa%2Fb%3Fc%23d%20%252e`);
  await page.getByLabel('memory_id').fill('..');
  await send(page, 'getMemory');
  expect(await page.getByLabel('memory_id').evaluate((field) => field.matches(':invalid'))).toBe(true);
});

test('shows a name that looks like HTML as text', async () => {
  const { page, problems } = await openPage(prefix);
  const title = await page.title();
  const withoutMedia = { audio_url: null, video_url: null, preview_image_url: null };
  const hostile = { ...memory, id: hostileName, name: hostileName, ...withoutMedia };
  await page.route('**/v1/memories', (route) => route.fulfill({ json: [hostile] }));
  await page.route('**/v1/memories/*', (route) => route.fulfill({ json: hostile }));
  await send(page, 'listMemories');
  const list = formOf(page, 'listMemories');
  await list.locator('li', { hasText: hostileName }).waitFor();
  await list.locator('li', { hasText: hostileName }).getByRole('button').click();
  await send(page, 'getMemory');
  await formOf(page, 'getMemory').getByLabel('Body of the response').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe(title);
  expect(problems).toEqual([]);
});

test('can be used with the keyboard alone', async () => {
  const { page, problems } = await openPage(prefix);
  await keyField(page, 'listMemories').focus();
  await page.keyboard.type(server.apiKey);
  await page.keyboard.press('Enter');
  await statusOf(formOf(page, 'listMemories'), /^200 /);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const id = await page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('memory_id').inputValue()).toBe(id);
  await page.keyboard.press('Enter');
  await statusOf(formOf(page, 'getMemory'), /^200 /);
  expect(problems).toEqual([]);
});

test('the key is in no HTML, no URL and no storage, and is removed when the user leaves the page', async () => {
  const { page, urls } = await openPage(prefix);
  await getMemory(page, memory.id);
  await statusOf(formOf(page, 'getMemory'), /^200 /);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  for (const text of [await page.content(), page.url(), kept, ...urls]) expect(text).not.toContain(server.apiKey);
  expect(kept).toBe('[{},{},""]');
  await page.evaluate(() => dispatchEvent(new Event('pagehide')));
  expect(await keyField(page, 'listMemories').inputValue()).toBe('');
});

test('does not send a key that no header can carry', async () => {
  const { page, urls } = await openPage(prefix);
  await keyField(page, 'listMemories').fill('ключ');
  await send(page, 'listMemories');
  expect(await keyField(page, 'listMemories').evaluate((field) => field.matches(':invalid'))).toBe(true);
  expect(urls.filter((url) => url.includes('/v1/'))).toEqual([]);
  await keyField(page, 'listMemories').fill(` ${server.apiKey} `);
  await send(page, 'listMemories');
  await statusOf(formOf(page, 'listMemories'), /^200 /);
});

test('on a phone, the contents take one line, and every link of it can be seen', async () => {
  const { page } = await openPage(prefix);
  await page.setViewportSize({ width: 390, height: 844 });
  const contents = page.getByRole('navigation', { name: 'Contents' });
  expect((await contents.boundingBox())?.height).toBeLessThan(60);
  for (const link of await contents.getByRole('link').all()) await expect.poll(() => link.isVisible()).toBe(true);
  expect(await contents.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('all samples are shown in the language that was chosen, also on the next visit', async () => {
  const { page, problems } = await openPage(prefix);
  expect(await shownSamples(page)).toEqual(['curl', 'curl']);
  await page.getByRole('radio', { name: 'Python' }).last().check();
  expect(await shownSamples(page)).toEqual(['python', 'python']);
  await page.reload();
  expect(await shownSamples(page)).toEqual(['python', 'python']);
  await page.getByRole('radio', { name: 'Python' }).first().press('ArrowLeft');
  expect(await shownSamples(page)).toEqual(['typescript', 'typescript']);
  expect(problems).toEqual([]);
});

test('without JavaScript, shows a message in place of its forms, and a sample in each language', async () => {
  const context = await chromium().browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/docs`);
  expect(await page.locator('noscript p').first().isVisible()).toBe(true);
  expect(await page.locator('form:visible').count()).toBe(0);
  await page.getByRole('radio', { name: 'TypeScript' }).first().check();
  expect(await shownSamples(page)).toEqual(['typescript', 'curl']);
});

function shownSamples(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[data-language]:visible')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.language ?? null));
}

/** Opens the page, and records its problems and the URLs that it requests. */
async function openPage(path: string, hostname = '127.0.0.1') {
  const origin = `http://${hostname}:${new URL(server.baseUrl).port}`;
  const page = await chromium().browser.newPage();
  const problems = watchPage(page, [origin]);
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.goto(`${origin}${path}/docs`);
  return { page, problems, urls };
}

function formOf(page: Page, operationId: string): Locator {
  return page.getByRole('form', { name: `Try ${operationId}` });
}

function keyField(page: Page, operationId: string): Locator {
  return formOf(page, operationId).getByLabel('API key');
}

async function send(page: Page, operationId: string): Promise<void> {
  await formOf(page, operationId).getByRole('button', { name: 'Send' }).click();
}

/** Waits until the form shows this text. */
async function statusOf(form: Locator, expected: RegExp): Promise<void> {
  await form.getByRole('status').filter({ hasText: expected }).waitFor();
}

async function getMemory(page: Page, id: string): Promise<void> {
  await keyField(page, 'getMemory').fill(server.apiKey);
  await page.getByLabel('memory_id').fill(id);
  await send(page, 'getMemory');
}
