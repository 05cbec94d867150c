import { once } from 'node:events';
import { get } from 'node:http';
import { edgeCases } from '@memory-read/fixtures';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { viewerFolder } from './build-viewer.ts';
import { watchPage } from './watch-page.ts';

const showcase = showcaseMemories({ now: new Date() });
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

test.each(['patience', 'yoghurt', 'duck'])(
  'a found “%s” of the showcase is heard after a click, and a reload continues there',
  async (word) => {
    const { page, problems } = await openViewer();
    const memory = showcase.find(({ transcript }) => JSON.stringify(transcript).includes(word));
    const said = memory?.transcript?.segments.find(({ text }) => text.includes(word));
    const secondsOf = (time = '') => (Date.parse(time) - Date.parse(memory?.started_at ?? '')) / 1000;
    await page.getByRole('searchbox').fill(word);
    await page.locator('.place', { hasText: word }).first().click();
    const video = page.locator('video');
    const state = () =>
      video.evaluate((element: HTMLVideoElement & { webkitAudioDecodedByteCount: number }) => ({
        seconds: element.currentTime,
        isHeard: !element.paused && !element.muted && element.webkitAudioDecodedByteCount > 0,
      }));
    await expect.poll(state).toMatchObject({ isHeard: true });
    const { seconds } = await state();
    expect(seconds).toBeGreaterThanOrEqual(secondsOf(said?.start_at) - 0.01);
    expect(seconds).toBeLessThan(secondsOf(said?.end_at));
    expect(await page.locator('.line[aria-current]').textContent()).toContain(word);

    await page.getByRole('button', { name: 'Pause' }).click();
    const left = await state();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: memory?.name ?? '' }).waitFor();
    await expect.poll(async () => Math.abs((await state()).seconds - left.seconds)).toBeLessThan(0.3);
    expect(await page.getByRole('searchbox').inputValue()).toBe(word);
    expect(problems).toEqual([]);
  },
);

test('opens on the newest processed memory, on a phone on the list, and shows edge cases only on request', async () => {
  const { page, problems } = await openViewer();
  const newest = page.getByRole('heading', { level: 1, name: showcase[0]?.name ?? '' });
  await newest.waitFor();
  const names = () => page.locator('.card-name').allTextContents();
  const usual = await names();
  expect(usual.slice(0, showcase.length)).toEqual(showcase.map(({ name }) => name));
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => newest.isVisible()).toBe(false);
  await page.goto(`${page.url()}?edge-cases`);
  await expect.poll(async () => (await names()).length).toBe(usual.length + Object.keys(edgeCases).length);
  expect(problems).toEqual([]);
});

async function openViewer() {
  const { origin } = new URL(server.resolvedUrls?.local[0] ?? '');
  const page = await chromium().browser.newPage();
  onTestFinished(() => page.close());
  const problems = watchPage(page, [origin, origin.replace('http:', 'ws:')], /^\[vite\]|React DevTools/);
  await page.goto(origin);
  return { page, problems };
}
