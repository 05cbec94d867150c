import { inspect } from 'node:util';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { MemoryClient, type MemoryClientHooks, type MemoryClientOptions } from './index.ts';
import { everythingIn } from './testing/everything-in.ts';
import { rejection } from './testing/rejection.ts';
import { json, type StubAnswer, stalledBody, stubFetch } from './testing/stub-fetch.ts';

const apiKey = 'KEYSECRET_0123456789';
const signedUrl = 'https://media.example.com/a.wav?expires=1&signature=URLSECRET';

function recordEvents() {
  const events: unknown[] = [];
  const record = (event: unknown) => events.push(event);
  const hooks: MemoryClientHooks = {
    onRequest: record,
    onResponse: record,
    onRetry: record,
    onEnd: record,
    onDrift: record,
  };
  return { events, hooks };
}

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey, retries: 1, ...options });
}

test.each([
  ['a client', createClient({})],
  ['a client with a function for its key', createClient({ apiKey: () => apiKey })],
  ['a client with secrets of its own in headers', createClient({ headers: { 'x-proxy-token': 'KEYSECRET' } })],
  ['a child', createClient({}).withOptions({ timeout: 5 })],
])('%s shows its base URL and no key', (_title, client) => {
  expect(everythingIn(client)).toContain('https://api.example.com');
  expect(everythingIn(client)).not.toContain('SECRET');
  expect(everythingIn({ client })).not.toContain('SECRET');
});

test('a logged client shows its base URL', () => {
  expect(inspect(createClient({}))).toBe("MemoryClient { baseUrl: 'https://api.example.com', auth: 'bearer' }");
});

const echo = { detail: `Invalid key ${apiKey} for ${signedUrl}` };
const fault = Object.assign(
  new TypeError(`Failed to parse URL from ${signedUrl}`, {
    cause: Object.assign(new Error(`Proxy http://user:PASSWORDSECRET@proxy.example.com refused Bearer ${apiKey}`), {
      code: 'ECONNREFUSED',
      options: { headers: { authorization: apiKey } },
    }),
  }),
  { parameters: [signedUrl, { headers: { authorization: apiKey } }] },
);

test.each<[string, StubAnswer]>([
  ...[401, 404, 422].map((status): [string, StubAnswer] => [`${status} that repeats the key`, json(echo, { status })]),
  [
    '422 whose issues repeat the key',
    json({ detail: [{ loc: [apiKey], msg: echo.detail, type: apiKey }] }, { status: 422 }),
  ],
  [
    '500 that repeats the key in escapes',
    new Response(`{"detail":"${[...apiKey].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`, {
      status: 500,
    }),
  ],
  ['500 of text', new Response(echo.detail, { status: 500 })],
  ['302 to a signed URL', new Response(null, { status: 302, headers: { location: signedUrl } })],
  ['a request id that repeats the key', json(echo, { status: 401, headers: { 'x-request-id': apiKey } })],
  [
    'headers of secrets, and headers that repeat the key',
    json(echo, {
      status: 400,
      headers: {
        'set-cookie': 'session=SECRET',
        'x-auth-token': 'SECRET',
        'x-amz-security-token': 'SECRET',
        'www-authenticate': `Bearer error="invalid ${apiKey}"`,
        'x-note': `see ${signedUrl} and ${apiKey}`,
        'content-location': signedUrl,
        [apiKey]: apiKey,
      },
    }),
  ],
  ['a content type that repeats the key', new Response('x', { headers: { 'content-type': apiKey } })],
  ['HTML with a signed URL', new Response(`<a href="${signedUrl}">${apiKey}</a>`)],
  ['a broken structure', json({ id: apiKey, audio_url: [signedUrl] })],
  ['drift', json(sampleMemory({ started_at: signedUrl, audio_url: `no uri ${signedUrl}` }))],
  ['a network fault that repeats URLs and passwords', fault],
  ['a stalled body', stalledBody],
])('after %s, neither the error nor events show a key or a signed URL', async (_title, answer) => {
  const { events, hooks } = recordEvents();
  const client = createClient({ fetch: stubFetch(answer).fetch, hooks, timeout: 40 });
  const error = await client.getMemory('mem_1').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(events.length).toBeGreaterThan(2);
  for (const value of [error, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
});

const leaks = [
  "cannot sign https://x/y?name=O'Brien&X-Amz-Signature=URLSECRET now",
  'cannot sign https://x/y?a=<b>&sig=URLSECRET',
  'cannot sign https://x/y?filename=my file.wav&X-Amz-Signature=URLSECRET',
  'why? https://x/y?filename="my file".wav&X-Amz-Signature=URLSECRET',
  String.raw`cannot sign https://x/y\u003fX-Amz-Signature\u003dURLSECRET`,
  'cannot sign https%3A%2F%2Fx%2Fy%3FX-Amz-Signature%3DURLSECRET',
  'cannot sign https%253A%252F%252Fx%252Fy%253fa b%2526sig%253DURLSECRET',
  'the parameter X-Amz-Credential=URLSECRET/20261120 is no good',
  'https://x/y#access_token=URLSECRET',
  'AWSAccessKeyId = URLSECRET is unknown',
  'Key-Pair-Id=URLSECRET is unknown',
  "https://user:PASSWORD'SECRET@x/y and //u:p@SECRET@x",
  'https%3A%2F%2Fuser%3APASSWORDSECRET%40x',
  'Why? See https://x/y?URLSECRET',
  'https%3A%2F%2Fx%2Fy%3Fname%3Dmy URLSECRET file',
  '{"X-Amz-Signature":"URLSECRET"}',
  String.raw`{\"Policy\" : \"URLSECRET\"}`,
  'Signature: URLSECRET',
];

test.each(leaks)('shows no secret of the text %s', async (text) => {
  const issue = { loc: ['query', text], msg: text, type: text };
  const location = text.replace(/[^ -~]/g, '');
  const answers = [
    json({ detail: text }, { status: 404, headers: { 'x-request-id': text } }),
    json({ detail: [issue] }, { status: 422 }),
    new Response(text, { status: 500 }),
    new Response(null, { status: 302, headers: { location } }),
    new TypeError(text, { cause: Object.assign(new Error(text), { code: text }) }),
  ];
  for (const answer of answers) {
    const { events, hooks } = recordEvents();
    const client = createClient({ fetch: stubFetch(answer).fetch, hooks, retries: 0 });
    const error = await rejection(client.getMemory('mem_1'));
    for (const value of [error, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
  }
});

test('shows text with a question mark unchanged', async () => {
  const detail = 'Is it down? Ask the operators.';
  const client = createClient({ fetch: stubFetch(json({ detail }, { status: 500 })).fetch, retries: 0 });
  expect(await rejection(client.listMemories())).toMatchObject({ detail });
});

// If redaction took more than linear time, this test would time out.
test('redacts a long text of question marks or slashes', async () => {
  const text = '?/%25\\'.repeat(120_000);
  const client = createClient({ fetch: stubFetch(json({ detail: text }, { status: 500 })).fetch, retries: 0 });
  expect(await rejection(client.listMemories())).toMatchObject({ detail: expect.stringContaining('[redacted]') });
});

test.each([
  ['as it is', (key: string) => key],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded in small letters', (key: string) => encodeURIComponent(key).toLowerCase()],
  ['percent-encoded twice', (key: string) => encodeURIComponent(encodeURIComponent(key))],
  ['in escapes of JSON', (key: string) => key.replaceAll('+', String.raw`\u002b`).replaceAll('/', String.raw`\/`)],
  ['as JSON within JSON', (key: string) => JSON.stringify(JSON.stringify(key)).slice(3, -3)],
])('shows no key of a rotating key function, %s, even in a later response', async (_title, encode) => {
  const keys = ['sk+first/SECRET="', 'sk+first/SECRET="+longer', 'sk_third'];
  const all = keys.map(encode).join(' and ');
  const detail = `Bearer%20${all} expired`;
  const { events, hooks } = recordEvents();
  const apiKey = () => keys.shift() ?? 'none left';
  const answer = json({ detail }, { status: 500, headers: { 'retry-after': '0' } });
  const error = await rejection(
    createClient({ fetch: stubFetch(answer).fetch, hooks, apiKey, retries: 2 }).listMemories(),
  );
  expect(error).toMatchObject({ detail: 'Bearer%20[redacted] and [redacted] and [redacted] expired' });
  expect(everythingIn(error)).not.toMatch(/first|longer|third/i);
  expect(events.length).toBeGreaterThan(0);
});

test.each([
  ['a signed URL', signedUrl, 'https://media.example.com/a.wav?[redacted]'],
  ['a percent-encoded signed URL', encodeURIComponent(signedUrl), 'https://media.example.com/a.wav?[redacted]'],
  ['the key', apiKey, '[redacted]'],
])('sends %s in place of an id unchanged, and shows it in no error and no event', async (_title, id, shown) => {
  const { events, hooks } = recordEvents();
  const drifting = json(sampleMemory({ id, started_at: 'today' }));
  const missing = json({ detail: 'Memory not found' }, { status: 404 });
  const { fetch, requests } = stubFetch(drifting, missing);
  const client = createClient({ fetch, hooks });
  await client.getMemory(id);
  const error = await rejection(client.getMemory(id));
  expect(requests[0]?.url).toBe(`https://api.example.com/v1/memories/${encodeURIComponent(id)}`);
  expect(error).toMatchObject({ memoryId: shown, message: expect.stringContaining(JSON.stringify(shown)) });
  expect(events.length).toBeGreaterThan(5);
  for (const value of [error, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
});

test('shows no known key, even with auth none', async () => {
  const client = createClient({ auth: 'none', retries: 0, fetch: stubFetch(json({}, { status: 500 })).fetch });
  expect(everythingIn(await rejection(client.getMemory(apiKey)))).not.toContain('SECRET');
  const keyless = client.withOptions({ apiKey: '' });
  expect(await rejection(keyless.getMemory('mem_1'))).toMatchObject({ message: expect.stringContaining('"mem_1"') });
});
