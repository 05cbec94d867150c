import { join } from 'node:path';
import { exampleFolder } from '@memory-read/integration-tests/docs/examples';
import type * as browser from '@memory-read/msw/browser';
import { root } from '@memory-read/test-kit/repository';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveMockPage } from './serve-mock-page.ts';
import type { Site } from './serve-site.ts';
import { useChromium } from './use-chromium.ts';

/** Declared by the script of the page. */
declare const mock: browser.BrowserMemoryMock;

const chromium = useChromium();

describe.each(['msw', 'msw-2'] as const)('%s', (msw) => {
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await serveMockPage(msw);
  });
  beforeEach(async () => {
    page = await chromium().browser.newPage();
    await page.goto(site.url);
    // A string, because Vitest would rewrite an import inside a function.
    await page.evaluate("import('/page.js')");
  });
  afterEach(() => page.close());
  afterAll(() => site?.[Symbol.asyncDispose]());

  test('the fault of the example lasts for a page that retries, and leaves the list alone', async () => {
    const statuses = await page.evaluate(async () => {
      const [{ id }] = await (await fetch('/api/v1/memories')).json();
      const paths = ['/api/v1/memories', ...Array.from({ length: 3 }, () => `/api/v1/memories/${id}`)];
      return Promise.all(paths.map(async (path) => (await fetch(path)).status));
    });
    expect(statuses).toEqual([200, 503, 503, 503]);
  });

  test('media play, with and without CORS', async () => {
    const lengths = await page.evaluate(async () => {
      mock.reset();
      const { id } = mock.memories.add();
      const { audio_url, video_url } = await (await fetch(`/api/v1/memories/${id}`)).json();
      return Promise.all([
        lengthOf('audio', audio_url, 'anonymous'),
        lengthOf('video', video_url, 'anonymous'),
        lengthOf('video', video_url, null),
      ]);

      function lengthOf(kind: 'audio' | 'video', url: string, crossOrigin: string | null): Promise<number> {
        const element = document.createElement(kind);
        element.crossOrigin = crossOrigin;
        return new Promise((resolve, reject) => {
          element.onloadedmetadata = () => resolve(Math.round(element.duration));
          element.onerror = () => reject(new Error(element.error?.message));
          element.src = url;
        });
      }
    });
    expect(lengths).toEqual([2, 2, 2]);
  });
});

const recipes = 'packages/system-tests/src/docs/recipes';
test.each([
  [`${exampleFolder}/msw-development.page.ts`, '/api/v1/memories/mem_interview', { is_processing: true }],
  [`${recipes}/own-worker/msw-worker.page.ts`, '/api/flags', { search: true }],
  [`${recipes}/own-worker/msw-worker.page.ts`, '/api/memory/v1/memories/none', { detail: expect.any(String) }],
])('a page with %s gets the response of %s', async (script, path, response) => {
  await using site = await serveMockPage('msw', join(root, script));
  const page = await chromium().browser.newPage();
  await page.goto(site.url);
  await page.evaluate("import('/page.js')");
  expect(await page.evaluate(async (asked) => (await fetch(asked)).json(), path)).toMatchObject(response);
  await page.close();
});
