import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { build as buildWithEsbuild } from 'esbuild';
import { build as buildWithVite } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { launchChromium } from '../runtimes/browser/launch-chromium.ts';
import { serveSite } from '../runtimes/browser/serve-site.ts';
import { createConsumer } from './create-consumer.ts';
import { smokeReport } from './smoke-report.ts';

const minutes = 60_000;
const consumer = createConsumer();
for (const file of ['smoke.mjs', 'smoke-page.mjs']) consumer.add(file);
const chromium = await launchChromium();
afterAll(() => chromium.close());

test.each([
  ['esbuild', bundleWithEsbuild],
  ['Vite', bundleWithVite],
])(
  'a bundle of the packed client and mock by %s runs in Chromium, also with the service worker of MSW',
  async (_bundler, bundle) => {
    const script = await bundle();
    expect(script).not.toContain('node:');
    const worker = readFileSync(join(root, 'packages/msw/node_modules/msw/lib/mockServiceWorker.js'));
    await using site = await serveSite((path) => {
      if (path === '/') return ['text/html', '<!doctype html><title>Bundle</title>'];
      if (path === '/page.js') return ['text/javascript', script];
      return path === '/mockServiceWorker.js' ? ['text/javascript', worker] : undefined;
    });
    const page = await chromium.browser.newPage();
    await page.goto(site.url);
    // A string, because Vitest would rewrite an import inside a function.
    await page.evaluate("import('/page.js')");
    await page.waitForFunction('globalThis.report');
    expect(await page.evaluate('globalThis.report')).toEqual({ ...smokeReport, behindWorker: 12 });
    await page.close();
  },
  3 * minutes,
);

async function bundleWithEsbuild(): Promise<string> {
  const { outputFiles } = await buildWithEsbuild({
    entryPoints: ['smoke-page.mjs'],
    absWorkingDir: consumer.folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

async function bundleWithVite(): Promise<string> {
  const output = await buildWithVite({
    root: consumer.folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: 'smoke-page.mjs', formats: ['es'], fileName: 'page' } },
  });
  const [bundle] = [output].flat();
  return bundle !== undefined && 'output' in bundle ? bundle.output[0].code : '';
}
