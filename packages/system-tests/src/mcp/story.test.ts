import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { verifyReceipt } from '@memory-read/mcp/receipt';
import { openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { startProcess } from '@memory-read/test-kit/start-process';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openHttpAssistant, openStdioAssistant } from './open-assistant.ts';
import { serveMock } from './serve-mock.ts';

const program = join(root, 'packages/mcp/dist/main.js');
const commandLine = join(root, 'packages/cli/dist/main.js');
const { mock, env, close } = await serveMock();
const client = new MemoryClient({ baseUrl: env.MEMORY_API_URL, apiKey: env.MEMORY_API_KEY });
const started_at = '2026-01-01T10:00:00.000Z';
const said = (text: string) => ({ speaker: 'Speaker 1', start_at: started_at, end_at: started_at, text });
afterAll(close);
beforeEach(() => mock.reset());

test.each([
  ['stdio', 'the API'],
  ['stdio', 'a mirror'],
  ['memory-read mcp', 'a mirror'],
  ['HTTP', 'the API'],
] as const)('verifies a quote before and after a new transcript, over %s and %s', async (transport, source) => {
  const segments = [said('Welcome.'), said('We ship the teal door.')];
  const { id } = mock.memories.add({ started_at, transcript: { segments } });
  const folder = makeFolder();
  await using mirror = source === 'a mirror' ? await openSyncedMirror(folder) : undefined;
  await using stack = new AsyncDisposableStack();
  const assistant = await start(stack, { transport, args: mirror === undefined ? [] : ['--mirror', folder] });

  const { results, coverage } = await assistant.call('search', { query: 'teal' });
  expect(coverage).toEqual(mirror ? { complete: true } : { memories: 1, transcripts_read: 1, memories_left: 0 });
  const { text, metadata } = await assistant.call('fetch', { id, segment: results[0].segment });
  expect(text.split('\n')[2]).toBe('[1] 00:00:00 Speaker 1: We ship the teal door.');
  const [receipt] = (await assistant.call('verify_quote', { id, quote: 'the teal door' })).receipts;
  expect(receipt).toMatchObject({ quote: 'the teal door', transcript_digest: metadata.transcript_digest });
  expect(await assistant.call('verify_quote', { receipt })).toMatchObject({ status: 'valid', whole: false });
  expect(verifyReceipt(receipt, await client.getMemory(id))).toEqual({ status: 'valid', whole: false });

  // The list shows a new name. A sync reads the transcripts of memories that have changed in the list.
  // Only the words differ: a digest of speakers and times alone would be the same.
  const corrected = [said('Welcome.'), said('No. We ship the teal door.')];
  mock.memories.update(id, { name: 'Later', transcript: { segments: corrected } });
  await mirror?.sync(client);
  const later = await assistant.call('verify_quote', { receipt });
  expect(later).toMatchObject({ status: 'superseded', receipts: [{ chars: [12, 25], quote: 'the teal door' }] });
  expect(later.valid_when_read).toBe(mirror ? true : undefined);
  expect(await assistant.call('verify_quote', { receipt: later.receipts[0] })).toMatchObject({ status: 'valid' });
  expect(verifyReceipt(receipt, await client.getMemory(id))).toMatchObject({ status: 'superseded' });

  const forged = { ...receipt, quote: 'the real door' };
  const refuted = await assistant.call('verify_quote', { receipt: forged });
  expect(refuted.valid_when_read).toBe(mirror ? false : undefined);
  expect(refuted).toMatchObject({ status: 'superseded', receipts: [] });
});

async function openSyncedMirror(folder: string) {
  const mirror = await openMirror({ folder });
  await mirror.sync(client);
  return Object.assign(mirror, { [Symbol.asyncDispose]: () => mirror.close() });
}

/** Starts the built program, and a client of the protocol's SDK. */
async function start(
  stack: AsyncDisposableStack,
  { transport, args }: { transport: 'stdio' | 'memory-read mcp' | 'HTTP'; args: string[] },
) {
  const options = { env: { ...env, PATH: process.env.PATH ?? '' }, cwd: makeFolder() };
  const command = process.execPath;
  if (transport !== 'HTTP') {
    const started = transport === 'stdio' ? [program] : [commandLine, 'mcp'];
    return stack.use(await openStdioAssistant({ command, args: [...started, ...args], ...options }));
  }
  const server = stack.use(
    await startProcess([command, program, '--http', ...args], /"event":"ready","url":"([^"]+)"/, options),
  );
  return stack.use(await openHttpAssistant(server.ready[1] ?? ''));
}
