import { gzipSync } from 'node:zlib';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { entriesOf, publishedPackages } from './packed-packages.ts';

/**
 * Limits for an entry with all that it loads except MSW, in bytes, minified and compressed. They leave room for a few
 * fields and texts.
 */
const limits: Record<string, number> = {
  '@memory-read/contract': 8_200,
  '@memory-read/contract/operations': 1_800,
  '@memory-read/contract/fields': 700,
  '@memory-read/contract/date-time': 700,
  '@memory-read/contract/openapi': 12_400,
  '@memory-read/contract/redaction': 3_000,
  '@memory-read/client': 34_100,
  '@memory-read/client/transcript': 3_000,
  '@memory-read/client/media-url': 1_000,
  '@memory-read/client/playback': 4_096,
  '@memory-read/client/query': 3_400,
  '@memory-read/client/node': 7_600,
  '@memory-read/server': 31_000,
  '@memory-read/server/sqlite': 15_000,
  '@memory-read/server/postgres': 15_600,
  '@memory-read/server/s3': 6_800,
  '@memory-read/server/node': 14_100,
  '@memory-read/server/testing': 18_000,
  '@memory-read/fixtures': 110_000,
  '@memory-read/msw': 150_000,
  '@memory-read/msw/node': 150_000,
  '@memory-read/msw/browser': 150_000,
  '@memory-read/msw/fetch': 150_000,
  '@memory-read/conformance': 28_000,
  '@memory-read/mirror': 62_500,
  '@memory-read/mcp': 131_000,
  '@memory-read/mcp/receipt': 6_900,
  '@memory-read/mcp/node': 105_500,
};
const entries = entriesOf(...publishedPackages);

test('every published entry has a limit', () => {
  expect(entries.map(({ specifier }) => specifier).sort()).toEqual(Object.keys(limits).sort());
});

test.each(entries)('$specifier stays within its limit in a bundle', async ({ specifier, built }) => {
  const text = await bundle('*', built);
  expect(sizeOf(text)).toBeLessThanOrEqual(limits[specifier] ?? 0);
  expect(sizeOf(text)).toBeGreaterThan(300);
  if (specifier.endsWith('/transcript'))
    expect(text, 'it needs no other package').not.toMatch(/\bimport\b|\bfrom"|\brequire\b/);
});

test('MemoryClient with its dependencies is at most 33.8 kB in a bundle, minified and compressed', async () => {
  const text = await bundle('MemoryClient');
  expect(sizeOf(text)).toBeLessThanOrEqual(33_800);
  // A smaller bundle would not contain the client.
  expect(sizeOf(text)).toBeGreaterThan(10_000);
  expect(text, 'of the manifest, the version alone').toMatch(/\{version:"\d+\.\d+\.\d+"\}/);
});

test('isMemoryApiError alone is at most 1 kB in a bundle, minified and compressed', async () => {
  expect(sizeOf(await bundle('isMemoryApiError'))).toBeLessThanOrEqual(1_000);
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
