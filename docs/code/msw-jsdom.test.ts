// @vitest-environment jsdom
import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';
import { findAllByRole, findByRole } from '@testing-library/dom';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const mock = setupMemoryMock({ baseUrl: '/api', auth: 'none', hooks: { beforeAll, afterEach, afterAll } });

/** The frontend under test. Its backend has the API key. */
async function showMemories(): Promise<void> {
  const client = new MemoryClient({ baseUrl: '/api', auth: 'none', retries: 0 });
  const list = document.createElement('ul');
  try {
    for (const { name } of await client.listMemories()) {
      const item = document.createElement('li');
      item.textContent = name;
      list.append(item);
    }
    document.body.replaceChildren(list);
  } catch {
    document.body.innerHTML = '<p role="alert">Try again later</p>';
  }
}

test('shows one line per memory', async () => {
  mock.memories.add({ name: '<b>Stand-up</b>' });
  void showMemories();
  const items = await findAllByRole(document.body, 'listitem');
  expect(items).toHaveLength(13);
  expect(items[0]?.textContent).toBe('<b>Stand-up</b>');
});

test('shows an error when the API fails', async () => {
  mock.faults.next({ status: 502, style: 'html' });
  void showMemories();
  expect((await findByRole(document.body, 'alert')).textContent).toBe('Try again later');
});

test('shows an error when the server does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true });
  mock.faults.next('stall');
  void showMemories();
  await mock.nextRequest();
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await findByRole(document.body, 'alert')).textContent).toBe('Try again later');
  vi.useRealTimers();
});
