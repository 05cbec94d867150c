import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../listen.ts';
import { makeFolder } from '../make-folder.ts';
import { root } from '../repository.ts';

const program = join(root, 'packages/mcp/dist/main.js');
const mock = createMemoryMock({ memories: [] });
const started_at = '2026-01-01T10:00:00.000Z';
const said = (text: string) => ({
  speaker: 'Speaker 1',
  start_at: started_at,
  end_at: '2026-01-01T10:00:02.000Z',
  text,
});
const folder = makeFolder(afterAll);
let api: Listening;

beforeAll(async () => {
  api = await listen(async ({ url, headers: { authorization = '' } }, response) => {
    const answer = await mock.fetch(new Request(`${mock.baseUrl}${url}`, { headers: { authorization } }));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
});
afterAll(() => api[Symbol.asyncDispose]());

test('the built program over the API: search, verify, a changed transcript, verify again', async () => {
  mock.reset();
  const { id } = mock.memories.add({ started_at, transcript: { segments: [said('We ship the teal door.')] } });
  await using tools = await start([]);
  const { receipt } = (await tools.call('search', { query: 'teal' })).results[0];
  expect(await tools.call('verify_quote', { receipt })).toMatchObject({ status: 'valid', whole: true });
  mock.memories.update(id, { transcript: { segments: [said('No. We ship the teal door.')] } });
  const later = await tools.call('verify_quote', { receipt });
  expect(later).toMatchObject({ status: 'superseded', receipts: [{ chars: [4, 26] }] });
  expect(await tools.call('verify_quote', { receipt: later.receipts[0] })).toMatchObject({
    status: 'valid',
    whole: false,
  });
});

test('the built program over a mirror: the same, and the old receipt was valid when it was read', async () => {
  mock.reset();
  const { id } = mock.memories.add({ started_at, transcript: { segments: [said('We ship the teal door.')] } });
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  const mirror = await openMirror({ folder: join(folder, 'mirror') });
  await mirror.sync(client);
  await using tools = await start(['--mirror', join(folder, 'mirror')]);
  const { results, coverage } = await tools.call('search', { query: 'teal' });
  expect(coverage).toEqual({ complete: true });
  const { receipt } = results[0];
  expect(await tools.call('verify_quote', { receipt })).toMatchObject({ status: 'valid', whole: true });
  mock.memories.update(id, { name: 'Other', transcript: { segments: [said('No. We ship the teal door.')] } });
  await mirror.sync(client);
  await mirror.close();
  expect(await tools.call('verify_quote', { receipt })).toMatchObject({
    status: 'superseded',
    valid_when_read: true,
    receipts: [{ chars: [4, 26] }],
  });
});

test('a mirror that is not there ends the program with an error on standard error', async () => {
  const child = spawn(process.execPath, [program, '--mirror', join(folder, 'none')], { env: environment() });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(printed).toMatch(/^Failed to open the mirror in .+ holds no mirror\..+\n$/);
});

test('without the package of the mirror, the program says how to install it', async () => {
  // Of a copy, the imports are resolved here, where the package is missing.
  const modules = join(folder, 'node_modules');
  cpSync(join(root, 'packages/mcp/dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of [
    '@memory-read/client',
    '@memory-read/contract',
    '@modelcontextprotocol/server',
    '@noble/hashes',
    'lru-cache',
  ]) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(realpathSync(join(root, 'packages/mcp/node_modules', name)), join(modules, name));
  }
  const child = spawn(process.execPath, [join(folder, 'dist/main.js'), '--mirror', folder], { env: environment() });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  expect([code, printed]).toEqual([
    2,
    'Failed to open the mirror: @memory-read/mirror is not installed. Run npm install @memory-read/mirror and try again.\n',
  ]);
});

function environment() {
  return { PATH: process.env.PATH, HOME: folder, MEMORY_API_URL: api.url, MEMORY_API_KEY: mock.apiKey };
}

/** Starts the program over stdio, with a client of revision 2025-11-25. */
async function start(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { env: environment() });
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const request = async (method: string, params: object) => {
    id += 1;
    send(child, { id, method, params });
    const { value } = await lines.next();
    return JSON.parse(value ?? '').result;
  };
  const clientInfo = { name: 'test', version: '0.0.0' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send(child, { method: 'notifications/initialized' });
  return {
    call: async (name: string, input: object) => {
      const { isError, content, structuredContent } = await request('tools/call', { name, arguments: input });
      expect(isError, JSON.stringify(content)).not.toBe(true);
      return structuredContent;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.stdin.end();
      expect((await closed)[0]).toBe(0);
    },
  };
}

function send(child: ChildProcessWithoutNullStreams, message: object): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
