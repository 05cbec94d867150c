import { MemoryClient } from '@memory-read/client';
import { startMemoryMock } from '@memory-read/msw/browser';
import { afterAll, afterEach, expect, test } from 'vitest';

const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
afterEach(() => mock.reset());
afterAll(() => mock.close());

const client = new MemoryClient({ baseUrl: '/api', auth: 'none', retries: 0 });

test('the newest memory comes first', async () => {
  mock.memories.add({ name: 'Stand-up' });
  expect((await client.listMemories())[0]?.name).toBe('Stand-up');
});

test('a recording plays', async () => {
  const { id } = mock.memories.add();
  const audio = new Audio((await client.getMemory(id)).audio_url ?? '');
  await new Promise((resolve, reject) => {
    audio.onloadedmetadata = resolve;
    audio.onerror = () => reject(audio.error);
  });
  expect(Math.round(audio.duration)).toBe(300);
});

test('shows an error when the API fails', async () => {
  mock.faults.next({ status: 503 });
  await expect(client.listMemories()).rejects.toMatchObject({ status: 503 });
});
