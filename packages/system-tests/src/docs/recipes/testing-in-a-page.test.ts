import { readFileSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { startProcess } from '@memory-read/test-kit/start-process';
import type { Page } from 'playwright-core';
import { createServer } from 'vite';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type SiteFile, serveSite } from '../../runtimes/browser/serve-site.ts';
import { useChromium } from '../../runtimes/browser/use-chromium.ts';
import { ownEnvironment, runRecipe } from './run-recipe.ts';

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
  const run = await runRecipe([...storybook('build'), '-o', built, '--quiet'], quiet);
  expect(run).toMatchObject({ status: 0 });
  await using site = await serveSite(fileOfStorybook);
  await (await openStories(site.url)).page.close();
  expect(site.leaked).toEqual([]);
});

test.concurrent('Storybook in development still shows them after a reload of the module with the mock', async () => {
  const port = String(await freePort());
  const command = [process.execPath, ...storybook('dev'), '--ci', '--host', '127.0.0.1', '--port', port];
  const options = { env: { ...ownEnvironment(), ...quiet, NO_COLOR: '1' }, detached: true };
  await using _process = await startProcess(command, /Storybook ready/, options);
  const { page, errors } = await openStories(`http://127.0.0.1:${port}`);
  await page.locator('#storybook-root ul').evaluate((list) => list.classList.add('old'));
  touchMock();
  await page.locator('#storybook-root ul:not(.old) li').nth(12).waitFor();
  expect(errors).toEqual([]);
  await page.close();
});

test.concurrent('a mock of which Vite reloads the module still responds, in the same page', async () => {
  const server = await createServer({
    configFile: false,
    root: join(import.meta.dirname, 'hot-reload'),
    logLevel: 'error',
    publicDir: dirname(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))),
    cacheDir: join(root, 'node_modules', '.cache', 'vite-hot-reload'),
    resolve: { conditions: ['@memory-read/source', 'module', 'browser', 'development|production'] },
    server: { host: '127.0.0.1', port: 0, fs: { allow: [root] } },
  });
  onTestFinished(() => server.close());
  await server.listen();
  const { page, errors } = await openPage(server.resolvedUrls?.local[0] ?? '');
  for (const seen of ['200', '200 200', '200 200 200']) {
    await page.getByText(seen, { exact: true }).waitFor();
    touchMock();
  }
  expect(errors).toEqual([]);
  await page.close();
});

function storybook(command: string): string[] {
  const program = join(require.resolve('storybook/package.json'), '..', 'dist', 'bin', 'dispatcher.js');
  return [program, command, '-c', join(import.meta.dirname, 'storybook')];
}

/** Makes development servers reload the module: they read the time of a file, not its content. */
function touchMock(): void {
  utimesSync(join(import.meta.dirname, 'storybook', 'msw-storybook-mock.page.ts'), new Date(), new Date());
}

/** Opens a page, and collects its errors. */
async function openPage(url: string): Promise<{ page: Page; errors: string[] }> {
  const page = await chromium().browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(url);
  return { page, errors };
}

/** Opens the story of a failure and then, in the same page, the story with a memory. */
async function openStories(url: string): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(`${url}/iframe.html?viewMode=story&id=memories--failed`);
  const lines = opened.page.locator('#storybook-root li');
  await lines.first().waitFor();
  expect(await lines.allTextContents()).toEqual(['Try again later']);
  // Switches the story as the sidebar does. The page is not reloaded, so only a reset ends the fault.
  await opened.page.evaluate(() =>
    __STORYBOOK_ADDONS_CHANNEL__.emit('setCurrentStory', { storyId: 'memories--some', viewMode: 'story' }),
  );
  await lines.nth(12).waitFor();
  expect(await lines.first().textContent()).toBe('Stand-up');
  opened.errors.length = 0;
  return opened;
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

function fileOfStorybook(path: string): SiteFile | undefined {
  const file = join(built, path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return [types[extname(file)] ?? 'application/octet-stream', readFileSync(file)];
}
