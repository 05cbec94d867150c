import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ListedMemory, type Memory, MemoryClient, mediaExpiresAt, responseInfo } from '../index.ts';
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
])('returns the expiry by the local clock if %s', async (_title, serverTime, expected) => {
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

test('a memory without media has no expiry', async () => {
  expect(mediaExpiresAt(await read({}))).toBeUndefined();
});

const unstatedUrl = 'https://media.example.com/a?token=1';

test.each<[string, (memory: Memory) => Memory]>([
  ['spread', (memory) => ({ ...memory })],
  ['JSON', (memory) => JSON.parse(JSON.stringify(memory))],
  ['structuredClone', (memory) => structuredClone(memory)],
  ['a persisted cache', (memory) => JSON.parse(JSON.stringify({ state: { data: [memory] } })).state.data[0]],
])('a copy by %s has the earliest expiry that its URLs state, at most one hour from now', async (_title, copy) => {
  // The correction of the clock belongs to the response, so a copy has none.
  const headers = { date: 'Fri, 20 Nov 2026 11:50:00 GMT' };
  const expiryOf = async (urls: Partial<Memory>) => mediaExpiresAt(copy(await read(urls, headers)));
  expect(await expiryOf({ audio_url: expiring('12:50:00'), video_url: expiring('12:40:00') })).toEqual(
    new Date('2026-11-20T12:40:00Z'),
  );
  expect(await expiryOf({ audio_url: unstatedUrl, video_url: expiring('12:50:00') })).toEqual(
    new Date('2026-11-20T12:50:00Z'),
  );
  expect(await expiryOf({ audio_url: expiring('15:00:00') })).toEqual(new Date('2026-11-20T13:00:00Z'));
  expect(await expiryOf({ audio_url: expiring('11:00:00') })).toEqual(new Date('2026-11-20T11:00:00Z'));
  expect(await expiryOf({ audio_url: unstatedUrl })).toBeUndefined();
  expect(await expiryOf({})).toBeUndefined();
  expect(responseInfo(copy(await read({ audio_url: expiring('12:50:00') }, headers)))).toBeUndefined();
});

/** By the local clock it is 12:00. The server signs for an hour, so its URL expires at one hour after its own time. */
test.each([
  ['the client is 2 h behind', '14:00:00', '15:00:00', '13:00:00', '13:00:00'],
  ['the client is 2 h ahead', '10:00:00', '11:00:00', '13:00:00', '11:00:00'],
  ['the URL lives for 2 h', '12:00:00', '14:00:00', '14:00:00', '13:00:00'],
])('where %s, a Date removes the skew, and without a Date the life is at most one hour', async (...row) => {
  const [, serverTime, end, withDate, withoutDate] = row;
  const urls = { audio_url: expiring(end) };
  const dated = await read(urls, { date: `Fri, 20 Nov 2026 ${serverTime} GMT` });
  expect(mediaExpiresAt(dated)).toEqual(new Date(`2026-11-20T${withDate}Z`));
  const at = new Date(`2026-11-20T${withoutDate}Z`);
  expect(mediaExpiresAt(await read(urls))).toEqual(at);
  expect(mediaExpiresAt(await read(urls, { date: 'yesterday' }))).toEqual(at);
});

test('without a Date, the hour counts from receipt less Age', async () => {
  const memory = await read({ audio_url: expiring('15:00:00') }, { age: '600' });
  expect(mediaExpiresAt(memory)).toEqual(new Date('2026-11-20T12:50:00Z'));
});

test.each([
  ['agrees with an expiry one hour later', '11:00:00', {}, '13:00:00'],
  ['agrees with an expiry 20 minutes later', '10:20:00', {}, '12:20:00'],
  ['agrees with an expiry 20 minutes later, of which 5 have passed', '10:20:00', { age: '300' }, '12:15:00'],
  ['does not agree with an expiry later than one hour', '11:00:01', {}, '13:00:00'],
  ['does not agree with an expiry at its own time', '10:00:00', {}, '13:00:00'],
  ['does not agree with an earlier expiry', '09:59:59', {}, '13:00:00'],
])('a Date two days ahead that %s', async (_title, end, headers, expected) => {
  const url = `https://media.example.com/a?expires=${Date.parse(`2026-11-22T${end}Z`) / 1000}`;
  const memory = await read({ audio_url: url }, { date: 'Sun, 22 Nov 2026 10:00:00 GMT', ...headers });
  expect(mediaExpiresAt(memory)).toEqual(new Date(`2026-11-20T${expected}Z`));
});

test('a Date two days behind agrees with an expiry that the local clock calls past', async () => {
  const url = `https://media.example.com/a?expires=${Date.parse('2026-11-18T10:30:00Z') / 1000}`;
  const stopped = await read({ audio_url: url }, { date: 'Wed, 18 Nov 2026 10:00:00 GMT' });
  expect(mediaExpiresAt(stopped)).toEqual(new Date('2026-11-20T12:30:00Z'));
  const whole = await read({ audio_url: url }, { date: 'Wed, 18 Nov 2026 09:30:00 GMT' });
  expect(mediaExpiresAt(whole)).toEqual(new Date('2026-11-20T13:00:00Z'));
  const late = await read({ audio_url: url }, { date: 'Wed, 18 Nov 2026 09:00:00 GMT' });
  expect(mediaExpiresAt(late)).toEqual(new Date('2026-11-18T10:30:00Z'));
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
