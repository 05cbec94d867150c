import { startMockServer } from '@memory-read/msw/server';
import { afterAll, expect, test } from 'vitest';
import { serveSite } from '../runtimes/browser/serve-site.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';

const chromium = useChromium();
const site = await serveSite(() => ['text/html', '<!doctype html>']);
const server = await startMockServer({ memories: [], control: {} });
server.memories.add({ id: 'mem_1', transcript: null });
server.faults.next('stall');
afterAll(() => Promise.all([server.close(), site[Symbol.asyncDispose]()]));
const control = String(server.controlUrl);
const state = () => JSON.stringify([server.spaces().length, server.memories.all(), server.faults.all()]);
const before = state();
/** A name that Chromium resolves to this machine, as a name whose owner has changed its address. */
const rebound = control.replace('127.0.0.1', 'rebound.localhost');

/** Parts of a request that can be passed to a page. */
interface SentRequest {
  method?: string;
  mode?: 'no-cors';
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request from a page, and returns its status, or why the page cannot read it. */
async function sendFrom(origin: string, url: string, init: SentRequest): Promise<number | string> {
  await using context = await chromium().browser.newContext();
  const page = await context.newPage();
  await page.goto(origin);
  return await page.evaluate(
    ([target, options]) =>
      fetch(target, options).then(
        ({ status, type }) => (type === 'opaque' ? type : status),
        (error) => String(error),
      ),
    [url, init] as const,
  );
}

const json = { 'content-type': 'application/json' };

test.each<[what: string, result: number | string, path: string, init: SentRequest]>([
  ['reads a space', 'TypeError: Failed to fetch', '/spaces/default', {}],
  ['reads without CORS', 'opaque', '/spaces/default', { mode: 'no-cors' }],
  ['sends JSON', 'TypeError: Failed to fetch', '/spaces', { method: 'POST', headers: json, body: '{}' }],
  ['sends no body', 'opaque', '/spaces', { method: 'POST', mode: 'no-cors' }],
  ['sends text', 'opaque', '/spaces/default/reset', { method: 'POST', mode: 'no-cors', body: '{}' }],
  ['closes a space', 'TypeError: Failed to fetch', '/spaces/default', { method: 'DELETE' }],
])('in Chromium, a page of another origin that %s changes nothing', async (_, result, path, init) => {
  expect(await sendFrom(site.url, control + path, init)).toBe(result);
  expect(state()).toBe(before);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
  'in Chromium, a form of the type %s changes nothing',
  async (enctype) => {
    await using context = await chromium().browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    const field = '<input name=\'{"fault":"stall","times":"always"}//\'>';
    await page.setContent(
      `<form method="post" enctype="${enctype}" action="${control}/spaces/default/faults">${field}</form>`,
    );
    const [response] = await Promise.all([
      page.waitForResponse(`${control}/**`),
      page.evaluate(() => document.querySelector('form')?.submit()),
    ]);
    expect(response.status()).toBe(403);
    expect(state()).toBe(before);
  },
);

test.each<[method: string, path: string]>([
  ['GET', '/spaces/default'],
  ['POST', '/spaces'],
  ['DELETE', '/spaces/default'],
])('in Chromium, a page of a name that now means this machine cannot send %s %s', async (method, path) => {
  expect(await sendFrom(`${rebound}/healthz`, `${rebound}${path}`, { method })).toBe(403);
  expect(state()).toBe(before);
});

test('in Chromium, a developer can open a route, and a link to it from a page is refused', async () => {
  await using context = await chromium().browser.newContext();
  const page = await context.newPage();
  expect((await page.goto(`${control}/spaces`))?.status()).toBe(200);
  await page.goto(site.url);
  await page.setContent(`<a href="${control}/spaces">spaces</a>`);
  const [response] = await Promise.all([page.waitForResponse(`${control}/**`), page.click('a')]);
  expect(response.status()).toBe(403);
});
