import { gzipSync } from 'node:zlib';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundlePageProgram } from '../tools/generate/page-program.ts';
import { entriesOf, publishedPackages } from './packed-packages.ts';
import { sizeLimits } from './size-limits.ts';

const entries = entriesOf(...publishedPackages);

test.each(entries)('$specifier stays within its limit in a bundle', async ({ specifier, built }) => {
  const text = await bundle('*', built);
  expect(sizeOf(text)).toBeLessThanOrEqual(sizeLimits[specifier] ?? 0);
  expect(sizeOf(text)).toBeGreaterThan(250);
  if (specifier.endsWith('/transcript'))
    expect(text, 'it needs no other package').not.toMatch(/\bimport\b|\bfrom"|\brequire\b/);
});

test('MemoryClient with its dependencies is at most 33.4 kB in a bundle, minified and compressed', async () => {
  const text = await bundle('MemoryClient');
  expect(sizeOf(text)).toBeLessThanOrEqual(33_400);
  // A smaller bundle would not contain the client.
  expect(sizeOf(text)).toBeGreaterThan(10_000);
  expect(text, 'of the manifest, the version alone').toMatch(/\{version:"\d+\.\d+\.\d+"\}/);
});

test('the functions that list and get memories are at most 23.5 kB in a bundle, minified and compressed', async () => {
  const text = await bundle('createClient, listMemories, getMemory', entriesOf('client')[1]?.built);
  expect(sizeOf(text)).toBeLessThanOrEqual(23_500);
  expect(text).toContain('/v1/memories');
  expect(text, 'no waits, watches or downloads').not.toMatch(/maxWait|watch memories|the storage answered/);
});

test('isMemoryApiError alone is at most 1 kB in a bundle, minified and compressed', async () => {
  expect(sizeOf(await bundle('isMemoryApiError'))).toBeLessThanOrEqual(1_000);
});

test('the search of the client is at most 16.5 kB in a bundle, minified', async () => {
  const { built } = entries.find(({ specifier }) => specifier === '@memory-read/client/search') ?? {};
  expect((await bundle('*', built)).length).toBeLessThanOrEqual(16_500);
});

test('the program of index.html is at most 20 kB minified, and 8.5 kB compressed', async () => {
  const program = await bundlePageProgram();
  expect(program.length).toBeLessThanOrEqual(20_000);
  expect(sizeOf(program)).toBeLessThanOrEqual(8_500);
  expect(program, 'it is inside of a script element').not.toMatch(/<\/script|<!--|[^\n -~]/i);
});

function sizeOf(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/** Returns the bundle of a module that imports one export, or all, of a built entry, by default of the client. */
async function bundle(name: string, path = entriesOf('client')[0]?.built): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${name === '*' ? name : `{ ${name} }`} from '${path}';`, resolveDir: root },
    external: ['node:*', 'msw', 'msw/*'],
    logLevel: 'error',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
