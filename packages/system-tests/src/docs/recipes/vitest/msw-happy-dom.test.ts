// @vitest-environment happy-dom
import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { afterEach, expect, test } from 'vitest';

const mock = createMemoryMock({ baseUrl: '/api', auth: 'none' });
afterEach(() => mock.reset());

const client = new MemoryClient({ baseUrl: '/api', auth: 'none', retries: 0, fetch: mock.fetch });

test('shows a name as text', async () => {
  mock.memories.add({ name: '<b>Stand-up</b>' });
  document.body.textContent = (await client.listMemories())[0]?.name ?? '';
  expect(document.body.innerHTML).toBe('&lt;b&gt;Stand-up&lt;/b&gt;');
});

test('resumes a download', async () => {
  const { id } = mock.memories.add();
  const { body, etag, size } = await client.openMedia(id, 'audio');
  await body.cancel();
  const rest = await client.openMedia(id, 'audio', { start: { byte: 1000, etag: etag ?? '' } });
  expect((await new Response(rest.body).arrayBuffer()).byteLength).toBe((size ?? 0) - 1000);
});
