import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('loads no MCP SDK, no zod, no ky and no module of Node for receipts', async () => {
  const { inputs, builtIns } = await loadedBy('receipt');
  expect(inputs.filter((path) => /modelcontextprotocol|node_modules\/(ky|zod|lru-cache)\//.test(path))).toEqual([]);
  expect(inputs.some((path) => path.includes('@noble/hashes'))).toBe(true);
  expect(builtIns).toEqual([]);
});

test('loads modules of Node only for /node, not for the root entry', async () => {
  expect((await loadedBy('index')).builtIns).toEqual([]);
  expect((await loadedBy('node')).builtIns).toContain('node:http');
});

/** Returns the files that a built entry loads, and the modules of Node that the package itself names. */
async function loadedBy(entry: string): Promise<{ inputs: string[]; builtIns: string[] }> {
  const { metafile } = await build({
    entryPoints: [join(root, 'packages/mcp/dist', `${entry}.js`)],
    external: ['node:*'],
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const own = Object.entries(metafile.inputs).filter(([path]) => path.startsWith('packages/mcp/'));
  const imported = own.flatMap(([, { imports }]) => imports.map(({ path }) => path));
  return { inputs: Object.keys(metafile.inputs), builtIns: imported.filter((path) => path.startsWith('node:')) };
}
