import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// #region fake-timers
const mock = createMemoryMock();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  mock.reset();
});

test('waits for processing', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  const { id } = mock.memories.addProcessing({}, { finishAfter: 5 * 60_000 });
  const waiting = client.waitForMemory(id);
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  expect((await waiting).summary).not.toBeNull();
});
// #endregion

test('resumes after a URL expired', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  const { id } = mock.memories.add();
  const { audio_url } = await client.getMemory(id);
  const { body, etag } = await client.openMedia(id, 'audio');
  await body.cancel();
  await vi.advanceTimersByTimeAsync(61 * 60_000);
  expect((await mock.fetch(audio_url ?? '')).status).toBe(403);
  const rest = await client.openMedia(id, 'audio', { start: { byte: 1000, etag: etag ?? '' } });
  expect((await new Response(rest.body).arrayBuffer()).byteLength).toBe((rest.size ?? 0) - 1000);
});
