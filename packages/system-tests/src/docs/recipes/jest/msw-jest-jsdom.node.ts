import { expect, test } from '@jest/globals';
import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';

const mock = setupMemoryMock({ baseUrl: '/api', auth: 'none' });
const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

test('shows a name as text', async () => {
  mock.memories.add({ name: '<b>Stand-up</b>' });
  document.body.textContent = (await client.listMemories())[0]?.name ?? '';
  expect(document.body.innerHTML).toBe('&lt;b&gt;Stand-up&lt;/b&gt;');
});

test('rejects when the request is aborted', async () => {
  mock.faults.next('stall');
  const request = mock.nextRequest();
  const controller = new AbortController();
  const listing = client.listMemories({ signal: controller.signal });
  await request;
  controller.abort();
  await expect(listing).rejects.toThrow('abort');
});
