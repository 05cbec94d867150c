import { install } from '@sinonjs/fake-timers';
import { isMediaUrlExpired, MemoryClient, responseInfo } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw';
import MockDate from 'mockdate';
import { afterEach, expect, test, vi } from 'vitest';

const hour = 3_600_000;
const later = Date.UTC(2030, 0, 2, 3, 4, 5);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  MockDate.reset();
});

const ways: [string, (time: number) => () => void][] = [
  ['vi.setSystemTime', (time) => (vi.setSystemTime(time), () => vi.useRealTimers())],
  ['vi.useFakeTimers of Date', (now) => (vi.useFakeTimers({ toFake: ['Date'], now }), () => vi.useRealTimers())],
  ['a spy on Date.now', (time) => (vi.spyOn(Date, 'now').mockReturnValue(time), () => vi.restoreAllMocks())],
  ['MockDate', (time) => (MockDate.set(time), () => MockDate.reset())],
  [
    'the fake timers of Sinon',
    (now) => {
      const clock = install({ toFake: ['Date'], now });
      return () => clock.uninstall();
    },
  ],
];

test.each(ways)('%s moves the mock and the client together', async (_way, move) => {
  const mock = createMemoryMock();
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  const restore = move(later);
  const { id } = mock.memories.add();
  const memory = await client.getMemory(id);
  const url = memory.audio_url ?? '';
  const { receivedAt, serverDate } = responseInfo(memory) ?? {};
  const before = isMediaUrlExpired(url);
  restore();
  const restoreAgain = move(later + hour + 1_000);
  const after = isMediaUrlExpired(url);
  const { status } = await mock.fetch(url);
  restoreAgain();
  expect(receivedAt?.getTime()).toBe(later);
  expect(serverDate?.getTime()).toBe(later);
  expect(mock.requests[0]?.at.getTime()).toBe(later);
  expect(Date.parse(memory.ended_at ?? '')).toBe(later);
  expect([before, after, status]).toEqual([false, true, 403]);
});
