import { type ListedMemory, MemoryClient } from '@memory-read/client';
import { memoriesQuery, memoryQuery, memoryReadKeys } from '@memory-read/client/query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { findByText, waitFor } from '@testing-library/dom';

// #region test-setup

// @vitest-environment jsdom
import { setupMemoryMock } from '@memory-read/msw/node';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { findAllByRole, findByRole } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryList, MemoryPage } from './frontend-query.tsx';

const mock = setupMemoryMock({
  baseUrl: '/api',
  auth: 'none',
  memories: [],
  hooks: { beforeAll, afterEach, afterAll },
});

/** Renders a page with an empty cache, and removes it after the test. */
function show(page: ReactNode): QueryClient {
  const queryClient = new QueryClient();
  const root = createRoot(document.body);
  root.render(<QueryClientProvider client={queryClient}>{page}</QueryClientProvider>);
  onTestFinished(() => {
    root.unmount();
    queryClient.clear();
  });
  return queryClient;
}
// #endregion

test('shows the memories, and those that are being processed', async () => {
  mock.memories.add({ name: 'Stand-up' });
  mock.memories.addProcessing({ name: 'Interview' });
  show(<MemoryList />);
  const items = await findAllByRole(document.body, 'listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Interview (being processed)', 'Stand-up']);
});

test('shows an alert when the API fails', async () => {
  mock.faults.always({ status: 503 });
  show(<MemoryList />);
  // The alert follows two retries, which take 0.9 seconds at most.
  await findByRole(document.body, 'alert', {}, { timeout: 4_000 });
});

test('a memory that does not exist is one request and an alert', async () => {
  show(<MemoryPage memoryId="mem_none" />);
  expect((await findByRole(document.body, 'alert')).textContent).toBe('This memory does not exist.');
  expect(mock.requests.map(({ status }) => status)).toEqual([404]);
});

// #region page-test
test('a media URL is replaced before it expires', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const media = { preview_image: { object_key: 'mem_1/preview.png', content_type: 'image/png' } };
  const { id } = mock.memories.add({ media });
  show(<MemoryPage memoryId={id} />);
  const image = await vi.waitUntil(() => document.querySelector('img'));
  const first = image.src;
  await vi.advanceTimersByTimeAsync(56 * 60_000);
  await vi.waitUntil(() => image.src !== first);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect([(await fetch(first)).status, (await fetch(image.src)).status]).toEqual([403, 200]);
});
// #endregion

test('the transcript appears when the memory is processed', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { id } = mock.memories.addProcessing();
  show(<MemoryPage memoryId={id} />);
  await vi.waitUntil(() => document.body.textContent?.includes('The transcript is being made.'));
  mock.memories.finishProcessing(id);
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitUntil(() => document.querySelector('b'));
  expect(document.body.textContent).not.toContain('being made');
});

test('a memory that is deleted leaves the page', async () => {
  const { id } = mock.memories.add({ name: 'Stand-up' });
  const queryClient = show(<MemoryPage memoryId={id} />);
  await findByRole(document.body, 'heading');
  mock.memories.remove(id);
  await queryClient.invalidateQueries();
  expect((await findByRole(document.body, 'alert')).textContent).toBe('This memory does not exist.');
});

test('the player replaces a URL that fails', async () => {
  const media = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };
  const { id } = mock.memories.add({ media });
  show(<MemoryPage memoryId={id} />);
  const audio = await vi.waitUntil(() => document.querySelector<HTMLAudioElement>('audio[src]'));
  const first = audio.src;
  mock.expireMediaUrls();
  // jsdom plays nothing, so the test reports the failure. `error` is read-only.
  Object.defineProperty(audio, 'error', { value: { code: 2 }, configurable: true });
  audio.dispatchEvent(new Event('error'));
  await vi.waitUntil(() => audio.src !== first);
  expect([(await fetch(first)).status, (await fetch(audio.src)).status]).toEqual([403, 200]);
});

test('shows the transcript, and reads again on demand', async () => {
  const segments = [
    { speaker: 'Ada', start_at: '2026-03-01T09:00:01Z', end_at: '2026-03-01T09:00:02Z', text: 'Hello.' },
  ];
  const { id } = mock.memories.add({ transcript: { segments } });
  const queryClient = show(<MemoryPage memoryId={id} />);
  expect((await findByText(document.body, 'Hello.')).textContent).toBe('Ada Hello.');
  mock.memories.update(id, { name: 'Renamed' });
  await readAgain(queryClient);
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
  const queryClient = show(<MemoryPage memoryId={id} />);
  const heading = await findByText(document.body, 'Stand-up');
  const fault = mock.faults.always({ status: 501 });
  await readAgain(queryClient);
  await findByRole(document.body, 'alert');
  expect(document.body.contains(heading)).toBe(true);
  fault.cancel();
  await readAgain(queryClient);
  await waitFor(() => expect(document.querySelector('[role=alert]')).toBeNull());
});

test('the entry of the app shows the list with links', async () => {
  const { id } = mock.memories.add({ name: 'Stand-up' });
  document.body.innerHTML = '<div id="root"></div>';
  onTestFinished(() => document.body.replaceChildren());
  await import('./frontend-main.tsx');
  expect((await findByRole(document.body, 'link')).getAttribute('href')).toBe(`?memory=${id}`);
});

/** After a user has signed in again, for example. */
async function readAgain(queryClient: QueryClient): Promise<void> {
  // #region keys
  await queryClient.invalidateQueries({ queryKey: memoryReadKeys().all });
  // #endregion
}

const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

/** Shows the name at once if the list has it, and the transcript after the read. */
function Preview({ memoryId }: { memoryId?: string }) {
  // #region placeholder
  const listed = useQueryClient().getQueryData<ListedMemory[]>(memoryReadKeys().memories);
  const { data: memory, isPlaceholderData } = useQuery({
    ...memoryQuery(client, memoryId),
    enabled: memoryId !== undefined,
    placeholderData: () => listed?.find(({ id }) => id === memoryId),
  });
  // #endregion
  const transcript = memory?.transcript?.segments.map(({ text }) => text);
  return <p>{memory ? `${memory.name}: ${isPlaceholderData ? '…' : transcript}` : 'Choose a memory.'}</p>;
}

test('a page shows a memory of the list until it has read the transcript, and nothing without an id', async () => {
  const segments = [
    { speaker: 'Ada', start_at: '2026-03-01T09:00:01Z', end_at: '2026-03-01T09:00:02Z', text: 'Hello.' },
  ];
  const { id } = mock.memories.add({ name: 'Stand-up', transcript: { segments } });
  const queryClient = show(<Preview />);
  await findByText(document.body, 'Choose a memory.');
  expect(mock.requests).toHaveLength(0);
  await queryClient.fetchQuery(memoriesQuery(client));
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => root.unmount());
  root.render(
    <QueryClientProvider client={queryClient}>
      <Preview memoryId={id} />
    </QueryClientProvider>,
  );
  await findByText(document.body, 'Stand-up: …');
  await findByText(document.body, 'Stand-up: Hello.');
});
