import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ListedMemory, Memory, RequestOptions } from '@memory-read/client';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Mirror, openMirror, type SyncOptions, type SyncProgress, type SyncReport } from '../index.ts';
import { audio, openAccount, saidRecord, type TestAccount } from '../testing/open-account.ts';
import { readRow } from '../testing/own-database.ts';
import { filesWith, readFolder } from '../testing/read-folder.ts';

let folder: string;
let mirror: Mirror;
let account: TestAccount;
let time: number;

beforeEach(async () => {
  folder = makeFolder();
  time = Date.parse('2026-11-23T12:00:00Z');
  account = await openAccount();
  await open();
  onTestFinished(() => mirror.close());
});

async function open() {
  mirror = await openMirror({ folder, clock: { now: () => new Date(time) } });
}

const client = () => account.clientOf('https://api.example.com');

/** Returns a client whose lists are changed. */
function clientThat(change: (list: ListedMemory[]) => ListedMemory[]) {
  const changing = client();
  const listMemories = changing.listMemories.bind(changing);
  return Object.assign(changing, {
    listMemories: async (options?: RequestOptions) => change(await listMemories(options)),
  });
}

/** Syncs a minute later, and returns the counts that are not 0 and the number of requests. */
async function sync(options: SyncOptions = {}, reader = client()) {
  time += 60_000;
  account.requests.length = 0;
  const { failed, ...report } = await mirror.sync(reader, options);
  expect(account.requests.filter((path) => path.startsWith('/v1'))).toHaveLength(
    Math.max(report.requests, options.media ? account.requests.filter((path) => path.startsWith('/v1')).length : 0),
  );
  return {
    ...Object.fromEntries(Object.entries(report).filter(([, count]) => count)),
    ...(failed.length > 0 && { failed }),
  };
}

const types = async (memoryId = 'a') =>
  (await mirror.history(memoryId)).map(({ type, fields }) => [type, ...fields].join(' '));
const texts = async (memoryId = 'a', options = {}) =>
  (await mirror.getMemory(memoryId, options))?.memory.transcript?.segments.map(({ text }) => text);

describe('reading', () => {
  test('sends 1 + k requests for k changes, newest first, and 1 without a change', async () => {
    await account.put(
      saidRecord('a', ['One.'], { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:10:00Z' }),
      saidRecord('b', ['Two.'], { started_at: '2026-01-03T00:00:00Z', ended_at: '2026-01-03T00:10:00Z' }),
      saidRecord('c', ['Three.'], { started_at: '2026-01-02T00:00:00Z', ended_at: '2026-01-02T00:10:00Z' }),
    );
    expect(await sync({ concurrency: 1 })).toEqual({ requests: 4, listed: 3, added: 3 });
    expect(account.requests).toEqual(['/v1/memories', ...['b', 'c', 'a'].map((id) => `/v1/memories/${id}`)]);
    expect(await sync()).toEqual({ requests: 1, listed: 3, unchanged: 3 });
    await account.put(saidRecord('a', ['One.'], { name: 'New' }), saidRecord('d'));
    expect(await sync()).toEqual({ requests: 3, listed: 4, added: 1, changed: 1, unchanged: 2 });
    expect(await types()).toEqual(['added', 'changed name started_at ended_at']);
    expect((await mirror.listMemories()).memories).toHaveLength(4);
  });

  test('changes no byte and no time of a file if the account has not changed', async () => {
    await account.put(saidRecord('a', ['One.'], { media: audio }));
    await sync({ media: true });
    await mirror.writePages({ timeZone: 'UTC' });
    await mirror.close();
    const traces = () => [...readFolder(folder)].map(([path, content]) => [path, content, statSync(path).mtimeMs]);
    const before = traces();
    await open();
    expect(await sync({ media: true })).toEqual({ requests: 1, listed: 1, unchanged: 1 });
    await mirror.close();
    expect(traces()).toEqual(before);
  });

  test.each<[string, (json: string) => string]>([
    ['empty URLs', (json) => json.replace(/("\w+_url"):null/g, '$1:""')],
    ['times without a fraction', (json) => json.replaceAll('.000Z', 'Z')],
    ['times with another offset', (json) => json.replace(/T09:00:00.000Z/g, 'T11:00:00+02:00')],
    ['times of segments with an offset', (json) => json.replace(/(:0\d\.\d+)Z/g, '$1+00:00')],
    ['times of segments with microseconds', (json) => json.replace(/(:0\d\.\d+)Z/g, '$1000Z')],
    [
      'a list without summaries',
      (json) => (/^.{9,}"transcript":null/.test(json) ? json.replace(/"summary":{.*?}/, '"summary":null') : json),
    ],
    [
      'another order of the fields',
      (json) => json.replace(/("quick_summary":".*?"),("key_takeaways":\[.*?\])/, '$2,$1'),
    ],
    [
      'new fields that are null',
      (json) => json.replace('"name"', '"place":null,"name"').replace(/"text"/g, '"language":null,"text"'),
    ],
  ])('%s change nothing, also if the details are read again', async (_name, respell) => {
    await account.put(saidRecord('a', ['One.', 'Two.'], { media: audio }));
    await sync({ media: true });
    const before = await mirror.getMemory('a');
    const spellings = new Set<string>();
    account.change = (memory) => {
      const json = JSON.stringify(memory);
      const respelled = respell(json);
      if (respelled !== json) spellings.add(respelled);
      return JSON.parse(respelled);
    };
    expect(await sync({ media: true })).toEqual({ requests: 1, listed: 1, unchanged: 1 });
    expect(await sync({ recheck: 1 })).toEqual({ requests: 2, listed: 1, unchanged: 1, rechecked: 1 });
    expect(spellings.size).toBeGreaterThan(0);
    account.change = (memory) => memory;
    expect(await sync({ media: true, recheck: 1 })).toEqual({ requests: 2, listed: 1, unchanged: 1, rechecked: 1 });
    expect(await mirror.getMemory('a')).toEqual(before);
    expect(await types()).toEqual(['added']);
  });

  test.each<[string, string, (json: string) => string]>([
    ['another time', 'transcript', (json) => json.replace('01.250Z', '01.251Z')],
    ['an unknown field', 'mood', (json) => json.replace('"name"', '"mood":"good","name"')],
    ['an unknown field of a segment', 'transcript', (json) => json.replace('"text"', '"confidence":1,"text"')],
    ['a time that is none', 'transcript', (json) => json.replace('02.000Z', '62.000Z')],
  ])('%s in the details is a version, which has it as it was sent', async (_name, field, change) => {
    await account.put(saidRecord('a'));
    await sync();
    account.change = (memory) => JSON.parse(change(JSON.stringify(memory)));
    expect(await sync({ recheck: 1 })).toMatchObject({ changed: 1 });
    expect(await types()).toEqual(['added', `changed ${field}`]);
    const { audio_url: _, ...sent } = account.change((await mirror.getMemory('a'))?.memory as Memory, false);
    expect((await mirror.getMemory('a'))?.memory).toMatchObject(sent);
  });

  test('the state of a list and the name of a recording have the form that earlier versions stored', async () => {
    await account.put(saidRecord('a', ['One.'], { media: audio }));
    await sync({ media: true });
    await mirror.close();
    const stored = readRow(folder, 'SELECT list_state, path FROM memories JOIN media USING (memory_key)');
    expect(stored).toEqual({
      list_state:
        '{"list":["[\\"Memory a\\",1772355600000,1772357400000,1800,false,true,false,false]","t1xre53c_MvmibKwrp4e36"]}',
      path: 'media/ca978112ca1bbdcafac231b3/audio-3ebfbcf0.mp3',
    });
    await open();
  });

  test('limits the reads to since and until, but not the marks of missing memories', async () => {
    for (const [id, month] of [
      ['a', '01'],
      ['b', '02'],
      ['c', '03'],
    ] as const) {
      const times = { started_at: `2026-${month}-01T00:00:00Z`, ended_at: `2026-${month}-01T00:10:00Z` };
      await account.put(saidRecord(id, ['One.'], { ...times, media: audio }));
    }
    const february = { since: '2026-02', until: '2026-02', media: true };
    expect(await sync(february)).toMatchObject({ requests: 2, listed: 3, added: 1, mediaSaved: 1 });
    expect(await sync({ until: '2026-01' })).toEqual({ requests: 2, listed: 3, added: 1, unchanged: 1 });
    expect(await sync(february)).toEqual({ requests: 1, listed: 3, unchanged: 2 });
    await account.remove('a');
    expect(await sync(february)).toEqual({ requests: 1, listed: 2, unchanged: 1, missing: 1 });
  });

  test('reads details again once if they differ from the list', async () => {
    await account.put(saidRecord('a'));
    account.change = (memory, isListed) => ({ ...memory, name: isListed ? 'New' : 'Old' });
    expect(await sync()).toMatchObject({ requests: 2, added: 1 });
    expect(await sync()).toEqual({ requests: 2, listed: 1, unchanged: 1 });
    expect(await sync()).toEqual({ requests: 1, listed: 1, unchanged: 1 });
    account.change = (memory, isListed) => ({ ...memory, name: isListed ? 'Newer' : 'Old' });
    expect(await sync()).toMatchObject({ requests: 2 });
    account.change = (memory) => ({ ...memory, name: 'Newer' });
    expect(await sync()).toMatchObject({ requests: 2, changed: 1 });
    expect(await sync()).toMatchObject({ requests: 1 });
  });

  test.each([
    ['the details agree with the list', 'Listed.', (_memory: Memory) => ({})],
    ['the details disagree', 'Other.', (_memory: Memory) => ({})],
    ['the details disagree, also in the name', 'Other.', () => ({ name: 'Other' })],
  ])('ignores a summary that is missing from every second list: %s', async (_name, quick_summary, fields) => {
    await account.put(saidRecord('a'));
    const summary = { quick_summary: 'Listed.', key_takeaways: [] };
    for (const lacksFirst of [true, false]) {
      let lists = 0;
      account.change = (memory, isListed) =>
        isListed
          ? { ...memory, summary: lists++ % 2 === Number(!lacksFirst) ? null : summary }
          : { ...memory, summary: { quick_summary, key_takeaways: [] }, ...fields(memory) };
      for (const _round of [1, 2, 3]) await sync();
      for (const _round of [1, 2, 3]) expect(await sync()).toEqual({ requests: 1, listed: 1, unchanged: 1 });
    }
  });

  test('rechecks the memories that were read longest ago, and finds every edit in time', async () => {
    await account.put(...['a', 'b', 'c', 'd', 'e'].map((id) => saidRecord(id)));
    await sync();
    await account.put(...['a', 'b', 'c', 'd', 'e'].map((id) => saidRecord(id, ['Edited.'])));
    time -= 3_600_000;
    let changed = 0;
    for (const _round of [1, 2, 3])
      changed += Number(((await sync({ recheck: 2 })) as unknown as SyncReport).changed ?? 0);
    expect(changed).toBe(5);
    expect(await types('c')).toEqual(['added', 'changed transcript']);
  });

  test('returns the counts of the next sync in a dry run with a recheck, and writes nothing', async () => {
    await account.put(saidRecord('a'), saidRecord('b'), saidRecord('c'), saidRecord('gone'));
    await sync();
    await account.put(saidRecord('a', ['One.'], { name: 'New' }), saidRecord('d'));
    await account.remove('gone');
    // A reader writes its position to the file `-shm`.
    const written = () => [...readFolder(folder)].filter(([path]) => !path.endsWith('-shm'));
    const before = written();
    const due: number[] = [];
    const onProgress = (event: SyncProgress) => void (event.type === 'listed' && due.push(event.due));
    const dry = await sync({ dryRun: true, recheck: 1, onProgress });
    expect(dry).toEqual({ requests: 1, listed: 4, added: 1, changed: 1, unchanged: 2, rechecked: 1, missing: 1 });
    expect(written()).toEqual(before);
    expect(await sync({ recheck: 1, onProgress })).toEqual({ ...dry, requests: 4 });
    expect(due).toEqual([3, 3]);
  });

  test('reports each memory and file as planned before it is read, also in a dry run', async () => {
    const events: SyncProgress[] = [];
    const onProgress = (event: SyncProgress) => {
      if (event.type !== 'listed' && event.type !== 'media') events.push(event);
    };
    await account.put(saidRecord('a', ['One.'], { media: audio }), saidRecord('b'));
    const planned = [
      { type: 'planned', memoryId: 'a' },
      { type: 'planned', memoryId: 'b' },
      { type: 'planned', memoryId: 'a', kind: 'audio' },
    ];
    await sync({ dryRun: true, media: true, onProgress });
    expect(events).toEqual(expect.arrayContaining(planned));
    expect(events.splice(0)).toHaveLength(3);
    account.intercept = (path) => (path.endsWith('/b') ? new Response('', { status: 500 }) : undefined);
    await sync({ media: true, concurrency: 1, onProgress });
    expect(events.splice(0, 3)).toEqual(expect.arrayContaining(planned));
    const path = String((await mirror.getMemory('a'))?.media.audio?.path);
    expect(events.splice(0)).toEqual(
      expect.arrayContaining([
        { type: 'memory', memoryId: 'a', change: 'added', done: expect.any(Number), due: 2 },
        { type: 'failed', memoryId: 'b', error: expect.objectContaining({ code: 'server' }) },
        { type: 'memory', memoryId: 'b', change: 'failed', done: expect.any(Number), due: 2 },
        { type: 'saved', memoryId: 'a', kind: 'audio', path, size: 20_000, resumedFrom: 0 },
      ]),
    );
    account.intercept = () => undefined;
    await sync({ media: true, recheck: 1, onProgress });
    expect(events).toEqual([
      { type: 'planned', memoryId: 'b' },
      { type: 'planned', memoryId: 'a' },
      { type: 'memory', memoryId: expect.any(String), change: expect.any(String), done: 1, due: 2 },
      { type: 'memory', memoryId: expect.any(String), change: expect.any(String), done: 2, due: 2 },
    ]);
  });
});

describe('content', () => {
  test('is complete except the URLs, without the queries of URLs in unknown fields', async () => {
    await account.put(saidRecord('a', ['See https://x.example?q=1'], { media: audio }));
    account.change = (memory) =>
      ({
        ...memory,
        place: { photo: 'https://cdn.example/p.png?signature=SECRET', tags: ['x', 7] },
      }) as unknown as Memory;
    await sync();
    const stored = (await mirror.getMemory('a'))?.memory;
    expect(stored).toMatchObject({ audio_url: null, place: { photo: 'https://cdn.example/p.png', tags: ['x', 7] } });
    expect(await texts()).toEqual(['See https://x.example?q=1']);
    await mirror.close();
    expect(filesWith(folder, 'signature')).toEqual([]);
    await open();
    await account.put(saidRecord('a', ['See https://x.example?q=1'], { media: {} }));
    await sync();
    expect(await types()).toEqual(['added', 'changed audio_url']);
  });

  test('gets a new version if the transcript disappears; asOf returns the earlier one', async () => {
    await account.put(saidRecord('a', ['Words.']));
    await sync();
    const first = time;
    await account.put(saidRecord('a', [], { name: 'Silent' }));
    await sync();
    expect(await texts()).toEqual([]);
    expect(await texts('a', { asOf: new Date(first) })).toEqual(['Words.']);
  });
});

describe('missing memories', () => {
  beforeEach(async () => {
    await account.put(saidRecord('a'), saidRecord('b'));
    await sync();
  });

  test('are marked, stay readable, and can return', async () => {
    await account.remove('a');
    expect(await sync()).toEqual({ requests: 1, listed: 1, unchanged: 1, missing: 1 });
    expect(await mirror.getMemory('a')).toMatchObject({ missingSince: new Date(time) });
    expect(await sync()).toEqual({ requests: 1, listed: 1, unchanged: 1 });
    await account.put(saidRecord('a'));
    expect(await sync()).toEqual({ requests: 1, listed: 2, unchanged: 2, returned: 1 });
    expect(await mirror.getMemory('a')).toMatchObject({ missingSince: null, version: 1 });
    expect(await types()).toEqual(['added', 'missing', 'returned']);
  });

  test('are marked by the second empty list in a row; a list with memories resets the count', async () => {
    let isEmpty = true;
    account.intercept = (path) => (isEmpty && path === '/v1/memories' ? Response.json([]) : undefined);
    expect(await sync()).toEqual({ requests: 1, unconfirmedEmptyList: true });
    isEmpty = false;
    expect(await sync()).toEqual({ requests: 1, listed: 2, unchanged: 2 });
    isEmpty = true;
    expect(await sync()).toEqual({ requests: 1, unconfirmedEmptyList: true });
    expect(await mirror.getMemory('a')).toMatchObject({ missingSince: null });
    expect(await sync()).toEqual({ requests: 1, missing: 2 });
    expect(await sync()).toEqual({ requests: 1 });
  });

  test('are marked by the first empty list with allowEmpty', async () => {
    account.intercept = (path) => (path === '/v1/memories' ? Response.json([]) : undefined);
    expect(await sync({ allowEmpty: true })).toEqual({ requests: 1, missing: 2 });
  });

  test("are marked by no empty list with allowEmpty: 'never', but by a list without them", async () => {
    let list: Response | undefined = Response.json([]);
    account.intercept = (path) => (path === '/v1/memories' ? list?.clone() : undefined);
    for (const missing of ['keep', 'purge', 'purge'] as const) {
      expect(await sync({ allowEmpty: 'never', missing })).toEqual({ requests: 1, unconfirmedEmptyList: true });
    }
    expect(await types()).toEqual(['added']);
    list = undefined;
    await account.remove('a');
    expect(await sync({ allowEmpty: 'never' })).toEqual({ requests: 1, listed: 1, unchanged: 1, missing: 1 });
    expect(await types()).toEqual(['added', 'missing']);
  });

  test("are purged by no empty list with allowEmpty: 'never', also if they were missing before", async () => {
    account.intercept = (path) => (path === '/v1/memories' ? Response.json([]) : undefined);
    await sync({ allowEmpty: true });
    expect(await sync({ allowEmpty: 'never', missing: 'purge' })).toEqual({ requests: 1, unconfirmedEmptyList: true });
    expect(await sync({ allowEmpty: true, missing: 'purge' })).toMatchObject({ purged: 2 });
  });

  test('are purged by the policy if two lists do not have them, and no list adds them again', async () => {
    await account.remove('a');
    expect(await sync({ missing: 'purge' })).toMatchObject({ missing: 1 });
    expect(await mirror.getMemory('a')).toBeDefined();
    expect(await sync({ missing: 'purge' })).toEqual({ requests: 1, listed: 1, unchanged: 1, purged: 1 });
    expect(await mirror.getMemory('a')).toBeUndefined();
    await account.put(saidRecord('a'));
    expect(await sync()).toEqual({ requests: 1, listed: 2, unchanged: 1 });
    expect(await mirror.getMemory('a')).toBeUndefined();
  });
});

describe('failures', () => {
  const fail = (error: Error) => {
    throw error;
  };

  test('name a memory that fails; others are added, and the next sync reads it', async () => {
    await account.put(saidRecord('a'), saidRecord('b'));
    account.intercept = (path) => (path.endsWith('/a') ? new Response('', { status: 500 }) : undefined);
    expect(await sync()).toEqual({
      requests: 3,
      listed: 2,
      added: 1,
      failed: [{ memoryId: 'a', error: expect.objectContaining({ code: 'server' }) }],
    });
    account.intercept = () => undefined;
    expect(await sync()).toEqual({ requests: 2, listed: 2, added: 1, unchanged: 1 });
  });

  test('end the sync if the key is rejected; saved memories stay', async () => {
    await account.put(
      saidRecord('a'),
      saidRecord('b', [], { started_at: '2027-01-01T00:00:00Z', ended_at: '2027-01-01T00:01:00Z' }),
    );
    account.intercept = (path) => (path.endsWith('/a') ? Response.json({ detail: 'x' }, { status: 401 }) : undefined);
    await expect(sync({ concurrency: 1 })).rejects.toMatchObject({ code: 'authentication' });
    expect(await mirror.getMemory('b')).toBeDefined();
    account.intercept = (path) => (path === '/v1/memories' ? new Response('', { status: 503 }) : undefined);
    await expect(sync()).rejects.toMatchObject({ code: 'server' });
  });

  test.each<[string, string, string, () => Response]>([
    ['memories', '/v1/memories/', 'connection', () => fail(new TypeError('fetch failed'))],
    // The Retry-After exceeds the maximum pause of the client.
    ['media', '/media/', 'media_download', () => new Response('', { status: 503, headers: { 'retry-after': '999' } })],
  ])('end the sync after five %s in a row that are not sent', async (part, start, code, answer) => {
    const ids = Array.from({ length: 20 }, (_item, index) => `m${index}`);
    await account.put(...ids.map((id) => saidRecord(id, ['One.'], { media: audio })));
    account.intercept = (path) => (path.startsWith(start) ? answer() : undefined);
    await expect(sync({ media: true, concurrency: 1 })).rejects.toMatchObject({ code });
    expect(account.requests.filter((path) => path.startsWith(start))).toHaveLength(5);
    expect((await mirror.listMemories()).memories).toHaveLength(part === 'media' ? 20 : 0);
  });

  test('include an abort, which rejects with its reason; the next sync completes', async () => {
    await account.put(...['a', 'b', 'c'].map((id) => saidRecord(id)));
    const controller = new AbortController();
    const reason = new Error('Stop.');
    account.intercept = (path) => {
      if (path.endsWith('/b')) controller.abort(reason);
      return undefined;
    };
    await expect(sync({ concurrency: 1, signal: controller.signal })).rejects.toBe(reason);
    account.intercept = () => undefined;
    await sync();
    expect((await mirror.listMemories()).memories).toHaveLength(3);
    await expect(sync({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('reject another account or server before anything is written', async () => {
    await account.put(saidRecord('a'));
    await sync();
    const elsewhere = account.clientOf('https://other.example.com/api');
    account.requests.length = 0;
    await expect(mirror.sync(elsewhere)).rejects.toMatchObject({ code: 'other_server' });
    expect(account.requests).toEqual([]);
    account.change = (memory) => ({ ...memory, user_id: 'user_2' });
    await expect(sync()).rejects.toMatchObject({ code: 'other_account' });
    await account.put(saidRecord('b'));
    account.change = (memory) => ({ ...memory, user_id: memory.id });
    await expect(sync()).rejects.toMatchObject({ code: 'other_account' });
    account.change = (memory) => memory;
    const moved = account.clientOf('https://api.example.com/');
    expect(await mirror.sync(moved)).toMatchObject({ added: 1 });
  });

  test.each<[string, Partial<Memory>]>([
    ['another account', { user_id: 'user_2' }],
    ['another id', { id: 'A' }],
  ])('details with %s fail alone', async (_name, fields) => {
    await account.put(saidRecord('a'), saidRecord('b'));
    account.change = (memory, isListed) => (isListed || memory.id === 'b' ? memory : { ...memory, ...fields });
    const failed = [{ memoryId: 'a', error: expect.objectContaining({ code: 'invalid_response', memoryIds: ['a'] }) }];
    expect(await sync()).toEqual({ requests: 3, listed: 2, added: 1, failed });
    account.change = (memory) => memory;
    expect(await sync()).toEqual({ requests: 2, listed: 2, added: 1, unchanged: 1 });
  });

  test('an invalid memory of a list fails alone, and is neither missing nor purged', async () => {
    await account.put(saidRecord('a'), saidRecord('b'), saidRecord('c'));
    await sync();
    await account.remove('c');
    account.change = (memory, isListed) => (isListed && memory.id === 'a' ? { ...memory, name: 7 as never } : memory);
    const failed = [{ memoryId: 'a', error: expect.objectContaining({ code: 'invalid_response', memoryIds: ['a'] }) }];
    const events: SyncProgress[] = [];
    const onProgress = (event: SyncProgress) => void events.push(event);
    expect(await sync({ missing: 'purge', onProgress })).toEqual({
      requests: 1,
      listed: 1,
      unchanged: 1,
      missing: 1,
      failed,
    });
    expect(events).toContainEqual({ type: 'failed', ...failed[0] });
    expect(await sync({ dryRun: true })).toEqual({ requests: 1, listed: 1, unchanged: 1, failed });
    expect(await sync({ missing: 'purge' })).toMatchObject({ purged: 1, failed });
    expect(await texts('a')).toEqual(['Good morning.']);
    account.change = (memory) => memory;
    expect(await sync()).toEqual({ requests: 1, listed: 2, unchanged: 2 });
  });

  test('an invalid memory without an id can be any, so none is missing or purged', async () => {
    await account.put(saidRecord('a'), saidRecord('b'));
    await sync();
    account.change = (memory) => (memory.id === 'a' ? { ...memory, id: 7 as never } : memory);
    for (let count = 0; count < 2; count += 1) {
      expect(await sync({ missing: 'purge' })).toEqual({
        requests: 1,
        listed: 1,
        unchanged: 1,
        incompleteList: true,
        failed: [expect.objectContaining({ memoryId: '' })],
      });
    }
    expect(await types('a')).toEqual(['added']);
  });

  test.each<[string, (list: ListedMemory[]) => ListedMemory[]]>([
    ['a spread list', (list) => [...list]],
    ['a sorted copy', (list) => list.toSorted((one, other) => one.id.localeCompare(other.id))],
    ['a mapped list', (list) => list.map((memory) => ({ ...memory }))],
    ['a clone', (list) => structuredClone(list)],
    ['an empty list', () => []],
    ['JSON', (list) => JSON.parse(JSON.stringify(list))],
    ['a list from which a memory was removed', (list) => list.splice(0, 1) && list],
  ])('%s can lack any memory, so none is missing or purged, and a full list ends that', async (_name, copyOf) => {
    await account.put(saidRecord('a'), saidRecord('b'));
    await sync();
    account.change = (memory, isListed) => (isListed && memory.id === 'a' ? { ...memory, name: 7 as never } : memory);
    for (const options of [{}, { dryRun: true }, {}] as const) {
      const report = await sync({ missing: 'purge', ...options }, clientThat(copyOf));
      expect(report).toMatchObject({ incompleteList: true });
      expect(report).not.toHaveProperty('missing');
      expect(report).not.toHaveProperty('purged');
    }
    expect(await types('a')).toEqual(['added']);
    account.change = (memory) => memory;
    await account.remove('a');
    expect(await sync()).toEqual({ requests: 1, listed: 1, unchanged: 1, missing: 1 });
    await account.put(saidRecord('a'));
    expect(
      await sync(
        {},
        clientThat((list) => [...list]),
      ),
    ).toMatchObject({ returned: 1, incompleteList: true });
  });

  test('a proxy of a list shows which memories were left out', async () => {
    await account.put(saidRecord('a'), saidRecord('b'), saidRecord('c'));
    await sync();
    await account.remove('c');
    account.change = (memory, isListed) => (isListed && memory.id === 'a' ? { ...memory, name: 7 as never } : memory);
    expect(
      await sync(
        {},
        clientThat((list) => new Proxy(list, {})),
      ),
    ).toMatchObject({
      missing: 1,
      failed: [{ memoryId: 'a' }],
    });
  });

  test.each([
    { media: 'audio' },
    { media: ['sound'] },
    { missing: 'mark' },
    { recheck: -1 },
    { recheck: 10_001 },
    { concurrency: 0 },
    { concurrency: 17 },
    { since: 'yesterday' },
    { allowEmpty: 1 },
    { dryRun: 'yes' },
    { onProgress: 1 },
    { signal: {} },
  ])('reject the options %j before a request', async (options) => {
    account.requests.length = 0;
    await expect(mirror.sync(client(), options as never)).rejects.toMatchObject({ code: 'invalid_option' });
    expect(account.requests).toEqual([]);
  });

  test('reject a second sync at the same time with busy, and ignore an onProgress that throws', async () => {
    await account.put(saidRecord('a'));
    const onProgress = vi.fn(() => {
      throw new Error('The bar is broken.');
    });
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = client();
    const listMemories = waiting.listMemories.bind(waiting);
    waiting.listMemories = async (options) => {
      asked.resolve();
      await held.promise;
      return listMemories(options);
    };
    const first = mirror.sync(waiting, { onProgress });
    await asked.promise;
    await expect(mirror.sync(client())).rejects.toMatchObject({ code: 'busy' });
    held.resolve();
    expect(await first).toMatchObject({ added: 1 });
    expect(onProgress.mock.calls).toEqual([
      [{ type: 'listed', listed: 1, inRange: 1, due: 1, report: expect.objectContaining({ added: 1 }) }],
      [{ type: 'planned', memoryId: 'a' }],
      [{ type: 'memory', memoryId: 'a', change: 'added', done: 1, due: 1 }],
    ]);
  });
});

describe('media', () => {
  const media = () =>
    readdirSync(join(folder, 'media'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\./.test(path))
      .sort();

  test('are saved once as private files, and again after the times or the size changed', async () => {
    await account.put(saidRecord('a', ['One.'], { media: audio }));
    expect(await sync({ media: ['audio'] })).toMatchObject({ mediaSaved: 1, mediaBytes: 20_000 });
    const stored = (await mirror.getMemory('a'))?.media.audio;
    expect(stored).toEqual({
      path: expect.stringMatching(/^media\/[\da-f]{24}\/audio-[\da-f]{8}\.mp3$/),
      size: 20_000,
    });
    const path = join(folder, String(stored?.path));
    expect(readFileSync(path).equals(account.media)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await sync({ media: true })).toEqual({ requests: 1, listed: 1, unchanged: 1 });
    await account.put(saidRecord('a', ['One.'], { media: audio, name: 'Other name' }));
    expect(await sync({ media: true })).not.toHaveProperty('mediaSaved');
    rmSync(path);
    expect(await sync({ media: true })).toMatchObject({ mediaSaved: 1 });
    await account.put(saidRecord('a', ['One.'], { media: audio, duration_seconds: 7 }));
    expect(await sync({ media: true })).toMatchObject({ mediaSaved: 1 });
    expect(media()).toHaveLength(2);
    expect((await mirror.getMemory('a'))?.media.audio?.path).not.toBe(stored?.path);
    await mirror.purge('a');
    expect(media()).toEqual([]);
  });

  test('are named with their kind if they cannot be downloaded', async () => {
    await account.put(saidRecord('a', ['One.'], { media: audio }));
    account.intercept = (path) => (path.startsWith('/media/') ? new Response('', { status: 404 }) : undefined);
    expect(await sync({ media: true })).toMatchObject({ added: 1, failed: [{ memoryId: 'a', kind: 'audio' }] });
  });

  describe('paths that do not belong to the mirror are rejected by name, and stay', () => {
    let path: string;
    let elsewhere: string;

    beforeEach(async () => {
      await account.put(saidRecord('a', ['One.'], { media: audio }));
      await sync({ media: true });
      path = join(folder, String((await mirror.getMemory('a'))?.media.audio?.path));
      elsewhere = makeFolder();
    });

    async function expectRefusal(at: string, reason: string) {
      await expect(sync({ media: true })).rejects.toMatchObject({
        name: 'MirrorError',
        code: 'storage',
        message: `Failed to save media to ${JSON.stringify(at)}: it is ${reason}. Remove it, and try again.`,
      });
      expect(await texts()).toEqual(['One.']);
    }

    test('a folder in place of a recording', async () => {
      rmSync(path);
      mkdirSync(path);
      await expectRefusal(path, 'not a file');
      rmSync(path, { recursive: true });
      expect(await sync({ media: true })).toMatchObject({ mediaSaved: 1 });
    });

    test.each(['a file of the same size', 'a file of another size', 'nothing'])(
      'a link to %s in place of a recording',
      async (name) => {
        const target = join(elsewhere, 'mine.mp3');
        const size = { 'a file of the same size': 20_000, 'a file of another size': 7 }[name];
        if (size !== undefined) writeFileSync(target, 'x'.repeat(size));
        rmSync(path);
        symlinkSync(target, path);
        await expectRefusal(path, 'a symbolic link');
        expect([...readFolder(elsewhere).values()]).toEqual(size === undefined ? [] : ['x'.repeat(size)]);
      },
    );

    test.each(['a folder', 'nothing'])('a link to %s in place of the folder of a memory', async (name) => {
      const target = join(elsewhere, 'mine');
      if (name === 'a folder') mkdirSync(target);
      rmSync(dirname(path), { recursive: true });
      symlinkSync(target, dirname(path));
      await expectRefusal(dirname(path), 'a symbolic link');
      expect(readdirSync(elsewhere, { recursive: true })).toEqual(name === 'a folder' ? ['mine'] : []);
    });

    test('a link in place of the folder of a memory whose recordings are elsewhere; a purge removes only the link', async () => {
      const target = join(elsewhere, 'mine');
      renameSync(dirname(path), target);
      symlinkSync(target, dirname(path));
      await expectRefusal(dirname(path), 'a symbolic link');
      await mirror.purge('a');
      expect(readdirSync(target)).toHaveLength(1);
      expect(readdirSync(join(folder, 'media'))).toEqual([]);
    });

    test('a file in place of the folder of a memory', async () => {
      rmSync(dirname(path), { recursive: true });
      writeFileSync(dirname(path), 'mine');
      await expectRefusal(dirname(path), 'not a folder');
      expect(readFileSync(dirname(path), 'utf8')).toBe('mine');
    });
  });

  test('are not downloaded while a memory is processing', async () => {
    await account.put(
      saidRecord('a', ['One.'], { media: audio, is_processing: true, transcript: null, summary: null }),
    );
    expect(await sync({ media: true })).toEqual({ requests: 2, listed: 1, processing: 1, added: 1 });
  });
});

test.each(['media', 'pages', 'index'])('writes and removes nothing through a link in place of %s', async (part) => {
  await account.put(saidRecord('a', ['One.'], { media: audio }));
  const elsewhere = makeFolder();
  const message = `Failed to use ${JSON.stringify(join(folder, part))}: it is a symbolic link. Remove it, and try again.`;
  const refusal = { name: 'MirrorError', code: 'storage', message };
  symlinkSync(elsewhere, join(folder, part));
  await expect(sync({ media: true })).rejects.toMatchObject(refusal);
  await expect(mirror.writePages()).rejects.toMatchObject(refusal);
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(join(folder, part));
  await sync({ media: true });
  await mirror.writePages();
  renameSync(join(folder, part), join(elsewhere, 'mine'));
  symlinkSync(join(elsewhere, 'mine'), join(folder, part));
  const before = readFolder(elsewhere);
  expect(before.size).toBeGreaterThan(0);
  await expect(mirror.purge('a')).rejects.toMatchObject(refusal);
  expect(readFolder(elsewhere)).toEqual(before);
  expect(await mirror.getMemory('a')).toBeDefined();
});
