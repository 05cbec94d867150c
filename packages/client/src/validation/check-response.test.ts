import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import { type DriftEvent, type InvalidResponseError, responseInfo, type ValidationMode } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, stubClient } from '../testing/stub-fetch.ts';

function createClient(body: unknown, validation?: ValidationMode) {
  const onDrift = vi.fn();
  return { ...stubClient(json(body), { validation, hooks: { onDrift } }), onDrift };
}

/** Returns the error of a list or of a memory with this body, and what is reported. */
async function refusal(
  body: unknown,
  validation?: ValidationMode,
  method: 'listMemories' | 'getMemory' = 'listMemories',
) {
  const { client, ...seen } = createClient(body, validation);
  const read = method === 'getMemory' ? client.getMemory('mem_1') : client.listMemories();
  return { ...seen, error: (await rejection(read)) as InvalidResponseError };
}

/** Returns what is reported of a list or of a memory with this body, which passes. */
async function driftOf(body: unknown, validation?: ValidationMode): Promise<DriftEvent> {
  const { client, onDrift } = createClient(body, validation);
  const read = Array.isArray(body) ? client.listMemories() : client.getMemory('mem_1');
  if (validation !== 'skip') expect(await read).toEqual(body);
  else await read;
  expect(onDrift.mock.calls.length).toBeLessThan(2);
  return onDrift.mock.calls[0]?.[0];
}

const segment = { speaker: 'Speaker 1', start_at: '2026-08-20T10:00:01Z', end_at: '2026-08-20T10:00:02Z', text: 'Hi.' };
const segments = (changes: object) => ({ transcript: { segments: [segment, { ...segment, ...changes }] } });
const nothing = 'a value, received nothing';

test.each<[string, Record<string, unknown>, string, string]>([
  ['an id that is a number', { id: 7 }, 'id', 'string, received number'],
  ['a name that is null', { name: null }, 'name', 'string, received null'],
  ['no name', { name: undefined }, 'name', nothing],
  ['is_processing as a text', { is_processing: 'no' }, 'is_processing', 'boolean, received string'],
  ['a duration as a text', { duration_seconds: '9' }, 'duration_seconds', 'integer, received string'],
  ['a URL that is an object', { audio_url: {} }, 'audio_url', 'string, received object'],
  ['a transcript that is an array', { transcript: [] }, 'transcript', 'object, received array'],
  ['segments that are null', { transcript: { segments: null } }, 'transcript.segments', 'array, received null'],
  ['a segment without text', segments({ text: undefined }), 'transcript.segments.1.text', nothing],
  ['a start in numbers', segments({ start_at: 1.5 }), 'transcript.segments.1.start_at', 'string, received number'],
  [
    'a takeaway that is null',
    { summary: { quick_summary: '', key_takeaways: ['a', null] } },
    ...(['summary.key_takeaways.1', 'string, received null'] as const),
  ],
])('strict refuses %s, and says where', async (_title, changes, at, expected) => {
  const { error, onDrift, requests } = await refusal(sampleMemory(changes), undefined, 'getMemory');
  const path = at.split('.').map((key) => (key === '1' ? 1 : key));
  expect(error).toMatchObject({
    name: 'InvalidResponseError',
    code: 'invalid_response',
    reason: 'structure',
    issues: [{ path, message: `expected ${expected}` }],
    truncated: false,
    message: expect.stringContaining(at),
  });
  expect([onDrift.mock.calls, requests.length]).toEqual([[], 1]);
});

const urls = ['/media/a.wav', '', 'https:', 'https://a.example/a b', 'https://a.example/a\n', ' https://a.example/a'];
const dates = `2026-13-01T00:00:00Z 2026-08-32T00:00:00Z 2026-08-20T24:00:00Z 2026-08-20 2026-02-31T10:00:00Z
  1900-02-29T10:00:00Z 2026-04-31T10:00:00+02:00 yesterday`.split(/\s+/);

test.each<[string, Record<string, unknown>, (string | number)[]]>([
  ...urls.map((url): [string, Record<string, unknown>, string[]] => ['uri_format', { audio_url: url }, ['audio_url']]),
  ...['2026-08-20 10:00:00', ...dates].map((date): [string, Record<string, unknown>, string[]] => {
    return ['date_time_format', { started_at: date }, ['started_at']];
  }),
  ['date_time_format', segments({ end_at: '' }), ['transcript', 'segments', 1, 'end_at']],
  ['fractional_number', { duration_seconds: 1.5 }, ['duration_seconds']],
  ['fractional_number', { duration_seconds: 2 ** 53 }, ['duration_seconds']],
])('drift of the kind %s passes as it is and is reported: %j', async (kind, changes, path) => {
  for (const validation of ['strict', 'warn'] as const)
    expect(await driftOf(sampleMemory(changes), validation)).toEqual({
      callId: expect.any(String),
      memoryId: 'mem_1',
      truncated: false,
      issues: [{ kind, path, message: expect.any(String) }],
      skipped: 0,
      memoryIds: [],
    });
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

test.each(
  `2026-08-20T10:00:00Z 2026-08-20T10:00:00.123456789Z 2026-08-20T10:00:00 2026-08-20T10:00:00.5+02:00 2026-08-20T10:00Z
  2026-08-20T10:00:00,5+0530 2026-08-20T10:00:00-03 2026-08-31T10:00:00Z 2028-02-29T10:00:00Z 0000-02-29T10:00:00Z
  0099-12-31T10:00:00 0000-01-01T00:00:00-23:59`.split(/\s+/),
)('reports no drift for the date-time %s', async (started_at) => {
  expect(await driftOf(sampleMemory({ started_at }))).toBeUndefined();
});

test('a number beyond all bounds is a broken structure', async () => {
  const body = JSON.stringify(sampleMemory()).replace('"duration_seconds":900', '"duration_seconds":1e400');
  const { client } = stubClient(new Response(body));
  expect(await rejection(client.getMemory('mem_1'))).toMatchObject({
    reason: 'structure',
    issues: [{ kind: 'wrong_type', path: ['duration_seconds'] }],
  });
});

const detailed = {
  mood: 'calm',
  transcript: { language: 'en', segments: [{ ...segment, confidence: 0.9 }] },
  summary: { quick_summary: '', key_takeaways: [], model: 'x' },
};

test.each<[string, unknown, ValidationMode, object[] | undefined]>([
  ['unknown fields at every depth', sampleMemory(detailed), 'strict', undefined],
  [
    'a transcript in a list',
    [sampleListedMemory(), sampleMemory()],
    ...(['strict', [{ kind: 'listed_transcript', path: [1, 'transcript'] }]] as [ValidationMode, object[]]),
  ],
  [
    'one issue for an invalid transcript in a list',
    [sampleListedMemory({ transcript: 'x' })],
    ...(['warn', [{ kind: 'wrong_type', path: [0, 'transcript'] }]] as [ValidationMode, object[]]),
  ],
  [
    'a broken structure before smaller drift',
    sampleMemory({ id: 7, started_at: 'x' }),
    ...(['warn', [{ kind: 'wrong_type' }, { kind: 'date_time_format' }]] as [ValidationMode, object[]]),
  ],
  ['nothing with off', { id: 7 }, 'off', undefined],
])('reports %s, and lets it pass', async (_title, body, validation, issues) => {
  const event = await driftOf(body, validation);
  expect(event?.issues).toEqual(issues?.map((issue) => expect.objectContaining(issue)));
  expect(event?.memoryId).toBe(issues && !Array.isArray(body) ? 'mem_1' : undefined);
});

test('a transcript in a list must still be one', async () => {
  const { error } = await refusal([sampleMemory({ transcript: { segments: 'none' } })]);
  expect(error).toMatchObject({ issues: [{ path: [0, 'transcript', 'segments'] }] });
});

test.each(['strict', 'warn', 'off'] as const)(
  'the outermost array and object are required in mode %s',
  async (mode) => {
    const issues = [{ path: [], kind: 'wrong_type' }];
    for (const [method, bodies] of [
      ['listMemories', [{}, null, 'x', 7, true]],
      ['getMemory', [[], null, 'x', 7, false]],
    ] as const)
      for (const body of bodies)
        expect((await refusal(body, mode, method)).error).toMatchObject({ reason: 'structure', issues });
  },
);

test('at most 20 issues are kept, and it is said that there were more', async () => {
  const list = Array.from({ length: 100 }, () => sampleListedMemory({ id: 7, started_at: 'x' }));
  const { error } = await refusal(list);
  expect(error).toMatchObject({ issues: { length: 20 }, truncated: true });
  expect(error.message.length).toBeLessThan(300);
});

test.each([
  ['30 broken fields', 30, { id: 7 }, true],
  ['30 formats', 30, { started_at: 'x' }, true],
  ['15 of each', 15, { id: 7, started_at: 'x' }, true],
  ['20 broken fields', 20, { id: 7 }, false],
])('of %s, warn reports 20 and whether there were more', async (_title, length, changes, truncated) => {
  const list = Array.from({ length }, () => sampleListedMemory(changes));
  expect(await driftOf(list, 'warn')).toMatchObject({ issues: { length: 20 }, truncated });
});

test('much small drift does not hide a broken structure behind it', async () => {
  const list = Array.from({ length: 100 }, () => sampleListedMemory({ started_at: 'x' }));
  const { error } = await refusal([...list, sampleListedMemory({ id: 7 })]);
  expect(error).toMatchObject({ issues: [{ path: [100, 'id'] }], truncated: false });
});

test("a call's own validation stands before the client's", async () => {
  const { client } = createClient({ id: 7 }, 'strict');
  expect(await client.getMemory('mem_1', { validation: 'off' })).toEqual({ id: 7 });
});

test('issues hold no values', async () => {
  const memory = sampleMemory({ audio_url: 'no uri ?signature=URLSECRET', name: ['NAMESECRET'] });
  const { error } = await refusal(memory, undefined, 'getMemory');
  expect(JSON.stringify([await driftOf(memory, 'warn'), error, String(error)])).not.toMatch(/SECRET/);
});

const good = sampleListedMemory({ id: 'mem_good' });
const bad = (id: unknown) => ({ ...sampleListedMemory({ name: null as never }), id });

test('strict names the item, its id and the field, and that skip reads the others', async () => {
  const { error } = await refusal([good, bad('mem_2'), bad('mem_3'), { ...good, id: 7 }]);
  expect(error).toMatchObject({
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
  const paths = [[0, 'name'], [2], [3, 'id'], [3, 'name'], [4, 'started_at']];
  const issues = paths.map((path) => ({ path }));
  expect(onDrift.mock.calls).toMatchObject([[{ skipped: 3, memoryIds: ['mem_1'], issues }]]);
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
  const { error } = await refusal([bad('mem_1'), bad('mem_2')], 'skip');
  expect(error).toMatchObject({ reason: 'structure', memoryIds: ['mem_1', 'mem_2'] });
  expect(error.message).toMatch(/, or check baseUrl\.$/);
  expect(await createClient([], 'skip').client.listMemories()).toEqual([]);
  const single = await refusal(bad('mem_1'), 'skip', 'getMemory');
  expect(single.error).toMatchObject({ reason: 'structure', memoryIds: ['mem_1'] });
});

test('names at most 20 ids, without keys', async () => {
  const items = Array.from({ length: 50 }, (_, index) => bad(index === 0 ? 'mem_sk_test' : `mem_${index}`));
  const { skipped, memoryIds, truncated } = await driftOf([good, ...items], 'skip');
  expect([skipped, memoryIds.length, truncated, memoryIds[0]]).toEqual([50, 20, true, 'mem_[redacted]']);
});

test.each(['strict', 'skip'] as const)('a list in place of a memory is rejected in mode %s', async (mode) => {
  for (const body of [[1, 2], [good], [good, null]]) {
    const { error } = await refusal(body, mode, 'getMemory');
    expect(error).toMatchObject({ reason: 'structure', issues: [{ path: [] }], memoryIds: ['mem_1'] });
    expect(error.message).toMatch(/ at the body: .*, or check baseUrl\.$/);
  }
});

test.each([null, 0, '', false, [[]], 'mem_1'])('names the index of the item %j, which has no id', async (item) => {
  const { error } = await refusal([good, item]);
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
  const { error } = await refusal(list);
  const single = await rejection(createClient({}).client.getMemory('sk_test'));
  const shown = JSON.stringify([await driftOf(list, 'skip'), error, error.message, error.memoryIds, single]);
  expect(shown).not.toMatch(/SECRET|sk_test/);
  expect(error.memoryIds).toHaveLength(2);
});

test('reads with skip an item whose id has the name of a property of all objects', async () => {
  const list = [bad('__proto__'), { ...good, id: 'constructor' }, good];
  const { client, onDrift } = createClient(list, 'skip');
  expect(await client.listMemories()).toEqual(list.slice(1));
  expect(onDrift.mock.calls).toMatchObject([[{ skipped: 1, memoryIds: ['__proto__'] }]]);
});
