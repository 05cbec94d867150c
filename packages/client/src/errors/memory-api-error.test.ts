import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import * as allExports from '../index.ts';
import { ConfigurationError, type MemoryApiError, ProcessingTimeoutError, ServerError } from '../index.ts';
import { everyError } from '../testing/every-error.ts';
import { rejection } from '../testing/rejection.ts';
import { json, type StubAnswer, stubClient } from '../testing/stub-fetch.ts';
import { MediaPlaybackError } from './errors.ts';

const createClient = (...answers: readonly StubAnswer[]) =>
  stubClient(answers, { apiKey: 'sk_test_key', retries: 0 }).client;

test('toJSON returns name, code, message, the own fields and the cause, but neither stack nor headers', async () => {
  const headers = { 'retry-after': '7', 'x-request-id': 'req_1' };
  const error = await rejection(createClient(json({ detail: 'Down.' }, { status: 503, headers })).getMemory('mem_1'));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ServerError',
    code: 'server',
    message: 'Failed to get memory "mem_1": the server answered 503 ("Down."). Try again later.',
    status: 503,
    detail: 'Down.',
    requestId: 'req_1',
    retryAfterMs: 7000,
    request: { method: 'GET', url: 'https://api.example.com/v1/memories/mem_1', attempts: 1 },
  });
  expect(Object.keys(JSON.parse(JSON.stringify(error))).slice(0, 3)).toEqual(['name', 'code', 'message']);
});

test('toJSON shows a foreign cause and its parts by name, code and message only', () => {
  const part = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', options: { key: 'x' } });
  const whole = Object.assign(new AggregateError([part, 'x'], ''), { code: 'ETIMEDOUT', options: { key: 'x' } });
  const cause = Object.assign(new TypeError('fetch failed', { cause: whole }), { options: { key: 'x' } });
  const shown: unknown = JSON.parse(JSON.stringify(new ServerError('No.', { status: 500, cause })));
  expect(shown).toEqual({
    ...{ name: 'ServerError', code: 'server', message: 'No.', status: 500 },
    cause: {
      ...{ name: 'TypeError', message: 'fetch failed' },
      cause: {
        ...{ name: 'AggregateError', code: 'ETIMEDOUT', message: '' },
        errors: [{ name: 'Error', code: 'ECONNREFUSED', message: 'connect' }, null],
      },
    },
  });
  const primitive = new ConfigurationError('No.', { option: 'retries', cause: 'x' });
  expect(JSON.parse(JSON.stringify(primitive))).not.toHaveProperty('cause');
});

test('toJSON shows of a memory that it is processing, and nothing else', () => {
  const memory = sampleMemory({ name: 'PRIVATE', is_processing: true });
  const error = new ProcessingTimeoutError('No.', { memoryId: 'mem_1', maxWait: 1, memory });
  expect(error.toJSON()).toMatchObject({ memoryId: 'mem_1', maxWait: 1, memory: { id: 'mem_1', is_processing: true } });
  expect(JSON.stringify(error)).not.toMatch(/PRIVATE|https:/);
});

const headers = {
  ...{ 'X-Request-Id': 'req_1', Server: 'nginx', Location: 'https://api.example.com/x?token=SECRET#SECRET' },
  ...{ 'X-Note': 'sk_test_key and https://x.test/y?sig=SECRET', 'X-Long': 'x'.repeat(2000) },
  ...{ Cookie: 'x', 'Set-Cookie': 'x', Authorization: 'x', 'Proxy-Authorization': 'x', 'X-Auth-Token': 'x' },
  ...{ 'X-Client-Secret': 'x', 'X-Api-Key': 'x', 'X-Apikey': 'x', 'X-Amz-Credential': 'x', 'X-Password': 'x' },
  ...{ 'X-Amz-Signature': 'x', 'Content-Type': 'text/plain' },
};
const shown = {
  ...{ 'x-request-id': 'req_1', server: 'nginx', location: 'https://api.example.com/x', 'content-type': 'text/plain' },
  ...{ 'x-note': '[redacted] and https://x.test/y?[redacted]', 'x-long': 'x'.repeat(1024) },
};
const memory = () => json(sampleMemory({ audio_url: 'https://media.example.com/audio', is_processing: true }));

const cut = () => new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });

test.each<[string, () => Promise<unknown>]>([
  ['a status', () => createClient(new Response('', { status: 404, headers })).getMemory('mem_1')],
  ['an invalid body', () => createClient(new Response('x', { headers })).listMemories()],
  ['a broken structure', () => createClient(new Response('{}', { headers })).listMemories()],
  ['a cut body', () => createClient(async () => new Response(cut(), { headers })).listMemories()],
  [
    'a stalled body',
    () => createClient(async () => new Response(new ReadableStream(), { headers })).listMemories({ timeout: 20 }),
  ],
  ['the storage', () => createClient(memory(), new Response('', { status: 501, headers })).openMedia('mem_1', 'audio')],
])('responseHeaders is a plain record without secrets on the error of %s', async (_title, call) => {
  const error = (await rejection(call())) as MemoryApiError;
  expect(error.responseHeaders).toEqual(shown);
  expect(Object.getPrototypeOf(error.responseHeaders)).toBe(Object.prototype);
  expect(JSON.stringify(error)).not.toContain('nginx');
  expect({ ...error }).not.toHaveProperty('responseHeaders');
});

test('responseHeaders has at most 64 entries, and is absent without a response', async () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`x-${index}`, '1']));
  const error = await rejection(createClient(new Response('', { status: 400, headers: many })).listMemories());
  expect(Object.keys((error as MemoryApiError).responseHeaders ?? {})).toHaveLength(64);
  const unsent = await rejection(createClient(new TypeError('fetch failed')).listMemories());
  expect(unsent).not.toHaveProperty('responseHeaders');
});

type AnyErrorClass = new (message: string, init: object) => MemoryApiError;

const errorClasses = [...Object.values<unknown>(allExports), MediaPlaybackError].filter(isErrorClass);

function isErrorClass(value: unknown): value is AnyErrorClass {
  return typeof value === 'function' && value.prototype instanceof Error;
}

test('the table of every error has every class', () => {
  const names = [...everyError.map(({ name }) => name), 'MemoryApiError'];
  expect(errorClasses.map((errorClass) => errorClass.prototype.name).sort()).toEqual([...new Set(names)].sort());
});

// Express, Koa, Fastify, h3 and hapi copy these from a thrown error into the response of the app.
const actedOn = ['headers', 'statusCode', 'expose', 'statusMessage', 'output'];

test.each(errorClasses.map((errorClass) => [errorClass.prototype.name, errorClass] as const))(
  '%s carries its response where no framework looks',
  (_name, ErrorClass) => {
    const error = new ErrorClass('No.', { status: 404, responseHeaders: { server: 'nginx' }, memoryId: 'mem_1' });
    expect(error.responseHeaders).toEqual({ server: 'nginx' });
    expect(actedOn.filter((name) => name in error)).toEqual([]);
    expect({ ...error }).not.toHaveProperty('responseHeaders');
  },
);
