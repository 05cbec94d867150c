import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '@memory-read/integration-tests/docs/examples';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'esbuild';
import { type Site, type SiteFile, serveSite } from './serve-site.ts';

/** Serves a page that starts the mock with this package of MSW. By default, its script is the example of a page. */
export async function serveMockPage(msw: 'msw' | 'msw-2', script = example): Promise<Site> {
  const worker = (name: string): SiteFile => [
    'text/javascript',
    readFileSync(join(packageFolder, 'node_modules', name, 'lib', 'mockServiceWorker.js')),
  ];
  const files = new Map<string, SiteFile>([
    ['/', ['text/html', '<!doctype html><title>Mock</title>']],
    ['/page.js', ['text/javascript', await bundle(script, msw)]],
    ['/mockServiceWorker.js', worker(msw)],
    ['/below/mockServiceWorker.js', worker(msw)],
    ['/other-version.js', worker(msw === 'msw' ? 'msw-2' : 'msw')],
    ['/throws.js', ['text/javascript', 'throw new Error()']],
  ]);
  return serveSite((path) => files.get(path));
}

const example = join(root, exampleFolder, 'msw-browser.page.ts');
const packageFolder = join(root, 'packages', 'msw');

async function bundle(script: string, msw: 'msw' | 'msw-2'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [script],
    absWorkingDir: packageFolder,
    conditions: ['@memory-read/source'],
    alias: msw === 'msw' ? {} : { msw },
    // As the development server of Vite sets it.
    define: { 'import.meta.env.DEV': 'true' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
