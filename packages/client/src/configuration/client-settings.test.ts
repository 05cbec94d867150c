import { runInNewContext } from 'node:vm';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfigurationError, MemoryClient } from '../index.ts';
import { saveMedia } from '../node/index.ts';
import { everyCall } from '../testing/every-call.ts';
import { rejection } from '../testing/rejection.ts';
import { json, stubClient, stubFetch } from '../testing/stub-fetch.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const valid = { baseUrl: 'https://api.example.com', apiKey: 'sk_test' };

function refusal(options: object): ConfigurationError {
  try {
    new MemoryClient(options);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return error as ConfigurationError;
  }
  throw new Error('The options were expected to be refused.');
}

/** Asserts that the message says what the problem is, and repeats no value. */
function expectRefusal(options: object, problem: string): void {
  const { message } = refusal(options);
  expect(message).toContain(problem);
  expect(message).toMatch(/^Failed to create the client: .+\. .+\.$/);
  expect(message).not.toContain('PRIVATE');
}

const noScheme = 'does not begin with https:// or http://';
const hasQuery = 'a query or a fragment';
const noUrl = 'neither a string nor a URL';

test.each<[baseUrl: unknown, problem: string, options?: object]>([
  [undefined, 'MEMORY_API_URL'],
  ['', 'is empty'],
  ['api.example.com', noScheme],
  ['/api', "baseUrl does not begin with https:// or http://. Pass an absolute URL, or set auth: 'none'."],
  ['https://', 'is not a URL'],
  ['https://user:PRIVATE@example.com', 'contains a user name'],
  ['https://example.com/?key=PRIVATE', hasQuery],
  ['/api?x=1', hasQuery, { apiKey: undefined, auth: 'none' }],
  ['//example.com/api', 'has a host', { apiKey: undefined, auth: 'none' }],
  ['http://example.com', 'to example.com unencrypted'],
  ['https://h.example/KEY_0123/', 'contains the API key', { apiKey: 'KEY_0123' }],
  ['https://h.example/a%2Fb%3D12345', 'contains the API key', { apiKey: 'a/b=12345' }],
  [7, noUrl],
  [[], noUrl],
  [Object.create(null), noUrl],
])('rejects the base URL %o', (baseUrl, problem, options) => {
  expectRefusal({ ...valid, baseUrl, ...options }, problem);
});

const notPlain = 'not a plain object';

test.each<[problem: string, options: object]>([
  ...['auth', 'validation', 'timeout', 'fetch', 'allowInsecureHttp', 'dangerouslyAllowBrowser'].map(
    (name): [string, object] => [`: ${name} is `, { [name]: 'PRIVATE' }],
  ),
  [': timeout is ', { timeout: 0 }],
  [': timeout is ', { timeout: Number.POSITIVE_INFINITY }],
  [': totalTimeout is ', { totalTimeout: 2_147_483_648 }],
  [': retries is ', { retries: -1 }],
  [': retries is ', { retries: 0.5 }],
  [': retries is ', { retries: Number.POSITIVE_INFINITY }],
  [': fetch is ', { fetch: {} }],
  [': dangerouslyAllowBrowser is ', { dangerouslyAllowBrowser: 1 }],
  ['hooks is a', { hooks: () => {} }],
  ['hooks is a', { hooks: 'PRIVATE' }],
  ['hooks is an array, which is not an object', { hooks: [] }],
  ['hooks.onEnd is a', { hooks: { onEnd: 'PRIVATE' } }],
  ['hooks.onRequest is null, which is not a function', { hooks: { onRequest: null } }],
  ['hooks.onRetry is a', { hooks: { onRetry: [() => {}] } }],
  ['"Authorization"', { headers: { Authorization: 'PRIVATE' } }],
  ['"X-API-Key"', { headers: { 'X-API-Key': 'PRIVATE' } }],
  ['an invalid header name', { headers: { 'PRIVATE b': 'x' } }],
  ['"x-a"', { headers: { 'x-a': 'PRIVATE\r\nx-b: 1' } }],
  ['"x-a"', { headers: { 'x-a': 1 } }],
  [notPlain, { headers: new Headers({ 'x-a': 'PRIVATE' }) }],
  [notPlain, { headers: new Map([['x-a', 'PRIVATE']]) }],
  [notPlain, { headers: [['x-a', 'PRIVATE']] }],
  [notPlain, { headers: 'x-a: PRIVATE' }],
  // These belong to the connection.
  ...`Connection Content-Length Expect Host Keep-Alive Proxy-Authorization Proxy-Connection TE Trailer Transfer-Encoding
    Upgrade`
    .split(/\s+/)
    .map((name): [string, object] => [`"${name}"`, { headers: { [name]: '1' } }]),
])('rejects options, because %s: %j', (problem, options) => {
  expectRefusal({ ...valid, ...options }, problem);
});

test.each(['sk secret', 'sk_secret\n', '\tsk_secret', 'sk_sécret', 'sk_secret\u2028', 'sk_\0secret', ''])(
  'rejects the key %j without repeating it',
  (apiKey) => {
    const error = refusal({ ...valid, apiKey });
    expect(error.message).toContain('API key');
    expect(`${error.message} ${error.stack}`).not.toMatch(/sk_|s[eé]cret/);
  },
);

const xA = { 'x-a': '1' };

test.each<object>([
  { baseUrl: 'http://localhost:8787' },
  { baseUrl: 'http://example.com', allowInsecureHttp: true },
  { baseUrl: '/api', auth: 'none', apiKey: undefined },
  // A short key that is a word of the base URL is not redacted there.
  { baseUrl: 'https://example.com/test', apiKey: 'test' },
  ...[1, 2_147_483_647, false].map((timeout) => ({ timeout, totalTimeout: timeout })),
  // An option of undefined counts as not given, whatever its name.
  { cache: undefined },
  { headers: runInNewContext("({ 'x-a': '1' })") },
  { headers: Object.assign(Object.create(null), xA) },
])('allows %o', (options) => {
  expect(() => new MemoryClient({ ...valid, ...options })).not.toThrow();
});

const methods: [string, (client: MemoryClient, options: object) => unknown][] = [
  ...Object.entries(everyCall),
  ['saveMedia', (client, options) => saveMedia(client, 'mem_1', 'audio', 'never-written.wav', options)],
];

test.each([
  ['a page', { window: {}, document: {} }],
  ['a worker of a page', { importScripts: () => {}, WorkerGlobalScope: class {} }],
])('rejects a key in %s, unless it is allowed or missing', (_title, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  expect(refusal(valid).message).toContain('dangerouslyAllowBrowser');
  expect(() => new MemoryClient({ ...valid, dangerouslyAllowBrowser: true })).not.toThrow();
  expect(() => new MemoryClient({ baseUrl: '/api', auth: 'none' })).not.toThrow();
});

test.each([
  ['window alone', { window: {} }],
  ['WorkerGlobalScope alone', { WorkerGlobalScope: class {} }],
])('a server runtime with %s does not count as a browser', (_title, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  expect(() => new MemoryClient(valid)).not.toThrow();
});

test('a runtime without an environment, or without permission to read it, counts as an empty one', () => {
  // Deno has the object, and rejects to read a variable.
  const forbidden = new Proxy({}, { get: () => expect.fail('Requires env access') });
  for (const process of [undefined, forbidden, { env: forbidden }]) {
    vi.stubGlobal('process', process);
    expect(refusal({}).message).toContain('base URL');
  }
});

test.each<object>([
  { timeout: -5 },
  { retries: 1.5 },
  { headers: { authorization: 'x' } },
  ...[
    new AbortController(),
    7,
    null,
    { throwIfAborted() {} },
    Object.assign(new EventTarget(), { aborted: false }),
  ].map((signal) => ({ signal })),
])('checks the options of a call, whose promise rejects: %o', async (options) => {
  const { client, requests } = stubClient(json([]));
  const option = Object.keys(options)[0];
  expect(await rejection(client.listMemories(options))).toMatchObject({ code: 'configuration', option });
  expect(requests).toHaveLength(0);
});

test('withOptions needs options, rejects an undefined apiKey, and returns an instance of its own class', () => {
  class OwnClient extends MemoryClient {}
  const client = new OwnClient(valid);
  expect(() => (client as { withOptions(overrides?: object): MemoryClient }).withOptions()).toThrow(ConfigurationError);
  expect(() => client.withOptions({ apiKey: undefined })).toThrow(
    'Failed to create the client: apiKey is undefined. Pass the key, or leave apiKey out.',
  );
  expect(client.withOptions({ retries: 0 })).toBeInstanceOf(OwnClient);
});

const url = 'https://api.example.com';
test.each<[string, object, string]>([
  ['neither', {}, 'sk_env'],
  ['neither, both undefined', { baseUrl: undefined, apiKey: undefined }, 'sk_env'],
  ['the URL of MEMORY_API_URL', { baseUrl: url }, 'sk_env'],
  ['the URL of MEMORY_API_URL and an undefined key', { baseUrl: `${url}/`, apiKey: undefined }, 'sk_env'],
  ['both', { baseUrl: 'https://other.example.com', apiKey: 'sk_own' }, 'sk_own'],
  ['another URL', { baseUrl: 'https://other.example.com' }, 'the API key is missing'],
  ['another URL, no key', { baseUrl: 'https://other.example.com', apiKey: undefined }, 'the API key is missing'],
  ['a key', { apiKey: 'sk_own' }, 'the base URL is missing'],
  ['the key of MEMORY_API_KEY', { apiKey: 'sk_env' }, 'the base URL is missing'],
  ['a function', { apiKey: () => 'sk_own' }, 'the base URL is missing'],
])(
  'the environment completes what is missing only if it is all of one source: %s',
  async (_title, options, expected) => {
    vi.stubEnv('MEMORY_API_URL', 'https://API.example.com/');
    vi.stubEnv('MEMORY_API_KEY', 'sk_env');
    const { fetch, requests } = stubFetch(json([]));
    if (expected.startsWith('the'))
      expect(refusal({ ...options, fetch }).message).toBe(
        `Failed to create the client: ${expected}. Pass baseUrl and apiKey, or set MEMORY_API_URL and MEMORY_API_KEY.`,
      );
    else await new MemoryClient({ ...options, fetch }).listMemories();
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(
      expected.startsWith('the') ? [] : [`Bearer ${expected}`],
    );
  },
);

test('the key of the environment does not go to another server through withOptions', async () => {
  vi.stubEnv('MEMORY_API_URL', url);
  vi.stubEnv('MEMORY_API_KEY', 'sk_env');
  const client = new MemoryClient({ fetch: stubFetch(json([])).fetch });
  expect(() => client.withOptions({ baseUrl: 'https://other.example.com' })).toThrow(
    'Failed to create the client: MEMORY_API_KEY belongs to another base URL. Pass apiKey too.',
  );
  const [same, own] = [{ baseUrl: `${url}/` }, { baseUrl: 'https://other.example.com', apiKey: 'sk_own' }];
  for (const options of [same, own]) expect(await client.withOptions(options).listMemories()).toEqual([]);
});

test.each<[string, object, string]>([
  ['MEMORY_API_KEY', {}, 'MEMORY_API_URL'],
  ['the apiKey option', { baseUrl: url, apiKey: 'sk_env' }, 'baseUrl'],
  ['the apiKey function', { baseUrl: url, apiKey: () => 'sk_env' }, 'baseUrl'],
])(
  'messages name %s and the URL by where they came from, although the variables change',
  async (key, options, from) => {
    vi.stubEnv('MEMORY_API_URL', url);
    vi.stubEnv('MEMORY_API_KEY', 'sk_env');
    const { fetch } = stubFetch(json({ detail: 'Invalid API key' }, { status: 401 }), json({}, { status: 404 }));
    const client = new MemoryClient({ ...options, fetch, retries: 0 });
    vi.stubEnv('MEMORY_API_URL', 'https://later.example.com');
    vi.stubEnv('MEMORY_API_KEY', 'sk_later');
    expect(String(await rejection(client.listMemories()))).toMatch(new RegExp(`\\. Check ${key}\\.$`));
    for (const one of [client, client.withOptions({ timeout: 5_000 })])
      expect(String(await rejection(one.listMemories()))).toContain(
        `: the server at api.example.com:443 answered 404. Check ${from}: it is probably wrong. Pass the root of`,
      );
  },
);

test('only an option is the option of an error', async () => {
  const { client, requests } = stubClient(json([]));
  const given = 7 as never;
  for (const [option, call] of [
    [undefined, () => client.listMemories(given)],
    [undefined, () => client.mediaUrl('mem_1', given)],
    [undefined, () => client.waitForMemories(given).next()],
    [undefined, () => client.getMemory(given)],
    ['start', () => client.openMedia('mem_1', 'audio', { start: { byte: -1, etag: '"a"' } })],
    ['start', () => client.openMedia('mem_1', 'audio', { start: { byte: 1, etag: 'a' } })],
    ['firstInterval', () => client.waitForMemory('mem_1', { firstInterval: 2, maxInterval: 1 })],
    ['signal', () => client.listMemories({ signal: given })],
    ['headers', () => client.listMemories({ headers: { 'x-a': given } })],
  ] as const)
    expect(((await rejection(call())) as ConfigurationError).option).toBe(option);
  expect(refusal({ ...valid, hooks: { onEnd: 7 } })).toMatchObject({ option: 'hooks' });
  expect(refusal({ url: 'https://PRIVATE.example' })).toMatchObject({ option: 'url' });
  expect(requests).toHaveLength(0);
});

test('hooks can have further fields, but no further hooks', () => {
  const hooks = { url: 'https://collector.example.com', retries: 5, log() {}, onEnd() {} };
  expect(() => new MemoryClient({ ...valid, hooks })).not.toThrow();
  for (const name of ['onretry', 'onError', 'beforeRequest', 'afterResponse'])
    expect(refusal({ ...valid, hooks: { [name]: () => {} } })).toMatchObject({
      option: 'hooks',
      message: expect.stringContaining(`: hooks.${name} is not supported. Use one of: on`),
    });
});

const client = 'timeout totalTimeout retries maxRetryAfter maxResponseBytes validation headers';
const clientOptions = `${client} apiKey baseUrl auth fetch hooks allowInsecureHttp dangerouslyAllowBrowser mediaOrigins`;
const poll = 'timeout maxRetryAfter maxResponseBytes validation headers signal';
const download = 'signal headersTimeout stallTimeout totalTimeout maxRetryAfter maxBytes onProgress';
const supported: Record<string, string> = {
  listMemories: `${client} signal`,
  getMemory: `${client} signal`,
  waitForMemory: `${poll} maxWait firstInterval maxInterval backoffFactor onPoll`,
  waitForMemories: `${poll} maxWait firstInterval maxInterval backoffFactor onPoll`,
  watchMemories: `${poll} interval initial state onError`,
  mediaUrl: `${client} signal minimumLifetime fresh`,
  openMedia: `${download} start`,
  saveMedia: `${download} unknownEnd`,
};

const places: typeof methods = [
  ...methods,
  ['withOptions', async (client, options) => client.withOptions(options)],
  ['the constructor', async (_client, options) => new MemoryClient(options)],
];

/** Names of this package, of other packages, and of every object. */
const names = new Set([
  ...`${Object.values(supported).join(' ')} ${clientOptions}`.split(' '),
  ...['maxRetries', 'timeoutMs', 'Signal', 'limit', 'token', 'queryKey', 'constructor', '__proto__'],
]);

test.each(places)('%s refuses each option that it does not support, unless it is undefined', async (name, call) => {
  const { client: one, requests } = stubClient(json([]));
  const allowed = (supported[name] ?? clientOptions).split(' ');
  for (const option of [...names].filter((known) => !allowed.includes(known) && known !== 'apiKey')) {
    const error = await rejection(Promise.resolve(call(one, JSON.parse(`{"${option}":"PRIVATE"}`))));
    expect(error, option).toMatchObject({ code: 'configuration', option });
    const [problem, listed] = String(error).split(' is not supported. Use one of: ');
    expect(problem).toMatch(new RegExp(`: the option "${option}"$`));
    expect(listed?.replace(/\.$/, '').split(', ').toSorted()).toEqual(allowed.toSorted());
    // An undefined value passes, so that the error is the next one.
    const next = await rejection(Promise.resolve(call(one, { [option]: undefined, other: 7 })));
    expect(next, option).toMatchObject({ option: 'other' });
  }
  expect(requests).toHaveLength(0);
});

test.each([
  ['maxRetries', 'retries'],
  ['RETRIES', 'retries'],
  ['baseURL', 'baseUrl'],
  ['base_url', 'baseUrl'],
  ['api_key', 'apiKey'],
  ['timeoutMs', 'timeout'],
  ['defaultHeaders', 'headers'],
  ['validate', 'validation'],
])('the message about %s names %s first', (option, nearest) => {
  expect(refusal({ ...valid, [option]: 1 }).message).toContain(
    `"${option}" is not supported. Use one of: ${nearest}, `,
  );
});

const key = { MEMORY_API_KEY: 'k' };
const place = { MEMORY_API_URL: 'https://a.test' };

test.each<[string, object, Record<string, string>]>([
  ['baseUrl is not a URL', { baseUrl: 'https://' }, {}],
  ['baseUrl contains a query', { baseUrl: 'https://a.test?PRIVATE=1' }, { MEMORY_API_URL: 'https://b.test' }],
  ['MEMORY_API_URL contains a query', {}, { MEMORY_API_URL: 'https://a.test?PRIVATE=1', MEMORY_API_KEY: 'k' }],
  ['MEMORY_API_URL is not a URL', {}, { MEMORY_API_URL: ' https:// ', MEMORY_API_KEY: 'k' }],
  ['MEMORY_API_URL would send requests to a.test unencrypted', {}, { ...key, MEMORY_API_URL: 'http://a.test' }],
  ['the API key from the apiKey option contains white space', { baseUrl: 'https://a.test', apiKey: 'PRIVATE 1' }, {}],
  ['the API key from MEMORY_API_KEY contains white space', {}, { ...place, MEMORY_API_KEY: 'PRIVATE 1' }],
])('a message names the source: %s', (problem, options, environment) => {
  for (const name of ['MEMORY_API_URL', 'MEMORY_API_KEY']) vi.stubEnv(name, environment[name] ?? '');
  const { message } = refusal({ ...('baseUrl' in options && { apiKey: 'sk_test' }), ...options });
  expect(message).toContain(`Failed to create the client: ${problem}`);
  expect(message).not.toContain('PRIVATE');
});

test.each(['PRIVATE 1', ''])('a message names the apiKey function as the source of the key %j', async (key) => {
  const client = new MemoryClient({ ...valid, apiKey: () => key });
  for (const call of [client.listMemories(), client.mediaUrl('mem_1', 'audio')])
    expect(String(await rejection(call))).toContain(': the API key from the apiKey function ');
});

class OwnOptions {
  get apiKey(): string {
    return 'PRIVATE';
  }
}
const disguised: Record<string, unknown> = {
  null: null,
  'a text': 'PRIVATE',
  'an array': [valid],
  'an instance of a class': new OwnOptions(),
  'an instance with an own option': Object.assign(new OwnOptions(), { timeout: 5 }),
  'an object that inherits': Object.create({ apiKey: 'PRIVATE' }),
  'a Map': new Map([['apiKey', 'PRIVATE']]),
  Headers: new Headers(),
  URLSearchParams: new URLSearchParams(),
  'a Date': new Date(0),
  'a function': () => {},
  'an AbortSignal': new AbortController().signal,
};
test.each(places)('%s accepts plain objects only, and null for no option', async (name, call) => {
  vi.stubEnv('MEMORY_API_URL', valid.baseUrl);
  vi.stubEnv('MEMORY_API_KEY', valid.apiKey);
  const { client: one, requests } = stubClient(json([]));
  for (const [title, options] of Object.entries(disguised)) {
    const error = await rejection(Promise.resolve(call(one, options as object)));
    expect(error, title).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(/which is not a plain object\. .*\{ signal \}/);
    expect(String(error)).not.toContain('PRIVATE');
  }
  for (const option of (supported[name] ?? clientOptions).split(' ')) {
    const error = await rejection(Promise.resolve(call(one, { [option]: null })));
    expect(error, option).toMatchObject({ code: 'configuration', option });
    expect(String(error)).toContain('is null, which is not ');
  }
  expect(requests).toHaveLength(0);
});

const sessions: typeof methods = methods.filter(([name]) => !/^(open|save)Media$/.test(name));

test.each(sessions)('%s reads its options when it is called', async (name, call) => {
  const options = { headers: { 'x-a': 'a' } };
  const mutate = () => {
    options.headers['x-a'] = 'b';
    options.headers = { 'x-a': 'c' };
  };
  const { client, requests } = stubClient(async ({ url }) => {
    mutate();
    return json(url.endsWith('/memories') ? [sampleListedMemory({ id: 'mem_1' })] : sampleMemory({ id: 'mem_1' }));
  });
  // These begin with the first next().
  const start: Record<string, () => AsyncIterable<unknown>> = {
    waitForMemories: () => client.waitForMemories(['mem_1'], options),
    watchMemories: () => client.watchMemories(options),
  };
  const results = start[name]?.();
  const pending = results ?? call(client, options);
  mutate();
  await (results?.[Symbol.asyncIterator]().next() ?? pending);
  expect(requests.length).toBeGreaterThan(0);
  for (const { headers } of requests) expect(headers.get('x-a')).toBe('a');
});
