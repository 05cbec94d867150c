import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import {
  type DriftEvent,
  type InvalidResponseError,
  MemoryClient,
  responseInfo,
  type ValidationMode,
} from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, stubFetch } from '../testing/stub-fetch.ts';

function createClient(body: unknown, validation?: ValidationMode) {
  const onDrift = vi.fn();
  const { fetch, requests } = stubFetch(json(body));
  const client = new MemoryClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'sk_test',
    fetch,
    validation,
    hooks: { onDrift },
  });
  return { client, onDrift, requests };
}

const segment = { speaker: 'Speaker 1', start_at: '2026-08-20T10:00:01Z', end_at: '2026-08-20T10:00:02Z', text: 'Hi.' };
const withSegment = (changes: Record<string, unknown>) =>
  sampleMemory({ transcript: { segments: [segment, { ...segment, ...changes }] } });

test.each<[string, unknown, (string | number)[], string]>([
  ['an id that is a number', sampleMemory({ id: 7 }), ['id'], 'expected string, received number'],
  ['a name that is null', sampleMemory({ name: null }), ['name'], 'expected string, received null'],
  ['no name', sampleMemory({ name: undefined }), ['name'], 'expected a value, received nothing'],
  ['a date that is a number', sampleMemory({ started_at: 1 }), ['started_at'], 'expected string, received number'],
  ['no user_id', sampleMemory({ user_id: undefined }), ['user_id'], 'expected a value, received nothing'],
  [
    'is_processing as a text',
    sampleMemory({ is_processing: 'no' }),
    ['is_processing'],
    'expected boolean, received string',
  ],
  [
    'a duration as a text',
    sampleMemory({ duration_seconds: '9' }),
    ['duration_seconds'],
    'expected integer, received string',
  ],
  ['a URL that is an object', sampleMemory({ audio_url: {} }), ['audio_url'], 'expected string, received object'],
  [
    'a transcript that is an array',
    sampleMemory({ transcript: [] }),
    ['transcript'],
    'expected object, received array',
  ],
  [
    'segments that are null',
    sampleMemory({ transcript: { segments: null } }),
    ['transcript', 'segments'],
    'expected array, received null',
  ],
  ['no segments', sampleMemory({ transcript: {} }), ['transcript', 'segments'], 'expected a value, received nothing'],
  [
    'a segment without text',
    withSegment({ text: undefined }),
    ['transcript', 'segments', 1, 'text'],
    'expected a value, received nothing',
  ],
  [
    'a segment with a number for its start',
    withSegment({ start_at: 1.5 }),
    ['transcript', 'segments', 1, 'start_at'],
    'expected string, received number',
  ],
  ['a summary that is a text', sampleMemory({ summary: 'x' }), ['summary'], 'expected object, received string'],
  [
    'a takeaway that is null',
    sampleMemory({ summary: { quick_summary: '', key_takeaways: ['a', null] } }),
    ['summary', 'key_takeaways', 1],
    'expected string, received null',
  ],
])('strict refuses %s, and says where', async (_title, body, path, message) => {
  const { client, onDrift, requests } = createClient(body);
  const error = await rejection(client.getMemory('mem_1'));
  expect(error).toMatchObject({
    name: 'InvalidResponseError',
    code: 'invalid_response',
    reason: 'structure',
    issues: [{ path, message }],
    truncated: false,
    message: expect.stringContaining(path.join('.')),
  });
  expect(onDrift).not.toHaveBeenCalled();
  expect(requests).toHaveLength(1);
});

test.each<[string, Record<string, unknown>, string, (string | number)[]]>([
  ['a date with a space', { started_at: '2026-08-20 10:00:00' }, 'date_time_format', ['started_at']],
  ['a date that is none', { ended_at: 'yesterday' }, 'date_time_format', ['ended_at']],
  [
    'a segment with a date that is none',
    { transcript: { segments: [{ ...segment, end_at: '' }] } },
    'date_time_format',
    ['transcript', 'segments', 0, 'end_at'],
  ],
  ['a relative URL', { audio_url: '/media/a.wav' }, 'uri_format', ['audio_url']],
  ['an empty URL', { video_url: '' }, 'uri_format', ['video_url']],
  ['a URL of a scheme alone', { video_url: 'https:' }, 'uri_format', ['video_url']],
  ['a URL with a space', { video_url: 'https://a.example/a b' }, 'uri_format', ['video_url']],
  ['a URL with a line break at its end', { video_url: 'https://a.example/a\n' }, 'uri_format', ['video_url']],
  ['a URL that begins with a space', { video_url: ' https://a.example/a' }, 'uri_format', ['video_url']],
  ['a fractional duration', { duration_seconds: 1.5 }, 'fractional_number', ['duration_seconds']],
  ['a duration beyond 2^53', { duration_seconds: 2 ** 53 }, 'fractional_number', ['duration_seconds']],
  ['a day that no month has', { started_at: '2026-02-31T10:00:00Z' }, 'date_time_format', ['started_at']],
  ['the 29th of a February without', { ended_at: '1900-02-29T10:00:00Z' }, 'date_time_format', ['ended_at']],
  ['the 31st of a month of 30 days', { ended_at: '2026-04-31T10:00:00+02:00' }, 'date_time_format', ['ended_at']],
])('%s passes as it is and is reported', async (_title, changes, kind, path) => {
  const memory = sampleMemory(changes);
  for (const validation of ['strict', 'warn'] as const) {
    const { client, onDrift } = createClient(memory, validation);
    expect(await client.getMemory('mem_1')).toEqual(memory);
    expect(onDrift.mock.calls).toEqual([
      [
        {
          callId: expect.any(String),
          memoryId: 'mem_1',
          truncated: false,
          issues: [{ kind, path, message: expect.any(String) }],
          skipped: 0,
          memoryIds: [],
        },
      ],
    ]);
  }
});

test.each(['audio_url', 'video_url', 'preview_image_url', 'transcript', 'summary'] as const)(
  'an absent %s is read as null and reported; off leaves it absent',
  async (field) => {
    for (const validation of ['strict', 'warn'] as const) {
      const { client, onDrift } = createClient(sampleMemory({ [field]: undefined }), validation);
      expect((await client.getMemory('mem_1'))[field]).toBeNull();
      expect(onDrift.mock.calls[0]?.[0].issues).toMatchObject([{ kind: 'missing_nullable', path: [field] }]);
    }
    const { client } = createClient(sampleMemory({ [field]: undefined }), 'off');
    expect(await client.getMemory('mem_1')).not.toHaveProperty(field);
  },
);

test.each([
  '2026-08-20T10:00:00Z',
  '2026-08-20T10:00:00.123456789Z',
  '2026-08-20T10:00:00',
  '2026-08-20T10:00:00.5+02:00',
  '2026-08-20T10:00Z',
  '2026-08-20T10:00:00,5+0530',
  '2026-08-20T10:00:00-03',
  '2026-08-31T10:00:00Z',
  '2028-02-29T10:00:00Z',
  '0000-02-29T10:00:00Z',
  '0099-12-31T10:00:00',
  '0000-01-01T00:00:00-23:59',
])('reports no drift for the date-time %s', async (started_at) => {
  const { client, onDrift } = createClient(sampleMemory({ started_at }));
  expect((await client.getMemory('mem_1')).started_at).toBe(started_at);
  expect(onDrift).not.toHaveBeenCalled();
});

test.each(['2026-13-01T00:00:00Z', '2026-08-32T00:00:00Z', '2026-08-20T24:00:00Z', '2026-08-20'])(
  'the date-time %s is drift',
  async (started_at) => {
    const { client, onDrift } = createClient(sampleMemory({ started_at }));
    await client.getMemory('mem_1');
    expect(onDrift).toHaveBeenCalledOnce();
  },
);

test('a number beyond all bounds is a broken structure', async () => {
  const body = JSON.stringify(sampleMemory()).replace('"duration_seconds":900', '"duration_seconds":1e400');
  const fetch = async () => new Response(body);
  const client = createClient({}).client.withOptions({ fetch });
  expect(await rejection(client.getMemory('mem_1'))).toMatchObject({
    reason: 'structure',
    issues: [{ kind: 'wrong_type', path: ['duration_seconds'] }],
  });
});

test('unknown fields pass at every depth, unreported', async () => {
  const memory = sampleMemory({
    mood: 'calm',
    transcript: { language: 'en', segments: [{ ...segment, confidence: 0.9 }] },
    summary: { quick_summary: '', key_takeaways: [], model: 'x' },
  });
  const { client, onDrift } = createClient(memory);
  expect(await client.getMemory('mem_1')).toEqual(memory);
  expect(onDrift).not.toHaveBeenCalled();
});

test('a transcript in a list passes and is reported, without the id of a memory', async () => {
  const list = [sampleListedMemory(), sampleMemory()];
  const { client, onDrift } = createClient(list);
  expect(await client.listMemories()).toEqual(list);
  expect(onDrift.mock.calls[0]?.[0]).toMatchObject({
    memoryId: undefined,
    issues: [{ kind: 'listed_transcript', path: [1, 'transcript'] }],
  });
});

test('a transcript in a list must still be one', async () => {
  const { client } = createClient([sampleMemory({ transcript: { segments: 'none' } })]);
  expect(await rejection(client.listMemories())).toMatchObject({ issues: [{ path: [0, 'transcript', 'segments'] }] });
});

test('reports one issue for an invalid transcript in a list', async () => {
  const { client, onDrift } = createClient([sampleListedMemory({ transcript: 'x' })], 'warn');
  await client.listMemories();
  expect(onDrift.mock.calls[0]?.[0].issues).toMatchObject([{ kind: 'wrong_type', path: [0, 'transcript'] }]);
});

test('warn lets a broken structure pass and reports it before smaller drift', async () => {
  const memory = sampleMemory({ id: 7, started_at: 'x' });
  const { client, onDrift } = createClient(memory, 'warn');
  expect(await client.getMemory('mem_1')).toEqual(memory);
  expect(onDrift.mock.calls[0]?.[0].issues).toMatchObject([{ kind: 'wrong_type' }, { kind: 'date_time_format' }]);
});

test('off lets everything pass and reports nothing', async () => {
  const { client, onDrift } = createClient({ id: 7 }, 'off');
  expect(await client.getMemory('mem_1')).toEqual({ id: 7 });
  expect(onDrift).not.toHaveBeenCalled();
});

test.each(['strict', 'warn', 'off'] as const)(
  'the outermost array and object are required in mode %s',
  async (mode) => {
    for (const body of [{}, null, 'x', 7, true]) {
      const error = await rejection(createClient(body, mode).client.listMemories());
      expect(error).toMatchObject({ reason: 'structure', issues: [{ path: [], kind: 'wrong_type' }] });
    }
    for (const body of [[], null, 'x', 7, false]) {
      const error = await rejection(createClient(body, mode).client.getMemory('mem_1'));
      expect(error).toMatchObject({ reason: 'structure', issues: [{ path: [], kind: 'wrong_type' }] });
    }
  },
);

test('at most 20 issues are kept, and it is said that there were more', async () => {
  const list = Array.from({ length: 100 }, () => sampleListedMemory({ id: 7, started_at: 'x' }));
  const error = (await rejection(createClient(list).client.listMemories())) as InvalidResponseError;
  expect(error.issues).toHaveLength(20);
  expect(error.truncated).toBe(true);
  expect(error.message.length).toBeLessThan(300);

  const { client, onDrift } = createClient(list, 'warn');
  await client.listMemories();
  expect(onDrift.mock.calls[0]?.[0].issues).toHaveLength(20);
  expect(onDrift.mock.calls[0]?.[0].truncated).toBe(true);
});

test.each([
  ['30 broken fields', 30, { id: 7 }, true],
  ['30 formats', 30, { started_at: 'x' }, true],
  ['15 of each', 15, { id: 7, started_at: 'x' }, true],
  ['20 broken fields', 20, { id: 7 }, false],
])('of %s, warn reports 20 and whether there were more', async (_title, length, changes, truncated) => {
  const { client, onDrift } = createClient(
    Array.from({ length }, () => sampleListedMemory(changes)),
    'warn',
  );
  await client.listMemories();
  expect(onDrift.mock.calls[0]?.[0]).toMatchObject({ issues: { length: 20 }, truncated });
});

test('much small drift does not hide a broken structure behind it', async () => {
  const list = Array.from({ length: 100 }, () => sampleListedMemory({ started_at: 'x' }));
  const { client } = createClient([...list, sampleListedMemory({ id: 7 })]);
  const error = await rejection(client.listMemories());
  expect(error).toMatchObject({ issues: [{ path: [100, 'id'] }], truncated: false });
});

test("a call's own validation stands before the client's", async () => {
  const { client } = createClient({ id: 7 }, 'strict');
  expect(await client.getMemory('mem_1', { validation: 'off' })).toEqual({ id: 7 });
});

test('issues hold no values', async () => {
  const memory = sampleMemory({ audio_url: 'no uri ?signature=URLSECRET', name: ['NAMESECRET'] });
  const { client, onDrift } = createClient(memory, 'warn');
  await client.getMemory('mem_1');
  const error = await rejection(createClient(memory).client.getMemory('mem_1'));
  expect(JSON.stringify([onDrift.mock.calls, error, String(error)])).not.toMatch(/SECRET/);
});

const good = sampleListedMemory({ id: 'mem_good' });
const bad = (id: unknown) => ({ ...sampleListedMemory({ name: null as never }), id });

test('strict names the item, its id and the field, and that skip reads the others', async () => {
  const { client } = createClient([good, bad('mem_2'), bad('mem_3'), { ...good, id: 7 }]);
  expect(await rejection(client.listMemories())).toMatchObject({
    message:
      'Failed to list memories: the response violates the specification at name of memory "mem_2" (item 1): expected string, received null, and 2 more. ' +
      "Report it to the operator of the API, or pass validation: 'skip' to read the other memories.",
    memoryIds: ['mem_2', 'mem_3'],
    issues: [{ path: [1, 'name'] }, { path: [2, 'name'] }, { path: [3, 'id'] }],
  });
});

test('skip leaves out the items that break the structure, and reports them', async () => {
  const drifting = sampleListedMemory({ id: 'mem_drift', started_at: 'yesterday' });
  const { client, onDrift } = createClient([bad('mem_1'), good, null, bad(7), drifting], 'skip');
  expect(await client.listMemories()).toEqual([good, drifting]);
  expect(onDrift.mock.calls).toMatchObject([
    [
      {
        skipped: 3,
        memoryIds: ['mem_1'],
        issues: [
          { path: [0, 'name'] },
          { path: [2] },
          { path: [3, 'id'] },
          { path: [3, 'name'] },
          { path: [4, 'started_at'] },
        ],
      },
    ],
  ]);
});

test('responseInfo has the memories that skip left out, each with its error', async () => {
  const { client } = createClient([bad('mem_1'), good, null], 'skip');
  const list = await client.listMemories();
  expect(responseInfo(list)?.skipped).toMatchObject([
    { memoryId: 'mem_1', error: { code: 'invalid_response', memoryIds: ['mem_1'] } },
    { memoryId: undefined, error: { message: expect.stringContaining('item 2'), memoryIds: [] } },
  ]);
  expect(responseInfo(await createClient([good], 'skip').client.listMemories())?.skipped).toEqual([]);
});

test('skip rejects a list in which every item breaks the structure, and a memory like strict', async () => {
  const { client } = createClient([bad('mem_1'), bad('mem_2')], 'skip');
  const error = await rejection(client.listMemories());
  expect(error).toMatchObject({ reason: 'structure', memoryIds: ['mem_1', 'mem_2'] });
  expect((error as Error).message).toMatch(/, or check baseUrl\.$/);
  expect(await createClient([], 'skip').client.listMemories()).toEqual([]);
  const single = await rejection(createClient(bad('mem_1'), 'skip').client.getMemory('mem_1'));
  expect(single).toMatchObject({ reason: 'structure', memoryIds: ['mem_1'] });
});

test('names at most 20 ids, without keys', async () => {
  const items = Array.from({ length: 50 }, (_, index) => bad(index === 0 ? 'mem_sk_test' : `mem_${index}`));
  const { client, onDrift } = createClient([good, ...items], 'skip');
  expect(await client.listMemories()).toEqual([good]);
  const [[event]] = onDrift.mock.calls as [[DriftEvent]];
  const { skipped, memoryIds, truncated } = event;
  expect([skipped, memoryIds.length, truncated, memoryIds[0]]).toEqual([50, 20, true, 'mem_[redacted]']);
});

test.each(['strict', 'skip'] as const)('a list in place of a memory is rejected in mode %s', async (mode) => {
  for (const body of [[1, 2], [good], [good, null]]) {
    const error = await rejection(createClient(body, mode).client.getMemory('mem_1'));
    expect(error).toMatchObject({ reason: 'structure', issues: [{ path: [] }], memoryIds: ['mem_1'] });
    expect((error as Error).message).toMatch(/ at the body: .*, or check baseUrl\.$/);
  }
});

test.each([null, 0, '', false, [[]], 'mem_1'])('names the index of the item %j, which has no id', async (item) => {
  const error = (await rejection(createClient([good, item]).client.listMemories())) as InvalidResponseError;
  expect(error.message).toContain('violates the specification at the value of item 1: expected object');
  expect(error.memoryIds).toEqual([]);
});

test('skip counts equal items one by one', async () => {
  const { client, onDrift } = createClient([null, null, good, 3, 3, bad('mem_1'), bad('mem_1'), good], 'skip');
  expect(await client.listMemories()).toEqual([good, good]);
  expect(onDrift.mock.calls).toMatchObject([[{ skipped: 6, memoryIds: ['mem_1', 'mem_1'] }]]);
});

test('errors and events redact the key and signed URLs in the ids of items', async () => {
  const list = [good, bad('sk_test'), bad('https://media.example.com/a?signature=URLSECRET')];
  const { client, onDrift } = createClient(list, 'skip');
  await client.listMemories();
  const error = (await rejection(createClient(list).client.listMemories())) as InvalidResponseError;
  const single = await rejection(createClient({}).client.getMemory('sk_test'));
  const shown = JSON.stringify([onDrift.mock.calls, error, error.message, error.memoryIds, single]);
  expect(shown).not.toMatch(/SECRET|sk_test/);
  expect(error.memoryIds).toHaveLength(2);
});

test('reads with skip an item whose id has the name of a property of all objects', async () => {
  const list = [bad('__proto__'), { ...good, id: 'constructor' }, good];
  const { client, onDrift } = createClient(list, 'skip');
  expect(await client.listMemories()).toEqual(list.slice(1));
  expect(onDrift.mock.calls).toMatchObject([[{ skipped: 1, memoryIds: ['__proto__'] }]]);
});
