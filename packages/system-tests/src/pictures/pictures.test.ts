import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemories } from '@memory-read/fixtures';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderRuns } from '../cli/render-screen.ts';
import { runCommand, runInTerminal } from '../cli/run-command.ts';
import { startMediaAccount } from '../cli/start-media-account.ts';
import { buildViewer } from '../media/viewer/build-viewer.ts';
import { openOnMock } from '../media/viewer/open-on-mock.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { drawTerminal, themes } from './draw-terminal.ts';

// With --update, as in npm run pictures, these tests write what they compare.
const folder = join(root, 'docs', 'pictures');
const now = '2026-11-20T21:30:00Z';
// The Chromium of the tests has fonts for these names only.
const memories = createMemories({ count: 24, seed: 'demo', now: '2026-11-20T15:00:00Z', language: 'en' }).filter(
  ({ name, is_processing }) => /^[\p{Script=Latin}\p{Script=Common}]+$/u.test(name) && !is_processing,
);
const largest = 150_000;

test.each(['light', 'dark'] as const)('terminal-%s.svg is what the command line prints today', async (theme) => {
  const columns = 92;
  const account = await startMediaAccount(1_000);
  await account.put(...showcaseMemories({ now }), ...memories);
  const options = { cwd: makeFolder(), columns, env: { ...account.env, MEMORY_READ_PAGER: '' } };
  expect(await runCommand(['mirror'], options)).toMatchObject({ code: 0 });
  let output = '';
  for (const args of [
    ['list', '--limit', '6'],
    ['search', 'wrench'],
  ]) {
    const command = runInTerminal(args, options);
    expect(await command.ended).toBe(0);
    output += `\u001b[32m$\u001b[39m memory-read ${args.join(' ')}\n${command.shown()}\n`;
  }
  const lines = (await renderRuns(output.trimEnd(), columns)).filter((_, index, all) =>
    all.slice(index).some((line) => line.length > 0),
  );
  const picture = drawTerminal(lines, columns, themes[theme]);
  expect(picture.length).toBeLessThan(largest);
  await expect(picture).toMatchFileSnapshot(join(folder, `terminal-${theme}.svg`));
});

const dist = makeFolder(afterAll);
const chromium = useChromium();
beforeAll(() => buildViewer(dist));

test.each([
  ['viewer', 'light', 1280, 720],
  ['viewer', 'dark', 1280, 720],
  ['viewer-narrow', 'light', 390, 844],
  ['viewer-narrow', 'dark', 390, 844],
] as const)('%s-%s.png shows the viewer and the showcase of today', async (name, colorScheme, width, height) => {
  await using viewer = await openOnMock(chromium().browser, dist, { now, memories });
  for (const memory of showcaseMemories({ now })) {
    const media = Object.entries(memory.media).flatMap(([kind, file]) => {
      if (!file) return [];
      const bytes = readFileSync(join(root, 'packages/fixtures/media', file.object_key));
      return [[kind, { content_type: file.content_type, bytes }]];
    });
    viewer.mock.memories.add({ ...memory, media: Object.fromEntries(media) });
  }
  const { page } = viewer;
  await page.clock.setFixedTime(now);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await viewer.open(width < 800 ? 'mem_showcase_call' : undefined);
  await page.locator('.line').first().waitFor();
  await page.waitForLoadState('networkidle');
  const path = join(folder, `${name}-${colorScheme}.png`);
  const facts = join(import.meta.dirname, `${name}-${colorScheme}.txt`);
  const html = (await page.content()).replaceAll(/(?:blob:|\?|index-)[^"]*/g, '');
  const styles = globSync('assets/*.css', { cwd: dist }).map((file) => readFileSync(join(dist, file), 'utf8'));
  const shown = [
    `elements ${sha256(html)}`,
    `styles ${sha256(styles.join())}`,
    `shown ${sha256(await page.locator('body').ariaSnapshot())}\n`,
  ].join('\n');
  // Pixels depend on the fonts of the machine, so the picture is compared by what it shows.
  const isCurrent = existsSync(path) && existsSync(facts) && readFileSync(facts, 'utf8').endsWith(shown);
  const png = isCurrent ? readFileSync(path) : await page.screenshot();
  await expect(`picture ${sha256(png)}\n${shown}`).toMatchFileSnapshot(facts);
  if (!isCurrent) writeFileSync(path, png);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
  expect(png.length).toBeLessThan(largest);
  expect(viewer.problems).toEqual([]);
});

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
