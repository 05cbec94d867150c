import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/inspector/package.json');
const inspector = join(dirname(manifest), 'clients/launcher/build/index.js');
const folder = makeFolder(afterAll);

test.each(['legacy', 'modern'])('the inspector has no advice about the definitions (protocol era %s)', async (era) => {
  const { result, advice } = await listTools(era);
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'search',
    'fetch',
    'list_memories',
    'verify_quote',
  ]);
  expect(advice).toBe('');
});

/** Runs the inspector, which starts the built program for one request. It fails if the inspector does. */
async function listTools(era: string) {
  const started = [process.execPath, join(root, 'packages/mcp/dist/main.js')];
  const settings = ['-e', 'MEMORY_API_URL=https://api.example.com', '-e', 'MEMORY_API_KEY=mrk_1'];
  const request = ['--method', 'tools/list', '--strict', '--protocol-era', era];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [inspector, '--cli', '--format', 'json', ...settings, ...request, '--', ...started],
    // Without this variable, the inspector creates a folder in the home folder.
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, MCP_STORAGE_DIR: folder } },
  );
  return { result: JSON.parse(stdout).result, advice: stderr };
}
