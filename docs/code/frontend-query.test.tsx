// @vitest-environment jsdom
import { setupMemoryMock } from '@memory-read/msw/node';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { findAllByRole, findByRole, findByText, waitFor } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryList, MemoryPage, readAgain } from './frontend-query.tsx';
import { MemoryTitle } from './frontend-swr.tsx';

// #region mock
const mock = setupMemoryMock({
  baseUrl: '/api',
  auth: 'none',
  memories: [],
  hooks: { beforeAll, afterEach, afterAll },
});
// #endregion

function show(page: ReactNode): QueryClient {
  const queries = new QueryClient();
  const root = createRoot(document.body);
  root.render(<QueryClientProvider client={queries}>{page}</QueryClientProvider>);
  onTestFinished(() => {
    root.unmount();
    queries.clear();
  });
  return queries;
}

// #region list-test
test('shows the memories, and those that are being processed', async () => {
  mock.memories.add({ name: 'Stand-up' });
  mock.memories.addProcessing({ name: 'Interview' });
  show(<MemoryList />);
  const items = await findAllByRole(document.body, 'listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Interview (being processed)', 'Stand-up']);
});
// #endregion

// #region page-test
test('a media URL is replaced before it expires', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const media = { preview_image: { object_key: 'mem_1/preview.png', content_type: 'image/png' } };
  const { id } = mock.memories.add({ media });
  show(<MemoryPage memoryId={id} />);
  const image = await vi.waitUntil(() => document.querySelector('img'));
  const first = image.src;
  await vi.advanceTimersByTimeAsync(55 * 60_000);
  await vi.waitUntil(() => image.src !== first);
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  expect([(await fetch(first)).status, (await fetch(image.src)).status]).toEqual([403, 200]);
  vi.useRealTimers();
});
// #endregion

test('shows the transcript, and reads again on demand', async () => {
  const segments = [
    { speaker: 'Ada', start_at: '2026-03-01T09:00:01Z', end_at: '2026-03-01T09:00:02Z', text: 'Hello.' },
  ];
  const { id } = mock.memories.add({ transcript: { segments } });
  const queries = show(<MemoryPage memoryId={id} />);
  expect((await findByText(document.body, 'Hello.')).textContent).toBe('Ada Hello.');
  mock.memories.update(id, { name: 'Renamed' });
  await readAgain(queries);
  await waitFor(() => findByText(document.body, 'Renamed'));
});

test('the player keeps its recording although the memory is read again, and leaves it when the page goes', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const media = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };
  const { id } = mock.memories.add({ media });
  show(<MemoryPage memoryId={id} />);
  const audio = await vi.waitUntil(() => document.querySelector('audio'));
  await vi.waitUntil(() => audio.src !== '');
  expect(mock.requests).toHaveLength(1);
  const { src } = audio;
  await vi.advanceTimersByTimeAsync(56 * 60_000);
  expect([mock.requests.length, document.querySelector('audio') === audio, audio.src]).toEqual([2, true, src]);
});

test('an error shows beside the data, and goes when the next read succeeds', async () => {
  const { id } = mock.memories.add({ name: 'Stand-up', is_processing: true, transcript: null, summary: null });
  const queries = show(<MemoryPage memoryId={id} />);
  const heading = await findByText(document.body, 'Stand-up');
  const fault = mock.faults.always({ status: 501 });
  await readAgain(queries);
  await findByRole(document.body, 'alert');
  expect(document.body.contains(heading)).toBe(true);
  fault.cancel();
  await readAgain(queries);
  await waitFor(() => expect(document.querySelector('[role=alert]')).toBeNull());
});

test('a missing memory is an alert, at the cost of one request', async () => {
  show(<MemoryPage memoryId="mem_0" />);
  await findByRole(document.body, 'alert');
  expect(mock.requests).toHaveLength(1);
});

test('SWR shows the same', async () => {
  const { id } = mock.memories.add({ name: 'Stand-up' });
  show(<MemoryTitle memoryId={id} />);
  expect((await findByText(document.body, 'Stand-up')).tagName).toBe('H1');
});
