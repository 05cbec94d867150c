import { isMediaUrlExpired, MemoryClient, responseInfo } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw';
import { install } from '@sinonjs/fake-timers';
import MockDate from 'mockdate';
import { afterEach, expect, test, vi } from 'vitest';

const hour = 3_600_000;
const later = Date.UTC(2030, 0, 2, 3, 4, 5);

let sinon: { uninstall(): void } | undefined;
function restore(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  MockDate.reset();
  sinon?.uninstall();
  sinon = undefined;
}
afterEach(restore);

const ways: [string, (now: number) => void][] = [
  ['vi.setSystemTime', (now) => vi.setSystemTime(now)],
  ['a fake Date of vi.useFakeTimers', (now) => vi.useFakeTimers({ toFake: ['Date'], now })],
  ['a spy on Date.now', (now) => vi.spyOn(Date, 'now').mockReturnValue(now)],
  ['MockDate', (now) => MockDate.set(now)],
  [
    'a fake Date of Sinon',
    (now) => {
      sinon = install({ toFake: ['Date'], now });
    },
  ],
];

test.each(ways)('%s moves the mock and the client together', async (_way, move) => {
  const mock = createMemoryMock();
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  move(later);
  const memory = await client.getMemory(mock.memories.add().id);
  const url = memory.audio_url ?? '';
  const { receivedAt, serverDate } = responseInfo(memory) ?? {};
  const before = isMediaUrlExpired(url);
  restore();
  move(later + hour + 1_000);
  const after = isMediaUrlExpired(url);
  const { status } = await mock.fetch(url);
  restore();
  expect(receivedAt?.getTime()).toBe(later);
  expect(serverDate?.getTime()).toBe(later);
  expect(mock.requests[0]?.at.getTime()).toBe(later);
  expect(Date.parse(memory.ended_at ?? '')).toBe(later);
  expect([before, after, status]).toEqual([false, true, 403]);
});
