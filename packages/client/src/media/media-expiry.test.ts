import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ListedMemory, type Memory, MemoryClient, mediaExpiresAt } from '../index.ts';
import { json, stubFetch } from '../testing/stub-fetch.ts';

const receivedAt = new Date('2026-11-20T12:00:00.000Z');
const expiring = (time: string) => `https://media.example.com/a?expires=${Date.parse(`2026-11-20T${time}Z`) / 1000}`;

beforeEach(() => {
  vi.useFakeTimers({ now: receivedAt, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function read(urls: Partial<Memory>, headers: Record<string, string> = {}): Promise<Memory> {
  const { fetch } = stubFetch(json(sampleMemory({ audio_url: null, ...urls }), { headers }));
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk', fetch }).getMemory('mem_1');
}

test.each([
  ['the clocks agree', '12:00:00', '13:00:00'],
  ['the server is ten minutes ahead', '12:10:00', '12:50:00'],
  ['the server is ten minutes behind', '11:50:00', '13:10:00'],
])('where %s, the expiry is told by the local clock', async (_title, serverTime, expected) => {
  const memory = await read({ audio_url: expiring('13:00:00') }, { date: `Fri, 20 Nov 2026 ${serverTime} GMT` });
  expect(mediaExpiresAt(memory)).toEqual(new Date(`2026-11-20T${expected}Z`));
});

test('a URL that does not say when it expires lives for an hour from its response', async () => {
  const url = 'https://media.example.com/a?token=1';
  expect(mediaExpiresAt(await read({ video_url: url }))).toEqual(new Date('2026-11-20T13:00:00Z'));
  const skewed = await read({ video_url: url }, { date: 'Fri, 20 Nov 2026 10:00:00 GMT' });
  expect(mediaExpiresAt(skewed)).toEqual(new Date('2026-11-20T13:00:00Z'));
});

test('without a Date the clocks are taken to agree', async () => {
  expect(mediaExpiresAt(await read({ audio_url: expiring('12:30:00') }))).toEqual(new Date('2026-11-20T12:30:00Z'));
});

test('the earliest of the URLs counts', async () => {
  const memory = await read({
    audio_url: expiring('12:50:00'),
    video_url: expiring('12:40:00'),
    preview_image_url: expiring('12:45:00'),
  });
  expect(mediaExpiresAt(memory)).toEqual(new Date('2026-11-20T12:40:00Z'));
});

test('a memory in a list has an expiry too', async () => {
  const { fetch } = stubFetch(json([sampleListedMemory({ audio_url: expiring('12:30:00') })]));
  const [memory] = await new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk', fetch }).listMemories();
  expect(mediaExpiresAt(memory as ListedMemory)).toEqual(new Date('2026-11-20T12:30:00Z'));
});

test('nothing is known of a memory without media, of a copy, and of one from elsewhere', async () => {
  const memory = await read({ audio_url: expiring('13:00:00') });
  expect(mediaExpiresAt(await read({}))).toBeUndefined();
  expect(mediaExpiresAt({ ...memory })).toBeUndefined();
  expect(mediaExpiresAt(structuredClone(memory))).toBeUndefined();
  expect(mediaExpiresAt(sampleMemory())).toBeUndefined();
});

test('of a response from a cache, the age is taken off', async () => {
  const headers = { date: 'Fri, 20 Nov 2026 11:10:00 GMT', age: '3000' };
  const stated = await read({ audio_url: expiring('12:10:00') }, headers);
  expect(mediaExpiresAt(stated)).toEqual(new Date('2026-11-20T12:10:00Z'));
  const unstated = { video_url: 'https://media.example.com/a?token=1' };
  expect(mediaExpiresAt(await read(unstated, headers))).toEqual(new Date('2026-11-20T12:10:00Z'));
  expect(mediaExpiresAt(await read(unstated, { age: '3000' }))).toEqual(new Date('2026-11-20T12:10:00Z'));
  expect(mediaExpiresAt(await read(unstated, { age: 'old' }))).toEqual(new Date('2026-11-20T13:00:00Z'));
});

test.each(['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 19 Nov 2026 11:59:59 GMT'])(
  'a Date more than a day from the local one, such as %s, is not believed',
  async (date) => {
    expect(mediaExpiresAt(await read({ audio_url: expiring('12:30:00') }, { date }))).toEqual(
      new Date('2026-11-20T12:30:00Z'),
    );
    const unstated = 'https://media.example.com/a?token=1';
    expect(mediaExpiresAt(await read({ audio_url: unstated }, { date }))).toEqual(new Date('2026-11-20T13:00:00Z'));
    expect(mediaExpiresAt(await read({ audio_url: expiring('23:00:00') }, { date }))).toEqual(
      new Date('2026-11-20T13:00:00Z'),
    );
  },
);
