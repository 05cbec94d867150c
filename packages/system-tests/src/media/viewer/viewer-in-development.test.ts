import { once } from 'node:events';
import { get } from 'node:http';
import { edgeCases } from '@memory-read/fixtures';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { viewerFolder } from './build-viewer.ts';
import { watchPage } from './watch-page.ts';

const cacheDir = makeFolder(afterAll);
const chromium = useChromium();
let server: ViteDevServer;

beforeAll(async () => {
  const listening = { host: '127.0.0.1', port: 0 };
  server = await createServer({ root: viewerFolder, mode: 'mock', cacheDir, server: listening, logLevel: 'silent' });
  await server.listen();
});
afterAll(() => server?.close());

test.each(['/', '/api/v1/memories'])(
  'npm run viewer refuses a name that another site points to it, at %s',
  async (path) => {
    const { hostname, port } = new URL(server.resolvedUrls?.local[0] ?? '');
    const request = get({ hostname, port, path, headers: { host: 'evil.example' }, agent: false });
    const [{ statusCode }] = await once(request, 'response');
    request.destroy();
    expect(statusCode).toBe(403);
  },
);

test('npm run dev shows the mock behind a service worker: all memories, and media that play', async () => {
  const { origin } = new URL(server.resolvedUrls?.local[0] ?? '');
  const page = await chromium().browser.newPage();
  const problems = watchPage(page, [origin, origin.replace('http:', 'ws:')]);
  await page.goto(origin);
  await page.getByRole('link', { name: 'A walk by the river' }).waitFor();
  expect(await page.locator('.card').count()).toBe(13 + Object.keys(edgeCases).length);
  await page.getByRole('link', { name: 'Edge case: overlappingSegments' }).click();
  await page.getByRole('link', { name: 'What I wanted to say' }).click();
  const seconds = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(seconds).toBeGreaterThan(1);
  expect(problems.filter((problem) => !/^\[vite\]|React DevTools/.test(problem))).toEqual([]);
});
