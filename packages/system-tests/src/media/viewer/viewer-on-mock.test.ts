import { edgeCases } from '@memory-read/fixtures';
import type { MemoryMock } from '@memory-read/msw';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../../runtimes/browser/find-violations.ts';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { buildViewer } from './build-viewer.ts';
import { openOnMock, type ViewerOnMock } from './open-on-mock.ts';

const dist = makeFolder(afterAll);
const chromium = useChromium();
let viewer: ViewerOnMock;
let page: Page;
let mock: MemoryMock;

beforeAll(() => buildViewer(dist));

beforeEach(async () => {
  viewer = await openOnMock(chromium().browser, dist);
  ({ page, mock } = viewer);
});
afterEach(() => viewer[Symbol.asyncDispose]());

test('captions come from the transcript, and can be turned off', async () => {
  await viewer.open(addTalk());
  const shown = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => {
      const [track] = video.textTracks;
      return [track?.mode, ...Array.from(track?.cues ?? [], ({ startTime }) => startTime)];
    });
  await expect.poll(shown).toEqual(['showing', 0, 0.5, 1, 1.5]);
  await page.getByRole('button', { name: 'Captions' }).click();
  await expect.poll(shown).toEqual(['hidden', 0, 0.5, 1, 1.5]);
});

test('reports media that cannot be played, and can try again', async () => {
  const id = addTalk();
  await page.route('**/api/media/**', (route) => route.fulfill({ status: 404 }));
  await viewer.open(id);
  await page.getByRole('alert').getByText('Nothing to play').waitFor();
  await page.unroute('**/api/media/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await line('Two').click();
  await expect.poll(playedSeconds).toBeGreaterThan(0.5);
});

test('shows a new transcript and summary without a reload', async () => {
  await page.clock.install();
  const { id } = mock.memories.addProcessing({ name: 'A walk' });
  await viewer.open(id);
  await page.getByText('Transcript and summary are being made').waitFor();
  mock.memories.finishProcessing(id);
  await page.clock.fastForward(11_000);
  await page.getByRole('heading', { name: 'Summary' }).waitFor();
  await page.getByRole('link', { name: 'Shall we meet again on Thursday?' }).waitFor();
});

test('a user can open a memory, jump to a line and pause with the keyboard alone', async () => {
  addTalk();
  await viewer.open();
  await page.getByRole('link', { name: 'Talk' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Talk', level: 1 }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  await line('One').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await currentLine()).toContain('Three');
  await page.getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
});

test('on a phone, going back returns to the same position in the list, also after a reload', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const oldest = { name: 'The oldest', started_at: '2020-01-01T00:00:00Z', ended_at: '2020-01-01T00:01:00Z' };
  const { id } = mock.memories.add(oldest);
  await viewer.open();
  const card = page.getByRole('link', { name: oldest.name });
  await card.scrollIntoViewIfNeeded();
  const scrolled = () => page.locator('.list').evaluate(({ scrollTop }) => scrollTop);
  // The browser reports a position with its next frame.
  await expect.poll(() => page.evaluate(() => Number(sessionStorage.scroll))).toBeGreaterThan(0);
  const kept = await scrolled();
  await card.click();
  await page.getByRole('link', { name: 'All memories' }).click();
  expect(await scrolled()).toBe(kept);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(`#/${id}`);
  await page.reload();
  await card.waitFor();
  expect(await scrolled()).toBe(kept);

  await page.getByRole('searchbox').fill('the');
  await page.locator('.place').first().waitFor();
  expect(await scrolled()).toBe(0);
  await page.locator('.list').evaluate((list) => list.scrollTo(0, 200));
  await expect.poll(() => page.evaluate(() => sessionStorage.scroll)).toBe('200');
  await page.reload();
  await expect.poll(scrolled).toBe(200);
});

test('keeps the current one of ten thousand lines in view, until the reader scrolls', async () => {
  const { id, started_at, transcript } = edgeCases.longTranscript;
  mock.memories.add({ id, started_at, duration_seconds: 10_000, transcript });
  await viewer.open(id);
  await page.locator('.line').first().waitFor();
  expect(await page.locator('.line').count()).toBe(10_000);
  await page.goto(`${page.url()}/1000`);
  const second = page.locator('[data-line="1"]');
  await expect.poll(() => second.getAttribute('aria-current')).toBe('true');
  await page.locator('[data-line="0"]').click();
  await page.locator('.scroller').hover();
  await page.mouse.wheel(0, 4000);
  await expect.poll(currentIsInView).toBe(false);
  await page.locator('.line[aria-current]:not([data-line="0"])').waitFor({ state: 'attached' });
  expect(await currentIsInView()).toBe(false);
  await page.getByRole('button', { name: 'Back to the current line' }).click();
  await expect.poll(currentIsInView).toBe(true);
});

test.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('axe finds nothing, and nothing is cut off: %i wide, %s', async (width, colorScheme) => {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const id = addTalk();
  mock.memories.addProcessing({ name: 'A walk' });
  await viewer.open();
  await page.getByRole('link', { name: 'Talk' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  for (const query of ['two', 'two zebra']) {
    await page.getByRole('searchbox').fill(query);
    await page.locator('.place mark').first().waitFor();
    await expect.poll(() => page.getByText('These have only some of the words:').count()).toBe(query === 'two' ? 0 : 1);
    expect(await findViolations(page)).toEqual([]);
  }
  await page.getByRole('searchbox').fill('');
  await viewer.open(id);
  await line('Two').waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  mock.faults.always({ status: 401 });
  await page.reload();
  await page.getByRole('alert').first().waitFor({ state: 'attached' });
  expect(await findViolations(page)).toEqual([]);
  const isDark = await page.evaluate(() => {
    const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
    return red < 64;
  });
  expect(isDark).toBe(colorScheme === 'dark');
});

test('renders every edge case without an error, in the list and by itself', async () => {
  for (const { id } of mock.memories.all()) mock.memories.remove(id);
  const records = Object.values(edgeCases);
  for (const record of records) mock.memories.add(record);
  await viewer.open();
  await expect.poll(() => page.locator('.card').count()).toBe(records.length);
  for (const { id, transcript } of records) {
    await viewer.open(id);
    await page.locator('.memory-header').waitFor();
    expect(await page.locator('.line').count()).toBe(transcript?.segments.length ?? 0);
    expect(await page.locator('.problem').count()).toBe(0);
  }
  expect(viewer.problems).toEqual([]);
});

/** A memory of two seconds. */
function addTalk(): string {
  const start = Date.parse('2026-03-01T10:00:00Z');
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const segments = ['One', 'Two', 'Three', 'Four'].map((text, index) => ({
    speaker: `Speaker ${(index % 2) + 1}`,
    start_at: at(index / 2),
    end_at: at(index / 2 + 0.5),
    text,
  }));
  return mock.memories.add({ name: 'Talk', started_at: at(0), ended_at: at(2), transcript: { segments } }).id;
}

function line(text: string): Locator {
  return page.getByRole('region', { name: 'Transcript' }).getByRole('link', { name: text });
}

function playedSeconds(): Promise<number> {
  return page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
}

async function currentLine(): Promise<string | null> {
  return page.locator('.line[aria-current]').textContent();
}

function currentIsInView(): Promise<boolean> {
  return page.locator('.line[aria-current]').evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}
