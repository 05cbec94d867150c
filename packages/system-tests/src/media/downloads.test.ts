import { buffer } from 'node:stream/consumers';
import { MemoryClient } from '@memory-read/client';
import { startMockServer } from '@memory-read/msw/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandomBytes } from './random-bytes.ts';

const bytes = createRandomBytes(300_000, 1);
const onMedia = { match: { operation: 'media' } } as const;

beforeEach(() => {
  // Only the backoff is random. With this value, it is short.
  vi.spyOn(Math, 'random').mockReturnValue(0.000_001);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the key and the headers of the client never reach the storage, even after cuts and expiries', async () => {
  await using api = await startApi();
  for (const fault of [{ stop: { bytes: 100_000 }, by: 'reset' }, { status: 403 }, { status: 503 }] as const)
    api.faults.next(fault, onMedia);
  const client = new MemoryClient({ baseUrl: api.baseUrl, apiKey: api.apiKey, headers: { 'x-team': 'TEAMSECRET' } });
  const { body } = await client.openMedia('mem_1', 'audio');
  expect((await buffer(body)).equals(bytes)).toBe(true);
  const sent = api.requests.filter(({ to }) => to === 'media');
  expect(sent).toHaveLength(4);
  for (const { headers, keyIn } of sent) {
    expect(keyIn).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain('TEAMSECRET');
    expect(headers['accept-encoding']).toMatch(/^identity(, identity)?$/);
    for (const name of ['authorization', 'cookie', 'referer']) expect(headers).not.toHaveProperty(name);
  }
});

test('a body that is not read loads only what the network buffers, and ends when it is cancelled', async () => {
  await using api = await startApi();
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\n\r\n';
  api.faults.next({ steps: [head, { flood: 'a'.repeat(65_536) }] }, onMedia);
  const { body } = await new MemoryClient({ baseUrl: api.baseUrl, apiKey: api.apiKey }).openMedia('mem_1', 'audio');
  const reader = body.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 250));
  await reader.cancel();
  const { ended, bytes: sent } = await api.nextRequest({ operation: 'media' });
  expect(ended).toBe('aborted');
  expect(sent).toBeLessThan(10_000_000);
});

/** The API and the storage of a memory with audio. */
async function startApi() {
  const api = await startMockServer({ memories: [] });
  api.memories.add({ id: 'mem_1', media: { audio: bytes } });
  return api;
}
