// @vitest-environment jsdom
import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { App } from './app.tsx';
import { formatRoute } from './route.ts';

const mock = setupMemoryMock({ baseUrl: '/api', auth: 'none', hooks: { beforeAll, afterEach, afterAll } });

beforeEach(() => {
  // jsdom cannot play media and has no blob URLs.
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
  Object.defineProperty(HTMLMediaElement.prototype, 'currentTime', { configurable: true, writable: true, value: 0 });
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('matchMedia', undefined);
  Object.assign(URL, { createObjectURL: () => 'blob:captions', revokeObjectURL: () => {} });
  location.hash = '';
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Shows the viewer with immediate retries, so that no test waits. */
function show(memoryId?: string): void {
  if (memoryId !== undefined) location.hash = formatRoute(memoryId);
  render(<App client={new MemoryClient({ baseUrl: '/api', auth: 'none', retries: 0 })} pollInterval={10} />);
}

test('shows placeholders while the list is read, and then every memory with its length', async () => {
  show();
  expect(screen.getByText('Loading memories')).toBeDefined();
  const cards = await screen.findAllByRole('link');
  expect(cards).toHaveLength(12);
  expect(screen.queryByText('Loading memories')).toBeNull();
  expect(cards[0]?.textContent).toMatch(/\d (s|min|h)/);
});

test('explains an empty list for an account without memories', async () => {
  for (const { id } of mock.memories.all()) mock.memories.remove(id);
  show();
  expect(await screen.findByRole('heading', { name: 'Nothing here yet' })).toBeDefined();
});

test('adds a new memory to the list and removes a deleted one without a reload', async () => {
  show();
  await screen.findAllByRole('link');
  const { id } = mock.memories.add({ name: 'Just recorded' });
  expect(await screen.findByRole('link', { name: /Just recorded/ })).toBeDefined();
  mock.memories.remove(id);
  await vi.waitFor(() => expect(screen.queryByRole('link', { name: /Just recorded/ })).toBeNull());
});

test('announces that a memory has been processed', async () => {
  const { id } = mock.memories.addProcessing({ name: 'A walk' });
  show();
  expect((await screen.findByRole('link', { name: /A walk/ })).textContent).toContain('Processing');
  mock.memories.finishProcessing(id);
  expect(await screen.findByText('A walk is processed.')).toBeDefined();
  expect(screen.getByRole('link', { name: /A walk/ }).textContent).not.toContain('Processing');
});

test.each([
  [{ status: 401 } as const, 'No access'],
  [{ status: 500 } as const, 'The service has trouble'],
  ['network-error' as const, 'No connection'],
  ['contract-violation' as const, 'Something went wrong'],
])('after %j, shows an error and a button to retry', async (fault, title) => {
  mock.faults.always(fault);
  show();
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByRole('heading').textContent).toBe(title);
  mock.faults.clear();
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByRole('link')).toHaveLength(12);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('keeps the list during a network failure, and shows the failure until the network is back', async () => {
  show();
  await screen.findAllByRole('link');
  mock.faults.always('network-error');
  expect(await screen.findByText(/^Offline/)).toBeDefined();
  expect(screen.getAllByRole('link')).toHaveLength(12);
  mock.faults.clear();
  await vi.waitFor(() => expect(screen.queryByText(/^Offline/)).toBeNull());
});

test('renews an expired preview URL, and shows an icon if the new one fails too', async () => {
  mock.memories.add({ name: 'Talk' });
  show();
  const card = await screen.findByRole('link', { name: /Talk/ });
  const image = card.querySelector('img') as HTMLImageElement;
  for (const isLoaded of [true, true, false]) {
    const expired = image.src;
    mock.clock.advance(61 * 60_000);
    fireEvent.error(image);
    await vi.waitFor(() => expect(image.src).not.toBe(expired));
    if (isLoaded) fireEvent.load(image);
  }
  fireEvent.error(image);
  await vi.waitFor(() => expect(card.querySelector('img')).toBeNull());
  expect(card.querySelector('.preview-none')).not.toBeNull();
});

test('reports a memory that does not exist, and shows one with an unusual id', async () => {
  show('mem_none');
  expect(await screen.findByRole('heading', { name: 'This memory is not here' })).toBeDefined();
  mock.faults.always('network-error');
  location.hash = formatRoute('mem_lost');
  const main = within(screen.getByRole('main'));
  await main.findByRole('heading', { name: 'No connection' });
  mock.faults.clear();
  fireEvent.click(main.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'This memory is not here' })).toBeDefined();
  const { id } = mock.memories.add({ id: '../100%/ ?#', name: 'Awkward', media: {} });
  location.hash = formatRoute(id);
  expect(await screen.findByRole('heading', { name: 'Awkward' })).toBeDefined();
  await vi.waitFor(() => expect(document.title).toBe('Awkward · Memories'));
});

test('shows markup in names, speakers and texts as plain text', async () => {
  const markup = '<img src=x onerror=alert(1)><b>bold</b>';
  const started_at = '2026-01-01T10:00:00.000Z';
  const segment = { speaker: markup, start_at: started_at, end_at: '2026-01-01T10:00:01.000Z', text: markup };
  const { id } = mock.memories.add({ name: markup, started_at, transcript: { segments: [segment] }, media: {} });
  show(id);
  expect(await screen.findByRole('heading', { level: 1, name: markup })).toBeDefined();
  expect(screen.getByRole('heading', { level: 3, name: markup })).toBeDefined();
  expect(document.querySelector('b, img[src=x]')).toBeNull();
  expect(screen.getByText('There is no recording to play.')).toBeDefined();
});

test('groups adjacent lines of one speaker below one name, with their offsets from the start', async () => {
  const { id } = mock.memories.add({
    started_at: '2026-01-01T10:00:00.000Z',
    transcript: { segments: said('A', 'A', 'B') },
  });
  show(id);
  const transcript = await screen.findByRole('region', { name: 'Transcript' });
  expect(
    within(transcript)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent),
  ).toEqual(['A', 'B']);
  const lines = within(transcript).getAllByRole('link');
  expect(lines.map(({ textContent }) => textContent)).toEqual(['0:00Line 0', '1:00Line 1', '2:00Line 2']);
});

test('plays from the line that is clicked, and marks it as the current line', async () => {
  const { id } = mock.memories.add({
    started_at: '2026-01-01T10:00:00.000Z',
    transcript: { segments: said('A', 'A', 'B') },
  });
  show(id);
  const line = await screen.findByRole('link', { name: /Line 1/ });
  const video = await loadedPlayer();
  fireEvent.click(line);
  expect(video.currentTime).toBe(60);
  expect(video.play).toHaveBeenCalled();
  expect(line.getAttribute('aria-current')).toBe('true');
  // Only the current line is in the tab order.
  expect(screen.getAllByRole('link', { name: /Line/ }).map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
});

test('continues with a new URL after a player error, and reports only a second error', async () => {
  const { id } = mock.memories.add({
    transcript: { segments: said('A', 'A') },
    started_at: '2026-01-01T10:00:00.000Z',
  });
  show(id);
  const line = await screen.findByRole('link', { name: /Line 1/ });
  const video = await loadedPlayer();
  fireEvent.click(line);
  const expired = video.src;
  mock.clock.advance(61 * 60_000);
  vi.mocked(video.play).mockClear();
  fireEvent.error(video);
  await vi.waitFor(() => expect(video.src).not.toBe(expired));
  expect(video.currentTime).toBe(60);
  expect(video.play).toHaveBeenCalled();
  fireEvent.error(video);
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing to play');
});

test('the clock of the server alone does not make a new URL look expired', async () => {
  mock.clock.set(new Date(Date.now() - 90 * 60_000));
  const { id } = mock.memories.add({
    transcript: { segments: said('A', 'A') },
    started_at: '2026-01-01T10:00:00.000Z',
  });
  show(id);
  await screen.findByRole('link', { name: /Line 1/ });
  await loadedPlayer();
  expect(mock.requests.filter(({ path }) => path.endsWith(id))).toHaveLength(1);
});

test.each(['a click', 'Enter'])(
  'a search shows the places of its words, spoken ones first, and %s plays from there',
  async (way) => {
    mock.memories.add({
      name: 'All about Line 1',
      started_at: '2026-01-01T10:00:00.000Z',
      transcript: { segments: said('A', 'B') },
    });
    show();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '"line 1"' } });
    const results = within(await screen.findByRole('region', { name: 'All about Line 1' }));
    const places = results.getAllByRole('link');
    expect(places.map(({ textContent }) => textContent)).toEqual(['1:00Line 1', 'NameAll about Line 1']);
    expect(results.getAllByText('Line 1').map(({ tagName }) => tagName)).toEqual(['MARK', 'MARK']);
    if (way === 'Enter') fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
    else fireEvent.click(places[0] as HTMLElement);
    await screen.findByRole('heading', { level: 1, name: 'All about Line 1' });
    const video = await loadedPlayer();
    expect(video.currentTime).toBe(60);
    expect(video.play).toHaveBeenCalled();
  },
);

test('a place that was found in a memory without a recording is the current line', async () => {
  const transcript = { segments: said('A', 'B', 'A') };
  const { id } = mock.memories.add({ started_at: '2026-01-01T10:00:00.000Z', transcript, media: {} });
  location.hash = formatRoute(id, 60_000);
  show();
  const line = await screen.findByRole('link', { name: /Line 1/ });
  await vi.waitFor(() => expect(line.getAttribute('aria-current')).toBe('true'));
  expect(location.hash).toBe(formatRoute(id));
});

test.each([
  ['zebra', /^“zebra” is in no memory\.$/],
  ['"line 0" zebra', /^“line 0” is in 1 memory\.$/],
  ['...', /^Type letters or digits/],
])('a search for %s, which finds nothing, says why', async (query, reason) => {
  mock.memories.add({ name: 'Talk', transcript: { segments: said('A') } });
  show();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: query } });
  expect(await screen.findByText(reason)).toBeDefined();
  expect(screen.queryAllByText('without “zebra”')).toHaveLength(query.includes('line') ? 1 : 0);
});

test('the search is kept during a reload, and a memory continues where it was left', async () => {
  const { id } = mock.memories.add({
    started_at: '2026-01-01T10:00:00.000Z',
    transcript: { segments: said('A', 'B') },
  });
  show(id);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'budget' } });
  fireEvent.click(await screen.findByRole('link', { name: /Line 1/ }));
  fireEvent.timeUpdate(await loadedPlayer());
  cleanup();
  show(id);
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('budget');
  await screen.findByRole('link', { name: /Line 1/ });
  expect((await loadedPlayer()).currentTime).toBe(60);
});

test('shows how much of the speech each speaker has, and nothing for one speaker', async () => {
  const shares = async (...speakers: string[]) => {
    const { id } = mock.memories.add({
      started_at: '2026-01-01T10:00:00.000Z',
      transcript: { segments: said(...speakers) },
    });
    show(id);
    await screen.findByRole('link', { name: /Line 0/ });
    const list = screen.queryByRole('list', { name: 'Share of the speech' });
    const shown =
      list &&
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    cleanup();
    return shown;
  };
  expect(await shares('Ada', 'Ada', 'Tom', 'Ada')).toEqual(['Ada 75 %', 'Tom 25 %']);
  expect(await shares('Ada', 'Ada')).toBeNull();
  const many = await shares(...'ABCDEFGH');
  expect(many?.slice(5)).toEqual(['F 13 %', 'and 2 more']);
});

test('on a wide screen, opens the newest processed memory, and keeps it open when a newer one is processed', async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  mock.memories.addProcessing({ name: 'Later' });
  const newest = mock.memories.add({ name: 'Newest', started_at: new Date(Date.now() - 60_000).toISOString() });
  show();
  await screen.findByRole('heading', { level: 1, name: 'Newest' });
  mock.memories.add({ name: 'Newer', started_at: new Date().toISOString() });
  await screen.findByRole('link', { name: /Newer/ });
  expect(screen.getByRole('heading', { level: 1, name: newest.name })).toBeDefined();
});

/** Returns the player after its media were set, as if it had loaded them. */
async function loadedPlayer(): Promise<HTMLVideoElement> {
  const video = screen.getByLabelText<HTMLVideoElement>('Recording');
  await vi.waitFor(() => expect(video.src).not.toBe(''));
  fireEvent.loadedMetadata(video);
  return video;
}

function said(...speakers: string[]) {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();
  return speakers.map((speaker, index) => ({
    speaker,
    start_at: at(index),
    end_at: at(index + 1),
    text: `Line ${index}`,
  }));
}
