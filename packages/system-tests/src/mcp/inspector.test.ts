import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveMock } from './serve-mock.ts';

const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/inspector/package.json');
const inspector = join(dirname(manifest), 'clients/launcher/build/index.js');
const { mock, env: account, close } = await serveMock();
afterAll(close);
const folder = makeFolder(afterAll);
const quote = 'We ship the teal door.';
let id: string;

beforeAll(() => {
  const started_at = '2026-01-01T10:00:00.000Z';
  const segment = { speaker: 'Speaker 1', start_at: started_at, end_at: started_at, text: quote };
  ({ id } = mock.memories.add({ name: 'Stand-up', started_at, transcript: { segments: [segment] } }));
});

test.each(['legacy', 'modern'])('the inspector has no advice about the definitions (protocol era %s)', async (era) => {
  const { result, advice } = await inspect('tools/list', ['--strict', '--protocol-era', era]);
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'search',
    'fetch',
    'list_memories',
    'verify_quote',
  ]);
  expect(advice).toBe('');
});

test('the inspector calls a tool, and verifies its receipt', async () => {
  const call = async (name: string, input: object) =>
    (await inspect('tools/call', ['--tool-name', name, '--tool-args-json', JSON.stringify(input)])).result;
  const found = await call('search', { query: 'teal' });
  const [{ receipt }] = found.structuredContent.results;
  const verified = await call('verify_quote', { receipt });
  expect(verified.structuredContent).toMatchObject({ status: 'valid', whole: true });
});

test('the inspector lists and reads the resource of a memory, and the prompt', async () => {
  const uri = `memory://${id}`;
  expect((await inspect('resources/list')).result.resources).toMatchObject([{ uri, title: 'Stand-up' }]);
  const [content] = (await inspect('resources/read', ['--uri', uri])).result.contents;
  expect(content).toMatchObject({ uri, text: expect.stringContaining(quote) });
  expect((await inspect('prompts/list')).result.prompts).toMatchObject([{ name: 'answer_from_memories' }]);
  const args = ['--prompt-name', 'answer_from_memories', '--prompt-args', 'question=When?'];
  expect(JSON.stringify((await inspect('prompts/get', args)).result.messages)).toContain('Question: When?');
});

/** Runs the inspector, which starts the built program for one request. It fails if the inspector does. */
async function inspect(method: string, args: readonly string[] = []) {
  const started = [process.execPath, join(root, 'packages/mcp/dist/main.js')];
  const settings = Object.entries(account).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [inspector, '--cli', '--format', 'json', ...settings, '--method', method, ...args, '--', ...started],
    // Without this variable, the inspector creates a folder in the home folder.
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, MCP_STORAGE_DIR: folder } },
  );
  return { result: JSON.parse(stdout).result, advice: stderr };
}
