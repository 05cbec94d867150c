import type { ListedMemory } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createFakeClock, type FakeClock } from '@memory-read/server/testing';
import { addAccount, createMemoryService, type MemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';

const count = 400;
const oldSecret = { id: 'a', secret: 'thirty-two-bytes-that-none-guess' };
const newSecret = { id: 'b', secret: 'another-32-bytes-that-none-guess' };
const bytes = new TextEncoder().encode('sixteen bytes ..');
const records = Array.from({ length: count }, (_, index) =>
  sampleRecord({
    id: `mem_${index}`,
    media: { audio: { object_key: `mem_${index}/audio.wav`, content_type: 'audio/wav' } },
  }),
);
let clock: FakeClock;
/** Restarts the service with these secrets, the first of which signs. */
let restart: (...secrets: (typeof oldSecret)[]) => void;
/** Returns the media URLs of the current list. */
let handOut: () => Promise<string[]>;

beforeEach(async () => {
  clock = createFakeClock('2026-03-01T12:00:00.700Z');
  let service: MemoryService;
  const server = await serve({ port: 0, fetch: (request) => service.fetch(request) });
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'ada', records);
  restart = (...secrets) => {
    service = createMemoryService(store, server.url, { secrets, clock, source: mediaFrom(() => bytes) });
  };
  restart(oldSecret);
  handOut = async () => {
    const list = await fetch(`${server.url}/v1/memories`, { headers: { 'x-api-key': key } });
    return ((await list.json()) as ListedMemory[]).map(({ audio_url }) => audio_url ?? 'none');
  };
  return () => server.close();
});

test(`${count} URLs from before a rotation work until the last second of their lifetime`, async () => {
  const urls = await handOut();
  const asked = urls.map(statusOf);
  await Promise.race(asked);
  restart(newSecret, oldSecret);
  expect(await tally(asked), 'in flight while the secrets change').toEqual({ 206: count });
  const younger = await handOut();
  clock.set('2026-03-01T13:00:00.699Z');
  expect(await tally(urls.map(statusOf)), 'a millisecond before their hour is over').toEqual({ 206: count });
  // URLs state their expiry in whole seconds.
  clock.set('2026-03-01T13:00:00.999Z');
  expect(await tally(urls.map(statusOf)), 'a millisecond before the end').toEqual({ 206: count });
  clock.set('2026-03-01T13:00:01.000Z');
  expect(await tally(urls.map(statusOf)), 'at the end').toEqual({ 403: count });
  expect(await tally(younger.map(statusOf)), 'at the end, signed with the new secret in the same second').toEqual({
    403: count,
  });
});

test('URLs of the new secret still work when older URLs have expired', async () => {
  const older = await handOut();
  restart(newSecret, oldSecret);
  clock.advance(1_000);
  const younger = await handOut();
  expect(younger[0]).toContain('&key=b&');
  clock.advance(3_599_300);
  const [olderStatuses, youngerStatuses] = await Promise.all([older, younger].map((urls) => tally(urls.map(statusOf))));
  expect(olderStatuses).toEqual({ 403: count });
  expect(youngerStatuses).toEqual({ 206: count });
});

test('a secret that is removed too early invalidates its URLs until it is restored', async () => {
  const older = await handOut();
  restart(newSecret);
  const younger = await handOut();
  expect(await tally(older.map(statusOf))).toEqual({ 403: count });
  expect(await tally(younger.map(statusOf))).toEqual({ 206: count });
  restart(newSecret, oldSecret);
  expect(await tally(older.map(statusOf))).toEqual({ 206: count });
});

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { range: 'bytes=3-6' } });
  const text = await response.text();
  if (response.status === 206) expect(text).toBe('teen');
  return response.status;
}

/** Counts the responses of each status. */
async function tally(statuses: Promise<number>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(statuses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
