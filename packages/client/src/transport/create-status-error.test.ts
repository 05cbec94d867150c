import { inspect } from 'node:util';
import { problems } from '@memory-read/contract/operations';
import { expect, test } from 'vitest';
import {
  AuthenticationError,
  InvalidRequestError,
  isMemoryApiError,
  type MemoryClientOptions,
  RateLimitError,
  ServerError,
  UnexpectedResponseError,
} from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, type StubAnswer, stubClient } from '../testing/stub-fetch.ts';

const createClient = (answer: StubAnswer, options?: MemoryClientOptions) =>
  stubClient(answer, { retries: 0, ...options }).client;
const getError = (answer: StubAnswer) => rejection(createClient(answer).getMemory('mem_1'));
const listError = (answer: StubAnswer) => rejection(createClient(answer).listMemories());

/** Below 400, the property is 0, because web frameworks would answer with it. The message has the status. */
const shown = (status: number) => (status < 400 ? 0 : status);

test.each([
  [401, AuthenticationError, 'authentication'],
  [404, UnexpectedResponseError, 'unexpected_response'],
  [422, InvalidRequestError, 'invalid_request'],
  [429, RateLimitError, 'rate_limited'],
  [501, ServerError, 'server'],
  [599, ServerError, 'server'],
  [201, UnexpectedResponseError, 'unexpected_response'],
  [307, UnexpectedResponseError, 'unexpected_response'],
  [400, UnexpectedResponseError, 'unexpected_response'],
  [408, UnexpectedResponseError, 'unexpected_response'],
])('status %i is %o', async (status, Class, code) => {
  const error = await getError(json({ detail: 'So it is.' }, { status, headers: { 'x-request-id': 'req_1' } }));
  expect(error).toBeInstanceOf(Class);
  expect(isMemoryApiError(error)).toBe(true);
  expect(error).toMatchObject({
    name: Class.name,
    code,
    status: shown(status),
    detail: 'So it is.',
    requestId: 'req_1',
    request: { method: 'GET', url: 'https://api.example.com/v1/memories/mem_1', attempts: 1 },
    message: expect.stringMatching(
      /^Failed to get memory "mem_1": the server( at api\.example\.com:443)? answered \d+ \("So it is\."\)\. /,
    ),
  });
});

const controls = ['\u0000', '\u0007', '\b', '\r', '\u001b', '\u007f', '\u009b', '\u202e', '\u2066'];

test.each(controls)('no message, field or JSON of an error holds the control %j of the server', async (control) => {
  const text = `a${control}b`;
  const bodies = [
    json({ detail: text }, { status: 500 }),
    new Response(text, { status: 500 }),
    json({ detail: [{ msg: text, loc: [text], type: text }] }, { status: 422 }),
  ];
  for (const body of bodies) {
    const error = (await getError(body)) as Error;
    expect(error.message).toContain('a\ufffdb');
    for (const shown of [error.message, JSON.stringify(error), String(error.stack), inspect(error)])
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(error).toMatchObject({ detail: expect.stringContaining('a\ufffdb') });
  }
});

/** A response with properties that no `Response` can be created with. */
const foreign = (properties: object) => async () =>
  Object.defineProperties(
    new Response(null),
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])),
  );

test.each<[string, number, StubAnswer]>([
  ...[204, 205, 304].map((status): [string, number, StubAnswer] => [`${status}`, 0, new Response(null, { status })]),
  ...[600, 999].map((status): [string, number, StubAnswer] => [`${status}`, status, foreign({ status })]),
])('status %s, which is invented or has no body, is an UnexpectedResponseError', async (_title, status, answer) => {
  expect(await getError(answer)).toMatchObject({ name: 'UnexpectedResponseError', status, detail: undefined });
});

test('a redirect that a browser hides has status 0', async () => {
  expect(await listError(foreign({ status: 0, type: 'opaqueredirect' }))).toMatchObject({
    name: 'UnexpectedResponseError',
    status: 0,
    message: expect.stringContaining('does not follow redirects'),
  });
});

test.each([
  [problems['missing-api-key'].detail, 'missing_key', 'missing key'],
  [problems['invalid-api-key'].detail, 'invalid_key', 'invalid key'],
  ['Go away', 'unknown', '"Go away"'],
  ['constructor', 'unknown', '"constructor"'],
])('401 with detail %j has reason %s', async (detail, reason, shown) => {
  const message = `Failed to list memories: the server answered 401 (${shown}). Check the apiKey option.`;
  const expected = { code: 'authentication', reason, detail, message };
  expect(await listError(json({ detail }, { status: 401 }))).toMatchObject(expected);
});

test('a key that occurs in the detail changes neither reason nor class', async () => {
  const named = (apiKey: string, detail: string, status: number) =>
    rejection(createClient(json({ detail }, { status }), { apiKey }).getMemory('mem_1'));
  const invalid = { reason: 'invalid_key', detail: 'Invalid API [redacted]' };
  expect(await named('key', 'Invalid API key', 401)).toMatchObject(invalid);
  expect(await named('Not', 'Not Found', 404)).toMatchObject({ code: 'unexpected_response' });
});

test('the error names the missing memory', async () => {
  const response = json({ detail: problems['memory-not-found'].detail }, { status: 404 });
  expect(await getError(response)).toMatchObject({ name: 'MemoryNotFoundError', memoryId: 'mem_1' });
});

test('404 of the list is never a missing memory', async () => {
  const error = await listError(json({ detail: 'Memory not found' }, { status: 404 }));
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', status: 404 });
});

test('422 contains the issues of a FastAPI body, without the input that they repeat', async () => {
  const issue = { type: 'string_type', loc: ['path', 'memory_id', 0], msg: 'Input should be short', input: 'PRIVATE' };
  const error = await getError(json({ detail: [issue, 'junk', { loc: 1 }] }, { status: 422 }));
  expect(error).toMatchObject({
    detail: 'path.memory_id.0: Input should be short',
    issues: [{ path: ['path', 'memory_id', 0], message: 'Input should be short', type: 'string_type' }],
  });
  expect(JSON.stringify(error)).not.toContain('PRIVATE');
  expect(await getError(json({ detail: 'Malformed memory id' }, { status: 422 }))).toMatchObject({ issues: [] });
});

const issue = { type: 'missing', loc: ['path', 'memory_id'], msg: 'Field required' };

/** A body with any content type, and the `detail` that is read from it. */
const bodies: [kind: string, body: string, detail: string | undefined][] = [
  ['JSON', '{"detail":"So it is."}', 'So it is.'],
  ['a list of FastAPI', JSON.stringify({ detail: [issue] }), 'path.memory_id: Field required'],
  ['text', ' So it is.\n', 'So it is.'],
  ['HTML', '  <!doctype html><p>So it is.', undefined],
  ['nothing', '', undefined],
  ['other JSON', '{"message":"So it is."}', undefined],
  ['an empty list of issues', '{"detail":[]}', undefined],
  ['a JSON array', '[1]', undefined],
  ['JSON null', 'null', undefined],
  ['JSON that is cut', '{"detail":"So', '{"detail":"So'],
  ['more than is read', JSON.stringify({ detail: 'x'.repeat(1_100_000) }), undefined],
];
const labels = ['application/json', 'text/plain', 'text/html', 'image/png', undefined];

test.each([
  [401, 'AuthenticationError'],
  [404, 'UnexpectedResponseError'],
  [422, 'InvalidRequestError'],
  [429, 'RateLimitError'],
  [500, 'ServerError'],
  [302, 'UnexpectedResponseError'],
  [418, 'UnexpectedResponseError'],
])('a %i is a %s with its detail and request id, whatever its body and content type', async (status, name) => {
  for (const [kind, body, detail] of bodies) {
    for (const label of labels) {
      const headers = { 'x-request-id': 'req_1', ...(label !== undefined && { 'content-type': label }) };
      const error = await getError(new Response(new TextEncoder().encode(body), { status, headers }));
      expect(error, `${kind} as ${label}`).toMatchObject({ name, status: shown(status), detail, requestId: 'req_1' });
      expect((error as Error).message.length).toBeLessThan(300);
    }
  }
});

test('an error body is read up to 1 MiB, and its detail is cut', async () => {
  for (const [length, detail] of [
    [200_000, `${'x'.repeat(1_000)}…`],
    [1_200_000, undefined],
  ] as const)
    expect(await getError(json({ detail: 'x'.repeat(length) }, { status: 404 }))).toMatchObject({ detail });
  let pulls = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    pulls += 1;
    if (pulls <= 100) controller.enqueue(new Uint8Array(16 * 1024));
    else controller.close();
  };
  const error = await listError(async () => new Response(new ReadableStream({ pull }), { status: 500 }));
  expect(error).toMatchObject({ name: 'ServerError', detail: undefined });
  expect(pulls).toBeLessThan(70);
});

const checkBaseUrl = /root of the API, without \/v1\.$/;

test.each([
  [403, /^[^.]+ answered 403\. Check baseUrl, and what the API key and its plan are allowed to read\.$/],
  [404, checkBaseUrl],
  [405, checkBaseUrl],
  [408, /Try again later\.$/],
  [425, /Try again later\.$/],
  [501, /Contact the operator/],
  [503, /Try again later\.$/],
  [413, /Contact the operator/],
  [451, /Contact the operator/],
])('the advice for a %i can help', async (status, remedy) => {
  expect(await getError(new Response(null, { status }))).toMatchObject({ message: expect.stringMatching(remedy) });
});

test.each([
  [304, { location: '/x' }],
  [302, {}],
  [300, {}],
])('the error for a %i with the headers %j does not mention a redirect', async (status, headers) => {
  const error = await getError(new Response(null, { status, headers }));
  expect(error).toMatchObject({ message: expect.not.stringContaining('redirect') });
});

/** The 404 of frameworks and gateways that serve another application, or no route for the path. */
const foreignBodies: Record<string, [type: string, body: string]> = {
  FastAPI: ['application/json', '{"detail":"Not Found"}'],
  'FastAPI of another application': ['application/json', '{"detail":"Item not found"}'],
  'Django REST': ['application/json', '{"detail":"Not found."}'],
  'Django REST of a model': ['application/json', '{"detail":"No Memory matches the given query."}'],
  Spring: ['application/json', '{"status":404,"error":"Not Found","path":"/v1/memories/mem_1"}'],
  'Spring with problem details': ['application/problem+json', '{"title":"Not Found","detail":"No static resource."}'],
  'ASP.NET': ['application/problem+json', '{"title":"Not Found","status":404,"traceId":"00-1"}'],
  Express: ['text/html', '<!DOCTYPE html><html lang="en"><body><pre>Cannot GET /v1/memories/mem_1</pre></body></html>'],
  nginx: ['text/html', '<html><head><title>404 Not Found</title></head><body>nginx/1.29.3</body></html>'],
  Cloudflare: ['text/plain', 'error code: 1016'],
  Traefik: ['text/plain', '404 page not found\n'],
  'a route that the API does not know': ['application/json', JSON.stringify(problems['route-not-found'])],
  'a list of issues': ['application/json', '{"detail":[{"msg":"Memory not found"}]}'],
  'no body': ['text/plain', ''],
  'the same words in another field': ['application/json', '{"message":"Memory not found"}'],
  'the same words in another case': ['application/json', '{"detail":"memory not found"}'],
  'the same words as text': ['text/plain', 'Memory not found'],
};

test.each(Object.entries(foreignBodies))('a 404 of %s never says that a memory is missing', async (_title, answer) => {
  const [type, body] = answer;
  const client = createClient(async ({ url }) =>
    url.endsWith('/memories') ? json([]) : new Response(body, { status: 404, headers: { 'content-type': type } }),
  );
  const expected = { name: 'UnexpectedResponseError', status: 404 };
  for (const call of [
    client.getMemory('mem_1'),
    client.waitForMemory('mem_1'),
    client.mediaUrl('mem_1', 'audio'),
    client.openMedia('mem_1', 'audio'),
  ])
    expect(await rejection(call)).toMatchObject(expected);
  const { value } = await client.waitForMemories(['mem_1']).next();
  expect(value).toMatchObject({ status: 'failed', error: expected });
});
