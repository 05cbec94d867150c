// @vitest-environment jsdom
import { type Memory, MemoryClient, mediaExpiresAt } from '@memory-read/client';

const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

/** Shows a memory, and reads it again 5 minutes before a media URL expires. Returns a function that ends this. */
function keepFresh(memory: Memory, show: (memory: Memory) => void): () => void {
  let current = memory;
  show(current);
  const check = async () => {
    const expiresAt = mediaExpiresAt(current)?.getTime() ?? Number.POSITIVE_INFINITY;
    if (document.visibilityState === 'hidden' || expiresAt - Date.now() > 300_000) return;
    current = await client.getMemory(memory.id).catch(() => current);
    show(current);
  };
  const timer = setInterval(check, 60_000);
  const listening = new AbortController();
  document.addEventListener('visibilitychange', check, { signal: listening.signal });
  window.addEventListener('online', check, { signal: listening.signal });
  return () => {
    clearInterval(timer);
    listening.abort();
  };
}

import { setupMemoryMock } from '@memory-read/msw/node';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

const mock = setupMemoryMock({
  baseUrl: '/api',
  auth: 'none',
  memories: [],
  hooks: { beforeAll, afterEach, afterAll },
});
const MINUTE = 60_000;

test('a page without a query library shows no expired URL, also after it was hidden', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { id } = mock.memories.add({ media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } } });
  const show = vi.fn<(memory: Memory) => void>();
  const end = keepFresh(await client.getMemory(id), show);
  const status = async () => (await fetch(show.mock.lastCall?.[0].audio_url ?? '')).status;
  await vi.advanceTimersByTimeAsync(57 * MINUTE);
  await vi.waitUntil(() => show.mock.calls.length === 2);
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await vi.advanceTimersByTimeAsync(65 * MINUTE);
  expect([show.mock.calls.length, await status()]).toEqual([2, 403]);
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitUntil(() => show.mock.calls.length === 3);
  expect(await status()).toBe(200);
  end();
  await vi.advanceTimersByTimeAsync(65 * MINUTE);
  expect(show).toHaveBeenCalledTimes(3);
});
