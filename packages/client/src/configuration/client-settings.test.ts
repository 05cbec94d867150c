import { runInNewContext } from 'node:vm';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfigurationError, MemoryClient, type MemoryClientOptions } from '../index.ts';
import { saveMedia } from '../node/index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, stubFetch } from '../testing/stub-fetch.ts';

afterEach(() => {
  vi.unstubAllGlobals();
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

test.each([
  ['no base URL', { apiKey: 'k' }, 'MEMORY_API_URL'],
  ['no key', { baseUrl: valid.baseUrl }, 'MEMORY_API_KEY'],
  ['an empty base URL', { ...valid, baseUrl: '' }, 'is empty'],
  ['a base URL without a scheme', { ...valid, baseUrl: 'api.example.com' }, 'does not begin with https:// or http://'],
  ['an address without a scheme', { ...valid, baseUrl: '127.0.0.1:8787' }, 'does not begin with https:// or http://'],
  ['a base URL that is none', { ...valid, baseUrl: 'https://' }, 'is not a URL'],
  ['another scheme', { ...valid, baseUrl: 'ftp://example.com' }, 'does not begin with https:// or http://'],
  [
    'a host and a port without a scheme',
    { ...valid, baseUrl: 'localhost:8787' },
    'does not begin with https:// or http://',
  ],
  ['a password in the base URL', { ...valid, baseUrl: 'https://user:PRIVATE@example.com' }, 'contains a user name'],
  ['a query', { ...valid, baseUrl: 'https://example.com/?key=PRIVATE' }, 'a query or a fragment'],
  ['an empty query', { ...valid, baseUrl: 'https://example.com/?' }, 'a query or a fragment'],
  ['a fragment', { ...valid, baseUrl: 'https://example.com/#PRIVATE' }, 'a query or a fragment'],
  ['http beyond this machine', { ...valid, baseUrl: 'http://example.com' }, 'to example.com unencrypted'],
  [
    'http to a name that only begins like this machine',
    { ...valid, baseUrl: 'http://127.0.0.1.example.com' },
    'unencrypted',
  ],
  [
    'a relative base URL with a key',
    { ...valid, baseUrl: '/api' },
    "baseUrl does not begin with https:// or http://. Pass an absolute URL, or set auth: 'none'.",
  ],
  ['a host without a scheme', { baseUrl: '//example.com/api', auth: 'none' }, 'has a host'],
  ['a relative base URL with a query', { baseUrl: '/api?x=1', auth: 'none' }, 'a query or a fragment'],
  ['an unknown auth', { ...valid, auth: 'basic' }, ': auth is '],
  ['an unknown validation', { ...valid, validation: 'lax' }, ': validation is '],
  ['a timeout of 0', { ...valid, timeout: 0 }, ': timeout is '],
  ['an endless timeout', { ...valid, timeout: Number.POSITIVE_INFINITY }, ': timeout is '],
  ['a timeout beyond what timers take', { ...valid, totalTimeout: 2_147_483_648 }, ': totalTimeout is '],
  ['a timeout that is not a number', { ...valid, timeout: '5' }, ': timeout is '],
  ['negative retries', { ...valid, retries: -1 }, ': retries is '],
  ['half a retry', { ...valid, retries: 0.5 }, ': retries is '],
  ['endless retries', { ...valid, retries: Number.POSITIVE_INFINITY }, ': retries is '],
  ['a fetch that is none', { ...valid, fetch: {} }, ': fetch is '],
  ['hooks that are none', { ...valid, hooks: () => {} }, 'hooks is a'],
  ['hooks that are a text', { ...valid, hooks: 'PRIVATE' }, 'hooks is a'],
  ['a hook that is none', { ...valid, hooks: { onEnd: 'PRIVATE' } }, 'hooks.onEnd is a'],
  ['a null for a hook', { ...valid, hooks: { onRequest: null } }, 'hooks.onRequest is null, which is not a function'],
  ['an array of listeners for a hook', { ...valid, hooks: { onRetry: [() => {}] } }, 'hooks.onRetry is a'],
  ['an array of hooks', { ...valid, hooks: [] }, 'hooks is an array, which is not an object'],
  ['an array of options', [valid], 'the options argument is an array, which is not a plain object'],
  ['a key in the base URL', { baseUrl: 'https://h.example/KEY_0123/', apiKey: 'KEY_0123' }, 'contains the API key'],
  [
    'an encoded key in the base URL',
    { baseUrl: 'https://h.example/a%2Fb%3D12345', apiKey: 'a/b=12345' },
    'contains the',
  ],
  ['an authorization header', { ...valid, headers: { Authorization: 'PRIVATE' } }, '"Authorization"'],
  ['an x-api-key header', { ...valid, headers: { 'X-API-Key': 'PRIVATE' } }, '"X-API-Key"'],
  ['a header name that is none', { ...valid, headers: { 'PRIVATE b': 'x' } }, 'an invalid header name'],
  ['Headers', { ...valid, headers: new Headers({ 'x-a': 'PRIVATE' }) }, 'not a plain object'],
  ['a Map of headers', { ...valid, headers: new Map([['x-a', 'PRIVATE']]) }, 'not a plain object'],
  ['an array of headers', { ...valid, headers: [['x-a', 'PRIVATE']] }, 'not a plain object'],
  ['a text of headers', { ...valid, headers: 'x-a: PRIVATE' }, 'not a plain object'],
  ['a text for a flag', { ...valid, allowInsecureHttp: 'false' }, ': allowInsecureHttp is '],
  ['a number for a flag', { ...valid, dangerouslyAllowBrowser: 1 }, ': dangerouslyAllowBrowser is '],
  ['a base URL that is not a text', { ...valid, baseUrl: 7 }, 'neither a string nor a URL'],
  ['a base URL that is an array', { ...valid, baseUrl: [] }, 'neither a string nor a URL'],
  ['a base URL that cannot become text', { ...valid, baseUrl: Object.create(null) }, 'neither a string nor a URL'],
  ['http to a name below localhost', { ...valid, baseUrl: 'http://api.localhost' }, 'to api.localhost unencrypted'],
  ['http to localhost as a rooted name', { ...valid, baseUrl: 'http://localhost.' }, 'to localhost. unencrypted'],
  ['http to a name that ends like this machine', { ...valid, baseUrl: 'http://notlocalhost' }, 'unencrypted'],
  ['a header value of two lines', { ...valid, headers: { 'x-a': 'PRIVATE\r\nx-b: 1' } }, '"x-a"'],
  ['a header value that is not a text', { ...valid, headers: { 'x-a': 1 } }, '"x-a"'],
])('rejects %s', (_title, options, problem) => {
  const { message } = refusal(options);
  expect(message).toContain(problem);
  expect(message).toMatch(/^Failed to create the client: .+\. .+\.$/);
  expect(message).not.toContain('PRIVATE');
});

test.each(['sk secret', 'sk_secret\n', '\tsk_secret', 'sk_sécret', 'sk_secret\u2028', 'sk_\0secret', ''])(
  'rejects the key %j without repeating it',
  (apiKey) => {
    const error = refusal({ ...valid, apiKey });
    expect(error.message).toContain('API key');
    expect(`${error.message} ${error.stack}`).not.toMatch(/sk_|s[eé]cret/);
  },
);

test.each(['auth', 'timeout', 'validation'])('does not repeat a text in place of %s', (name) => {
  const { message } = refusal({ ...valid, [name]: 'sk_live' });
  expect(message).toContain(`: ${name} is `);
  expect(message).not.toContain('sk_live');
});

test.each([
  'Connection',
  'Content-Length',
  'Expect',
  'Host',
  'Keep-Alive',
  'Proxy-Authorization',
  'Proxy-Connection',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
])('rejects the header %s, which belongs to the connection', (name) => {
  expect(refusal({ ...valid, headers: { [name]: '1' } }).message).toContain(`"${name}"`);
});

test('accepts a record of another realm or without a prototype', () => {
  for (const headers of [runInNewContext("({ 'x-a': '1' })"), Object.assign(Object.create(null), { 'x-a': '1' })]) {
    expect(() => new MemoryClient({ ...valid, headers })).not.toThrow();
  }
});

test.each([null, 'text', 7])('%j in place of the options is a ConfigurationError', async (options) => {
  const given = options as unknown as object;
  expect(refusal(given).message).toContain('the options');
  const client = new MemoryClient({ ...valid, fetch: stubFetch(json([])).fetch });
  expect(() => client.withOptions(given)).toThrow(ConfigurationError);
  expect(await rejection(client.listMemories(given))).toBeInstanceOf(ConfigurationError);
  expect(await rejection(client.getMemory('mem_1', given))).toBeInstanceOf(ConfigurationError);
});

test('withOptions without options is a ConfigurationError', () => {
  const client: { withOptions(overrides?: object): MemoryClient } = new MemoryClient(valid);
  expect(() => client.withOptions()).toThrow(ConfigurationError);
});

test.each([
  'http://localhost:8787',
  'http://127.0.0.1',
  'http://127.8.9.10:80',
  'http://[::1]:8787',
  'https://example.com',
])('allows %s', (baseUrl) => {
  expect(() => new MemoryClient({ ...valid, baseUrl })).not.toThrow();
});

test('allowInsecureHttp allows http for other hosts', () => {
  expect(() => new MemoryClient({ ...valid, baseUrl: 'http://example.com', allowInsecureHttp: true })).not.toThrow();
});

test.each([1, 2_147_483_647, false] as const)('allows a timeout of %s', (timeout) => {
  expect(() => new MemoryClient({ ...valid, timeout, totalTimeout: timeout })).not.toThrow();
});

test('an empty environment variable counts as not set', () => {
  vi.stubEnv('MEMORY_API_KEY', '');
  expect(refusal({ baseUrl: valid.baseUrl }).message).toContain('the API key is missing');
  vi.unstubAllEnvs();
});

test('a short key that is a word of the base URL is not redacted there', () => {
  expect(() => new MemoryClient({ baseUrl: 'https://example.com/test', apiKey: 'test' })).not.toThrow();
});

test('an option of undefined counts as not given, whatever its name', () => {
  expect(() => new MemoryClient({ ...valid, cache: undefined } as MemoryClientOptions)).not.toThrow();
});

const methods: [string, (client: MemoryClient, options: object) => unknown][] = [
  ['listMemories', (client, options) => client.listMemories(options)],
  ['getMemory', (client, options) => client.getMemory('mem_1', options)],
  ['waitForMemory', (client, options) => client.waitForMemory('mem_1', options)],
  ['waitForMemories', (client, options) => client.waitForMemories(['mem_1'], options).next()],
  ['watchMemories', (client, options) => client.watchMemories(options)[Symbol.asyncIterator]().next()],
  ['mediaUrl', (client, options) => client.mediaUrl('mem_1', 'audio', options)],
  ['openMedia', (client, options) => client.openMedia('mem_1', 'audio', options)],
  ['saveMedia', (client, options) => saveMedia(client, 'mem_1', 'audio', 'never-written.wav', options)],
];

test('auth none needs no key', () => {
  expect(() => new MemoryClient({ baseUrl: '/api', auth: 'none' })).not.toThrow();
});

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
  vi.stubGlobal('process', undefined);
  expect(refusal({}).message).toContain('base URL');
  const forbid = () => {
    throw new Error('Requires env access');
  };
  // Deno has the object, and rejects to read a variable.
  for (const process of [new Proxy({}, { get: forbid }), { env: new Proxy({}, { get: forbid }) }]) {
    vi.stubGlobal('process', process);
    expect(refusal({}).message).toContain('base URL');
  }
});

test.each<[string, MemoryClientOptions]>([
  ['timeout', { timeout: -5 }],
  ['retries', { retries: 1.5 }],
  ['headers', { headers: { authorization: 'x' } }],
  ['signal', { signal: new AbortController() } as object],
  ['signal', { signal: 7 } as object],
  ['signal', { signal: null } as object],
  ['signal', { signal: { throwIfAborted() {} } } as object],
  ['signal', { signal: Object.assign(new EventTarget(), { aborted: false }) } as object],
])('checks the %s of a call, whose promise rejects', async (_title, options) => {
  const { fetch, requests } = stubFetch(json([]));
  const error = await rejection(new MemoryClient({ ...valid, fetch }).listMemories(options as object));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(requests).toHaveLength(0);
});

test('withOptions rejects an undefined apiKey, and returns an instance of its own class', () => {
  class OwnClient extends MemoryClient {}
  const client = new OwnClient(valid);
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
  [
    'another URL and an undefined key',
    { baseUrl: 'https://other.example.com', apiKey: undefined },
    'the API key is missing',
  ],
  ['a key', { apiKey: 'sk_own' }, 'the base URL is missing'],
  ['the key of MEMORY_API_KEY', { apiKey: 'sk_env' }, 'the base URL is missing'],
  ['a function', { apiKey: () => 'sk_own' }, 'the base URL is missing'],
])(
  'the environment completes what is missing only if it is all of one source: %s',
  async (_title, options, expected) => {
    vi.stubEnv('MEMORY_API_URL', 'https://API.example.com/');
    vi.stubEnv('MEMORY_API_KEY', 'sk_env');
    const { fetch, requests } = stubFetch(json([]));
    if (expected.startsWith('sk_')) {
      await new MemoryClient({ ...options, fetch }).listMemories();
      expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${expected}`);
    } else
      expect(refusal({ ...options, fetch }).message).toBe(
        `Failed to create the client: ${expected}. Pass baseUrl and apiKey, or set MEMORY_API_URL and MEMORY_API_KEY.`,
      );
    vi.unstubAllEnvs();
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
  vi.unstubAllEnvs();
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
    const { fetch } = stubFetch(json({ detail: 'Invalid API key' }, { status: 401 }), json({}, { status: 405 }));
    const client = new MemoryClient({ ...options, fetch, retries: 0 });
    vi.stubEnv('MEMORY_API_URL', 'https://later.example.com');
    vi.stubEnv('MEMORY_API_KEY', 'sk_later');
    expect(String(await rejection(client.listMemories()))).toMatch(new RegExp(`\\. Check ${key}\\.$`));
    for (const one of [client, client.withOptions({ timeout: 5_000 })])
      expect(String(await rejection(one.listMemories()))).toContain(`. Check ${from}: `);
    vi.unstubAllEnvs();
  },
);

test('only an option is the option of an error', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const client = new MemoryClient({ ...valid, fetch });
  const given = 7 as never;
  for (const call of [
    () => client.listMemories(given),
    () => client.mediaUrl('mem_1', given),
    () => client.waitForMemories(given).next(),
    () => client.getMemory(given),
  ]) {
    const error = await rejection(call());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).option).toBeUndefined();
  }
  for (const [option, call] of [
    ['start', () => client.openMedia('mem_1', 'audio', { start: { byte: -1, etag: '"a"' } })],
    ['start', () => client.openMedia('mem_1', 'audio', { start: { byte: 1, etag: 'a' } })],
    ['firstInterval', () => client.waitForMemory('mem_1', { firstInterval: 2, maxInterval: 1 })],
    ['signal', () => client.listMemories({ signal: given })],
    ['headers', () => client.listMemories({ headers: { 'x-a': given } })],
  ] as const)
    expect(await rejection(call())).toMatchObject({ option });
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
  const { fetch, requests } = stubFetch(json([]));
  const one = new MemoryClient({ ...valid, fetch });
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

test.each<[string, object, Record<string, string>]>([
  ['baseUrl is not a URL', { baseUrl: 'https://' }, {}],
  ['baseUrl contains a query', { baseUrl: 'https://a.test?PRIVATE=1' }, { MEMORY_API_URL: 'https://b.test' }],
  ['MEMORY_API_URL contains a query', {}, { MEMORY_API_URL: 'https://a.test?PRIVATE=1', MEMORY_API_KEY: 'k' }],
  ['MEMORY_API_URL is not a URL', {}, { MEMORY_API_URL: ' https:// ', MEMORY_API_KEY: 'k' }],
  [
    'MEMORY_API_URL would send requests to a.test unencrypted',
    {},
    { MEMORY_API_URL: 'http://a.test', MEMORY_API_KEY: 'k' },
  ],
  ['the API key from the apiKey option contains white space', { baseUrl: 'https://a.test', apiKey: 'PRIVATE 1' }, {}],
  [
    'the API key from MEMORY_API_KEY contains white space',
    {},
    { MEMORY_API_URL: 'https://a.test', MEMORY_API_KEY: 'PRIVATE 1' },
  ],
])('a message names the source: %s', (problem, options, environment) => {
  for (const name of ['MEMORY_API_URL', 'MEMORY_API_KEY']) vi.stubEnv(name, environment[name] ?? '');
  const { message } = refusal({ ...('baseUrl' in options && { apiKey: 'sk_test' }), ...options });
  vi.unstubAllEnvs();
  expect(message).toContain(`Failed to create the client: ${problem}`);
  expect(message).not.toContain('PRIVATE');
});

test.each<[string, () => Promise<unknown>]>([
  ['the apiKey function', () => new MemoryClient({ ...valid, apiKey: () => 'PRIVATE 1' }).listMemories()],
  ['the apiKey function', () => new MemoryClient({ ...valid, apiKey: () => '' }).mediaUrl('mem_1', 'audio')],
])('a message names %s as the source of the key', async (source, call) => {
  expect(String(await rejection(call()))).toContain(`: the API key from ${source} `);
});

class OwnOptions {
  get apiKey(): string {
    return 'PRIVATE';
  }
}
const disguised: Record<string, object> = {
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
test.each(places)('%s accepts plain objects only', async (_name, call) => {
  vi.stubEnv('MEMORY_API_URL', valid.baseUrl);
  vi.stubEnv('MEMORY_API_KEY', valid.apiKey);
  const { fetch, requests } = stubFetch(json([]));
  for (const [title, options] of Object.entries(disguised)) {
    const error = await rejection(Promise.resolve(call(new MemoryClient({ ...valid, fetch }), options)));
    expect(error, title).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(/which is not a plain object\. .*\{ signal \}/);
    expect(String(error)).not.toContain('PRIVATE');
  }
  vi.unstubAllEnvs();
  expect(requests).toHaveLength(0);
});

test('options can be plain objects of another realm, without a prototype, or with own getters', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const getter = {
    get headers() {
      return { 'x-a': '1' };
    },
  };
  const withoutPrototype = Object.assign(Object.create(null), { headers: { 'x-a': '1' } });
  for (const options of [getter, withoutPrototype, runInNewContext("({ headers: { 'x-a': '1' } })")])
    await new MemoryClient({ ...valid, fetch }).listMemories(options);
  expect(requests.map(({ headers }) => headers.get('x-a'))).toEqual(Array(3).fill('1'));
});

test.each(places)('%s rejects null for every option', async (name, call) => {
  vi.stubEnv('MEMORY_API_URL', valid.baseUrl);
  vi.stubEnv('MEMORY_API_KEY', valid.apiKey);
  const { fetch, requests } = stubFetch(json([]));
  for (const option of (supported[name] ?? clientOptions).split(' ')) {
    const error = await rejection(Promise.resolve(call(new MemoryClient({ ...valid, fetch }), { [option]: null })));
    expect(error, option).toMatchObject({ code: 'configuration', option });
    expect(String(error)).toContain('is null, which is not ');
  }
  vi.unstubAllEnvs();
  expect(requests).toHaveLength(0);
});

test.each(methods.filter(([name]) => !/^(open|save)Media$/.test(name)))(
  '%s reads its options when it is called',
  async (name) => {
    const start: Record<string, (client: MemoryClient, options: object) => () => unknown> = {
      waitForMemories: (client, options) => {
        const outcomes = client.waitForMemories(['mem_1'], options);
        return () => outcomes.next();
      },
      watchMemories: (client, options) => {
        const watch = client.watchMemories(options);
        return () => watch[Symbol.asyncIterator]().next();
      },
    };
    const options = { headers: { 'x-a': 'a' } };
    const mutate = () => {
      options.headers['x-a'] = 'b';
      options.headers = { 'x-a': 'c' };
    };
    const { fetch, requests } = stubFetch(async ({ url }) => {
      mutate();
      if (!url.startsWith(valid.baseUrl)) return new Response('x', { headers: { 'content-length': '1' } });
      return json(url.endsWith('/memories') ? [sampleListedMemory({ id: 'mem_1' })] : sampleMemory({ id: 'mem_1' }));
    });
    const client = new MemoryClient({ ...valid, fetch });
    const call = methods.find(([method]) => method === name)?.[1];
    const run = start[name]?.(client, options) ?? (() => pending);
    const pending = start[name] ? undefined : call?.(client, options);
    mutate();
    await run();
    const sent = requests.filter(({ url }) => url.startsWith(valid.baseUrl));
    expect(sent.length).toBeGreaterThan(0);
    for (const { headers } of sent) expect(headers.get('x-a')).toBe('a');
  },
);
