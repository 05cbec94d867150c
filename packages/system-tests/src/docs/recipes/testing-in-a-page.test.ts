import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';
import { type SiteFile, serveSite } from '../../runtimes/browser/serve-site.ts';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { runRecipe } from './run-recipe.ts';

/** Declared by Storybook in the page. */
declare const __STORYBOOK_ADDONS_CHANNEL__: { emit(event: string, value: object): void };

const require = createRequire(import.meta.url);
const quiet = { STORYBOOK_DISABLE_TELEMETRY: '1' };
const built = makeFolder(afterAll);

const chromium = useChromium();

test.concurrent('the recipe for the browser mode of Vitest passes in Chromium', async () => {
  const program = join(require.resolve('vitest/package.json'), '..', 'vitest.mjs');
  const config = join(import.meta.dirname, 'vitest-browser', 'vitest.config.ts');
  const { executablePath, environment } = chromium();
  const run = await runRecipe([program, 'run', '--config', config], { ...environment, CHROME_PATH: executablePath });
  expect(run).toEqual({ status: 0, output: expect.stringMatching(/\|chromium\| .*\n[\s\S]*Tests {2}3 passed \(3\)/) });
});

test.concurrent('the recipe for Storybook builds, and its stories show the memories of the mock', async () => {
  const program = join(require.resolve('storybook/package.json'), '..', 'dist', 'bin', 'dispatcher.js');
  const run = await runRecipe(
    [program, 'build', '-c', join(import.meta.dirname, 'storybook'), '-o', built, '--quiet'],
    quiet,
  );
  expect(run).toMatchObject({ status: 0 });
  await using site = await serveSite(fileOfStorybook);
  const page = await chromium().browser.newPage();
  const lines = page.locator('#storybook-root li');
  await page.goto(`${site.url}/iframe.html?viewMode=story&id=memories--failed`);
  await lines.first().waitFor();
  expect(await lines.allTextContents()).toEqual(['Try again later']);
  // Switches the story as the sidebar does. The page is not reloaded, so only a reset ends the fault.
  await page.evaluate(() =>
    __STORYBOOK_ADDONS_CHANNEL__.emit('setCurrentStory', { storyId: 'memories--some', viewMode: 'story' }),
  );
  await lines.nth(12).waitFor();
  expect(await lines.first().textContent()).toBe('Stand-up');
  expect(site.leaked).toEqual([]);
});

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

function fileOfStorybook(path: string): SiteFile | undefined {
  const file = join(built, path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return [types[extname(file)] ?? 'application/octet-stream', readFileSync(file)];
}
