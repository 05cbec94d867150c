import { MemoryClient } from '@memory-read/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServeProcess, startServe } from '../../server/serving/start-serve.ts';
import { type LaunchedChromium, launchChromium } from './launch-chromium.ts';

let chromium: LaunchedChromium;
let server: ServeProcess;

beforeAll(async () => {
  server = await startServe(['--in-memory']);
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

test("a memory's audio plays in Chromium from its signed URL, by ranges, and not with one character changed", async () => {
  const memories = await new MemoryClient(server).listMemories();
  const url = memories.find(({ audio_url }) => audio_url !== null)?.audio_url ?? '';
  const page = await chromium.browser.newPage();
  const ranged = page.waitForResponse((response) => response.url() === url && response.status() === 206);
  expect(await page.evaluate(play, url)).toBe('played');
  await ranged;

  const changed = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A');
  expect(await page.evaluate(play, changed)).toBe('refused');
  expect((await fetch(changed)).status).toBe(403);
});

test.each([
  { width: 1280, colorScheme: 'light' as const },
  { width: 390, colorScheme: 'dark' as const },
])(
  'the reference page is whole at $width pixels, $colorScheme: own host, no errors, nothing cut off',
  async ({ width, colorScheme }) => {
    const page = await chromium.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(server.baseUrl).origin) problems.push(request.url());
    });
    await page.goto(`${server.baseUrl}/docs`);
    await page.getByRole('link', { name: 'getMemory' }).click();

    expect(problems).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await page.getByRole('heading', { name: 'Get one memory of the calling account' }).isVisible()).toBe(true);
    const isDark = await page.evaluate(() =>
      getComputedStyle(document.body)
        .backgroundColor.match(/\d+/g)
        ?.every((part) => Number(part) < 64),
    );
    expect(isDark).toBe(colorScheme === 'dark');
  },
);

/** Runs inside Chromium, so it closes over nothing. */
async function play(url: string): Promise<'played' | 'refused'> {
  const player = new Audio(url);
  player.playbackRate = 4;
  return new Promise((resolve) => {
    player.onended = () => resolve('played');
    player.onerror = () => resolve('refused');
    player.play().catch(() => resolve('refused'));
  });
}
