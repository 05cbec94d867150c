import type { MemoryRecord } from '@memory-read/contract';
import { expect, test, vi } from 'vitest';
import { createInMemoryStore } from './adapters/in-memory/create-in-memory-store.ts';
import { apiKeyAuthenticator } from './api-keys/api-key-authenticator.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { createMemoryApi, type MemoryApiOptions } from './create-memory-api.ts';
import type { Authenticate } from './ports/authenticate.ts';
import type { MemoryStore, StoredMemory } from './ports/memory-store.ts';
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

/** A store with some methods of its own, whose account needs no key. */
function ownStore(store: Partial<MemoryStore>): Partial<MemoryApiOptions> {
  const unused = () => {
    throw new Error('not asked');
  };
  return {
    store: { listMemories: unused, getMemory: unused, ...store },
    authenticate: async () => ({ userId: 'user_1' }),
  };
}

/** A store that returns this row, for a memory and in the list. */
const rowOf = (fields: object) => {
  const row = { ...processed, user_id: 'user_1', summaryJson: null, transcriptJson: null, ...fields } as never;
  return ownStore({ getMemory: async () => row, listMemories: () => rows(1, [row]) });
};

const rowAt = (index: number) => ({ ...processed, user_id: 'user_1', summaryJson: null, id: `mem_${index}` });

/** This number of rows, and then an error or the end. */
async function* rows(count: number, all: readonly StoredMemory[] = [], failure?: Error) {
  for (let index = 0; index < count; index += 1) yield all[index] ?? rowAt(index);
  if (failure) throw failure;
}

function endlessStore() {
  const released = vi.fn();
  async function* listMemories() {
    try {
      for (let index = 0; ; index += 1) yield rowAt(index);
    } finally {
      released();
    }
  }
  return { released, store: ownStore({ listMemories }) };
}

// The parity suite has the responses of the specification, every id, path and method.

test('lists no transcripts, whatever the store yields', async () => {
  const { get } = await setUp(rowOf({ transcriptJson: '{"segments":[]}' }));
  expect(await (await get('/v1/memories')).json()).toMatchObject([{ transcript: null }]);
});

test('waits for an asynchronous signer', async () => {
  const { get } = await setUp({
    mediaSigner: { sign: async ({ contentType }) => `https://later.test/${contentType}` },
  });
  expect((await (await get('/v1/memories/mem_1')).json()).audio_url).toBe('https://later.test/audio/wav');
});

// Section 5

const invalid = [401, '{"detail":"Invalid API key"}', 'Bearer'];
const accepted = [200, expect.any(String), null];

// The parity suite has every other form of the headers. KEY stands for a valid key.
test.each<[string, string[], unknown]>([
  ['an empty X-API-Key and a full one', ['x-api-key:', 'x-api-key: KEY'], invalid],
  ['another scheme twice', ['authorization: Basic a', 'authorization: Basic b', 'x-api-key: KEY'], invalid],
  ['another scheme with commas', ['authorization: Digest a="b, bearer c", d=e', 'x-api-key: KEY'], accepted],
])('a request with %s', async (_, lines, expected) => {
  const { get, keys } = await setUp();
  const headers = lines.map((line) => line.replaceAll('KEY', keys.mine).split(/:(.*)/, 2) as [string, string]);
  const response = await get('/v1/memories', headers);
  expect([response.status, await response.text(), response.headers.get('www-authenticate')]).toEqual(expected);
});

test('a revoked key and an expired key are invalid as any other; only onRequest gets the reason and the id of the key', async () => {
  const events: unknown[] = [];
  const { get, store, clock, keys } = await setUp({
    onRequest: ({ status, userId, keyId: id, reason }) => events.push([status, userId, id, reason]),
  });
  const { keyId, key, keyHash } = createApiKey();
  await store.putApiKey({ keyId, keyHash, userId: 'user_1', expiresAt: new Date(clock.now().getTime() + 1000) });
  clock.advance(999);
  expect((await get('/v1/memories', { 'x-api-key': key })).status).toBe(200);
  clock.advance(1);
  const answers = [];
  for (const sent of [keys.revoked, key, 'mrk_unknown', 'mrk unreadable']) {
    const response = await get('/v1/memories', { 'x-api-key': sent, 'x-request-id': 'same' });
    answers.push([response.status, await response.text(), ...response.headers]);
  }
  expect(answers.map((answer) => JSON.stringify(answer))).toEqual(Array(4).fill(JSON.stringify(answers[0])));
  expect(answers[0]?.[0]).toBe(401);
  await get('/v1/memories', {});
  vi.spyOn(store, 'findApiKey').mockRejectedValue(new Error('The store is down.'));
  await get('/v1/memories', { 'x-api-key': key });
  expect(events).toEqual([
    [200, 'user_1', keyId, null],
    [401, null, expect.stringMatching(/^key_/), 'revoked'],
    [401, null, keyId, 'expired'],
    [401, null, null, 'unknown'],
    [401, null, null, 'unknown'],
    [401, null, null, 'missing'],
    [500, null, null, null],
  ]);
});

// Section 7 and the related decisions

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

test.each(['GET', 'HEAD'])('%s of a list releases the rows of a store whose first row rejects', async (method) => {
  const released = vi.fn(async () => ({ done: true as const, value: undefined }));
  const next = () => Promise.reject(new Error('store down'));
  const listMemories = () => ({ [Symbol.asyncIterator]: () => ({ next, return: released }) });
  const { get } = await setUp(ownStore({ listMemories }));
  expect((await get('/v1/memories', { 'x-api-key': 'k' }, method)).status).toBe(500);
  expect(released).toHaveBeenCalledOnce();
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

test('gives each request its own id', async () => {
  const { get } = await setUp();
  const ids = await Promise.all([get('/v1/memories'), get('/v1/memories'), get('/nowhere')]);
  expect(new Set(ids.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
});

const down = () => Promise.reject(new Error('disk on fire'));

test.each<[string, Partial<MemoryApiOptions>, RegExp, ('/v1/memories' | '/v1/memories/mem_1')?]>([
  ['a failure of the authenticator', { authenticate: down }, /disk on fire/],
  ['an account without an id', { authenticate: async () => ({}) as never }, /^Failed to authenticate a request: /],
  ['an empty account id', { authenticate: async () => ({ userId: '' }) }, /^Failed to authenticate a request: /],
  ['a numeric account id', { authenticate: async () => ({ userId: 5 }) as never }, /^Failed to authenticate a/],
  ['a clock that fails', { clock: { now: () => expect.unreachable('no time') } }, /no time/],
  [
    'a failure of the store',
    ownStore({ getMemory: down, listMemories: () => rows(1, [], new Error('gone')) }),
    /disk|gone/,
  ],
  [
    'no async iterable',
    ownStore({ listMemories: (async () => []) as never }),
    /: listMemories returned /,
    '/v1/memories',
  ],
  ['a row of another account', rowOf({ user_id: 'user_2' }), /another account/],
  ['a row without name', rowOf({ name: undefined }), /a memory without name/],
  ['a row without summaryJson', rowOf({ summaryJson: undefined }), /a memory without summaryJson/],
  [
    'a row without transcriptJson',
    rowOf({ transcriptJson: undefined }),
    /without transcriptJson/,
    '/v1/memories/mem_1',
  ],
  ['a parsed summary', rowOf({ summaryJson: {} }), /a memory whose summaryJson is neither JSON text nor null/],
  ...[{ segments: [] }, '', new Uint8Array()].map(
    (transcriptJson): [string, Partial<MemoryApiOptions>, RegExp, '/v1/memories/mem_1'] => [
      `the transcript ${JSON.stringify(transcriptJson)}`,
      rowOf({ transcriptJson }),
      /a memory whose transcriptJson is neither JSON text nor null/,
      '/v1/memories/mem_1',
    ],
  ),
  ['media as text', rowOf({ media: '{}' }), /media that are not an object/],
  ['media that are null', rowOf({ media: null }), /media that are not an object/],
])('%s is a 500 that does not reveal it, and is reported', async (_, options, message, only) => {
  for (const path of only ? [only] : ['/v1/memories', '/v1/memories/mem_1']) {
    const { get, errors } = await setUp(options);
    const response = await get(path, { 'x-api-key': 'k' });
    expect([response.status, await response.text()]).toEqual([500, '{"detail":"Internal server error"}']);
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'private, no-store',
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_\w+$/),
    });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
  }
});

test('a store that returns another memory is a 500', async () => {
  const { get, errors } = await setUp(rowOf({ id: 'mem_1' }));
  expect((await get('/v1/memories/MEM_1')).status).toBe(500);
  expect(errors).toHaveLength(1);
});

test('a list that fails after its first chunk is cut off and reported', async () => {
  const { get, errors } = await setUp(ownStore({ listMemories: () => rows(200, [], new Error('gone')) }));
  const response = await get('/v1/memories');
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(errors).toEqual([new Error('gone')]);
});

test('a driver that rejects because the caller has left is not a failure', async () => {
  for (const part of ['authenticate', 'getMemory', 'listMemories'] as const) {
    const leaving = new AbortController();
    const leave = async (): Promise<never> => {
      leaving.abort();
      throw new Error('canceling statement due to user request');
    };
    const store = ownStore({
      getMemory: leave,
      listMemories: () => ({ [Symbol.asyncIterator]: () => ({ next: leave }) }),
    });
    const { api, errors } = await setUp({ ...store, ...(part === 'authenticate' && { authenticate: leave }) });
    const path = part === 'listMemories' ? '/v1/memories' : '/v1/memories/mem_1';
    await api.fetch(new Request(`https://api.test${path}`, { headers: { 'x-api-key': 'k' }, signal: leaving.signal }));
    expect(errors, part).toEqual([]);
  }
});

test('null from the store is an unknown memory, and from the authenticator an unknown key', async () => {
  const ofStore = await setUp(ownStore({ getMemory: async () => null as never }));
  expect((await ofStore.get('/v1/memories/mem_1')).status).toBe(404);
  const ofAuthenticator = await setUp({ authenticate: async () => null as never });
  expect(await (await ofAuthenticator.get('/v1/memories')).json()).toEqual({ detail: 'Invalid API key' });
});

test('closes the rows of the store if the first chunk of a list fails', async () => {
  const { store, released } = endlessStore();
  const mediaSigner = { sign: () => Promise.reject(new Error('signer down')) };
  const { get } = await setUp({ ...store, mediaSigner });
  expect((await get('/v1/memories')).status).toBe(500);
  expect(released).toHaveBeenCalledOnce();
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
      ...{ requestId: 'a', operation: 'getMemory', method: 'GET', status: 500, elapsed: 25, reason: null },
      ...{ userId: 'user_1', keyId: expect.stringMatching(/^key/) },
    },
    {
      ...{ requestId: 'b', operation: null, method: 'GET', status: 404, elapsed: 0, reason: null },
      ...{ userId: null, keyId: null },
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
