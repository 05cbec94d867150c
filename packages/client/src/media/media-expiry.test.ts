import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { type ListedMemory, type Memory, mediaExpiresAt, responseInfo } from '../index.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { json, stubClient } from '../testing/stub-fetch.ts';

const receivedAt = new Date('2026-11-20T12:00:00.000Z');
const at = (time: string, day = 20) => new Date(`2026-11-${day}T${time}Z`);
const expiring = (time: string, day?: number) =>
  `https://media.example.com/a?expires=${at(time, day).getTime() / 1000}`;
const dated = (time: string, day?: number) => ({ date: at(time, day).toUTCString() });
const unstatedUrl = 'https://media.example.com/a?token=1';

useFakeTimers({ now: receivedAt, toFake: ['Date'] });

async function read(urls: Partial<Memory>, headers: Record<string, string> = {}): Promise<Memory> {
  return stubClient(json(sampleMemory({ audio_url: null, ...urls }), { headers })).client.getMemory('mem_1');
}

type Case = [title: string, urls: Partial<Memory>, headers: Record<string, string>, expected: Date | undefined];

const audio = (time: string, day?: number) => ({ audio_url: expiring(time, day) });
const unstated = { video_url: unstatedUrl };
const three = { ...audio('12:50:00'), video_url: expiring('12:40:00'), preview_image_url: expiring('12:45:00') };
const cached = { ...dated('11:10:00'), age: '3000' };

/** By the local clock it is 12:00. The server signs for an hour, so its URL expires at one hour after its own time. */
test.each<Case>([
  ['the clocks agree', audio('13:00:00'), dated('12:00:00'), at('13:00:00')],
  ['the server is ten minutes ahead', audio('13:00:00'), dated('12:10:00'), at('12:50:00')],
  ['the server is ten minutes behind', audio('13:00:00'), dated('11:50:00'), at('13:10:00')],
  ['there is no Date, so the clocks are taken to agree', audio('12:30:00'), {}, at('12:30:00')],
  ['no expiry is stated, from its response', unstated, {}, at('13:00:00')],
  ['no expiry is stated and the clocks differ', unstated, dated('10:00:00'), at('13:00:00')],
  ['several URLs state one, of which the earliest counts', three, {}, at('12:40:00')],
  ['there are no media', {}, {}, undefined],
  ...(
    [
      ['the client is 2 h behind', '14:00:00', '15:00:00', '13:00:00', '13:00:00'],
      ['the client is 2 h ahead', '10:00:00', '11:00:00', '13:00:00', '11:00:00'],
      ['the URL lives for 2 h', '12:00:00', '14:00:00', '14:00:00', '13:00:00'],
    ] as const
  ).flatMap(([title, serverTime, end, withDate, atMostAnHour]): Case[] => [
    [`${title}, with a Date that removes the skew`, audio(end), dated(serverTime), at(withDate)],
    [`${title}, without a Date`, audio(end), {}, at(atMostAnHour)],
    [`${title}, with a Date that cannot be read`, audio(end), { date: 'yesterday' }, at(atMostAnHour)],
  ]),
  ['an Age is taken off the hour from receipt', audio('15:00:00'), { age: '600' }, at('12:50:00')],
  ['the response is from a cache', audio('12:10:00'), cached, at('12:10:00')],
  ['it is from a cache and no expiry is stated', unstated, cached, at('12:10:00')],
  ['it is from a cache, without a Date', unstated, { age: '3000' }, at('12:10:00')],
  ['Age cannot be read', unstated, { age: 'old' }, at('13:00:00')],
  ['a Date two days ahead agrees: 1 h', audio('11:00:00', 22), dated('10:00:00', 22), at('13:00:00')],
  ['a Date two days ahead agrees: 20 min', audio('10:20:00', 22), dated('10:00:00', 22), at('12:20:00')],
  [
    'a Date two days ahead agrees: 20 min, of which 5 have passed',
    audio('10:20:00', 22),
    { ...dated('10:00:00', 22), age: '300' },
    at('12:15:00'),
  ],
  ['a Date two days ahead is too early', audio('11:00:01', 22), dated('10:00:00', 22), at('13:00:00')],
  ['a Date two days ahead is that of the expiry', audio('10:00:00', 22), dated('10:00:00', 22), at('13:00:00')],
  ['a Date two days ahead is after the expiry', audio('09:59:59', 22), dated('10:00:00', 22), at('13:00:00')],
  ['a Date two days behind agrees: 30 min', audio('10:30:00', 18), dated('10:00:00', 18), at('12:30:00')],
  ['a Date two days behind agrees: 1 h', audio('10:30:00', 18), dated('09:30:00', 18), at('13:00:00')],
  ['a Date two days behind is too early', audio('10:30:00', 18), dated('09:00:00', 18), at('10:30:00', 18)],
  ...['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 19 Nov 2026 11:59:59 GMT'].flatMap(
    (date): Case[] => [
      [`the Date is ${date}, and not believed`, audio('12:30:00'), { date }, at('12:30:00')],
      [`the Date is ${date}, and no expiry is stated`, unstated, { date }, at('13:00:00')],
      [`the Date is ${date}, and the expiry is late`, audio('23:00:00'), { date }, at('13:00:00')],
    ],
  ),
])('returns the expiry by the local clock if %s', async (_title, urls, headers, expected) => {
  expect(mediaExpiresAt(await read(urls, headers))).toEqual(expected);
});

test('a memory in a list has an expiry too', async () => {
  const { client } = stubClient(json([sampleListedMemory({ audio_url: expiring('12:30:00') })]));
  const [memory] = await client.listMemories();
  expect(mediaExpiresAt(memory as ListedMemory)).toEqual(new Date('2026-11-20T12:30:00Z'));
});

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
