import { type MemoryRecord, memoryListSchema, memorySchema } from '@memory-read/contract';
import { fieldNames } from '@memory-read/contract/fields';
import { expect, test, vi } from 'vitest';
import { createInMemoryStore } from './adapters/in-memory/create-in-memory-store.ts';
import { apiKeyAuthenticator } from './api-keys/api-key-authenticator.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { createMemoryApi, type MemoryApiOptions } from './create-memory-api.ts';
import type { Authenticate } from './ports/authenticate.ts';
import type { MemoryStore } from './ports/memory-store.ts';
import { createFakeClock } from './testing/create-fake-clock.ts';

const segment = {
  speaker: 'Speaker 1',
  start_at: '2026-01-01T10:00:00.000Z',
  end_at: '2026-01-01T10:00:01.500Z',
  text: 'Hi',
};
const processed: MemoryRecord = {
  id: 'mem_1',
  name: 'A walk',
  started_at: '2026-01-01T10:00:00.000Z',
  ended_at: '2026-01-01T10:20:00.000Z',
  is_processing: false,
  duration_seconds: 1200,
  transcript: { segments: [segment] },
  summary: { quick_summary: 'They walked.', key_takeaways: ['It was cold.'] },
  media: { audio: { object_key: 'mem_1/a b.wav', content_type: 'audio/wav' } },
};
const processing: MemoryRecord = {
  ...processed,
  id: 'mem_2',
  started_at: '2026-01-02T10:00:00.000Z',
  is_processing: true,
  transcript: null,
  summary: null,
  media: {},
};
const ofAnother: MemoryRecord = { ...processed, id: 'mem_3' };

async function setUp(overrides: Partial<MemoryApiOptions> = {}) {
  const store = createInMemoryStore();
  const [mine, revoked, others] = [createApiKey(), createApiKey(), createApiKey()];
  for (const userId of ['user_1', 'user_2', 'user_3']) await store.putAccount({ userId });
  await store.putMemories('user_1', [processed, processing]);
  await store.putMemories('user_2', [ofAnother]);
  const put = ({ keyId, keyHash }: typeof mine, userId: string, active = true) =>
    store.putApiKey({ keyId, keyHash, userId, active });
  await put(mine, 'user_1');
  await put(revoked, 'user_1', false);
  await put(others, 'user_3');

  const errors: unknown[] = [];
  const clock = createFakeClock('2026-03-01T00:00:00.500Z');
  const api = createMemoryApi({
    store,
    authenticate: apiKeyAuthenticator(store, { clock }),
    mediaSigner: {
      sign: ({ objectKey, expiresAt }) => `https://media.test/${encodeURI(objectKey)}?until=${expiresAt.toISOString()}`,
    },
    clock,
    onError: (error) => errors.push(error),
    ...overrides,
  });
  const get = (path: string, headers: HeadersInit = { authorization: `Bearer ${mine.key}` }, method = 'GET') =>
    api.fetch(new Request(`https://api.test${path}`, { method, headers }));
  return { api, store, clock, errors, get, keys: { mine: mine.key, revoked: revoked.key, empty: others.key } };
}

function brokenStore(store: Partial<MemoryStore>): Partial<MemoryApiOptions> {
  const unused = () => {
    throw new Error('not asked');
  };
  return {
    store: { listMemories: unused, getMemory: unused, ...store },
    authenticate: async () => ({ userId: 'user_1' }),
  };
}

function endlessStore() {
  const released = vi.fn();
  async function* listMemories() {
    try {
      for (let index = 0; ; index += 1)
        yield { ...processed, user_id: 'user_1', summaryJson: null, id: `mem_${index}` };
    } finally {
      released();
    }
  }
  return { released, store: { listMemories } };
}

// Section 4.1

test('lists the memories of the account, newest first, without transcripts', async () => {
  const { get } = await setUp();
  const response = await get('/v1/memories');
  const memories = await response.json();
  expect(response.status).toBe(200);
  expect(memories.map(({ id }: { id: string }) => id)).toEqual(['mem_2', 'mem_1']);
  expect(memories.map(({ transcript }: { transcript: unknown }) => transcript)).toEqual([null, null]);
  expect(memories[1].summary).toEqual(processed.summary);
  expect(memoryListSchema['~standard'].validate(memories).issues).toBeUndefined();
});

test('returns an empty array for an account without memories', async () => {
  const { get, keys } = await setUp();
  const response = await get('/v1/memories', { 'x-api-key': keys.empty });
  expect([response.status, await response.text()]).toEqual([200, '[]']);
});

test('ignores query parameters of the list', async () => {
  const { get } = await setUp();
  expect(await (await get('/v1/memories?limit=1&__proto__=x')).json()).toHaveLength(2);
});

test('streams a list of many chunks completely as one JSON array', async () => {
  const { get, store } = await setUp();
  const many = Array.from({ length: 500 }, (_, index) => ({ ...processed, id: `mem_${1000 + index}`, media: {} }));
  await store.putMemories('user_1', many);
  const response = await get('/v1/memories');
  expect(response.headers.get('content-length')).toBeNull();
  expect(await response.json()).toHaveLength(502);
});

// Section 4.2

test('returns all fields of a memory in the order of the specification', async () => {
  const { get } = await setUp();
  const response = await get('/v1/memories/mem_1');
  const memory = await response.json();
  expect(response.status).toBe(200);
  expect(memory).toMatchObject({
    id: 'mem_1',
    name: 'A walk',
    started_at: '2026-01-01T10:00:00.000Z',
    ended_at: '2026-01-01T10:20:00.000Z',
    is_processing: false,
    user_id: 'user_1',
    duration_seconds: 1200,
    audio_url: 'https://media.test/mem_1/a%20b.wav?until=2026-03-01T01:00:00.500Z',
    video_url: null,
    preview_image_url: null,
    transcript: { segments: [segment] },
    summary: processed.summary,
  });
  expect(Object.keys(memory)).toEqual(fieldNames);
  expect(memorySchema['~standard'].validate(memory).issues).toBeUndefined();
});

test('returns null for the missing parts of a memory that is being processed', async () => {
  const { get } = await setUp();
  expect(await (await get('/v1/memories/mem_2')).json()).toMatchObject({
    is_processing: true,
    transcript: null,
    summary: null,
  });
});

test('lists no transcripts, whatever the store yields', async () => {
  const row = { ...processed, user_id: 'user_1', summaryJson: null, transcriptJson: '{"segments":[]}' };
  const { get } = await setUp(
    brokenStore({
      async *listMemories() {
        yield row;
      },
    }),
  );
  expect(await (await get('/v1/memories')).json()).toMatchObject([{ transcript: null }]);
});

test('waits for an asynchronous signer', async () => {
  const { get } = await setUp({
    mediaSigner: { sign: async ({ contentType }) => `https://later.test/${contentType}` },
  });
  expect((await (await get('/v1/memories/mem_1')).json()).audio_url).toBe('https://later.test/audio/wav');
});

test('returns the same response for an unknown memory and for one of another account', async () => {
  const { get } = await setUp();
  const answers = await Promise.all(
    ['mem_3', 'mem_9'].map((id) =>
      get(`/v1/memories/${id}`, { authorization: `Bearer ${'x'}`, 'x-request-id': 'same' }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  const { keys, get: read } = await setUp();
  const [others, unknown] = await Promise.all(
    ['mem_3', 'mem_9'].map((id) => read(`/v1/memories/${id}`, { 'x-api-key': keys.mine, 'x-request-id': 'same' })),
  );
  expect(others?.status).toBe(404);
  expect(await others?.text()).toBe('{"detail":"Memory not found"}');
  expect(await unknown?.text()).toBe('{"detail":"Memory not found"}');
  expect([...(others?.headers ?? [])]).toEqual([...(unknown?.headers ?? [])]);
});

test.each([
  ['invalid percent-encoding', '%zz'],
  ['a lone percent sign', 'mem%'],
  ['invalid UTF-8', '%ff'],
  ['an overlong encoding', '%c0%af'],
  ['an encoded surrogate', '%ed%a0%80'],
  ['NUL', 'mem%00'],
  ['a line feed', 'mem%0a1'],
  ['DEL', '%7f'],
  ['a C1 control', '%c2%85'],
  ['257 code points', 'a'.repeat(257)],
])('rejects an id with %s as malformed', async (_, id) => {
  const { get } = await setUp();
  const response = await get(`/v1/memories/${id}`);
  expect([response.status, await response.text()]).toEqual([422, '{"detail":"Malformed memory id"}']);
});

test.each([
  ['a slash', 'a/b'],
  ['a percent sign that stays one', '%2F'],
  ['spaces and quotes', ` "'`],
  ['code points beyond the basic plane', '😀'.repeat(256)],
  ['a query and a fragment', 'a?b#c'],
])('decodes an id with %s once and finds the memory', async (_, id) => {
  const { get, store } = await setUp();
  await store.putMemories('user_1', [{ ...processed, id }]);
  expect(await (await get(`/v1/memories/${encodeURIComponent(id)}`)).json()).toMatchObject({ id });
});

// Section 5

const missing = [401, '{"detail":"Missing API key"}', 'Bearer'];
const invalid = [401, '{"detail":"Invalid API key"}', 'Bearer'];
const accepted = 200;

test.each<[string, (key: string) => [string, string][], unknown]>([
  ['no header', () => [], missing],
  ['a bearer token', (key) => [['authorization', `Bearer ${key}`]], accepted],
  ['a bearer token in lower case', (key) => [['authorization', `bearer   ${key}`]], accepted],
  ['X-API-Key', (key) => [['x-api-key', key]], accepted],
  ['an unknown key', () => [['authorization', 'Bearer mrk_unknown']], invalid],
  ['an empty X-API-Key', () => [['x-api-key', '']], missing],
  ['a bare Bearer', () => [['authorization', 'Bearer']], missing],
  ['Bearer and spaces', () => [['authorization', 'Bearer   ']], missing],
  ['another scheme', () => [['authorization', 'Basic dTpw']], missing],
  ['another scheme that begins alike', (key) => [['authorization', `Bearers ${key}`]], missing],
  [
    'another scheme beside X-API-Key',
    (key) => [
      ['authorization', 'Basic dTpw'],
      ['x-api-key', key],
    ],
    accepted,
  ],
  [
    'an empty Bearer beside X-API-Key',
    (key) => [
      ['authorization', 'Bearer '],
      ['x-api-key', key],
    ],
    accepted,
  ],
  [
    'both headers alike',
    (key) => [
      ['authorization', `Bearer ${key}`],
      ['x-api-key', key],
    ],
    accepted,
  ],
  [
    'both headers, one of them wrong',
    (key) => [
      ['authorization', `Bearer ${key}`],
      ['x-api-key', 'other'],
    ],
    invalid,
  ],
  [
    'two bearer tokens',
    (key) => [
      ['authorization', `Bearer ${key}`],
      ['authorization', `Bearer ${key}`],
    ],
    invalid,
  ],
  [
    'another scheme and a bearer token',
    (key) => [
      ['authorization', 'Basic dTpw'],
      ['authorization', `Bearer ${key}`],
    ],
    invalid,
  ],
  [
    'X-API-Key twice',
    (key) => [
      ['x-api-key', key],
      ['x-api-key', key],
    ],
    invalid,
  ],
  [
    'an empty X-API-Key and a full one',
    (key) => [
      ['x-api-key', ''],
      ['x-api-key', key],
    ],
    invalid,
  ],
  [
    'another scheme twice beside X-API-Key',
    (key) => [
      ['authorization', 'Basic a'],
      ['authorization', 'Basic b'],
      ['x-api-key', key],
    ],
    invalid,
  ],
  [
    'another scheme with commas of its own beside X-API-Key',
    (key) => [
      ['authorization', 'Digest username="a, bearer b", qop=auth'],
      ['x-api-key', key],
    ],
    accepted,
  ],
  ['a key with a non-breaking space behind it', (key) => [['x-api-key', `${key}\xa0`]], invalid],
  ['a non-breaking space after Bearer', (key) => [['authorization', `Bearer\xa0${key}`]], missing],
  ['two words in a bearer token', (key) => [['authorization', `Bearer ${key} ${key}`]], invalid],
])('a request with %s', async (_, headers, expected) => {
  const { get, keys } = await setUp();
  const response = await get('/v1/memories', headers(keys.mine));
  const answer = [response.status, await response.text(), response.headers.get('www-authenticate')];
  expect(response.status === 200 ? 200 : answer).toEqual(expected);
});

test('a revoked key and an expired key are invalid as any other; only onRequest gets the reason and the id of the key', async () => {
  const events: unknown[] = [];
  const { get, store, clock, keys } = await setUp({
    onRequest: ({ status, userId, keyId: id, reason }) => events.push([status, userId, id, reason]),
  });
  const { keyId, key, keyHash } = createApiKey();
  await store.putApiKey({ keyId, keyHash, userId: 'user_1', expiresAt: new Date(clock.now().getTime() + 1000) });
  expect((await get('/v1/memories', { 'x-api-key': key })).status).toBe(200);
  clock.advance(1000);
  const answers = [];
  for (const sent of [keys.revoked, key, 'mrk_unknown', 'mrk unreadable']) {
    const response = await get('/v1/memories', { 'x-api-key': sent, 'x-request-id': 'same' });
    answers.push([response.status, await response.text(), ...response.headers]);
  }
  expect(answers.map((answer) => JSON.stringify(answer))).toEqual(Array(4).fill(JSON.stringify(answers[0])));
  expect(answers[0]?.[0]).toBe(401);
  await get('/v1/memories', {});
  expect(events).toEqual([
    [200, 'user_1', keyId, null],
    [401, null, expect.stringMatching(/^key_/), 'revoked'],
    [401, null, keyId, 'expired'],
    [401, null, null, 'unknown'],
    [401, null, null, 'unknown'],
    [401, null, null, 'missing'],
  ]);
});

test('a key that could not be checked has no reason in onRequest', async () => {
  const events: unknown[] = [];
  const { get, keys } = await setUp({
    authenticate: () => Promise.reject(new Error('The store is down.')),
    onRequest: ({ status, reason }) => events.push([status, reason]),
    onError: () => {},
  });
  await get('/v1/memories', { 'x-api-key': keys.mine });
  expect(events).toEqual([[500, null]]);
});

// Section 7 and the related decisions

test('checks the route, the method, the key, the path and the memory in this order', async () => {
  const { get } = await setUp();
  const status = async (path: string, headers: HeadersInit | undefined, method?: string) =>
    (await get(path, headers, method)).status;
  expect(await status('/v1/memories/%zz/more', {}, 'POST')).toBe(404);
  expect(await status('/v1/memories/%zz', {}, 'POST')).toBe(405);
  expect(await status('/v1/memories/%zz', {})).toBe(401);
  expect(await status('/v1/memories/%zz', undefined)).toBe(422);
  expect(await status('/v1/memories/mem_9', undefined)).toBe(404);
});

test.each([
  '/',
  '/v1',
  '/v1/',
  '/v1/memories/',
  '//v1/memories',
  '/v1//memories',
  '/v1/memories//',
  '/v1/memories/mem_1/',
  '/V1/memories',
  '/v1/%6demories',
  '/v2/memories',
  '/v1/memories/mem_1/transcript',
])('the path %s names no operation and is never redirected', async (path) => {
  const { get } = await setUp();
  const response = await get(path);
  expect([response.status, await response.text()]).toEqual([404, '{"detail":"Not Found"}']);
});

test.each(['/v1/memories/..', '/v1/./memories', '/v1/x/%2E%2e/memories'])(
  'the path %s is a 404 before the key, if the host shows it',
  async (path) => {
    const { api } = await setUp();
    // Deno does not resolve dot segments in `url`.
    const request = Object.defineProperty(new Request('https://api.test'), 'url', { value: `https://api.test${path}` });
    const response = await api.fetch(request);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
  },
);

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  'does not allow %s on either endpoint',
  async (method) => {
    const { get } = await setUp();
    for (const path of ['/v1/memories', '/v1/memories/mem_1']) {
      const response = await get(path, undefined, method);
      expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
        405,
        'GET, HEAD',
        '{"detail":"Method Not Allowed"}',
      ]);
    }
  },
);

test.each(['/v1/memories', '/v1/memories/mem_1', '/v1/memories/mem_9', '/v1/memories/%zz', '/nowhere'])(
  'HEAD %s gets the response of GET without a body',
  async (path) => {
    const { get, keys } = await setUp();
    const headers = { 'x-api-key': keys.mine, 'x-request-id': 'same' };
    const [read, head] = await Promise.all([get(path, headers), get(path, headers, 'HEAD')]);
    expect([head.status, [...head.headers], await head.text()]).toEqual([read.status, [...read.headers], '']);
  },
);

test('HEAD of a list closes the rows of the store', async () => {
  const { store, released } = endlessStore();
  const { get } = await setUp(brokenStore(store));
  expect((await get('/v1/memories', { 'x-api-key': 'k' }, 'HEAD')).status).toBe(200);
  expect(released).toHaveBeenCalledOnce();
});

test.each(['GET', 'HEAD'])('%s of a list releases the rows of a store whose first row rejects', async (method) => {
  const released = vi.fn(async () => ({ done: true as const, value: undefined }));
  const next = () => Promise.reject(new Error('store down'));
  const listMemories = () => ({ [Symbol.asyncIterator]: () => ({ next, return: released }) });
  const { get } = await setUp(brokenStore({ listMemories }));
  expect((await get('/v1/memories', { 'x-api-key': 'k' }, method)).status).toBe(500);
  expect(released).toHaveBeenCalledOnce();
});

test.each([200, 401, 404, 405, 422, 500])('a %i has the headers of every response', async (status) => {
  const { get, errors } = await setUp(status === 500 ? { authenticate: () => Promise.reject(new Error('down')) } : {});
  const requests: Record<number, () => Promise<Response>> = {
    200: () => get('/v1/memories'),
    401: () => get('/v1/memories', {}),
    404: () => get('/v1/memories/mem_9'),
    405: () => get('/v1/memories', undefined, 'POST'),
    422: () => get('/v1/memories/%zz'),
    500: () => get('/v1/memories'),
  };
  const response = await requests[status]?.();
  expect(response?.status).toBe(status);
  const header = (name: string) => response?.headers.get(name);
  expect(header('content-type')).toBe('application/json');
  expect(header('cache-control')).toBe('private, no-store');
  expect(header('x-content-type-options')).toBe('nosniff');
  expect(header('x-request-id')).toMatch(/^req_\w+$/);
  expect(errors).toHaveLength(status === 500 ? 1 : 0);
});

test('createRequestId makes the id of a request that sent no valid one, for the response and for onRequest', async () => {
  const onRequest = vi.fn();
  const { get } = await setUp({ createRequestId: ({ method }) => `own-${method}`, onRequest });
  for (const [sent, id] of [
    ['', 'own-GET'],
    ['not sane', 'own-GET'],
    ['trace-1', 'trace-1'],
  ] as const) {
    expect((await get('/v1/memories', { 'x-request-id': sent })).headers.get('x-request-id')).toBe(id);
    expect(onRequest).toHaveBeenLastCalledWith(expect.objectContaining({ requestId: id }), expect.anything());
  }
});

test.each([
  ['a sane request id is kept', 'trace-1.a:b', 'trace-1.a:b'],
  ['a request id with a space is replaced', 'a b', undefined],
  ['a request id that is a key is replaced', `mrk_${'a'.repeat(43)}`, undefined],
  ['a request id that holds a key is replaced', `key:MRK_${'a'.repeat(43)}`, undefined],
  ['a very long request id is replaced', 'a'.repeat(129), undefined],
])('%s', async (_, sent, kept) => {
  const { get } = await setUp();
  const answered = (await get('/v1/memories', { 'x-request-id': sent })).headers.get('x-request-id');
  expect(answered === sent ? sent : undefined).toBe(kept);
});

test('gives each request its own id', async () => {
  const { get } = await setUp();
  const ids = await Promise.all([get('/v1/memories'), get('/v1/memories'), get('/nowhere')]);
  expect(new Set(ids.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
});

test('a failure of the store is reported, and becomes a 500 that does not reveal it', async () => {
  const failure = new Error('disk on fire');
  const { get, errors } = await setUp(brokenStore({ getMemory: () => Promise.reject(failure) }));
  const response = await get('/v1/memories/mem_1');
  expect([response.status, await response.text()]).toEqual([500, '{"detail":"Internal server error"}']);
  expect(errors).toEqual([failure]);
});

test('a list that fails before its first chunk is a 500', async () => {
  const { get, errors } = await setUp(
    brokenStore({
      async *listMemories() {
        yield { ...processed, user_id: 'user_1', summaryJson: null };
        throw new Error('gone');
      },
    }),
  );
  expect((await get('/v1/memories')).status).toBe(500);
  expect(errors).toHaveLength(1);
});

test('failure-mid-stream: a list that fails after its first chunk is cut off and reported', async () => {
  const { get, errors } = await setUp(
    brokenStore({
      async *listMemories() {
        for (let index = 0; index < 200; index += 1)
          yield { ...processed, user_id: 'user_1', summaryJson: null, id: `mem_${index}` };
        throw new Error('gone');
      },
    }),
  );
  const response = await get('/v1/memories');
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(errors).toHaveLength(1);
});

test('closes the rows of the store if the client stops reading a list', async () => {
  const { store, released } = endlessStore();
  const { get } = await setUp(brokenStore(store));
  await (await get('/v1/memories')).body?.cancel();
  expect(released).toHaveBeenCalledOnce();
});

test.each(['/v1/memories', '/v1/memories/mem_3'])(
  'rows-of-another-account: such a row is a 500 on %s, never a leak',
  async (path) => {
    const row = { ...ofAnother, user_id: 'user_2', summaryJson: null };
    const { get, errors } = await setUp(
      brokenStore({
        getMemory: async () => row,
        async *listMemories() {
          yield row;
        },
      }),
    );
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([500, '{"detail":"Internal server error"}']);
    expect(String(errors[0])).toContain('another account');
  },
);

test('a store that returns another memory is a 500', async () => {
  const { get, errors } = await setUp(
    brokenStore({ getMemory: async () => ({ ...processed, user_id: 'user_1', summaryJson: null }) }),
  );
  expect((await get('/v1/memories/MEM_1')).status).toBe(500);
  expect(errors).toHaveLength(1);
});

test.each(['name', 'summaryJson', 'transcriptJson'])(
  'a row without %s is a 500, never an incomplete memory',
  async (field) => {
    const row = { ...processed, user_id: 'user_1', summaryJson: null, transcriptJson: null, [field]: undefined };
    const { get, errors } = await setUp(brokenStore({ getMemory: async () => row }));
    expect((await get('/v1/memories/mem_1')).status).toBe(500);
    expect(String(errors[0])).toContain(`a memory without ${field}`);
  },
);

test.each([
  ['summaryJson', { quick_summary: 'parsed' }],
  ['transcriptJson', { segments: [] }],
  ['transcriptJson', ''],
  ['transcriptJson', new Uint8Array()],
])('a row whose %s is not JSON text is a 500', async (field, value) => {
  const row = { ...processed, user_id: 'user_1', summaryJson: null, transcriptJson: null, [field]: value };
  const { get, errors } = await setUp(brokenStore({ getMemory: async () => row as never }));
  expect((await get('/v1/memories/mem_1')).status).toBe(500);
  expect(String(errors[0])).toContain(`a memory whose ${field} is neither JSON text nor null`);
});

test.each(['{}', null])('a row whose media are %j is a 500, also in a list', async (media) => {
  const row = { ...processed, user_id: 'user_1', summaryJson: null, transcriptJson: null, media } as never;
  const { get, errors } = await setUp(
    brokenStore({
      getMemory: async () => row,
      async *listMemories() {
        yield row;
      },
    }),
  );
  expect((await get('/v1/memories/mem_1')).status).toBe(500);
  expect((await get('/v1/memories')).status).toBe(500);
  expect(errors.map(String)).toEqual(Array(2).fill(expect.stringContaining('media that are not an object')));
});

test('a list that is not an async iterable is a 500 that says what to write', async () => {
  const listMemories = (async () => []) as never;
  const { get, errors } = await setUp(brokenStore({ listMemories }));
  expect((await get('/v1/memories')).status).toBe(500);
  expect(errors).toMatchObject([
    { message: expect.stringMatching(/^Failed to read memories: listMemories returned /) },
  ]);
});

test('a driver that rejects because the caller has left is not a failure', async () => {
  for (const part of ['authenticate', 'getMemory', 'listMemories'] as const) {
    const leaving = new AbortController();
    const leave = async (): Promise<never> => {
      leaving.abort();
      throw new Error('canceling statement due to user request');
    };
    const store = brokenStore({
      getMemory: leave,
      listMemories: () => ({ [Symbol.asyncIterator]: () => ({ next: leave }) }),
    });
    const { api, errors } = await setUp({ ...store, ...(part === 'authenticate' && { authenticate: leave }) });
    const path = part === 'listMemories' ? '/v1/memories' : '/v1/memories/mem_1';
    await api.fetch(new Request(`https://api.test${path}`, { headers: { 'x-api-key': 'k' }, signal: leaving.signal }));
    expect(errors, part).toEqual([]);
  }
});

test('a store that returns null does not have the memory', async () => {
  const { get } = await setUp(brokenStore({ getMemory: async () => null as never }));
  expect((await get('/v1/memories/mem_1')).status).toBe(404);
});

test('closes the rows of the store if the first chunk of a list fails', async () => {
  const { store, released } = endlessStore();
  const mediaSigner = { sign: () => Promise.reject(new Error('signer down')) };
  const { get } = await setUp({ ...brokenStore(store), mediaSigner });
  expect((await get('/v1/memories')).status).toBe(500);
  expect(released).toHaveBeenCalledOnce();
});

test('an authenticator that returns null rejects the key, and one without an account is a 500', async () => {
  const unknown = await setUp({ authenticate: async () => null as never });
  const refused = await unknown.get('/v1/memories');
  expect([refused.status, await refused.json()]).toEqual([401, { detail: 'Invalid API key' }]);
  for (const account of [{}, { userId: '' }, { userId: 5 }]) {
    const { get, errors } = await setUp({ authenticate: async () => account as never });
    expect((await get('/v1/memories')).status).toBe(500);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^Failed to authenticate a request: /) }]);
  }
});

test('a clock that fails is a 500 like any other failure', async () => {
  const clock = {
    now: () => {
      throw new Error('no time');
    },
  };
  const { api, errors } = await setUp().then(async ({ store, errors }) => ({
    errors,
    api: createMemoryApi({
      store,
      authenticate: async () => ({ userId: 'user_1' }),
      mediaSigner: { sign: () => '' },
      clock,
      onError: (error) => errors.push(error),
    }),
  }));
  const response = await api.fetch(new Request('https://api.test/v1/memories'));
  expect([response.status, await response.text()]).toEqual([500, '{"detail":"Internal server error"}']);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(errors).toHaveLength(1);
});

test('passes the signal of the request to authenticate and to both reads of the store', async () => {
  const signals: unknown[] = [];
  const note = ({ signal }: { signal?: AbortSignal | undefined } = {}) => void signals.push(signal);
  const store: MemoryStore = {
    async getMemory(query) {
      note(query);
      return undefined;
    },
    async *listMemories(query) {
      note(query);
      yield* [];
    },
  };
  const authenticate: Authenticate = async (_, context) => {
    note(context);
    return { userId: 'ada' };
  };
  const api = createMemoryApi({ store, authenticate, mediaSigner: { sign: () => '' } });
  for (const path of ['/v1/memories', '/v1/memories/mem_1']) {
    const request = new Request(`https://api.test${path}`, { headers: { 'x-api-key': 'k' } });
    await api.fetch(request);
    expect(signals.splice(0)).toEqual([request.signal, request.signal]);
  }
});

// Options

test('basePath moves both endpoints and nothing else', async () => {
  const { get } = await setUp({ basePath: '/api/memory-read' });
  expect((await get('/api/memory-read/v1/memories/mem_1')).status).toBe(200);
  expect((await get('/v1/memories/mem_1')).status).toBe(404);
});

test.each(['api', '/api/', '/:id', '/*', 'https://x'])('rejects a basePath of %s', async (basePath) => {
  await expect(setUp({ basePath })).rejects.toThrow(/Failed to mount at ".*": it is not a plain path/);
});

test('reports each request to onRequest, and neither it nor onError can change a response', async () => {
  const events: unknown[] = [];
  const clock = createFakeClock('2026-03-01T00:00:00Z');
  const { get, keys } = await setUp({
    clock,
    mediaSigner: {
      sign: () => {
        clock.advance(25);
        throw new Error('signer down');
      },
    },
    onRequest: (event) => {
      events.push(event);
      throw new Error('observer down');
    },
    onError: async () => {
      throw new Error('reporter down');
    },
  });
  expect((await get('/v1/memories/mem_1', { 'x-api-key': keys.mine, 'x-request-id': 'a' })).status).toBe(500);
  expect((await get('/secret?q=1', { 'x-request-id': 'b' })).status).toBe(404);
  expect(events).toEqual([
    {
      requestId: 'a',
      operation: 'getMemory',
      method: 'GET',
      status: 500,
      elapsed: 25,
      userId: 'user_1',
      keyId: expect.stringMatching(/^key/),
      reason: null,
    },
    {
      requestId: 'b',
      operation: null,
      method: 'GET',
      status: 404,
      elapsed: 0,
      userId: null,
      keyId: null,
      reason: null,
    },
  ]);
});

test('onRequest gets the request that fetch got, with the account and the id of the accepted key, even if it was aborted', async () => {
  const leaving = new AbortController();
  const seen: [Request, string | null, string | null][] = [];
  const store = createInMemoryStore();
  const owners: Record<string, { userId: string; keyId?: string }> = {
    a: { userId: 'ada', keyId: 'key_a' },
    b: { userId: 'bob' },
  };
  const api = createMemoryApi({
    store,
    authenticate: async (key) => owners[key],
    mediaSigner: { sign: () => '' },
    onRequest: ({ userId, keyId }, request) => seen.push([request, userId, keyId]),
  });
  const requests = ['a', 'b', 'c', undefined].map((key) => {
    const headers = { 'x-request-id': 'same', ...(key !== undefined && { 'x-api-key': key }) };
    return new Request('http://a/v1/memories', { headers, signal: leaving.signal });
  });
  const responses = requests.map((request) => api.fetch(request));
  // No key has been checked yet.
  leaving.abort();
  await Promise.all(responses);
  const found = (request: Request | undefined) => seen.filter(([one]) => one === request).map(([, ...owner]) => owner);
  expect(requests.map(found)).toEqual([[['ada', 'key_a']], [['bob', null]], [[null, null]], [[null, null]]]);
});
