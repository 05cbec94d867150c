// Starts the packed program over stdio, on the API and on a mirror, and verifies a receipt of its search.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MemoryClient } from '@memory-read/client';
import { verifyReceipt } from '@memory-read/mcp/receipt';
import { openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';

const mock = createMemoryMock();
const started_at = '2026-01-01T10:00:00.000Z';
const segment = { speaker: 'Ada', start_at: started_at, end_at: started_at, text: 'We ship the teal door.' };
const { id } = mock.memories.add({ started_at, transcript: { segments: [segment] } });
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

const api = createServer(async ({ url, headers: { authorization = '' } }, response) => {
  const answer = await mock.fetch(new Request(mock.baseUrl + url, { headers: { authorization } }));
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}).listen(0, '127.0.0.1');
await once(api, 'listening');
const env = {
  ...process.env,
  MEMORY_API_URL: `http://127.0.0.1:${api.address().port}`,
  MEMORY_API_KEY: mock.apiKey,
};

const folder = mkdtempSync(join(tmpdir(), 'memory-read-'));
const mirror = await openMirror({ folder });
await mirror.sync(client);
await mirror.close();

const program = join(import.meta.dirname, 'node_modules/.bin/memory-read-mcp');
const clientInfo = { name: 'consumer', version: '0' };
try {
  for (const args of [[], ['--mirror', folder]]) {
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const request = async (method, params) => {
      send({ id: 1, method, params });
      return JSON.parse((await answers.next()).value).result;
    };
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
    const { tools } = await request('tools/list', {});
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search', 'fetch', 'list_memories', 'verify_quote'],
    );
    const found = await request('tools/call', { name: 'search', arguments: { query: 'teal' } });
    const [{ receipt }] = found.structuredContent.results;
    assert.deepEqual(verifyReceipt(receipt, await client.getMemory(id)), { status: 'valid', whole: true });
    assert.equal(
      verifyReceipt({ ...receipt, quote: 'We ship the red door.' }, await client.getMemory(id)).status,
      'refuted',
    );
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  }
  console.log('the tools work');
} finally {
  api.close();
  rmSync(folder, { recursive: true });
}
