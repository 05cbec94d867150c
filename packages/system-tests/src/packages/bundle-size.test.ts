import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../repository.ts';
import { publishedPackages } from './packed-packages.ts';

const clientFolder = join(root, 'packages', 'client');

/** Everything of an entry with all that it loads but MSW, in bytes, minified and compressed: room for a few fields and texts. */
const limits: Record<string, number> = {
  'contract .': 8_200,
  'contract ./operations': 1_800,
  'contract ./fields': 700,
  'contract ./date-time': 700,
  'contract ./openapi': 12_400,
  'contract ./redaction': 3_000,
  'client .': 28_500,
  'client ./transcript': 3_000,
  'client ./media-url': 1_000,
  'client ./node': 4_500,
  'server .': 31_000,
  'server ./sqlite': 14_500,
  'server ./postgres': 15_500,
  'server ./s3': 6_800,
  'server ./node': 12_700,
  'server ./testing': 18_000,
  'fixtures .': 110_000,
  'msw .': 150_000,
  'msw ./node': 150_000,
  'msw ./browser': 150_000,
  'msw ./fetch': 150_000,
  'conformance .': 28_000,
};
const entries = publishedPackages.flatMap(entriesOf);

test('every published entry has a limit here', () => {
  expect(entries.map(({ entry }) => entry).sort()).toEqual(Object.keys(limits).sort());
});

test.each(entries)('$entry stays within its limit in a bundle', async ({ entry, path, folder }) => {
  const size = gzipSync(await bundle('*', path, folder), { level: 9 }).length;
  expect(size).toBeLessThanOrEqual(limits[entry] ?? 0);
  expect(size).toBeGreaterThan(300);
});

test('MemoryClient with all that it loads is at most 28 kB in a bundle, minified and compressed', async () => {
  const size = gzipSync(await bundle('MemoryClient'), { level: 9 }).length;
  expect(size).toBeLessThanOrEqual(28_000);
  // Below, it is not the client that was bundled.
  expect(size).toBeGreaterThan(10_000);
});

test('isMemoryApiError alone is at most 1 kB in a bundle, minified and compressed', async () => {
  expect(gzipSync(await bundle('isMemoryApiError'), { level: 9 }).length).toBeLessThanOrEqual(1_000);
});

test('all that writes transcripts is at most 3 kB in a bundle, minified and compressed, and needs no other package', async () => {
  const text = await bundle('*', './dist/transcript.js');
  expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(3_000);
  expect(new TextDecoder().decode(text)).not.toMatch(/\bimport\b|\bfrom"|\brequire\b/);
});

test('of the manifest, the version alone is in a bundle', async () => {
  const text = new TextDecoder().decode(await bundle('MemoryClient'));
  expect(text).toMatch(/\{version:"\d+\.\d+\.\d+"\}/);
});

/** Those that have code. */
function entriesOf(name: string): { entry: string; path: string; folder: string }[] {
  const folder = join(root, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries<{ default?: string }>(exports).flatMap(([subpath, { default: path }]) =>
    path === undefined ? [] : [{ entry: `${name} ${subpath}`, path, folder }],
  );
}

/** The bundle of a module that takes one export, or all, of an entry of a built package, by default of the client. */
async function bundle(name: string, path = './dist/index.js', folder = clientFolder): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${name === '*' ? name : `{ ${name} }`} from '${path}';`,
      resolveDir: folder,
    },
    external: ['node:*', 'msw', 'msw/*'],
    logLevel: 'error',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`The bundle of ${name} is empty.`);
  return output.contents;
}
